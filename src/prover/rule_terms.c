/* Terms of rules: matching and building. */
#include "prover/rule_terms.h"

static void fail(const alea_rule_terms *b, alea_status status) {
  if (*b->status == ALEA_OK) *b->status = status;
}

void alea_rule_terms_clear(alea_rule_terms *b) { alea_vec_clear(b->mem, &b->words); }

bool alea_rule_terms_push(alea_rule_terms *b, alea_term term) {
  if (alea_vec_push(b->mem, &b->words, term)) return true;
  fail(b, alea_mem_lack(b->mem));
  return false;
}

/* Recursion is bounded by ALEA_MAX_NESTING, here and below. */
bool alea_rule_terms_match(const alea_rule_terms *b, alea_rule_node_id id, alea_term term,
                           alea_term *bindings) {
  const alea_program *p = b->rules->program;
  const alea_rule_node *node = &p->nodes.data[id];
  if (node->kind == ALEA_NODE_VARIABLE) {
    if (bindings[node->name] == ALEA_NO_TERM) bindings[node->name] = term;
    return bindings[node->name] == term;
  }
  if (b->rules->node_term[id] != ALEA_NO_TERM) return b->rules->node_term[id] == term;
  if (!alea_terms_is_list(b->terms, term) || alea_terms_name(b->terms, term) != node->name ||
      alea_terms_arity(b->terms, term) != node->arg_count)
    return false;
  const alea_term *args = alea_terms_args(b->terms, term);
  for (uint32_t i = 0; i < node->arg_count; i++)
    if (!alea_rule_terms_match(b, p->children.data[node->first_arg + i], args[i], bindings))
      return false;
  return true;
}

bool alea_rule_terms_match_all(const alea_rule_terms *b, const alea_rule_node_id *args,
                               uint32_t count, const alea_term *row, alea_term *bindings) {
  for (uint32_t i = 0; i < count; i++)
    if (!alea_rule_terms_match(b, args[i], row[i], bindings)) return false;
  return true;
}

alea_term alea_rule_terms_build(alea_rule_terms *b, alea_rule_node_id id, const alea_term *bindings,
                                bool make) {
  const alea_program *p = b->rules->program;
  const alea_rule_node *node = &p->nodes.data[id];
  if (node->kind == ALEA_NODE_VARIABLE) return bindings[node->name];
  if (b->rules->node_term[id] != ALEA_NO_TERM) return b->rules->node_term[id];
  size_t base = b->words.count;
  alea_term result = ALEA_NO_TERM;
  uint32_t i = 0;
  for (; i < node->arg_count; i++) {
    alea_term arg = alea_rule_terms_build(b, p->children.data[node->first_arg + i], bindings, make);
    if (arg == ALEA_NO_TERM || !alea_rule_terms_push(b, arg)) break;
  }
  if (i == node->arg_count) {
    const alea_term *args = b->words.data + base;
    result = make ? alea_terms_list(b->terms, node->name, args, node->arg_count)
                  : alea_terms_find_list(b->terms, node->name, args, node->arg_count);
    if (make && result == ALEA_NO_TERM) fail(b, alea_mem_lack(b->mem));
  }
  b->words.count = base;
  return result;
}

alea_term alea_rule_terms_build_new(alea_rule_terms *b, alea_rule_node_id id,
                                    const alea_term *bindings) {
  alea_term term = alea_rule_terms_build(b, id, bindings, true);
  if (term == ALEA_NO_TERM) fail(b, ALEA_INPUT);
  return term;
}
