/* Information-set search. */
#include "play/infoset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "game/position.h"

enum { FIRST_SETS = 512, MOST_DEPTH = 4096 };

struct alea_infoset_pick {
  alea_infoset *set;
  uint32_t arm, role;
};
typedef struct alea_infoset_pick pick;

static size_t set_bytes(uint32_t arms) {
  return sizeof(alea_infoset) + arms * sizeof(alea_option_arm);
}

static alea_infoset *set_at(uint64_t word) { return (alea_infoset *)(uintptr_t)word; }

static uint64_t hash_set(uint64_t word) { return set_at(word)->key; }

static size_t map_bytes(const alea_infosets *s) {
  return alea_hash_words_slots(&s->map) * sizeof *s->map.slots;
}

/* ---- the table ---- */

/* Lines for a batch, and what the sampler needs; one line where it plays one
 * game after the other. */
static alea_status make_lines(alea_infosets *s, const alea_infosets_batch *batch) {
  alea_mem *mem = s->mem;
  uint32_t roles = s->setup->game->role_count;
  if (batch != NULL) {
    uint64_t seed = alea_rng_next(&s->rng);
    alea_status status = s->setup->sampler != NULL
                             ? s->setup->sampler(s->setup->sampler_context, seed, mem, &s->sampler)
                             : alea_sampler_new_plain(&s->sampler, s->setup->game, seed, mem);
    if (status != ALEA_OK) return status;
    bool many = strcmp(s->sampler->class->engine, "plain") != 0;
    s->batch = many ? *batch : (alea_infosets_batch){1, 1};
  } else {
    s->batch = (alea_infosets_batch){1, 1};
  }
  uint32_t count = s->batch.pulls;
  s->lines = alea_mem_calloc(mem, count, sizeof *s->lines);
  s->requests = alea_mem_calloc(mem, count, sizeof *s->requests);
  s->results = alea_mem_calloc(mem, count, sizeof *s->results);
  s->sums = alea_mem_calloc(mem, (size_t)count * 2 * roles, sizeof *s->sums);
  if (s->lines == NULL || s->requests == NULL || s->results == NULL || s->sums == NULL)
    return alea_mem_lack(mem);
  for (uint32_t i = 0; i < count; i++) {
    s->results[i].sum = s->sums + (size_t)i * 2 * roles;
    s->results[i].sum_squares = s->results[i].sum + roles;
  }
  s->line = s->lines;
  return ALEA_OK;
}

static void clear_lines(alea_infosets *s) {
  uint32_t count = s->batch.pulls, roles = s->setup->game->role_count;
  for (uint32_t i = 0; s->lines != NULL && i < count; i++) {
    alea_mem_free(s->mem, s->lines[i].picks, s->lines[i].pick_capacity * sizeof(pick));
    alea_vec_clear(s->mem, &s->lines[i].words);
  }
  alea_mem_free(s->mem, s->lines, count * sizeof *s->lines);
  alea_mem_free(s->mem, s->requests, count * sizeof *s->requests);
  alea_mem_free(s->mem, s->results, count * sizeof *s->results);
  alea_mem_free(s->mem, s->sums, (size_t)count * 2 * roles * sizeof *s->sums);
  alea_sampler_free(s->sampler);
}

alea_status alea_infosets_init(alea_infosets *sets, const alea_player_setup *setup, double c,
                               size_t memory, alea_player_stats *stats) {
  return alea_infosets_init_batch(sets, setup, c, memory, stats, NULL);
}

alea_status alea_infosets_init_batch(alea_infosets *sets, const alea_player_setup *setup, double c,
                                     size_t memory, alea_player_stats *stats,
                                     const alea_infosets_batch *batch) {
  alea_mem *mem = setup->mem;
  uint32_t roles = setup->game->role_count;
  *sets = (alea_infosets){.setup = setup, .mem = mem, .stats = stats, .c = c, .limit = memory};
  alea_rng_seed_stream(&sets->rng, setup->seed, 3);
  bool room = alea_hash_words_init(&sets->map, mem, FIRST_SETS);
  sets->joint = alea_mem_calloc(mem, roles, sizeof *sets->joint);
  sets->keys = alea_mem_calloc(mem, roles, sizeof *sets->keys);
  sets->rewards = alea_mem_calloc(mem, roles, sizeof *sets->rewards);
  if (!room || sets->joint == NULL || sets->keys == NULL || sets->rewards == NULL)
    return alea_mem_lack(mem);
  sets->used = map_bytes(sets);
  alea_status status = alea_cursor_new(setup->game, mem, &sets->cursor);
  if (status == ALEA_OK)
    status = alea_rollout_init(&sets->rollout, setup->game, ALEA_ROLLOUT_UNIFORM, 1, 0, mem);
  return status == ALEA_OK ? make_lines(sets, batch) : status;
}

static void empty(alea_infosets *s) {
  for (size_t i = 0; i < alea_hash_words_slots(&s->map); i++) {
    if (s->map.slots[i] == 0) continue;
    alea_infoset *set = set_at(s->map.slots[i]);
    s->used -= set_bytes(set->count);
    alea_mem_free(s->mem, set, set_bytes(set->count));
  }
  alea_hash_words_empty(&s->map);
}

void alea_infosets_clear(alea_infosets *sets) {
  if (sets->mem == NULL) return;
  alea_mem *mem = sets->mem;
  uint32_t roles = sets->setup->game->role_count;
  empty(sets);
  alea_hash_words_clear(&sets->map, mem);
  alea_mem_free(mem, sets->joint, roles * sizeof *sets->joint);
  alea_mem_free(mem, sets->keys, roles * sizeof *sets->keys);
  alea_mem_free(mem, sets->rewards, roles * sizeof *sets->rewards);
  clear_lines(sets);
  alea_vec_clear(mem, &sets->trace);
  alea_vec_clear(mem, &sets->choices);
  alea_rollout_clear(&sets->rollout);
  alea_cursor_free(sets->cursor);
}

/* The set with that key, or NULL. */
static alea_infoset *find_set(const alea_infosets *s, uint64_t key) {
  alea_word_probe probe = alea_hash_words_probe(&s->map, key);
  while (alea_hash_words_next(&s->map, &probe))
    if (set_at(probe.word)->key == key) return set_at(probe.word);
  return NULL;
}

static bool grow(alea_infosets *s) {
  if (((size_t)s->map.count + 1) * 4 < alea_hash_words_slots(&s->map) * 3) return true;
  size_t bytes = map_bytes(s);
  if (s->used + bytes > s->limit || !alea_hash_words_grow(&s->map, s->mem, hash_set)) return false;
  s->used += bytes;
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
  alea_hash_words_add(&s->map, key, (uintptr_t)set);
  s->used += bytes;
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
  alea_infoset_line *line = s->line;
  if (line->pick_count == line->pick_capacity &&
      !alea_vec_grow(s->mem, (void **)&line->picks, &line->pick_capacity, line->pick_count, 1,
                     sizeof(pick)))
    return false;
  line->picks[line->pick_count++] = (pick){set, (uint32_t)(arm - set->arms), role};
  return true;
}

/* A move for one role; '*fresh' when its information set was new. */
static alea_status choose(alea_infosets *s, uint32_t role, alea_list legal, bool *fresh) {
  if (legal.count == 0) return ALEA_NO;
  s->joint[role] = legal.ids[legal.count > 1 ? alea_rng_below(&s->rng, legal.count) : 0];
  if (legal.count == 1 || (int)role == s->setup->game->random_role) return ALEA_OK;
  uint64_t key = set_key(s->keys[role], role);
  alea_infoset *set = find_set(s, key);
  if (set == NULL) {
    *fresh = true;
    set = make_set(s, key, legal);
  }
  alea_option_arm *arm = set != NULL ? pick_arm(s, set, legal) : NULL;
  if (arm == NULL) return ALEA_OK;
  s->joint[role] = arm->move;
  return push_pick(s, set, arm, role) ? ALEA_OK : alea_mem_lack(s->mem);
}

static alea_status note_observations(alea_infosets *s) {
  for (uint32_t r = 0; r < s->setup->game->role_count; r++) {
    alea_list percepts;
    alea_status status = alea_cursor_percepts(s->cursor, r, &percepts);
    if (status != ALEA_OK) return status;
    s->keys[r] = alea_belief_key(s->keys[r], s->joint[r], alea_belief_percepts_hash(percepts));
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
  return status == ALEA_OK ? note_observations(s) : status;
}

/* From a position of the belief down to where a set was new; the cursor
 * stays there. */
static alea_status descend(alea_infosets *s, const alea_belief *belief) {
  const alea_particle *particle = alea_belief_draw(belief, &s->rng);
  memcpy(s->keys, particle->keys, s->setup->game->role_count * sizeof *s->keys);
  s->line->pick_count = s->trace.count = 0;
  alea_status status = alea_particle_load(particle, s->cursor);
  bool fresh = false;
  for (uint32_t depth = 0; status == ALEA_OK && !fresh && depth < MOST_DEPTH; depth++)
    status = step(s, &fresh);
  return status == ALEA_NO ? ALEA_OK : status;
}

/* 'n' playouts with the mean s->rewards. */
static void add_rewards(alea_infosets *s, uint32_t n) {
  for (size_t i = 0; i < s->line->pick_count; i++) {
    pick *p = &s->line->picks[i];
    p->set->arms[p->arm].sum += (float)n * s->rewards[p->role];
  }
}

/* Visits are counted on the way down, so that a batch spreads out. */
static void add_visits(alea_infosets *s, uint32_t n) {
  for (size_t i = 0; i < s->line->pick_count; i++) {
    pick *p = &s->line->picks[i];
    p->set->visits += n;
    p->set->arms[p->arm].visits += n;
  }
}

static alea_status simulate(alea_infosets *s, const alea_belief *belief) {
  alea_status status = descend(s, belief);
  if (status != ALEA_OK) return status;
  status = alea_rollout_run(&s->rollout, s->cursor, &s->rng, &s->trace, s->rewards);
  if (status != ALEA_OK) return status;
  add_visits(s, 1);
  add_rewards(s, 1);
  s->stats->sims++;
  return ALEA_OK;
}

/* ---- many at once ---- */

static alea_status gather(alea_infosets *s, const alea_belief *belief, uint32_t pulls,
                          uint32_t playouts) {
  for (uint32_t i = 0; i < pulls; i++) {
    s->line = &s->lines[i];
    alea_status status = descend(s, belief);
    if (status != ALEA_OK) return status;
    status = alea_position_keep(&s->line->words, s->cursor, s->mem);
    if (status != ALEA_OK) return status;
    const alea_u64s *leaf = &s->line->words;
    s->requests[i] = (alea_sample_request){leaf->data, leaf->count, playouts};
    add_visits(s, playouts);
  }
  return ALEA_OK;
}

/* No more than 'left' playouts. */
static alea_status simulate_batch(alea_infosets *s, const alea_belief *belief, uint64_t left) {
  uint32_t playouts = s->batch.playouts, pulls = s->batch.pulls;
  if (left < playouts) playouts = (uint32_t)left;
  if (left / playouts < pulls) pulls = (uint32_t)(left / playouts);
  alea_status status = gather(s, belief, pulls, playouts);
  if (status == ALEA_OK)
    status = alea_sampler_run(s->sampler, s->requests, pulls, NULL, s->results);
  for (uint32_t i = 0; status == ALEA_OK && i < pulls; i++) {
    const alea_sample_result *result = &s->results[i];
    double all = (double)(result->playouts + result->unfinished);
    for (uint32_t r = 0; r < s->setup->game->role_count; r++)
      s->rewards[r] = all > 0 ? (float)(result->sum[r] / all / 100) : 0;
    s->line = &s->lines[i];
    add_rewards(s, playouts);
    s->stats->sims += playouts;
  }
  s->line = s->lines;
  return status;
}

alea_status alea_infosets_run(alea_infosets *sets, const alea_belief *belief,
                              alea_time_manager *time_manager) {
  if (sets->used > sets->limit / 2) empty(sets);
  uint64_t before = sets->stats->sims, done = 0;
  bool many = sets->batch.pulls * sets->batch.playouts > 1;
  sets->rollout.time_manager = time_manager;
  while (!alea_time_manager_over(time_manager, done)) {
    /* Small budgets get small batches. */
    uint64_t left = time_manager->limit - done;
    if (time_manager->limit < UINT64_MAX && left > time_manager->limit / 16 + 1)
      left = time_manager->limit / 16 + 1;
    alea_status status = many ? simulate_batch(sets, belief, left) : simulate(sets, belief);
    if (status == ALEA_NO && time_manager->late) break;
    if (status != ALEA_OK) return status;
    done = sets->stats->sims - before;
  }
  sets->rollout.time_manager = NULL;
  return ALEA_OK;
}

/* ---- the answer ---- */

static alea_infoset *root_of(alea_infosets *s, const alea_belief *belief) {
  uint64_t key = set_key(belief->now.data[0].keys[s->setup->role], s->setup->role);
  return find_set(s, key);
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
