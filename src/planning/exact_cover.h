#ifndef ALEA_PLAN_FOLLOWER_EXACT_COVER_H
#define ALEA_PLAN_FOLLOWER_EXACT_COVER_H

/* Moves sorted into classes of which no two members go together, such as all
 * that fill one cell, or all that place one number in one row.
 *
 * If every class of one cover needs a move, and another cover has no more
 * classes, then every class of the other has a move as well: what holds for
 * the cells holds for the numbers.  Clause learners do not see that by
 * themselves, since it takes counting.
 *
 * Covers are sought by name: a class is the moves that agree in some of their
 * arguments, whichever these are. */

#include "base/vec.h"
#include "game/game.h"

/* Moves as rows of numbers, one for each argument. */
typedef struct alea_rows {
  alea_mem *mem;
  uint32_t count, width; /* moves, and arguments with the functor in front */
  uint32_t *cells;
} alea_rows;

/* ALEA_UNSUPPORTED: the moves of role 0 do not have the same number of arguments, or
 * have more than 8.  In any case the caller clears the rows. */
alea_status alea_rows_init(alea_rows *rows, const alea_game *game, const alea_u32s *moves,
                           alea_mem *mem);
void alea_rows_clear(alea_rows *rows);

typedef struct alea_exact_cover {
  alea_mem *mem;
  alea_u32s members; /* class after class, indexes of rows */
  alea_u32s ends;    /* of each class in 'members' */
} alea_exact_cover;

/* Sorts the rows by the cells whose bits are set in 'mask'.  The caller clears
 * the cover. */
alea_status alea_exact_cover_init(alea_exact_cover *cover, const alea_rows *rows, uint32_t mask,
                                  alea_mem *mem);
void alea_exact_cover_clear(alea_exact_cover *cover);
/* Whether i and j are apart[i * count + j] for all i and j of a class. */
bool alea_exact_cover_holds(const alea_exact_cover *cover, const uint8_t *apart, uint32_t count);

#endif
