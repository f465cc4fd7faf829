#ifndef ALEA_PLAN_FOLLOWER_GOAL_DISTANCE_H
#define ALEA_PLAN_FOLLOWER_GOAL_DISTANCE_H

/* How nearly a literal of a network holds in a position, from 0 to 1: what is
 * to be brought about is mostly a conjunction, and a position where eight of
 * its nine conjuncts hold is nearer than one with two.
 *
 * An AND has the mean of its inputs, an OR the largest of them; a conjunction
 * inside a conjunction counts as the conjuncts it has.  Negations are pushed to
 * the leaves.  Inputs that come later on a gate's own cycle are read as false.
 * Where there are no cycles, degree 1 is truth. */

#include "propnet/propnet.h"

typedef struct alea_goal_distance alea_goal_distance;

/* Of a literal that does not depend on moves. */
alea_status alea_goal_distance_new(alea_goal_distance **degree, const alea_net *net, alea_lit lit,
                                   alea_mem *mem);
void alea_goal_distance_free(alea_goal_distance *degree); /* NULL is a no-op. */
double alea_goal_distance_at(alea_goal_distance *degree, const uint64_t *words);

#endif
