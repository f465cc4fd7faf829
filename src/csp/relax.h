#ifndef ALEA_CSP_RELAX_H
#define ALEA_CSP_RELAX_H

/* A bound on the objective from the linear part of the network.
 *
 * Sums, extrema, literals, counts, all different and tables that are functions
 * become rows of a linear program over values of variables (of small domains) and
 * variables (of large ones).  Its multipliers, rounded to whole numbers, add the
 * rows up to one constraint that follows from the network: a sum of functions of
 * single variables is at most a number.  It bounds the objective, and removes
 * values that a better solution cannot have (reduced costs: Focacci, Lodi and
 * Milano, CP 1999), without another linear program. */

#include "csp/core.h"

/* The constraint for the engine, which is at its root and propagated, with
 * memory from 'arena'; NULL: there is none, or no memory. */
const csp_constraint *csp_relax(const csp_engine *engine, alea_arena *arena);

/* ---- the constraint (surrogate.c) ---- */

typedef struct csp_surrogate {
  int64_t rhs;
  const int64_t *coeffs;       /* of each variable of the scope ... */
  const int64_t *const *costs; /* ... or, where not NULL, the cost by value index */
} csp_surrogate;

extern const csp_type csp_surrogate_type;

#endif
