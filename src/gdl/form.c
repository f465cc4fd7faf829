/* The form of rules: what must hold before anything can be read at all. */
#include "gdl/check.h"
#include "gdl/program.h"

typedef struct former {
  const alea_sexprs *exprs;
  const alea_symbols *symbols;
  const char *file;
  alea_diag *diag;
  size_t errors;
} former;

static alea_place place_of(const former *f, uint32_t i) {
  const alea_sexpr *e = &f->exprs->items.data[i];
  return (alea_place){f->file, e->line, e->column};
}

static void complain(former *f, uint32_t i, const char *code, const char *message) {
  f->errors++;
  alea_diag_error(f->diag, place_of(f, i), code, "%s", message);
}

static bool is_variable(const former *f, uint32_t i) {
  return alea_symbol_is_variable(f->symbols, f->exprs->items.data[i].atom);
}

/* Every list begins with a name; true when that holds throughout 'expr'. */
static bool check_lists(former *f, uint32_t expr) {
  size_t before = f->errors;
  uint32_t end = f->exprs->items.data[expr].after;
  for (uint32_t i = expr; i < end; i++) {
    if (!alea_sexpr_is_list(f->exprs, i)) continue;
    if (f->exprs->items.data[i].after == i + 1) {
      complain(f, i, "empty-list", "the list () has no name in it");
    } else if (alea_sexpr_is_list(f->exprs, i + 1)) {
      complain(f, i, "bad-operator",
               "a list must begin with a name, not with another list; is a parenthesis doubled?");
    } else if (is_variable(f, i + 1)) {
      complain(f, i, "bad-operator", "a list must begin with a name, not with a variable");
    }
  }
  return f->errors == before;
}

static bool is_connective(alea_symbol name) {
  return name == ALEA_SYM_NOT || name == ALEA_SYM_AND || name == ALEA_SYM_OR;
}

static bool is_reserved(alea_symbol name) {
  return is_connective(name) || name == ALEA_SYM_DISTINCT || name == ALEA_SYM_IMPLIED;
}

static void check_role(former *f, uint32_t head) {
  uint32_t arg = head + 2;
  if (alea_sexpr_is_list(f->exprs, arg))
    complain(f, arg, "bad-role", "a role must be a plain name, not a list");
}

static void check_head(former *f, uint32_t head) {
  alea_symbol name = alea_sexpr_name(f->exprs, head);
  uint32_t arity = alea_sexpr_arity(f->exprs, head);
  if (is_variable(f, head)) {
    complain(f, head, "malformed-head", "a variable cannot be the head of a rule or a fact");
  } else if (is_reserved(name)) {
    complain(f, head, "malformed-head",
             "the head of a rule, or a fact, must be a plain sentence without `not`, `or`, `and`, "
             "`distinct` or `<=`");
  } else if (name == ALEA_SYM_TRUE && arity == 1) {
    complain(f, head, "keyword-placement",
             "`true` tells what holds in the current state and cannot be defined; use `init` or "
             "`next` (or is a parenthesis misplaced?)");
  } else if (name == ALEA_SYM_DOES && arity == 2) {
    complain(f, head, "keyword-placement",
             "`does` tells what the players do and cannot be defined; use `legal`");
  } else if (name == ALEA_SYM_ROLE && arity == 1) {
    check_role(f, head);
  }
}

/* Checks the formula at i and returns where the next one begins: the first
 * argument of a connective, or what follows an atom. */
static uint32_t check_formula(former *f, uint32_t i) {
  alea_symbol name = alea_sexpr_name(f->exprs, i);
  uint32_t arity = alea_sexpr_arity(f->exprs, i);
  uint32_t after = f->exprs->items.data[i].after;
  if (is_variable(f, i)) {
    complain(f, i, "malformed-literal", "a variable cannot stand where a condition is expected");
  } else if (!alea_sexpr_is_list(f->exprs, i) && is_reserved(name)) {
    /* A real game (minesweeper) says `not open`; every player reads two
     * propositions there, and so do we. */
    alea_diag_warn(f->diag, place_of(f, i), "bare-connective",
                   "`%s` without its own parentheses is read as a plain proposition, which is "
                   "never true; write (%s ...)",
                   alea_symbols_text(f->symbols, name), alea_symbols_text(f->symbols, name));
  } else if (name == ALEA_SYM_IMPLIED) {
    complain(f, i, "malformed-literal",
             "a rule cannot stand inside another rule; is a parenthesis misplaced?");
  } else if (name == ALEA_SYM_DISTINCT && arity != 2) {
    complain(f, i, "malformed-literal", "`distinct` needs exactly two terms");
  } else if (name == ALEA_SYM_NOT && arity != 1) {
    complain(f, i, "malformed-literal", "`not` needs exactly one condition");
  } else if (alea_sexpr_is_list(f->exprs, i) && is_connective(name)) {
    return i + 2;
  }
  return after;
}

static void check_top(former *f, uint32_t expr) {
  if (alea_sexpr_name(f->exprs, expr) != ALEA_SYM_IMPLIED) {
    check_head(f, expr);
    return;
  }
  uint32_t end = f->exprs->items.data[expr].after;
  if (!alea_sexpr_is_list(f->exprs, expr) || expr + 2 == end) {
    complain(f, expr, "malformed-rule", "`<=` needs a head and then its conditions");
    return;
  }
  check_head(f, expr + 2);
  for (uint32_t i = f->exprs->items.data[expr + 2].after; i < end;) i = check_formula(f, i);
}

alea_status alea_check_form(const alea_sexprs *exprs, const alea_symbols *symbols, const char *file,
                            alea_diag *diag) {
  former f = {exprs, symbols, file, diag, 0};
  for (uint32_t i = 0; i < exprs->items.count; i = exprs->items.data[i].after)
    if (check_lists(&f, i)) check_top(&f, i);
  return f.errors == 0 ? ALEA_OK : ALEA_INPUT;
}
