/* Interval arithmetic with exact detection of rounding. */
#include "toss/interval.h"

#include <float.h>

/* Knuth's error-free sum: whether a + b was rounded, and which way. */
static double sum_error(double a, double b, double sum) {
  double part = sum - a;
  return (a - (sum - part)) + (b - part);
}

static double add_down(double a, double b) {
  double sum = a + b;
  if (isnan(sum)) return -INFINITY;
  if (isinf(sum)) return isinf(a) || isinf(b) || sum < 0 ? sum : DBL_MAX;
  return sum_error(a, b, sum) < 0 ? nextafter(sum, -INFINITY) : sum;
}

static double add_up(double a, double b) { return -add_down(-a, -b); }

static double mul_down(double a, double b) {
  if (a == 0 || b == 0) return 0; /* 0 times an unbounded, but real, number */
  double product = a * b;
  if (isinf(product)) return isinf(a) || isinf(b) || product < 0 ? product : DBL_MAX;
  return fma(a, b, -product) < 0 || fabs(product) < DBL_MIN ? nextafter(product, -INFINITY)
                                                            : product;
}

static double mul_up(double a, double b) { return -mul_down(-a, b); }

static double div_down(double a, double b) {
  if (a == 0) return 0;
  if (isinf(b)) return isinf(a) ? -INFINITY : (a > 0) == (b > 0) ? 0 : -DBL_MIN;
  double quotient = a / b;
  if (isinf(quotient)) return isinf(a) || quotient < 0 ? quotient : DBL_MAX;
  double rest = fma(quotient, b, -a); /* quotient * b - a */
  bool above = b > 0 ? rest > 0 : rest < 0;
  return above || fabs(quotient) < DBL_MIN ? nextafter(quotient, -INFINITY) : quotient;
}

static double div_up(double a, double b) { return -div_down(-a, b); }

alea_interval alea_interval_neg(alea_interval a) { return (alea_interval){-a.hi, -a.lo}; }

alea_interval alea_interval_add(alea_interval a, alea_interval b) {
  return (alea_interval){add_down(a.lo, b.lo), add_up(a.hi, b.hi)};
}

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

alea_interval alea_interval_mul(alea_interval a, alea_interval b) {
  return (alea_interval){
      least(least(mul_down(a.lo, b.lo), mul_down(a.lo, b.hi)),
            least(mul_down(a.hi, b.lo), mul_down(a.hi, b.hi))),
      most(most(mul_up(a.lo, b.lo), mul_up(a.lo, b.hi)),
           most(mul_up(a.hi, b.lo), mul_up(a.hi, b.hi))),
  };
}

alea_interval alea_interval_div(alea_interval a, alea_interval b) {
  if (b.lo <= 0 && b.hi >= 0) return alea_interval_line();
  return (alea_interval){
      least(least(div_down(a.lo, b.lo), div_down(a.lo, b.hi)),
            least(div_down(a.hi, b.lo), div_down(a.hi, b.hi))),
      most(most(div_up(a.lo, b.lo), div_up(a.lo, b.hi)),
           most(div_up(a.hi, b.lo), div_up(a.hi, b.hi))),
  };
}

/* Even powers of an interval around 0 begin at 0, which a product does not
 * show. */
alea_interval alea_interval_pow(alea_interval a, unsigned n) {
  if (n == 0) return alea_interval_of(1);
  bool around = a.lo < 0 && a.hi > 0;
  alea_interval result = a;
  for (unsigned i = 1; i < n; i++) result = alea_interval_mul(result, a);
  if (n % 2 == 0 && around) result.lo = 0;
  return result;
}

static double root_of(double x, unsigned n) { return n == 2 ? sqrt(x) : pow(x, 1.0 / n); }

/* A root is widened by four units in the last place, more than the error of
 * pow. */
alea_interval alea_interval_root(alea_interval a, unsigned n) {
  if (a.hi < 0) {
    if (n % 2 == 0) return alea_interval_line();
    return alea_interval_neg(alea_interval_root(alea_interval_neg(a), n));
  }
  if (a.lo < 0 && n % 2 != 0) {
    double high = root_of(a.hi, n), low = -root_of(-a.lo, n);
    return (alea_interval){low + 4 * DBL_EPSILON * low, high + 4 * DBL_EPSILON * high};
  }
  double low = root_of(a.lo > 0 ? a.lo : 0, n), high = root_of(a.hi, n);
  if (n == 2 && low * low == a.lo && high * high == a.hi && low == floor(low) &&
      high == floor(high)) {
    return (alea_interval){low, high};
  }
  return (alea_interval){low - 4 * DBL_EPSILON * low, high + 4 * DBL_EPSILON * high};
}
