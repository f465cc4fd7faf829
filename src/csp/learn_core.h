#ifndef ALEA_CSP_LEARN_CORE_H
#define ALEA_CSP_LEARN_CORE_H

/* Numbers as literals, and what the files of the learner share. */

#include "csp/constraints.h"
#include "csp/learn.h"
#include "sat/sat.h"

/* A number in order encoding: values[0] < values[1] < ...; ge[k] says that it
 * is at least values[k], so ge[0] is true; ge[count] is false. */
typedef struct learn_number {
  uint32_t count;
  const int64_t *values;
  const alea_slit *ge;
} learn_number;

struct csp_learner {
  csp_engine *engine;
  alea_mem *mem;
  alea_arena arena;
  alea_sat sat;
  learn_number *numbers;      /* per variable */
  alea_slit **eq;             /* per variable and value; 0 where not made */
  ALEA_VEC(alea_slit) clause; /* scratch: the clause being written */
  ALEA_VEC(alea_slit) lits;   /* scratch: a list of literals */
  ALEA_VEC(uint32_t) lazy;    /* propagators without an encoding */
  ALEA_VEC(uint32_t) reasons; /* scratch: scope positions of a nogood */
  int32_t *model;             /* scratch: the values of one scope */
  bool no_memory;
};

/* learn.c: literals over the variables of the network; constants where the root
 * decides. */
alea_slit learn_ge(const csp_learner *l, alea_csp_var var, int64_t value);
static inline alea_slit learn_le(const csp_learner *l, alea_csp_var var, int64_t value) {
  return -learn_ge(l, var, value + 1);
}
alea_slit learn_eq(csp_learner *l, alea_csp_var var, int64_t value);
alea_slit learn_number_ge(const learn_number *number, int64_t value);
/* The literals "at least" of a new number with 'count' > 0 values; NULL: no
 * memory. */
const alea_slit *learn_order(csp_learner *l, size_t count);
/* A clause in parts: add its literals, then end it. */
void learn_add(csp_learner *l, alea_slit lit);
void learn_end(csp_learner *l);
void learn_clause2(csp_learner *l, alea_slit a, alea_slit b);
void learn_clause3(csp_learner *l, alea_slit a, alea_slit b, alea_slit c);

/* learn_sums.c */
/* factor * variable, and 0 or 1 by a literal. */
learn_number learn_term(csp_learner *l, alea_csp_var var, int64_t factor);
learn_number learn_flag(csp_learner *l, alea_slit lit);
/* The sum of the terms, which are reordered, is at most (LE), exactly (EQ) or
 * not (NE) 'rhs'.  False, without clauses that matter: too large, or no
 * memory. */
bool learn_sum(csp_learner *l, learn_number *terms, uint32_t count, alea_op op, int64_t rhs);

/* learn_encode.c: false where the constraint has no encoding here. */
bool learn_encode(csp_learner *l, const csp_prop *prop);
/* learn_globals.c: the same for the constraints over lists and tasks. */
bool learn_encode_global(csp_learner *l, const csp_prop *prop);
/* learn_expr.c: the same for expressions. */
bool learn_encode_expr(csp_learner *l, const csp_prop *prop);

#endif
