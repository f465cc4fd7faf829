/* The player `uct` (D21): max^n UCT [MAXN08], the baseline of the papers, with
 * their cache of completely explored subtrees ([MACUCB16 §4.4, §5.1]). */
#include "play/classes.h"
#include "play/tree.h"

/* clang-format off */
#define OPTIONS(row)                                                                   \
  row(real, c, "1", 0, 100, "C", "weight of exploration, on rewards from 0 to 1")      \
  row(flag, cache, "on", 0, 0, "", "use the exact values of completely searched parts, where nothing is hidden") \
  row(flag, reuse, "on", 0, 0, "", "keep the tree from one move to the next")          \
  ALEA_SAMPLER_OPTIONS(row)                                                            \
  row(integer, step_cap, "0", 0, 1e9, "N", "steps after which a playout counts 0; 0 is 10000") \
  row(integer, particles, "300", 1, 1e6, "N", "states in the belief, where the game has sees") \
  row(choice, belief, "filter", 0, 0, ALEA_CHOICE_WORDS(ALEA_BELIEF_MODELS), "how such states are found") \
  row(bytes, memory, "256M", 0, 0, "BYTES", "memory of the tree")
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static alea_status init(alea_player *player) {
  const values *v = player->values;
  alea_search_options options = {
      .pick = alea_pick_ucb,
      .c = v->c,
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

const alea_player_class alea_player_uct = {
    .name = "uct",
    .summary = "multi-player UCT with a cache of exact values",
    ALEA_TREE_PLAYER_MEMBERS,
};
