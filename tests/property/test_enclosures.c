/* Enclosures of continuous moves: systems with known solutions, each looked at
 * at 20 times.  The interval of every label must contain the exact value, and be
 * no wider than the table says.
 *
 * Exact values are computed in long double, whose error is far below that of a
 * double; SLACK allows for it.
 *
 * Environment: ALEA_TABLE=1 prints the rows of bench/enclosures.md. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmocka_all.h"
#include "toss/interval.h"
#include "toss/toss.h"

enum { TIMES = 20, MOST_LABELS = 4 };
#define SLACK (16 * LDBL_EPSILON)
#define PI 3.14159265358979323846264338327950288L

typedef long double real;
typedef void solution(real t, real *labels);

typedef struct ode_system {
  const char *name, *dynamics, *start; /* functions x, y, z, w of the element a */
  int labels;
  real time;      /* the last of the times */
  double allowed; /* width, relative to the largest label then, or to 1 */
  solution *exact;
} ode_system;

/* ---- the exact solutions ---- */

static void growth(real t, real *v) { v[0] = expl(t); }
static void decay(real t, real *v) { v[0] = 3 * expl(-t / 2); }
static void fast_decay(real t, real *v) { v[0] = expl(-50 * t); }
static void stiff(real t, real *v) { v[0] = 2 * expl(-1000 * t); }
static void stiff_pull(real t, real *v) { v[0] = 1 + 4 * expl(-1000 * t); }
/* x' = -1000 (x - y), y' = 1: x follows y by 1/1000. */
static void stiff_chase(real t, real *v) {
  v[0] = t - 0.001L + 0.001L * expl(-1000 * t);
  v[1] = t;
}
static void stiff_pair(real t, real *v) { /* eigenvalues -1 and -1000 */
  v[0] = 2 * expl(-t) - expl(-1000 * t);
  v[1] = -expl(-t) + expl(-1000 * t);
}
static void stiff_oscillator(real t, real *v) {
  v[0] = expl(-100 * t) * cosl(100 * t);
  v[1] = -expl(-100 * t) * sinl(100 * t);
}
static void stiff_cosine(real t, real *v) { /* x' = -200 (x - y), y'' = -y */
  real a = 40000.0L / 40001, b = 200.0L / 40001;
  v[0] = a * cosl(t) + b * sinl(t) + (1 - a) * expl(-200 * t);
  v[1] = cosl(t);
  v[2] = -sinl(t);
}
static void line(real t, real *v) { v[0] = 1 + 3 * t; }
static void fall(real t, real *v) { v[0] = 100 - 5 * t * t; }
static void cubic(real t, real *v) { v[0] = 1 + t * t * t; }
static void quartic(real t, real *v) { v[0] = t * t * t * t / 24; }
static void still(real t, real *v) { (void)t, v[0] = 7; }
static void oscillator(real t, real *v) { v[0] = cosl(t); }
static void pair(real t, real *v) { v[0] = sinl(t), v[1] = cosl(t); }
static void fast_pair(real t, real *v) { v[0] = sinl(10 * t), v[1] = cosl(10 * t); }
static void two_pairs(real t, real *v) {
  v[0] = cosl(t), v[1] = -sinl(t), v[2] = cosl(3 * t), v[3] = -sinl(3 * t);
}
static void beats(real t, real *v) { /* coupled masses: modes 1 and the root of 3 */
  real a = cosl(t) / 2, b = cosl(sqrtl(3) * t) / 2;
  v[0] = a + b, v[1] = a - b;
}
static void damped(real t, real *v) { v[0] = expl(-t) * (cosl(2 * t) + sinl(2 * t) / 2); }
static void critical(real t, real *v) { v[0] = (1 + t) * expl(-t); }
static void overdamped(real t, real *v) { v[0] = 2 * expl(-t) - expl(-2 * t); }
static void drag(real t, real *v) { v[0] = -5 * t + 2.5L * (1 - expl(-2 * t)); }
static void terminal_speed(real t, real *v) { v[0] = tanhl(t); }
static void hyperbola(real t, real *v) { v[0] = 1 / (1 - t); }
static void double_pole(real t, real *v) { v[0] = 1 / ((1 - t) * (1 - t)); }
static void inverse(real t, real *v) { v[0] = 1 / (1 + t); }
static void inverse_root(real t, real *v) { v[0] = 1 / sqrtl(1 + 2 * t); }
static void logistic(real t, real *v) { v[0] = 1 / (1 + 9 * expl(-t)); }
static void logistic_fast(real t, real *v) { v[0] = 1 / (1 + 99 * expl(-5 * t)); }
static void logistic_above(real t, real *v) { v[0] = 1 / (1 - expl(-t) / 2); }
static void tangent(real t, real *v) { v[0] = tanl(t); }
static void riccati(real t, real *v) { v[0] = t + 1 / (1 + t), v[1] = t; }
static void riccati_pull(real t, real *v) { v[0] = 2 * tanhl(2 * t); }
static void square_root(real t, real *v) { v[0] = (t / 4 + 2) * (t / 4 + 2); }
static void torricelli(real t, real *v) { v[0] = (3 - t / 2) * (3 - t / 2); }
static void cube_root(real t, real *v) { v[0] = powl(1 + 2 * t / 3, 1.5L); }
static void reciprocal(real t, real *v) { v[0] = sqrtl(4 + 2 * t); }
static void logarithm(real t, real *v) { v[0] = logl(1 + t), v[1] = 1 + t; }
static void arctangent(real t, real *v) { v[0] = atanl(t), v[1] = t; }
static void arcsine(real t, real *v) { v[0] = asinl(t), v[1] = t; }
static void gauss(real t, real *v) { v[0] = expl(-t * t / 2), v[1] = t; }
static void clock_power(real t, real *v) { v[0] = powl(1 + t, 5), v[1] = 1 + t; }
static void forced(real t, real *v) { v[0] = t - 1 + 2 * expl(-t), v[1] = t; }
static void resonance(real t, real *v) { v[0] = t * sinl(t) / 2, v[1] = cosl(t); }
static void jordan(real t, real *v) {
  v[0] = (1 + t + t * t / 2) * expl(-t), v[1] = (1 + t) * expl(-t), v[2] = expl(-t);
}
static void saddle(real t, real *v) { v[0] = coshl(t), v[1] = sinhl(t); }
static void spiral(real t, real *v) {
  v[0] = expl(t / 10) * cosl(t), v[1] = expl(t / 10) * sinl(t);
}
static void chain(real t, real *v) { /* A -> B -> C at rates 1 and 2 */
  v[0] = expl(-t), v[1] = expl(-t) - expl(-2 * t), v[2] = 1 - 2 * expl(-t) + expl(-2 * t);
}
static void mixing(real t, real *v) { v[0] = 1 + expl(-2 * t), v[1] = 1 - expl(-2 * t); }
static void circulant(real t, real *v) {
  real e = expl(-1.5L * t) * 2 / 3, w = sqrtl(3) / 2;
  for (int i = 0; i < 3; i++) v[i] = 1.0L / 3 + e * cosl(w * t - (i * 2 * PI) / 3);
}
static void limit_cycle(real t, real *v) { /* r' = r (1 - r^2), one turn in 2 pi */
  real r = 1 / sqrtl(1 + 3 * expl(-2 * t));
  v[0] = r * cosl(t), v[1] = r * sinl(t);
}
static void polynomial_pair(real t, real *v) { v[0] = 1 / (1 + t), v[1] = (1 + t) * (1 + t); }
static void gompertz(real t, real *v) { v[0] = expl(2 - 2 * expl(-t)), v[1] = 2 * expl(-t); }
static void tenth(real t, real *v) { v[0] = 0.1L + 0.3L * t; }

static const ode_system systems[] = {
    {"x' = x", ":x(a)' = :x(a)", "x {a -> 1}", 1, 10, 1e-13, growth},
    {"x' = -x/2", ":x(a)' = -:x(a) / 2", "x {a -> 3}", 1, 20, 1e-14, decay},
    {"x' = -50 x", ":x(a)' = -50 * :x(a)", "x {a -> 1}", 1, 1, 1e-14, fast_decay},
    {"x' = -1000 x", ":x(a)' = -1000 * :x(a)", "x {a -> 2}", 1, 0.1L, 1e-13, stiff},
    {"x' = 1000 (1 - x)", ":x(a)' = 1000 * (1 - :x(a))", "x {a -> 5}", 1, 1, 1e-12, stiff_pull},
    {"x' = -1000 (x - y), y' = 1", ":x(a)' = -1000 * (:x(a) - :y(a)); :y(a)' = 1",
     "x {a -> 0}; y {a -> 0}", 2, 1, 1e-11, stiff_chase},
    {"eigenvalues -1, -1000",
     ":x(a)' = 998 * :x(a) + 1998 * :y(a); :y(a)' = -999 * :x(a) - 1999 * :y(a)",
     "x {a -> 1}; y {a -> 0}", 2, 0.5L, 1e-9, stiff_pair},
    {"eigenvalues -100 ± 100i",
     ":x(a)' = -100 * :x(a) + 100 * :y(a); :y(a)' = -100 * :x(a) - 100 * :y(a)",
     "x {a -> 1}; y {a -> 0}", 2, 0.1L, 1e-13, stiff_oscillator},
    {"x' = -200 (x - cos t)", ":x(a)' = -200 * (:x(a) - :y(a)); :y(a)' = :z(a); :z(a)' = -:y(a)",
     "x {a -> 1}; y {a -> 1}; z {a -> 0}", 3, 3, 1e-11, stiff_cosine},
    {"x' = 3", ":x(a)' = 3", "x {a -> 1}", 1, 100, 1e-15, line},
    {"x'' = -10", ":x(a)'' = -10", "x {a -> 100}", 1, 4, 1e-14, fall},
    {"x''' = 6", ":x(a)''' = 6", "x {a -> 1}", 1, 5, 1e-14, cubic},
    {"x'''' = 1", ":x(a)'''' = 1", "x {a -> 0}", 1, 3, 1e-14, quartic},
    {"x' = 0 x", ":x(a)' = 0 * :x(a)", "x {a -> 7}", 1, 1000, 0, still},
    {"x'' = -x, 100 periods", ":x(a)'' = -:x(a)", "x {a -> 1}", 1, 200 * PI, 1e-11, oscillator},
    {"x' = y, y' = -x, 100 periods", ":x(a)' = :y(a); :y(a)' = -:x(a)", "x {a -> 0}; y {a -> 1}", 2,
     200 * PI, 1e-11, pair},
    {"x' = 10 y, y' = -10 x, 50 periods", ":x(a)' = 10 * :y(a); :y(a)' = -10 * :x(a)",
     "x {a -> 0}; y {a -> 1}", 2, 10 * PI, 1e-11, fast_pair},
    {"two oscillators, 1 and 3",
     ":x(a)' = :y(a); :y(a)' = -:x(a); :z(a)' = 3 * :w(a); :w(a)' = -3 * :z(a)",
     "x {a -> 1}; y {a -> 0}; z {a -> 1}; w {a -> 0}", 4, 20 * PI, 1e-11, two_pairs},
    {"coupled masses", ":x(a)'' = -2 * :x(a) + :y(a); :y(a)'' = :x(a) - 2 * :y(a)",
     "x {a -> 1}; y {a -> 0}", 2, 50, 1e-10, beats},
    {"x'' = -5 x - 2 x'", ":x(a)'' = -5 * :x(a) - 2 * :x(a)'", "x {a -> 1}", 1, 10, 1e-13, damped},
    {"x'' = -x - 2 x'", ":x(a)'' = -:x(a) - 2 * :x(a)'", "x {a -> 1}", 1, 10, 1e-13, critical},
    {"x'' = -2 x - 3 x'", ":x(a)'' = -2 * :x(a) - 3 * :x(a)'", "x {a -> 1}", 1, 10, 1e-13,
     overdamped},
    {"x'' = -10 - 2 x'", ":x(a)'' = -10 - 2 * :x(a)'", "x {a -> 0}", 1, 5, 1e-13, drag},
    {"x' = 1 - x²", ":x(a)' = 1 - :x(a)^2", "x {a -> 0}", 1, 5, 1e-13, terminal_speed},
    {"x' = x², to 1 - 10⁻⁶", ":x(a)' = :x(a)^2", "x {a -> 1}", 1, 0.999999L, 1e-8, hyperbola},
    {"x' = 2 √x³, to 0.999", ":x(a)' = 2 * :x(a) * Root(2, :x(a))", "x {a -> 1}", 1, 0.999L, 1e-10,
     double_pole},
    {"x' = -x²", ":x(a)' = -:x(a)^2", "x {a -> 1}", 1, 50, 1e-13, inverse},
    {"x' = -x³", ":x(a)' = -:x(a)^3", "x {a -> 1}", 1, 20, 1e-13, inverse_root},
    {"logistic, rate 1", ":x(a)' = :x(a) * (1 - :x(a))", "x {a -> 0.1}", 1, 15, 1e-13, logistic},
    {"logistic, rate 5", ":x(a)' = 5 * :x(a) * (1 - :x(a))", "x {a -> 0.01}", 1, 3, 1e-12,
     logistic_fast},
    {"logistic, from above", ":x(a)' = :x(a) * (1 - :x(a))", "x {a -> 2}", 1, 10, 1e-13,
     logistic_above},
    {"x' = 1 + x², to 1.5", ":x(a)' = 1 + :x(a)^2", "x {a -> 0}", 1, 1.5L, 1e-11, tangent},
    {"Riccati, x' = 1 - (x - t)²", ":x(a)' = 1 - (:x(a) - :y(a))^2; :y(a)' = 1",
     "x {a -> 1}; y {a -> 0}", 2, 10, 1e-13, riccati},
    {"Riccati, x' = 4 - x²", ":x(a)' = 4 - :x(a)^2", "x {a -> 0}", 1, 5, 1e-13, riccati_pull},
    {"x' = √x / 2", ":x(a)' = Root(2, :x(a)) / 2", "x {a -> 4}", 1, 20, 1e-12, square_root},
    {"x' = -√x, to 5", ":x(a)' = -Root(2, :x(a))", "x {a -> 9}", 1, 5, 1e-12, torricelli},
    {"x' = ∛x", ":x(a)' = Root(3, :x(a))", "x {a -> 1}", 1, 10, 1e-13, cube_root},
    {"x' = 1/x", ":x(a)' = 1 / :x(a)", "x {a -> 2}", 1, 50, 1e-13, reciprocal},
    {"x' = 1/y, y' = 1", ":x(a)' = 1 / :y(a); :y(a)' = 1", "x {a -> 0}; y {a -> 1}", 2, 50, 1e-13,
     logarithm},
    {"x' = 1/(1 + t²)", ":x(a)' = 1 / (1 + :y(a)^2); :y(a)' = 1", "x {a -> 0}; y {a -> 0}", 2, 20,
     1e-13, arctangent},
    {"x' = 1/√(1 - t²), to 0.99", ":x(a)' = 1 / Root(2, 1 - :y(a)^2); :y(a)' = 1",
     "x {a -> 0}; y {a -> 0}", 2, 0.99L, 1e-13, arcsine},
    {"x' = -t x", ":x(a)' = -:y(a) * :x(a); :y(a)' = 1", "x {a -> 1}; y {a -> 0}", 2, 5, 1e-13,
     gauss},
    {"x' = 5 x / (1 + t)", ":x(a)' = 5 * :x(a) / :y(a); :y(a)' = 1", "x {a -> 1}; y {a -> 1}", 2,
     10, 1e-12, clock_power},
    {"x' = t - x", ":x(a)' = :y(a) - :x(a); :y(a)' = 1", "x {a -> 1}; y {a -> 0}", 2, 10, 1e-13,
     forced},
    {"x'' = cos t - x", ":x(a)'' = :y(a) - :x(a); :y(a)'' = -:y(a)", "x {a -> 0}; y {a -> 1}", 2,
     50, 1e-11, resonance},
    {"Jordan block, -1", ":x(a)' = -:x(a) + :y(a); :y(a)' = -:y(a) + :z(a); :z(a)' = -:z(a)",
     "x {a -> 1}; y {a -> 1}; z {a -> 1}", 3, 10, 1e-13, jordan},
    {"x' = y, y' = x", ":x(a)' = :y(a); :y(a)' = :x(a)", "x {a -> 1}; y {a -> 0}", 2, 5, 1e-12,
     saddle},
    {"growing spiral", ":x(a)' = 0.1 * :x(a) - :y(a); :y(a)' = :x(a) + 0.1 * :y(a)",
     "x {a -> 1}; y {a -> 0}", 2, 30, 1e-11, spiral},
    {"chain of decays", ":x(a)' = -:x(a); :y(a)' = :x(a) - 2 * :y(a); :z(a)' = 2 * :y(a)",
     "x {a -> 1}; y {a -> 0}; z {a -> 0}", 3, 8, 1e-13, chain},
    {"two tanks", ":x(a)' = :y(a) - :x(a); :y(a)' = :x(a) - :y(a)", "x {a -> 2}; y {a -> 0}", 2, 8,
     1e-13, mixing},
    {"three tanks in a ring",
     ":x(a)' = :z(a) - :x(a); :y(a)' = :x(a) - :y(a); :z(a)' = :y(a) - :z(a)",
     "x {a -> 1}; y {a -> 0}; z {a -> 0}", 3, 10, 1e-13, circulant},
    {"limit cycle",
     ":x(a)' = :x(a) - :y(a) - :x(a) * (:x(a)^2 + :y(a)^2); "
     ":y(a)' = :x(a) + :y(a) - :y(a) * (:x(a)^2 + :y(a)^2)",
     "x {a -> 0.5}; y {a -> 0}", 2, 20, 1e-11, limit_cycle},
    {"x' = -x², y' = 2 x y", ":x(a)' = -:x(a)^2; :y(a)' = 2 * :x(a) * :y(a)",
     "x {a -> 1}; y {a -> 1}", 2, 10, 1e-12, polynomial_pair},
    {"Gompertz", ":x(a)' = :x(a) * :y(a); :y(a)' = -:y(a)", "x {a -> 1}; y {a -> 2}", 2, 10, 1e-12,
     gompertz},
    {"x' = 0.3 from 0.1", ":x(a)' = 0.3", "x {a -> 0.1}", 1, 10, 1e-15, tenth},
};

/* ---- running them ---- */

typedef struct outcome {
  double width, seconds;
} outcome;

static void read_labels(alea_cursor *cursor, int labels, alea_interval *found) {
  size_t count;
  const uint64_t *words = alea_cursor_state(cursor, &count);
  memcpy(found, words + count - 2 * (size_t)labels, (size_t)labels * sizeof *found);
}

/* Whether a number known as a long double lies in the interval. */
static bool contains(alea_interval found, real exact) {
  real slack = SLACK * fabsl(exact);
  return (real)found.lo <= exact + slack && exact - slack <= (real)found.hi;
}

static void run_to(const ode_system *s, double time, const char *start, alea_interval *found) {
  char text[1024];
  snprintf(text, sizeof text,
           "PLAYERS p RULE M: [a | | ] -> [a | | ] dynamics %s "
           "LOC 0 { PLAYER p { MOVES [M, t: %.17g -- %.17g -> 0] } } START [a | | %s]",
           s->dynamics, time, time, start);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_toss_file *file;
  alea_game *game;
  alea_cursor *cursor;
  assert_int_equal(alea_toss_read(&file, text, strlen(text), "x", &mem, NULL), ALEA_OK);
  assert_int_equal(alea_toss_game_new(&game, file, NULL, &mem, NULL), ALEA_OK);
  assert_int_equal(alea_cursor_new(game, &mem, &cursor), ALEA_OK);
  alea_move move = alea_game_move_find(game, 0, "(m a)");
  assert_int_equal(alea_cursor_play(cursor, &move), ALEA_OK);
  read_labels(cursor, s->labels, found);
  alea_cursor_free(cursor);
  alea_game_free(game);
  assert_int_equal(mem.used, 0);
}

static outcome check(const ode_system *s) {
  outcome result = {0};
  clock_t before = clock();
  for (int i = 1; i <= TIMES; i++) {
    double time = (double)(s->time * i / TIMES);
    real exact[MOST_LABELS];
    alea_interval found[MOST_LABELS];
    s->exact(time, exact);
    run_to(s, time, s->start, found);
    real largest = 1;
    for (int k = 0; k < s->labels; k++) largest = fmaxl(largest, fabsl(exact[k]));
    for (int k = 0; k < s->labels; k++) {
      if (!contains(found[k], exact[k]))
        fail_msg("%s: label %d at %.17g is %.21Lg, not in [%.17g, %.17g]", s->name, k, time,
                 exact[k], found[k].lo, found[k].hi);
      result.width = fmax(result.width, (double)((found[k].hi - found[k].lo) / largest));
    }
  }
  result.seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
  return result;
}

static void known_solutions(void **state) {
  (void)state;
  size_t count = sizeof systems / sizeof *systems;
  bool table = getenv("ALEA_TABLE") != NULL, wide = false;
  assert_true(count >= 50);
  for (size_t i = 0; i < count; i++) {
    const ode_system *s = &systems[i];
    outcome o = check(s);
    if (table)
      printf("| %s | %.6Lg | %.1e | %.0e | %.1f |\n", s->name, s->time, o.width, s->allowed,
             1e3 * o.seconds / TIMES);
    if (o.width > s->allowed) {
      print_error("%s: width %g, allowed %g\n", s->name, o.width, s->allowed);
      wide = true;
    }
  }
  assert_false(wide);
}

/* Past the pole of 1 / (1 - t) there is no solution: the move ends before it,
 * with an interval that contains the value at some time before the pole. */
static void blow_up(void **state) {
  (void)state;
  static const ode_system pole = {
      "pole", ":x(a)' = :x(a)^2; :y(a)' = 1", "x {a -> 1}; y {a -> 0}", 2, 2, 0, NULL};
  alea_interval found[2];
  run_to(&pole, 2, pole.start, found);
  assert_true(found[1].lo > 0.999 && found[1].hi < 1);
  assert_true(found[0].lo > 1000 && isfinite(found[0].hi));
  assert_true(found[0].lo <= 1 / (1 - found[1].hi) && found[0].hi >= 1 / (1 - found[1].lo));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_solutions),
      cmocka_unit_test(blow_up),
  };
  return cmocka_run_group_tests_name("enclosures", tests, NULL, NULL);
}
