/* The network against the reference traces of the corpus. */
#include "cmocka_all.h"
#include "support/corpus_run.h"
#include "support/least.h"
#include "support/make_engine.h"

enum { LEAST_TRACES = 50 }; /* the smallest games */

static void agrees_with_traces(void **state) {
  (void)state;
  corpus_budget budget = {.per_trace = 2, .total = 60, .max_perft = 20000, .least = LEAST_TRACES};
  corpus_result result;
  if (!corpus_run(ALEA_SHARED_DIR "/corpus", make_net_or_prover, budget, &result)) {
    print_message("skipped: no corpus at " ALEA_SHARED_DIR "/corpus\n");
    skip();
  }
  print_message("%u traces agree, %u as far as time allowed, %u not reached; %u positions\n",
                result.agree, result.cut, result.not_reached, result.positions);
  assert_int_equal(result.differ, 0);
  assert_int_equal(result.unread, 0);
  expect_at_least(LEAST_TRACES, result.agree + result.cut, "traces", "ALEA_TRACE_ONLY");
  expect_at_least(20 * LEAST_TRACES, result.positions, "positions", "ALEA_TRACE_ONLY");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_traces)};
  return cmocka_run_group_tests_name("corpus_net", tests, NULL, NULL);
}
