/* Checks that a game is complete: roles, moves, goals, an end. */
#include "gdl/checks.h"
#include "gdl/marks.h"

typedef struct needs {
  alea_reporter *r;
  const alea_outline *o;
  alea_marks roles;       /* name -> expression */
  alea_marks legal, goal; /* names that have at least one */
  bool all_legal, all_goal;
} needs;

static bool is_relation(const alea_outline *o, const alea_use *use, alea_symbol name,
                        uint32_t arity) {
  alea_functor f = o->relations.list.data[use->relation];
  return f.name == name && f.arity == arity;
}

static bool check_role(needs *n, const alea_use *use) {
  const alea_sexprs *e = n->o->exprs;
  uint32_t rule = n->o->rules.data[use->rule].expr;
  const alea_sexpr *at = &e->items.data[use->expr];
  if (rule != use->expr && e->items.data[rule].after > e->items.data[use->expr].after) {
    alea_report(n->r, ALEA_CODE_ROLE_RULE, at->line, at->column,
                "roles should be facts such as (role white), not the result of a rule");
    return true;
  }
  alea_symbol name = e->items.data[use->expr + 2].atom;
  if (alea_marks_has(&n->roles, name))
    alea_report(n->r, ALEA_CODE_DUPLICATE_ROLE, at->line, at->column,
                "the role %s is named a second time", alea_symbols_spelling(n->o->symbols, name));
  return alea_marks_has(&n->roles, name) || alea_marks_set(&n->roles, name, use->expr);
}

static bool is_goal_value(const char *text) {
  unsigned value = 0;
  if (*text == '\0') return false;
  for (; *text != '\0'; text++) {
    if (*text < '0' || *text > '9') return false;
    value = 10 * value + (unsigned)(*text - '0');
    if (value > 100) return false;
  }
  return true;
}

static void check_goal(needs *n, const alea_use *use) {
  const alea_sexprs *e = n->o->exprs;
  uint32_t value = e->items.data[use->expr + 2].after;
  alea_symbol name = e->items.data[value].atom;
  if (alea_symbol_is_variable(n->o->symbols, name)) return;
  if (name != ALEA_NO_SYMBOL && is_goal_value(alea_symbols_text(n->o->symbols, name))) return;
  alea_report(n->r, ALEA_CODE_GOAL_VALUE, e->items.data[value].line, e->items.data[value].column,
              "a goal value must be a whole number from 0 to 100");
}

/* Records the role of a legal or goal rule. */
static bool note_role(needs *n, const alea_use *use, alea_marks *marks, bool *all) {
  alea_symbol name = n->o->exprs->items.data[use->expr + 2].atom;
  if (alea_symbol_is_variable(n->o->symbols, name)) *all = true;
  return name == ALEA_NO_SYMBOL || alea_marks_set(marks, name, 1);
}

static bool visit_heads(needs *n) {
  for (size_t i = 0; i < n->o->uses.count; i++) {
    const alea_use *use = &n->o->uses.data[i];
    if (!use->head) continue;
    bool ok = true;
    if (is_relation(n->o, use, ALEA_SYM_ROLE, 1)) ok = check_role(n, use);
    if (is_relation(n->o, use, ALEA_SYM_LEGAL, 2)) ok = note_role(n, use, &n->legal, &n->all_legal);
    if (is_relation(n->o, use, ALEA_SYM_GOAL, 2)) {
      check_goal(n, use);
      ok = note_role(n, use, &n->goal, &n->all_goal);
    }
    if (!ok) return false;
  }
  return true;
}

static bool is_defined(const needs *n, alea_symbol name, uint32_t arity) {
  for (size_t i = 0; i < n->o->uses.count; i++)
    if (n->o->uses.data[i].head && is_relation(n->o, &n->o->uses.data[i], name, arity)) return true;
  return false;
}

static void check_missing(needs *n) {
  static const struct {
    alea_symbol name;
    uint32_t arity;
    alea_code code;
    const char *message;
  } wanted[] = {
      {ALEA_SYM_INIT, 1, ALEA_CODE_NO_INIT, "there is no `init`: the first state is empty"},
      {ALEA_SYM_NEXT, 1, ALEA_CODE_NO_NEXT,
       "there is no rule for `next`: every later state is empty"},
      {ALEA_SYM_LEGAL, 2, ALEA_CODE_NO_LEGAL, "there is no rule for `legal`: nobody can move"},
      {ALEA_SYM_GOAL, 2, ALEA_CODE_NO_GOAL, "there is no rule for `goal`: nobody can win"},
      {ALEA_SYM_TERMINAL, 0, ALEA_CODE_NO_TERMINAL,
       "there is no rule for `terminal`: the game never ends"},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (!is_defined(n, wanted[i].name, wanted[i].arity))
      alea_report(n->r, wanted[i].code, 0, 0, "%s", wanted[i].message);
}

static void check_each_role(needs *n) {
  bool any_legal = is_defined(n, ALEA_SYM_LEGAL, 2), any_goal = is_defined(n, ALEA_SYM_GOAL, 2);
  for (size_t i = 0; i < n->o->uses.count; i++) {
    const alea_use *use = &n->o->uses.data[i];
    if (!use->head || !is_relation(n->o, use, ALEA_SYM_ROLE, 1)) continue;
    alea_symbol name = n->o->exprs->items.data[use->expr + 2].atom;
    if (alea_marks_get(&n->roles, name) != use->expr) continue;
    const alea_sexpr *at = &n->o->exprs->items.data[use->expr];
    const char *role = alea_symbols_spelling(n->o->symbols, name);
    if (any_legal && !n->all_legal && !alea_marks_has(&n->legal, name))
      alea_report(n->r, ALEA_CODE_ROLE_WITHOUT_LEGAL, at->line, at->column,
                  "no rule for `legal` lets %s move", role);
    if (any_goal && !n->all_goal && name != ALEA_SYM_RANDOM && !alea_marks_has(&n->goal, name))
      alea_report(n->r, ALEA_CODE_ROLE_WITHOUT_GOAL, at->line, at->column,
                  "no rule for `goal` speaks of %s", role);
  }
}

bool alea_check_players(alea_reporter *reporter, const alea_outline *outline, bool whole) {
  needs n = {.r = reporter, .o = outline};
  alea_marks_init(&n.roles, outline->mem);
  alea_marks_init(&n.legal, outline->mem);
  alea_marks_init(&n.goal, outline->mem);
  bool ok = visit_heads(&n);
  if (ok && whole) {
    check_missing(&n);
    check_each_role(&n);
  }
  alea_marks_clear(&n.roles);
  alea_marks_clear(&n.legal);
  alea_marks_clear(&n.goal);
  return ok;
}
