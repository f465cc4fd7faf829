#ifndef ALEA_PLAY_PIECE_COUNT_H
#define ALEA_PLAY_PIECE_COUNT_H

/* A heuristic that needs no knowledge of the game: counts of like fluents.
 *
 * Fluents are of one kind when they agree in name and last argument (its last
 * leaf, where it is nested), as `(cell 2 5 wp)` and `(cell 3 5 wp)` do.  In a few random plays the
 * number of fluents of each kind half way is compared with the outcome; kinds that go with it
 * predict it afterwards, each by a straight line. */

#include "base/vec.h"
#include "game/game.h"

enum { ALEA_MOST_KINDS = 256 };

/* Sums over the samples of one kind, and per role in 'with'. */
typedef struct alea_kind {
  alea_symbol name;
  alea_term last; /* argument, of a nested one the last leaf; ALEA_NO_TERM where there is none */
  uint32_t depth; /* of that leaf */
  double count, squares;
} alea_kind;

typedef struct alea_piece_counts {
  alea_mem *mem;
  const alea_game *game;
  alea_terms *terms; /* of the fluents seen */
  alea_u32s kind_of; /* per fluent: 1 + its kind, 0 = not known yet, UINT32_MAX = none */
  uint32_t kind_count;
  alea_kind kinds[ALEA_MOST_KINDS];
  double *with;     /* per kind and role: sum of count times outcome */
  double *outcome;  /* per role: sum, then sum of squares */
  uint32_t *counts; /* of one position */
  uint32_t samples;
  bool ready;     /* lines are drawn */
  float *slopes;  /* per kind and role; 0 where the kind tells nothing */
  float *weights; /* per role: kinds that tell something */
} alea_piece_counts;

alea_status alea_piece_counts_init(alea_piece_counts *pieces, const alea_game *game, alea_mem *mem);
void alea_piece_counts_clear(alea_piece_counts *pieces);

/* One random play from the initial position, as a sample; moves the cursor. */
alea_status alea_piece_counts_learn(alea_piece_counts *pieces, alea_cursor *cursor, alea_rng *rng);
/* Draws the lines through what was learned. */
void alea_piece_counts_finish(alea_piece_counts *pieces);
/* What the position promises each role, 0..1, into 'values'; false where the
 * counts tell nothing. */
bool alea_piece_counts_guess(alea_piece_counts *pieces, alea_cursor *cursor, float *values);

#endif
