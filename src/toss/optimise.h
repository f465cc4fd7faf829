#ifndef ALEA_TOSS_OPTIMISE_H
#define ALEA_TOSS_OPTIMISE_H

/* Time and parameters of continuous moves ([TOSS10 §5]).
 *
 * The continuous numbers of a label, its parameters and its time, span a box
 * (alea_toss_is_continuous).  With an evaluation they are chosen to be the best
 * for their player, which is part of the normal form: an action there is a rule
 * with its match, and its payoff the best one over the box.  At a given time the
 * payoff is often a polynomial in the parameters (taylor.h): then its critical
 * points on the faces of the box are tried, at several times; otherwise points of
 * a Sobol sequence.  The best point is refined.  All of this needs an interpreted
 * arena, whose position does not change. */

#include "toss/arena.h"

/* Replaces joint[player] by the move with the best numbers against the moves of
 * the others; a move without continuous numbers, or an arena without an
 * evaluation, stays unchanged. */
alea_status alea_toss_optimise(alea_toss_arena *arena, alea_move *joint, uint32_t player);

/* Whether some legal move at the position has continuous numbers. */
bool alea_toss_has_box(const alea_toss_arena *arena);
/* The best numbers for each player against the numbers of the others, found in
 * turn from the middle of the boxes with less effort, and the payoffs of the
 * joint action that they make. */
alea_status alea_toss_optimise_joint(alea_toss_arena *arena, const alea_move *joint,
                                     alea_toss_numbers *numbers, double *payoffs);
/* Numbers drawn uniformly from the boxes. */
void alea_toss_draw_numbers(alea_toss_arena *arena, const alea_move *joint,
                            alea_toss_numbers *numbers, alea_rng *rng);

#endif
