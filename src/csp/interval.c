/* Interval arithmetic over the operators of expressions. */
#include "csp/interval.h"

typedef csp_interval interval;

static const interval anything = {CSP_LEAST, CSP_MOST};
static const interval truth = {0, 1};

static int64_t clamp(int64_t value) {
  if (value > CSP_MOST) return CSP_MOST;
  return value < CSP_LEAST ? CSP_LEAST : value;
}

static bool bounded(interval a) { return a.lo != CSP_LEAST && a.hi != CSP_MOST; }
static bool fixed(interval a) { return a.lo == a.hi; }
static bool surely(interval a) { return a.lo > 0 || a.hi < 0; } /* not zero */
static bool never(interval a) { return a.lo == 0 && a.hi == 0; }
static bool apart(interval a, interval b) { return a.hi < b.lo || b.hi < a.lo; }
static interval known(bool yes, bool no) {
  return yes ? (interval){1, 1} : no ? (interval){0, 0} : truth;
}

static interval plus(interval a, interval b) {
  return (interval){a.lo == CSP_LEAST || b.lo == CSP_LEAST ? CSP_LEAST : clamp(a.lo + b.lo),
                    a.hi == CSP_MOST || b.hi == CSP_MOST ? CSP_MOST : clamp(a.hi + b.hi)};
}

static interval minus(interval a) { return (interval){-a.hi, -a.lo}; }

static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) return (a < 0) == (b < 0) ? CSP_MOST : CSP_LEAST;
  return clamp(product);
}

/* "No bound" times zero is zero, and times anything else no bound. */
static interval times(interval a, interval b) {
  const int64_t corners[4] = {multiply(a.lo, b.lo), multiply(a.lo, b.hi), multiply(a.hi, b.lo),
                              multiply(a.hi, b.hi)};
  interval out = {corners[0], corners[0]};
  for (int i = 1; i < 4; i++) {
    if (corners[i] < out.lo) out.lo = corners[i];
    if (corners[i] > out.hi) out.hi = corners[i];
  }
  return out;
}

static interval absolute(interval a) {
  int64_t most = -a.lo > a.hi ? -a.lo : a.hi;
  return (interval){a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0, most};
}

static void stretch(interval *a, int64_t value) {
  if (value < a->lo) a->lo = value;
  if (value > a->hi) a->hi = value;
}

/* Rounds towards zero, as in C; false if the divisor can only be zero. */
static bool quotient(interval a, interval b, interval *out) {
  if (never(b)) return false;
  *out = anything;
  if (!bounded(a)) return true;
  const int64_t divisors[4] = {b.lo, b.hi, -1, 1};
  *out = (interval){INT64_MAX, INT64_MIN};
  for (int i = 0; i < 4; i++) {
    if (divisors[i] == 0 || divisors[i] < b.lo || divisors[i] > b.hi) continue;
    stretch(out, a.lo / divisors[i]);
    stretch(out, a.hi / divisors[i]);
  }
  return true;
}

/* Has the sign of the dividend, as in C. */
static bool remainder_of(interval a, interval b, interval *out) {
  if (never(b)) return false;
  int64_t most = bounded(b) ? absolute(b).hi - 1 : CSP_MOST;
  *out = (interval){a.lo >= 0      ? 0
                    : a.lo > -most ? a.lo
                                   : -most,
                    a.hi <= 0     ? 0
                    : a.hi < most ? a.hi
                                  : most};
  return true;
}

static int64_t raise(int64_t base, int64_t exponent) {
  int64_t result = 1;
  for (; exponent > 0 && base > 1 && result < CSP_MOST; exponent--) result = multiply(result, base);
  return result;
}

static bool power_of(interval a, interval b, interval *out) {
  if (b.hi < 0) return false;
  if (b.lo < 0) b.lo = 0;
  *out = anything;
  if (a.lo >= 1) *out = (interval){raise(a.lo, b.lo), raise(a.hi, b.hi)};
  if (fixed(b) && b.lo == 2) {
    interval size = absolute(a);
    *out = times(size, size);
  }
  return true;
}

static interval compare(csp_operator op, interval a, interval b) {
  switch (op) {
    case CSP_OP_LT: return known(a.hi < b.lo, a.lo >= b.hi);
    case CSP_OP_LE: return known(a.hi <= b.lo, a.lo > b.hi);
    case CSP_OP_GE: return known(a.lo >= b.hi, a.hi < b.lo);
    default: return known(a.lo > b.hi, a.hi <= b.lo);
  }
}

/* eq: all equal; iff: all with the same truth value; ne: all different. */
static interval compare_all(csp_operator op, const interval *args, uint32_t count) {
  bool yes = true, no = false;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = op == CSP_OP_NE ? 0 : (i > 0 ? i - 1 : 0); j < i; j++) {
      bool same, differ;
      if (op == CSP_OP_IFF) {
        same = (surely(args[i]) && surely(args[j])) || (never(args[i]) && never(args[j]));
        differ = (surely(args[i]) && never(args[j])) || (never(args[i]) && surely(args[j]));
      } else {
        same = fixed(args[i]) && fixed(args[j]) && args[i].lo == args[j].lo;
        differ = apart(args[i], args[j]);
      }
      yes = yes && (op == CSP_OP_NE ? differ : same);
      no = no || (op == CSP_OP_NE ? same : differ);
    }
  return known(yes, no);
}

static interval among(const interval *args, uint32_t count) {
  bool yes = false, no = true;
  for (uint32_t i = 1; i < count; i++) {
    yes = yes || (fixed(args[0]) && fixed(args[i]) && args[0].lo == args[i].lo);
    no = no && apart(args[0], args[i]);
  }
  return known(yes, no);
}

static interval fold_up(csp_operator op, const interval *args, uint32_t count) {
  interval a = args[0];
  bool all = true, some = false, none = true, open = false, odd = false;
  for (uint32_t i = 0; i < count; i++) {
    interval b = args[i];
    all = all && surely(b);
    some = some || never(b);
    none = none && never(b);
    open = open || (!surely(b) && !never(b));
    odd = odd != surely(b);
    if (i == 0) continue;
    if (op == CSP_OP_ADD) a = plus(a, b);
    if (op == CSP_OP_MUL) a = times(a, b);
    if (op == CSP_OP_MIN) a = (interval){a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
    if (op == CSP_OP_MAX) a = (interval){a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
  }
  bool any = false;
  for (uint32_t i = 0; i < count; i++) any = any || surely(args[i]);
  if (op == CSP_OP_AND) return known(all, some);
  if (op == CSP_OP_OR) return known(any, none);
  /* xor has at least two operands, so its value is 0 or 1. */
  if (op == CSP_OP_XOR) return open ? truth : known(odd, !odd);
  return a;
}

static bool up(csp_operator op, const interval *args, uint32_t count, interval *out) {
  interval a = args[0];
  switch (op) {
    case CSP_OP_NEG: *out = minus(a); return true;
    case CSP_OP_ABS: *out = absolute(a); return true;
    case CSP_OP_SQR: *out = times(absolute(a), absolute(a)); return true;
    case CSP_OP_SUB: *out = plus(a, minus(args[1])); return true;
    case CSP_OP_DIST: *out = absolute(plus(a, minus(args[1]))); return true;
    case CSP_OP_DIV: return quotient(a, args[1], out);
    case CSP_OP_MOD: return remainder_of(a, args[1], out);
    case CSP_OP_POW: return power_of(a, args[1], out);
    case CSP_OP_LT:
    case CSP_OP_LE:
    case CSP_OP_GE:
    case CSP_OP_GT: *out = compare(op, a, args[1]); return true;
    case CSP_OP_EQ:
    case CSP_OP_NE:
    case CSP_OP_IFF: *out = compare_all(op, args, count); return true;
    case CSP_OP_NOT: *out = known(never(a), surely(a)); return true;
    case CSP_OP_IMP:
      *out = known(never(a) || surely(args[1]), surely(a) && never(args[1]));
      return true;
    case CSP_OP_IF:
      *out = surely(a) ? args[1] : args[2];
      if (!surely(a) && !never(a)) {
        stretch(out, args[1].lo);
        stretch(out, args[1].hi);
      }
      return true;
    case CSP_OP_IN: *out = among(args, count); return true;
    case CSP_OP_NOTIN: {
      interval in = among(args, count);
      *out = (interval){1 - in.hi, 1 - in.lo};
      return true;
    }
    default: *out = fold_up(op, args, count); return true;
  }
}

/* ---- the tree ---- */

bool csp_tree_make(csp_tree *tree, const csp_expr *expr, alea_arena *arena) {
  size_t n = expr->count;
  uint32_t *first = alea_arena_alloc(arena, (n + 1) * sizeof *first);
  uint32_t *operands = alea_arena_alloc(arena, (n + 1) * sizeof *operands);
  uint32_t *stack = alea_arena_alloc(arena, (expr->depth + 1) * sizeof *stack);
  if (first == NULL || operands == NULL || stack == NULL) return false;
  uint32_t top = 0, used = 0;
  for (size_t i = 0; i < n; i++) {
    uint32_t count = expr->code[i].count;
    first[i] = used;
    top -= count;
    for (uint32_t k = 0; k < count; k++) operands[used++] = stack[top + k];
    stack[top++] = (uint32_t)i;
  }
  *tree = (csp_tree){expr, first, operands};
  return true;
}

enum { FEW = 16 }; /* operands that are copied; longer lists are walked in place */

bool csp_tree_up(const csp_tree *tree, const csp_interval *vars, csp_interval *nodes) {
  for (size_t i = 0; i < tree->expr->count; i++) {
    const csp_code *code = &tree->expr->code[i];
    const uint32_t *args = &tree->operands[tree->first[i]];
    if (code->op == CSP_OP_CONST) {
      nodes[i] = (interval){code->value, code->value};
    } else if (code->op == CSP_OP_VAR) {
      nodes[i] = vars[code->value];
    } else if (code->count <= FEW) {
      interval few[FEW] = {{0, 0}};
      for (uint32_t k = 0; k < code->count; k++) few[k] = nodes[args[k]];
      if (!up(code->op, few, code->count, &nodes[i])) return false;
    } else if (code->op == CSP_OP_IN || code->op == CSP_OP_NOTIN || code->op == CSP_OP_EQ ||
               code->op == CSP_OP_NE || code->op == CSP_OP_IFF || code->op == CSP_OP_XOR) {
      nodes[i] = truth;
    } else { /* pairwise: all these operators are associative */
      interval pair[2] = {nodes[args[0]]};
      for (uint32_t k = 1; k < code->count; k++) {
        pair[1] = nodes[args[k]];
        pair[0] = fold_up(code->op, pair, 2);
      }
      nodes[i] = pair[0];
    }
  }
  return true;
}

/* ---- downwards ---- */

static bool narrow(interval *a, int64_t lo, int64_t hi) {
  if (lo > a->lo) a->lo = lo;
  if (hi < a->hi) a->hi = hi;
  return a->lo <= a->hi;
}

static bool meet(interval *a, interval b) { return narrow(a, b.lo, b.hi); }

static bool without(interval *a, int64_t value) {
  if (a->lo == value) a->lo++;
  if (a->hi == value) a->hi--;
  return a->lo <= a->hi;
}

/* Makes a part true or false. */
static bool settle(interval *a, bool holds) { return holds ? without(a, 0) : narrow(a, 0, 0); }

static bool less(interval *a, interval *b, int64_t gap) { /* a + gap <= b */
  return (b->hi == CSP_MOST || narrow(a, CSP_LEAST, b->hi - gap)) &&
         (a->lo == CSP_LEAST || narrow(b, a->lo + gap, CSP_MOST));
}

static bool equal(interval *a, interval *b) { return meet(a, *b) && meet(b, *a); }

static bool unequal(interval *a, interval *b) {
  return (!fixed(*b) || without(a, b->lo)) && (!fixed(*a) || without(b, a->lo));
}

static int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static int64_t ceil_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && (a < 0) == (b < 0) ? q + 1 : q;
}

/* x * y = p: narrows x where y is not zero. */
static bool factor(interval p, interval *x, interval y) {
  if (!bounded(p) || !bounded(y) || !surely(y)) return true;
  const int64_t ps[2] = {p.lo, p.hi}, ys[2] = {y.lo, y.hi};
  int64_t lo = CSP_MOST, hi = CSP_LEAST;
  for (int i = 0; i < 4; i++) {
    int64_t low = ceil_div(ps[i & 1], ys[i >> 1]), high = floor_div(ps[i & 1], ys[i >> 1]);
    if (low < lo) lo = low;
    if (high > hi) hi = high;
  }
  /* A quotient between two corners need not be an integer: then nothing is
   * left. */
  return narrow(x, lo, hi);
}

static bool down_size(interval size, interval *a) { /* |a| lies in 'size' */
  if (size.hi < CSP_MOST && !narrow(a, -size.hi, size.hi)) return false;
  if (size.lo <= 0) return true;
  if (a->lo > -size.lo && !narrow(a, size.lo, CSP_MOST)) return false;
  return a->hi >= size.lo || narrow(a, CSP_LEAST, -size.lo);
}

static int64_t root_of(int64_t square) {
  int64_t lo = 0, hi = INT64_C(1) << 30;
  while (lo < hi) {
    int64_t middle = lo + (hi - lo + 1) / 2;
    if (middle * middle <= square)
      lo = middle;
    else
      hi = middle - 1;
  }
  return lo;
}

/* The sum of the finite ends; false if it exceeds 64 bits. */
static bool add_ends(const csp_interval *nodes, const uint32_t *args, uint32_t count, interval *sum,
                     uint32_t *no_lo, uint32_t *no_hi) {
  *sum = (interval){0, 0};
  *no_lo = *no_hi = 0;
  for (uint32_t k = 0; k < count; k++) {
    interval a = nodes[args[k]];
    if (a.lo == CSP_LEAST)
      ++*no_lo;
    else if (__builtin_add_overflow(sum->lo, a.lo, &sum->lo))
      return false;
    if (a.hi == CSP_MOST)
      ++*no_hi;
    else if (__builtin_add_overflow(sum->hi, a.hi, &sum->hi))
      return false;
  }
  return true;
}

/* Narrows each operand to the rest that the others leave of the sum. */
static bool down_sum(interval sum, csp_interval *nodes, const uint32_t *args, uint32_t count) {
  interval ends;
  uint32_t no_lo, no_hi;
  if (!add_ends(nodes, args, count, &ends, &no_lo, &no_hi)) return true;
  for (uint32_t k = 0; k < count; k++) {
    interval *a = &nodes[args[k]], old = *a;
    int64_t others, rest;
    bool lo_open = old.lo == CSP_LEAST, hi_open = old.hi == CSP_MOST;
    if (sum.hi != CSP_MOST && no_lo == lo_open &&
        !__builtin_sub_overflow(ends.lo, lo_open ? 0 : old.lo, &others) &&
        !__builtin_sub_overflow(sum.hi, others, &rest) && !narrow(a, CSP_LEAST, clamp(rest)))
      return false;
    if (sum.lo != CSP_LEAST && no_hi == hi_open &&
        !__builtin_sub_overflow(ends.hi, hi_open ? 0 : old.hi, &others) &&
        !__builtin_sub_overflow(sum.lo, others, &rest) && !narrow(a, clamp(rest), CSP_MOST))
      return false;
  }
  return true;
}

/* minimum: no operand is below it, and one is equal to it. */
static bool down_extremum(interval result, csp_interval *nodes, const uint32_t *args,
                          uint32_t count, bool maximum) {
  uint32_t reaching = 0, last = 0;
  for (uint32_t k = 0; k < count; k++) {
    interval *a = &nodes[args[k]];
    if (maximum ? !narrow(a, CSP_LEAST, result.hi) : !narrow(a, result.lo, CSP_MOST)) return false;
    if (maximum ? a->hi < result.lo : a->lo > result.hi) continue;
    reaching++;
    last = args[k];
  }
  return reaching > 1 || (reaching == 1 && meet(&nodes[last], result));
}

/* and: all operands hold; if it must fail and only one is open, that one fails
 * (or: the other way round). */
static bool down_logic(interval result, csp_interval *nodes, const uint32_t *args, uint32_t count,
                       bool conjunction) {
  bool every = conjunction ? surely(result) : never(result);
  bool one = conjunction ? never(result) : surely(result);
  uint32_t able = 0, last = 0;
  for (uint32_t k = 0; k < count; k++) {
    interval *a = &nodes[args[k]];
    if (every && !settle(a, conjunction)) return false;
    if (conjunction ? surely(*a) : never(*a)) continue;
    able++;
    last = args[k];
  }
  if (!one || able > 1) return true;
  return able == 1 && settle(&nodes[last], !conjunction);
}

static bool down_compare(csp_operator op, bool holds, interval *a, interval *b) {
  switch (op) {
    case CSP_OP_LT: return holds ? less(a, b, 1) : less(b, a, 0);
    case CSP_OP_LE: return holds ? less(a, b, 0) : less(b, a, 1);
    case CSP_OP_GE: return holds ? less(b, a, 0) : less(a, b, 1);
    case CSP_OP_GT: return holds ? less(b, a, 1) : less(a, b, 0);
    case CSP_OP_IFF:
      if (surely(*a) || never(*a)) return settle(b, surely(*a) == holds);
      return (!surely(*b) && !never(*b)) || settle(a, surely(*b) == holds);
    default: return (op == CSP_OP_EQ) == holds ? equal(a, b) : unequal(a, b);
  }
}

static bool down_branch(interval result, interval *test, interval *yes, interval *no) {
  if (surely(*test)) return meet(yes, result);
  if (never(*test)) return meet(no, result);
  if (apart(*yes, result)) return settle(test, false) && meet(no, result);
  return !apart(*no, result) || (settle(test, true) && meet(yes, result));
}

static bool down_member(bool inside, csp_interval *nodes, const uint32_t *args, uint32_t count) {
  interval *a = &nodes[args[0]];
  if (!inside) {
    for (uint32_t k = 1; k < count; k++)
      if (!unequal(a, &nodes[args[k]])) return false;
    return true;
  }
  interval hull = {INT64_MAX, INT64_MIN};
  for (uint32_t k = 1; k < count; k++) {
    if (apart(*a, nodes[args[k]])) continue;
    stretch(&hull, nodes[args[k]].lo);
    stretch(&hull, nodes[args[k]].hi);
  }
  return hull.lo <= hull.hi && meet(a, hull);
}

static bool down_divide(interval q, interval *a, interval *b) {
  if (!without(b, 0)) return false;
  if (!fixed(*b) || !bounded(q)) return true;
  int64_t size = b->lo < 0 ? -b->lo : b->lo;
  int64_t x = multiply(q.lo, b->lo), y = multiply(q.hi, b->lo);
  return narrow(a, clamp((x < y ? x : y) - (size - 1)), clamp((x < y ? y : x) + (size - 1)));
}

static bool down(const csp_code *code, interval result, csp_interval *nodes, const uint32_t *args) {
  interval *a = &nodes[args[0]], *b = code->count > 1 ? &nodes[args[1]] : NULL;
  bool decided = surely(result) || never(result);
  switch (code->op) {
    case CSP_OP_NEG: return meet(a, minus(result));
    case CSP_OP_ABS: return down_size(result, a);
    case CSP_OP_SQR:
      return result.hi == CSP_MOST ||
             (result.hi >= 0 && down_size((interval){0, root_of(result.hi)}, a));
    case CSP_OP_ADD: return down_sum(result, nodes, args, code->count);
    case CSP_OP_SUB: return meet(a, plus(result, *b)) && meet(b, plus(*a, minus(result)));
    case CSP_OP_DIST: {
      interval difference = plus(*a, minus(*b));
      return down_size(result, &difference) && meet(a, plus(*b, difference)) &&
             meet(b, plus(*a, minus(difference)));
    }
    case CSP_OP_MUL: return code->count != 2 || (factor(result, a, *b) && factor(result, b, *a));
    case CSP_OP_DIV: return down_divide(result, a, b);
    case CSP_OP_MOD: return without(b, 0);
    case CSP_OP_MIN:
    case CSP_OP_MAX: return down_extremum(result, nodes, args, code->count, code->op == CSP_OP_MAX);
    case CSP_OP_NOT: return !decided || settle(a, never(result));
    case CSP_OP_AND:
    case CSP_OP_OR: return down_logic(result, nodes, args, code->count, code->op == CSP_OP_AND);
    case CSP_OP_IMP:
      if (never(result)) return settle(a, true) && settle(b, false);
      if (!decided) return true;
      return (!surely(*a) || settle(b, true)) && (!never(*b) || settle(a, false));
    case CSP_OP_IF: return down_branch(result, a, b, &nodes[args[2]]);
    case CSP_OP_IN:
    case CSP_OP_NOTIN:
      return !decided ||
             down_member(surely(result) == (code->op == CSP_OP_IN), nodes, args, code->count);
    case CSP_OP_LT:
    case CSP_OP_LE:
    case CSP_OP_GE:
    case CSP_OP_GT:
    case CSP_OP_EQ:
    case CSP_OP_NE:
    case CSP_OP_IFF:
      return !decided || code->count != 2 || down_compare(code->op, surely(result), a, b);
    default: return true;
  }
}

bool csp_tree_down(const csp_tree *tree, csp_interval *nodes, csp_interval *vars) {
  for (size_t i = tree->expr->count; i-- > 0;) {
    const csp_code *code = &tree->expr->code[i];
    if (code->op == CSP_OP_VAR) {
      if (!meet(&vars[code->value], nodes[i])) return false;
    } else if (code->op != CSP_OP_CONST && code->count > 0) {
      if (!down(code, nodes[i], nodes, &tree->operands[tree->first[i]])) return false;
    }
  }
  return true;
}

bool csp_tree_hold(const csp_tree *tree, csp_interval *nodes) {
  return settle(&nodes[tree->expr->count - 1], true);
}
