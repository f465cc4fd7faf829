/* Tree-searching players. */
#include "play/tree.h"

static alea_tree *self_of(alea_player *player) { return (alea_tree *)(void *)player; }

alea_status alea_tree_init(alea_player *player, const alea_search_options *options,
                           uint32_t particles) {
  alea_tree *self = self_of(player);
  const alea_player_setup *setup = &player->setup;
  alea_status status = alea_belief_init(&self->belief, setup, particles);
  if (status != ALEA_OK) return status;
  self->belief.model = options->belief;
  if (setup->game->has_sees)
    return alea_infosets_init(&self->sets, setup, options->c, options->memory, &player->stats);
  return alea_search_init(&self->search, setup, options, &player->stats);
}

void alea_tree_clear(alea_player *player) {
  alea_tree *self = self_of(player);
  alea_search_clear(&self->search);
  alea_infosets_clear(&self->sets);
  alea_belief_clear(&self->belief);
}

/* Thinks about the present position. */
static alea_status think(alea_tree *self, const alea_budget *budget) {
  alea_watch watch;
  alea_watch_start(&watch, budget, &self->pace);
  alea_status status;
  if (self->belief.game->has_sees) {
    status = alea_infosets_run(&self->sets, &self->belief, &watch);
  } else {
    status = alea_search_root(&self->search, &self->belief.now.data[0]);
    if (status == ALEA_OK) status = alea_search_run(&self->search, &watch);
  }
  alea_watch_stop(&watch);
  return status;
}

alea_status alea_tree_start(alea_player *player, const alea_budget *budget) {
  /* Simulations are counted per move; before the first there is only time. */
  return budget->seconds > 0 ? think(self_of(player), budget) : ALEA_OK;
}

static alea_status best(alea_tree *self, alea_move *move) {
  if (self->belief.game->has_sees) return alea_infosets_best(&self->sets, &self->belief, move);
  return alea_search_best(&self->search, move);
}

alea_status alea_tree_select(alea_player *player, const alea_budget *budget, alea_move *move) {
  alea_tree *self = self_of(player);
  bool forced;
  alea_status status = alea_belief_begin(&self->belief, player, move, &forced);
  if (status != ALEA_OK || (forced && self->belief.game->has_sees)) return status;
  if (forced) return alea_search_root(&self->search, &self->belief.now.data[0]);
  status = think(self, budget);
  if (status != ALEA_OK) return status;
  status = best(self, move);
  return status == ALEA_NO ? ALEA_OK : status;
}

alea_status alea_tree_observe(alea_player *player, const alea_observation *observation) {
  return alea_belief_observe(&self_of(player)->belief, observation);
}

void alea_tree_analyse(alea_player *player, alea_analysis *analysis) {
  alea_tree *self = self_of(player);
  if (self->belief.game->has_sees) {
    alea_infosets_analyse(&self->sets, &self->belief, analysis);
  } else {
    alea_search_analyse(&self->search, analysis);
  }
}
