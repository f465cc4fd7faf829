#ifndef ALEA_ENCODE_FEASIBLE_H
#define ALEA_ENCODE_FEASIBLE_H

/* The feasibility constraint c_s of a stage ([MACUCB16 §4.2, §4.4], K3, D15,
 * D19): the joint moves of the players under which N'', the part with the
 * chance variable, can still reach the threshold.
 *
 * N'' is solved by forward checking.  The players' moves are given, the values
 * of chance come one after the other, all equally likely, each with the most
 * that it may be worth; and a joint move fails as soon as what is left cannot
 * make up for what was lost.  Who asks knows the bounds: a stage that was solved
 * before knows its children, a new one only positions that were met on another
 * way. */

#include "encode/stage.h"

/* The most that value number 'value' of chance may be worth, 0..1. */
typedef float alea_chance_bound(void *data, uint32_t value);

/* Whether a joint move belongs to c_s: 'values' of chance follow it. */
bool alea_is_feasible(float theta, uint32_t values, alea_chance_bound *bound, void *data);

/* The most that a position may be worth, 0..1. */
typedef alea_status alea_position_bound(void *data, const uint64_t *words, size_t count,
                                        float *most);

/* c_s of the stage solved last: allowed[i] says whether arm i belongs to it.
 * 'solution' is what solving gave, with its arms. */
alea_status alea_stage_feasible(alea_stage *stage, const alea_stage_solution *solution, float theta,
                                alea_position_bound *bound, void *data, uint8_t *allowed);

#endif
