/* Gives unsafe rules a sensible reading: afterwards every variable of the
 * conjunction occurs in a positive literal. */
#include "gdl/normalise.h"

#define NOWHERE UINT32_MAX
#define UNSAFE ALEA_CODE_UNSAFE_VARIABLE

static bool mark_bound(alea_normaliser *n) {
  alea_marks_reset(&n->bound);
  for (size_t i = 0; i < n->lits.count; i++)
    if (n->lits.data[i].kind == LIT_TRUE &&
        !alea_mark_variables(n, n->lits.data[i].a, &n->bound, NULL))
      return false;
  return true;
}

/* The first position in 'expr' of an unbound variable, or NOWHERE. */
static uint32_t find_unbound(const alea_normaliser *n, uint32_t expr) {
  uint32_t end = n->exprs->items.data[expr].after;
  for (uint32_t i = expr; i < end; i++) {
    alea_symbol name = n->exprs->items.data[i].atom;
    if (alea_symbol_is_variable(n->program->symbols, name) && !alea_marks_has(&n->bound, name))
      return i;
  }
  return NOWHERE;
}

/* Warns once per variable and rule of the text. */
static bool warn(alea_normaliser *n, uint32_t at, alea_code code, const char *reading) {
  const alea_sexpr *e = &n->exprs->items.data[at];
  if (alea_marks_get(&n->warned, e->atom) == n->origin) return true;
  if (!alea_marks_set(&n->warned, e->atom, n->origin)) return alea_normalise_no_memory(n);
  alea_report(
      n->reporter, code, e->line, e->column,
      "no condition without `not` gives %s a value: add one that names it, or spell it as it is "
      "there; for play %s",
      alea_symbols_spelling(n->program->symbols, e->atom), reading);
  return true;
}

static bool add_guard(alea_normaliser *n, alea_symbol predicate, alea_symbol variable) {
  alea_rule_lit guard = {.kind = LIT_TRUE};
  if (!alea_build_open(n, &guard.a) || !alea_build_name(n, predicate) ||
      !alea_build_name(n, variable))
    return false;
  alea_build_close(n, guard.a);
  if (!alea_vec_push(n->mem, &n->lits, guard)) return alea_normalise_no_memory(n);
  return alea_marks_set(&n->bound, variable, 1) ? true : alea_normalise_no_memory(n);
}

/* Whether 'variable' is the role in the head of legal, goal, sees or input. */
static bool is_role_argument(const alea_normaliser *n, alea_symbol variable) {
  if (!alea_sexpr_is_list(n->exprs, n->head) || alea_sexpr_arity(n->exprs, n->head) != 2)
    return false;
  alea_symbol name = alea_sexpr_name(n->exprs, n->head);
  return (name == ALEA_SYM_LEGAL || name == ALEA_SYM_GOAL || name == ALEA_SYM_SEES ||
          name == ALEA_SYM_INPUT) &&
         n->exprs->items.data[n->head + 2].atom == variable;
}

/* Bounds one unbound variable of the head by its domain. */
static bool bind_variable(alea_normaliser *n, uint32_t at, bool *keep) {
  alea_symbol variable = n->exprs->items.data[at].atom;
  if (is_role_argument(n, variable))
    return warn(n, at, UNSAFE, "it is taken to be any role") &&
           add_guard(n, ALEA_SYM_ROLE, variable);
  alea_symbol predicate;
  bool endless;
  if (!alea_domain_of(n, n->head, variable, &predicate, &endless)) return false;
  *keep = !endless;
  if (endless)
    return warn(n, at, ALEA_CODE_UNBOUNDED_DOMAIN,
                "the rule is ignored, since terms of any size would fit this place");
  return warn(n, at, UNSAFE, "it is taken to be any term that fits this place") &&
         add_guard(n, predicate, variable);
}

static bool bind_head(alea_normaliser *n, bool *keep) {
  for (*keep = true; *keep;) {
    uint32_t at = find_unbound(n, n->head);
    if (at == NOWHERE) return true;
    if (!bind_variable(n, at, keep)) return false;
  }
  return true;
}

/* `not p(x, y)` with y unbound: "there is no y with p(x, y)". */
static bool project_negation(alea_normaliser *n, alea_rule_lit *lit) {
  alea_u32s variables = {0};
  alea_marks_reset(&n->seen);
  bool ok = alea_mark_variables(n, lit->a, &n->seen, &variables);
  size_t kept = 0;
  for (size_t i = 0; i < variables.count; i++)
    if (alea_marks_has(&n->bound, variables.data[i])) variables.data[kept++] = variables.data[i];
  uint32_t aux = 0;
  ok = ok && alea_build_aux(n, variables.data, kept, &aux) &&
       alea_queue_rule(n, aux, &(alea_item){lit->a, false}, 1);
  lit->a = aux;
  alea_vec_clear(n->mem, &variables);
  return ok;
}

/* Gives an unsafe literal a reading; '*keep' is false if it is dropped. */
static bool settle_literal(alea_normaliser *n, alea_rule_lit *lit, bool *keep) {
  *keep = true;
  if (lit->kind == LIT_TRUE) return true;
  uint32_t at = find_unbound(n, lit->a);
  if (at == NOWHERE && lit->kind == LIT_DISTINCT) at = find_unbound(n, lit->b);
  if (at == NOWHERE) return true;
  *keep = lit->kind != LIT_DISTINCT;
  if (!*keep) return warn(n, at, UNSAFE, "the `distinct` is ignored");
  return warn(n, at, UNSAFE, "the negation is read as \"there is no\"") && project_negation(n, lit);
}

bool alea_make_safe(alea_normaliser *n, bool *keep) {
  if (!mark_bound(n) || !bind_head(n, keep)) return false;
  if (!*keep) return true;
  size_t kept = 0;
  for (size_t i = 0; i < n->lits.count; i++) {
    alea_rule_lit lit = n->lits.data[i];
    bool keep_lit;
    if (!settle_literal(n, &lit, &keep_lit)) return false;
    if (keep_lit) n->lits.data[kept++] = lit;
  }
  n->lits.count = kept;
  return true;
}
