/* Real quantifiers by branch and prune ([TOSS10 §3], D44): for bodies that are
 * not signs of polynomials up to degree 4.
 *
 * Intervals in which interval arithmetic shows that the body cannot hold are
 * dropped; the others are tested in the middle and halved.  An interval that is
 * too narrow to be halved is tested as a whole, since numbers that cannot be
 * distinguished count as equal.  If nothing is found within the budget, the
 * answer is unknown, which counts as false. */
#include "toss/logic.h"

enum { BUDGET = 20000, LEAST_POWER = -10, MOST_POWER = 40 };
#define NARROW 1e-12

typedef alea_toss_env env_t;
typedef alea_toss_code code_t;

/* ---- bounds ---- */

/* Whether interval arithmetic bounds a term for all values in an interval:
 * terms that depend on truth values (CHAR, sums, minima) would be evaluated at
 * one value only. */
static bool is_arithmetic(const alea_toss_logic *l, uint32_t id) {
  const code_t *code = &l->codes.data[id];
  switch (code->op) {
    case ALEA_TOSS_OP_NUMBER:
    case ALEA_TOSS_OP_REAL:
    case ALEA_TOSS_OP_FUNCTION: return true;
    case ALEA_TOSS_OP_ADD:
    case ALEA_TOSS_OP_MUL:
    case ALEA_TOSS_OP_NEG:
    case ALEA_TOSS_OP_DIV:
    case ALEA_TOSS_OP_POW:
    case ALEA_TOSS_OP_ROOT: break;
    default: return false;
  }
  for (uint32_t i = 0; i < code->count; i++) {
    if (!is_arithmetic(l, l->kids.data[code->first + i])) return false;
  }
  return true;
}

/* Whether a term has no value anywhere in the interval: an even root of a
 * negative number. */
static bool is_undefined(env_t *env, uint32_t id) {
  const code_t *code = &env->logic->codes.data[id];
  if (code->op < ALEA_TOSS_OP_ADD || code->op > ALEA_TOSS_OP_ROOT) return false;
  const uint32_t *kids = env->logic->kids.data + code->first;
  if (code->op == ALEA_TOSS_OP_ROOT && fmod(code->number, 2) == 0 &&
      alea_toss_evaluate(env, kids[0]).hi < 0) {
    return true;
  }
  for (uint32_t i = 0; i < code->count; i++) {
    if (is_undefined(env, kids[i])) return true;
  }
  return false;
}

static bool may_compare(env_t *env, const code_t *code) {
  const uint32_t *kids = env->logic->kids.data + code->first;
  if (!is_arithmetic(env->logic, kids[0]) || !is_arithmetic(env->logic, kids[1])) return true;
  bool undefined = is_undefined(env, kids[0]) || is_undefined(env, kids[1]);
  if (undefined && code->op == ALEA_TOSS_OP_LESS) return code->negated;
  alea_interval a = alea_toss_evaluate(env, kids[0]), b = alea_toss_evaluate(env, kids[1]);
  if (isnan(a.lo) || isnan(a.hi) || isnan(b.lo) || isnan(b.hi)) return true;
  if (code->op == ALEA_TOSS_OP_LESS) return code->negated ? a.hi >= b.lo : a.lo < b.hi;
  return code->negated || alea_interval_same(a, b);
}

/* False only if the formula holds for no value of the variable's interval. */
static bool may_hold(env_t *env, uint32_t id) {
  const code_t *code = &env->logic->codes.data[id];
  const uint32_t *kids = env->logic->kids.data + code->first;
  switch (code->op) {
    case ALEA_TOSS_OP_LESS:
    case ALEA_TOSS_OP_SAME: return may_compare(env, code);
    case ALEA_TOSS_OP_AND:
      for (uint32_t i = 0; i < code->count; i++) {
        if (!may_hold(env, kids[i])) return false;
      }
      return true;
    case ALEA_TOSS_OP_OR:
      for (uint32_t i = 0; i < code->count; i++) {
        if (may_hold(env, kids[i])) return true;
      }
      return false;
    case ALEA_TOSS_OP_TRUE:
    case ALEA_TOSS_OP_ATOM:
    case ALEA_TOSS_OP_EQUAL:
    case ALEA_TOSS_OP_IN: return alea_toss_holds(env, id);
    default: return true;
  }
}

/* ---- the search ---- */

typedef struct prune_search {
  env_t *env;
  uint32_t code, slot, left; /* 'left': the rest of the budget */
  ALEA_VEC(alea_interval) boxes;
} prune_search;

static bool try(prune_search *s, alea_interval value) {
  s->env->reals[s->slot] = value;
  return alea_toss_holds(s->env, s->code);
}

static bool may(prune_search *s, alea_interval box) {
  s->env->reals[s->slot] = box;
  return may_hold(s->env, s->code);
}

static void add(prune_search *s, double lo, double hi) {
  if (!alea_vec_push(s->env->mem, &s->boxes, ((alea_interval){lo, hi}))) {
    s->env->status = ALEA_LIMIT;
  }
}

static bool is_narrow(alea_interval box) {
  double size = fabs(box.lo) > fabs(box.hi) ? fabs(box.lo) : fabs(box.hi);
  return box.hi - box.lo <= NARROW * (size > 1 ? size : 1);
}

/* Adds the line between the outer ends, from left to right, finer towards 0. */
static void add_line(prune_search *s) {
  for (int i = MOST_POWER; i > LEAST_POWER; i--) add(s, -ldexp(1, i), -ldexp(1, i - 1));
  add(s, -ldexp(1, LEAST_POWER), ldexp(1, LEAST_POWER));
  for (int i = LEAST_POWER; i < MOST_POWER; i++) add(s, ldexp(1, i), ldexp(1, i + 1));
}

/* Finds any value: wide intervals first, their midpoints are tested. */
static bool find_any(prune_search *s) {
  add_line(s);
  for (size_t next = 0; next < s->boxes.count && s->left > 0 && s->env->status == ALEA_OK; next++) {
    alea_interval box = s->boxes.data[next];
    double middle = box.lo + (box.hi - box.lo) / 2;
    s->left--;
    if (!may(s, box)) continue;
    if (is_narrow(box)) {
      if (try(s, box)) return true;
      continue;
    }
    if (try(s, alea_interval_of(middle))) return true;
    add(s, box.lo, middle);
    add(s, middle, box.hi);
  }
  return false;
}

/* Finds the least value: the leftmost interval in which the body may hold is
 * halved until it is narrow. */
static bool find_least(prune_search *s, alea_interval *least) {
  add_line(s);
  for (size_t i = 0, j = s->boxes.count; i + 1 < j; i++) { /* the leftmost on top */
    alea_interval box = s->boxes.data[i];
    s->boxes.data[i] = s->boxes.data[--j];
    s->boxes.data[j] = box;
  }
  while (s->boxes.count > 0 && s->left > 0 && s->env->status == ALEA_OK) {
    alea_interval box = s->boxes.data[--s->boxes.count];
    double middle = box.lo + (box.hi - box.lo) / 2;
    s->left--;
    if (!may(s, box)) continue;
    if (is_narrow(box)) {
      *least = box;
      if (try(s, box) || try(s, alea_interval_of(box.hi))) return true;
      continue;
    }
    add(s, middle, box.hi);
    add(s, box.lo, middle);
  }
  return false;
}

bool alea_toss_prune(env_t *env, uint32_t code, uint32_t slot, alea_interval *least) {
  prune_search s = {.env = env, .code = code, .slot = slot, .left = BUDGET};
  double far = ldexp(1, MOST_POWER + 1);
  bool found = try(&s, alea_interval_of(-far));
  if (found && least != NULL) *least = alea_interval_of(-INFINITY);
  if (!found) found = least != NULL ? find_least(&s, least) : find_any(&s);
  if (!found && try(&s, alea_interval_of(far))) {
    found = true;
    if (least != NULL) *least = alea_interval_of(far);
  }
  alea_vec_clear(env->mem, &s.boxes);
  return found;
}
