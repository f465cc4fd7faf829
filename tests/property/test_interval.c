/* Intervals against long double: results contain what they should, and are no
 * wider than rounding makes them. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "cmocka_all.h"
#include "toss/interval.h"

enum { ROUNDS = 200000 };

/* Numbers of all kinds: whole, short, any bits within a range, tiny, huge. */
static double any_number(alea_rng *rng) {
  double whole = (double)alea_rng_below(rng, 2000) - 1000;
  switch (alea_rng_below(rng, 5)) {
    case 0: return whole;
    case 1: return whole / 8;
    case 2: return ldexp(whole, (int)alea_rng_below(rng, 1800) - 900);
    case 3: return whole / 3;
    default: return ldexp((double)alea_rng_below(rng, UINT32_MAX) + 0.5, -31) * whole;
  }
}

static alea_interval any_interval(alea_rng *rng) {
  double a = any_number(rng), b = alea_rng_below(rng, 2) == 0 ? a : any_number(rng);
  return a < b ? (alea_interval){a, b} : (alea_interval){b, a};
}

/* A number of the interval. */
static double pick(alea_rng *rng, alea_interval a) {
  double t = (double)alea_rng_below(rng, 17) / 16, x = a.lo + t * (a.hi - a.lo);
  return !(x >= a.lo) ? a.lo : !(x <= a.hi) ? a.hi : x;
}

static void expect(alea_interval found, long double exact, const char *what) {
  long double slack = fabsl(exact) * 4 * LDBL_EPSILON + LDBL_MIN;
  if (isnan(exact) || !((long double)found.lo <= exact + slack) ||
      !(exact - slack <= (long double)found.hi))
    fail_msg("%s: %.21Lg is not in [%.17g, %.17g]", what, exact, found.lo, found.hi);
}

static void operations(void **state) {
  (void)state;
  alea_rng rng;
  alea_rng_seed_stream(&rng, 7, 1);
  for (int i = 0; i < ROUNDS; i++) {
    alea_interval a = any_interval(&rng), b = any_interval(&rng);
    long double x = pick(&rng, a), y = pick(&rng, b);
    expect(alea_interval_add(a, b), x + y, "sum");
    expect(alea_interval_sub(a, b), x - y, "difference");
    expect(alea_interval_mul(a, b), x * y, "product");
    if (b.lo > 0 || b.hi < 0) expect(alea_interval_div(a, b), x / y, "quotient");
    unsigned n = 1 + alea_rng_below(&rng, 4);
    expect(alea_interval_pow(a, n), powl(x, n), "power");
    if (x >= 0) expect(alea_interval_root(a, 2), sqrtl(x), "square root");
    expect(alea_interval_root(a, 3), cbrtl(x), "cube root");
  }
}

/* Exact results are points, others as narrow as two doubles. */
static void tightness(void **state) {
  (void)state;
  alea_rng rng;
  alea_rng_seed_stream(&rng, 7, 2);
  for (int i = 0; i < ROUNDS; i++) {
    double x = (double)alea_rng_below(&rng, 100000) - 50000, y = 1 + alea_rng_below(&rng, 1000);
    alea_interval a = alea_interval_of(x), b = alea_interval_of(y);
    assert_true(alea_interval_is_point(alea_interval_add(a, b)));
    assert_true(alea_interval_is_point(alea_interval_mul(a, b)));
    alea_interval q = alea_interval_div(a, b);
    assert_true(q.hi <= nextafter(q.lo, INFINITY));
    assert_true(alea_interval_is_point(q) == (fmod(x, y) == 0 || fma(q.lo, y, -x) == 0));
    alea_interval root = alea_interval_root(alea_interval_of(y * y), 2);
    assert_true(alea_interval_is_point(root) && root.lo == y);
    root = alea_interval_root(alea_interval_of(y), 5);
    assert_true(root.hi - root.lo <= 16 * DBL_EPSILON * root.hi);
  }
  assert_true(alea_interval_pow((alea_interval){-2, 1}, 2).lo == 0);
  assert_true(alea_interval_root(alea_interval_of(1e300), 3).lo < 1.0000000000000001e100);
  assert_true(isinf(alea_interval_div(alea_interval_of(1), (alea_interval){-1, 1}).hi));
}

/* A decimal with few digits lies in its interval, which is a point only where
 * the double is that number. */
static void decimals(void **state) {
  (void)state;
  alea_rng rng;
  alea_rng_seed_stream(&rng, 7, 3);
  for (int i = 0; i < 20000; i++) {
    char text[40];
    unsigned digits = 1 + alea_rng_below(&rng, 9);
    snprintf(text, sizeof text, "%u.%0*u", (unsigned)alea_rng_below(&rng, 100), (int)digits,
             (unsigned)alea_rng_below(&rng, 1000000000) % (unsigned)pow(10, digits));
    double x = strtod(text, NULL);
    alea_interval found = alea_interval_decimal(x);
    long double exact = strtold(text, NULL);
    assert_true(found.lo <= x && x <= found.hi);
    if (exact != (long double)x) assert_false(alea_interval_is_point(found));
    assert_true((long double)found.lo <= exact && exact <= (long double)found.hi);
    double eighths = (double)alea_rng_below(&rng, 80000) / 8;
    assert_true(alea_interval_is_point(alea_interval_decimal(eighths)));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operations),
      cmocka_unit_test(tightness),
      cmocka_unit_test(decimals),
  };
  return cmocka_run_group_tests_name("intervals", tests, NULL, NULL);
}
