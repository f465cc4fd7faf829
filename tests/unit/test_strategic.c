/* Strategic CSP: models of [STRAT06 §3, §5] and their known answers (K8). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "models/strategic.h"

static const alea_strategic_options plain = {0};
static const alea_strategic_options extras = {.one_way = true,
                                              .table = true,
                                              .order = true,
                                              .symmetry = true,
                                              .early = true,
                                              .table_bytes = 1 << 24};

static alea_status answer(alea_strategic *strategic, const alea_strategic_options *options) {
  alea_strategic_result result;
  return alea_strategic_solve(strategic, options, &result);
}

static void tictactoe(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  static const struct {
    int model;
    bool closed;
    alea_status expected;
  } cases[] = {{1, false, ALEA_OK}, {1, true, ALEA_NO}, {2, false, ALEA_NO}, {2, true, ALEA_NO}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    alea_strategic *s = alea_model_tictactoe(&mem, cases[i].model, cases[i].closed);
    assert_int_equal(answer(s, &plain), cases[i].expected);
    assert_int_equal(answer(s, &extras), cases[i].expected);
    alea_strategic_free(s);
  }
  assert_int_equal(mem.used, 0);
}

/* Player 1 wins for 1, 2, 4 and 8 tokens; read as a QCSP the game is false
 * from two tokens on, since player 2 may take a taken token. */
static void tokens(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (uint32_t k = 1; k <= 9; k++) {
    bool wins = k == 1 || k == 2 || k == 4 || k == 8;
    alea_strategic *s = alea_model_tokens(&mem, k);
    assert_int_equal(answer(s, &plain), wins ? ALEA_OK : ALEA_NO);
    assert_int_equal(answer(s, &(alea_strategic_options){.classical = true}),
                     k == 1 ? ALEA_OK : ALEA_NO);
    alea_strategic_free(s);
  }
  assert_int_equal(mem.used, 0);
}

typedef struct board {
  uint32_t size, line, vars, constraints;
  bool wins, plain; /* plain: also without the extras */
} board;

static const board boards[] = {
    {2, 2, 15, 27, true, true},    {3, 2, 39, 110, true, true},     {5, 2, 123, 720, true, true},
    {6, 2, 183, 1439, true, true}, {7, 2, 255, 2602, true, true},   {3, 3, 27, 98, false, true},
    {4, 3, 57, 295, true, true},   {5, 3, 99, 696, true, false},    {6, 3, 153, 1409, true, false},
    {4, 4, 43, 281, false, true},  {5, 4, 79, 676, false, false},   {6, 4, 127, 1383, false, false},
    {5, 5, 63, 660, false, false}, {6, 5, 105, 1361, false, false}, {4, 2, 75, 313, true, true},
};

static void connect(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
    const board *b = &boards[i];
    alea_strategic *s = alea_model_connect(&mem, b->size, b->size, b->line);
    uint32_t k = b->size, n = k - b->line + 1, lines = 2 * k * n + 2 * n * n;
    assert_int_equal(alea_csp_var_count(alea_strategic_network(s)), 2 * k * k + lines + 1);
    assert_int_equal(alea_strategic_constraints(s), k * k * k * k + k * (k - 1) + lines + 3);
    assert_int_equal(alea_csp_var_count(alea_strategic_network(s)), b->vars);
    assert_int_equal(alea_strategic_constraints(s), b->constraints);
    alea_status expected = b->wins ? ALEA_OK : ALEA_NO;
    assert_int_equal(answer(s, &extras), expected);
    if (b->plain) assert_int_equal(answer(s, &plain), expected);
    alea_strategic_free(s);
  }
  assert_int_equal(mem.used, 0);
}

/* The ranks as printed: where the table of the paper has T, (2,2) has no
 * solution (D41). */
static void connect_as_printed(void **state) {
  (void)state;
  static const struct {
    const char *name;
    alea_status expected;
  } cases[] = {{"connect-printed:2:2", ALEA_NO}, {"connect-printed:3:2", ALEA_OK},
               {"connect-printed:5:2", ALEA_OK}, {"connect-printed:3:3", ALEA_NO},
               {"connect-printed:4:3", ALEA_OK}, {"connect-printed:4:4", ALEA_NO}};
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    alea_strategic *s = alea_model_strategic(&mem, cases[i].name);
    assert_int_equal(alea_strategic_get_check(s), ALEA_STRATEGIC_EXACT);
    assert_int_equal(answer(s, &extras), cases[i].expected);
    assert_int_equal(answer(s, &plain), cases[i].expected);
    alea_strategic_free(s);
  }
  assert_int_equal(mem.used, 0);
}

/* The models test by propagation alone.  The check by search visits the same
 * nodes, so propagation misses no inconsistent value; by the letter of
 * definition 2 an illegal move wins. */
static void propagation_suffices_for_the_models(void **state) {
  (void)state;
  static const char *const names[] = {
      "tokens:5",    "tokens:8",    "tictactoe:1", "tictactoe:1:closed", "tictactoe:2",
      "connect:2:2", "connect:3:3", "connect:4:3", "connect:4:4",        "connect:5:3"};
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    alea_strategic *s = alea_model_strategic(&mem, names[i]);
    alea_strategic_result by_ac, by_search;
    assert_int_equal(alea_strategic_get_check(s), ALEA_STRATEGIC_AC);
    alea_strategic_solve(s, &extras, &by_ac);
    alea_strategic_set_check(s, ALEA_STRATEGIC_EXACT);
    alea_strategic_solve(s, &extras, &by_search);
    assert_int_equal(by_ac.status, by_search.status);
    assert_int_equal(by_ac.nodes, by_search.nodes);
    alea_strategic_set_existential(s, ALEA_STRATEGIC_DEFINITION);
    assert_int_equal(answer(s, &extras), ALEA_OK);
    alea_strategic_free(s);
  }
  assert_int_equal(mem.used, 0);
}

/* y = 1 leaves two values for three variables that must differ in pairs, which
 * arc consistency accepts.  Only y = 0 is consistent, so "for all y" holds. */
static void propagation_alone_can_be_wrong(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_strategic *s = alea_strategic_new(&mem);
  alea_csp *csp = alea_strategic_network(s);
  alea_csp_var y = alea_csp_range(csp, "y", 0, 1), x[3];
  for (int i = 0; i < 3; i++) {
    x[i] = alea_csp_range(csp, (const char *[]){"a", "b", "c"}[i], 0, 2);
    alea_csp_clause(csp, (alea_csp_lit[]){{y, 0, false}, {x[i], 2, true}}, 2);
  }
  for (int i = 0; i < 3; i++)
    alea_csp_linear(csp, (alea_csp_var[]){x[i], x[(i + 1) % 3]}, (int64_t[]){1, -1}, 2, ALEA_NE, 0);
  alea_strategic_quantify(s, y, true);
  assert_int_equal(answer(s, &plain), ALEA_OK);
  assert_int_equal(answer(s, &extras), ALEA_OK);
  alea_strategic_set_check(s, ALEA_STRATEGIC_AC);
  assert_int_equal(answer(s, &plain), ALEA_NO);
  alea_strategic_set_classical(s, true);
  assert_int_equal(answer(s, &plain), ALEA_NO);
  alea_strategic_free(s);
  assert_int_equal(mem.used, 0);
}

/* A check by search that takes too long ends at the deadline:
 * fourteen pigeons in thirteen holes, pair by pair. */
static void a_long_check_ends_in_time(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_strategic *s = alea_strategic_new(&mem);
  alea_csp *csp = alea_strategic_network(s);
  alea_csp_var y = alea_csp_range(csp, "y", 0, 1), x[14];
  for (int i = 0; i < 14; i++) {
    x[i] = alea_csp_range(csp, "x", 0, 12);
    for (int j = 0; j < i; j++)
      alea_csp_linear(csp, (alea_csp_var[]){x[i], x[j]}, (int64_t[]){1, -1}, 2, ALEA_NE, 0);
  }
  alea_strategic_quantify(s, y, true);
  assert_int_equal(answer(s, &(alea_strategic_options){.deadline = alea_deadline_in(0.05)}),
                   ALEA_LIMIT);
  alea_strategic_free(s);
  assert_int_equal(mem.used, 0);
}

/* Nor may many values take longer than that, each of which has to be tried: a domain of 65,536, of
 * which any may be chosen four times. */
static void many_values_end_in_time(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_strategic *s = alea_strategic_new(&mem);
  alea_csp *csp = alea_strategic_network(s);
  alea_csp_var x[4], state_var = alea_csp_range(csp, "s", 0, 1);
  for (int i = 0; i < 4; i++) {
    x[i] = alea_csp_range(csp, "x", 0, 65535);
    alea_csp_linear(csp, (alea_csp_var[]){x[i], state_var}, (int64_t[]){2, 3}, 2, ALEA_NE, 1);
    alea_strategic_quantify(s, x[i], true);
  }
  for (int symmetry = 0; symmetry < 2; symmetry++) {
    alea_strategic_options options = {.order = true,
                                      .table = true,
                                      .early = true,
                                      .symmetry = symmetry != 0,
                                      .table_bytes = 1 << 16,
                                      .deadline = alea_deadline_in(0.2)};
    double start = alea_clock_thread();
    assert_int_equal(answer(s, &options), ALEA_LIMIT);
    assert_true(alea_clock_thread() - start < 2);
  }
  alea_strategic_free(s);
  assert_int_equal(mem.used, 0);
}

/* Each extra alone leaves the answers alone. */
static void extras_change_no_answer(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (uint32_t bits = 0; bits < 32; bits++)
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
      const board *b = &boards[i];
      if (b->size > 4) continue;
      alea_strategic_options options = {.one_way = bits & 1,
                                        .table = bits & 2,
                                        .order = bits & 4,
                                        .symmetry = bits & 8,
                                        .early = bits & 16,
                                        .table_bytes = 1 << 20};
      alea_strategic *s = alea_model_connect(&mem, b->size, b->size, b->line);
      assert_int_equal(answer(s, &options), b->wins ? ALEA_OK : ALEA_NO);
      alea_strategic_free(s);
    }
  assert_int_equal(mem.used, 0);
}

static void the_board_has_one_mirror(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_strategic *s = alea_model_connect(&mem, 4, 4, 3);
  alea_strategic_result result;
  alea_strategic_solve(s, &extras, &result);
  assert_int_equal((int)result.symmetries, 2);
  alea_strategic_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tictactoe),
                                     cmocka_unit_test(tokens),
                                     cmocka_unit_test(connect),
                                     cmocka_unit_test(connect_as_printed),
                                     cmocka_unit_test(propagation_suffices_for_the_models),
                                     cmocka_unit_test(propagation_alone_can_be_wrong),
                                     cmocka_unit_test(a_long_check_ends_in_time),
                                     cmocka_unit_test(many_values_end_in_time),
                                     cmocka_unit_test(extras_change_no_answer),
                                     cmocka_unit_test(the_board_has_one_mirror)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
