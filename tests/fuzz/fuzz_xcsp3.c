/* Fuzz target of the XCSP3 reader: any bytes are read; what is accepted is
 * solved for a moment, checked, written and read again. */
#include <stdio.h>
#include <stdlib.h>

#include "csp/xcsp3.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY_LIMIT ((size_t)256 << 20)

/* Not assert: must hold in release builds too. */
static void require(bool condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "not so: %s\n", what);
  abort();
}

static bool check_solution(void *data, const int32_t *values) {
  require(alea_csp_check(data, values), "a solution meets the constraints");
  return true;
}

static void use(alea_csp *csp, alea_mem *mem) {
  alea_csp_options options = alea_csp_defaults();
  alea_csp_result result;
  options.max_nodes = 200;
  options.on_solution = check_solution;
  options.data = csp;
  alea_csp_solve(csp, &options, &result);
  alea_text text;
  alea_text_init(&text, mem);
  if (alea_xcsp3_write(csp, NULL, &text) == ALEA_OK) {
    alea_xcsp3 again;
    alea_status status = alea_xcsp3_read(&again, mem, text.data, text.length, "again", NULL);
    if (status == ALEA_OK) alea_xcsp3_clear(&again, mem);
  }
  alea_text_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  alea_mem mem;
  alea_diag diag;
  alea_xcsp3 instance;
  alea_mem_init(&mem, MEMORY_LIMIT);
  alea_diag_init(&diag, &mem);
  if (alea_xcsp3_read(&instance, &mem, (const char *)data, size, "fuzz", &diag) == ALEA_OK) {
    use(instance.csp, &mem);
    alea_xcsp3_clear(&instance, &mem);
  } else {
    require(diag.entries.count > 0 || mem.hit_limit, "a refusal says why");
  }
  alea_diag_clear(&diag);
  require(mem.used == 0, "nothing leaks");
  return 0;
}
