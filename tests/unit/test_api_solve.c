/* Constraint problems of the public interface. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "alea/alea.h"
#include "cmocka_all.h"

static alea_problem *read_text(const char *text) {
  alea_problem *problem = NULL;
  assert_int_equal(alea_problem_read(&problem, "here", text, strlen(text), NULL), ALEA_OK);
  return problem;
}

static const char sum[] =
    "<instance format=\"XCSP3\" type=\"COP\"><variables><var id=\"a\"> 1..4 </var>"
    "<var id=\"b\"> 1..4 </var></variables><constraints><intension> lt(a,b) </intension>"
    "</constraints><objectives><maximize> add(a,b) </maximize></objectives></instance>";

static void all_solutions_and_the_best(void **unused) {
  (void)unused;
  alea_problem *problem = read_text(sum);
  assert_int_equal(alea_problem_kind_of(problem), ALEA_PROBLEM_PLAIN);
  assert_int_equal(alea_problem_variable_count(problem), 2);
  assert_string_equal(alea_problem_variable(problem, 1), "b");
  assert_null(alea_problem_variable(problem, 2));
  alea_solution *solution;
  alea_solve_settings settings = {.size = sizeof settings, .aim = ALEA_AIM_ALL};
  double value;
  assert_int_equal(alea_problem_solve(&solution, problem, &settings), ALEA_OK);
  assert_int_equal(alea_solution_count(solution), 6);
  for (size_t i = 0; i < 6; i++)
    assert_true(alea_solution_values(solution, i)[0] < alea_solution_values(solution, i)[1]);
  assert_null(alea_solution_values(solution, 6));
  assert_false(alea_solution_value(solution, &value));
  alea_solution_free(solution);
  settings.solutions = 2;
  assert_int_equal(alea_problem_solve(&solution, problem, &settings), ALEA_OK);
  assert_int_equal(alea_solution_count(solution), 2);
  alea_solution_free(solution);
  settings = (alea_solve_settings){.size = sizeof settings, .aim = ALEA_AIM_BEST};
  assert_int_equal(alea_problem_solve(&solution, problem, &settings), ALEA_OK);
  assert_true(alea_solution_value(solution, &value));
  assert_true(value == 7);
  size_t last = 0;
  while (alea_solution_values(solution, last + 1) != NULL) last++;
  assert_string_equal(alea_solution_text(solution, last), "a=3 b=4");
  alea_solution_free(solution);
  alea_problem_free(problem);
}

static void no_solution_is_an_answer(void **unused) {
  (void)unused;
  alea_problem *problem = read_text(
      "<instance format=\"XCSP3\" type=\"CSP\"><variables><array id=\"x\" size=\"[3]\"> 0..1 "
      "</array></variables><constraints><allDifferent> x[] </allDifferent></constraints>"
      "</instance>");
  alea_solution *solution;
  assert_int_equal(alea_problem_solve(&solution, problem, NULL), ALEA_NO);
  assert_int_equal(alea_solution_count(solution), 0);
  assert_null(alea_solution_text(solution, 0));
  alea_solution_free(solution);
  alea_problem_free(problem);
}

/* models/ has the papers' examples: the answers of docs/DECISIONS.md, K5 to K8. */
static void other_kinds_have_answers(void **unused) {
  (void)unused;
  static const struct {
    const char *file;
    alea_problem_kind kind;
    alea_aim aim;
    alea_status status;
    double value; /* -1: none */
  } cases[] = {
      {"models/pennies.json", ALEA_PROBLEM_STOCHASTIC, ALEA_AIM_BEST, ALEA_OK, 0.5},
      {"models/p3.json", ALEA_PROBLEM_STOCHASTIC, ALEA_AIM_BEST, ALEA_OK, 1},
      {"models/tictactoe-1.json", ALEA_PROBLEM_STRATEGIC, ALEA_AIM_FIRST, ALEA_OK, -1},
      {"models/tokens-5.json", ALEA_PROBLEM_STRATEGIC, ALEA_AIM_FIRST, ALEA_NO, -1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", ALEA_SOURCE_DIR, cases[i].file);
    alea_problem *problem;
    alea_solution *solution;
    alea_solve_settings settings = {.size = sizeof settings, .aim = cases[i].aim};
    double value;
    assert_int_equal(alea_problem_open(&problem, path, NULL), ALEA_OK);
    assert_int_equal(alea_problem_kind_of(problem), cases[i].kind);
    assert_int_equal(alea_problem_solve(&solution, problem, &settings), cases[i].status);
    assert_true(alea_solution_value(solution, &value) == (cases[i].value >= 0));
    if (cases[i].value >= 0) assert_float_equal(value, cases[i].value, 1e-9);
    assert_true(alea_solution_nodes(solution) > 0);
    alea_solution_free(solution);
    settings.aim = ALEA_AIM_ALL;
    assert_int_equal(alea_problem_solve(&solution, problem, &settings), ALEA_USAGE);
    alea_problem_free(problem);
  }
}

static void wrong_problems_say_where(void **unused) {
  (void)unused;
  alea_problem *problem;
  alea_diagnostics *found;
  assert_int_equal(alea_problem_open(&problem, "/no/such/file", &found), ALEA_SYSTEM);
  assert_int_equal(alea_diagnostics_count(found), 1);
  alea_diagnostics_free(found);
  static const char bad[] = "{\"format\": \"alea-csp\",\n \"type\": \"csp\",\n \"variables\": 3\n}";
  assert_int_equal(alea_problem_read(&problem, "bad", bad, sizeof bad - 1, &found), ALEA_INPUT);
  assert_null(problem);
  assert_int_equal(alea_diagnostics_at(found, 0)->place.line, 3);
  assert_string_equal(alea_diagnostics_at(found, 0)->place.file, "bad");
  alea_diagnostics_free(found);
}

/* 11! solutions: nobody waits for the last. */
static const char many[] =
    "<instance format=\"XCSP3\" type=\"CSP\"><variables><array id=\"x\" size=\"[11]\"> 0..10 "
    "</array>"
    "</variables><constraints><allDifferent> x[] </allDifferent></constraints></instance>";

static void *raise_later(void *context) {
  struct timespec moment = {.tv_nsec = 50000000};
  nanosleep(&moment, NULL);
  alea_stop_flag_raise(context);
  return NULL;
}

static void another_thread_ends_solving(void **unused) {
  (void)unused;
  alea_problem *problem;
  alea_solution *solution;
  alea_stop_flag *stop;
  pthread_t thread;
  assert_int_equal(alea_stop_flag_new(&stop), ALEA_OK);
  assert_false(alea_stop_flag_raised(stop));
  assert_int_equal(alea_problem_read(&problem, "many", many, sizeof many - 1, NULL), ALEA_OK);
  alea_solve_settings settings = {.size = sizeof settings, .aim = ALEA_AIM_ALL, .stop = stop};
  assert_int_equal(pthread_create(&thread, NULL, raise_later, stop), 0);
  assert_int_equal(alea_problem_solve(&solution, problem, &settings), ALEA_LIMIT);
  pthread_join(thread, NULL);
  assert_true(alea_stop_flag_raised(stop));
  assert_true(alea_solution_count(solution) < 39916800);
  alea_solution_free(solution);
  alea_stop_flag_lower(stop);
  settings.aim = ALEA_AIM_FIRST;
  assert_int_equal(alea_problem_solve(&solution, problem, &settings), ALEA_OK);
  alea_solution_free(solution);
  alea_problem_free(problem);
  alea_stop_flag_free(stop);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_solutions_and_the_best),  cmocka_unit_test(no_solution_is_an_answer),
      cmocka_unit_test(other_kinds_have_answers),    cmocka_unit_test(wrong_problems_say_where),
      cmocka_unit_test(another_thread_ends_solving),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
