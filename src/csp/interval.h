#ifndef ALEA_CSP_INTERVAL_H
#define ALEA_CSP_INTERVAL_H

/* Interval arithmetic over expressions.
 *
 * Computes which values every part of an expression can have if each variable
 * lies between two numbers, and what follows for the variables if the value of
 * the whole is known: up the tree and down again, as in HC4-revise (Benhamou et
 * al., ICLP 1999), in integers.
 *
 * A value for which the expression is undefined counts as impossible: an
 * expression constraint that cannot be evaluated does not hold. */

#include "csp/expr.h"

/* lo <= hi; CSP_LEAST and CSP_MOST mean "no bound". */
typedef struct csp_interval {
  int64_t lo, hi;
} csp_interval;
#define CSP_MOST (INT64_C(1) << 60)
#define CSP_LEAST (-CSP_MOST)

/* The shape of an expression: which nodes are operands of which. */
typedef struct csp_tree {
  const csp_expr *expr;
  const uint32_t *first;    /* per node: first entry in 'operands' */
  const uint32_t *operands; /* node numbers, in order */
} csp_tree;

/* Allocated in the arena; false if out of memory. */
bool csp_tree_make(csp_tree *tree, const csp_expr *expr, alea_arena *arena);

/* Fills 'nodes' (one per code) from the intervals of the variables; false if
 * some part can have no value. */
bool csp_tree_up(const csp_tree *tree, const csp_interval *vars, csp_interval *nodes);
/* Narrows nodes from the root down, and the variables with them; false if
 * nothing is left.  The caller has narrowed the root. */
bool csp_tree_down(const csp_tree *tree, csp_interval *nodes, csp_interval *vars);
/* Narrows the last node to "is not zero"; false if it is zero. */
bool csp_tree_hold(const csp_tree *tree, csp_interval *nodes);

#endif
