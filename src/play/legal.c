/* The player `legal`: the first legal move in the order of the moves' text,
 * so that it is the same whatever engine plays. */
#include <string.h>

#include "play/belief.h"
#include "play/classes.h"

enum { PARTICLES = 8 };

typedef struct legal_player {
  alea_player player; /* first: it is an alea_player */
  alea_belief belief;
  alea_text best, text;
} legal_player;

static legal_player *self_of(alea_player *player) { return (legal_player *)(void *)player; }

static alea_status init(alea_player *player) {
  legal_player *self = self_of(player);
  alea_text_init(&self->best, player->setup.mem);
  alea_text_init(&self->text, player->setup.mem);
  return alea_belief_init(&self->belief, &player->setup, PARTICLES);
}

static void clear(alea_player *player) {
  legal_player *self = self_of(player);
  alea_belief_clear(&self->belief);
  alea_text_clear(&self->best);
  alea_text_clear(&self->text);
}

static void swap_texts(legal_player *self) {
  alea_text text = self->best;
  self->best = self->text;
  self->text = text;
}

static alea_status select(alea_player *player, const alea_budget *budget, alea_move *move) {
  (void)budget;
  legal_player *self = self_of(player);
  alea_list legal;
  alea_status status = alea_belief_ready(&self->belief);
  if (status == ALEA_OK) status = alea_belief_legal(&self->belief, &legal);
  if (status != ALEA_OK) return status;
  for (uint32_t i = 0; i < legal.count; i++) {
    alea_text_truncate(&self->text, 0);
    alea_game_move_text(player->setup.game, player->setup.role, legal.ids[i], false, &self->text);
    if (self->text.failed) return alea_mem_lack(player->setup.mem);
    if (i > 0 && strcmp(alea_text_string(&self->text), alea_text_string(&self->best)) >= 0)
      continue;
    swap_texts(self);
    *move = legal.ids[i];
  }
  return ALEA_OK;
}

static alea_status observe(alea_player *player, const alea_observation *observation) {
  return alea_belief_observe(&self_of(player)->belief, observation);
}

const alea_player_class alea_player_legal = {
    .name = "legal",
    .summary = "the first legal move in alphabetical order",
    .size = sizeof(legal_player),
    .init = init,
    .clear = clear,
    .select = select,
    .observe = observe,
};
