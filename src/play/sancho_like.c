/* The player `sancho-like` ([SYM16 §5], D35): a stand-in for Sancho, which
 * cannot be shipped.  From the published descriptions of that player: tree
 * search on a graph of positions with complete nodes trimmed, goals that are
 * latched as bounds, and a heuristic of piece counts, learned in random plays,
 * that is mixed into the value of a new node.  Where the game has `sees` latches
 * and heuristic speak of the positions that are drawn, at the leaves of the
 * information-set search.  It is not that program, and a result against it says
 * nothing of that program. */
#include "encode/services.h"
#include "ground/latches.h"
#include "play/classes.h"
#include "play/piece_count.h"
#include "play/tree.h"

/* clang-format off */
#define OPTIONS(row)                                                                   \
  row(real, c, "0.6", 0, 100, "C", "weight of exploration, on rewards from 0 to 1")    \
  row(real, mix, "0.2", 0, 1, "P", "part of the heuristic in the value of a new node") \
  row(integer, plays, "100", 0, 1e6, "N", "random plays that the heuristic is learned from") \
  row(flag, latches, "on", 0, 0, "", "bound values by goals that cannot change any more") \
  row(flag, reuse, "on", 0, 0, "", "keep the tree from one move to the next")          \
  ALEA_SAMPLER_OPTIONS(row)                                                            \
  row(integer, step_cap, "0", 0, 1e9, "N", "steps after which a playout counts 0; 0 is 10000") \
  row(integer, particles, "300", 1, 1e6, "N", "states in the belief, where the game has sees") \
  row(choice, belief, "filter", 0, 0, ALEA_CHOICE_WORDS(ALEA_BELIEF_MODELS), "how such states are found") \
  row(bytes, memory, "256M", 0, 0, "BYTES", "memory of the tree")
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

typedef struct sancho {
  alea_tree tree; /* first: it is an alea_tree, and so an alea_player */
  alea_piece_counts pieces;
  alea_latches latches;
  alea_cursor *cursor;
  alea_rng rng;
  float *guess;
  bool learned;
} sancho;

static sancho *self_of(alea_player *player) { return (sancho *)(void *)player; }

/* ---- what the search asks ---- */

/* A new node: goals that are latched bound its values. */
static alea_status bound(void *context, alea_cursor *cursor, alea_node *node) {
  sancho *self = context;
  const alea_game *game = cursor->game;
  if (node->terminal || self->latches.goals.count == 0) return ALEA_OK;
  node->exact = true;
  for (uint32_t r = 0; r < game->role_count; r++) {
    int goal, lo, hi;
    if ((int)r == game->random_role) continue;
    alea_status status = alea_cursor_goal(cursor, r, &goal);
    if (status != ALEA_OK) return status;
    if (alea_latches_bounds(&self->latches, r, goal, &lo, &hi)) {
      node->lo[r] = (float)lo / 100;
      node->hi[r] = (float)hi / 100;
    }
    if (node->hi[r] - node->lo[r] > ALEA_VALUE_TOLERANCE) node->exact = false;
  }
  return ALEA_OK;
}

/* Mixes the heuristic into the rewards of a playout from the cursor's
 * position, which has not begun. */
static const float *guess(void *context, alea_cursor *cursor) {
  sancho *self = context;
  return alea_piece_counts_guess(&self->pieces, cursor, self->guess) ? self->guess : NULL;
}

/* ---- the player ---- */

static alea_status find_latches(sancho *self, const alea_player_setup *setup) {
  const alea_ground *ground;
  alea_deadline deadline = alea_mem_deadline_in(setup->mem, 0);
  if (setup->services == NULL) return ALEA_OK;
  alea_status status = alea_services_ground(setup->services, false, &deadline, &ground);
  if (status != ALEA_OK) return ALEA_OK; /* then there are none */
  return alea_latches_init(&self->latches, ground, setup->mem);
}

static alea_status init(alea_player *player) {
  sancho *self = self_of(player);
  const values *v = player->values;
  const alea_player_setup *setup = &player->setup;
  alea_search_options options = {
      .pick = alea_pick_ucb,
      .c = v->c,
      .rollout = ALEA_ROLLOUT_UNIFORM,
      .step_cap = (uint32_t)v->step_cap,
      .playouts = (uint32_t)v->playouts,
      .batch = (uint32_t)v->batch,
      .exact = true,
      .reuse = v->reuse,
      .memory = v->memory,
      .belief = (alea_belief_model)v->belief,
      .sets_alike = true,
      .hooks = {.bound = bound, .guess = guess, .mix = (float)v->mix, .context = self},
  };
  alea_rng_seed_stream(&self->rng, setup->seed, 4);
  alea_status status = alea_tree_init(player, &options, (uint32_t)v->particles);
  if (status != ALEA_OK) return status;
  self->guess = alea_mem_calloc(setup->mem, setup->game->role_count, sizeof *self->guess);
  if (self->guess == NULL) return alea_mem_lack(setup->mem);
  status = alea_piece_counts_init(&self->pieces, setup->game, setup->mem);
  if (status == ALEA_OK) status = alea_cursor_new(setup->game, setup->mem, &self->cursor);
  return status == ALEA_OK && v->latches ? find_latches(self, setup) : status;
}

static void clear(alea_player *player) {
  sancho *self = self_of(player);
  alea_tree_clear(player);
  alea_piece_counts_clear(&self->pieces);
  alea_latches_clear(&self->latches);
  alea_cursor_free(self->cursor);
  if (self->guess != NULL)
    alea_mem_free(player->setup.mem, self->guess,
                  player->setup.game->role_count * sizeof *self->guess);
}

/* Learns once, within 'share' of the time; '*rest' is what is left of it. */
static alea_status learn(alea_player *player, const alea_budget *budget, double share,
                         alea_budget *rest) {
  sancho *self = self_of(player);
  const values *v = player->values;
  *rest = *budget;
  if (self->learned || v->mix <= 0) return ALEA_OK;
  self->learned = true;
  bool timed = budget->seconds > 0;
  double start = timed ? alea_budget_now(budget) : 0;
  alea_status status = ALEA_OK;
  for (int64_t i = 0; status == ALEA_OK && i < v->plays; i++) {
    if (timed && alea_budget_now(budget) - start > share * budget->seconds) break;
    status = alea_piece_counts_learn(&self->pieces, self->cursor, &self->rng);
  }
  alea_piece_counts_finish(&self->pieces);
  if (timed) rest->seconds -= alea_budget_now(budget) - start;
  return status;
}

static alea_status start(alea_player *player, const alea_budget *budget) {
  alea_budget rest;
  if (budget->seconds <= 0) return ALEA_OK;
  alea_status status = learn(player, budget, 0.5, &rest);
  return status == ALEA_OK ? alea_tree_start(player, &rest) : status;
}

static alea_status choose(alea_player *player, const alea_budget *budget, alea_move *move) {
  alea_budget rest;
  alea_status status = learn(player, budget, 0.2, &rest);
  return status == ALEA_OK ? alea_tree_select(player, &rest, move) : status;
}

const alea_player_class alea_player_sancho_like = {
    .name = "sancho-like",
    .summary = "stand-in for Sancho: tree search with latches and piece counts; not that program",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(values),
    .size = sizeof(sancho),
    .init = init,
    .clear = clear,
    .start = start,
    .select = choose,
    .observe = alea_tree_observe,
    .analyse = alea_tree_analyse,
    .expect = alea_tree_expect,
};
