#ifndef ALEA_CSP_SIMPLEX_H
#define ALEA_CSP_SIMPLEX_H

/* Multipliers of a linear program, by the dual simplex method.
 *
 * Every column has bounds, so that the basis of the slacks is feasible for the
 * dual, and every step leaves multipliers of a valid bound: the method can stop
 * at any time.  They come from floating point; who uses them must not rely on
 * more than that they are good (relax.c computes with whole numbers). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

typedef struct csp_lp_entry {
  uint32_t column;
  int64_t value;
} csp_lp_entry;

/* Row r: entries[starts[r]] .. entries[starts[r + 1] - 1] sum to at most rhs[r], or
 * with equal[r] to exactly that.  cost is minimised. */
typedef struct csp_lp {
  size_t rows, columns;
  const size_t *starts;
  const csp_lp_entry *entries;
  const int64_t *rhs;
  const bool *equal;
  const double *lower, *upper, *cost;
} csp_lp;

/* Fills multipliers[row], not positive for rows that are not equalities: of the
 * bound on the cost or, where the rows contradict the bounds of the columns, of
 * this.  False: no memory, or larger than 'cells' of the tableau. */
bool csp_lp_multipliers(alea_mem *mem, const csp_lp *lp, size_t cells, double *multipliers);

#endif
