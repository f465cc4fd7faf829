#ifndef ALEA_TOSS_OPTIMISE_H
#define ALEA_TOSS_OPTIMISE_H

/* Parameters of continuous moves ([TOSS10 §5]): maximises an evaluation over
 * the parameters of a label. */

#include "toss/arena.h"

/* Replaces joint[player], a move with parameters, by the one with the best
 * parameters against the moves of the others; a move without parameters, or an
 * arena without an evaluation, stays unchanged.  If the payoff is a polynomial
 * (taylor.h), its critical points and the corners of the box are tried,
 * otherwise 64 points of a Sobol sequence, and the best is refined.  Moves are
 * in the numbers of the interpreter; the arena must be interpreted, and its
 * position does not change. */
alea_status alea_toss_optimise(alea_toss_arena *arena, alea_move *joint, uint32_t player);

#endif
