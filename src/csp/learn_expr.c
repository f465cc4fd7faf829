/* Expressions as clauses: each part becomes a number in order encoding, and a
 * condition the number 0 or 1.  Parts with too many values, and divisions that
 * may be undefined, have no encoding. */
#include <stdlib.h>

#include "csp/expr.h"
#include "csp/learn_core.h"

enum { MAX_VALUES = 1 << 12, MAX_PAIRS = 1 << 14, MAX_NODES = 1 << 10 };

static alea_slit lit_of(const learn_number *number) {
  if (number->count == 1) return number->values[0] != 0 ? ALEA_SLIT_TRUE : ALEA_SLIT_FALSE;
  return number->ge[1];
}

static bool is_condition(const learn_number *number) {
  return number->count > 0 && number->values[0] >= 0 && number->values[number->count - 1] <= 1;
}

static bool flag_number(csp_learner *l, alea_slit lit, learn_number *out) {
  *out = learn_flag(l, lit);
  return !l->no_memory;
}

/* A number over 'values' (sorted, distinct) with new literals. */
static bool new_number(csp_learner *l, const int64_t *values, size_t count, learn_number *out) {
  if (count == 0 || count > MAX_VALUES) return false;
  int64_t *copy = alea_arena_alloc(&l->arena, count * sizeof *copy);
  const alea_slit *ge = learn_order(l, count);
  if (copy == NULL || ge == NULL) return false;
  memcpy(copy, values, count * sizeof *copy);
  *out = (learn_number){(uint32_t)count, copy, ge};
  return true;
}

static int by_number(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* ---- functions of one and two numbers ---- */

typedef bool learn_function(int64_t a, int64_t b, int64_t *out);

static bool plus(int64_t a, int64_t b, int64_t *out) { return !__builtin_add_overflow(a, b, out); }
static bool minus(int64_t a, int64_t b, int64_t *out) { return !__builtin_sub_overflow(a, b, out); }
static bool times(int64_t a, int64_t b, int64_t *out) { return !__builtin_mul_overflow(a, b, out); }
static bool quotient(int64_t a, int64_t b, int64_t *out) {
  if (b == 0 || a == INT64_MIN) return false;
  *out = a / b;
  return true;
}
static bool rest(int64_t a, int64_t b, int64_t *out) {
  if (b == 0 || a == INT64_MIN) return false;
  *out = a % b;
  return true;
}
static bool distance(int64_t a, int64_t b, int64_t *out) {
  if (!minus(a, b, out) || *out == INT64_MIN) return false;
  if (*out < 0) *out = -*out;
  return true;
}
static bool smaller(int64_t a, int64_t b, int64_t *out) {
  *out = a < b ? a : b;
  return true;
}
static bool larger(int64_t a, int64_t b, int64_t *out) {
  *out = a > b ? a : b;
  return true;
}

/* The values of f(a, b) in order; false: undefined, or too many pairs. */
static bool image(csp_learner *l, learn_function *f, const learn_number *a, const learn_number *b,
                  learn_number *out) {
  size_t pairs = (size_t)a->count * b->count, n = 0, distinct = 0;
  if (pairs > MAX_PAIRS) return false;
  int64_t *all = alea_mem_alloc(l->mem, pairs * sizeof *all);
  if (all == NULL) return false;
  bool good = true;
  for (uint32_t i = 0; i < a->count && good; i++)
    for (uint32_t j = 0; j < b->count && good; j++)
      good = f(a->values[i], b->values[j], &all[n++]) && all[n - 1] < CSP_SYMBOL_BASE &&
             all[n - 1] > -CSP_SYMBOL_BASE;
  if (good) {
    qsort(all, n, sizeof *all, by_number);
    for (size_t i = 0; i < n; i++)
      if (distinct == 0 || all[i] != all[distinct - 1]) all[distinct++] = all[i];
    good = new_number(l, all, distinct, out);
  }
  alea_mem_free(l->mem, all, pairs * sizeof *all);
  return good;
}

/* A number with the values moved by a constant needs no literals. */
static bool shift(csp_learner *l, const learn_number *a, int64_t by, learn_number *out) {
  int64_t *values = alea_arena_alloc(&l->arena, (a->count + 1) * sizeof *values);
  if (values == NULL) return false;
  for (uint32_t k = 0; k < a->count; k++)
    if (!plus(a->values[k], by, &values[k])) return false;
  *out = (learn_number){a->count, values, a->ge};
  return true;
}

/* out = f(a, b): for each pair of values, both being so, the result is. */
static bool apply(csp_learner *l, learn_function *f, const learn_number *a, const learn_number *b,
                  learn_number *out) {
  if (f == plus && b->count == 1) return shift(l, a, b->values[0], out);
  if (f == plus && a->count == 1) return shift(l, b, a->values[0], out);
  if (f == minus && b->count == 1 && b->values[0] != INT64_MIN)
    return shift(l, a, -b->values[0], out);
  if (!image(l, f, a, b, out)) return false;
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t j = 0; j < b->count; j++) {
      int64_t value = 0;
      f(a->values[i], b->values[j], &value);
      for (int64_t side = 0; side < 2; side++) {
        learn_add(l, -a->ge[i]);
        learn_add(l, a->ge[i + 1]);
        learn_add(l, -b->ge[j]);
        learn_add(l, b->ge[j + 1]);
        alea_slit bound = learn_number_ge(out, value + side);
        learn_add(l, side == 0 ? bound : -bound);
        learn_end(l);
      }
      if (f != plus) continue;
      learn_clause3(l, -a->ge[i], -b->ge[j], learn_number_ge(out, value));
      learn_clause3(l, a->ge[i + 1], b->ge[j + 1], -learn_number_ge(out, value + 1));
    }
  return true;
}

/* ---- conditions ---- */

/* A literal that equals a <= b. */
static alea_slit at_most(csp_learner *l, const learn_number *a, const learn_number *b) {
  if (a->values[a->count - 1] <= b->values[0]) return ALEA_SLIT_TRUE;
  if (a->values[0] > b->values[b->count - 1]) return ALEA_SLIT_FALSE;
  if (b->count == 1) return -learn_number_ge(a, b->values[0] + 1);
  if (a->count == 1) return learn_number_ge(b, a->values[0]);
  alea_slit lit = alea_sat_variable(&l->sat);
  for (uint32_t k = 0; k < a->count; k++) {
    learn_clause3(l, -lit, -a->ge[k], learn_number_ge(b, a->values[k]));
    learn_clause3(l, lit, a->ge[k + 1], -learn_number_ge(b, a->values[k]));
  }
  for (uint32_t k = 0; k < b->count; k++) {
    learn_clause3(l, -lit, b->ge[k + 1], -learn_number_ge(a, b->values[k] + 1));
    learn_clause3(l, lit, -b->ge[k], learn_number_ge(a, b->values[k] + 1));
  }
  return lit;
}

static alea_slit equal(csp_learner *l, const learn_number *a, const learn_number *b) {
  if (is_condition(a) && is_condition(b) && a->count == 2 && b->count == 2) {
    alea_slit x = lit_of(a), y = lit_of(b), lit = alea_sat_variable(&l->sat);
    learn_clause3(l, -lit, -x, y);
    learn_clause3(l, -lit, x, -y);
    learn_clause3(l, lit, x, y);
    learn_clause3(l, lit, -x, -y);
    return lit;
  }
  alea_slit both[] = {at_most(l, a, b), at_most(l, b, a)};
  return alea_sat_gate(&l->sat, false, both, 2);
}

static bool compare(csp_learner *l, csp_operator op, const learn_number *a, const learn_number *b,
                    learn_number *out) {
  switch (op) {
    case CSP_OP_LE: return flag_number(l, at_most(l, a, b), out);
    case CSP_OP_GE: return flag_number(l, at_most(l, b, a), out);
    case CSP_OP_LT: return flag_number(l, -at_most(l, b, a), out);
    case CSP_OP_GT: return flag_number(l, -at_most(l, a, b), out);
    case CSP_OP_EQ: return flag_number(l, equal(l, a, b), out);
    default: return flag_number(l, -equal(l, a, b), out);
  }
}

/* Conjunctions and disjunctions; an implication is one with its first operand
 * negated. */
static bool connect(csp_learner *l, csp_operator op, const learn_number *args, uint32_t count,
                    learn_number *out) {
  l->lits.count = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_condition(&args[i])) return false;
    alea_slit lit = lit_of(&args[i]);
    if (op == CSP_OP_IMP && i == 0) lit = -lit;
    if (!alea_vec_push(l->mem, &l->lits, lit)) return false;
  }
  alea_slit gate = alea_sat_gate(&l->sat, op != CSP_OP_AND, l->lits.data, l->lits.count);
  l->lits.count = 0;
  return flag_number(l, gate, out);
}

/* ---- the whole ---- */

static bool fold(csp_learner *l, learn_function *f, const learn_number *args, uint32_t count,
                 learn_number *out) {
  *out = args[0];
  for (uint32_t i = 1; i < count; i++) {
    learn_number so_far = *out;
    if (!apply(l, f, &so_far, &args[i], out)) return false;
  }
  return true;
}

static bool operate(csp_learner *l, csp_operator op, const learn_number *args, uint32_t count,
                    learn_number *out) {
  static const int64_t zero = 0;
  static const alea_slit constant[] = {ALEA_SLIT_TRUE, ALEA_SLIT_FALSE};
  const learn_number nothing = {1, &zero, constant};
  switch (op) {
    case CSP_OP_NEG: return apply(l, minus, &nothing, &args[0], out);
    case CSP_OP_ABS: return apply(l, distance, &args[0], &nothing, out);
    case CSP_OP_ADD: return fold(l, plus, args, count, out);
    case CSP_OP_SUB: return apply(l, minus, &args[0], &args[1], out);
    case CSP_OP_MUL: return fold(l, times, args, count, out);
    case CSP_OP_DIV: return apply(l, quotient, &args[0], &args[1], out);
    case CSP_OP_MOD: return apply(l, rest, &args[0], &args[1], out);
    case CSP_OP_DIST: return apply(l, distance, &args[0], &args[1], out);
    case CSP_OP_MIN: return fold(l, smaller, args, count, out);
    case CSP_OP_MAX: return fold(l, larger, args, count, out);
    case CSP_OP_LT:
    case CSP_OP_LE:
    case CSP_OP_GE:
    case CSP_OP_GT:
    case CSP_OP_EQ:
    case CSP_OP_NE: return count == 2 && compare(l, op, &args[0], &args[1], out);
    case CSP_OP_NOT: return is_condition(&args[0]) && flag_number(l, -lit_of(&args[0]), out);
    case CSP_OP_AND:
    case CSP_OP_OR:
    case CSP_OP_IMP: return connect(l, op, args, count, out);
    case CSP_OP_IFF:
    case CSP_OP_XOR:
      return count == 2 && is_condition(&args[0]) && is_condition(&args[1]) &&
             compare(l, op == CSP_OP_IFF ? CSP_OP_EQ : CSP_OP_NE, &args[0], &args[1], out);
    default: return false;
  }
}

static bool push_leaf(csp_learner *l, const csp_prop *prop, const csp_code *code,
                      learn_number *out) {
  if (code->op == CSP_OP_VAR) {
    *out = l->numbers[prop->scope[code->value]];
    return true;
  }
  int64_t value = code->value;
  return value > -CSP_SYMBOL_BASE && value < CSP_SYMBOL_BASE && new_number(l, &value, 1, out);
}

bool learn_encode_expr(csp_learner *l, const csp_prop *prop) {
  if (prop->type != &csp_intension_type) return false;
  const csp_expr *expr = csp_intension_expr(prop->constraint);
  if (expr->count > MAX_NODES) return false;
  size_t bytes = (expr->depth + 1) * sizeof(learn_number), top = 0;
  learn_number *stack = alea_mem_alloc(l->mem, bytes);
  bool good = stack != NULL;
  for (size_t i = 0; i < expr->count && good; i++) {
    const csp_code *code = &expr->code[i];
    learn_number result = {0};
    if (code->op == CSP_OP_VAR || code->op == CSP_OP_CONST) {
      good = push_leaf(l, prop, code, &result);
    } else {
      top -= code->count;
      good = code->count > 0 && operate(l, code->op, &stack[top], code->count, &result);
    }
    stack[top++] = result;
  }
  good = good && is_condition(&stack[0]);
  if (good) {
    learn_add(l, lit_of(&stack[0]));
    learn_end(l);
  }
  alea_mem_free(l->mem, stack, bytes);
  return good;
}
