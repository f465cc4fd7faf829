#ifndef ALEA_MINIMAX_SHIPPED_EVALS_H
#define ALEA_MINIMAX_SHIPPED_EVALS_H

/* Evaluations that ship inside the program: games/NAME.eval, which tools/shipped-evaluations
 * makes.  A game has one where the fingerprint of its rules says so, whatever it is called. */

#include "base/shipped_file.h"
#include "minimax/linear_eval.h"

extern const alea_shipped_file alea_shipped_evals[];
extern const size_t alea_shipped_eval_count;

/* Reads the one of eval->game and eval->role into 'eval', which was initialised; '*found': there
 * is one. */
alea_status alea_shipped_eval_read(alea_linear_eval *eval, bool *found);

#endif
