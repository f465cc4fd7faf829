/* The unrolled clauses against a cursor: with the moves of a random play
 * assumed, every literal has the value that play gives it, and refuted is what
 * play refutes.  Rules with positive recursion among them. */
#include <string.h>

#include "cmocka_all.h"
#include "match/open.h"
#include "support/match_run.h"
#include "unroll/unroll.h"

enum { MOST_ROLES = 8, DEPTH = 6 };

/* Reachability by doors that are opened and shut: a cycle of rules whose value
 * is the least fixpoint.  Completion alone would let the rooms a, b, c of the
 * ring support each other with the door shut. */
static const char *const ring =
    "(role robot) (init (shut)) (init (step 0))"
    "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)"
    "(link a b) (link b c) (link c a) (link c d) (link d c)"
    "(legal robot open) (legal robot shut) (legal robot wait)"
    "(<= (next (opened)) (does robot open))"
    "(<= (next (opened)) (true (opened)) (not (does robot shut)))"
    "(<= (next (shut)) (does robot shut))"
    "(<= (next (shut)) (true (shut)) (not (does robot open)))"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= (next (was ?x)) (reached ?x)) (<= (next (was ?x)) (true (was ?x)))"
    "(<= (reached a) (true (opened)))"
    "(<= (reached ?y) (reached ?x) (link ?x ?y) (not (blocked ?x)))"
    "(<= (blocked d) (true (step 3)))"
    "(<= terminal (true (step 5)))"
    "(<= (goal robot 100) (reached d) (true (shut)))"
    "(<= (goal robot 50) (reached d) (not (true (shut))))"
    "(<= (goal robot 0) (not (reached d)))";

typedef struct subject {
  alea_mem mem;
  const alea_game *game;
  alea_unroll *unroll;
  alea_cursor *cursor;
  alea_rng rng;
  ALEA_VEC(alea_slit) assumptions;
} subject;

static void assume(subject *s, alea_slit lit) {
  assert_true(alea_vec_push(&s->mem, &s->assumptions, lit));
}

static alea_verdict ask(subject *s, alea_slit extra) {
  alea_verdict answer;
  assume(s, extra);
  assert_int_equal(
      alea_unroll_solve(s->unroll, s->assumptions.data, s->assumptions.count, 0, &answer), ALEA_OK);
  s->assumptions.count--;
  return answer;
}

/* A literal that is determined by the assumptions: true or false as 'value'. */
static void check_lit(subject *s, alea_slit lit, bool value) {
  assert_int_equal(ask(s, value ? lit : -lit), ALEA_VERDICT_PROVED);
  assert_int_equal(ask(s, value ? -lit : lit), ALEA_VERDICT_REFUTED);
}

static bool contains(alea_list list, uint32_t id) {
  for (uint32_t i = 0; i < list.count; i++)
    if (list.ids[i] == id) return true;
  return false;
}

/* State t against the cursor. */
static void check_state(subject *s, uint32_t t) {
  alea_list fluents;
  bool terminal;
  assert_int_equal(alea_cursor_fluents(s->cursor, &fluents), ALEA_OK);
  const alea_net *net = alea_net_of_game(s->game);
  /* Every fluent by one question: all of them hold as they should; then a few
   * the other way round. */
  size_t known = s->assumptions.count;
  for (uint32_t i = 0; i < net->fluent_count; i++) {
    alea_slit lit = alea_unroll_fluent(s->unroll, t, i);
    assume(s, contains(fluents, i) ? lit : -lit);
  }
  assert_int_equal(ask(s, ALEA_SLIT_TRUE), ALEA_VERDICT_PROVED);
  s->assumptions.count = known;
  for (int k = 0; k < 5; k++) {
    uint32_t i = alea_rng_below(&s->rng, net->fluent_count);
    check_lit(s, alea_unroll_fluent(s->unroll, t, i), contains(fluents, i));
  }
  assert_int_equal(alea_cursor_terminal(s->cursor, &terminal), ALEA_OK);
  check_lit(s, alea_unroll_terminal(s->unroll, t), terminal);
  for (uint32_t r = 0; r < s->game->role_count; r++) {
    int goal;
    alea_slit lit;
    assert_int_equal(alea_cursor_goal(s->cursor, r, &goal), ALEA_OK);
    for (int least = 1; least <= 100; least += 33) {
      assert_int_equal(alea_unroll_goal(s->unroll, t, r, least, &lit), ALEA_OK);
      check_lit(s, lit, goal >= least);
    }
  }
}

/* Stage t with a random joint move.  False at the end. */
static bool play_stage(subject *s, uint32_t t) {
  alea_move joint[MOST_ROLES];
  bool terminal;
  assert_int_equal(alea_cursor_terminal(s->cursor, &terminal), ALEA_OK);
  assert_int_equal(ask(s, alea_unroll_play(s->unroll, t)),
                   terminal ? ALEA_VERDICT_REFUTED : ALEA_VERDICT_PROVED);
  if (terminal) return false;
  assume(s, alea_unroll_play(s->unroll, t));
  for (uint32_t r = 0; r < s->game->role_count; r++) {
    alea_list legal;
    assert_int_equal(alea_cursor_legal(s->cursor, r, &legal), ALEA_OK);
    uint32_t any = alea_rng_below(&s->rng, alea_game_move_count(s->game, r));
    assert_int_equal(ask(s, alea_unroll_move(s->unroll, t, r, any)),
                     contains(legal, any) ? ALEA_VERDICT_PROVED : ALEA_VERDICT_REFUTED);
    joint[r] = legal.ids[alea_rng_below(&s->rng, legal.count)];
  }
  for (uint32_t r = 0; r < s->game->role_count; r++)
    assume(s, alea_unroll_move(s->unroll, t, r, joint[r]));
  assert_int_equal(ask(s, ALEA_SLIT_TRUE), ALEA_VERDICT_PROVED);
  for (uint32_t r = 0; r < s->game->role_count; r++)
    assert_int_equal(alea_unroll_chosen(s->unroll, t, r), joint[r]);
  assert_int_equal(alea_cursor_play(s->cursor, joint), ALEA_OK);
  return true;
}

static void run_game(const alea_game *game, uint64_t seed) {
  subject s = {.game = game};
  alea_mem_init(&s.mem, 0);
  alea_rng_seed(&s.rng, seed);
  assert_int_equal(alea_cursor_new(game, &s.mem, &s.cursor), ALEA_OK);
  alea_list fluents;
  assert_int_equal(alea_cursor_fluents(s.cursor, &fluents), ALEA_OK);
  alea_unroll_options options = {.style = ALEA_SAT_SHORT};
  assert_int_equal(alea_unroll_new(&s.unroll, game, fluents, &options, &s.mem), ALEA_OK);
  for (uint32_t t = 0; t < DEPTH; t++) assert_int_equal(alea_unroll_extend(s.unroll), ALEA_OK);
  for (uint32_t t = 0; t < DEPTH; t++) {
    check_state(&s, t);
    if (!play_stage(&s, t)) break;
  }
  alea_unroll_free(s.unroll);
  alea_cursor_free(s.cursor);
  alea_vec_clear(&s.mem, &s.assumptions);
  assert_int_equal(s.mem.used, 0);
}

static void literals_follow_play(void **state) {
  (void)state;
  static const char *const games[] = {"tictactoe",  "connect-four",  "nim",          "hanoi",
                                      "lights-out", "orchard-light", "eight-puzzle", "pacman"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    alea_opened opened;
    open_game(&opened, games[i]);
    for (uint64_t seed = 1; seed <= 2; seed++) run_game(opened.game, seed);
    alea_opened_clear(&opened);
  }
}

static void cycles_are_least_fixpoints(void **state) {
  (void)state;
  alea_opened opened;
  open_sheet(&opened, ring);
  assert_true(opened.net->cycles.count > 0);
  for (uint64_t seed = 1; seed <= 30; seed++) run_game(opened.game, seed);
  alea_opened_clear(&opened);
}

/* With the moves open: the goal cannot be had by rooms that support each
 * other.  Completion alone has a model with the door shut from the start. */
static void loops_are_cut(void **state) {
  (void)state;
  alea_opened opened;
  open_sheet(&opened, ring);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_cursor *cursor;
  alea_list fluents;
  alea_unroll *unroll;
  assert_int_equal(alea_cursor_new(opened.game, &mem, &cursor), ALEA_OK);
  assert_int_equal(alea_cursor_fluents(cursor, &fluents), ALEA_OK);
  assert_int_equal(alea_unroll_new(&unroll, opened.game, fluents, NULL, &mem), ALEA_OK);
  alea_slit asked[8];
  for (uint32_t t = 0; t < 5; t++) {
    assert_int_equal(alea_unroll_extend(unroll), ALEA_OK);
    asked[t] = alea_unroll_play(unroll, t);
  }
  alea_verdict answer;
  assert_int_equal(alea_unroll_goal(unroll, 5, 0, 50, &asked[5]), ALEA_OK);
  assert_int_equal(alea_unroll_solve(unroll, asked, 6, 0, &answer), ALEA_OK);
  assert_int_equal(answer, ALEA_VERDICT_PROVED); /* leave the door open */
  assert_int_equal(alea_unroll_goal(unroll, 5, 0, 100, &asked[5]), ALEA_OK);
  assert_int_equal(alea_unroll_solve(unroll, asked, 6, 0, &answer), ALEA_OK);
  assert_int_equal(answer, ALEA_VERDICT_REFUTED);
  assert_true(alea_unroll_statistics(unroll).loops > 0);
  alea_unroll_free(unroll);
  alea_cursor_free(cursor);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(literals_follow_play),
                                     cmocka_unit_test(cycles_are_least_fixpoints),
                                     cmocka_unit_test(loops_are_cut)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
