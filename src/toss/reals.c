/* Real quantifiers ([TOSS10 §3], D44).
 *
 * When a real quantifier is evaluated, every element is already bound, so its
 * body is a combination of signs of polynomials in one variable.  Their roots
 * cut the line into points and open pieces on which all signs are constant;
 * one sample of each decides (this is the sample-point form of the elimination
 * of Cohen and Hormander).  Degrees go up to 4.  Other bodies are
 * searched by branch and prune (prune.c). */
#include <stdlib.h>

#include "toss/logic.h"

enum { MOST_DEGREE = 4, MOST_ASSIGNMENTS = 4096, MOST_POINTS = 20000 };

typedef alea_toss_env env_t;
typedef alea_toss_code code_t;

typedef struct poly {
  alea_interval c[MOST_DEGREE + 1];
} poly;

typedef struct reals_points {
  env_t *env;
  uint32_t slot;
  bool partial; /* some part cannot be analysed */
  ALEA_VEC(alea_interval) list;
} reals_points;

static bool reads_plan(const alea_toss_logic *l, uint32_t plan, uint32_t slot);

/* Whether a code reads the real variable 'slot'. */
static bool reads(const alea_toss_logic *l, uint32_t id, uint32_t slot) {
  const code_t *code = &l->codes.data[id];
  if (code->op == ALEA_TOSS_OP_REAL) return code->slot == slot;
  if (code->op == ALEA_TOSS_OP_EXISTS) return reads_plan(l, code->plan, slot);
  if (code->op == ALEA_TOSS_OP_SUM || code->op == ALEA_TOSS_OP_PROD) {
    if (reads_plan(l, code->plan, slot)) return true;
  } else if (code->op < ALEA_TOSS_OP_LESS || code->op == ALEA_TOSS_OP_FUNCTION) {
    return false;
  }
  for (uint32_t i = 0; i < code->count; i++) {
    if (reads(l, l->kids.data[code->first + i], slot)) return true;
  }
  return false;
}

static bool reads_checks(const alea_toss_logic *l, uint32_t first, uint32_t count, uint32_t slot) {
  for (uint32_t i = 0; i < count; i++) {
    if (reads(l, l->kids.data[first + i], slot)) return true;
  }
  return false;
}

static bool reads_plan(const alea_toss_logic *l, uint32_t id, uint32_t slot) {
  const alea_toss_plan *plan = &l->plans.data[id];
  if (reads_checks(l, plan->first_check, plan->check_count, slot)) return true;
  for (uint32_t i = 0; i < plan->step_count; i++) {
    const alea_toss_step *step = &l->steps.data[plan->first_step + i];
    if (reads_checks(l, step->first_check, step->check_count, slot)) return true;
  }
  return false;
}

/* ---- polynomials ---- */

static unsigned degree(const poly *p) {
  for (unsigned i = MOST_DEGREE; i > 0; i--) {
    if (p->c[i].lo != 0 || p->c[i].hi != 0) return i;
  }
  return 0;
}

static bool multiply(const poly *a, const poly *b, poly *out) {
  unsigned da = degree(a), db = degree(b);
  if (da + db > MOST_DEGREE) return false;
  poly product = {0};
  for (unsigned i = 0; i <= da; i++) {
    for (unsigned j = 0; j <= db; j++) {
      product.c[i + j] = alea_interval_add(product.c[i + j], alea_interval_mul(a->c[i], b->c[j]));
    }
  }
  *out = product;
  return true;
}

static bool to_poly(env_t *env, uint32_t id, uint32_t slot, poly *out);

static bool fold_poly(env_t *env, const code_t *code, uint32_t slot, poly *out) {
  const uint32_t *kids = env->logic->kids.data + code->first;
  if (!to_poly(env, kids[0], slot, out)) return false;
  for (uint32_t i = 1; i < code->count; i++) {
    poly next;
    if (!to_poly(env, kids[i], slot, &next)) return false;
    if (code->op == ALEA_TOSS_OP_MUL) {
      if (!multiply(out, &next, out)) return false;
      continue;
    }
    for (unsigned d = 0; d <= MOST_DEGREE; d++) out->c[d] = alea_interval_add(out->c[d], next.c[d]);
  }
  return true;
}

static bool power_poly(env_t *env, const code_t *code, uint32_t slot, poly *out) {
  poly base;
  if (!to_poly(env, env->logic->kids.data[code->first], slot, &base)) return false;
  *out = (poly){{alea_interval_of(1)}};
  for (unsigned i = 0; i < (unsigned)code->number; i++) {
    if (!multiply(out, &base, out)) return false;
  }
  return true;
}

static bool to_poly(env_t *env, uint32_t id, uint32_t slot, poly *out) {
  const code_t *code = &env->logic->codes.data[id];
  const uint32_t *kids = env->logic->kids.data + code->first;
  if (!reads(env->logic, id, slot)) {
    *out = (poly){{alea_toss_evaluate(env, id)}};
    return true;
  }
  switch (code->op) {
    case ALEA_TOSS_OP_REAL: *out = (poly){{{0, 0}, {1, 1}}}; return true;
    case ALEA_TOSS_OP_ADD:
    case ALEA_TOSS_OP_MUL: return fold_poly(env, code, slot, out);
    case ALEA_TOSS_OP_POW: return power_poly(env, code, slot, out);
    case ALEA_TOSS_OP_NEG:
      if (!to_poly(env, kids[0], slot, out)) return false;
      for (unsigned d = 0; d <= MOST_DEGREE; d++) out->c[d] = alea_interval_neg(out->c[d]);
      return true;
    case ALEA_TOSS_OP_DIV: {
      if (reads(env->logic, kids[1], slot) || !to_poly(env, kids[0], slot, out)) return false;
      alea_interval by = alea_toss_evaluate(env, kids[1]);
      for (unsigned d = 0; d <= MOST_DEGREE; d++) out->c[d] = alea_interval_div(out->c[d], by);
      return true;
    }
    default: return false;
  }
}

/* ---- roots ---- */

static double at(const double *c, unsigned d, double x) {
  double value = c[d];
  for (unsigned i = d; i-- > 0;) value = value * x + c[i];
  return value;
}

static void add_point(reals_points *p, double lo, double hi) {
  if (p->list.count >= MOST_POINTS) {
    p->partial = true;
  } else if (!alea_vec_push(p->env->mem, &p->list, ((alea_interval){lo, hi}))) {
    p->env->status = ALEA_LIMIT;
  }
}

/* The root between lo and hi, whose signs differ, up to two adjacent
 * numbers. */
static double bisect(reals_points *p, const double *c, unsigned d, double lo, double hi) {
  bool rising = at(c, d, lo) < 0;
  for (int i = 0; i < 200; i++) {
    double middle = lo + (hi - lo) / 2;
    if (middle <= lo || middle >= hi) break;
    double value = at(c, d, middle);
    if (value == 0) {
      add_point(p, middle, middle);
      return middle;
    }
    if ((value < 0) == rising) {
      lo = middle;
    } else {
      hi = middle;
    }
  }
  add_point(p, lo, hi);
  return lo;
}

/* Finds the roots of a polynomial and those of its derivatives: between two
 * adjacent roots of the derivative there is at most one.  Returns the number of
 * points in 'cuts', between which it is monotonic. */
static unsigned cut(reals_points *p, const double *c, unsigned d, double bound, double *cuts) {
  if (d == 0) return 0;
  double derivative[MOST_DEGREE] = {0}, inner[MOST_DEGREE + 2];
  for (unsigned i = 1; i <= d; i++) derivative[i - 1] = c[i] * i;
  unsigned count = cut(p, derivative, d - 1, bound, inner + 1), found = 0;
  inner[0] = -bound;
  inner[count + 1] = bound;
  for (unsigned i = 0; i <= count; i++) {
    double a = at(c, d, inner[i]), b = at(c, d, inner[i + 1]);
    if ((a < 0 && b > 0) || (a > 0 && b < 0)) {
      cuts[found++] = bisect(p, c, d, inner[i], inner[i + 1]);
    } else if (b == 0 && i < count) {
      add_point(p, inner[i + 1], inner[i + 1]);
      cuts[found++] = inner[i + 1];
    }
  }
  return found;
}

static void add_roots(reals_points *p, const poly *q) {
  unsigned d = degree(q);
  if (d == 0) return;
  double c[MOST_DEGREE + 1], bound = 0, cuts[MOST_DEGREE + 2];
  for (unsigned i = 0; i <= d; i++) c[i] = alea_interval_middle(q->c[i]);
  if (c[d] == 0) {
    p->partial = true;
    return;
  }
  for (unsigned i = 0; i < d; i++) {
    double ratio = fabs(c[i] / c[d]);
    if (ratio > bound) bound = ratio;
  }
  cut(p, c, d, bound + 1, cuts);
}

/* ---- the polynomials of a body ---- */

static void collect(reals_points *p, uint32_t id);

static void collect_checks(reals_points *p, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) collect(p, p->env->logic->kids.data[first + i]);
}

/* The slots that a plan binds. */
static size_t bound_slots(const alea_toss_logic *l, const alea_toss_plan *plan, uint32_t *slots,
                          size_t most) {
  size_t count = 0;
  for (uint32_t i = 0; i < plan->step_count; i++) {
    const alea_toss_step *step = &l->steps.data[plan->first_step + i];
    if (step->atom == ALEA_TOSS_NONE) {
      if (count < most) slots[count] = step->slot;
      count++;
      continue;
    }
    const code_t *atom = &l->codes.data[step->atom];
    for (uint32_t j = 0; j < atom->count; j++) {
      if (!(step->binds >> j & 1)) continue;
      if (count < most) slots[count] = l->kids.data[atom->first + j];
      count++;
    }
  }
  return count;
}

/* All assignments are used: which of them matter depends on the variable. */
static void collect_plan(reals_points *p, uint32_t id) {
  env_t *env = p->env;
  const alea_toss_plan *plan = &env->logic->plans.data[id];
  uint32_t slots[4];
  size_t count = bound_slots(env->logic, plan, slots, 4);
  uint64_t total = 1, n = env->structure->capacity;
  for (size_t i = 0; i < count && total <= MOST_ASSIGNMENTS; i++) total *= n;
  if (count > 4 || total > MOST_ASSIGNMENTS) {
    p->partial = true;
    return;
  }
  for (uint64_t code = 0; code < total; code++) {
    uint64_t rest = code;
    bool live = true;
    for (size_t i = 0; i < count; i++, rest /= n) {
      env->elements[slots[i]] = (uint32_t)(rest % n);
      live &= env->structure->alive[rest % n] != 0;
    }
    if (!live) continue;
    collect_checks(p, plan->first_check, plan->check_count);
    for (uint32_t i = 0; i < plan->step_count; i++) {
      const alea_toss_step *step = &env->logic->steps.data[plan->first_step + i];
      collect_checks(p, step->first_check, step->check_count);
    }
  }
}

static void collect(reals_points *p, uint32_t id) {
  const alea_toss_logic *l = p->env->logic;
  const code_t *code = &l->codes.data[id];
  const uint32_t *kids = l->kids.data + code->first;
  if (p->env->status != ALEA_OK || !reads(l, id, p->slot)) return;
  poly a, b;
  switch (code->op) {
    case ALEA_TOSS_OP_AND:
    case ALEA_TOSS_OP_OR: collect_checks(p, code->first, code->count); return;
    case ALEA_TOSS_OP_EXISTS: collect_plan(p, code->plan); return;
    case ALEA_TOSS_OP_LESS:
    case ALEA_TOSS_OP_SAME:
      if (!to_poly(p->env, kids[0], p->slot, &a) || !to_poly(p->env, kids[1], p->slot, &b)) break;
      for (unsigned d = 0; d <= MOST_DEGREE; d++) {
        a.c[d] = alea_interval_add(a.c[d], alea_interval_neg(b.c[d]));
      }
      add_roots(p, &a);
      return;
    default: break;
  }
  p->partial = true;
}

static int compare(const void *a, const void *b) {
  const alea_interval *x = a, *y = b;
  return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static bool test(reals_points *p, uint32_t code, alea_interval sample) {
  p->env->reals[p->slot] = sample;
  return alea_toss_holds(p->env, code);
}

/* The least value for which the body holds; false if there is none. */
static bool search(env_t *env, uint32_t code, uint32_t slot, alea_interval *least, bool any) {
  reals_points p = {.env = env, .slot = slot};
  collect(&p, code);
  if (p.partial) {
    alea_vec_clear(env->mem, &p.list);
    return alea_toss_prune(env, code, slot, any ? NULL : least);
  }
  size_t count = p.list.count;
  alea_interval *list = p.list.data;
  if (count > 1) qsort(list, count, sizeof *list, compare);
  bool found = false;
  double before = count != 0 ? list[0].lo - 1 : 0;
  if (test(&p, code, alea_interval_of(before))) {
    *least = alea_interval_of(-INFINITY);
    found = true;
  }
  for (size_t i = 0; !found && i < count; i++) {
    double next = i + 1 < count ? list[i + 1].lo : list[i].hi + 2;
    found = test(&p, code, list[i]) ||
            (next > list[i].hi && test(&p, code, alea_interval_of((list[i].hi + next) / 2)));
    *least = list[i];
  }
  alea_vec_clear(env->mem, &p.list);
  return found;
}

bool alea_toss_exists_real(env_t *env, uint32_t code, uint32_t slot) {
  alea_interval least;
  return search(env, code, slot, &least, true);
}

alea_interval alea_toss_least_real(env_t *env, uint32_t code, uint32_t slot) {
  alea_interval least;
  return search(env, code, slot, &least, false) ? least : alea_interval_of(INFINITY);
}
