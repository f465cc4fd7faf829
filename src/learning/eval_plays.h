#ifndef ALEA_LEARNING_EVAL_PLAYS_H
#define ALEA_LEARNING_EVAL_PLAYS_H

/* Random plays that teach an evaluation, hundreds at once (game/sampler.h): of each play
 * that ends some positions are fitted to how it ended. */

#include "encode/services.h"
#include "game/sampler.h"
#include "minimax/linear_eval.h"

typedef struct alea_eval_plays {
  alea_linear_eval *eval;
  alea_sampler *sampler;
  double *sums;                /* of the sampler's results */
  double length;               /* steps of a play, the mean */
  bool decided, alike;         /* a play was seen that one of two won, and one that gave both the
                                  same and did not share out 100 */
  int16_t *weights;            /* by fluent: of tries */
  bool (*over)(void *context); /* asked now and then; true ends the plays */
  void *over_context;
  alea_status status; /* of fitting */
} alea_eval_plays;

/* 'eval' must outlive it, and so must the services of its game, which may be NULL; 'over' and its
 * context are set by the caller.  The caller clears it with any status. */
alea_status alea_eval_plays_init(alea_eval_plays *plays, alea_linear_eval *eval,
                                 alea_services *services, uint64_t seed);
void alea_eval_plays_clear(alea_eval_plays *plays); /* a zeroed one too */

/* Finds out by some plays how long they are, and whether two roles share out 100, or both get the
 * same unless one of them wins, which goes to eval->shares. */
alea_status alea_eval_plays_look(alea_eval_plays *plays);

/* Fits positions of 'count' plays, in which each takes the best of 'tried' random moves by the
 * scores that there are (alea_sample_tries); where two do not share out 100, only the role of the
 * evaluation does. */
alea_status alea_eval_plays_learn(alea_eval_plays *plays, uint64_t count, uint32_t tried);
/* The mean goal (0..100) of the role in 'count' such plays, from which nothing is learnt; below 0:
 * none ended. */
alea_status alea_eval_plays_goal(alea_eval_plays *plays, uint32_t count, uint32_t tried,
                                 double *mean);

/* How badly the evaluation foresees the outcomes of 'count' random plays: the mean cross-entropy,
 * which is log 2 for one that says nothing. */
alea_status alea_eval_plays_foresee(alea_eval_plays *plays, uint32_t count, double *loss);

/* Appends positions of 'count' plays, final ones left out. */
alea_status alea_eval_plays_collect(alea_eval_plays *plays, uint32_t count, alea_u64s *positions);

#endif
