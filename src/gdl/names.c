/* Checks on names: numbers of arguments, keywords in wrong places, relations
 * that are never defined or never used. */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "gdl/checks.h"
#include "gdl/marks.h"

enum { NOT_A_KEYWORD = -1 };

typedef struct namer {
  alea_reporter *r;
  const alea_outline *o;
  alea_mem *mem;
  alea_functors functions;
  alea_marks relation_use; /* name -> expression of its first use as a relation */
  alea_marks function_use; /* the same as a function */
  alea_marks seen;         /* relation -> 1 */
  alea_marks as_term;      /* keywords already reported */
  alea_marks empty_list;   /* names already reported for `(p)` */
  alea_marks asked;        /* names of fluents and moves that conditions ask for */
} namer;

/* The number of arguments of a keyword. */
static int keyword_arity(alea_symbol name) {
  switch (name) {
    case ALEA_SYM_TERMINAL: return 0;
    case ALEA_SYM_ROLE:
    case ALEA_SYM_INIT:
    case ALEA_SYM_TRUE:
    case ALEA_SYM_NEXT:
    case ALEA_SYM_BASE: return 1;
    case ALEA_SYM_DOES:
    case ALEA_SYM_LEGAL:
    case ALEA_SYM_GOAL:
    case ALEA_SYM_SEES:
    case ALEA_SYM_INPUT: return 2;
    default: return NOT_A_KEYWORD;
  }
}

/* What the arguments of a keyword are. */
static const char *keyword_arguments(alea_symbol name) {
  switch (name) {
    case ALEA_SYM_TERMINAL: return "nothing";
    case ALEA_SYM_ROLE: return "a name";
    case ALEA_SYM_INIT:
    case ALEA_SYM_TRUE:
    case ALEA_SYM_NEXT:
    case ALEA_SYM_BASE: return "a fluent in parentheses of its own";
    case ALEA_SYM_GOAL: return "a role and a number";
    case ALEA_SYM_SEES: return "a role and what it sees";
    default: return "a role and a move";
  }
}

/* `random` names a role, and `base` and `input` are keywords of newer files
 * only: older games use them freely. */
static bool is_forbidden_term(alea_symbol name) {
  return name < ALEA_SYM_FIRST_FREE && name != ALEA_SYM_RANDOM && name != ALEA_SYM_BASE &&
         name != ALEA_SYM_INPUT;
}

static bool is_reserved(alea_symbol name) {
  return name >= ALEA_SYM_NOT && name < ALEA_SYM_FIRST_FREE;
}

static const alea_sexpr *place(const namer *n, uint32_t expr) {
  return &n->o->exprs->items.data[expr];
}

static const char *spelling(const namer *n, alea_symbol name) {
  return alea_symbols_spelling(n->o->symbols, name);
}

static bool check_relation_arity(namer *n, const alea_use *use) {
  alea_functor f = n->o->relations.list.data[use->relation];
  if (alea_marks_has(&n->seen, use->relation)) return true;
  if (!alea_marks_set(&n->seen, use->relation, 1)) return false;
  const alea_sexpr *at = place(n, use->expr);
  int arity = keyword_arity(f.name);
  bool bare = f.arity == 0 && !alea_sexpr_is_list(n->o->exprs, use->expr);
  uint32_t first = alea_marks_get(&n->relation_use, f.name);
  if (arity != NOT_A_KEYWORD && (uint32_t)arity != f.arity) {
    alea_report(n->r, ALEA_CODE_KEYWORD_ARITY, at->line, at->column,
                "`%s` takes %d argument%s, not %u: %s; this is read as a relation of its own%s",
                alea_symbols_text(n->o->symbols, f.name), arity, arity == 1 ? "" : "s",
                (unsigned)f.arity, keyword_arguments(f.name),
                bare ? "; the parenthesis stands before the word, as in (true (at 1))" : "");
  } else if (arity == NOT_A_KEYWORD && first != ALEA_UNMARKED) {
    alea_report(n->r, ALEA_CODE_ARITY_MISMATCH, at->line, at->column,
                "%s has %u argument%s here but %u on line %u; these are two different relations",
                spelling(n, f.name), (unsigned)f.arity, f.arity == 1 ? "" : "s",
                (unsigned)alea_sexpr_arity(n->o->exprs, first), (unsigned)place(n, first)->line);
  }
  return first != ALEA_UNMARKED || alea_marks_set(&n->relation_use, f.name, use->expr);
}

static bool check_empty_list(namer *n, uint32_t expr, const char *advice) {
  alea_symbol name = alea_sexpr_name(n->o->exprs, expr);
  if (!alea_sexpr_is_list(n->o->exprs, expr) || place(n, expr)->after != expr + 2) return true;
  if (alea_marks_has(&n->empty_list, name)) return true;
  alea_report(n->r, ALEA_CODE_ZERO_ARITY_LIST, place(n, expr)->line, place(n, expr)->column,
              "(%s) has no arguments; %s", spelling(n, name), advice);
  return alea_marks_set(&n->empty_list, name, 1);
}

static void check_placement(namer *n, const alea_use *use) {
  alea_functor f = n->o->relations.list.data[use->relation];
  bool odd = f.name == ALEA_SYM_NEXT || f.name == ALEA_SYM_SEES || f.name == ALEA_SYM_INIT;
  if (use->head || !odd || (int)f.arity != keyword_arity(f.name)) return;
  const char *word = alea_symbols_text(n->o->symbols, f.name);
  alea_report(n->r, ALEA_CODE_KEYWORD_PLACEMENT, place(n, use->expr)->line,
              place(n, use->expr)->column,
              "`%s` belongs into heads and facts, not into conditions%s", word,
              f.name == ALEA_SYM_INIT ? "; did you mean `true`?" : "");
}

/* Whether a rule for `next` has no condition on what was done. */
static bool is_moveless_next(const namer *n, uint32_t rule) {
  const alea_outline *o = n->o;
  uint32_t first = o->rules.data[rule].first_use, end = o->rules.data[rule + 1].first_use;
  for (uint32_t i = first; i < end; i++) {
    alea_functor f = o->relations.list.data[o->uses.data[i].relation];
    if (i == first && (f.name != ALEA_SYM_NEXT || f.arity != 1)) return false;
    if (f.name == ALEA_SYM_DOES) return false;
  }
  return true;
}

/* A next state follows from what was done, not from what could have been. */
static void check_legal_in_next(namer *n, const alea_use *use) {
  alea_functor f = n->o->relations.list.data[use->relation];
  if (use->head || use->negated || f.name != ALEA_SYM_LEGAL || f.arity != 2) return;
  if (!is_moveless_next(n, use->rule)) return;
  alea_report(
      n->r, ALEA_CODE_LEGAL_IN_NEXT, place(n, use->expr)->line, place(n, use->expr)->column,
      "`legal` says what may be done, so this holds whatever is done; did you mean `does`?");
}

static bool is_arithmetic(const char *name) {
  return strlen(name) == 1 && strchr("+-*/%", name[0]) != NULL;
}

static bool check_keyword_term(namer *n, uint32_t expr, alea_symbol name) {
  if (!is_forbidden_term(name) || alea_marks_has(&n->as_term, name)) return true;
  alea_report(n->r, ALEA_CODE_KEYWORD_AS_TERM, place(n, expr)->line, place(n, expr)->column,
              "`%s` is a word of the language and should not name a thing; is a parenthesis "
              "misplaced?",
              alea_symbols_text(n->o->symbols, name));
  return alea_marks_set(&n->as_term, name, 1);
}

static bool check_function(namer *n, uint32_t expr) {
  alea_symbol name = alea_sexpr_name(n->o->exprs, expr);
  uint32_t arity = alea_sexpr_arity(n->o->exprs, expr);
  if (!check_empty_list(n, expr, "it is a different thing from the same name without parentheses"))
    return false;
  if (alea_functors_find(&n->functions, name, arity, 0) != ALEA_NO_FUNCTOR) return true;
  if (alea_functors_add(&n->functions, name, arity, 0) == ALEA_NO_FUNCTOR) return false;
  if (is_arithmetic(spelling(n, name)))
    alea_report(n->r, ALEA_CODE_ARITHMETIC, place(n, expr)->line, place(n, expr)->column,
                "GDL does not calculate: (%s ...) is the name of a thing and no number; state as "
                "facts what follows what, such as (succ 1 2), and ask for (succ ?m ?n)",
                spelling(n, name));
  uint32_t first = alea_marks_get(&n->function_use, name);
  if (first == ALEA_UNMARKED) return alea_marks_set(&n->function_use, name, expr);
  alea_report(n->r, ALEA_CODE_FUNCTION_ARITY, place(n, expr)->line, place(n, expr)->column,
              "%s has %u argument%s here but %u on line %u", spelling(n, name), (unsigned)arity,
              arity == 1 ? "" : "s", (unsigned)alea_sexpr_arity(n->o->exprs, first),
              (unsigned)place(n, first)->line);
  return true;
}

/* All terms between two expressions. */
static bool check_terms(namer *n, uint32_t first, uint32_t end) {
  const alea_sexprs *e = n->o->exprs;
  for (uint32_t i = first; i < end; i = alea_sexpr_first_arg(e, i)) {
    if (!check_keyword_term(n, i, alea_sexpr_name(e, i))) return false;
    if (alea_sexpr_is_list(e, i) && !check_function(n, i)) return false;
  }
  return true;
}

static bool are_equal(const alea_sexprs *e, uint32_t a, uint32_t b) {
  uint32_t length = e->items.data[a].after - a;
  if (e->items.data[b].after - b != length) return false;
  for (uint32_t i = 0; i < length; i++)
    if (e->items.data[a + i].atom != e->items.data[b + i].atom ||
        e->items.data[a + i].after - a != e->items.data[b + i].after - b)
      return false;
  return true;
}

static bool check_distincts(namer *n, uint32_t rule) {
  const alea_sexprs *e = n->o->exprs;
  uint32_t end = e->items.data[rule].after;
  for (uint32_t i = rule + 1; i < end; i++) {
    if (!alea_sexpr_is_call(e, i, ALEA_SYM_DISTINCT)) continue;
    if (!check_terms(n, i + 2, e->items.data[i].after)) return false;
    if (alea_sexpr_arity(e, i) == 2 && are_equal(e, i + 2, e->items.data[i + 2].after))
      alea_report(n->r, ALEA_CODE_DISTINCT_EQUAL, place(n, i)->line, place(n, i)->column,
                  "both terms are the same, so this never holds; capital and small letters are "
                  "not told apart");
  }
  return true;
}

/* Quotes, commas and brackets are letters like any other. */
static bool check_letters(namer *n) {
  const alea_sexprs *e = n->o->exprs;
  alea_marks_reset(&n->seen);
  for (uint32_t i = 0; i < e->items.count; i++) {
    alea_symbol name = e->items.data[i].atom;
    if (name == ALEA_NO_SYMBOL || alea_marks_has(&n->seen, name)) continue;
    if (!alea_marks_set(&n->seen, name, 1)) return false;
    const char *text = alea_symbols_text(n->o->symbols, name);
    char first = text[0];
    if (strpbrk(text, ",[]{}") != NULL)
      alea_report(n->r, ALEA_CODE_PUNCTUATION, e->items.data[i].line, e->items.data[i].column,
                  "%s is one name to GDL, comma and bracket included; lists stand in round "
                  "parentheses, with spaces between the things in them",
                  spelling(n, name));
    if (first == '"' || first == '\'')
      alea_report(n->r, ALEA_CODE_QUOTED_NAME, e->items.data[i].line, e->items.data[i].column,
                  "the quotes in %s are a part of the name; GDL names things without quotes",
                  spelling(n, name));
  }
  return true;
}

static bool check_uses(namer *n) {
  const alea_outline *o = n->o;
  for (size_t i = 0; i < o->uses.count; i++) {
    const alea_use *use = &o->uses.data[i];
    check_placement(n, use);
    check_legal_in_next(n, use);
    if (!check_relation_arity(n, use) ||
        !check_empty_list(n, use->expr, "as a sentence it is written without parentheses") ||
        !check_terms(n, alea_sexpr_first_arg(o->exprs, use->expr), place(n, use->expr)->after))
      return false;
  }
  for (size_t i = 0; i < alea_outline_rule_count(o); i++)
    if (!check_distincts(n, o->rules.data[i].expr)) return false;
  return true;
}

/* Marks the names of what conditions ask for with `true` and `does`. */
static bool mark_asked(namer *n) {
  for (size_t i = 0; i < n->o->uses.count; i++) {
    const alea_use *use = &n->o->uses.data[i];
    alea_functor f = n->o->relations.list.data[use->relation];
    bool fluent = f.name == ALEA_SYM_TRUE && f.arity == 1;
    bool move = f.name == ALEA_SYM_DOES && f.arity == 2;
    if (use->head || (!fluent && !move)) continue;
    uint32_t term = use->expr + 2;
    if (move) term = place(n, term)->after;
    if (!alea_marks_set(&n->asked, alea_sexpr_name(n->o->exprs, term), 1)) return false;
  }
  return true;
}

/* Relations that rules define and ask for. */
static bool is_defined(const namer *n, uint32_t relation) {
  for (size_t i = 0; i < n->o->uses.count; i++)
    if (n->o->uses.data[i].head && n->o->uses.data[i].relation == relation) return true;
  return false;
}

/* Many games have a relation and a fluent of one name; it is a slip where no
 * condition asks for the fluent.  A relation that is not defined has its own
 * report. */
static bool check_clashes(namer *n) {
  if (!mark_asked(n)) return false;
  for (size_t i = 0; i < n->o->uses.count; i++) {
    const alea_use *use = &n->o->uses.data[i];
    alea_symbol name = n->o->relations.list.data[use->relation].name;
    uint32_t thing = alea_marks_get(&n->function_use, name);
    if (use->head || thing == ALEA_UNMARKED || is_forbidden_term(name)) continue;
    if (alea_marks_has(&n->asked, name)) continue;
    if (!alea_marks_set(&n->asked, name, 1)) return false; /* once for each */
    if (!is_defined(n, use->relation)) continue;
    alea_report(n->r, ALEA_CODE_NAME_CLASH, place(n, thing)->line, place(n, thing)->column,
                "%s names a thing here and a relation on line %u; is a `true` missing there?",
                spelling(n, name), (unsigned)place(n, use->expr)->line);
  }
  return true;
}

/* Relations that the language itself defines. */
static bool is_given(alea_functor f) {
  return (f.name == ALEA_SYM_TRUE && f.arity == 1) || (f.name == ALEA_SYM_DOES && f.arity == 2) ||
         (f.name == ALEA_SYM_ROLE && f.arity == 1) || is_reserved(f.name);
}

static bool is_wanted(alea_functor f) {
  return keyword_arity(f.name) == (int)f.arity || is_reserved(f.name);
}

/* The defined relation whose name is nearest; NULL: none is near. */
static const char *nearest_relation(const namer *n, const char *wanted) {
  alea_suggestion suggestion;
  alea_suggest_start(&suggestion, wanted);
  for (size_t i = 0; i < n->o->uses.count; i++) {
    const alea_use *use = &n->o->uses.data[i];
    alea_functor f = n->o->relations.list.data[use->relation];
    if (use->head && keyword_arity(f.name) == NOT_A_KEYWORD)
      alea_suggest_offer(&suggestion, spelling(n, f.name));
  }
  return strlen(wanted) > 2 && suggestion.distance > 0 ? suggestion.nearest : NULL;
}

/* The word of the language that 'name' may be a slip for; NULL: none. */
static const char *nearest_keyword(const namer *n, const char *name) {
  alea_suggestion suggestion;
  alea_suggest_start(&suggestion, name);
  for (alea_symbol word = 0; word < ALEA_SYM_FIRST_FREE; word++)
    if (keyword_arity(word) != NOT_A_KEYWORD)
      alea_suggest_offer(&suggestion, alea_symbols_text(n->o->symbols, word));
  return suggestion.distance == 1 ? suggestion.nearest : NULL;
}

/* What stands for a sign of other languages; NULL: it is none. */
static const char *other_languages(const char *name) {
  static const char *const signs[][2] = {
      {"=", "GDL has no sign for equality: use one variable, or the value itself, in both places"},
      {"!=", "did you mean `distinct`?"},
      {"<", "GDL does not compare numbers: state their order as facts, such as (less 1 2)"},
  };
  static const char *const alike[][2] = {{"==", "="}, {"/=", "!="}, {"<>", "!="}, {"neq", "!="},
                                         {">", "<"},  {">=", "<"},  {"=<", "<"}};
  for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
    if (strcmp(name, alike[i][0]) == 0) name = alike[i][1];
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (strcmp(name, signs[i][0]) == 0) return signs[i][1];
  return NULL;
}

/* A relation that no head defines. */
static void report_undefined(namer *n, alea_functor f, const alea_sexpr *at) {
  const char *name = spelling(n, f.name), *near = nearest_relation(n, name);
  char advice[160] = "";
  uint32_t thing = alea_marks_get(&n->function_use, f.name);
  const char *sign = other_languages(name);
  if (sign != NULL)
    (void)snprintf(advice, sizeof advice, "; %s", sign);
  else if (thing != ALEA_UNMARKED && !is_forbidden_term(f.name))
    (void)snprintf(advice, sizeof advice,
                   "; it is a fluent or a move on line %u: is a `true` or `does` missing here?",
                   (unsigned)place(n, thing)->line);
  else if (near != NULL)
    (void)snprintf(advice, sizeof advice, "; did you mean `%s`?", near);
  alea_report(n->r, ALEA_CODE_UNDEFINED_RELATION, at->line, at->column,
              "no fact and no rule defines %s with %u argument%s, so this never holds%s", name,
              (unsigned)f.arity, f.arity == 1 ? "" : "s", advice);
}

static void check_relation(namer *n, uint32_t relation, const alea_use *use, bool defined) {
  alea_functor f = n->o->relations.list.data[relation];
  const alea_sexpr *at = place(n, use->expr);
  const char *name = spelling(n, f.name), *near = nearest_keyword(n, name);
  if (!defined && !is_given(f)) report_undefined(n, f, at);
  /* A keyword with the wrong number of arguments has its own report. */
  if (!defined || is_wanted(f) || keyword_arity(f.name) != NOT_A_KEYWORD) return;
  if (!alea_sexpr_is_list(n->o->exprs, use->expr) && n->o->rules.data[use->rule].expr == use->expr)
    alea_report(n->r, ALEA_CODE_STRAY_WORD, at->line, at->column,
                "%s stands by itself and is read as a fact, which no rule asks for; comments begin "
                "with `;`",
                name);
  else
    alea_report(n->r, ALEA_CODE_UNUSED_RELATION, at->line, at->column,
                "%s is defined but no rule asks for it%s%s%s", name, near ? "; did you mean `" : "",
                near ? near : "", near ? "`?" : "");
}

/* Reports relations that are only defined, or only used. */
static bool check_relations(namer *n) {
  const alea_outline *o = n->o;
  enum { HEAD = 1, BODY = 2 };
  alea_marks_reset(&n->seen);
  for (size_t i = 0; i < o->uses.count; i++) {
    const alea_use *use = &o->uses.data[i];
    uint32_t old = alea_marks_get(&n->seen, use->relation);
    uint32_t kind = use->head ? HEAD : BODY;
    if (!alea_marks_set(&n->seen, use->relation, old == ALEA_UNMARKED ? kind : old | kind))
      return false;
  }
  for (size_t i = 0; i < o->uses.count; i++) {
    uint32_t relation = o->uses.data[i].relation;
    uint32_t kinds = alea_marks_get(&n->seen, relation);
    if (kinds == HEAD || kinds == BODY)
      check_relation(n, relation, &o->uses.data[i], kinds == HEAD);
    if (!alea_marks_set(&n->seen, relation, 0)) return false;
  }
  return true;
}

bool alea_check_names(alea_reporter *reporter, const alea_outline *outline, bool whole) {
  namer n = {.r = reporter, .o = outline, .mem = outline->mem};
  alea_functors_init(&n.functions, n.mem);
  alea_marks *marks[] = {&n.relation_use, &n.function_use, &n.seen,
                         &n.as_term,      &n.empty_list,   &n.asked};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) alea_marks_init(marks[i], n.mem);
  bool ok = check_uses(&n) && check_letters(&n) && check_clashes(&n);
  if (ok && whole) ok = check_relations(&n);
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) alea_marks_clear(marks[i]);
  alea_functors_clear(&n.functions);
  return ok;
}
