/* Continuous moves: equations with known solutions, time bounds, invariants
 * and post-conditions ([TOSS10 §2, §3]), through the game interface. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "toss/interval.h"
#include "toss/toss.h"

typedef struct play {
  alea_mem mem;
  alea_game *game;
  alea_cursor *cursor;
} play;

static void open(play *p, const char *text) {
  alea_mem_init(&p->mem, 0);
  alea_diag diag;
  alea_diag_init(&diag, &p->mem);
  alea_toss_file *file;
  if (alea_toss_read(&file, text, strlen(text), "x", &p->mem, &diag) != ALEA_OK) {
    fail_msg("%s", diag.entries.data[0].message);
  }
  alea_diag_clear(&diag);
  assert_int_equal(alea_toss_game_new(&p->game, file, NULL, &p->mem, NULL), ALEA_OK);
  assert_int_equal(alea_cursor_new(p->game, &p->mem, &p->cursor), ALEA_OK);
}

static void close(play *p) {
  alea_cursor_free(p->cursor);
  alea_game_free(p->game);
  assert_int_equal(p->mem.used, 0);
}

/* Plays moves by name, one per role. */
static void move(play *p, const char *first, const char *second) {
  alea_move joint[3];
  joint[0] = alea_game_move_find(p->game, 0, first);
  assert_true(joint[0] != ALEA_NO_MOVE);
  if (second != NULL) {
    joint[1] = alea_game_move_find(p->game, 1, second);
    assert_true(joint[1] != ALEA_NO_MOVE);
  }
  for (uint32_t role = 0; role < p->game->role_count; role++) {
    alea_list list;
    bool found = false;
    assert_int_equal(alea_cursor_legal(p->cursor, role, &list), ALEA_OK);
    for (uint32_t i = 0; i < list.count; i++) found |= list.ids[i] == joint[role];
    assert_true(found);
  }
  assert_int_equal(alea_cursor_play(p->cursor, joint), ALEA_OK);
}

/* The value of the fluent `(name element value)`, from the state's words, which
 * end with the labels: function by function, element by element. */
static double label(play *p, size_t functions, size_t elements, size_t function, size_t element) {
  size_t count;
  const uint64_t *words = alea_cursor_state(p->cursor, &count);
  double lo, hi;
  const uint64_t *at =
      words + count - 2 * functions * elements + 2 * (function * elements + element);
  memcpy(&lo, at, sizeof lo);
  memcpy(&hi, at + 1, sizeof hi);
  assert_true(hi - lo < 1e-6);
  return (lo + hi) / 2;
}

static void expect_near(double found, double expected) {
  if (!(fabs(found - expected) < 1e-8)) fail_msg("%.12g is not %.12g", found, expected);
}

#define ONE(dynamics, time, values)                           \
  "PLAYERS p RULE M: [a | | ] -> [a | | ] dynamics " dynamics \
  " LOC 0 { PLAYER p { MOVES [M, t: 0 -- " time " -> 0] } } START [a | | " values "]"

static void closed_forms(void **state) {
  (void)state;
  play p;
  open(&p, ONE(":x(a)' = :x(a)", "2", "x {a -> 1}"));
  move(&p, "(m a)", NULL);
  expect_near(label(&p, 1, 1, 0, 0), exp(2));
  close(&p);
  open(&p, ONE(":x(a)'' = -:x(a)", "1.5", "x {a -> 1}"));
  move(&p, "(m a)", NULL);
  expect_near(label(&p, 1, 1, 0, 0), cos(1.5));
  close(&p);
  open(&p, ONE(":x(a)''' = 6", "2", "x {a -> 1}"));
  move(&p, "(m a)", NULL);
  expect_near(label(&p, 1, 1, 0, 0), 9);
  close(&p);
  open(&p, ONE(":x(a)'' = -10 - 2 * :x(a)'", "1", "x {a -> 0}"));
  move(&p, "(m a)", NULL);
  expect_near(label(&p, 1, 1, 0, 0), -5 + 2.5 * (1 - exp(-2)));
  close(&p);
  open(&p, ONE(":x(a)' = :y(a); :y(a)' = -:x(a)", "1", "x {a -> 0}; y {a -> 1}"));
  move(&p, "(m a)", NULL);
  expect_near(label(&p, 2, 1, 0, 0), sin(1));
  expect_near(label(&p, 2, 1, 1, 0), cos(1));
  close(&p);
  open(&p, ONE(":x(a)' = Root(2, :x(a)) / 2", "2", "x {a -> 4}"));
  move(&p, "(m a)", NULL);
  expect_near(label(&p, 1, 1, 0, 0), 6.25); /* (t/4 + 2)^2 */
  close(&p);
}

/* Positions are start + p * min(tc, tm), as in the paper's example. */
static void cat_and_mouse(void **state) {
  (void)state;
  static const char text[] =
      "PLAYERS cat, mouse "
      "RULE Cat: [c | C(c) | ] -> [c | | ] dynamics :x(c)' = :px; :y(c)' = :py "
      "RULE Mouse: [m | M(m) | ] -> [m | | ] dynamics :x(m)' = :px; :y(m)' = :py "
      "LOC 0 { PLAYER cat { MOVES [Cat, t: 0.25 -- 1 by 0.25, px: -1 -- 1, py: -1 -- 1 -> 0] } "
      "PLAYER mouse { MOVES [Mouse, t: 0.25 -- 1 by 0.25, px: -2 -- 2, py: -2 -- 2 -> 0] } } "
      "START [c, m | C(c); M(m) | x {c -> 0, m -> 3}; y {c -> 0, m -> 4}]";
  play p;
  open(&p, text);
  move(&p, "(cat c 1 -1 0.75)", "(mouse m -2 0 0.5)");
  expect_near(label(&p, 2, 2, 0, 0), 0.5);
  expect_near(label(&p, 2, 2, 1, 0), -0.5);
  expect_near(label(&p, 2, 2, 0, 1), 2);
  expect_near(label(&p, 2, 2, 1, 1), 4);
  close(&p);
}

/* Two rules on one element: their right sides add up. */
static void summed(void **state) {
  (void)state;
  static const char text[] =
      "PLAYERS p, q RULE M: [a | | ] -> [a | | ] dynamics :x(a)' = :k "
      "LOC 0 { PLAYER p { MOVES [M, t: 0 -- 1, k: 1 -- 3 by 1 -> 0] } "
      "PLAYER q { MOVES [M, t: 0 -- 2, k: 10 -- 10 -> 0] } } START [a | | x {a -> 0}]";
  play p;
  open(&p, text);
  move(&p, "(m a 2)", "(m a 10)");
  expect_near(label(&p, 1, 1, 0, 0), 12);
  close(&p);
}

/* The invariant fails before the time is up: the rule is applied there. */
static void invariant(void **state) {
  (void)state;
  play p;
  open(&p,
       "PLAYERS p RULE Fall: [a | | ] -> [a | Down(a) | ] inv :h(a) > 0 dynamics :h(a)'' = -10 "
       "update :c(a) = :h(a) + 1 "
       "LOC 0 { PLAYER p { MOVES [Fall, t: 0 -- 9 -> 0] } } START [a | Down:1 {} | h {a -> 5}; c "
       "{a -> 0}]");
  move(&p, "(fall a)", NULL);
  expect_near(label(&p, 2, 1, 0, 0), 0);
  expect_near(label(&p, 2, 1, 1, 0), 1);
  close(&p);
}

/* One invariant fails at time 1 but its `post` does too: the rule is dropped,
 * and the other goes on to its own bound, alone. */
static void dropped(void **state) {
  (void)state;
  static const char text[] =
      "PLAYERS p, q "
      "RULE A: [a | P(a) | ] -> [a | Mark(a) | ] inv :x(a) < 1 post false dynamics :x(a)' = 1 "
      "RULE B: [b | Q(b) | ] -> [b | Mark(b) | ] dynamics :x(b)' = 2 "
      "LOC 0 { PLAYER p { MOVES [A, t: 0 -- 5 -> 0] } PLAYER q { MOVES [B, t: 0 -- 3 -> 0] } } "
      "START [a, b | P(a); Q(b); Mark:1 {} | x {a -> 0, b -> 0}]";
  play p;
  open(&p, text);
  move(&p, "(a a)", "(b b)");
  expect_near(label(&p, 1, 2, 0, 0), 1); /* stands still since it was dropped */
  expect_near(label(&p, 1, 2, 0, 1), 6);
  alea_list list;
  assert_int_equal(alea_cursor_fluents(p.cursor, &list), ALEA_OK);
  alea_text found;
  alea_text_init(&found, &p.mem);
  for (uint32_t i = 0; i < list.count; i++) {
    alea_game_fluent_text(p.game, list.ids[i], false, &found);
  }
  assert_non_null(strstr(found.data, "(mark b)"));
  assert_null(strstr(found.data, "(mark a)"));
  alea_text_clear(&found);
  close(&p);
}

/* A discrete rule alone is not legal where its `post` would fail. */
static void post_and_multiplicity(void **state) {
  (void)state;
  play p;
  open(&p,
       "PLAYERS p RULE M: [a | | ] -> [a | P(a) | ] emb P post Sum (x | P(x) : 1) < 2 "
       "LOC 0 { PLAYER p { PAYOFF 1 MOVES [M -> 0] } } START [a, b | P:1 {} | ]");
  move(&p, "(m b)", NULL);
  bool terminal;
  assert_int_equal(alea_cursor_terminal(p.cursor, &terminal), ALEA_OK);
  assert_true(terminal);
  close(&p);
  /* all matches at once, and any set of matches that do not meet */
  open(&p,
       "PLAYERS p RULE M: [a, b | E(a, b) | ] -> [a, b | P(a) | ] "
       "LOC 0 { PLAYER p { MOVES [M as each all -> 0]; [M as some * -> 0] } } "
       "START [a, b, c | P:1 {}; E {(a, b); (b, c); (c, a)} | ]");
  alea_list list;
  assert_int_equal(alea_cursor_legal(p.cursor, 0, &list), ALEA_OK);
  assert_int_equal(list.count, 4); /* `each`, and three single matches: any two meet */
  move(&p, "each", NULL);
  assert_int_equal(alea_cursor_fluents(p.cursor, &list), ALEA_OK);
  assert_int_equal(list.count, 1 + 3);
  close(&p);
}

/* A bound drawn at random: sixteen equally likely quantiles. */
static void random_bound(void **state) {
  (void)state;
  play p;
  open(&p,
       "PLAYERS p RULE M: [a | | ] -> [a | | ] dynamics :x(a)' = 1 "
       "LOC 0 { PLAYER p { MOVES [M, t: 0 -- :z, :z ~ U(0, 16) -> 0] } } START [a | | x {a -> 0}]");
  assert_int_equal(p.game->random_role, 1);
  move(&p, "(m a)", "(chance 3)");
  expect_near(label(&p, 1, 1, 0, 0), 3.5);
  close(&p);
}

/* Labels of the only element after moves of 'time' each, in the order in which the
 * game declares its functions. */
static void fall(const char *clauses, const char *start, const char *time, int moves,
                 size_t functions, double *labels) {
  char text[512];
  play p;
  snprintf(text, sizeof text,
           "PLAYERS p RULE Go: [a | | ] -> [a | | ] %s "
           "LOC 0 { PLAYER p { MOVES [Go, t: %s -- %s -> 0] } } START [a | | %s]",
           clauses, time, time, start);
  open(&p, text);
  for (int i = 0; i < moves; i++) move(&p, "(go a)", NULL);
  for (size_t f = 0; f < functions; f++) labels[f] = label(&p, functions, 1, f, 0);
  close(&p);
}

/* Carried derivatives: many short moves are one long one. */
static void carried(void **state) {
  (void)state;
  static const char falls[] = "dynamics :h(a)'' = -10 - :h(a)' ";
  static const char carries[] = "carry :h(a)' dynamics :h(a)'' = -10 - :h(a)' ";
  static const char third[] = "dynamics :h(a)''' = 6 carry :h(a)'; :h(a)''";
  double x[3];
  double v = -10 * (1 - exp(-1)), h = 9 - 10 + 10 * (1 - exp(-1)); /* after time 1 */
  fall(falls, "h {a -> 9}", "1", 1, 1, x);
  expect_near(x[0], h);
  fall(falls, "h {a -> 9}", "0.25", 4, 1, x); /* begins anew with each move */
  double quarter = -10 * 0.25 + 10 * (1 - exp(-0.25));
  expect_near(x[0], 9 + 4 * quarter);
  fall(carries, "h {a -> 9}", "0.25", 4, 2, x);
  expect_near(x[0], h);
  expect_near(x[1], v);                                         /* h_d1 */
  fall(carries, "h {a -> 9}; h_d1 {a -> -10}", "0.5", 2, 2, x); /* begins at its last speed */
  expect_near(x[0], -1);
  expect_near(x[1], -10);
  fall(third, "h {a -> 0}", "0.5", 4, 3, x); /* t^3 after time 2 */
  expect_near(x[0], 8);
}

/* What is carried is a label: it can be updated, as where a ball bounces. */
static void bounced(void **state) {
  (void)state;
  double x[2];
  fall(
      "carry :h(a)' dynamics :h(a)'' = -10 inv :h(a) > 0 or :h_d1(a) > 0 "
      "update :h_d1(a) = 0 - :h_d1(a)",
      "h {a -> 5}", "4", 1, 2, x); /* falls for a second to the ground */
  assert_true(fabs(x[1] - 10) < 1e-6 && fabs(x[0]) < 1e-6);
}

/* ---- what is certain, and what is told ---- */

static alea_interval enclosure(play *p, size_t functions, size_t elements, size_t function,
                               size_t element) {
  size_t count;
  const uint64_t *words = alea_cursor_state(p->cursor, &count);
  alea_interval found;
  memcpy(&found, words + count - 2 * functions * elements + 2 * (function * elements + element),
         sizeof found);
  return found;
}

static void expect_within(alea_interval found, double exact, double width) {
  if (found.lo > exact || found.hi < exact || found.hi - found.lo > width)
    fail_msg("[%.17g, %.17g] for %.17g", found.lo, found.hi, exact);
}

/* Finds a note about the game: its code, and where it stands. */
static bool is_noted(play *p, const char *code, uint32_t line, uint32_t column) {
  alea_diag diag;
  alea_diag_init(&diag, &p->mem);
  alea_game_notes(p->game, &diag);
  bool found = false;
  for (size_t i = 0; i < diag.entries.count; i++) {
    const alea_diag_entry *e = &diag.entries.data[i];
    found |= strcmp(e->code, code) == 0 && e->place.line == line && e->place.column == column;
  }
  alea_diag_clear(&diag);
  return found;
}

/* The solution of x' = x^2 ends at time 1: so does the move, with a note, and
 * the play goes on. */
static void blow_up(void **state) {
  (void)state;
  play p;
  open(&p,
       "PLAYERS p\n"
       "RULE M: [a | | ] -> [a | | ] dynamics :x(a)' = :x(a)^2; :s(a)' = 1 update :x(a) = 1\n"
       "LOC 0 { PLAYER p { MOVES [M, t: 0 -- 2 -> 0] } } START [a | | x {a -> 1}; s {a -> 0}]");
  assert_false(is_noted(&p, "no-solution", 2, 6));
  for (int i = 1; i < 4; i++) {
    move(&p, "(m a)", NULL);
    expect_near(label(&p, 2, 1, 0, 0), 1);
    alea_interval time = enclosure(&p, 2, 1, 1, 0);
    assert_true(time.hi < i && time.lo > i - 1e-6);
  }
  assert_true(is_noted(&p, "no-solution", 2, 6));
  close(&p);
}

/* A label that slows down where it crosses 1: the switch is enclosed. */
static void switches(void **state) {
  (void)state;
  play p;
  open(&p, ONE(":x(a)' = 1 + :(:x(a) < 1)", "2", "x {a -> 0}"));
  move(&p, "(m a)", NULL);
  expect_within(enclosure(&p, 1, 1, 0, 0), 2.5, 1e-5);
  close(&p);
  /* those that are above 1/2 push: y from the start, x from 1/2 on */
  open(&p,
       "PLAYERS p RULE M: [a, b | E(a, b) | ] -> [a, b | | ] "
       "dynamics :x(a)' = Sum (c | :x(c) > 1/2 : 1) "
       "LOC 0 { PLAYER p { MOVES [M, t: 0 -- 1 -> 0] } } "
       "START [a, b | E(a, b) | x {a -> 0, b -> 1}]");
  move(&p, "(m a b)", NULL);
  expect_within(enclosure(&p, 1, 2, 0, 0), 1.5, 1e-5);
  close(&p);
}

/* The result is the instant at which the invariant fails, tightly. */
static void instants(void **state) {
  (void)state;
  play p;
  static const char *const invariants[] = {":x(a) < 2", "not :x(a) > 2", ":x(a) + 1 < 3 or false",
                                           "not ex b (:x(b)^2 > 4)"};
  for (size_t i = 0; i < sizeof invariants / sizeof *invariants; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "PLAYERS p RULE M: [a | | ] -> [a | | ] inv %s dynamics :x(a)' = :x(a) "
             "LOC 0 { PLAYER p { MOVES [M, t: 0 -- 9 -> 0] } } START [a | | x {a -> 1}]",
             invariants[i]);
    open(&p, text);
    move(&p, "(m a)", NULL);
    expect_within(enclosure(&p, 1, 1, 0, 0), 2, 1e-13);
    close(&p);
  }
  /* on the ground at the start, which is no failure: up, and down again */
  open(&p,
       "PLAYERS p RULE M: [a | | ] -> [a | | ] inv :h(a) >= 0 "
       "dynamics :h(a)' = :v(a); :v(a)' = -10 "
       "LOC 0 { PLAYER p { MOVES [M, t: 0 -- 9 -> 0] } } START [a | | h {a -> 0}; v {a -> 0.3}]");
  move(&p, "(m a)", NULL);
  expect_within(enclosure(&p, 2, 1, 0, 0), 0, 1e-14);
  expect_within(enclosure(&p, 2, 1, 1, 0), -0.3, 2e-14);
  close(&p);
}

/* Three tenths are no more than 0.3, however they come about. */
static void decimals(void **state) {
  (void)state;
  play p;
  open(&p,
       "PLAYERS p RULE M: [a | | ] -> [a | P(a) | ] "
       "pre :x(a) - 0.2 < 0.1 or :x(a) - 0.2 > 0.1 or 0.1 + 0.2 != 0.3 or 3 * 0.1 > 0.3 "
       "or (:x(a) - :y(a)) - 0.1 < 0 "
       "LOC 0 { PLAYER p { MOVES [M -> 0] } } START [a | P:1 {} | x {a -> 0.3}; y {a -> 0.2}]");
  alea_list list;
  assert_int_equal(alea_cursor_legal(p.cursor, 0, &list), ALEA_OK);
  assert_int_equal(list.count, 0);
  close(&p);
}

/* A precondition that cannot be decided is told, with its place. */
static void undecided(void **state) {
  (void)state;
  play p;
  open(&p,
       "PLAYERS p\nRULE M: [a | | ] -> [a | P(a) | ]\n"
       "  pre ex :r (:r > Min (:s | :s^2 > :r))\n"
       "LOC 0 { PLAYER p { MOVES [M -> 0] } } START [a | P:1 {} | ]");
  alea_list list;
  assert_int_equal(alea_cursor_legal(p.cursor, 0, &list), ALEA_OK);
  assert_int_equal(list.count, 0);
  assert_true(is_noted(&p, "undecided", 3, 7));
  close(&p);
}

/* A label with too many moves is told with its place. */
static void too_many_moves(void **state) {
  (void)state;
  play p;
  open(&p,
       "PLAYERS p\nRULE M: [a | | ] -> [a | P(a) | ] dynamics :x(a)' = :k + :l + :m\n"
       "LOC 0 { PLAYER p { MOVES\n"
       "  [M, k: 0 -- 1 by 0.01, l: 0 -- 1 by 0.01, m: 0 -- 1 by 0.01 -> 0] } }\n"
       "START [a | P:1 {} | x {a -> 0}]");
  alea_list list;
  assert_int_equal(alea_cursor_legal(p.cursor, 0, &list), ALEA_LIMIT);
  assert_true(is_noted(&p, "too-large", 4, 3));
  close(&p);
}

/* The n-th allocation of a move fails, for n = 1, 2, ...: a status, and nothing
 * leaks. */
static void no_memory(void **state) {
  (void)state;
  play p;
  open(&p,
       "PLAYERS p RULE M: [a | | ] -> [a | P(a) | ] inv :x(a) < 2 post true "
       "dynamics :x(a)' = :x(a) + Sum (b | :x(b) < 1 : 1); :y(a)'' = -:y(a) "
       "LOC 0 { PLAYER p { MOVES [M, t: 1 -- 1 -> 0] } } START [a | P:1 {} | x {a -> 1.5}; y {a -> "
       "1}]");
  alea_move joint = alea_game_move_find(p.game, 0, "(m a)");
  assert_true(joint != ALEA_NO_MOVE);
  alea_status status = ALEA_SYSTEM;
  size_t used = p.mem.used;
  for (uint64_t n = 1; status != ALEA_OK; n++) {
    assert_true(n < 1000);
    assert_int_equal(alea_cursor_reset(p.cursor), ALEA_OK);
    p.mem.fail_in = n;
    status = alea_cursor_play(p.cursor, &joint);
    p.mem.fail_in = 0;
    if (status != ALEA_OK) assert_true(p.mem.used <= used + 4096);
  }
  expect_within(enclosure(&p, 2, 1, 0, 0), 2, 1e-12);
  close(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closed_forms),   cmocka_unit_test(cat_and_mouse),
      cmocka_unit_test(summed),         cmocka_unit_test(invariant),
      cmocka_unit_test(dropped),        cmocka_unit_test(post_and_multiplicity),
      cmocka_unit_test(random_bound),   cmocka_unit_test(blow_up),
      cmocka_unit_test(switches),       cmocka_unit_test(instants),
      cmocka_unit_test(decimals),       cmocka_unit_test(undecided),
      cmocka_unit_test(too_many_moves), cmocka_unit_test(no_memory),
      cmocka_unit_test(carried),        cmocka_unit_test(bounced),
  };
  return cmocka_run_group_tests_name("toss flow", tests, NULL, NULL);
}
