/* Games between evaluations. */
#include "learning/eval_trial.h"

#include <math.h>

#include "minimax/alpha_beta.h"

enum {
  MOST_STEPS = 200, /* of a game */
  OPENING = 6,      /* random steps */
  DEPTH = 20,       /* the count ends it before */
  TABLE = 1 << 18,
  MOST_ROLES = 64,
  LEAST_GAMES = 4,   /* below which nothing is said */
  WANTED_GAMES = 16, /* where time is short, */
  FIRST_SIMS = 10,   /* and the simulations for a move that tell how short */
};

static const double DEVIATIONS = 1; /* by which games must be won or lost to be believed */

typedef struct eval_table {
  alea_eval_trial *trial;
  alea_cursor *cursor;
  alea_alpha_beta *searches[2];
  uint32_t sims;         /* for a move, for now */
  double began;          /* seconds that were left then */
  uint64_t spent, moves; /* simulations and moves so far */
  bool given_up;
} eval_table;

static uint64_t met_of(const eval_table *t) {
  return alea_alpha_beta_positions(t->searches[0]) + alea_alpha_beta_positions(t->searches[1]);
}

/* Whether there is no time, or no position, left. */
static bool is_over(const eval_table *t) {
  const alea_eval_trial *trial = t->trial;
  return met_of(t) > trial->positions ||
         (trial->clock != NULL && alea_eval_clock_over(trial->clock));
}

static double seconds_left(const alea_eval_trial *trial) {
  return trial->clock != NULL ? alea_eval_clock_left(trial->clock) : INFINITY;
}

/* Chooses the size of searches so that enough games fit into the time, by what those so far
 * took; both of a pair have the same. */
static void set_sims(eval_table *t) {
  const alea_eval_trial *trial = t->trial;
  double left = seconds_left(trial), most = trial->sims, least = trial->least;
  if (isinf(left)) {
    t->sims = trial->sims;
  } else if (t->spent == 0) {
    t->began = left;
    t->sims = (uint32_t)fmin(most, fmax(least, FIRST_SIMS));
  } else {
    double games = fmax(2, (double)WANTED_GAMES - trial->games);
    double seconds = fmax(1e-9, t->began - left) / (double)t->spent; /* of a simulation */
    double moves = (double)t->moves / trial->games;
    t->sims = (uint32_t)fmin(most, fmax(least, left / (games * moves * seconds)));
  }
}

/* The search's move for the one who chooses; a random one stays where there are several. */
static alea_status think(eval_table *t, uint32_t side, alea_move *move) {
  alea_alpha_beta_answer answer;
  alea_budget budget = {.sims = t->sims};
  size_t count;
  const uint64_t *words = alea_cursor_state(t->cursor, &count);
  alea_status status =
      alea_alpha_beta_run(t->searches[side], words, count, DEPTH, &budget, &answer);
  if (status == ALEA_OK && answer.move != ALEA_NO_MOVE) *move = answer.move;
  t->spent += t->sims;
  t->moves++;
  return status;
}

/* One step of a game in which evals[first] plays the trial's role; '*stuck': there is none. */
static alea_status step(eval_table *t, uint32_t first, bool random, bool *stuck) {
  const alea_game *game = t->trial->setup->game;
  alea_move joint[MOST_ROLES];
  uint32_t choosers = 0, chooser = 0;
  for (uint32_t r = 0; r < game->role_count; r++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(t->cursor, r, &legal);
    if (status != ALEA_OK) return status;
    if (legal.count == 0) return *stuck = true, ALEA_OK;
    joint[r] = legal.ids[legal.count > 1 ? alea_rng_below(t->trial->rng, legal.count) : 0];
    if (legal.count > 1) choosers++, chooser = r;
  }
  alea_status status = ALEA_OK;
  if (!random && choosers == 1 && (int)chooser != game->random_role) {
    uint32_t side = chooser == t->trial->setup->role ? first : 1 - first;
    status = think(t, side, &joint[chooser]);
  }
  return status == ALEA_OK ? alea_cursor_play(t->cursor, joint) : status;
}

/* Random steps; the position after them, for both games of a pair. */
static alea_status begin(eval_table *t, alea_u64s *opening) {
  bool over = false, stuck = false;
  size_t count;
  alea_status status = alea_cursor_reset(t->cursor);
  for (int i = 0; status == ALEA_OK && i < OPENING && !stuck; i++) {
    const uint64_t *words = alea_cursor_state(t->cursor, &count);
    opening->count = 0;
    if (!alea_vec_reserve(t->trial->setup->mem, opening, count))
      return alea_mem_lack(t->trial->setup->mem);
    for (size_t w = 0; w < count; w++) opening->data[opening->count++] = words[w];
    status = step(t, 0, true, &stuck);
    if (status == ALEA_OK) status = alea_cursor_terminal(t->cursor, &over);
    if (over) break; /* the position before it is the last */
  }
  return status;
}

static alea_status play(eval_table *t, const alea_u64s *opening, uint32_t first) {
  alea_eval_trial *trial = t->trial;
  bool over = false, stuck = false;
  int goal = 50, other = 50;
  alea_status status = alea_cursor_load(t->cursor, opening->data, opening->count);
  for (uint32_t i = 0; status == ALEA_OK && i < MOST_STEPS && !stuck; i++) {
    status = alea_cursor_terminal(t->cursor, &over);
    if (status != ALEA_OK || over) break;
    if (is_over(t)) return t->given_up = true, ALEA_OK;
    status = step(t, first, false, &stuck);
  }
  uint32_t role = trial->setup->role;
  if (status == ALEA_OK && over) status = alea_cursor_goal(t->cursor, role, &goal);
  if (status == ALEA_OK && over && trial->setup->game->role_count == 2)
    status = alea_cursor_goal(t->cursor, 1 - role, &other);
  double share = alea_linear_eval_goal(trial->evals[0], goal, other) / 100.0;
  if (first == 1) share = 1 - share;
  trial->games++;
  trial->won += share;
  return status;
}

alea_status alea_eval_trial_run(alea_eval_trial *trial) {
  eval_table t = {.trial = trial};
  alea_u64s opening = {0};
  trial->games = 0;
  trial->won = 0;
  alea_status status = alea_cursor_new(trial->setup->game, trial->setup->mem, &t.cursor);
  for (uint32_t i = 0; status == ALEA_OK && i < 2; i++)
    status = alea_alpha_beta_new(&t.searches[i], trial->setup, trial->evals[i], TABLE);
  for (uint32_t i = 0; status == ALEA_OK && i < trial->pairs && !t.given_up; i++) {
    status = begin(&t, &opening);
    set_sims(&t);
    for (uint32_t first = 0; status == ALEA_OK && first < 2 && !t.given_up; first++)
      status = play(&t, &opening, first);
  }
  trial->met = status == ALEA_OK ? met_of(&t) : 0;
  for (uint32_t i = 0; i < 2; i++) alea_alpha_beta_free(t.searches[i]);
  alea_cursor_free(t.cursor);
  alea_vec_clear(trial->setup->mem, &opening);
  return status;
}

/* By how many games evals[0] is ahead, in standard deviations of chance. */
static double lead(const alea_eval_trial *trial) {
  if (trial->games < LEAST_GAMES) return 0;
  return (trial->won - 0.5 * trial->games) / (0.5 * sqrt(trial->games));
}

bool alea_eval_trial_won(const alea_eval_trial *trial) { return lead(trial) > DEVIATIONS; }

bool alea_eval_trial_lost(const alea_eval_trial *trial) { return lead(trial) < -DEVIATIONS; }
