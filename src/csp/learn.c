/* The learner: literals over the variables, and models tried on the engine. */
#include "csp/learn_core.h"

enum { MAX_VALUES = 1 << 20 }; /* of all variables at the root */

/* ---- literals ---- */

/* The first place whose value is at least 'value'. */
static uint32_t place_from(const learn_number *number, int64_t value) {
  uint32_t lo = 0, hi = number->count;
  while (lo < hi) {
    uint32_t middle = lo + (hi - lo) / 2;
    if (number->values[middle] < value)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

alea_slit learn_number_ge(const learn_number *number, int64_t value) {
  return number->ge[place_from(number, value)];
}

alea_slit learn_ge(const csp_learner *l, alea_csp_var var, int64_t value) {
  return learn_number_ge(&l->numbers[var], value);
}

alea_slit learn_eq(csp_learner *l, alea_csp_var var, int64_t value) {
  const learn_number *number = &l->numbers[var];
  uint32_t k = place_from(number, value);
  if (k == number->count || number->values[k] != value) return ALEA_SLIT_FALSE;
  if (l->eq[var][k] != 0) return l->eq[var][k];
  alea_slit lit, from = number->ge[k], to = number->ge[k + 1];
  if (k == 0) {
    lit = -to;
  } else if (k + 1 == number->count) {
    lit = from;
  } else {
    lit = alea_sat_variable(&l->sat);
    learn_clause2(l, -lit, from);
    learn_clause2(l, -lit, -to);
    learn_clause3(l, lit, -from, to);
  }
  l->eq[var][k] = lit;
  return lit;
}

void learn_add(csp_learner *l, alea_slit lit) {
  if (!alea_vec_push(l->mem, &l->clause, lit)) l->no_memory = true;
}

void learn_end(csp_learner *l) {
  if (!l->no_memory) alea_sat_clause(&l->sat, l->clause.data, l->clause.count);
  l->clause.count = 0;
}

void learn_clause2(csp_learner *l, alea_slit a, alea_slit b) { alea_sat_clause2(&l->sat, a, b); }

void learn_clause3(csp_learner *l, alea_slit a, alea_slit b, alea_slit c) {
  alea_sat_clause3(&l->sat, a, b, c);
}

/* ---- the encoding ---- */

const alea_slit *learn_order(csp_learner *l, size_t count) {
  alea_slit *ge = alea_arena_alloc(&l->arena, (count + 1) * sizeof *ge);
  if (ge == NULL) {
    l->no_memory = true;
    return NULL;
  }
  ge[0] = ALEA_SLIT_TRUE;
  for (size_t k = 1; k < count; k++) {
    ge[k] = alea_sat_variable(&l->sat);
    if (k > 1) alea_sat_clause2(&l->sat, -ge[k], ge[k - 1]);
  }
  ge[count] = ALEA_SLIT_FALSE;
  return ge;
}

static bool make_number(csp_learner *l, alea_csp_var var) {
  const csp_domain *domain = csp_dom(l->engine, var);
  size_t n = domain->size;
  int64_t *values = alea_arena_alloc(&l->arena, n * sizeof *values);
  const alea_slit *ge = learn_order(l, n);
  alea_slit *eq = alea_arena_alloc(&l->arena, n * sizeof *eq);
  if (values == NULL || ge == NULL || eq == NULL) return false;
  uint32_t k = 0;
  for
    CSP_EACH(index, domain) values[k++] = csp_value(domain->var, index);
  for (k = 0; k < n; k++) eq[k] = 0;
  l->numbers[var] = (learn_number){(uint32_t)n, values, ge};
  l->eq[var] = eq;
  return true;
}

static bool encode(csp_learner *l) {
  const csp_engine *engine = l->engine;
  uint64_t total = 0;
  uint32_t widest = 0;
  for (uint32_t v = 0; v < engine->var_count; v++) total += csp_dom(engine, v)->size;
  if (total > MAX_VALUES) return false;
  l->numbers = alea_arena_alloc(&l->arena, engine->var_count * sizeof *l->numbers);
  l->eq = alea_arena_alloc(&l->arena, engine->var_count * sizeof *l->eq);
  if (l->numbers == NULL || l->eq == NULL) return false;
  for (uint32_t v = 0; v < engine->var_count; v++)
    if (!make_number(l, v)) return false;
  for (uint32_t p = 0; p < engine->csp->constraints.count; p++) {
    const csp_prop *prop = &engine->props[p];
    if (prop->arity > widest) widest = prop->arity;
    if (!learn_encode(l, prop) && !learn_encode_global(l, prop) && !learn_encode_expr(l, prop) &&
        !alea_vec_push(l->mem, &l->lazy, p))
      return false;
    if (l->no_memory || alea_sat_over(&l->sat)) return false;
  }
  l->model = alea_arena_alloc(&l->arena, (widest + 1) * sizeof *l->model);
  return l->model != NULL;
}

csp_learner *csp_learner_new(csp_engine *engine, const alea_deadline *deadline, size_t bytes) {
  csp_learner *l = alea_mem_zalloc(engine->mem, sizeof *l);
  if (l == NULL) return NULL;
  l->engine = engine;
  l->mem = engine->mem;
  alea_arena_init(&l->arena, l->mem);
  if (alea_sat_init(&l->sat, ALEA_SAT_LONG, bytes)) {
    l->sat.deadline = deadline;
    if (encode(l)) return l;
  }
  csp_learner_free(l);
  return NULL;
}

void csp_learner_free(csp_learner *l) {
  if (l == NULL) return;
  alea_sat_clear(&l->sat);
  alea_vec_clear(l->mem, &l->clause);
  alea_vec_clear(l->mem, &l->lits);
  alea_vec_clear(l->mem, &l->lazy);
  alea_vec_clear(l->mem, &l->reasons);
  alea_arena_clear(&l->arena);
  alea_mem_free(l->mem, l, sizeof *l);
}

void csp_learner_bound(csp_learner *l, int64_t best) {
  const alea_csp *csp = l->engine->csp;
  learn_add(l, csp->maximise ? learn_ge(l, csp->objective, best + 1)
                             : learn_le(l, csp->objective, best - 1));
  learn_end(l);
}

/* ---- models ---- */

static int64_t model_value(const csp_learner *l, alea_csp_var var) {
  const learn_number *number = &l->numbers[var];
  uint32_t lo = 0, hi = number->count; /* ge[lo] holds, ge[hi] does not */
  while (hi - lo > 1) {
    uint32_t middle = lo + (hi - lo) / 2;
    if (alea_sat_value(&l->sat, number->ge[middle]))
      lo = middle;
    else
      hi = middle;
  }
  return number->values[lo];
}

/* Whether the listed places of the scope, at the values of the model, make
 * propagation fail. */
static bool fails(csp_learner *l, const csp_prop *prop) {
  bool held = true;
  csp_push(l->engine);
  for (size_t i = 0; i < l->reasons.count && held; i++) {
    uint32_t place = l->reasons.data[i];
    held = csp_assign_value(l->engine, prop->scope[place], l->model[place]);
  }
  held = csp_propagate(l->engine) && held;
  csp_pop(l->engine);
  return !held;
}

/* Adds the clause that not all places have their values in the model, after
 * leaving out places without which propagation fails too. */
static void forbid(csp_learner *l, const csp_prop *prop) {
  l->reasons.count = 0;
  for (uint32_t i = 0; i < prop->arity; i++)
    if (!alea_vec_push(l->mem, &l->reasons, i)) l->no_memory = true;
  for (size_t i = l->reasons.count; i-- > 0 && !l->no_memory;) {
    uint32_t place = l->reasons.data[i], last = l->reasons.data[l->reasons.count - 1];
    l->reasons.data[i] = last;
    l->reasons.count--;
    if (fails(l, prop)) continue;
    l->reasons.data[l->reasons.count++] = last;
    l->reasons.data[i] = place;
  }
  if (l->no_memory) return;
  for (size_t i = 0; i < l->reasons.count; i++) {
    uint32_t place = l->reasons.data[i];
    learn_add(l, -learn_eq(l, prop->scope[place], l->model[place]));
  }
  learn_end(l);
}

/* The constraints without an encoding: those that the model violates become
 * clauses.  Literals are read before the first clause is added. */
static const csp_prop *violated(csp_learner *l) {
  for (size_t i = 0; i < l->lazy.count; i++) {
    const csp_prop *prop = &l->engine->props[l->lazy.data[i]];
    for (uint32_t k = 0; k < prop->arity; k++)
      l->model[k] = (int32_t)model_value(l, prop->scope[k]);
    if (!prop->type->check(l->engine->csp, prop->constraint, l->model)) return prop;
  }
  return NULL;
}

/* Opens a level with the model in it; false if propagation does not accept
 * it, which only an error in an encoding can cause. */
static bool install(csp_learner *l) {
  bool held = true;
  csp_push(l->engine);
  for (uint32_t v = 0; v < l->engine->var_count && held; v++)
    held = csp_assign_value(l->engine, v, model_value(l, v));
  held = csp_propagate(l->engine) && held;
  if (!held) csp_pop(l->engine);
  return held;
}

alea_verdict csp_learner_run(csp_learner *l, uint64_t conflicts) {
  enum { MODEL_COST = 50, FEW_CLAUSES = 20000 }; /* a refused model counts as conflicts */
  conflicts = conflicts * FEW_CLAUSES / (FEW_CLAUSES + l->sat.clauses) + 1;
  for (uint64_t spent = 0; spent < conflicts; spent += MODEL_COST) {
    if (alea_sat_over(&l->sat)) return ALEA_VERDICT_UNKNOWN;
    alea_verdict verdict = alea_sat_solve(&l->sat, conflicts - spent);
    if (verdict != ALEA_VERDICT_PROVED) return verdict;
    const csp_prop *prop = violated(l);
    if (prop == NULL) return install(l) ? ALEA_VERDICT_PROVED : ALEA_VERDICT_UNKNOWN;
    forbid(l, prop);
    if (l->no_memory || l->engine->no_memory) return ALEA_VERDICT_UNKNOWN;
  }
  return ALEA_VERDICT_UNKNOWN;
}
