/* The player `grave` ([GRAVE15], D38). */
#include "play/classes.h"
#include "play/tree.h"

/* clang-format off */
#define OPTIONS(row)                                                                   \
  row(integer, ref, "50", 0, 1e9, "N", "visits that make a node a reference for move statistics") \
  row(real, bias, "1e-10", 0, 1, "B", "how fast a move's own mean takes over")         \
  row(flag, cache, "on", 0, 0, "", "use the exact values of completely searched parts, where nothing is hidden") \
  row(flag, reuse, "on", 0, 0, "", "keep the tree from one move to the next")          \
  ALEA_SAMPLER_OPTIONS(row)                                                            \
  row(integer, step_cap, "0", 0, 1e9, "N", "steps after which a playout counts 0; 0 is 10000") \
  row(real, c, "1", 0, 100, "C", "weight of exploration, where the game has sees")     \
  row(integer, particles, "300", 1, 1e6, "N", "states in the belief, where the game has sees") \
  row(choice, belief, "filter", 0, 0, ALEA_CHOICE_WORDS(ALEA_BELIEF_MODELS), "how such states are found") \
  row(bytes, memory, "256M", 0, 0, "BYTES", "memory of the tree")
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static alea_status init(alea_player *player) {
  const values *v = player->values;
  alea_search_options options = {
      .pick = alea_pick_grave,
      .c = v->c,
      .amaf = true,
      .ref = (uint32_t)v->ref,
      .bias = v->bias,
      .rollout = ALEA_ROLLOUT_UNIFORM,
      .step_cap = (uint32_t)v->step_cap,
      .playouts = (uint32_t)v->playouts,
      .batch = (uint32_t)v->batch,
      .exact = v->cache,
      .reuse = v->reuse,
      .memory = v->memory,
      .belief = (alea_belief_model)v->belief,
      .sets_alike = true,
  };
  return alea_tree_init(player, &options, (uint32_t)v->particles);
}

const alea_player_class alea_player_grave = {
    .name = "grave",
    .summary = "GRAVE: tree search led by what moves were worth anywhere below an ancestor",
    ALEA_TREE_PLAYER_MEMBERS,
};
