/* The prover on small rulesheets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "prover/prover.h"
#include "support/load.h"

static alea_mem memory;
static alea_game *game;
static alea_cursor *cursor;

static alea_status make_prover(alea_game **made, alea_program *program, alea_mem *mem,
                               alea_diag *diag) {
  return alea_prover_game_new(made, program, NULL, mem, diag);
}

static void start(const char *sheet) {
  alea_mem_init(&memory, 0);
  assert_int_equal(load_text(sheet, strlen(sheet), "sheet", make_prover, &memory, &game), ALEA_OK);
  assert_int_equal(alea_cursor_new(game, &memory, &cursor), ALEA_OK);
}

static void stop(void) {
  alea_cursor_free(cursor);
  alea_game_free(game);
  assert_int_equal(memory.used, 0);
}

/* ---- what is expected, as one string of sorted texts ---- */

typedef enum list_kind { FLUENTS, LEGAL, PERCEPTS } list_kind;

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *text_of(list_kind kind, uint32_t role, uint32_t id) {
  alea_text text;
  alea_text_init(&text, &memory);
  if (kind == FLUENTS) alea_game_fluent_text(game, id, false, &text);
  if (kind == LEGAL) alea_game_move_text(game, role, id, false, &text);
  if (kind == PERCEPTS) alea_game_percept_text(game, id, false, &text);
  char *copy = strdup(alea_text_string(&text));
  alea_text_clear(&text);
  return copy;
}

static void expect(list_kind kind, uint32_t role, const char *expected) {
  alea_list list;
  alea_status status = kind == FLUENTS ? alea_cursor_fluents(cursor, &list)
                       : kind == LEGAL ? alea_cursor_legal(cursor, role, &list)
                                       : alea_cursor_percepts(cursor, role, &list);
  assert_int_equal(status, ALEA_OK);
  char **texts = calloc(list.count + 1, sizeof *texts);
  char all[4096] = "";
  for (uint32_t i = 0; i < list.count; i++) texts[i] = text_of(kind, role, list.ids[i]);
  qsort(texts, list.count, sizeof *texts, compare_texts);
  for (uint32_t i = 0; i < list.count; i++) {
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? " " : "", texts[i]);
    free(texts[i]);
  }
  free(texts);
  assert_string_equal(all, expected);
}

static void expect_terminal(bool expected) {
  bool terminal;
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
  assert_int_equal(terminal, expected);
}

static void expect_goal(uint32_t role, int expected) {
  int goal;
  assert_int_equal(alea_cursor_goal(cursor, role, &goal), ALEA_OK);
  assert_int_equal(goal, expected);
}

static void play(const char *first, const char *second) {
  alea_move joint[2] = {alea_game_move_find(game, 0, first), 0};
  assert_int_not_equal(joint[0], ALEA_NO_MOVE);
  if (second != NULL) {
    joint[1] = alea_game_move_find(game, 1, second);
    assert_int_not_equal(joint[1], ALEA_NO_MOVE);
  }
  assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
}

/* ---- rulesheets ---- */

static const char tic_tac_toe[] =
    "(role cross) (role nought)\n"
    "(index 1) (index 2) (index 3)\n"
    "(<= (init (square ?x ?y empty)) (index ?x) (index ?y))\n"
    "(init (turn cross))\n"
    "(<= (legal ?p (put ?x ?y)) (true (turn ?p)) (true (square ?x ?y empty)))\n"
    "(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))\n"
    "(<= (next (square ?x ?y ?p)) (does ?p (put ?x ?y)))\n"
    "(<= (next (square ?x ?y ?s)) (true (square ?x ?y ?s)) (distinct ?s empty))\n"
    "(<= (next (square ?x ?y empty)) (true (square ?x ?y empty)) (not (taken ?x ?y)))\n"
    "(<= (taken ?x ?y) (does ?p (put ?x ?y)))\n"
    "(<= (next (turn nought)) (true (turn cross)))\n"
    "(<= (next (turn cross)) (true (turn nought)))\n"
    "(<= (three ?p) (role ?p) (index ?x) (true (square ?x 1 ?p)) (true (square ?x 2 ?p))\n"
    "    (true (square ?x 3 ?p)))\n"
    "(<= (three ?p) (role ?p) (index ?y) (true (square 1 ?y ?p)) (true (square 2 ?y ?p))\n"
    "    (true (square 3 ?y ?p)))\n"
    "(<= (three ?p) (role ?p) (true (square 2 2 ?p))\n"
    "    (or (and (true (square 1 1 ?p)) (true (square 3 3 ?p)))\n"
    "        (and (true (square 1 3 ?p)) (true (square 3 1 ?p)))))\n"
    "(<= room (true (square ?x ?y empty)))\n"
    "(<= over (three ?p))\n"
    "(<= terminal (or over (not room)))\n"
    "(<= (goal ?p 100) (three ?p))\n"
    "(<= (goal ?p 0) (three ?q) (role ?p) (distinct ?p ?q))\n"
    "(<= (goal ?p 50) (role ?p) (not over))\n";

static void plays_tic_tac_toe(void **state) {
  (void)state;
  start(tic_tac_toe);
  assert_int_equal(game->role_count, 2);
  assert_string_equal(game->role_text[1], "nought");
  expect(LEGAL, 0,
         "(put 1 1) (put 1 2) (put 1 3) (put 2 1) (put 2 2) (put 2 3) (put 3 1) (put 3 2) "
         "(put 3 3)");
  expect(LEGAL, 1, "wait");
  expect_goal(0, 50);
  play("(put 1 1)", "wait");
  play("wait", "(put 2 1)");
  play(" ( PUT 2 2 )", "wait");
  play("wait", "(put 3 1)");
  expect_terminal(false);
  play("(put 3 3)", "wait");
  expect_terminal(true);
  expect_goal(0, 100);
  expect_goal(1, 0);
  stop();
}

static void follows_recursion(void **state) {
  (void)state;
  start(
      "(role r) (init (edge a b)) (init (edge b c)) (init (edge c a)) (init (edge d e))\n"
      "(<= (path ?x ?y) (true (edge ?x ?y)))\n"
      "(<= (path ?x ?y) (path ?x ?z) (path ?z ?y))\n"
      "(<= (legal r (go ?y)) (path d ?y))\n"
      "(<= (legal r (round ?x)) (path ?x ?x))\n"
      "(<= (even ?x) (zero ?x)) (<= (even ?y) (odd ?x) (after ?x ?y))\n"
      "(<= (odd ?y) (even ?x) (after ?x ?y))\n"
      "(zero 0) (after 0 1) (after 1 2) (after 2 3) (after 3 4)\n"
      "(<= (legal r (even ?x)) (even ?x))\n"
      "(<= (next ?f) (true ?f)) (<= terminal (path d a)) (goal r 0)");
  expect(LEGAL, 0, "(even 0) (even 2) (even 4) (go e) (round a) (round b) (round c)");
  expect_terminal(false);
  stop();
}

/* Each of 30,000 steps asks for the one before: no stack of ours may grow with
 * the program. */
static void recurses_deeply(void **state) {
  (void)state;
  enum { DEPTH = 30000 };
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text sheet;
  alea_text_init(&sheet, &mem);
  alea_text_put(&sheet,
                "(role r) (init on) (<= (hold 0) (true on)) (goal r 0) (legal r noop)\n"
                "(<= (hold ?y) (after ?x ?y) (hold ?x))\n");
  for (int i = 0; i < DEPTH; i++) alea_text_format(&sheet, "(after %d %d)\n", i, i + 1);
  alea_text_format(&sheet, "(<= terminal (hold %d))", DEPTH);
  start(alea_text_string(&sheet));
  expect_terminal(true);
  alea_text_clear(&sheet);
  stop();
}

static void negates_through_its_own_predicate(void **state) {
  (void)state;
  start(
      "(role a) (role b) (init f) (legal a noop) (legal b noop)\n"
      "(<= (goal ?r 100) (win ?r)) (<= (win a) (true f))\n"
      "(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))\n"
      "(<= terminal (lost p1)) (step p1 p2) (step p2 p3) (step p3 p4)\n"
      "(<= (lost ?p) (step ?p ?q) (not (lost ?q)) (true f))");
  expect_goal(0, 100);
  expect_goal(1, 0);
  expect_terminal(true); /* p4 is not lost, so p3 is, so p2 is not, so p1 is */
  stop();
}

static void reports_paradoxes(void **state) {
  (void)state;
  start(
      "(role r) (init f) (legal r noop)\n"
      "(<= (odd ?x) (true ?x) (not (odd ?x))) (<= terminal (odd f))\n"
      "(<= (calm ?x) (true ?x) (not (wild ?x))) (<= (wild ?x) (true ?x) (wild ?x))\n"
      "(<= (goal r 100) (calm f))");
  bool terminal;
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_INPUT);
  expect_goal(0, 100); /* other questions still have answers */
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_INPUT);
  stop();
}

/* `v` is proved by its second rule while `w`, which its first rule asked for,
 * still waits for `s`: that must keep `t` from completing `w` too early. */
static void keeps_unfinished_tables_open(void **state) {
  (void)state;
  start(
      "(role r) (init go) (init none)\n"
      "(<= (s ?x) (t ?x)) (<= (s b) (true go)) (<= (s c) (w ?y))\n"
      "(<= (t ?x) v (true (f ?x))) (<= v (w ?y)) (<= v (true go)) (<= (w ?y) (s ?y))\n"
      "(<= (legal r ?x) (s ?x)) (goal r 0) (<= terminal (true (f ?x)))");
  expect(LEGAL, 0, "b c");
  stop();
}

static void reads_unbound_negation(void **state) {
  (void)state;
  start(
      "(role r) (init (at 1)) (legal r noop) (goal r 0)\n"
      "(<= terminal (not (true (at ?x))))\n"
      "(<= (next gone) (does r noop))");
  expect_terminal(false);
  play("noop", NULL);
  expect(FLUENTS, 0, "gone");
  expect_terminal(true);
  stop();
}

static void binds_whole_moves_and_fluents(void **state) {
  (void)state;
  start(
      "(role a) (role b) (init (pos (deep (x)) 1)) (init lone)\n"
      "(<= (legal ?r (say ?f)) (role ?r) (true ?f))\n"
      "(<= (next (last ?r ?m)) (does ?r ?m))\n"
      "(<= (next ?f) (true ?f) (not (gone ?f))) (<= (gone ?f) (does a (say ?f)))\n"
      "(<= terminal (does ?r ?m)) (goal a 0)");
  expect(LEGAL, 1, "(say (pos (deep (x)) 1)) (say lone)");
  play("(say (pos (deep (x)) 1))", "(say lone)");
  expect(FLUENTS, 0, "(last a (say (pos (deep (x)) 1))) (last b (say lone)) lone");
  expect_terminal(false); /* nobody is moving while one asks */
  stop();
}

static void tells_percepts(void **state) {
  (void)state;
  start(
      "(role random) (role p) (init (coin unset))\n"
      "(<= (legal random (flip ?s)) (side ?s)) (side heads) (side tails) (legal p noop)\n"
      "(<= (next (coin ?s)) (does random (flip ?s)))\n"
      "(<= (sees p (does random ?s)) (does random (flip ?s)))\n"
      "(<= (sees p (was ?c)) (true (coin ?c)))\n"
      "(<= terminal (true (coin tails))) (goal p 0)");
  assert_int_equal(game->random_role, 0);
  assert_true(game->has_sees);
  expect(PERCEPTS, 1, "");
  play("(flip heads)", "noop");
  expect(PERCEPTS, 1, "(does random heads) (was unset)");
  expect(PERCEPTS, 0, "");
  play("(flip tails)", "noop");
  expect(PERCEPTS, 1, "(does random tails) (was heads)");
  assert_int_equal(alea_cursor_reset(cursor), ALEA_OK);
  expect(PERCEPTS, 1, "");
  stop();
}

static void uses_next_in_bodies(void **state) {
  (void)state;
  start(
      "(role r) (init (n 0)) (after 0 1) (after 1 2)\n"
      "(legal r step) (legal r stay)\n"
      "(<= (next (n ?y)) (does r step) (true (n ?x)) (after ?x ?y))\n"
      "(<= (next (n ?x)) (does r stay) (true (n ?x)))\n"
      "(<= (next mark) (next (n 1)))\n"
      "(<= (sees r (will ?f)) (next ?f)) (<= terminal (true (n 2))) (goal r 0)");
  play("step", NULL);
  expect(FLUENTS, 0, "(n 1) mark");
  expect(PERCEPTS, 0, "(will (n 1)) (will mark)");
  play("step", NULL);
  expect(FLUENTS, 0, "(n 2)");
  expect_terminal(true);
  stop();
}

static void tells_arities_apart(void **state) {
  (void)state;
  start(
      "(role r) (init (f)) (init (g 1)) (init (g 1 2)) (init g)\n"
      "(p 1) (p 1 2) p\n"
      "(<= (legal r (one ?x)) (p ?x)) (<= (legal r (two ?x ?y)) (p ?x ?y))\n"
      "(<= (legal r zero) (p)) (<= (legal r paren) (true (f))) (<= (legal r plain) (true f))\n"
      "(<= (legal r (g1 ?x)) (true (g ?x))) (<= (legal r g0) (true g))\n"
      "(<= (legal r g00) (true (g))) (<= terminal (true 1 2)) (true 1 3) (goal r 0)");
  expect(FLUENTS, 0, "(f) (g 1 2) (g 1) g");
  expect(LEGAL, 0, "(g1 1) (one 1) (two 1 2) g0 paren zero");
  expect_terminal(false);
  stop();
}

static void counts_only_numbers_as_goals(void **state) {
  (void)state;
  start(
      "(role a) (role b) (role c) (init f) (legal a noop)\n"
      "(goal a 20) (goal a 70) (goal a best) (goal a 101) (goal a (99)) (goal a 1000000000000)\n"
      "(<= (goal b 10) (true g)) (goal c -5) (goal c 00) (<= terminal (true g))");
  expect_goal(0, 70);
  expect_goal(1, -1);
  expect_goal(2, 0);
  expect(LEGAL, 1, ""); /* a role without moves */
  stop();
}

static void loads_positions_of_other_cursors(void **state) {
  (void)state;
  start(tic_tac_toe);
  play("(put 2 3)", "wait");
  size_t count;
  const uint64_t *words = alea_cursor_state(cursor, &count);
  alea_cursor *other;
  assert_int_equal(alea_cursor_new(game, &memory, &other), ALEA_OK);
  assert_int_not_equal(alea_cursor_hash(other), alea_cursor_hash(cursor));
  assert_int_equal(alea_cursor_load(other, words, count), ALEA_OK);
  assert_int_equal(alea_cursor_hash(other), alea_cursor_hash(cursor));
  assert_int_equal(alea_cursor_load(cursor, words, count), ALEA_OK); /* its own words */
  expect(LEGAL, 0, "wait");
  uint64_t wrong[2] = {999999, 0};
  assert_int_equal(alea_cursor_load(other, wrong, 2), ALEA_USAGE);
  alea_move joint[2] = {12345, 0};
  assert_int_equal(alea_cursor_play(other, joint), ALEA_USAGE);
  alea_cursor_free(other);
  assert_int_equal(alea_game_move_find(game, 0, "(put 1"), ALEA_NO_MOVE);
  assert_int_equal(alea_game_move_find(game, 0, "(put 1 1) x"), ALEA_NO_MOVE);
  assert_int_equal(alea_game_move_find(game, 0, "(jump 1 1)"), ALEA_NO_MOVE);
  assert_int_equal(alea_game_move_find(game, 0, ""), ALEA_NO_MOVE);
  stop();
}

static void has_an_empty_position(void **state) {
  (void)state;
  start("(role r) (legal r noop) (<= terminal (not (true a))) (goal r 5)");
  size_t count;
  const uint64_t *words = alea_cursor_state(cursor, &count);
  assert_int_equal(count, 0);
  assert_non_null(words);
  expect_terminal(true);
  play("noop", NULL);
  expect(FLUENTS, 0, "");
  stop();
}

static alea_status make_limited(alea_game **made, alea_program *program, alea_mem *mem,
                                alea_diag *diag) {
  alea_prover_options options = {.max_inferences = 10000};
  return alea_prover_game_new(made, program, &options, mem, diag);
}

static void stops_at_its_limit(void **state) {
  (void)state;
  const char *sheet =
      "(role r) (init f) (legal r noop) (nat 0) (goal r 1)\n"
      "(<= (nat (s ?x)) (nat ?x)) (<= terminal (nat stop) (true f))\n"
      "(<= (next (g ?x)) (nat ?x))";
  alea_mem_init(&memory, 0);
  assert_int_equal(load_text(sheet, strlen(sheet), "sheet", make_limited, &memory, &game), ALEA_OK);
  assert_int_equal(alea_cursor_new(game, &memory, &cursor), ALEA_OK);
  alea_move noop = alea_game_move_find(game, 0, "noop");
  assert_int_equal(alea_cursor_play(cursor, &noop), ALEA_LIMIT);
  expect(FLUENTS, 0, "f"); /* still there, and other questions still work */
  expect(LEGAL, 0, "noop");
  expect_goal(0, 1);
  expect_terminal(false); /* asked backwards, `(nat stop)` has a finite answer */
  stop();
}

/* A fluent that doubles at every step: after 16 its text would have 65,535
 * names, and soon no number of steps would be enough to print it. */
static void refuses_terms_that_double(void **state) {
  (void)state;
  start(
      "(role a) (init (n 0)) (<= (next (n (p ?x ?x))) (true (n ?x)))"
      "(legal a m) (goal a 5) (<= terminal (true x))");
  alea_move move = alea_game_move_find(game, 0, "m");
  int steps = 0;
  alea_status status = ALEA_OK;
  while (steps < 30 && (status = alea_cursor_play(cursor, &move)) == ALEA_OK) steps++;
  assert_int_equal(status, ALEA_LIMIT);
  assert_int_equal(steps, 15);
  stop();
}

/* A question ends at the deadline of its memory, and can be asked again; what it
 * would have said is 10^7 moves, sorted. */
static void stops_inside_a_question(void **state) {
  (void)state;
  start(
      "(role r) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9) (init a) "
      "(<= (legal r (m ?1 ?2 ?3 ?4 ?5 ?6 ?7)) (true a) (d ?1) (d ?2) (d ?3) (d ?4) (d ?5) (d ?6) "
      "(d ?7)) (<= (next a) (true a)) (goal r 1) (<= terminal (true b))");
  alea_list list;
  bool terminal;
  alea_deadline soon = alea_deadline_in(0.02);
  memory.deadline = &soon;
  double began = alea_clock_thread();
  assert_int_equal(alea_cursor_legal(cursor, 0, &list), ALEA_LIMIT);
  assert_true(alea_clock_thread() - began < 0.5); /* the whole takes several seconds */
  assert_false(memory.hit_limit);
  atomic_bool cancelled = true;
  alea_deadline never = {.stop = &cancelled};
  memory.deadline = &never;
  assert_int_equal(alea_cursor_legal(cursor, 0, &list), ALEA_LIMIT);
  memory.deadline = NULL;
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
  assert_false(terminal);
  expect(FLUENTS, 0, "a");
  stop();
}

/* Thousands of moves are sorted in blocks; the order is that of their texts. */
static void sorts_many_moves(void **state) {
  (void)state;
  start(
      "(role r) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9) (init a) "
      "(<= (legal r (m ?1 ?2 ?3 ?4)) (true a) (d ?4) (d ?2) (d ?3) (d ?1)) "
      "(<= (next a) (true a)) (goal r 1) (<= terminal (true b))");
  alea_list list;
  assert_int_equal(alea_cursor_legal(cursor, 0, &list), ALEA_OK);
  assert_int_equal(list.count, 10000);
  for (uint32_t i = 0; i < list.count; i++) {
    char expected[32];
    snprintf(expected, sizeof expected, "(m %u %u %u %u)", i / 1000, i / 100 % 10, i / 10 % 10,
             i % 10);
    char *text = text_of(LEGAL, 0, list.ids[i]);
    assert_string_equal(text, expected);
    free(text);
  }
  stop();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stops_inside_a_question),
      cmocka_unit_test(sorts_many_moves),
      cmocka_unit_test(plays_tic_tac_toe),
      cmocka_unit_test(refuses_terms_that_double),
      cmocka_unit_test(follows_recursion),
      cmocka_unit_test(recurses_deeply),
      cmocka_unit_test(negates_through_its_own_predicate),
      cmocka_unit_test(reports_paradoxes),
      cmocka_unit_test(keeps_unfinished_tables_open),
      cmocka_unit_test(reads_unbound_negation),
      cmocka_unit_test(binds_whole_moves_and_fluents),
      cmocka_unit_test(tells_percepts),
      cmocka_unit_test(uses_next_in_bodies),
      cmocka_unit_test(tells_arities_apart),
      cmocka_unit_test(counts_only_numbers_as_goals),
      cmocka_unit_test(loads_positions_of_other_cursors),
      cmocka_unit_test(has_an_empty_position),
      cmocka_unit_test(stops_at_its_limit),
  };
  return cmocka_run_group_tests_name("prover", tests, NULL, NULL);
}
