/* Equilibria without memory: every failing allocation leaves nothing behind. */
#include "cmocka_all.h"
#include "equilibrium/best_response.h"
#include "equilibrium/cfr_plus.h"
#include "support/match_run.h"

static alea_status solve(const alea_game *game, alea_mem *mem) {
  alea_extensive tree;
  alea_extensive_limits limits = {0};
  alea_cfr_plus cfr = {0};
  alea_exploitability found;
  double strategy[64];
  alea_status status = alea_extensive_init(&tree, game, &limits, mem, NULL);
  if (status == ALEA_OK) status = alea_cfr_plus_init(&cfr, &tree, mem);
  if (status == ALEA_OK) {
    assert_true(tree.moves.count <= 64);
    alea_cfr_plus_run(&cfr);
    alea_cfr_plus_average(&cfr, strategy);
    status = alea_exploitability_of(&tree, strategy, mem, &found);
  }
  alea_cfr_plus_clear(&cfr);
  alea_extensive_clear(&tree);
  return status;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  static const char *const games[] = {"kuhn-poker", "rock-paper-scissors"};
  for (size_t g = 0; g < 2; g++) {
    alea_opened opened;
    open_game(&opened, games[g]);
    bool failed = true;
    unsigned failures = 0;
    for (uint64_t n = 1; failed; n++) {
      alea_mem mem;
      alea_mem_init(&mem, 0);
      mem.fail_in = n;
      alea_status status = solve(opened.game, &mem);
      assert_int_equal(mem.used, 0);
      failed = mem.fail_in == 0;
      assert_int_equal(status, failed ? ALEA_SYSTEM : ALEA_OK);
      failures += failed;
    }
    assert_true(failures > 20);
    alea_opened_clear(&opened);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
