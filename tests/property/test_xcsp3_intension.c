/* Random expressions over domains too large for a table. */
#include <stdio.h>

#include "cmocka_all.h"
#include "support/brute_force.h"
#include "support/xcsp3_sample.h"

static void put_formula(xcsp3_sample *s, int depth) {
  static const char *const unary[] = {"neg", "abs", "sqr", "not"};
  static const char *const binary[] = {"add", "sub", "mul", "div", "mod", "dist", "min",
                                       "max", "lt",  "le",  "ge",  "gt",  "eq",   "ne",
                                       "and", "or",  "xor", "iff", "imp"};
  int pick = depth == 0 ? sample_below(s, 2) : 2 + sample_below(s, 10);
  if (pick == 0) {
    sample_put(s, "%d", sample_below(s, 11) - 5);
  } else if (pick == 1) {
    sample_put(s, "z[%d]", sample_below(s, 3));
  } else if (pick == 2) {
    sample_put(s, "%s(", unary[sample_below(s, 4)]);
    put_formula(s, depth - 1);
    sample_put(s, ")");
  } else if (pick == 3) {
    sample_put(s, sample_below(s, 2) ? "if(" : "add(");
    for (int i = 0; i < 3; i++) {
      if (i > 0) sample_put(s, ",");
      put_formula(s, depth - 1);
    }
    sample_put(s, ")");
  } else if (pick == 4) {
    sample_put(s, sample_below(s, 2) ? "in(" : "notin(");
    put_formula(s, depth - 1);
    sample_put(s, ",set(%d,%d..%d))", sample_below(s, 9) - 4, 1, 1 + sample_below(s, 4));
  } else {
    sample_put(s, "%s(", binary[sample_below(s, 19)]);
    put_formula(s, depth - 1);
    sample_put(s, ",");
    put_formula(s, depth - 1);
    sample_put(s, ")");
  }
}

/* Intervals may never lose a solution: the count by propagation is that of
 * plain evaluation, also where the expression is a variable. */
static void intervals_lose_nothing(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (uint64_t seed = 0; seed < 30; seed++) {
    xcsp3_sample s = {0};
    alea_rng_seed_stream(&s.rng, 29, seed);
    alea_text_init(&s.text, &mem);
    alea_csp *csp = alea_csp_new(&mem);
    for (int i = 0; i < 3; i++) {
      char name[8];
      snprintf(name, sizeof name, "z[%d]", i);
      alea_csp_range(csp, name, -20, 20 + sample_below(&s, 10));
    }
    put_formula(&s, 3);
    assert_int_equal(alea_csp_intension(csp, s.text.data, (alea_place){0}, NULL), ALEA_OK);
    sample_compare(&s, "intervals",
                   sample_solutions(csp, (alea_csp_options){.values = ALEA_CSP_MAX}),
                   brute_force_count(csp));
    alea_csp_free(csp);
    alea_text_clear(&s.text);
  }
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(intervals_lose_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
