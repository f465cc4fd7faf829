/* Information-set search. */
#include "play/infoset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "game/position.h"

enum { MOST_DEPTH = 4096 };

struct alea_infoset_pick {
  alea_infoset *set;
  uint32_t arm, role;
};
typedef struct alea_infoset_pick pick;

/* Lines for a batch, and what the sampler needs; one line where it plays one
 * game after the other. */
static alea_status make_lines(alea_infosets *s, const alea_infosets_batch *batch) {
  s->batch = (alea_infosets_batch){1, 1};
  if (batch != NULL) {
    alea_status status = alea_leaf_batch_open(&s->leaves, s->setup, &s->rng);
    if (status != ALEA_OK) return status;
    if (s->leaves.many) s->batch = *batch;
  }
  s->line = s->lines = alea_mem_calloc(s->mem, s->batch.pulls, sizeof *s->lines);
  if (s->lines == NULL) return alea_mem_lack(s->mem);
  return alea_leaf_batch_reserve(&s->leaves, s->batch.pulls);
}

static void clear_lines(alea_infosets *s) {
  uint32_t count = s->batch.pulls;
  for (uint32_t i = 0; s->lines != NULL && i < count; i++) {
    alea_mem_free(s->mem, s->lines[i].picks, s->lines[i].pick_capacity * sizeof(pick));
    alea_vec_clear(s->mem, &s->lines[i].words);
  }
  alea_mem_free(s->mem, s->lines, count * sizeof *s->lines);
  alea_leaf_batch_clear(&s->leaves);
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
  *sets = (alea_infosets){.setup = setup, .mem = mem, .stats = stats, .c = c};
  alea_leaf_batch_init(&sets->leaves, setup);
  alea_rng_seed_stream(&sets->rng, setup->seed, 3);
  alea_status status =
      alea_infoset_table_init(&sets->table, sizeof(alea_option_arm), memory, stats, mem);
  if (status != ALEA_OK) return status;
  sets->joint = alea_mem_calloc(mem, roles, sizeof *sets->joint);
  sets->keys = alea_mem_calloc(mem, roles, sizeof *sets->keys);
  sets->rewards = alea_mem_calloc(mem, roles, sizeof *sets->rewards);
  if (sets->joint == NULL || sets->keys == NULL || sets->rewards == NULL) return alea_mem_lack(mem);
  status = alea_cursor_new(setup->game, mem, &sets->cursor);
  if (status == ALEA_OK)
    status = alea_rollout_init(&sets->rollout, setup->game, ALEA_ROLLOUT_UNIFORM, 1, 0, mem);
  return status == ALEA_OK ? make_lines(sets, batch) : status;
}

void alea_infosets_clear(alea_infosets *sets) {
  if (sets->mem == NULL) return;
  alea_mem *mem = sets->mem;
  uint32_t roles = sets->setup->game->role_count;
  alea_infoset_table_clear(&sets->table);
  alea_mem_free(mem, sets->joint, roles * sizeof *sets->joint);
  alea_mem_free(mem, sets->keys, roles * sizeof *sets->keys);
  alea_mem_free(mem, sets->rewards, roles * sizeof *sets->rewards);
  clear_lines(sets);
  alea_vec_clear(mem, &sets->trace);
  alea_vec_clear(mem, &sets->choices);
  alea_rollout_clear(&sets->rollout);
  alea_cursor_free(sets->cursor);
}

static int by_move(const void *a, const void *b) {
  alea_move x = ((const alea_option_arm *)a)->move, y = ((const alea_option_arm *)b)->move;
  return x < y ? -1 : x > y;
}

/* A new set with these moves; NULL where memory is up. */
static alea_infoset *make_set(alea_infosets *s, uint64_t key, alea_list legal) {
  alea_infoset *set = alea_infoset_table_add(&s->table, key, legal.count);
  if (set == NULL) return NULL;
  for (uint32_t i = 0; i < legal.count; i++) set->arms[i].move = legal.ids[i];
  qsort(set->arms, legal.count, sizeof *set->arms, by_move);
  return set;
}

static uint64_t set_key(uint64_t key, uint32_t role) { return alea_hash_join(key, role); }

/* The arm of 'move', or NULL where the set does not know it. */
static alea_option_arm *find_arm(alea_infoset *set, alea_move move) {
  alea_option_arm wanted = {.move = move};
  return bsearch(&wanted, set->arms, set->head.count, sizeof *set->arms, by_move);
}

/* ---- one simulation ---- */

/* UCB1 over the legal moves, those never tried first. */
static alea_option_arm *pick_arm(alea_infosets *s, alea_infoset *set, alea_list legal) {
  float best = -1, logs = logf((float)set->head.visits + 1);
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
  if (legal.count == 0) return ALEA_NONE;
  s->joint[role] = legal.ids[legal.count > 1 ? alea_rng_below(&s->rng, legal.count) : 0];
  if (legal.count == 1 || (int)role == s->setup->game->random_role) return ALEA_OK;
  uint64_t key = set_key(s->keys[role], role);
  alea_infoset *set = alea_infoset_table_find(&s->table, key);
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

/* One step down the trees.  ALEA_NONE: the play is over. */
static alea_status step(alea_infosets *s, bool *fresh) {
  bool terminal;
  alea_status status = alea_cursor_terminal(s->cursor, &terminal);
  if (status == ALEA_OK && terminal) return ALEA_NONE;
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
  return status == ALEA_NONE ? ALEA_OK : status;
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
    p->set->head.visits += n;
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
  alea_leaf_batch_begin(&s->leaves);
  for (uint32_t i = 0; i < pulls; i++) {
    s->line = &s->lines[i];
    alea_status status = descend(s, belief);
    if (status != ALEA_OK) return status;
    status = alea_position_keep(&s->line->words, s->cursor, s->mem);
    if (status != ALEA_OK) return status;
    const alea_u64s *leaf = &s->line->words;
    alea_leaf_batch_add(&s->leaves, leaf->data, leaf->count, playouts);
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
  if (status == ALEA_OK) status = alea_leaf_batch_run(&s->leaves, NULL);
  for (uint32_t i = 0; status == ALEA_OK && i < pulls; i++) {
    alea_leaf_batch_rewards(&s->leaves, i, s->rewards);
    s->line = &s->lines[i];
    add_rewards(s, playouts);
    s->stats->sims += playouts;
  }
  s->line = s->lines;
  return status;
}

static alea_status simulate_all(alea_infosets *s, const alea_belief *belief,
                                alea_time_manager *time_manager) {
  uint64_t before = s->stats->sims, done = 0, limit = time_manager->limit;
  bool many = s->batch.pulls * s->batch.playouts > 1;
  while (!alea_time_manager_over(time_manager, done)) {
    /* Small budgets get small batches. */
    uint64_t left = limit - done;
    if (limit < UINT64_MAX && left > limit / 16 + 1) left = limit / 16 + 1;
    alea_status status = many ? simulate_batch(s, belief, left) : simulate(s, belief);
    if (status == ALEA_LIMIT && time_manager->late) break;
    if (status != ALEA_OK) return status;
    done = s->stats->sims - before;
  }
  return ALEA_OK;
}

alea_status alea_infosets_run(alea_infosets *sets, const alea_belief *belief,
                              alea_time_manager *time_manager) {
  alea_infoset_table_make_room(&sets->table);
  sets->rollout.time_manager = time_manager;
  alea_status status = simulate_all(sets, belief, time_manager);
  /* It belongs to the caller, who may be done with it whatever the status. */
  sets->rollout.time_manager = NULL;
  return status;
}

/* ---- the answer ---- */

static alea_infoset *root_of(alea_infosets *s, const alea_belief *belief) {
  uint64_t key = set_key(belief->now.data[0].keys[s->setup->role], s->setup->role);
  return alea_infoset_table_find(&s->table, key);
}

alea_status alea_infosets_best(alea_infosets *sets, const alea_belief *belief, alea_move *move) {
  const alea_infoset *root = root_of(sets, belief);
  if (root == NULL) return ALEA_NONE;
  const alea_option_arm *best = &root->arms[0];
  for (uint32_t i = 1; i < root->head.count; i++)
    if (root->arms[i].visits > best->visits) best = &root->arms[i];
  *move = best->move;
  return ALEA_OK;
}

void alea_infosets_analyse(alea_infosets *sets, const alea_belief *belief,
                           alea_analysis *analysis) {
  const alea_infoset *root = belief->live > 0 ? root_of(sets, belief) : NULL;
  sets->choices.count = 0;
  uint32_t most = 0;
  for (uint32_t i = 0; root != NULL && i < root->head.count; i++) {
    const alea_option_arm *arm = &root->arms[i];
    double value = arm->visits > 0 ? 100 * (double)arm->sum / arm->visits : -1;
    alea_choice choice = {arm->move, arm->visits, value, ALEA_PROOF_NONE};
    if (!alea_vec_push(sets->mem, &sets->choices, choice)) return;
    if (arm->visits > most) most = arm->visits, analysis->value = value;
  }
  analysis->choices = sets->choices.data;
  analysis->count = sets->choices.count;
}
