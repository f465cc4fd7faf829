#ifndef ALEA_CSP_CSP_H
#define ALEA_CSP_CSP_H

/* Finite-domain constraint networks: building, solving, reading, writing.
 *
 * A network is built by adding variables and posting constraints, and is
 * then only read: each search makes its own engine with its own domains, so
 * one network can be solved again and again with different options.
 *
 * Building never needs a check per call: the first failure (no memory, a
 * variable that does not exist, a tuple count that overflows) is remembered,
 * every later call is a no-op, and the status is returned by each call and
 * by alea_csp_state.  All arrays passed in are copied.
 *
 *   alea_csp *csp = alea_csp_new(mem);
 *   alea_csp_var x = alea_csp_range(csp, "x", 0, 9);
 *   alea_csp_var y = alea_csp_range(csp, "y", 0, 9);
 *   alea_csp_linear(csp, (alea_csp_var[]){x, y}, (int64_t[]){1, 1}, 2, ALEA_EQ, 7);
 *   alea_csp_options options = alea_csp_defaults();
 *   alea_csp_result result;
 *   alea_csp_solve(csp, &options, &result);
 *   alea_csp_free(csp); */

#include <stdbool.h>
#include <stdint.h>

#include "base/choice.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/mem.h"
#include "base/status.h"
#include "base/text.h"

typedef struct alea_csp alea_csp;
typedef uint32_t alea_csp_var;
#define ALEA_CSP_NONE UINT32_MAX
#define ALEA_CSP_STAR INT32_MIN        /* "any value" in a short table */
#define ALEA_CSP_MAX_DOMAIN (1u << 24) /* values in one domain */

typedef enum alea_op { ALEA_LT, ALEA_LE, ALEA_GE, ALEA_GT, ALEA_EQ, ALEA_NE } alea_op;

/* ---- the network ---- */

alea_csp *alea_csp_new(alea_mem *mem); /* NULL if out of memory; the caller frees it */
void alea_csp_free(alea_csp *csp);     /* NULL is a no-op */
alea_status alea_csp_state(const alea_csp *csp);

/* A variable over lo..hi, or over 'count' values (in any order, repeats
 * allowed); ALEA_CSP_NONE on failure, including an empty domain. */
alea_csp_var alea_csp_range(alea_csp *csp, const char *name, int32_t lo, int32_t hi);
alea_csp_var alea_csp_values(alea_csp *csp, const char *name, const int32_t *values, size_t count);
/* A variable over lo..hi, as many as these are, of which only the bounds are kept.
 * It may occur in linear constraints, minimum and maximum, and be the objective;
 * in any other constraint it is a limit that is exceeded. */
alea_csp_var alea_csp_interval(alea_csp *csp, const char *name, int32_t lo, int32_t hi);
/* Marks an auxiliary variable: its value follows from the others, so it is
 * branched on last and not printed in solutions. */
void alea_csp_hide(alea_csp *csp, alea_csp_var var);
/* Takes variables that neither a constraint nor the objective mentions out of
 * the problem: they are not searched, so solutions that differ in them alone
 * count once, and on_solution sees their smallest value.  The readers of XCSP3
 * do this for plain networks; without the call such variables are free. */
void alea_csp_drop_unused(alea_csp *csp);
bool alea_csp_unused(const alea_csp *csp, alea_csp_var var);

uint32_t alea_csp_var_count(const alea_csp *csp);
const char *alea_csp_name(const alea_csp *csp, alea_csp_var var);
bool alea_csp_hidden(const alea_csp *csp, alea_csp_var var);
alea_csp_var alea_csp_find(const alea_csp *csp, const char *name);
uint32_t alea_csp_size(const alea_csp *csp, alea_csp_var var);
/* The value with the given index; indexes follow the order of the values. */
int32_t alea_csp_value(const alea_csp *csp, alea_csp_var var, uint32_t index);
/* The name of a value of a symbolic variable (XCSP3); NULL for other variables. */
const char *alea_csp_symbol(const alea_csp *csp, alea_csp_var var, int32_t value);
/* The index of a value; ALEA_CSP_NONE if it is not in the domain. */
uint32_t alea_csp_index(const alea_csp *csp, alea_csp_var var, int32_t value);

/* ---- constraints ---- */

/* Allowed (or, with 'forbidden', excluded) tuples, row by row.  An entry
 * ALEA_CSP_STAR stands for every value. */
alea_status alea_csp_table(alea_csp *csp, const alea_csp_var *scope, uint32_t arity,
                           const int32_t *tuples, size_t count, bool forbidden);

/* A literal: var = value, or if 'negative' var != value. */
typedef struct alea_csp_lit {
  alea_csp_var var;
  int32_t value;
  bool negative;
} alea_csp_lit;

/* At least one literal holds. */
alea_status alea_csp_clause(alea_csp *csp, const alea_csp_lit *lits, size_t count);
/* The head holds if and only if all literals of some body hold: the
 * completion of ground rules.  Body b is lits[starts[b]] .. lits[starts[b+1]-1]. */
alea_status alea_csp_rules(alea_csp *csp, alea_csp_lit head, const alea_csp_lit *lits,
                           const uint32_t *starts, size_t bodies);

/* A rule: heads[head] has 'value' if lits[first] .. lits[first + count - 1]
 * hold. */
typedef struct alea_csp_rule {
  uint32_t head;
  int32_t value;
  uint32_t first, count;
} alea_csp_rule;

/* Definitions by rules: each head has the value that a rule derives, or its
 * default if no rule does.  Rules that derive two values for a head cannot both
 * fire, unless 'highest' is set: then the largest value counts.  Heads may
 * occur in bodies, but not negated; the program then means its least model. */
alea_status alea_csp_program(alea_csp *csp, const alea_csp_var *heads, const int32_t *defaults,
                             uint32_t head_count, const alea_csp_rule *rules, size_t rule_count,
                             const alea_csp_lit *lits, bool highest);
/* 'var' has only values for which the body of a rule holds; all rules have
 * head 0. */
alea_status alea_csp_choice(alea_csp *csp, alea_csp_var var, const alea_csp_rule *rules,
                            size_t rule_count, const alea_csp_lit *lits);

/* sum of coeffs[i]*vars[i]  op  rhs */
alea_status alea_csp_linear(alea_csp *csp, const alea_csp_var *vars, const int64_t *coeffs,
                            uint32_t count, alea_op op, int64_t rhs);
/* All different, except that the values in 'except' may repeat. */
alea_status alea_csp_all_different(alea_csp *csp, const alea_csp_var *vars, uint32_t count,
                                   const int32_t *except, size_t except_count);
/* list[index - base] = value */
alea_status alea_csp_element(alea_csp *csp, const alea_csp_var *list, uint32_t count, int32_t base,
                             alea_csp_var index, alea_csp_var value);
/* How many of 'vars' take one of 'values' = total. */
alea_status alea_csp_count(alea_csp *csp, const alea_csp_var *vars, uint32_t count,
                           const int32_t *values, size_t value_count, alea_csp_var total);
/* result = maximum (or minimum) of 'vars'. */
alea_status alea_csp_maximum(alea_csp *csp, const alea_csp_var *vars, uint32_t count,
                             alea_csp_var result);
alea_status alea_csp_minimum(alea_csp *csp, const alea_csp_var *vars, uint32_t count,
                             alea_csp_var result);
/* left[i] = j + right_base  if and only if  right[j] = i + left_base. */
alea_status alea_csp_channel(alea_csp *csp, const alea_csp_var *left, uint32_t left_count,
                             int32_t left_base, const alea_csp_var *right, uint32_t right_count,
                             int32_t right_base);
/* left is lexicographically smaller than right (or equal, unless 'strict'). */
alea_status alea_csp_lex(alea_csp *csp, const alea_csp_var *left, const alea_csp_var *right,
                         uint32_t count, bool strict);

/* left and right differ in some place; with 'except' ('except_count' tuples
 * of 'count' values), they may also both equal one of these. */
alea_status alea_csp_differ(alea_csp *csp, const alea_csp_var *left, const alea_csp_var *right,
                            uint32_t count, const int32_t *except, size_t except_count);
/* list[i] - base is the successor of i: one circuit of two or more places; all
 * other places are their own successors. */
alea_status alea_csp_circuit(alea_csp *csp, const alea_csp_var *list, uint32_t count, int32_t base);
/* Boxes of 'dims' dimensions do not overlap: box i has the origins
 * origins[i*dims] ... and lengths[i*dims] ..., which must not be negative.
 * With 'zero_ignored' a box with a length 0 is ignored. */
alea_status alea_csp_no_overlap(alea_csp *csp, const alea_csp_var *origins,
                                const alea_csp_var *lengths, uint32_t count, uint32_t dims,
                                bool zero_ignored);
/* At no time do the running tasks together need more than 'limit'; lengths and
 * heights must not be negative. */
alea_status alea_csp_cumulative(alea_csp *csp, const alea_csp_var *origins,
                                const alea_csp_var *lengths, const alea_csp_var *heights,
                                uint32_t count, alea_csp_var limit);

/* A transition of an automaton or an edge of a decision diagram. */
typedef struct alea_csp_edge {
  uint32_t from;
  int32_t value;
  uint32_t to;
} alea_csp_edge;

/* The sequence of values is accepted: a path of edges leads from 'start' to a
 * state marked in 'final' (one flag per state).  The automaton may be
 * non-deterministic. */
alea_status alea_csp_regular(alea_csp *csp, const alea_csp_var *vars, uint32_t count,
                             uint32_t states, uint32_t start, const bool *final,
                             const alea_csp_edge *edges, size_t edge_count);

/* The values 'a' and 'b' do not both occur among 'vars'. */
alea_status alea_csp_not_both(alea_csp *csp, const alea_csp_var *vars, uint32_t count, int32_t a,
                              int32_t b);
/* flag = 1 when all 'vars' are odd, 2 when all are even, 0 when mixed. */
alea_status alea_csp_parity_line(alea_csp *csp, const alea_csp_var *vars, uint32_t count,
                                 alea_csp_var flag);

/* x = a if and only if y = b. */
alea_status alea_csp_iff(alea_csp *csp, alea_csp_var x, int32_t a, alea_csp_var y, int32_t b);

/* An expression over variables in XCSP3's functional notation, such as
 * "or(eq(x,y),lt(add(x,1),z))"; it must hold (be non-zero).  A mistake is
 * reported at 'place' and returned as ALEA_INPUT; the network stays usable. */
alea_status alea_csp_intension(alea_csp *csp, const char *text, alea_place place, alea_diag *diag);

/* Sets the variable that ALEA_CSP_BEST optimises. */
void alea_csp_objective(alea_csp *csp, alea_csp_var var, bool maximise);
/* That variable, and whether it is maximised; ALEA_CSP_NONE where there is none. */
alea_csp_var alea_csp_get_objective(const alea_csp *csp, bool *maximise);

/* Whether the full assignment (one value per variable) satisfies every
 * constraint: the slow oracle, by definition and without propagation. */
bool alea_csp_check(const alea_csp *csp, const int32_t *assignment);

/* ---- search ---- */

typedef enum alea_csp_goal {
  ALEA_CSP_FIRST, /* stop at the first solution */
  ALEA_CSP_COUNT, /* count all solutions */
  ALEA_CSP_BEST,  /* optimise the objective */
} alea_csp_goal;

/* Settings of the search, with the words for them on the command line. */
/* clang-format off */
#define ALEA_CSP_ORDERS(word)                                                              \
  word(ALEA_CSP_DOM_WDEG, "wdeg") /* smallest domain per weighted degree: Boussemart et      \
                                     al., ECAI 2004 */                                       \
  word(ALEA_CSP_DOM, "dom")       /* smallest domain, first on ties */                       \
  word(ALEA_CSP_INPUT, "input")   /* static: in the order of creation */                     \
  word(ALEA_CSP_EITHER, "either") /* wdeg; to count without showing solutions, wdeg and dom  \
                                     take turns until one has finished */
#define ALEA_CSP_VALUE_ORDERS(word) \
  word(ALEA_CSP_MIN, "min") word(ALEA_CSP_MAX, "max") word(ALEA_CSP_RANDOM, "random")
#define ALEA_CSP_METHODS(word)                                                             \
  word(ALEA_CSP_MAC, "mac")             /* generalised arc consistency at every node */      \
  word(ALEA_CSP_FC, "fc")               /* forward checking: constraints with one free variable */ \
  word(ALEA_CSP_BACKTRACK, "backtrack") /* constraints tested when fully assigned: the oracle */
#define ALEA_CSP_LEARNINGS(word)                                                           \
  word(ALEA_CSP_BESIDE, "beside") /* clause learning takes turns with a search that restarts */ \
  word(ALEA_CSP_NO_LEARNING, "none")
/* clang-format on */
typedef enum alea_csp_order { ALEA_CSP_ORDERS(ALEA_CHOICE_CONSTANT) } alea_csp_order;
typedef enum alea_csp_value_order {
  ALEA_CSP_VALUE_ORDERS(ALEA_CHOICE_CONSTANT)
} alea_csp_value_order;
typedef enum alea_csp_method { ALEA_CSP_METHODS(ALEA_CHOICE_CONSTANT) } alea_csp_method;
typedef enum alea_csp_learning { ALEA_CSP_LEARNINGS(ALEA_CHOICE_CONSTANT) } alea_csp_learning;

typedef struct alea_csp_progress {
  uint64_t nodes, solutions;
  uint32_t depth;
  bool has_bound;
  int64_t bound; /* best objective so far */
} alea_csp_progress;

typedef struct alea_csp_options {
  alea_csp_goal goal;
  alea_csp_method method;
  alea_csp_order order;
  alea_csp_value_order values;
  bool sac;        /* singleton arc consistency before the search */
  bool simplify;   /* merge scopes, drop unary and universal parts first */
  bool self_check; /* re-derive every pruned value by brute force (small scopes) */
  /* Failures before the first restart; 0 = no restarts.  The cutoffs follow Luby
   * to count, and otherwise grow by a quarter. */
  uint64_t restart;
  bool nogoods; /* keep nogoods from restarts (needed to count with restarts) */
  /* Where one solution or the best is sought, and the search restarts. */
  alea_csp_learning learning;
  /* Effort of propagation before its first turn and the linear relaxation, and of
   * each turn of two orders; 0 = as is usual. */
  uint64_t turn;
  uint64_t max_solutions, max_nodes; /* 0 = no limit */
  uint64_t seed;
  alea_deadline deadline;
  /* Called for each solution with one value per variable; false stops. */
  bool (*on_solution)(void *data, const int32_t *values);
  /* Called from time to time. */
  void (*on_progress)(void *data, const alea_csp_progress *progress);
  void *data;
} alea_csp_options;

typedef struct alea_csp_result {
  alea_status status; /* OK: a solution; NO: proved none; LIMIT; SYSTEM */
  bool complete;      /* the whole tree was searched (or the goal reached) */
  uint64_t solutions, nodes, failures, propagations, nogoods;
  uint64_t self_check_errors;
  uint64_t root_values; /* domain values left after the first propagation */
  uint64_t sac_removed;
  int64_t best;   /* objective of the best solution */
  double seconds; /* CPU of this thread */
} alea_csp_result;

alea_csp_options alea_csp_defaults(void);
/* Solves the network; returns result->status.  Nodes are counted as in binary
 * branching x=v | x!=v: the root, and two children per choice. */
alea_status alea_csp_solve(const alea_csp *csp, const alea_csp_options *options,
                           alea_csp_result *result);

/* ---- preprocessing ([MACUCB16 §4.1], D10, D14) ---- */

typedef struct alea_csp_simplified {
  uint32_t merged, unary, universal, dropped; /* constraints or variables touched */
} alea_csp_simplified;

/* A new network, equivalent on the same variables, in which tables with the
 * same scope are merged, unary tables are moved into the domains and universal
 * variables are projected out.  NULL if out of memory; '*inconsistent': a
 * domain or a table became empty.  The result shares the data of other
 * constraints with 'csp' and must not outlive it. */
alea_csp *alea_csp_simplify(const alea_csp *csp, alea_csp_simplified *report, bool *inconsistent);

#endif
