/* Learning of evaluations. */
#include "learning/eval_learning.h"

#include <string.h>

#include "learning/eval_start.h"
#include "learning/eval_trial.h"
#include "learning/network_learning.h"
#include "learning/self_play.h"
#include "minimax/alpha_beta.h"

enum {
  SIMS = 30, /* of a search */
  TABLE = 1 << 20,
  GAMES_PER_ROUND = 4,     /* between two evaluations */
  GAMES_PER_LOUDNESS = 64, /* the same, with a new measure of what is unusual */
  TRIAL_PAIRS = 16,
  TRIAL_SIMS = 100, /* for a move, at most, */
  LEAST_TRIAL_SIMS = 10,
};
static const float OUTCOME = 0.4f; /* weight of how the game ended, where nobody shares out 100 */
/* Plays in lanes have this share of the time, where time is what is limited, and no more
 * than so many seconds. */
static const double START_SHARE = 0.5, MOST_START = 20;
static const double GAMES_SHARE = 0.8; /* when games against itself end; then they are tried */
/* The same where a network is learnt after them. */
static const double START_BEFORE = 0.3, GAMES_BEFORE = 0.5;

/* What was heard of a position of the game at hand. */
typedef struct lesson {
  float opinion; /* of the search, 0..1 */
  bool aside;
} lesson;

typedef struct pupil {
  alea_linear_eval *eval;
  const alea_player_setup *setup;
  const alea_eval_lessons *lessons;
  alea_cursor *cursor;
  alea_alpha_beta *search;
  alea_self_play play;
  alea_u64s positions;
  ALEA_VEC(lesson) heard; /* by position */
  alea_eval_clock clock;
  alea_eval_weights mean; /* over rounds */
  uint64_t rounds;        /* that it is of */
} pupil;

static bool is_over(void *context) { return alea_eval_clock_over(&((pupil *)context)->clock); }

/* Notes what the search thinks of a position. */
static alea_status hear(void *context, const alea_opinion *opinion) {
  pupil *p = context;
  alea_mem *mem = p->setup->mem;
  size_t words = p->eval->word_count;
  lesson it = {.opinion = (float)(opinion->value / 100), .aside = opinion->aside};
  if (!alea_vec_reserve(mem, &p->positions, words) || !alea_vec_push(mem, &p->heard, it))
    return alea_mem_lack(mem);
  memcpy(p->positions.data + p->positions.count, opinion->words, words * sizeof(uint64_t));
  p->positions.count += words;
  return ALEA_OK;
}

/* How the game ended at the cursor, 0..1; '*over': it has. */
static alea_status read_outcome(const pupil *p, bool *over, float *outcome) {
  int goal = 0;
  alea_status status = alea_cursor_terminal(p->cursor, over);
  if (status == ALEA_OK && *over) status = alea_cursor_goal(p->cursor, p->setup->role, &goal);
  *outcome = goal > 0 ? (float)goal / 100 : 0;
  return status;
}

/* Learns from one game against itself.  Where two share out 100, what the search thinks is all
 * that counts: how shallow games end contradicts what pieces are worth. */
static alea_status learn_game(pupil *p) {
  bool over = false;
  float outcome = 0;
  p->positions.count = p->heard.count = 0;
  alea_status status = alea_self_play_game(&p->play);
  if (status == ALEA_OK) status = read_outcome(p, &over, &outcome);
  size_t words = p->eval->word_count;
  for (size_t i = 0; status == ALEA_OK && i < p->heard.count; i++) {
    const lesson *it = &p->heard.data[i];
    float weight = p->eval->shares || it->aside || !over ? 0 : OUTCOME;
    float target = weight * outcome + (1 - weight) * it->opinion;
    status = alea_linear_eval_fit(p->eval, p->positions.data + i * words, target);
  }
  p->eval->games++;
  return status;
}

static bool learns_network(const alea_eval_lessons *lessons) {
  return lessons->network > 0 || lessons->differences > 0 || lessons->proved > 0;
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
  bool network = learns_network(lessons), more = lessons->games > 0 || network;
  start.share = network ? START_BEFORE : more ? START_SHARE : 1;
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
  p->clock.share = learns_network(lessons) ? GAMES_BEFORE : GAMES_SHARE;
  for (uint64_t i = 0, renewed = 1; status == ALEA_OK && i < lessons->games; i++) {
    if (alea_eval_clock_over(&p->clock)) break;
    status = learn_game(p);
    if (i % GAMES_PER_ROUND != GAMES_PER_ROUND - 1) continue;
    if (i % GAMES_PER_LOUDNESS == GAMES_PER_LOUDNESS - 1)
      status = alea_linear_eval_finish(p->eval, p->cursor, lessons->rng);
    if (i >= 2 * renewed) p->rounds = 0, renewed = i;
    alea_linear_eval_blend(p->eval, 1 / (float)++p->rounds, &p->mean);
    alea_linear_eval_settle(p->eval, 1);
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
      .least = LEAST_TRIAL_SIMS,
      .positions = UINT64_MAX, /* games were more work */
      .rng = p->lessons->rng,
      .clock = &p->clock};
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
                                  .differences = p->lessons->differences,
                                  .proved = p->lessons->proved,
                                  .threads = p->lessons->threads,
                                  .device = p->lessons->device};
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
  if (setup->game->role_count > ALEA_SELF_PLAY_ROLES) return ALEA_OK;
  p.clock.seconds = lessons->budget->seconds;
  if (p.clock.seconds > 0) p.clock.start = alea_budget_now(lessons->budget);
  alea_status status = alea_cursor_new(setup->game, setup->mem, &p.cursor);
  if (status == ALEA_OK) status = alea_alpha_beta_new(&p.search, setup, eval, TABLE);
  p.play = (alea_self_play){.setup = setup,
                            .search = p.search,
                            .eval = eval,
                            .cursor = p.cursor,
                            .rng = lessons->rng,
                            .sims = SIMS,
                            .hear = hear,
                            .over = is_over,
                            .context = &p};
  if (status == ALEA_OK) status = learn_linear(&p);
  if (status == ALEA_OK && learns_network(lessons)) status = learn_network(&p);
  alea_alpha_beta_free(p.search);
  alea_cursor_free(p.cursor);
  alea_vec_clear(setup->mem, &p.positions);
  alea_vec_clear(setup->mem, &p.heard);
  alea_vec_clear(setup->mem, &p.mean);
  return status;
}
