#ifndef ALEA_PLAY_EVAL_MOBILITY_H
#define ALEA_PLAY_EVAL_MOBILITY_H

/* What kinds of pieces are worth by the moves that they give.
 *
 * How random plays end says little of what helps but does not end games: a knight gives no
 * mate.  What it does give is moves.  At some positions the number of legal moves of who
 * chooses, with the other sign where that is another role, is explained by the numbers of
 * fluents of each kind (ridge regression), so that each kind has a number of moves.  What a move is
 * worth is measured: the slope of what the kinds were found to be worth by outcomes over their
 * moves.  Where it is above 0, all kinds get so much in addition; where it is not, as in games that
 * are won by losing all, nothing is added. */

#include "play/linear_eval.h"

/* 'positions' are words of positions, one after the other, none of them final; scores are made
 * before (alea_linear_eval_settle), and have to be made anew.  '*worth' of a move, 0 where nothing
 * was added. */
alea_status alea_eval_add_mobility(alea_linear_eval *eval, alea_cursor *cursor,
                                   const alea_u64s *positions, double *worth);

#endif
