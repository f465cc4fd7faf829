#ifndef ALEA_SCSP_SCSP_H
#define ALEA_SCSP_SCSP_H

/* Stochastic constraint networks for k players ([MACUCB16 §3.1], D4).
 *
 * A network has ordered variables, some of them stochastic with a table of
 * probabilities that may depend on earlier variables, hard constraints
 * (posted on the plain network inside), and soft ones that pay each player a
 * number.  A policy fixes the decision variables, each knowing the values of
 * all variables before it; its value is the expected payment.  A network
 * without soft constraints pays everybody 1 at the end: the value is then the
 * probability that the hard constraints are met, which is 1 for every feasible
 * policy ([SCSP14 §5]).
 *
 * A process is a network used again and again: some of its first variables
 * are the state, each paired with the later variable that becomes it at the
 * next step.  A T-stage problem is a process run for T steps.
 *
 * Building remembers the first failure, as in csp.h. */

#include "csp/csp.h"

typedef struct alea_scsp alea_scsp;

enum { ALEA_SCSP_MAX_PLAYERS = 32 };

/* NULL without memory; the caller frees it. */
alea_scsp *alea_scsp_new(alea_mem *mem, uint32_t players);
void alea_scsp_free(alea_scsp *scsp); /* NULL is a no-op */
alea_status alea_scsp_state(const alea_scsp *scsp);
uint32_t alea_scsp_players(const alea_scsp *scsp);
/* The plain network, for adding decision variables and hard constraints. */
alea_csp *alea_scsp_network(alea_scsp *scsp);

const alea_csp *alea_scsp_network_of(const alea_scsp *scsp);

/* Takes over a network that was built elsewhere, before anything is added. */
void alea_scsp_adopt(alea_scsp *scsp, alea_csp *csp);

/* Makes an existing variable stochastic.  'parents' come before it in the
 * order; 'probabilities' has one row of alea_csp_size(var) numbers per
 * combination of parent values, the last parent changing fastest. */
alea_status alea_scsp_chance(alea_scsp *scsp, alea_csp_var var, const alea_csp_var *parents,
                             uint32_t parent_count, const double *probabilities);
/* The same with one uniform distribution. */
alea_status alea_scsp_uniform(alea_scsp *scsp, alea_csp_var var);
/* Uniform over the values whose flag is 1: flags[i], a variable over 0..1
 * before 'var', belongs to value index i (the Boolean channelling of
 * [MACUCB16 §3.2]).  All probabilities are 0 where no flag is 1. */
alea_status alea_scsp_channel(alea_scsp *scsp, alea_csp_var var, const alea_csp_var *flags);
bool alea_scsp_is_chance(const alea_scsp *scsp, alea_csp_var var);

/* Pays payments[i*players + p] to player p when the scope equals tuple i (or
 * matches it: entries may be ALEA_CSP_STAR, and the first match counts). */
alea_status alea_scsp_soft(alea_scsp *scsp, const alea_csp_var *scope, uint32_t arity,
                           const int32_t *tuples, const double *payments, size_t count);
void alea_scsp_threshold(alea_scsp *scsp, uint32_t player, double theta);
double alea_scsp_get_threshold(const alea_scsp *scsp, uint32_t player);

/* ---- exact solving (exact.c) ---- */

typedef enum alea_scsp_aim {
  ALEA_SCSP_MAX,   /* every decision maximises the player's payment */
  ALEA_SCSP_WORST, /* every decision minimises it, among feasible policies */
} alea_scsp_aim;

/* Which limit stopped a solver. */
typedef enum alea_scsp_limit {
  ALEA_SCSP_UNLIMITED, /* none */
  ALEA_SCSP_TIME,
  ALEA_SCSP_MEMORY,
  ALEA_SCSP_NODES,
} alea_scsp_limit;

/* How far a solver is: the value that is looked for lies between 'least' and 'most'.
 * -INFINITY before any policy is wholly known, and INFINITY where nothing is known. */
typedef struct alea_scsp_progress {
  uint64_t nodes;
  uint32_t depth;
  double least, most;
} alea_scsp_progress;

typedef struct alea_scsp_options {
  alea_scsp_aim aim;
  uint32_t player; /* whose payment */
  bool no_cache;   /* plain tree search, the oracle of the cached one */
  alea_deadline deadline;
  uint64_t max_nodes; /* 0 = no limit */
  void (*on_progress)(void *data, const alea_scsp_progress *progress);
  /* Processes without a horizon: told, once it is solved, what every feasible state that any
   * decisions lead to is worth.  'state' has the values of the state's variables. */
  void (*on_state)(void *state_data, const int32_t *state, double value);
  void *data, *state_data;
} alea_scsp_options;

typedef struct alea_scsp_result {
  alea_status status; /* OK: value found; NO: no feasible policy; LIMIT; SYSTEM */
  alea_scsp_limit limit;
  double value;
  bool reaches; /* value >= the player's threshold */
  bool found;   /* after a limit: it is the value of a policy, the best so far */
  uint64_t nodes, cache_hits, states;
  double seconds;
} alea_scsp_result;

/* The value of the best (or worst) feasible policy, with values cached on
 * the variables that later constraints still mention: a staged problem with
 * few states is solved like a dynamic program. */
alea_status alea_scsp_solve(const alea_scsp *scsp, const alea_scsp_options *options,
                            alea_scsp_result *result);

/* ---- policies (policy.c) ---- */

typedef struct alea_policy_node {
  alea_csp_var var; /* ALEA_CSP_NONE at a leaf */
  uint32_t first;   /* first edge */
  uint32_t edges;   /* one at a decision, one per possible value at a chance */
  double value;     /* expected payment from here on */
} alea_policy_node;

typedef struct alea_policy_edge {
  uint32_t index; /* of the value */
  uint32_t node;
  double probability; /* 1 at a decision */
  double value;       /* expected payment with this value, what it pays itself included */
} alea_policy_edge;

typedef struct alea_policy {
  alea_mem *mem;
  ALEA_VEC(alea_policy_node) nodes; /* parents first; nodes[0] is the root */
  ALEA_VEC(alea_policy_edge) edges;
} alea_policy;

void alea_policy_init(alea_policy *policy, alea_mem *mem);
void alea_policy_clear(alea_policy *policy);
/* A best policy as a tree, read off the cached walk.  After a limit it is the best one that
 * is wholly known, as result->found says; without nodes where it could not be read off within
 * a quarter of a second. */
alea_status alea_scsp_policy(const alea_scsp *scsp, const alea_scsp_options *options,
                             alea_policy *policy, alea_scsp_result *result);

/* Showing (policy_show.c): one line for each value of chance, with its probability,
 * the decisions that follow from it, and what is paid in the end or expected.  'ascii':
 * without box-drawing characters. */
void alea_policy_print(const alea_policy *policy, const alea_scsp *scsp, bool ascii,
                       alea_text *text);
/* The same as a picture, from left to right. */
void alea_policy_svg(const alea_policy *policy, const alea_scsp *scsp, alea_text *text);
/* The nodes as a JSON array, node 0 the root: {"variable","chance","expected","edges":
 * [{"value","probability","expected","node"}]}, leaves without edges.  What is the same below
 * several nodes is one node: edges lead further down the array, but not as in a tree. */
void alea_policy_json(const alea_policy *policy, const alea_scsp *scsp, alea_text *text);

/* ---- the searches of [SCSP14 §5] (search.c, enumerate.c) ---- */

/* Algorithm 1, corrected (D11), for one player: the first policy that pays
 * '*theta' or more, or, without a theta, the best one.  result->value is what
 * it pays, and 'policy' (NULL: not wanted) becomes it; ALEA_NO where there is
 * none. */
alea_status alea_scsp_search(const alea_scsp *scsp, const alea_scsp_options *options,
                             const double *theta, alea_policy *policy, alea_scsp_result *result);

/* How many policies have which value: distinct payment vectors with counts. */
typedef struct alea_scsp_outcomes {
  size_t count;
  double *payments;   /* count * players */
  uint64_t *policies; /* saturates */
} alea_scsp_outcomes;

/* Enumerates all feasible policies by value ('all'). */
alea_status alea_scsp_all(const alea_scsp *scsp, const alea_scsp_options *options,
                          alea_scsp_outcomes *outcomes, alea_scsp_result *result);
void alea_scsp_outcomes_clear(const alea_scsp *scsp, alea_scsp_outcomes *outcomes);
/* Policies that meet every threshold, and the satisfiability of the network. */
uint64_t alea_scsp_solutions(const alea_scsp *scsp, const alea_scsp_outcomes *outcomes);

/* Scenarios: complete consistent instantiations of positive probability whose
 * payment to the player is at least 'theta'. */
typedef struct alea_scsp_scenario {
  double theta;
  /* Is given each of them, value by variable; NULL: they are only counted.
   * False, for want of memory, ends the enumeration with ALEA_SYSTEM. */
  bool (*found)(void *data, const int32_t *values);
  void *data;
} alea_scsp_scenario;
/* ALEA_NO where there is none. */
alea_status alea_scsp_scenarios(const alea_scsp *scsp, const alea_scsp_options *options,
                                const alea_scsp_scenario *wanted, uint64_t *count,
                                alea_scsp_result *result);

/* ---- one stage: split and MAC (split.c), [MACUCB16 §4.2], K3 ---- */

/* All assignments of the decision variables that occur with a stochastic
 * variable, under which every possible value of it satisfies the hard
 * stochastic constraints and at least 'theta' of its mass is left: the
 * feasibility constraint c_s, found by forward checking.  'scope' gets its
 * variables (room for all), '*tuples' its rows (free with alea_mem_free of
 * count * arity int32_t).  ALEA_LIMIT: late, or the limit of memory. */
alea_status alea_scsp_feasible(const alea_scsp *scsp, double theta, const alea_deadline *deadline,
                               alea_csp_var *scope, uint32_t *arity, int32_t **tuples,
                               size_t *count);
/* The plain network of the decision variables with c_s added; the caller
 * frees it.  Its variables have the numbers of the stochastic network.  NULL
 * with a status otherwise. */
alea_csp *alea_scsp_decisions(const alea_scsp *scsp, double theta, const alea_deadline *deadline,
                              alea_status *status);
/* Whether the network is one stage without payments, as the split needs it:
 * every decision comes before every stochastic variable. */
bool alea_scsp_is_stage(const alea_scsp *scsp);

/* ---- processes (process.c) ---- */

typedef struct alea_process alea_process;

/* The process owns 'scsp'.  states[i] must be variable i (the state comes
 * first), nexts[i] the variable that becomes it and has its domain; 'start'
 * holds the initial values.  NULL without memory (then 'scsp' is freed). */
alea_process *alea_process_new(alea_scsp *scsp, uint32_t state_count, const alea_csp_var *nexts,
                               const int32_t *start);
void alea_process_free(alea_process *process);
alea_scsp *alea_process_network(const alea_process *process);
/* How many of its variables, the first ones, are the state. */
uint32_t alea_process_states(const alea_process *process);
/* The first 'count' variables (the state and what follows from it) are part of
 * the last, cut-off step too: what they pay is paid in the state in which the
 * process ends at its horizon. */
void alea_process_closing(alea_process *process, uint32_t count);
/* What a state pays when the process ends in it; scope within the state. */
alea_status alea_process_final(alea_process *process, const alea_csp_var *scope, uint32_t arity,
                               const int32_t *tuples, const double *payments, size_t count);
/* The value after 'horizon' steps from the start; without a horizon (-1) the
 * limit, in which a state that leads only to itself ends the process. */
alea_status alea_process_solve(const alea_process *process, int64_t horizon,
                               const alea_scsp_options *options, alea_scsp_result *result);
/* The T-stage network itself, for the other solvers and for writing; it
 * shares tables with the process and must not outlive it. */
alea_scsp *alea_process_unroll(const alea_process *process, uint32_t horizon);

#endif
