/* Checks on conditions that can never hold because something in them occurs
 * nowhere: fluents, moves, constants, roles that are written wrongly. */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/suggest.h"
#include "gdl/checks.h"

typedef struct never {
  alea_reporter *r;
  const alea_program *p;
  alea_extent *x;
  alea_hash_words reported; /* places: a rule may have become several */
} never;

/* Whether this is the first report on a place; false without memory too. */
static bool is_new(never *n, const alea_rule_node *at, bool *ok) {
  uint64_t word = (uint64_t)at->line << 32 | at->column;
  if (at->line == 0) return false;
  *ok = alea_hash_words_reserve(&n->reported, n->x->mem, alea_hash_mix);
  if (!*ok) return false;
  alea_word_probe probe = alea_hash_words_probe(&n->reported, alea_hash_mix(word));
  while (alea_hash_words_next(&n->reported, &probe))
    if (probe.word == word) return false;
  alea_hash_words_put(&n->reported, probe, word);
  return true;
}

/* ---- advice ---- */

/* Digits for the letters that are taken for them. */
static char as_digit(char c) { return c == 'o' ? '0' : c == 'l' || c == 'i' ? '1' : c; }

static bool looks_same(const char *a, const char *b) {
  for (; *a != '\0' && as_digit(*a) == as_digit(*b); a++, b++) {
  }
  return *a == *b;
}

/* One is the other with one letter more at an end, as x1 and 1. */
static bool has_affix(const char *a, const char *b) {
  size_t m = strlen(a), n = strlen(b);
  if (m == n + 1) return strcmp(a + 1, b) == 0 || strncmp(a, b, n) == 0;
  return n == m + 1 && (strcmp(b + 1, a) == 0 || strncmp(a, b, m) == 0);
}

/* The word of 'position' nearest to 'wanted', or NULL; '*same' if it is that
 * word itself.  Of short words every other one is near: only those that look
 * alike are offered. */
static const char *nearest(const never *n, uint32_t position, const char *wanted, bool *same) {
  const alea_extent *x = n->x;
  const char *alike = NULL;
  alea_suggestion suggestion;
  alea_suggest_start(&suggestion, wanted);
  for (uint32_t m = x->positions.data[position].member; m != UINT32_MAX;
       m = x->members.data[m].next) {
    alea_functor f = x->functors.list.data[x->members.data[m].element];
    const char *known = alea_symbols_text(n->p->symbols, f.name);
    const char *spelling = alea_symbols_spelling(n->p->symbols, f.name);
    *same = strcmp(wanted, known) == 0;
    if (*same || looks_same(wanted, known)) return spelling;
    if (has_affix(wanted, known)) alike = spelling;
    if (strlen(wanted) > 2) alea_suggest_offer(&suggestion, spelling);
  }
  return alike != NULL ? alike : suggestion.nearest;
}

enum { ADVICE_SIZE = 160 };

static void advise(const never *n, uint32_t position, const char *wanted, char *advice) {
  bool same = false;
  const char *known = nearest(n, position, wanted, &same);
  advice[0] = '\0';
  if (same)
    (void)snprintf(advice, ADVICE_SIZE, "; it has another number of arguments there");
  else if (known != NULL)
    (void)snprintf(advice, ADVICE_SIZE, "; did you mean `%s`?", known);
}

/* ---- conditions ---- */

/* Whether facts or rules define a relation of that name. */
static bool is_relation(const never *n, const alea_rule_node *at) {
  uint32_t predicate =
      alea_functors_find(&n->x->functors, at->name, at->arg_count, ALEA_EXTENT_PREDICATE);
  return predicate != ALEA_NO_FUNCTOR && alea_marks_has(&n->x->defined, predicate);
}

static void report_functor(never *n, const alea_extent_term *term, bool fluent) {
  const alea_rule_node *at = &n->p->nodes.data[term->node];
  const char *name = alea_symbols_spelling(n->p->symbols, at->name);
  char advice[ADVICE_SIZE], count[32] = "";
  advise(n, term->position, alea_symbols_text(n->p->symbols, at->name), advice);
  if (fluent && is_relation(n, at))
    (void)snprintf(advice, sizeof advice,
                   "; it is a relation, which is asked for without `true`: (%s ...)", name);
  if (at->kind == ALEA_NODE_LIST)
    (void)snprintf(count, sizeof count, " with %u argument%s", (unsigned)at->arg_count,
                   at->arg_count == 1 ? "" : "s");
  alea_report(n->r, fluent ? ALEA_CODE_NEVER_TRUE : ALEA_CODE_NEVER_LEGAL, at->line, at->column,
              fluent ? "no `init` and no `next` produces %s%s, so it is never true%s"
                     : "no `legal` produces %s%s, so nobody ever does it%s",
              name, count, advice);
}

/* "1, 2 or 3", where they are few. */
static void list_members(const never *n, uint32_t position, alea_text *out) {
  enum { FEW = 6 };
  const alea_extent *x = n->x;
  alea_extent_position at = x->positions.data[position];
  if (at.count > FEW) alea_text_format(out, "one of %u other things", (unsigned)at.count);
  uint32_t names[FEW], count = 0;
  for (uint32_t m = at.member; at.count <= FEW && m != UINT32_MAX; m = x->members.data[m].next)
    names[count++] = x->functors.list.data[x->members.data[m].element].name;
  for (uint32_t i = 0; i < count; i++)
    alea_text_format(out, "%s%s",
                     i == 0           ? ""
                     : i + 1 == count ? " or "
                                      : ", ",
                     alea_symbols_spelling(n->p->symbols, names[count - 1 - i]));
}

static void report_argument(never *n, const alea_extent_term *term) {
  const alea_rule_node *at = &n->p->nodes.data[term->node];
  alea_extent_position position = n->x->positions.data[term->position];
  alea_symbol name = n->x->functors.list.data[position.functor].name;
  char advice[ADVICE_SIZE];
  alea_text others;
  alea_text_init(&others, n->x->mem);
  list_members(n, term->position, &others);
  advise(n, term->position, alea_symbols_text(n->p->symbols, at->name), advice);
  alea_report(n->r, ALEA_CODE_NEVER_MATCHES, at->line, at->column,
              "%s never occurs here: argument %u of %s is %s%s",
              alea_symbols_spelling(n->p->symbols, at->name), (unsigned)position.argument + 1,
              alea_symbols_spelling(n->p->symbols, name), alea_text_string(&others), advice);
  alea_text_clear(&others);
}

static bool is_role_argument(alea_functor f, uint32_t argument) {
  bool keyword = f.name == ALEA_SYM_DOES || f.name == ALEA_SYM_GOAL || f.name == ALEA_SYM_SEES;
  return f.kind == ALEA_EXTENT_PREDICATE && keyword && f.arity == 2 && argument == 0;
}

static bool check_condition(never *n, alea_rule_node_id atom) {
  uint32_t index;
  bool ok = true;
  if (!alea_extent_mismatch(n->x, atom, &index)) return false;
  if (index == ALEA_NO_FUNCTOR) return true;
  alea_extent_term term = n->x->terms.data[index];
  alea_extent_position position = n->x->positions.data[term.position];
  alea_functor f = n->x->functors.list.data[position.functor];
  /* Roles are checked in heads as well, by check_roles. */
  if (is_role_argument(f, position.argument)) return true;
  if (!is_new(n, &n->p->nodes.data[term.node], &ok)) return ok;
  bool predicate = f.kind == ALEA_EXTENT_PREDICATE;
  if (predicate && f.name == ALEA_SYM_TRUE && f.arity == 1) {
    report_functor(n, &term, true);
  } else if (predicate && f.name == ALEA_SYM_DOES && f.arity == 2) {
    report_functor(n, &term, false);
  } else {
    report_argument(n, &term);
  }
  return true;
}

/* ---- roles ---- */

static bool is_role(const alea_program *p, alea_symbol name) {
  for (size_t i = 0; i < p->roles.count; i++)
    if (p->roles.data[i] == name) return true;
  return false;
}

/* The first argument of `does`, `legal`, `goal` and `sees`. */
static bool check_roles(never *n, alea_rule_node_id atom) {
  const alea_rule_node *node = &n->p->nodes.data[atom];
  alea_functor f = {node->name == ALEA_SYM_LEGAL ? ALEA_SYM_DOES : node->name, node->arg_count,
                    ALEA_EXTENT_PREDICATE};
  if (!is_role_argument(f, 0)) return true;
  const alea_rule_node *role = &n->p->nodes.data[alea_program_args(n->p, atom)[0]];
  const char *word = alea_symbols_text(n->p->symbols, node->name);
  bool ok = true;
  if (role->kind == ALEA_NODE_VARIABLE) return true;
  if (role->kind == ALEA_NODE_CONSTANT && is_role(n->p, role->name)) return true;
  if (!is_new(n, role, &ok)) return ok;
  if (role->kind == ALEA_NODE_LIST) {
    alea_report(n->r, ALEA_CODE_NOT_A_ROLE, role->line, role->column,
                "(%s ...) is no role, which comes first: (%s ROLE %s)",
                alea_symbols_spelling(n->p->symbols, role->name), word,
                node->name == ALEA_SYM_GOAL   ? "NUMBER"
                : node->name == ALEA_SYM_SEES ? "PERCEPT"
                                              : "MOVE");
    return true;
  }
  alea_suggestion suggestion;
  alea_suggest_start(&suggestion, alea_symbols_text(n->p->symbols, role->name));
  for (size_t i = 0; i < n->p->roles.count; i++)
    alea_suggest_offer(&suggestion, alea_symbols_text(n->p->symbols, n->p->roles.data[i]));
  bool near = suggestion.nearest != NULL && strlen(suggestion.wanted) > 2;
  alea_report(n->r, ALEA_CODE_NOT_A_ROLE, role->line, role->column, "%s is no role%s%s%s",
              alea_symbols_spelling(n->p->symbols, role->name), near ? "; did you mean `" : "",
              near ? suggestion.nearest : "", near ? "`?" : "");
  return true;
}

/* ---- variables ---- */

static bool have_common(const alea_extent *x, uint32_t a, uint32_t b) {
  if (x->positions.data[a].count == 0 || x->positions.data[b].count == 0) return true;
  for (uint32_t m = x->positions.data[a].member; m != UINT32_MAX; m = x->members.data[m].next)
    if (alea_extent_has(x, b, x->members.data[m].element)) return true;
  return false;
}

static void report_apart(never *n, const alea_extent_term *one, const alea_extent_term *two) {
  const alea_extent_term *sides[] = {two, one};
  const alea_rule_node *at = &n->p->nodes.data[two->node], *other = &n->p->nodes.data[one->node];
  alea_text text;
  alea_text_init(&text, n->x->mem);
  for (size_t i = 0; i < 2; i++) {
    alea_extent_position position = n->x->positions.data[sides[i]->position];
    alea_symbol name = n->x->functors.list.data[position.functor].name;
    alea_text_format(&text, "%sargument %u of %s is ", i > 0 ? ", " : "",
                     (unsigned)position.argument + 1, alea_symbols_spelling(n->p->symbols, name));
    list_members(n, sides[i]->position, &text);
  }
  alea_report(n->r, ALEA_CODE_NEVER_MEETS, at->line, at->column,
              "no value fits this variable both here and in line %u, column %u: %s; are "
              "arguments the wrong way round?",
              (unsigned)other->line, (unsigned)other->column, alea_text_string(&text));
  alea_text_clear(&text);
}

/* Places of one variable that have nothing in common: the rule never applies. */
static bool check_meetings(never *n, const alea_rule *rule) {
  alea_extent *x = n->x;
  bool ok = true;
  x->body.count = 0;
  for (uint32_t i = 0; i < rule->literal_count; i++) {
    const alea_literal *literal = &n->p->literals.data[rule->first_literal + i];
    if (literal->kind == ALEA_LITERAL_TRUE && !alea_extent_spread(x, literal->atom, &x->body))
      return false;
  }
  for (size_t i = 0; i < x->body.count; i++) {
    const alea_rule_node *node = &n->p->nodes.data[x->body.data[i].node];
    for (size_t j = 0; node->kind == ALEA_NODE_VARIABLE && j < i; j++) {
      const alea_rule_node *before = &n->p->nodes.data[x->body.data[j].node];
      if (before->kind != ALEA_NODE_VARIABLE || before->name != node->name || before->line == 0)
        continue;
      if (have_common(x, x->body.data[j].position, x->body.data[i].position)) continue;
      if (is_new(n, node, &ok)) report_apart(n, &x->body.data[j], &x->body.data[i]);
      return ok; /* once for each rule */
    }
  }
  return true;
}

static bool check_rule(never *n, const alea_rule *rule) {
  if (!check_roles(n, rule->head)) return false;
  for (uint32_t i = 0; i < rule->literal_count; i++) {
    const alea_literal *literal = &n->p->literals.data[rule->first_literal + i];
    if (literal->kind == ALEA_LITERAL_DISTINCT) continue;
    if (!check_roles(n, literal->atom) || !check_condition(n, literal->atom)) return false;
  }
  return check_meetings(n, rule);
}

bool alea_check_never(alea_reporter *reporter, const alea_program *program, alea_extent *extent) {
  never n = {.r = reporter, .p = program, .x = extent};
  bool ok = true;
  for (size_t i = 0; ok && i < program->rules.count; i++)
    ok = check_rule(&n, &program->rules.data[i]);
  alea_hash_words_clear(&n.reported, extent->mem);
  return ok;
}
