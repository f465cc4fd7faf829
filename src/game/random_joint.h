#ifndef ALEA_GAME_RANDOM_JOINT_H
#define ALEA_GAME_RANDOM_JOINT_H

/* Random joint moves, for lines that evaluations learn from. */

#include "base/rng.h"
#include "game/game.h"

/* Draws a move for each role at the cursor's position, which is not over; only choices take random
 * numbers.  '*chooser' is the last role that has one, or 'roles' if nobody has; '*stuck': somebody
 * has no move. */
alea_status alea_random_joint(alea_cursor *cursor, uint32_t roles, alea_rng *rng, alea_move *joint,
                              uint32_t *chooser, bool *stuck);

#endif
