/* The table of planning methods, and for each the functions that fit it in. */
#include <limits.h>

#include "planning/beam.h"
#include "planning/bounded_plan.h"
#include "planning/forward_search.h"
#include "planning/parallel_plan.h"
#include "planning/planner_method.h"
#include "planning/policy_adaptation.h"

enum {
  SEARCHES = 4,       /* methods that share the limit of nodes: breadth, depth, adaptation, beam */
  TURN_QUESTIONS = 8, /* of bounded planning */
};
static const double BYTES_PER_SECOND = 3e7;
/* With a clock: after how many seconds a turn of bounded planning asks nothing more. */
static const double TURN_SECONDS = 0.3;

/* ---- limits ---- */

static bool nodes_spent(const planner_task *task, uint64_t nodes) {
  uint64_t limit = task->options.effort.nodes;
  return limit > 0 && nodes >= limit / SEARCHES;
}

static bool conflicts_spent(const planner_task *task, uint64_t conflicts) {
  uint64_t limit = task->options.effort.conflicts;
  return limit > 0 && conflicts >= limit;
}

/* Bytes of clauses: no more than can be read within the time left, for the
 * solver does not stop while it reads. */
static size_t clause_memory(const planner_task *task) {
  size_t memory = task->options.effort.memory;
  double left = planner_seconds_left(task);
  double readable = left * BYTES_PER_SECOND;
  return left >= 0 && readable < (double)memory ? (size_t)readable : memory;
}

/* ---- forward search: the state is an alea_forward ---- */

static alea_status forward_new(void **state, const planner_task *task, alea_forward_order order) {
  alea_forward *forward;
  alea_status status =
      alea_forward_new(&forward, task->game, task->start.data, task->start.count, order,
                       task->options.seed, task->options.effort.memory / 4, task->mem);
  *state = forward;
  return status;
}

static alea_status breadth_init(void **state, const planner_task *task) {
  return forward_new(state, task, ALEA_FORWARD_BREADTH);
}

static alea_status depth_init(void **state, const planner_task *task) {
  return forward_new(state, task, ALEA_FORWARD_DEPTH);
}

static void forward_free(void *state) { alea_forward_free(state); }

static alea_status forward_turn(void *state, const planner_task *task, planner_news *news) {
  alea_verdict answer;
  alea_status status = alea_forward_run(state, task->options.target, PLANNER_TURN_NODES,
                                        task->options.effort.deadline, &answer);
  news->goal = alea_forward_best(state);
  news->moves = alea_forward_path(state);
  /* All positions were seen, so the best of their ends is the best there is. */
  if (status == ALEA_OK && answer == ALEA_VERDICT_REFUTED) news->bound = news->goal;
  return status;
}

static bool forward_spent(const void *state, const planner_task *task) {
  return alea_forward_full(state) || nodes_spent(task, alea_forward_nodes(state));
}

static void forward_statistics(const void *state, alea_plan *plan) {
  plan->nodes += alea_forward_nodes(state);
}

/* ---- policy adaptation: the state is an alea_policy_adaptation ---- */

static alea_status adaptation_init(void **state, const planner_task *task) {
  alea_policy_adaptation *adaptation;
  alea_status status = alea_policy_adaptation_new(&adaptation, task->game, task->start.data,
                                                  task->start.count, task->options.seed, task->mem);
  *state = adaptation;
  return status;
}

static void adaptation_free(void *state) { alea_policy_adaptation_free(state); }

static alea_status adaptation_turn(void *state, const planner_task *task, planner_news *news) {
  alea_status status = alea_policy_adaptation_run(state, task->options.target, PLANNER_TURN_NODES,
                                                  task->options.effort.deadline);
  news->goal = alea_policy_adaptation_best(state);
  news->moves = alea_policy_adaptation_moves(state);
  news->playouts = alea_policy_adaptation_longest(state);
  return status;
}

static bool adaptation_spent(const void *state, const planner_task *task) {
  return nodes_spent(task, alea_policy_adaptation_steps(state));
}

static void adaptation_statistics(const void *state, alea_plan *plan) {
  plan->nodes += alea_policy_adaptation_steps(state);
}

/* ---- beam search: the state is an alea_beam ---- */

static alea_status beam_init(void **state, const planner_task *task) {
  alea_beam_options options = {.stages = task->playout_stages,
                               .seed = task->options.seed,
                               .memory = task->options.effort.memory / 4};
  alea_beam *beam;
  alea_status status =
      alea_beam_new(&beam, task->game, task->start.data, task->start.count, &options, task->mem);
  *state = beam;
  return status;
}

static void beam_free(void *state) { alea_beam_free(state); }

static alea_status beam_turn(void *state, const planner_task *task, planner_news *news) {
  alea_status status =
      alea_beam_run(state, task->options.target, PLANNER_TURN_NODES, task->options.effort.deadline);
  news->goal = alea_beam_best(state);
  news->moves = alea_beam_moves(state);
  return status;
}

static bool beam_spent(const void *state, const planner_task *task) {
  return alea_beam_spent(state) || nodes_spent(task, alea_beam_nodes(state));
}

static void beam_statistics(const void *state, alea_plan *plan) {
  plan->nodes += alea_beam_nodes(state);
}

/* ---- parallel plans ---- */

typedef struct parallel_state {
  alea_mem *mem;
  alea_parallel_plan *plan; /* made in the first turn, for that takes long; NULL: of no use */
  bool started;
} parallel_state;

static alea_status parallel_init(void **state, const planner_task *task) {
  parallel_state *s = *state = alea_mem_zalloc(task->mem, sizeof *s);
  if (s == NULL) return alea_mem_lack(task->mem);
  s->mem = task->mem;
  return ALEA_OK;
}

static void parallel_free(void *state) {
  parallel_state *s = state;
  alea_parallel_plan_free(s->plan);
  alea_mem_free(s->mem, s, sizeof *s);
}

static alea_status parallel_start(parallel_state *s, const planner_task *task) {
  alea_parallel_plan_options options = {.goal = task->options.target,
                                        .longest = task->playout_stages,
                                        .deadline = task->options.effort.deadline,
                                        .memory = clause_memory(task)};
  s->started = true;
  return alea_parallel_plan_new(&s->plan, task->game, task->start.data, task->start.count, &options,
                                task->mem);
}

static alea_status parallel_turn(void *state, const planner_task *task, planner_news *news) {
  parallel_state *s = state;
  bool found = false;
  alea_status status = s->started ? ALEA_OK : parallel_start(s, task);
  if (status == ALEA_OK && s->plan != NULL) status = alea_parallel_plan_ask(s->plan, &found);
  if (status != ALEA_OK || !found) return status;
  news->goal = task->options.target;
  news->moves = alea_parallel_plan_moves(s->plan);
  return ALEA_OK;
}

static bool parallel_spent(const void *state, const planner_task *task) {
  const parallel_state *s = state;
  if (s->plan == NULL) return s->started;
  return alea_parallel_plan_spent(s->plan) ||
         conflicts_spent(task, alea_parallel_plan_conflicts(s->plan));
}

/* ---- bounded plans ---- */

/* Asks for one goal value after the other, from the target down. */
typedef struct bounded_state {
  alea_mem *mem;
  alea_bounded_plan *plan; /* made in the first turn, for that takes long */
  int level;               /* the goal value asked for; all above are refuted */
  bool finished;           /* the level is proved, or no lower one is better than what is known */
} bounded_state;

static alea_status bounded_init(void **state, const planner_task *task) {
  bounded_state *s = *state = alea_mem_zalloc(task->mem, sizeof *s);
  if (s == NULL) return alea_mem_lack(task->mem);
  s->mem = task->mem;
  return ALEA_OK;
}

static void bounded_free(void *state) {
  bounded_state *s = state;
  alea_bounded_plan_free(s->plan);
  alea_mem_free(s->mem, s, sizeof *s);
}

static alea_status bounded_begin(bounded_state *s, const planner_task *task, int level) {
  s->level = level;
  return alea_bounded_plan_begin(s->plan, level, clause_memory(task));
}

static alea_status bounded_start(bounded_state *s, const planner_task *task) {
  alea_bounded_plan_options options = {.deadline = task->options.effort.deadline,
                                       .first_stages = task->playout_stages,
                                       .max_stages = task->options.max_stages};
  alea_status status = alea_bounded_plan_new(&s->plan, task->game, task->start.data,
                                             task->start.count, &options, task->mem);
  return status == ALEA_OK ? bounded_begin(s, task, task->options.target) : status;
}

/* The largest goal value below the level, 0 where there is none. */
static int value_below(const planner_task *task, int level) {
  for (size_t i = 0; i < task->values.count; i++)
    if ((int)task->values.data[i] < level) return (int)task->values.data[i];
  return 0;
}

static alea_status bounded_refuted(bounded_state *s, const planner_task *task, planner_news *news) {
  news->bound = value_below(task, s->level);
  if (news->bound > 0 && news->bound > task->goal) return bounded_begin(s, task, news->bound);
  s->finished = true;
  return ALEA_OK;
}

static void bounded_proved(bounded_state *s, const planner_task *task, planner_news *news) {
  s->finished = true;
  news->goal = s->level;
  news->moves = alea_bounded_plan_moves(s->plan);
  news->bound = s->level < task->options.target ? s->level : 100;
}

static bool bounded_spent(const void *state, const planner_task *task) {
  const bounded_state *s = state;
  if (s->finished || s->plan == NULL) return s->finished;
  return alea_bounded_plan_spent(s->plan) ||
         conflicts_spent(task, alea_bounded_plan_statistics(s->plan).conflicts);
}

/* A turn costs about as many conflicts as a round gives to one number of stages. */
static alea_status bounded_turn(void *state, const planner_task *task, planner_news *news) {
  bounded_state *s = state;
  const alea_deadline *deadline = task->options.effort.deadline;
  double began = alea_clock_thread();
  alea_status status = s->plan == NULL ? bounded_start(s, task) : ALEA_OK;
  for (int i = 0; i < TURN_QUESTIONS && status == ALEA_OK; i++) {
    if (bounded_spent(s, task) || alea_deadline_passed(deadline)) break;
    alea_verdict answer;
    status = alea_bounded_plan_ask(s->plan, &answer);
    if (status == ALEA_OK && answer == ALEA_VERDICT_REFUTED)
      status = bounded_refuted(s, task, news);
    if (status == ALEA_OK && answer == ALEA_VERDICT_PROVED) bounded_proved(s, task, news);
    if (deadline != NULL && alea_clock_thread() - began > TURN_SECONDS) break;
  }
  return status;
}

static void bounded_statistics(const void *state, alea_plan *plan) {
  const bounded_state *s = state;
  if (s->plan == NULL) return;
  alea_bounded_plan_stats stats = alea_bounded_plan_statistics(s->plan);
  plan->questions = stats.questions;
  plan->variables = stats.variables;
  plan->clauses = stats.clauses;
  plan->stages = stats.stages;
}

/* ---- the table ---- */

const planner_method planner_methods[ALEA_PLAN_METHODS] = {
    {.name = "beam",
     .id = ALEA_PLAN_BEAM,
     .init = beam_init,
     .free = beam_free,
     .turn = beam_turn,
     .spent = beam_spent,
     .statistics = beam_statistics},
    {.name = "parallel",
     .id = ALEA_PLAN_PARALLEL,
     .init = parallel_init,
     .free = parallel_free,
     .turn = parallel_turn,
     .spent = parallel_spent},
    {.name = "adaptation",
     .id = ALEA_PLAN_ADAPTATION,
     .probes = true,
     .endless = true,
     .init = adaptation_init,
     .free = adaptation_free,
     .turn = adaptation_turn,
     .spent = adaptation_spent,
     .statistics = adaptation_statistics},
    {.name = "depth",
     .id = ALEA_PLAN_DEPTH,
     .init = depth_init,
     .free = forward_free,
     .turn = forward_turn,
     .spent = forward_spent,
     .statistics = forward_statistics},
    {.name = "breadth",
     .id = ALEA_PLAN_BREADTH,
     .init = breadth_init,
     .free = forward_free,
     .turn = forward_turn,
     .spent = forward_spent,
     .statistics = forward_statistics},
    {.name = "bounded",
     .id = ALEA_PLAN_BOUNDED,
     .waits = true,
     .init = bounded_init,
     .free = bounded_free,
     .turn = bounded_turn,
     .spent = bounded_spent,
     .statistics = bounded_statistics},
};
