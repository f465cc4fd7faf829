/* The player `ab`: minimax with an evaluation that ships with the game, or that it learns from
 * random plays, in the start clock or with a part of the first move's.  Where the position is
 * hidden, or the rules are not played by the network, it searches a tree as `uct`
 * does, and says so. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "learning/other_eval_learning.h"
#include "minimax/alpha_beta.h"
#include "minimax/endgame.h"
#include "minimax/eval_file.h"
#include "minimax/piece_eval.h"
#include "minimax/shipped_evals.h"
#include "play/classes.h"
#include "play/root_parallel.h"
#include "play/tree.h"

/* clang-format off */
#define OPTIONS(row)                                                                    \
  row(text, eval, "", 0, 0, "FILE|pieces|learn", "evaluation from 'alea learn', or a count of pieces; learn is to learn one, also where one ships with the game") \
  row(integer, plays, "20000", 0, 1e9, "N", "random plays that the evaluation is learnt from: as many as the first move has simulations (500 if that is less) at most, more where a clock leaves the time; 0 is none") \
  row(integer, games, "0", 0, 1e9, "N", "games against itself that it goes on to learn from; 0 is none") \
  row(real, learn, "0.3", 0, 0.9, "P", "share of the first move's time for learning at most, where there was no start clock") \
  row(integer, nodes, "0", 0, 1e15, "N", "positions looked at for a move; 0 is what the budget allows") \
  row(integer, opening, "0", 0, 1000, "N", "own first moves that are made at random, so that matches differ") \
  row(integer, depth, "0", 0, 100, "N", "depth after which nothing more is looked at; 0 is none") \
  row(integer, threads, "1", 0, 64, "N", "threads that search, which share table, positions and CPU time; 0 is one per core") \
  row(flag, pass, "off", 0, 0, "", "let a role pass in the search (null moves), while that foretells what its moves do") \
  row(real, c, "0.6", 0, 100, "C", "weight of exploration, where a tree is searched instead") \
  row(integer, particles, "300", 1, 1e6, "N", "states in the belief, where the game has sees") \
  row(bytes, memory, "64M", 0, 0, "BYTES", "memory of the table of positions, or of the tree")
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

enum { LEAST_PLAYS = 500 };            /* that simulations buy: they serve the whole match */
static const double START_SHARE = 0.9; /* of the start clock, for learning */

typedef struct minimax {
  alea_tree tree; /* first: it is an alea_tree, and so an alea_player */
  alea_linear_eval eval;
  alea_other_evals others;
  alea_alpha_beta *search; /* NULL: the game is not for it */
  alea_rng rng;
  bool learnt;
  bool shipped;   /* the evaluation is */
  uint64_t moves; /* chosen so far */
  alea_alpha_beta_answer answer;
  alea_choice choice;
  char note[96];
} minimax;

static minimax *self_of(alea_player *player) { return (minimax *)(void *)player; }

static alea_status count_pieces(minimax *self) {
  alea_cursor *cursor;
  const alea_player_setup *setup = &self->tree.player.setup;
  alea_status status = alea_cursor_new(setup->game, setup->mem, &cursor);
  if (status != ALEA_OK) return status;
  status = alea_piece_eval(&self->eval, cursor, &self->rng);
  alea_cursor_free(cursor);
  return status;
}

static bool is_eval(const values *v, const char *word) {
  return v->eval != NULL && strcmp(v->eval, word) == 0;
}

static const char *file(const alea_player *player, bool *written) {
  const values *v = player->values;
  *written = false;
  return is_eval(v, "pieces") || is_eval(v, "learn") ? NULL : v->eval;
}

/* Finds the evaluation that there is without learning. */
static alea_status find_eval(minimax *self) {
  alea_player *player = &self->tree.player;
  const values *v = player->values;
  if (is_eval(v, "learn")) return ALEA_OK;
  if (v->eval == NULL) {
    alea_status status = alea_shipped_eval_read(&self->eval, &self->shipped);
    self->learnt = self->shipped;
    return status == ALEA_OK && self->shipped ? alea_other_evals_ship(&self->others) : status;
  }
  self->learnt = true;
  if (is_eval(v, "pieces")) return count_pieces(self);
  alea_status status = alea_eval_file_read(&self->eval, v->eval, player->message);
  return status == ALEA_OK ? alea_other_evals_read(&self->others, v->eval) : status;
}

static alea_status init(alea_player *player) {
  minimax *self = self_of(player);
  const values *v = player->values;
  const alea_player_setup *setup = &player->setup;
  alea_search_options options = {.pick = alea_pick_ucb,
                                 .c = v->c,
                                 .rollout = ALEA_ROLLOUT_UNIFORM,
                                 .playouts = 1,
                                 .exact = true,
                                 .reuse = true,
                                 .memory = v->memory};
  alea_rng_seed_stream(&self->rng, setup->seed, 5);
  alea_status status = alea_tree_init(player, &options, (uint32_t)v->particles);
  if (status != ALEA_OK || setup->game->has_sees) return status;
  if (strcmp(setup->game->class->engine, "net") != 0) return ALEA_OK;
  status = alea_linear_eval_init(&self->eval, setup->game, setup->role, setup->mem);
  if (status == ALEA_OK) status = alea_other_evals_init(&self->others, setup);
  if (status == ALEA_OK) status = find_eval(self);
  if (status != ALEA_OK) return status;
  status = alea_alpha_beta_new(&self->search, &player->setup, &self->eval, v->memory);
  if (status != ALEA_OK) return status;
  alea_alpha_beta_set_others(self->search, &self->others);
  alea_alpha_beta_set_passing(self->search, v->pass);
  return alea_alpha_beta_set_threads(self->search, alea_root_parallel_size((uint32_t)v->threads));
}

static void clear(alea_player *player) {
  minimax *self = self_of(player);
  alea_alpha_beta_free(self->search);
  alea_linear_eval_clear(&self->eval);
  alea_other_evals_clear(&self->others);
  alea_tree_clear(player);
}

/* Learns once, within a share of the time; '*rest' is what is left of it. */
static alea_status learn(minimax *self, const alea_budget *budget, double share,
                         alea_budget *rest) {
  const values *v = self->tree.player.values;
  alea_budget part = *rest = *budget;
  if (self->learnt) return ALEA_OK;
  self->learnt = true;
  bool timed = budget->seconds > 0;
  double start = timed ? alea_budget_now(budget) : 0;
  part.seconds *= share;
  uint64_t plays = timed && v->plays > 0 ? UINT64_MAX : (uint64_t)v->plays;
  uint64_t most = budget->sims > LEAST_PLAYS ? budget->sims : LEAST_PLAYS;
  if (!timed && budget->sims > 0 && most < plays) plays = most;
  alea_eval_lessons lessons = {
      .plays = plays, .games = (uint64_t)v->games, .budget = &part, .rng = &self->rng};
  alea_status status =
      alea_other_evals_learn(&self->others, &self->eval, &self->tree.player.setup, &lessons);
  double spent = timed ? alea_budget_now(budget) - start : 0;
  if (timed) rest->seconds = fmax(0.1 * budget->seconds, budget->seconds - spent);
  return status;
}

static alea_status start(alea_player *player, const alea_budget *budget) {
  minimax *self = self_of(player);
  alea_budget rest;
  if (self->search == NULL) return alea_tree_start(player, budget);
  return budget->seconds > 0 ? learn(self, budget, START_SHARE, &rest) : ALEA_OK;
}

static void count_positions(minimax *self, uint64_t before) {
  uint64_t met = alea_alpha_beta_positions(self->search) - before;
  self->tree.player.stats.nodes += met;
  self->tree.player.stats.sims += met / ALEA_ENDGAME_PER_SIM;
}

/* Searches the present position with what is left of the budget. */
static alea_status think(minimax *self, const alea_budget *budget, alea_move *move) {
  const values *v = self->tree.player.values;
  const alea_particle *at = &self->tree.belief.now.data[0];
  alea_budget rest = *budget;
  uint64_t before = alea_alpha_beta_positions(self->search);
  if (v->nodes > 0) rest.sims = alea_endgame_sims((uint64_t)v->nodes);
  alea_status status = alea_alpha_beta_run(self->search, at->words.data, at->words.count,
                                           (int)v->depth, &rest, &self->answer);
  count_positions(self, before);
  if (self->answer.move != ALEA_NO_MOVE) *move = self->answer.move;
  alea_alpha_beta_note(self->search, at->words.data, at->words.count);
  return status;
}

static alea_status select(alea_player *player, const alea_budget *budget, alea_move *move) {
  minimax *self = self_of(player);
  alea_budget rest;
  bool forced;
  if (self->search == NULL) return alea_tree_select(player, budget, move);
  self->answer = (alea_alpha_beta_answer){.move = ALEA_NO_MOVE, .value = -1};
  alea_status status = alea_belief_begin(&self->tree.belief, player, move, &forced);
  if (status != ALEA_OK || forced) return status;
  const values *v = player->values;
  if (self->moves++ < (uint64_t)v->opening) return ALEA_OK; /* a random move is set */
  status = learn(self, budget, v->learn, &rest);
  return status == ALEA_OK ? think(self, &rest, move) : status;
}

static void analyse(alea_player *player, alea_analysis *analysis) {
  minimax *self = self_of(player);
  if (self->search == NULL) {
    alea_tree_analyse(player, analysis);
    analysis->note =
        player->setup.game->has_sees
            ? "positions are hidden: a tree was searched, and no minimax"
            : "the network does not play these rules: a tree was searched, and no minimax";
    return;
  }
  if (self->answer.move == ALEA_NO_MOVE) return;
  self->choice = (alea_choice){
      .move = self->answer.move, .value = self->answer.value, .proof = self->answer.proof};
  self->choice.visits = self->tree.player.stats.nodes;
  analysis->choices = &self->choice;
  analysis->count = 1;
  analysis->value = self->answer.value;
  analysis->proof = self->answer.proof;
  snprintf(self->note, sizeof self->note,
           "searched to depth %d, %sevaluation of %llu plays and %llu games", self->answer.depth,
           self->shipped ? "shipped " : "", (unsigned long long)self->eval.plays,
           (unsigned long long)self->eval.games);
  analysis->note = self->note;
}

static alea_status ponder(alea_player *player, alea_move own, const atomic_bool *stop) {
  minimax *self = self_of(player);
  bool found;
  if (self->search == NULL) return alea_tree_ponder(player, own, stop);
  if (!self->learnt) return ALEA_OK; /* there is no evaluation yet */
  alea_status status = alea_tree_look_ahead(&self->tree, own, &found);
  const alea_u64s *words = &self->tree.ahead.words;
  uint64_t before = alea_alpha_beta_positions(self->search);
  if (status != ALEA_OK || !found) return status;
  status = alea_alpha_beta_ponder(self->search, words->data, words->count, stop);
  count_positions(self, before);
  return status;
}

const alea_player_class alea_player_ab = {
    .name = "ab",
    .summary = "minimax (alpha-beta) with an evaluation learnt from random plays",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(values),
    .size = sizeof(minimax),
    .file = file,
    .init = init,
    .clear = clear,
    .start = start,
    .select = select,
    .observe = alea_tree_observe,
    .analyse = analyse,
    .ponder = ponder,
};
