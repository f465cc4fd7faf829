/* Games that a search has played become plans. */
#include <string.h>

#include "cmocka_all.h"
#include "play/plan_follower.h"
#include "support/make_engine.h"

/* Two choices with a forced move between them; both have to be right. */
static const char rules[] =
    "(role robot) (init (step 1))"
    "(succ 1 2) (succ 2 3) (succ 3 4)"
    "(<= (legal robot a) (true (step 1))) (<= (legal robot b) (true (step 1)))"
    "(<= (legal robot wait) (true (step 2)))"
    "(<= (legal robot a) (true (step 3))) (<= (legal robot b) (true (step 3)))"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= (next (did ?m ?s)) (does robot ?m) (true (step ?s)))"
    "(<= (next (did ?m ?s)) (true (did ?m ?s)))"
    "(<= terminal (true (step 4)))"
    "(<= good (true (did a 1)) (true (did b 3)))"
    "(<= (goal robot 100) good) (<= (goal robot 10) (not good))";

typedef struct bench {
  alea_mem mem;
  alea_game *game;
  alea_cursor *start;
  alea_player_setup setup;
  alea_plan_follower planning;
} bench;

static void sit(bench *b) {
  *b = (bench){0};
  alea_mem_init(&b->mem, 0);
  assert_int_equal(load_text(rules, strlen(rules), "rules", make_net, &b->mem, &b->game), ALEA_OK);
  assert_int_equal(alea_cursor_new(b->game, &b->mem, &b->start), ALEA_OK);
  b->setup = (alea_player_setup){.game = b->game, .mem = &b->mem};
  alea_plan_follower_init(&b->planning, &b->setup, 0.5, 1 << 20);
}

static void rise(bench *b) {
  alea_plan_follower_clear(&b->planning);
  alea_cursor_free(b->start);
  alea_game_free(b->game);
  assert_int_equal(b->mem.used, 0);
}

static alea_move move_of(bench *b, char name) {
  alea_text text;
  alea_text_init(&text, &b->mem);
  for (alea_move move = 0; move < alea_game_move_count(b->game, 0); move++) {
    text.length = 0;
    alea_game_move_text(b->game, 0, move, false, &text);
    if (alea_text_string(&text)[0] != name) continue;
    alea_text_clear(&text);
    return move;
  }
  fail_msg("no move %c", name);
  return ALEA_NO_MOVE;
}

/* A game by the first letters of its moves, of which 'down' in the tree. */
static void hear(bench *b, const char *names, size_t down, int goal) {
  alea_played moves[8];
  size_t count = strlen(names);
  for (size_t i = 0; i < count; i++) moves[i] = (alea_played){0, move_of(b, names[i])};
  alea_plan_follower_hear(&b->planning, moves, down, moves + down, count - down, goal);
}

static void take(bench *b) {
  size_t count;
  const uint64_t *words = alea_cursor_state(b->start, &count);
  assert_int_equal(alea_plan_follower_take(&b->planning, words, count), ALEA_OK);
}

static void expect_plan(bench *b, const char *names, int goal) {
  assert_int_equal(b->planning.plan.goal, goal);
  assert_int_equal(b->planning.plan.moves.count, strlen(names));
  for (size_t i = 0; names[i] != '\0'; i++) {
    assert_int_equal(alea_plan_follower_move(&b->planning, -1), move_of(b, names[i]));
    alea_plan_follower_observe(&b->planning, move_of(b, names[i]));
  }
}

static void forced_moves_are_filled_in(void **state) {
  (void)state;
  bench b;
  sit(&b);
  hear(&b, "ab", 1, 100);
  take(&b);
  assert_true(alea_plan_follower_proved(&b.planning));
  expect_plan(&b, "awb", 100);
  rise(&b);
}

static void forced_moves_may_be_there(void **state) {
  (void)state;
  bench b;
  sit(&b);
  hear(&b, "awb", 0, 100);
  take(&b);
  expect_plan(&b, "awb", 100);
  rise(&b);
}

static void the_best_is_kept(void **state) {
  (void)state;
  bench b;
  sit(&b);
  hear(&b, "ba", 2, 10);
  hear(&b, "ab", 0, 100);
  hear(&b, "bb", 1, 10);
  take(&b);
  expect_plan(&b, "awb", 100);
  rise(&b);
}

/* What was heard is played before it is believed. */
static void nothing_is_believed(void **state) {
  (void)state;
  bench b;
  sit(&b);
  hear(&b, "b", 1, 100); /* a move is missing */
  take(&b);
  assert_int_equal(b.planning.plan.goal, -1);
  hear(&b, "ba", 1, 100); /* worth 10 */
  take(&b);
  expect_plan(&b, "bwa", 10);
  rise(&b);
}

static void a_move_forgets(void **state) {
  (void)state;
  bench b;
  sit(&b);
  hear(&b, "ab", 1, 100);
  alea_plan_follower_observe(&b.planning, move_of(&b, 'b'));
  take(&b);
  assert_int_equal(b.planning.plan.goal, -1);
  rise(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forced_moves_are_filled_in),
      cmocka_unit_test(forced_moves_may_be_there),
      cmocka_unit_test(the_best_is_kept),
      cmocka_unit_test(nothing_is_believed),
      cmocka_unit_test(a_move_forgets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
