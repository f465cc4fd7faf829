#ifndef ALEA_PLANNING_GOAL_DISTANCE_H
#define ALEA_PLANNING_GOAL_DISTANCE_H

/* Goal distance: a fuzzy value from 0 to 1 of a literal of the network in a
 * position, 1 where it holds.  A goal is mostly a conjunction, and a position
 * where eight of its nine conjuncts hold is nearer to it than one with two.
 *
 * The value of an AND is the mean of its inputs, of an OR the largest of them;
 * a conjunction inside a conjunction has the weight of its conjuncts.
 * Negations are pushed to the leaves.  Inputs that come later on a gate's own
 * cycle are read as false.  Without cycles, value 1 is truth. */

#include "propnet/propnet.h"

typedef struct alea_goal_distance alea_goal_distance;

/* Of a literal that does not depend on moves. */
alea_status alea_goal_distance_new(alea_goal_distance **distance, const alea_net *net, alea_lit lit,
                                   alea_mem *mem);
void alea_goal_distance_free(alea_goal_distance *distance); /* NULL is a no-op. */
double alea_goal_distance_at(alea_goal_distance *distance, const uint64_t *words);

#endif
