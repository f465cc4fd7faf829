/* The prover without memory. */
#include "cmocka_all.h"
#include "support/make_engine.h"
#include "support/starve.h"

static void survives_every_failure(void **state) {
  (void)state;
  starve_every_allocation(make_prover);
}

static void respects_a_limit(void **state) {
  (void)state;
  starve_by_limits(make_prover);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(survives_every_failure),
      cmocka_unit_test(respects_a_limit),
  };
  return cmocka_run_group_tests_name("prover_memory", tests, NULL, NULL);
}
