/* Derivatives that carry over from move to move (D73).
 *
 * Derivatives start at 0 with each move, unless a rule says `carry :h(b)'`.  Such
 * a derivative is a label of its own, called h_d1 (h_d2 for the second), which
 * stays with the element as every label does.  The rule's equations are rewritten
 * accordingly: `:h(b)'' = t` becomes `:h(b)' = :h_d1(b); :h_d1(b)' = t`. */
#include <stdio.h>
#include <string.h>

#include "toss/parser.h"

typedef alea_toss_parser parser;

/* Errors are reported at the next token: this makes it the clause. */
static void point(parser *p, const alea_toss_carry *c) {
  p->token.line = c->line;
  p->token.column = c->column;
}

static const char *name_of(const parser *p, const alea_toss_carry *c) {
  return alea_toss_text(p->file, c->function);
}

/* The name of the label for a derivative. */
static uint32_t label_name(parser *p, const alea_toss_carry *c) {
  char text[256];
  int length =
      snprintf(text, sizeof text, "%s_d%u", alea_toss_text(p->file, c->function), c->order);
  if (length < 0 || (size_t)length >= sizeof text) {
    point(p, c);
    alea_toss_fail(p, "bad-equation",
                   "the name '%.64s...' is too long for a derivative that is carried over",
                   name_of(p, c));
    return 0;
  }
  uint32_t name = alea_toss_names_add(&p->file->names, text, (size_t)length);
  if (name == UINT32_MAX) alea_toss_no_memory(p);
  return name;
}

void alea_toss_carry_read(parser *p, alea_toss_rule *rule) {
  do {
    alea_toss_carry made = {.line = p->token.line, .column = p->token.column};
    alea_toss_expect(p, ":");
    made.function = alea_toss_name(p, "a function");
    alea_toss_expect(p, "(");
    alea_toss_token token = p->token;
    uint32_t name = alea_toss_name(p, "an element");
    alea_toss_expect(p, ")");
    while (alea_toss_accept(p, "'")) made.order++;
    if (!alea_toss_good(p)) return;
    while (made.element < rule->left.elements.count &&
           rule->left.elements.data[made.element] != name) {
      made.element++;
    }
    if (made.element == rule->left.elements.count) {
      p->token = token;
      alea_toss_fail(p, "unknown-element", "'%s' is not an element of the left side",
                     alea_toss_text(p->file, name));
    } else if (made.order == 0 || made.order > 3) {
      point(p, &made);
      alea_toss_fail(p, "bad-equation", "'carry' names a derivative up to the third, as in :%s(a)'",
                     name_of(p, &made));
    }
    if (alea_toss_good(p)) alea_toss_push(p, &rule->carried, made);
  } while (alea_toss_accept(p, ";"));
}

/* The term `:name(element)`. */
static uint32_t make_term(parser *p, uint32_t name, uint32_t element, const alea_toss_carry *c) {
  alea_toss_node node = {.kind = ALEA_TOSS_FUNCTION,
                         .height = 1,
                         .line = c->line,
                         .column = c->column,
                         .name = name,
                         .target = ALEA_TOSS_NONE,
                         .first = (uint32_t)p->file->kids.count,
                         .count = 1};
  alea_toss_push(p, &p->file->kids, element);
  alea_toss_push(p, &p->file->nodes, node);
  return (uint32_t)p->file->nodes.count - 1;
}

/* Lets the terms of a node read the label instead of the derivative.  Heights are
 * bounded, so this may recurse. */
static void reread(parser *p, uint32_t id, const alea_toss_carry *c, uint32_t element,
                   uint32_t label) {
  alea_toss_node *node = &p->file->nodes.data[id];
  const uint32_t *kids = p->file->kids.data + node->first;
  switch (node->kind) {
    case ALEA_TOSS_FUNCTION:
      if (node->name != c->function || kids[0] != element || node->order < c->order) return;
      node->name = label;
      node->order = (uint16_t)(node->order - c->order);
      return;
    case ALEA_TOSS_REL:
    case ALEA_TOSS_EQUAL:
    case ALEA_TOSS_IN: return; /* their kids are names */
    case ALEA_TOSS_EXISTS:
    case ALEA_TOSS_FORALL:
    case ALEA_TOSS_SUM:
    case ALEA_TOSS_PROD:
      if (node->name == element) return; /* another element of that name */
      break;
    default: break;
  }
  for (uint32_t i = 0; i < node->count; i++) {
    reread(p, p->file->kids.data[p->file->nodes.data[id].first + i], c, element, label);
  }
}

/* Splits the equations of the function at the order that is carried. */
static void split(parser *p, alea_toss_rule *rule, const alea_toss_carry *c) {
  uint32_t element = rule->left.elements.data[c->element], label = label_name(p, c);
  bool found = false;
  if (!alea_toss_good(p)) return;
  for (size_t i = 0; i < rule->dynamics.count; i++) {
    alea_toss_equation *e = &rule->dynamics.data[i];
    reread(p, e->term, c, element, label);
    if (e->function != c->function || e->element != c->element || e->order <= c->order) continue;
    e->function = label;
    e->order -= c->order;
    found = true;
  }
  if (!found) {
    point(p, c);
    alea_toss_fail(p, "bad-equation",
                   "'carry' needs an equation for a higher derivative of '%s' in the same rule",
                   name_of(p, c));
    return;
  }
  alea_toss_equation made = {.function = c->function,
                             .element = c->element,
                             .order = c->order,
                             .term = make_term(p, label, element, c),
                             .line = c->line,
                             .column = c->column};
  alea_toss_push(p, &rule->dynamics, made);
  alea_toss_declaration declared = {label, ALEA_TOSS_NONE, c->line, c->column};
  alea_toss_push(p, &rule->left.declared, declared);
}

/* Higher derivatives first: a lower one then carries on to their equation. */
void alea_toss_carry_apply(parser *p, alea_toss_rule *rule) {
  for (uint32_t order = 3; order > 0; order--) {
    for (size_t i = 0; i < rule->carried.count && alea_toss_good(p); i++) {
      alea_toss_token next = p->token;
      const alea_toss_carry *c = &rule->carried.data[i];
      if (c->order == order) split(p, rule, c);
      if (alea_toss_good(p)) p->token = next;
    }
  }
}
