#ifndef ALEA_TOSS_REGRET_H
#define ALEA_TOSS_REGRET_H

/* Choosing in a normal-form game by iterated regret minimisation over pure
 * strategies, and the confidence bound of the tree search ([TOSS10 §5]). */

#include "base/mem.h"
#include "base/status.h"

/* A game in normal form: actions[i] actions of player i; payoffs[joint *
 * players + i], where the joint action (a_0, a_1, ...) has the number
 * a_0 + actions[0] * (a_1 + actions[1] * ...). */
typedef struct alea_toss_normal {
  uint32_t players;
  const uint32_t *actions;
  const double *payoffs;
} alea_toss_normal;

/* Marks the actions that survive: survivors[i][a] = 1.  Each round keeps, for
 * all players at once, the actions with the smallest maximum regret among those
 * left; regrets within 1e-9 are equal. */
alea_status alea_toss_minimise_regret(const alea_toss_normal *game, uint8_t *const *survivors,
                                      alea_mem *mem);

typedef struct alea_toss_bound_of {
  double mean, variance;
  double parent_plays, plays; /* n(v), n(w) */
  double range;               /* of payoffs: maximum minus minimum */
  double c;
  bool printed; /* the scaling as printed in the paper, which is not homogeneous in 'range' */
} alea_toss_bound_of;

/* UCB1-TUNED: mu'(w).  Unless 'printed', payoffs are first scaled to range 1,
 * for which the printed formula is exact (D46). */
double alea_toss_ucb_tuned(const alea_toss_bound_of *b);

#endif
