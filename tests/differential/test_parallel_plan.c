/* Sets of moves find what a search finds, in puzzles of one stage and of more. */
#include <stdio.h>

#include "cmocka_all.h"
#include "match/open.h"
#include "planning/parallel_plan.h"
#include "planning/planner.h"
#include "support/match_run.h"

enum { LONGEST = 10 };

/* The goal at the end of the moves, played with a cursor of our own. */
static int play(alea_cursor *cursor, alea_list moves) {
  bool terminal;
  int goal;
  assert_int_equal(alea_cursor_reset(cursor), ALEA_OK);
  for (uint32_t i = 0; i < moves.count; i++) {
    alea_list legal;
    assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
    assert_false(terminal);
    assert_int_equal(alea_cursor_legal(cursor, 0, &legal), ALEA_OK);
    assert_true(alea_list_has(legal, moves.ids[i]));
    assert_int_equal(alea_cursor_play(cursor, &moves.ids[i]), ALEA_OK);
  }
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
  assert_true(terminal);
  assert_int_equal(alea_cursor_goal(cursor, 0, &goal), ALEA_OK);
  return goal;
}

/* Asks until it is found or nothing is left to ask. */
static alea_status ask_sets(const alea_game *game, int target, bool *found, alea_mem *mem) {
  alea_cursor *cursor = NULL;
  alea_parallel_plan *sets = NULL;
  size_t count = 0;
  *found = false;
  alea_status status = alea_cursor_new(game, mem, &cursor);
  if (status == ALEA_OK) {
    const uint64_t *words = alea_cursor_state(cursor, &count);
    alea_parallel_plan_options options = {.goal = target, .longest = LONGEST};
    status = alea_parallel_plan_new(&sets, game, words, count, &options, mem);
  }
  while (status == ALEA_OK && sets != NULL && !*found && !alea_parallel_plan_spent(sets))
    status = alea_parallel_plan_ask(sets, found);
  if (status == ALEA_OK && *found)
    assert_true(play(cursor, alea_parallel_plan_moves(sets)) >= target);
  alea_parallel_plan_free(sets);
  alea_cursor_free(cursor);
  return status;
}

/* Sets and depth-first search agree on the sheet. */
static void compare(const char *sheet, int target, uint32_t *found) {
  alea_opened opened;
  open_sheet(&opened, sheet);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_plan plan;
  alea_planner_options options = {
      .effort = {.nodes = 3000000}, .methods = ALEA_PLAN_DEPTH, .target = target};
  assert_int_equal(alea_planner_run(&plan, opened.game, NULL, 0, &options, &mem), ALEA_OK);
  assert_int_not_equal(plan.answer, ALEA_VERDICT_UNKNOWN);
  bool sets;
  assert_int_equal(ask_sets(opened.game, target, &sets, &mem), ALEA_OK);
  assert_int_equal(sets, plan.answer == ALEA_VERDICT_PROVED);
  *found += sets;
  alea_vec_clear(&mem, &plan.moves);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

/* Latin squares of three with some cells given, which may not be possible. */
static void squares(void **state) {
  (void)state;
  alea_rng rng;
  alea_rng_seed(&rng, 5);
  uint32_t found = 0, tried = 24;
  for (uint32_t i = 0; i < tried; i++) {
    char sheet[2000];
    int at =
        snprintf(sheet, sizeof sheet,
                 "(role r) (digit 1) (digit 2) (digit 3)"
                 "(<= (in ?x ?y) (true (cell ?x ?y ?d)))"
                 "(<= (row ?y ?d) (true (cell ?x ?y ?d))) (<= (col ?x ?d) (true (cell ?x ?y ?d)))"
                 "(<= (legal r (mark ?x ?y ?d)) (digit ?x) (digit ?y) (digit ?d) (not (in ?x ?y))"
                 " (not (row ?y ?d)) (not (col ?x ?d)))"
                 "(<= (next (cell ?x ?y ?d)) (does r (mark ?x ?y ?d)))"
                 "(<= (next (cell ?x ?y ?d)) (true (cell ?x ?y ?d)))"
                 "(<= open (digit ?x) (digit ?y) (not (in ?x ?y)))"
                 "(<= playable (legal r ?m)) (<= terminal (not playable))"
                 "(<= (goal r 100) (not open)) (<= (goal r 0) open)");
    for (uint32_t x = 1; x <= 3; x++) {
      for (uint32_t y = 1; y <= 3; y++)
        if (alea_rng_below(&rng, 3) == 0)
          at += snprintf(sheet + at, sizeof sheet - (size_t)at, "(init (cell %u %u %u))", x, y,
                         1 + alea_rng_below(&rng, 3));
    }
    compare(sheet, 100, &found);
  }
  assert_in_range(found, 1, tried - 1);
}

/* Three things of which each needs the one before, and a step that goes on:
 * sets need a stage for each. */
static const char *const chain =
    "(role r) (init (has 0)) (init (step 0)) (after 0 1) (after 1 2) (after 2 3)"
    "(next_step 0 1) (next_step 1 2) (next_step 2 3) (next_step 3 4)"
    "(<= (legal r (get ?n)) (after ?m ?n) (true (has ?m)) (not (true (has ?n))))"
    "(legal r (wait a)) (legal r (wait b))"
    "(<= (next (has ?n)) (does r (get ?n)))"
    "(<= (next (has ?n)) (true (has ?n)))"
    "(<= (next (step ?n)) (true (step ?m)) (next_step ?m ?n))"
    "(<= terminal (true (step 4)))"
    "(<= (goal r 100) (true (has 3))) (<= (goal r 40) (true (has 1)) (not (true (has 3))))"
    "(<= (goal r 0) (not (true (has 1))))";

static void chains(void **state) {
  (void)state;
  uint32_t found = 0;
  compare(chain, 100, &found);
  compare(chain, 40, &found);
  assert_int_equal(found, 2);
}

/* Any two of three things can be had, but not all: no pair is to blame, and
 * only playing shows it. */
static void three_are_too_many(void **state) {
  (void)state;
  uint32_t found = 0;
  static const char *const rules =
      "(role r) (thing a) (thing b) (thing c) (thing d)"
      "(<= two (true (has ?x)) (true (has ?y)) (distinct ?x ?y))"
      "(<= (legal r (get ?x)) (thing ?x) (not (true (has ?x))) (not two))"
      "(<= (legal r end) two)"
      "(<= (next (has ?x)) (does r (get ?x))) (<= (next (has ?x)) (true (has ?x)))"
      "(<= (next over) (does r end)) (<= terminal (true over))"
      "(<= (goal r 100) (true (has a)) (true (has b)) (true (has c)))"
      "(<= (goal r 70) (true (has b)) (true (has d)))"
      "(<= (goal r 0) (not (true (has b))))";
  compare(rules, 100, &found);
  assert_int_equal(found, 0);
  compare(rules, 70, &found);
  assert_int_equal(found, 1);
}

static void sudoku(void **state) {
  (void)state;
  alea_opened opened;
  open_game(&opened, "sudoku");
  alea_mem mem;
  alea_mem_init(&mem, 0);
  bool found;
  assert_int_equal(ask_sets(opened.game, 100, &found, &mem), ALEA_OK);
  assert_true(found);
  alea_opened_clear(&opened);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  alea_opened opened;
  open_sheet(&opened, chain);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_status status = ALEA_SYSTEM;
  for (uint64_t n = 1; status != ALEA_OK; n++) {
    bool found;
    mem.fail_in = n;
    status = ask_sets(opened.game, 100, &found, &mem);
    assert_true(status == ALEA_OK ? found : status == ALEA_SYSTEM);
    assert_int_equal(mem.used, 0);
  }
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(squares), cmocka_unit_test(chains),
                                     cmocka_unit_test(three_are_too_many), cmocka_unit_test(sudoku),
                                     cmocka_unit_test(every_allocation_may_fail)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
