#ifndef ALEA_PLANNING_PLANNER_H
#define ALEA_PLANNING_PLANNER_H

/* The planner finds moves to the best goal of a game with one role and without
 * chance, from any position.
 *
 * Six methods take turns, each with a share of the budget:
 *
 *   bounded     bounded SAT planning (planning/bounded_plan.h): one move per
 *               stage; it also refutes
 *   breadth     breadth-first search (planning/forward_search.h), for games
 *               with few positions
 *   depth       depth-first search, for games whose moves cannot be repeated
 *   adaptation  random playouts that adapt their policy
 *               (planning/policy_adaptation.h), for games with many good ends,
 *               and to have some plan soon
 *   parallel    SAT planning with any number of moves in a stage
 *               (planning/parallel_plan.h), for puzzles whose moves can be made
 *               in any order
 *   beam        beam search (planning/beam.h), for games where a position shows
 *               how far the goal is
 *
 * A method is a row of planning/planner_methods.c.  A plan is played on a
 * cursor before it is returned.  The answer is "refuted" only where that was
 * proved: no playout of any length ends with the target, or all positions were
 * seen. */

#include "base/vec.h"
#include "base/verdict.h"
#include "game/game.h"

typedef enum alea_plan_method {
  ALEA_PLAN_NONE = 0,
  ALEA_PLAN_BOUNDED = 1,
  ALEA_PLAN_BREADTH = 2,
  ALEA_PLAN_DEPTH = 4,
  ALEA_PLAN_ADAPTATION = 8,
  ALEA_PLAN_PARALLEL = 16,
  ALEA_PLAN_BEAM = 32
} alea_plan_method;
enum { ALEA_PLAN_METHODS = 6 }; /* how many there are */

typedef struct alea_planner_options {
  alea_effort effort;  /* nodes and conflicts are totals */
  int target;          /* goal that is good enough; 0 = 100 */
  unsigned methods;    /* sum of alea_plan_method; 0 = all */
  uint32_t max_stages; /* 0 = 1,000 */
  uint64_t seed;
} alea_planner_options;

/* The answer to "can the target be reached?", and the best plan found, which
 * may be worth less.  'moves' is the caller's to clear. */
typedef struct alea_plan {
  alea_verdict answer;
  bool best; /* no plan is worth more than 'goal' */
  int goal;  /* at the end of the plan; -1 = there is no plan */
  alea_u32s moves;
  alea_plan_method method; /* that found the plan */
  /* What it took. */
  uint64_t nodes, questions, variables, clauses;
  uint32_t stages;
} alea_plan;

/* Plans from the position 'words' (NULL = the initial one).  ALEA_UNSUPPORTED:
 * the game has several roles, chance or percepts, or is not played by a
 * network.  With any status the caller clears plan->moves with 'mem'. */
alea_status alea_planner_run(alea_plan *plan, const alea_game *game, const uint64_t *words,
                             size_t word_count, const alea_planner_options *options, alea_mem *mem);

/* The name of a method: "bounded", "breadth", "depth", "adaptation",
 * "parallel", "beam" or "none". */
const char *alea_plan_method_text(alea_plan_method method);

#endif
