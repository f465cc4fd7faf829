#ifndef ALEA_EQUILIBRIUM_BEST_RESPONSE_H
#define ALEA_EQUILIBRIUM_BEST_RESPONSE_H

/* Best responses, and how far strategies are from an equilibrium.
 *
 * A best response chooses one move for each information set of its player so
 * that its expected payoff against the other player's strategy is the largest
 * possible; it is computed exactly, set by set from the last rank of the tree to
 * the first.
 *
 * Exploitability of a pair of strategies: both players answer the other's
 * strategy with a best response; what the two answers win together beyond the
 * constant sum of the game, halved.  It is 0 exactly in an equilibrium.  The
 * value of the game lies between sum - responses[1] and responses[0], and the
 * expected payoff of the pair does too, so that it is never more than twice the
 * exploitability away from the value of the game. */

#include "equilibrium/extensive.h"

typedef struct alea_exploitability {
  double value;        /* expected payoff of the first player */
  double responses[2]; /* what each player's best response expects, for that player */
  double gap;          /* the exploitability, in payoffs */
} alea_exploitability;

/* The largest payoff that 'player' can expect against the other player's part of
 * 'strategy'.  Without memory ALEA_LIMIT or ALEA_SYSTEM.  Where 'response' is
 * not NULL, it becomes 'strategy' with the best response as the player's part. */
alea_status alea_best_response(const alea_extensive *tree, uint32_t player, const double *strategy,
                               alea_mem *mem, double *response, double *payoff);
alea_status alea_exploitability_of(const alea_extensive *tree, const double *strategy,
                                   alea_mem *mem, alea_exploitability *result);

#endif
