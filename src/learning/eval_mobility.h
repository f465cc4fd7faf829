#ifndef ALEA_LEARNING_EVAL_MOBILITY_H
#define ALEA_LEARNING_EVAL_MOBILITY_H

/* What kinds of pieces are worth by the moves that they give.
 *
 * How random plays end says little of what helps but does not end games: a knight gives no
 * mate.  What it does give is moves.  At some positions the number of legal moves of who
 * chooses, with the other sign where that is another role, is explained by the numbers of
 * fluents of each kind (ridge regression), so that each kind has a number of moves.
 *
 * What a move is worth is measured: the slope of what the kinds were found to be worth by
 * outcomes over their moves.  Where it is not above 0, as in games that are won by losing
 * all, moves are worth nothing. */

#include "minimax/linear_eval.h"

typedef struct alea_eval_kind_moves {
  uint32_t feature; /* that kinds are tied to */
  double moves;     /* that one more of it gives its owner */
} alea_eval_kind_moves;

typedef struct alea_eval_mobility {
  ALEA_VEC(alea_eval_kind_moves) kinds;
  double worth; /* of a move, in the logit */
} alea_eval_mobility;

/* By position: legal moves of who chooses, negative for another role than the evaluation's, 0 where
 * several choose or nobody does. */
typedef ALEA_VEC(double) alea_eval_moves;

/* Counts the moves of positions, whose words are one after the other, none of them final, from
 * the first that is not yet counted until 'over' says so: in large rules that takes long. */
alea_status alea_eval_mobility_count(const alea_linear_eval *eval, alea_cursor *cursor,
                                     const alea_u64s *positions, bool (*over)(void *context),
                                     void *context, alea_eval_moves *moves);
/* From positions whose moves were counted; scores are made (alea_linear_eval_settle).  The caller
 * clears it with any status; without positions enough there are no kinds in it. */
alea_status alea_eval_mobility_init(alea_eval_mobility *mobility, alea_linear_eval *eval,
                                    alea_cursor *cursor, const alea_u64s *positions,
                                    const alea_eval_moves *moves);
void alea_eval_mobility_clear(alea_eval_mobility *mobility, alea_mem *mem); /* a zeroed one too */

/* Adds to the weights of all kinds what their moves are worth, at so much for a move. */
void alea_eval_mobility_add(const alea_eval_mobility *mobility, alea_linear_eval *eval,
                            double worth);
/* The worth of a move at which a kind has 1 in the logit on average; 0: none has moves. */
double alea_eval_mobility_unit(const alea_eval_mobility *mobility);

#endif
