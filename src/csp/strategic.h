#ifndef ALEA_CSP_STRATEGIC_H
#define ALEA_CSP_STRATEGIC_H

/* Strategic CSP and QCSP ([STRAT06 §4], D40, D42): a plain network in
 * which some variables are quantified, in order, and the rest describe the
 * state that the quantified ones build up.
 *
 * A constraint is inert until its last quantified variable has a value
 * ("delayed propagation").  A universal variable ranges over the values that
 * are consistent with the state: those that leave a solution of the constraints
 * that are not inert.  With 'classical' (QCSP) it ranges over all values. */

#include "csp/csp.h"

typedef struct alea_strategic alea_strategic;

alea_strategic *alea_strategic_new(alea_mem *mem);   /* NULL if out of memory */
void alea_strategic_free(alea_strategic *strategic); /* NULL is a no-op */
/* The network, for variables and constraints. */
alea_csp *alea_strategic_network(const alea_strategic *strategic);
/* Takes ownership of a network that was built elsewhere. */
void alea_strategic_adopt(alea_strategic *strategic, alea_csp *csp);
/* Appends the next quantified variable. */
alea_status alea_strategic_quantify(alea_strategic *strategic, alea_csp_var var, bool universal);
uint32_t alea_strategic_count(const alea_strategic *strategic);
alea_csp_var alea_strategic_var(const alea_strategic *strategic, uint32_t position,
                                bool *universal);
/* Makes it a QCSP: universal variables range over all values, as with the
 * option. */
void alea_strategic_set_classical(alea_strategic *strategic, bool classical);
bool alea_strategic_classical(const alea_strategic *strategic);

/* How "consistent with the state" is tested (D42). */
/* clang-format off */
#define ALEA_STRATEGIC_CHECKS(word)                                                            \
  word(ALEA_STRATEGIC_EXACT, "exact") /* by search: right for every network */                   \
  word(ALEA_STRATEGIC_AC, "ac")       /* by propagation: right where it leaves no inconsistent state */
/* Which values an existential variable may take (D40). */
#define ALEA_STRATEGIC_EXISTENTIALS(word)                                                      \
  word(ALEA_STRATEGIC_DEFINITION, "definition") /* all: the letter of definition 2 */            \
  word(ALEA_STRATEGIC_CONSISTENT, "consistent") /* those that are consistent with the state */
/* clang-format on */
/* How the search represents the state. */
/* clang-format off */
#define ALEA_STRATEGIC_STATES(word)                                                            \
  word(ALEA_STRATEGIC_BITS, "bits")       /* as sets of cells: ranking games */                  \
  word(ALEA_STRATEGIC_DOMAINS, "domains") /* as the domains of its variables: any network */
/* clang-format on */
typedef enum alea_strategic_state {
  ALEA_STRATEGIC_STATES(ALEA_CHOICE_CONSTANT)
} alea_strategic_state;
typedef enum alea_strategic_check {
  ALEA_STRATEGIC_CHECKS(ALEA_CHOICE_CONSTANT)
} alea_strategic_check;
typedef enum alea_strategic_existential {
  ALEA_STRATEGIC_EXISTENTIALS(ALEA_CHOICE_CONSTANT)
} alea_strategic_existential;

/* Both are part of the instance; a new network has "exact" and "definition". */
void alea_strategic_set_check(alea_strategic *strategic, alea_strategic_check check);
/* The check that is used: "ac" for a QCSP, which it decides exactly. */
alea_strategic_check alea_strategic_get_check(const alea_strategic *strategic);
void alea_strategic_set_existential(alea_strategic *strategic,
                                    alea_strategic_existential existential);
alea_strategic_existential alea_strategic_get_existential(const alea_strategic *strategic);
/* #vars and #constraints as the papers count them. */
uint32_t alea_strategic_constraints(const alea_strategic *strategic);

/* ---- hints of a model for the extensions: the caller vouches for them, so that
 * none changes the answer; of a file, only those that follow from the
 * constraints are taken ---- */

/* Once state variable 'var' is fixed to value index i and since[i] quantified
 * variables have their values, only the class classes[i] still matters; it is
 * then used in the key of the table. */
alea_status alea_strategic_class(alea_strategic *strategic, alea_csp_var var,
                                 const uint32_t *classes, const uint32_t *since);
/* The answer is 'yes' once one of 'vars' is fixed to 'win', and 'no' once one
 * is fixed to 'loss' or none can have 'win' any more.  Used where existential
 * values must be consistent: otherwise a side that has lost may still leave
 * the next universal variable without a value. */
alea_status alea_strategic_outcome(alea_strategic *strategic, const alea_csp_var *vars,
                                   uint32_t count, int32_t win, int32_t loss);

typedef struct alea_strategic_options {
  bool classical;       /* QCSP: universal variables range over all values */
  bool one_way;         /* prune the next quantified variable from the state side */
  bool table;           /* transposition table on the state variables */
  bool order;           /* deciding values first, then those that were decisive before */
  bool symmetry;        /* one table entry per orbit of the network's symmetries */
  bool early;           /* use alea_strategic_outcome; ranking games: bounds on the outcome */
  bool bits;            /* ranking games on bit sets, where a network is one: see below */
  uint64_t table_bytes; /* 0 = 256 MB */
  uint64_t max_nodes;   /* 0 = no limit */
  /* Of a ranking game: where the table is kept between runs; NULL: nowhere.
   * Read before the search, written after it and every two minutes. */
  const char *file;
  alea_deadline deadline;
  void (*on_progress)(void *data, uint64_t nodes, uint32_t depth, double seconds);
  void *data;
} alea_strategic_options;

typedef struct alea_strategic_result {
  alea_status status; /* OK: satisfiable; NO; LIMIT; SYSTEM */
  uint64_t nodes, propagations, table_hits;
  double symmetries; /* order of the group used; 1 without */
  uint32_t deepest;
  int32_t first; /* a winning first value, if the first quantifier is existential */
  double seconds;
  bool bits; /* the search was on bit sets */
  /* Of earlier runs, by the file of the options. */
  uint64_t nodes_before;
  double seconds_before;
  const char *trouble; /* what is wrong with this file; NULL: nothing */
} alea_strategic_result;

/* Whether the network is a ranking game, such as Connect: each quantified
 * variable but the last gives the next rank to a cell, ranks ascend along chains
 * of cells, and who completes a line first wins.  The form is found in the
 * constraints.  NULL if it is, otherwise a phrase that says what it lacks. */
const char *alea_strategic_no_ranking(const alea_strategic *strategic);

alea_status alea_strategic_solve(const alea_strategic *strategic,
                                 const alea_strategic_options *options,
                                 alea_strategic_result *result);

#endif
