/* Equilibria without memory: every failing allocation leaves nothing behind. */
#include "cmocka_all.h"
#include "equilibrium/best_response.h"
#include "equilibrium/cfr_plus.h"
#include "equilibrium/public_sets.h"
#include "support/match_run.h"

/* A player's strategies are measured over the tree. */
static alea_status measure(const alea_game *game, alea_mem *mem) {
  alea_extensive tree;
  alea_extensive_limits limits = {0};
  alea_exploitability found;
  double strategy[64];
  alea_status status = alea_extensive_init(&tree, game, &limits, mem, NULL);
  if (status == ALEA_OK) {
    assert_true(tree.moves.count <= 64);
    alea_extensive_uniform(&tree, strategy);
    status = alea_exploitability_of(&tree, strategy, mem, &found);
  }
  alea_extensive_clear(&tree);
  return status;
}

static alea_status visit(void *context, const alea_public_set *set) {
  (void)set;
  ++*(unsigned *)context;
  return ALEA_OK;
}

static alea_status solve(const alea_game *game, alea_mem *mem) {
  alea_public_graph graph;
  alea_public_options options = {.merge_hands = true};
  alea_cfr_plus cfr = {0};
  unsigned sets = 0;
  alea_status status = alea_public_graph_init(&graph, game, &options, mem, NULL);
  if (status == ALEA_OK) status = alea_cfr_plus_init(&cfr, &graph, mem);
  if (status == ALEA_OK) {
    alea_cfr_plus_run(&cfr);
    status = alea_public_sets_visit(&graph, mem, visit, &sets);
    if (status == ALEA_OK) assert_int_equal(sets, alea_public_root(&graph)->sets);
  }
  alea_cfr_plus_clear(&cfr);
  alea_public_graph_clear(&graph);
  return status;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  static const char *const games[] = {"kuhn-poker", "rock-paper-scissors"};
  for (size_t g = 0; g < 4; g++) {
    alea_opened opened;
    open_game(&opened, games[g / 2]);
    bool failed = true;
    unsigned failures = 0;
    for (uint64_t n = 1; failed; n++) {
      alea_mem mem;
      alea_mem_init(&mem, 0);
      mem.fail_in = n;
      alea_status status = (g % 2 == 0 ? solve : measure)(opened.game, &mem);
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
