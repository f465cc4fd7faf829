/* Learning of evaluations. */
#include "play/eval_learning.h"

#include <math.h>
#include <string.h>

#include "play/alpha_beta.h"
#include "play/eval_start.h"
#include "play/eval_trial.h"
#include "play/network_learning.h"
#include "play/random_joint.h"

enum {
  MOST_STEPS = 300, /* of a game against itself; what is not over by then is no example */
  MOST_ROLES = 64,
  DEPTH = 2,
  SIMS = 200, /* of a search, at most */
  TABLE = 1 << 20,
  GAMES_PER_ROUND = 4,     /* between two evaluations */
  GAMES_PER_LOUDNESS = 64, /* the same, with a new measure of what is unusual */
  TRIAL_PAIRS = 16,
  TRIAL_SIMS = 100, /* for a move */
  OPENING = 10,     /* random steps at the beginning of a game, at most */
};
static const double RANDOM_MOVES = 0.1; /* share of them in games against itself */
static const float OUTCOME = 0.4f;      /* weight of how the game ended */
/* Plays in lanes have this share of the time, where time is what is limited, and no more
 * than so many seconds. */
static const double START_SHARE = 0.5, MOST_START = 20;
static const double GAMES_SHARE = 0.8; /* when games against itself end; then they are tried */
/* The same where a network is learnt after them. */
static const double START_BEFORE = 0.3, GAMES_BEFORE = 0.5;

typedef struct pupil {
  alea_linear_eval *eval;
  const alea_player_setup *setup;
  const alea_eval_lessons *lessons;
  alea_cursor *cursor;
  alea_alpha_beta *search;
  alea_u64s positions;
  ALEA_VEC(float) opinions; /* per position, 0..1 */
  alea_eval_clock clock;
  alea_eval_weights mean; /* over rounds */
  uint64_t rounds;        /* that it is of */
} pupil;

/* The role that a search's answer is for: the first of those who choose. */
static alea_status first_chooser(pupil *p, uint32_t *role) {
  const alea_game *game = p->setup->game;
  for (uint32_t i = 0; i <= game->role_count; i++) {
    uint32_t r = i == 0 ? p->setup->role : i - 1;
    alea_list legal;
    alea_status status = alea_cursor_legal(p->cursor, r, &legal);
    if (status != ALEA_OK) return status;
    if (legal.count > 1 && (int)r != game->random_role) return *role = r, ALEA_OK;
  }
  return *role = game->role_count, ALEA_OK;
}

/* Whether the evaluation of a position is about what the search found, so that it can
 * be held responsible for how the game went on: no exchange is under way, and nothing is
 * decided. */
static bool is_quiet(const pupil *p, const uint64_t *words, const alea_alpha_beta_answer *answer) {
  if (answer->value <= 0 || answer->value >= 100 || answer->proof != ALEA_PROOF_NONE) return false;
  double found = ALEA_EVAL_UNIT * log(answer->value / (100 - answer->value));
  return fabs(found - alea_linear_eval_score(p->eval, words)) <= p->eval->loud;
}

/* Notes the cursor's position with the search's opinion, and lets the search
 * choose where chance does not. */
static alea_status consider(pupil *p, alea_move *joint) {
  alea_alpha_beta_answer answer;
  alea_budget budget = {.sims = SIMS};
  size_t count;
  uint32_t role = 0;
  const uint64_t *words = alea_cursor_state(p->cursor, &count);
  alea_status status = first_chooser(p, &role);
  if (status == ALEA_OK)
    status = alea_alpha_beta_run(p->search, words, count, DEPTH, &budget, &answer);
  if (status != ALEA_OK || answer.move == ALEA_NO_MOVE) return status;
  if (role < p->setup->game->role_count && alea_rng_unit(p->lessons->rng) >= RANDOM_MOVES)
    joint[role] = answer.move;
  if (!is_quiet(p, words, &answer)) return ALEA_OK;
  if (!alea_vec_reserve(p->setup->mem, &p->positions, count) ||
      !alea_vec_push(p->setup->mem, &p->opinions, (float)(answer.value / 100)))
    return alea_mem_lack(p->setup->mem);
  memcpy(p->positions.data + p->positions.count, words, count * sizeof *words);
  p->positions.count += count;
  return ALEA_OK;
}

/* One game against itself; '*over': it has ended. */
static alea_status play_game(pupil *p, bool *over) {
  uint32_t roles = p->setup->game->role_count;
  alea_move joint[MOST_ROLES];
  p->positions.count = p->opinions.count = 0;
  *over = false;
  uint32_t opening = alea_rng_below(p->lessons->rng, OPENING + 1);
  alea_status status = alea_cursor_reset(p->cursor);
  for (uint32_t steps = 0; status == ALEA_OK && steps < MOST_STEPS; steps++) {
    uint32_t chooser;
    bool stuck;
    status = alea_cursor_terminal(p->cursor, over);
    if (status != ALEA_OK || *over || alea_eval_clock_over(&p->clock)) return status;
    status = alea_random_joint(p->cursor, roles, p->lessons->rng, joint, &chooser, &stuck);
    if (status != ALEA_OK || stuck) return status;
    if (chooser < roles && steps >= opening) status = consider(p, joint);
    if (status == ALEA_OK) status = alea_cursor_play(p->cursor, joint);
  }
  return status;
}

static alea_status learn_game(pupil *p) {
  bool over;
  int goal;
  alea_status status = play_game(p, &over);
  if (status != ALEA_OK || !over) return status;
  status = alea_cursor_goal(p->cursor, p->setup->role, &goal);
  float outcome = goal > 0 ? (float)goal / 100 : 0;
  size_t words = p->eval->word_count;
  for (size_t i = 0; status == ALEA_OK && i < p->opinions.count; i++) {
    float target = OUTCOME * outcome + (1 - OUTCOME) * p->opinions.data[i];
    status = alea_linear_eval_fit(p->eval, p->positions.data + i * words, target);
  }
  p->eval->games++;
  return status;
}

/* Plays in lanes. */
static alea_status learn_start(pupil *p) {
  const alea_eval_lessons *lessons = p->lessons;
  alea_eval_start start = {.eval = p->eval,
                           .setup = p->setup,
                           .cursor = p->cursor,
                           .rng = lessons->rng,
                           .clock = &p->clock,
                           .plays = lessons->plays,
                           .parts = lessons->parts};
  bool more = lessons->games > 0 || lessons->network > 0;
  start.share = lessons->network > 0 ? START_BEFORE : more ? START_SHARE : 1;
  if (more && start.share * p->clock.seconds > MOST_START)
    start.share = MOST_START / p->clock.seconds;
  alea_status status = alea_eval_start_learn(&start);
  p->clock.share = 1;
  return status;
}

/* Games against itself; what is learnt in the end is the mean over the second half of the
 * rounds so far, since single games push weights about. */
static alea_status learn_games(pupil *p) {
  const alea_eval_lessons *lessons = p->lessons;
  alea_status status = alea_linear_eval_save(p->eval, &p->mean);
  p->clock.share = lessons->network > 0 ? GAMES_BEFORE : GAMES_SHARE;
  for (uint64_t i = 0, renewed = 1; status == ALEA_OK && i < lessons->games; i++) {
    if (alea_eval_clock_over(&p->clock)) break;
    status = learn_game(p);
    if (i % GAMES_PER_ROUND != GAMES_PER_ROUND - 1) continue;
    if (i % GAMES_PER_LOUDNESS == GAMES_PER_LOUDNESS - 1)
      status = alea_linear_eval_finish(p->eval, p->cursor, lessons->rng);
    if (i >= 2 * renewed) p->rounds = 0, renewed = i;
    alea_linear_eval_blend(p->eval, 1 / (float)++p->rounds, &p->mean);
    alea_linear_eval_settle(p->eval, 1);
    alea_alpha_beta_forget(p->search);
  }
  alea_linear_eval_restore(p->eval, &p->mean);
  return status == ALEA_OK ? alea_linear_eval_finish(p->eval, p->cursor, lessons->rng) : status;
}

/* What games have taught must win against what was there before. */
static alea_status examine(pupil *p, const alea_eval_weights *before,
                           const alea_linear_eval *rival) {
  alea_eval_trial trial = {
      .setup = p->setup,
      .evals = {p->eval, rival},
      .pairs = p->lessons->games < TRIAL_PAIRS ? (uint32_t)p->lessons->games : TRIAL_PAIRS,
      .sims = TRIAL_SIMS,
      .positions = UINT64_MAX, /* games were more work */
      .rng = p->lessons->rng,
      .over = alea_eval_clock_over,
      .over_context = &p->clock};
  p->clock.share = 1;
  alea_status status = alea_eval_trial_run(&trial);
  if (status != ALEA_OK || alea_eval_trial_won(&trial)) return status;
  alea_linear_eval_restore(p->eval, before);
  return alea_linear_eval_finish(p->eval, p->cursor, p->lessons->rng);
}

static alea_status learn_network(pupil *p) {
  alea_network_lessons lessons = {.eval = p->eval,
                                  .setup = p->setup,
                                  .cursor = p->cursor,
                                  .rng = p->lessons->rng,
                                  .clock = &p->clock,
                                  .positions = p->lessons->network,
                                  .proved = p->lessons->proved,
                                  .threads = p->lessons->threads};
  return alea_network_learn(&lessons);
}

static alea_status learn_linear(pupil *p) {
  const alea_eval_lessons *lessons = p->lessons;
  alea_eval_weights before = {0};
  alea_linear_eval rival = {0};
  bool known = p->eval->plays > 0 && lessons->plays == 0;
  alea_status status = known ? ALEA_OK : learn_start(p);
  if (status == ALEA_OK && lessons->plays == 0 && !known)
    status = alea_linear_eval_finish(p->eval, p->cursor, lessons->rng);
  if (status != ALEA_OK || lessons->games == 0) return status;
  status = alea_linear_eval_save(p->eval, &before);
  if (status == ALEA_OK) status = alea_linear_eval_copy(&rival, p->eval);
  if (status == ALEA_OK) status = learn_games(p);
  if (status == ALEA_OK && p->eval->shares) status = examine(p, &before, &rival);
  alea_linear_eval_clear(&rival);
  alea_vec_clear(p->setup->mem, &before);
  return status;
}

alea_status alea_eval_learn(alea_linear_eval *eval, const alea_player_setup *setup,
                            const alea_eval_lessons *lessons) {
  pupil p = {.eval = eval, .setup = setup, .lessons = lessons};
  p.clock = (alea_eval_clock){.budget = lessons->budget, .mem = setup->mem, .share = 1};
  if (setup->game->role_count > MOST_ROLES) return ALEA_OK;
  p.clock.seconds = lessons->budget->seconds;
  if (p.clock.seconds > 0) p.clock.start = alea_budget_now(lessons->budget);
  alea_status status = alea_cursor_new(setup->game, setup->mem, &p.cursor);
  if (status == ALEA_OK) status = alea_alpha_beta_new(&p.search, setup, eval, TABLE);
  if (status == ALEA_OK) status = learn_linear(&p);
  if (status == ALEA_OK && lessons->network + lessons->proved > 0) status = learn_network(&p);
  alea_alpha_beta_free(p.search);
  alea_cursor_free(p.cursor);
  alea_vec_clear(setup->mem, &p.positions);
  alea_vec_clear(setup->mem, &p.opinions);
  alea_vec_clear(setup->mem, &p.mean);
  return status;
}
