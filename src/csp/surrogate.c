/* A sum of functions of single variables is at most a number: each function is a
 * factor, or a cost for every value. */
#include "csp/relax.h"

static int64_t cost_of(const csp_surrogate *s, uint32_t place, const csp_variable *var,
                       uint32_t index) {
  return s->costs[place] != NULL ? s->costs[place][index]
                                 : s->coeffs[place] * csp_value(var, index);
}

static bool surrogate_check(const alea_csp *csp, const csp_constraint *constraint,
                            const int32_t *values) {
  const csp_surrogate *s = constraint->data;
  int64_t sum = 0;
  for (uint32_t i = 0; i < constraint->arity; i++) {
    const csp_variable *var = &csp->vars.data[constraint->scope[i]];
    sum += cost_of(s, i, var, csp_index(var, values[i]));
  }
  return sum <= s->rhs;
}

static int64_t cheapest(const csp_surrogate *s, uint32_t place, const csp_domain *domain) {
  if (s->costs[place] == NULL)
    return s->coeffs[place] * (s->coeffs[place] > 0 ? csp_min(domain) : csp_max(domain));
  int64_t least = INT64_MAX;
  for
    CSP_EACH(v, domain)
  if (s->costs[place][v] < least) least = s->costs[place][v];
  return least;
}

/* Removes the values that cost more than the cheapest one and 'room'. */
static bool prune(csp_engine *engine, const csp_surrogate *s, uint32_t place, alea_csp_var var,
                  int64_t room) {
  const csp_domain *domain = csp_dom(engine, var);
  int64_t factor = s->coeffs[place], most = cheapest(s, place, domain) + room;
  if (s->costs[place] == NULL) {
    int64_t size = factor > 0 ? factor : -factor, steps = room / size;
    return factor > 0 ? csp_at_most(engine, var, csp_min(domain) + steps)
                      : csp_at_least(engine, var, csp_max(domain) - steps);
  }
  for
    CSP_EACH(v, domain)
  if (s->costs[place][v] > most && !csp_remove(engine, var, v)) return false;
  return true;
}

static bool surrogate_propagate(csp_engine *engine, csp_prop *prop) {
  const csp_surrogate *s = prop->constraint->data;
  int64_t room = s->rhs;
  for (uint32_t i = 0; i < prop->arity; i++)
    room -= cheapest(s, i, csp_dom(engine, prop->scope[i]));
  if (room < 0) return false;
  for (uint32_t i = 0; i < prop->arity; i++)
    if (!csp_fixed(csp_dom(engine, prop->scope[i])) && !prune(engine, s, i, prop->scope[i], room))
      return false;
  return true;
}

static bool surrogate_start(csp_engine *engine, csp_prop *prop) {
  return csp_watch_scope(engine, prop, false);
}

const csp_type csp_surrogate_type = {"surrogate",        3, true, surrogate_check, surrogate_start,
                                     surrogate_propagate};
