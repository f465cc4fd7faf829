#ifndef ALEA_PLANNING_EXACT_COVER_H
#define ALEA_PLANNING_EXACT_COVER_H

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
#include "game/rows.h"

/* Moves of role 0 as rows: the functor, and the arguments behind it.  ALEA_UNSUPPORTED:
 * they do not have the same number of arguments, or have more than 8.  In any
 * case the caller clears the rows. */
alea_status alea_exact_cover_rows(alea_rows *rows, const alea_game *game, const alea_u32s *moves,
                                  alea_mem *mem);
/* Whether i and j are apart[i * count + j] for all i and j of a class. */
bool alea_exact_cover_holds(const alea_groups *cover, const uint8_t *apart, uint32_t count);

#endif
