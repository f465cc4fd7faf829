/* The form of rules: what must hold before a rule can be read at all. */
#include <string.h>

#include "gdl/checks.h"

typedef struct former {
  alea_reporter *reporter;
  alea_sexprs *exprs;
  const alea_symbols *symbols;
  bool good; /* of the current top-level expression */
} former;

static void complain(former *f, uint32_t i, alea_code code, const char *message) {
  const alea_sexpr *e = &f->exprs->items.data[i];
  f->good = false;
  alea_report(f->reporter, code, e->line, e->column, "%s", message);
}

static bool is_variable(const former *f, uint32_t i) {
  return alea_symbol_is_variable(f->symbols, f->exprs->items.data[i].atom);
}

/* Every list begins with a name. */
static void check_lists(former *f, uint32_t expr) {
  uint32_t end = f->exprs->items.data[expr].after;
  for (uint32_t i = expr; i < end; i++) {
    if (!alea_sexpr_is_list(f->exprs, i)) continue;
    if (f->exprs->items.data[i].after == i + 1) {
      complain(f, i, ALEA_CODE_EMPTY_LIST, "the list () has no name in it");
    } else if (alea_sexpr_is_list(f->exprs, i + 1)) {
      complain(f, i, ALEA_CODE_BAD_OPERATOR,
               "a list must begin with a name, not with another list; is a parenthesis doubled, or "
               "the `<=` of a rule missing?");
    } else if (is_variable(f, i + 1)) {
      complain(f, i, ALEA_CODE_BAD_OPERATOR, "a list must begin with a name, not with a variable");
    }
  }
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
    complain(f, arg, ALEA_CODE_BAD_ROLE, "a role must be a plain name, not a list");
}

static void check_head(former *f, uint32_t head) {
  alea_symbol name = alea_sexpr_name(f->exprs, head);
  uint32_t arity = alea_sexpr_arity(f->exprs, head);
  if (is_variable(f, head)) {
    complain(f, head, ALEA_CODE_MALFORMED_HEAD,
             "a variable cannot be the head of a rule or a fact");
  } else if (is_reserved(name)) {
    complain(f, head, ALEA_CODE_MALFORMED_HEAD,
             "the head of a rule, or a fact, must be a plain sentence without `not`, `or`, `and`, "
             "`distinct` or `<=`");
  } else if (name == ALEA_SYM_TRUE && arity == 1) {
    complain(f, head, ALEA_CODE_KEYWORD_DEFINED,
             "`true` tells what holds in the current state and cannot be defined; use `init` or "
             "`next` (or is a parenthesis misplaced?)");
  } else if (name == ALEA_SYM_DOES && arity == 2) {
    complain(f, head, ALEA_CODE_KEYWORD_DEFINED,
             "`does` tells what the players do and cannot be defined; use `legal`");
  } else if (name == ALEA_SYM_ROLE && arity == 1) {
    check_role(f, head);
  }
}

/* Checks the formula at i and returns the index of the next one: the first
 * argument of a connective, or the expression after an atom. */
static uint32_t check_formula(former *f, uint32_t i) {
  alea_symbol name = alea_sexpr_name(f->exprs, i);
  uint32_t arity = alea_sexpr_arity(f->exprs, i);
  uint32_t after = f->exprs->items.data[i].after;
  if (is_variable(f, i)) {
    complain(f, i, ALEA_CODE_MALFORMED_LITERAL,
             "a variable cannot stand where a condition is expected; does the sentence before it "
             "lack its parentheses?");
  } else if (!alea_sexpr_is_list(f->exprs, i) && is_reserved(name)) {
    /* A real game (minesweeper) writes `not open`; every player reads two
     * propositions there, and so does this program. */
    const char *word = alea_symbols_text(f->symbols, name);
    alea_report(f->reporter, ALEA_CODE_BARE_CONNECTIVE, f->exprs->items.data[i].line,
                f->exprs->items.data[i].column,
                "`%s` without its own parentheses is read as a plain proposition, which is never "
                "true; write (%s ...)",
                word, word);
  } else if (name == ALEA_SYM_IMPLIED) {
    complain(f, i, ALEA_CODE_MALFORMED_LITERAL,
             "a rule cannot stand inside another rule; is a parenthesis misplaced?");
  } else if (name == ALEA_SYM_DISTINCT && arity != 2) {
    complain(f, i, ALEA_CODE_MALFORMED_LITERAL, "`distinct` needs exactly two terms");
  } else if (name == ALEA_SYM_NOT && arity != 1) {
    complain(f, i, ALEA_CODE_MALFORMED_LITERAL, "`not` needs exactly one condition");
  } else if (alea_sexpr_is_list(f->exprs, i) && is_connective(name)) {
    return i + 2;
  }
  return after;
}

/* Whether this is a rule with the arrow of another language in front. */
static bool has_wrong_arrow(const former *f, uint32_t expr) {
  static const char *const arrows[] = {":-", "=>", "<-", "->", "<==", "==>", "<", "if", "rule"};
  const alea_sexprs *e = f->exprs;
  uint32_t head = expr + 2;
  if (!alea_sexpr_is_list(e, expr) || head >= e->items.data[expr].after) return false;
  alea_symbol name = alea_sexpr_name(e, head);
  bool keyword = name == ALEA_SYM_TERMINAL || name == ALEA_SYM_INIT || name == ALEA_SYM_LEGAL ||
                 name == ALEA_SYM_NEXT || name == ALEA_SYM_GOAL || name == ALEA_SYM_SEES;
  if (!keyword) return false;
  const char *word = alea_symbols_text(f->symbols, e->items.data[expr + 1].atom);
  for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++)
    if (strcmp(word, arrows[i]) == 0) return true;
  return false;
}

static void check_top(former *f, uint32_t expr) {
  if (has_wrong_arrow(f, expr)) {
    complain(f, expr, ALEA_CODE_MALFORMED_RULE,
             "a rule begins with `<=`, then its head and its conditions");
    return;
  }
  if (alea_sexpr_name(f->exprs, expr) != ALEA_SYM_IMPLIED) {
    check_head(f, expr);
    if (alea_sexpr_is_call(f->exprs, expr, ALEA_SYM_ROLE) &&
        expr + 2 < f->exprs->items.data[expr].after && is_variable(f, expr + 2))
      complain(f, expr + 2, ALEA_CODE_BAD_ROLE,
               "a role must be a name, not a variable; every player has a fact (role NAME)");
    return;
  }
  uint32_t end = f->exprs->items.data[expr].after;
  if (!alea_sexpr_is_list(f->exprs, expr) || expr + 2 == end) {
    complain(f, expr, ALEA_CODE_MALFORMED_RULE, "`<=` needs a head and then its conditions");
    return;
  }
  check_head(f, expr + 2);
  for (uint32_t i = f->exprs->items.data[expr + 2].after; i < end;) i = check_formula(f, i);
}

/* Moves a top-level expression to index 'to'. */
static uint32_t keep(alea_sexprs *exprs, uint32_t expr, uint32_t to) {
  uint32_t end = exprs->items.data[expr].after;
  uint32_t shift = expr - to;
  for (uint32_t i = expr; i < end; i++) {
    exprs->items.data[i - shift] = exprs->items.data[i];
    exprs->items.data[i - shift].after -= shift;
  }
  return end - shift;
}

bool alea_check_form(alea_reporter *reporter, alea_sexprs *exprs, const alea_symbols *symbols) {
  former f = {reporter, exprs, symbols, true};
  bool all_good = true;
  uint32_t kept = 0;
  uint32_t after;
  for (uint32_t i = 0; i < exprs->items.count; i = after) {
    after = exprs->items.data[i].after;
    f.good = true;
    check_lists(&f, i);
    if (f.good) check_top(&f, i);
    if (f.good) kept = keep(exprs, i, kept);
    all_good &= f.good;
  }
  exprs->items.count = kept;
  return all_good;
}
