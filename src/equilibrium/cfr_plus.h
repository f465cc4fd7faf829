#ifndef ALEA_EQUILIBRIUM_CFR_PLUS_H
#define ALEA_EQUILIBRIUM_CFR_PLUS_H

/* CFR+ [CFRPLUS14]: counterfactual regret minimisation over a whole game,
 * with regrets that never fall below 0 (regret matching+), players updated in
 * turn, and an average strategy in which iteration t has weight t squared: with
 * weight t, as in the paper, most games here take longer.  Nothing is random.  In a constant-sum
 * game the average strategies approach an equilibrium.
 *
 * Exploitability of a pair of strategies: both players answer the other's
 * strategy with a best response; what the two answers win together beyond the
 * constant sum of the game, halved.  It is 0 exactly in an equilibrium.  The
 * value of the game lies between sum - responses[1] and responses[0], and the
 * expected payoff of the pair does too, so that it is never more than twice the
 * exploitability away from the value of the game. */

#include "equilibrium/best_response.h"
#include "equilibrium/public_walk.h"

typedef struct alea_cfr_plus {
  const alea_public_graph *graph; /* borrowed */
  uint64_t iterations;            /* so far */
  alea_move_weights regrets;
  alea_move_weights averages; /* the average strategy, not normalised */
  alea_public_walk walk;
} alea_cfr_plus;

/* Regrets and averages are in double precision, or in single precision where that
 * does not fit into 'mem'.  ALEA_LIMIT or ALEA_SYSTEM: no memory.  The caller
 * clears it with any status. */
alea_status alea_cfr_plus_init(alea_cfr_plus *cfr, const alea_public_graph *graph, alea_mem *mem);
void alea_cfr_plus_clear(alea_cfr_plus *cfr);
/* One iteration: both players once. */
void alea_cfr_plus_run(alea_cfr_plus *cfr);
/* How far the average strategies are from an equilibrium, exactly. */
void alea_cfr_plus_measure(alea_cfr_plus *cfr, alea_exploitability *result);

#endif
