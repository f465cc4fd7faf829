/* Continuous moves with symbolic parameters, and the best parameters:
 * [TOSS10 §5], D43. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "toss/optimise.h"
#include "toss/taylor.h"

typedef struct stand {
  alea_mem mem;
  alea_game *game;
  alea_toss_evaluation *evaluation;
  alea_toss_arena arena;
} stand;

static void open(stand *s, const char *text, const char *evaluation) {
  alea_mem_init(&s->mem, 0);
  alea_toss_file *file;
  alea_diag diag;
  alea_diag_init(&diag, &s->mem);
  if (alea_toss_read(&file, text, strlen(text), "x", &s->mem, &diag) != ALEA_OK) {
    fail_msg("%s", diag.entries.data[0].message);
  }
  assert_int_equal(alea_toss_game_new(&s->game, file, NULL, &s->mem, NULL), ALEA_OK);
  if (alea_toss_evaluation_new(&s->evaluation, s->game, evaluation, &s->mem, &diag) != ALEA_OK) {
    fail_msg("%s", diag.entries.data[0].message);
  }
  alea_diag_clear(&diag);
  assert_int_equal(alea_toss_arena_open(&s->arena, s->game, s->evaluation, NULL, &s->mem), ALEA_OK);
}

static void close(stand *s) {
  alea_toss_arena_close(&s->arena);
  alea_toss_evaluation_free(s->evaluation);
  alea_game_free(s->game);
  assert_int_equal(s->mem.used, 0);
}

#define GAME(dynamics, label, start)                                                          \
  "PLAYERS p RULE Go: [a | | ] -> [a | | ] " dynamics " LOC 0 { PLAYER p { MOVES [Go, " label \
  " -> 0] } } START [a | | " start "]"

/* x' = p x has the solution e^(pt): the polynomial is its Taylor polynomial. */
static void growth(void **state) {
  (void)state;
  stand s;
  open(&s, GAME("dynamics :x(a)' = :p * :x(a)", "t: 0 -- 0.5, p: -1 -- 1", "x {a -> 2}"), NULL);
  alea_move joint = alea_game_move_find(s.game, 0, "(go a 0)");
  alea_toss_poly *values = calloc(8, sizeof *values);
  uint32_t elements[8], count;
  assert_int_equal(alea_toss_cursor_taylor(s.arena.cursor, &joint, 0, values, elements, &count),
                   ALEA_OK);
  assert_int_equal(count, 1);
  for (double p = -1; p <= 1; p += 0.25) {
    double sum = 0, part = 2, x[ALEA_TOSS_MOST_PARAMS] = {p};
    for (int n = 0; n <= ALEA_TOSS_TAYLOR_ORDER; n++, part *= p * 0.5 / n) sum += part;
    assert_true(fabs(alea_toss_poly_at(&values[0], x) - sum) < 1e-12);
    assert_true(fabs(sum - 2 * exp(p * 0.5)) < 1e-4);
  }
  assert_int_equal(alea_toss_poly_degree(&values[0]), ALEA_TOSS_TAYLOR_ORDER);
  free(values);
  close(&s);
}

/* A fall with a push, and updates: polynomials come out exactly. */
static void fall(void **state) {
  (void)state;
  stand s;
  open(&s,
       GAME("dynamics :h(a)' = :v(a) + :p; :v(a)' = -10 + :q update :v(a) = :v(a) * :p / 2",
            "t: 0 -- 2, p: -1 -- 1, q: 0 -- 1", "h {a -> 5}; v {a -> 1}"),
       NULL);
  alea_move joint = alea_game_move_find(s.game, 0, "(go a 0 0.5)");
  alea_toss_poly *values = calloc(16, sizeof *values);
  uint32_t elements[8], count;
  assert_int_equal(alea_toss_cursor_taylor(s.arena.cursor, &joint, 0, values, elements, &count),
                   ALEA_OK);
  for (double p = -1; p <= 1; p += 0.5) {
    for (double q = 0; q <= 1; q += 0.5) {
      double x[ALEA_TOSS_MOST_PARAMS] = {p, q}, t = 2;
      double v = 1 + (q - 10) * t, h = 5 + (1 + p) * t + (q - 10) * t * t / 2;
      assert_true(fabs(alea_toss_poly_at(&values[0], x) - h) < 1e-9);
      assert_true(fabs(alea_toss_poly_at(&values[1], x) - v * p / 2) < 1e-9);
    }
  }
  free(values);
  close(&s);
}

/* The parameters of the move that alea_toss_optimise makes of 'from'. */
static void optimum(const char *game, const char *evaluation, const char *from, double *x) {
  stand s;
  open(&s, game, evaluation);
  alea_move joint = alea_game_move_find(s.game, 0, from);
  assert_true(joint != ALEA_NO_MOVE);
  uint64_t hash = alea_cursor_hash(s.arena.cursor);
  assert_int_equal(alea_toss_optimise(&s.arena, &joint, 0), ALEA_OK);
  assert_true(alea_cursor_hash(s.arena.cursor) == hash);
  bool admitted;
  assert_int_equal(alea_cursor_admits(s.arena.cursor, 0, joint, &admitted), ALEA_OK);
  assert_true(admitted);
  alea_text text;
  alea_text_init(&text, &s.mem);
  alea_game_move_text(s.game, 0, joint, true, &text);
  assert_int_equal(sscanf(text.data, "(Go a %lf %lf", &x[0], &x[1]) >= 1, 1);
  assert_true(alea_game_move_find(s.game, 0, text.data) == joint);
  alea_text_clear(&text);
  close(&s);
}

static const char flat[] = GAME("dynamics :x(a)' = :p; :y(a)' = :q",
                                "t: 1 -- 1, p: -1 -- 1, q: -1 -- 1", "x {a -> 0}; y {a -> 0}");

static void critical_points(void **state) {
  (void)state;
  double x[2];
  /* inside the box, on an edge, and at a corner */
  optimum(flat, "EVAL 0 true => value 1 - Sum (e | true : (:x(e) - 0.3)^2 + (:y(e) + 0.7)^2) / 9",
          "(go a 0 0)", x);
  assert_true(fabs(x[0] - 0.3) < 1e-9 && fabs(x[1] + 0.7) < 1e-9);
  optimum(flat, "EVAL 0 true => value 1 - Sum (e | true : (:x(e) - 2)^2 + (:y(e) - 0.2)^2) / 99",
          "(go a 0 0)", x);
  assert_true(fabs(x[0] - 1) < 1e-9 && fabs(x[1] - 0.2) < 1e-9);
  optimum(flat, "EVAL 0 true => value 0.5 + Sum (e | true : :x(e) * :y(e) - :x(e) / 9) / 4",
          "(go a 0 0)", x);
  assert_true(fabs(x[0] + 1) < 1e-9 && fabs(x[1] + 1) < 1e-9);
  /* one parameter, degree 3: x - x^3 is largest at 1 / sqrt 3 */
  optimum(GAME("dynamics :x(a)' = :p", "t: 1 -- 1, p: -1 -- 1", "x {a -> 0}"),
          "EVAL 0 true => value 0.5 + Sum (e | true : :x(e) - :x(e)^3) / 4", "(go a 0)", x);
  assert_true(fabs(x[0] - 1 / sqrt(3)) < 1e-9);
}

/* No polynomial, or a payoff in pieces: samples, refined. */
static void samples(void **state) {
  (void)state;
  double x[2];
  optimum(flat,
          "EVAL 0 true => value 1 / (1 + Sum (e | true : (:x(e) - 0.31)^2 + (:y(e) + 0.72)^2))",
          "(go a 0 0)", x);
  assert_true(fabs(x[0] - 0.31) < 1e-4 && fabs(x[1] + 0.72) < 1e-4);
  optimum(flat,
          "EVAL 0 ex e (:x(e) > 0.6) => value 0\n"
          "EVAL 0 true => value 0.5 + Sum (e | true : :x(e)) / 4",
          "(go a 0 0)", x);
  assert_true(x[0] <= 0.6 && x[0] > 0.5999);
}

/* Narrow valleys that bend: no axis leads along them. */
static void curved_ridges(void **state) {
  (void)state;
  double x[2];
  static const double bottoms[] = {0.3, 0.8, -0.6};
  for (size_t i = 0; i < sizeof bottoms / sizeof *bottoms; i++) {
    char evaluation[256];
    snprintf(evaluation, sizeof evaluation,
             "EVAL 0 true => value 1 / (1 + Sum (e | true : (:x(e) - %g)^2 + 100 * (:y(e) - "
             ":x(e)^2)^2))",
             bottoms[i]);
    optimum(flat, evaluation, "(go a 0 0)", x);
    if (fabs(x[0] - bottoms[i]) > 1e-3 || fabs(x[1] - bottoms[i] * bottoms[i]) > 2e-3)
      fail_msg("%g: %.9g %.9g", bottoms[i], x[0], x[1]);
  }
}

static const char thrown[] =
    GAME("dynamics :x(a)' = :p; :h(a)' = :v(a) + :q; :v(a)' = -10",
         "t: 0 -- 2, p: -1 -- 1, q: 0 -- 3, k: 1 -- 3 by 1", "x {a -> 0}; h {a -> 1}; v {a -> 6}");

/* Time and parameters together, against a fine grid of both: where the payoff is
 * a polynomial in the parameters, where it is none, and where it has pieces. */
static void time_and_parameters(void **state) {
  (void)state;
  static const char *const evaluations[] = {
      "EVAL 0 true => value 1 - Sum (e | true : (:h(e) - 3.3)^2 + (:x(e) - 0.9)^2) / 400",
      "EVAL 0 true => value 1 / (1 + Sum (e | true : (:h(e) - 4)^2 + (:x(e) + 0.3)^2))",
      "EVAL 0 ex e (:x(e) > 0.6) => value 0\n"
      "EVAL 0 true => value 0.5 + Sum (e | true : :x(e) - (:h(e) - 3)^2 / 40) / 4",
  };
  for (size_t i = 0; i < sizeof evaluations / sizeof *evaluations; i++) {
    stand s;
    open(&s, thrown, evaluations[i]);
    alea_move joint = alea_game_move_find(s.game, 0, "(go a 0 0 2 1)"), found = joint;
    assert_true(joint != ALEA_NO_MOVE);
    size_t length;
    const uint64_t *words = alea_cursor_state(s.arena.cursor, &length);
    uint64_t *here = malloc(length * sizeof *here);
    memcpy(here, words, length * sizeof *here);
    double best = -1, payoff[1], reached[1];
    uint32_t verdict;
    enum { STEPS = 16 };
    for (int k = 0; k < STEPS * STEPS * STEPS; k++) {
      alea_toss_numbers numbers[1] = {{.given = true}};
      numbers[0].time = 2.0 * (k % STEPS) / (STEPS - 1);
      numbers[0].params[0] = -1 + 2.0 * (k / STEPS % STEPS) / (STEPS - 1);
      numbers[0].params[1] = 3.0 * (k / STEPS / STEPS) / (STEPS - 1);
      assert_int_equal(alea_toss_arena_try(&s.arena, &joint, numbers, &verdict, payoff), ALEA_OK);
      assert_int_equal(alea_cursor_load(s.arena.cursor, here, length), ALEA_OK);
      if (payoff[0] > best) best = payoff[0];
    }
    assert_int_equal(alea_toss_optimise(&s.arena, &found, 0), ALEA_OK);
    assert_int_equal(alea_toss_arena_try(&s.arena, &found, NULL, &verdict, reached), ALEA_OK);
    assert_int_equal(alea_cursor_load(s.arena.cursor, here, length), ALEA_OK);
    if (reached[0] < best - (i < 2 ? 1e-9 : 1e-4))
      fail_msg("%zu: %.12g instead of %.12g", i, reached[0], best);
    /* the step of k is kept, and the move can be named and played */
    alea_text text;
    double x[4];
    bool admitted;
    alea_text_init(&text, &s.mem);
    alea_game_move_text(s.game, 0, found, true, &text);
    assert_int_equal(sscanf(text.data, "(Go a %lf %lf %lf %lf)", &x[0], &x[1], &x[2], &x[3]), 4);
    assert_true(x[2] == 2 && x[3] >= 0 && x[3] <= 2);
    assert_true(alea_game_move_find(s.game, 0, text.data) == found);
    assert_int_equal(alea_cursor_admits(s.arena.cursor, 0, found, &admitted), ALEA_OK);
    assert_true(admitted);
    alea_text_clear(&text);
    free(here);
    close(&s);
  }
}

/* Without an evaluation numbers are uniform in their boxes; with one the basic
 * strategy plays the best ones. */
static void drawn_and_chosen(void **state) {
  (void)state;
  stand s;
  alea_rng rng;
  alea_rng_seed(&rng, 5);
  open(&s, thrown, "EVAL 0 true => value 0.5 + Sum (e | true : :x(e)) / 5");
  alea_move joint = alea_game_move_find(s.game, 0, "(go a 0 0 2 1)");
  double sums[3] = {0}, squares = 0;
  for (int i = 0; i < 4000; i++) {
    alea_toss_numbers n[ALEA_TOSS_MOST_PLAYERS];
    alea_toss_draw_numbers(&s.arena, &joint, n, &rng);
    assert_true(n[0].given && n[0].params[2] == 2);
    assert_true(n[0].time >= 0 && n[0].time <= 2 && fabs(n[0].params[0]) <= 1);
    sums[0] += n[0].time, sums[1] += n[0].params[0], sums[2] += n[0].params[1];
    squares += n[0].time * n[0].time;
  }
  assert_true(fabs(sums[0] / 4000 - 1) < 0.05 && fabs(sums[1] / 4000) < 0.05);
  assert_true(fabs(sums[2] / 4000 - 1.5) < 0.08 && fabs(squares / 4000 - 4.0 / 3) < 0.08);
  assert_true(alea_toss_has_box(&s.arena));
  double payoffs[1];
  alea_toss_numbers n[ALEA_TOSS_MOST_PLAYERS];
  assert_int_equal(alea_toss_optimise_joint(&s.arena, &joint, n, payoffs), ALEA_OK);
  assert_true(fabs(n[0].params[0] - 1) < 0.02 && fabs(n[0].time - 2) < 0.02);
  assert_true(fabs(payoffs[0] - 0.9) < 0.01);
  close(&s);
}

/* Any time in the interval may be played; outside of it none. */
static void any_time(void **state) {
  (void)state;
  stand s;
  open(&s, thrown, NULL);
  alea_move move = alea_game_move_find(s.game, 0, "(go a 1 0 3 0.625)");
  assert_true(move != ALEA_NO_MOVE);
  assert_true(alea_game_move_find(s.game, 0, "(go a 1 0 3 2.5)") == ALEA_NO_MOVE);
  assert_true(alea_game_move_find(s.game, 0, "(go a 1 0 3 -1)") == ALEA_NO_MOVE);
  assert_true(alea_game_move_find(s.game, 0, "(go a 1 0 3 nan)") == ALEA_NO_MOVE);
  assert_true(alea_game_move_find(s.game, 0, "(go a 1 0)") == ALEA_NO_MOVE);
  assert_true(alea_game_move_find(s.game, 0, "(go a 1 0 3)") ==
              alea_game_move_find(s.game, 0, "(go a 1 0 3 2)"));
  bool admitted;
  assert_int_equal(alea_cursor_admits(s.arena.cursor, 0, move, &admitted), ALEA_OK);
  assert_true(admitted);
  assert_int_equal(alea_cursor_play(s.arena.cursor, &move), ALEA_OK);
  uint32_t location;
  const alea_toss_structure *at = alea_toss_cursor_structure(s.arena.cursor, &location);
  assert_true(fabs(alea_interval_middle(at->values[0]) - 0.625) < 1e-8);
  alea_list list;
  assert_int_equal(alea_cursor_legal(s.arena.cursor, 0, &list), ALEA_OK);
  assert_int_equal(list.count, 3 * 3 * 3); /* two grids and the steps; one time */
  close(&s);
}

/* Moves off the grid are admitted within their bounds only. */
static void off_the_grid(void **state) {
  (void)state;
  stand s;
  open(&s, flat, NULL);
  bool admitted;
  alea_move move = alea_game_move_find(s.game, 0, "(go a 0.123 -0.5)");
  assert_true(move != ALEA_NO_MOVE);
  assert_int_equal(alea_cursor_admits(s.arena.cursor, 0, move, &admitted), ALEA_OK);
  assert_true(admitted);
  assert_true(alea_game_move_find(s.game, 0, "(go a 1.5 0)") == ALEA_NO_MOVE);
  assert_true(alea_game_move_find(s.game, 0, "(go a nan 0)") == ALEA_NO_MOVE);
  assert_int_equal(alea_cursor_play(s.arena.cursor, &move), ALEA_OK);
  alea_list list;
  assert_int_equal(alea_cursor_legal(s.arena.cursor, 0, &list), ALEA_OK);
  assert_int_equal(list.count, 9);
  close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(growth),           cmocka_unit_test(fall),
      cmocka_unit_test(critical_points),  cmocka_unit_test(samples),
      cmocka_unit_test(curved_ridges),    cmocka_unit_test(time_and_parameters),
      cmocka_unit_test(drawn_and_chosen), cmocka_unit_test(any_time),
      cmocka_unit_test(off_the_grid),
  };
  return cmocka_run_group_tests_name("toss optimise", tests, NULL, NULL);
}
