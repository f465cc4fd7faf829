#ifndef ALEA_EQUILIBRIUM_PUBLIC_BUILD_H
#define ALEA_EQUILIBRIUM_PUBLIC_BUILD_H

/* The public states of a game and the edges between them, nothing passed over
 * and no hands merged yet.  Statuses and diagnostics are those of
 * alea_public_graph_init. */

#include "equilibrium/public_graph.h"

alea_status alea_public_build(alea_public_graph *graph, const alea_public_options *options,
                              alea_two_players *two);

#endif
