/* What symmetries are worth, in games where it is known. */
#include "cmocka_all.h"
#include "experiment/symmetry_gain.h"

static alea_symmetry_gain measure(const char *name, alea_engine engine, uint64_t sims,
                                  uint32_t positions) {
  alea_open_options open = {.engine = engine};
  alea_symmetry_gain_options options = {
      .sims = sims, .positions = positions, .seconds = 600, .seed = 1};
  alea_opened opened;
  alea_diag diag;
  alea_mem mem;
  alea_symmetry_gain gain;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  assert_int_equal(alea_open(&opened, name, &open, &diag), ALEA_OK);
  assert_int_equal(alea_symmetry_gain_measure(&gain, &opened, &options, &mem), ALEA_OK);
  alea_diag_clear(&diag);
  alea_opened_clear(&opened);
  assert_int_equal(mem.used, 0);
  return gain;
}

/* There are 5478 positions of tic-tac-toe, 765 up to the symmetries of the
 * board.  While symmetry has used up its share of the effort positions are
 * stored as they come, so a few more are. */
static void the_whole_game(void **state) {
  (void)state;
  alea_symmetry_gain gain = measure("tictactoe", ALEA_ENGINE_AUTO, 6000, 1);
  assert_true(gain.order == 8);
  assert_int_equal(gain.generators, 2);
  assert_int_equal(gain.positions, 1);
  assert_in_range(gain.with, 2, 2 * 765);
  assert_in_range(gain.without, 2 * 765, 5478);
  assert_true(alea_symmetry_gain_smaller(&gain) > 0.4);
  assert_true(gain.hits > 0 && alea_symmetry_gain_known(&gain) < 1);
}

/* Without symmetries both searches are one and the same. */
static void nothing_to_gain(void **state) {
  (void)state;
  alea_symmetry_gain gain = measure("ttcc4", ALEA_ENGINE_AUTO, 64, 2);
  assert_true(gain.order == 1);
  assert_int_equal(gain.positions, 2);
  assert_int_equal(gain.with, gain.without);
  assert_int_equal(gain.hits, 0);
}

static void the_same_twice(void **state) {
  (void)state;
  alea_symmetry_gain one = measure("kaseklau", ALEA_ENGINE_AUTO, 50, 2),
                     two = measure("kaseklau", ALEA_ENGINE_AUTO, 50, 2);
  assert_int_equal(one.with, two.with);
  assert_int_equal(one.without, two.without);
  assert_int_equal(one.hits, two.hits);
}

/* Hidden information: the group is known, but nobody searches with it. */
static void hidden(void **state) {
  (void)state;
  alea_symmetry_gain gain = measure("monty-hall", ALEA_ENGINE_AUTO, 50, 2);
  assert_true(gain.order == 6);
  assert_int_equal(gain.positions, 0);
  assert_true(alea_symmetry_gain_smaller(&gain) == 0);
}

static void interpreted(void **state) {
  (void)state;
  alea_symmetry_gain gain = measure("tictactoe", ALEA_ENGINE_PROVER, 50, 2);
  assert_true(gain.order == 0 && gain.rules == 0 && gain.positions == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_whole_game), cmocka_unit_test(nothing_to_gain),
      cmocka_unit_test(the_same_twice), cmocka_unit_test(hidden),
      cmocka_unit_test(interpreted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
