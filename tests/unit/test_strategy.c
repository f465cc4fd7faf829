/* Strategies of strategic networks: every row of the paper's table that is
 * small enough, and the game of tokens, replayed against every answer. */
#include "csp/strategy.h"

#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "models/strategic.h"

static const alea_strategic_options extended = {.one_way = true,
                                                .table = true,
                                                .order = true,
                                                .symmetry = true,
                                                .early = true,
                                                .table_bytes = 1 << 24};
static const alea_strategic_options on_bits = {.one_way = true,
                                               .table = true,
                                               .order = true,
                                               .symmetry = true,
                                               .early = true,
                                               .bits = true,
                                               .table_bytes = 1 << 24};

/* Replays the strategy of a model; returns the number of positions. */
static uint64_t replay(const char *name, bool exists, const alea_strategic_options *options) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_strategic *strategic = alea_model_strategic(&mem, name);
  assert_non_null(strategic);
  alea_strategic_walk *walk;
  assert_int_equal(alea_strategic_walk_new(&walk, strategic, options), ALEA_OK);
  bool answer;
  assert_int_equal(alea_strategic_walk_answer(walk, &answer), ALEA_OK);
  assert_int_equal(answer, exists);
  uint64_t positions, plays;
  alea_text why;
  alea_text_init(&why, &mem);
  alea_status status = alea_strategy_verify(strategic, walk, &positions, &plays, &why);
  if (status != ALEA_OK) fail_msg("%s: %s", name, alea_text_string(&why));
  assert_true(plays > 0 && positions >= plays);
  assert_int_equal(alea_strategic_walk_count(walk), 0);
  alea_text_clear(&why);
  alea_strategic_walk_free(walk);
  alea_strategic_free(strategic);
  assert_int_equal(mem.used, 0);
  return positions;
}

static void strategies(void **state) {
  (void)state;
  static const struct {
    const char *model;
    bool exists, domains; /* domains: the other search finds it quickly, too */
  } models[] = {{"connect:2:2", true, true},
                {"connect:3:2", true, true},
                {"connect:5:2", true, true},
                {"connect:6:2", true, false},
                {"connect:7:2", true, false},
                {"connect:3:3", false, true},
                {"connect:4:3", true, true},
                {"connect:5:3", true, false},
                {"connect:6:3", true, false},
                {"connect:4:4", false, true},
                {"connect-printed:2:2", false, true},
                {"connect-printed:3:2", true, true},
                {"connect-printed:3:3", false, true},
                {"connect-hold:4:4", true, true},
                {"connect-hold:4x3:3", true, true},
                {"tictactoe:2", false, false},
                {"tictactoe:1:closed", false, false},
                {"tokens:4", true, false},
                {"tokens:5", false, false}};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    replay(models[i].model, models[i].exists, &on_bits);
    if (models[i].domains) replay(models[i].model, models[i].exists, &extended);
  }
  if (getenv("ALEA_FULL") == NULL) return;
  replay("connect:5:4", false, &on_bits);
  replay("connect:5:5", false, &on_bits);
}

/* What is called equal in keys is believed only where the constraints say so:
 * with all ranks in one class the replay still meets every position. */
static void wrong_classes(void **state) {
  (void)state;
  uint64_t positions[2], plays;
  alea_mem mem;
  alea_text why;
  alea_mem_init(&mem, 0);
  alea_text_init(&why, &mem);
  for (int wrong = 0; wrong < 2; wrong++) {
    alea_strategic *s = alea_model_strategic(&mem, "connect:3:3");
    uint32_t one_class[32] = {0}, since[32] = {0};
    alea_strategic_walk *walk;
    for (alea_csp_var v = 0; v < 9 && wrong; v++) alea_strategic_class(s, v, one_class, since);
    assert_int_equal(alea_strategic_walk_new(&walk, s, &on_bits), ALEA_OK);
    assert_int_equal(alea_strategy_verify(s, walk, &positions[wrong], &plays, &why), ALEA_OK);
    alea_strategic_walk_free(walk);
    alea_strategic_free(s);
  }
  assert_true(positions[1] >= positions[0]);
  alea_text_clear(&why);
  assert_int_equal(mem.used, 0);
}

/* A guide that knows another game does not pass. */
static void wrong_guide(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  /* X, then Y for all values, then Z: here Z = Y must hold, there it must not. */
  alea_strategic *nets[2];
  for (int i = 0; i < 2; i++) {
    nets[i] = alea_strategic_new(&mem);
    alea_csp *csp = alea_strategic_network(nets[i]);
    alea_csp_var x = alea_csp_range(csp, "X", 0, 1), y = alea_csp_range(csp, "Y", 0, 1),
                 z = alea_csp_range(csp, "Z", 0, 1);
    alea_csp_table(csp, (alea_csp_var[]){y, z}, 2, (int32_t[]){0, i, 1, 1 - i}, 2, false);
    alea_strategic_quantify(nets[i], x, false);
    alea_strategic_quantify(nets[i], y, true);
    alea_strategic_quantify(nets[i], z, false);
  }
  alea_strategic_walk *walk;
  uint64_t positions, plays;
  alea_text why;
  alea_text_init(&why, &mem);
  assert_int_equal(alea_strategic_walk_new(&walk, nets[0], &extended), ALEA_OK);
  assert_int_equal(alea_strategy_verify(nets[0], walk, &positions, &plays, &why), ALEA_OK);
  assert_int_equal(alea_strategy_verify(nets[1], walk, &positions, &plays, &why), ALEA_NO);
  assert_non_null(strstr(alea_text_string(&why), "no solution after X="));
  alea_strategic_walk_free(walk);
  for (int i = 0; i < 2; i++) alea_strategic_free(nets[i]);
  alea_text_clear(&why);
  assert_int_equal(mem.used, 0);
}

static void trees(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_strategic *strategic = alea_model_strategic(&mem, "tokens:5");
  alea_strategic_walk *walk;
  alea_strategy strategy;
  alea_text text;
  assert_int_equal(alea_strategic_walk_new(&walk, strategic, &extended), ALEA_OK);
  alea_strategy_init(&strategy, strategic, &mem);
  alea_text_init(&text, &mem);
  assert_int_equal(alea_strategy_grow(&strategy, walk, 2), ALEA_OK);
  assert_false(strategy.exists);
  alea_strategy_print(&strategy, &text);
  /* Each of the first player's tokens has one answer. */
  assert_non_null(strstr(alea_text_string(&text), "X1=1, X2="));
  alea_text_truncate(&text, 0);
  alea_strategy_json(&strategy, &text);
  assert_non_null(strstr(alea_text_string(&text), "{\"variable\":\"X1\",\"values\":{\"1\":{"));
  alea_text_truncate(&text, 0);
  alea_strategy_svg(&strategy, &text);
  assert_non_null(strstr(alea_text_string(&text), "</svg>"));
  alea_strategy_clear(&strategy);
  /* From a position on. */
  alea_strategic_walk_push(walk, 1);
  alea_strategy_init(&strategy, strategic, &mem);
  assert_int_equal(alea_strategy_grow(&strategy, walk, 0), ALEA_OK);
  assert_int_equal(strategy.nodes.data[0].at, 1);
  assert_int_equal(strategy.nodes.data[0].edges, 1);
  alea_strategy_clear(&strategy);
  alea_text_clear(&text);
  alea_strategic_walk_free(walk);
  alea_strategic_free(strategic);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strategies),
      cmocka_unit_test(wrong_guide),
      cmocka_unit_test(wrong_classes),
      cmocka_unit_test(trees),
  };
  return cmocka_run_group_tests_name("strategies", tests, NULL, NULL);
}
