#ifndef ALEA_TOSS_LEARN_H
#define ALEA_TOSS_LEARN_H

/* Learning evaluation games by self-play ([TOSS10 §6], D49).
 *
 * Each round plays with the evaluation that the previous round learned; the
 * nodes of its search trees are the examples.  Candidate formulas are
 * existentially quantified conjunctions of literals, extended literal by
 * literal; the best predictors of unusual payoffs become a decision list. */

#include "base/clock.h"
#include "toss/uct.h"

typedef struct alea_toss_learn_options {
  uint32_t rounds;     /* 0 = 2 */
  uint32_t plays;      /* games per round; 0 = 10 */
  uint32_t iterations; /* of the search for each move; 0 = 200 */
  uint32_t threshold; /* N: plays per move from which the moves of a position are examples; 0 = 3 */
  uint32_t variables; /* q, 1 to 3; 0 = 2 */
  uint32_t literals;  /* longest conjunction, to 6; 0 = 4 */
  uint32_t beam;      /* conjunctions kept per length; 0 = 20 */
  double support;     /* minimum share of the examples in which a formula holds; 0 = 0.01 */
  uint32_t eval_plays; /* E_n of the search; 0 = exact means */
  uint32_t formulas;   /* in the decision list of a location, to 3; 0 = 3 */
  uint64_t seed;
  const alea_deadline *deadline; /* may be NULL; after it no more games are played */
  alea_toss_builder *build;      /* for arenas; NULL: the interpreter plays */
  /* Called after each game and each round; may be NULL. */
  void (*progress)(void *context, uint32_t round, uint32_t play, size_t examples);
  void *context;
} alea_toss_learn_options;

/* Appends the evaluation as text that alea_toss_evaluation_new reads. */
alea_status alea_toss_learn(const alea_game *game, const alea_toss_learn_options *options,
                            alea_text *result, alea_mem *mem);
/* The second half alone: formulas from examples. */
alea_status alea_toss_learn_formulas(const alea_game *game, const alea_toss_examples *examples,
                                     const alea_toss_learn_options *options, alea_text *result,
                                     alea_mem *mem);

#endif
