/* Strategies of players by samples: players whose strategies are known, the same
 * numbers for the same seed, and what goes wrong. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "equilibrium/best_response.h"
#include "play/sampled_strategy.h"
#include "support/match_run.h"

enum { MOST_MOVES = 64 };

typedef struct sampling_fixture {
  alea_opened opened;
  alea_mem mem;
  alea_extensive tree;
  alea_text message;
  alea_sampled_strategy_options options;
} sampling_fixture;

static void setup(sampling_fixture *f, const char *game) {
  *f = (sampling_fixture){0};
  open_game(&f->opened, game);
  alea_mem_init(&f->mem, 0);
  alea_extensive_limits limits = {0};
  assert_int_equal(alea_extensive_init(&f->tree, f->opened.game, &limits, &f->mem, NULL), ALEA_OK);
  assert_true(f->tree.moves.count <= MOST_MOVES);
  alea_text_init(&f->message, &f->mem);
  f->options.setup =
      (alea_player_setup){.game = f->opened.game, .seed = 1, .services = f->opened.services};
  f->options.budget.sims = 50;
  f->options.samples = 10;
}

static void teardown(sampling_fixture *f) {
  alea_text_clear(&f->message);
  alea_extensive_clear(&f->tree);
  assert_int_equal(f->mem.used, 0);
  alea_opened_clear(&f->opened);
}

static alea_status ask(sampling_fixture *f, const char *player, double *strategy) {
  f->options.player = player;
  return alea_sampled_strategy(&f->tree, &f->options, strategy, &f->mem, &f->message);
}

static double gap_of(sampling_fixture *f, const double *strategy) {
  alea_exploitability found;
  assert_int_equal(alea_exploitability_of(&f->tree, strategy, &f->mem, &found), ALEA_OK);
  return found.gap;
}

/* Within five standard deviations of 1/2 everywhere. */
static void random_is_uniform(void **state) {
  (void)state;
  sampling_fixture f;
  double strategy[MOST_MOVES];
  setup(&f, "kuhn-poker");
  f.options.samples = 2500;
  assert_int_equal(ask(&f, "random", strategy), ALEA_OK);
  for (size_t i = 0; i < f.tree.moves.count; i++) assert_true(fabs(strategy[i] - 0.5) < 0.05);
  /* Uniform play has 11/24 of a chip. */
  assert_true(fabs(gap_of(&f, strategy) - 0.25 * 11 / 24) < 0.02);
  teardown(&f);
}

static void pure_strategies_are_pure(void **state) {
  (void)state;
  static const char *const games[] = {"kuhn-poker", "rock-paper-scissors"};
  for (size_t g = 0; g < 2; g++) {
    sampling_fixture f;
    double strategy[MOST_MOVES];
    setup(&f, games[g]);
    assert_int_equal(ask(&f, "legal", strategy), ALEA_OK);
    for (size_t s = 0; s < f.tree.sets.count; s++) {
      const alea_extensive_set *set = &f.tree.sets.data[s];
      double most = 0;
      for (uint32_t i = 0; i < set->count; i++) most = fmax(most, strategy[set->first + i]);
      assert_true(fabs(most - 1) < 1e-12);
    }
    assert_true(gap_of(&f, strategy) > 0.05);
    teardown(&f);
  }
}

/* A searcher does better than uniform play, and depends on the seed alone. */
static void searchers_are_led_to_the_set(void **state) {
  (void)state;
  static const char sampling[] = "cfr:particles=20,small=0";
  sampling_fixture f;
  double strategy[MOST_MOVES], again[MOST_MOVES];
  setup(&f, "kuhn-poker");
  f.options.budget.sims = 300;
  assert_int_equal(ask(&f, sampling, strategy), ALEA_OK);
  assert_true(gap_of(&f, strategy) < 0.25 * 11 / 24);
  assert_int_equal(ask(&f, sampling, again), ALEA_OK);
  assert_memory_equal(strategy, again, f.tree.moves.count * sizeof *strategy);
  f.options.setup.seed = 2;
  assert_int_equal(ask(&f, sampling, again), ALEA_OK);
  assert_memory_not_equal(strategy, again, f.tree.moves.count * sizeof *strategy);
  teardown(&f);
}

/* The whole of Kuhn poker is swept, from its start: the more, the nearer to an
 * equilibrium.  The player says how it draws, so that one sample is enough. */
static void sweeping_approaches_an_equilibrium(void **state) {
  (void)state;
  sampling_fixture f;
  double strategy[MOST_MOVES], before = 0.25 * 11 / 24;
  setup(&f, "kuhn-poker");
  f.options.samples = 1;
  for (uint64_t sims = 10; sims <= 1000; sims *= 10) {
    f.options.budget.sims = sims;
    assert_int_equal(ask(&f, "cfr:particles=20", strategy), ALEA_OK);
    double gap = gap_of(&f, strategy);
    assert_true(gap < before / 5);
    before = gap;
  }
  assert_true(before < 1e-4);
  teardown(&f);
}

/* A match by simulations has no budget before the first move, and the deal is a
 * forced move: the game is listed there all the same, and swept at the choice. */
static void matches_sweep_too(void **state) {
  (void)state;
  static const char *const players[] = {"cfr", "random"};
  sampling_fixture f;
  alea_text json;
  int goals[2];
  setup(&f, "kuhn-poker");
  alea_text_init(&json, &f.mem);
  run_match(&f.opened, players, 2, 50, 1, goals, &json);
  assert_int_equal(goals[0] + goals[1], 100);
  assert_non_null(strstr(alea_text_string(&json), "\"sweeps\":50"));
  alea_text_clear(&json);
  teardown(&f);
}

static void failures_are_reported(void **state) {
  (void)state;
  sampling_fixture f;
  double strategy[MOST_MOVES];
  setup(&f, "kuhn-poker");
  assert_int_equal(ask(&f, "nobody", strategy), ALEA_USAGE);
  assert_non_null(strstr(alea_text_string(&f.message), "nobody"));
  f.mem.fail_in = 1;
  assert_int_equal(ask(&f, "legal", strategy), ALEA_SYSTEM);
  f.mem.fail_in = 0;
  atomic_bool stop = true;
  f.options.deadline.stop = &stop;
  assert_int_equal(ask(&f, "legal", strategy), ALEA_LIMIT);
  teardown(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_is_uniform),
      cmocka_unit_test(pure_strategies_are_pure),
      cmocka_unit_test(searchers_are_led_to_the_set),
      cmocka_unit_test(sweeping_approaches_an_equilibrium),
      cmocka_unit_test(matches_sweep_too),
      cmocka_unit_test(failures_are_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
