/* Bounded SAT planning: questions about plans of each length. */
#include "planning/bounded_plan.h"

#include "game/position.h"
#include "unroll/core.h"

enum {
  FIRST_CONFLICTS = 500,   /* per length, in the first round */
  RANGE_PARTS = 8,         /* times that, for the question about all lengths */
  CHECK_CONFLICTS = 100,   /* to find that the game cannot go on */
  ANY_CONFLICTS = 1000,    /* to find that no state is such a terminal state */
  ORDER_CONFLICTS = 20000, /* to find the partial order of moves, */
  ORDER_SECONDS = 10,      /* and never more than this on a clock */
};
static const double ORDER_SHARE = 0.25;

enum { OPEN, CLOSED }; /* whether a plan of exactly T steps may still exist */

struct alea_bounded_plan {
  alea_mem *mem;
  const alea_game *game;
  alea_bounded_plan_options options;
  alea_cursor *cursor;
  alea_u64s start;           /* the position */
  alea_partial_order *order; /* may be NULL */
  bool order_sought;         /* it was looked for, once */
  alea_unroll *unroll;
  int level;                 /* goal value asked for */
  uint32_t longest;          /* largest length: by a limit, or because the game ends */
  ALEA_VEC(uint8_t) lengths; /* per number of steps: OPEN or CLOSED */
  ALEA_VEC(alea_slit) ends;  /* per length: it ends there with the goal, 0 = not encoded */
  ALEA_VEC(alea_slit) assumptions;
  uint32_t closed;     /* all lengths below are closed */
  uint64_t conflicts;  /* per length, this round */
  uint32_t round_ends; /* largest length of the round */
  uint32_t at;         /* length to ask about next */
  uint32_t parts_left; /* of the round's question about all lengths */
  alea_slit range;     /* that question, */
  uint32_t range_ends; /* and the largest length it is about */
  bool no_more;        /* nothing is left to ask within the limits */
  uint64_t spent;      /* conflicts allowed so far */
  alea_verdict answer; /* about the level */
  alea_u32s moves;
  alea_bounded_plan_stats stats; /* of levels before */
};

/* ---- levels ---- */

alea_bounded_plan_stats alea_bounded_plan_statistics(const alea_bounded_plan *h) {
  alea_bounded_plan_stats all = h->stats;
  all.conflicts = h->spent;
  if (h->unroll == NULL) return all;
  alea_unroll_stats stats = alea_unroll_statistics(h->unroll);
  all.questions += stats.questions;
  if (stats.variables > all.variables) all.variables = stats.variables;
  if (stats.clauses > all.clauses) all.clauses = stats.clauses;
  if (alea_unroll_stages(h->unroll) > all.stages) all.stages = alea_unroll_stages(h->unroll);
  return all;
}

static void end_level(alea_bounded_plan *h) {
  h->stats = alea_bounded_plan_statistics(h);
  alea_unroll_free(h->unroll);
  h->unroll = NULL;
}

/* Finds the partial order of moves, once, for a part of the time. */
static alea_status find_order(alea_bounded_plan *h) {
  alea_deadline soon = {0};
  alea_effort effort = {.memory = h->options.memory, .conflicts = ORDER_CONFLICTS};
  if (h->options.deadline != NULL) {
    double now = alea_clock_wall(), thread = alea_clock_thread();
    soon = *h->options.deadline;
    if (soon.at > 0) soon.at = now + ORDER_SHARE * (soon.at - now);
    soon.thread_at =
        thread + (soon.thread_at > 0 ? ORDER_SHARE * (soon.thread_at - thread) : ORDER_SECONDS);
    effort.deadline = &soon;
  }
  h->order_sought = true;
  return alea_partial_order_new(&h->order, h->game, &effort, h->mem);
}

/* Whether any state at all, reachable or not, is terminal with the goal. */
static alea_status ask_any_state(alea_bounded_plan *h, alea_verdict *answer) {
  alea_unroll_options options = {.deadline = h->options.deadline, .memory = h->options.memory};
  alea_unroll *u;
  *answer = ALEA_VERDICT_UNKNOWN;
  alea_status status = unroll_make(&u, h->game, &options, h->mem);
  if (status != ALEA_OK) return status;
  status = unroll_layer_push_open(u);
  alea_slit end[2] = {ALEA_SLIT_FALSE, ALEA_SLIT_FALSE};
  if (status == ALEA_OK) status = alea_unroll_goal(u, 0, 0, h->level, &end[0]);
  if (status == ALEA_OK) end[1] = alea_unroll_terminal(u, 0);
  if (status == ALEA_OK) status = alea_unroll_solve(u, end, 2, ANY_CONFLICTS, answer);
  alea_unroll_free(u);
  return status;
}

alea_status alea_bounded_plan_begin(alea_bounded_plan *h, int goal, size_t memory) {
  end_level(h);
  alea_list fluents;
  h->options.memory = memory;
  h->level = goal;
  h->lengths.count = h->ends.count = 0;
  h->closed = h->at = 0;
  h->longest = h->options.max_stages;
  h->conflicts = FIRST_CONFLICTS;
  h->round_ends = h->options.first_stages;
  h->parts_left = RANGE_PARTS;
  alea_status status = ask_any_state(h, &h->answer);
  if (h->answer == ALEA_VERDICT_REFUTED) return status;
  h->answer = ALEA_VERDICT_UNKNOWN; /* such a state need not be reachable */
  if (status == ALEA_OK) status = alea_cursor_load(h->cursor, h->start.data, h->start.count);
  if (status == ALEA_OK && !h->order_sought) status = find_order(h);
  alea_unroll_options options = {
      .deadline = h->options.deadline, .memory = memory, .order = h->order};
  if (status == ALEA_OK) status = alea_cursor_fluents(h->cursor, &fluents);
  if (status == ALEA_OK) status = alea_unroll_new(&h->unroll, h->game, fluents, &options, h->mem);
  if (status == ALEA_LIMIT) h->no_more = true;
  return status == ALEA_LIMIT ? ALEA_OK : status;
}

/* ---- lengths ---- */

/* The literal of "state T is terminal with the goal of the level". */
static alea_status make_end(alea_bounded_plan *h, uint32_t t, alea_slit *end) {
  alea_slit both[2] = {alea_unroll_terminal(h->unroll, t), ALEA_SLIT_FALSE};
  alea_status status = ALEA_OK;
  if (both[0] != ALEA_SLIT_FALSE) status = alea_unroll_goal(h->unroll, t, 0, h->level, &both[1]);
  if (status == ALEA_OK) *end = alea_sat_gate(alea_unroll_sat(h->unroll), false, both, 2);
  return status;
}

/* Encodes all lengths up to T.  ALEA_LIMIT: that is not possible. */
static alea_status reach_length(alea_bounded_plan *h, uint32_t t) {
  if (t > h->longest) return ALEA_LIMIT;
  while (h->lengths.count <= t) {
    if (h->lengths.count > alea_unroll_stages(h->unroll)) {
      alea_status status = alea_unroll_extend(h->unroll);
      if (status != ALEA_OK) return status;
    }
    uint32_t last = (uint32_t)h->lengths.count;
    alea_slit end;
    alea_status status = make_end(h, last, &end);
    if (status != ALEA_OK) return status;
    if (!alea_vec_push(h->mem, &h->ends, end) || !alea_vec_push(h->mem, &h->lengths, OPEN))
      return alea_mem_lack(h->mem);
    /* The rules' own counting says that nothing is longer. */
    if (alea_unroll_terminal(h->unroll, last) == ALEA_SLIT_TRUE) h->longest = last;
  }
  return ALEA_OK;
}

/* Assumes that stages from 'closed' to T-1 are played: those before are known
 * to be. */
static alea_status assume_play(alea_bounded_plan *h, uint32_t t) {
  h->assumptions.count = 0;
  for (uint32_t i = h->closed; i < t; i++)
    if (!alea_vec_push(h->mem, &h->assumptions, alea_unroll_play(h->unroll, i)))
      return alea_mem_lack(h->mem);
  return ALEA_OK;
}

/* Closes lengths in order; a plan then has all stages below.  When the game
 * cannot go on beyond them, the level is refuted. */
static alea_status close_length(alea_bounded_plan *h, uint32_t t) {
  h->lengths.data[t] = CLOSED;
  h->ends.data[t] = ALEA_SLIT_FALSE;
  alea_status status = ALEA_OK;
  while (status == ALEA_OK && h->closed < h->lengths.count &&
         h->lengths.data[h->closed] == CLOSED) {
    if (alea_unroll_terminal(h->unroll, h->closed) == ALEA_SLIT_TRUE) {
      h->answer = ALEA_VERDICT_REFUTED;
      return ALEA_OK;
    }
    status = reach_length(h, h->closed + 1);
    if (status != ALEA_OK) return status;
    alea_slit play = alea_unroll_play(h->unroll, h->closed);
    alea_sat_clause(alea_unroll_sat(h->unroll), &play, 1);
    h->closed++;
    alea_verdict goes_on;
    status = alea_unroll_solve(h->unroll, NULL, 0, CHECK_CONFLICTS, &goes_on);
    if (status == ALEA_OK && goes_on == ALEA_VERDICT_REFUTED) {
      h->answer = ALEA_VERDICT_REFUTED;
      return ALEA_OK;
    }
  }
  return status;
}

/* The plan of the model. */
static alea_status take_model(alea_bounded_plan *h, uint32_t t) {
  h->moves.count = 0;
  for (uint32_t i = 0; i < t; i++)
    if (!alea_vec_push(h->mem, &h->moves, alea_unroll_chosen(h->unroll, i, 0)))
      return alea_mem_lack(h->mem);
  h->answer = ALEA_VERDICT_PROVED;
  return ALEA_OK;
}

/* Asks for a plan of exactly T steps. */
static alea_status ask_length(alea_bounded_plan *h, uint32_t t) {
  if (h->ends.data[t] == ALEA_SLIT_FALSE) return close_length(h, t);
  alea_status status = assume_play(h, t);
  if (status != ALEA_OK) return status;
  if (!alea_vec_push(h->mem, &h->assumptions, h->ends.data[t])) return alea_mem_lack(h->mem);
  alea_verdict answer;
  h->spent += h->conflicts;
  status = alea_unroll_solve(h->unroll, h->assumptions.data, h->assumptions.count, h->conflicts,
                             &answer);
  if (status != ALEA_OK || answer == ALEA_VERDICT_UNKNOWN) return status;
  return answer == ALEA_VERDICT_PROVED ? take_model(h, t) : close_length(h, t);
}

/* The first state that is terminal with the goal in the model. */
static uint32_t model_end(const alea_bounded_plan *h) {
  alea_sat *sat = alea_unroll_sat(h->unroll);
  for (uint32_t t = h->closed; t < h->lengths.count; t++)
    if (alea_sat_value(sat, h->ends.data[t])) return t;
  return 0;
}

/* Encodes the question about all lengths of the round. */
static alea_status begin_range(alea_bounded_plan *h) {
  uint32_t last = h->round_ends < h->longest ? h->round_ends : h->longest;
  alea_status status = reach_length(h, last);
  if (h->lengths.count == 0) return status;
  if (status == ALEA_LIMIT) status = ALEA_OK; /* those that exist */
  if (last >= h->lengths.count) last = (uint32_t)h->lengths.count - 1;
  h->range_ends = last;
  if (status == ALEA_OK)
    status = alea_unroll_ask_ends(h->unroll, h->ends.data, h->closed, last, &h->range);
  return status;
}

/* Asks for a plan of any length up to that of the round, with a part of the
 * conflicts at a time: the whole can take seconds, and other methods wait. */
static alea_status ask_range(alea_bounded_plan *h) {
  alea_status status = h->parts_left == RANGE_PARTS ? begin_range(h) : ALEA_OK;
  if (status != ALEA_OK || h->lengths.count == 0) {
    h->parts_left = 0;
    return status;
  }
  alea_verdict answer;
  h->parts_left--;
  h->spent += h->conflicts;
  status = alea_unroll_solve(h->unroll, &h->range, 1, h->conflicts, &answer);
  if (status != ALEA_OK || answer == ALEA_VERDICT_UNKNOWN) return status;
  h->parts_left = 0;
  if (answer == ALEA_VERDICT_PROVED) return take_model(h, model_end(h));
  for (uint32_t t = h->closed; t <= h->range_ends; t++) {
    if (status != ALEA_OK || h->answer == ALEA_VERDICT_REFUTED) break;
    if (h->lengths.data[t] == OPEN) status = close_length(h, t);
  }
  return status;
}

/* Every length up to the largest possible one was refuted. */
static bool all_closed(const alea_bounded_plan *h) {
  if (h->lengths.count == 0) return true;
  for (size_t t = h->closed; t < h->lengths.count; t++)
    if (h->lengths.data[t] == OPEN) return false;
  return h->lengths.count > h->longest;
}

/* The next question of the round; after the last the next round begins. */
static alea_status ask_next(alea_bounded_plan *h) {
  alea_status status = ALEA_OK;
  if (h->parts_left > 0) {
    status = ask_range(h);
  } else if (h->at > h->round_ends || h->at > h->longest) {
    h->no_more = all_closed(h);
    h->at = h->closed;
    h->conflicts *= 2;
    h->round_ends += h->round_ends / 2;
    h->parts_left = RANGE_PARTS;
  } else {
    status = reach_length(h, h->at);
    if (status == ALEA_OK && h->lengths.data[h->at] == OPEN) status = ask_length(h, h->at);
    h->at++;
  }
  if (status != ALEA_LIMIT || alea_deadline_passed(h->options.deadline))
    return status == ALEA_LIMIT ? ALEA_OK : status;
  /* No memory for more stages: those that exist go on being asked. */
  if (h->lengths.count > 0) h->longest = (uint32_t)h->lengths.count - 1;
  h->no_more = all_closed(h);
  return ALEA_OK;
}

/* ---- the interface ---- */

alea_status alea_bounded_plan_ask(alea_bounded_plan *h, alea_verdict *answer) {
  alea_status status = ALEA_OK;
  if (h->answer == ALEA_VERDICT_UNKNOWN && h->unroll != NULL) status = ask_next(h);
  *answer = h->answer;
  return status;
}

alea_list alea_bounded_plan_moves(const alea_bounded_plan *h) {
  return (alea_list){.ids = h->moves.data, .count = (uint32_t)h->moves.count};
}

bool alea_bounded_plan_spent(const alea_bounded_plan *h) { return h->no_more; }

alea_status alea_bounded_plan_new(alea_bounded_plan **plan, const alea_game *game,
                                  const uint64_t *words, size_t word_count,
                                  const alea_bounded_plan_options *options, alea_mem *mem) {
  *plan = NULL;
  alea_bounded_plan *h = alea_mem_zalloc(mem, sizeof *h);
  if (h == NULL) return alea_mem_lack(mem);
  h->mem = mem;
  h->game = game;
  h->options = *options;
  alea_status status = alea_cursor_new(game, mem, &h->cursor);
  if (status == ALEA_OK) status = alea_position_copy(&h->start, words, word_count, mem);
  if (status != ALEA_OK) {
    alea_bounded_plan_free(h);
    return status;
  }
  *plan = h;
  return ALEA_OK;
}

void alea_bounded_plan_free(alea_bounded_plan *h) {
  if (h == NULL) return;
  alea_unroll_free(h->unroll);
  alea_partial_order_free(h->order);
  alea_cursor_free(h->cursor);
  alea_vec_clear(h->mem, &h->start);
  alea_vec_clear(h->mem, &h->lengths);
  alea_vec_clear(h->mem, &h->ends);
  alea_vec_clear(h->mem, &h->assumptions);
  alea_vec_clear(h->mem, &h->moves);
  alea_mem_free(h->mem, h, sizeof *h);
}
