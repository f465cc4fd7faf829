/* Reading, solving and writing instances while the N-th allocation fails, for
 * N = 1, 2, ... until all goes well: a status each time, never a leak. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "csp/json.h"
#include "csp/xcsp3/xcsp3.h"
#include "support/load.h"

enum { LEAST_INSTANCES = 15 }; /* so that an empty folder is not a success */

static alea_status attempt(alea_mem *mem, const char *text, size_t length) {
  alea_xcsp3 instance;
  alea_text out;
  alea_diag diag;
  alea_diag_init(&diag, mem);
  alea_text_init(&out, mem);
  alea_status status = alea_xcsp3_read(&instance, mem, text, length, "starved", &diag);
  if (status == ALEA_OK) {
    alea_csp_result result;
    alea_csp_solve(instance.csp, &(alea_csp_options){.max_nodes = 50}, &result);
    if (result.status == ALEA_SYSTEM) status = ALEA_SYSTEM;
    if (status == ALEA_OK) status = alea_xcsp3_write(instance.csp, NULL, &out);
    if (status == ALEA_OK) {
      json_t *root = alea_csp_write_json(instance.csp);
      alea_csp *copy =
          root != NULL ? alea_csp_read_json(mem, root, "starved", &diag, &status) : NULL;
      if (root == NULL) status = ALEA_SYSTEM;
      alea_csp_free(copy);
      json_decref(root);
    }
    alea_xcsp3_clear(&instance, mem);
  }
  alea_text_clear(&out);
  alea_diag_clear(&diag);
  return status;
}

/* Whether the instance is a valid one. */
static bool starve(const char *name) {
  size_t length;
  char *text = load_file(&length, "%s/tests/fuzz/corpus/xcsp3/%s", ALEA_SOURCE_DIR, name);
  assert_non_null(text);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  bool valid = attempt(&mem, text, length) == ALEA_OK; /* what fuzzing found may be refused */
  bool done = !valid;
  for (uint64_t n = 1; !done && n < 5000; n++) {
    alea_mem_init(&mem, 0);
    mem.fail_in = n;
    alea_status status = attempt(&mem, text, length);
    assert_int_equal(mem.used, 0);
    done = status == ALEA_OK;
    /* The JSON reader calls a lack of memory a mistake with that name. */
    if (!done && status != ALEA_SYSTEM && status != ALEA_INPUT)
      fail_msg("%s, allocation %d: status %d", name, (int)n, (int)status);
  }
  if (!done) fail_msg("%s never succeeds", name);
  free(text);
  return valid;
}

static void instances_starve(void **state) {
  (void)state;
  DIR *folder = opendir(ALEA_SOURCE_DIR "/tests/fuzz/corpus/xcsp3");
  assert_non_null(folder);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
    if (strstr(entry->d_name, ".xml") != NULL) count += starve(entry->d_name);
  closedir(folder);
  assert_true(count >= LEAST_INSTANCES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(instances_starve)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
