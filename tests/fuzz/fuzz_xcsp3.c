/* Fuzz target of the XCSP3 reader: any bytes are read; what is accepted is
 * solved for a moment, checked, written and read again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/mutate.h"
#include "scsp/xcsp3.h"

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

/* What we write we read again; only numbers that no list holds are refused. */
static void read_again(const alea_text *text, alea_mem *mem) {
  alea_xcsp3 again;
  alea_diag diag;
  alea_diag_init(&diag, mem);
  alea_status status = alea_xcsp3_read(&again, mem, text->data, text->length, "again", &diag);
  bool number = diag.entries.count > 0 && strcmp(diag.entries.data[0].code, "bad-number") == 0;
  if (status != ALEA_OK && !number && !mem->hit_limit && diag.entries.count > 0)
    fprintf(stderr, "%s\n%s", diag.entries.data[0].message, text->data);
  require(status == ALEA_OK || number || mem->hit_limit, "what is written is read again");
  if (status == ALEA_OK) alea_xcsp3_clear(&again, mem);
  alea_diag_clear(&diag);
}

static void use_csp(alea_csp *csp) {
  alea_csp_options options = alea_csp_defaults();
  alea_csp_result result;
  options.max_nodes = 200;
  options.on_solution = check_solution;
  options.data = csp;
  options.deadline = alea_deadline_in(2);
  alea_csp_solve(csp, &options, &result);
}

static void use(alea_xcsp3 *instance, alea_mem *mem) {
  alea_text text;
  alea_status status;
  const char *why;
  alea_text_init(&text, mem);
  if (instance->quantifiers.count != 0) {
    alea_strategic *s = alea_xcsp3_take_strategic(instance, mem);
    alea_strategic_options options = {
        .max_nodes = 100, .one_way = true, .deadline = alea_deadline_in(2)};
    alea_strategic_result result;
    if (s == NULL) return;
    alea_strategic_solve(s, &options, &result);
    status = alea_xcsp3_write_strategic(s, &text);
    if (status == ALEA_OK) read_again(&text, mem);
    alea_strategic_free(s);
  } else if (instance->chances.count != 0) {
    alea_scsp *s = alea_xcsp3_take_scsp(instance, mem);
    alea_scsp_options options = {.max_nodes = 100, .deadline = alea_deadline_in(2)};
    alea_scsp_result result;
    if (s == NULL) return;
    alea_scsp_solve(s, &options, &result);
    status = alea_xcsp3_write_scsp(s, &text, &why);
    if (status == ALEA_OK) read_again(&text, mem);
    alea_scsp_free(s);
  } else {
    use_csp(instance->csp);
    if (alea_xcsp3_write(instance->csp, NULL, &text) == ALEA_OK) read_again(&text, mem);
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
    fuzz_note(true);
    use(&instance, &mem);
    alea_xcsp3_clear(&instance, &mem);
  } else {
    fuzz_note(false);
    require(diag.entries.count > 0 || mem.hit_limit, "a refusal says why");
  }
  alea_diag_clear(&diag);
  require(mem.used == 0, "nothing leaks");
  return 0;
}
