#ifndef ALEA_TOSS_LEXER_H
#define ALEA_TOSS_LEXER_H

/* Tokens of a `.toss` file. */

#include "base/diag.h"

typedef enum alea_toss_token_kind {
  ALEA_TOSS_END,
  ALEA_TOSS_WORD,
  ALEA_TOSS_DIGITS, /* a number without sign */
  ALEA_TOSS_STRING, /* text and length without the quotes */
  ALEA_TOSS_MARK,   /* punctuation of one or two bytes */
  ALEA_TOSS_OPEN,   /* a string without its closing quote */
  ALEA_TOSS_BAD,    /* an invalid byte, or a number that is too large */
} alea_toss_token_kind;

typedef struct alea_toss_token {
  alea_toss_token_kind kind;
  const char *text;
  size_t length;
  uint32_t line, column;
  double number;
} alea_toss_token;

typedef struct alea_toss_lexer {
  const char *next, *end, *line_start;
  uint32_t line;
} alea_toss_lexer;

void alea_toss_lexer_init(alea_toss_lexer *lexer, const char *text, size_t length);
alea_toss_token alea_toss_lexer_next(alea_toss_lexer *lexer);

#endif
