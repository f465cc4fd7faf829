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

/* ---- the compiled network (compile.c, steps.c) ---- */

/* A set of values of a variable: one bit per value index, in the words of its
 * place. */
static inline bool scsp_in(const uint64_t *set, uint32_t index) {
  return set[index >> 6] >> (index & 63) & 1;
}

typedef struct scsp_lit {
  alea_csp_var var;
  uint32_t index; /* ALEA_CSP_NONE: a value outside the domain */
  int32_t value;
  uint32_t head; /* of a recursive program: its number; ALEA_CSP_NONE: no head */
  bool negative;
} scsp_lit;

typedef struct scsp_rule {
  uint32_t head; /* number among the heads */
  int32_t value;
  uint32_t first, count; /* lits[first ...] */
} scsp_rule;

/* A program or a choice (csp/csp.h) whose heads follow from variables before
 * them: evaluated forward, never searched for. */
typedef struct scsp_rules {
  bool choice, highest, recursive;
  uint32_t heads;
  const alea_csp_var *head;
  const int32_t *defaults;
  const uint32_t *rule_first; /* per head, and the end; rules are sorted by head */
  const scsp_rule *rules;
  const scsp_lit *lits;
  /* A recursive program gives all heads at once.  What it gave last is kept
   * with the values it was given for. */
  uint32_t inputs;
  const alea_csp_var *input;
  uint32_t *seen;
  int32_t *given; /* value per head */
  bool *fired;    /* scratch: per rule, and behind them per head */
  bool *ready;    /* 'seen' holds something */
  bool *possible; /* no head got two values */
} scsp_rules;

/* A function of earlier variables: a dense array indexed by their values, or,
 * where that would be too large, rows to search, rules to evaluate or the
 * constraint itself to ask value by value. */
typedef struct scsp_step {
  uint32_t count; /* earlier variables */
  const alea_csp_var *vars;
  const uint32_t *strides;
  const uint64_t *masks; /* hard: allowed values, the place's words per cell */
  const double *numbers; /* soft or chance: one per value of this variable */
  const uint32_t *rows;  /* sorted: the earlier variables, then this one */
  size_t row_count;
  const scsp_rules *rules;
  uint32_t head; /* which one this variable is */
  const csp_constraint *constraint;
  const scsp_soft *soft;
} scsp_step;

/* Values of some variables as words, so that equal words are equal values: the
 * digits of numbers, as many in a word as fit. */
typedef struct scsp_packing {
  uint32_t count, words;
  const alea_csp_var *vars;
  const bool *starts; /* per variable: it is the first of a word */
} scsp_packing;

typedef struct scsp_place { /* one variable of the order */
  uint32_t size, words;
  uint32_t cost; /* about how many memory reads its hard constraints take */
  bool chance;
  ALEA_VEC(scsp_step) hard;
  ALEA_VEC(scsp_step) soft;
  scsp_step distribution;
  bool cached;
  scsp_packing key; /* cached: earlier variables that still matter from here on */
} scsp_place;

typedef struct scsp_plan {
  const alea_scsp *scsp;
  alea_mem *mem;
  alea_arena arena;
  uint32_t count;
  uint32_t player;
  scsp_place *places;
  uint64_t *scratch; /* a set as wide as the widest place */
  size_t budget;     /* cells of dense arrays that may still be made */
  bool impossible;   /* a constraint without variables fails */
  bool unpaid;       /* no payments at all: a complete instantiation is worth 1 */
} scsp_plan;

/* NULL on failure: '*why' is ALEA_SCSP_TIME, ALEA_SCSP_MEMORY, or, where the
 * machine has no memory left, ALEA_SCSP_UNLIMITED. */
scsp_plan *scsp_plan_new(const alea_scsp *scsp, uint32_t player, uint32_t from,
                         const alea_deadline *deadline, alea_scsp_limit *why);
void scsp_plan_free(scsp_plan *plan);
/* The status that goes with a limit: ALEA_SYSTEM for none. */
static inline alea_status scsp_limit_status(alea_scsp_limit why) {
  return why == ALEA_SCSP_UNLIMITED ? ALEA_SYSTEM : ALEA_LIMIT;
}
/* Memory ran out: because of its limit, or of the machine's. */
static inline alea_scsp_limit scsp_lack(const alea_mem *mem) {
  return mem->hit_limit ? ALEA_SCSP_MEMORY : ALEA_SCSP_UNLIMITED;
}

/* 'vars' is copied.  False without memory. */
bool scsp_packing_make(scsp_plan *plan, const alea_csp_var *vars, uint32_t count,
                       scsp_packing *packing);
/* Fills packing->words words and returns their hash. */
uint64_t scsp_pack(const scsp_plan *plan, const scsp_packing *packing, const uint32_t *indexes,
                   uint64_t *words);

/* Makes the step of a hard constraint at its last variable, or the steps of its
 * heads (steps.c).  False without memory. */
bool scsp_add_hard(scsp_plan *plan, const csp_constraint *constraint, uint32_t *indexes);
/* The earlier variables of a scope, each once, with strides for a dense array
 * of '*cells'; SIZE_MAX cells: too large for one. */
bool scsp_split_scope(scsp_plan *plan, const alea_csp_var *scope, uint32_t arity, scsp_step *step,
                      alea_csp_var *last, size_t *cells);
/* Sets the indexes of the step's variables to those of a cell. */
void scsp_decode(const scsp_plan *plan, const scsp_step *step, size_t cell, uint32_t *indexes);

/* The values of variable 'at' that its hard constraints allow, into 'set';
 * returns how many, counting no further than two. */
uint32_t scsp_allowed(const scsp_plan *plan, uint32_t at, uint32_t *indexes, uint64_t *set);
/* Payment that falls due when 'at' is assigned. */
double scsp_due(const scsp_plan *plan, uint32_t at, const uint32_t *indexes);
/* Payment of a complete instantiation beyond what fell due. */
static inline double scsp_end_pay(const scsp_plan *plan) { return plan->unpaid ? 1 : 0; }
/* Raised flags of channelled chance variable 'at'; 0 for others. */
uint32_t scsp_raised(const scsp_plan *plan, uint32_t at, const uint32_t *indexes);
/* Probability of the value now assigned to chance variable 'at'; 'raised' is
 * what scsp_raised said. */
double scsp_probability(const scsp_plan *plan, uint32_t at, uint32_t raised,
                        const uint32_t *indexes);

/* The cell of a dense array. */
static inline size_t scsp_cell(const scsp_step *step, const uint32_t *indexes) {
  size_t cell = 0;
  for (uint32_t i = 0; i < step->count; i++)
    cell += (size_t)indexes[step->vars[i]] * step->strides[i];
  return cell;
}

#endif
