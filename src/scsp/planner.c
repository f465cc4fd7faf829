/* Planning for one role: clauses and forward searches, turn about. */
#include "scsp/planner.h"

#include <string.h>

#include "scsp/forward.h"
#include "scsp/plays.h"
#include "scsp/unroll.h"

enum {
  FIRST_CONFLICTS = 500, /* per horizon, in the first round */
  RANGE_SHARE = 8,       /* times that, for the question about all horizons */
  LEAST_STAGES = 8,      /* largest horizon of the first round: the longest random play, */
  MOST_FIRST = 120,      /* within these bounds */
  CHECK_CONFLICTS = 100, /* to find that no play goes on */
  TURN_NODES = 20000,    /* of a turn of a forward search */
  DEFAULT_STAGES = 1000,
  COMMUTE_CONFLICTS = 20000, /* to find moves that may change places, */
  COMMUTE_SECONDS = 10,      /* and never more than this on a clock */
};
static const double COMMUTE_SHARE = 0.25;
static const double BYTES_PER_SECOND = 3e7;
/* With a clock: what the searches have before clauses begin, as a part of the
 * time and in seconds at most, for they are quick to find what is near; and
 * after how many seconds a turn of clauses asks nothing more. */
static const double HEAD_START = 0.1, MOST_HEAD_START = 1, TURN_SECONDS = 0.3;

enum { CLAUSES, BREADTH, DEPTH, PLAYS };       /* indexes of methods */
typedef enum horizon { OPEN, CLOSED } horizon; /* is a win after exactly T steps still possible? */

typedef struct planner {
  const alea_game *game;
  alea_mem *mem;
  alea_planner_options options;
  alea_plan *plan;
  alea_cursor *cursor;
  alea_u64s start;          /* the position */
  alea_forward *forward[2]; /* by alea_forward_order; may be NULL */
  alea_plays *plays;        /* always there */
  alea_u32s values;         /* goal values of the role, descending */

  /* Clauses, for the goal value at work. */
  alea_commute *commute; /* may be NULL */
  bool sorted;           /* that was looked for */
  alea_unroll *unroll;
  int level;
  uint32_t longest;      /* horizon: by a limit, or because no play is longer */
  uint32_t first_stages; /* horizon of the first round */
  ALEA_VEC(uint8_t) horizons;
  ALEA_VEC(alea_slit) ends; /* by horizon: it ends there with the goal, 0 = not made */
  ALEA_VEC(alea_slit) assumptions;
  uint32_t closed;     /* all horizons below are closed */
  uint64_t conflicts;  /* per horizon, this round */
  uint32_t round_ends; /* largest horizon of the round */
  uint32_t at;         /* horizon to ask next */
  bool ranged;         /* the round's question about all horizons was asked */
  uint64_t spent;      /* conflicts handed out */
  bool no_more;        /* clauses: nothing is left to do within the limits */
  bool refuted;        /* clauses: the level cannot be reached */

  double used[ALEA_PLAN_METHODS]; /* seconds: clauses, breadth, depth, plays */
} planner;

const char *alea_plan_method_text(alea_plan_method method) {
  switch (method) {
    case ALEA_PLAN_CLAUSES: return "clauses";
    case ALEA_PLAN_BREADTH: return "breadth";
    case ALEA_PLAN_DEPTH: return "depth";
    case ALEA_PLAN_PLAYS: return "plays";
    case ALEA_PLAN_NONE: break;
  }
  return "none";
}

/* ---- plans ---- */

/* The goal at the end of the moves, -1 where they are no complete play. */
static alea_status replay(planner *p, alea_list moves, int *goal) {
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
static alea_status offer(planner *p, alea_list moves, alea_plan_method method) {
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

/* ---- clauses ---- */

static void end_level(planner *p) {
  if (p->unroll == NULL) return;
  alea_unroll_stats stats = alea_unroll_statistics(p->unroll);
  p->plan->questions += stats.questions;
  if (stats.variables > p->plan->variables) p->plan->variables = stats.variables;
  if (stats.clauses > p->plan->clauses) p->plan->clauses = stats.clauses;
  if (alea_unroll_stages(p->unroll) > p->plan->stages)
    p->plan->stages = alea_unroll_stages(p->unroll);
  alea_unroll_free(p->unroll);
  p->unroll = NULL;
}

/* Negative: without a clock. */
static double seconds_left(const planner *p) {
  const alea_deadline *end = p->options.effort.deadline;
  double left = -1;
  if (end != NULL && end->at > 0) left = end->at - alea_clock_wall();
  if (end != NULL && end->thread_at > 0) left = end->thread_at - alea_clock_thread();
  return left;
}

/* Bytes of clauses: no more than can be looked at within the time left, for the
 * solver does not stop while it reads. */
static size_t memory_for(const planner *p) {
  const alea_effort *effort = &p->options.effort;
  double left = seconds_left(p);
  double most = left * BYTES_PER_SECOND;
  return left >= 0 && most < (double)effort->memory ? (size_t)most : effort->memory;
}

/* Which moves may change places; once, for a part of the price. */
static alea_status find_commuting(planner *p) {
  const alea_effort *all = &p->options.effort;
  alea_deadline soon = {0};
  alea_effort effort = {.memory = memory_for(p), .conflicts = COMMUTE_CONFLICTS};
  if (all->deadline != NULL) {
    double now = alea_clock_wall(), thread = alea_clock_thread();
    soon = *all->deadline;
    if (soon.at > 0) soon.at = now + COMMUTE_SHARE * (soon.at - now);
    soon.thread_at =
        thread + (soon.thread_at > 0 ? COMMUTE_SHARE * (soon.thread_at - thread) : COMMUTE_SECONDS);
    effort.deadline = &soon;
  }
  p->sorted = true;
  return alea_commute_new(&p->commute, p->game, &effort, p->mem);
}

/* Begins with clauses for an end worth at least 'level'. */
static alea_status begin_level(planner *p, int level) {
  end_level(p);
  alea_list fluents;
  alea_status status = alea_cursor_load(p->cursor, p->start.data, p->start.count);
  if (status == ALEA_OK && !p->sorted) status = find_commuting(p);
  alea_unroll_options options = {
      .deadline = p->options.effort.deadline, .memory = memory_for(p), .commute = p->commute};
  if (status == ALEA_OK) status = alea_cursor_fluents(p->cursor, &fluents);
  if (status == ALEA_OK) status = alea_unroll_new(&p->unroll, p->game, fluents, &options, p->mem);
  p->level = level;
  p->horizons.count = p->ends.count = 0;
  p->closed = p->at = 0;
  p->longest = p->options.max_stages;
  p->conflicts = FIRST_CONFLICTS;
  p->round_ends = p->first_stages;
  p->ranged = false;
  p->refuted = false;
  if (status == ALEA_LIMIT) p->no_more = true;
  return status == ALEA_LIMIT ? ALEA_OK : status;
}

/* The literal of "state T is an end with the goal of the level". */
static alea_status make_end(planner *p, uint32_t t, alea_slit *end) {
  alea_slit both[2] = {alea_unroll_terminal(p->unroll, t), ALEA_SLIT_FALSE};
  alea_status status = ALEA_OK;
  if (both[0] != ALEA_SLIT_FALSE) status = alea_unroll_goal(p->unroll, t, 0, p->level, &both[1]);
  if (status == ALEA_OK) *end = alea_sat_gate(alea_unroll_sat(p->unroll), false, both, 2);
  return status;
}

/* Makes horizon T askable.  ALEA_LIMIT: it cannot be. */
static alea_status reach_horizon(planner *p, uint32_t t) {
  if (t > p->longest) return ALEA_LIMIT;
  while (p->horizons.count <= t) {
    if (p->horizons.count > alea_unroll_stages(p->unroll)) {
      alea_status status = alea_unroll_extend(p->unroll);
      if (status != ALEA_OK) return status;
    }
    uint32_t last = (uint32_t)p->horizons.count;
    alea_slit end;
    alea_status status = make_end(p, last, &end);
    if (status != ALEA_OK) return status;
    if (!alea_vec_push(p->mem, &p->ends, end) || !alea_vec_push(p->mem, &p->horizons, OPEN))
      return alea_mem_lack(p->mem);
    /* The rules' own counting says that nothing is longer. */
    if (alea_unroll_terminal(p->unroll, last) == ALEA_SLIT_TRUE) p->longest = last;
  }
  return ALEA_OK;
}

/* Assumes that stages from 'closed' to T-1 are played: those before are known
 * to be. */
static alea_status assume_play(planner *p, uint32_t t) {
  p->assumptions.count = 0;
  for (uint32_t i = p->closed; i < t; i++)
    if (!alea_vec_push(p->mem, &p->assumptions, alea_unroll_play(p->unroll, i)))
      return alea_mem_lack(p->mem);
  return ALEA_OK;
}

/* Closes horizons in order; a win then needs all their stages played.  When no
 * play goes on beyond, the level is refuted. */
static alea_status close_horizon(planner *p, uint32_t t) {
  p->horizons.data[t] = CLOSED;
  p->ends.data[t] = ALEA_SLIT_FALSE;
  alea_status status = ALEA_OK;
  while (status == ALEA_OK && p->closed < p->horizons.count &&
         p->horizons.data[p->closed] == CLOSED) {
    if (alea_unroll_terminal(p->unroll, p->closed) == ALEA_SLIT_TRUE) {
      p->refuted = true;
      return ALEA_OK;
    }
    status = reach_horizon(p, p->closed + 1);
    if (status != ALEA_OK) return status;
    alea_slit play = alea_unroll_play(p->unroll, p->closed);
    alea_sat_clause(alea_unroll_sat(p->unroll), &play, 1);
    p->closed++;
    alea_ruling goes_on;
    status = alea_unroll_solve(p->unroll, NULL, 0, CHECK_CONFLICTS, &goes_on);
    p->refuted = status == ALEA_OK && goes_on == ALEA_RULING_REFUTED;
    if (p->refuted) return ALEA_OK;
  }
  return status;
}

/* The plan of the model. */
static alea_status take_model(planner *p, uint32_t t) {
  alea_u32s moves = {0};
  alea_status status = ALEA_OK;
  for (uint32_t i = 0; status == ALEA_OK && i < t; i++)
    if (!alea_vec_push(p->mem, &moves, alea_unroll_chosen(p->unroll, i, 0)))
      status = alea_mem_lack(p->mem);
  if (status == ALEA_OK)
    status =
        offer(p, (alea_list){.ids = moves.data, .count = (uint32_t)moves.count}, ALEA_PLAN_CLAUSES);
  alea_vec_clear(p->mem, &moves);
  return status;
}

/* Asks for an end after exactly T steps. */
static alea_status ask_horizon(planner *p, uint32_t t) {
  if (p->ends.data[t] == ALEA_SLIT_FALSE) return close_horizon(p, t);
  alea_status status = assume_play(p, t);
  if (status != ALEA_OK) return status;
  if (!alea_vec_push(p->mem, &p->assumptions, p->ends.data[t])) return alea_mem_lack(p->mem);
  alea_ruling answer;
  p->spent += p->conflicts;
  status = alea_unroll_solve(p->unroll, p->assumptions.data, p->assumptions.count, p->conflicts,
                             &answer);
  if (status != ALEA_OK || answer == ALEA_RULING_UNKNOWN) return status;
  return answer == ALEA_RULING_PROVED ? take_model(p, t) : close_horizon(p, t);
}

/* The first state that is an end with the goal in the model. */
static uint32_t model_end(const planner *p) {
  alea_sat *sat = alea_unroll_sat(p->unroll);
  for (uint32_t t = p->closed; t < p->horizons.count; t++)
    if (alea_sat_value(sat, p->ends.data[t])) return t;
  return 0;
}

/* Asks for an end after any number of steps up to the end of the round. */
static alea_status ask_range(planner *p) {
  uint32_t last = p->round_ends < p->longest ? p->round_ends : p->longest;
  alea_slit asked;
  alea_status status = reach_horizon(p, last);
  if (p->horizons.count == 0) return status;
  if (status == ALEA_LIMIT) status = ALEA_OK; /* with what there is */
  if (last >= p->horizons.count) last = (uint32_t)p->horizons.count - 1;
  if (status == ALEA_OK)
    status = alea_unroll_ask_ends(p->unroll, p->ends.data, p->closed, last, &asked);
  alea_ruling answer = ALEA_RULING_UNKNOWN;
  uint64_t conflicts = RANGE_SHARE * p->conflicts;
  p->spent += conflicts;
  if (status == ALEA_OK) status = alea_unroll_solve(p->unroll, &asked, 1, conflicts, &answer);
  if (status != ALEA_OK || answer == ALEA_RULING_UNKNOWN) return status;
  if (answer == ALEA_RULING_PROVED) return take_model(p, model_end(p));
  for (uint32_t t = p->closed; status == ALEA_OK && !p->refuted && t <= last; t++)
    if (p->horizons.data[t] == OPEN) status = close_horizon(p, t);
  return status;
}

static bool clauses_spent(const planner *p) {
  uint64_t limit = p->options.effort.conflicts;
  return p->no_more || (limit > 0 && p->spent >= limit);
}

static bool over(const planner *p) { return alea_deadline_passed(p->options.effort.deadline); }

/* Every horizon up to the last that can be had was refuted. */
static bool all_closed(const planner *p) {
  if (p->horizons.count == 0) return true;
  for (size_t t = p->closed; t < p->horizons.count; t++)
    if (p->horizons.data[t] == OPEN) return false;
  return p->horizons.count > p->longest;
}

/* The next question of the round; after the last the next round begins. */
static alea_status clauses_step(planner *p) {
  alea_status status = ALEA_OK;
  if (!p->ranged) {
    p->ranged = true;
    status = ask_range(p);
  } else if (p->at > p->round_ends || p->at > p->longest) {
    p->no_more = all_closed(p);
    p->at = p->closed;
    p->conflicts *= 2;
    p->round_ends += p->round_ends / 2;
    p->ranged = false;
  } else {
    status = reach_horizon(p, p->at);
    if (status == ALEA_OK && p->horizons.data[p->at] == OPEN) status = ask_horizon(p, p->at);
    p->at++;
  }
  if (status != ALEA_LIMIT || over(p)) return status == ALEA_LIMIT ? ALEA_OK : status;
  /* No memory for more stages: those that exist go on being asked. */
  if (p->horizons.count > 0) p->longest = (uint32_t)p->horizons.count - 1;
  p->no_more = all_closed(p);
  return ALEA_OK;
}

static bool done(const planner *p) {
  return p->plan->best || p->plan->goal >= p->options.target || over(p);
}

/* The next smaller goal value, 0 where there is none of interest. */
static int next_level(const planner *p) {
  for (size_t i = 0; i < p->values.count; i++) {
    int value = (int)p->values.data[i];
    if (value < p->level) return value > p->plan->goal ? value : 0;
  }
  return 0;
}

/* ---- turns ---- */

/* Clauses have refuted the level. */
static alea_status level_refuted(planner *p) {
  if (p->level <= p->options.target) p->plan->answer = ALEA_RULING_REFUTED;
  int level = next_level(p);
  if (level == 0) {
    p->plan->best = p->plan->goal >= 0;
    p->no_more = true;
    return ALEA_OK;
  }
  return begin_level(p, level);
}

static bool timed(const planner *p) { return p->options.effort.deadline != NULL; }

/* Asks about a few horizons: one turn costs about as many conflicts as a
 * round gives to one. */
static alea_status clauses_turn(planner *p) {
  double began = alea_clock_thread();
  alea_status status = p->level == 0 ? begin_level(p, p->options.target) : ALEA_OK;
  for (int i = 0; i < 8 && status == ALEA_OK && !clauses_spent(p) && !done(p); i++) {
    status = clauses_step(p);
    if (status == ALEA_OK && p->refuted) status = level_refuted(p);
    if (timed(p) && alea_clock_thread() - began > TURN_SECONDS) break;
  }
  p->used[CLAUSES] += alea_clock_thread() - began;
  return status;
}

static bool forward_spent(const planner *p, int order) {
  const alea_forward *f = p->forward[order];
  uint64_t limit = p->options.effort.nodes;
  return f == NULL || alea_forward_full(f) || (limit > 0 && alea_forward_nodes(f) >= limit / 3);
}

static alea_status forward_turn(planner *p, int order) {
  double began = alea_clock_thread();
  alea_forward *f = p->forward[order];
  alea_ruling answer;
  alea_status status =
      alea_forward_run(f, p->options.target, TURN_NODES, p->options.effort.deadline, &answer);
  if (status == ALEA_OK && alea_forward_best(f) > p->plan->goal)
    status = offer(p, alea_forward_path(f),
                   order == ALEA_FORWARD_BREADTH ? ALEA_PLAN_BREADTH : ALEA_PLAN_DEPTH);
  if (status == ALEA_OK && answer == ALEA_RULING_REFUTED) {
    p->plan->answer = ALEA_RULING_REFUTED;
    p->plan->best = true;
  }
  p->used[BREADTH + order] += alea_clock_thread() - began;
  return status;
}

static alea_status plays_turn(planner *p) {
  double began = alea_clock_thread();
  alea_status status =
      alea_plays_run(p->plays, p->options.target, TURN_NODES, p->options.effort.deadline);
  if (status == ALEA_OK && alea_plays_best(p->plays) > p->plan->goal)
    status = offer(p, alea_plays_moves(p->plays), ALEA_PLAN_PLAYS);
  p->used[PLAYS] += alea_clock_thread() - began;
  return status;
}

static bool spent(const planner *p, int method) {
  uint64_t limit = p->options.effort.nodes;
  if (method == CLAUSES) return clauses_spent(p);
  if (method != PLAYS) return forward_spent(p, method - BREADTH);
  /* Plays never end by themselves; they do not outlast the others. */
  if ((p->options.methods & ALEA_PLAN_PLAYS) == 0) return true;
  return limit > 0 && alea_plays_steps(p->plays) >= limit / 3;
}

static alea_status take_turn(planner *p, int method) {
  if (method == CLAUSES) return clauses_turn(p);
  return method == PLAYS ? plays_turn(p) : forward_turn(p, method - BREADTH);
}

/* Whose turn it is: with a clock, who has used least; without, everybody. */
static alea_status turn(planner *p) {
  int least = -1;
  alea_status status = ALEA_OK;
  for (int m = ALEA_PLAN_METHODS - 1; m >= 0 && status == ALEA_OK && !done(p); m--) {
    if (spent(p, m)) continue;
    if (!timed(p)) status = take_turn(p, m);
    if (least < 0 || p->used[m] < p->used[least]) least = m;
  }
  return timed(p) && status == ALEA_OK && least >= 0 ? take_turn(p, least) : status;
}

static bool all_spent(const planner *p) {
  for (int m = 0; m < ALEA_PLAN_METHODS; m++)
    if (!spent(p, m) && (timed(p) || m != PLAYS || p->options.effort.nodes > 0)) return false;
  return true;
}

static alea_status work(planner *p) {
  alea_status status = ALEA_OK;
  while (status == ALEA_OK && !done(p) && !all_spent(p)) status = turn(p);
  return status;
}

/* ---- set up ---- */

static alea_status set_up(planner *p, const uint64_t *words, size_t count) {
  alea_status status = alea_cursor_new(p->game, p->mem, &p->cursor);
  if (status == ALEA_OK && words != NULL) status = alea_cursor_load(p->cursor, words, count);
  if (status != ALEA_OK) return status;
  words = alea_cursor_state(p->cursor, &count);
  if (!alea_vec_reserve(p->mem, &p->start, count)) return alea_mem_lack(p->mem);
  memcpy(p->start.data, words, count * sizeof *words);
  p->start.count = count;
  unsigned methods = p->options.methods;
  for (int order = 0; status == ALEA_OK && order < 2; order++) {
    if (over(p)) break; /* in a large game already this takes long */
    if ((methods & (order == 0 ? ALEA_PLAN_BREADTH : ALEA_PLAN_DEPTH)) == 0) continue;
    status = alea_forward_new(&p->forward[order], p->game, p->start.data, p->start.count,
                              (alea_forward_order)order, p->options.seed,
                              p->options.effort.memory / 4, p->mem);
  }
  if (status == ALEA_OK)
    status =
        alea_plays_new(&p->plays, p->game, p->start.data, p->start.count, p->options.seed, p->mem);
  /* The first plays tell how long plays are. */
  if (status == ALEA_OK) status = plays_turn(p);
  if (status != ALEA_OK) return status;
  p->first_stages = alea_plays_longest(p->plays);
  if (p->first_stages < LEAST_STAGES) p->first_stages = LEAST_STAGES;
  if (p->first_stages > MOST_FIRST) p->first_stages = MOST_FIRST;
  p->no_more = (methods & ALEA_PLAN_CLAUSES) == 0;
  double head = HEAD_START * seconds_left(p);
  if (head > 0) p->used[CLAUSES] = head < MOST_HEAD_START ? head : MOST_HEAD_START;
  return ALEA_OK;
}

static void tear_down(planner *p) {
  end_level(p);
  alea_commute_free(p->commute);
  for (int i = 0; i < 2; i++) {
    if (p->forward[i] != NULL) p->plan->nodes += alea_forward_nodes(p->forward[i]);
    alea_forward_free(p->forward[i]);
  }
  if (p->plays != NULL) p->plan->nodes += alea_plays_steps(p->plays);
  alea_plays_free(p->plays);
  alea_cursor_free(p->cursor);
  alea_vec_clear(p->mem, &p->start);
  alea_vec_clear(p->mem, &p->values);
  alea_vec_clear(p->mem, &p->horizons);
  alea_vec_clear(p->mem, &p->ends);
  alea_vec_clear(p->mem, &p->assumptions);
}

alea_status alea_planner_run(alea_plan *plan, const alea_game *game, const uint64_t *words,
                             size_t word_count, const alea_planner_options *options,
                             alea_mem *mem) {
  *plan = (alea_plan){.goal = -1};
  if (game->role_count != 1 || game->random_role >= 0 || game->has_sees) return ALEA_NO;
  planner p = {.game = game, .mem = mem, .plan = plan};
  if (options != NULL) p.options = *options;
  if (p.options.target == 0) p.options.target = 100;
  if (p.options.methods == 0) p.options.methods = (1u << ALEA_PLAN_METHODS) - 1;
  if (p.options.max_stages == 0) p.options.max_stages = DEFAULT_STAGES;
  if (p.options.effort.memory == 0) p.options.effort.memory = (size_t)1 << 30;
  alea_status status = alea_unroll_values(game, 0, &p.values, mem);
  if (status == ALEA_OK) status = set_up(&p, words, word_count);
  if (status == ALEA_OK) status = work(&p);
  if (plan->goal >= p.options.target) plan->answer = ALEA_RULING_PROVED;
  tear_down(&p);
  return status;
}
