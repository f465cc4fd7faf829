/* Plans reach their goal, and what is refuted cannot be reached. */
#include <string.h>

#include "cmocka_all.h"
#include "match/open.h"
#include "planning/planner.h"
#include "support/match_run.h"

/* Plays the plan with a cursor of our own. */
static void check_plan(const alea_game *game, const alea_plan *plan, alea_mem *mem) {
  alea_cursor *cursor;
  bool terminal;
  int goal;
  assert_int_equal(alea_cursor_new(game, mem, &cursor), ALEA_OK);
  for (size_t i = 0; i < plan->moves.count; i++) {
    assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
    assert_false(terminal);
    alea_list legal;
    assert_int_equal(alea_cursor_legal(cursor, 0, &legal), ALEA_OK);
    bool found = false;
    for (uint32_t k = 0; k < legal.count; k++) found |= legal.ids[k] == plan->moves.data[i];
    assert_true(found);
    assert_int_equal(alea_cursor_play(cursor, &plan->moves.data[i]), ALEA_OK);
  }
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
  assert_true(terminal);
  assert_int_equal(alea_cursor_goal(cursor, 0, &goal), ALEA_OK);
  assert_int_equal(goal, plan->goal);
  alea_cursor_free(cursor);
}

static void plan_for(const alea_game *game, unsigned methods, uint64_t conflicts, uint64_t nodes,
                     alea_verdict answer, int goal) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_planner_options options = {
      .effort = {.conflicts = conflicts, .nodes = nodes}, .methods = methods, .seed = 3};
  alea_plan plan, again;
  assert_int_equal(alea_planner_run(&plan, game, NULL, 0, &options, &mem), ALEA_OK);
  assert_int_equal(plan.answer, answer);
  if (goal >= 0) assert_int_equal(plan.goal, goal);
  if (plan.goal >= 0) check_plan(game, &plan, &mem);
  /* Without a clock the same question has the same answer. */
  assert_int_equal(alea_planner_run(&again, game, NULL, 0, &options, &mem), ALEA_OK);
  assert_int_equal(again.moves.count, plan.moves.count);
  if (plan.moves.count > 0)
    assert_memory_equal(again.moves.data, plan.moves.data, plan.moves.count * sizeof(uint32_t));
  alea_vec_clear(&mem, &plan.moves);
  alea_vec_clear(&mem, &again.moves);
  assert_int_equal(mem.used, 0);
}

/* Three steps; the goal is what was collected, and 100 asks for four. */
static const char *const collector =
    "(role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)"
    "(item a) (item b) (item c) (item d)"
    "(<= (legal r (take ?x)) (item ?x) (not (true (has ?x))))"
    "(<= (next (has ?x)) (does r (take ?x))) (<= (next (has ?x)) (true (has ?x)))"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= terminal (true (step 3)))"
    "(<= all (true (has a)) (true (has b)) (true (has c)) (true (has d)))"
    "(<= some (true (has a)) (true (has b)) (true (has d)))"
    "(<= (goal r 100) all)"
    "(<= (goal r 70) some (not all))"
    "(<= (goal r 10) (not some) (not all))";

static void each_method_finds_plans(void **state) {
  (void)state;
  alea_opened opened;
  open_game(&opened, "hanoi");
  plan_for(opened.game, ALEA_PLAN_BOUNDED, 200000, 0, ALEA_VERDICT_PROVED, 100);
  plan_for(opened.game, ALEA_PLAN_BREADTH, 0, 300000, ALEA_VERDICT_PROVED, 100);
  plan_for(opened.game, ALEA_PLAN_BEAM, 0, 300000, ALEA_VERDICT_PROVED, 100);
  plan_for(opened.game, 0, 50000, 300000, ALEA_VERDICT_PROVED, 100);
  alea_opened_clear(&opened);
  open_game(&opened, "knights-tour");
  plan_for(opened.game, ALEA_PLAN_ADAPTATION | ALEA_PLAN_DEPTH, 0, 2000000, ALEA_VERDICT_PROVED,
           100);
  alea_opened_clear(&opened);
  open_game(&opened, "eight-puzzle");
  plan_for(opened.game, ALEA_PLAN_BREADTH, 0, 4000000, ALEA_VERDICT_PROVED, 100);
  plan_for(opened.game, ALEA_PLAN_BEAM, 0, 4000000, ALEA_VERDICT_PROVED, 100);
  alea_opened_clear(&opened);
}

/* A beam that leaves nothing out ends by itself, and refutes nothing. */
static void a_beam_sees_all_and_proves_nothing(void **state) {
  (void)state;
  alea_opened opened;
  open_sheet(&opened, collector);
  plan_for(opened.game, ALEA_PLAN_BEAM, 0, 0, ALEA_VERDICT_UNKNOWN, 70);
  alea_opened_clear(&opened);
}

static void refutes_and_finds_the_best(void **state) {
  (void)state;
  alea_opened opened;
  open_sheet(&opened, collector);
  static const unsigned methods[] = {ALEA_PLAN_BOUNDED, ALEA_PLAN_BREADTH, ALEA_PLAN_DEPTH, 0};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    plan_for(opened.game, methods[i], 100000, 100000, ALEA_VERDICT_REFUTED, 70);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_plan plan;
  alea_planner_options options = {.target = 70, .effort = {.conflicts = 1000, .nodes = 1000}};
  assert_int_equal(alea_planner_run(&plan, opened.game, NULL, 0, &options, &mem), ALEA_OK);
  assert_int_equal(plan.answer, ALEA_VERDICT_PROVED);
  alea_vec_clear(&mem, &plan.moves);
  alea_opened_clear(&opened);
}

static void every_method_has_a_name(void **state) {
  (void)state;
  for (unsigned m = 1; m < 1u << ALEA_PLAN_METHODS; m *= 2)
    assert_string_not_equal(alea_plan_method_text((alea_plan_method)m), "none");
  assert_string_equal(alea_plan_method_text(ALEA_PLAN_NONE), "none");
}

static void not_for_other_games(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  static const char *const games[] = {"tictactoe", "monty-hall"};
  for (size_t i = 0; i < 2; i++) {
    alea_opened opened;
    open_game(&opened, games[i]);
    alea_plan plan;
    assert_int_equal(alea_planner_run(&plan, opened.game, NULL, 0, NULL, &mem), ALEA_UNSUPPORTED);
    alea_opened_clear(&opened);
  }
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  alea_opened opened;
  open_sheet(&opened, collector);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_status status = ALEA_SYSTEM;
  for (uint64_t n = 1; status != ALEA_OK; n++) {
    alea_planner_options options = {.effort = {.conflicts = 5000, .nodes = 3000}};
    alea_plan plan;
    mem.fail_in = n;
    status = alea_planner_run(&plan, opened.game, NULL, 0, &options, &mem);
    assert_true(status == ALEA_OK || status == ALEA_SYSTEM);
    alea_vec_clear(&mem, &plan.moves);
    assert_int_equal(mem.used, 0);
  }
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_method_finds_plans),
                                     cmocka_unit_test(a_beam_sees_all_and_proves_nothing),
                                     cmocka_unit_test(refutes_and_finds_the_best),
                                     cmocka_unit_test(every_method_has_a_name),
                                     cmocka_unit_test(not_for_other_games),
                                     cmocka_unit_test(every_allocation_may_fail)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
