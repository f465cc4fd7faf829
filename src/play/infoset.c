/* Information-set search. */
#include "play/infoset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { FIRST_TABLE = 1024, MOST_DEPTH = 4096 };

struct alea_infoset_pick {
  alea_infoset *set;
  uint32_t arm, role;
};
typedef struct alea_infoset_pick pick;

static alea_status no_memory(const alea_mem *mem) {
  return mem->hit_limit ? ALEA_LIMIT : ALEA_SYSTEM;
}

static size_t set_bytes(uint32_t arms) {
  return sizeof(alea_infoset) + arms * sizeof(alea_option_arm);
}

/* ---- the table ---- */

alea_status alea_infosets_init(alea_infosets *sets, const alea_player_setup *setup, double c,
                               size_t memory, alea_player_stats *stats) {
  alea_mem *mem = setup->mem;
  uint32_t roles = setup->game->role_count;
  *sets = (alea_infosets){.setup = setup, .mem = mem, .stats = stats, .c = c, .limit = memory};
  alea_rng_seed_stream(&sets->rng, setup->seed, 3);
  sets->table_size = FIRST_TABLE;
  sets->table = alea_mem_calloc(mem, FIRST_TABLE, sizeof(alea_infoset *));
  sets->joint = alea_mem_calloc(mem, roles, sizeof *sets->joint);
  sets->keys = alea_mem_calloc(mem, roles, sizeof *sets->keys);
  sets->rewards = alea_mem_calloc(mem, roles, sizeof *sets->rewards);
  if (sets->table == NULL || sets->joint == NULL || sets->keys == NULL || sets->rewards == NULL)
    return no_memory(mem);
  sets->used = FIRST_TABLE * sizeof(alea_infoset *);
  alea_status status = alea_cursor_new(setup->game, mem, &sets->cursor);
  if (status != ALEA_OK) return status;
  return alea_rollout_init(&sets->rollout, setup->game, ALEA_ROLLOUT_UNIFORM, 1, 0, mem);
}

static void empty(alea_infosets *s) {
  for (size_t i = 0; s->table != NULL && i < s->table_size; i++) {
    if (s->table[i] == NULL) continue;
    s->used -= set_bytes(s->table[i]->count);
    alea_mem_free(s->mem, s->table[i], set_bytes(s->table[i]->count));
    s->table[i] = NULL;
  }
  s->count = 0;
}

void alea_infosets_clear(alea_infosets *sets) {
  if (sets->mem == NULL) return;
  alea_mem *mem = sets->mem;
  uint32_t roles = sets->setup->game->role_count;
  empty(sets);
  alea_mem_free(mem, sets->table, sets->table_size * sizeof(alea_infoset *));
  alea_mem_free(mem, sets->joint, roles * sizeof *sets->joint);
  alea_mem_free(mem, sets->keys, roles * sizeof *sets->keys);
  alea_mem_free(mem, sets->rewards, roles * sizeof *sets->rewards);
  alea_mem_free(mem, sets->picks, sets->pick_capacity * sizeof(pick));
  alea_vec_clear(mem, &sets->trace);
  alea_vec_clear(mem, &sets->choices);
  alea_rollout_clear(&sets->rollout);
  alea_cursor_free(sets->cursor);
}

/* Where 'key' is or would be. */
static size_t slot_of(const alea_infosets *s, uint64_t key) {
  size_t mask = s->table_size - 1, at = key & mask;
  while (s->table[at] != NULL && s->table[at]->key != key) at = (at + 1) & mask;
  return at;
}

static bool grow(alea_infosets *s) {
  if ((s->count + 1) * 4 < s->table_size * 3) return true;
  size_t bytes = s->table_size * sizeof(alea_infoset *), old_size = s->table_size;
  if (s->used + bytes > s->limit) return false;
  alea_infoset **table = alea_mem_zalloc(s->mem, 2 * bytes), **old = s->table;
  if (table == NULL) return false;
  s->table = table;
  s->table_size *= 2;
  s->used += bytes;
  for (size_t i = 0; i < old_size; i++)
    if (old[i] != NULL) table[slot_of(s, old[i]->key)] = old[i];
  alea_mem_free(s->mem, old, bytes);
  return true;
}

static int by_move(const void *a, const void *b) {
  alea_move x = ((const alea_option_arm *)a)->move, y = ((const alea_option_arm *)b)->move;
  return x < y ? -1 : x > y;
}

/* A new set with these moves; NULL where memory is up. */
static alea_infoset *make_set(alea_infosets *s, uint64_t key, alea_list legal) {
  size_t bytes = set_bytes(legal.count);
  if (!grow(s) || s->used + bytes > s->limit) {
    s->stats->full++;
    return NULL;
  }
  alea_infoset *set = alea_mem_zalloc(s->mem, bytes);
  if (set == NULL) return NULL;
  set->key = key;
  set->count = legal.count;
  for (uint32_t i = 0; i < legal.count; i++) set->arms[i].move = legal.ids[i];
  qsort(set->arms, set->count, sizeof *set->arms, by_move);
  s->table[slot_of(s, key)] = set;
  s->used += bytes;
  s->count++;
  s->stats->nodes++;
  return set;
}

static uint64_t set_key(uint64_t key, uint32_t role) { return alea_hash_join(key, role); }

/* The arm of 'move', or NULL where the set does not know it. */
static alea_option_arm *find_arm(alea_infoset *set, alea_move move) {
  alea_option_arm wanted = {.move = move};
  return bsearch(&wanted, set->arms, set->count, sizeof *set->arms, by_move);
}

/* ---- one simulation ---- */

/* UCB1 over the legal moves, those never tried first. */
static alea_option_arm *pick_arm(alea_infosets *s, alea_infoset *set, alea_list legal) {
  float best = -1, logs = logf((float)set->visits + 1);
  alea_option_arm *found = NULL;
  uint32_t at = alea_rng_below(&s->rng, legal.count);
  for (uint32_t i = 0; i < legal.count; i++, at = at + 1 == legal.count ? 0 : at + 1) {
    alea_option_arm *arm = find_arm(set, legal.ids[at]);
    if (arm == NULL) continue;
    float n = (float)arm->visits;
    float score = n > 0 ? arm->sum / n + (float)s->c * sqrtf(2 * logs / n) : 1e6f;
    if (score <= best) continue;
    best = score;
    found = arm;
  }
  return found;
}

static bool push_pick(alea_infosets *s, alea_infoset *set, const alea_option_arm *arm,
                      uint32_t role) {
  if (s->pick_count == s->pick_capacity &&
      !alea_vec_grow(s->mem, (void **)&s->picks, &s->pick_capacity, s->pick_count, 1, sizeof(pick)))
    return false;
  s->picks[s->pick_count++] = (pick){set, (uint32_t)(arm - set->arms), role};
  return true;
}

/* A move for one role; '*fresh' when its information set was new. */
static alea_status choose(alea_infosets *s, uint32_t role, alea_list legal, bool *fresh) {
  if (legal.count == 0) return ALEA_NO;
  s->joint[role] = legal.ids[legal.count > 1 ? alea_rng_below(&s->rng, legal.count) : 0];
  if (legal.count == 1 || (int)role == s->setup->game->random_role) return ALEA_OK;
  uint64_t key = set_key(s->keys[role], role);
  alea_infoset *set = s->table[slot_of(s, key)];
  if (set == NULL) {
    *fresh = true;
    set = make_set(s, key, legal);
  }
  alea_option_arm *arm = set != NULL ? pick_arm(s, set, legal) : NULL;
  if (arm == NULL) return ALEA_OK;
  s->joint[role] = arm->move;
  return push_pick(s, set, arm, role) ? ALEA_OK : no_memory(s->mem);
}

static alea_status note_sights(alea_infosets *s) {
  for (uint32_t r = 0; r < s->setup->game->role_count; r++) {
    alea_list percepts;
    alea_status status = alea_cursor_percepts(s->cursor, r, &percepts);
    if (status != ALEA_OK) return status;
    s->keys[r] = alea_belief_key(s->keys[r], s->joint[r], alea_belief_sight(percepts));
  }
  return ALEA_OK;
}

/* One step down the trees.  ALEA_NO: the play is over. */
static alea_status step(alea_infosets *s, bool *fresh) {
  bool terminal;
  alea_status status = alea_cursor_terminal(s->cursor, &terminal);
  if (status == ALEA_OK && terminal) return ALEA_NO;
  for (uint32_t r = 0; status == ALEA_OK && r < s->setup->game->role_count; r++) {
    alea_list legal;
    status = alea_cursor_legal(s->cursor, r, &legal);
    if (status == ALEA_OK) status = choose(s, r, legal, fresh);
  }
  if (status == ALEA_OK) status = alea_cursor_play(s->cursor, s->joint);
  return status == ALEA_OK ? note_sights(s) : status;
}

static alea_status simulate(alea_infosets *s, const alea_belief *belief) {
  const alea_particle *particle = alea_belief_draw(belief, &s->rng);
  memcpy(s->keys, particle->keys, s->setup->game->role_count * sizeof *s->keys);
  s->pick_count = s->trace.count = 0;
  alea_status status = alea_particle_load(particle, s->cursor);
  bool fresh = false;
  for (uint32_t depth = 0; status == ALEA_OK && !fresh && depth < MOST_DEPTH; depth++)
    status = step(s, &fresh);
  if (status != ALEA_OK && status != ALEA_NO) return status;
  status = alea_rollout_run(&s->rollout, s->cursor, &s->rng, &s->trace, s->rewards);
  if (status != ALEA_OK) return status;
  for (size_t i = 0; i < s->pick_count; i++) {
    pick *p = &s->picks[i];
    p->set->visits++;
    p->set->arms[p->arm].visits++;
    p->set->arms[p->arm].sum += s->rewards[p->role];
  }
  s->stats->sims++;
  return ALEA_OK;
}

alea_status alea_infosets_run(alea_infosets *sets, const alea_belief *belief, alea_watch *watch) {
  if (sets->used > sets->limit / 2) empty(sets);
  uint64_t before = sets->stats->sims;
  while (!alea_watch_over(watch, sets->stats->sims - before)) {
    alea_status status = simulate(sets, belief);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

/* ---- the answer ---- */

static alea_infoset *root_of(alea_infosets *s, const alea_belief *belief) {
  uint64_t key = set_key(belief->now.data[0].keys[s->setup->role], s->setup->role);
  return s->table[slot_of(s, key)];
}

alea_status alea_infosets_best(alea_infosets *sets, const alea_belief *belief, alea_move *move) {
  const alea_infoset *root = root_of(sets, belief);
  if (root == NULL) return ALEA_NO;
  const alea_option_arm *best = &root->arms[0];
  for (uint32_t i = 1; i < root->count; i++)
    if (root->arms[i].visits > best->visits) best = &root->arms[i];
  *move = best->move;
  return ALEA_OK;
}

void alea_infosets_analyse(alea_infosets *sets, const alea_belief *belief,
                           alea_analysis *analysis) {
  const alea_infoset *root = belief->live > 0 ? root_of(sets, belief) : NULL;
  sets->choices.count = 0;
  uint32_t most = 0;
  for (uint32_t i = 0; root != NULL && i < root->count; i++) {
    const alea_option_arm *arm = &root->arms[i];
    double value = arm->visits > 0 ? 100 * (double)arm->sum / arm->visits : -1;
    alea_choice choice = {arm->move, arm->visits, value, ALEA_PROOF_NONE};
    if (!alea_vec_push(sets->mem, &sets->choices, choice)) return;
    if (arm->visits > most) most = arm->visits, analysis->value = value;
  }
  analysis->choices = sets->choices.data;
  analysis->count = sets->choices.count;
}
