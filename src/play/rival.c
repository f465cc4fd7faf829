/* Who plays: the tree, the tree with an evaluation, or minimax. */
#include "play/rival.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "play/eval_learning.h"

enum {
  PLAYS = 1000000,      /* random ones, and */
  GAMES = 1000000,      /* against itself, that time allows */
  COUNTED_PLAYS = 2000, /* the same where simulations are counted */
  COUNTED_GAMES = 20,
  ADVICE_PLAYS = 100000, /* before the first advice, at most */
  LOW_PAIRS = 6,         /* wanted of each challenger with the least time */
  HIGH_PAIRS = 12,
  MOST_PAIRS = 200, /* with either time */
};
static const double LEAST_SECONDS = 4; /* of a start clock that is worth it */
static const double LEARNING = 0.4, WARMING = 0.03, TRIALS = 0.45;
static const double ADVICE_LEARNING = 0.25; /* of what there is for the first advice */
static const double LOW_SHARE = 0.4;        /* of the trials */
static const double FACTOR = 4;             /* between the two times for a move */
static const double FIRST_MOVES = 4000, SHORTEST = 0.001, BATCHES = 1.5;
static const double LOW_PART = 1.0 / 32, LEAST_SIMS = 16; /* where simulations are counted */
static const double UNKNOWN_CLOCK = 1;

/* The tree is what is known to play well in most games. */
static const double PRIOR = -0.6;
/* A tree that tries each move less than so many times hardly looks ahead.  What that is
 * worth to minimax, per factor of 10, and at most. */
static const double MANY_TRIALS = 300, PRIOR_GAIN = 0.7, MOST_PRIOR = 0.2;
/* Probabilities of being better: below which a challenger is tried no more, above which
 * there is no need to, and from which on it plays. */
static const double HOPELESS = 0.06, CERTAIN = 0.97, PROBABLE = 0.7;

void alea_rival_init(alea_rival *rival, const alea_player_setup *setup, size_t memory) {
  const alea_game *game = setup->game;
  *rival = (alea_rival){.memory = memory};
  bool fits = game->role_count > 1 && game->role_count <= ALEA_TRIALS_ROLES &&
              game->random_role < 0 && !game->has_sees && strcmp(game->class->engine, "net") == 0;
  if (fits) rival->setup = setup;
}

void alea_rival_clear(alea_rival *rival) {
  alea_alpha_beta_free(rival->search);
  alea_linear_eval_clear(&rival->eval);
  *rival = (alea_rival){0};
}

/* ---- learning ---- */

static bool is_counted(const alea_rival_request *request) { return request->move.sims > 0; }

/* Makes the evaluation and who searches with it, and learns from so many plays and games as
 * 'budget' has time for. */
static alea_status learn(alea_rival *rival, const alea_budget *budget, uint64_t plays,
                         uint64_t games) {
  const alea_player_setup *setup = rival->setup;
  alea_rng rng;
  alea_rng_seed_stream(&rng, setup->seed, 6);
  alea_eval_lessons lessons = {.plays = plays, .games = games, .budget = budget, .rng = &rng};
  alea_status status = alea_linear_eval_init(&rival->eval, setup->game, setup->role, setup->mem);
  if (status == ALEA_OK)
    status = alea_alpha_beta_new(&rival->search, setup, &rival->eval, rival->memory);
  return status == ALEA_OK ? alea_eval_learn(&rival->eval, setup, &lessons) : status;
}

/* The same with a share of a start clock. */
static alea_status learn_at_start(alea_rival *rival, const alea_rival_request *request) {
  alea_budget part = *request->budget;
  part.seconds = is_counted(request) ? 0 : LEARNING * part.seconds;
  if (is_counted(request)) return learn(rival, &part, COUNTED_PLAYS, COUNTED_GAMES);
  return learn(rival, &part, PLAYS, GAMES);
}

/* ---- trials ---- */

typedef struct contest {
  alea_rival *rival;
  const alea_rival_request *request;
  alea_trials trials;
  double match;     /* seconds or simulations of a move in the match, */
  double low, high; /* and in trials */
  double batch;     /* seconds below which the tree does nothing */
  double start, seconds;
  uint32_t challengers;
} contest;

static double amount_of(const contest *c, const alea_budget *budget) {
  return is_counted(c->request) ? (double)budget->sims : budget->seconds;
}

static alea_budget move_of(const contest *c, double amount) {
  alea_budget move = *c->request->budget;
  bool counted = is_counted(c->request);
  move.sims = counted ? (uint64_t)amount : 0;
  move.seconds = counted ? 0 : amount;
  move.watch = NULL;
  return move;
}

/* Finds out what the tree does in the time of a move, which says how likely minimax is to
 * be better before anybody has played. */
static alea_status warm(contest *c) {
  alea_rival *rival = c->rival;
  bool counted = is_counted(c->request);
  uint32_t legal;
  alea_budget move =
      move_of(c, counted ? c->match : fmin(c->match, WARMING * c->request->budget->seconds));
  alea_status status = alea_trials_warm(&c->trials, &move, &legal);
  double done = (double)c->trials.stats.sims * c->match / amount_of(c, &move);
  rival->trials_per_move = done / legal;
  double gain = PRIOR_GAIN * log10(MANY_TRIALS / fmax(1, rival->trials_per_move));
  for (uint32_t i = 0; i < ALEA_CONTENDERS; i++) rival->evidence[i].prior = PRIOR;
  rival->evidence[ALEA_CONTENDER_MINIMAX].prior = PRIOR + fmax(0, fmin(gain, MOST_PRIOR - PRIOR));
  for (uint32_t r = 0; r < ALEA_TRIALS_ROLES; r++)
    c->batch = fmax(c->batch, c->trials.paces[0][r].usual);
  return status;
}

/* The times for a move: so small that some pairs of 'steps' steps fit, not so small that
 * the tree cannot search. */
static void set_scales(contest *c, double steps) {
  if (is_counted(c->request)) {
    c->low = fmin(c->match, fmax(LEAST_SIMS, floor(LOW_PART * c->match)));
  } else {
    double low = LOW_SHARE * c->seconds / (c->challengers * LOW_PAIRS * steps);
    c->low = fmin(c->match, fmax(low, fmax(SHORTEST, BATCHES * c->batch)));
  }
  c->high = fmin(c->match, FACTOR * c->low);
}

static alea_status try_pair(contest *c, alea_contender challenger, double amount,
                            alea_trials_result *result) {
  alea_rival *rival = c->rival;
  alea_budget move = move_of(c, amount);
  alea_status status = alea_trials_pair(&c->trials, challenger, &move, result);
  if (status != ALEA_OK || !result->finished) return status;
  alea_trial_evidence *evidence = &rival->evidence[challenger];
  alea_trial_evidence_add(evidence, log(amount / c->match) / log(4), result->score, 2);
  rival->verdicts[challenger] = alea_trial_evidence_judge(evidence);
  return ALEA_OK;
}

static bool is_open(const contest *c, uint32_t challenger) {
  double better = c->rival->verdicts[challenger].better;
  return c->rival->contends[challenger] && better > HOPELESS && better < CERTAIN;
}

/* Whether 'share' of the time of the trials is over. */
static bool is_past(const contest *c, double share) {
  if (c->trials.unfit || alea_trials_late(&c->trials)) return true;
  if (is_counted(c->request)) return false;
  return alea_budget_now(c->request->budget) > c->start + share * c->seconds;
}

/* All challengers in turn, with the least time; minimax first, which is the other kind of
 * search, where there is time for few. */
static alea_status try_all(contest *c) {
  alea_status status = ALEA_OK;
  uint32_t most = is_counted(c->request) ? LOW_PAIRS : MOST_PAIRS;
  bool known = is_counted(c->request);
  for (uint32_t i = 0; status == ALEA_OK && i < most; i++) {
    bool open = false;
    for (uint32_t k = ALEA_CONTENDERS - 1; status == ALEA_OK && k > 0; k--) {
      alea_trials_result result = {0};
      if (!is_open(c, k) || is_past(c, LOW_SHARE)) continue;
      status = try_pair(c, (alea_contender)k, c->low, &result);
      if (status == ALEA_OK && !known && result.steps > 0) set_scales(c, result.steps);
      known = known || result.finished;
      open = result.finished; /* else there is no time for another */
    }
    if (!open) break;
  }
  return status;
}

static alea_contender best_challenger(const alea_rival *rival) {
  alea_contender best = ALEA_CONTENDER_TREE;
  for (uint32_t k = 1; k < ALEA_CONTENDERS; k++) {
    bool first = best == ALEA_CONTENDER_TREE;
    if (rival->contends[k] && (first || rival->verdicts[k].mean > rival->verdicts[best].mean))
      best = (alea_contender)k;
  }
  return best;
}

/* The one that looks best, with more time; it may be another one from pair to pair. */
static alea_status try_best(contest *c) {
  alea_status status = ALEA_OK;
  uint32_t most = is_counted(c->request) ? HIGH_PAIRS : MOST_PAIRS;
  for (uint32_t i = 0; status == ALEA_OK && i < most && !is_past(c, 1); i++) {
    alea_trials_result result = {0};
    alea_contender best = best_challenger(c->rival);
    if (!is_open(c, best)) break;
    status = try_pair(c, best, c->high, &result);
    if (!result.finished) break;
  }
  return status;
}

static void decide(contest *c) {
  alea_rival *rival = c->rival;
  alea_contender best = best_challenger(rival);
  bool cut = c->trials.unfit || (is_counted(c->request) && alea_trials_late(&c->trials));
  bool tried = rival->evidence[best].count > 0;
  if (!cut && tried && rival->verdicts[best].better >= PROBABLE) rival->chosen = best;
}

static alea_status hold(contest *c) {
  alea_rival *rival = c->rival;
  alea_tree_eval *eval = c->request->eval;
  alea_budget budget = *c->request->budget;
  if (eval != NULL && !rival->eval.shares) eval = NULL;
  if (eval != NULL) alea_tree_eval_adopt(eval, &rival->eval);
  alea_trials_field field = {c->request->tree, eval, rival->search, rival->eval.shares};
  rival->contends[ALEA_CONTENDER_HOPES] = eval != NULL;
  rival->contends[ALEA_CONTENDER_MINIMAX] = true;
  c->challengers = eval != NULL ? 2 : 1;
  c->start = alea_budget_now(&budget);
  c->seconds = budget.seconds = is_counted(c->request) ? 0 : TRIALS * budget.seconds;
  alea_status status = alea_trials_init(&c->trials, rival->setup, &field, &budget);
  if (status == ALEA_OK) status = warm(c);
  for (uint32_t k = 1; k < ALEA_CONTENDERS; k++)
    rival->verdicts[k] = alea_trial_evidence_judge(&rival->evidence[k]);
  set_scales(c, FIRST_MOVES * LOW_SHARE / (c->challengers * LOW_PAIRS));
  if (status == ALEA_OK) status = try_all(c);
  if (status == ALEA_OK) status = try_best(c);
  if (status == ALEA_OK) decide(c);
  if (eval != NULL && rival->chosen != ALEA_CONTENDER_HOPES) alea_tree_eval_withdraw(eval);
  alea_trials_clear(&c->trials);
  return status;
}

alea_status alea_rival_start(alea_rival *rival, const alea_rival_request *request,
                             alea_budget *rest) {
  const alea_budget *budget = request->budget;
  *rest = *budget;
  if (rival->setup == NULL || alea_rival_tried(rival) || budget->seconds < LEAST_SECONDS)
    return ALEA_OK;
  double start = alea_budget_now(budget);
  contest c = {.rival = rival, .request = request, .match = UNKNOWN_CLOCK};
  if (request->move.seconds > 0) c.match = request->move.seconds;
  if (is_counted(request)) c.match = (double)request->move.sims;
  alea_status status = learn_at_start(rival, request);
  if (status == ALEA_OK) status = hold(&c);
  if (status == ALEA_OK && rival->chosen == ALEA_CONTENDER_MINIMAX)
    status = alea_alpha_beta_set_threads(rival->search, request->tree->threads);
  if (status == ALEA_LIMIT) status = ALEA_OK; /* neither time nor memory: the tree is there */
  double spent = ALEA_TIME_MANAGER_CHARGE * (alea_budget_now(budget) - start);
  rest->seconds = fmax(0.01 * budget->seconds, budget->seconds - spent);
  return status;
}

/* ---- afterwards ---- */

alea_status alea_rival_select(alea_rival *rival, const uint64_t *words, size_t count,
                              const alea_budget *budget, alea_move *move) {
  alea_status status = alea_alpha_beta_run(rival->search, words, count, 0, budget, &rival->answer);
  if (status == ALEA_OK && rival->answer.move != ALEA_NO_MOVE) *move = rival->answer.move;
  alea_alpha_beta_note(rival->search, words, count);
  return status;
}

/* What is left of a budget for advice after learning. */
static alea_status prepare_advice(alea_rival *rival, const alea_budget *budget, alea_budget *rest) {
  alea_budget part = *budget;
  part.seconds *= ADVICE_LEARNING;
  uint64_t most = (uint64_t)(ADVICE_LEARNING * (double)budget->sims), plays = ADVICE_PLAYS;
  if (budget->sims > 0 && plays > most) plays = most;
  rival->advises = true;
  alea_status status = learn(rival, &part, budget->seconds > 0 ? PLAYS : plays, 0);
  if (budget->sims > 0) rest->sims -= plays;
  rest->seconds -= part.seconds;
  return status;
}

alea_status alea_rival_advise(alea_rival *rival, const uint64_t *words, size_t count,
                              const alea_budget *budget, alea_move *move) {
  alea_status status = ALEA_OK;
  alea_budget rest = *budget;
  *move = ALEA_NO_MOVE;
  if (rival->setup == NULL || alea_rival_tried(rival)) return ALEA_OK;
  if (!rival->advises) status = prepare_advice(rival, budget, &rest);
  if (status == ALEA_OK && rival->search != NULL)
    status = alea_alpha_beta_run(rival->search, words, count, 0, &rest, &rival->answer);
  if (status == ALEA_OK) *move = rival->answer.move;
  if (status == ALEA_OK) alea_alpha_beta_note(rival->search, words, count);
  return status == ALEA_LIMIT ? ALEA_OK : status; /* no memory or no time: no advice */
}

static const char *const names[ALEA_CONTENDERS] = {"the tree", "the tree with an evaluation",
                                                   "minimax"};

/* Adds to the note what fits. */
__attribute__((format(printf, 2, 3))) static void add_note(alea_rival *rival, const char *format,
                                                           ...) {
  size_t length = strlen(rival->note);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(rival->note + length, sizeof rival->note - length, format, arguments);
  va_end(arguments);
}

/* What the games of a challenger were, and what follows. */
static void add_games(alea_rival *rival, uint32_t challenger) {
  const alea_trial_evidence *evidence = &rival->evidence[challenger];
  add_note(rival, "%s", names[challenger]);
  for (uint32_t i = 0; i < evidence->count; i++) {
    const alea_trial_scale *scale = &evidence->scales[i];
    add_note(rival, "%s %g of %g at 1/%.0f of the clock", i > 0 ? "," : " scored", scale->won,
             scale->won + scale->lost, pow(4, -scale->x));
  }
  if (evidence->count == 0) add_note(rival, " was not tried");
  add_note(rival, " (better with probability %.2f)", rival->verdicts[challenger].better);
}

static void put_note(alea_rival *rival) {
  add_note(rival, "%s was chosen after trial games against the tree: ", names[rival->chosen]);
  for (uint32_t k = ALEA_CONTENDERS - 1; k > 0; k--) {
    if (!rival->contends[k]) continue;
    if (k < ALEA_CONTENDERS - 1) add_note(rival, "; ");
    add_games(rival, k);
  }
}

void alea_rival_analyse(alea_rival *rival, alea_analysis *analysis) {
  if (!alea_rival_tried(rival)) return;
  if (rival->note[0] == '\0') put_note(rival);
  analysis->note = rival->note;
  if (rival->chosen != ALEA_CONTENDER_MINIMAX || rival->answer.move == ALEA_NO_MOVE) return;
  rival->choice = (alea_choice){
      .move = rival->answer.move, .value = rival->answer.value, .proof = rival->answer.proof};
  analysis->choices = &rival->choice;
  analysis->shares = NULL;
  analysis->count = 1;
  analysis->value = rival->answer.value;
  analysis->proof = rival->answer.proof;
}
