/* Beliefs and stochastic solvers without memory: the N-th allocation fails, for
 * every N; nothing leaks, nothing crashes, every failure is a status. */
#include <math.h>
#include <stdio.h>

#include "cmocka_all.h"
#include "encode/belief_process.h"
#include "propnet/propnet.h"
#include "support/make_engine.h"

typedef alea_status use_memory(const alea_game *game, alea_mem *mem);

static alea_status beliefs(const alea_game *game, alea_mem *mem, alea_process **process) {
  alea_diag diag; /* with memory of its own: what it has to say is not under test */
  alea_mem plenty;
  alea_mem_init(&plenty, 0);
  alea_diag_init(&diag, &plenty);
  alea_belief_options options = {.horizon = -1, .label = "game"};
  alea_status status = alea_belief_process(process, game, &options, mem, &diag);
  alea_diag_clear(&diag);
  return status;
}

static alea_status by_state(const alea_game *game, alea_mem *mem) {
  alea_process *process;
  alea_scsp_result result;
  alea_status status = beliefs(game, mem, &process);
  if (status == ALEA_OK) status = alea_process_solve(process, -1, &(alea_scsp_options){0}, &result);
  if (status == ALEA_OK) assert_true(fabs(result.value - 2.0 / 3) < 1e-12);
  alea_process_free(process);
  return status;
}

/* Every solver of a flat network; a cache that cannot grow is no failure. */
static alea_status flat(const alea_game *game, alea_mem *mem) {
  alea_process *process;
  alea_scsp *scsp = NULL;
  alea_scsp_result result;
  alea_scsp_outcomes outcomes = {0};
  alea_policy policy;
  uint64_t count;
  const alea_scsp_options options = {0};
  alea_policy_init(&policy, mem);
  alea_status status = beliefs(game, mem, &process);
  if (status == ALEA_OK) {
    scsp = alea_process_unroll(process, 4);
    status = scsp != NULL ? alea_scsp_state(scsp) : ALEA_SYSTEM;
  }
  if (status == ALEA_OK) status = alea_scsp_solve(scsp, &options, &result);
  if (status == ALEA_OK) status = alea_scsp_search(scsp, &options, NULL, &policy, &result);
  if (status == ALEA_OK) assert_true(fabs(result.value - 2.0 / 3) < 1e-9);
  alea_policy_clear(&policy);
  if (status == ALEA_OK) status = alea_scsp_policy(scsp, &options, &policy, &result);
  if (status == ALEA_OK)
    status =
        alea_scsp_scenarios(scsp, &options, &(alea_scsp_scenario){.theta = 1}, &count, &result);
  if (status == ALEA_OK) status = alea_scsp_all(scsp, &options, &outcomes, &result);
  if (scsp != NULL) alea_scsp_outcomes_clear(scsp, &outcomes);
  alea_policy_clear(&policy);
  alea_scsp_free(scsp);
  alea_process_free(process);
  return status;
}

static void starve(use_memory *use) {
  alea_mem ample;
  alea_game *game;
  alea_mem_init(&ample, 0);
  assert_int_equal(load_game(ALEA_SOURCE_DIR "/games/monty-hall.kif", make_net, &ample, &game),
                   ALEA_OK);
  uint64_t allocations = 0;
  for (uint64_t n = 1;; n++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    mem.fail_in = n;
    alea_status status = use(game, &mem);
    assert_int_equal(mem.used, 0);
    if (status == ALEA_OK && mem.fail_in > 0) break;
    assert_true(status == ALEA_SYSTEM || status == ALEA_OK);
    allocations = n;
  }
  print_message("failures up to allocation %lu\n", (unsigned long)allocations);
  assert_true(allocations > 50);
  alea_game_free(game);
  assert_int_equal(ample.used, 0);
}

static void process_of_beliefs(void **state) {
  (void)state;
  starve(by_state);
}

static void flat_network(void **state) {
  (void)state;
  starve(flat);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(process_of_beliefs),
                                     cmocka_unit_test(flat_network)};
  return cmocka_run_group_tests_name("solve memory", tests, NULL, NULL);
}
