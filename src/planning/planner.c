/* The planner: whose turn it is, and the best of the plans found. */
#include "planning/planner.h"

#include <limits.h>
#include <string.h>

#include "game/position.h"
#include "planning/planner_method.h"
#include "unroll/unroll.h"

enum {
  MIN_PLAYOUT_STAGES = 8, /* bounds of the length of playouts that methods are told */
  MAX_PLAYOUT_STAGES = 120,
  DEFAULT_STAGES = 1000,
};
/* With a clock: the head start before a method that waits, as a part of the
 * time and in seconds at most, for searches are quick to find what is near. */
static const double HEAD_START = 0.1, MAX_HEAD_START = 1;
static const double LEADER_FACTOR = 3; /* times as much for the method of the best plan */

typedef struct planning_planner {
  planner_task task;
  alea_plan *plan;
  alea_cursor *cursor;
  void *states[ALEA_PLAN_METHODS];   /* NULL: had no turn yet */
  double seconds[ALEA_PLAN_METHODS]; /* charged to the method */
} planning_planner;

const char *alea_plan_method_text(alea_plan_method method) {
  for (int m = 0; m < ALEA_PLAN_METHODS; m++)
    if (planner_methods[m].id == method) return planner_methods[m].name;
  return "none";
}

/* ---- plans ---- */

/* The goal at the end of the moves, -1 where they do not lead to an end. */
static alea_status replay(planning_planner *p, alea_list moves, int *goal) {
  *goal = -1;
  bool terminal;
  alea_status status = alea_cursor_load(p->cursor, p->task.start.data, p->task.start.count);
  for (uint32_t i = 0; status == ALEA_OK && i < moves.count; i++) {
    alea_list legal;
    status = alea_cursor_terminal(p->cursor, &terminal);
    if (status == ALEA_OK) status = alea_cursor_legal(p->cursor, 0, &legal);
    if (status != ALEA_OK) return status;
    if (terminal || !alea_list_has(legal, moves.ids[i])) return ALEA_OK;
    status = alea_cursor_play(p->cursor, &moves.ids[i]);
  }
  if (status == ALEA_OK) status = alea_cursor_terminal(p->cursor, &terminal);
  if (status != ALEA_OK || !terminal) return status;
  status = alea_cursor_goal(p->cursor, 0, goal);
  if (*goal < 0) *goal = 0;
  return status;
}

/* Takes the moves for the plan where they are worth more. */
static alea_status offer(planning_planner *p, alea_list moves, alea_plan_method method) {
  int goal;
  alea_mem *mem = p->task.mem;
  alea_status status = replay(p, moves, &goal);
  if (status != ALEA_OK || goal <= p->plan->goal) return status;
  p->plan->moves.count = 0;
  if (!alea_vec_reserve(mem, &p->plan->moves, moves.count)) return alea_mem_lack(mem);
  if (moves.count > 0) memcpy(p->plan->moves.data, moves.ids, moves.count * sizeof *moves.ids);
  p->plan->moves.count = moves.count;
  p->plan->goal = p->task.goal = goal;
  p->plan->method = method;
  return ALEA_OK;
}

/* ---- budget ---- */

double planner_seconds_left(const planner_task *task) {
  const alea_deadline *end = task->options.effort.deadline;
  double left = -1;
  if (end != NULL && end->at > 0) left = end->at - alea_clock_wall();
  if (end != NULL && end->thread_at > 0) left = end->thread_at - alea_clock_thread();
  return left;
}

static bool has_clock(const planning_planner *p) { return p->task.options.effort.deadline != NULL; }

static bool is_done(const planning_planner *p) {
  return p->plan->best || p->plan->goal >= p->task.options.target ||
         alea_deadline_passed(p->task.options.effort.deadline);
}

static bool is_spent(const planning_planner *p, int m) {
  if ((p->task.options.methods & planner_methods[m].id) == 0) return true;
  return p->states[m] != NULL && planner_methods[m].spent(p->states[m], &p->task);
}

static bool all_spent(const planning_planner *p) {
  bool limited = has_clock(p) || p->task.options.effort.nodes > 0;
  for (int m = 0; m < ALEA_PLAN_METHODS; m++)
    if (!is_spent(p, m) && (limited || !planner_methods[m].endless)) return false;
  return true;
}

/* ---- turns ---- */

static alea_status take_turn(planning_planner *p, int m, planner_news *news) {
  const planner_method *method = &planner_methods[m];
  *news = (planner_news){.goal = -1, .bound = INT_MAX};
  alea_status status = p->states[m] == NULL ? method->init(&p->states[m], &p->task) : ALEA_OK;
  if (status != ALEA_OK) return status;
  double began = alea_clock_thread();
  status = method->turn(p->states[m], &p->task, news);
  if (status == ALEA_OK && news->goal > p->plan->goal) status = offer(p, news->moves, method->id);
  if (status == ALEA_OK && news->bound < p->task.options.target)
    p->plan->answer = ALEA_VERDICT_REFUTED;
  if (status == ALEA_OK && p->plan->goal >= news->bound) p->plan->best = true;
  p->seconds[m] += alea_clock_thread() - began;
  return status;
}

/* The seconds of a method as they count for turns: the one that has found the
 * best plan so far gets more of them. */
static double charged(const planning_planner *p, int m) {
  bool leads = p->plan->goal > 0 && p->plan->method == planner_methods[m].id;
  return leads ? p->seconds[m] / LEADER_FACTOR : p->seconds[m];
}

/* With a clock, a turn for the method that was charged least. */
static alea_status turn_by_time(planning_planner *p) {
  int least = -1;
  planner_news news;
  for (int m = 0; m < ALEA_PLAN_METHODS; m++)
    if (!is_spent(p, m) && (least < 0 || charged(p, m) < charged(p, least))) least = m;
  return least >= 0 ? take_turn(p, least, &news) : ALEA_OK;
}

/* Without a clock, a turn for every method. */
static alea_status turn_for_all(planning_planner *p) {
  planner_news news;
  alea_status status = ALEA_OK;
  for (int m = 0; m < ALEA_PLAN_METHODS && status == ALEA_OK && !is_done(p); m++)
    if (!is_spent(p, m)) status = take_turn(p, m, &news);
  return status;
}

static alea_status work(planning_planner *p) {
  alea_status status = ALEA_OK;
  while (status == ALEA_OK && !is_done(p) && !all_spent(p))
    status = has_clock(p) ? turn_by_time(p) : turn_for_all(p);
  return status;
}

/* ---- set up ---- */

/* The first turn, which tells how long playouts are. */
static alea_status probe(planning_planner *p) {
  alea_status status = ALEA_OK;
  uint32_t longest = 0;
  for (int m = 0; m < ALEA_PLAN_METHODS && status == ALEA_OK; m++) {
    planner_news news;
    if (!planner_methods[m].probes) continue;
    status = take_turn(p, m, &news);
    longest = news.playouts;
  }
  p->task.playout_stages = longest < MIN_PLAYOUT_STAGES   ? MIN_PLAYOUT_STAGES
                           : longest > MAX_PLAYOUT_STAGES ? MAX_PLAYOUT_STAGES
                                                          : longest;
  return status;
}

static alea_status set_up(planning_planner *p, const uint64_t *words, size_t count) {
  planner_task *task = &p->task;
  alea_status status = alea_unroll_values(task->game, 0, &task->values, task->mem);
  if (status == ALEA_OK) status = alea_cursor_new(task->game, task->mem, &p->cursor);
  if (status == ALEA_OK && words != NULL) status = alea_cursor_load(p->cursor, words, count);
  if (status == ALEA_OK) status = alea_position_keep(&task->start, p->cursor, task->mem);
  if (status == ALEA_OK) status = probe(p);
  double head = HEAD_START * planner_seconds_left(task);
  if (head > MAX_HEAD_START) head = MAX_HEAD_START;
  for (int m = 0; m < ALEA_PLAN_METHODS && head > 0; m++)
    if (planner_methods[m].waits) p->seconds[m] = head;
  return status;
}

static void tear_down(planning_planner *p) {
  for (int m = 0; m < ALEA_PLAN_METHODS; m++) {
    if (p->states[m] == NULL) continue;
    if (planner_methods[m].statistics != NULL) planner_methods[m].statistics(p->states[m], p->plan);
    planner_methods[m].free(p->states[m]);
  }
  alea_cursor_free(p->cursor);
  alea_vec_clear(p->task.mem, &p->task.start);
  alea_vec_clear(p->task.mem, &p->task.values);
}

alea_status alea_planner_run(alea_plan *plan, const alea_game *game, const uint64_t *words,
                             size_t word_count, const alea_planner_options *options,
                             alea_mem *mem) {
  *plan = (alea_plan){.goal = -1};
  if (game->role_count != 1 || game->random_role >= 0 || game->has_sees) return ALEA_UNSUPPORTED;
  planning_planner p = {.task = {.game = game, .mem = mem, .goal = -1}, .plan = plan};
  alea_planner_options *o = &p.task.options;
  if (options != NULL) *o = *options;
  if (o->target == 0) o->target = 100;
  if (o->methods == 0) o->methods = (1u << ALEA_PLAN_METHODS) - 1;
  if (o->max_stages == 0) o->max_stages = DEFAULT_STAGES;
  if (o->effort.memory == 0) o->effort.memory = (size_t)1 << 30;
  alea_status status = set_up(&p, words, word_count);
  if (status == ALEA_OK) status = work(&p);
  if (plan->goal >= o->target) plan->answer = ALEA_VERDICT_PROVED;
  tear_down(&p);
  return status;
}
