/* Tokens of an input, and replacing them. */
#include "fuzz/tokens.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool fuzz_is_word(uint8_t c) { return isalnum(c) || c == '_' || c == '-' || c == '.' || c >= 128; }

static size_t token_length(const fuzz_text *text, size_t at) {
  const uint8_t *data = text->data;
  size_t end = at + 1;
  if (fuzz_is_word(data[at]))
    while (end < text->size && fuzz_is_word(data[end])) end++;
  if (isspace(data[at]))
    while (end < text->size && isspace(data[end])) end++;
  return end - at;
}

void fuzz_tokens_cut(fuzz_tokens *tokens, const fuzz_text *text) {
  tokens->count = 0;
  for (size_t at = 0; at < text->size && tokens->count < FUZZ_MOST_TOKENS;) {
    size_t length = token_length(text, at);
    tokens->list[tokens->count++] = (fuzz_piece){at, length};
    at += length;
  }
}

bool fuzz_is_number(const fuzz_text *text, fuzz_piece piece) {
  return isdigit(text->data[piece.at]);
}

char fuzz_closing(uint8_t open) {
  switch (open) {
    case '(': return ')';
    case '[': return ']';
    case '{': return '}';
    case '<': return '>';
    default: return 0;
  }
}

/* From an opening tag, which ends at 'end', to the tag that closes it. */
static fuzz_piece element_at(const fuzz_text *text, fuzz_piece token, size_t end) {
  const uint8_t *data = text->data;
  fuzz_piece tag = {token.at, end + 1 - token.at};
  if (data[end - 1] == '/' || token.at + 1 >= text->size || data[token.at + 1] == '/') return tag;
  size_t name = token_length(text, token.at + 1);
  for (size_t k = end; k + name + 2 < text->size; k++)
    if (data[k] == '<' && data[k + 1] == '/' &&
        memcmp(data + k + 2, data + token.at + 1, name) == 0)
      return (fuzz_piece){token.at, k + name + 3 - token.at};
  return tag;
}

fuzz_piece fuzz_piece_at(const fuzz_text *text, fuzz_piece token) {
  const uint8_t *data = text->data;
  char close = fuzz_closing(data[token.at]);
  size_t depth = 0;
  if (close == 0) return token;
  for (size_t i = token.at; i < text->size; i++) {
    if (data[i] == data[token.at]) depth++;
    if (data[i] != (uint8_t)close || --depth > 0) continue;
    return close == '>' ? element_at(text, token, i) : (fuzz_piece){token.at, i + 1 - token.at};
  }
  return token;
}

void fuzz_put(fuzz_text *text, fuzz_piece piece, const void *bytes, size_t length) {
  if (text->size - piece.length + length > text->most) return;
  memmove(text->data + piece.at + length, text->data + piece.at + piece.length,
          text->size - piece.at - piece.length);
  if (length > 0) memcpy(text->data + piece.at, bytes, length);
  text->size += length - piece.length;
}

void fuzz_copy(fuzz_text *text, fuzz_piece piece, fuzz_piece source) {
  uint8_t copy[FUZZ_SPARE];
  if (source.length > FUZZ_SPARE) return;
  memcpy(copy, text->data + source.at, source.length);
  fuzz_put(text, piece, copy, source.length);
}

void fuzz_swap(fuzz_text *text, fuzz_piece a, fuzz_piece b) {
  uint8_t copy[2][FUZZ_SPARE];
  if (a.length > FUZZ_SPARE || b.length > FUZZ_SPARE) return;
  if (text->size + a.length + b.length > text->most) return;
  if (a.at > b.at) {
    fuzz_piece other = a;
    a = b, b = other;
  }
  memcpy(copy[0], text->data + a.at, a.length);
  memcpy(copy[1], text->data + b.at, b.length);
  fuzz_put(text, b, copy[0], a.length); /* the later one first: the other stays where it is */
  fuzz_put(text, a, copy[1], b.length);
}

static const char *const numbers[] = {"0",
                                      "1",
                                      "-1",
                                      "2",
                                      "100",
                                      "101",
                                      "255",
                                      "65536",
                                      "2147483647",
                                      "2147483648",
                                      "-2147483648",
                                      "4294967295",
                                      "4294967296",
                                      "9223372036854775807",
                                      "9223372036854775808",
                                      "1e308",
                                      "1e-320",
                                      "0.1",
                                      "00000000000000000000001",
                                      "99999999999999999999999999"};

void fuzz_change_number(fuzz_text *text, fuzz_piece token, unsigned limits, alea_rng *rng) {
  const char *number = numbers[alea_rng_below(rng, sizeof numbers / sizeof *numbers)];
  char near[24];
  if (alea_rng_below(rng, 32) >= limits && token.length < 10) {
    unsigned long value = 0; /* the bytes end without a NUL */
    for (size_t i = 0; i < token.length && isdigit(text->data[token.at + i]); i++)
      value = 10 * value + (unsigned long)(text->data[token.at + i] - '0');
    value = alea_rng_below(rng, 2) == 0 ? value + 1 : value > 0 ? value - 1 : 2;
    snprintf(near, sizeof near, "%lu", value);
    number = near;
  }
  fuzz_put(text, token, number, strlen(number));
}
