#ifndef ALEA_CLI_SOLVE_OPTIONS_H
#define ALEA_CLI_SOLVE_OPTIONS_H

/* The options of alea solve, and which of them go together: every kind of instance has
 * its own, and one that would do nothing is refused. */

#include "base/options.h"
#include "cli/solve_equilibrium.h"
#include "csp/csp.h"
#include "csp/strategic.h"

/* clang-format off */
#define ALEA_SOLVE_FORMATS(word) word(ALEA_SOLVE_XCSP3, "xcsp3") word(ALEA_SOLVE_JSON, "json")
/* mac, fc and backtrack are for plain networks and, split, for one stochastic stage. */
#define ALEA_SOLVE_METHODS(word) ALEA_CSP_METHODS(word) word(ALEA_SOLVE_EXACT, "exact") word(ALEA_SOLVE_SEARCH, "search")
#define ALEA_SOLVE_OPTIONS(row)                                                                             \
  row(text, model, "", 0, 0, "NAME", "a model of the papers instead of a file (see above)")      \
  row(flag, count, "", 0, 0, "", "count all solutions (policies, scenarios with --scenario)")    \
  row(flag, all, "", 0, 0, "", "print every solution, or count all policies by value; equilibrium: the strategies") \
  row(flag, best, "", 0, 0, "", "the best value; plain networks with an objective: the default") \
  row(flag, first, "", 0, 0, "", "plain: the first solution, although there is an objective")    \
  row(flag, worst, "", 0, 0, "", "stochastic: the worst feasible policy")                        \
  row(flag, scenario, "", 0, 0, "", "stochastic: complete instantiations that reach --threshold") \
  row(real, threshold, "-1", -1e9, 1e9, "THETA", "stochastic: the value to be reached; -1: as the instance says") \
  row(integer, horizon, "-1", -1, 1e6, "N", "processes: number of transitions; -1: to the end")  \
  row(integer, player, "1", 1, 32, "N", "stochastic: whose payment is looked at")                 \
  row(flag, policy, "", 0, 0, "", "stochastic: print a best policy as a tree")                   \
  row(flag, states, "", 0, 0, "", "processes to the end: what every state is worth under a best policy") \
  row(text, svg, "", 0, 0, "FILE", "draw a best policy (stochastic), or the strategy (strategic)") \
  row(choice, method, "", 0, 0, ALEA_CHOICE_WORDS(ALEA_SOLVE_METHODS), "plain: mac (default), fc, backtrack; stochastic: exact (default), search, or one of these for one stage") \
  row(choice, order, "either", 0, 0, ALEA_CHOICE_WORDS(ALEA_CSP_ORDERS), "plain: order of the variables")            \
  row(choice, values, "min", 0, 0, ALEA_CHOICE_WORDS(ALEA_CSP_VALUE_ORDERS), "plain: order of the values")               \
  row(flag, sac, "", 0, 0, "", "plain: singleton arc consistency first")                         \
  row(flag, simplify, "", 0, 0, "", "plain: merge scopes, drop unary and universal parts first") \
  row(flag, self_check, "", 0, 0, "", "plain: re-derive every pruned value by brute force")      \
  row(integer, restart, "-1", -1, 1e9, "N", "plain: restart after N failures, then ever later, with nogoods; -1: 100, but never to count") \
  row(choice, learning, "beside", 0, 0, ALEA_CHOICE_WORDS(ALEA_CSP_LEARNINGS), "plain: clause learning beside a search that restarts") \
  row(flag, plain, "", 0, 0, "", "strategic: the paper's algorithm, without extras")             \
  row(flag, one_way, "", 0, 0, "", "strategic: with --plain, prune the next quantified variable") \
  row(flag, classical, "", 0, 0, "", "strategic: read as QCSP")                                  \
  row(choice, check, "", 0, 0, ALEA_CHOICE_WORDS(ALEA_STRATEGIC_CHECKS), "strategic: test consistency by search, or by propagation alone (default: as the instance says, else exact)") \
  row(choice, existential, "", 0, 0, ALEA_CHOICE_WORDS(ALEA_STRATEGIC_EXISTENTIALS), "strategic: existential values are any, or must be consistent (default: as the instance says, else definition)") \
  row(choice, state, "", 0, 0, ALEA_CHOICE_WORDS(ALEA_STRATEGIC_STATES), "strategic: search on bit sets, for Connect and its like, or on domains (default: bits where possible, unless --plain)") \
  row(text, given, "", 0, 0, "V,V,...", "strategic: values of the first quantified variables; the rest is solved") \
  row(text, save, "", 0, 0, "FILE", "strategic, on bit sets: keep the table there, and go on from it") \
  row(flag, strategy, "", 0, 0, "", "strategic: print the strategy of the side that wins")       \
  row(integer, depth, "4", 0, 1e6, "N", "strategic: variables that are shown of it; 0 is all")   \
  row(flag, verify, "", 0, 0, "", "strategic: replay it against every answer")                   \
  row(bytes, table, "256M", 0, 0, "BYTES", "strategic: size of the transposition table")         \
  row(choice, write, "", 0, 0, ALEA_CHOICE_WORDS(ALEA_SOLVE_FORMATS), "write the instance instead of solving it")         \
  row(real, time, "0", 0, 1e9, "S", "give up after S seconds; 0 is no limit")                    \
  row(integer, seed, "1", 0, 9e18, "N", "seed of random choices")                                \
  row(bytes, memory, "4G", 0, 0, "BYTES", "memory limit")                                        \
  row(flag, json, "", 0, 0, "", "print one JSON object")                                         \
  row(flag, live, "", 0, 0, "", "before it, lines of JSON with what is known so far: seconds, nodes, better values") \
  ALEA_EQUILIBRIUM_OPTIONS(row)
/* clang-format on */

enum { ALEA_SOLVE_FORMATS(ALEA_CHOICE_CONSTANT) };
enum { ALEA_SOLVE_EXACT = ALEA_CSP_BACKTRACK + 1, ALEA_SOLVE_SEARCH }; /* after csp/csp.h's */

typedef struct alea_solve_values {
  ALEA_OPTION_FIELDS(ALEA_SOLVE_OPTIONS)
} alea_solve_values;

/* What an instance is; a process is a stochastic network used again and again. */
typedef enum alea_solve_kind {
  ALEA_SOLVE_PLAIN = 1,
  ALEA_SOLVE_STOCHASTIC = 2,
  ALEA_SOLVE_STRATEGIC = 4,
  ALEA_SOLVE_PROCESS = 8,
} alea_solve_kind;

/* Both print a sentence about the first option of 'rows' that was set and does nothing,
 * and return ALEA_USAGE: before an instance is read, whether equilibria are sought or
 * not; and once its kind is known. */
alea_status alea_solve_check_mode(const alea_option *rows, size_t count,
                                  const alea_solve_values *v);
alea_status alea_solve_check_kind(const alea_option *rows, size_t count, const alea_solve_values *v,
                                  alea_solve_kind kind);

#endif
