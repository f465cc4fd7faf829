/* Pairs of trial games. */
#include "play/trials.h"

#include <math.h>

#include "game/position.h"

#define NOBODY UINT32_MAX

enum {
  OPENING = 2, /* random steps before a trial, */
  MORE_OPENING = 5 /* and up to so many more */,
  MOST_OPENINGS = 20,    /* that are drawn until one is no end of the game */
  LEAST_STEPS = 24,      /* of a game that says something without its end */
  JUDGE_PLAYOUTS = 2048, /* by which such a game is judged where nobody shares out 100 */
  MEMORY = 64 << 20      /* of a tree */
};

static const double DECIDED = 92;  /* what who wins is sure of */
static const double A_STEP = 1.15; /* what a step takes, in times of a move */
/* What is thought before the end understates what it comes to: a tree that hardly looks ahead
 * thinks nearly even whatever happened. */
static const double UNDERSTATED = 4;
/* Standard errors by which two games that are judged by playouts differ. */
static const double CLEARLY = 2;
static const double UNKNOWN_ERROR = 100; /* of a goal of which nothing is known */

/* ---- set up ---- */

static alea_status make_tree(alea_trials *t, const alea_trials_field *field, bool hopes,
                             uint32_t role) {
  alea_search_options options = *field->tree;
  options.eval = hopes ? field->eval : NULL;
  options.hooks = (alea_search_hooks){0};
  options.threads = 1;
  options.symmetric_moves = false; /* would be looked for in the time of a trial's move */
  if (options.memory == 0 || options.memory > MEMORY) options.memory = MEMORY;
  return alea_search_init(&t->trees[hopes][role], &t->setups[role], &options, &t->stats);
}

alea_status alea_trials_init(alea_trials *trials, const alea_player_setup *setup,
                             const alea_trials_field *field, const alea_budget *budget) {
  *trials = (alea_trials){.setup = setup, .minimax = field->minimax, .deadline = *budget};
  trials->shares = field->shares;
  trials->end = budget->seconds > 0 ? alea_budget_now(budget) + budget->seconds : 0;
  alea_rng_seed_stream(&trials->rng, setup->seed, 8);
  alea_status status = alea_cursor_new(setup->game, setup->mem, &trials->cursor);
  for (uint32_t r = 0; status == ALEA_OK && r < setup->game->role_count; r++) {
    trials->setups[r] = *setup;
    trials->setups[r].role = r;
    trials->setups[r].seed = alea_rng_next(&trials->rng);
    status = make_tree(trials, field, false, r);
    if (status == ALEA_OK && field->eval != NULL) status = make_tree(trials, field, true, r);
  }
  return status;
}

void alea_trials_clear(alea_trials *trials) {
  if (trials->setup == NULL) return;
  for (uint32_t hopes = 0; hopes < 2; hopes++)
    for (uint32_t r = 0; r < ALEA_TRIALS_ROLES; r++) alea_search_clear(&trials->trees[hopes][r]);
  alea_cursor_free(trials->cursor);
  alea_vec_clear(trials->setup->mem, &trials->at.words);
  alea_vec_clear(trials->setup->mem, &trials->opening);
  *trials = (alea_trials){0};
}

bool alea_trials_late(const alea_trials *trials) {
  const atomic_bool *stop = trials->deadline.stop;
  if (alea_mem_late(trials->setup->mem)) return true;
  if (stop != NULL && atomic_load_explicit(stop, memory_order_relaxed)) return true;
  return trials->end > 0 && alea_budget_now(&trials->deadline) >= trials->end;
}

/* ---- moves ---- */

/* What a contender chose, and what it expects for itself (0..100; below 0: no opinion). */
typedef struct thought {
  alea_move move;
  double value;
} thought;

static alea_status think_tree(alea_trials *t, bool hopes, uint32_t role, const alea_budget *budget,
                              thought *found) {
  alea_search *search = &t->trees[hopes][role];
  alea_time_manager time_manager;
  alea_time_manager_start(&time_manager, budget, &t->paces[hopes][role]);
  alea_status status = alea_search_root(search, &t->at);
  if (status == ALEA_OK) status = alea_search_run(search, &time_manager);
  alea_time_manager_stop(&time_manager);
  if (status != ALEA_OK) return status;
  alea_analysis analysis = {.value = -1};
  alea_search_analyse(search, &analysis);
  found->value = analysis.value;
  status = alea_search_best(search, &found->move);
  return status == ALEA_NONE ? ALEA_OK : status;
}

/* Changes '*found', whose move is legal, to what the contender thinks. */
static alea_status think(alea_trials *t, alea_contender contender, uint32_t role,
                         const alea_budget *budget, thought *found) {
  alea_status status = alea_position_keep(&t->at.words, t->cursor, t->setup->mem);
  if (status != ALEA_OK) return status;
  if (contender != ALEA_CONTENDER_MINIMAX)
    return think_tree(t, contender == ALEA_CONTENDER_HOPES, role, budget, found);
  alea_alpha_beta_answer answer;
  status = alea_alpha_beta_run(t->minimax, t->at.words.data, t->at.words.count, 0, budget, &answer);
  if (status != ALEA_OK || answer.move == ALEA_NO_MOVE) return status;
  /* Its values are those of one role, who maximises. */
  *found = (thought){answer.move, role == t->setup->role ? answer.value : 100 - answer.value};
  return ALEA_OK;
}

/* The legal moves of the roles as a joint move, each drawn; '*chooser' is who has more
 * than one, NOBODY if nobody has, and '*over' where nobody can go on. */
static alea_status draw(alea_trials *t, alea_move *joint, uint32_t *chooser, bool *over) {
  alea_status status = alea_cursor_terminal(t->cursor, over);
  *chooser = NOBODY;
  for (uint32_t r = 0; status == ALEA_OK && !*over && r < t->setup->game->role_count; r++) {
    alea_list legal;
    status = alea_cursor_legal(t->cursor, r, &legal);
    if (status != ALEA_OK || legal.count == 0) return *over = true, status;
    joint[r] = legal.ids[legal.count > 1 ? alea_rng_below(&t->rng, legal.count) : 0];
    if (legal.count < 2) continue;
    if (*chooser != NOBODY) t->unfit = *over = true;
    *chooser = r;
  }
  return status;
}

/* ---- games ---- */

/* Plays some random steps from the first position; '*over': the game ended there. */
static alea_status draw_opening(alea_trials *t, uint32_t steps, bool *over) {
  alea_move joint[ALEA_TRIALS_ROLES];
  uint32_t chooser;
  alea_status status = alea_cursor_reset(t->cursor);
  for (uint32_t i = 0; status == ALEA_OK; i++) {
    status = draw(t, joint, &chooser, over);
    if (status != ALEA_OK || *over || i == steps) break;
    status = alea_cursor_play(t->cursor, joint);
  }
  return status;
}

static alea_status find_opening(alea_trials *t, bool *found) {
  bool over = true;
  alea_status status = ALEA_OK;
  uint32_t steps = OPENING + t->pairs % (MORE_OPENING + 1);
  for (uint32_t i = 0; status == ALEA_OK && over && !t->unfit && i < MOST_OPENINGS; i++)
    status = draw_opening(t, steps, &over);
  *found = !over;
  if (status != ALEA_OK || over) return status;
  return alea_position_keep(&t->opening, t->cursor, t->setup->mem);
}

/* A game under way. */
typedef struct trial_game {
  alea_contender players[ALEA_TRIALS_ROLES];
  double values[2]; /* what two expected last, each for role 0; below 0: nothing yet */
  int goals[ALEA_TRIALS_ROLES];
  bool over;
} trial_game;

/* What a contender got in its role, and the standard error of that; 0: the game is over. */
typedef struct trial_outcome {
  double goal, error;
} trial_outcome;

/* Whether both think that the same one wins: the rest takes time and says nothing new. */
static bool is_agreed(const alea_trials *t, trial_game *g) {
  double low = fmin(g->values[0], g->values[1]), high = fmax(g->values[0], g->values[1]);
  bool first = low >= DECIDED, second = high <= 100 - DECIDED;
  if (!t->shares || low < 0 || (!first && !second)) return false;
  g->goals[0] = first ? 100 : 0;
  g->goals[1] = 100 - g->goals[0];
  return true;
}

/* What a game that was cut off is worth: what both think of it, on average. */
static void adjudicate(const alea_trials *t, trial_game *g) {
  if (!t->shares || g->values[0] < 0 || g->values[1] < 0) return;
  double mean = (g->values[0] + g->values[1]) / 2;
  double goal = fmax(0, fmin(100, 50 + UNDERSTATED * (mean - 50)));
  g->goals[0] = (int)lround(goal);
  g->goals[1] = 100 - g->goals[0];
}

static bool is_late(void *trials) { return alea_trials_late(trials); }

/* The same where nobody shares out 100, and opinions are not comparable: what random play from
 * there gives the role, as far as there is time for it.  Nothing is known without a sampler. */
static alea_status judge(alea_trials *t, uint32_t role, trial_outcome *outcome) {
  alea_sampler *sampler = t->trees[0][role].sampler;
  double sums[ALEA_TRIALS_ROLES], squares[ALEA_TRIALS_ROLES];
  alea_sample_result result = {.sum = sums, .sum_squares = squares};
  alea_sample_options options = {.over = is_late, .over_context = t};
  outcome->error = UNKNOWN_ERROR;
  if (sampler == NULL) return ALEA_OK;
  alea_status status = alea_position_keep(&t->at.words, t->cursor, t->setup->mem);
  alea_sample_request request = {t->at.words.data, t->at.words.count, JUDGE_PLAYOUTS};
  if (status == ALEA_OK) status = alea_sampler_run(sampler, &request, 1, &options, &result);
  if (status != ALEA_OK || result.playouts < 2) return status;
  double count = (double)result.playouts, mean = sums[role] / count;
  double variance = fmax(0, squares[role] / count - mean * mean) / (count - 1);
  *outcome = (trial_outcome){mean, sqrt(variance)};
  return ALEA_OK;
}

/* How many steps a game of a pair may have, so that both fit into what is left of the time. */
static uint32_t allowed_steps(const alea_trials *t, const alea_budget *move) {
  if (t->end <= 0 || move->seconds <= 0) return ALEA_TRIALS_STEPS;
  double fit = (t->end - alea_budget_now(&t->deadline)) / (2 * A_STEP * move->seconds);
  return (uint32_t)fmax(0, fmin(ALEA_TRIALS_STEPS, fit));
}

static alea_status read_goals(alea_trials *t, trial_game *g) {
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; status == ALEA_OK && r < t->setup->game->role_count; r++) {
    status = alea_cursor_goal(t->cursor, r, &g->goals[r]);
    if (g->goals[r] < 0) g->goals[r] = 0;
  }
  if (t->shares && g->goals[0] == g->goals[1]) g->goals[0] = g->goals[1] = 50;
  return status;
}

/* One step; the game is over where it has ended, is agreed upon or cannot go on. */
static alea_status step(alea_trials *t, trial_game *g, const alea_budget *move) {
  alea_move joint[ALEA_TRIALS_ROLES];
  uint32_t chooser;
  bool terminal;
  alea_status status = alea_cursor_terminal(t->cursor, &terminal);
  if (status != ALEA_OK) return status;
  if (terminal) return g->over = true, read_goals(t, g);
  status = draw(t, joint, &chooser, &g->over);
  if (status != ALEA_OK || g->over) return status;
  if (chooser != NOBODY) {
    thought found = {joint[chooser], -1};
    status = think(t, g->players[chooser], chooser, move, &found);
    if (status != ALEA_OK) return status;
    joint[chooser] = found.move;
    if (t->shares && found.value >= 0)
      g->values[chooser] = chooser == 0 ? found.value : 100 - found.value;
  }
  g->over = is_agreed(t, g);
  return g->over ? ALEA_OK : alea_cursor_play(t->cursor, joint);
}

/* One game from the opening with 'contender' in 'role' and trees in all others. */
static alea_status play(alea_trials *t, alea_contender contender, uint32_t role,
                        const alea_budget *move, alea_trials_result *result,
                        trial_outcome *outcome) {
  trial_game g = {.values = {-1, -1}};
  for (uint32_t r = 0; r < ALEA_TRIALS_ROLES; r++) g.goals[r] = 50;
  g.players[role] = contender;
  alea_status status = alea_cursor_load(t->cursor, t->opening.data, t->opening.count);
  for (uint32_t i = 0; status == ALEA_OK && !g.over && i < t->most_steps; i++) {
    if (alea_trials_late(t)) return result->finished = false, ALEA_OK;
    status = step(t, &g, move);
    result->steps++;
  }
  if (t->unfit) result->finished = false;
  if (!g.over) adjudicate(t, &g);
  *outcome = (trial_outcome){g.goals[role], 0};
  return status == ALEA_OK && !g.over && !t->shares ? judge(t, role, outcome) : status;
}

/* Points, of 2, of who got more; how much more is another matter: fifty where the tree gets forty
 * is better play, and nobody is asked for sixty.  Playouts may not tell. */
static void compare(trial_outcome own, trial_outcome other, alea_trials_result *result) {
  double lead = own.goal - other.goal;
  double error = sqrt(own.error * own.error + other.error * other.error);
  result->unclear = error > 0 && fabs(lead) <= CLEARLY * error;
  result->score = result->unclear || lead == 0 ? 1 : lead > 0 ? 2 : 0;
}

/* The two games.  Where two share 100 the challenger plays both roles; else what it gets in
 * the role of the match is compared with what the tree gets there. */
static alea_status play_both(alea_trials *t, alea_contender challenger, const alea_budget *move,
                             alea_trials_result *result) {
  uint32_t first = t->pairs % 2, role = t->setup->role;
  trial_outcome got[2] = {{50, 0}, {50, 0}};
  alea_status status = play(t, challenger, t->shares ? first : role, move, result, &got[0]);
  if (status != ALEA_OK || !result->finished) return status;
  alea_contender second = t->shares ? challenger : ALEA_CONTENDER_TREE;
  status = play(t, second, t->shares ? 1 - first : role, move, result, &got[1]);
  result->score = (got[0].goal + got[1].goal) / 100;
  if (!t->shares) compare(got[0], got[1], result);
  return status;
}

alea_status alea_trials_pair(alea_trials *trials, alea_contender challenger,
                             const alea_budget *move, alea_trials_result *result) {
  *result = (alea_trials_result){.finished = true};
  trials->most_steps = allowed_steps(trials, move);
  if (trials->most_steps < LEAST_STEPS) return result->finished = false, ALEA_OK;
  alea_status status = find_opening(trials, &result->finished);
  if (status == ALEA_OK && result->finished) status = play_both(trials, challenger, move, result);
  trials->pairs++;
  /* A move that is not found in time is a reason to end, and none to fail. */
  if (status == ALEA_LIMIT && alea_trials_late(trials)) {
    result->finished = false;
    return ALEA_OK;
  }
  return status;
}

alea_status alea_trials_warm(alea_trials *trials, const alea_budget *move, uint32_t *legal) {
  alea_move joint[ALEA_TRIALS_ROLES];
  uint32_t chooser;
  bool over;
  *legal = 1;
  alea_status status = alea_cursor_reset(trials->cursor);
  if (status == ALEA_OK) status = draw(trials, joint, &chooser, &over);
  if (status != ALEA_OK || over || chooser == NOBODY) return status;
  alea_list moves;
  status = alea_cursor_legal(trials->cursor, chooser, &moves);
  if (status != ALEA_OK) return status;
  *legal = moves.count;
  thought found = {joint[chooser], -1};
  return think(trials, ALEA_CONTENDER_TREE, chooser, move, &found);
}
