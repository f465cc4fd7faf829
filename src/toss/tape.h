#ifndef ALEA_TOSS_TAPE_H
#define ALEA_TOSS_TAPE_H

/* Differential equations as straight-line programs, and their Taylor series.
 *
 * A tape is a list of operations, each on earlier ones: numbers, unknowns, sums,
 * products, quotients and roots.  Every unknown has a slope, the operation that
 * is its derivative by time.  From the values of the unknowns at one time the
 * coefficients of their power series in time follow one after the other, and the
 * same recurrences give how each coefficient depends on each unknown (Moore,
 * Interval Analysis, 1966, chapter 11).  All of it is interval arithmetic: the
 * coefficients of a box contain those of every point in it.
 *
 * A rough operation is one that the tape cannot look into, such as a truth
 * value: its owner tells its range over a box.  Where that is one number, it is
 * a constant there; where it is not, only coefficient 0 is known. */

#include "base/status.h"
#include "base/vec.h"
#include "toss/interval.h"

#define ALEA_TAPE_NONE UINT32_MAX

typedef enum alea_tape_kind {
  ALEA_TAPE_NUMBER,
  ALEA_TAPE_UNKNOWN, /* a: which */
  ALEA_TAPE_ADD,
  ALEA_TAPE_MUL,
  ALEA_TAPE_NEG,
  ALEA_TAPE_DIV,
  ALEA_TAPE_ROOT,  /* b: which root */
  ALEA_TAPE_ROUGH, /* a: the owner's number for it */
} alea_tape_kind;

typedef struct alea_tape_op {
  alea_tape_kind kind;
  uint32_t a, b;
  alea_interval value; /* of a number */
} alea_tape_op;

/* The range of a rough operation while the unknowns stay in 'box'. */
typedef alea_interval alea_tape_rough(void *context, uint32_t which, const alea_interval *box);

typedef struct alea_tape {
  alea_mem *mem;
  ALEA_VEC(alea_tape_op) ops;
  uint32_t unknowns;
  uint32_t *slopes; /* per unknown: an operation, or NONE: it does not change */
  alea_tape_rough *rough;
  void *context;
  bool failed; /* out of memory, or too many operations */
} alea_tape;

/* 'unknowns' operations, one for each, come first. */
alea_status alea_tape_init(alea_tape *tape, uint32_t unknowns, alea_mem *mem);
void alea_tape_clear(alea_tape *tape);

/* Operations on operations; numbers are folded.  After a failure, 0. */
uint32_t alea_tape_number(alea_tape *tape, alea_interval value);
uint32_t alea_tape_add(alea_tape *tape, uint32_t a, uint32_t b);
uint32_t alea_tape_mul(alea_tape *tape, uint32_t a, uint32_t b);
uint32_t alea_tape_neg(alea_tape *tape, uint32_t a);
uint32_t alea_tape_div(alea_tape *tape, uint32_t a, uint32_t b);
uint32_t alea_tape_pow(alea_tape *tape, uint32_t a, unsigned n);
uint32_t alea_tape_root(alea_tape *tape, uint32_t a, unsigned n);
uint32_t alea_tape_rough_op(alea_tape *tape, uint32_t which);
/* Adds an operation to the slope of an unknown. */
void alea_tape_slope(alea_tape *tape, uint32_t unknown, uint32_t op);

/* Room for the series of all operations. */
typedef struct alea_tape_series {
  const alea_tape *tape;
  uint32_t order;         /* coefficients 0..order */
  alea_interval *values;  /* op * (order + 1) + k */
  alea_interval *changes; /* (op * unknowns + unknown) * (order + 1) + k; NULL without */
  bool blurred;           /* a rough operation has a range: coefficients end at 1 */
} alea_tape_series;

/* 'changes': also how coefficients depend on the unknowns. */
alea_status alea_tape_series_init(alea_tape_series *series, const alea_tape *tape, uint32_t order,
                                  bool changes);
void alea_tape_series_clear(alea_tape_series *series);

/* The series from the values 'box' at time 0, coefficients 0..'order'.  False if
 * something has no value over the whole box. */
bool alea_tape_expand(alea_tape_series *series, const alea_interval *box, uint32_t order,
                      bool changes);

/* Coefficient k of an unknown, and its derivative by another's value at time 0. */
static inline alea_interval alea_tape_at(const alea_tape_series *s, uint32_t unknown, uint32_t k) {
  return s->values[(size_t)unknown * (s->order + 1) + k];
}
static inline alea_interval alea_tape_change(const alea_tape_series *s, uint32_t unknown,
                                             uint32_t by, uint32_t k) {
  return s->changes[((size_t)unknown * s->tape->unknowns + by) * (s->order + 1) + k];
}

#endif
