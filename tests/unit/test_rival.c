/* Who plays is found out by trial games: what they say of another clock is what integration
 * over both parameters says, pairs are fair, and a match that counts repeats its choice. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "learning/eval_learning.h"
#include "play/rival.h"
#include "support/match_run.h"

/* ---- evidence ---- */

/* The posterior of a by sums over a grid. */
static alea_trial_verdict integrate(const alea_trial_evidence *e) {
  double weight = 0, sum = 0, squares = 0, better = 0;
  for (double a = -6; a <= 6; a += 0.02) {
    for (double b = -3; b <= 3; b += 0.04) {
      double prior = (a - e->prior) / ALEA_TRIAL_PRIOR_SPREAD,
             gain = (b - ALEA_TRIAL_GAIN) / ALEA_TRIAL_GAIN_SPREAD;
      double log_density = -0.5 * (prior * prior + gain * gain);
      for (uint32_t i = 0; i < e->count; i++) {
        double z = a + b * e->scales[i].x;
        log_density -= e->scales[i].won * log1p(exp(-z)) + e->scales[i].lost * log1p(exp(z));
      }
      double density = exp(log_density);
      weight += density, sum += density * a, squares += density * a * a;
      if (a > 0) better += density;
    }
  }
  double mean = sum / weight;
  return (alea_trial_verdict){mean, sqrt(squares / weight - mean * mean), better / weight};
}

static void verdicts_are_those_of_integration(void **state) {
  (void)state;
  static const struct {
    double x[2], won[2], games[2];
  } cases[] = {{{0}, {0}, {0}},
               {{-3}, {12}, {12}},
               {{-3}, {0}, {12}},
               {{-4, -3}, {8, 3}, {10, 10}},
               {{-4, -3}, {5.5, 14}, {16, 16}},
               {{-1, 0}, {20, 22}, {30, 40}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    alea_trial_evidence e = {.prior = -0.6};
    for (int k = 0; k < 2; k++)
      if (cases[i].games[k] > 0)
        alea_trial_evidence_add(&e, cases[i].x[k], cases[i].won[k], cases[i].games[k]);
    alea_trial_verdict found = alea_trial_evidence_judge(&e), wanted = integrate(&e);
    assert_float_equal(found.mean, wanted.mean, 0.25);
    assert_float_equal(found.deviation, wanted.deviation, 0.15);
    assert_float_equal(found.better, wanted.better, 0.05);
  }
}

/* Who wins with little time and loses with more is not expected to win with most. */
static void more_time_is_extrapolated(void **state) {
  (void)state;
  alea_trial_evidence fades = {0}, grows = {0}, steady = {0};
  alea_trial_evidence_add(&fades, -4, 18, 20), alea_trial_evidence_add(&fades, -2, 6, 20);
  alea_trial_evidence_add(&grows, -4, 6, 20), alea_trial_evidence_add(&grows, -2, 18, 20);
  alea_trial_evidence_add(&steady, -4, 12, 20), alea_trial_evidence_add(&steady, -2, 12, 20);
  double least = alea_trial_evidence_judge(&fades).better;
  double most = alea_trial_evidence_judge(&grows).better;
  double middle = alea_trial_evidence_judge(&steady).better;
  assert_true(least < 0.3 && least < middle && middle < most && most > 0.8);
}

/* The one that wins most may not be known well enough; then another one that is plays. */
static void who_is_known_to_be_better_plays(void **state) {
  (void)state;
  static const alea_trial_verdict verdicts[] = {
      {.mean = 0, .deviation = 1, .better = 0.5},
      {.mean = 0.9, .deviation = 3, .better = 0.62},
      {.mean = 0.8, .deviation = 1, .better = 0.79},
      {.mean = 0.7, .deviation = 0.5, .better = 0.92},
  };
  static const double same[] = {0.66, 0.66, 0.66, 0.66}, less[] = {2, 0.5, 0.66, 0.66},
                      none[] = {2, 2, 2, 2};
  assert_int_equal(alea_trial_verdicts_choose(verdicts, same, 4), 2);
  assert_int_equal(alea_trial_verdicts_choose(verdicts, less, 4), 1);
  assert_int_equal(alea_trial_verdicts_choose(verdicts, same, 2), 2); /* neither */
  assert_int_equal(alea_trial_verdicts_choose(verdicts, none, 4), 4);
}

/* ---- trials ---- */

typedef struct table {
  alea_opened opened;
  alea_mem mem;
  alea_player_setup setup;
  alea_rival rival;
  alea_search_options tree;
} table;

static void begin(table *t, const char *game, uint32_t role) {
  open_game(&t->opened, game);
  alea_mem_init(&t->mem, 0);
  t->setup = (alea_player_setup){.game = t->opened.game, .role = role, .mem = &t->mem, .seed = 5};
  t->tree = (alea_search_options){.pick = alea_pick_ucb,
                                  .c = 0.6,
                                  .rollout = ALEA_ROLLOUT_UNIFORM,
                                  .playouts = 1,
                                  .exact = true,
                                  .reuse = true,
                                  .memory = 1 << 22};
  alea_rival_init(&t->rival, &t->setup, 1 << 20);
}

static void end(table *t) {
  alea_rival_clear(&t->rival);
  assert_int_equal(t->mem.used, 0);
  alea_opened_clear(&t->opened);
}

/* A match that counts 'sims' begins with a clock that is long enough for any machine. */
static alea_status start(table *t, alea_tree_eval *eval, uint64_t sims, double seconds,
                         alea_budget *rest) {
  alea_budget budget = {.seconds = seconds, .sims = sims, .clock = ALEA_CLOCK_CPU};
  alea_rival_request request = {.tree = &t->tree, .eval = eval, .budget = &budget};
  request.move = (alea_budget){.sims = sims, .seconds = 0.1};
  return alea_rival_start(&t->rival, &request, rest);
}

static void a_short_clock_is_left_alone(void **state) {
  (void)state;
  table t;
  alea_budget rest;
  alea_analysis analysis = {.value = -1};
  begin(&t, "tictactoe", 1);
  assert_int_equal(start(&t, NULL, 0, 3.9, &rest), ALEA_OK);
  assert_false(alea_rival_tried(&t.rival));
  assert_float_equal(rest.seconds, 3.9, 0);
  alea_rival_analyse(&t.rival, &analysis);
  assert_null(analysis.note);
  end(&t);
}

/* By the clock: games are played, within the time, and it is said what was chosen. */
static void time_is_kept(void **state) {
  (void)state;
  table t;
  alea_budget rest;
  begin(&t, "tictactoe", 1);
  double before = alea_clock_thread();
  assert_int_equal(start(&t, NULL, 0, 4, &rest), ALEA_OK);
  assert_true(alea_clock_thread() - before < 4);
  assert_true(rest.seconds < 4);
  assert_true(alea_rival_tried(&t.rival) && !t.rival.contends[ALEA_CONTENDER_HOPES]);
  assert_true(t.rival.evidence[ALEA_CONTENDER_MINIMAX].count > 0);
  alea_analysis analysis = {.value = -1};
  alea_rival_analyse(&t.rival, &analysis);
  assert_non_null(strstr(analysis.note, "was chosen"));
  end(&t);
}

/* The same seed and simulations: the same games, whatever the clock says. */
static void counted_trials_repeat(void **state) {
  (void)state;
  table t[2];
  alea_tree_eval evals[2];
  for (int i = 0; i < 2; i++) {
    alea_budget rest;
    begin(&t[i], "breakthrough", 0);
    alea_tree_eval_init(&evals[i], &t[i].setup);
    evals[i].weight = 0.3f;
    assert_int_equal(start(&t[i], &evals[i], 512, i == 0 ? 500 : 1000, &rest), ALEA_OK);
    assert_true(evals[i].ready == (t[i].rival.chosen == ALEA_CONTENDER_HOPES));
  }
  for (int k = 1; k < ALEA_CONTENDERS; k++) {
    const alea_trial_evidence *a = &t[0].rival.evidence[k], *b = &t[1].rival.evidence[k];
    assert_true(a->count > 0);
    assert_memory_equal(a, b, sizeof *a);
  }
  assert_int_equal(t[0].rival.chosen, t[1].rival.chosen);
  for (int i = 0; i < 2; i++) {
    alea_tree_eval_clear(&evals[i]);
    end(&t[i]);
  }
}

/* What is thought of minimax before anybody has played. */
static double prior_of(const char *game) {
  table t;
  alea_budget rest;
  begin(&t, game, 0);
  assert_int_equal(start(&t, NULL, 100, 500, &rest), ALEA_OK);
  double prior = t.rival.evidence[ALEA_CONTENDER_MINIMAX].prior;
  end(&t);
  return prior;
}

/* An evaluation that ships wins matches; of one that is learnt in the start clock little is known.
 */
static void what_ships_is_thought_to_be_better(void **state) {
  (void)state;
  assert_true(prior_of("connect-four") > 0.5);
  assert_true(prior_of("tictactoe") < 0.5);
}

/* Minimax that has learnt from so many plays contends with the tree. */
static void teach(table *t, uint64_t plays, alea_trials *trials, const alea_budget *budget) {
  alea_rng rng;
  alea_budget any = {.seconds = 0};
  alea_rng_seed_stream(&rng, 3, 0);
  alea_eval_lessons lessons = {.plays = plays, .budget = &any, .rng = &rng};
  alea_linear_eval *eval = &t->rival.eval;
  assert_int_equal(alea_linear_eval_init(eval, t->setup.game, 0, &t->mem), ALEA_OK);
  assert_int_equal(alea_eval_learn(eval, &t->setup, &lessons), ALEA_OK);
  assert_int_equal(alea_alpha_beta_new(&t->rival.search, &t->setup, eval, 1 << 20), ALEA_OK);
  alea_trials_field field = {.tree = &t->tree, .minimax = t->rival.search, .shares = eval->shares};
  assert_int_equal(alea_trials_init(trials, &t->setup, &field, budget), ALEA_OK);
}

/* Both games of a pair fit into the time, though neither ends in it; a pair that cannot is
 * not begun. */
static void long_games_are_judged_before_their_end(void **state) {
  (void)state;
  enum { STEPS = 32 };
  table t;
  alea_trials trials;
  alea_trials_result result;
  alea_budget move = {.seconds = 0.02, .clock = ALEA_CLOCK_CPU}, budget = move;
  budget.seconds = 2.3 * STEPS * move.seconds;
  begin(&t, "breakthrough", 0);
  teach(&t, 5000, &trials, &budget);
  assert_int_equal(alea_trials_pair(&trials, ALEA_CONTENDER_MINIMAX, &move, &result), ALEA_OK);
  assert_true(result.finished && result.steps > STEPS && result.steps <= 2 * STEPS);
  assert_true(result.score > 1);
  assert_int_equal(alea_trials_pair(&trials, ALEA_CONTENDER_MINIMAX, &move, &result), ALEA_OK);
  assert_true(!result.finished && result.steps == 0);
  alea_trials_clear(&trials);
  end(&t);
}

/* Who looks at a thousand positions beats a hundred playouts, in either role. */
static void who_sees_more_wins(void **state) {
  (void)state;
  table t;
  alea_trials trials;
  alea_trials_result result;
  double score = 0;
  begin(&t, "breakthrough", 0);
  alea_budget budget = {.seconds = 0}, one = {.sims = 100};
  teach(&t, 1000, &trials, &budget);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(alea_trials_pair(&trials, ALEA_CONTENDER_MINIMAX, &one, &result), ALEA_OK);
    assert_true(result.finished && result.steps > 0);
    score += result.score;
  }
  assert_true(score >= 5); /* of 6: in both roles */
  alea_trials_clear(&trials);
  end(&t);
}

/* Among three the role of the match is compared: a tree that is hardly one does not win
 * all against itself. */
static void three_are_compared_in_one_role(void **state) {
  (void)state;
  table t;
  alea_trials trials;
  begin(&t, "chinese-checkers", 1);
  alea_trials_field field = {.tree = &t.tree};
  alea_budget budget = {.seconds = 0}, move = {.sims = 1};
  assert_int_equal(alea_trials_init(&trials, &t.setup, &field, &budget), ALEA_OK);
  alea_trials_result result;
  assert_int_equal(alea_trials_pair(&trials, ALEA_CONTENDER_TREE, &move, &result), ALEA_OK);
  assert_true(result.finished && result.steps > 0 && result.score > 0 && result.score < 2);
  alea_trials_clear(&trials);
  end(&t);
}

/* Games of three that are not over after many steps are judged by random play: one or the other
 * has won both games, unless they are even or it cannot be told. */
static void three_are_judged_before_the_end(void **state) {
  (void)state;
  table t;
  alea_trials trials;
  alea_trials_result result;
  alea_budget budget = {.seconds = 0}, move = {.sims = 1};
  begin(&t, "chinese-checkers", 0);
  t.tree.look = 3; /* for which there is a sampler */
  teach(&t, 3000, &trials, &budget);
  assert_false(trials.shares);
  assert_int_equal(alea_trials_pair(&trials, ALEA_CONTENDER_MINIMAX, &move, &result), ALEA_OK);
  assert_true(result.finished && result.steps > ALEA_TRIALS_STEPS);
  assert_true(result.score == 0 || result.score == 1 || result.score == 2);
  assert_true(!result.unclear || result.score == 1);
  alea_trials_clear(&trials);
  end(&t);
}

/* Random play judges only as long as there is time: thousands of games take many times as long as
 * the trials have. */
static void judging_ends_with_the_time(void **state) {
  (void)state;
  table t;
  alea_trials trials;
  alea_trials_result result;
  alea_budget move = {.seconds = 0.0005, .clock = ALEA_CLOCK_CPU}, budget = move;
  budget.seconds = 0.06; /* for 52 steps in each game */
  begin(&t, "chinese-checkers", 0);
  t.tree.look = 3; /* for which there is a sampler, a plain one */
  teach(&t, 500, &trials, &budget);
  trials.end = alea_clock_thread() + budget.seconds;
  double before = alea_clock_thread();
  assert_int_equal(alea_trials_pair(&trials, ALEA_CONTENDER_MINIMAX, &move, &result), ALEA_OK);
  assert_true(alea_clock_thread() - before < 3 * budget.seconds && result.steps > 0);
  alea_trials_clear(&trials);
  end(&t);
}

/* Where both choose at once there is nothing to exchange. */
static void simultaneous_moves_are_left_alone(void **state) {
  (void)state;
  table t;
  alea_budget rest;
  begin(&t, "connect-four-simultaneous", 0);
  assert_int_equal(start(&t, NULL, 64, 500, &rest), ALEA_OK);
  assert_int_equal(t.rival.chosen, ALEA_CONTENDER_TREE);
  assert_int_equal(t.rival.evidence[ALEA_CONTENDER_MINIMAX].count, 0);
  end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts_are_those_of_integration),
                                     cmocka_unit_test(more_time_is_extrapolated),
                                     cmocka_unit_test(who_is_known_to_be_better_plays),
                                     cmocka_unit_test(a_short_clock_is_left_alone),
                                     cmocka_unit_test(time_is_kept),
                                     cmocka_unit_test(counted_trials_repeat),
                                     cmocka_unit_test(what_ships_is_thought_to_be_better),
                                     cmocka_unit_test(long_games_are_judged_before_their_end),
                                     cmocka_unit_test(who_sees_more_wins),
                                     cmocka_unit_test(three_are_compared_in_one_role),
                                     cmocka_unit_test(three_are_judged_before_the_end),
                                     cmocka_unit_test(judging_ends_with_the_time),
                                     cmocka_unit_test(simultaneous_moves_are_left_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
