/* The messages of the GGP protocol as text: read, written, scrambled. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "gdl/program.h"
#include "net/ggp.h"
#include "net/protocol_text.h"

static bool is(alea_slice slice, const char *text) {
  return slice.length == strlen(text) && memcmp(slice.at, text, slice.length) == 0;
}

static alea_ggp_message read_good(const char *text) {
  alea_ggp_message m;
  const char *why = "";
  if (alea_ggp_read(&m, text, strlen(text), &why) != ALEA_OK) fail_msg("%s: %s", text, why);
  return m;
}

static void reads_verbs(void **state) {
  (void)state;
  static const char *const info[] = {"( INFO )", "(info)", "INFO", " (Info) \r\n", "(INFO) ; hi"};
  for (size_t i = 0; i < sizeof info / sizeof *info; i++)
    assert_int_equal(read_good(info[i]).kind, ALEA_GGP_INFO);
  assert_int_equal(read_good("(ping)").kind, ALEA_GGP_PING);
  assert_int_equal(read_good("PING").kind, ALEA_GGP_PING);
  alea_ggp_message m = read_good("( ABORT Match.1 )");
  assert_int_equal(m.kind, ALEA_GGP_ABORT);
  assert_true(is(m.id, "Match.1"));
  m = read_good("( PREVIEW ( (role a) (init b) ) 10 )");
  assert_int_equal(m.kind, ALEA_GGP_PREVIEW);
  assert_true(is(m.rules, " (role a) (init b) "));
}

static void reads_start(void **state) {
  (void)state;
  alea_ggp_message m = read_good("( START Match.7 xPlayer ( (role xPlayer) (<= a (b ?x)) ) 30 15)");
  assert_int_equal(m.kind, ALEA_GGP_START);
  assert_true(is(m.id, "Match.7"));
  assert_true(is(m.role, "xPlayer"));
  assert_true(is(m.rules, " (role xPlayer) (<= a (b ?x)) "));
  assert_true(m.start_clock == 30 && m.play_clock == 15);
  /* More arguments are ignored, as ggp-base does. */
  m = read_good("(START id r ((role r)) 30 15 (more things) and so on)");
  assert_int_equal(m.kind, ALEA_GGP_START);
  assert_true(is(m.role, "r") && m.start_clock == 30 && m.play_clock == 15);
}

static void reads_moves(void **state) {
  (void)state;
  alea_ggp_message m = read_good("( PLAY id NIL )");
  assert_true(!m.has_turn && !m.has_events);
  m = read_good("( PLAY id () )");
  assert_true(!m.has_events);
  m = read_good("( PLAY id ((mark 1 1) noop ) )");
  assert_true(!m.has_turn && m.has_events);
  assert_true(is(m.events, "(mark 1 1) noop "));
  m = read_good("(PLAY id 0 NIL NIL)");
  assert_true(m.has_turn && m.turn == 0 && m.own.length == 0 && !m.has_events);
  m = read_good("(STOP id 12 (mark 1 1) ((seen a) b))");
  assert_int_equal(m.kind, ALEA_GGP_STOP);
  assert_true(m.has_turn && m.turn == 12 && is(m.own, "(mark 1 1)") && is(m.events, "(seen a) b"));
  m = read_good("( STOP id NIL )");
  assert_true(!m.has_events);
}

static void refuses(void **state) {
  (void)state;
  static const char *const bad[] = {
      "",
      "   ",
      ";",
      "(",
      ")",
      "(PLAY",
      "(INFO))",
      "(INFO) (INFO)",
      "(HELLO)",
      "()",
      "(())",
      "((INFO))",
      "(INFO now)",
      "(PLAY)",
      "(PLAY id)",
      "(PLAY id noop)",
      "(PLAY (id) NIL)",
      "(PLAY id one NIL NIL)",
      "(PLAY id -1 NIL NIL)",
      "(PLAY id 1 NIL)",
      "(PLAY id 1 NIL NIL NIL)",
      "(START id role rules 1 1)",
      "(START id role (rules) 1)",
      "(START id role (rules) soon 1)",
      "(START id role (rules) 1 -1)",
      "(START id role (rules) 1 1e99)",
      "(START id role (rules) 1 99999999999999999999999999)",
      "(START id (role) (rules) 1 1)",
      "(ABORT)",
      "(ABORT id now)",
      "(PREVIEW rules 1)",
      "(PREVIEW (rules))",
      "(a b c d e f g h i j)",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    alea_ggp_message m;
    const char *why = "";
    if (alea_ggp_read(&m, bad[i], strlen(bad[i]), &why) != ALEA_INPUT) fail_msg("%s", bad[i]);
    assert_true(why[0] != '\0');
  }
  alea_ggp_message m;
  const char *why = "";
  assert_int_equal(alea_ggp_read(&m, "(INFO\0)", 7, &why), ALEA_INPUT);
}

/* Depth costs nothing. */
static void reads_deep(void **state) {
  (void)state;
  size_t depth = 2000000;
  char *text = malloc(2 * depth + 20);
  assert_non_null(text);
  strcpy(text, "(PLAY i (");
  memset(text + 9, '(', depth);
  memset(text + 9 + depth, ')', depth);
  strcpy(text + 9 + 2 * depth, "))");
  alea_ggp_message m;
  const char *why = "";
  assert_int_equal(alea_ggp_read(&m, text, strlen(text), &why), ALEA_OK);
  assert_int_equal(alea_ggp_read(&m, text, strlen(text) - 1, &why), ALEA_INPUT);
  free(text);
}

static alea_ggp_percepts look(const char *rules) {
  return alea_ggp_look((alea_slice){rules, strlen(rules)});
}

static void finds_sees(void **state) {
  (void)state;
  static const char did[] = "(role a) (<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m)) (init b)";
  alea_ggp_percepts sight = look(did);
  assert_true(sight.sees && sight.all && is(sight.word, "did"));
  assert_true(is(sight.rule, "(<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))"));
  assert_true(look("(<= (SEES ?A (ZORK ?B ?C)) (DOES ?B ?C) (ROLE ?A))").all);
  assert_false(look("(role a) (legal a b)").sees);
  static const char *const others[] = {
      "(<= (sees ?p (did ?p ?m)) (role ?p) (does ?p ?m))",
      "(<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m) (true open))",
      "(<= (sees ?p (did ?m ?q)) (role ?p) (does ?q ?m))",
      "(<= (sees a (did ?q ?m)) (role a) (does ?q ?m))",
      "(<= (sees ?p (did ?q ?m)) (role ?q) (does ?q ?m))",
      "(sees a b)",
      "(<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m)) (<= (sees a x) (true y))",
      "(<= (sees a x) (true y)) (<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))",
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    assert_true(look(others[i]).sees);
    if (look(others[i]).all) fail_msg("%s", others[i]);
  }
}

static void writes(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text t;
  alea_text_init(&t, &mem);
#define EXPECT(expected)                                 \
  assert_string_equal(alea_text_string(&t), (expected)); \
  alea_text_truncate(&t, 0)
  alea_ggp_put_info(&t);
  EXPECT("( INFO )");
  alea_ggp_put_start(&t, "m", "white", "(role white) (role black)", 30, 15);
  EXPECT("( START m white ( (role white) (role black) ) 30 15)");
  alea_ggp_put_moves(&t, "PLAY", "m", "");
  EXPECT("( PLAY m NIL )");
  alea_ggp_put_moves(&t, "PLAY", "m", "(mark 1 1) noop");
  EXPECT("( PLAY m ((mark 1 1) noop ) )");
  alea_ggp_put_moves(&t, "STOP", "m", "noop noop");
  EXPECT("( STOP m (noop noop ) )");
  alea_ggp_put_turn(&t, "PLAY", "m", 0, "", "");
  EXPECT("( PLAY m 0 NIL NIL )");
  alea_ggp_put_turn(&t, "STOP", "m", 4, "(bet 1)", "(seen a) b");
  EXPECT("( STOP m 4 (bet 1) ((seen a) b ) )");
  alea_ggp_put_abort(&t, "m");
  EXPECT("( ABORT m )");
  alea_ggp_put_moves(&t, "PLAY", "m", "(mark 1 ?x) noop");
  alea_ggp_raise(&t);
  EXPECT("( PLAY M ((MARK 1 ?X) NOOP ) )");
  alea_text_clear(&t);
  assert_int_equal(mem.used, 0);
}

/* ---- words ---- */

static const char sheet[] =
    "; a comment\n(role Robot)\n(role random) ; another\n(init (cell 1 a))\n"
    "(<= (legal Robot (move ?x)) (true (cell 1 ?x)) (distinct ?x b))\n"
    "(legal random noop)\n(<= (next (cell 1 b)) (does Robot (move a)))\n"
    "(<= (goal Robot 100) (true (cell 1 b)))\n(goal random 0)\n"
    "(<= terminal (true (cell 1 b)))\n";

static void keeps_words(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_protocol_text wire;
  alea_protocol_text_options options = {.tell_all = true};
  assert_int_equal(alea_protocol_text_init(&wire, sheet, strlen(sheet), &options, &mem, NULL),
                   ALEA_OK);
  assert_string_equal(
      alea_text_string(&wire.rules),
      "(role Robot) (role random) (init (cell 1 a)) "
      "(<= (legal Robot (move ?x)) (true (cell 1 ?x)) (distinct ?x b)) (legal random noop) "
      "(<= (next (cell 1 b)) (does Robot (move a))) (<= (goal Robot 100) (true (cell 1 b))) "
      "(goal random 0) (<= terminal (true (cell 1 b))) "
      "(<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))");
  alea_protocol_text_clear(&wire);
  assert_int_equal(mem.used, 0);
}

/* No word of the game is left, all words of the language are, and there is a
 * way back. */
static void scrambles(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (uint64_t seed = 0; seed < 50; seed++) {
    alea_protocol_text wire;
    alea_text there, back;
    alea_protocol_text_options options = {.scramble = true, .seed = seed};
    alea_text_init(&there, &mem);
    alea_text_init(&back, &mem);
    assert_int_equal(alea_protocol_text_init(&wire, sheet, strlen(sheet), &options, &mem, NULL),
                     ALEA_OK);
    const char *rules = alea_text_string(&wire.rules);
    static const char *const gone[] = {"Robot", "cell", "move", "noop", "?x", " a)", " b)"};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) assert_null(strstr(rules, gone[i]));
    static const char *const kept[] = {"(role random)", "(goal random 0)", "<= terminal",
                                       " 1 ",           " 100)",           "(distinct ?"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) assert_non_null(strstr(rules, kept[i]));
    alea_program *program = NULL;
    assert_int_equal(
        alea_program_new(&program, rules, wire.rules.length, "rules", NULL, &mem, NULL), ALEA_OK);
    alea_program_free(program);
    static const char move[] = "(move a)";
    alea_protocol_text_encode(&wire, move, strlen(move), &there);
    assert_string_not_equal(alea_text_string(&there), move);
    alea_protocol_text_decode(&wire, alea_text_string(&there), there.length, &back);
    assert_string_equal(alea_text_string(&back), move);
    alea_text_truncate(&back, 0);
    alea_ggp_raise(&there); /* Dresden's players answer in upper case */
    alea_protocol_text_decode(&wire, alea_text_string(&there), there.length, &back);
    assert_string_equal(alea_text_string(&back), move);
    alea_text_clear(&there);
    alea_text_clear(&back);
    alea_protocol_text_clear(&wire);
  }
  assert_int_equal(mem.used, 0);
}

/* Without memory there is a status and nothing is lost. */
static void starves(void **state) {
  (void)state;
  bool done = false;
  for (uint64_t n = 1; !done; n++) {
    alea_mem mem;
    alea_protocol_text wire;
    alea_protocol_text_options options = {.scramble = true, .tell_all = true};
    alea_mem_init(&mem, 0);
    mem.fail_in = n;
    alea_status status = alea_protocol_text_init(&wire, sheet, strlen(sheet), &options, &mem, NULL);
    done = mem.fail_in > 0; /* it was not needed */
    if (!done) assert_int_equal(status, ALEA_SYSTEM);
    if (done) assert_int_equal(status, ALEA_OK);
    alea_protocol_text_clear(&wire);
    assert_int_equal(mem.used, 0);
  }
}

/* Names keep the spelling of the text, words of the language too. */
static void spells(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_symbols *symbols = alea_symbols_new(&mem);
  alea_symbol word = alea_symbols_add_word(symbols, "random", 6);
  assert_string_equal(alea_symbols_spelling(symbols, word), "random");
  assert_int_equal(alea_symbols_add(symbols, "RanDom", 6), word);
  assert_int_equal(alea_symbols_add(symbols, "RANDOM", 6), word);
  assert_string_equal(alea_symbols_spelling(symbols, word), "RanDom");
  assert_string_equal(alea_symbols_text(symbols, word), "random");
  alea_symbol later = alea_symbols_add_word(symbols, "or", 2);
  alea_symbols_settle(symbols);
  assert_int_equal(alea_symbols_add(symbols, "OR", 2), later);
  assert_string_equal(alea_symbols_spelling(symbols, later), "or");
  alea_symbols_free(symbols);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_verbs), cmocka_unit_test(reads_start), cmocka_unit_test(reads_moves),
      cmocka_unit_test(refuses),     cmocka_unit_test(reads_deep),  cmocka_unit_test(finds_sees),
      cmocka_unit_test(writes),      cmocka_unit_test(keeps_words), cmocka_unit_test(scrambles),
      cmocka_unit_test(spells),      cmocka_unit_test(starves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
