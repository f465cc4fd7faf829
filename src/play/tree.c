/* Tree-searching players. */
#include "play/tree.h"

#include <math.h>

/* What uniform play has to be worth where its playouts are to tell moves apart. */
static const float MUCH = 0.2f;
static const double LEAST_SECONDS = 1e-3; /* to think, where a belief has taken the rest */

static alea_tree *self_of(alea_player *player) { return (alea_tree *)(void *)player; }

/* The searches of games with `sees` that the options ask for; two share the memory. */
static alea_status init_hidden(alea_tree *self, const alea_player_setup *setup,
                               const alea_search_options *options) {
  bool fits = options->hidden != ALEA_HIDDEN_SETS && alea_belief_search_fits(setup->game);
  bool both = fits && options->hidden == ALEA_HIDDEN_AUTO;
  alea_search_options each = *options;
  alea_status status = ALEA_OK;
  if (both) each.memory /= 2;
  self->over_beliefs = fits;
  if (fits) status = alea_belief_search_init(&self->beliefs, setup, &each, &self->player.stats);
  if (status != ALEA_OK || (fits && !both)) return status;
  return alea_infosets_init(&self->sets, setup, &each, &self->player.stats);
}

alea_status alea_tree_init(alea_player *player, const alea_search_options *options,
                           uint32_t particles) {
  alea_tree *self = self_of(player);
  const alea_player_setup *setup = &player->setup;
  alea_status status = alea_belief_init(&self->belief, setup, particles);
  if (status != ALEA_OK) return status;
  self->belief.model = options->belief;
  if (setup->game->has_sees) return init_hidden(self, setup, options);
  alea_search_options each = *options;
  each.memory /= options->threads > 1 ? options->threads : 1;
  status = alea_search_init(&self->search, setup, &each, &player->stats);
  if (status == ALEA_OK)
    self->parallel = alea_root_parallel_new(&self->search, &each, options->threads);
  return status;
}

void alea_tree_clear(alea_player *player) {
  alea_tree *self = self_of(player);
  alea_root_parallel_free(self->parallel);
  alea_search_clear(&self->search);
  alea_infosets_clear(&self->sets);
  alea_belief_search_clear(&self->beliefs);
  alea_vec_clear(player->setup.mem, &self->ahead.words);
  alea_belief_clear(&self->belief);
}

/* Searches from 'position' with everybody there is. */
static alea_status search(alea_tree *self, const alea_particle *position,
                          const alea_budget *budget) {
  alea_budget own;
  const atomic_bool *halt;
  alea_time_manager time_manager;
  alea_root_parallel_begin(self->parallel, position, budget, &own, &halt);
  alea_time_manager_start(&time_manager, &own, &self->pace);
  time_manager.halt = halt;
  alea_status status = alea_search_root(&self->search, position);
  if (status == ALEA_OK) status = alea_search_run(&self->search, &time_manager);
  alea_time_manager_stop(&time_manager);
  alea_root_parallel_end(self->parallel);
  return status;
}

/* Thinks where things are hidden. */
static alea_status think_hidden(alea_tree *self, alea_time_manager *time_manager) {
  alea_status status = ALEA_OK;
  self->over_beliefs = self->beliefs.mem != NULL;
  if (self->over_beliefs)
    status = alea_belief_search_begin(&self->beliefs, &self->belief, time_manager);
  if (status != ALEA_OK && status != ALEA_LIMIT) return status;
  if (self->sets.mem != NULL && alea_belief_search_uniform(&self->beliefs) >= MUCH)
    self->over_beliefs = false;
  if (self->over_beliefs) return alea_belief_search_run(&self->beliefs, time_manager);
  return alea_infosets_run(&self->sets, &self->belief, time_manager);
}

/* Thinks about the present position. */
static alea_status think(alea_tree *self, const alea_budget *budget) {
  if (!self->belief.game->has_sees) return search(self, &self->belief.now.data[0], budget);
  alea_time_manager time_manager;
  alea_time_manager_start(&time_manager, budget, &self->pace);
  alea_status status = think_hidden(self, &time_manager);
  alea_time_manager_stop(&time_manager);
  return status;
}

alea_status alea_tree_start(alea_player *player, const alea_budget *budget) {
  /* Simulations are counted per move; before the first there is only time. */
  alea_tree *self = self_of(player);
  if (budget->seconds <= 0 || self->over_beliefs) return ALEA_OK;
  self->search.preparing = true;
  alea_status status = think(self, budget);
  self->search.preparing = false;
  return status;
}

static alea_status best(alea_tree *self, alea_move *move) {
  if (self->over_beliefs) return alea_belief_search_best(&self->beliefs, move);
  if (self->belief.game->has_sees) return alea_infosets_best(&self->sets, &self->belief, move);
  return alea_search_best(&self->search, move);
}

alea_status alea_tree_select(alea_player *player, const alea_budget *budget, alea_move *move) {
  alea_tree *self = self_of(player);
  bool forced;
  alea_budget rest = *budget;
  double began = budget->seconds > 0 ? alea_budget_now(budget) : 0;
  alea_status status = alea_belief_begin(&self->belief, player, move, &forced);
  if (status != ALEA_OK || (forced && self->belief.game->has_sees)) return status;
  if (forced) return alea_search_root(&self->search, &self->belief.now.data[0]);
  if (budget->seconds > 0)
    rest.seconds = fmax(LEAST_SECONDS, began + budget->seconds - alea_budget_now(budget));
  status = think(self, &rest);
  if (status != ALEA_OK) return status;
  status = best(self, move);
  return status == ALEA_NONE ? ALEA_OK : status;
}

alea_status alea_tree_observe(alea_player *player, const alea_observation *observation) {
  alea_belief_search_forget(&self_of(player)->beliefs);
  return alea_belief_observe(&self_of(player)->belief, observation);
}

void alea_tree_analyse(alea_player *player, alea_analysis *analysis) {
  alea_tree *self = self_of(player);
  if (self->over_beliefs) {
    alea_belief_search_analyse(&self->beliefs, analysis);
  } else if (self->belief.game->has_sees) {
    alea_infosets_analyse(&self->sets, &self->belief, analysis);
  } else {
    alea_search_analyse(&self->search, analysis);
  }
}

bool alea_tree_expect(alea_player *player, alea_cursor *cursor, const alea_u32s *before,
                      alea_move *joint, bool *proved) {
  (void)before;
  alea_tree *self = self_of(player);
  return !self->belief.game->has_sees && alea_search_expect(&self->search, cursor, joint, proved);
}

/* ---- pondering ---- */

/* Fills the joint move in; false where somebody's is not known. */
static bool foresee(alea_tree *self, alea_move own, alea_status *status) {
  const alea_game *game = self->belief.game;
  for (uint32_t r = 0; r < game->role_count; r++) {
    alea_list legal;
    *status = alea_cursor_legal(self->search.cursor, r, &legal);
    if (*status != ALEA_OK || legal.count == 0) return false;
    bool mine = r == self->belief.role && own != ALEA_NO_MOVE;
    if (legal.count > 1 && !mine) return false;
    self->search.joint[r] = mine ? own : legal.ids[0];
  }
  return true;
}

/* Copies where the search's cursor stands to 'ahead'. */
static alea_status keep_ahead(alea_tree *self) {
  size_t count;
  const uint64_t *words = alea_cursor_state(self->search.cursor, &count);
  alea_mem *mem = self->belief.mem;
  self->ahead.words.count = 0;
  for (size_t i = 0; i < count; i++)
    if (!alea_vec_push(mem, &self->ahead.words, words[i])) return ALEA_SYSTEM;
  return ALEA_OK;
}

alea_status alea_tree_look_ahead(alea_tree *self, alea_move own, bool *found) {
  alea_cursor *cursor = self->search.cursor;
  bool terminal = false;
  *found = false;
  if (self->belief.game->has_sees || self->belief.now.count == 0) return ALEA_OK;
  alea_status status = alea_particle_load(&self->belief.now.data[0], cursor);
  if (status == ALEA_OK) status = alea_cursor_terminal(cursor, &terminal);
  if (status != ALEA_OK || terminal) return status;
  if (foresee(self, own, &status)) status = alea_cursor_play(cursor, self->search.joint);
  if (status == ALEA_OK) status = alea_cursor_terminal(cursor, &terminal);
  if (status != ALEA_OK || terminal) return status;
  *found = true;
  return keep_ahead(self);
}

alea_status alea_tree_ponder(alea_player *player, alea_move own, const atomic_bool *stop) {
  alea_tree *self = self_of(player);
  alea_budget budget = {.stop = stop};
  bool found;
  alea_status status = alea_tree_look_ahead(self, own, &found);
  return status == ALEA_OK && found ? search(self, &self->ahead, &budget) : status;
}
