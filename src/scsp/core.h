#ifndef ALEA_SCSP_CORE_H
#define ALEA_SCSP_CORE_H

/* The inside of stochastic networks, and the walk that all solvers share.
 *
 * A walk assigns the variables in their order.  Each constraint is looked at
 * when its last variable is assigned, through a compiled table from the
 * values of the others to a mask of allowed values, so a step costs a few
 * memory reads and no propagation. */

#include "csp/constraints.h"
#include "scsp/scsp.h"

typedef struct scsp_chance {
  alea_csp_var var;
  uint32_t parents;
  const alea_csp_var *parent;
  const double *rows; /* NULL: uniform over the values whose parent is 1 */
} scsp_chance;

/* The probability of value 'index' of a channelled variable; 'flags' are the
 * value indexes of all variables. */
double scsp_channelled(const alea_csp *csp, const alea_csp_var *parent, uint32_t parents,
                       uint32_t index, const uint32_t *indexes);

typedef struct scsp_soft {
  uint32_t arity;
  const alea_csp_var *scope;
  size_t count;
  const int32_t *tuples;
  const double *payments;
} scsp_soft;

struct alea_scsp {
  alea_mem *mem;
  alea_csp *csp;
  uint32_t players;
  double theta[ALEA_SCSP_MAX_PLAYERS];
  ALEA_VEC(scsp_chance) chances;
  ALEA_VEC(scsp_soft) softs;
};

struct alea_process {
  alea_scsp *scsp;
  uint32_t states;
  const alea_csp_var *nexts;
  const int32_t *start;
  uint32_t closing; /* variables of the cut-off step at the horizon; 0 = none */
  ALEA_VEC(scsp_soft) finals;
};

/* Copies a soft table into the network's memory; false (remembered) on failure. */
bool scsp_soft_copy(alea_csp *csp, const alea_csp_var *scope, uint32_t arity, const int32_t *tuples,
                    const double *payments, size_t count, uint32_t players, scsp_soft *soft);
/* The payment of one soft table for given value indexes; 0 where no tuple matches. */
double scsp_soft_pay(const alea_csp *csp, const scsp_soft *soft, uint32_t players, uint32_t player,
                     const uint32_t *indexes);

/* ---- the compiled network (plan.c) ---- */

/* A function of earlier variables: a dense array indexed by their values, or,
 * where that would be too large, the constraint itself. */
typedef struct scsp_step {
  uint32_t count; /* earlier variables */
  const alea_csp_var *vars;
  const uint32_t *strides;
  const uint64_t *masks; /* hard: allowed values; NULL: use 'constraint' */
  const double *numbers; /* soft or chance: one per value of this variable */
  const csp_constraint *constraint;
  const scsp_soft *soft;
} scsp_step;

typedef struct scsp_place { /* one variable of the order */
  uint32_t size;
  uint64_t full; /* mask of all values */
  bool chance;
  ALEA_VEC(scsp_step) hard;
  ALEA_VEC(scsp_step) soft;
  scsp_step distribution;
  bool cached;
  uint32_t key_count; /* earlier variables that still matter from here on */
  const alea_csp_var *key_vars;
} scsp_place;

typedef struct scsp_plan {
  const alea_scsp *scsp;
  alea_mem *mem;
  alea_arena arena;
  uint32_t count;
  uint32_t player;
  scsp_place *places;
  bool impossible; /* a constraint without variables fails */
} scsp_plan;

/* NULL without memory, or (with '*limit') where a domain has more than 64 values. */
scsp_plan *scsp_plan_new(const alea_scsp *scsp, uint32_t player, uint32_t from, bool *limit);
void scsp_plan_free(scsp_plan *plan);

/* Values of variable 'at' that its hard constraints allow. */
uint64_t scsp_allowed(const scsp_plan *plan, uint32_t at, uint32_t *indexes);
/* Payment that falls due when 'at' is assigned. */
double scsp_due(const scsp_plan *plan, uint32_t at, const uint32_t *indexes);
/* Probability of the value now assigned to chance variable 'at'. */
double scsp_probability(const scsp_plan *plan, uint32_t at, const uint32_t *indexes);

#endif
