/* Linear constraints with bounds propagation, and the order x + c <= y. */
#include "csp/constraints.h"

static bool linear_check(const alea_csp *csp, const csp_constraint *constraint,
                         const int32_t *values) {
  (void)csp;
  const csp_linear *linear = constraint->data;
  int64_t sum = 0;
  for (uint32_t i = 0; i < constraint->arity; i++) sum += linear->coeffs[i] * values[i];
  if (linear->op == ALEA_LE) return sum <= linear->rhs;
  return (sum == linear->rhs) == (linear->op == ALEA_EQ);
}

static int64_t least(const csp_domain *domain, int64_t coeff) {
  return coeff * (coeff > 0 ? csp_min(domain) : csp_max(domain));
}

static int64_t most(const csp_domain *domain, int64_t coeff) {
  return coeff * (coeff > 0 ? csp_max(domain) : csp_min(domain));
}

static int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

/* coeff * var <= room */
static bool limit_term(csp_engine *engine, alea_csp_var var, int64_t coeff, int64_t room) {
  if (coeff > 0) return csp_at_most(engine, var, floor_div(room, coeff));
  return csp_at_least(engine, var, -floor_div(room, -coeff));
}

static bool at_most(csp_engine *engine, const csp_prop *prop, const csp_linear *linear,
                    int64_t sign) {
  int64_t floor = 0, rhs = sign * linear->rhs;
  for (uint32_t i = 0; i < prop->arity; i++)
    floor += least(csp_dom(engine, prop->scope[i]), sign * linear->coeffs[i]);
  if (floor > rhs) return false;
  for (uint32_t i = 0; i < prop->arity; i++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    int64_t coeff = sign * linear->coeffs[i];
    int64_t others = floor - least(domain, coeff);
    if (others + most(domain, coeff) <= rhs) continue;
    if (!limit_term(engine, prop->scope[i], coeff, rhs - others)) return false;
  }
  return true;
}

static bool differ(csp_engine *engine, const csp_prop *prop, const csp_linear *linear) {
  int64_t rest = linear->rhs;
  uint32_t open = ALEA_CSP_NONE;
  for (uint32_t i = 0; i < prop->arity; i++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    if (domain->size == 1) {
      rest -= linear->coeffs[i] * csp_min(domain);
    } else {
      if (open != ALEA_CSP_NONE) return true;
      open = i;
    }
  }
  if (open == ALEA_CSP_NONE) return rest != 0;
  if (rest % linear->coeffs[open] != 0) return true;
  return csp_remove_value(engine, prop->scope[open], rest / linear->coeffs[open]);
}

static bool linear_start(csp_engine *engine, csp_prop *prop) {
  const csp_linear *linear = prop->constraint->data;
  for (uint32_t i = 0; i < prop->arity; i++)
    if (!csp_watch_add(engine, prop, i, linear->op == ALEA_NE ? 1 : UINT32_MAX,
                       linear->op != ALEA_NE))
      return false;
  return true;
}

static bool linear_propagate(csp_engine *engine, csp_prop *prop) {
  const csp_linear *linear = prop->constraint->data;
  if (linear->op == ALEA_NE) return differ(engine, prop, linear);
  if (!at_most(engine, prop, linear, 1)) return false;
  return linear->op == ALEA_LE || at_most(engine, prop, linear, -1);
}

const csp_type csp_linear_type = {"linear", 1, false, linear_check, linear_start, linear_propagate};

/* ---- x + c <= y, where c is the negated right-hand side ---- */

static bool order_propagate(csp_engine *engine, csp_prop *prop) {
  const csp_linear *linear = prop->constraint->data;
  int64_t gap = -linear->rhs;
  return csp_at_least(engine, prop->scope[1], csp_min(csp_dom(engine, prop->scope[0])) + gap) &&
         csp_at_most(engine, prop->scope[0], csp_max(csp_dom(engine, prop->scope[1])) - gap);
}

const csp_type csp_order_type = {"order", 0, true, linear_check, linear_start, order_propagate};

/* ---- posting ---- */

/* Adds the coefficients of repeated variables and drops zeros; returns the
 * number left. */
static uint32_t collect(const alea_csp_var *vars, const int64_t *coeffs, uint32_t count,
                        alea_csp_var *scope, int64_t *sums) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = 0;
    while (at < kept && scope[at] != vars[i]) at++;
    if (at == kept) {
      scope[kept] = vars[i];
      sums[kept++] = 0;
    }
    sums[at] += coeffs[i];
  }
  uint32_t nonzero = 0;
  for (uint32_t i = 0; i < kept; i++) {
    if (sums[i] == 0) continue;
    scope[nonzero] = scope[i];
    sums[nonzero++] = sums[i];
  }
  return nonzero;
}

/* Sums must stay far from the limits of 64 bits, whatever the values are. */
static bool too_large(const alea_csp *csp, const alea_csp_var *vars, const int64_t *coeffs,
                      uint32_t count, int64_t rhs) {
  const int64_t bound = INT64_C(1) << 60;
  int64_t total = 0;
  for (uint32_t i = 0; i < count; i++) {
    const csp_variable *var = &csp->vars.data[vars[i]];
    int64_t lo = csp_value(var, 0), hi = csp_value(var, var->size - 1), most;
    most = -lo > hi ? -lo : hi;
    if (coeffs[i] > bound || coeffs[i] < -bound ||
        __builtin_mul_overflow(coeffs[i] < 0 ? -coeffs[i] : coeffs[i], most > 0 ? most : 1,
                               &most) ||
        __builtin_add_overflow(total, most, &total) || total > bound)
      return true;
  }
  return rhs > bound || rhs < -bound;
}

static bool constant_holds(alea_op op, int64_t rhs) {
  return op == ALEA_LE ? 0 <= rhs : (rhs == 0) == (op == ALEA_EQ);
}

alea_status alea_csp_linear(alea_csp *csp, const alea_csp_var *vars, const int64_t *coeffs,
                            uint32_t count, alea_op op, int64_t rhs) {
  if (csp->state != ALEA_OK) return csp->state;
  for (uint32_t i = 0; i < count; i++)
    if (vars[i] >= csp->vars.count) return csp_fail(csp, ALEA_USAGE);
  if (too_large(csp, vars, coeffs, count, rhs)) return csp_fail(csp, ALEA_LIMIT);
  alea_csp_var *scope = csp_alloc(csp, count, sizeof *scope);
  int64_t *sums = csp_alloc(csp, count, sizeof *sums);
  csp_linear *linear = csp_alloc(csp, 1, sizeof *linear);
  if (scope == NULL || sums == NULL || linear == NULL) return csp->state;
  count = collect(vars, coeffs, count, scope, sums);
  bool flip = op == ALEA_GE || op == ALEA_GT;
  if (flip) {
    for (uint32_t i = 0; i < count; i++) sums[i] = -sums[i];
    rhs = -rhs;
  }
  if (op == ALEA_LT || op == ALEA_GT) rhs--;
  if (op != ALEA_EQ && op != ALEA_NE) op = ALEA_LE;
  *linear = (csp_linear){sums, op, rhs};
  if (count == 0) {
    csp->false_ = csp->false_ || !constant_holds(op, rhs);
    return csp->state;
  }
  bool order = count == 2 && op == ALEA_LE && sums[0] == 1 && sums[1] == -1;
  return csp_post(csp, order ? &csp_order_type : &csp_linear_type, scope, count, linear);
}
