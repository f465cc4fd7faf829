/* Checks on `or`, `and`, `not` and on empty bodies. */
#include "gdl/checks.h"

static void check_formula(alea_reporter *r, const alea_outline *o, uint32_t i) {
  const alea_sexprs *e = o->exprs;
  const alea_sexpr *at = &e->items.data[i];
  bool is_and = alea_sexpr_is_call(e, i, ALEA_SYM_AND);
  bool is_or = alea_sexpr_is_call(e, i, ALEA_SYM_OR);
  if ((is_and || is_or) && at->after == i + 2)
    alea_report(r, ALEA_CODE_EMPTY_CONNECTIVE, at->line, at->column,
                is_or ? "`or` without alternatives is never true"
                      : "`and` without conditions is always true");
  if (is_and)
    alea_report(r, ALEA_CODE_AND_IN_BODY, at->line, at->column,
                "`and` is not a word of GDL; conditions are written one after the other");
  if (!alea_sexpr_is_call(e, i, ALEA_SYM_NOT) || !alea_sexpr_is_list(e, i + 2)) return;
  alea_symbol inner = alea_sexpr_name(e, i + 2);
  if (inner == ALEA_SYM_AND || inner == ALEA_SYM_OR || inner == ALEA_SYM_NOT ||
      inner == ALEA_SYM_DISTINCT)
    alea_report(r, ALEA_CODE_NEGATED_CONNECTIVE, at->line, at->column,
                "only a plain sentence may be negated, not `%s`",
                alea_symbols_text(o->symbols, inner));
}

static bool is_connective(const alea_sexprs *e, uint32_t i) {
  return alea_sexpr_is_call(e, i, ALEA_SYM_NOT) || alea_sexpr_is_call(e, i, ALEA_SYM_AND) ||
         alea_sexpr_is_call(e, i, ALEA_SYM_OR);
}

static void check_rule(alea_reporter *r, const alea_outline *o, uint32_t rule) {
  const alea_sexprs *e = o->exprs;
  uint32_t end = e->items.data[rule].after;
  uint32_t body = e->items.data[rule + 2].after;
  if (body == end)
    alea_report(r, ALEA_CODE_EMPTY_BODY, e->items.data[rule].line, e->items.data[rule].column,
                "a rule without conditions is a fact; write it without `<=`");
  for (uint32_t i = body; i < end; i = is_connective(e, i) ? i + 2 : e->items.data[i].after)
    check_formula(r, o, i);
}

bool alea_check_connectives(alea_reporter *reporter, const alea_outline *outline) {
  for (size_t k = 0; k < alea_outline_rule_count(outline); k++) {
    uint32_t rule = outline->rules.data[k].expr;
    if (alea_sexpr_is_call(outline->exprs, rule, ALEA_SYM_IMPLIED))
      check_rule(reporter, outline, rule);
  }
  return true;
}
