/* Guided playouts. */
#include "play/rollout.h"

#include <string.h>

#include "base/hash.h"
#include "game/playout.h"
#include "game/time_manager.h"

enum { PAIRS = 1 << 16, PAIR_VISITS = 5, ASK_STEPS = 16 };

alea_status alea_rollout_init(alea_rollout *rollout, const alea_game *game, alea_rollout_kind kind,
                              double epsilon, uint32_t step_cap, alea_mem *mem) {
  *rollout = (alea_rollout){.mem = mem, .game = game, .kind = kind, .epsilon = epsilon};
  rollout->step_cap = step_cap > 0 ? step_cap : ALEA_DEFAULT_STEP_CAP;
  uint32_t roles = game->role_count;
  rollout->joint = alea_mem_calloc(mem, roles, sizeof *rollout->joint);
  rollout->first = alea_mem_calloc(mem, roles + 1u, sizeof *rollout->first);
  if (rollout->joint == NULL || rollout->first == NULL) return alea_mem_lack(mem);
  if (kind == ALEA_ROLLOUT_UNIFORM) return ALEA_OK;
  for (uint32_t r = 0; r < roles; r++)
    rollout->first[r + 1] = rollout->first[r] + alea_game_move_count(game, r);
  rollout->single_count = rollout->first[roles];
  rollout->single = alea_mem_calloc(mem, rollout->single_count, sizeof *rollout->single);
  if (rollout->single == NULL) return alea_mem_lack(mem);
  if (kind != ALEA_ROLLOUT_NST) return ALEA_OK;
  rollout->pairs = alea_mem_calloc(mem, PAIRS, sizeof *rollout->pairs);
  return rollout->pairs != NULL ? ALEA_OK : alea_mem_lack(mem);
}

void alea_rollout_clear(alea_rollout *rollout) {
  if (rollout->mem == NULL) return;
  uint32_t roles = rollout->game->role_count;
  alea_mem_free(rollout->mem, rollout->joint, roles * sizeof *rollout->joint);
  alea_mem_free(rollout->mem, rollout->first, (roles + 1u) * sizeof *rollout->first);
  alea_mem_free(rollout->mem, rollout->single, rollout->single_count * sizeof *rollout->single);
  alea_mem_free(rollout->mem, rollout->pairs, PAIRS * sizeof *rollout->pairs);
  *rollout = (alea_rollout){0};
}

/* ---- values of moves ---- */

static alea_amaf *pair_at(const alea_rollout *r, alea_played before, uint32_t role,
                          alea_move move) {
  uint64_t key = ((uint64_t)before.role << 56) ^ ((uint64_t)before.move << 28) ^ move;
  return &r->pairs[alea_hash_join(key, role) >> 48];
}

/* Half a win before anything is known, so that one bad game does not bury a
 * move. */
static float worth(const alea_amaf *stat) { return (stat->sum + 0.5f) / (stat->visits + 1); }

static float move_worth(const alea_rollout *r, const alea_played *before, uint32_t role,
                        alea_move move) {
  uint32_t index = r->first[role] + move;
  if (index >= r->first[role + 1]) return 0.5f; /* found since: nothing is known */
  if (before != NULL && r->pairs != NULL) {
    const alea_amaf *pair = pair_at(r, *before, role, move);
    if (pair->visits >= PAIR_VISITS) return worth(pair);
  }
  return worth(&r->single[index]);
}

static alea_move greedy(const alea_rollout *r, alea_rng *rng, const alea_played *before,
                        uint32_t role, alea_list legal) {
  uint32_t at = alea_rng_below(rng, legal.count);
  alea_move found = legal.ids[at];
  float best = -1;
  for (uint32_t i = 0; i < legal.count; i++, at = at + 1 == legal.count ? 0 : at + 1) {
    float value = move_worth(r, before, role, legal.ids[at]);
    if (value <= best) continue;
    best = value;
    found = legal.ids[at];
  }
  return found;
}

/* ---- playing ---- */

/* What chooses the moves of a rollout: greedily, or by chance. */
typedef struct own_play {
  alea_rollout *rollout;
  alea_rng *rng;
  alea_trace *trace;
} own_play;

static alea_status choose(void *context, alea_cursor *cursor, alea_move *joint) {
  const own_play *self = context;
  alea_rollout *r = self->rollout;
  alea_trace *trace = self->trace;
  alea_rng *rng = self->rng;
  size_t seen = trace->count;
  for (uint32_t role = 0; role < r->game->role_count; role++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(cursor, role, &legal);
    if (status != ALEA_OK) return status;
    if (legal.count == 0) return ALEA_NONE;
    joint[role] = legal.ids[0];
    if (legal.count == 1) continue;
    bool guided = r->kind != ALEA_ROLLOUT_UNIFORM && (int)role != r->game->random_role &&
                  alea_rng_unit(rng) >= r->epsilon;
    const alea_played *before = seen > 0 ? &trace->data[seen - 1] : NULL;
    joint[role] =
        guided ? greedy(r, rng, before, role, legal) : legal.ids[alea_rng_below(rng, legal.count)];
    if (!alea_vec_push(r->mem, trace, (alea_played){role, joint[role]}))
      return alea_mem_lack(r->mem);
  }
  return ALEA_OK;
}

static alea_status read_goals(const alea_game *game, alea_cursor *cursor, float *rewards) {
  for (uint32_t role = 0; role < game->role_count; role++) {
    int goal;
    alea_status status = alea_cursor_goal(cursor, role, &goal);
    if (status != ALEA_OK) return status;
    rewards[role] = goal > 0 ? (float)goal / 100 : 0;
  }
  return ALEA_OK;
}

static bool is_late(const alea_rollout *r) {
  return r->time_manager != NULL && alea_time_manager_late(r->time_manager);
}

alea_status alea_rollout_play(alea_rollout *rollout, alea_cursor *cursor,
                              alea_rollout_choose_fn *choose_joint, void *context, float *rewards) {
  memset(rewards, 0, rollout->game->role_count * sizeof *rewards);
  for (uint32_t steps = 0; steps <= rollout->step_cap; steps++) {
    bool terminal;
    alea_status status = alea_cursor_terminal(cursor, &terminal);
    if (status != ALEA_OK) return status;
    if (terminal) return read_goals(rollout->game, cursor, rewards);
    if (steps % ASK_STEPS == ASK_STEPS - 1 && is_late(rollout)) return ALEA_LIMIT;
    status = choose_joint(context, cursor, rollout->joint);
    if (status == ALEA_NONE) return ALEA_OK;
    if (status == ALEA_OK) status = alea_cursor_play(cursor, rollout->joint);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

alea_status alea_rollout_run(alea_rollout *rollout, alea_cursor *cursor, alea_rng *rng,
                             alea_trace *trace, float *rewards) {
  own_play self = {.rollout = rollout, .rng = rng, .trace = trace};
  return alea_rollout_play(rollout, cursor, choose, &self, rewards);
}

/* ---- learning ---- */

static void add(alea_amaf *stat, float reward) {
  stat->visits += 1;
  stat->sum += reward;
}

void alea_rollout_learn(alea_rollout *rollout, const alea_trace *trace, const float *rewards) {
  if (rollout->kind == ALEA_ROLLOUT_UNIFORM) return;
  for (size_t i = 0; i < trace->count; i++) {
    alea_played made = trace->data[i];
    uint32_t index = rollout->first[made.role] + made.move;
    if (index >= rollout->first[made.role + 1]) continue;
    add(&rollout->single[index], rewards[made.role]);
    if (i > 0 && rollout->pairs != NULL) {
      add(pair_at(rollout, trace->data[i - 1], made.role, made.move), rewards[made.role]);
    }
  }
}

static void fade(alea_amaf *stats, size_t count, float factor) {
  for (size_t i = 0; stats != NULL && i < count; i++) {
    stats[i].visits *= factor;
    stats[i].sum *= factor;
  }
}

void alea_rollout_fade(alea_rollout *rollout, float factor) {
  fade(rollout->single, rollout->single_count, factor);
  fade(rollout->pairs, PAIRS, factor);
}
