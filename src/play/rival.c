/* Trial games between the tree and minimax. */
#include "play/rival.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "game/position.h"
#include "play/eval_learning.h"
#include "play/time_manager.h"

enum { PLAYS = 20000, MOST_STEPS = 300, MOST_PAIRS = 20 };
static const double LEAST_SECONDS = 4; /* of a start clock that is worth it */
static const double LEARNING = 0.3, TRIALS = 0.6;
static const double MOVES = 400; /* a move of a trial has so small a part of the time */
static const double SHORTEST = 0.005;
static const char opponent[] = "alea:rival=off,threads=1,memory=64M";

typedef enum side { TREE, MINIMAX } side;

void alea_rival_init(alea_rival *rival, const alea_player_setup *setup, size_t memory) {
  const alea_game *game = setup->game;
  *rival = (alea_rival){.memory = memory};
  bool fits = game->role_count == 2 && game->random_role < 0 && !game->has_sees &&
              strcmp(game->class->engine, "net") == 0;
  if (fits) rival->setup = setup;
}

void alea_rival_clear(alea_rival *rival) {
  alea_alpha_beta_free(rival->search);
  alea_linear_eval_clear(&rival->eval);
  *rival = (alea_rival){0};
}

/* ---- one trial ---- */

typedef struct trial {
  alea_rival *rival;
  alea_cursor *cursor;
  alea_player *players[2]; /* NULL: minimax plays */
  alea_player_setup setups[2];
  alea_budget budget; /* of a move */
  double end;         /* of all trials */
  alea_u64s position;
} trial;

static alea_status make_players(trial *t, side own) {
  const alea_player_setup *setup = t->rival->setup;
  alea_text message;
  alea_status status = ALEA_OK;
  alea_text_init(&message, setup->mem);
  for (uint32_t r = 0; status == ALEA_OK && r < 2; r++) {
    t->players[r] = NULL;
    if (own == MINIMAX && r == setup->role) continue;
    t->setups[r] = *setup;
    t->setups[r].role = r;
    t->setups[r].seed = setup->seed + 1 + t->rival->games[TREE] + t->rival->games[MINIMAX];
    status = alea_player_new(&t->players[r], opponent, &t->setups[r], &message);
  }
  alea_text_clear(&message);
  return status;
}

static alea_status choose(trial *t, uint32_t role, alea_move *move) {
  alea_rival *rival = t->rival;
  if (t->players[role] != NULL) return alea_player_select(t->players[role], &t->budget, move);
  alea_status status = alea_position_keep(&t->position, t->cursor, rival->setup->mem);
  if (status == ALEA_OK)
    status = alea_alpha_beta_run(rival->search, t->position.data, t->position.count, 0, &t->budget,
                                 &rival->answer);
  if (rival->answer.move != ALEA_NO_MOVE) *move = rival->answer.move;
  return status;
}

/* One step; '*over' where the game has ended or cannot go on. */
static alea_status step(trial *t, bool *over) {
  alea_move joint[2];
  alea_status status = alea_cursor_terminal(t->cursor, over);
  for (uint32_t r = 0; status == ALEA_OK && !*over && r < 2; r++) {
    alea_list legal;
    status = alea_cursor_legal(t->cursor, r, &legal);
    if (status != ALEA_OK || legal.count == 0) return *over = true, status;
    joint[r] = legal.ids[0];
    if (legal.count > 1) status = choose(t, r, &joint[r]);
  }
  if (status != ALEA_OK || *over) return status;
  for (uint32_t r = 0; status == ALEA_OK && r < 2; r++) {
    alea_observation seen = {.own = joint[r], .joint = joint};
    if (t->players[r] != NULL) status = alea_player_observe(t->players[r], &seen);
  }
  return status == ALEA_OK ? alea_cursor_play(t->cursor, joint) : status;
}

static bool is_late(const trial *t) { return alea_budget_now(&t->budget) > t->end; }

/* One game, which counts if it ends in time. */
static alea_status play(trial *t, side own) {
  alea_rival *rival = t->rival;
  bool over = false, terminal = false;
  int goal = 0;
  alea_status status = make_players(t, own);
  if (status == ALEA_OK) status = alea_cursor_reset(t->cursor);
  for (uint32_t i = 0; status == ALEA_OK && !over && i < MOST_STEPS && !is_late(t); i++)
    status = step(t, &over);
  if (status == ALEA_OK) status = alea_cursor_terminal(t->cursor, &terminal);
  if (status == ALEA_OK && terminal)
    status = alea_cursor_goal(t->cursor, rival->setup->role, &goal);
  if (status == ALEA_OK && terminal) {
    rival->games[own]++;
    rival->goals[own] += goal > 0 ? (uint32_t)goal : 0;
  }
  for (uint32_t r = 0; r < 2; r++) {
    alea_player_free(t->players[r]);
    t->players[r] = NULL;
  }
  return status;
}

/* ---- the start clock ---- */

static alea_status try_both(alea_rival *rival, const alea_budget *budget, double end) {
  alea_mem *mem = rival->setup->mem;
  trial t = {.rival = rival, .budget = *budget, .end = end};
  t.budget.seconds = fmax(SHORTEST, budget->seconds / MOVES);
  t.budget.watch = NULL;
  alea_status status = alea_cursor_new(rival->setup->game, mem, &t.cursor);
  if (status != ALEA_OK) return status;
  for (uint32_t i = 0; status == ALEA_OK && i < MOST_PAIRS && !is_late(&t); i++) {
    status = play(&t, MINIMAX);
    if (status == ALEA_OK && !is_late(&t)) status = play(&t, TREE);
  }
  alea_cursor_free(t.cursor);
  alea_vec_clear(mem, &t.position);
  return status;
}

/* By the means, of which there have to be two. */
static bool wins(const alea_rival *rival) {
  if (rival->games[TREE] == 0 || rival->games[MINIMAX] == 0) return false;
  return (double)rival->goals[MINIMAX] / rival->games[MINIMAX] >
         (double)rival->goals[TREE] / rival->games[TREE];
}

alea_status alea_rival_start(alea_rival *rival, const alea_budget *budget, alea_budget *rest) {
  *rest = *budget;
  if (rival->setup == NULL || rival->search != NULL || budget->seconds < LEAST_SECONDS)
    return ALEA_OK;
  const alea_player_setup *setup = rival->setup;
  double start = alea_budget_now(budget);
  alea_rng rng;
  alea_budget part = *budget;
  part.seconds *= LEARNING;
  alea_rng_seed_stream(&rng, setup->seed, 6);
  alea_eval_lessons lessons = {.plays = PLAYS, .budget = &part, .rng = &rng};
  alea_status status = alea_linear_eval_init(&rival->eval, setup->game, setup->role, setup->mem);
  if (status == ALEA_OK)
    status = alea_alpha_beta_new(&rival->search, setup, &rival->eval, rival->memory);
  if (status == ALEA_OK) status = alea_eval_learn(&rival->eval, setup, &lessons);
  if (status == ALEA_OK)
    status = try_both(rival, budget, start + (LEARNING + TRIALS) * budget->seconds);
  rival->chosen = status == ALEA_OK && wins(rival);
  double spent = ALEA_TIME_MANAGER_CHARGE * (alea_budget_now(budget) - start);
  rest->seconds = fmax(0.01 * budget->seconds, budget->seconds - spent);
  return status;
}

/* ---- afterwards ---- */

alea_status alea_rival_select(alea_rival *rival, const uint64_t *words, size_t count,
                              const alea_budget *budget, alea_move *move) {
  alea_status status = alea_alpha_beta_run(rival->search, words, count, 0, budget, &rival->answer);
  if (status == ALEA_OK && rival->answer.move != ALEA_NO_MOVE) *move = rival->answer.move;
  return status;
}

static double mean(const alea_rival *rival, side own) {
  return rival->games[own] > 0 ? (double)rival->goals[own] / rival->games[own] : 0;
}

void alea_rival_analyse(alea_rival *rival, alea_analysis *analysis) {
  if (rival->search == NULL) return;
  int length = snprintf(rival->note, sizeof rival->note,
                        "%s was chosen: in trials minimax got %.0f on average (%" PRIu32
                        "), the tree %.0f (%" PRIu32 ")",
                        rival->chosen ? "minimax" : "the tree", mean(rival, MINIMAX),
                        rival->games[MINIMAX], mean(rival, TREE), rival->games[TREE]);
  analysis->note = rival->note;
  if (!rival->chosen || rival->answer.move == ALEA_NO_MOVE) return;
  if (length > 0 && (size_t)length < sizeof rival->note)
    snprintf(rival->note + length, sizeof rival->note - (size_t)length, "; depth %d",
             rival->answer.depth);
  rival->choice = (alea_choice){
      .move = rival->answer.move, .value = rival->answer.value, .proof = rival->answer.proof};
  analysis->choices = &rival->choice;
  analysis->shares = NULL;
  analysis->count = 1;
  analysis->value = rival->answer.value;
  analysis->proof = rival->answer.proof;
}
