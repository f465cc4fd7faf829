/* Drawing histories that agree with what a role has seen. */
#include "unroll/history.h"

#include <string.h>

#include "unroll/unroll.h"

enum {
  MOST_TRIES = 64,         /* joint moves tried at a step before the clauses are asked */
  MOST_CHECKS = 12,        /* of these, refused by the clauses */
  DEFAULT_CONFLICTS = 5000 /* per question */
};

/* What one step of the history is about. */
typedef struct step_record {
  alea_move own;
  size_t first, count; /* percepts: seen.data[first ...] */
  bool checked;        /* choices here are to be completed by the clauses */
} step_record;

struct alea_history {
  alea_mem *mem;
  const alea_game *game;
  uint32_t role;
  alea_unroll *unroll;
  alea_cursor *cursor;
  ALEA_VEC(step_record) steps;
  alea_u32s seen;
  alea_history_stats stats;

  /* The draw at work. */
  alea_rng *rng;
  const alea_effort *effort;
  uint64_t stop; /* steps */
  bool running;
  alea_u64s positions; /* one per step, before it; 'words' each */
  size_t words;
  ALEA_VEC(double) shares; /* per step: of the joint moves that fit */
  alea_u32s moves;         /* joint moves chosen so far */
  alea_u32s legal;         /* moves of the others at the position, role after role */
  alea_u32s legal_first;
  ALEA_VEC(alea_slit) assumptions;
};

/* ---- the history ---- */

alea_status alea_history_new(alea_history **history, const alea_game *game, uint32_t role,
                             size_t memory, alea_mem *mem) {
  alea_history *h = *history = alea_mem_zalloc(mem, sizeof *h);
  if (h == NULL) return alea_mem_lack(mem);
  h->mem = mem;
  h->game = game;
  h->role = role;
  alea_list fluents;
  alea_status status = alea_cursor_new(game, mem, &h->cursor);
  if (status == ALEA_OK) status = alea_cursor_fluents(h->cursor, &fluents);
  alea_unroll_options options = {.memory = memory, .style = ALEA_SAT_SHORT, .sees = true};
  if (status == ALEA_OK) status = alea_unroll_new(&h->unroll, game, fluents, &options, mem);
  if (status != ALEA_OK) {
    alea_history_free(h);
    *history = NULL;
  }
  return status;
}

void alea_history_free(alea_history *h) {
  if (h == NULL) return;
  alea_unroll_free(h->unroll);
  alea_cursor_free(h->cursor);
  alea_vec_clear(h->mem, &h->steps);
  alea_vec_clear(h->mem, &h->seen);
  alea_vec_clear(h->mem, &h->positions);
  alea_vec_clear(h->mem, &h->moves);
  alea_vec_clear(h->mem, &h->legal);
  alea_vec_clear(h->mem, &h->shares);
  alea_vec_clear(h->mem, &h->legal_first);
  alea_vec_clear(h->mem, &h->assumptions);
  alea_mem_free(h->mem, h, sizeof *h);
}

static void fix(alea_history *h, alea_slit lit) {
  alea_sat_clause(alea_unroll_sat(h->unroll), &lit, 1);
}

alea_status alea_history_add(alea_history *h, alea_move own, alea_list percepts) {
  uint32_t t = alea_history_steps(h), role, percept;
  step_record record = {.own = own, .first = h->seen.count, .count = percepts.count};
  if (!alea_vec_reserve(h->mem, &h->seen, percepts.count) ||
      !alea_vec_push(h->mem, &h->steps, record))
    return alea_mem_lack(h->mem);
  for (uint32_t i = 0; i < percepts.count; i++) h->seen.data[h->seen.count++] = percepts.ids[i];
  alea_status status = alea_unroll_extend(h->unroll);
  if (status != ALEA_OK) return status;
  fix(h, alea_unroll_play(h->unroll, t));
  fix(h, alea_unroll_move(h->unroll, t, h->role, own));
  alea_slit lit;
  for (size_t k = 0; alea_unroll_percept(h->unroll, t, k, &role, &percept, &lit); k++)
    if (role == h->role) fix(h, alea_list_has(percepts, percept) ? lit : -lit);
  return ALEA_OK;
}

uint32_t alea_history_steps(const alea_history *h) { return (uint32_t)h->steps.count; }

/* ---- questions to the solver ---- */

/* Whether the moves chosen for the first 'count' steps can be completed. */
static alea_status ask(alea_history *h, uint32_t count, alea_verdict *answer) {
  uint32_t roles = h->game->role_count;
  h->stats.questions++;
  h->assumptions.count = 0;
  if (!alea_vec_reserve(h->mem, &h->assumptions, (size_t)count * roles + 1))
    return alea_mem_lack(h->mem);
  for (uint32_t t = 0; t < count; t++)
    for (uint32_t r = 0; r < roles; r++)
      if (r != h->role)
        h->assumptions.data[h->assumptions.count++] =
            alea_unroll_move(h->unroll, t, r, h->moves.data[(size_t)t * roles + r]);
  if (h->running)
    h->assumptions.data[h->assumptions.count++] =
        -alea_unroll_terminal(h->unroll, alea_history_steps(h));
  uint64_t conflicts = h->effort->conflicts > 0 ? h->effort->conflicts : DEFAULT_CONFLICTS;
  return alea_unroll_solve(h->unroll, h->assumptions.data, h->assumptions.count, conflicts, answer);
}

/* Whether there is a history that agrees and where 'lit' holds now. */
static alea_status ask_now(alea_history *h, bool running, alea_slit lit, const alea_effort *effort,
                           alea_verdict *answer) {
  uint64_t conflicts = effort->conflicts > 0 ? effort->conflicts : DEFAULT_CONFLICTS;
  alea_slit assumptions[] = {lit, -alea_unroll_terminal(h->unroll, alea_history_steps(h))};
  h->stats.questions++;
  return alea_unroll_solve(h->unroll, assumptions, running ? 2 : 1, conflicts, answer);
}

static alea_slit fluent_now(const alea_history *h, uint32_t fluent) {
  return alea_unroll_fluent(h->unroll, alea_history_steps(h), fluent);
}

/* In the model that was found. */
static bool holds(const alea_history *h, uint32_t fluent) {
  alea_slit lit = fluent_now(h, fluent);
  if (lit == ALEA_SLIT_TRUE || lit == ALEA_SLIT_FALSE) return lit == ALEA_SLIT_TRUE;
  return alea_sat_value(alea_unroll_sat(h->unroll), lit);
}

/* Drops from fluents[from ...] what is false in the model. */
static void drop_false(const alea_history *h, alea_u32s *fluents, size_t from) {
  size_t kept = from;
  for (size_t i = from; i < fluents->count; i++)
    if (holds(h, fluents->data[i])) fluents->data[kept++] = fluents->data[i];
  fluents->count = kept;
}

alea_status alea_history_keep_sure(alea_history *h, bool running, alea_u32s *fluents,
                                   const alea_effort *effort) {
  for (size_t i = 0; i < fluents->count;) {
    alea_slit lit = fluent_now(h, fluents->data[i]);
    alea_verdict answer = ALEA_VERDICT_REFUTED;
    alea_status status =
        lit != ALEA_SLIT_TRUE ? ask_now(h, running, -lit, effort, &answer) : ALEA_OK;
    if (status != ALEA_OK) return status;
    if (answer == ALEA_VERDICT_REFUTED) {
      i++;
    } else if (answer == ALEA_VERDICT_PROVED) {
      drop_false(h, fluents, i);
    } else {
      fluents->data[i] = fluents->data[--fluents->count];
    }
  }
  return ALEA_OK;
}

alea_status alea_history_add_possible(alea_history *h, bool running, alea_u32s *fluents,
                                      const alea_effort *effort) {
  uint32_t count = alea_unroll_fluents(h->unroll);
  uint8_t *possible = alea_mem_zalloc(h->mem, count);
  alea_status status = possible != NULL || count == 0 ? ALEA_OK : alea_mem_lack(h->mem);
  for (size_t i = 0; status == ALEA_OK && i < fluents->count; i++)
    if (fluents->data[i] < count) possible[fluents->data[i]] = 1;
  for (uint32_t f = 0; status == ALEA_OK && f < count; f++) {
    alea_slit lit = fluent_now(h, f);
    alea_verdict answer;
    if (possible[f] || lit == ALEA_SLIT_FALSE) continue;
    status = ask_now(h, running, lit, effort, &answer);
    if (status != ALEA_OK || answer == ALEA_VERDICT_REFUTED) continue;
    for (uint32_t g = f; status == ALEA_OK && g < count; g++) {
      bool adds = g == f || (answer == ALEA_VERDICT_PROVED && holds(h, g));
      if (possible[g] || !adds) continue;
      possible[g] = 1;
      if (!alea_vec_push(h->mem, fluents, g)) status = alea_mem_lack(h->mem);
    }
  }
  alea_mem_free(h->mem, possible, count);
  return status;
}

/* After "refuted": the last step whose moves are a cause of it, or UINT32_MAX. */
static uint32_t blamed(const alea_history *h, uint32_t count) {
  const alea_sat *sat = alea_unroll_sat(h->unroll);
  uint32_t roles = h->game->role_count;
  for (uint32_t t = count; t-- > 0;)
    for (uint32_t r = 0; r < roles; r++) {
      if (r == h->role) continue;
      alea_slit lit = alea_unroll_move(h->unroll, t, r, h->moves.data[(size_t)t * roles + r]);
      if (lit == ALEA_SLIT_FALSE || alea_sat_failed(sat, lit)) return t;
    }
  return UINT32_MAX;
}

/* ---- one step ---- */

static alea_status load(alea_history *h, uint32_t t) {
  return alea_cursor_load(h->cursor, h->positions.data + t * h->words, h->words);
}

/* Lists the legal moves of all roles at step t; a role's own move is its only
 * one.  '*joints' is the number of joint moves, at most MOST_TRIES + 1, and 0
 * where the step cannot be made. */
static alea_status list_moves(alea_history *h, uint32_t t, uint32_t *joints) {
  h->legal.count = h->legal_first.count = 0;
  bool terminal;
  *joints = 1;
  alea_status status = load(h, t);
  if (status == ALEA_OK) status = alea_cursor_terminal(h->cursor, &terminal);
  if (status == ALEA_OK && terminal) *joints = 0;
  for (uint32_t r = 0; status == ALEA_OK && *joints > 0 && r < h->game->role_count; r++) {
    alea_list legal;
    status = alea_cursor_legal(h->cursor, r, &legal);
    if (status != ALEA_OK) return status;
    if (r == h->role) {
      bool known = alea_list_has(legal, h->steps.data[t].own);
      legal = (alea_list){.ids = &h->steps.data[t].own, .count = known};
    }
    if (!alea_vec_reserve(h->mem, &h->legal, legal.count) ||
        !alea_vec_push(h->mem, &h->legal_first, (uint32_t)h->legal.count))
      return alea_mem_lack(h->mem);
    for (uint32_t i = 0; i < legal.count; i++) h->legal.data[h->legal.count++] = legal.ids[i];
    *joints = legal.count < MOST_TRIES + 1 ? *joints * legal.count : *joints * (MOST_TRIES + 1);
    if (*joints > MOST_TRIES) *joints = MOST_TRIES + 1;
  }
  return status;
}

/* Writes joint move number 'index' (where there are few) or a random one. */
static void choose(alea_history *h, uint32_t t, uint32_t joints, uint32_t index) {
  uint32_t roles = h->game->role_count;
  for (uint32_t r = 0; r < roles; r++) {
    uint32_t first = h->legal_first.data[r];
    uint32_t end = r + 1 < roles ? h->legal_first.data[r + 1] : (uint32_t)h->legal.count;
    uint32_t count = end - first;
    uint32_t pick = joints > MOST_TRIES ? alea_rng_below(h->rng, count) : index % count;
    h->moves.data[(size_t)t * roles + r] = h->legal.data[first + pick];
    index /= count;
  }
}

/* Plays the chosen moves of step t.  '*fits': the role sees what it saw. */
static alea_status try_step(alea_history *h, uint32_t t, bool *fits) {
  const step_record *record = &h->steps.data[t];
  alea_list percepts;
  *fits = false;
  h->stats.steps++;
  alea_status status = load(h, t);
  if (status == ALEA_OK)
    status = alea_cursor_play(h->cursor, h->moves.data + (size_t)t * h->game->role_count);
  if (status == ALEA_OK) status = alea_cursor_percepts(h->cursor, h->role, &percepts);
  if (status != ALEA_OK || percepts.count != record->count) return status;
  alea_list seen = {.ids = h->seen.data + record->first, .count = (uint32_t)record->count};
  for (uint32_t i = 0; i < percepts.count; i++)
    if (!alea_list_has(seen, percepts.ids[i])) return ALEA_OK;
  bool terminal = false;
  if (h->running && t + 1 == alea_history_steps(h))
    status = alea_cursor_terminal(h->cursor, &terminal);
  *fits = !terminal;
  return status;
}

/* Keeps the cursor's position as that before step t. */
static void save(alea_history *h, uint32_t t) {
  size_t count;
  const uint64_t *words = alea_cursor_state(h->cursor, &count);
  if (h->words == 0) return; /* a game without fluents */
  memcpy(h->positions.data + t * h->words, words, h->words * sizeof *words);
}

/* The moves of the model, where no random one was found. */
static alea_status take_model(alea_history *h, uint32_t t, bool *made) {
  for (uint32_t r = 0; r < h->game->role_count; r++) {
    alea_move move = alea_unroll_chosen(h->unroll, t, r);
    if (move == ALEA_NO_MOVE) return ALEA_OK;
    h->moves.data[(size_t)t * h->game->role_count + r] = move;
  }
  return try_step(h, t, made);
}

/* Tries all joint moves, where there are few: 'order' lists those that fit.
 * Where there are many, none is tried yet and the list is full. */
static alea_status sift(alea_history *h, uint32_t t, uint32_t joints, uint32_t *order,
                        uint32_t *count) {
  *count = 0;
  alea_status status = ALEA_OK;
  for (uint32_t i = 0; status == ALEA_OK && i < joints; i++) {
    bool fits = true;
    choose(h, t, joints, i);
    if (joints <= MOST_TRIES) status = try_step(h, t, &fits);
    if (fits) order[(*count)++] = i;
  }
  return status;
}

/* Makes step t with random moves, checked if the step asks for it. */
static alea_status draw_step(alea_history *h, uint32_t t, bool *made) {
  uint32_t joints, order[MOST_TRIES + 1], count = 0, refused = 0;
  *made = false;
  alea_status status = list_moves(h, t, &joints);
  if (status == ALEA_OK) status = sift(h, t, joints, order, &count);
  h->shares.data[t] = joints > 0 ? (double)count / joints : 0;
  for (uint32_t i = 0; status == ALEA_OK && i < count && refused < MOST_CHECKS; i++) {
    uint32_t j = i + alea_rng_below(h->rng, count - i), index = order[j];
    order[j] = order[i];
    choose(h, t, joints, index);
    bool fits;
    status = try_step(h, t, &fits);
    if (status != ALEA_OK || !fits) continue;
    alea_verdict answer = ALEA_VERDICT_PROVED;
    if (h->steps.data[t].checked) status = ask(h, t + 1, &answer);
    *made = answer == ALEA_VERDICT_PROVED;
    if (status != ALEA_OK || *made) return status;
    refused++;
  }
  return status;
}

/* Nothing was found at step t: a move of the model, or back to the step that
 * causes it.  '*t' is the step to go on with; refuted where there is none. */
static alea_status dead_end(alea_history *h, uint32_t *t, alea_verdict *answer) {
  bool made = false;
  alea_status status = ask(h, *t, answer);
  if (status != ALEA_OK || *answer == ALEA_VERDICT_UNKNOWN) return status;
  if (*answer == ALEA_VERDICT_PROVED) {
    status = take_model(h, *t, &made);
    *answer = made ? ALEA_VERDICT_PROVED : ALEA_VERDICT_UNKNOWN;
    if (made) save(h, ++*t);
    return status;
  }
  uint32_t cause = blamed(h, *t);
  for (uint32_t i = 0; i < *t; i++) h->steps.data[i].checked |= i >= cause;
  if (cause == UINT32_MAX) return ALEA_OK; /* refuted */
  *t = cause;
  *answer = ALEA_VERDICT_PROVED;
  return ALEA_OK;
}

/* ---- the draw ---- */

static alea_status begin(alea_history *h) {
  uint32_t steps = alea_history_steps(h);
  alea_status status = alea_cursor_reset(h->cursor);
  if (status != ALEA_OK) return status;
  alea_cursor_state(h->cursor, &h->words);
  h->positions.count = h->moves.count = 0;
  if (!alea_vec_reserve(h->mem, &h->positions, (steps + (size_t)1) * h->words) ||
      !alea_vec_reserve(h->mem, &h->shares, steps) ||
      !alea_vec_reserve(h->mem, &h->moves, (size_t)steps * h->game->role_count))
    return alea_mem_lack(h->mem);
  h->moves.count = (size_t)steps * h->game->role_count;
  save(h, 0);
  return ALEA_OK;
}

static bool spent(const alea_history *h) {
  return h->stats.steps >= h->stop || alea_deadline_passed(h->effort->deadline);
}

alea_status alea_history_draw(alea_history *h, bool running, alea_rng *rng,
                              const alea_effort *effort, alea_verdict *answer, alea_list *moves,
                              double *weight) {
  static const alea_effort none = {0};
  h->effort = effort != NULL ? effort : &none;
  h->rng = rng;
  h->running = running;
  h->stop = h->effort->nodes > 0 ? h->stats.steps + h->effort->nodes : UINT64_MAX;
  alea_unroll_deadline(h->unroll, h->effort->deadline);
  *answer = ALEA_VERDICT_PROVED;
  alea_status status = begin(h);
  for (uint32_t t = 0; status == ALEA_OK && t < alea_history_steps(h);) {
    if (spent(h)) *answer = ALEA_VERDICT_UNKNOWN;
    bool made;
    if (*answer == ALEA_VERDICT_PROVED) status = draw_step(h, t, &made);
    if (status != ALEA_OK || *answer != ALEA_VERDICT_PROVED) break;
    if (made) {
      save(h, ++t);
    } else {
      status = dead_end(h, &t, answer);
    }
  }
  alea_unroll_deadline(h->unroll, NULL);
  if (status != ALEA_OK) *answer = ALEA_VERDICT_UNKNOWN;
  if (weight != NULL) *weight = 1;
  for (uint32_t t = 0; weight != NULL && *answer == ALEA_VERDICT_PROVED && t < h->steps.count; t++)
    *weight *= h->shares.data[t];
  *moves = (alea_list){.ids = h->moves.data, .count = (uint32_t)h->moves.count};
  return status;
}

alea_history_stats alea_history_statistics(const alea_history *h) {
  alea_history_stats stats = h->stats;
  stats.clauses = alea_unroll_statistics(h->unroll).clauses;
  return stats;
}
