#ifndef ALEA_TOSS_UCT_H
#define ALEA_TOSS_UCT_H

/* The tree search of SPEC 11.9, for games of the interpreter.
 *
 * A node keeps its position and how the plays through it ended.  All children
 * are added when a leaf is reached; with an evaluation they begin with the
 * outcomes of evaluation plays, without one they begin unvisited.  Play below
 * the tree is the basic strategy of 11.8. */

#include "toss/evaluation.h"

typedef struct alea_toss_uct_options {
  uint32_t iterations;                    /* K; 0 = 500 */
  double c;                               /* C; 0 = 1 */
  uint32_t plays;                         /* E_n, evaluation plays of a new child; 0 = 1 */
  uint32_t weight;                        /* E', n of a new child; 0 = 1 */
  bool printed;                           /* UCB1-TUNED scaled as printed */
  uint32_t step_cap;                      /* of a play; 0 = 1000 */
  const alea_toss_evaluation *evaluation; /* may be NULL */
} alea_toss_uct_options;

/* A tree node as an example to learn from. */
typedef struct alea_toss_example {
  uint32_t before, before_count; /* words of the positions around the move, */
  uint32_t after, after_count;   /* in alea_toss_examples.words */
  uint32_t location;             /* that the move left */
  uint32_t plays;
  double mean[ALEA_TOSS_MOST_PLAYERS];
  uint32_t outcomes[ALEA_TOSS_MOST_OUTCOMES]; /* how often each payoff vector came */
} alea_toss_example;

typedef struct alea_toss_examples {
  ALEA_VEC(alea_toss_example) list;
  ALEA_VEC(uint64_t) words;
  double payoffs[ALEA_TOSS_MOST_OUTCOMES][ALEA_TOSS_MOST_PLAYERS];
  uint32_t outcome_count;
} alea_toss_examples;

void alea_toss_examples_clear(alea_toss_examples *examples, alea_mem *mem);

/* Searches from the cursor's position, which it keeps, and chooses a joint
 * action by the means at the root.  Nodes with more than 'threshold' plays are
 * added to 'examples' unless that is NULL. */
alea_status alea_toss_uct_choose(alea_cursor *cursor, const alea_toss_uct_options *options,
                                 alea_rng *rng, alea_move *joint, alea_toss_examples *examples,
                                 uint32_t threshold, alea_mem *mem);

#endif
