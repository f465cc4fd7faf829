/* The player `mc`: flat Monte Carlo.  Its own moves are the arms of one
 * bandit (UCB1), everything after them is random, its opponents' moves at the
 * same time too. */
#include <math.h>
#include <string.h>

#include "game/time_manager.h"
#include "play/belief.h"
#include "play/classes.h"
#include "play/rollout.h"

/* clang-format off */
#define OPTIONS(row)                                                              \
  row(real, c, "1", 0, 100, "C", "weight of exploration, on rewards from 0 to 1") \
  row(integer, step_cap, "0", 0, 1e9, "N", "steps after which a playout counts 0; 0 is 10000") \
  row(integer, particles, "300", 1, 1e6, "N", "states in the belief, where the game has sees")
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

typedef struct arm {
  alea_move move;
  uint64_t visits;
  double sum;
} arm;

typedef struct mc_player {
  alea_player player; /* first: it is an alea_player */
  alea_belief belief;
  alea_rollout rollout;
  alea_cursor *cursor;
  alea_trace trace;
  alea_move *joint;
  float *rewards;
  ALEA_VEC(arm) arms;
  ALEA_VEC(alea_choice) choices;
  alea_pace pace;
} mc_player;

static mc_player *self_of(alea_player *player) { return (mc_player *)(void *)player; }

static alea_status init(alea_player *player) {
  mc_player *self = self_of(player);
  const values *v = player->values;
  const alea_game *game = player->setup.game;
  alea_mem *mem = player->setup.mem;
  alea_status status = alea_belief_init(&self->belief, &player->setup, (uint32_t)v->particles);
  if (status == ALEA_OK)
    status = alea_rollout_init(&self->rollout, game, ALEA_ROLLOUT_UNIFORM, 1, (uint32_t)v->step_cap,
                               mem);
  if (status == ALEA_OK) status = alea_cursor_new(game, mem, &self->cursor);
  if (status != ALEA_OK) return status;
  self->joint = alea_mem_calloc(mem, game->role_count, sizeof *self->joint);
  self->rewards = alea_mem_calloc(mem, game->role_count, sizeof *self->rewards);
  return self->joint != NULL && self->rewards != NULL ? ALEA_OK : alea_mem_lack(mem);
}

static void clear(alea_player *player) {
  mc_player *self = self_of(player);
  alea_mem *mem = player->setup.mem;
  uint32_t roles = player->setup.game->role_count;
  alea_belief_clear(&self->belief);
  alea_rollout_clear(&self->rollout);
  alea_cursor_free(self->cursor);
  alea_vec_clear(mem, &self->trace);
  alea_vec_clear(mem, &self->arms);
  alea_vec_clear(mem, &self->choices);
  alea_mem_free(mem, self->joint, roles * sizeof *self->joint);
  alea_mem_free(mem, self->rewards, roles * sizeof *self->rewards);
}

static arm *pick(mc_player *self, double c, uint64_t total) {
  double best = -1, logs = log((double)total + 1);
  arm *found = &self->arms.data[0];
  for (size_t i = 0; i < self->arms.count; i++) {
    arm *a = &self->arms.data[i];
    if (a->visits == 0) return a;
    double n = (double)a->visits, score = a->sum / n + c * sqrt(2 * logs / n);
    if (score <= best) continue;
    best = score;
    found = a;
  }
  return found;
}

/* The own move with random ones of the others, then a playout. */
static alea_status pull(mc_player *self, arm *a) {
  alea_player *player = &self->player;
  const alea_particle *particle = alea_belief_draw(&self->belief, &player->rng);
  alea_status status = alea_particle_load(particle, self->cursor);
  for (uint32_t r = 0; status == ALEA_OK && r < player->setup.game->role_count; r++) {
    alea_list legal;
    status = alea_cursor_legal(self->cursor, r, &legal);
    if (status != ALEA_OK || legal.count == 0) return status;
    self->joint[r] = legal.ids[alea_rng_below(&player->rng, legal.count)];
    if (r == player->setup.role) self->joint[r] = a->move;
  }
  self->trace.count = 0;
  if (status == ALEA_OK) status = alea_cursor_play(self->cursor, self->joint);
  if (status == ALEA_OK)
    status =
        alea_rollout_run(&self->rollout, self->cursor, &player->rng, &self->trace, self->rewards);
  a->visits++;
  a->sum += (double)self->rewards[player->setup.role];
  return status;
}

static alea_status list_arms(mc_player *self) {
  alea_list legal;
  alea_status status = alea_belief_legal(&self->belief, &legal);
  self->arms.count = 0;
  for (uint32_t i = 0; status == ALEA_OK && i < legal.count; i++) {
    if (!alea_vec_push(self->player.setup.mem, &self->arms, (arm){.move = legal.ids[i]}))
      return alea_mem_lack(self->player.setup.mem);
  }
  return status;
}

static alea_status think(mc_player *self, const alea_budget *budget) {
  const values *v = self->player.values;
  alea_time_manager time_manager;
  alea_time_manager_start(&time_manager, budget, &self->pace);
  alea_status status = ALEA_OK;
  uint64_t done = 0;
  for (; status == ALEA_OK && !alea_time_manager_over(&time_manager, done); done++)
    status = pull(self, pick(self, v->c, done));
  self->player.stats.sims += done;
  alea_time_manager_stop(&time_manager);
  return status;
}

static double mean(const arm *a) { return a->visits > 0 ? a->sum / (double)a->visits : -0.01; }

static alea_status select(alea_player *player, const alea_budget *budget, alea_move *move) {
  mc_player *self = self_of(player);
  alea_status status = alea_belief_ready(&self->belief);
  if (status == ALEA_OK) status = list_arms(self);
  if (status == ALEA_OK && self->arms.count > 1) status = think(self, budget);
  if (status != ALEA_OK) return status;
  const arm *best = &self->arms.data[0];
  for (size_t i = 1; i < self->arms.count; i++)
    if (mean(&self->arms.data[i]) > mean(best)) best = &self->arms.data[i];
  *move = best->move;
  return ALEA_OK;
}

static alea_status observe(alea_player *player, const alea_observation *observation) {
  return alea_belief_observe(&self_of(player)->belief, observation);
}

static void analyse(alea_player *player, alea_analysis *analysis) {
  mc_player *self = self_of(player);
  self->choices.count = 0;
  for (size_t i = 0; i < self->arms.count; i++) {
    const arm *a = &self->arms.data[i];
    alea_choice choice = {a->move, a->visits, 100 * mean(a), ALEA_PROOF_NONE};
    if (!alea_vec_push(player->setup.mem, &self->choices, choice)) return;
    if (choice.value > analysis->value) analysis->value = choice.value;
  }
  analysis->choices = self->choices.data;
  analysis->count = self->choices.count;
}

const alea_player_class alea_player_mc = {
    .name = "mc",
    .summary = "flat Monte Carlo: a bandit over its own moves, random play after them",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(values),
    .size = sizeof(mc_player),
    .init = init,
    .clear = clear,
    .select = select,
    .observe = observe,
    .analyse = analyse,
};
