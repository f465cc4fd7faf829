#ifndef ALEA_LEARNING_EVAL_LEARNING_H
#define ALEA_LEARNING_EVAL_LEARNING_H

/* How an evaluation is learnt: from random plays, and then from games that a shallow minimax search
 * with the evaluation so far plays against itself (learning/self_play.h).  It is fitted to what the
 * search thinks of positions; where nobody shares out 100, also to how games end.  On demand a
 * network is learnt beside it. */

#include "game/budget.h"
#include "game/player_setup.h"
#include "learning/td_device.h"
#include "minimax/linear_eval.h"

typedef struct alea_eval_lessons {
  uint64_t plays; /* random ones; 0 where the evaluation has learnt from some: games alone,
                     which go on from there */
  uint64_t games; /* against itself */
  const alea_budget *budget; /* 'seconds' of it end the learning, where there are any */
  alea_rng *rng;
  uint64_t network;     /* positions that a network beside it is learnt from
                           (learning/network_learning.h), which there is where one of these
                           three is not 0, */
  uint64_t differences; /* positions of games before them; 0: as many as become them, */
  uint64_t proved;      /* and positions before them whose values are proved */
  uint32_t threads;     /* for proofs, searches and trials; what is learnt does not depend on it */
  alea_eval_device *device; /* where a network's games are played; NULL: here */
  uint32_t parts;           /* of the time, one of which is for this, unless what is learnt says all
                             about the other role, too; 0 is 1 */
} alea_eval_lessons;

/* 'setup' names game and role of the evaluation, which is ready afterwards. */
alea_status alea_eval_learn(alea_linear_eval *eval, const alea_player_setup *setup,
                            const alea_eval_lessons *lessons);

#endif
