/* Writing a safe conjunction into the program as a rule. */
#include "gdl/normalise.h"

enum { MAX_NODES = 1 << 27 }; /* 3 GB of nodes: memory is exhausted first */

typedef struct open_list {
  uint32_t end;  /* expression just after the list */
  uint32_t slot; /* index in 'children' of the next argument */
} open_list;
typedef ALEA_VEC(open_list) open_lists;

static bool variable_number(alea_normaliser *n, alea_symbol name, alea_rule *rule,
                            uint32_t *number) {
  *number = alea_marks_get(&n->number, name);
  if (*number != ALEA_UNMARKED) return true;
  *number = rule->variable_count++;
  return alea_marks_set(&n->number, name, *number) ? true : alea_normalise_no_memory(n);
}

/* The node of one expression without its arguments, whose slots are reserved. */
static bool make_node(alea_normaliser *n, uint32_t expr, bool predicate, alea_rule *rule) {
  alea_program *p = n->program;
  const alea_sexpr *e = &n->exprs->items.data[expr];
  alea_rule_node node = {
      .line = e->line, .column = e->column, .name = alea_sexpr_name(n->exprs, expr)};
  node.first_arg = (uint32_t)p->children.count;
  node.arg_count = alea_sexpr_arity(n->exprs, expr);
  if (alea_sexpr_is_list(n->exprs, expr)) {
    /* `(p)` is `p` as a predicate, and a term of its own elsewhere. */
    node.kind = predicate && node.arg_count == 0 ? ALEA_NODE_CONSTANT : ALEA_NODE_LIST;
  } else if (alea_symbol_is_variable(p->symbols, e->atom)) {
    node.kind = ALEA_NODE_VARIABLE;
    if (!variable_number(n, e->atom, rule, &node.name)) return false;
  } else {
    node.kind = ALEA_NODE_CONSTANT;
  }
  if (p->nodes.count >= MAX_NODES) return alea_normalise_limit(n, "terms");
  if (!alea_vec_reserve(n->mem, &p->children, node.arg_count) ||
      !alea_vec_push(n->mem, &p->nodes, node))
    return alea_normalise_no_memory(n);
  p->children.count += node.arg_count;
  return true;
}

static bool emit_term(alea_normaliser *n, uint32_t expr, bool predicate, alea_rule *rule,
                      alea_rule_node_id *root) {
  alea_program *p = n->program;
  uint32_t end = n->exprs->items.data[expr].after;
  open_lists open = {0};
  bool ok = true;
  *root = (alea_rule_node_id)p->nodes.count;
  for (uint32_t i = expr; ok && i < end;) {
    while (open.count > 0 && open.data[open.count - 1].end == i) open.count--;
    alea_rule_node_id id = (alea_rule_node_id)p->nodes.count;
    ok = make_node(n, i, predicate && i == expr, rule);
    if (!ok) break;
    if (open.count > 0) p->children.data[open.data[open.count - 1].slot++] = id;
    open_list inner = {n->exprs->items.data[i].after, p->nodes.data[id].first_arg};
    if (p->nodes.data[id].arg_count > 0 && !alea_vec_push(n->mem, &open, inner))
      ok = alea_normalise_no_memory(n);
    i = alea_sexpr_first_arg(n->exprs, i);
  }
  alea_vec_clear(n->mem, &open);
  return ok;
}

static bool emit_literal(alea_normaliser *n, const alea_rule_lit *lit, alea_rule *rule) {
  static const uint8_t kinds[] = {ALEA_LITERAL_TRUE, ALEA_LITERAL_FALSE, ALEA_LITERAL_DISTINCT};
  alea_literal literal = {.kind = kinds[lit->kind]};
  bool distinct = lit->kind == LIT_DISTINCT;
  if (!emit_term(n, lit->a, !distinct, rule, &literal.atom)) return false;
  if (distinct && !emit_term(n, lit->b, false, rule, &literal.other)) return false;
  rule->literal_count++;
  return alea_vec_push(n->mem, &n->program->literals, literal) ? true : alea_normalise_no_memory(n);
}

bool alea_emit_rule(alea_normaliser *n) {
  alea_program *p = n->program;
  if (p->rules.count >= n->max_rules) return alea_normalise_limit(n, "rules");
  const alea_sexpr *origin = &n->exprs->items.data[n->origin];
  alea_rule rule = {
      .first_literal = (uint32_t)p->literals.count, .line = origin->line, .column = origin->column};
  alea_marks_reset(&n->number);
  if (!emit_term(n, n->head, true, &rule, &rule.head)) return false;
  for (size_t i = 0; i < n->lits.count; i++)
    if (!emit_literal(n, &n->lits.data[i], &rule)) return false;
  return alea_vec_push(n->mem, &p->rules, rule) ? true : alea_normalise_no_memory(n);
}
