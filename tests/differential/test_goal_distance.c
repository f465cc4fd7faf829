/* Degrees are 1 exactly where the literal holds, in networks without cycles. */
#include <string.h>

#include "cmocka_all.h"
#include "match/open.h"
#include "match/shipped.h"
#include "planning/goal_distance.h"
#include "propnet/propnet.h"
#include "support/match_run.h"

enum { STEPS = 30 };

static bool holds(const uint8_t *values, alea_lit lit) { return values[lit >> 1] ^ (lit & 1); }

/* All gates in the position, by the oracle. */
static void evaluate(const alea_net *net, const uint64_t *words, uint8_t *values) {
  memset(values, 0, net->first_gate + net->gate_count);
  values[0] = 1;
  for (uint32_t i = 0; i < net->fluent_count; i++) values[1 + i] = words[i / 64] >> (i % 64) & 1;
  alea_net_evaluate(net, values);
}

/* A random move of each role; false at the end. */
static bool play_on(alea_cursor *cursor, alea_rng *rng) {
  alea_move joint[16];
  bool terminal;
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
  for (uint32_t r = 0; !terminal && r < cursor->game->role_count; r++) {
    alea_list legal;
    assert_int_equal(alea_cursor_legal(cursor, r, &legal), ALEA_OK);
    joint[r] = legal.ids[alea_rng_below(rng, legal.count)];
  }
  if (!terminal) assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
  return !terminal;
}

/* Follows the literal through a random play; how often it held. */
static uint32_t follow(const alea_game *game, alea_lit lit, uint64_t seed, alea_mem *mem) {
  const alea_net *net = alea_net_of_game(game);
  alea_goal_distance *degree;
  alea_cursor *cursor;
  alea_rng rng;
  uint32_t held = 0, nodes = net->first_gate + net->gate_count;
  uint8_t *values = alea_mem_calloc(mem, nodes, 1);
  alea_rng_seed(&rng, seed);
  assert_int_equal(alea_goal_distance_new(&degree, net, lit, mem), ALEA_OK);
  assert_int_equal(alea_cursor_new(game, mem, &cursor), ALEA_OK);
  for (int step = 0; step < STEPS; step++) {
    size_t count;
    const uint64_t *words = alea_cursor_state(cursor, &count);
    double value = alea_goal_distance_at(degree, words);
    assert_true(value >= 0 && value <= 1);
    evaluate(net, words, values);
    if (net->cycles.count == 0) assert_int_equal(value == 1, holds(values, lit));
    held += holds(values, lit);
    if (!play_on(cursor, &rng)) break;
  }
  alea_cursor_free(cursor);
  alea_goal_distance_free(degree);
  alea_mem_free(mem, values, nodes);
  return held;
}

static void one_is_truth(void **state) {
  (void)state;
  uint32_t held = 0;
  for (size_t i = 0; i < alea_shipped_file_count; i++) {
    if (strstr(alea_shipped_files[i].file, ".kif") == NULL) continue;
    alea_opened opened;
    open_game(&opened, alea_shipped_files[i].name);
    const alea_net *net = alea_net_of_game(opened.game);
    alea_mem mem;
    alea_mem_init(&mem, 0);
    for (size_t g = 0; net != NULL && g < net->goals.count && g < 8; g++)
      held += follow(opened.game, net->goals.data[g].lit, g, &mem);
    if (net != NULL) held += follow(opened.game, net->terminal, 1, &mem);
    assert_int_equal(mem.used, 0);
    alea_opened_clear(&opened);
  }
  assert_true(held > 100);
}

/* Four lamps and a key: all lamps, or the key, and nothing broken. */
static const char *const lamps =
    "(role r) (lamp a) (lamp b) (lamp c) (lamp d)"
    "(<= (legal r (light ?x)) (lamp ?x)) (legal r turn) (legal r drop)"
    "(<= (next (on ?x)) (true (on ?x))) (<= (next (on ?x)) (does r (light ?x)))"
    "(<= (next key) (does r turn)) (<= (next broken) (does r drop))"
    "(<= (next broken) (true broken))"
    "(<= bright (true (on a)) (true (on b)) (true (on c)) (true (on d)))"
    "(<= open bright) (<= open (true key))"
    "(<= terminal open) (<= terminal (true broken))"
    "(<= (goal r 100) open (not (true broken))) (<= (goal r 0) (not open))";

static double degree_after(const alea_opened *opened, const char *const *moves, size_t count) {
  const alea_net *net = alea_net_of_game(opened->game);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_goal_distance *degree;
  alea_cursor *cursor;
  alea_lit lit = ALEA_LIT_FALSE;
  for (size_t i = 0; i < net->goals.count; i++)
    if (net->goals.data[i].value == 100) lit = net->goals.data[i].lit;
  assert_int_equal(alea_goal_distance_new(&degree, net, lit, &mem), ALEA_OK);
  assert_int_equal(alea_cursor_new(opened->game, &mem, &cursor), ALEA_OK);
  for (size_t i = 0; i < count; i++) {
    alea_move move = alea_game_move_find(opened->game, 0, moves[i]);
    assert_int_equal(alea_cursor_play(cursor, &move), ALEA_OK);
  }
  size_t words;
  double value = alea_goal_distance_at(degree, alea_cursor_state(cursor, &words));
  alea_cursor_free(cursor);
  alea_goal_distance_free(degree);
  return value;
}

/* "Open" is a disjunction, so it weighs as much as the negation beside it. */
static void conjuncts_are_counted(void **state) {
  (void)state;
  alea_opened opened;
  open_sheet(&opened, lamps);
  assert_float_equal(degree_after(&opened, NULL, 0), (0 + 1) / 2.0, 1e-6);
  assert_float_equal(degree_after(&opened, (const char *[]){"(light c)"}, 1), (0.25 + 1) / 2, 1e-6);
  assert_float_equal(degree_after(&opened, (const char *[]){"turn"}, 1), 1, 0);
  assert_float_equal(degree_after(&opened, (const char *[]){"drop"}, 1), 0, 1e-6);
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_is_truth),
                                     cmocka_unit_test(conjuncts_are_counted)};
  return cmocka_run_group_tests_name("degree", tests, NULL, NULL);
}
