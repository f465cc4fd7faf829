#ifndef ALEA_EQUILIBRIUM_PUBLIC_MERGE_H
#define ALEA_EQUILIBRIUM_PUBLIC_MERGE_H

/* What makes no difference to equilibria and costs time: states in which nothing
 * happens that both players see, and hands that never differ.  The graph's order
 * must be known; passing over states makes it out of date. */

#include "equilibrium/public_graph.h"

/* Edges to states where nobody has a choice, nothing ends and one successor
 * follows lead to the successor.  False: no memory. */
bool alea_public_pass_over(alea_public_graph *graph);
/* Hands of one player become one where they come from the same move, have equally
 * many moves, the same payoffs against every hand of the other, and moves that
 * lead to the same hands, up to merging.  False: no memory. */
bool alea_public_merge_hands(alea_public_graph *graph);

#endif
