/* Who plays: the tree, the tree with an evaluation, or minimax. */
#include "play/rival.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "learning/other_eval_learning.h"
#include "minimax/shipped_evals.h"

enum {
  PLAYS = 1000000,      /* random ones, and */
  GAMES = 1000000,      /* against itself, that time allows */
  COUNTED_PLAYS = 2000, /* the same where simulations are counted */
  COUNTED_GAMES = 20,
  ADVICE_PLAYS = 100000, /* before the first advice, at most */
  LOW_PAIRS = 3,         /* of each challenger with the least time */
  CHECK_PAIRS = 1,       /* with more, before more is learnt */
  HIGH_PAIRS = 12,       /* the same afterwards, where simulations are counted; */
  FEW_PAIRS = 5,         /* so many at least are to fit into a time; */
  MOST_PAIRS = 200,      /* of any kind */
};
static const double LEAST_SECONDS = 4; /* of a start clock that is worth it */
/* Shares of the start clock: for what is learnt at first, for a look at the tree, and when trials
 * with the least time end, and those that check them; then for what is learnt anew, and when
 * all trials end. */
static const double FIRST_LEARNING = 0.1, WARMING = 0.03, LOW_END = 0.22, CHECK_END = 0.33;
static const double LEARNING = 0.2, HIGH_END = 0.85;
/* The same where two do not share out 100: nothing but plays teaches there. */
static const double LEARNING_APART = 0.4;
static const double LAST_END = 0.95; /* when learning ends, if minimax plays */
/* What learning prepares takes long in large rules, about so much for a gate.  It is not begun
 * where that is more than this part of the start clock, and not again unless there are left so many
 * times the seconds that it took too long. */
static const double GATE_SECONDS = 1e-6, MOST_PREPARING = 0.75, LEARN_AGAIN = 2;
static const double ADVICE_LEARNING = 0.25; /* of what there is for the first advice, */
static const double LEAST_ADVICE = 0.1;     /* and what is left of it afterwards, at least */
/* Shares of a budget that are for advice: by an evaluation that is learnt for it, and by one that
 * ships, which knows more than playouts do. */
static const double ADVICE_SHARE = 0.3, SHIPPED_SHARE = 0.5;
static const double FACTOR = 4; /* between the two times for a move */
static const double FIRST_MOVES = 1000, SHORTEST = 0.001, BATCHES = 1.5;
static const double LOW_PART = 1.0 / 32, LEAST_SIMS = 16; /* where simulations are counted */
static const double UNKNOWN_CLOCK = 1;

/* The tree is what is known to play well in most games. */
static const double PRIOR = -0.6;
/* A tree that tries each move less than so many times hardly looks ahead.  What that is
 * worth to minimax, per factor of 10, and at most. */
static const double MANY_TRIALS = 300, PRIOR_GAIN = 0.7, MOST_PRIOR = 0.2;
/* An evaluation ships because it wins matches, mostly against the tree, too: where trials decide
 * nothing, minimax plays with it. */
static const double SHIPPED_PRIOR = 0.6, EVEN = 0.5;
/* Probabilities of being better: below which a challenger is tried no more, with little time and
 * with more; below which after the first trials nothing more is invested; above which there is no
 * need to; and from which on a challenger plays. */
static const double LOST = 0.15, HOPELESS = 0.3, PROMISING = 0.42, CERTAIN = 0.95, PROBABLE = 0.66;
static const double NEVER = 2;
/* Standard deviations by which who is tried may be better than is known: who has played less. */
static const double HOPE = 1;

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
  alea_other_evals_clear(&rival->others);
  *rival = (alea_rival){0};
}

/* ---- learning ---- */

static bool is_counted(const alea_rival_request *request) { return request->move.sims > 0; }

/* Makes the evaluation, which is read where it ships with the game, and who searches with it; what
 * was there before is forgotten. */
static alea_status prepare(alea_rival *rival) {
  const alea_player_setup *setup = rival->setup;
  alea_alpha_beta_free(rival->search);
  rival->search = NULL;
  alea_linear_eval_clear(&rival->eval);
  alea_other_evals_clear(&rival->others);
  alea_status status = alea_linear_eval_init(&rival->eval, setup->game, setup->role, setup->mem);
  if (status == ALEA_OK)
    status = alea_alpha_beta_new(&rival->search, setup, &rival->eval, rival->memory);
  if (status == ALEA_OK) status = alea_other_evals_init(&rival->others, setup);
  if (status == ALEA_OK) status = alea_shipped_eval_read(&rival->eval, &rival->shipped);
  if (status != ALEA_OK) return status;
  alea_alpha_beta_set_others(rival->search, &rival->others);
  return rival->shipped ? alea_other_evals_ship(&rival->others) : ALEA_OK;
}

/* The lanes that random plays need; without them there are other ways to play. */
static void prepare_plays(const alea_player_setup *setup) {
  const alea_lanes *lanes;
  if (setup->services != NULL) (void)alea_services_lanes(setup->services, &lanes);
}

static double now_of(const alea_budget *budget) {
  return budget->seconds > 0 ? alea_budget_now(budget) : 0;
}

/* Learns, unless an evaluation ships with the game, from so many plays and games as 'budget' has
 * time for.  Lanes are compiled once, and not in that time. */
static alea_status learn(alea_rival *rival, const alea_budget *budget, uint64_t plays,
                         uint64_t games, alea_rng *rng) {
  const alea_player_setup *setup = rival->setup;
  alea_eval_lessons lessons = {.plays = plays, .games = games, .budget = budget, .rng = rng};
  double start = now_of(budget);
  alea_status status = prepare(rival);
  if (status != ALEA_OK || rival->shipped) return status;
  double spent = now_of(budget) - start;
  prepare_plays(setup);
  start = now_of(budget);
  status = alea_other_evals_learn(&rival->others, &rival->eval, setup, &lessons);
  rival->overrun = fmax(0, spent + now_of(budget) - start - budget->seconds);
  return status;
}

/* ---- trials ---- */

typedef struct contest {
  alea_rival *rival;
  const alea_rival_request *request;
  alea_rng rng; /* of learning */
  alea_trials trials;
  alea_tree_eval *eval; /* of the tree that uses one; NULL: there is none */
  double match;         /* seconds or simulations of a move in the match, */
  double low, high;     /* and in trials */
  double batch;         /* seconds below which the tree does nothing */
  double start;         /* on the clock, */
  double end;           /* and when the present trials are over */
  double steps;         /* of a pair of games; 0: not known */
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

/* Trials are to end when 'share' of the start clock is over, unless simulations are counted. */
static void set_end(contest *c, double share) {
  c->end = c->start + share * c->request->budget->seconds;
  if (!is_counted(c->request)) c->trials.end = c->end;
}

static double seconds_left(const contest *c) {
  return fmax(0, c->end - alea_budget_now(c->request->budget));
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
  rival->evidence[ALEA_CONTENDER_MINIMAX].prior =
      rival->shipped ? SHIPPED_PRIOR : PRIOR + fmax(0, fmin(gain, MOST_PRIOR - PRIOR));
  for (uint32_t k = 1; k < ALEA_CONTENDERS; k++)
    rival->verdicts[k] = alea_trial_evidence_judge(&rival->evidence[k]);
  for (uint32_t r = 0; r < ALEA_TRIALS_ROLES; r++)
    c->batch = fmax(c->batch, c->trials.paces[0][r].usual);
  return status;
}

/* The least time for a move: so small that all pairs fit into what there is, not so small that
 * the tree cannot search. */
static void set_low(contest *c) {
  double moves = c->steps > 0 ? c->challengers * LOW_PAIRS * c->steps : FIRST_MOVES;
  double low = fmax(seconds_left(c) / moves, fmax(SHORTEST, BATCHES * c->batch));
  if (is_counted(c->request)) low = fmax(LEAST_SIMS, floor(LOW_PART * c->match));
  c->low = fmin(c->match, low);
}

/* The time for a move that shows who gains by more of it. */
static void set_high(contest *c, uint32_t pairs) {
  double high = FACTOR * c->low, moves = pairs * c->steps;
  if (!is_counted(c->request)) high = moves > 0 ? fmin(high, seconds_left(c) / moves) : 0;
  c->high = fmin(c->match, fmax(c->low, high));
}

static alea_status try_pair(contest *c, alea_contender challenger, double amount,
                            alea_trials_result *result) {
  alea_rival *rival = c->rival;
  alea_budget move = move_of(c, amount);
  alea_status status = alea_trials_pair(&c->trials, challenger, &move, result);
  if (status != ALEA_OK || !result->finished || result->unclear) return status;
  alea_trial_evidence *evidence = &rival->evidence[challenger];
  alea_trial_evidence_add(evidence, log(amount / c->match) / log(4), result->score, 2);
  rival->verdicts[challenger] = alea_trial_evidence_judge(evidence);
  return ALEA_OK;
}

static bool is_open(const contest *c, uint32_t challenger, double least) {
  double better = c->rival->verdicts[challenger].better;
  bool tried = c->rival->evidence[challenger].count > 0;
  return c->rival->contends[challenger] && (!tried || better >= least) && better < CERTAIN;
}

/* Whether the present trials are over. */
static bool is_past(const contest *c) {
  if (c->trials.unfit || alea_trials_late(&c->trials)) return true;
  return !is_counted(c->request) && alea_budget_now(c->request->budget) > c->end;
}

/* All challengers in turn, with the least time; minimax first, which is the other kind of
 * search, where there is time for few. */
static alea_status try_all(contest *c) {
  alea_status status = ALEA_OK;
  set_low(c);
  for (uint32_t i = 0; status == ALEA_OK && i < LOW_PAIRS; i++) {
    for (uint32_t k = ALEA_CONTENDERS - 1; status == ALEA_OK && k > 0; k--) {
      alea_trials_result result = {0};
      if (!is_open(c, k, LOST) || is_past(c)) continue;
      status = try_pair(c, (alea_contender)k, c->low, &result);
      if (status != ALEA_OK || !result.finished) return status; /* no time for another */
      bool known = c->steps > 0;
      c->steps = result.steps;
      if (!known) set_low(c);
    }
  }
  return status;
}

/* The best challenger, by the mean and so many standard deviations. */
static alea_contender best_challenger(const alea_rival *rival, double hope) {
  alea_contender best = ALEA_CONTENDER_TREE;
  double most = 0;
  for (uint32_t k = 1; k < ALEA_CONTENDERS; k++) {
    double value = rival->verdicts[k].mean + hope * rival->verdicts[k].deviation;
    if (!rival->contends[k] || (best != ALEA_CONTENDER_TREE && value <= most)) continue;
    best = (alea_contender)k;
    most = value;
  }
  return best;
}

/* Each that is not hopeless, once with more time. */
static alea_status try_each(contest *c) {
  alea_status status = ALEA_OK;
  for (uint32_t k = ALEA_CONTENDERS - 1; status == ALEA_OK && k > 0; k--) {
    alea_trials_result result = {0};
    if (is_open(c, k, HOPELESS) && !is_past(c))
      status = try_pair(c, (alea_contender)k, c->high, &result);
  }
  return status;
}

/* The one that may well be the best, with more time; it may be another one from pair to pair. */
static alea_status try_best(contest *c, uint32_t most) {
  alea_status status = ALEA_OK;
  for (uint32_t i = 0; status == ALEA_OK && i < most && !is_past(c); i++) {
    alea_trials_result result = {0};
    alea_contender best = best_challenger(c->rival, HOPE);
    if (!is_open(c, best, HOPELESS)) break;
    status = try_pair(c, best, c->high, &result);
    if (!result.finished) break;
  }
  return status;
}

/* Whether it is worth more of the start clock to find out: somebody may well be better, or there
 * was no time for a pair of games, where the tree does little with any time. */
static bool is_promising(const contest *c) {
  bool tried = false, promises = false;
  for (uint32_t k = 1; k < ALEA_CONTENDERS; k++) {
    if (!c->rival->contends[k] || c->rival->evidence[k].count == 0) continue;
    tried = true;
    promises = promises || c->rival->verdicts[k].better >= PROMISING;
  }
  return !c->trials.unfit && !alea_mem_late(c->rival->setup->mem) && (promises || !tried);
}

/* Whether any pair of trial games was played. */
static bool has_evidence(const alea_rival *rival) {
  for (uint32_t k = 1; k < ALEA_CONTENDERS; k++)
    if (rival->evidence[k].count > 0) return true;
  return false;
}

/* From which probability of being better on a challenger plays.  One that was not tried does not,
 * unless there was no time for a single pair of games: a tree that takes so long for its moves does
 * next to nothing in the match either, and what was expected of minimax decides. */
static double enough_for(const contest *c, uint32_t challenger) {
  const alea_rival *rival = c->rival;
  bool minimax = challenger == ALEA_CONTENDER_MINIMAX;
  if (!rival->contends[challenger]) return NEVER;
  if (rival->evidence[challenger].count == 0)
    return minimax && !has_evidence(rival) && !is_counted(c->request) ? EVEN : NEVER;
  return minimax && rival->shipped ? EVEN : PROBABLE;
}

/* Who was tried and is probably better plays. */
static void decide(contest *c) {
  alea_rival *rival = c->rival;
  double enough[ALEA_CONTENDERS];
  if (c->trials.unfit || (is_counted(c->request) && alea_trials_late(&c->trials))) return;
  for (uint32_t k = 0; k < ALEA_CONTENDERS; k++) enough[k] = enough_for(c, k);
  size_t best = alea_trial_verdicts_choose(rival->verdicts, enough, ALEA_CONTENDERS);
  if (best < ALEA_CONTENDERS) rival->chosen = (alea_contender)best;
}

/* ---- what the start clock is invested in ---- */

/* Learns from plays, with a share of the start clock; what was there before is forgotten. */
static alea_status learn_plays(contest *c, double share) {
  alea_budget part = *c->request->budget;
  bool counted = is_counted(c->request);
  part.seconds = counted ? 0 : share * part.seconds;
  return learn(c->rival, &part, counted ? COUNTED_PLAYS : PLAYS, counted ? COUNTED_GAMES : 0,
               &c->rng);
}

/* Whether there is time to learn anew before the present end: what takes long to prepare would be
 * late. */
static bool has_time_to_learn(const contest *c) {
  return LEARN_AGAIN * c->rival->overrun <= seconds_left(c);
}

/* Who contends with what was learnt. */
static alea_trials_field enter(contest *c) {
  alea_rival *rival = c->rival;
  c->eval = rival->eval.shares ? c->request->eval : NULL;
  if (c->eval != NULL) alea_tree_eval_adopt(c->eval, &rival->eval);
  rival->contends[ALEA_CONTENDER_HOPES] = c->eval != NULL;
  rival->contends[ALEA_CONTENDER_MINIMAX] = true;
  c->challengers = c->eval != NULL ? 2 : 1;
  return (alea_trials_field){c->request->tree, c->eval, rival->search, rival->eval.shares};
}

/* A little learning, and trials with little time; those who promise something play with more. */
static alea_status try_first(contest *c) {
  alea_status status = learn_plays(c, FIRST_LEARNING);
  if (status != ALEA_OK) return status;
  alea_trials_field field = enter(c);
  alea_budget budget = *c->request->budget;
  budget.seconds = 0; /* set_end says when they end */
  status = alea_trials_init(&c->trials, c->rival->setup, &field, &budget);
  if (status == ALEA_OK) status = warm(c);
  set_end(c, LOW_END);
  if (status == ALEA_OK) status = try_all(c);
  if (status != ALEA_OK || !is_promising(c)) return status;
  set_end(c, CHECK_END);
  set_high(c, CHECK_PAIRS);
  return try_best(c, CHECK_PAIRS);
}

/* More of both. */
static alea_status try_more(contest *c) {
  double share = c->rival->eval.shares ? LEARNING : LEARNING_APART;
  alea_status status = ALEA_OK;
  set_end(c, HIGH_END);
  if (!is_counted(c->request) && has_time_to_learn(c)) status = learn_plays(c, share);
  if (status != ALEA_OK) return status;
  alea_trials_field field = enter(c);
  c->trials.minimax = field.minimax;
  c->trials.shares = field.shares;
  set_high(c, FEW_PAIRS);
  status = try_each(c);
  if (status != ALEA_OK) return status;
  return try_best(c, is_counted(c->request) ? HIGH_PAIRS : MOST_PAIRS);
}

/* Goes on with games, or with plays if there was no time for any. */
static alea_status learn_more(contest *c) {
  alea_rival *rival = c->rival;
  alea_budget part = *c->request->budget;
  part.seconds = seconds_left(c) - rival->overrun;
  alea_eval_lessons lessons = {.games = GAMES, .budget = &part, .rng = &c->rng};
  if (part.seconds <= 0 || !has_time_to_learn(c)) return ALEA_OK;
  return rival->eval.plays > 0 ? alea_eval_learn(&rival->eval, rival->setup, &lessons)
                               : learn_plays(c, part.seconds / c->request->budget->seconds);
}

/* Where minimax plays, nobody else needs the rest; games teach where what they taught can be
 * examined; an evaluation that ships has no weights to go on from. */
static alea_status learn_rest(contest *c) {
  alea_rival *rival = c->rival;
  alea_status status = ALEA_OK;
  set_end(c, LAST_END);
  if (!is_counted(c->request) && rival->eval.shares && !rival->shipped) status = learn_more(c);
  alea_alpha_beta_forget(rival->search);
  if (status != ALEA_OK) return status;
  return alea_alpha_beta_set_threads(rival->search, c->request->tree->threads);
}

static alea_status hold(contest *c) {
  alea_rival *rival = c->rival;
  alea_status status = try_first(c);
  if (status == ALEA_OK && is_promising(c)) status = try_more(c);
  if (status == ALEA_OK) decide(c);
  if (c->eval != NULL && rival->chosen != ALEA_CONTENDER_HOPES) alea_tree_eval_withdraw(c->eval);
  alea_trials_clear(&c->trials);
  if (status != ALEA_OK || rival->chosen != ALEA_CONTENDER_MINIMAX) return status;
  return learn_rest(c);
}

/* Whether a start clock is worth it. */
static bool is_enough(const alea_rival *rival, const alea_rival_request *request) {
  double seconds = request->budget->seconds;
  const alea_net *net = alea_net_of_game(rival->setup->game);
  double preparing = is_counted(request) ? 0 : GATE_SECONDS * (double)alea_net_two_input_gates(net);
  return seconds >= LEAST_SECONDS && preparing <= MOST_PREPARING * seconds;
}

alea_status alea_rival_start(alea_rival *rival, const alea_rival_request *request,
                             alea_budget *rest) {
  const alea_budget *budget = request->budget;
  *rest = *budget;
  if (rival->setup == NULL || alea_rival_tried(rival) || !is_enough(rival, request)) return ALEA_OK;
  contest c = {.rival = rival, .request = request, .match = UNKNOWN_CLOCK};
  c.start = alea_budget_now(budget);
  alea_rng_seed_stream(&c.rng, rival->setup->seed, 6);
  if (request->move.seconds > 0) c.match = request->move.seconds;
  if (is_counted(request)) c.match = (double)request->move.sims;
  alea_status status = hold(&c);
  if (status == ALEA_LIMIT) status = ALEA_OK; /* neither time nor memory: the tree is there */
  double spent = alea_budget_now(budget) - c.start;
  if (!is_counted(request)) rival->spent = spent / budget->seconds;
  spent *= ALEA_TIME_MANAGER_CHARGE;
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
  double start = now_of(budget);
  alea_rng rng;
  alea_rng_seed_stream(&rng, rival->setup->seed, 6);
  alea_status status = learn(rival, &part, budget->seconds > 0 ? PLAYS : plays, 0, &rng);
  if (rival->shipped) return status; /* which cost nothing */
  if (budget->sims > 0) rest->sims -= plays;
  rest->seconds = fmax(LEAST_ADVICE * budget->seconds, rest->seconds - (now_of(budget) - start));
  return status;
}

alea_status alea_rival_advise(alea_rival *rival, const uint64_t *words, size_t count,
                              const alea_budget *budget, double *share, alea_move *move) {
  alea_status status = ALEA_OK;
  alea_budget part = alea_budget_part(budget, ADVICE_SHARE), rest = part;
  *move = ALEA_NO_MOVE;
  *share = 0;
  if (rival->setup == NULL || alea_rival_tried(rival)) return ALEA_OK;
  if (!rival->advises) status = prepare_advice(rival, &part, &rest);
  *share = rival->shipped ? SHIPPED_SHARE : ADVICE_SHARE;
  if (rival->shipped) rest = alea_budget_part(budget, SHIPPED_SHARE);
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
  add_note(rival, "%s was chosen %s", names[rival->chosen],
           has_evidence(rival) ? "after trial games against the tree" : "without trial games");
  if (rival->spent > 0) add_note(rival, " in %.0f %% of the start clock", 100 * rival->spent);
  add_note(rival, ": ");
  for (uint32_t k = ALEA_CONTENDERS - 1; k > 0; k--) {
    if (!rival->contends[k]) continue;
    if (k < ALEA_CONTENDERS - 1) add_note(rival, "; ");
    add_games(rival, k);
  }
  if (rival->shipped) add_note(rival, "; the evaluation ships with the game");
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
