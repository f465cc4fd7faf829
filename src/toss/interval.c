/* Interval arithmetic with exact detection of rounding. */
#include "toss/interval.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Below this, the rounding error of a product or quotient may be too small for
 * a double, so that it cannot be told from none. */
#define TINY 1e-280

/* Knuth's error-free sum: whether a + b was rounded, and which way. */
static double sum_error(double a, double b, double sum) {
  double part = sum - a;
  return (a - (sum - part)) + (b - part);
}

static double add_down(double a, double b) {
  double sum = a + b;
  if (isnan(sum)) return -INFINITY;
  if (isinf(sum)) return isinf(a) || isinf(b) || sum < 0 ? sum : DBL_MAX;
  /* Near the largest double the error itself may overflow. */
  return !(sum_error(a, b, sum) >= 0) ? nextafter(sum, -INFINITY) : sum;
}

static double add_up(double a, double b) { return -add_down(-a, -b); }

static double mul_down(double a, double b) {
  if (a == 0 || b == 0) return 0; /* 0 times an unbounded, but real, number */
  double product = a * b;
  if (isinf(product)) return isinf(a) || isinf(b) || product < 0 ? product : DBL_MAX;
  return fma(a, b, -product) < 0 || fabs(product) < TINY ? nextafter(product, -INFINITY) : product;
}

static double mul_up(double a, double b) { return -mul_down(-a, b); }

static double div_down(double a, double b) {
  if (a == 0) return 0;
  if (isinf(b)) return isinf(a) ? -INFINITY : (a > 0) == (b > 0) ? 0 : -DBL_MIN;
  double quotient = a / b;
  if (isinf(quotient)) return isinf(a) || quotient < 0 ? quotient : DBL_MAX;
  double rest = fma(quotient, b, -a); /* quotient * b - a */
  bool above = b > 0 ? rest > 0 : rest < 0;
  bool unclear = fabs(a) < TINY || fabs(quotient) < TINY || !isfinite(rest);
  return above || unclear ? nextafter(quotient, -INFINITY) : quotient;
}

static double div_up(double a, double b) { return -div_down(-a, b); }

/* The shortest decimal is mantissa * 10^exponent; what a fused product tells of
 * the difference says on which side of the double it lies. */
alea_interval alea_interval_decimal(double x) {
  if (!isfinite(x) || (fabs(x) < 9e15 && x == floor(x))) return alea_interval_of(x);
  char text[40];
  int digits = 1;
  for (; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*e", digits - 1, x);
    if (strtod(text, NULL) == x) break;
  }
  alea_interval wide = {nextafter(x, -INFINITY), nextafter(x, INFINITY)};
  const char *mark = strchr(text, 'e');
  int shift = mark != NULL ? digits - 1 - atoi(mark + 1) : 0; /* digits after the point */
  if (digits > 15 || shift < 1 || shift > 22) return wide;
  double scale = 1;
  for (int i = 0; i < shift; i++) scale *= 10;
  double whole = nearbyint(x * scale), rest = fma(x, scale, -whole); /* both factors are exact */
  if (rest > 0) wide.hi = x;
  if (rest < 0) wide.lo = x;
  return rest == 0 ? alea_interval_of(x) : wide;
}

alea_interval alea_interval_neg(alea_interval a) { return (alea_interval){-a.hi, -a.lo}; }

alea_interval alea_interval_add(alea_interval a, alea_interval b) {
  return (alea_interval){add_down(a.lo, b.lo), add_up(a.hi, b.hi)};
}

alea_interval alea_interval_sub(alea_interval a, alea_interval b) {
  return (alea_interval){add_down(a.lo, -b.hi), add_up(a.hi, -b.lo)};
}

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

/* A factor without sign change leaves two products to compute, not four. */
static alea_interval scale(alea_interval a, alea_interval b) {
  if (a.lo >= 0) {
    return (alea_interval){mul_down(b.lo < 0 ? a.hi : a.lo, b.lo),
                           mul_up(b.hi < 0 ? a.lo : a.hi, b.hi)};
  }
  return (alea_interval){mul_down(b.hi < 0 ? a.hi : a.lo, b.hi),
                         mul_up(b.lo < 0 ? a.lo : a.hi, b.lo)};
}

alea_interval alea_interval_mul(alea_interval a, alea_interval b) {
  if (a.lo >= 0 || a.hi <= 0) return scale(a, b);
  if (b.lo >= 0 || b.hi <= 0) return scale(b, a);
  return (alea_interval){least(mul_down(a.lo, b.hi), mul_down(a.hi, b.lo)),
                         most(mul_up(a.lo, b.lo), mul_up(a.hi, b.hi))};
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

/* The power of one number, by repeated products. */
static alea_interval power_of(double x, unsigned n) {
  alea_interval result = alea_interval_of(1), base = alea_interval_of(x);
  for (; n != 0; n /= 2) {
    if (n % 2 != 0) result = alea_interval_mul(result, base);
    base = alea_interval_mul(base, base);
  }
  return result;
}

/* Powers are monotone on each side of 0, so the ends give the range. */
alea_interval alea_interval_pow(alea_interval a, unsigned n) {
  if (n == 0) return alea_interval_of(1);
  alea_interval low = power_of(a.lo, n), high = power_of(a.hi, n);
  if (n % 2 != 0 || a.lo >= 0) return (alea_interval){low.lo, high.hi};
  if (a.hi <= 0) return (alea_interval){high.lo, low.hi};
  return (alea_interval){0, most(low.hi, high.hi)};
}

/* An approximate root of x >= 0 is moved outward until its power is certainly
 * on the right side of x: no error bound of the library's pow is needed. */
static alea_interval root_of(double x, unsigned n) {
  if (x == 0 || isinf(x)) return alea_interval_of(x);
  double guess = n == 2 ? sqrt(x) : pow(x, 1.0 / n);
  alea_interval power = power_of(guess, n);
  if (power.lo == x && power.hi == x) return alea_interval_of(guess);
  double low = guess, high = guess;
  for (double step = DBL_EPSILON; power_of(low, n).hi > x; step *= 2) low = guess - step * guess;
  for (double step = DBL_EPSILON; power_of(high, n).lo < x; step *= 2) high = guess + step * guess;
  return (alea_interval){low, high};
}

alea_interval alea_interval_root(alea_interval a, unsigned n) {
  if (a.hi < 0 && n % 2 == 0) return alea_interval_line();
  double low = a.lo < 0 ? n % 2 == 0 ? 0 : -root_of(-a.lo, n).hi : root_of(a.lo, n).lo;
  return (alea_interval){low, a.hi < 0 ? -root_of(-a.hi, n).lo : root_of(a.hi, n).hi};
}
