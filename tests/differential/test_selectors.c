/* Exclusive fluents and what they choose: a king among rooks, and behind men. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "propnet/graph.h"
#include "support/ground_maker.h"

#define KING_AND_ROOKS ALEA_SOURCE_DIR "/tests/differential/king-and-rooks.kif"
#define KING_AND_MEN ALEA_SOURCE_DIR "/tests/differential/king-and-men.kif"
enum { SQUARES = 64, LINE = 12, PLAYS = 40, STEPS = 30, POSITIONS = 4000 };

typedef struct table {
  alea_mem mem;
  alea_diag diag;
  alea_ground *ground;
  alea_graph graph; /* simplified, not compressed */
  alea_net *plain;
  uint32_t kings[SQUARES], rooks[SQUARES]; /* nodes */
  uint32_t king_count;
  uint32_t checks[LINE]; /* nodes; the rook that was dropped last */
  uint32_t check_count;
} table;

static void begin(table *t, const char *path) {
  memset(t, 0, sizeof *t);
  alea_mem_init(&t->mem, 0);
  alea_diag_init(&t->diag, &t->mem);
  t->ground = ground_from_file(path, &t->mem, &t->diag);
  assert_non_null(t->ground);
  alea_net_options plain = {.plain = true};
  assert_int_equal(alea_net_new(&t->plain, t->ground, &plain, &t->mem, &t->diag), ALEA_OK);
  unsigned what = ALEA_REBUILD_FLATTEN | ALEA_REBUILD_DEEP | ALEA_REBUILD_MOVES;
  alea_graph_init(&t->graph, t->ground, &t->mem);
  assert_int_equal(alea_graph_from_ground(&t->graph), ALEA_OK);
  assert_int_equal(alea_graph_rebuild(&t->graph, what, &t->diag), ALEA_OK);
}

static void find_pieces(table *t) {
  t->king_count = SQUARES;
  for (uint32_t i = 0; i < SQUARES; i++) {
    char name[] = "(king 0 0)";
    name[6] = (char)('1' + i / 8), name[8] = (char)('1' + i % 8);
    t->kings[i] = 1 + alea_net_find_fluent(t->plain, name);
    memcpy(name + 1, "rook", 4);
    t->rooks[i] = 1 + alea_net_find_fluent(t->plain, name);
  }
}

static void find_king_on_line(table *t) {
  t->king_count = t->check_count = LINE;
  for (uint32_t i = 0; i < LINE; i++) {
    char name[32];
    snprintf(name, sizeof name, "(cell %u k)", i + 1);
    t->kings[i] = 1 + alea_net_find_fluent(t->plain, name);
    snprintf(name, sizeof name, "(check %u)", i + 1);
    t->checks[i] = 1 + alea_net_find_fluent(t->plain, name);
    snprintf(name, sizeof name, "(cell %u r)", i + 1);
    t->rooks[i] = 1 + alea_net_find_fluent(t->plain, name);
  }
}

static void end(table *t) {
  alea_graph_clear(&t->graph);
  alea_net_free(t->plain);
  alea_ground_free(t->ground);
  alea_diag_clear(&t->diag);
  assert_int_equal(t->mem.used, 0);
}

/* There is one king: it leaves where it comes from.  Rooks are many. */
static void what_is_exclusive_is_proved(void **state) {
  (void)state;
  table t;
  bool proved = false;
  begin(&t, KING_AND_ROOKS);
  find_pieces(&t);
  assert_int_equal(alea_graph_prove_exclusive(&t.graph, t.kings, SQUARES, &proved), ALEA_OK);
  assert_true(proved);
  assert_int_equal(alea_graph_prove_exclusive(&t.graph, t.rooks, SQUARES, &proved), ALEA_OK);
  assert_false(proved);
  /* Two kings and a rook that is not there at the start. */
  uint32_t mixed[3] = {t.kings[0], t.kings[5], t.rooks[60]};
  assert_int_equal(alea_graph_prove_exclusive(&t.graph, mixed, 3, &proved), ALEA_OK);
  assert_false(proved);
  end(&t);
}

static bool holds(const uint8_t *values, alea_lit lit) { return values[lit >> 1] != (lit & 1); }

/* A legal move of each role, as values of moves. */
static void choose_moves(const alea_net *net, uint8_t *values, alea_rng *rng) {
  memset(values + 1 + net->fluent_count, 0, net->move_count);
  for (uint32_t r = 0; r < net->role_count; r++) {
    uint32_t legal = 0, chosen = 0;
    for (uint32_t m = net->move_first[r]; m < net->move_first[r + 1]; m++)
      if (holds(values, net->legal[m]) && alea_rng_below(rng, ++legal) == 0) chosen = m;
    assert_true(legal > 0);
    values[1 + net->fluent_count + chosen] = 1;
  }
}

/* Random plays, every root of 'net' compared with those of the plain network. */
static void compare(const alea_net *plain, const alea_net *net, alea_mem *mem) {
  size_t nodes = (size_t)plain->first_gate + plain->gate_count;
  size_t others = (size_t)net->first_gate + net->gate_count;
  uint8_t *a = alea_mem_calloc(mem, nodes, 1), *b = alea_mem_calloc(mem, others, 1);
  alea_rng rng;
  alea_rng_seed_stream(&rng, 1, 0);
  for (int play = 0; play < PLAYS; play++) {
    memcpy(a + 1, plain->init, plain->fluent_count);
    for (int step = 0; step < STEPS; step++) {
      a[0] = 1;
      memset(a + 1 + plain->fluent_count, 0, plain->move_count);
      alea_net_evaluate(plain, a);
      if (holds(a, plain->terminal)) break;
      choose_moves(plain, a, &rng);
      alea_net_evaluate(plain, a);
      memcpy(b, a, plain->first_gate);
      alea_net_evaluate(net, b);
      assert_false(holds(b, net->terminal));
      for (uint32_t m = 0; m < net->move_count; m++)
        assert_int_equal(holds(a, plain->legal[m]), holds(b, net->legal[m]));
      uint8_t next[256];
      assert_true(net->fluent_count < sizeof next);
      for (uint32_t f = 0; f < net->fluent_count; f++) {
        next[f] = holds(a, plain->next[f]);
        assert_int_equal(next[f], holds(b, net->next[f]));
      }
      memcpy(a + 1, next, net->fluent_count);
    }
  }
  alea_mem_free(mem, a, nodes);
  alea_mem_free(mem, b, others);
}

static void choose_one(const uint32_t *family, uint32_t count, uint8_t *values, alea_rng *rng) {
  for (uint32_t k = 0; k < count; k++) values[family[k]] = 0;
  if (count > 0 && alea_rng_below(rng, 16) > 0) values[family[alea_rng_below(rng, count)]] = 1;
}

/* Random values of fluents, those whose names end alike equally often; of exclusive ones at most
 * one holds. */
static void choose_position(const table *t, uint8_t *values, alea_rng *rng) {
  uint32_t often[256];
  const uint32_t choices[] = {0, 1, 4, 7, 8};
  for (uint32_t c = 0; c < 256; c++) often[c] = choices[alea_rng_below(rng, 5)];
  for (uint32_t f = 1; f <= t->plain->fluent_count; f++) {
    const char *name = t->plain->fluent_text[f - 1];
    values[f] = alea_rng_below(rng, 8) < often[(uint8_t)name[strlen(name) - 2]];
  }
  choose_one(t->kings, t->king_count, values, rng);
  choose_one(t->checks, t->check_count, values, rng);
  for (uint32_t k = 0; k < t->check_count; k++)
    if (values[t->checks[k]]) values[t->rooks[k]] = 1;
}

/* Any position in which exclusive fluents are will do, whether it can be reached or not. */
static void compare_anywhere(const table *t, const alea_net *net, alea_mem *mem) {
  const alea_net *plain = t->plain;
  size_t nodes = (size_t)plain->first_gate + plain->gate_count;
  size_t others = (size_t)net->first_gate + net->gate_count;
  uint8_t *a = alea_mem_calloc(mem, nodes, 1), *b = alea_mem_calloc(mem, others, 1);
  alea_rng rng;
  alea_rng_seed_stream(&rng, 2, 0);
  for (uint32_t position = 0; position < POSITIONS; position++) {
    a[0] = 1;
    choose_position(t, a, &rng);
    memcpy(b, a, plain->first_gate);
    alea_net_evaluate(plain, a);
    alea_net_evaluate(net, b);
    assert_int_equal(holds(a, plain->terminal), holds(b, net->terminal));
    for (uint32_t m = 0; m < net->move_count; m++)
      assert_int_equal(holds(a, plain->legal[m]), holds(b, net->legal[m]));
  }
  alea_mem_free(mem, a, nodes);
  alea_mem_free(mem, b, others);
}

/* Selects in the network of a game, of which one part in 'parts' at least must go, and compares. */
static void select_and_compare(const char *path, void (*find)(table *), uint64_t parts) {
  table t;
  alea_net *net = NULL;
  unsigned what = ALEA_REBUILD_FLATTEN | ALEA_REBUILD_DEEP | ALEA_REBUILD_MOVES;
  begin(&t, path);
  find(&t);
  uint64_t before = alea_graph_cost(&t.graph);
  assert_int_equal(alea_graph_select(&t.graph, NULL), ALEA_OK);
  assert_int_equal(alea_graph_rebuild(&t.graph, what, &t.diag), ALEA_OK);
  uint64_t after = alea_graph_cost(&t.graph);
  print_message("%llu two-input gates, %llu before\n", (unsigned long long)after,
                (unsigned long long)before);
  assert_true(parts * after < (parts - 1) * before);
  assert_int_equal(alea_graph_freeze(&t.graph, &net, &t.diag), ALEA_OK);
  alea_net_check(net);
  compare(t.plain, net, &t.mem);
  compare_anywhere(&t, net, &t.mem);
  alea_net_free(net);
  end(&t);
}

/* What a king on some square may not do is asked once, and not once for each square. */
static void what_is_chosen_is_asked_once(void **state) {
  (void)state;
  select_and_compare(KING_AND_ROOKS, find_pieces, 3);
}

/* What uncovers an attack is asked once for each man, not once for each way to block another. */
static void what_alternatives_share_is_asked_once(void **state) {
  (void)state;
  select_and_compare(KING_AND_MEN, find_king_on_line, 10);
}

/* Whatever allocation fails, it is said, and nothing is lost. */
static void fail_everywhere(const char *path) {
  uint64_t fail_in = 1;
  for (bool failed = true; failed; fail_in += 1 + fail_in / 4) {
    table t;
    begin(&t, path);
    t.mem.fail_in = fail_in;
    alea_status status = alea_graph_select(&t.graph, NULL);
    failed = status != ALEA_OK;
    if (failed) assert_int_equal(status, alea_mem_lack(&t.mem));
    t.mem.fail_in = 0;
    end(&t);
  }
  assert_true(fail_in > 20);
}

static void missing_memory_is_a_status(void **state) {
  (void)state;
  fail_everywhere(KING_AND_ROOKS);
  fail_everywhere(KING_AND_MEN);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_exclusive_is_proved),
                                     cmocka_unit_test(what_is_chosen_is_asked_once),
                                     cmocka_unit_test(what_alternatives_share_is_asked_once),
                                     cmocka_unit_test(missing_memory_is_a_status)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
