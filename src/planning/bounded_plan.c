/* Clauses over horizons. */
#include "planning/bounded_plan.h"

#include "game/position.h"
#include "unroll/core.h"

enum {
  FIRST_CONFLICTS = 500,     /* per horizon, in the first round */
  RANGE_PARTS = 8,           /* times that, for the question about all horizons */
  CHECK_CONFLICTS = 100,     /* to find that no play goes on */
  ANY_CONFLICTS = 1000,      /* to find that no state is such an end */
  COMMUTE_CONFLICTS = 20000, /* to find moves that may change places, */
  COMMUTE_SECONDS = 10,      /* and never more than this on a clock */
};
static const double COMMUTE_SHARE = 0.25;

typedef enum horizon { OPEN, CLOSED } horizon; /* is a win after exactly T steps still possible? */

struct alea_bounded_plan {
  alea_mem *mem;
  const alea_game *game;
  alea_bounded_plan_options options;
  alea_cursor *cursor;
  alea_u64s start;             /* the position */
  alea_partial_order *commute; /* may be NULL */
  bool sorted;                 /* that was looked for */
  alea_unroll *unroll;
  int level;        /* what an end is to be worth */
  uint32_t longest; /* horizon: by a limit, or because no play is longer */
  ALEA_VEC(uint8_t) horizons;
  ALEA_VEC(alea_slit) ends; /* by horizon: it ends there with the goal, 0 = not made */
  ALEA_VEC(alea_slit) assumptions;
  uint32_t closed;     /* all horizons below are closed */
  uint64_t conflicts;  /* per horizon, this round */
  uint32_t round_ends; /* largest horizon of the round */
  uint32_t at;         /* horizon to ask next */
  uint32_t parts_left; /* of the round's question about all horizons */
  alea_slit range;     /* that question, */
  uint32_t range_ends; /* and the last horizon it is about */
  bool no_more;        /* nothing is left to ask within the limits */
  uint64_t spent;      /* conflicts handed out */
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

/* Which moves may change places; once, for a part of the price. */
static alea_status find_commuting(alea_bounded_plan *h) {
  alea_deadline soon = {0};
  alea_effort effort = {.memory = h->options.memory, .conflicts = COMMUTE_CONFLICTS};
  if (h->options.deadline != NULL) {
    double now = alea_clock_wall(), thread = alea_clock_thread();
    soon = *h->options.deadline;
    if (soon.at > 0) soon.at = now + COMMUTE_SHARE * (soon.at - now);
    soon.thread_at =
        thread + (soon.thread_at > 0 ? COMMUTE_SHARE * (soon.thread_at - thread) : COMMUTE_SECONDS);
    effort.deadline = &soon;
  }
  h->sorted = true;
  return alea_partial_order_new(&h->commute, h->game, &effort, h->mem);
}

/* Whether any state at all, to be reached or not, is an end of the level. */
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
  h->horizons.count = h->ends.count = 0;
  h->closed = h->at = 0;
  h->longest = h->options.max_stages;
  h->conflicts = FIRST_CONFLICTS;
  h->round_ends = h->options.first_stages;
  h->parts_left = RANGE_PARTS;
  alea_status status = ask_any_state(h, &h->answer);
  if (h->answer == ALEA_VERDICT_REFUTED) return status;
  h->answer = ALEA_VERDICT_UNKNOWN; /* such a state need not be reached */
  if (status == ALEA_OK) status = alea_cursor_load(h->cursor, h->start.data, h->start.count);
  if (status == ALEA_OK && !h->sorted) status = find_commuting(h);
  alea_unroll_options options = {
      .deadline = h->options.deadline, .memory = memory, .commute = h->commute};
  if (status == ALEA_OK) status = alea_cursor_fluents(h->cursor, &fluents);
  if (status == ALEA_OK) status = alea_unroll_new(&h->unroll, h->game, fluents, &options, h->mem);
  if (status == ALEA_LIMIT) h->no_more = true;
  return status == ALEA_LIMIT ? ALEA_OK : status;
}

/* ---- horizons ---- */

/* The literal of "state T is an end with the goal of the level". */
static alea_status make_end(alea_bounded_plan *h, uint32_t t, alea_slit *end) {
  alea_slit both[2] = {alea_unroll_terminal(h->unroll, t), ALEA_SLIT_FALSE};
  alea_status status = ALEA_OK;
  if (both[0] != ALEA_SLIT_FALSE) status = alea_unroll_goal(h->unroll, t, 0, h->level, &both[1]);
  if (status == ALEA_OK) *end = alea_sat_gate(alea_unroll_sat(h->unroll), false, both, 2);
  return status;
}

/* Makes horizon T askable.  ALEA_LIMIT: it cannot be. */
static alea_status reach_horizon(alea_bounded_plan *h, uint32_t t) {
  if (t > h->longest) return ALEA_LIMIT;
  while (h->horizons.count <= t) {
    if (h->horizons.count > alea_unroll_stages(h->unroll)) {
      alea_status status = alea_unroll_extend(h->unroll);
      if (status != ALEA_OK) return status;
    }
    uint32_t last = (uint32_t)h->horizons.count;
    alea_slit end;
    alea_status status = make_end(h, last, &end);
    if (status != ALEA_OK) return status;
    if (!alea_vec_push(h->mem, &h->ends, end) || !alea_vec_push(h->mem, &h->horizons, OPEN))
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

/* Closes horizons in order; a win then needs all their stages played.  When no
 * play goes on beyond, the level is refuted. */
static alea_status close_horizon(alea_bounded_plan *h, uint32_t t) {
  h->horizons.data[t] = CLOSED;
  h->ends.data[t] = ALEA_SLIT_FALSE;
  alea_status status = ALEA_OK;
  while (status == ALEA_OK && h->closed < h->horizons.count &&
         h->horizons.data[h->closed] == CLOSED) {
    if (alea_unroll_terminal(h->unroll, h->closed) == ALEA_SLIT_TRUE) {
      h->answer = ALEA_VERDICT_REFUTED;
      return ALEA_OK;
    }
    status = reach_horizon(h, h->closed + 1);
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

/* The play of the model. */
static alea_status take_model(alea_bounded_plan *h, uint32_t t) {
  h->moves.count = 0;
  for (uint32_t i = 0; i < t; i++)
    if (!alea_vec_push(h->mem, &h->moves, alea_unroll_chosen(h->unroll, i, 0)))
      return alea_mem_lack(h->mem);
  h->answer = ALEA_VERDICT_PROVED;
  return ALEA_OK;
}

/* Asks for an end after exactly T steps. */
static alea_status ask_horizon(alea_bounded_plan *h, uint32_t t) {
  if (h->ends.data[t] == ALEA_SLIT_FALSE) return close_horizon(h, t);
  alea_status status = assume_play(h, t);
  if (status != ALEA_OK) return status;
  if (!alea_vec_push(h->mem, &h->assumptions, h->ends.data[t])) return alea_mem_lack(h->mem);
  alea_verdict answer;
  h->spent += h->conflicts;
  status = alea_unroll_solve(h->unroll, h->assumptions.data, h->assumptions.count, h->conflicts,
                             &answer);
  if (status != ALEA_OK || answer == ALEA_VERDICT_UNKNOWN) return status;
  return answer == ALEA_VERDICT_PROVED ? take_model(h, t) : close_horizon(h, t);
}

/* The first state that is an end with the goal in the model. */
static uint32_t model_end(const alea_bounded_plan *h) {
  alea_sat *sat = alea_unroll_sat(h->unroll);
  for (uint32_t t = h->closed; t < h->horizons.count; t++)
    if (alea_sat_value(sat, h->ends.data[t])) return t;
  return 0;
}

/* Writes down the question about all horizons of the round. */
static alea_status begin_range(alea_bounded_plan *h) {
  uint32_t last = h->round_ends < h->longest ? h->round_ends : h->longest;
  alea_status status = reach_horizon(h, last);
  if (h->horizons.count == 0) return status;
  if (status == ALEA_LIMIT) status = ALEA_OK; /* with what there is */
  if (last >= h->horizons.count) last = (uint32_t)h->horizons.count - 1;
  h->range_ends = last;
  if (status == ALEA_OK)
    status = alea_unroll_ask_ends(h->unroll, h->ends.data, h->closed, last, &h->range);
  return status;
}

/* Asks for an end after any number of steps up to the end of the round, a part
 * at a time: the whole can take seconds, and others are waiting. */
static alea_status ask_range(alea_bounded_plan *h) {
  alea_status status = h->parts_left == RANGE_PARTS ? begin_range(h) : ALEA_OK;
  if (status != ALEA_OK || h->horizons.count == 0) {
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
    if (h->horizons.data[t] == OPEN) status = close_horizon(h, t);
  }
  return status;
}

/* Every horizon up to the last that can be had was refuted. */
static bool all_closed(const alea_bounded_plan *h) {
  if (h->horizons.count == 0) return true;
  for (size_t t = h->closed; t < h->horizons.count; t++)
    if (h->horizons.data[t] == OPEN) return false;
  return h->horizons.count > h->longest;
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
    status = reach_horizon(h, h->at);
    if (status == ALEA_OK && h->horizons.data[h->at] == OPEN) status = ask_horizon(h, h->at);
    h->at++;
  }
  if (status != ALEA_LIMIT || alea_deadline_passed(h->options.deadline))
    return status == ALEA_LIMIT ? ALEA_OK : status;
  /* No memory for more stages: those that exist go on being asked. */
  if (h->horizons.count > 0) h->longest = (uint32_t)h->horizons.count - 1;
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

alea_status alea_bounded_plan_new(alea_bounded_plan **horizons, const alea_game *game,
                                  const uint64_t *words, size_t word_count,
                                  const alea_bounded_plan_options *options, alea_mem *mem) {
  *horizons = NULL;
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
  *horizons = h;
  return ALEA_OK;
}

void alea_bounded_plan_free(alea_bounded_plan *h) {
  if (h == NULL) return;
  alea_unroll_free(h->unroll);
  alea_partial_order_free(h->commute);
  alea_cursor_free(h->cursor);
  alea_vec_clear(h->mem, &h->start);
  alea_vec_clear(h->mem, &h->horizons);
  alea_vec_clear(h->mem, &h->ends);
  alea_vec_clear(h->mem, &h->assumptions);
  alea_vec_clear(h->mem, &h->moves);
  alea_mem_free(h->mem, h, sizeof *h);
}
