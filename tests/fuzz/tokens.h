#ifndef ALEA_TESTS_FUZZ_TOKENS_H
#define ALEA_TESTS_FUZZ_TOKENS_H

/* An input as tokens: words, numbers, runs of spaces, and single bytes of any
 * other kind; and the two changes that all others are made of. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"

enum { FUZZ_MOST_TOKENS = 4096, FUZZ_SPARE = 4096 };

typedef struct fuzz_piece {
  size_t at, length;
} fuzz_piece;

/* The bytes that are changed, with room for 'most'. */
typedef struct fuzz_text {
  uint8_t *data;
  size_t size, most;
} fuzz_text;

typedef struct fuzz_tokens {
  fuzz_piece list[FUZZ_MOST_TOKENS];
  size_t count;
} fuzz_tokens;

void fuzz_tokens_cut(fuzz_tokens *tokens, const fuzz_text *text);
bool fuzz_is_word(uint8_t c); /* digits are parts of words */
bool fuzz_is_number(const fuzz_text *text, fuzz_piece piece);
/* The bracket that closes 'open'; 0: it opens nothing. */
char fuzz_closing(uint8_t open);
/* The token, or the bracket that it opens with all that is inside; of a tag of
 * XML also what is between it and the tag that closes it. */
fuzz_piece fuzz_piece_at(const fuzz_text *text, fuzz_piece token);

/* Replaces a piece by other bytes, where they fit; they lie outside of the text. */
void fuzz_put(fuzz_text *text, fuzz_piece piece, const void *bytes, size_t length);
/* Replaces a piece by a copy of another, where that is not too long. */
void fuzz_copy(fuzz_text *text, fuzz_piece piece, fuzz_piece source);
/* Two pieces that do not overlap change places. */
void fuzz_swap(fuzz_text *text, fuzz_piece a, fuzz_piece b);
/* Another number: in 'limits' of 32 cases one near a limit, else one near it. */
void fuzz_change_number(fuzz_text *text, fuzz_piece token, unsigned limits, alea_rng *rng);

#endif
