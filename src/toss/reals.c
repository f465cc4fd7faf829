/* Real quantifiers ([TOSS10 §3], D44).
 *
 * When a real quantifier is evaluated, every element is already bound, so its
 * body is a combination of signs of terms in one real variable.  Where these are
 * linear, their roots cut the line into points and open pieces on which all
 * signs are constant, and one sample of each decides.  Everything else is a
 * question about real numbers (real_question.c). */
#include <stdlib.h>

#include "toss/logic.h"
#include "toss/real_question.h"

enum { MOST_ASSIGNMENTS = 4096, MOST_POINTS = 20000 };

typedef alea_toss_env env_t;
typedef alea_toss_code code_t;

/* c[0] + c[1] x. */
typedef struct linear {
  alea_interval c[2];
} linear;

/* An end of a root, which is known as an interval. */
typedef struct reals_point {
  double at;
  alea_interval root;
} reals_point;

typedef struct reals_points {
  env_t *env;
  uint32_t slot;
  bool partial; /* some part is not linear */
  ALEA_VEC(reals_point) list;
} reals_points;

static bool reads_plan(const alea_toss_logic *l, uint32_t plan, uint32_t slot);

bool alea_toss_reads_real(const alea_toss_logic *l, uint32_t id, uint32_t slot) {
  const code_t *code = &l->codes.data[id];
  if (code->op == ALEA_TOSS_OP_REAL) return code->slot == slot;
  if (code->op == ALEA_TOSS_OP_EXISTS) return reads_plan(l, code->plan, slot);
  if (code->op == ALEA_TOSS_OP_SUM || code->op == ALEA_TOSS_OP_PROD) {
    if (reads_plan(l, code->plan, slot)) return true;
  } else if (code->op < ALEA_TOSS_OP_LESS || code->op == ALEA_TOSS_OP_FUNCTION) {
    return false;
  }
  for (uint32_t i = 0; i < code->count; i++) {
    if (alea_toss_reads_real(l, l->kids.data[code->first + i], slot)) return true;
  }
  return false;
}

static bool reads_checks(const alea_toss_logic *l, uint32_t first, uint32_t count, uint32_t slot) {
  for (uint32_t i = 0; i < count; i++) {
    if (alea_toss_reads_real(l, l->kids.data[first + i], slot)) return true;
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

static bool checks_read_labels(const alea_toss_logic *l, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (alea_toss_reads_labels(l, l->kids.data[first + i])) return true;
  }
  return false;
}

bool alea_toss_plan_reads_labels(const alea_toss_logic *l, uint32_t id) {
  const alea_toss_plan *plan = &l->plans.data[id];
  if (checks_read_labels(l, plan->first_check, plan->check_count)) return true;
  for (uint32_t i = 0; i < plan->step_count; i++) {
    const alea_toss_step *step = &l->steps.data[plan->first_step + i];
    if (checks_read_labels(l, step->first_check, step->check_count)) return true;
  }
  return false;
}

bool alea_toss_reads_labels(const alea_toss_logic *l, uint32_t id) {
  const code_t *code = &l->codes.data[id];
  if (code->op == ALEA_TOSS_OP_FUNCTION) return true;
  if (code->op < ALEA_TOSS_OP_LESS) return false;
  bool planned = code->op == ALEA_TOSS_OP_EXISTS || code->op == ALEA_TOSS_OP_SUM ||
                 code->op == ALEA_TOSS_OP_PROD;
  if (planned && alea_toss_plan_reads_labels(l, code->plan)) return true;
  return checks_read_labels(l, code->first, code->count);
}

/* ---- linear terms ---- */

static bool is_constant(const linear *t) { return t->c[1].lo == 0 && t->c[1].hi == 0; }

static bool multiply(const linear *a, const linear *b, linear *out) {
  if (!is_constant(a) && !is_constant(b)) return false;
  const linear *constant = is_constant(a) ? a : b, *other = is_constant(a) ? b : a;
  *out = (linear){{alea_interval_mul(constant->c[0], other->c[0]),
                   alea_interval_mul(constant->c[0], other->c[1])}};
  return true;
}

static bool to_linear(env_t *env, uint32_t id, uint32_t slot, linear *out);

static bool fold(env_t *env, const code_t *code, uint32_t slot, linear *out) {
  const uint32_t *kids = env->logic->kids.data + code->first;
  if (!to_linear(env, kids[0], slot, out)) return false;
  for (uint32_t i = 1; i < code->count; i++) {
    linear next, left = *out;
    if (!to_linear(env, kids[i], slot, &next)) return false;
    if (code->op == ALEA_TOSS_OP_MUL) {
      if (!multiply(&left, &next, out)) return false;
      continue;
    }
    for (int d = 0; d < 2; d++) out->c[d] = alea_interval_add(left.c[d], next.c[d]);
  }
  return true;
}

static bool to_linear(env_t *env, uint32_t id, uint32_t slot, linear *out) {
  const code_t *code = &env->logic->codes.data[id];
  const uint32_t *kids = env->logic->kids.data + code->first;
  if (!alea_toss_reads_real(env->logic, id, slot)) {
    *out = (linear){{alea_toss_evaluate(env, id)}};
    return true;
  }
  switch (code->op) {
    case ALEA_TOSS_OP_REAL: *out = (linear){{{0, 0}, {1, 1}}}; return true;
    case ALEA_TOSS_OP_ADD:
    case ALEA_TOSS_OP_MUL: return fold(env, code, slot, out);
    case ALEA_TOSS_OP_POW: return code->number == 1 && to_linear(env, kids[0], slot, out);
    case ALEA_TOSS_OP_NEG:
      if (!to_linear(env, kids[0], slot, out)) return false;
      for (int d = 0; d < 2; d++) out->c[d] = alea_interval_neg(out->c[d]);
      return true;
    case ALEA_TOSS_OP_DIV: {
      if (alea_toss_reads_real(env->logic, kids[1], slot)) return false;
      if (!to_linear(env, kids[0], slot, out)) return false;
      alea_interval by = alea_toss_evaluate(env, kids[1]);
      for (int d = 0; d < 2; d++) out->c[d] = alea_interval_div(out->c[d], by);
      return true;
    }
    default: return false;
  }
}

static void add_point(reals_points *p, double at, alea_interval root) {
  if (p->list.count >= MOST_POINTS) {
    p->partial = true;
  } else if (!alea_vec_push(p->env->mem, &p->list, ((reals_point){at, root}))) {
    p->env->status = ALEA_LIMIT;
  }
}

static void add_root(reals_points *p, const linear *t) {
  if (is_constant(t)) return;
  if (t->c[1].lo <= 0 && t->c[1].hi >= 0) {
    p->partial = true;
    return;
  }
  alea_interval root = alea_interval_div(alea_interval_neg(t->c[0]), t->c[1]);
  if (!isfinite(root.lo) || !isfinite(root.hi)) {
    p->partial = true;
    return;
  }
  add_point(p, root.lo, root);
  if (root.hi > root.lo) add_point(p, root.hi, root);
}

/* ---- the linear terms of a body ---- */

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
  if (p->env->status != ALEA_OK || !alea_toss_reads_real(l, id, p->slot)) return;
  linear a, b;
  switch (code->op) {
    case ALEA_TOSS_OP_AND:
    case ALEA_TOSS_OP_OR: collect_checks(p, code->first, code->count); return;
    case ALEA_TOSS_OP_EXISTS: collect_plan(p, code->plan); return;
    case ALEA_TOSS_OP_LESS:
    case ALEA_TOSS_OP_SAME:
      if (!to_linear(p->env, kids[0], p->slot, &a) || !to_linear(p->env, kids[1], p->slot, &b))
        break;
      for (int d = 0; d < 2; d++) a.c[d] = alea_interval_add(a.c[d], alea_interval_neg(b.c[d]));
      add_root(p, &a);
      return;
    default: break;
  }
  p->partial = true;
}

static int compare(const void *a, const void *b) {
  const reals_point *x = a, *y = b;
  return x->at < y->at ? -1 : x->at > y->at;
}

static bool test(reals_points *p, uint32_t code, alea_interval sample) {
  p->env->reals[p->slot] = sample;
  return alea_toss_holds(p->env, code);
}

/* Samples from left to right: before all points, each of them, the root that it
 * is an end of, and the piece after it. */
static bool sample(reals_points *p, uint32_t code, alea_interval *least) {
  size_t count = p->list.count;
  const reals_point *list = p->list.data;
  *least = alea_interval_of(-INFINITY);
  if (test(p, code, alea_interval_of(count != 0 ? list[0].at - 1 - fabs(list[0].at) : 0)))
    return true;
  for (size_t i = 0; i < count; i++) {
    double at = list[i].at, next = i + 1 < count ? list[i + 1].at : at + 1 + fabs(at);
    double middle = at + (next - at) / 2;
    *least = list[i].root;
    if (test(p, code, alea_interval_of(at)) || test(p, code, list[i].root)) return true;
    if (middle > at && test(p, code, alea_interval_of(middle))) return true;
  }
  return false;
}

/* The points of the body; false: it is not linear. */
static bool find_points(reals_points *p, uint32_t code) {
  collect(p, code);
  if (p->list.count > 1) qsort(p->list.data, p->list.count, sizeof *p->list.data, compare);
  return !p->partial;
}

alea_verdict alea_toss_exists_real(env_t *env, uint32_t code, uint32_t slot) {
  reals_points p = {.env = env, .slot = slot};
  alea_interval least;
  alea_verdict verdict = ALEA_VERDICT_UNKNOWN;
  bool straight = find_points(&p, code);
  if (straight) verdict = sample(&p, code, &least) ? ALEA_VERDICT_PROVED : ALEA_VERDICT_REFUTED;
  alea_vec_clear(env->mem, &p.list);
  if (straight || env->status != ALEA_OK) return verdict;
  return alea_toss_ask_real(env, code, slot);
}

alea_interval alea_toss_least_real(env_t *env, uint32_t code, uint32_t slot) {
  reals_points p = {.env = env, .slot = slot};
  alea_interval least = alea_interval_of(INFINITY);
  bool straight = find_points(&p, code);
  if (straight && !sample(&p, code, &least)) least = alea_interval_of(INFINITY);
  alea_vec_clear(env->mem, &p.list);
  if (straight || env->status != ALEA_OK) return least;
  if (alea_toss_ask_least(env, code, slot, &least) != ALEA_VERDICT_UNKNOWN) return least;
  env->undecided++;
  return alea_interval_line();
}
