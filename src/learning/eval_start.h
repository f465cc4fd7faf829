#ifndef ALEA_LEARNING_EVAL_START_H
#define ALEA_LEARNING_EVAL_START_H

/* What is learnt first, in a second or ten: from plays in lanes, and from moves.
 *
 * Outcomes of random plays are fitted, and what kinds of pieces are worth by the moves that
 * they give is added (learning/eval_mobility.h).  In games of two who share out 100, plays in which
 * each takes the best of a few moves by the evaluation so far teach a second one: there what stands
 * en prise is taken, and who could win does.  Where such play has little to do with playing well it
 * is worse than the first, so the two play some games, and the second is kept if it wins them.
 *
 * Little learning is worse than none: a count of pieces with the patterns of the goals
 * (minimax/eval_patterns.h) is what there is before, and stays where what was learnt from few plays
 * does not win against it, or what was learnt from many loses. */

#include "encode/services.h"
#include "game/player_setup.h"
#include "learning/eval_clock.h"
#include "minimax/linear_eval.h"

typedef struct alea_eval_start {
  alea_linear_eval *eval;
  const alea_player_setup *setup;
  alea_cursor *cursor;
  alea_rng *rng;
  alea_eval_clock *clock;
  uint64_t plays; /* at most */
  uint32_t parts; /* of the time, of which this evaluation has one where it says nothing about
                     the other role */
  double share;   /* of the time, that this may take */
} alea_eval_start;

/* The evaluation is ready afterwards. */
alea_status alea_eval_start_learn(alea_eval_start *start);

#endif
