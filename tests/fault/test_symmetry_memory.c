/* Symmetries that the rules do not show, without memory: the N-th allocation
 * fails, for many N; nothing leaks, nothing crashes, every failure is a status. */
#include <stdlib.h>

#include "cmocka_all.h"
#include "support/load.h"
#include "symmetry/semantic_symmetry.h"

typedef struct base {
  alea_mem mem; /* of what is not under test */
  alea_program *program;
  alea_ground *ground;
  alea_symmetry *graph;
  alea_net *net;
} base;

static void open_base(base *b, const char *name) {
  size_t length;
  char *text = load_file(&length, "%s/tests/differential/%s.kif", ALEA_SOURCE_DIR, name);
  alea_net_options every_rule = {.plain = true, .any_move = true};
  assert_non_null(text);
  *b = (base){0};
  alea_mem_init(&b->mem, 0);
  assert_int_equal(alea_program_new(&b->program, text, length, name, NULL, &b->mem, NULL), ALEA_OK);
  assert_int_equal(
      alea_ground_new(&b->ground, b->program, &(alea_ground_options){.plain = true}, &b->mem, NULL),
      ALEA_OK);
  assert_int_equal(alea_symmetry_new(&b->graph, b->ground, NULL, &b->mem), ALEA_OK);
  assert_int_equal(alea_net_new(&b->net, b->ground, &every_rule, &b->mem, NULL), ALEA_OK);
  free(text);
}

static void close_base(base *b) {
  alea_net_free(b->net);
  alea_symmetry_free(b->graph);
  alea_ground_free(b->ground);
  alea_program_free(b->program);
  assert_int_equal(b->mem.used, 0);
}

static alea_status find(const base *b, alea_mem *mem) {
  alea_semantic_symmetry symmetry;
  alea_semantic_options options = {.seed = 1, .states = 64, .exchange = true};
  alea_status status = alea_semantic_symmetry_init(&symmetry, b->program, b->ground, b->net,
                                                   b->graph, &options, mem);
  if (status == ALEA_OK) assert_true(symmetry.kept.rules > 1);
  alea_semantic_symmetry_clear(&symmetry);
  assert_int_equal(mem->used, 0);
  return status;
}

static void allocations_fail(void **state) {
  static const char *const games[] = {"hex-3x3", "reversi-4x4"};
  (void)state;
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    base b;
    open_base(&b, games[i]);
    unsigned failures = 0;
    for (uint64_t n = 1;; n += 1 + n / 6) {
      alea_mem mem;
      alea_mem_init(&mem, 0);
      mem.fail_in = n;
      alea_status status = find(&b, &mem);
      if (status == ALEA_OK) break;
      assert_int_equal(status, ALEA_SYSTEM);
      failures++;
    }
    print_message("%s: %u failures\n", games[i], failures);
    assert_true(failures > 20);
    close_base(&b);
  }
}

static void limits_are_kept(void **state) {
  (void)state;
  base b;
  open_base(&b, "hex-3x3");
  bool done = false;
  for (size_t limit = 1024; !done; limit *= 2) {
    alea_mem mem;
    alea_mem_init(&mem, limit);
    alea_status status = find(&b, &mem);
    assert_true(status == ALEA_OK || status == ALEA_LIMIT);
    done = status == ALEA_OK;
  }
  close_base(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(allocations_fail),
                                     cmocka_unit_test(limits_are_kept)};
  return cmocka_run_group_tests_name("symmetry_memory", tests, NULL, NULL);
}
