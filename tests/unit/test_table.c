/* The public interface, used as a stranger would. */
#include <stdio.h>
#include <string.h>

#include "alea/alea.h"
#include "cmocka_all.h"

static void plays_a_game(void **state) {
  (void)state;
  alea_table *t;
  assert_int_equal(alea_table_open(&t, "tictactoe", NULL, NULL, 0), 0);
  assert_int_equal(alea_table_roles(t), 2);
  assert_string_equal(alea_table_role(t, 0), "xplayer");
  assert_null(alea_table_role(t, 2));
  assert_int_equal(alea_table_moves(t, 0), 9);
  assert_string_equal(alea_table_move(t, 0, 0), "(mark 1 1)");
  assert_null(alea_table_move(t, 0, 9));
  assert_int_equal(alea_table_choose(t, 1, "(mark 1 1)"), 3);
  static const char *const game[][2] = {{"(mark 1 1)", "noop"},
                                        {"noop", "(mark 2 1)"},
                                        {"(mark 1 2)", "noop"},
                                        {"noop", "(MARK  2 2)"},
                                        {"(mark 1 3)", "noop"}};
  for (size_t i = 0; i < sizeof game / sizeof *game; i++) {
    assert_false(alea_table_is_over(t));
    for (unsigned r = 0; r < 2; r++) assert_int_equal(alea_table_choose(t, r, game[i][r]), 0);
    assert_int_equal(alea_table_step(t), 0);
  }
  assert_true(alea_table_is_over(t));
  assert_int_equal(alea_table_goal(t, 0), 100);
  assert_int_equal(alea_table_goal(t, 1), 0);
  assert_int_equal(alea_table_fluents(t), 10);
  assert_int_equal(alea_table_moves(t, 0), 0);
  assert_int_equal(alea_table_step(t), 2);
  assert_int_equal(alea_table_reset(t), 0);
  assert_false(alea_table_is_over(t));
  alea_table_close(t);
}

static void engines_have_names(void **state) {
  (void)state;
  static const struct {
    const char *engine;
    int status;
  } cases[] = {{NULL, 0}, {"auto", 0}, {"net", 0}, {"prover", 0}, {"lanes", 0}, {"turbo", 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    alea_table_options options = {.engine = cases[i].engine};
    alea_table *t;
    char why[64] = "";
    assert_int_equal(alea_table_open(&t, "tictactoe", &options, why, sizeof why), cases[i].status);
    assert_string_equal(why, cases[i].status == 0 ? "" : "there is no engine 'turbo'");
    alea_table_close(t);
  }
}

/* Chance, and roles that leave their move open. */
static void random_steps_and_samples(void **state) {
  (void)state;
  alea_table *t;
  alea_table_options options = {.seed = 3};
  assert_int_equal(alea_table_open(&t, "matching-pennies", &options, NULL, 0), 0);
  double means[8];
  assert_int_equal(alea_table_sample(t, 20000, means), 0);
  assert_true(means[0] > 20 && means[0] < 30); /* three pennies alike: one in four */
  while (!alea_table_is_over(t)) assert_int_equal(alea_table_step(t), 0);
  alea_table_close(t);
}

static void says_what_is_wrong(void **state) {
  (void)state;
  alea_table *t;
  char why[256];
  assert_int_equal(alea_table_open(&t, "no-such-game", NULL, why, sizeof why), 2);
  assert_null(t);
  assert_non_null(strstr(why, "no-such-game"));
  alea_table_close(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plays_a_game),
      cmocka_unit_test(engines_have_names),
      cmocka_unit_test(random_steps_and_samples),
      cmocka_unit_test(says_what_is_wrong),
  };
  return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
