/* MAC-UCB as a player: beliefs, clocks, and the search that fits the game. */
#include <string.h>

#include "play/mac.h"

/* Looking for symmetries where only simulations are counted; a bound that is
 * not meant to be reached. */
static const double long_time = 60;

static alea_mac_player *self_of(alea_player *player) { return (alea_mac_player *)(void *)player; }

alea_status alea_mac_player_init(alea_player *player, alea_stage_method method) {
  alea_mac_player *self = self_of(player);
  const alea_player_setup *setup = &player->setup;
  const alea_mac_values *v = player->values;
  alea_status status = alea_belief_init(&self->belief, setup, (uint32_t)v->particles);
  if (status != ALEA_OK) return status;
  self->belief.model = alea_belief_model_of(v->belief);
  if (setup->game->has_sees) {
    alea_infosets_batch batch = {(uint32_t)v->batch, (uint32_t)v->playouts};
    return alea_infosets_init_batch(&self->sets, setup, v->c, v->memory, &player->stats, &batch);
  }
  status = alea_mac_init(&self->mac, setup, v, method, &player->stats, player->message);
  self->ready = status == ALEA_OK;
  return status;
}

void alea_mac_player_clear(alea_player *player) {
  alea_mac_player *self = self_of(player);
  const alea_mac_values *v = player->values;
  /* There is nobody left to tell when this fails; the old file then stays. */
  if (self->ready && strcmp(v->cache, "keep") == 0) (void)alea_mac_save(&self->mac, NULL);
  alea_mac_clear(&self->mac);
  alea_infosets_clear(&self->sets);
  alea_belief_clear(&self->belief);
}

/* Thinks about the present position. */
static alea_status think(alea_mac_player *self, const alea_budget *budget) {
  alea_time_manager time_manager;
  alea_time_manager_start(&time_manager, budget, &self->pace);
  alea_status status;
  if (self->belief.game->has_sees) {
    status = alea_infosets_run(&self->sets, &self->belief, &time_manager);
  } else {
    double seconds = budget->seconds > 0 ? 0.25 * budget->seconds : long_time;
    status = alea_mac_find_symmetric(&self->mac, seconds);
    if (status == ALEA_OK) status = alea_mac_root(&self->mac, &self->belief.now.data[0]);
    if (status == ALEA_OK) status = alea_mac_run(&self->mac, &time_manager);
  }
  alea_time_manager_stop(&time_manager);
  return status;
}

alea_status alea_mac_player_start(alea_player *player, const alea_budget *budget) {
  alea_mac_player *self = self_of(player);
  /* Simulations are counted per move; before the first there is only time. */
  if (budget->seconds <= 0) return ALEA_OK;
  double start = alea_budget_now(budget);
  alea_status status = ALEA_OK;
  if (!self->belief.game->has_sees)
    status = alea_mac_find_symmetric(&self->mac, 0.7 * budget->seconds);
  alea_budget rest = *budget;
  rest.seconds -= alea_budget_now(budget) - start;
  return status == ALEA_OK && rest.seconds > 0 ? think(self, &rest) : status;
}

static alea_status best(alea_mac_player *self, alea_move *move) {
  if (self->belief.game->has_sees) return alea_infosets_best(&self->sets, &self->belief, move);
  return alea_mac_best(&self->mac, move);
}

alea_status alea_mac_player_select(alea_player *player, const alea_budget *budget,
                                   alea_move *move) {
  alea_mac_player *self = self_of(player);
  bool forced;
  alea_status status = alea_belief_begin(&self->belief, player, move, &forced);
  if (status != ALEA_OK || (forced && self->belief.game->has_sees)) return status;
  if (forced) return alea_mac_root(&self->mac, &self->belief.now.data[0]);
  status = think(self, budget);
  if (status != ALEA_OK) return status;
  status = best(self, move);
  return status == ALEA_NONE ? ALEA_OK : status;
}

alea_status alea_mac_player_observe(alea_player *player, const alea_observation *observation) {
  return alea_belief_observe(&self_of(player)->belief, observation);
}

void alea_mac_player_analyse(alea_player *player, alea_analysis *analysis) {
  alea_mac_player *self = self_of(player);
  if (self->belief.game->has_sees) {
    alea_infosets_analyse(&self->sets, &self->belief, analysis);
  } else {
    alea_mac_analyse(&self->mac, analysis);
  }
}
