/* Taylor expansion: polynomials, power series of them, and moves as series. */
#include "toss/taylor.h"

#include <string.h>

enum { MOST_ORDER = 16, MOST_UNKNOWNS = 32, MOST_DERIVATIVE = 4 };
#define TINY 1e-300

typedef alea_toss_poly taylor_poly;

/* ---- polynomials ---- */

double alea_toss_poly_at(const taylor_poly *p, const double *x) {
  double sum = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    double value = p->parts[i].factor;
    for (uint32_t v = 0; v < ALEA_TOSS_MOST_PARAMS; v++) {
      for (uint8_t k = 0; k < p->parts[i].powers[v]; k++) value *= x[v];
    }
    sum += value;
  }
  return sum;
}

static bool add_part(taylor_poly *p, const uint8_t *powers, double factor) {
  if (fabs(factor) < TINY) return true;
  for (uint32_t i = 0; i < p->count; i++) {
    if (memcmp(p->parts[i].powers, powers, ALEA_TOSS_MOST_PARAMS) != 0) continue;
    p->parts[i].factor += factor;
    return true;
  }
  if (p->count == ALEA_TOSS_MOST_MONOMIALS) return false;
  memcpy(p->parts[p->count].powers, powers, ALEA_TOSS_MOST_PARAMS);
  p->parts[p->count++].factor = factor;
  return true;
}

static void constant(taylor_poly *p, double number) {
  static const uint8_t none[ALEA_TOSS_MOST_PARAMS];
  p->count = 0;
  add_part(p, none, number);
}

static void variable(taylor_poly *p, uint32_t index) {
  uint8_t powers[ALEA_TOSS_MOST_PARAMS] = {0};
  powers[index] = 1;
  p->count = 0;
  add_part(p, powers, 1);
}

static bool add_scaled(taylor_poly *to, const taylor_poly *from, double scale) {
  for (uint32_t i = 0; i < from->count; i++) {
    if (!add_part(to, from->parts[i].powers, from->parts[i].factor * scale)) return false;
  }
  return true;
}

/* to += a * b */
static bool add_product(taylor_poly *to, const taylor_poly *a, const taylor_poly *b) {
  for (uint32_t i = 0; i < a->count; i++) {
    for (uint32_t j = 0; j < b->count; j++) {
      uint8_t powers[ALEA_TOSS_MOST_PARAMS];
      for (uint32_t v = 0; v < ALEA_TOSS_MOST_PARAMS; v++) {
        if (a->parts[i].powers[v] + b->parts[j].powers[v] > UINT8_MAX) return false;
        powers[v] = (uint8_t)(a->parts[i].powers[v] + b->parts[j].powers[v]);
      }
      if (!add_part(to, powers, a->parts[i].factor * b->parts[j].factor)) return false;
    }
  }
  return true;
}

void alea_toss_poly_derive(const taylor_poly *p, uint32_t v, taylor_poly *out) {
  taylor_poly result = {0};
  for (uint32_t i = 0; i < p->count; i++) {
    alea_toss_monomial part = p->parts[i];
    if (part.powers[v] == 0) continue;
    double factor = part.factor * part.powers[v];
    part.powers[v]--;
    add_part(&result, part.powers, factor);
  }
  *out = result;
}

uint32_t alea_toss_poly_degree(const taylor_poly *p) {
  uint32_t degree = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    uint32_t sum = 0;
    for (uint32_t v = 0; v < ALEA_TOSS_MOST_PARAMS; v++) sum += p->parts[i].powers[v];
    if (sum > degree) degree = sum;
  }
  return degree;
}

/* ---- series in time ---- */

/* Coefficients c[0..terms) of powers of the time. */
typedef struct series {
  taylor_poly c[MOST_ORDER + 1];
} series;

typedef struct taylor_expander {
  alea_toss_env *env;
  uint32_t terms;
  alea_mem *mem;
  alea_status status;
  /* Provide a label (its k-th derivative) and a real variable. */
  bool (*label)(struct taylor_expander *x, const alea_toss_code *code, series *out);
  bool (*real)(struct taylor_expander *x, uint32_t slot, series *out);
  void *context;
} taylor_expander;

static void set_number(const taylor_expander *x, series *s, double number) {
  for (uint32_t n = 0; n < x->terms; n++) s->c[n].count = 0;
  constant(&s->c[0], number);
}

static bool multiply(const taylor_expander *x, const series *a, const series *b, series *out) {
  for (uint32_t n = 0; n < x->terms; n++) {
    out->c[n].count = 0;
    for (uint32_t i = 0; i <= n; i++) {
      if (!add_product(&out->c[n], &a->c[i], &b->c[n - i])) return false;
    }
  }
  return true;
}

static bool expand(taylor_expander *x, uint32_t id, series *out);

/* Each operand is allocated: series are large for a stack. */
static series *operand(taylor_expander *x, uint32_t id) {
  series *s = alea_mem_alloc(x->mem, sizeof *s);
  if (s == NULL) {
    x->status = ALEA_LIMIT;
    return NULL;
  }
  if (expand(x, id, s)) return s;
  alea_mem_free(x->mem, s, sizeof *s);
  return NULL;
}

static bool fold_in(taylor_expander *x, alea_toss_op op, series *out, const series *next) {
  if (op == ALEA_TOSS_OP_ADD) {
    for (uint32_t n = 0; n < x->terms; n++) {
      if (!add_scaled(&out->c[n], &next->c[n], 1)) return false;
    }
    return true;
  }
  series *product = alea_mem_alloc(x->mem, sizeof *product);
  bool good = product != NULL && multiply(x, out, next, product);
  if (good) *out = *product;
  alea_mem_free(x->mem, product, product != NULL ? sizeof *product : 0);
  return good;
}

static bool fold(taylor_expander *x, const alea_toss_code *code, series *out) {
  const uint32_t *kids = x->env->logic->kids.data + code->first;
  bool good = expand(x, kids[0], out);
  for (uint32_t i = 1; good && i < code->count; i++) {
    series *next = operand(x, kids[i]);
    good = next != NULL && fold_in(x, code->op, out, next);
    alea_mem_free(x->mem, next, next != NULL ? sizeof *next : 0);
  }
  return good;
}

static bool power(taylor_expander *x, const alea_toss_code *code, series *out) {
  series *base = operand(x, x->env->logic->kids.data[code->first]);
  set_number(x, out, 1);
  bool good = base != NULL;
  for (unsigned i = 0; good && i < (unsigned)code->number; i++) {
    good = fold_in(x, ALEA_TOSS_OP_MUL, out, base);
  }
  alea_mem_free(x->mem, base, base != NULL ? sizeof *base : 0);
  return good;
}

static bool scale(const taylor_expander *x, series *s, double by) {
  for (uint32_t n = 0; n < x->terms; n++) {
    for (uint32_t i = 0; i < s->c[n].count; i++) s->c[n].parts[i].factor *= by;
  }
  return isfinite(by);
}

/* Division by a constant. */
static bool divide(taylor_expander *x, const uint32_t *kids, series *out) {
  series *by = operand(x, kids[1]);
  bool good = by != NULL && by->c[0].count == 1 && alea_toss_poly_degree(&by->c[0]) == 0;
  for (uint32_t n = 1; good && n < x->terms; n++) good = by->c[n].count == 0;
  double number = good ? by->c[0].parts[0].factor : 0;
  alea_mem_free(x->mem, by, by != NULL ? sizeof *by : 0);
  return good && expand(x, kids[0], out) && scale(x, out, 1 / number);
}

/* A sum over the elements that currently satisfy its guard. */
typedef struct taylor_total {
  taylor_expander *x;
  uint32_t term;
  series *sum;
  bool good;
} taylor_total;

static bool add_term(alea_toss_env *env, void *context) {
  (void)env;
  taylor_total *t = context;
  series *next = operand(t->x, t->term);
  t->good = next != NULL && fold_in(t->x, ALEA_TOSS_OP_ADD, t->sum, next);
  alea_mem_free(t->x->mem, next, next != NULL ? sizeof *next : 0);
  return !t->good;
}

static bool sum_up(taylor_expander *x, const alea_toss_code *code, series *out) {
  taylor_total t = {x, x->env->logic->kids.data[code->first], out, true};
  set_number(x, out, 0);
  alea_toss_enumerate(x->env, code->plan, add_term, &t);
  return t.good;
}

/* Expands a term to a series; false if it has none. */
static bool expand(taylor_expander *x, uint32_t id, series *out) {
  const alea_toss_code *code = &x->env->logic->codes.data[id];
  const uint32_t *kids = x->env->logic->kids.data + code->first;
  switch (code->op) {
    case ALEA_TOSS_OP_NUMBER: set_number(x, out, code->number); return true;
    case ALEA_TOSS_OP_REAL: return x->real(x, code->slot, out);
    case ALEA_TOSS_OP_FUNCTION: return x->label(x, code, out);
    case ALEA_TOSS_OP_ADD:
    case ALEA_TOSS_OP_MUL: return fold(x, code, out);
    case ALEA_TOSS_OP_NEG: return expand(x, kids[0], out) && scale(x, out, -1);
    case ALEA_TOSS_OP_POW: return power(x, code, out);
    case ALEA_TOSS_OP_DIV: return divide(x, kids, out);
    case ALEA_TOSS_OP_SUM: return sum_up(x, code, out);
    default: return false;
  }
}

/* ---- the equations ---- */

typedef struct taylor_unknown {
  uint32_t function, element, order; /* f^(order) is given by equations */
  series s;
} taylor_unknown;

typedef struct motion {
  const alea_toss_rules *rules;
  const alea_toss_structure *structure;
  const alea_toss_act *acts;
  size_t act_count, act; /* the current act */
  taylor_unknown *unknowns;
  uint32_t count;
} motion;

static taylor_unknown *find_unknown(const motion *m, uint32_t function, uint32_t element) {
  for (uint32_t i = 0; i < m->count; i++) {
    taylor_unknown *u = &m->unknowns[i];
    if (u->function == function && u->element == element) return u;
  }
  return NULL;
}

static double number_of(const motion *m, uint32_t function, uint32_t element) {
  return alea_interval_middle(
      m->structure->values[(size_t)function * m->structure->capacity + element]);
}

static bool label_series(taylor_expander *x, const alea_toss_code *code, series *out) {
  const motion *m = x->context;
  uint32_t element = x->env->elements[x->env->logic->kids.data[code->first]];
  const taylor_unknown *u = find_unknown(m, code->target, element);
  set_number(x, out, code->order == 0 && u == NULL ? number_of(m, code->target, element) : 0);
  for (uint32_t n = 0; u != NULL && n < x->terms; n++) {
    double factor = 1; /* of the derivative of t^(n + order) */
    for (uint32_t k = 1; k <= code->order; k++) factor *= n + k;
    out->c[n].count = 0;
    if (n + code->order > MOST_ORDER) continue;
    if (!add_scaled(&out->c[n], &u->s.c[n + code->order], factor)) return false;
  }
  return true;
}

/* Parameters of the first act are variables, those of other acts numbers. */
static bool real_series(taylor_expander *x, uint32_t slot, series *out) {
  const motion *m = x->context;
  const alea_toss_act *act = &m->acts[m->act];
  for (uint32_t i = 0; i < act->label->params.count; i++) {
    if (m->rules->params[act->label->params.data[i].name] != slot) continue;
    set_number(x, out, act->params[i]);
    if (m->act == 0) variable(&out->c[0], i);
    return true;
  }
  return false;
}

static bool find_unknowns(motion *m) {
  for (size_t a = 0; a < m->act_count; a++) {
    const alea_toss_rule *rule = m->rules->patterns[m->acts[a].rule].rule;
    for (size_t i = 0; i < rule->dynamics.count; i++) {
      const alea_toss_equation *e = &rule->dynamics.data[i];
      uint32_t element = m->acts[a].match[e->element];
      taylor_unknown *u = find_unknown(m, e->function, element);
      if (u == NULL) {
        if (m->count == MOST_UNKNOWNS) return false;
        u = &m->unknowns[m->count++];
        *u = (taylor_unknown){.function = e->function, .element = element};
        constant(&u->s.c[0], number_of(m, e->function, element));
      }
      if (e->order > u->order) u->order = e->order;
      if (e->order > MOST_DERIVATIVE) return false;
    }
  }
  return true;
}

static void bind(const motion *m, alea_toss_env *env) {
  const alea_toss_act *act = &m->acts[m->act];
  const alea_toss_pattern *p = &m->rules->patterns[act->rule];
  for (uint32_t i = 0; i < p->left_count; i++) env->elements[p->left_slots[i]] = act->match[i];
}

/* Adds the coefficient of t^n of every right side, times n! / (n + order)!, to
 * the coefficient n + order of its unknown.  Equations of lower order than the
 * highest of the unknown would need derivatives that start at 0; they are added
 * there. */
static bool raise(taylor_expander *x, motion *m, uint32_t n) {
  series *rhs = alea_mem_alloc(x->mem, sizeof *rhs);
  bool good = rhs != NULL;
  x->terms = n + 1;
  for (m->act = 0; good && m->act < m->act_count; m->act++) {
    const alea_toss_act *act = &m->acts[m->act];
    const alea_toss_rule *rule = m->rules->patterns[act->rule].rule;
    const uint32_t *codes = m->rules->dynamics_codes + m->rules->first_dynamics[act->rule];
    bind(m, x->env);
    for (size_t i = 0; good && i < rule->dynamics.count; i++) {
      const alea_toss_equation *e = &rule->dynamics.data[i];
      taylor_unknown *u = find_unknown(m, e->function, act->match[e->element]);
      good = u->order == e->order && expand(x, codes[i], rhs);
      if (!good || n + e->order > MOST_ORDER) break;
      double factor = 1;
      for (uint32_t k = 1; k <= e->order; k++) factor /= n + k;
      good = add_scaled(&u->s.c[n + e->order], &rhs->c[n], factor);
    }
  }
  alea_mem_free(x->mem, rhs, rhs != NULL ? sizeof *rhs : 0);
  return good;
}

/* ---- the labels afterwards ---- */

typedef struct arrival {
  motion *m;
  double time;
} arrival;

static bool label_at_end(taylor_expander *x, const alea_toss_code *code, series *out) {
  const arrival *a = x->context;
  uint32_t element = x->env->elements[x->env->logic->kids.data[code->first]];
  const taylor_unknown *u = find_unknown(a->m, code->target, element);
  if (code->order != 0) return false;
  set_number(x, out, u == NULL ? number_of(a->m, code->target, element) : 0);
  double power_of_time = 1;
  for (uint32_t n = 0; u != NULL && n <= MOST_ORDER; n++, power_of_time *= a->time) {
    if (!add_scaled(&out->c[0], &u->s.c[n], power_of_time)) return false;
  }
  return true;
}

static bool real_at_end(taylor_expander *x, uint32_t slot, series *out) {
  const arrival *a = x->context;
  x->context = a->m;
  bool good = real_series(x, slot, out);
  x->context = (void *)(uintptr_t)a;
  return good;
}

/* Right elements start with the label of the element they replace, then updates
 * apply. */
static bool arrive(taylor_expander *x, arrival *a, taylor_poly *values) {
  const motion *m = a->m;
  const alea_toss_act *act = &m->acts[0];
  const alea_toss_pattern *p = &m->rules->patterns[act->rule];
  uint32_t functions = m->structure->function_count;
  series *s = alea_mem_alloc(x->mem, sizeof *s);
  bool good = s != NULL;
  x->terms = 1;
  x->label = label_at_end;
  x->real = real_at_end;
  x->context = a;
  a->m->act = 0;
  bind(m, x->env);
  for (uint32_t i = 0; good && i < p->right_count; i++) {
    for (uint32_t f = 0; f < functions; f++) {
      taylor_poly *out = &values[(size_t)i * functions + f];
      uint32_t left = p->rule->replaces[i];
      out->count = 0;
      if (left == ALEA_TOSS_NONE) continue;
      const taylor_unknown *u = find_unknown(m, f, act->match[left]);
      if (u == NULL) constant(out, number_of(m, f, act->match[left]));
      double power_of_time = 1;
      for (uint32_t n = 0; u != NULL && n <= MOST_ORDER; n++, power_of_time *= a->time) {
        good = good && add_scaled(out, &u->s.c[n], power_of_time);
      }
    }
  }
  const uint32_t *codes = m->rules->update_codes + m->rules->first_update[act->rule];
  for (size_t i = 0; good && i < p->rule->update.count; i++) {
    const alea_toss_equation *e = &p->rule->update.data[i];
    good = expand(x, codes[i], s);
    if (good) values[(size_t)e->element * functions + e->function] = s->c[0];
  }
  alea_mem_free(x->mem, s, s != NULL ? sizeof *s : 0);
  return good;
}

alea_status alea_toss_taylor(const alea_toss_rules *rules, alea_toss_env *env,
                             const alea_toss_structure *structure, const alea_toss_act *acts,
                             size_t count, double time, uint32_t order, taylor_poly *values) {
  motion m = {.rules = rules, .structure = structure, .acts = acts, .act_count = count};
  taylor_expander x = {.env = env, .mem = env->mem, .label = label_series, .real = real_series};
  x.context = &m;
  m.unknowns = alea_mem_calloc(env->mem, MOST_UNKNOWNS, sizeof *m.unknowns);
  if (m.unknowns == NULL) return ALEA_LIMIT;
  bool good = find_unknowns(&m);
  for (uint32_t n = 0; good && n < order && n < MOST_ORDER; n++) good = raise(&x, &m, n);
  arrival a = {&m, time};
  good = good && arrive(&x, &a, values);
  alea_mem_free(env->mem, m.unknowns, MOST_UNKNOWNS * sizeof *m.unknowns);
  return good ? ALEA_OK : x.status != ALEA_OK ? x.status : ALEA_UNSUPPORTED;
}

/* ---- terms of labels ---- */

typedef struct taylor_reader {
  alea_toss_label_poly *label;
  void *context;
} taylor_reader;

static bool label_given(taylor_expander *x, const alea_toss_code *code, series *out) {
  const taylor_reader *r = x->context;
  uint32_t element = x->env->elements[x->env->logic->kids.data[code->first]];
  if (code->order != 0) return false;
  if (r->label(r->context, code->target, element, &out->c[0])) return true;
  const alea_toss_structure *s = x->env->structure;
  set_number(x, out, alea_interval_middle(s->values[(size_t)code->target * s->capacity + element]));
  return true;
}

static bool no_real(taylor_expander *x, uint32_t slot, series *out) {
  (void)x, (void)slot, (void)out;
  return false;
}

alea_status alea_toss_term_poly(alea_toss_env *env, uint32_t code, alea_toss_label_poly *label,
                                void *context, taylor_poly *out) {
  taylor_reader r = {label, context};
  taylor_expander x = {.env = env,
                       .terms = 1,
                       .mem = env->mem,
                       .label = label_given,
                       .real = no_real,
                       .context = &r};
  series *s = operand(&x, code);
  if (s == NULL) return x.status != ALEA_OK ? x.status : ALEA_UNSUPPORTED;
  *out = s->c[0];
  alea_mem_free(x.mem, s, sizeof *s);
  return ALEA_OK;
}
