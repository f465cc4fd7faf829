/* Tapes, and the recurrences of their series. */
#include "toss/tape.h"

#include <string.h>

enum { MOST_OPS = 20000 };

typedef alea_tape tape_t;
typedef alea_tape_op op_t;

/* ---- building ---- */

static uint32_t push(tape_t *t, op_t op) {
  if (t->failed) return 0;
  t->failed = t->ops.count >= MOST_OPS || !alea_vec_push(t->mem, &t->ops, op);
  return t->failed ? 0 : (uint32_t)t->ops.count - 1;
}

alea_status alea_tape_init(tape_t *t, uint32_t unknowns, alea_mem *mem) {
  *t = (tape_t){.mem = mem, .unknowns = unknowns};
  t->slopes = alea_mem_calloc(mem, unknowns, sizeof *t->slopes);
  if (t->slopes == NULL) return alea_mem_lack(mem);
  for (uint32_t i = 0; i < unknowns; i++) {
    t->slopes[i] = ALEA_TAPE_NONE;
    push(t, (op_t){.kind = ALEA_TAPE_UNKNOWN, .a = i});
  }
  if (!t->failed) return ALEA_OK;
  alea_tape_clear(t);
  return ALEA_LIMIT;
}

void alea_tape_clear(tape_t *t) {
  if (t->mem == NULL) return;
  alea_mem_free(t->mem, t->slopes, t->slopes != NULL ? t->unknowns * sizeof *t->slopes : 0);
  alea_vec_clear(t->mem, &t->ops);
  *t = (tape_t){0};
}

static bool is_number(const tape_t *t, uint32_t op) {
  return t->ops.data[op].kind == ALEA_TAPE_NUMBER;
}

uint32_t alea_tape_number(tape_t *t, alea_interval value) {
  return push(t, (op_t){.kind = ALEA_TAPE_NUMBER, .value = value});
}

static uint32_t binary(tape_t *t, alea_tape_kind kind, uint32_t a, uint32_t b) {
  if (t->failed) return 0;
  if (!is_number(t, a) || !is_number(t, b)) return push(t, (op_t){.kind = kind, .a = a, .b = b});
  alea_interval x = t->ops.data[a].value, y = t->ops.data[b].value;
  return alea_tape_number(t, kind == ALEA_TAPE_ADD   ? alea_interval_add(x, y)
                             : kind == ALEA_TAPE_MUL ? alea_interval_mul(x, y)
                                                     : alea_interval_div(x, y));
}

uint32_t alea_tape_add(tape_t *t, uint32_t a, uint32_t b) { return binary(t, ALEA_TAPE_ADD, a, b); }
uint32_t alea_tape_mul(tape_t *t, uint32_t a, uint32_t b) { return binary(t, ALEA_TAPE_MUL, a, b); }
uint32_t alea_tape_div(tape_t *t, uint32_t a, uint32_t b) { return binary(t, ALEA_TAPE_DIV, a, b); }

uint32_t alea_tape_neg(tape_t *t, uint32_t a) {
  if (t->failed) return 0;
  if (is_number(t, a)) return alea_tape_number(t, alea_interval_neg(t->ops.data[a].value));
  return push(t, (op_t){.kind = ALEA_TAPE_NEG, .a = a});
}

uint32_t alea_tape_pow(tape_t *t, uint32_t a, unsigned n) {
  if (t->failed) return 0;
  if (is_number(t, a)) return alea_tape_number(t, alea_interval_pow(t->ops.data[a].value, n));
  if (n == 0) return alea_tape_number(t, alea_interval_of(1));
  uint32_t result = ALEA_TAPE_NONE, square = a;
  for (; n != 0; n /= 2) {
    if (n % 2 != 0) result = result == ALEA_TAPE_NONE ? square : alea_tape_mul(t, result, square);
    if (n > 1) square = alea_tape_mul(t, square, square);
  }
  return result;
}

uint32_t alea_tape_root(tape_t *t, uint32_t a, unsigned n) {
  if (t->failed) return 0;
  if (is_number(t, a)) return alea_tape_number(t, alea_interval_root(t->ops.data[a].value, n));
  return push(t, (op_t){.kind = ALEA_TAPE_ROOT, .a = a, .b = n});
}

uint32_t alea_tape_rough_op(tape_t *t, uint32_t which) {
  return push(t, (op_t){.kind = ALEA_TAPE_ROUGH, .a = which});
}

void alea_tape_slope(tape_t *t, uint32_t unknown, uint32_t op) {
  if (t->failed) return;
  uint32_t before = t->slopes[unknown];
  t->slopes[unknown] = before == ALEA_TAPE_NONE ? op : alea_tape_add(t, before, op);
}

/* ---- series ---- */

static size_t value_bytes(const alea_tape_series *s) {
  return s->tape->ops.count * (s->order + 1) * sizeof *s->values;
}

alea_status alea_tape_series_init(alea_tape_series *s, const tape_t *tape, uint32_t order,
                                  bool changes) {
  *s = (alea_tape_series){.tape = tape, .order = order};
  s->values = alea_mem_alloc(tape->mem, value_bytes(s));
  if (changes) s->changes = alea_mem_alloc(tape->mem, value_bytes(s) * tape->unknowns);
  if (s->values != NULL && (!changes || s->changes != NULL)) return ALEA_OK;
  alea_tape_series_clear(s);
  return alea_mem_lack(tape->mem);
}

void alea_tape_series_clear(alea_tape_series *s) {
  if (s->tape == NULL) return;
  alea_mem *mem = s->tape->mem;
  alea_mem_free(mem, s->values, s->values != NULL ? value_bytes(s) : 0);
  alea_mem_free(mem, s->changes, s->changes != NULL ? value_bytes(s) * s->tape->unknowns : 0);
  *s = (alea_tape_series){0};
}

static alea_interval add(alea_interval a, alea_interval b) { return alea_interval_add(a, b); }
static alea_interval mul(alea_interval a, alea_interval b) { return alea_interval_mul(a, b); }

/* The sum of a[i] * b[k - i] for i = from..k. */
static alea_interval convolve(const alea_interval *a, const alea_interval *b, uint32_t k,
                              uint32_t from) {
  alea_interval sum = {0, 0};
  for (uint32_t i = from; i <= k; i++) sum = add(sum, mul(a[i], b[k - i]));
  return sum;
}

/* Products of a series with itself are taken in pairs, and its middle part is a
 * square, which is never negative. */
static alea_interval square(const alea_interval *a, uint32_t k) {
  alea_interval sum = {0, 0};
  for (uint32_t i = 0; 2 * i < k; i++) sum = add(sum, mul(a[i], a[k - i]));
  sum = add(sum, sum);
  return k % 2 == 0 ? add(sum, alea_interval_pow(a[k / 2], 2)) : sum;
}

/* y = x^(1/n): x y' = x' y / n, so that
 * k x0 y_k = sum over i = 1..k of (i/n - (k - i)) x_i y_(k-i). */
static alea_interval root(const alea_interval *x, const alea_interval *y, uint32_t k, uint32_t n) {
  if (k == 0 && n % 2 == 0 && x[0].lo < 0) return alea_interval_line();
  if (k == 0) return alea_interval_root(x[0], n);
  alea_interval sum = {0, 0};
  for (uint32_t i = 1; i <= k; i++) {
    double numerator = (double)i - (double)n * (double)(k - i);
    sum = add(sum, mul(alea_interval_of(numerator), mul(x[i], y[k - i])));
  }
  return alea_interval_div(sum, mul(alea_interval_of((double)k * n), x[0]));
}

static alea_interval coefficient(const alea_tape_series *s, uint32_t id, uint32_t k) {
  const op_t *op = &s->tape->ops.data[id];
  size_t row = s->order + 1;
  const alea_interval *own = s->values + id * row, *a = s->values + op->a * row;
  const alea_interval *b = s->values + op->b * row;
  alea_interval none = {0, 0};
  switch (op->kind) {
    case ALEA_TAPE_ADD: return add(a[k], b[k]);
    case ALEA_TAPE_NEG: return alea_interval_neg(a[k]);
    case ALEA_TAPE_MUL:
      if (op->a == op->b) return square(a, k);
      if (is_number(s->tape, op->a)) return mul(a[0], b[k]);
      if (is_number(s->tape, op->b)) return mul(a[k], b[0]);
      return convolve(a, b, k, 0);
    case ALEA_TAPE_DIV: {
      if (is_number(s->tape, op->b)) return alea_interval_div(a[k], b[0]);
      alea_interval known = k == 0 ? none : convolve(b, own, k, 1);
      return alea_interval_div(alea_interval_sub(a[k], known), b[0]);
    }
    case ALEA_TAPE_ROOT: return root(a, own, k, op->b);
    default: return k == 0 ? op->value : none;
  }
}

/* The same for the derivative of coefficient k by an unknown's value. */
static alea_interval change(const alea_tape_series *s, uint32_t id, uint32_t by, uint32_t k) {
  const op_t *op = &s->tape->ops.data[id];
  size_t row = s->order + 1, n = s->tape->unknowns;
  const alea_interval *own = s->values + id * row, *a = s->values + op->a * row;
  const alea_interval *b = s->values + op->b * row;
  const alea_interval *down = s->changes + (id * n + by) * row;
  const alea_interval *da = s->changes + (op->a * n + by) * row;
  const alea_interval *db = s->changes + (op->b * n + by) * row;
  alea_interval known = {0, 0};
  switch (op->kind) {
    case ALEA_TAPE_ADD: return add(da[k], db[k]);
    case ALEA_TAPE_NEG: return alea_interval_neg(da[k]);
    case ALEA_TAPE_MUL:
      if (is_number(s->tape, op->a)) return mul(a[0], db[k]);
      if (is_number(s->tape, op->b)) return mul(da[k], b[0]);
      if (op->a == op->b) return mul(alea_interval_of(2), convolve(a, da, k, 0));
      return add(convolve(a, db, k, 0), convolve(b, da, k, 0));
    case ALEA_TAPE_DIV: /* b dq = da - q db */
      if (is_number(s->tape, op->b)) return alea_interval_div(da[k], b[0]);
      if (k > 0) known = convolve(b, down, k, 1);
      known = add(known, convolve(own, db, k, 0));
      return alea_interval_div(alea_interval_sub(da[k], known), b[0]);
    case ALEA_TAPE_ROOT: /* x dy = y dx / n */
      known = alea_interval_div(convolve(own, da, k, 0), alea_interval_of(op->b));
      if (k > 0) known = alea_interval_sub(known, convolve(a, down, k, 1));
      return alea_interval_div(known, a[0]);
    default: return known;
  }
}

/* Coefficient 0 of numbers, unknowns and rough operations. */
static void start(alea_tape_series *s, const alea_interval *box, bool changes) {
  size_t row = s->order + 1, n = s->tape->unknowns;
  s->blurred = false;
  for (uint32_t i = 0; i < n; i++) {
    s->values[i * row] = box[i];
    for (uint32_t j = 0; changes && j < n; j++)
      s->changes[(i * n + j) * row] = alea_interval_of(i == j);
  }
}

static void raise_op(alea_tape_series *s, const alea_interval *box, uint32_t id, uint32_t k,
                     bool changes) {
  const op_t *op = &s->tape->ops.data[id];
  size_t row = s->order + 1, n = s->tape->unknowns;
  if (op->kind == ALEA_TAPE_ROUGH && k == 0) {
    alea_interval value = s->tape->rough(s->tape->context, op->a, box);
    s->blurred |= !alea_interval_is_point(value);
    s->values[id * row] = value;
  } else {
    s->values[id * row + k] = coefficient(s, id, k);
  }
  for (uint32_t i = 0; changes && i < n; i++)
    s->changes[(id * n + i) * row + k] = change(s, id, i, k);
}

/* Coefficient k + 1 of the unknowns, from coefficient k of their slopes. */
static bool raise_unknowns(alea_tape_series *s, uint32_t k, bool changes) {
  size_t row = s->order + 1, n = s->tape->unknowns;
  alea_interval by = alea_interval_of(k + 1), none = {0, 0};
  for (uint32_t i = 0; i < n; i++) {
    uint32_t slope = s->tape->slopes[i];
    alea_interval rise = slope == ALEA_TAPE_NONE ? none : s->values[slope * row + k];
    if (!alea_interval_is_finite(rise)) return false;
    s->values[i * row + k + 1] = alea_interval_div(rise, by);
    for (uint32_t j = 0; changes && j < n; j++) {
      rise = slope == ALEA_TAPE_NONE ? none : s->changes[(slope * n + j) * row + k];
      if (!alea_interval_is_finite(rise)) return false;
      s->changes[(i * n + j) * row + k + 1] = alea_interval_div(rise, by);
    }
  }
  return true;
}

bool alea_tape_expand(alea_tape_series *s, const alea_interval *box, uint32_t order, bool changes) {
  uint32_t n = s->tape->unknowns, count = (uint32_t)s->tape->ops.count;
  start(s, box, changes);
  for (uint32_t k = 0; k < order; k++) {
    for (uint32_t id = n; id < count; id++) raise_op(s, box, id, k, changes);
    if (!raise_unknowns(s, k, changes)) return false;
  }
  return true;
}
