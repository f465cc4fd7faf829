/* One linear pass: inside the connectives every argument is a formula, so
 * stepping into them visits all atoms and nothing else. */
#include "gdl/outline.h"

#include "gdl/program.h"

static bool add_use(alea_outline *o, uint32_t expr, bool head, bool negated) {
  alea_use use = {.expr = expr, .head = head, .negated = negated};
  use.rule = (uint32_t)o->rules.count - 1;
  use.relation = alea_functors_add(&o->relations, alea_sexpr_name(o->exprs, expr),
                                   alea_sexpr_arity(o->exprs, expr), 0);
  return use.relation != ALEA_NO_FUNCTOR && alea_vec_push(o->mem, &o->uses, use);
}

/* 'nots' holds the ends of the enclosing negations. */
static bool add_body(alea_outline *o, uint32_t first, uint32_t end, alea_u32s *nots) {
  const alea_sexprs *e = o->exprs;
  for (uint32_t i = first; i < end;) {
    while (nots->count > 0 && nots->data[nots->count - 1] <= i) nots->count--;
    bool negation = alea_sexpr_is_call(e, i, ALEA_SYM_NOT);
    if (negation && !alea_vec_push(o->mem, nots, e->items.data[i].after)) return false;
    if (negation || alea_sexpr_is_call(e, i, ALEA_SYM_OR) ||
        alea_sexpr_is_call(e, i, ALEA_SYM_AND)) {
      i += 2;
      continue;
    }
    if (!alea_sexpr_is_call(e, i, ALEA_SYM_DISTINCT) && !add_use(o, i, false, nots->count % 2 != 0))
      return false;
    i = e->items.data[i].after;
  }
  return true;
}

static bool add_rule(alea_outline *o, uint32_t expr) {
  const alea_sexprs *e = o->exprs;
  alea_outline_rule rule = {expr, (uint32_t)o->uses.count};
  if (!alea_vec_push(o->mem, &o->rules, rule)) return false;
  if (!alea_sexpr_is_call(e, expr, ALEA_SYM_IMPLIED)) return add_use(o, expr, true, false);
  if (!add_use(o, expr + 2, true, false)) return false;
  alea_u32s nots = {0};
  bool ok = add_body(o, e->items.data[expr + 2].after, e->items.data[expr].after, &nots);
  alea_vec_clear(o->mem, &nots);
  return ok;
}

bool alea_outline_init(alea_outline *outline, const alea_sexprs *exprs,
                       const alea_symbols *symbols) {
  *outline = (alea_outline){.mem = exprs->mem, .exprs = exprs, .symbols = symbols};
  alea_functors_init(&outline->relations, exprs->mem);
  for (uint32_t i = 0; i < exprs->items.count; i = exprs->items.data[i].after)
    if (!add_rule(outline, i)) return false;
  alea_outline_rule end = {(uint32_t)exprs->items.count, (uint32_t)outline->uses.count};
  return alea_vec_push(outline->mem, &outline->rules, end);
}

void alea_outline_clear(alea_outline *outline) {
  alea_functors_clear(&outline->relations);
  alea_vec_clear(outline->mem, &outline->uses);
  alea_vec_clear(outline->mem, &outline->rules);
}
