/* Every allocation of every public constructor fails once.
 *
 * The linker wraps malloc and its family (tests/CMakeLists.txt), so that this also reaches
 * allocations for handles that are not made yet.  After each failure nothing may be left. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alea/alea.h"
#include "cmocka_all.h"

static size_t fail_in; /* the fail_in-th allocation from now fails; 0: none */
static size_t live;    /* blocks that are allocated */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

static bool fails(void) { return fail_in > 0 && --fail_in == 0; }

void *__wrap_malloc(size_t size) {
  void *made = fails() ? NULL : __real_malloc(size);
  live += made != NULL;
  return made;
}

void *__wrap_calloc(size_t count, size_t size) {
  void *made = fails() ? NULL : __real_calloc(count, size);
  live += made != NULL;
  return made;
}

void *__wrap_realloc(void *block, size_t size) {
  void *made = fails() ? NULL : __real_realloc(block, size);
  live += made != NULL && block == NULL;
  return made;
}

void __wrap_free(void *block) {
  live -= block != NULL;
  __real_free(block);
}

/* A constructor: makes and frees one thing. */
typedef alea_status constructor(void);

static alea_ruleset *rules, *whispers; /* of all but the first */
static alea_state *origin;
static alea_problem *problem;

static const char game[] =
    "(role a)(role b)(init (n 0))(init (turn a))(succ 0 1)(succ 1 2)(succ 2 3)"
    "(<= (legal ?r (add ?k)) (true (turn ?r)) (succ 0 ?k))"
    "(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))"
    "(<= (next (n ?m)) (true (n ?k)) (succ ?k ?m))"
    "(<= (next (turn b)) (true (turn a)))(<= (next (turn a)) (true (turn b)))"
    "(<= terminal (true (n 3)))(<= (goal a 100) (true (turn b)))(<= (goal a 0) (true (turn a)))"
    "(<= (goal b 50) (role a))";
static const char whispering[] =
    "(role a)(role b)(init here)(legal a (say 1))(legal a (say 2))(legal b noop)"
    "(<= (sees b ?w) (does a (say ?w)))(<= terminal (not (true here)))(goal a 50)(goal b 50)";
static const char network[] =
    "<instance format=\"XCSP3\" type=\"CSP\"><variables><array id=\"x\" size=\"[3]\"> 0..2 </array>"
    "</variables><constraints><allDifferent> x[] </allDifferent></constraints></instance>";

static alea_status make_rules(void) {
  alea_ruleset *made;
  alea_diagnostics *found;
  alea_status status = alea_ruleset_read(&made, "tiny", game, sizeof game - 1, NULL, &found);
  alea_diagnostics_free(found);
  assert_true((status == ALEA_OK) == (made != NULL));
  alea_ruleset_free(made);
  return status;
}

/* A file with this text, whose name stays in 'path' until it is removed. */
static void write_file(char *path, const char *text, size_t length) {
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, length), length);
  assert_int_equal(close(file), 0);
}

static char rules_path[] = "/tmp/alea-test-XXXXXX";
static char problem_path[] = "/tmp/alea-test-XXXXXX";

static alea_status open_rules(void) {
  alea_ruleset *made;
  alea_diagnostics *found;
  alea_status status = alea_ruleset_open(&made, rules_path, NULL, &found);
  alea_diagnostics_free(found);
  assert_true((status == ALEA_OK) == (made != NULL));
  alea_ruleset_free(made);
  return status;
}

/* Rules that are wrong: what was found is a thing to be freed too.  With memory the
 * status is that of the mistake, which is what this expects. */
static alea_status make_diagnostics(void) {
  static const char wrong[] = "(role a)(init (n 0))(<= terminal (true (n 0)";
  alea_ruleset *made;
  alea_diagnostics *found;
  alea_status status = alea_ruleset_read(&made, "wrong", wrong, sizeof wrong - 1, NULL, &found);
  assert_null(made);
  size_t count = alea_diagnostics_count(found);
  alea_diagnostics_free(found);
  return status == ALEA_INPUT ? count > 0 ? ALEA_OK : ALEA_SYSTEM : status;
}

static alea_status make_state(void) {
  alea_state *state;
  alea_status status = alea_state_new(&state, rules, 1);
  assert_true((status == ALEA_OK) == (state != NULL));
  if (status == ALEA_OK) status = alea_state_playout(state, 0);
  alea_state_free(state);
  return status;
}

static alea_status make_clone(void) {
  alea_state *copy;
  alea_status status = alea_state_clone(&copy, origin);
  assert_true((status == ALEA_OK) == (copy != NULL));
  alea_state_free(copy);
  return status;
}

/* Whatever else of a state needs memory; it is as before where that fails. */
static alea_status move_state(void) {
  static const char *const there[] = {"(n 1)", "(turn b)"};
  unsigned char saved[256];
  alea_state *state;
  alea_status status = alea_state_new(&state, rules, 1);
  if (status != ALEA_OK) return status;
  uint64_t before = alea_state_hash(state);
  status = alea_state_set_fluents(state, there, 2, NULL);
  size_t size = alea_state_save(state, saved, sizeof saved);
  if (status != ALEA_OK) assert_int_equal(alea_state_hash(state), before);
  if (status == ALEA_OK) status = alea_state_step(state, NULL);
  if (status == ALEA_OK) status = alea_state_undo(state);
  if (status == ALEA_OK) status = alea_state_load(state, saved, size);
  if (status == ALEA_OK) status = alea_state_copy(state, origin);
  if (status == ALEA_OK) assert_int_equal(alea_state_hash(state), alea_state_hash(origin));
  alea_state_free(state);
  return status;
}

static alea_status make_batch(void) {
  alea_batch *batch;
  float goals[2 * 600];
  alea_status status = alea_batch_new(&batch, rules, 600, NULL);
  assert_true((status == ALEA_OK) == (batch != NULL));
  if (status == ALEA_OK) status = alea_batch_step(batch, NULL, NULL);
  if (status == ALEA_OK) status = alea_batch_playout(batch, goals, NULL);
  alea_batch_free(batch);
  return status;
}

/* Where memory for percepts is lacking, the states move and nobody is told. */
static alea_status make_percepts(void) {
  alea_batch *batch;
  alea_batch_options options = {.size = sizeof options, .percepts = true};
  alea_status status = alea_batch_new(&batch, whispers, 600, &options);
  assert_true((status == ALEA_OK) == (batch != NULL));
  const uint64_t *first;
  const uint32_t *percepts;
  if (status == ALEA_OK) status = alea_batch_step(batch, NULL, NULL);
  if (status == ALEA_OK) {
    assert_int_equal(alea_batch_playing(batch), 0);
    status = alea_batch_percepts(batch, &first, &percepts);
    if (status == ALEA_OK) assert_int_equal(first[1200], 600);
  }
  alea_batch_free(batch);
  return status;
}

static alea_status make_agent(void) {
  alea_agent *agent;
  alea_move move;
  alea_agent_budget budget = {.size = sizeof budget, .sims = 5};
  alea_status status = alea_agent_new(&agent, rules, "uct", NULL, NULL);
  assert_true((status == ALEA_OK) == (agent != NULL));
  if (status == ALEA_OK) status = alea_agent_think(agent, &budget, &move);
  alea_agent_free(agent);
  return status;
}

static alea_status make_match(void) {
  alea_match_result *result;
  static const char *const players[] = {"random", "legal"};
  alea_match_settings settings = {
      .size = sizeof settings, .players = players, .player_count = 2, .sims = 1};
  alea_status status = alea_match_play(&result, rules, &settings, NULL);
  assert_true((status == ALEA_OK) == (result != NULL));
  alea_match_result_free(result);
  return status;
}

static alea_status make_picture(void) {
  alea_picture *picture;
  alea_status status = alea_picture_new(&picture, rules);
  assert_true((status == ALEA_OK) == (picture != NULL));
  if (status == ALEA_OK && alea_picture_svg(picture, origin, NULL) == NULL) status = ALEA_SYSTEM;
  alea_picture_free(picture);
  return status;
}

static alea_status make_problem(void) {
  alea_problem *made;
  alea_status status = alea_problem_read(&made, "x", network, sizeof network - 1, NULL);
  assert_true((status == ALEA_OK) == (made != NULL));
  alea_problem_free(made);
  return status;
}

static alea_status open_problem(void) {
  alea_problem *made;
  alea_diagnostics *found;
  alea_status status = alea_problem_open(&made, problem_path, &found);
  alea_diagnostics_free(found);
  assert_true((status == ALEA_OK) == (made != NULL));
  alea_problem_free(made);
  return status;
}

static alea_status make_flag(void) {
  alea_stop_flag *stop;
  alea_status status = alea_stop_flag_new(&stop);
  assert_true((status == ALEA_OK) == (stop != NULL));
  alea_stop_flag_free(stop);
  return status;
}

static alea_status make_solution(void) {
  alea_solution *solution;
  alea_solve_settings settings = {.size = sizeof settings, .aim = ALEA_AIM_ALL};
  alea_status status = alea_problem_solve(&solution, problem, &settings);
  if (status == ALEA_OK) assert_int_equal(alea_solution_count(solution), 6);
  alea_solution_free(solution);
  return status;
}

/* Fails every allocation in turn, later ones more and more sparsely. */
static void starve(const char *name, constructor *make) {
  size_t failures = 0;
  for (size_t n = 1;; n += 1 + n / 100) {
    size_t before = live;
    fail_in = n;
    alea_status status = make();
    bool reached = fail_in == 0;
    fail_in = 0;
    if (live != before)
      fail_msg("%s: %zu blocks are left after failure %zu", name, live - before, n);
    if (status != ALEA_OK && status != ALEA_SYSTEM && status != ALEA_LIMIT)
      fail_msg("%s: status %d after failure %zu", name, status, n);
    failures += status != ALEA_OK;
    if (!reached) {
      assert_int_equal(status, ALEA_OK);
      break;
    }
  }
  assert_true(failures > 0);
}

static void every_constructor_survives(void **unused) {
  (void)unused;
  write_file(rules_path, game, sizeof game - 1);
  write_file(problem_path, network, sizeof network - 1);
  starve("ruleset", make_rules);
  starve("file of rules", open_rules);
  starve("diagnostics", make_diagnostics);
  assert_int_equal(alea_ruleset_read(&rules, "tiny", game, sizeof game - 1, NULL, NULL), ALEA_OK);
  starve("state", make_state);
  assert_int_equal(alea_state_new(&origin, rules, 1), ALEA_OK);
  assert_int_equal(alea_state_step(origin, NULL), ALEA_OK);
  starve("clone", make_clone);
  starve("moved state", move_state);
  /* The lanes of a game are compiled once and stay: they are made here. */
  assert_int_equal(make_batch(), ALEA_OK);
  starve("batch", make_batch);
  assert_int_equal(
      alea_ruleset_read(&whispers, "told", whispering, sizeof whispering - 1, NULL, NULL), ALEA_OK);
  assert_int_equal(make_percepts(), ALEA_OK);
  starve("percepts", make_percepts);
  alea_ruleset_free(whispers);
  starve("agent", make_agent);
  starve("match", make_match);
  starve("picture", make_picture);
  starve("flag", make_flag);
  starve("problem", make_problem);
  starve("file of a problem", open_problem);
  assert_int_equal(alea_problem_read(&problem, "x", network, sizeof network - 1, NULL), ALEA_OK);
  starve("solution", make_solution);
  alea_problem_free(problem);
  alea_state_free(origin);
  alea_ruleset_free(rules);
  unlink(rules_path);
  unlink(problem_path);
}

/* The lanes themselves: a new ruleset for each failure. */
static void compiling_lanes_may_fail(void **unused) {
  (void)unused;
  for (size_t n = 1; n < 400; n += 1 + n / 20) {
    size_t before = live;
    alea_ruleset *fresh;
    alea_batch *batch;
    assert_int_equal(alea_ruleset_read(&fresh, "tiny", game, sizeof game - 1, NULL, NULL), ALEA_OK);
    fail_in = n;
    alea_status status = alea_batch_new(&batch, fresh, 10, NULL);
    bool reached = fail_in == 0;
    fail_in = 0;
    assert_true((status == ALEA_OK) == !reached);
    alea_batch_free(batch);
    assert_int_equal(alea_batch_new(&batch, fresh, 10, NULL), ALEA_OK); /* the next one is made */
    alea_batch_free(batch);
    alea_ruleset_free(fresh);
    assert_int_equal(live, before);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_constructor_survives),
      cmocka_unit_test(compiling_lanes_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
