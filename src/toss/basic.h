#ifndef ALEA_TOSS_BASIC_H
#define ALEA_TOSS_BASIC_H

/* Choosing one joint action ([TOSS10 §5]): by regret over a value for each, and
 * the basic strategy, whose values come from an evaluation game. */

#include "toss/arena.h"

/* Chooses a joint action: players by iterated regret minimisation over
 * values[code * players + p], chance at random; ties at random.  If a single
 * player chooses, that is the best value. */
alea_status alea_toss_choose(const alea_toss_arena *arena, const alea_toss_joints *joints,
                             const double *values, alea_rng *rng, uint32_t *code);

/* Scratch of the basic strategy; zero it before, clear it after. */
typedef struct alea_toss_basic {
  ALEA_VEC(uint32_t) verdicts;
  ALEA_VEC(double) values, squares;
} alea_toss_basic;
void alea_toss_basic_clear(alea_toss_basic *basic, alea_mem *mem);

/* Computes values of all joint actions by the evaluation into basic->values:
 * the mean of 'plays' evaluation plays each, or the exact mean if that is 0;
 * and the means of the squares. */
alea_status alea_toss_basic_assess(alea_toss_basic *basic, alea_toss_arena *arena,
                                   const alea_toss_joints *joints, uint32_t plays, alea_rng *rng);
/* The action of the basic strategy; uniform without an evaluation. */
alea_status alea_toss_basic_pick(alea_toss_basic *basic, alea_toss_arena *arena,
                                 const alea_toss_joints *joints, uint32_t plays, alea_rng *rng,
                                 uint32_t *code);
/* Plays to the end, or to the step cap; payoffs are 0 to 1.  Where moves have
 * continuous numbers, these are the best by the evaluation, or drawn uniformly
 * without one (optimise.h). */
alea_status alea_toss_basic_finish(alea_toss_basic *basic, alea_toss_arena *arena, uint32_t plays,
                                   uint32_t step_cap, alea_rng *rng, double *payoffs);

#endif
