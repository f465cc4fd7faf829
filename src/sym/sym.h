#ifndef ALEA_SYM_SYM_H
#define ALEA_SYM_SYM_H

/* Automorphisms of vertex-coloured undirected graphs: the one door to nauty.
 *
 *   alea_graph *graph = alea_graph_new(mem, vertices);
 *   alea_graph_colour(graph, v, c);  (0 unless set)
 *   alea_graph_edge(graph, u, v);
 *   alea_graph_automorphisms(graph, on_generator, data, &order);
 *   alea_graph_free(graph); */

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/status.h"

typedef struct alea_graph alea_graph;

/* NULL without memory or with more than 2^16 vertices. */
alea_graph *alea_graph_new(alea_mem *mem, uint32_t vertices);
void alea_graph_free(alea_graph *graph); /* NULL is a no-op */
void alea_graph_colour(alea_graph *graph, uint32_t vertex, uint32_t colour);
void alea_graph_edge(alea_graph *graph, uint32_t a, uint32_t b);

/* Calls 'on_generator' with each generator of the automorphism group (the
 * image of every vertex; valid during the call).  '*order' is the size of
 * the group.  ALEA_SYSTEM without memory. */
alea_status alea_graph_automorphisms(alea_graph *graph,
                                     void (*on_generator)(void *data, const uint32_t *image),
                                     void *data, double *order);

#endif
