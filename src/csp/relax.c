/* The linear program of a network at its root, and the constraint that its
 * multipliers give. */
#include "csp/relax.h"

#include <math.h>

#include "csp/constraints.h"
#include "csp/simplex.h"

enum {
  MAX_VALUES = 64,     /* of a variable with a column for each value */
  MAX_ROWS = 256,      /* of a table that is tried as a function */
  MAX_CELLS = 4000000, /* of the tableau */
  MAX_COLUMNS = 20000,
  SCALE = 1 << 12, /* multipliers are whole numbers of 1 / SCALE */
};

typedef struct relax_span { /* the columns of a variable */
  uint32_t first;
  bool by_value, wanted;
} relax_span;

typedef struct relaxation {
  const csp_engine *engine;
  alea_mem *mem;
  relax_span *spans;
  ALEA_VEC(double) lower;
  ALEA_VEC(double) upper;
  ALEA_VEC(double) cost;
  ALEA_VEC(size_t) starts; /* of the finished rows, and of the one being written */
  ALEA_VEC(csp_lp_entry) entries;
  ALEA_VEC(int64_t) rhs;
  ALEA_VEC(bool) equal;
  int64_t constant; /* of the row being written */
  bool failed;      /* no memory */
} relaxation;

/* ---- columns ---- */

static bool is_flag(const csp_domain *domain) {
  return domain->size == 2 && csp_min(domain) == 0 && csp_max(domain) == 1;
}

static void want_values(relaxation *x, alea_csp_var var) {
  const csp_domain *domain = csp_dom(x->engine, var);
  if (domain->size > 1 && domain->size <= MAX_VALUES && !is_flag(domain))
    x->spans[var].wanted = true;
}

/* Each value of the column determines the row. */
static bool is_key(const csp_engine *engine, const csp_prop *prop, uint32_t column) {
  const csp_table *table = prop->constraint->data;
  const csp_domain *domain = csp_dom(engine, prop->scope[column]);
  if (table->forbidden || table->has_star || domain->size > MAX_VALUES) return false;
  for
    CSP_EACH(v, domain) {
      size_t rows = 0;
      for (size_t r = 0; r < table->count; r++) rows += table->rows[r * table->arity + column] == v;
      if (rows != 1) return false;
    }
  return true;
}

static uint32_t key_of(const csp_engine *engine, const csp_prop *prop) {
  const csp_table *table = prop->constraint->data;
  if (!csp_is_table(prop->type) || prop->type == &csp_unary_type || table->count > MAX_ROWS)
    return ALEA_CSP_NONE;
  for (uint32_t c = 0; c < prop->arity; c++)
    if (is_key(engine, prop, c)) return c;
  return ALEA_CSP_NONE;
}

static void want(relaxation *x, const csp_prop *prop) {
  uint32_t key = csp_is_table(prop->type) ? key_of(x->engine, prop) : ALEA_CSP_NONE;
  bool last = prop->type == &csp_all_different_type || prop->type == &csp_iff_type ||
              prop->type == &csp_clause_type;
  if (key != ALEA_CSP_NONE) want_values(x, prop->scope[key]);
  if (!last && prop->type != &csp_count_type) return;
  for (uint32_t i = 0; i + !last < prop->arity; i++) want_values(x, prop->scope[i]);
}

static void add_column(relaxation *x, double lower, double upper, double cost) {
  if (!alea_vec_push(x->mem, &x->lower, lower) || !alea_vec_push(x->mem, &x->upper, upper) ||
      !alea_vec_push(x->mem, &x->cost, cost))
    x->failed = true;
}

/* The objective is minimised; a largest one is the least of its negation. */
static void make_columns(relaxation *x) {
  const csp_engine *engine = x->engine;
  double sign = engine->csp->maximise ? -1 : 1;
  for (uint32_t v = 0; v < engine->var_count; v++) {
    const csp_domain *domain = csp_dom(engine, v);
    double factor = v == engine->csp->objective ? sign : 0;
    x->spans[v].first = (uint32_t)x->lower.count;
    x->spans[v].by_value = x->spans[v].wanted;
    if (!x->spans[v].wanted) {
      add_column(x, csp_min(domain), csp_max(domain), factor);
      continue;
    }
    for
      CSP_EACH(index, domain) add_column(x, 0, 1, factor * csp_value(domain->var, index));
  }
}

/* ---- rows ---- */

static void add_entry(relaxation *x, uint32_t column, int64_t value) {
  if (value != 0 && !alea_vec_push(x->mem, &x->entries, (csp_lp_entry){column, value}))
    x->failed = true;
}

static void end_row(relaxation *x, int64_t rhs, bool equal) {
  if (!alea_vec_push(x->mem, &x->rhs, rhs - x->constant) ||
      !alea_vec_push(x->mem, &x->equal, equal) ||
      !alea_vec_push(x->mem, &x->starts, x->entries.count))
    x->failed = true;
  x->constant = 0;
}

static void drop_row(relaxation *x) {
  x->entries.count = x->starts.data[x->starts.count - 1];
  x->constant = 0;
}

static void add_term(relaxation *x, alea_csp_var var, int64_t factor) {
  const csp_domain *domain = csp_dom(x->engine, var);
  uint32_t column = x->spans[var].first;
  if (!x->spans[var].by_value) {
    add_entry(x, column, factor);
    return;
  }
  for
    CSP_EACH(index, domain) add_entry(x, column++, factor * csp_value(domain->var, index));
}

/* factor if var = value, by the index of the value; false: there is no such
 * column. */
static bool add_literal(relaxation *x, alea_csp_var var, uint32_t index, int64_t factor) {
  const csp_domain *domain = csp_dom(x->engine, var);
  if (index == ALEA_CSP_NONE || !csp_has(domain, index)) return true;
  uint32_t column = x->spans[var].first;
  if (domain->size == 1) {
    x->constant += factor;
  } else if (x->spans[var].by_value) {
    for
      CSP_EACH(v, domain) {
        if (v == index) break;
        column++;
      }
    add_entry(x, column, factor);
  } else if (is_flag(domain)) {
    bool one = csp_value(domain->var, index) == 1;
    x->constant += one ? 0 : factor;
    add_entry(x, column, one ? factor : -factor);
  } else {
    return false;
  }
  return true;
}

static bool add_value(relaxation *x, alea_csp_var var, int32_t value, int64_t factor) {
  return add_literal(x, var, csp_index(csp_dom(x->engine, var)->var, value), factor);
}

static void row_of_linear(relaxation *x, const csp_prop *prop) {
  const csp_linear *linear = prop->constraint->data;
  if (linear->op == ALEA_NE) return;
  for (uint32_t i = 0; i < prop->arity; i++) add_term(x, prop->scope[i], linear->coeffs[i]);
  end_row(x, linear->rhs, linear->op == ALEA_EQ);
}

static void rows_of_extremum(relaxation *x, const csp_prop *prop) {
  int64_t sign = prop->type == &csp_maximum_type ? 1 : -1;
  for (uint32_t i = 0; i + 1 < prop->arity; i++) {
    add_term(x, prop->scope[i], sign);
    add_term(x, prop->scope[prop->arity - 1], -sign);
    end_row(x, 0, false);
  }
}

static void row_of_iff(relaxation *x, const csp_prop *prop) {
  const csp_pair *pair = prop->constraint->data;
  if (add_value(x, prop->scope[0], pair->a, 1) && add_value(x, prop->scope[1], pair->b, -1))
    end_row(x, 0, true);
  else
    drop_row(x);
}

static void row_of_clause(relaxation *x, const csp_prop *prop) {
  const csp_clause *clause = prop->constraint->data;
  bool good = true;
  int64_t rhs = -1; /* the negated number of literals that hold */
  for (size_t i = 0; i < clause->count && good; i++) {
    const csp_literal *lit = &clause->lits[i];
    good = add_value(x, prop->scope[lit->position], lit->value, lit->negative ? 1 : -1);
    rhs += lit->negative;
  }
  if (good)
    end_row(x, rhs, false);
  else
    drop_row(x);
}

static void row_of_count(relaxation *x, const csp_prop *prop) {
  const csp_values *set = prop->constraint->data;
  bool good = true;
  for (uint32_t i = 0; i + 1 < prop->arity && good; i++)
    for (size_t k = 0; k < set->count && good; k++) {
      bool repeated = false;
      for (size_t j = 0; j < k; j++) repeated = repeated || set->values[j] == set->values[k];
      good = repeated || add_value(x, prop->scope[i], set->values[k], 1);
    }
  if (!good) {
    drop_row(x);
    return;
  }
  add_term(x, prop->scope[prop->arity - 1], -1);
  end_row(x, 0, true);
}

static void row_of_value(relaxation *x, const csp_prop *prop, int32_t value) {
  bool good = true;
  for (uint32_t i = 0; i < prop->arity && good; i++) good = add_value(x, prop->scope[i], value, 1);
  if (good)
    end_row(x, 1, false);
  else
    drop_row(x);
}

/* Every value at most once. */
static void rows_of_all_different(relaxation *x, const csp_prop *prop) {
  const csp_values *except = prop->constraint->data;
  int64_t least = INT64_MAX, most = INT64_MIN;
  if (except->count > 0) return;
  for (uint32_t i = 0; i < prop->arity; i++) {
    const csp_domain *domain = csp_dom(x->engine, prop->scope[i]);
    if (csp_min(domain) < least) least = csp_min(domain);
    if (csp_max(domain) > most) most = csp_max(domain);
  }
  if (most - least > 4 * MAX_VALUES) return;
  for (int64_t value = least; value <= most; value++) row_of_value(x, prop, (int32_t)value);
}

/* The other columns are functions of the key: a sum of its literals. */
static void rows_of_table(relaxation *x, const csp_prop *prop) {
  const csp_table *table = prop->constraint->data;
  uint32_t key = key_of(x->engine, prop);
  if (key == ALEA_CSP_NONE) return;
  for (uint32_t c = 0; c < prop->arity; c++) {
    if (c == key) continue;
    const csp_variable *var = csp_dom(x->engine, prop->scope[c])->var;
    bool good = true;
    for (size_t r = 0; r < table->count && good; r++)
      good = add_literal(x, prop->scope[key], table->rows[r * table->arity + key],
                         -(int64_t)csp_value(var, table->rows[r * table->arity + c]));
    if (!good) {
      drop_row(x);
      continue;
    }
    add_term(x, prop->scope[c], 1);
    end_row(x, 0, true);
  }
}

static void rows_of(relaxation *x, const csp_prop *prop) {
  const csp_type *type = prop->type;
  if (type == &csp_linear_type || type == &csp_order_type)
    row_of_linear(x, prop);
  else if (type == &csp_maximum_type || type == &csp_minimum_type)
    rows_of_extremum(x, prop);
  else if (type == &csp_iff_type)
    row_of_iff(x, prop);
  else if (type == &csp_clause_type)
    row_of_clause(x, prop);
  else if (type == &csp_count_type)
    row_of_count(x, prop);
  else if (type == &csp_all_different_type)
    rows_of_all_different(x, prop);
  else if (csp_is_table(type))
    rows_of_table(x, prop);
}

static void one_value_each(relaxation *x) {
  for (uint32_t v = 0; v < x->engine->var_count; v++) {
    const csp_domain *domain = csp_dom(x->engine, v);
    if (!x->spans[v].by_value) continue;
    for (uint32_t k = 0; k < domain->size; k++) add_entry(x, x->spans[v].first + k, 1);
    end_row(x, 1, true);
  }
}

/* False: too large, or no memory. */
static bool build(relaxation *x) {
  const csp_engine *engine = x->engine;
  for (uint32_t p = 0; p < engine->csp->constraints.count; p++) want(x, &engine->props[p]);
  make_columns(x);
  if (!alea_vec_push(x->mem, &x->starts, (size_t)0)) x->failed = true;
  if (x->failed || x->lower.count > MAX_COLUMNS) return false;
  one_value_each(x);
  for (uint32_t p = 0; p < engine->csp->constraints.count && !x->failed; p++) {
    rows_of(x, &engine->props[p]);
    if (x->rhs.count > MAX_CELLS / (x->lower.count + x->rhs.count + 1)) return false;
  }
  return !x->failed;
}

/* ---- the constraint ---- */

/* The rows added up, each so many times: factors[column], and the right-hand
 * side.  False: the numbers are too large. */
static bool add_up(const relaxation *x, const double *multipliers, int64_t *factors, int64_t *rhs) {
  *rhs = 0;
  for (size_t r = 0; r < x->rhs.count; r++) {
    if (!(fabs(multipliers[r]) < 1e9)) return false;
    /* Negated, so that a row "at most" is taken a positive number of times. */
    int64_t times = -(int64_t)llround(multipliers[r] * SCALE), part;
    if (times == 0) continue;
    if (__builtin_mul_overflow(times, x->rhs.data[r], &part) ||
        __builtin_add_overflow(*rhs, part, rhs))
      return false;
    for (size_t e = x->starts.data[r]; e < x->starts.data[r + 1]; e++)
      if (__builtin_mul_overflow(times, x->entries.data[e].value, &part) ||
          __builtin_add_overflow(factors[x->entries.data[e].column], part,
                                 &factors[x->entries.data[e].column]))
        return false;
  }
  return *rhs < INT64_C(1) << 58 && *rhs > -(INT64_C(1) << 58);
}

/* The cost of each value that is left; 0 for others, which do not come back. */
static const int64_t *value_costs(const csp_domain *domain, const int64_t *factors,
                                  alea_arena *arena) {
  int64_t *costs = alea_arena_alloc(arena, domain->var->size * sizeof *costs);
  if (costs == NULL) return NULL;
  memset(costs, 0, domain->var->size * sizeof *costs);
  for
    CSP_EACH(index, domain) costs[index] = *factors++;
  return costs;
}

/* What the function of a variable can be at most, in size. */
static double reach(const relaxation *x, alea_csp_var var, const int64_t *factors) {
  const csp_domain *domain = csp_dom(x->engine, var);
  const int64_t *own = &factors[x->spans[var].first];
  double most = 0;
  if (!x->spans[var].by_value)
    return fabs((double)own[0]) *
           fmax(fabs((double)csp_min(domain)), fabs((double)csp_max(domain)));
  for (uint32_t k = 0; k < domain->size; k++) most = fmax(most, fabs((double)own[k]));
  return most;
}

static const csp_constraint *make_constraint(const relaxation *x, const int64_t *factors,
                                             int64_t rhs, alea_arena *arena) {
  const csp_engine *engine = x->engine;
  uint32_t count = 0, n = 0;
  double total = 0;
  for (uint32_t v = 0; v < engine->var_count; v++) {
    double most = reach(x, v, factors);
    total += most;
    count += most != 0;
  }
  csp_constraint *constraint = alea_arena_alloc(arena, sizeof *constraint);
  csp_surrogate *s = alea_arena_alloc(arena, sizeof *s);
  alea_csp_var *scope = alea_arena_alloc(arena, (count + 1) * sizeof *scope);
  int64_t *coeffs = alea_arena_alloc(arena, (count + 1) * sizeof *coeffs);
  const int64_t **costs = alea_arena_alloc(arena, (count + 1) * sizeof *costs);
  if (count == 0 || total > 1e17 || constraint == NULL || s == NULL || scope == NULL ||
      coeffs == NULL || costs == NULL)
    return NULL;
  for (uint32_t v = 0; v < engine->var_count; v++) {
    if (reach(x, v, factors) == 0) continue;
    const int64_t *own = &factors[x->spans[v].first];
    scope[n] = v;
    coeffs[n] = own[0];
    costs[n] = NULL;
    if (x->spans[v].by_value) {
      costs[n] = value_costs(csp_dom(engine, v), own, arena);
      if (costs[n] == NULL) return NULL;
    }
    n++;
  }
  *s = (csp_surrogate){rhs, coeffs, costs};
  *constraint = (csp_constraint){&csp_surrogate_type, n, false, scope, s};
  return constraint;
}

static const csp_constraint *solve(relaxation *x, alea_arena *arena) {
  csp_lp lp = {x->rhs.count,  x->lower.count, x->starts.data, x->entries.data, x->rhs.data,
               x->equal.data, x->lower.data,  x->upper.data,  x->cost.data};
  double *multipliers = alea_mem_calloc(x->mem, lp.rows + 1, sizeof *multipliers);
  int64_t *factors = alea_mem_calloc(x->mem, lp.columns + 1, sizeof *factors);
  const csp_constraint *constraint = NULL;
  int64_t rhs;
  if (multipliers != NULL && factors != NULL &&
      csp_lp_multipliers(x->mem, &lp, MAX_CELLS, multipliers) &&
      add_up(x, multipliers, factors, &rhs))
    constraint = make_constraint(x, factors, rhs, arena);
  alea_mem_free(x->mem, multipliers, (lp.rows + 1) * sizeof *multipliers);
  alea_mem_free(x->mem, factors, (lp.columns + 1) * sizeof *factors);
  return constraint;
}

const csp_constraint *csp_relax(const csp_engine *engine, alea_arena *arena) {
  relaxation x = {.engine = engine, .mem = engine->mem};
  x.spans = alea_mem_calloc(x.mem, engine->var_count, sizeof *x.spans);
  const csp_constraint *constraint = NULL;
  if (x.spans != NULL && build(&x)) constraint = solve(&x, arena);
  alea_mem_free(x.mem, x.spans, engine->var_count * sizeof *x.spans);
  alea_vec_clear(x.mem, &x.lower);
  alea_vec_clear(x.mem, &x.upper);
  alea_vec_clear(x.mem, &x.cost);
  alea_vec_clear(x.mem, &x.starts);
  alea_vec_clear(x.mem, &x.entries);
  alea_vec_clear(x.mem, &x.rhs);
  alea_vec_clear(x.mem, &x.equal);
  return constraint;
}
