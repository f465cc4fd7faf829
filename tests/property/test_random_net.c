/* Random rulesheets: the network against the prover. */
#include <stdio.h>

#include "cmocka_all.h"
#include "support/compare_games.h"
#include "support/least.h"
#include "support/load.h"
#include "support/make_engine.h"
#include "support/random_gdl.h"

enum { SHEETS = 3000 };

/* Returns how many positions were compared. */
static unsigned compare_sheet(uint64_t seed) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text sheet;
  alea_text_init(&sheet, &mem);
  random_gdl(&sheet, seed, false);
  alea_game *prover = NULL, *net = NULL;
  comparison result;
  assert_int_equal(load_text(sheet.data, sheet.length, "sheet", make_prover, &mem, &prover), 0);
  assert_int_equal(load_text(sheet.data, sheet.length, "sheet", make_net, &mem, &net), 0);
  bool same = compare_games(prover, net, seed, 3, 5, 0, &result);
  if (!same) {
    print_error("%s\nsheet %llu: %s\n", sheet.data, (unsigned long long)seed, result.message);
    fail();
  }
  alea_game_free(prover);
  alea_game_free(net);
  alea_text_clear(&sheet);
  assert_int_equal(mem.used, 0);
  return result.positions;
}

static void agrees_with_prover(void **state) {
  (void)state;
  unsigned positions = 0;
  for (uint64_t seed = 1; seed <= SHEETS; seed++) positions += compare_sheet(seed);
  expect_at_least(2 * SHEETS, positions, "positions", NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_prover)};
  return cmocka_run_group_tests_name("random_net", tests, NULL, NULL);
}
