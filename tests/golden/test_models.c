/* The models of the papers as files: models/NAME.json is what the builder
 * writes, byte by byte, and solving the file takes the builder's steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "csp/json.h"
#include "models/stochastic.h"
#include "models/strategic.h"
#include "scsp/json.h"
#include "support/load.h"

/* Compares with the file, and gives back what the file says; 'root' is taken. */
static json_t *compare(alea_mem *mem, const char *name, json_t *root) {
  alea_text written;
  size_t length;
  char *text = load_file(&length, "%s/models/%s.json", ALEA_SOURCE_DIR, name);
  if (text == NULL) fail_msg("models/%s.json is missing", name);
  alea_text_init(&written, mem);
  assert_non_null(root);
  assert_true(alea_csp_json_text(root, &written));
  if (length != written.length || memcmp(text, written.data, length) != 0)
    fail_msg("models/%s.json is not what 'alea solve --write json' writes", name);
  json_decref(root);
  json_t *read = json_loadb(text, length, 0, NULL);
  assert_non_null(read);
  alea_text_clear(&written);
  free(text);
  return read;
}

/* Node for node, with the extras and without; large boards for a while only. */
static void check_strategic(alea_mem *mem, const char *name, alea_strategic *built,
                            alea_status answer) {
  alea_status status;
  json_t *root = compare(mem, name, alea_strategic_write_json(built));
  alea_strategic *read = alea_strategic_read_json(mem, root, name, NULL, &status);
  json_decref(root);
  assert_int_equal(status, ALEA_OK);
  for (int extras = 0; extras < 2; extras++) {
    bool e = extras != 0;
    alea_strategic_options options = {.one_way = e,
                                      .table = e,
                                      .order = e,
                                      .symmetry = e,
                                      .early = e,
                                      .table_bytes = 1 << 22,
                                      .max_nodes = answer == ALEA_LIMIT || !e ? 2000 : 0};
    alea_strategic_result a, b;
    alea_strategic_solve(built, &options, &a);
    alea_strategic_solve(read, &options, &b);
    if (e) assert_int_equal(a.status, answer);
    assert_int_equal(a.status, b.status);
    assert_int_equal(a.nodes, b.nodes);
    assert_int_equal(a.propagations, b.propagations);
  }
  alea_strategic_free(built);
  alea_strategic_free(read);
}

static void strategic_models(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  check_strategic(&mem, "tictactoe-1", alea_model_tictactoe(&mem, 1, false), ALEA_OK);
  check_strategic(&mem, "tictactoe-1-closed", alea_model_tictactoe(&mem, 1, true), ALEA_NO);
  check_strategic(&mem, "tictactoe-2", alea_model_tictactoe(&mem, 2, false), ALEA_NO);
  check_strategic(&mem, "tictactoe-2-closed", alea_model_tictactoe(&mem, 2, true), ALEA_NO);
  check_strategic(&mem, "connect-4-3", alea_model_connect(&mem, 4, 4, 3), ALEA_OK);
  check_strategic(&mem, "connect-4-4", alea_model_connect(&mem, 4, 4, 4), ALEA_NO);
  check_strategic(&mem, "connect-7x6-4", alea_model_connect(&mem, 7, 6, 4), ALEA_LIMIT);
  check_strategic(&mem, "tokens-5", alea_model_tokens(&mem, 5), ALEA_NO);
  check_strategic(&mem, "tokens-6", alea_model_tokens(&mem, 6), ALEA_NO);
  assert_int_equal(mem.used, 0);
}

static void check_scsp(alea_mem *mem, const char *name, alea_scsp *built) {
  alea_status status;
  json_t *root = compare(mem, name, alea_scsp_write_json(built));
  alea_scsp *read = alea_scsp_read_json(mem, root, name, NULL, &status);
  json_decref(root);
  assert_int_equal(status, ALEA_OK);
  for (int aim = ALEA_SCSP_MAX; aim <= ALEA_SCSP_WORST; aim++) {
    alea_scsp_options options = {.aim = (alea_scsp_aim)aim};
    alea_scsp_result a, b;
    alea_scsp_solve(built, &options, &a);
    alea_scsp_solve(read, &options, &b);
    assert_int_equal(a.status, b.status);
    assert_int_equal(a.nodes, b.nodes);
    assert_true(a.value == b.value);
  }
  alea_scsp_free(built);
  alea_scsp_free(read);
}

static void stochastic_models(void **state) {
  (void)state;
  alea_mem mem;
  alea_status status;
  alea_mem_init(&mem, 0);
  check_scsp(&mem, "pennies", alea_model_pennies(&mem));
  check_scsp(&mem, "p3", alea_model_p3(&mem));
  check_scsp(&mem, "split", alea_model_split(&mem));
  alea_process *built = alea_model_orchard(&mem, 2, 2, 1, true);
  json_t *root = compare(&mem, "orchard-step-2-2-1", alea_process_write_json(built));
  alea_process *read = alea_process_read_json(&mem, root, "orchard", NULL, &status);
  json_decref(root);
  assert_int_equal(status, ALEA_OK);
  alea_scsp_result a, b;
  alea_process_solve(built, -1, &(alea_scsp_options){0}, &a);
  alea_process_solve(read, -1, &(alea_scsp_options){0}, &b);
  assert_true(a.value == b.value && fabs(a.value - 107.0 / 288) < 1e-12);
  alea_process_free(built);
  alea_process_free(read);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(strategic_models),
                                     cmocka_unit_test(stochastic_models)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
