#ifndef ALEA_TOSS_DOUBLED_H
#define ALEA_TOSS_DOUBLED_H

/* The doubled signature {R, R_old, f, f_old} of a game ([TOSS10 §5]), and the
 * structure of a move over it, on which evaluation games are played.
 *
 * For a move from A to B it has the universe of B; R and f are those of B.  An
 * element of B corresponds to the element of A that it is or that it replaces;
 * R_old holds of elements whose correspondents were in R, and f_old is the label
 * of the correspondent, 0 for an element that has none.  Relations that no move
 * changes, R_old being R, are there once. */

#include "toss/game.h"

/* A move as it was made. */
typedef struct alea_toss_transition {
  const alea_toss_structure *before, *after;
  const uint32_t *origins; /* per element after: its correspondent, or NONE; NULL: each itself */
} alea_toss_transition;

/* Where relations and functions of a game are in a file over its doubled
 * signature. */
typedef struct alea_toss_doubled {
  alea_mem *mem;
  const alea_toss_game *game;            /* borrowed */
  uint32_t *now, *old;                   /* per relation of the game: relation, or NONE */
  uint32_t *function_now, *function_old; /* per function of the game */
  size_t relation_count, function_count;
} alea_toss_doubled;

/* Appends `START [...]`, which declares the signature. */
void alea_toss_doubled_signature(const alea_toss_game *game, alea_text *out);
/* Finds the signature of 'game' in 'file'; must be cleared in any case. */
alea_status alea_toss_doubled_init(alea_toss_doubled *doubled, const alea_toss_game *game,
                                   const alea_toss_file *file, alea_mem *mem);
void alea_toss_doubled_clear(alea_toss_doubled *doubled);

/* Adds the relations that never change to 'to', which has none of them yet. */
alea_status alea_toss_doubled_constant(const alea_toss_doubled *doubled, alea_toss_structure *to);
/* Sets everything else in 'to' for a move.  Elements and labels that the file
 * has beyond the signature end dead and 0; its other relations stay as they
 * are. */
alea_status alea_toss_doubled_fill(const alea_toss_doubled *doubled,
                                   const alea_toss_transition *move, alea_toss_structure *to);

#endif
