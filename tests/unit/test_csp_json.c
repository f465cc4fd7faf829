/* Our JSON form: written and read again, a model keeps its answer. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "csp/json.h"
#include "models/stochastic.h"
#include "models/strategic.h"
#include "scsp/json.h"

static void strategic_models_survive(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_strategic *models[] = {alea_model_connect(&mem, 4, 4, 3),
                              alea_model_tictactoe(&mem, 2, true), alea_model_tokens(&mem, 6)};
  const alea_strategic_options options = {.one_way = true,
                                          .table = true,
                                          .order = true,
                                          .symmetry = true,
                                          .early = true,
                                          .table_bytes = 1 << 20};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    json_t *root = alea_strategic_write_json(models[i]);
    assert_non_null(root);
    alea_status status;
    alea_strategic *again = alea_strategic_read_json(&mem, root, "again", NULL, &status);
    json_decref(root);
    assert_int_equal(status, ALEA_OK);
    alea_strategic_result before, after;
    alea_strategic_solve(models[i], &options, &before);
    alea_strategic_solve(again, &options, &after);
    assert_int_equal(before.status, after.status);
    assert_int_equal(before.nodes, after.nodes);
    alea_strategic_free(models[i]);
    alea_strategic_free(again);
  }
  assert_int_equal(mem.used, 0);
}

static void stochastic_models_survive(void **state) {
  (void)state;
  alea_mem mem;
  alea_status status;
  alea_mem_init(&mem, 0);
  alea_scsp *p3 = alea_model_p3(&mem);
  json_t *root = alea_scsp_write_json(p3);
  alea_scsp *again = alea_scsp_read_json(&mem, root, "again", NULL, &status);
  json_decref(root);
  assert_int_equal(status, ALEA_OK);
  alea_scsp_result result;
  alea_scsp_solve(again, &(alea_scsp_options){.aim = ALEA_SCSP_WORST}, &result);
  assert_true(fabs(result.value - 2.0 / 3) < 1e-12);
  assert_true(alea_scsp_get_threshold(again, 0) == 0.5);
  alea_scsp_free(p3);
  alea_scsp_free(again);
  alea_process *orchard = alea_model_orchard(&mem, 2, 2, 1, true);
  root = alea_process_write_json(orchard);
  alea_process *copy = alea_process_read_json(&mem, root, "again", NULL, &status);
  json_decref(root);
  assert_int_equal(status, ALEA_OK);
  alea_process_solve(copy, -1, &(alea_scsp_options){0}, &result);
  assert_true(fabs(result.value - 107.0 / 288) < 1e-12);
  alea_process_free(orchard);
  alea_process_free(copy);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(strategic_models_survive),
                                     cmocka_unit_test(stochastic_models_survive)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
