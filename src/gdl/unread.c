/* Checks on fluents that the rules produce and never ask for.
 *
 * A fluent that only records moves is often meant for those who look at the
 * state, (next (said ?p ?c)) <= (does ?p ?c), and is reported only where its
 * name is near that of another fluent. */
#include <string.h>

#include "base/suggest.h"
#include "gdl/checks.h"
#include "gdl/marks.h"

static bool is_call(const alea_program *p, alea_rule_node_id atom, alea_symbol name) {
  return p->nodes.data[atom].name == name && p->nodes.data[atom].arg_count == 1;
}

/* Marks the fluents that conditions ask for; '*all' if a condition asks for any
 * fluent. */
static bool mark_read(const alea_program *p, alea_extent *x, alea_marks *read, bool *all) {
  for (size_t i = 0; i < p->literals.count; i++) {
    const alea_literal *literal = &p->literals.data[i];
    if (literal->kind == ALEA_LITERAL_DISTINCT) continue;
    bool fluent = is_call(p, literal->atom, ALEA_SYM_TRUE) ||
                  is_call(p, literal->atom, ALEA_SYM_INIT) ||
                  is_call(p, literal->atom, ALEA_SYM_NEXT);
    if (!fluent) continue;
    alea_rule_node_id argument = alea_program_args(p, literal->atom)[0];
    if (p->nodes.data[argument].kind == ALEA_NODE_VARIABLE) *all = true;
    if (p->nodes.data[argument].kind == ALEA_NODE_VARIABLE) continue;
    uint32_t element = alea_extent_element(x, argument);
    if (element == ALEA_NO_FUNCTOR || !alea_marks_set(read, element, 1)) return false;
  }
  return true;
}

/* Marks the fluents that some rule produces without asking for a move. */
static bool mark_others(const alea_program *p, alea_extent *x, alea_marks *others) {
  for (size_t i = 0; i < p->rules.count; i++) {
    const alea_rule *rule = &p->rules.data[i];
    bool record = false;
    if (!is_call(p, rule->head, ALEA_SYM_INIT) && !is_call(p, rule->head, ALEA_SYM_NEXT)) continue;
    for (uint32_t k = 0; k < rule->literal_count; k++)
      if (p->nodes.data[p->literals.data[rule->first_literal + k].atom].name == ALEA_SYM_DOES)
        record = true;
    alea_rule_node_id argument = alea_program_args(p, rule->head)[0];
    if (record || p->nodes.data[argument].kind == ALEA_NODE_VARIABLE) continue;
    uint32_t element = alea_extent_element(x, argument);
    if (element == ALEA_NO_FUNCTOR || !alea_marks_set(others, element, 1)) return false;
  }
  return true;
}

/* The name of a fluent that is asked for; NULL: none is near. */
static const char *nearest(const alea_program *p, const alea_extent *x, const alea_marks *read,
                           alea_symbol name) {
  alea_suggestion suggestion;
  alea_suggest_start(&suggestion, alea_symbols_text(p->symbols, name));
  for (uint32_t f = 0; f < x->functors.list.count; f++)
    if (alea_marks_get(read, f) == 1 && x->functors.list.data[f].name != name)
      alea_suggest_offer(&suggestion,
                         alea_symbols_spelling(p->symbols, x->functors.list.data[f].name));
  return strlen(suggestion.wanted) > 2 ? suggestion.nearest : NULL;
}

static bool check_head(alea_reporter *r, const alea_program *p, alea_extent *x,
                       alea_rule_node_id head, alea_marks *read, const alea_marks *others) {
  if (!is_call(p, head, ALEA_SYM_INIT) && !is_call(p, head, ALEA_SYM_NEXT)) return true;
  alea_rule_node_id argument = alea_program_args(p, head)[0];
  const alea_rule_node *fluent = &p->nodes.data[argument];
  if (fluent->kind == ALEA_NODE_VARIABLE) return true;
  uint32_t element = alea_extent_element(x, argument);
  if (element == ALEA_NO_FUNCTOR) return false;
  if (alea_marks_has(read, element)) return true;
  const char *near = nearest(p, x, read, fluent->name);
  if (fluent->line > 0 && (near != NULL || alea_marks_has(others, element)))
    alea_report(r, ALEA_CODE_NEVER_USED, fluent->line, fluent->column,
                "no condition asks whether %s is true, so this fluent does nothing%s%s%s",
                alea_symbols_spelling(p->symbols, fluent->name), near ? "; did you mean `" : "",
                near ? near : "", near ? "`?" : "");
  return alea_marks_set(read, element, 0); /* once for each */
}

bool alea_check_unread(alea_reporter *reporter, const alea_program *program, alea_extent *extent) {
  alea_marks read, others;
  alea_marks_init(&read, extent->mem);
  alea_marks_init(&others, extent->mem);
  bool all = false;
  bool ok = mark_read(program, extent, &read, &all) && mark_others(program, extent, &others);
  for (size_t i = 0; ok && !all && i < program->rules.count; i++)
    ok = check_head(reporter, program, extent, program->rules.data[i].head, &read, &others);
  alea_marks_clear(&read);
  alea_marks_clear(&others);
  return ok;
}
