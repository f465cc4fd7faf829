/* The lexer; its only state is a position in the text. */
#include "toss/lexer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 63 };

void alea_toss_lexer_init(alea_toss_lexer *lexer, const char *text, size_t length) {
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, length -= 3;
  *lexer = (alea_toss_lexer){text, text + length, text, 1};
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void new_line(alea_toss_lexer *x) {
  x->line++;
  x->line_start = x->next + 1;
}

/* Spaces, and comments from `//` to the end of the line. */
static void skip(alea_toss_lexer *x) {
  bool comment = false;
  for (; x->next < x->end; x->next++) {
    char c = *x->next;
    if (c == '\n') {
      new_line(x);
      comment = false;
    } else if (c == '/' && x->next + 1 < x->end && x->next[1] == '/') {
      comment = true;
    } else if (!comment && c != ' ' && c != '\t' && c != '\r' && c != '\f' && c != '\v') {
      return;
    }
  }
}

static void read_word(alea_toss_lexer *x, alea_toss_token *token) {
  token->kind = ALEA_TOSS_WORD;
  while (x->next < x->end && (is_letter(*x->next) || is_digit(*x->next))) x->next++;
}

static void skip_digits(alea_toss_lexer *x) {
  while (x->next < x->end && is_digit(*x->next)) x->next++;
}

static void read_exponent(alea_toss_lexer *x) {
  const char *before = x->next;
  if (x->next >= x->end || (*x->next != 'e' && *x->next != 'E')) return;
  x->next++;
  if (x->next < x->end && (*x->next == '-' || *x->next == '+')) x->next++;
  if (x->next < x->end && is_digit(*x->next)) {
    skip_digits(x);
  } else {
    x->next = before;
  }
}

static void read_number(alea_toss_lexer *x, alea_toss_token *token) {
  token->kind = ALEA_TOSS_DIGITS;
  skip_digits(x);
  if (x->next + 1 < x->end && *x->next == '.' && is_digit(x->next[1])) {
    x->next++;
    skip_digits(x);
  }
  read_exponent(x);
  char copy[LONGEST_NUMBER + 1] = "";
  size_t length = (size_t)(x->next - token->text);
  if (length > LONGEST_NUMBER) {
    token->kind = ALEA_TOSS_BAD;
    return;
  }
  memcpy(copy, token->text, length);
  token->number = strtod(copy, NULL);
  if (!(token->number < 1e300)) token->kind = ALEA_TOSS_BAD;
}

static void read_string(alea_toss_lexer *x, alea_toss_token *token) {
  token->text = ++x->next;
  for (; x->next < x->end && *x->next != '"'; x->next++) {
    if (*x->next == '\n') new_line(x);
  }
  token->kind = x->next < x->end ? ALEA_TOSS_STRING : ALEA_TOSS_OPEN;
  token->length = (size_t)(x->next - token->text);
  if (x->next < x->end) x->next++;
}

static void read_mark(alea_toss_lexer *x, alea_toss_token *token) {
  static const char *const pairs[] = {"->", "--", "<-", "<=", ">=", "!="};
  static const char singles[] = "()[]{}|:;,=<>+-*/^'~.";
  token->kind = ALEA_TOSS_MARK;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    if (x->end - x->next >= 2 && memcmp(x->next, pairs[i], 2) == 0) {
      x->next += 2;
      return;
    }
  }
  if (*x->next == '\0' || strchr(singles, *x->next) == NULL) token->kind = ALEA_TOSS_BAD;
  x->next++;
}

alea_toss_token alea_toss_lexer_next(alea_toss_lexer *x) {
  skip(x);
  alea_toss_token token = {.text = x->next, .line = x->line};
  token.column = (uint32_t)(x->next - x->line_start) + 1;
  if (x->next >= x->end) return token;
  if (*x->next == '"') {
    read_string(x, &token);
    return token;
  }
  if (is_letter(*x->next)) {
    read_word(x, &token);
  } else if (is_digit(*x->next)) {
    read_number(x, &token);
  } else {
    read_mark(x, &token);
  }
  token.length = (size_t)(x->next - token.text);
  return token;
}
