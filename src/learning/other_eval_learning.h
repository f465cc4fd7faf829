#ifndef ALEA_LEARNING_OTHER_EVAL_LEARNING_H
#define ALEA_LEARNING_OTHER_EVAL_LEARNING_H

/* How it is learnt what each of several others wants (minimax/other_evals.h). */

#include "learning/eval_learning.h"
#include "minimax/other_evals.h"

/* Learns the player's own evaluation and those of the others, which have a part of the time and
 * of the plays. */
alea_status alea_other_evals_learn(alea_other_evals *others, alea_linear_eval *own,
                                   const alea_player_setup *setup,
                                   const alea_eval_lessons *lessons);

#endif
