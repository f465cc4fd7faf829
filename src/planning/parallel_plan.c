/* Parallel plans: stages of several moves as clauses. */
#include "planning/parallel_plan.h"

#include <string.h>

#include "game/position.h"
#include "planning/clocks.h"
#include "planning/exact_cover_clauses.h"
#include "unroll/core.h"

enum {
  FIRST_CONFLICTS = 4000, /* per question, in the first round */
  FIRST_ROUND = 1,        /* stages in the first round, */
  MOST_STAGES = 16,       /* and in the last */
  MOST_ROUNDS = 12,
  MOST_FAILURES = 200,      /* plans that could not be played */
  LONGER = 2,               /* times the guess: as many moves are counted */
  MOST_FOLDED = 1000000000, /* moves times inputs of gates */
  MOST_PAIRS = 2000000,
  MOVES_PER_LOOK = 8, /* at the clock: each move adds clauses for all counts */
  FLUENTS_PER_LOOK = 64,
  MOST_COVER_WORK = 100000000, /* moves times clauses, where exact covers are sought */
};

/* Two moves that are not made in one stage. */
typedef struct parallel_plan_pair {
  alea_move a, b;
} parallel_plan_pair;

/* Which moves turn a fluent on, or off: moves.data[first.data[f]] to
 * moves.data[first.data[f + 1] - 1]. */
typedef struct turners {
  alea_u32s first, moves;
} turners;

struct alea_parallel_plan {
  alea_mem *mem;
  const alea_game *game;
  alea_unroll *u; /* layers are states between stages */
  alea_effects effects;
  turners turners[2]; /* on, off */
  alea_cursor *cursor;
  alea_u64s start, now; /* positions */
  ALEA_VEC(parallel_plan_pair) pairs;
  uint32_t *stamps, stamp; /* per move: of the last trial after which it was legal */
  alea_clocks clocks;
  ALEA_VEC(alea_slit) clause; /* scratch */
  ALEA_VEC(uint8_t) closed;   /* per number of stages: there is no such plan */
  int goal;                   /* least goal value of a plan */
  uint32_t at, last;          /* stages to ask about next, and at most this round */
  uint32_t rounds, failures;
  uint64_t conflicts, spent;
  bool no_more;
  alea_slit one_stage; /* the plan has one stage, and what follows from that; 0 = not encoded */
  alea_u32s waiting, played; /* moves: of the stage not yet played, of the whole plan */
  alea_u32s first_legal;     /* scratch */
};

/* ---- which moves disturb each other ---- */

static bool is_plain(const alea_parallel_plan *s, alea_move m) { return s->effects.plain[m]; }

/* The legal moves at the cursor that are plain. */
static alea_status plain_moves(alea_parallel_plan *s, alea_u32s *moves) {
  alea_list legal;
  moves->count = 0;
  alea_status status = alea_cursor_legal(s->cursor, 0, &legal);
  for (uint32_t i = 0; status == ALEA_OK && i < legal.count; i++)
    if (is_plain(s, legal.ids[i]) && !alea_vec_push(s->mem, moves, legal.ids[i]))
      status = alea_mem_lack(s->mem);
  return status;
}

/* Notes which of the others move 'a', made at the position, makes illegal. */
static alea_status try_move(alea_parallel_plan *s, const alea_u64s *position, alea_move a,
                            const alea_u32s *others, uint32_t *kept) {
  alea_list legal = {0};
  alea_status status = alea_cursor_load(s->cursor, position->data, position->count);
  if (status == ALEA_OK) status = alea_cursor_play(s->cursor, &a);
  if (status == ALEA_OK) status = alea_cursor_legal(s->cursor, 0, &legal);
  *kept = 0;
  s->stamp++;
  for (uint32_t i = 0; i < legal.count; i++) s->stamps[legal.ids[i]] = s->stamp;
  for (size_t i = 0; status == ALEA_OK && i < others->count; i++) {
    alea_move b = others->data[i];
    if (b == a) continue;
    if (s->stamps[b] == s->stamp) {
      ++*kept;
    } else if (!alea_vec_push(s->mem, &s->pairs, (parallel_plan_pair){a, b})) {
      status = alea_mem_lack(s->mem);
    }
  }
  return status;
}

/* Tries all moves of the first position.  '*together' says that some two of
 * them do not disturb each other. */
static alea_status try_moves(alea_parallel_plan *s, const alea_deadline *deadline, bool *together) {
  *together = false;
  alea_status status = alea_cursor_load(s->cursor, s->start.data, s->start.count);
  if (status == ALEA_OK) status = plain_moves(s, &s->first_legal);
  for (size_t i = 0; status == ALEA_OK && i < s->first_legal.count; i++) {
    uint32_t kept;
    if (alea_deadline_passed(deadline) || s->pairs.count > MOST_PAIRS) return ALEA_LIMIT;
    status = try_move(s, &s->start, s->first_legal.data[i], &s->first_legal, &kept);
    *together |= kept > 0;
  }
  return status;
}

/* ---- stages ---- */

static alea_slit made_at(const alea_parallel_plan *s, const unroll_layer *layer, alea_move m) {
  return layer->lits[1 + s->effects.fluent_count + m];
}

static void keep_apart(alea_parallel_plan *s, const unroll_layer *layer, parallel_plan_pair p) {
  alea_sat_clause2(&s->u->sat, -made_at(s, layer, p.a), -made_at(s, layer, p.b));
}

/* Any number of plain legal moves, none of which disturbs another. */
static alea_status make_moves(alea_parallel_plan *s, unroll_layer *layer) {
  const alea_net *net = s->u->net;
  alea_sat *sat = &s->u->sat;
  alea_slit ended = unroll_layer_lit(layer, net->terminal);
  for (alea_move m = 0; m < net->move_count; m++) {
    alea_slit legal = is_plain(s, m) ? unroll_layer_lit(layer, net->legal[m]) : ALEA_SLIT_FALSE;
    alea_slit made = legal != ALEA_SLIT_FALSE ? alea_sat_variable(sat) : ALEA_SLIT_FALSE;
    layer->lits[1 + net->fluent_count + m] = made;
    if (made == ALEA_SLIT_FALSE) continue;
    if (m % MOVES_PER_LOOK == 0 && alea_sat_over(sat)) return ALEA_LIMIT;
    alea_sat_clause2(sat, -made, legal);
    alea_sat_clause2(sat, -made, -ended);
    alea_clocks_count(&s->clocks, sat, made);
  }
  for (size_t i = 0; i < s->pairs.count; i++) keep_apart(s, layer, s->pairs.data[i]);
  return ALEA_OK;
}

/* A literal for "some move of the stage turns the fluent on (or off)". */
static alea_slit turned(alea_parallel_plan *s, const unroll_layer *layer, uint32_t fluent,
                        bool off) {
  const turners *t = &s->turners[off];
  size_t count = 0;
  for (uint32_t i = t->first.data[fluent]; i < t->first.data[fluent + 1]; i++)
    s->u->scratch.data[count++] = made_at(s, layer, t->moves.data[i]);
  return alea_sat_gate(&s->u->sat, true, s->u->scratch.data, count);
}

/* Adds a stage and the state after it. */
static alea_status extend(alea_parallel_plan *s) {
  alea_unroll *u = s->u;
  if (alea_sat_full(&u->sat)) return ALEA_LIMIT;
  alea_status status = unroll_layer_push(u);
  u->scratch.count = 0;
  if (status != ALEA_OK) return status;
  if (!alea_vec_reserve(s->mem, &u->scratch, s->effects.move_count)) return alea_mem_lack(s->mem);
  unroll_layer *last = &u->layers.data[u->layers.count - 1], *before = last - 1;
  status = make_moves(s, before);
  if (status != ALEA_OK) return status;
  for (uint32_t f = 0; f < s->effects.fluent_count; f++) {
    if (f % FLUENTS_PER_LOOK == 0 && alea_sat_over(&u->sat)) return ALEA_LIMIT;
    alea_slit on = turned(s, before, f, false), off = turned(s, before, f, true);
    alea_slit stays[2] = {before->lits[1 + f], -off};
    alea_slit either[2] = {on, alea_sat_gate(&u->sat, false, stays, 2)};
    if (on != ALEA_SLIT_FALSE && off != ALEA_SLIT_FALSE) alea_sat_clause2(&u->sat, -on, -off);
    last->lits[1 + f] = alea_sat_gate(&u->sat, true, either, 2);
  }
  status = alea_clocks_set(&s->clocks, u, last);
  if (status == ALEA_OK) status = unroll_layer_phase(u, last, ALEA_PHASE_STATE);
  if (status == ALEA_OK && !alea_vec_push(s->mem, &s->closed, 0)) status = alea_mem_lack(s->mem);
  return status;
}

/* ---- playing the model ---- */

/* Plays the waiting moves in any order that is legal. */
static alea_status play_stage(alea_parallel_plan *s) {
  bool moved = true;
  while (moved && s->waiting.count > 0) {
    moved = false;
    for (size_t i = 0; i < s->waiting.count;) {
      alea_move m = s->waiting.data[i];
      bool terminal;
      alea_list legal;
      alea_status status = alea_cursor_terminal(s->cursor, &terminal);
      if (status == ALEA_OK) status = alea_cursor_legal(s->cursor, 0, &legal);
      if (status != ALEA_OK || terminal) return status;
      if (!alea_list_has(legal, m)) {
        i++;
        continue;
      }
      status = alea_cursor_play(s->cursor, &m);
      if (status != ALEA_OK) return status;
      if (!alea_vec_push(s->mem, &s->played, m)) return alea_mem_lack(s->mem);
      s->waiting.data[i] = s->waiting.data[--s->waiting.count];
      moved = true;
    }
  }
  return ALEA_OK;
}

/* Learns why some moves of the stage could not be played, which began at 'now'
 * with the move s->played.data[from]: each of those played is tried alone, and
 * if none makes a waiting move illegal, all of them together do. */
static alea_status learn(alea_parallel_plan *s, unroll_layer *layer, size_t from) {
  size_t before = s->pairs.count;
  alea_status status = ALEA_OK;
  for (size_t i = from; status == ALEA_OK && i < s->played.count; i++) {
    uint32_t kept;
    alea_list legal;
    status = alea_cursor_load(s->cursor, s->now.data, s->now.count);
    if (status == ALEA_OK) status = alea_cursor_legal(s->cursor, 0, &legal);
    if (status == ALEA_OK && alea_list_has(legal, s->played.data[i]))
      status = try_move(s, &s->now, s->played.data[i], &s->waiting, &kept);
  }
  for (size_t i = before; status == ALEA_OK && i < s->pairs.count; i++)
    for (size_t t = 0; t + 1 < s->u->layers.count; t++)
      keep_apart(s, &s->u->layers.data[t], s->pairs.data[i]);
  if (status != ALEA_OK || s->pairs.count > before) return status;
  s->clause.count = 0;
  for (size_t i = from; i < s->played.count; i++)
    if (!alea_vec_push(s->mem, &s->clause, -made_at(s, layer, s->played.data[i])))
      return alea_mem_lack(s->mem);
  if (s->waiting.count > 0 &&
      !alea_vec_push(s->mem, &s->clause, -made_at(s, layer, s->waiting.data[0])))
    return alea_mem_lack(s->mem);
  alea_sat_clause(&s->u->sat, s->clause.data, s->clause.count);
  return ALEA_OK;
}

/* Reads the moves of a stage in the model. */
static alea_status read_stage(alea_parallel_plan *s, size_t stage) {
  const unroll_layer *layer = &s->u->layers.data[stage];
  s->waiting.count = 0;
  for (alea_move m = 0; m < s->effects.move_count; m++) {
    alea_slit made = made_at(s, layer, m);
    if (made == ALEA_SLIT_FALSE || !alea_sat_value(&s->u->sat, made)) continue;
    if (!alea_vec_push(s->mem, &s->waiting, m)) return alea_mem_lack(s->mem);
  }
  return ALEA_OK;
}

/* Plays the model of so many stages.  Where that fails, a clause forbids it. */
static alea_status play_model(alea_parallel_plan *s, uint32_t stages, bool *found) {
  alea_status status = alea_cursor_load(s->cursor, s->start.data, s->start.count);
  s->played.count = 0;
  size_t from = 0;
  uint32_t stage = 0;
  for (; status == ALEA_OK && stage < stages; stage++) {
    from = s->played.count;
    status = read_stage(s, stage);
    if (status == ALEA_OK) status = alea_position_keep(&s->now, s->cursor, s->mem);
    if (status == ALEA_OK) status = play_stage(s);
    if (s->waiting.count > 0) break;
  }
  bool terminal = false;
  int worth = -1;
  if (status == ALEA_OK) status = alea_cursor_terminal(s->cursor, &terminal);
  if (status == ALEA_OK && terminal) status = alea_cursor_goal(s->cursor, 0, &worth);
  *found = status == ALEA_OK && worth >= s->goal;
  if (status != ALEA_OK || *found) return status;
  s->failures++;
  return learn(s, &s->u->layers.data[stage < stages ? stage : stages - 1], from);
}

/* ---- one stage ---- */

/* Adds the clauses of exact covers, which hold where the plan has one stage. */
static alea_status add_cover_clauses(alea_parallel_plan *s, const alea_slit ends[2]) {
  size_t count = s->first_legal.count, cells = count * count;
  uint8_t *exclusive = alea_mem_calloc(s->mem, cells, 1);
  uint32_t *place = alea_mem_calloc(s->mem, s->effects.move_count, sizeof *place);
  alea_slit *literals = alea_mem_calloc(s->mem, count, sizeof *literals);
  alea_status status = ALEA_OK;
  if (exclusive == NULL || place == NULL || literals == NULL) status = alea_mem_lack(s->mem);
  for (uint32_t i = 0; status == ALEA_OK && i < count; i++) {
    place[s->first_legal.data[i]] = i + 1;
    literals[i] = made_at(s, &s->u->layers.data[0], s->first_legal.data[i]);
  }
  for (size_t i = 0; status == ALEA_OK && i < s->pairs.count; i++) {
    uint32_t a = place[s->pairs.data[i].a], b = place[s->pairs.data[i].b];
    if (a > 0 && b > 0) exclusive[(a - 1) * count + b - 1] = exclusive[(b - 1) * count + a - 1] = 1;
  }
  alea_exact_cover_clauses cover = {.game = s->game,
                                    .unroll = s->u,
                                    .moves = s->first_legal,
                                    .literals = literals,
                                    .exclusive = exclusive,
                                    .ends = ends};
  if (status == ALEA_OK) status = alea_exact_cover_clauses_add(&cover, s->one_stage, s->mem);
  alea_mem_free(s->mem, exclusive, cells);
  alea_mem_free(s->mem, place, s->effects.move_count * sizeof *place);
  alea_mem_free(s->mem, literals, count * sizeof *literals);
  return status;
}

/* ---- questions ---- */

static void next_question(alea_parallel_plan *s) {
  while (s->at < s->closed.count && s->closed.data[s->at]) s->at++;
  if (s->at <= s->last) return;
  s->no_more = ++s->rounds >= MOST_ROUNDS;
  s->at = 1;
  s->conflicts *= 2;
  if (s->last < MOST_STAGES) s->last *= 2;
  while (s->at < s->closed.count && s->closed.data[s->at]) s->at++;
  if (s->at > s->last) s->no_more = true;
}

alea_status alea_parallel_plan_ask(alea_parallel_plan *s, bool *found) {
  *found = false;
  alea_unroll *u = s->u;
  alea_status status = ALEA_OK;
  while (status == ALEA_OK && u->layers.count <= s->at) status = extend(s);
  if (status == ALEA_LIMIT) s->no_more = true;
  alea_slit ends[3] = {ALEA_SLIT_FALSE, ALEA_SLIT_FALSE, ALEA_SLIT_TRUE};
  if (status == ALEA_OK) status = alea_unroll_goal(u, s->at, 0, s->goal, &ends[0]);
  if (status == ALEA_OK) ends[1] = alea_unroll_terminal(u, s->at);
  if (status == ALEA_OK && s->one_stage == 0) {
    s->one_stage = alea_sat_variable(&u->sat);
    if (s->first_legal.count * u->sat.clauses <= MOST_COVER_WORK)
      status = add_cover_clauses(s, ends);
  }
  if (s->at == 1) ends[2] = s->one_stage;
  alea_verdict answer = ALEA_VERDICT_UNKNOWN;
  if (status == ALEA_OK) {
    s->spent += s->conflicts;
    status = alea_unroll_solve(u, ends, 3, s->conflicts, &answer);
  }
  if (status == ALEA_OK && answer == ALEA_VERDICT_PROVED) status = play_model(s, s->at, found);
  if (status == ALEA_OK && s->failures >= MOST_FAILURES) s->no_more = true;
  if (status != ALEA_OK || *found) return status == ALEA_LIMIT ? ALEA_OK : status;
  if (answer == ALEA_VERDICT_REFUTED) s->closed.data[s->at] = 1;
  if (answer != ALEA_VERDICT_PROVED) {
    s->at++;
    next_question(s);
  }
  return ALEA_OK;
}

bool alea_parallel_plan_spent(const alea_parallel_plan *s) { return s->no_more; }
uint64_t alea_parallel_plan_conflicts(const alea_parallel_plan *s) { return s->spent; }
alea_list alea_parallel_plan_moves(const alea_parallel_plan *s) {
  return (alea_list){.ids = s->played.data, .count = (uint32_t)s->played.count};
}

/* ---- set up ---- */

/* Sorts the effects by fluents. */
static alea_status find_turners(alea_parallel_plan *s) {
  const alea_effects *e = &s->effects;
  size_t ends = e->fluent_count + (size_t)2;
  for (uint32_t off = 0; off < 2; off++) {
    turners *t = &s->turners[off];
    if (!alea_vec_reserve(s->mem, &t->first, ends) ||
        !alea_vec_reserve(s->mem, &t->moves, e->changes.count))
      return alea_mem_lack(s->mem);
    uint32_t *first = t->first.data;
    memset(first, 0, ends * sizeof *first);
    for (size_t i = 0; i < e->changes.count; i++)
      if ((e->changes.data[i] & 1) == off) first[(e->changes.data[i] >> 1) + 1]++;
    for (size_t i = 1; i < ends; i++) first[i] += first[i - 1];
    /* This moves each entry to the next one's place; fluents are nodes from 1 on. */
    for (alea_move m = 0; m < e->move_count; m++)
      for (uint32_t i = e->first[m]; i < e->first[m + 1]; i++)
        if ((e->changes.data[i] & 1) == off) t->moves.data[first[e->changes.data[i] >> 1]++] = m;
  }
  return ALEA_OK;
}

/* ALEA_NONE: no two moves can be made in one stage.  ALEA_LIMIT: there are too
 * many moves, or no time to tell.  ALEA_UNSUPPORTED: some clock is not
 * understood. */
static alea_status set_up(alea_parallel_plan *s, const alea_parallel_plan_options *options) {
  const alea_deadline *deadline = options->deadline;
  alea_list fluents;
  bool together = false;
  const alea_net *net = s->u->net;
  if ((uint64_t)net->move_count * net->inputs.count > MOST_FOLDED) return ALEA_LIMIT;
  alea_status status = alea_cursor_new(s->game, s->mem, &s->cursor);
  s->stamps = alea_mem_calloc(s->mem, net->move_count, sizeof *s->stamps);
  if (s->stamps == NULL) status = alea_mem_lack(s->mem);
  if (status == ALEA_OK) status = alea_effects_init(&s->effects, net, deadline, s->mem);
  if (status == ALEA_OK) status = try_moves(s, deadline, &together);
  if (status == ALEA_OK && !together) return ALEA_NONE;
  if (status == ALEA_OK) status = alea_cursor_load(s->cursor, s->start.data, s->start.count);
  if (status == ALEA_OK) status = alea_cursor_fluents(s->cursor, &fluents);
  if (status == ALEA_OK)
    status = alea_clocks_init(&s->clocks, &s->effects, fluents, s->first_legal.count,
                              LONGER * options->longest, s->mem);
  if (status == ALEA_OK) status = unroll_layer_push_known(s->u, fluents);
  if (status == ALEA_OK) status = find_turners(s);
  return status == ALEA_OK && !alea_vec_push(s->mem, &s->closed, 1) ? alea_mem_lack(s->mem)
                                                                    : status;
}

alea_status alea_parallel_plan_new(alea_parallel_plan **plan, const alea_game *game,
                                   const uint64_t *words, size_t word_count,
                                   const alea_parallel_plan_options *options, alea_mem *mem) {
  *plan = NULL;
  alea_parallel_plan *s = alea_mem_zalloc(mem, sizeof *s);
  if (s == NULL) return alea_mem_lack(mem);
  *s = (alea_parallel_plan){
      .mem = mem, .game = game, .goal = options->goal, .at = 1, .last = FIRST_ROUND};
  s->conflicts = FIRST_CONFLICTS;
  alea_unroll_options unrolling = {.deadline = options->deadline, .memory = options->memory};
  alea_status status = unroll_make(&s->u, game, &unrolling, mem);
  if (status == ALEA_OK) status = alea_position_copy(&s->start, words, word_count, mem);
  if (status == ALEA_OK) status = set_up(s, options);
  if (status == ALEA_OK) {
    *plan = s;
    return ALEA_OK;
  }
  alea_parallel_plan_free(s);
  bool of_no_use = status == ALEA_NONE || status == ALEA_LIMIT || status == ALEA_UNSUPPORTED;
  return of_no_use ? ALEA_OK : status;
}

void alea_parallel_plan_free(alea_parallel_plan *s) {
  if (s == NULL) return;
  alea_mem *mem = s->mem;
  if (s->effects.mem != NULL) alea_effects_clear(&s->effects);
  alea_cursor_free(s->cursor);
  alea_vec_clear(mem, &s->start);
  alea_vec_clear(mem, &s->now);
  alea_vec_clear(mem, &s->pairs);
  if (s->u != NULL) alea_mem_free(mem, s->stamps, s->u->net->move_count * sizeof *s->stamps);
  alea_clocks_clear(&s->clocks);
  alea_vec_clear(mem, &s->clause);
  for (int off = 0; off < 2; off++) {
    alea_vec_clear(mem, &s->turners[off].first);
    alea_vec_clear(mem, &s->turners[off].moves);
  }
  alea_vec_clear(mem, &s->closed);
  alea_vec_clear(mem, &s->waiting);
  alea_vec_clear(mem, &s->played);
  alea_vec_clear(mem, &s->first_legal);
  alea_unroll_free(s->u);
  alea_mem_free(mem, s, sizeof *s);
}
