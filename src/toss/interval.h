#ifndef ALEA_TOSS_INTERVAL_H
#define ALEA_TOSS_INTERVAL_H

/* Real numbers as intervals that certainly contain them ([TOSS10 §2, §3]).
 *
 * A result is rounded outward only if rounding took place, so integers stay
 * exact.  Values may be infinite; an undefined operation gives the whole line. */

#include <math.h>
#include <stdbool.h>

typedef struct alea_interval {
  double lo, hi;
} alea_interval;

static inline alea_interval alea_interval_of(double x) { return (alea_interval){x, x}; }
static inline alea_interval alea_interval_line(void) {
  return (alea_interval){-INFINITY, INFINITY};
}
/* a <eps b: certainly less. */
static inline bool alea_interval_less(alea_interval a, alea_interval b) { return a.hi < b.lo; }
/* Neither is certainly less: as far as known they are equal. */
static inline bool alea_interval_same(alea_interval a, alea_interval b) {
  return !alea_interval_less(a, b) && !alea_interval_less(b, a);
}
static inline double alea_interval_middle(alea_interval a) {
  if (a.lo == a.hi) return a.lo;
  return isinf(a.lo) ? (isinf(a.hi) ? 0 : a.hi) : isinf(a.hi) ? a.lo : a.lo + (a.hi - a.lo) / 2;
}

alea_interval alea_interval_neg(alea_interval a);
alea_interval alea_interval_add(alea_interval a, alea_interval b);
alea_interval alea_interval_mul(alea_interval a, alea_interval b);
alea_interval alea_interval_div(alea_interval a, alea_interval b);
alea_interval alea_interval_pow(alea_interval a, unsigned n);
alea_interval alea_interval_root(alea_interval a, unsigned n);

#endif
