/* The player `cfr` ([SYM16 §5], D34): regret minimisation, over the whole game
 * where it is small (from the present position on where everybody sees it, from
 * the start where something is hidden), by outcome sampling otherwise.  It plays its average
 * strategy: drawn from it where others choose at the same time or something is hidden, its most
 * likely move where not, for then mixing gains nothing.  Guarantees are for two players and zero
 * sum. */
#include "play/classes.h"
#include "play/outcome_sampling.h"
#include "play/tabular_cfr.h"
#include "play/whole_game_cfr.h"

/* clang-format off */
#define OPTIONS(row)                                                                  \
  row(integer, small, "200000", 0, 1e9, "N", "positions up to which the whole game is swept") \
  row(integer, sweep, "100", 1, 1e9, "N", "simulations that one sweep counts for, if nothing is hidden") \
  row(real, epsilon, "0.4", 0.01, 1, "P", "exploration of outcome sampling")          \
  row(real, drop, "0.01", 0, 0.5, "P", "moves of the average strategy less likely are not played, unless a hidden game was solved whole") \
  row(integer, particles, "300", 1, 1e6, "N", "states in the belief, where the game has sees") \
  row(bytes, memory, "256M", 0, 0, "BYTES", "memory of the positions")
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

typedef struct cfr_player {
  alea_player player; /* first: it is an alea_player */
  alea_belief belief;
  alea_tabular_cfr sweep;
  alea_whole_game_cfr whole;
  alea_outcome_sampling outcome;
  alea_pace pace;
  bool swept;                    /* the last answer came from sweeps */
  double value;                  /* of the position, by the sweeps */
  ALEA_VEC(alea_choice) choices; /* visits: millionths of the strategy */
  ALEA_VEC(double) shares;       /* by choice, where the move was drawn; else none */
} cfr_player;

static cfr_player *self_of(alea_player *player) { return (cfr_player *)(void *)player; }

static alea_status init(alea_player *player) {
  cfr_player *self = self_of(player);
  const values *v = player->values;
  const alea_player_setup *setup = &player->setup;
  alea_status status = alea_belief_init(&self->belief, setup, (uint32_t)v->particles);
  alea_whole_game_cfr_init(&self->whole, setup->role, v->memory / 2, setup->mem);
  if (status == ALEA_OK)
    status = alea_outcome_sampling_init(&self->outcome, setup, v->epsilon, v->memory / 2,
                                        &player->stats);
  if (status == ALEA_OK && !setup->game->has_sees)
    status = alea_tabular_cfr_init(&self->sweep, setup->game, v->memory / 2, setup->mem);
  return status;
}

static void clear(alea_player *player) {
  cfr_player *self = self_of(player);
  alea_tabular_cfr_clear(&self->sweep);
  alea_whole_game_cfr_clear(&self->whole);
  alea_outcome_sampling_clear(&self->outcome);
  alea_belief_clear(&self->belief);
  alea_vec_clear(player->setup.mem, &self->choices);
  alea_vec_clear(player->setup.mem, &self->shares);
}

/* ---- thinking ---- */

/* Listing a game that turns out too large costs as much as many simulations:
 * positions allowed for each of them.  Where something is hidden it is done once in
 * a match, and not for every move. */
enum { POSITIONS_PER_SIM = 10, POSITIONS_PER_SIM_ONCE = 100 };

/* A sweep over hidden information costs about a simulation for so many nodes of
 * the public tree. */
enum { NODES_PER_SIM = 100 };

static uint32_t most_positions(const cfr_player *self, const alea_budget *budget) {
  const values *v = self->player.values;
  uint64_t most = (uint64_t)v->small, sims = budget->sims;
  uint64_t each = self->player.setup.game->has_sees ? POSITIONS_PER_SIM_ONCE : POSITIONS_PER_SIM;
  if (sims > 0 && sims < most / each) most = sims * each;
  return (uint32_t)(most < UINT32_MAX ? most : UINT32_MAX);
}

static alea_status sweep(cfr_player *self, alea_time_manager *time_manager) {
  const values *v = self->player.values;
  alea_status status = alea_particle_load(&self->belief.now.data[0], self->belief.cursor);
  if (status == ALEA_OK)
    status = alea_tabular_cfr_open(&self->sweep, self->belief.cursor,
                                   most_positions(self, &time_manager->budget), time_manager);
  if (status == ALEA_LIMIT) alea_node_store_empty(&self->sweep.store);
  self->player.stats.nodes = alea_node_store_count(&self->sweep.store);
  uint64_t done = 0;
  while (status == ALEA_OK && !alea_time_manager_over(time_manager, done)) {
    status = alea_tabular_cfr_run(&self->sweep);
    done += (uint64_t)v->sweep;
    self->player.stats.sweeps++;
  }
  self->player.stats.sims += done;
  return status;
}

/* Lists a game in which something is hidden, before anything is played: at the
 * start where that has a budget, or else at the first move, forced or not. */
static void open_hidden(cfr_player *self, const alea_budget *budget) {
  const alea_player_setup *setup = &self->player.setup;
  alea_deadline half = {.stop = budget->stop};
  if (!setup->game->has_sees || self->whole.tried) return;
  if (budget->seconds > 0) half = alea_budget_deadline(budget, budget->seconds / 2);
  alea_whole_game_cfr_open(&self->whole, setup->game, most_positions(self, budget), half);
}

/* Sweeps over it; ALEA_LIMIT: the game is too large. */
static alea_status sweep_hidden(cfr_player *self, alea_time_manager *time_manager) {
  alea_whole_game_cfr *whole = &self->whole;
  uint64_t done = 0;
  if (!whole->open) return ALEA_LIMIT;
  const alea_public_state *root = alea_public_root(&whole->graph);
  self->player.stats.nodes = root->sets;
  while (!whole->settled && !alea_time_manager_over(time_manager, done)) {
    alea_cfr_plus_run(&whole->cfr);
    done += root->nodes / NODES_PER_SIM + 1;
    self->player.stats.sweeps++;
  }
  self->player.stats.sims += done;
  return ALEA_OK;
}

/* ---- the average strategy ---- */

static alea_status add_choice(cfr_player *self, alea_move move, double share) {
  alea_choice choice = {move, (uint64_t)(share * 1e6), -1, ALEA_PROOF_NONE};
  alea_mem *mem = self->player.setup.mem;
  return alea_vec_push(mem, &self->choices, choice) ? ALEA_OK : alea_mem_lack(mem);
}

static alea_status list_swept(cfr_player *self) {
  const alea_node *root = alea_tabular_cfr_root(&self->sweep);
  uint32_t role = self->player.setup.role;
  double sum = 0;
  alea_status status = ALEA_OK;
  self->value = 100 * (double)root->lo[role];
  for (uint32_t a = root->firsts[role]; a < root->firsts[role + 1]; a++)
    sum += (double)root->arms[a].squares;
  for (uint32_t a = root->firsts[role]; status == ALEA_OK && a < root->firsts[role + 1]; a++)
    status = add_choice(self, root->moves[a], sum > 0 ? (double)root->arms[a].squares / sum : 0);
  return status;
}

static alea_status list_sampled(cfr_player *self) {
  const alea_regret_set *root = alea_outcome_sampling_root(&self->outcome, &self->belief);
  double sum = 0;
  alea_status status = ALEA_OK;
  self->value = -1;
  for (uint32_t i = 0; root != NULL && i < root->head.count; i++)
    sum += (double)root->arms[i].share;
  for (uint32_t i = 0; root != NULL && status == ALEA_OK && i < root->head.count; i++)
    status = add_choice(self, root->arms[i].move, sum > 0 ? (double)root->arms[i].share / sum : 0);
  return status;
}

static alea_status list_whole(cfr_player *self) {
  uint32_t count = alea_whole_game_cfr_moves(&self->whole);
  alea_status status = ALEA_OK;
  self->value = -1;
  for (uint32_t i = 0; status == ALEA_OK && i < count; i++) {
    double probability;
    alea_move move = alea_whole_game_cfr_move(&self->whole, i, &probability);
    status = add_choice(self, move, probability);
  }
  return status;
}

/* The likeliest move; or one drawn, without those that are all but dropped.  What
 * is left of mistakes in an average over the whole game weighs less than what
 * dropping a move costs there. */
static alea_status play_average(cfr_player *self, bool mixed, alea_move *move) {
  const values *v = self->player.values;
  bool whole = self->swept && self->player.setup.game->has_sees;
  uint64_t floor = whole ? 0 : (uint64_t)(v->drop * 1e6), sum = 0, most = 0;
  for (size_t i = 0; i < self->choices.count; i++) {
    const alea_choice *choice = &self->choices.data[i];
    if (choice->visits > most) most = choice->visits, *move = choice->move;
    if (choice->visits > floor) sum += choice->visits;
  }
  if (!mixed || sum == 0) return ALEA_OK;
  if (!alea_vec_reserve(self->player.setup.mem, &self->shares, self->choices.count))
    return alea_mem_lack(self->player.setup.mem);
  for (size_t i = 0; i < self->choices.count; i++) {
    uint64_t visits = self->choices.data[i].visits;
    self->shares.data[self->shares.count++] = visits > floor ? (double)visits / (double)sum : 0;
  }
  uint64_t at = alea_rng_below(&self->player.rng, (uint32_t)sum);
  for (size_t i = 0; i < self->choices.count; i++) {
    const alea_choice *choice = &self->choices.data[i];
    if (choice->visits <= floor) continue;
    if (at < choice->visits) {
      *move = choice->move;
      break;
    }
    at -= choice->visits;
  }
  return ALEA_OK;
}

/* Whether another player chooses at the same time, or things are hidden. */
static alea_status needs_mixing(cfr_player *self, bool *mixed) {
  const alea_player_setup *setup = &self->player.setup;
  *mixed = setup->game->has_sees;
  alea_status status = alea_particle_load(&self->belief.now.data[0], self->belief.cursor);
  for (uint32_t r = 0; status == ALEA_OK && r < setup->game->role_count; r++) {
    alea_list legal;
    if (r == setup->role || (int)r == setup->game->random_role) continue;
    status = alea_cursor_legal(self->belief.cursor, r, &legal);
    if (status == ALEA_OK && legal.count > 1) *mixed = true;
  }
  return status;
}

static alea_status think(cfr_player *self, const alea_budget *budget) {
  alea_time_manager time_manager;
  alea_time_manager_start(&time_manager, budget, &self->pace);
  bool hidden = self->player.setup.game->has_sees;
  self->choices.count = 0;
  alea_status status = hidden ? sweep_hidden(self, &time_manager) : sweep(self, &time_manager);
  if (status == ALEA_OK && hidden && alea_whole_game_cfr_moves(&self->whole) == 0)
    status = ALEA_LIMIT; /* the rules do not lead here: the game is not the one that is played */
  self->swept = status == ALEA_OK;
  if (self->swept && hidden) alea_whole_game_cfr_settle(&self->whole);
  if (status == ALEA_LIMIT)
    status = alea_outcome_sampling_run(&self->outcome, &self->belief, &time_manager);
  alea_time_manager_stop(&time_manager);
  if (status != ALEA_OK) return status;
  if (!self->swept) return list_sampled(self);
  return hidden ? list_whole(self) : list_swept(self);
}

/* A game with hidden information is solved from its start: that begins before
 * the first move, where there is a budget for it. */
static alea_status start(alea_player *player, const alea_budget *budget) {
  cfr_player *self = self_of(player);
  alea_time_manager time_manager;
  if (budget->sims == 0 && budget->seconds <= 0) return ALEA_OK;
  alea_time_manager_start(&time_manager, budget, &self->pace);
  open_hidden(self, budget);
  alea_status status = sweep_hidden(self, &time_manager);
  alea_time_manager_stop(&time_manager);
  return status == ALEA_LIMIT ? ALEA_OK : status;
}

static alea_status select(alea_player *player, const alea_budget *budget, alea_move *move) {
  cfr_player *self = self_of(player);
  bool forced, mixed;
  alea_budget rest = *budget;
  double began = alea_budget_now(budget), least = budget->seconds / 10;
  self->shares.count = 0;
  open_hidden(self, budget);
  rest.seconds -= ALEA_TIME_MANAGER_CHARGE * (alea_budget_now(budget) - began);
  if (rest.seconds < least) rest.seconds = least;
  alea_status status = alea_belief_begin(&self->belief, player, move, &forced);
  if (status != ALEA_OK || forced) return status;
  status = think(self, &rest);
  if (status == ALEA_OK) status = needs_mixing(self, &mixed);
  return status == ALEA_OK ? play_average(self, mixed, move) : status;
}

static alea_status observe(alea_player *player, const alea_observation *observation) {
  cfr_player *self = self_of(player);
  alea_whole_game_cfr_observe(&self->whole, observation);
  return alea_belief_observe(&self->belief, observation);
}

static void analyse(alea_player *player, alea_analysis *analysis) {
  cfr_player *self = self_of(player);
  analysis->choices = self->choices.data;
  analysis->count = self->choices.count;
  if (self->shares.count > 0) analysis->shares = self->shares.data;
  analysis->value = self->value;
}

const alea_player_class alea_player_cfr = {
    .name = "cfr",
    .summary = "counterfactual regret minimisation, whole or by outcome sampling",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(values),
    .size = sizeof(cfr_player),
    .init = init,
    .clear = clear,
    .start = start,
    .select = select,
    .observe = observe,
    .analyse = analyse,
};
