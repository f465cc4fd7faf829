/* Playing batches: games are started, stepped, finished and counted, all of a
 * word of lanes at once.
 *
 * A lane whose game has ended idles until the next refill.  A refill costs
 * about the same for one lane as for many, so it waits until the idle lanes
 * have cost as much as it does.  Games at a tick of the clock can start only
 * when the clock is there. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "game/playout.h"
#include "propnet/lanes_sampler.h"

typedef alea_lane_word word;

enum {
  MAX_COHORTS = 2 * ALEA_LANES, /* at most ALEA_LANES of them are not empty */
  CLOCK_STEPS = 64,             /* steps between two looks at the time */
  FEW = 8,                      /* fewer lanes from one position are loaded with others */
  ASK_WORK = 100000,            /* words moved between two questions whether it is over */
  TRANSPOSE_WORK = 6 * 32 * 4,  /* words moved to transpose 64 columns */
};
#define NO_REQUEST UINT32_MAX

/* Lanes that were started together. */
typedef struct cohort {
  uint64_t step;
  word lanes; /* of them those not started again since, once compacted */
} cohort;

typedef struct batch {
  alea_lanes_sampler *s;
  const alea_lanes *lanes;
  const alea_sample_request *requests;
  alea_sample_result *results;
  const alea_lanes_starts *starts;    /* in place of requests and results; NULL: these */
  uint64_t states;                    /* next-state computations of all games */
  const alea_lanes_program *programs; /* one per tick */
  uint32_t ticks, tick;
  uint64_t step;
  uint32_t cap;
  /* Requests wait in queues by the tick of their position. */
  uint32_t head[ALEA_LANES_MAX_TICKS];
  uint32_t tail[ALEA_LANES_MAX_TICKS];
  uint32_t unstarted[ALEA_LANES_MAX_TICKS]; /* playouts of the head */
  uint32_t *next;                           /* per request */
  uint32_t only;               /* the request, when there is just one: owners are not kept then */
  alea_lanes_team *team;       /* NULL: each lane plays for itself */
  word leaders;                /* lanes that have games: all of them, or those that lead */
  word live;                   /* lanes with a game in progress */
  word pending;                /* lanes whose finished game waits for its goals */
  uint64_t waste, waste_limit; /* idle lanes, summed over steps; when to refill */
  cohort *cohorts;
  size_t cohort_count;
  uint64_t cap_check;                   /* no game reaches the cap before this step */
  double stop_at;                       /* CPU seconds; 0 = never */
  const alea_sample_listener *listener; /* may be NULL */
  const alea_sample_watcher *watcher;   /* the same */
  const alea_sample_options *options;   /* may be NULL */
  uint32_t patience, ask_in;            /* steps between two questions whether it is over */
  bool begun;                           /* games begin at this step */
  bool over;
} batch;

/* Whether somebody wants to know of single games. */
static bool tells(const batch *b) { return b->listener != NULL || b->watcher != NULL; }

/* ---- counting ---- */

static void count_goals(const batch *b, alea_sample_result *result, word finished,
                        const word *slots, const uint32_t *lits) {
  const alea_net *net = b->lanes->net;
  uint32_t role = UINT32_MAX;
  word left = finished;
  for (size_t i = 0; i < net->goals.count; i++) {
    const alea_net_goal *goal = &net->goals.data[b->lanes->goal_order[i]];
    if (goal->role != role) left = finished;
    role = goal->role;
    if (goal->value == 0 || !alea_lane_any(left)) continue;
    word holds = alea_lane_and(left, alea_lanes_value(slots, lits[b->lanes->goal_order[i]]));
    left = alea_lane_andn(left, holds);
    double count = alea_lane_count(holds), value = goal->value;
    result->sum[role] += count * value;
    result->sum_squares[role] += count * value * value;
  }
}

/* The same where lanes belong to different requests. */
static void credit_goals(const batch *b, word finished, const word *slots, const uint32_t *lits) {
  const alea_net *net = b->lanes->net;
  uint32_t role = UINT32_MAX;
  word left = finished;
  for (size_t i = 0; i < net->goals.count; i++) {
    const alea_net_goal *goal = &net->goals.data[b->lanes->goal_order[i]];
    if (goal->role != role) left = finished;
    role = goal->role;
    if (goal->value == 0 || !alea_lane_any(left)) continue;
    word holds = alea_lane_and(left, alea_lanes_value(slots, lits[b->lanes->goal_order[i]]));
    left = alea_lane_andn(left, holds);
    for (uint32_t lane; (lane = alea_lane_pop(&holds)) < ALEA_LANES;) {
      alea_sample_result *result = &b->results[b->s->owner[lane]];
      result->sum[role] += goal->value;
      result->sum_squares[role] += (double)goal->value * goal->value;
      if (tells(b)) b->s->lane_goals[(size_t)lane * net->role_count + role] = (uint8_t)goal->value;
    }
  }
}

/* What role 'role' got in the games of 'lanes', which are no requests. */
static void note_goal(const batch *b, uint32_t role, word lanes, float goal) {
  uint32_t roles = b->lanes->net->role_count;
  float *goals = b->starts->goals + role;
  for (uint32_t p = 0; p < ALEA_LANE_PARTS; p++)
    for (uint64_t left = lanes.part[p]; left != 0; left &= left - 1)
      goals[(size_t)b->s->owner[64 * p + (uint32_t)__builtin_ctzll(left)] * roles] = goal;
}

/* As credit_goals.  Roles without a goal get 0. */
static void note_goals(const batch *b, word finished, const word *slots, const uint32_t *lits) {
  const alea_net *net = b->lanes->net;
  size_t i = 0;
  for (uint32_t role = 0; role < net->role_count; role++) {
    word left = finished;
    for (; i < net->goals.count; i++) {
      uint32_t g = b->lanes->goal_order[i];
      if (net->goals.data[g].role != role) break;
      if (net->goals.data[g].value == 0 || !alea_lane_any(left)) continue;
      word holds = alea_lane_and(left, alea_lanes_value(slots, lits[g]));
      left = alea_lane_andn(left, holds);
      note_goal(b, role, holds, (float)net->goals.data[g].value);
    }
    note_goal(b, role, left, 0);
  }
}

static void tell_listener(const batch *b, uint32_t lane, const uint8_t *goals) {
  size_t count = ALEA_LANES_FN(log_game)(b->s->log, lane);
  b->listener->heard(b->listener->context, b->s->owner[lane], b->s->log->game, count, goals);
}

/* Tells of the games that ended in 'finished', with the positions in 'slots'; those that were
 * 'cut' are not shown. */
static void tell(const batch *b, word finished, const word *slots, bool cut) {
  uint32_t roles = b->lanes->net->role_count;
  for (uint32_t lane; (lane = alea_lane_pop(&finished)) < ALEA_LANES;) {
    uint8_t *goals = b->s->lane_goals + (size_t)lane * roles;
    if (b->listener != NULL) tell_listener(b, lane, goals);
    if (b->watcher != NULL && !cut) ALEA_LANES_FN(album_show)
    (b->s->album, b->watcher, lane, b->s->started_at[lane], slots + ALEA_LANES_FIRST_FLUENT, goals);
    memset(goals, 0, roles);
  }
}

static void score(const batch *b, word finished, const word *slots, const uint32_t *lits) {
  if (b->starts != NULL)
    note_goals(b, finished, slots, lits);
  else if (b->only != NO_REQUEST)
    count_goals(b, &b->results[b->only], finished, slots, lits);
  else
    credit_goals(b, finished, slots, lits);
  if (tells(b)) tell(b, finished, slots, false);
}

/* Books the ends of games, and with several requests their lengths. */
static void book(batch *b, word ended, bool finished) {
  if (b->starts != NULL) return; /* goals say it: those of unfinished games stay -1 */
  if (b->only != NO_REQUEST) {
    alea_sample_result *result = &b->results[b->only];
    *(finished ? &result->playouts : &result->unfinished) += alea_lane_count(ended);
    return;
  }
  for (uint32_t lane; (lane = alea_lane_pop(&ended)) < ALEA_LANES;) {
    alea_sample_result *result = &b->results[b->s->owner[lane]];
    ++*(finished ? &result->playouts : &result->unfinished);
    result->states += b->step - b->s->started_at[lane];
  }
}

/* ---- ends of games ---- */

/* The fluents of all lanes.  Programs that know the clock do not store it, so that is
 * done here. */
static const word *fluents_now(batch *b) {
  const alea_lanes *lanes = b->lanes;
  word *fluents = b->s->slots.words + ALEA_LANES_FIRST_FLUENT;
  const uint8_t *fixed = lanes->clock.fixed + (size_t)b->tick * lanes->net->fluent_count;
  for (size_t i = 0; b->ticks > 1 && i < lanes->clock.fluents.count; i++) {
    uint32_t f = lanes->clock.fluents.data[i];
    fluents[f] = alea_lane_fill(fixed[f] == ALEA_LANES_TRUE);
  }
  return fluents;
}

/* Keeps the final positions of lanes until their goals are evaluated. */
static void put_aside(batch *b, word finished) {
  const alea_lanes *lanes = b->lanes;
  const word *from = fluents_now(b);
  word *to = b->s->finished.words + ALEA_LANES_FIRST_FLUENT;
  for (uint32_t f = 0; f < lanes->net->fluent_count; f++) ALEA_LANE_EACH_UNIT(u) {
      to[f].unit[u] = (to[f].unit[u] & ~finished.unit[u]) | (from[f].unit[u] & finished.unit[u]);
    }
  b->pending = alea_lane_or(b->pending, finished);
}

/* Evaluates the goals of the games put aside. */
static void settle(batch *b) {
  if (!alea_lane_any(b->pending)) return;
  ALEA_LANES_FN(eval)(&b->lanes->goals, ALEA_LANES_GOAL, ALEA_LANES_ANEW, b->s->finished.words);
  score(b, b->pending, b->s->finished.words, b->lanes->goals.goals);
  b->pending = alea_lane_fill(false);
}

static void finish(batch *b, const alea_lanes_program *program, word finished) {
  word *slots = b->s->slots.words;
  book(b, finished, true);
  b->live = alea_lane_andn(b->live, finished);
  if (b->listener != NULL) ALEA_LANES_FN(log_end)(b->s->log, finished);
  if (b->watcher != NULL) ALEA_LANES_FN(album_end)(b->s->album, finished, b->step);
  if (b->lanes->goals_deferred) {
    put_aside(b, finished);
  } else {
    ALEA_LANES_FN(eval)(program, ALEA_LANES_GOAL, ALEA_LANES_GROWN, slots);
    if (b->watcher != NULL) (void)fluents_now(b);
    score(b, finished, slots, program->goals);
  }
}

/* What holds in 'lanes', in scores. */
static void add_scores(const batch *b, word lanes, int32_t *scores) {
  const alea_sample_worth *worth = b->options->worth;
  const alea_lanes *all = b->lanes;
  const word *fluents = b->s->slots.words + ALEA_LANES_FIRST_FLUENT;
  const uint8_t *fixed = all->clock.fixed + (size_t)b->tick * all->net->fluent_count;
  int32_t base = worth->base;
  bool clocked = b->ticks > 1; /* programs that know the clock do not store it */
  for (size_t i = 0; clocked && i < all->clock.fluents.count; i++) {
    uint32_t f = all->clock.fluents.data[i];
    if (fixed[f] == ALEA_LANES_TRUE) base += worth->scores[f];
  }
  for (uint32_t lane = 0; lane < ALEA_LANES; lane++) scores[lane] = base;
  for (uint32_t f = 0; f < all->net->fluent_count; f++) {
    if (worth->scores[f] == 0 || (clocked && fixed[f] != ALEA_LANES_FREE)) continue;
    for (uint32_t p = 0; p < ALEA_LANE_PARTS; p++)
      for (uint64_t left = fluents[f].part[p] & lanes.part[p]; left != 0; left &= left - 1)
        scores[64 * p + (uint32_t)__builtin_ctzll(left)] += worth->scores[f];
  }
}

/* Values the games of 'lanes', which go on no further. */
static void appraise(const batch *b, word lanes) {
  int32_t scores[ALEA_LANES];
  word left = lanes;
  add_scores(b, lanes, scores);
  for (uint32_t lane; (lane = alea_lane_pop(&left)) < ALEA_LANES;) {
    alea_sample_result *result = &b->results[b->only != NO_REQUEST ? b->only : b->s->owner[lane]];
    double share = 100 * (double)alea_sample_share(scores[lane]);
    for (uint32_t r = 0; r < 2; r++) {
      double goal = r == b->options->worth->role ? share : 100 - share;
      result->sum[r] += goal;
      result->sum_squares[r] += goal * goal;
      if (b->listener != NULL) b->s->lane_goals[(size_t)lane * 2 + r] = (uint8_t)lrint(goal);
    }
  }
  if (b->listener == NULL) return;
  ALEA_LANES_FN(log_end)(b->s->log, lanes);
  tell(b, lanes, b->s->slots.words, true);
}

static void give_up(batch *b, word lanes) {
  book(b, lanes, false);
  b->live = alea_lane_andn(b->live, lanes);
}

/* Takes lanes that were started again out of older cohorts, and drops those
 * that are empty. */
static void compact_cohorts(batch *b) {
  word seen = alea_lane_fill(false);
  size_t kept = MAX_COHORTS;
  for (size_t i = b->cohort_count; i-- > 0;) {
    word lanes = alea_lane_and(alea_lane_andn(b->cohorts[i].lanes, seen), b->live);
    seen = alea_lane_or(seen, b->cohorts[i].lanes);
    if (!alea_lane_any(lanes)) continue;
    b->cohorts[--kept] = (cohort){.step = b->cohorts[i].step, .lanes = lanes};
  }
  b->cohort_count = MAX_COHORTS - kept;
  memmove(b->cohorts, b->cohorts + kept, b->cohort_count * sizeof *b->cohorts);
}

/* Ends the games that have made as many steps as they may. */
static void check_cap(batch *b) {
  if (b->step < b->cap_check) return;
  compact_cohorts(b);
  size_t i = 0;
  for (; i < b->cohort_count && b->cohorts[i].step + b->cap <= b->step; i++) {
    if (b->options != NULL && b->options->worth != NULL) appraise(b, b->cohorts[i].lanes);
    give_up(b, b->cohorts[i].lanes);
  }
  b->cap_check = (i < b->cohort_count ? b->cohorts[i].step : b->step) + b->cap;
}

/* ---- starts of games ---- */

static bool waiting_anywhere(const batch *b) {
  for (uint32_t t = 0; t < b->ticks; t++)
    if (b->head[t] != NO_REQUEST) return true;
  return false;
}

static const uint64_t *position_of(const batch *b, uint32_t request) {
  if (b->starts != NULL) return b->starts->words + request * b->s->word_count;
  const uint64_t *words = b->requests[request].words;
  return words != NULL ? words : b->s->initial;
}

/* The first 'count' lanes of 'from', all of it if it has no more. */
static word first_lanes(word from, uint32_t count) {
  if (count >= alea_lane_count(from)) return from;
  word chosen = alea_lane_fill(false);
  for (; count > 0; count--) alea_lane_set(&chosen, alea_lane_pop(&from));
  return chosen;
}

/* How many games a request wants; positions that are no requests want one. */
static uint32_t games_of(const batch *b, uint32_t request) {
  return b->starts != NULL ? 1 : b->requests[request].playouts;
}

static void pass_to_next(batch *b, uint32_t tick) {
  uint32_t next = b->next[b->head[tick]];
  b->head[tick] = next;
  b->unstarted[tick] = next == NO_REQUEST ? 0 : games_of(b, next);
}

/* The lane begins a game of the request, from its position once that is loaded. */
static void give_lane(batch *b, uint32_t lane, uint32_t request) {
  b->s->owner[lane] = request;
  b->s->started_at[lane] = b->step;
  b->s->position[lane] = position_of(b, request);
}

/* Starts games of the request at the head of the queue in as many lanes of '*dead'
 * as it has playouts for.  Positions of few lanes are left to 'various'. */
static void start_some(batch *b, word *dead, word *various) {
  uint32_t request = b->head[b->tick];
  word mask = first_lanes(*dead, b->unstarted[b->tick]), lanes = mask;
  uint32_t count = alea_lane_count(mask);
  while (b->only == NO_REQUEST && alea_lane_any(lanes))
    give_lane(b, alea_lane_pop(&lanes), request);
  if (b->only == NO_REQUEST && count < FEW)
    *various = alea_lane_or(*various, mask);
  else
    ALEA_LANES_FN(load_one)
  (b->s->slots.words + ALEA_LANES_FIRST_FLUENT, b->lanes->net->fluent_count,
   position_of(b, request), mask);
  b->unstarted[b->tick] -= count;
  if (b->unstarted[b->tick] == 0) pass_to_next(b, b->tick);
  *dead = alea_lane_andn(*dead, mask);
}

/* The same for requests of a single playout, one after the other: what is done to a
 * whole word for each of them would cost more than their games. */
static void start_singles(batch *b, word *dead, word *various) {
  for (uint32_t p = 0; p < ALEA_LANE_PARTS; p++)
    for (uint64_t left = dead->part[p]; left != 0; left &= left - 1) {
      if (b->head[b->tick] == NO_REQUEST || b->unstarted[b->tick] != 1) return;
      uint32_t i = (uint32_t)__builtin_ctzll(left);
      give_lane(b, 64 * p + i, b->head[b->tick]);
      dead->part[p] &= ~(UINT64_C(1) << i);
      various->part[p] |= UINT64_C(1) << i;
      pass_to_next(b, b->tick);
    }
}

/* Lanes that play the games of 'lanes'. */
static word with_teams(const batch *b, word lanes) {
  return b->team != NULL ? ALEA_LANES_FN(team_of)(b->team, lanes) : lanes;
}

/* Starts new games in all idle lanes, as far as requests at this tick go. */
static void refill(batch *b) {
  settle(b);
  if (b->cohort_count == MAX_COHORTS) compact_cohorts(b);
  word idle = alea_lane_andn(b->leaders, b->live), dead = idle;
  word various = alea_lane_fill(false);
  while (b->head[b->tick] != NO_REQUEST && alea_lane_any(dead)) {
    if (b->only == NO_REQUEST) start_singles(b, &dead, &various);
    if (b->head[b->tick] != NO_REQUEST && alea_lane_any(dead)) start_some(b, &dead, &various);
  }
  word fresh = alea_lane_andn(idle, dead);
  if (alea_lane_any(various)) ALEA_LANES_FN(load_many)
  (b->s->slots.words + ALEA_LANES_FIRST_FLUENT, b->lanes->net->fluent_count, b->s->position,
   various);
  b->cohorts[b->cohort_count++] = (cohort){.step = b->step, .lanes = fresh};
  b->live = alea_lane_or(b->live, fresh);
  b->begun = true;
  ALEA_LANES_FN(forget)(b->programs, with_teams(b, fresh), b->s->slots.words);
  if (b->listener != NULL) ALEA_LANES_FN(log_start)(b->s->log, fresh);
  b->waste = 0;
}

static void out_of_time(batch *b) {
  for (uint32_t t = 0; t < b->ticks; t++) b->head[t] = NO_REQUEST;
}

/* Asks, every now and then, whether to go on; where not, nothing is in
 * progress any more. */
static void ask_whether_over(batch *b) {
  if (b->options == NULL || b->options->over == NULL || b->ask_in-- > 0) return;
  b->ask_in = b->patience;
  b->over = b->options->over(b->options->over_context);
  if (!b->over) return;
  out_of_time(b);
  b->live = alea_lane_fill(false);
}

/* Starts what there is to start; false when nothing is in progress after. */
static bool start_games(batch *b) {
  if (b->stop_at != 0 && b->step % CLOCK_STEPS == 0 && alea_clock_thread() >= b->stop_at)
    out_of_time(b);
  ask_whether_over(b);
  bool idle = !alea_lane_any(b->live);
  b->begun = false;
  if (idle) { /* the clock need not be waited for */
    if (!waiting_anywhere(b)) return false;
    while (b->head[b->tick] == NO_REQUEST) b->tick = (b->tick + 1) % b->ticks;
  }
  if (b->head[b->tick] != NO_REQUEST && (idle || b->waste >= b->waste_limit)) refill(b);
  return true;
}

/* ---- steps ---- */

static void count_states(batch *b) {
  uint32_t live = alea_lane_count(b->live);
  if (b->only != NO_REQUEST) b->results[b->only].states += live;
  b->states += live;
  b->waste += alea_lane_count(b->leaders) - live;
}

static void choose_moves(batch *b, const alea_lanes_program *program) {
  word stuck = alea_lane_fill(false), playing = with_teams(b, b->live);
  for (uint32_t r = 0; r < program->role_count; r++)
    stuck = alea_lane_or(
        stuck, ALEA_LANES_FN(pick)(&b->s->picker, program, r, b->s->slots.words, playing));
  stuck = alea_lane_and(stuck, b->leaders);
  if (alea_lane_any(stuck)) give_up(b, stuck);
  if (b->listener != NULL)
    ALEA_LANES_FN(log_picks)(b->s->log, &b->s->picker, program, b->s->slots.words, b->live);
  ALEA_LANES_FN(picker_scatter)(&b->s->picker, program, b->s->slots.words);
}

/* Of the positions that a team has reached the best is the game's. */
static void decide(batch *b) {
  word *slots = b->s->slots.words;
  uint32_t tick = b->tick + 1 == b->ticks ? 0 : b->tick + 1;
  ALEA_LANES_FN(team_look)(b->team, &b->programs[tick], slots);
  ALEA_LANES_FN(team_decide)(b->team, slots + ALEA_LANES_FIRST_FLUENT);
}

static void play(batch *b) {
  word *slots = b->s->slots.words;
  while (start_games(b)) {
    const alea_lanes_program *program = &b->programs[b->tick];
    if (b->team != NULL) ALEA_LANES_FN(team_spread)(b->team, slots + ALEA_LANES_FIRST_FLUENT);
    ALEA_LANES_FN(eval)
    (program, ALEA_LANES_STATE, b->begun || b->team != NULL ? ALEA_LANES_GROWN : ALEA_LANES_LAST,
     slots);
    word finished = alea_lane_and(b->live, alea_lanes_value(slots, program->terminal));
    if (alea_lane_any(finished)) finish(b, program, finished);
    check_cap(b);
    if (b->watcher != NULL && ALEA_LANES_FN(album_wants)(b->s->album, b->step))
      ALEA_LANES_FN(album_take)(b->s->album, fluents_now(b));
    if (b->team != NULL) ALEA_LANES_FN(team_ask)(b->team, program, slots);
    choose_moves(b, program);
    ALEA_LANES_FN(eval)(program, ALEA_LANES_NEXT, ALEA_LANES_GROWN, slots);
    if (b->team != NULL) decide(b);
    count_states(b);
    b->step++;
    b->tick = b->tick + 1 == b->ticks ? 0 : b->tick + 1;
  }
  settle(b);
}

/* ---- requests ---- */

/* What a step costs, in words moved. */
static uint64_t step_cost(const batch *b) {
  const alea_lanes_program *p = &b->programs[0];
  uint64_t step = 40;
  for (int section = 0; section < ALEA_LANES_SECTIONS; section++)
    if (section != ALEA_LANES_GOAL) step += p->op_count[section] + p->operand_count[section];
  for (uint32_t r = 0; r < p->role_count; r++) step += 8 * (uint64_t)p->roles[r].move_count;
  return step;
}

/* How long to let lanes idle: the cost of a refill over that of a step. */
static uint64_t waste_limit(const batch *b) {
  uint64_t refill_cost =
      40 + 3 * (uint64_t)b->lanes->net->fluent_count + 2 * b->lanes->kept.nodes.count;
  if (b->lanes->goals_deferred)
    refill_cost +=
        b->lanes->goals.op_count[ALEA_LANES_GOAL] + b->lanes->goals.operand_count[ALEA_LANES_GOAL];
  if (b->starts != NULL) refill_cost += TRANSPOSE_WORK * b->s->word_count;
  return ALEA_LANES * refill_cost / step_cost(b);
}

static void enqueue(batch *b, uint32_t request, uint32_t tick) {
  b->next[request] = NO_REQUEST;
  if (b->head[tick] == NO_REQUEST) {
    b->head[tick] = request;
    b->unstarted[tick] = games_of(b, request);
  } else {
    b->next[b->tail[tick]] = request;
  }
  b->tail[tick] = request;
}

/* Queues the requests whose position is at a tick of the clock, or with
 * 'clocked' false the others; how many there are. */
static uint32_t enqueue_requests(batch *b, size_t count, bool clocked) {
  uint32_t queued = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (b->requests[i].playouts == 0) continue;
    uint32_t tick = alea_lanes_clock_tick(&b->lanes->clock, position_of(b, i));
    if ((tick < b->lanes->clock.ticks) != clocked) continue;
    enqueue(b, i, clocked ? tick : 0);
    b->only = queued++ == 0 ? i : NO_REQUEST;
  }
  if (tells(b)) b->only = NO_REQUEST; /* the request of every game is kept */
  return queued;
}

/* The same for positions that are no requests. */
static uint32_t enqueue_starts(batch *b, bool clocked) {
  const alea_lanes_starts *starts = b->starts;
  uint32_t queued = 0, ticks = b->lanes->clock.ticks;
  for (size_t block = 0; block * ALEA_LANES < starts->count; block++) {
    uint32_t tick = starts->ticks[block];
    bool known = tick != ALEA_LANES_NO_TICK;
    word from = starts->from[block];
    if (known && !clocked) continue;
    for (uint32_t lane; (lane = alea_lane_pop(&from)) < ALEA_LANES;) {
      uint32_t i = (uint32_t)block * ALEA_LANES + lane;
      if (!known) tick = alea_lanes_clock_tick(&b->lanes->clock, position_of(b, i));
      if ((tick < ticks) != clocked) continue;
      enqueue(b, i, clocked ? tick : 0);
      queued++;
    }
  }
  b->only = NO_REQUEST;
  return queued;
}

static uint32_t enqueue_all(batch *b, size_t count, bool clocked) {
  for (uint32_t t = 0; t < b->ticks; t++) b->head[t] = NO_REQUEST;
  return b->starts != NULL ? enqueue_starts(b, clocked) : enqueue_requests(b, count, clocked);
}

static void run_batch(batch *b, size_t count, bool clocked) {
  b->ticks = clocked ? b->lanes->clock.ticks : 1;
  b->programs = clocked ? b->lanes->ticks : &b->lanes->general;
  if (b->over || enqueue_all(b, count, clocked) == 0) return;
  b->live = b->pending = alea_lane_fill(false);
  b->leaders = b->team != NULL ? ALEA_LANES_FN(team_leaders)(b->team) : alea_lane_fill(true);
  b->tick = 0;
  b->step = b->waste = 0;
  b->cohort_count = 0;
  b->cap_check = b->cap;
  b->waste_limit = waste_limit(b);
  b->ask_in = b->patience = (uint32_t)(ASK_WORK / step_cost(b));
  if (b->watcher != NULL) ALEA_LANES_FN(album_begin)(b->s->album, b->watcher->every);
  play(b);
}

static alea_status check_requests(const alea_lanes_sampler *s, const alea_sample_request *requests,
                                  size_t count, const alea_sample_options *options) {
  if (count >= NO_REQUEST) return ALEA_USAGE;
  if (options != NULL && options->tries != NULL && options->listener != NULL) return ALEA_USAGE;
  for (size_t i = 0; i < count; i++)
    if (requests[i].words != NULL && requests[i].word_count != s->word_count) return ALEA_USAGE;
  return ALEA_OK;
}

static void clear_result(alea_sample_result *result, uint32_t roles) {
  result->playouts = result->unfinished = result->states = 0;
  for (uint32_t r = 0; r < roles; r++) result->sum[r] = result->sum_squares[r] = 0;
}

static bool make_album(alea_lanes_sampler *s) {
  alea_lanes_album *album = alea_mem_zalloc(s->mem, sizeof *album);
  if (album == NULL) return false;
  if (ALEA_LANES_FN(album_init)(album, s->lanes->net->fluent_count, s->mem)) {
    s->album = album;
    return true;
  }
  ALEA_LANES_FN(album_clear)(album, s->mem);
  alea_mem_free(s->mem, album, sizeof *album);
  return false;
}

/* What listening, watching and guiding need beyond plain play. */
static alea_status prepare(alea_lanes_sampler *s, const alea_sample_options *options) {
  s->picker.guide = options != NULL ? options->guide : NULL;
  if (s->picker.guide != NULL) {
    alea_status status = ALEA_LANES_FN(picker_prepare_guide)(&s->picker);
    if (status != ALEA_OK) return status;
  }
  bool listens = options != NULL && options->listener != NULL;
  bool watches = options != NULL && options->watcher != NULL;
  if (!listens && !watches) return ALEA_OK;
  if (listens && s->log == NULL) s->log = ALEA_LANES_FN(log_new)(s->lanes->group_count, s->mem);
  if (s->lane_goals == NULL)
    s->lane_goals = alea_mem_zalloc(s->mem, (size_t)ALEA_LANES * s->lanes->net->role_count);
  bool good = (!listens || s->log != NULL) && s->lane_goals != NULL &&
              (!watches || s->album != NULL || make_album(s));
  return good ? ALEA_OK : alea_mem_lack(s->mem);
}

/* Plays all requests or positions, in teams or not. */
static alea_status run_teams(batch *b, size_t count) {
  const alea_sample_tries *tries = b->options != NULL ? b->options->tries : NULL;
  alea_lanes_team team = {0};
  alea_status status = ALEA_OK;
  if (tries != NULL && tries->count > 1) {
    status = ALEA_LANES_FN(team_init)(&team, b->lanes, tries, b->s->mem);
    b->team = &team;
  }
  if (status == ALEA_OK && b->lanes->clock.ticks > 0) run_batch(b, count, true);
  if (status == ALEA_OK) run_batch(b, count, false);
  ALEA_LANES_FN(team_clear)(&team);
  b->team = NULL;
  return status;
}

/* Plays the games of all 'count' requests or positions. */
static alea_status run_all(batch *b, size_t count) {
  alea_mem *mem = b->s->mem;
  alea_status status = ALEA_OK;
  b->next = alea_mem_calloc(mem, count, sizeof *b->next);
  b->cohorts = alea_mem_calloc(mem, MAX_COHORTS, sizeof *b->cohorts);
  if (b->next != NULL && b->cohorts != NULL) {
    status = run_teams(b, count);
  } else {
    status = alea_mem_lack(mem);
  }
  alea_mem_free(mem, b->next, count * sizeof *b->next);
  alea_mem_free(mem, b->cohorts, MAX_COHORTS * sizeof *b->cohorts);
  return status;
}

alea_status ALEA_LANES_FN(run)(alea_sampler *sampler, const alea_sample_request *requests,
                               size_t count, const alea_sample_options *options,
                               alea_sample_result *results) {
  alea_lanes_sampler *s = (alea_lanes_sampler *)(void *)sampler;
  alea_status status = check_requests(s, requests, count, options);
  if (status == ALEA_OK) status = prepare(s, options);
  if (status != ALEA_OK) return status;
  batch b = {.s = s, .lanes = s->lanes, .requests = requests, .results = results};
  b.options = options;
  if (options != NULL) b.listener = options->listener, b.watcher = options->watcher;
  b.cap = options != NULL && options->step_cap != 0 ? options->step_cap : ALEA_DEFAULT_STEP_CAP;
  if (options != NULL && options->seconds > 0) b.stop_at = alea_clock_thread() + options->seconds;
  for (size_t i = 0; i < count; i++) clear_result(&results[i], s->lanes->net->role_count);
  return run_all(&b, count);
}

alea_status ALEA_LANES_FN(play_each)(alea_sampler *sampler, alea_lanes_starts *starts,
                                     uint32_t step_cap) {
  alea_lanes_sampler *s = (alea_lanes_sampler *)(void *)sampler;
  if (starts->count >= NO_REQUEST) return ALEA_USAGE;
  alea_status status = prepare(s, NULL);
  if (status != ALEA_OK) return status;
  batch b = {.s = s, .lanes = s->lanes, .starts = starts};
  b.cap = step_cap != 0 ? step_cap : ALEA_DEFAULT_STEP_CAP;
  size_t goals = starts->count * s->lanes->net->role_count;
  for (size_t i = 0; i < goals; i++) starts->goals[i] = -1;
  status = run_all(&b, starts->count);
  starts->states = b.states;
  return status;
}
