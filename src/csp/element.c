/* Element, count, minimum and maximum over lists of variables. */
#include "csp/constraints.h"

static bool watch_all(csp_engine *engine, csp_prop *prop) {
  return csp_watch_scope(engine, prop, false);
}

static bool common_value(const csp_domain *a, const csp_domain *b) {
  for
    CSP_EACH(v, a)
  if (csp_has_value(b, csp_value(a->var, v))) return true;
  return false;
}

/* ---- element: scope is list, index, value ---- */

static bool element_check(const alea_csp *csp, const csp_constraint *constraint,
                          const int32_t *values) {
  (void)csp;
  const csp_element *element = constraint->data;
  int64_t at = (int64_t)values[element->count] - element->base;
  return at >= 0 && at < element->count && values[at] == values[element->count + 1];
}

static bool reachable_value(const csp_engine *engine, const csp_prop *prop,
                            const csp_element *element, int32_t value) {
  const csp_domain *index = csp_dom(engine, prop->scope[element->count]);
  for
    CSP_EACH(i, index) {
      int64_t at = (int64_t)csp_value(index->var, i) - element->base;
      if (csp_has_value(csp_dom(engine, prop->scope[at]), value)) return true;
    }
  return false;
}

static bool filter_index(csp_engine *engine, csp_prop *prop, const csp_element *element) {
  alea_csp_var var = prop->scope[element->count];
  const csp_domain *index = csp_dom(engine, var);
  const csp_domain *value = csp_dom(engine, prop->scope[element->count + 1]);
  for
    CSP_EACH(i, index) {
      int64_t at = (int64_t)csp_value(index->var, i) - element->base;
      bool good =
          at >= 0 && at < element->count && common_value(csp_dom(engine, prop->scope[at]), value);
      if (!good && !csp_remove(engine, var, i)) return false;
    }
  return true;
}

static bool element_propagate(csp_engine *engine, csp_prop *prop) {
  const csp_element *element = prop->constraint->data;
  alea_csp_var value_var = prop->scope[element->count + 1];
  const csp_domain *index = csp_dom(engine, prop->scope[element->count]);
  const csp_domain *value = csp_dom(engine, value_var);
  if (!filter_index(engine, prop, element)) return false;
  for
    CSP_EACH(v, value)
  if (!reachable_value(engine, prop, element, csp_value(value->var, v)) &&
      !csp_remove(engine, value_var, v))
    return false;
  if (index->size != 1) return true;
  alea_csp_var chosen = prop->scope[(int64_t)csp_min(index) - element->base];
  const csp_domain *domain = csp_dom(engine, chosen);
  for
    CSP_EACH(v, domain)
  if (!csp_has_value(value, csp_value(domain->var, v)) && !csp_remove(engine, chosen, v))
    return false;
  return true;
}

const csp_type csp_element_type = {"element",     2,         false,
                                   element_check, watch_all, element_propagate};

/* Joins a list and some single variables to one scope. */
static alea_csp_var *join(alea_csp *csp, const alea_csp_var *list, uint32_t count, alea_csp_var a,
                          alea_csp_var b) {
  alea_csp_var *scope = csp_alloc(csp, (size_t)count + 2, sizeof *scope);
  if (scope == NULL) return NULL;
  if (count != 0) memcpy(scope, list, count * sizeof *scope);
  scope[count] = a;
  scope[count + 1] = b;
  return scope;
}

alea_status alea_csp_element(alea_csp *csp, const alea_csp_var *list, uint32_t count, int32_t base,
                             alea_csp_var index, alea_csp_var value) {
  csp_element *data = csp_alloc(csp, 1, sizeof *data);
  alea_csp_var *scope = join(csp, list, count, index, value);
  if (data == NULL || scope == NULL) return csp->state;
  *data = (csp_element){count, base};
  return csp_post(csp, &csp_element_type, scope, count + 2, data);
}

/* ---- count: scope is list, total ---- */

static bool counted(const csp_values *set, int32_t value) {
  for (size_t i = 0; i < set->count; i++)
    if (set->values[i] == value) return true;
  return false;
}

static bool count_check(const alea_csp *csp, const csp_constraint *constraint,
                        const int32_t *values) {
  (void)csp;
  int64_t total = 0;
  for (uint32_t i = 0; i + 1 < constraint->arity; i++)
    total += counted(constraint->data, values[i]);
  return total == values[constraint->arity - 1];
}

/* 0: never counted, 1: always, 2: open */
static int membership(const csp_domain *domain, const csp_values *set) {
  uint32_t inside = 0;
  for (size_t i = 0; i < set->count; i++) inside += csp_has_value(domain, set->values[i]);
  return inside == 0 ? 0 : inside == domain->size ? 1 : 2;
}

static bool settle(csp_engine *engine, alea_csp_var var, const csp_values *set, bool in) {
  const csp_domain *domain = csp_dom(engine, var);
  for
    CSP_EACH(v, domain)
  if (counted(set, csp_value(domain->var, v)) != in && !csp_remove(engine, var, v)) return false;
  return true;
}

static bool count_propagate(csp_engine *engine, csp_prop *prop) {
  const csp_values *set = prop->constraint->data;
  uint32_t list = prop->arity - 1;
  alea_csp_var total = prop->scope[list];
  int64_t sure = 0, possible = 0;
  for (uint32_t i = 0; i < list; i++) {
    int member = membership(csp_dom(engine, prop->scope[i]), set);
    sure += member == 1;
    possible += member != 0;
  }
  if (!csp_at_least(engine, total, sure) || !csp_at_most(engine, total, possible)) return false;
  const csp_domain *domain = csp_dom(engine, total);
  bool no_more = csp_max(domain) == sure, all = csp_min(domain) == possible;
  if ((!no_more && !all) || sure == possible) return true;
  for (uint32_t i = 0; i < list; i++)
    if (membership(csp_dom(engine, prop->scope[i]), set) == 2 &&
        !settle(engine, prop->scope[i], set, all))
      return false;
  return true;
}

const csp_type csp_count_type = {"count", 2, false, count_check, watch_all, count_propagate};

alea_status alea_csp_count(alea_csp *csp, const alea_csp_var *vars, uint32_t count,
                           const int32_t *values, size_t value_count, alea_csp_var total) {
  csp_values *data = csp_alloc(csp, 1, sizeof *data);
  int32_t *set = csp_copy(csp, values, value_count, sizeof *values);
  alea_csp_var *scope = join(csp, vars, count, total, total);
  if (data == NULL || set == NULL || scope == NULL) return csp->state;
  size_t distinct = 0;
  for (size_t i = 0; i < value_count; i++) {
    csp_values before = {distinct, set};
    if (!counted(&before, set[i])) set[distinct++] = set[i];
  }
  *data = (csp_values){distinct, set};
  return csp_post(csp, &csp_count_type, scope, count + 1, data);
}

/* ---- maximum and minimum: scope is list, result; sign -1 is the minimum ---- */

static bool extremum_check(const csp_constraint *constraint, const int32_t *values, int sign) {
  uint32_t list = constraint->arity - 1;
  int64_t best = INT64_MIN;
  for (uint32_t i = 0; i < list; i++)
    if ((int64_t)sign * values[i] > best) best = (int64_t)sign * values[i];
  return best == (int64_t)sign * values[list];
}

static int64_t high(const csp_domain *domain, int sign) {
  return sign > 0 ? csp_max(domain) : -(int64_t)csp_min(domain);
}

static int64_t low(const csp_domain *domain, int sign) {
  return sign > 0 ? csp_min(domain) : -(int64_t)csp_max(domain);
}

static bool cap(csp_engine *engine, alea_csp_var var, int64_t value, int sign) {
  return sign > 0 ? csp_at_most(engine, var, value) : csp_at_least(engine, var, -value);
}

static bool lift(csp_engine *engine, alea_csp_var var, int64_t value, int sign) {
  return sign > 0 ? csp_at_least(engine, var, value) : csp_at_most(engine, var, -value);
}

/* Removes values of the result that no variable of the list can take; of a large
 * domain only the bounds are kept right. */
static bool filter_result(csp_engine *engine, csp_prop *prop) {
  enum { LARGE = 256 };
  uint32_t list = prop->arity - 1;
  const csp_domain *result = csp_dom(engine, prop->scope[list]);
  if (result->size > LARGE) return true;
  for
    CSP_EACH(v, result) {
      int32_t value = csp_value(result->var, v);
      bool found = false;
      for (uint32_t i = 0; i < list && !found; i++)
        found = csp_has_value(csp_dom(engine, prop->scope[i]), value);
      if (!found && !csp_remove(engine, prop->scope[list], v)) return false;
    }
  return true;
}

static bool extremum_propagate(csp_engine *engine, csp_prop *prop, int sign) {
  uint32_t list = prop->arity - 1, reaching = 0, last = 0;
  alea_csp_var result = prop->scope[list];
  int64_t highest = INT64_MIN, lowest = INT64_MIN;
  for (uint32_t i = 0; i < list; i++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    if (high(domain, sign) > highest) highest = high(domain, sign);
    if (low(domain, sign) > lowest) lowest = low(domain, sign);
  }
  if (!cap(engine, result, highest, sign) || !lift(engine, result, lowest, sign)) return false;
  if (!filter_result(engine, prop)) return false;
  int64_t top = high(csp_dom(engine, result), sign), floor = low(csp_dom(engine, result), sign);
  for (uint32_t i = 0; i < list; i++) {
    if (!cap(engine, prop->scope[i], top, sign)) return false;
    if (high(csp_dom(engine, prop->scope[i]), sign) < floor) continue;
    reaching++;
    last = i;
  }
  if (reaching == 0) return false;
  return reaching > 1 || lift(engine, prop->scope[last], floor, sign);
}

static bool maximum_check(const alea_csp *csp, const csp_constraint *c, const int32_t *values) {
  (void)csp;
  return extremum_check(c, values, 1);
}

static bool minimum_check(const alea_csp *csp, const csp_constraint *c, const int32_t *values) {
  (void)csp;
  return extremum_check(c, values, -1);
}

static bool maximum_propagate(csp_engine *engine, csp_prop *prop) {
  return extremum_propagate(engine, prop, 1);
}

static bool minimum_propagate(csp_engine *engine, csp_prop *prop) {
  return extremum_propagate(engine, prop, -1);
}

const csp_type csp_maximum_type = {"maximum",     2,         false,
                                   maximum_check, watch_all, maximum_propagate};
const csp_type csp_minimum_type = {"minimum",     2,         false,
                                   minimum_check, watch_all, minimum_propagate};

static alea_status post_extremum(alea_csp *csp, const csp_type *type, const alea_csp_var *vars,
                                 uint32_t count, alea_csp_var result) {
  if (count == 0) return csp_fail(csp, ALEA_USAGE);
  alea_csp_var *scope = join(csp, vars, count, result, result);
  return scope == NULL ? csp->state : csp_post(csp, type, scope, count + 1, NULL);
}

alea_status alea_csp_maximum(alea_csp *csp, const alea_csp_var *vars, uint32_t count,
                             alea_csp_var result) {
  return post_extremum(csp, &csp_maximum_type, vars, count, result);
}

alea_status alea_csp_minimum(alea_csp *csp, const alea_csp_var *vars, uint32_t count,
                             alea_csp_var result) {
  return post_extremum(csp, &csp_minimum_type, vars, count, result);
}
