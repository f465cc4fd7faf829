/* From codes to questions about real numbers. */
#include "toss/real_question.h"

#include <string.h>

#include "nra/nra.h"

typedef alea_toss_env env_t;
typedef alea_toss_code code_t;
typedef alea_nra_expr expr;

enum { MOST_OPEN = 32, MOST_PARTS = 32 };
#define TINY 1e-290 /* what is nearer to 0 counts as 0 */
#define FAR 1e290   /* and what is farther off as infinite */

/* What the terms of one comparison need beside it. */
typedef struct question_atom {
  expr fresh[MOST_PARTS];  /* variables that stand for roots, quotients, truth values */
  expr sides[MOST_PARTS];  /* their definitions */
  expr holes[MOST_PARTS];  /* where a term has no value */
  expr labels[MOST_PARTS]; /* values known as intervals */
  expr boxes[2 * MOST_PARTS];
  size_t fresh_count, side_count, hole_count, label_count, box_count;
} question_atom;

typedef struct alea_toss_real_question {
  env_t *env;
  alea_nra *nra;
  uint32_t slots[MOST_OPEN]; /* open variables */
  expr variables[MOST_OPEN];
  size_t open;
  bool bind;   /* new variables are bound where they arise: something around is negated */
  bool beyond; /* a part that cannot be said */
  question_atom *atom;
} alea_toss_real_question;

typedef alea_toss_real_question asked;

static expr formula(asked *q, uint32_t id);
static expr term(asked *q, uint32_t id);

static expr give_up(asked *q) {
  q->beyond = true;
  return NULL;
}

static bool push(asked *q, expr *list, size_t *count, expr item) {
  if (*count == MOST_PARTS || item == NULL) {
    q->beyond = true;
    return false;
  }
  list[(*count)++] = item;
  return true;
}

bool alea_toss_is_open(const env_t *env, uint32_t code) {
  const asked *q = env->question;
  for (size_t i = 0; q != NULL && i < q->open; i++)
    if (alea_toss_reads_real(env->logic, code, q->slots[i])) return true;
  return false;
}

/* ---- lists of parts ---- */

typedef struct question_list {
  ALEA_VEC(expr) parts;
} question_list;

static void add_part(asked *q, question_list *list, expr part) {
  if (part == NULL) q->beyond = true;
  if (!q->beyond && !alea_vec_push(q->env->mem, &list->parts, part))
    q->env->status = alea_mem_lack(q->env->mem);
  if (q->env->status != ALEA_OK) q->beyond = true;
}

static expr join(asked *q, question_list *list, bool or) {
  expr joined = NULL;
  if (!q->beyond)
    joined = or ? alea_nra_or(q->nra, list->parts.data, list->parts.count)
                : alea_nra_and(q->nra, list->parts.data, list->parts.count);
  alea_vec_clear(q->env->mem, &list->parts);
  return joined;
}

/* ---- walking over elements ---- */

typedef struct question_walk {
  asked *q;
  const alea_toss_plan *plan;
  question_list found; /* per assignment: its open checks, or with a term its value */
  uint32_t term;       /* ALEA_TOSS_NONE: a quantifier */
  bool product;
} question_walk;

static void add_checks(asked *q, question_list *list, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count && !q->beyond; i++) {
    uint32_t check = q->env->logic->kids.data[first + i];
    if (alea_toss_is_open(q->env, check)) add_part(q, list, formula(q, check));
  }
}

/* The open checks of the assignment at hand. */
static expr open_checks(asked *q, const alea_toss_plan *plan, size_t *count) {
  question_list list = {0};
  add_checks(q, &list, plan->first_check, plan->check_count);
  for (uint32_t i = 0; i < plan->step_count; i++) {
    const alea_toss_step *step = &q->env->logic->steps.data[plan->first_step + i];
    add_checks(q, &list, step->first_check, step->check_count);
  }
  *count = list.parts.count;
  return join(q, &list, false);
}

/* A variable that is 'value' where 'guard' holds, and else 'other'. */
static expr guarded(asked *q, expr guard, expr value, double other) {
  expr v = alea_nra_variable(q->nra);
  expr then[2] = {guard, alea_nra_equal(q->nra, v, value)};
  expr otherwise[2] = {alea_nra_not(q->nra, guard),
                       alea_nra_equal(q->nra, v, alea_nra_number(q->nra, other))};
  expr either[2] = {alea_nra_and(q->nra, then, 2), alea_nra_and(q->nra, otherwise, 2)};
  if (!push(q, q->atom->fresh, &q->atom->fresh_count, v)) return NULL;
  if (!push(q, q->atom->sides, &q->atom->side_count, alea_nra_or(q->nra, either, 2))) return NULL;
  return v;
}

/* Both a formula and its negation are said: what it needs is bound in it. */
static expr bound_formula(asked *q, uint32_t id) {
  bool before = q->bind;
  q->bind = true;
  expr made = formula(q, id);
  q->bind = before;
  return made;
}

static bool visit(env_t *env, void *context) {
  question_walk *w = context;
  asked *q = w->q;
  size_t count;
  bool before = q->bind;
  if (w->term != ALEA_TOSS_NONE) q->bind = true;
  expr checks = open_checks(q, w->plan, &count);
  q->bind = before;
  if (w->term != ALEA_TOSS_NONE && !q->beyond) {
    expr value = term(q, w->term);
    checks = count > 0 ? guarded(q, checks, value, w->product) : value;
  }
  add_part(q, &w->found, checks);
  return q->beyond || env->status != ALEA_OK;
}

static expr some_element(asked *q, const code_t *code) {
  question_walk w = {
      .q = q, .plan = &q->env->logic->plans.data[code->plan], .term = ALEA_TOSS_NONE};
  alea_toss_enumerate(q->env, code->plan, visit, &w);
  return join(q, &w.found, true);
}

static expr over_elements(asked *q, const code_t *code) {
  bool product = code->op == ALEA_TOSS_OP_PROD;
  question_walk w = {.q = q,
                     .plan = &q->env->logic->plans.data[code->plan],
                     .term = q->env->logic->kids.data[code->first],
                     .product = product};
  alea_toss_enumerate(q->env, code->plan, visit, &w);
  expr total = alea_nra_number(q->nra, product);
  for (size_t i = 0; i < w.found.parts.count && !q->beyond; i++) {
    expr part = w.found.parts.data[i];
    total = product ? alea_nra_mul(q->nra, total, part) : alea_nra_add(q->nra, total, part);
  }
  alea_vec_clear(q->env->mem, &w.found.parts);
  return q->beyond ? NULL : total;
}

/* ---- terms ---- */

/* A number that is known, perhaps as an interval. */
static expr known(asked *q, alea_interval value) {
  if (value.lo == value.hi) return alea_nra_number(q->nra, value.lo);
  question_atom *a = q->atom;
  expr v = alea_nra_variable(q->nra);
  if (!push(q, a->labels, &a->label_count, v)) return NULL;
  if (isfinite(value.lo))
    a->boxes[a->box_count++] =
        alea_nra_not(q->nra, alea_nra_less(q->nra, v, alea_nra_number(q->nra, value.lo)));
  if (isfinite(value.hi))
    a->boxes[a->box_count++] =
        alea_nra_not(q->nra, alea_nra_less(q->nra, alea_nra_number(q->nra, value.hi), v));
  return v;
}

static expr quotient(asked *q, expr over, expr by) {
  alea_nra *n = q->nra;
  expr zero = alea_nra_number(n, 0), v = alea_nra_variable(n), hole = alea_nra_equal(n, by, zero);
  expr defined[2] = {alea_nra_not(n, hole), alea_nra_equal(n, alea_nra_mul(n, v, by), over)};
  expr either[2] = {alea_nra_and(n, defined, 2), hole};
  question_atom *a = q->atom;
  if (!push(q, a->fresh, &a->fresh_count, v) || !push(q, a->holes, &a->hole_count, hole) ||
      !push(q, a->sides, &a->side_count, alea_nra_or(n, either, 2)))
    return NULL;
  return v;
}

static expr root(asked *q, expr of, unsigned power) {
  alea_nra *n = q->nra;
  expr zero = alea_nra_number(n, 0), v = alea_nra_variable(n);
  question_atom *a = q->atom;
  expr side = alea_nra_equal(n, alea_nra_pow(n, v, power), of);
  if (!push(q, a->fresh, &a->fresh_count, v)) return NULL;
  if (power % 2 == 0) {
    expr hole = alea_nra_less(n, of, zero);
    expr defined[2] = {alea_nra_not(n, alea_nra_less(n, v, zero)), side};
    expr either[2] = {alea_nra_and(n, defined, 2), hole};
    if (!push(q, a->holes, &a->hole_count, hole)) return NULL;
    side = alea_nra_or(n, either, 2);
  }
  return push(q, a->sides, &a->side_count, side) ? v : NULL;
}

static expr fold(asked *q, const code_t *code) {
  const uint32_t *kids = q->env->logic->kids.data + code->first;
  expr value = term(q, kids[0]);
  for (uint32_t i = 1; i < code->count && !q->beyond; i++) {
    expr next = term(q, kids[i]);
    value = code->op == ALEA_TOSS_OP_ADD   ? alea_nra_add(q->nra, value, next)
            : code->op == ALEA_TOSS_OP_MUL ? alea_nra_mul(q->nra, value, next)
                                           : quotient(q, value, next);
  }
  return value;
}

static expr variable_of(asked *q, uint32_t slot) {
  for (size_t i = q->open; i-- > 0;)
    if (q->slots[i] == slot) return q->variables[i];
  return known(q, q->env->reals[slot]);
}

static expr term(asked *q, uint32_t id) {
  const code_t *code = &q->env->logic->codes.data[id];
  const uint32_t *kids = q->env->logic->kids.data + code->first;
  if (q->beyond) return NULL;
  switch (code->op) {
    case ALEA_TOSS_OP_NUMBER: return alea_nra_number(q->nra, code->number);
    case ALEA_TOSS_OP_REAL: return variable_of(q, code->slot);
    case ALEA_TOSS_OP_ADD:
    case ALEA_TOSS_OP_MUL:
    case ALEA_TOSS_OP_DIV: return fold(q, code);
    case ALEA_TOSS_OP_NEG: return alea_nra_neg(q->nra, term(q, kids[0]));
    case ALEA_TOSS_OP_POW: return alea_nra_pow(q->nra, term(q, kids[0]), (unsigned)code->number);
    case ALEA_TOSS_OP_ROOT: return root(q, term(q, kids[0]), (unsigned)code->number);
    case ALEA_TOSS_OP_SUM:
    case ALEA_TOSS_OP_PROD: return over_elements(q, code);
    default: break;
  }
  if (!alea_toss_is_open(q->env, id)) return known(q, alea_toss_evaluate(q->env, id));
  if (code->op != ALEA_TOSS_OP_CHAR) return give_up(q);
  return guarded(q, bound_formula(q, kids[0]), alea_nra_number(q->nra, 1), 0);
}

/* ---- formulas ---- */

/* 'compared' holds, or does not, whatever the definitions say; a comparison
 * with a term that has no value is as if that were any number. */
static expr with_sides(asked *q, const question_atom *a, expr compared, bool holds, bool same,
                       bool bind) {
  alea_nra *n = q->nra;
  expr parts[MOST_PARTS + 1], core = holds ? compared : alea_nra_not(n, compared);
  if (a->hole_count > 0) {
    expr hole = alea_nra_or(n, a->holes, a->hole_count);
    expr value[2] = {alea_nra_not(n, hole), core};
    expr either[2] = {alea_nra_and(n, value, 2), hole};
    core = same == holds ? alea_nra_or(n, either, 2) : either[0];
  }
  memcpy(parts, a->sides, a->side_count * sizeof *parts);
  parts[a->side_count] = core;
  expr body = alea_nra_and(n, parts, a->side_count + 1);
  return bind ? alea_nra_exists(n, a->fresh, a->fresh_count, body) : body;
}

/* Less: for all values of the labels.  The same: for some. */
static expr compare(asked *q, const code_t *code) {
  const uint32_t *kids = q->env->logic->kids.data + code->first;
  question_atom a = {0}, *outer = q->atom;
  bool same = code->op == ALEA_TOSS_OP_SAME;
  q->atom = &a;
  expr left = term(q, kids[0]), right = term(q, kids[1]);
  q->atom = outer;
  if (q->beyond) return NULL;
  expr compared = same ? alea_nra_equal(q->nra, left, right) : alea_nra_less(q->nra, left, right);
  if (a.label_count == 0) return with_sides(q, &a, compared, !code->negated, same, q->bind);
  /* Said of some values of the labels, or the contrary of none. */
  bool some = same != code->negated;
  expr parts[2 * MOST_PARTS + 1];
  memcpy(parts, a.boxes, a.box_count * sizeof *parts);
  parts[a.box_count] = with_sides(q, &a, compared, same, same, q->bind || !some);
  expr body = alea_nra_and(q->nra, parts, a.box_count + 1);
  if (some) return q->bind ? alea_nra_exists(q->nra, a.labels, a.label_count, body) : body;
  return alea_nra_not(q->nra, alea_nra_exists(q->nra, a.labels, a.label_count, body));
}

static expr some_real(asked *q, const code_t *code) {
  if (q->open == MOST_OPEN) return give_up(q);
  expr v = alea_nra_variable(q->nra);
  q->slots[q->open] = code->slot;
  q->variables[q->open++] = v;
  expr body = formula(q, q->env->logic->kids.data[code->first]);
  q->open--;
  return q->bind ? alea_nra_exists(q->nra, &v, 1, body) : body;
}

static expr several(asked *q, const code_t *code) {
  question_list list = {0};
  for (uint32_t i = 0; i < code->count && !q->beyond; i++)
    add_part(q, &list, formula(q, q->env->logic->kids.data[code->first + i]));
  return join(q, &list, code->op == ALEA_TOSS_OP_OR);
}

static expr plain(asked *q, const code_t *code) {
  switch (code->op) {
    case ALEA_TOSS_OP_AND:
    case ALEA_TOSS_OP_OR: return several(q, code);
    case ALEA_TOSS_OP_EXISTS: return some_element(q, code);
    case ALEA_TOSS_OP_EXISTS_REAL: return some_real(q, code);
    default: return give_up(q); /* a set quantifier */
  }
}

static expr formula(asked *q, uint32_t id) {
  const code_t *code = &q->env->logic->codes.data[id];
  if (q->beyond) return NULL;
  if (!alea_toss_is_open(q->env, id) && code->op != ALEA_TOSS_OP_EXISTS_REAL)
    return alea_nra_truth(q->nra, alea_toss_holds(q->env, id));
  if (code->op == ALEA_TOSS_OP_LESS || code->op == ALEA_TOSS_OP_SAME) return compare(q, code);
  bool before = q->bind;
  if (code->negated) q->bind = true;
  expr made = plain(q, code);
  q->bind = before;
  return code->negated ? alea_nra_not(q->nra, made) : made;
}

/* ---- questions ---- */

/* Inside another question a new one has a solver of its own. */
static bool begin(asked *q, asked **outer) {
  env_t *env = q->env;
  *outer = env->question;
  if (*outer == NULL && env->nra == NULL) env->nra = alea_nra_new();
  q->nra = *outer == NULL ? env->nra : alea_nra_new();
  if (q->nra == NULL) {
    env->status = ALEA_SYSTEM;
    return false;
  }
  alea_nra_begin(q->nra);
  env->question = q;
  return true;
}

static void end(asked *q, asked *outer) {
  q->env->question = outer;
  if (outer != NULL) alea_nra_free(q->nra);
}

/* The body over an open variable; NULL where it cannot be said. */
static expr body_of(asked *q, uint32_t code, uint32_t slot) {
  bool before = q->env->negative;
  q->slots[0] = slot;
  q->variables[0] = alea_nra_variable(q->nra);
  q->open = 1;
  q->env->negative = false;
  uint64_t undecided = q->env->undecided;
  expr body = formula(q, code);
  /* Parts without the variable were evaluated, and did not get an answer. */
  if (q->env->undecided != undecided) q->beyond = true;
  q->env->negative = before;
  return q->beyond || q->env->status != ALEA_OK ? NULL : body;
}

static alea_verdict ask(asked *q, expr said) {
  alea_verdict answer = ALEA_VERDICT_UNKNOWN;
  if (said == NULL) return answer;
  alea_status status = alea_nra_ask(q->nra, said, &answer);
  if (status != ALEA_OK) q->env->status = status;
  return answer;
}

alea_verdict alea_toss_ask_real(env_t *env, uint32_t code, uint32_t slot) {
  asked q = {.env = env}, *outer;
  if (!begin(&q, &outer)) return ALEA_VERDICT_UNKNOWN;
  alea_verdict answer = ask(&q, body_of(&q, code, slot));
  end(&q, outer);
  return answer;
}

/* Whether there is a value up to 'most'. */
static alea_verdict ask_up_to(asked *q, expr body, double most) {
  expr above = alea_nra_less(q->nra, alea_nra_number(q->nra, most), q->variables[0]);
  expr both[2] = {body, alea_nra_not(q->nra, above)};
  return ask(q, alea_nra_and(q->nra, both, 2));
}

/* The doubles in order, as whole numbers. */
static int64_t rank_of(double x) {
  int64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits < 0 ? INT64_MIN - bits : bits;
}

static double of_rank(int64_t rank) {
  double x;
  if (rank < 0) rank = INT64_MIN - rank;
  memcpy(&x, &rank, sizeof x);
  return x;
}

/* Halves the doubles between 'no' and 'yes' until they are adjacent. */
static alea_verdict close_in(asked *q, expr body, double no, double yes, alea_interval *least) {
  int64_t low = rank_of(no), high = rank_of(yes);
  while ((uint64_t)high - (uint64_t)low > 1) {
    int64_t middle = low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
    double at = of_rank(middle);
    alea_verdict answer = ask_up_to(q, body, fabs(at) < TINY ? 0 : at);
    if (answer == ALEA_VERDICT_UNKNOWN) return answer;
    *(answer == ALEA_VERDICT_PROVED ? &high : &low) = middle;
  }
  *least = (alea_interval){of_rank(low), of_rank(high)};
  /* The least value may be the upper end itself. */
  expr both[2] = {body, alea_nra_less(q->nra, q->variables[0], alea_nra_number(q->nra, least->hi))};
  if (ask(q, alea_nra_and(q->nra, both, 2)) == ALEA_VERDICT_REFUTED) least->lo = least->hi;
  return ALEA_VERDICT_PROVED;
}

alea_verdict alea_toss_ask_least(env_t *env, uint32_t code, uint32_t slot, alea_interval *least) {
  asked q = {.env = env}, *outer;
  if (!begin(&q, &outer)) return ALEA_VERDICT_UNKNOWN;
  expr body = body_of(&q, code, slot);
  alea_verdict answer = ask(&q, body);
  *least = alea_interval_of(INFINITY);
  if (answer == ALEA_VERDICT_PROVED) {
    alea_verdict below = ask_up_to(&q, body, -FAR), above = ask_up_to(&q, body, FAR);
    if (below == ALEA_VERDICT_UNKNOWN || above == ALEA_VERDICT_UNKNOWN) {
      answer = ALEA_VERDICT_UNKNOWN;
    } else if (below == ALEA_VERDICT_PROVED) {
      *least = alea_interval_of(-INFINITY);
    } else if (above == ALEA_VERDICT_PROVED) {
      answer = close_in(&q, body, -FAR, FAR, least);
    }
  }
  end(&q, outer);
  return answer;
}
