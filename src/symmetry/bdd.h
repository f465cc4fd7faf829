#ifndef ALEA_SYMMETRY_BDD_H
#define ALEA_SYMMETRY_BDD_H

/* Binary decision diagrams: a boolean function in a form that is the same for
 * equal functions (Bryant, IEEE Trans. Computers 35, 1986), with negated edges.
 *
 * Rules that count are what they are good for: "seven of these hold" is hard to
 * compare for a clause learner when it is counted in another order, and is a
 * small diagram in any order of the variables.
 *
 * An edge is 2 * node + negated; edge 0 is true, edge 1 false.  Diagrams are
 * kept until the table is cleared; past 'limit' nodes there are no new ones,
 * and past 'steps' steps no results. */

#include "base/hash_map.h"
#include "base/vec.h"

typedef uint32_t alea_bdd_edge;
#define ALEA_BDD_EDGE_TRUE 0u
#define ALEA_BDD_EDGE_FALSE 1u
#define ALEA_BDD_NO_EDGE UINT32_MAX /* too large, or no memory */

enum { ALEA_BDD_MOST_VARIABLES = 4096 }; /* operations recurse as deep as there are variables */

typedef struct alea_bdd_node {
  uint32_t variable;
  alea_bdd_edge low, high; /* 'high' is not negated */
} alea_bdd_node;

typedef struct alea_bdd_entry {
  alea_bdd_edge a, b, result; /* a conjunction that was computed; a = 0: none */
} alea_bdd_entry;

typedef struct alea_bdd {
  alea_mem *mem;
  uint32_t limit;
  uint64_t steps;                /* that operations may still take; the caller sets it */
  ALEA_VEC(alea_bdd_node) nodes; /* node 0 is the constant */
  alea_hash_map map;
  alea_bdd_entry *cache;
} alea_bdd;

/* False without memory; cleared all the same. */
bool alea_bdd_init(alea_bdd *bdd, uint32_t limit, alea_mem *mem);
void alea_bdd_clear(alea_bdd *bdd); /* a zeroed one too */

/* 'variable' is below ALEA_BDD_MOST_VARIABLES. */
alea_bdd_edge alea_bdd_variable(alea_bdd *bdd, uint32_t variable);
alea_bdd_edge alea_bdd_and(alea_bdd *bdd, alea_bdd_edge a, alea_bdd_edge b);

#endif
