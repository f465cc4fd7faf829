#ifndef ALEA_MINIMAX_PIECE_EVAL_H
#define ALEA_MINIMAX_PIECE_EVAL_H

/* The plain evaluation that learnt ones are measured against: own pieces less those of
 * others, all worth the same.
 *
 * A kind of like fluents (minimax/linear_eval.h) is a piece of the role whose moves make
 * such fluents true, where no other's do, and where it has more places than a turn or a
 * flag has.  Some random plays tell. */

#include "minimax/linear_eval.h"

/* Sets the weights of what was initialised to such a count, and forgets others. */
alea_status alea_piece_weights(alea_linear_eval *eval, alea_cursor *cursor, alea_rng *rng);

/* The same, and it is ready afterwards. */
alea_status alea_piece_eval(alea_linear_eval *eval, alea_cursor *cursor, alea_rng *rng);

#endif
