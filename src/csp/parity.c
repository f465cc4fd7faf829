/* The two constraints of the board games of Strategic CSP ([STRAT06 §5.2]):
 * parity of the ranks on a line, and not both winners. */
#include "csp/constraints.h"

/* ---- not both ---- */

static bool not_both_check(const alea_csp *csp, const csp_constraint *constraint,
                           const int32_t *values) {
  (void)csp;
  const csp_pair *pair = constraint->data;
  bool a = false, b = false;
  for (uint32_t i = 0; i < constraint->arity; i++) {
    a = a || values[i] == pair->a;
    b = b || values[i] == pair->b;
  }
  return !(a && b);
}

static bool not_both_start(csp_engine *engine, csp_prop *prop) {
  for (uint32_t i = 0; i < prop->arity; i++)
    if (!csp_watch_add(engine, prop, i, 1, false)) return false;
  return true;
}

static bool not_both_propagate(csp_engine *engine, csp_prop *prop) {
  const csp_pair *pair = prop->constraint->data;
  bool a = false, b = false;
  for (uint32_t i = 0; i < prop->arity; i++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    if (domain->size != 1) continue;
    a = a || csp_min(domain) == pair->a;
    b = b || csp_min(domain) == pair->b;
  }
  if (!a && !b) return true;
  if (a && b) return false;
  for (uint32_t i = 0; i < prop->arity; i++)
    if (!csp_remove_value(engine, prop->scope[i], a ? pair->b : pair->a)) return false;
  return true;
}

const csp_type csp_not_both_type = {"notBoth",         1, false, not_both_check, not_both_start,
                                    not_both_propagate};

alea_status alea_csp_not_both(alea_csp *csp, const alea_csp_var *vars, uint32_t count, int32_t a,
                              int32_t b) {
  csp_pair *pair = csp_alloc(csp, 1, sizeof *pair);
  if (pair == NULL) return csp->state;
  *pair = (csp_pair){a, b};
  return csp_post(csp, &csp_not_both_type, vars, count, pair);
}

/* ---- parity line: scope is cells, flag ---- */

static bool parity_check(const alea_csp *csp, const csp_constraint *constraint,
                         const int32_t *values) {
  (void)csp;
  uint32_t cells = constraint->arity - 1, odd = 0;
  for (uint32_t i = 0; i < cells; i++) odd += (uint32_t)(values[i] & 1);
  return values[cells] == (odd == cells ? 1 : odd == 0 ? 2 : 0);
}

/* Per cell a word of the indexes of odd values; larger domains are checked
 * value by value. */
static bool parity_start(csp_engine *engine, csp_prop *prop) {
  uint32_t cells = prop->arity - 1;
  uint64_t *odd = alea_arena_alloc(&engine->arena, prop->arity * sizeof *odd);
  if (odd == NULL) return false;
  for (uint32_t i = 0; i < cells; i++) {
    const csp_variable *var = csp_dom(engine, prop->scope[i])->var;
    odd[i] = 0;
    for (uint32_t v = 0; v < var->size && v < 64; v++)
      if (csp_value(var, v) & 1) odd[i] |= UINT64_C(1) << v;
    /* Wake only when a cell loses a parity. */
    bool watched = var->size <= 64 && odd[i] != 0
                       ? csp_watch_part(engine, prop, i, odd[i])
                       : csp_watch_add(engine, prop, i, UINT32_MAX, false);
    if (!watched) return false;
  }
  prop->state = odd;
  return csp_watch_add(engine, prop, cells, UINT32_MAX, false);
}

/* Bit 0: the cell can be odd; bit 1: it can be even. */
static unsigned parities(const csp_domain *domain, uint64_t odd) {
  if (domain->word_count == 1)
    return (unsigned)((domain->word & odd) != 0) | (unsigned)((domain->word & ~odd) != 0) << 1;
  unsigned seen = 0;
  for
    CSP_EACH(v, domain) {
      seen |= csp_value(domain->var, v) & 1 ? 1u : 2u;
      if (seen == 3) break;
    }
  return seen;
}

static bool force(csp_engine *engine, alea_csp_var var, uint64_t odd, bool to_odd) {
  const csp_domain *domain = csp_dom(engine, var);
  if (domain->word_count == 1) return csp_keep_word(engine, var, 0, to_odd ? odd : ~odd);
  for
    CSP_EACH(v, domain)
  if ((csp_value(domain->var, v) & 1) != to_odd && !csp_remove(engine, var, v)) return false;
  return true;
}

/* All cells but 'open' have the parity 'odd'; unless the flag allows a complete
 * line, the open cell must have the other parity. */
static bool break_line(csp_engine *engine, csp_prop *prop, uint32_t open, bool odd) {
  const uint64_t *masks = prop->state;
  if (csp_has_value(csp_dom(engine, prop->scope[prop->arity - 1]), odd ? 1 : 2)) return true;
  return force(engine, prop->scope[open], masks[open], !odd);
}

static bool parity_propagate(csp_engine *engine, csp_prop *prop) {
  const uint64_t *masks = prop->state;
  uint32_t cells = prop->arity - 1, only_odd = 0, only_even = 0, open = 0;
  alea_csp_var flag = prop->scope[cells];
  for (uint32_t i = 0; i < cells; i++) {
    unsigned seen = parities(csp_dom(engine, prop->scope[i]), masks[i]);
    if (seen == 1)
      only_odd++;
    else if (seen == 2)
      only_even++;
    else
      open = i;
  }
  if (only_even > 0 && !csp_remove_value(engine, flag, 1)) return false;
  if (only_odd > 0 && !csp_remove_value(engine, flag, 2)) return false;
  if (only_odd > 0 && only_even > 0) return csp_assign_value(engine, flag, 0);
  if (only_odd == cells) return csp_assign_value(engine, flag, 1);
  if (only_even == cells) return csp_assign_value(engine, flag, 2);
  const csp_domain *domain = csp_dom(engine, flag);
  if (domain->size == 1 && csp_min(domain) != 0) {
    for (uint32_t i = 0; i < cells; i++)
      if (!force(engine, prop->scope[i], masks[i], csp_min(domain) == 1)) return false;
    return csp_min(domain) == 1 || csp_min(domain) == 2;
  }
  if (cells == 1) return csp_remove_value(engine, flag, 0) && !csp_has_value(domain, 0);
  if (only_odd + 1 == cells) return break_line(engine, prop, open, true);
  if (only_even + 1 == cells) return break_line(engine, prop, open, false);
  return true;
}

const csp_type csp_parity_type = {"parityLine",    1, false, parity_check, parity_start,
                                  parity_propagate};

alea_status alea_csp_parity_line(alea_csp *csp, const alea_csp_var *vars, uint32_t count,
                                 alea_csp_var flag) {
  if (count == 0) return csp_fail(csp, ALEA_USAGE);
  alea_csp_var *scope = csp_alloc(csp, (size_t)count + 1, sizeof *scope);
  if (scope == NULL) return csp->state;
  memcpy(scope, vars, count * sizeof *scope);
  scope[count] = flag;
  return csp_post(csp, &csp_parity_type, scope, count + 1, NULL);
}
