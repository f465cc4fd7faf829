/* The network on programs made by hand: what is folded, found and refused. */
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "propnet/propnet.h"
#include "support/ground_maker.h"
#include "support/oracle.h"

typedef struct fixture {
  alea_mem mem;
  alea_diag diag;
  alea_net *net;
  alea_status status;
} fixture;

static void build(fixture *f, const char *text, alea_net_options options) {
  alea_mem_init(&f->mem, 0);
  alea_diag_init(&f->diag, &f->mem);
  alea_ground *ground = ground_from_text(text, &f->mem);
  f->status = alea_net_new(&f->net, ground, &options, &f->mem, &f->diag);
  alea_ground_free(ground);
  if (f->status == ALEA_OK) alea_net_check(f->net);
}

static void done(fixture *f) {
  alea_net_free(f->net);
  alea_diag_clear(&f->diag);
  assert_int_equal(f->mem.used, 0);
}

static uint64_t cost(const char *text) {
  fixture f;
  build(&f, text, (alea_net_options){0});
  assert_int_equal(f.status, ALEA_OK);
  uint64_t gates = alea_net_two_input_gates(f.net);
  done(&f);
  return gates;
}

/* Fluents p q r s t that change freely: each follows a move of its own role. */
#define FREE_FLUENTS                                                                         \
  "role r1\nrole r2\nrole r3\nrole r4\n"                                                     \
  "fluent p 0\nfluent q 0\nfluent r 0\nfluent s 0\n"                                         \
  "move r1 a\nmove r1 b\nmove r2 a\nmove r2 b\nmove r3 a\nmove r3 b\nmove r4 a\nmove r4 b\n" \
  "next p r1:a\nnext q r2:a\nnext r r3:a\nnext s r4:a\n"                                     \
  "legal r1 a true\nlegal r1 b true\nlegal r2 a true\nlegal r2 b true\n"                     \
  "legal r3 a true\nlegal r3 b true\nlegal r4 a true\nlegal r4 b true\n"

static void constants_and_twins_fold(void **state) {
  (void)state;
  assert_int_equal(cost(FREE_FLUENTS "rule x p true\nrule x false q\nterminal x\n"), 0);
  assert_int_equal(cost(FREE_FLUENTS "rule x p ~p\nterminal x\n"), 0);
  assert_int_equal(cost(FREE_FLUENTS "rule x p\nrule x ~p\nterminal x\n"), 0);
  /* One AND and its De Morgan twin. */
  assert_int_equal(cost(FREE_FLUENTS "rule x p q\nrule y ~p\nrule y ~q\n"
                                     "terminal x\ngoal r1 100 y\n"),
                   1);
  /* Absorption: p | p&q is p, p & (p|q) is p. */
  assert_int_equal(cost(FREE_FLUENTS "rule x p\nrule x p q\nterminal x\n"), 0);
  assert_int_equal(cost(FREE_FLUENTS "rule o p\nrule o q\nrule x p o\nterminal x\n"), 0);
}

static void common_literals_are_factored(void **state) {
  (void)state;
  assert_int_equal(cost(FREE_FLUENTS "rule x p q\nrule x p r\nrule x p s\nterminal x\n"), 3);
  /* (p|q)(r|s) from four products. */
  assert_int_equal(cost(FREE_FLUENTS "rule x p r\nrule x p s\nrule x q r\nrule x q s\n"
                                     "terminal x\n"),
                   3);
}

static void pairs_are_shared(void **state) {
  (void)state;
  const char *text = FREE_FLUENTS
      "rule x p q r\nrule y p q s\nrule z p q ~r\n"
      "terminal x\ngoal r1 1 y\ngoal r2 2 z\n";
  assert_int_equal(cost(text), 4);
  fixture f;
  build(&f, text, (alea_net_options){.aim = ALEA_NET_FEW_CHANGES});
  assert_int_equal(alea_net_two_input_gates(f.net), 6);
  done(&f);
}

static void one_move_per_role(void **state) {
  (void)state;
  const char *game =
      "role w\nfluent p 0\nfluent q 0\nmove w a\nmove w b\nmove w c\nmove w d\nmove w e\n"
      "legal w a true\nlegal w b true\nlegal w c true\nlegal w d true\nlegal w e true\n";
  char text[1024];
  /* All but one: the negation of that one.  All: true. */
  snprintf(text, sizeof text, "%s%s", game,
           "rule x w:a\nrule x w:b\nrule x w:c\nrule x w:d\nnext p x\n"
           "rule y w:a\nrule y w:b\nrule y w:c\nrule y w:d\nrule y w:e\nnext q y\n");
  assert_int_equal(cost(text), 0);
  /* Two different moves: false. */
  snprintf(text, sizeof text, "%s%s", game, "rule x w:a w:b\nnext p x\nnext q w:c\n");
  assert_int_equal(cost(text), 0);
}

static void legality_is_used_unless_forbidden(void **state) {
  (void)state;
  const char *text = FREE_FLUENTS
      "fluent u 0\nmove r5 a\nmove r5 b\nrole r5\nlegal r5 b true\n"
      "rule l p q\nlegal r5 a l\nrule n r5:a p\nnext u n\n";
  fixture f;
  build(&f, text, (alea_net_options){0});
  assert_int_equal(alea_net_two_input_gates(f.net), 1);
  done(&f);
  build(&f, text, (alea_net_options){.any_move = true});
  assert_int_equal(alea_net_two_input_gates(f.net), 2);
  done(&f);
}

/* Turns: opposite fluents are one, and noop says nothing new. */
static void turns_are_found(void **state) {
  (void)state;
  const char *text =
      "role w\nrole b\nfluent cw 1\nfluent cb 0\nfluent p 0\nfluent never 0\nfluent always 1\n"
      "move w noop\nmove w go\nmove w stay\nmove b noop\nmove b go\nmove b stay\n"
      "next cw cb\nnext cb cw\nnext always always\nrule z never p\nnext never z\n"
      "legal w noop cb\nlegal w go cw\nlegal w stay cw\n"
      "legal b noop cw\nlegal b go cb\nlegal b stay cb\n"
      "rule n w:go\nrule n p w:stay\nrule n p b:stay\nrule n p never\nnext p n\n"
      "rule t always p\nterminal t\n";
  fixture f;
  build(&f, text, (alea_net_options){0});
  /* p' = w:go | p & (w:stay | b:stay) */
  assert_int_equal(alea_net_two_input_gates(f.net), 3);
  assert_int_equal(f.net->next[1] ^ 1, f.net->next[0]);
  assert_int_equal(f.net->next[3], ALEA_LIT_FALSE);
  assert_int_equal(f.net->next[4], ALEA_LIT_TRUE);
  assert_int_equal(f.net->terminal, 2 * 3);
  done(&f);
}

static void cycles_are_least_fixpoints(void **state) {
  (void)state;
  /* x and y support each other but need p or q. */
  const char *text = FREE_FLUENTS
      "rule x y r\nrule x p\nrule y x s\nrule y q\n"
      "terminal x\ngoal r1 100 y\n";
  fixture f;
  build(&f, text, (alea_net_options){0});
  assert_int_equal(f.net->cycles.count, 1);
  alea_game *game;
  alea_cursor *cursor;
  assert_int_equal(alea_net_game_new(&game, f.net, &f.mem), ALEA_OK);
  f.net = NULL;
  assert_int_equal(alea_cursor_new(game, &f.mem, &cursor), ALEA_OK);
  bool terminal;
  int goal;
  const alea_move on[4] = {0, 1, 0, 0}, off[4] = {1, 1, 0, 0};
  alea_cursor_play(cursor, on); /* p r s */
  alea_cursor_terminal(cursor, &terminal);
  alea_cursor_goal(cursor, 0, &goal);
  assert_true(terminal && goal == 100);
  alea_cursor_play(cursor, off); /* r s: nothing holds the circle up any more */
  alea_cursor_terminal(cursor, &terminal);
  alea_cursor_goal(cursor, 0, &goal);
  assert_true(!terminal && goal == -1);
  alea_cursor_free(cursor);
  alea_game_free(game);
  done(&f);
}

static void cycles_are_factored(void **state) {
  (void)state;
  /* x = p(y|z)|s, y = q(x|z), z = r(x|y) from two products each. */
  assert_int_equal(cost(FREE_FLUENTS "rule x p y\nrule x p z\nrule x s\n"
                                     "rule y q x\nrule y q z\nrule z r x\nrule z r y\n"
                                     "terminal x\n"),
                   7);
  /* Absorption: x is p, so nothing goes round any more. */
  assert_int_equal(cost(FREE_FLUENTS "rule x p\nrule x p y\nrule y x q\nterminal y\n"), 1);
}

static void unfounded_circles_are_false(void **state) {
  (void)state;
  assert_int_equal(cost(FREE_FLUENTS "rule x y\nrule y x\nrule t x p\nterminal t\n"), 0);
}

static void negative_cycles_are_refused(void **state) {
  (void)state;
  fixture f;
  build(&f, FREE_FLUENTS "rule x p ~y\nrule y q ~x\nterminal x\n", (alea_net_options){0});
  assert_int_equal(f.status, ALEA_INPUT);
  assert_null(f.net);
  assert_int_equal(f.diag.errors, 1);
  assert_string_equal(f.diag.entries.data[0].code, "negative-cycle");
  assert_true(strstr(f.diag.entries.data[0].message, "own negation") != NULL);
  done(&f);
  /* Constants may cut such a cycle. */
  assert_int_equal(cost(FREE_FLUENTS "rule x p ~y\nrule y false ~x\nterminal x\n"), 0);
}

static void does_has_no_place_in_the_state(void **state) {
  (void)state;
  fixture f;
  build(&f, FREE_FLUENTS "rule x p r1:a\nterminal x\n", (alea_net_options){0});
  assert_int_equal(f.status, ALEA_INPUT);
  assert_string_equal(f.diag.entries.data[0].code, "depends-on-does");
  done(&f);
}

static void limits_are_reported(void **state) {
  (void)state;
  fixture f;
  build(&f, FREE_FLUENTS "rule x p q\nterminal x\nrule y p r\ngoal r1 1 y\n",
        (alea_net_options){.max_gates = 1});
  assert_int_equal(f.status, ALEA_LIMIT);
  assert_string_equal(f.diag.entries.data[0].code, "too-many-gates");
  done(&f);
}

static void moves_are_found_by_text(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_ground *ground = ground_from_text(
      "role White\nfluent p 0\nmove White a\nmove White b\n"
      "legal White a true\nlegal White b true\n",
      &mem);
  ground->moves[0] = alea_terms_parse(ground->terms, "(Move 1 (at 2 3))", NULL);
  alea_net *net;
  assert_int_equal(alea_net_new(&net, ground, NULL, &mem, NULL), ALEA_OK);
  alea_ground_free(ground);
  assert_int_equal(alea_net_find_move(net, 0, "(move 1 (at 2 3))"), 0);
  assert_int_equal(alea_net_find_move(net, 0, "  ( MOVE\t1( at 2\n3 ) ) "), 0);
  assert_int_equal(alea_net_find_move(net, 0, "B"), 1);
  assert_int_equal(alea_net_find_move(net, 0, "(b)"), ALEA_NO_MOVE);
  assert_int_equal(alea_net_find_move(net, 0, "(move 1 (at 2 3)"), ALEA_NO_MOVE);
  assert_int_equal(alea_net_find_move(net, 0, ""), ALEA_NO_MOVE);
  assert_string_equal(net->move_text[0], "(move 1 (at 2 3))");
  assert_string_equal(net->move_spelling[0], "(Move 1 (at 2 3))");
  assert_string_equal(net->role_spelling[0], "White");
  alea_net_free(net);
  assert_int_equal(mem.used, 0);
}

/* The yardsticks' networks: counts that may only fall, and agreement. */
static void yardsticks(void **state) {
  (void)state;
  const struct {
    const char *name;
    uint64_t most;
  } nets[] = {{"ticTacToe", 110},
              {"connectFour", 680},
              {"breakthrough", 1600},
              {"checkers", 10500},
              {"reversi", 19000}};
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/yardsticks/%s.net", ALEA_SHARED_DIR, nets[i].name);
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_ground *ground = ground_from_net_file(path, &mem);
    if (ground == NULL) {
      print_message("skipped: no networks at %s/yardsticks\n", ALEA_SHARED_DIR);
      skip();
    }
    alea_net *net;
    assert_int_equal(alea_net_new(&net, ground, NULL, &mem, NULL), ALEA_OK);
    alea_net_check(net);
    if (alea_net_two_input_gates(net) > nets[i].most)
      fail_msg("%s has %u gates", nets[i].name, (unsigned)alea_net_two_input_gates(net));
    alea_net_free(net);
    alea_ground_free(ground);
    assert_int_equal(mem.used, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constants_and_twins_fold),
      cmocka_unit_test(common_literals_are_factored),
      cmocka_unit_test(pairs_are_shared),
      cmocka_unit_test(one_move_per_role),
      cmocka_unit_test(legality_is_used_unless_forbidden),
      cmocka_unit_test(turns_are_found),
      cmocka_unit_test(cycles_are_least_fixpoints),
      cmocka_unit_test(cycles_are_factored),
      cmocka_unit_test(unfounded_circles_are_false),
      cmocka_unit_test(negative_cycles_are_refused),
      cmocka_unit_test(does_has_no_place_in_the_state),
      cmocka_unit_test(limits_are_reported),
      cmocka_unit_test(moves_are_found_by_text),
      cmocka_unit_test(yardsticks),
  };
  return cmocka_run_group_tests_name("propnet", tests, NULL, NULL);
}
