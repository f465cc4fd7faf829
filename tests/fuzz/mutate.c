/* Mutations of tokens and brackets. */
#include "fuzz/mutate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

static uint64_t noted_inputs, accepted_inputs;

#ifdef ALEA_LIBFUZZER
/* The fuzzer tells the rest when it ends. */
static void print_counts(void) {
  fprintf(stderr, "accepted: %.0f %%\n", 100.0 * (double)accepted_inputs / (double)noted_inputs);
}
#endif

void fuzz_note(bool accepted) {
#ifdef ALEA_LIBFUZZER
  if (noted_inputs == 0) atexit(print_counts);
#endif
  noted_inputs++;
  accepted_inputs += accepted;
}

void fuzz_counts(uint64_t *noted, uint64_t *accepted) {
  *noted = noted_inputs;
  *accepted = accepted_inputs;
}

/* ---- tokens ---- */

typedef struct fuzz_piece {
  size_t at, length;
} fuzz_piece;

enum { MOST_TOKENS = 4096, SPARE = 4096 };

typedef struct fuzz_tokens {
  fuzz_piece list[MOST_TOKENS];
  size_t count;
} fuzz_tokens;

static bool is_word(uint8_t c) {
  return isalnum(c) || c == '_' || c == '-' || c == '.' || c >= 128;
}

static size_t token_length(const uint8_t *data, size_t at, size_t size) {
  size_t end = at + 1;
  if (is_word(data[at]))
    while (end < size && is_word(data[end])) end++;
  if (isspace(data[at]))
    while (end < size && isspace(data[end])) end++;
  return end - at;
}

static void cut_up(const uint8_t *data, size_t size, fuzz_tokens *tokens) {
  tokens->count = 0;
  for (size_t at = 0; at < size && tokens->count < MOST_TOKENS;) {
    size_t length = token_length(data, at, size);
    tokens->list[tokens->count++] = (fuzz_piece){at, length};
    at += length;
  }
}

static char closing(uint8_t open) {
  switch (open) {
    case '(': return ')';
    case '[': return ']';
    case '{': return '}';
    case '<': return '>';
    default: return 0;
  }
}

/* The token, or the bracket that it opens with all that is inside; of a tag of
 * XML also what is between it and the tag that closes it. */
static fuzz_piece piece_at(const uint8_t *data, size_t size, fuzz_piece token) {
  char close = closing(data[token.at]);
  size_t depth = 0;
  if (close == 0) return token;
  for (size_t i = token.at; i < size; i++) {
    if (data[i] == data[token.at]) depth++;
    if (data[i] != (uint8_t)close || --depth > 0) continue;
    fuzz_piece piece = {token.at, i + 1 - token.at};
    if (close != '>' || data[i - 1] == '/' || token.at + 1 >= size || data[token.at + 1] == '/')
      return piece;
    size_t name = token_length(data, token.at + 1, size);
    for (size_t k = i; k + name + 2 < size; k++)
      if (data[k] == '<' && data[k + 1] == '/' &&
          memcmp(data + k + 2, data + token.at + 1, name) == 0)
        return (fuzz_piece){token.at, k + name + 3 - token.at};
    return piece;
  }
  return token;
}

/* ---- changes ---- */

/* Replaces a piece by other bytes, where they fit. */
static size_t put(uint8_t *data, size_t size, size_t most, fuzz_piece piece, const void *bytes,
                  size_t length) {
  if (size - piece.length + length > most) return size;
  memmove(data + piece.at + length, data + piece.at + piece.length, size - piece.at - piece.length);
  if (length > 0) memcpy(data + piece.at, bytes, length);
  return size - piece.length + length;
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

static bool is_number(const uint8_t *data, fuzz_piece piece) { return isdigit(data[piece.at]); }

/* Another number: one near it, or one near a limit. */
static size_t change_number(uint8_t *data, size_t size, size_t most, fuzz_piece token,
                            unsigned limits, alea_rng *rng) {
  const char *number = numbers[alea_rng_below(rng, sizeof numbers / sizeof *numbers)];
  char near[24];
  if (alea_rng_below(rng, 8) >= limits && token.length < 10) {
    unsigned long value = 0; /* the bytes end without a NUL */
    for (size_t i = 0; i < token.length && isdigit(data[token.at + i]); i++)
      value = 10 * value + (unsigned long)(data[token.at + i] - '0');
    value = alea_rng_below(rng, 2) == 0 ? value + 1 : value > 0 ? value - 1 : 2;
    snprintf(near, sizeof near, "%lu", value);
    number = near;
  }
  return put(data, size, most, token, number, strlen(number));
}

static size_t change_byte(uint8_t *data, size_t size, size_t most, alea_rng *rng) {
  fuzz_piece piece = {size > 0 ? alea_rng_below(rng, (uint32_t)size) : 0, 0};
  piece.length = size > 0 ? alea_rng_below(rng, 2) : 0;
  uint8_t byte = (uint8_t)alea_rng_below(rng, 256);
  return put(data, size, most, piece, &byte, alea_rng_below(rng, 4) > 0);
}

static size_t change_token(uint8_t *data, size_t size, size_t most, const fuzz_tokens *tokens,
                           alea_rng *rng) {
  uint8_t copy[SPARE];
  uint32_t count = (uint32_t)tokens->count;
  fuzz_piece token = tokens->list[alea_rng_below(rng, count)];
  fuzz_piece other = tokens->list[alea_rng_below(rng, count)];
  if (is_number(data, token)) return change_number(data, size, most, token, 4, rng);
  fuzz_piece piece = piece_at(data, size, token), source = piece_at(data, size, other);
  if (source.length > SPARE) source = other;
  if (source.length > SPARE) return size;
  memcpy(copy, data + source.at, source.length);
  switch (alea_rng_below(rng, 6)) {
    case 0: return put(data, size, most, piece, NULL, 0);
    case 1: piece.length = 0; return put(data, size, most, piece, copy, source.length);
    case 2:
      if (piece.length > SPARE) return size;
      memcpy(copy, data + piece.at, piece.length);
      source.length = piece.length;
      piece.length = 0; /* once more */
      return put(data, size, most, piece, copy, source.length);
    default: break;
  }
  /* Like for like: a word for a word, a bracket for a bracket. */
  bool alike = is_word(data[piece.at]) == is_word(data[source.at]) &&
               closing(data[piece.at]) == closing(data[source.at]);
  return alike ? put(data, size, most, piece, copy, source.length) : size;
}

/* ---- XML ---- */

enum { DEEPEST = 64 };

/* Where tokens stand: 0 inside a tag, else 1 + the number of elements around them;
 * opening tags have that of their element. */
static void find_depths(const uint8_t *data, size_t size, const fuzz_tokens *tokens,
                        uint8_t *depths) {
  unsigned depth = 0;
  bool tag = false;
  for (size_t i = 0; i < tokens->count; i++) {
    size_t at = tokens->list[i].at;
    uint8_t c = data[at], next = at + 1 < size ? data[at + 1] : 0;
    bool opens = c == '<' && next != '/' && next != '?' && next != '!';
    if (c == '<') tag = true;
    if (c == '<' && next == '/' && depth > 0) depth--;
    depths[i] = opens || !tag ? (uint8_t)(1 + depth) : 0;
    if (opens && depth < DEEPEST) depth++;
    if (c != '>') continue;
    tag = false;
    if (at > 0 && data[at - 1] == '/' && depth > 0) depth--;
  }
}

/* An element is left out, written twice, or put in the place of another that is as
 * deep. */
static size_t change_element(uint8_t *data, size_t size, size_t most, fuzz_piece token,
                             fuzz_piece other, alea_rng *rng) {
  uint8_t copy[SPARE];
  fuzz_piece piece = piece_at(data, size, token), source = piece_at(data, size, other);
  if (source.length > SPARE) return size;
  memcpy(copy, data + source.at, source.length);
  uint32_t what = alea_rng_below(rng, 4);
  if (what == 0) return put(data, size, most, piece, NULL, 0);
  if (what < 3) piece.length = 0;
  return put(data, size, most, piece, copy, source.length);
}

/* One change that keeps to the grammar; '*done' is false where the tokens that were
 * drawn do not fit each other. */
static size_t change_xml(uint8_t *data, size_t size, size_t most, const fuzz_tokens *tokens,
                         alea_rng *rng, bool *done) {
  static uint8_t depths[MOST_TOKENS];
  find_depths(data, size, tokens, depths);
  uint32_t a = alea_rng_below(rng, (uint32_t)tokens->count);
  uint32_t b = alea_rng_below(rng, (uint32_t)tokens->count);
  fuzz_piece token = tokens->list[a], other = tokens->list[b];
  bool number = is_number(data, token);
  bool words = is_word(data[token.at]) && is_word(data[other.at]) && !number &&
               !is_number(data, other) && other.length <= SPARE;
  bool elements = data[token.at] == '<' && data[other.at] == '<' && depths[a] > 2;
  *done = depths[a] != 0 && (number || (depths[a] == depths[b] && (elements || words)));
  if (!*done) return size;
  if (number) return change_number(data, size, most, token, 1, rng);
  if (elements) return change_element(data, size, most, token, other, rng);
  uint8_t copy[SPARE];
  memcpy(copy, data + other.at, other.length);
  return put(data, size, most, token, copy, other.length);
}

size_t fuzz_mutate(uint8_t *data, size_t size, size_t most, unsigned seed) {
  static fuzz_tokens tokens; /* large; a fuzzer has one thread */
  alea_rng rng;
  alea_rng_seed(&rng, seed);
  bool xml = size > 0 && data[0] == '<';
  if (alea_rng_below(&rng, xml ? 32 : 8) == 0) return change_byte(data, size, most, &rng);
  size_t before = size;
  bool done = false;
  cut_up(data, size, &tokens);
  bool strictly = xml && tokens.count > 0 && alea_rng_below(&rng, 32) > 0;
  for (int i = 0; i < 1000 && strictly && !done; i++)
    size = change_xml(data, size, most, &tokens, &rng, &done);
  if (done) return size;
  for (int i = 0; i < 8 && size == before; i++) {
    cut_up(data, size, &tokens);
    if (tokens.count == 0) return change_byte(data, size, most, &rng);
    size = change_token(data, size, most, &tokens, &rng);
  }
  return size;
}

/* libFuzzer asks here for mutations. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  return fuzz_mutate(data, size, most, seed);
}
