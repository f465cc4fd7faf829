/* The player `random`: any legal move, each as likely. */
#include "play/belief.h"
#include "play/classes.h"

/* Legal moves are known to their role, so a few particles are enough. */
enum { PARTICLES = 8 };

typedef struct random_player {
  alea_player player; /* first: it is an alea_player */
  alea_belief belief;
} random_player;

static random_player *self_of(alea_player *player) { return (random_player *)(void *)player; }

static alea_status init(alea_player *player) {
  return alea_belief_init(&self_of(player)->belief, &player->setup, PARTICLES);
}

static void clear(alea_player *player) { alea_belief_clear(&self_of(player)->belief); }

static alea_status select(alea_player *player, const alea_budget *budget, alea_move *move) {
  (void)budget;
  alea_belief *belief = &self_of(player)->belief;
  alea_list legal;
  alea_status status = alea_belief_ready(belief);
  if (status == ALEA_OK) status = alea_belief_legal(belief, &legal);
  if (status == ALEA_OK) *move = legal.ids[alea_rng_below(&player->rng, legal.count)];
  return status;
}

static alea_status observe(alea_player *player, const alea_observation *observation) {
  return alea_belief_observe(&self_of(player)->belief, observation);
}

const alea_player_class alea_player_random = {
    .name = "random",
    .summary = "any legal move, each as likely",
    .size = sizeof(random_player),
    .init = init,
    .clear = clear,
    .select = select,
    .observe = observe,
};
