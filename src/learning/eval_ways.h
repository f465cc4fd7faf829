#ifndef ALEA_LEARNING_EVAL_WAYS_H
#define ALEA_LEARNING_EVAL_WAYS_H

/* Ways of pieces: which fluent of a kind follows which by a move of the role, as `(cell g 4 red)`
 * follows `(cell h 3 red)`.
 *
 * A piece is worth little less than where it can get.  Random plays do not tell that far from the
 * goal: in a race they hardly ever arrive, and who has a piece still at home has moved others more.
 * So a place is raised to what the best next one is worth, less the price of a step, until
 * nothing changes: what the goal is worth is then felt all the way. */

#include "minimax/linear_eval.h"

typedef struct alea_eval_way {
  uint32_t from, to; /* fluents */
} alea_eval_way;

typedef struct alea_eval_ways {
  ALEA_VEC(alea_eval_way) list;
} alea_eval_ways;

/* Finds ways that are open in half of the positions or more where the role has a piece at their
 * beginning and chooses alone.  'positions' are words of positions, one after the other; 'over'
 * ends the search, and may be NULL.  The caller clears it with any status. */
alea_status alea_eval_ways_init(alea_eval_ways *ways, const alea_linear_eval *eval,
                                alea_cursor *cursor, const alea_u64s *positions,
                                bool (*over)(void *context), void *over_context);
void alea_eval_ways_clear(alea_eval_ways *ways, alea_mem *mem); /* a zeroed one too */

/* By how much the places that ways join differ in what they are worth at most, in the logit. */
double alea_eval_ways_range(const alea_eval_ways *ways, const alea_linear_eval *eval);
/* Raises weights by the scores that there are; a step costs so much in the logit. */
alea_status alea_eval_ways_raise(const alea_eval_ways *ways, alea_linear_eval *eval, double step);

#endif
