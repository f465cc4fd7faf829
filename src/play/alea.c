/* The flagship `alea` (SOTA.md section 4): tree search over positions with
 * exact bounds, GRAVE and UCB1-Tuned selection, guided playouts and a look
 * ahead for moves that end the game.  bench/players.md tells what each part
 * is worth. */
#include <string.h>

#include "play/classes.h"
#include "play/tree.h"

/* clang-format off */
#define OPTIONS(row)                                                                   \
  row(choice, pick, "mixed", 0, 0, "mixed|tuned|ucb|grave", "how an arm is chosen in the tree") \
  row(real, c, "0.4", 0, 100, "C", "weight of exploration")                            \
  row(integer, ref, "50", 0, 1e9, "N", "visits that make a node a reference for move statistics") \
  row(real, bias, "0.001", 0, 1, "B", "how fast a move's own mean takes over")         \
  row(choice, playout, "mast", 0, 0, "uniform|mast|nst", "how playouts choose")        \
  row(real, epsilon, "0.4", 0, 1, "P", "share of uniform moves in guided playouts")    \
  row(integer, look, "2", 0, 1e9, "N", "visits after which a node looks for moves that end the game; 0 is never") \
  row(flag, exact, "on", 0, 0, "", "use bounds and exact values")                      \
  row(flag, reuse, "on", 0, 0, "", "keep the tree from one move to the next")          \
  row(integer, playouts, "1", 1, 100000, "N", "playouts from each new node; several are uniform") \
  row(integer, step_cap, "0", 0, 1e9, "N", "steps after which a playout counts 0; 0 is 10000") \
  row(integer, particles, "300", 1, 1e6, "N", "states in the belief, where the game has sees") \
  row(bytes, memory, "1G", 0, 0, "BYTES", "memory of the tree")
/* clang-format on */
typedef struct values {
  ALEA_OPTION_FIELDS(OPTIONS)
} values;
#define ALEA_OPTION_OWNER values
static const alea_option rows[] = {OPTIONS(ALEA_OPTION_ROW)};

static alea_pick_fn *find_pick(const char *name) {
  if (strcmp(name, "tuned") == 0) return alea_pick_tuned;
  if (strcmp(name, "ucb") == 0) return alea_pick_ucb;
  return strcmp(name, "grave") == 0 ? alea_pick_grave : alea_pick_mixed;
}

static alea_rollout_kind find_rollout(const char *name) {
  if (strcmp(name, "mast") == 0) return ALEA_ROLLOUT_MAST;
  return strcmp(name, "nst") == 0 ? ALEA_ROLLOUT_NST : ALEA_ROLLOUT_UNIFORM;
}

static alea_status init(alea_player *player) {
  const values *v = player->values;
  alea_pick_fn *pick = find_pick(v->pick);
  alea_search_options options = {
      .pick = pick,
      .c = v->c,
      .amaf = pick == alea_pick_mixed || pick == alea_pick_grave,
      .ref = (uint32_t)v->ref,
      .bias = v->bias,
      .rollout = find_rollout(v->playout),
      .epsilon = v->epsilon,
      .step_cap = (uint32_t)v->step_cap,
      .playouts = (uint32_t)v->playouts,
      .look = (uint32_t)v->look,
      .exact = v->exact,
      .reuse = v->reuse,
      .memory = v->memory,
  };
  return alea_tree_init(player, &options, (uint32_t)v->particles);
}

const alea_player_class alea_player_alea = {
    .name = "alea",
    .summary = "the flagship: everything that was found to win matches",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(values),
    .size = sizeof(alea_tree),
    .init = init,
    .clear = alea_tree_clear,
    .start = alea_tree_start,
    .select = alea_tree_select,
    .observe = alea_tree_observe,
    .analyse = alea_tree_analyse,
};
