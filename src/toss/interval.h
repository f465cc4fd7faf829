#ifndef ALEA_TOSS_INTERVAL_H
#define ALEA_TOSS_INTERVAL_H

/* Real numbers as intervals that certainly contain them ([TOSS10 §2, §3], D74).
 *
 * A result is rounded outward only if rounding took place, so integers stay
 * exact.  Rounding is found by error-free sums and fused products, not by a
 * rounding mode of the processor, so that every machine has the same intervals.
 * Values may be infinite; an undefined operation gives the whole line. */

#include <math.h>
#include <stdbool.h>

typedef struct alea_interval {
  double lo, hi;
} alea_interval;

static inline alea_interval alea_interval_of(double x) { return (alea_interval){x, x}; }
static inline alea_interval alea_interval_line(void) {
  return (alea_interval){-INFINITY, INFINITY};
}
static inline bool alea_interval_is_point(alea_interval a) { return a.lo == a.hi; }
static inline bool alea_interval_is_finite(alea_interval a) {
  return isfinite(a.lo) && isfinite(a.hi);
}
/* a <eps b: certainly less. */
static inline bool alea_interval_less(alea_interval a, alea_interval b) { return a.hi < b.lo; }
/* Neither is certainly less: as far as known they are equal. */
static inline bool alea_interval_same(alea_interval a, alea_interval b) {
  return !alea_interval_less(a, b) && !alea_interval_less(b, a);
}
static inline bool alea_interval_within(alea_interval a, alea_interval b) {
  return b.lo <= a.lo && a.hi <= b.hi;
}
static inline double alea_interval_middle(alea_interval a) {
  if (a.lo == a.hi) return a.lo;
  return isinf(a.lo) ? (isinf(a.hi) ? 0 : a.hi) : isinf(a.hi) ? a.lo : a.lo + (a.hi - a.lo) / 2;
}
/* The largest absolute value. */
static inline double alea_interval_size(alea_interval a) { return fmax(fabs(a.lo), fabs(a.hi)); }
static inline alea_interval alea_interval_hull(alea_interval a, alea_interval b) {
  return (alea_interval){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}
/* The common part of two intervals that have one. */
static inline alea_interval alea_interval_meet(alea_interval a, alea_interval b) {
  return (alea_interval){a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

/* The number that is written with the fewest digits among those that the double
 * stands for: 0.1 is a tenth, which lies between two doubles. */
alea_interval alea_interval_decimal(double x);

alea_interval alea_interval_neg(alea_interval a);
alea_interval alea_interval_add(alea_interval a, alea_interval b);
alea_interval alea_interval_sub(alea_interval a, alea_interval b);
alea_interval alea_interval_mul(alea_interval a, alea_interval b);
alea_interval alea_interval_div(alea_interval a, alea_interval b);
alea_interval alea_interval_pow(alea_interval a, unsigned n);
alea_interval alea_interval_root(alea_interval a, unsigned n);

#endif
