#ifndef ALEA_EQUILIBRIUM_PUBLIC_SETS_H
#define ALEA_EQUILIBRIUM_PUBLIC_SETS_H

/* The information sets of a public graph, one after the other: each hand with a
 * choice at each node of the tree.  Where hands are merged, one of them. */

#include "equilibrium/public_graph.h"

typedef struct alea_public_set {
  uint32_t player;
  uint32_t view;         /* from the start of the play, in the graph's views */
  uint64_t place;        /* of its first move in strategies */
  uint32_t stride;       /* from one move to the next there */
  const uint32_t *moves; /* their numbers in the game, ascending */
  uint32_t count;
} alea_public_set;

/* Anything but ALEA_OK ends the visit. */
typedef alea_status alea_public_visit(void *context, const alea_public_set *set);

/* Visits the sets, nodes before those below them; the views of the plays are
 * added to those of the graph.  Without memory ALEA_LIMIT or ALEA_SYSTEM. */
alea_status alea_public_sets_visit(alea_public_graph *graph, alea_mem *mem,
                                   alea_public_visit *visit, void *context);

/* The view 'before' followed by 'step', a view that begins with an edge; without
 * memory false.  'path' and 'items' are scratch of the caller's, in the graph's
 * memory. */
bool alea_public_view_join(alea_public_graph *graph, uint32_t before, uint32_t step,
                           alea_u32s *path, alea_u32s *items, uint32_t *joined);

#endif
