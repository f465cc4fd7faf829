#ifndef ALEA_TOSS_OPTIMISE_H
#define ALEA_TOSS_OPTIMISE_H

/* Parameters of continuous moves ([TOSS10 §5]): the best value of an evaluation
 * over the box of a label's parameters. */

#include "toss/arena.h"

/* Replaces joint[player], a move with parameters, by the one with the best
 * parameters against the others' moves; a move without parameters, or an arena
 * without an evaluation, changes nothing.  Where the payoff is a polynomial
 * (taylor.h) its critical points and the corners of the box are tried, else 64
 * points of a Sobol sequence, and the best is refined.  Moves are in the
 * interpreter's numbers; the arena must play by interpretation, and its
 * position stays. */
alea_status alea_toss_optimise(alea_toss_arena *arena, alea_move *joint, uint32_t player);

#endif
