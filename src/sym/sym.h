#ifndef ALEA_SYM_SYM_H
#define ALEA_SYM_SYM_H

/* Automorphisms of vertex-coloured undirected graphs: the one door to nauty.
 *
 *   alea_sym_graph *graph = alea_sym_graph_new(mem, vertices);
 *   alea_sym_graph_colour(graph, v, c);  (0 unless set)
 *   alea_sym_graph_edge(graph, u, v);
 *   alea_sym_automorphisms(graph, deadline, on_generator, data, &order);
 *   alea_sym_graph_free(graph); */

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/status.h"

typedef struct alea_sym_graph alea_sym_graph;

/* NULL without memory, without vertices, or with more than 2^26 of them. */
alea_sym_graph *alea_sym_graph_new(alea_mem *mem, uint32_t vertices);
/* The same graph with 'more' vertices behind its own; NULL as above. */
alea_sym_graph *alea_sym_graph_extended(const alea_sym_graph *graph, uint32_t more, alea_mem *mem);
void alea_sym_graph_free(alea_sym_graph *graph); /* NULL is a no-op */
/* Vertices and edges together: what a search for automorphisms has to look at. */
size_t alea_sym_graph_size(const alea_sym_graph *graph);
uint32_t alea_sym_graph_vertices(const alea_sym_graph *graph);
void alea_sym_graph_colour(alea_sym_graph *graph, uint32_t vertex, uint32_t colour);
/* No memory shows in alea_sym_automorphisms. */
void alea_sym_graph_edge(alea_sym_graph *graph, uint32_t a, uint32_t b);

/* Calls 'on_generator' with each generator of the automorphism group (the
 * image of every vertex; valid during the call).  '*order' is the size of the
 * group.  ALEA_LIMIT: the deadline (may be NULL) passed; the generators
 * reported until then are automorphisms all the same, and '*order' is 0.
 * ALEA_SYSTEM without memory.
 *
 * nauty has one switch to stop it for the whole process, so calls from several
 * threads wait for each other. */
alea_status alea_sym_automorphisms(alea_sym_graph *graph, const alea_deadline *deadline,
                                   void (*on_generator)(void *data, const uint32_t *image),
                                   void *data, double *order);

#endif
