#ifndef ALEA_EQUILIBRIUM_CFR_PLUS_H
#define ALEA_EQUILIBRIUM_CFR_PLUS_H

/* CFR+ [CFRPLUS14]: counterfactual regret minimisation over a whole tree,
 * with regrets that never fall below 0 (regret matching+), players updated in
 * turn, and an average strategy in which iteration t has weight t.  Nothing is
 * random.  In a constant-sum game the average strategies approach an
 * equilibrium; how near they are is measured by equilibrium/best_response.h. */

#include "equilibrium/extensive.h"

typedef struct alea_cfr_plus {
  const alea_extensive *tree; /* borrowed */
  alea_mem *mem;
  uint64_t iterations; /* so far */
  /* By move of an information set: */
  double *regrets, *strategy, *sums;
  /* By node, of one pass: */
  double *own;    /* probability that the player at work plays to it */
  double *others; /* the same of chance and the other player */
  double *values; /* expected payoff of the first player */
} alea_cfr_plus;

/* ALEA_LIMIT or ALEA_SYSTEM: no memory.  The caller clears it with any status. */
alea_status alea_cfr_plus_init(alea_cfr_plus *cfr, const alea_extensive *tree, alea_mem *mem);
void alea_cfr_plus_clear(alea_cfr_plus *cfr);
/* One iteration: both players once. */
void alea_cfr_plus_run(alea_cfr_plus *cfr);
/* The average strategy of both players; uniform where no play has led. */
void alea_cfr_plus_average(const alea_cfr_plus *cfr, double *strategy);

#endif
