/* A strategy is replayed against every answer. */
#include "base/hash_map.h"
#include "csp/ranking.h"
#include "csp/strategic_walk.h"

typedef struct position_key {
  uint64_t words[2];
} position_key;

typedef struct strategy_replay {
  alea_mem *mem;
  alea_strategic_walk *guide, *judge; /* who knows the values, and who tests them */
  bool exists;                        /* the side that should win */
  ALEA_VEC(position_key) keys;
  alea_hash_map seen;
  alea_arena arena;
  const ranking_game *game; /* where the constraints make it one; or NULL */
  uint64_t plays;
  alea_text *why;
} strategy_replay;

static uint64_t hash_of(const void *context, uint32_t id) {
  return ((const position_key *)context)[id].words[0];
}

/* Whether the position was met; notes it. */
static alea_status meet(strategy_replay *r, bool *known) {
  strategic_play *p = &r->judge->play;
  position_key key;
  strategic_key(p, r->judge->at, NULL, key.words);
  *known = false;
  if (r->judge->dead != ALEA_CSP_NONE) return ALEA_OK;
  if (!alea_hash_map_reserve(&r->seen, r->mem, hash_of, r->keys.data)) return alea_mem_lack(r->mem);
  alea_hash_probe probe = alea_hash_map_probe(&r->seen, key.words[0]);
  while (alea_hash_map_next(&r->seen, &probe)) {
    const position_key *held = &r->keys.data[probe.id];
    if (held->words[0] != key.words[0] || held->words[1] != key.words[1]) continue;
    *known = true;
    return ALEA_OK;
  }
  if (!alea_vec_push(r->mem, &r->keys, key)) return alea_mem_lack(r->mem);
  alea_hash_map_put(&r->seen, probe, (uint32_t)r->keys.count - 1);
  return ALEA_OK;
}

static alea_status lost(strategy_replay *r, const char *what) {
  const alea_strategic *s = r->judge->play.strategic;
  alea_text_format(r->why, "%s after", what);
  for (uint32_t j = 0; j < r->judge->at; j++)
    alea_text_format(r->why, " %s=%d", s->csp->vars.data[s->order.data[j].var].name,
                     r->judge->values[j]);
  return ALEA_NO;
}

/* All variables have values: the constraints say who has won. */
static alea_status judge_end(strategy_replay *r) {
  bool solved = r->judge->dead == ALEA_CSP_NONE && strategic_has_solution(&r->judge->play);
  r->plays++;
  if (solved == r->exists) return ALEA_OK;
  return lost(r, solved ? "there is a solution" : "there is no solution");
}

/* In a ranking game the first line decides, whatever is chosen afterwards
 * (csp/ranking.h); the flags of the judge's own state tell whose it is. */
static bool has_line(const strategy_replay *r, bool *solved) {
  if (r->game == NULL || r->judge->dead != ALEA_CSP_NONE) return false;
  for (uint32_t i = 0; i < r->game->lines; i++) {
    const csp_domain *flag = csp_dom(r->judge->play.engine, r->game->flags[i]);
    if (flag->size != 1 || csp_min(flag) == 0) continue;
    *solved = csp_min(flag) == 1;
    return true;
  }
  return false;
}

static void push(strategy_replay *r, int32_t value) {
  alea_strategic_walk_push(r->guide, value);
  alea_strategic_walk_push(r->judge, value);
}

static void pop(strategy_replay *r) {
  alea_strategic_walk_pop(r->guide);
  alea_strategic_walk_pop(r->judge);
}

static alea_status replay(strategy_replay *r);

static alea_status reply(strategy_replay *r) {
  int32_t value;
  uint32_t count;
  alea_status status = alea_strategic_walk_best(r->guide, &value);
  if (status == ALEA_NO) return lost(r, "no value wins");
  if (status != ALEA_OK) return status;
  const int32_t *choices = alea_strategic_walk_choices(r->judge, &count);
  bool legal = false;
  for (uint32_t i = 0; i < count; i++) legal = legal || choices[i] == value;
  if (!legal) return lost(r, "the value is not consistent");
  push(r, value);
  status = replay(r);
  pop(r);
  return status;
}

static alea_status replay_all(strategy_replay *r) {
  uint32_t count;
  const int32_t *choices = alea_strategic_walk_choices(r->judge, &count);
  bool universal = r->judge->play.strategic->order.data[r->judge->at].universal;
  /* Who has no value loses, but for a universal variable without any. */
  if (count == 0) {
    r->plays++;
    return universal == r->exists ? ALEA_OK : lost(r, "nothing can be chosen");
  }
  int32_t *own = alea_mem_alloc(r->mem, count * sizeof *own);
  if (own == NULL) return alea_mem_lack(r->mem);
  memcpy(own, choices, count * sizeof *own);
  alea_status status = ALEA_OK;
  for (uint32_t i = 0; i < count && status == ALEA_OK; i++) {
    push(r, own[i]);
    status = replay(r);
    pop(r);
  }
  alea_mem_free(r->mem, own, count * sizeof *own);
  return status;
}

static alea_status replay(strategy_replay *r) {
  const strategic_play *p = &r->judge->play;
  bool known, solved;
  alea_status status = meet(r, &known);
  if (status != ALEA_OK || known) return status;
  if (has_line(r, &solved)) {
    r->plays++;
    return solved == r->exists ? ALEA_OK : lost(r, "the other side has a line");
  }
  if (alea_deadline_passed(&p->options->deadline)) return ALEA_LIMIT;
  if (r->judge->at == p->depth) return judge_end(r);
  bool mine = p->strategic->order.data[r->judge->at].universal != r->exists;
  uint32_t count;
  if (mine && alea_strategic_walk_choices(r->judge, &count) != NULL && count > 0) return reply(r);
  return replay_all(r);
}

/* Looks for the form of a ranking game, and whether what is called equal in
 * keys is equal by the constraints; otherwise keys hold every value. */
static bool know_form(strategy_replay *r, const alea_strategic *s) {
  const char *why;
  const ranking_game *game = ranking_find(s, &r->arena, &why);
  bool equal = game != NULL;
  if (game == NULL && why == NULL) return false;
  for (alea_csp_var v = 0; equal && v < s->class_vars; v++) {
    uint32_t size = s->csp->vars.data[v].size;
    const uint32_t *classes = s->classes[v];
    if (classes == NULL) continue;
    equal = ranking_refuses_class(game, v, classes, classes + size, size) == NULL;
  }
  r->judge->play.exact_keys = !equal;
  if (game != NULL && ranking_is_game(s, game) == NULL) r->game = game;
  return true;
}

alea_status alea_strategy_verify(const alea_strategic *strategic, alea_strategic_walk *walk,
                                 uint64_t *positions, uint64_t *plays, alea_text *why) {
  alea_strategic_options plain = {.classical = walk->options.classical,
                                  .deadline = walk->options.deadline};
  strategy_replay r = {.mem = strategic->mem, .guide = walk, .why = why};
  alea_status status = alea_strategic_walk_answer(walk, &r.exists);
  if (status == ALEA_OK) status = alea_strategic_walk_new(&r.judge, strategic, &plain);
  alea_arena_init(&r.arena, strategic->mem);
  if (status == ALEA_OK && !know_form(&r, strategic)) status = alea_mem_lack(strategic->mem);
  for (uint32_t j = 0; j < walk->at && status == ALEA_OK; j++)
    alea_strategic_walk_push(r.judge, walk->values[j]);
  if (status == ALEA_OK) status = replay(&r);
  *positions = r.keys.count;
  *plays = r.plays;
  alea_strategic_walk_free(r.judge);
  alea_vec_clear(r.mem, &r.keys);
  alea_hash_map_clear(&r.seen, r.mem);
  alea_arena_clear(&r.arena);
  return status;
}
