/* Outcome sampling. */
#include "play/outcome_sampling.h"

#include <string.h>

#include "base/hash.h"

enum { MOST_DEPTH = 4096 };

/* A choice of the learner: the arm taken, its probability under the strategy
 * and under the sampling. */
struct alea_outcome_sampling_step {
  alea_regret_set *set;
  uint32_t arm;
  float strategy, sampled;
};
typedef struct alea_outcome_sampling_step sampling_step;

alea_status alea_outcome_sampling_init(alea_outcome_sampling *outcome,
                                       const alea_player_setup *setup, double epsilon,
                                       size_t memory, alea_player_stats *stats) {
  alea_mem *mem = setup->mem;
  uint32_t roles = setup->game->role_count;
  *outcome =
      (alea_outcome_sampling){.setup = setup, .mem = mem, .stats = stats, .epsilon = epsilon};
  alea_rng_seed_stream(&outcome->rng, setup->seed, 4);
  alea_status status =
      alea_infoset_table_init(&outcome->table, sizeof(alea_regret_arm), memory, stats, mem);
  if (status != ALEA_OK) return status;
  outcome->joint = alea_mem_calloc(mem, roles, sizeof *outcome->joint);
  outcome->keys = alea_mem_calloc(mem, roles, sizeof *outcome->keys);
  outcome->rewards = alea_mem_calloc(mem, roles, sizeof *outcome->rewards);
  if (outcome->joint == NULL || outcome->keys == NULL || outcome->rewards == NULL)
    return alea_mem_lack(mem);
  status = alea_cursor_new(setup->game, mem, &outcome->cursor);
  if (status != ALEA_OK) return status;
  return alea_rollout_init(&outcome->rollout, setup->game, ALEA_ROLLOUT_UNIFORM, 1, 0, mem);
}

void alea_outcome_sampling_clear(alea_outcome_sampling *outcome) {
  alea_mem *mem = outcome->mem;
  if (mem == NULL) return;
  uint32_t roles = outcome->setup->game->role_count;
  alea_infoset_table_clear(&outcome->table);
  alea_mem_free(mem, outcome->joint, roles * sizeof *outcome->joint);
  alea_mem_free(mem, outcome->keys, roles * sizeof *outcome->keys);
  alea_mem_free(mem, outcome->rewards, roles * sizeof *outcome->rewards);
  alea_mem_free(mem, outcome->steps, outcome->step_capacity * sizeof(sampling_step));
  alea_vec_clear(mem, &outcome->trace);
  alea_rollout_clear(&outcome->rollout);
  alea_cursor_free(outcome->cursor);
}

/* ---- information sets ---- */

static alea_regret_set *make_set(alea_outcome_sampling *o, uint64_t key, alea_list legal) {
  alea_regret_set *set = alea_infoset_table_add(&o->table, key, legal.count);
  for (uint32_t i = 0; set != NULL && i < legal.count; i++) set->arms[i].move = legal.ids[i];
  return set;
}

/* What 'role' knows at the cursor. */
static uint64_t key_of(alea_outcome_sampling *o, uint32_t role) {
  bool hidden = o->setup->game->has_sees;
  return alea_hash_join(hidden ? o->keys[role] : alea_cursor_hash(o->cursor), role);
}

/* ---- one sample ---- */

static float positive_sum(const alea_regret_set *set) {
  float sum = 0;
  for (uint32_t i = 0; i < set->head.count; i++)
    if (set->arms[i].regret > 0) sum += set->arms[i].regret;
  return sum;
}

static float strategy_of(const alea_regret_set *set, uint32_t arm, float sum) {
  if (sum <= 0) return 1 / (float)set->head.count;
  return set->arms[arm].regret > 0 ? set->arms[arm].regret / sum : 0;
}

/* Draws an arm from the strategy. */
static uint32_t draw(alea_outcome_sampling *o, const alea_regret_set *set, float sum) {
  float at = (float)alea_rng_unit(&o->rng);
  for (uint32_t i = 0; i + 1 < set->head.count; i++) {
    at -= strategy_of(set, i, sum);
    if (at < 0) return i;
  }
  return set->head.count - 1;
}

static bool push_step(alea_outcome_sampling *o, sampling_step s) {
  if (o->step_count == o->step_capacity &&
      !alea_vec_grow(o->mem, (void **)&o->steps, &o->step_capacity, o->step_count, 1, sizeof s))
    return false;
  o->steps[o->step_count++] = s;
  return true;
}

/* How much likelier the learner comes here by its strategy than by sampling:
 * the weight of its strategy in the average. */
static float own_reach(const alea_outcome_sampling *o) {
  float reach = 1;
  for (size_t i = 0; i < o->step_count; i++) reach *= o->steps[i].strategy / o->steps[i].sampled;
  return reach;
}

static alea_status choose_in(alea_outcome_sampling *o, alea_regret_set *set, uint32_t role,
                             alea_list legal) {
  float sum = positive_sum(set), uniform = 1 / (float)set->head.count;
  bool learns = role == o->learner, explores = learns && alea_rng_unit(&o->rng) < o->epsilon;
  uint32_t arm = explores ? alea_rng_below(&o->rng, set->head.count) : draw(o, set, sum);
  /* Positions of one information set should have the same moves; where a rule
   * sheet breaks that, the move drawn uniformly before stands. */
  if (!alea_list_has(legal, set->arms[arm].move)) return ALEA_OK;
  o->joint[role] = set->arms[arm].move;
  set->head.visits++;
  float reach = learns ? own_reach(o) : 1;
  for (uint32_t i = 0; i < set->head.count; i++)
    set->arms[i].share += reach * strategy_of(set, i, sum);
  if (!learns) return ALEA_OK;
  float strategy = strategy_of(set, arm, sum);
  float sampled = (float)o->epsilon * uniform + (1 - (float)o->epsilon) * strategy;
  return push_step(o, (sampling_step){set, arm, strategy, sampled}) ? ALEA_OK
                                                                    : alea_mem_lack(o->mem);
}

static alea_status choose(alea_outcome_sampling *o, uint32_t role, alea_list legal, bool *fresh) {
  if (legal.count == 0) return ALEA_NONE;
  o->joint[role] = legal.ids[legal.count > 1 ? alea_rng_below(&o->rng, legal.count) : 0];
  if (legal.count == 1 || (int)role == o->setup->game->random_role) return ALEA_OK;
  uint64_t key = key_of(o, role);
  alea_regret_set *set = alea_infoset_table_find(&o->table, key);
  if (set == NULL) {
    *fresh = true;
    set = make_set(o, key, legal);
  }
  return set != NULL ? choose_in(o, set, role, legal) : ALEA_OK;
}

static alea_status note_observations(alea_outcome_sampling *o) {
  if (!o->setup->game->has_sees) return ALEA_OK;
  for (uint32_t r = 0; r < o->setup->game->role_count; r++) {
    alea_list percepts;
    alea_status status = alea_cursor_percepts(o->cursor, r, &percepts);
    if (status != ALEA_OK) return status;
    o->keys[r] = alea_belief_key(o->keys[r], o->joint[r], alea_belief_percepts_hash(percepts));
  }
  return ALEA_OK;
}

static alea_status one_step(alea_outcome_sampling *o, bool *fresh) {
  bool terminal;
  alea_status status = alea_cursor_terminal(o->cursor, &terminal);
  if (status == ALEA_OK && terminal) return ALEA_NONE;
  for (uint32_t r = 0; status == ALEA_OK && r < o->setup->game->role_count; r++) {
    alea_list legal;
    status = alea_cursor_legal(o->cursor, r, &legal);
    if (status == ALEA_OK) status = choose(o, r, legal, fresh);
  }
  if (status == ALEA_OK) status = alea_cursor_play(o->cursor, o->joint);
  return status == ALEA_OK ? note_observations(o) : status;
}

/* The regrets of the learner's choices: the sampled value of the arm taken
 * against that of the strategy (Lanctot et al. 2009, equation 10). */
static void learn(alea_outcome_sampling *o) {
  float weight = o->rewards[o->learner], tail = 1;
  for (size_t i = 0; i < o->step_count; i++) weight /= o->steps[i].sampled;
  for (size_t i = o->step_count; i-- > 0;) {
    const sampling_step *s = &o->steps[i];
    for (uint32_t a = 0; a < s->set->head.count; a++) {
      float share = a == s->arm ? 1 - s->strategy : -s->strategy;
      s->set->arms[a].regret += weight * tail * share;
    }
    tail *= s->strategy;
  }
}

static alea_status sample(alea_outcome_sampling *o, const alea_belief *belief) {
  const alea_particle *particle = alea_belief_draw(belief, &o->rng);
  memcpy(o->keys, particle->keys, o->setup->game->role_count * sizeof *o->keys);
  o->step_count = o->trace.count = 0;
  alea_status status = alea_particle_load(particle, o->cursor);
  bool fresh = false;
  for (uint32_t depth = 0; status == ALEA_OK && !fresh && depth < MOST_DEPTH; depth++)
    status = one_step(o, &fresh);
  if (status != ALEA_OK && status != ALEA_NONE) return status;
  status = alea_rollout_run(&o->rollout, o->cursor, &o->rng, &o->trace, o->rewards);
  if (status == ALEA_OK) learn(o);
  o->stats->sims++;
  do {
    o->learner = (o->learner + 1) % o->setup->game->role_count;
  } while ((int)o->learner == o->setup->game->random_role);
  return status;
}

alea_status alea_outcome_sampling_run(alea_outcome_sampling *outcome, const alea_belief *belief,
                                      alea_time_manager *time_manager) {
  uint64_t before = outcome->stats->sims;
  outcome->learner = outcome->setup->role;
  alea_infoset_table_make_room(&outcome->table);
  while (!alea_time_manager_over(time_manager, outcome->stats->sims - before)) {
    alea_status status = sample(outcome, belief);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

const alea_regret_set *alea_outcome_sampling_root(alea_outcome_sampling *outcome,
                                                  const alea_belief *belief) {
  const alea_particle *particle = &belief->now.data[0];
  memcpy(outcome->keys, particle->keys, outcome->setup->game->role_count * sizeof *outcome->keys);
  if (alea_particle_load(particle, outcome->cursor) != ALEA_OK) return NULL;
  return alea_infoset_table_find(&outcome->table, key_of(outcome, outcome->setup->role));
}
