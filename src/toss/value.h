#ifndef ALEA_TOSS_VALUE_H
#define ALEA_TOSS_VALUE_H

/* Playing evaluation games ([TOSS10 §5]).
 *
 * An evaluation game has no evaluation of its own.  Its players either choose
 * uniformly, or by iterated regret minimisation over the values of the positions
 * that their moves lead to, which is backward induction: a player who moves alone
 * takes a best move.  Those who are left with several moves take each equally
 * often, and chance counts with its probabilities. */

#include "base/rng.h"
#include "toss/game.h"

enum {
  ALEA_TOSS_VALUE_POSITIONS = 4096, /* visited for one value; more are ALEA_LIMIT */
  ALEA_TOSS_VALUE_DEPTH = 64,       /* longest play whose value is found */
  ALEA_TOSS_VALUE_STEPS = 1000,     /* after which a play is cut and its payoffs count */
};

/* The value of the position of a cursor of the interpreter for each player, 0 to
 * 1.  The cursor ends anywhere. */
alea_status alea_toss_value_find(alea_cursor *cursor, bool uniform, double *payoffs, alea_mem *mem);
/* The payoffs of one play from there. */
alea_status alea_toss_value_play(alea_cursor *cursor, bool uniform, alea_rng *rng, double *payoffs,
                                 alea_mem *mem);

#endif
