/* Witnesses without memory: every failing allocation of the three searches, and
 * memory limits. */
#include "cmocka_all.h"
#include "match/witness.h"
#include "support/match_run.h"

/* Has a witness of every kind that needs a play. */
static const char sheet[] =
    "(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2)"
    "(legal a go) (legal a stay)"
    "(<= (legal b go) (not (true (n 2))))"
    "(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y) (does a go))"
    "(<= (next (n ?x)) (true (n ?x)) (does a stay))"
    "(<= (next over) (does a go) (true (n 1)) (does b go))"
    "(<= terminal (true (n 1)) (not (true over)))"
    "(<= (goal a 0) (true (n 1))) (<= (goal a 50) (true (n 1)))";

static alea_status search(const alea_game *game, alea_witness_limits limits, alea_mem *mem) {
  alea_witnesses found;
  alea_status status = alea_witness_find(&found, game, &limits, mem);
  alea_witnesses_clear(&found);
  return status;
}

static void starve(alea_witness_limits limits) {
  alea_opened opened;
  open_sheet(&opened, sheet);
  alea_status status = ALEA_SYSTEM;
  uint64_t n = 0;
  while (status != ALEA_OK) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    mem.fail_in = ++n;
    status = search(opened.game, limits, &mem);
    if (status != ALEA_OK && status != ALEA_SYSTEM)
      fail_msg("allocation %u: %d", (unsigned)n, status);
    assert_int_equal(mem.used, 0);
    assert_true(n < 10000);
  }
  assert_true(n > 5);
  for (size_t limit = 64; limit < 65536; limit *= 2) {
    alea_mem mem;
    alea_mem_init(&mem, limit);
    status = search(opened.game, limits, &mem);
    if (status != ALEA_OK && status != ALEA_SYSTEM && status != ALEA_LIMIT)
      fail_msg("%zu bytes: %d", limit, status);
    assert_int_equal(mem.used, 0);
  }
  alea_opened_clear(&opened);
}

static void positions(void **state) {
  (void)state;
  starve((alea_witness_limits){.positions = 1000});
}

static void plays(void **state) {
  (void)state;
  starve((alea_witness_limits){.steps = 100, .seed = 1});
}

static void lanes(void **state) {
  (void)state;
  starve((alea_witness_limits){.playouts = 100, .seed = 1});
}

static void stages(void **state) {
  (void)state;
  starve((alea_witness_limits){.stages = 4});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions),
      cmocka_unit_test(plays),
      cmocka_unit_test(lanes),
      cmocka_unit_test(stages),
  };
  return cmocka_run_group_tests_name("witnesses without memory", tests, NULL, NULL);
}
