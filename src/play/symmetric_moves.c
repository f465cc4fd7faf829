/* Arms that are alike. */
#include "play/symmetric_moves.h"

enum { MOST_TRIES = 2 };
static const double SHARE = 0.05; /* of the time, for the symmetries of the game */

alea_status alea_symmetric_moves_learn(alea_symmetric_moves *symmetric,
                                       const alea_player_setup *setup, const alea_budget *budget) {
  if (symmetric->symmetry != NULL || setup->services == NULL || symmetric->asked >= MOST_TRIES)
    return ALEA_OK;
  const alea_game_symmetry *symmetry;
  bool timed = budget->seconds > 0; /* else counts limit it (encode/services.h) */
  alea_deadline deadline = alea_budget_deadline(budget, SHARE * budget->seconds);
  symmetric->asked++;
  alea_status status = alea_services_game_symmetry(setup->services, ALEA_SYMMETRY_GAME,
                                                   timed ? &deadline : NULL, &symmetry);
  if (status == ALEA_LIMIT && symmetry != NULL && !alea_game_symmetry_is_trivial(symmetry))
    status = ALEA_OK;                       /* what the rules show will do */
  if (status == ALEA_LIMIT) return ALEA_OK; /* there may be more time later */
  symmetric->asked = MOST_TRIES;
  if (status != ALEA_OK || alea_game_symmetry_is_trivial(symmetry)) return ALEA_OK;
  symmetric->mem = setup->mem;
  symmetric->image =
      alea_mem_calloc(symmetric->mem, symmetry->word_count, sizeof *symmetric->image);
  if (symmetric->image == NULL) return alea_mem_lack(symmetric->mem);
  symmetric->symmetry = symmetry;
  return ALEA_OK;
}

void alea_symmetric_moves_clear(alea_symmetric_moves *symmetric) {
  if (symmetric->symmetry == NULL) return;
  alea_mem_free(symmetric->mem, symmetric->image,
                symmetric->symmetry->word_count * sizeof *symmetric->image);
  alea_vec_clear(symmetric->mem, &symmetric->classes);
}

/* One role has several moves, and chance has not. */
static bool has_one_chooser(const alea_node_store *store, const alea_node *node) {
  int chance = store->game->random_role;
  return node->choosers == 1 && node->children != NULL && !node->terminal &&
         (chance < 0 || node->firsts[chance + 1] - node->firsts[chance] == 1);
}

alea_status alea_symmetric_moves_mark(alea_symmetric_moves *symmetric, alea_node_store *store,
                                      alea_node *node) {
  if (symmetric->symmetry == NULL || node->representatives != NULL || !has_one_chooser(store, node))
    return ALEA_OK;
  uint32_t first = node->firsts[node->chooser], count = node->firsts[node->chooser + 1] - first;
  bool some = false;
  symmetric->classes.count = 0;
  if (!alea_vec_reserve(symmetric->mem, &symmetric->classes, count))
    return alea_mem_lack(symmetric->mem);
  uint32_t *classes = symmetric->classes.data;
  alea_game_symmetry_orbits(symmetric->symmetry, node->words, symmetric->image, node->chooser,
                            node->moves + first, count, classes);
  for (uint32_t i = 0; i < count; i++) some |= classes[i] != i;
  if (some) alea_node_store_give_symmetric(store, node, classes);
  return ALEA_OK;
}
