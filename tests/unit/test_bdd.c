/* Decision diagrams: equal functions are one edge, by truth tables of six
 * variables; and the limits. */
#include "base/rng.h"
#include "cmocka_all.h"
#include "symmetry/bdd.h"

enum { VARIABLES = 6, FUNCTIONS = 400 };

static alea_bdd_edge negation(alea_bdd_edge edge) { return edge ^ 1; }

/* Random conjunctions of functions that are there; bit i of a table is the value
 * where the variables are the bits of i. */
static void equal_functions_are_one(void **state) {
  (void)state;
  static const uint64_t columns[VARIABLES] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc,
                                              0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00,
                                              0xffff0000ffff0000, 0xffffffff00000000};
  alea_bdd_edge edges[FUNCTIONS];
  uint64_t tables[FUNCTIONS];
  alea_mem mem;
  alea_bdd bdd;
  alea_rng rng;
  alea_mem_init(&mem, 0);
  alea_rng_seed(&rng, 1);
  assert_true(alea_bdd_init(&bdd, 100000, &mem));
  bdd.steps = UINT64_MAX;
  for (uint32_t i = 0; i < FUNCTIONS; i++) {
    if (i < VARIABLES) {
      edges[i] = alea_bdd_variable(&bdd, i);
      tables[i] = columns[i];
      continue;
    }
    uint32_t a = alea_rng_below(&rng, i), b = alea_rng_below(&rng, i),
             signs = alea_rng_below(&rng, 8);
    edges[i] = alea_bdd_and(&bdd, signs & 1 ? negation(edges[a]) : edges[a],
                            signs & 2 ? negation(edges[b]) : edges[b]);
    tables[i] = (signs & 1 ? ~tables[a] : tables[a]) & (signs & 2 ? ~tables[b] : tables[b]);
    if (signs & 4) edges[i] = negation(edges[i]), tables[i] = ~tables[i];
  }
  unsigned equal = 0;
  for (uint32_t i = 0; i < FUNCTIONS; i++)
    for (uint32_t k = 0; k < i; k++) {
      assert_true((edges[i] == edges[k]) == (tables[i] == tables[k]));
      assert_true((edges[i] == negation(edges[k])) == (tables[i] == ~tables[k]));
      equal += edges[i] == edges[k];
    }
  assert_true(equal > 10);
  alea_bdd_clear(&bdd);
  assert_int_equal(mem.used, 0);
}

/* Sums in any order: "an odd number of these hold", from both ends. */
static alea_bdd_edge odd(alea_bdd *bdd, bool backwards) {
  alea_bdd_edge sum = ALEA_BDD_EDGE_FALSE;
  for (uint32_t i = 0; i < 40; i++) {
    alea_bdd_edge x = alea_bdd_variable(bdd, backwards ? 39 - i : i);
    alea_bdd_edge only_sum = alea_bdd_and(bdd, sum, negation(x));
    alea_bdd_edge only_x = alea_bdd_and(bdd, negation(sum), x);
    sum = negation(alea_bdd_and(bdd, negation(only_sum), negation(only_x)));
  }
  return sum;
}

static void limits(void **state) {
  (void)state;
  alea_mem mem;
  alea_bdd bdd;
  alea_mem_init(&mem, 0);
  assert_true(alea_bdd_init(&bdd, 10000, &mem));
  bdd.steps = 100000;
  assert_int_equal(odd(&bdd, false), odd(&bdd, true));
  bdd.steps = 1;
  assert_int_equal(alea_bdd_and(&bdd, alea_bdd_variable(&bdd, 50), odd(&bdd, false)),
                   ALEA_BDD_NO_EDGE);
  bdd.steps = 100000;
  bdd.limit = (uint32_t)bdd.nodes.count; /* what is there can still be found */
  assert_int_not_equal(alea_bdd_variable(&bdd, 7), ALEA_BDD_NO_EDGE);
  assert_int_equal(alea_bdd_variable(&bdd, 60), ALEA_BDD_NO_EDGE);
  alea_bdd_clear(&bdd);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(equal_functions_are_one),
                                     cmocka_unit_test(limits)};
  return cmocka_run_group_tests_name("bdd", tests, NULL, NULL);
}
