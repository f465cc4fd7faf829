/* Fuzz target of our JSON form: any bytes are read as a network of any type;
 * what is accepted is solved for a moment, written and read again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csp/json.h"
#include "fuzz/mutate.h"
#include "scsp/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY_LIMIT ((size_t)256 << 20)

/* Not assert: must hold in release builds too. */
static void require(bool condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "not so: %s\n", what);
  abort();
}

typedef struct instance {
  alea_csp *csp;
  alea_strategic *strategic;
  alea_scsp *scsp;
  alea_process *process;
} instance;

static alea_status read_instance(alea_mem *mem, const json_t *root, alea_diag *diag, instance *in) {
  const char *type = json_string_value(json_object_get(root, "type"));
  alea_status status = ALEA_INPUT;
  *in = (instance){0};
  if (type == NULL) return ALEA_USAGE;
  if (strcmp(type, "strategic") == 0)
    in->strategic = alea_strategic_read_json(mem, root, "fuzz", diag, &status);
  else if (strcmp(type, "scsp") == 0)
    in->scsp = alea_scsp_read_json(mem, root, "fuzz", diag, &status);
  else if (strcmp(type, "process") == 0)
    in->process = alea_process_read_json(mem, root, "fuzz", diag, &status);
  else
    in->csp = alea_csp_read_json(mem, root, "fuzz", diag, &status);
  return status;
}

static void clear_instance(instance *in) {
  alea_csp_free(in->csp);
  alea_strategic_free(in->strategic);
  alea_scsp_free(in->scsp);
  if (in->process != NULL) alea_process_free(in->process);
}

static bool check_solution(void *data, const int32_t *values) {
  require(alea_csp_check(data, values), "a solution meets the constraints");
  return true;
}

static void solve(const instance *in) {
  if (in->csp != NULL) {
    alea_csp_result result;
    alea_csp_options options = {.max_nodes = 200,
                                .seed = 1,
                                .on_solution = check_solution,
                                .data = in->csp,
                                .deadline = alea_deadline_in(2)};
    alea_csp_solve(in->csp, &options, &result);
  } else if (in->strategic != NULL) {
    alea_strategic_result result;
    alea_strategic_options options = {.max_nodes = 100,
                                      .one_way = true,
                                      .table = true,
                                      .early = true,
                                      .table_bytes = 1 << 16,
                                      .deadline = alea_deadline_in(2)};
    alea_strategic_solve(in->strategic, &options, &result);
  } else {
    alea_scsp_result result;
    alea_scsp_options options = {.max_nodes = 100, .deadline = alea_deadline_in(2)};
    if (in->scsp != NULL)
      alea_scsp_solve(in->scsp, &options, &result);
    else
      alea_process_solve(in->process, 2, &options, &result);
  }
}

static json_t *write_instance(const instance *in) {
  if (in->csp != NULL) return alea_csp_write_json(in->csp);
  if (in->strategic != NULL) return alea_strategic_write_json(in->strategic);
  return in->scsp != NULL ? alea_scsp_write_json(in->scsp) : alea_process_write_json(in->process);
}

static void read_again(const instance *in, alea_mem *mem) {
  instance again = {0};
  alea_diag diag;
  json_t *root = write_instance(in);
  alea_diag_init(&diag, mem);
  alea_status status = root != NULL ? read_instance(mem, root, &diag, &again) : ALEA_SYSTEM;
  if (status != ALEA_OK && diag.entries.count > 0)
    fprintf(stderr, "%s\n", diag.entries.data[0].message);
  require(status == ALEA_OK || mem->hit_limit, "what is written is read again");
  clear_instance(&again);
  json_decref(root);
  alea_diag_clear(&diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  alea_mem mem;
  alea_diag diag;
  instance in = {0};
  alea_mem_init(&mem, MEMORY_LIMIT);
  alea_diag_init(&diag, &mem);
  csp_json r = {.mem = &mem, .diag = &diag, .file = "fuzz"};
  bool limit;
  json_t *root = csp_json_parse(&r, (const char *)data, size, &limit);
  if (root != NULL) {
    alea_status status = read_instance(&mem, root, &diag, &in);
    fuzz_note(status == ALEA_OK);
    if (status == ALEA_OK) {
      solve(&in);
      read_again(&in, &mem);
    } else {
      require(status == ALEA_USAGE || diag.entries.count > 0 || mem.hit_limit,
              "a refusal says why");
    }
    clear_instance(&in);
  } else {
    fuzz_note(false);
  }
  json_decref(root);
  alea_diag_clear(&diag);
  require(mem.used == 0, "nothing leaks");
  return 0;
}
