/* What evaluations learn: the same from the same seed, and what is known of games that people
 * play. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "learning/eval_learning.h"
#include "learning/eval_mobility.h"
#include "learning/eval_plays.h"
#include "minimax/eval_file.h"
#include "support/match_run.h"

enum { PLAYS = 10000, FEW_PLAYS = 1500 };

typedef struct pupil {
  alea_opened opened;
  alea_mem mem;
  alea_linear_eval eval;
} pupil;

static void begin(pupil *p, const char *game, uint64_t plays, uint64_t games, uint64_t seed) {
  open_game(&p->opened, game);
  alea_mem_init(&p->mem, 0);
  alea_player_setup setup = {
      .game = p->opened.game, .services = p->opened.services, .mem = &p->mem};
  alea_budget budget = {0};
  alea_rng rng;
  alea_rng_seed_stream(&rng, seed, 0);
  alea_eval_lessons lessons = {.plays = plays, .games = games, .budget = &budget, .rng = &rng};
  assert_int_equal(alea_linear_eval_init(&p->eval, p->opened.game, 0, &p->mem), ALEA_OK);
  assert_int_equal(alea_eval_learn(&p->eval, &setup, &lessons), ALEA_OK);
}

static void end(pupil *p) {
  alea_linear_eval_clear(&p->eval);
  assert_int_equal(p->mem.used, 0);
  alea_opened_clear(&p->opened);
}

/* What plays teach, with lanes of their own or those of the services. */
static void learn_plays(const alea_opened *opened, alea_services *services, alea_linear_eval *eval,
                        alea_mem *mem) {
  alea_eval_plays plays;
  assert_int_equal(alea_linear_eval_init(eval, opened->game, 0, mem), ALEA_OK);
  assert_int_equal(alea_eval_plays_init(&plays, eval, services, 3), ALEA_OK);
  assert_int_equal(alea_eval_plays_look(&plays), ALEA_OK);
  assert_int_equal(alea_eval_plays_learn(&plays, FEW_PLAYS, 1), ALEA_OK);
  alea_eval_plays_clear(&plays);
  alea_linear_eval_settle(eval, 1);
}

/* Lanes are compiled once for all who learn, and teach what others do. */
static void lanes_are_shared(void **state) {
  (void)state;
  alea_opened opened;
  alea_mem mem;
  alea_linear_eval evals[2];
  const alea_lanes *first, *second;
  open_game(&opened, "breakthrough");
  alea_mem_init(&mem, 0);
  for (int i = 0; i < 2; i++)
    learn_plays(&opened, i == 0 ? NULL : opened.services, &evals[i], &mem);
  size_t size = evals[0].features.fluent_count * sizeof *evals[0].scores;
  assert_memory_equal(evals[0].scores, evals[1].scores, size);
  assert_int_equal(alea_services_lanes(opened.services, &first), ALEA_OK);
  assert_int_equal(alea_services_lanes(opened.services, &second), ALEA_OK);
  assert_true(first != NULL && first == second);
  for (int i = 0; i < 2; i++) alea_linear_eval_clear(&evals[i]);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

/* The mean score of fluents whose names contain a text. */
static double worth(pupil *p, const char *part) {
  double sum = 0, count = 0;
  for (uint32_t f = 0; f < p->eval.features.fluent_count; f++) {
    alea_text text;
    alea_text_init(&text, &p->mem);
    alea_game_fluent_text(p->opened.game, f, false, &text);
    if (strstr(alea_text_string(&text), part) != NULL) sum += p->eval.scores[f], count += 1;
    alea_text_clear(&text);
  }
  assert_true(count > 0);
  return sum / count;
}

/* What is learnt of a game with some seeds, the first two of which are the same, as files. */
static void learn_thrice(const char *game, uint64_t games, alea_text files[3], alea_mem *mem) {
  for (int i = 0; i < 3; i++) {
    pupil p;
    begin(&p, game, FEW_PLAYS, games, i < 2 ? 7 : 8);
    alea_text_init(&files[i], mem);
    alea_eval_file_add(&files[i], &p.eval);
    end(&p);
  }
  assert_string_equal(alea_text_string(&files[0]), alea_text_string(&files[1]));
}

/* In the first game few plays may teach no more than a count of pieces, whatever the seed. */
static void a_seed_gives_the_same_file(void **state) {
  (void)state;
  alea_text files[3];
  alea_mem mem;
  alea_mem_init(&mem, 0);
  learn_thrice("breakthrough", 4, files, &mem);
  for (int i = 0; i < 3; i++) alea_text_clear(&files[i]);
  learn_thrice("free-for-all", 2, files, &mem);
  assert_string_not_equal(alea_text_string(&files[0]), alea_text_string(&files[2]));
  for (int i = 0; i < 3; i++) alea_text_clear(&files[i]);
}

/* Smoothing leaves kinds what they are worth, and squares a part of what sets them apart. */
static void check_smoothing(pupil *p) {
  double white = worth(p, " white)"), black = worth(p, " black)");
  double apart = worth(p, " 7 white)") - worth(p, " 5 white)");
  alea_linear_eval_smooth(&p->eval, 0.25f);
  alea_linear_eval_settle(&p->eval, 1);
  assert_true(fabs(worth(p, " white)") - white) < 1);
  assert_true(fabs(worth(p, " black)") - black) < 1);
  assert_true(fabs(worth(p, " 7 white)") - worth(p, " 5 white)") - 0.25 * apart) < 2);
}

/* Pieces are worth something, and more the further they are; to the other role as much less,
 * and whose turn it is says nothing. */
static void advance_is_learnt(void **state) {
  (void)state;
  static const char *const games[] = {"breakthrough", "knight-through"};
  int count = getenv("ALEA_FULL") != NULL ? 2 : 1;
  for (int i = 0; i < count; i++) {
    pupil p;
    begin(&p, games[i], PLAYS, 0, 1);
    assert_int_equal(p.eval.plays, PLAYS);
    assert_true(worth(&p, " 7 white)") > worth(&p, " 5 white)"));
    assert_true(worth(&p, " 8 white)") > worth(&p, " 7 white)"));
    assert_true(worth(&p, " white)") > 100);
    assert_true(worth(&p, " 7 white)") + worth(&p, " 2 black)") < 1);
    assert_true(worth(&p, "(control") == 0);
    check_smoothing(&p);
    end(&p);
  }
}

static void kings_are_worth_more_than_men(void **state) {
  (void)state;
  pupil p;
  begin(&p, "english-draughts", PLAYS, 0, 1);
  assert_true(worth(&p, "white king)") > 1.1 * worth(&p, "white man)"));
  assert_true(worth(&p, "white man)") > 100);
  assert_true(worth(&p, "black king)") < 1.1 * worth(&p, "black man)"));
  end(&p);
}

/* ---- who are opponents ---- */

/* Two say numbers in turn, and one wins or nobody does; what they get then is appended. */
static const char *const numbers =
    "(role a) (role b) (opponent a b) (opponent b a) (number 1) (number 2) (number 3)"
    "(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)"
    "(init (step 1)) (init (control a))"
    "(<= (legal ?p (say ?x)) (true (control ?p)) (number ?x))"
    "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))"
    "(<= (next (control ?p)) (true (control ?o)) (opponent ?p ?o))"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= (next (said ?p ?x)) (does ?p (say ?x)))"
    "(<= (next (said ?p ?x)) (true (said ?p ?x)))"
    "(<= (wins ?p) (true (said ?p 1)) (true (said ?p 2)) (opponent ?p ?o) (not (true (said ?o 1))))"
    "(<= decided (wins ?p)) (<= terminal (true (step 5)))";

static bool are_opponents(const char *goals) {
  alea_mem mem;
  alea_text sheet;
  pupil p;
  alea_budget budget = {0};
  alea_rng rng;
  alea_mem_init(&mem, 0);
  alea_text_init(&sheet, &mem);
  alea_text_format(&sheet, "%s%s", numbers, goals);
  open_sheet(&p.opened, alea_text_string(&sheet));
  alea_mem_init(&p.mem, 0);
  alea_rng_seed_stream(&rng, 1, 0);
  alea_player_setup setup = {.game = p.opened.game, .services = p.opened.services, .mem = &p.mem};
  alea_eval_lessons lessons = {.plays = FEW_PLAYS, .budget = &budget, .rng = &rng};
  assert_int_equal(alea_linear_eval_init(&p.eval, p.opened.game, 0, &p.mem), ALEA_OK);
  assert_int_equal(alea_eval_learn(&p.eval, &setup, &lessons), ALEA_OK);
  bool shares = p.eval.shares;
  end(&p);
  alea_text_clear(&sheet);
  return shares;
}

/* Nobody may get anything, as in chess when time runs out; what both like is no struggle. */
static void opponents_may_both_get_nothing(void **state) {
  (void)state;
  const char *won = "(<= (goal ?p 100) (wins ?p)) (<= (goal ?p 0) (wins ?o) (opponent ?p ?o))";
  char goals[300];
  assert_true(are_opponents(won));
  snprintf(goals, sizeof goals, "%s (<= (goal ?p 50) (role ?p) (not decided))", won);
  assert_true(are_opponents(goals));
  snprintf(goals, sizeof goals, "%s (<= (goal ?p 60) (role ?p) (not decided))", won);
  assert_false(are_opponents(goals));
  assert_false(are_opponents("(<= (goal ?p 0) (role ?p))"));
  assert_false(are_opponents("(<= (goal a 60) (wins a)) (<= (goal b 60) (wins b))"));
}

static void what_both_got_is_even(void **state) {
  (void)state;
  alea_linear_eval eval = {.shares = true};
  assert_int_equal(alea_linear_eval_goal(&eval, 100, 0), 100);
  assert_int_equal(alea_linear_eval_goal(&eval, 0, 100), 0);
  assert_int_equal(alea_linear_eval_goal(&eval, 50, 50), 50);
  assert_int_equal(alea_linear_eval_goal(&eval, 0, 0), 50);
  assert_int_equal(alea_linear_eval_goal(&eval, -1, -1), 50);
  assert_int_equal(alea_linear_eval_goal(&eval, -1, 100), 0);
  eval.shares = false;
  assert_int_equal(alea_linear_eval_goal(&eval, 30, 30), 30);
  assert_int_equal(alea_linear_eval_goal(&eval, -1, -1), 0);
}

/* ---- moves of positions ---- */

typedef struct patience {
  int asked, most;
} patience;

static bool is_over(void *context) {
  patience *p = context;
  return p->asked++ >= p->most;
}

/* Moves are counted from where they were left. */
static void counting_goes_on(void **state) {
  (void)state;
  enum { POSITIONS = 20 };
  pupil p;
  alea_cursor *cursor;
  alea_u64s positions = {0};
  alea_eval_moves whole = {0}, parts = {0};
  begin(&p, "breakthrough", 0, 0, 1);
  size_t words = p.eval.word_count, count;
  alea_rng rng;
  alea_rng_seed_stream(&rng, 4, 0);
  assert_int_equal(alea_cursor_new(p.opened.game, &p.mem, &cursor), ALEA_OK);
  for (int i = 0; i < POSITIONS; i++) {
    const uint64_t *at = alea_cursor_state(cursor, &count);
    for (size_t w = 0; w < words; w++) assert_true(alea_vec_push(&p.mem, &positions, at[w]));
    alea_move joint[2];
    for (uint32_t r = 0; r < 2; r++) {
      alea_list legal;
      assert_int_equal(alea_cursor_legal(cursor, r, &legal), ALEA_OK);
      joint[r] = legal.ids[alea_rng_below(&rng, legal.count)];
      if (r == (uint32_t)i % 2) assert_true(legal.count > 1);
    }
    assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
  }
  patience all = {.most = POSITIONS}, some = {.most = 7};
  assert_int_equal(alea_eval_mobility_count(&p.eval, cursor, &positions, is_over, &all, &whole),
                   ALEA_OK);
  assert_int_equal(whole.count, POSITIONS);
  for (size_t seen = 7; parts.count < POSITIONS; seen += 7) {
    some.asked = 0;
    assert_int_equal(alea_eval_mobility_count(&p.eval, cursor, &positions, is_over, &some, &parts),
                     ALEA_OK);
    assert_int_equal(parts.count, seen < POSITIONS ? seen : POSITIONS);
  }
  for (size_t i = 0; i < POSITIONS; i++) {
    assert_true(parts.data[i] == whole.data[i]);
    assert_true(i % 2 == 0 ? whole.data[i] > 1 : whole.data[i] < -1);
  }
  alea_vec_clear(&p.mem, &positions);
  alea_vec_clear(&p.mem, &whole);
  alea_vec_clear(&p.mem, &parts);
  alea_cursor_free(cursor);
  end(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_are_shared),

      cmocka_unit_test(a_seed_gives_the_same_file),
      cmocka_unit_test(advance_is_learnt),
      cmocka_unit_test(kings_are_worth_more_than_men),
      cmocka_unit_test(opponents_may_both_get_nothing),
      cmocka_unit_test(what_both_got_is_even),
      cmocka_unit_test(counting_goes_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
