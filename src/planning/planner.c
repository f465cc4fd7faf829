/* Planning for one role: clauses and forward searches, turn about. */
#include "planning/planner.h"

#include <string.h>

#include "game/position.h"
#include "planning/beam.h"
#include "planning/bounded_plan.h"
#include "planning/forward_search.h"
#include "planning/parallel_plan.h"
#include "planning/policy_adaptation.h"
#include "unroll/unroll.h"

enum {
  LEAST_STAGES = 8,   /* first horizon of clauses: the longest random play, */
  MOST_FIRST = 120,   /* within these bounds */
  TURN_NODES = 20000, /* of a turn of a search */
  SEARCHES = 4,       /* methods that share a limit of nodes: breadth, depth, plays, beam */
  DEFAULT_STAGES = 1000,
};
static const double BYTES_PER_SECOND = 3e7;
/* With a clock: what the searches have before clauses begin, as a part of the
 * time and in seconds at most, for they are quick to find what is near; and
 * after how many seconds a turn of clauses asks nothing more. */
static const double HEAD_START = 0.1, MOST_HEAD_START = 1, TURN_SECONDS = 0.3;
static const double FAVOUR = 3; /* times as much for who leads */

enum { CLAUSES, BREADTH, DEPTH, PLAYS, SETS, BEAM }; /* indexes of methods */

typedef struct planning_planner {
  const alea_game *game;
  alea_mem *mem;
  alea_planner_options options;
  alea_plan *plan;
  alea_cursor *cursor;
  alea_u64s start;                /* the position */
  alea_forward *forward[2];       /* by alea_forward_order; may be NULL */
  alea_policy_adaptation *plays;  /* always there */
  alea_parallel_plan *sets;       /* NULL: not tried yet, or of no use */
  alea_beam *beam;                /* may be NULL */
  alea_bounded_plan *clauses;     /* NULL: not tried yet */
  bool no_sets, no_clauses;       /* nothing more is to be had from them */
  alea_u32s values;               /* goal values of the role, descending */
  int level;                      /* the one that clauses work at; all above are refuted */
  uint32_t first_stages;          /* how long plays are */
  double used[ALEA_PLAN_METHODS]; /* seconds */
} planning_planner;

const char *alea_plan_method_text(alea_plan_method method) {
  switch (method) {
    case ALEA_PLAN_CLAUSES: return "clauses";
    case ALEA_PLAN_BREADTH: return "breadth";
    case ALEA_PLAN_DEPTH: return "depth";
    case ALEA_PLAN_ADAPTATION: return "plays";
    case ALEA_PLAN_PARALLEL: return "sets";
    case ALEA_PLAN_BEAM: return "beam";
    case ALEA_PLAN_NONE: break;
  }
  return "none";
}

/* ---- plans ---- */

/* The goal at the end of the moves, -1 where they are no complete play. */
static alea_status replay(planning_planner *p, alea_list moves, int *goal) {
  *goal = -1;
  bool terminal;
  alea_status status = alea_cursor_load(p->cursor, p->start.data, p->start.count);
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
  alea_status status = replay(p, moves, &goal);
  if (status != ALEA_OK || goal <= p->plan->goal) return status;
  p->plan->moves.count = 0;
  if (!alea_vec_reserve(p->mem, &p->plan->moves, moves.count)) return alea_mem_lack(p->mem);
  if (moves.count > 0) memcpy(p->plan->moves.data, moves.ids, moves.count * sizeof *moves.ids);
  p->plan->moves.count = moves.count;
  p->plan->goal = goal;
  p->plan->method = method;
  return ALEA_OK;
}

/* ---- budget ---- */

/* Negative: without a clock. */
static double seconds_left(const planning_planner *p) {
  const alea_deadline *end = p->options.effort.deadline;
  double left = -1;
  if (end != NULL && end->at > 0) left = end->at - alea_clock_wall();
  if (end != NULL && end->thread_at > 0) left = end->thread_at - alea_clock_thread();
  return left;
}

/* Bytes of clauses: no more than can be looked at within the time left, for the
 * solver does not stop while it reads. */
static size_t memory_for(const planning_planner *p) {
  const alea_effort *effort = &p->options.effort;
  double left = seconds_left(p);
  double most = left * BYTES_PER_SECOND;
  return left >= 0 && most < (double)effort->memory ? (size_t)most : effort->memory;
}

static bool over(const planning_planner *p) {
  return alea_deadline_passed(p->options.effort.deadline);
}

static bool timed(const planning_planner *p) { return p->options.effort.deadline != NULL; }

static bool done(const planning_planner *p) {
  return p->plan->best || p->plan->goal >= p->options.target || over(p);
}

/* ---- turns ---- */

static bool clauses_spent(const planning_planner *p) {
  uint64_t limit = p->options.effort.conflicts;
  if (p->no_clauses || p->clauses == NULL) return p->no_clauses;
  uint64_t used = alea_bounded_plan_statistics(p->clauses).conflicts;
  return alea_bounded_plan_spent(p->clauses) || (limit > 0 && used >= limit);
}

/* The next smaller goal value, 0 where there is none of interest. */
static int next_level(const planning_planner *p) {
  for (size_t i = 0; i < p->values.count; i++) {
    int value = (int)p->values.data[i];
    if (value < p->level) return value > p->plan->goal ? value : 0;
  }
  return 0;
}

static alea_status begin_level(planning_planner *p, int level) {
  p->level = level;
  return alea_bounded_plan_begin(p->clauses, level, memory_for(p));
}

/* Clauses have refuted the level. */
static alea_status level_refuted(planning_planner *p) {
  if (p->level <= p->options.target) p->plan->answer = ALEA_VERDICT_REFUTED;
  int level = next_level(p);
  if (level > 0) return begin_level(p, level);
  p->plan->best = p->plan->goal >= 0;
  p->no_clauses = true;
  return ALEA_OK;
}

/* Clauses have found a play of the level: where the target was refuted, there
 * is none better. */
static alea_status level_proved(planning_planner *p) {
  p->no_clauses = true;
  alea_status status = offer(p, alea_bounded_plan_moves(p->clauses), ALEA_PLAN_CLAUSES);
  p->plan->best = p->plan->goal >= p->level;
  return status;
}

static alea_status clauses_begin(planning_planner *p) {
  alea_bounded_plan_options options = {.deadline = p->options.effort.deadline,
                                       .first_stages = p->first_stages,
                                       .max_stages = p->options.max_stages};
  alea_status status =
      alea_bounded_plan_new(&p->clauses, p->game, p->start.data, p->start.count, &options, p->mem);
  return status == ALEA_OK ? begin_level(p, p->options.target) : status;
}

/* Asks about a few horizons: one turn costs about as many conflicts as a
 * round gives to one. */
static alea_status clauses_turn(planning_planner *p) {
  double began = alea_clock_thread();
  alea_status status = p->clauses == NULL ? clauses_begin(p) : ALEA_OK;
  for (int i = 0; i < 8 && status == ALEA_OK && !clauses_spent(p) && !done(p); i++) {
    alea_verdict answer;
    status = alea_bounded_plan_ask(p->clauses, &answer);
    if (status == ALEA_OK && answer == ALEA_VERDICT_REFUTED) status = level_refuted(p);
    if (status == ALEA_OK && answer == ALEA_VERDICT_PROVED) status = level_proved(p);
    if (timed(p) && alea_clock_thread() - began > TURN_SECONDS) break;
  }
  p->used[CLAUSES] += alea_clock_thread() - began;
  return status;
}

/* A search has looked at as many nodes as it may. */
static bool nodes_spent(const planning_planner *p, uint64_t nodes) {
  uint64_t limit = p->options.effort.nodes;
  return limit > 0 && nodes >= limit / SEARCHES;
}

static bool forward_spent(const planning_planner *p, int order) {
  const alea_forward *f = p->forward[order];
  return f == NULL || alea_forward_full(f) || nodes_spent(p, alea_forward_nodes(f));
}

static alea_status forward_turn(planning_planner *p, int order) {
  double began = alea_clock_thread();
  alea_forward *f = p->forward[order];
  alea_verdict answer;
  alea_status status =
      alea_forward_run(f, p->options.target, TURN_NODES, p->options.effort.deadline, &answer);
  if (status == ALEA_OK && alea_forward_best(f) > p->plan->goal)
    status = offer(p, alea_forward_path(f),
                   order == ALEA_FORWARD_BREADTH ? ALEA_PLAN_BREADTH : ALEA_PLAN_DEPTH);
  if (status == ALEA_OK && answer == ALEA_VERDICT_REFUTED) {
    p->plan->answer = ALEA_VERDICT_REFUTED;
    p->plan->best = true;
  }
  p->used[BREADTH + order] += alea_clock_thread() - began;
  return status;
}

static alea_status plays_turn(planning_planner *p) {
  double began = alea_clock_thread();
  alea_status status = alea_policy_adaptation_run(p->plays, p->options.target, TURN_NODES,
                                                  p->options.effort.deadline);
  if (status == ALEA_OK && alea_policy_adaptation_best(p->plays) > p->plan->goal)
    status = offer(p, alea_policy_adaptation_moves(p->plays), ALEA_PLAN_ADAPTATION);
  p->used[PLAYS] += alea_clock_thread() - began;
  return status;
}

static bool beam_spent(const planning_planner *p) {
  const alea_beam *b = p->beam;
  return b == NULL || alea_beam_spent(b) || nodes_spent(p, alea_beam_nodes(b));
}

static alea_status beam_turn(planning_planner *p) {
  double began = alea_clock_thread();
  alea_status status =
      alea_beam_run(p->beam, p->options.target, TURN_NODES, p->options.effort.deadline);
  if (status == ALEA_OK && alea_beam_best(p->beam) > p->plan->goal)
    status = offer(p, alea_beam_moves(p->beam), ALEA_PLAN_BEAM);
  p->used[BEAM] += alea_clock_thread() - began;
  return status;
}

static bool sets_spent(const planning_planner *p) {
  uint64_t limit = p->options.effort.conflicts;
  if (p->no_sets || p->sets == NULL) return p->no_sets;
  return alea_parallel_plan_spent(p->sets) ||
         (limit > 0 && alea_parallel_plan_conflicts(p->sets) >= limit);
}

static alea_status sets_turn(planning_planner *p) {
  double began = alea_clock_thread();
  bool found = false;
  alea_status status = ALEA_OK;
  if (p->sets == NULL) {
    alea_parallel_plan_options options = {.goal = p->options.target,
                                          .longest = p->first_stages,
                                          .deadline = p->options.effort.deadline,
                                          .memory = memory_for(p)};
    status =
        alea_parallel_plan_new(&p->sets, p->game, p->start.data, p->start.count, &options, p->mem);
    p->no_sets = p->sets == NULL;
  }
  if (status == ALEA_OK && p->sets != NULL) status = alea_parallel_plan_ask(p->sets, &found);
  if (status == ALEA_OK && found)
    status = offer(p, alea_parallel_plan_moves(p->sets), ALEA_PLAN_PARALLEL);
  p->used[SETS] += alea_clock_thread() - began;
  return status;
}

static bool spent(const planning_planner *p, int method) {
  if (method == CLAUSES) return clauses_spent(p);
  if (method == SETS) return sets_spent(p);
  if (method == BEAM) return beam_spent(p);
  if (method != PLAYS) return forward_spent(p, method - BREADTH);
  /* Plays never end by themselves; they do not outlast the others. */
  if ((p->options.methods & ALEA_PLAN_ADAPTATION) == 0) return true;
  return nodes_spent(p, alea_policy_adaptation_steps(p->plays));
}

static alea_status take_turn(planning_planner *p, int method) {
  if (method == CLAUSES) return clauses_turn(p);
  if (method == SETS) return sets_turn(p);
  if (method == BEAM) return beam_turn(p);
  return method == PLAYS ? plays_turn(p) : forward_turn(p, method - BREADTH);
}

/* What a method has used, as far as it counts when turns are given out: the one
 * that has found the best plan so far gets more of them. */
static double charged(const planning_planner *p, int method) {
  bool leads = p->plan->goal > 0 && (p->plan->method & 1u << method) != 0;
  return leads ? p->used[method] / FAVOUR : p->used[method];
}

/* Whose turn it is: with a clock, who has used least; without, everybody. */
static alea_status turn(planning_planner *p) {
  int least = -1;
  alea_status status = ALEA_OK;
  for (int m = ALEA_PLAN_METHODS - 1; m >= 0 && status == ALEA_OK && !done(p); m--) {
    if (spent(p, m)) continue;
    if (!timed(p)) status = take_turn(p, m);
    if (least < 0 || charged(p, m) < charged(p, least)) least = m;
  }
  return timed(p) && status == ALEA_OK && least >= 0 ? take_turn(p, least) : status;
}

static bool all_spent(const planning_planner *p) {
  for (int m = 0; m < ALEA_PLAN_METHODS; m++)
    if (!spent(p, m) && (timed(p) || m != PLAYS || p->options.effort.nodes > 0)) return false;
  return true;
}

static alea_status work(planning_planner *p) {
  alea_status status = ALEA_OK;
  while (status == ALEA_OK && !done(p) && !all_spent(p)) status = turn(p);
  return status;
}

/* ---- set up ---- */

static alea_status beam_begin(planning_planner *p) {
  alea_beam_options options = {
      .stages = p->first_stages, .seed = p->options.seed, .memory = p->options.effort.memory / 4};
  return alea_beam_new(&p->beam, p->game, p->start.data, p->start.count, &options, p->mem);
}

static alea_status set_up(planning_planner *p, const uint64_t *words, size_t count) {
  alea_status status = alea_cursor_new(p->game, p->mem, &p->cursor);
  if (status == ALEA_OK && words != NULL) status = alea_cursor_load(p->cursor, words, count);
  if (status == ALEA_OK) status = alea_position_keep(&p->start, p->cursor, p->mem);
  if (status != ALEA_OK) return status;
  unsigned methods = p->options.methods;
  for (int order = 0; status == ALEA_OK && order < 2; order++) {
    if (over(p)) break; /* in a large game already this takes long */
    if ((methods & (order == 0 ? ALEA_PLAN_BREADTH : ALEA_PLAN_DEPTH)) == 0) continue;
    status = alea_forward_new(&p->forward[order], p->game, p->start.data, p->start.count,
                              (alea_forward_order)order, p->options.seed,
                              p->options.effort.memory / 4, p->mem);
  }
  if (status == ALEA_OK)
    status = alea_policy_adaptation_new(&p->plays, p->game, p->start.data, p->start.count,
                                        p->options.seed, p->mem);
  /* The first plays tell how long plays are. */
  if (status == ALEA_OK) status = plays_turn(p);
  if (status != ALEA_OK) return status;
  p->first_stages = alea_policy_adaptation_longest(p->plays);
  if (p->first_stages < LEAST_STAGES) p->first_stages = LEAST_STAGES;
  if (p->first_stages > MOST_FIRST) p->first_stages = MOST_FIRST;
  if ((methods & ALEA_PLAN_BEAM) != 0 && !over(p)) status = beam_begin(p);
  p->no_clauses = (methods & ALEA_PLAN_CLAUSES) == 0;
  p->no_sets = (methods & ALEA_PLAN_PARALLEL) == 0;
  double head = HEAD_START * seconds_left(p);
  if (head > 0) p->used[CLAUSES] = head < MOST_HEAD_START ? head : MOST_HEAD_START;
  return status;
}

static void tear_down(planning_planner *p) {
  if (p->clauses != NULL) {
    alea_bounded_plan_stats stats = alea_bounded_plan_statistics(p->clauses);
    p->plan->questions = stats.questions;
    p->plan->variables = stats.variables;
    p->plan->clauses = stats.clauses;
    p->plan->stages = stats.stages;
  }
  alea_bounded_plan_free(p->clauses);
  for (int i = 0; i < 2; i++) {
    if (p->forward[i] != NULL) p->plan->nodes += alea_forward_nodes(p->forward[i]);
    alea_forward_free(p->forward[i]);
  }
  if (p->plays != NULL) p->plan->nodes += alea_policy_adaptation_steps(p->plays);
  alea_policy_adaptation_free(p->plays);
  if (p->beam != NULL) p->plan->nodes += alea_beam_nodes(p->beam);
  alea_beam_free(p->beam);
  alea_parallel_plan_free(p->sets);
  alea_cursor_free(p->cursor);
  alea_vec_clear(p->mem, &p->start);
  alea_vec_clear(p->mem, &p->values);
}

alea_status alea_planner_run(alea_plan *plan, const alea_game *game, const uint64_t *words,
                             size_t word_count, const alea_planner_options *options,
                             alea_mem *mem) {
  *plan = (alea_plan){.goal = -1};
  if (game->role_count != 1 || game->random_role >= 0 || game->has_sees) return ALEA_NO;
  planning_planner p = {.game = game, .mem = mem, .plan = plan};
  if (options != NULL) p.options = *options;
  if (p.options.target == 0) p.options.target = 100;
  if (p.options.methods == 0) p.options.methods = (1u << ALEA_PLAN_METHODS) - 1;
  if (p.options.max_stages == 0) p.options.max_stages = DEFAULT_STAGES;
  if (p.options.effort.memory == 0) p.options.effort.memory = (size_t)1 << 30;
  alea_status status = alea_unroll_values(game, 0, &p.values, mem);
  if (status == ALEA_OK) status = set_up(&p, words, word_count);
  if (status == ALEA_OK) status = work(&p);
  if (plan->goal >= p.options.target) plan->answer = ALEA_VERDICT_PROVED;
  tear_down(&p);
  return status;
}
