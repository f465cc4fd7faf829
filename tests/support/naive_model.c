/* Perfect models by brute force.  Running out of memory is not handled. */
#include "support/naive_model.h"

#include <stdlib.h>

/* Programs with more ground rules would take too long for a test. */
enum { MAX_RULES = 100000, MAX_VARIABLES = 64, MAX_ARITY = 16 };

static void must(bool done) {
  if (!done) abort();
}

void naive_model_clear(naive_model *m) {
  alea_vec_clear(m->mem, &m->atoms);
  alea_vec_clear(m->mem, &m->rules);
  alea_vec_clear(m->mem, &m->body);
  alea_vec_clear(m->mem, &m->atom_of);
}

static uint32_t find_atom(const naive_model *m, alea_term term) {
  return term < m->atom_of.count ? m->atom_of.data[term] : 0;
}

/* Adds an atom that might hold; true if it is new. */
static bool add_atom(naive_model *m, alea_term term) {
  while (m->atom_of.count <= term) must(alea_vec_push(m->mem, &m->atom_of, 0));
  if (m->atom_of.data[term] != 0) return false;
  naive_atom atom = {term, 0, false};
  must(alea_vec_push(m->mem, &m->atoms, atom));
  m->atom_of.data[term] = (uint32_t)m->atoms.count;
  return true;
}

/* ---- instances ---- */

static bool match(const naive_model *m, alea_rule_node_id id, alea_term term, alea_term *bindings) {
  const alea_program *p = m->program;
  const alea_rule_node *node = &p->nodes.data[id];
  if (node->kind == ALEA_NODE_VARIABLE) {
    if (bindings[node->name] == ALEA_NO_TERM) bindings[node->name] = term;
    return bindings[node->name] == term;
  }
  if (alea_terms_name(p->terms, term) != node->name ||
      alea_terms_arity(p->terms, term) != node->arg_count ||
      alea_terms_is_list(p->terms, term) != (node->kind == ALEA_NODE_LIST))
    return false;
  for (uint32_t i = 0; i < node->arg_count; i++)
    if (!match(m, alea_program_args(p, id)[i], alea_terms_args(p->terms, term)[i], bindings))
      return false;
  return true;
}

/* A predicate of no arguments is written both `p` and `(p)`. */
static bool match_atom(const naive_model *m, alea_rule_node_id id, alea_term term,
                       alea_term *bindings) {
  const alea_rule_node *node = &m->program->nodes.data[id];
  if (node->arg_count > 0) return match(m, id, term, bindings);
  return alea_terms_name(m->program->terms, term) == node->name &&
         alea_terms_arity(m->program->terms, term) == 0;
}

static alea_term build(const naive_model *m, alea_rule_node_id id, const alea_term *bindings,
                       bool atom) {
  const alea_rule_node *node = &m->program->nodes.data[id];
  if (node->kind == ALEA_NODE_VARIABLE) return bindings[node->name];
  alea_term args[MAX_ARITY];
  must(node->arg_count <= MAX_ARITY);
  for (uint32_t i = 0; i < node->arg_count; i++)
    args[i] = build(m, alea_program_args(m->program, id)[i], bindings, false);
  if (node->kind == ALEA_NODE_CONSTANT || (atom && node->arg_count == 0))
    return alea_terms_constant(m->program->terms, node->name);
  return alea_terms_list(m->program->terms, node->name, args, node->arg_count);
}

static bool differ(const naive_model *m, const alea_literal *lit, const alea_term *bindings) {
  return build(m, lit->atom, bindings, false) != build(m, lit->other, bindings, false);
}

/* All variables are bound: adds the ground rule; true if its head is new. */
static bool add_instance(naive_model *m, const alea_rule *rule, const alea_term *bindings) {
  const alea_literal *lits = m->program->literals.data + rule->first_literal;
  for (uint32_t i = 0; i < rule->literal_count; i++)
    if (lits[i].kind == ALEA_LITERAL_DISTINCT && !differ(m, &lits[i], bindings)) return false;
  alea_term head = build(m, rule->head, bindings, true);
  bool added = add_atom(m, head);
  naive_rule instance = {find_atom(m, head) - 1, (uint32_t)m->body.count, 0};
  for (uint32_t i = 0; i < rule->literal_count; i++) {
    if (lits[i].kind == ALEA_LITERAL_DISTINCT) continue;
    bool negated = lits[i].kind == ALEA_LITERAL_FALSE;
    uint32_t atom = find_atom(m, build(m, lits[i].atom, bindings, true));
    if (atom == 0) continue; /* cannot hold, so its negation is true */
    must(alea_vec_push(m->mem, &m->body, 2 * (atom - 1) + negated));
    instance.count++;
  }
  must(alea_vec_push(m->mem, &m->rules, instance));
  return added;
}

/* Tries every atom for the positive literals from number 'next' on. */
static bool instantiate(naive_model *m, const alea_rule *rule, uint32_t next,
                        const alea_term *bindings) {
  const alea_literal *lits = m->program->literals.data + rule->first_literal;
  while (next < rule->literal_count && lits[next].kind != ALEA_LITERAL_TRUE) next++;
  if (next == rule->literal_count) return add_instance(m, rule, bindings);
  bool added = false;
  for (size_t i = 0; i < m->atoms.count && m->rules.count < MAX_RULES; i++) {
    alea_term mine[MAX_VARIABLES];
    for (uint32_t v = 0; v < rule->variable_count; v++) mine[v] = bindings[v];
    if (match_atom(m, lits[next].atom, m->atoms.data[i].term, mine))
      added = instantiate(m, rule, next + 1, mine) || added;
  }
  return added;
}

/* All instances over all atoms that might hold if negation were ignored;
 * complete when a pass adds no atom. */
static void instantiate_all(naive_model *m) {
  for (bool added = true; added && m->rules.count < MAX_RULES;) {
    added = false;
    m->rules.count = m->body.count = 0;
    for (size_t i = 0; i < m->program->rules.count; i++) {
      alea_term free[MAX_VARIABLES];
      const alea_rule *rule = &m->program->rules.data[i];
      must(rule->variable_count <= MAX_VARIABLES);
      for (uint32_t v = 0; v < rule->variable_count; v++) free[v] = ALEA_NO_TERM;
      added = instantiate(m, rule, 0, free) || added;
    }
  }
}

/* ---- the model ---- */

/* Puts each head at least as high as its body, and above its negated atoms.
 * False if that is impossible. */
static bool stratify(naive_model *m, uint32_t *highest) {
  *highest = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < m->rules.count; i++) {
      const naive_rule *rule = &m->rules.data[i];
      naive_atom *head = &m->atoms.data[rule->head];
      for (uint32_t k = 0; k < rule->count; k++) {
        uint32_t literal = m->body.data[rule->first + k];
        uint32_t least = m->atoms.data[literal / 2].stratum + (literal & 1);
        if (least <= head->stratum) continue;
        if (least > m->atoms.count) return false;
        head->stratum = least;
        if (least > *highest) *highest = least;
        changed = true;
      }
    }
  }
  return true;
}

static bool body_holds(const naive_model *m, const naive_rule *rule) {
  for (uint32_t k = 0; k < rule->count; k++) {
    uint32_t literal = m->body.data[rule->first + k];
    if (m->atoms.data[literal / 2].holds == (literal & 1)) return false;
  }
  return true;
}

static void iterate(naive_model *m, uint32_t stratum) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < m->rules.count; i++) {
      naive_atom *head = &m->atoms.data[m->rules.data[i].head];
      if (head->stratum != stratum || head->holds || !body_holds(m, &m->rules.data[i])) continue;
      head->holds = true;
      changed = true;
    }
  }
}

naive_result naive_model_make(naive_model *m, const alea_term *facts, size_t fact_count) {
  for (size_t i = 0; i < fact_count; i++) add_atom(m, facts[i]);
  instantiate_all(m);
  if (m->rules.count >= MAX_RULES) return NAIVE_TOO_BIG;
  for (size_t i = 0; i < fact_count; i++) m->atoms.data[find_atom(m, facts[i]) - 1].holds = true;
  uint32_t highest;
  if (!stratify(m, &highest)) return NAIVE_UNSTRATIFIED;
  for (uint32_t s = 0; s <= highest; s++) iterate(m, s);
  return NAIVE_DONE;
}
