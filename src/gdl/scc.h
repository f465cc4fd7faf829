#ifndef ALEA_GDL_SCC_H
#define ALEA_GDL_SCC_H

/* Strongly connected components of a directed graph. */

#include "base/vec.h"

typedef struct alea_edge {
  uint32_t from, to;
} alea_edge;
typedef ALEA_VEC(alea_edge) alea_edges;

/* Fills component[0 .. nodes-1] with the number of each node's component; a
 * component's number is larger than those of all components that it reaches.
 * False if out of memory. */
bool alea_find_components(const alea_edges *edges, uint32_t nodes, uint32_t *component,
                          alea_mem *mem);

#endif
