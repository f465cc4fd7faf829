/* Claims without memory: every failing allocation of reading experiments, of
 * measuring, and of writing the table. */
#include <string.h>

#include "cmocka_all.h"
#include "experiment/claims.h"

static const char text[] =
    "{experiment: x, kind: claims, claims: [\n"
    "{claim: a, experiment: E1, measure: value, value: best, equals: 68.4},\n"
    "{claim: b, experiment: E4, table: Scores of MAC-UCB in percent,\n"
    " column: {first: mac-ucb, second: uct}, above: 50,\n"
    " lanes: {column: {first: mac-ucb lanes, second: uct lanes}}},\n"
    "{claim: c, experiment: E4, measure: best, table: Lanes for all, between: [1, 2]}]}";

static alea_status write_table(alea_mem *mem, alea_diag *diag) {
  alea_yaml_file file;
  alea_experiment claims;
  alea_doc doc;
  alea_text out;
  alea_doc_init(&doc, mem);
  alea_text_init(&out, mem);
  alea_status status = alea_yaml_read(&file, text, strlen(text), "test", mem, diag);
  if (status == ALEA_OK) status = alea_experiment_init(&claims, &file, "small", mem);
  if (status == ALEA_OK) {
    claims.folder = "/nonexistent";
    status = alea_experiment_doc(&claims, NULL, NULL, &doc);
  }
  if (status == ALEA_OK) {
    alea_doc_markdown(&doc, NULL, &out);
    if (out.failed) status = ALEA_SYSTEM;
  }
  alea_text_clear(&out);
  alea_doc_clear(&doc);
  alea_yaml_clear(&file);
  return status;
}

static void tables(void **state) {
  (void)state;
  alea_status status = ALEA_SYSTEM;
  for (uint64_t n = 1; status != ALEA_OK; n++) {
    alea_mem mem, own;
    alea_diag diag;
    alea_mem_init(&mem, 0);
    alea_mem_init(&own, 0);
    alea_diag_init(&diag, &own);
    mem.fail_in = n;
    status = write_table(&mem, &diag);
    if (status != ALEA_OK && status != ALEA_SYSTEM)
      fail_msg("allocation %u: %d", (unsigned)n, status);
    alea_diag_clear(&diag);
    assert_int_equal(mem.used, 0);
    assert_true(n < 10000);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables)};
  return cmocka_run_group_tests_name("claims without memory", tests, NULL, NULL);
}
