/* Sorting a program for interpretation. */
#include "prover/rules.h"

#include <assert.h>
#include <string.h>

alea_place alea_rules_place(const alea_program *program, uint32_t line, uint32_t column,
                            alea_diag *diag) {
  const char *file = NULL;
  if (diag != NULL && program->file != NULL)
    file = alea_arena_strdup(&diag->arena, program->file, strlen(program->file));
  return (alea_place){file, line, column};
}

/* ---- ground terms ---- */

/* Interns 'id' if it is ground.  'args' is a stack shared by the levels of
 * the recursion, which goes at most 'depth' deeper. */
static alea_status intern_node(alea_rules *r, alea_rule_node_id id, uint32_t depth, alea_u32s *args,
                               alea_diag *diag) {
  const alea_program *p = r->program;
  const alea_rule_node *node = &p->nodes.data[id];
  if (node->kind == ALEA_NODE_VARIABLE || r->node_term[id] != ALEA_NO_TERM) return ALEA_OK;
  if (depth == 0) {
    alea_diag_error(diag, alea_rules_place(p, node->line, node->column, diag), "nesting-limit",
                    "a term is nested more than %d deep", ALEA_MAX_NESTING);
    return ALEA_LIMIT;
  }
  size_t base = args->count;
  bool ground = true;
  for (uint32_t i = 0; i < node->arg_count; i++) {
    alea_rule_node_id child = p->children.data[node->first_arg + i];
    alea_status status = intern_node(r, child, depth - 1, args, diag);
    if (status != ALEA_OK) return status;
    ground = ground && r->node_term[child] != ALEA_NO_TERM;
    if (!alea_vec_push(r->mem, args, r->node_term[child])) return alea_mem_lack(r->mem);
  }
  args->count = base;
  if (!ground) return ALEA_OK;
  const alea_term *list = node->arg_count > 0 ? args->data + base : NULL;
  r->node_term[id] = node->kind == ALEA_NODE_CONSTANT
                         ? alea_terms_constant(p->terms, node->name)
                         : alea_terms_list(p->terms, node->name, list, node->arg_count);
  return r->node_term[id] != ALEA_NO_TERM ? ALEA_OK : alea_mem_lack(p->mem);
}

static alea_status intern_args(alea_rules *r, alea_rule_node_id atom, alea_u32s *args,
                               alea_diag *diag) {
  const alea_rule_node *node = &r->program->nodes.data[atom];
  alea_status status = ALEA_OK;
  for (uint32_t i = 0; i < node->arg_count && status == ALEA_OK; i++)
    status = intern_node(r, r->program->children.data[node->first_arg + i], ALEA_MAX_NESTING, args,
                         diag);
  return status;
}

static alea_status intern_terms(alea_rules *r, alea_diag *diag) {
  const alea_program *p = r->program;
  alea_u32s args = {0};
  alea_status status = ALEA_OK;
  for (size_t i = 0; i < p->rules.count && status == ALEA_OK; i++)
    status = intern_args(r, p->rules.data[i].head, &args, diag);
  for (size_t i = 0; i < p->literals.count && status == ALEA_OK; i++) {
    const alea_literal *lit = &p->literals.data[i];
    if (lit->kind != ALEA_LITERAL_DISTINCT) {
      status = intern_args(r, lit->atom, &args, diag);
      continue;
    }
    status = intern_node(r, lit->atom, ALEA_MAX_NESTING, &args, diag);
    if (status == ALEA_OK) status = intern_node(r, lit->other, ALEA_MAX_NESTING, &args, diag);
  }
  alea_vec_clear(r->mem, &args);
  return status;
}

/* Questions start from a role, so every cursor must know the term of each. */
static alea_status intern_roles(alea_rules *r) {
  const alea_program *p = r->program;
  for (size_t i = 0; i < p->roles.count; i++)
    if (alea_terms_constant(p->terms, p->roles.data[i]) == ALEA_NO_TERM)
      return alea_mem_lack(p->mem);
  r->base_terms = alea_terms_count(p->terms);
  return ALEA_OK;
}

/* ---- predicates ---- */

static alea_pred pred_of(alea_rules *r, alea_rule_node_id atom) {
  const alea_rule_node *node = &r->program->nodes.data[atom];
  return alea_pairmap_add(&r->pred_ids, r->mem, node->name, node->arg_count);
}

/* The functor of the fluent in `(true FLUENT)`; a variable has none. */
static bool functor_of(alea_rules *r, alea_rule_node_id atom, uint32_t *functor) {
  const alea_rule_node *fluent = &r->program->nodes.data[alea_program_args(r->program, atom)[0]];
  *functor = ALEA_NO_FUNCTOR;
  if (fluent->kind == ALEA_NODE_VARIABLE) return true;
  uint32_t shape = 2 * fluent->arg_count + (fluent->kind == ALEA_NODE_LIST);
  *functor = alea_pairmap_add(&r->functor_ids, r->mem, fluent->name, shape);
  return *functor != ALEA_NO_PAIR;
}

static bool number_literals(alea_rules *r, alea_pred pred_true) {
  const alea_program *p = r->program;
  for (size_t i = 0; i < p->literals.count; i++) {
    const alea_literal *lit = &p->literals.data[i];
    r->literal_pred[i] = ALEA_NO_PRED;
    r->literal_functor[i] = ALEA_NO_FUNCTOR;
    if (lit->kind == ALEA_LITERAL_DISTINCT) continue;
    r->literal_pred[i] = pred_of(r, lit->atom);
    if (r->literal_pred[i] == ALEA_NO_PAIR) return false;
    if (r->literal_pred[i] == pred_true && !functor_of(r, lit->atom, &r->literal_functor[i]))
      return false;
  }
  return true;
}

static bool is_fact(const alea_rule *rule) { return rule->literal_count == 0; }

/* Counts the rules and facts of each predicate, then deals them out. */
static bool sort_rules(alea_rules *r) {
  const alea_program *p = r->program;
  size_t bodies = 0, terms = 0;
  for (size_t i = 0; i < p->rules.count; i++) {
    alea_pred_info *info = &r->preds[pred_of(r, p->rules.data[i].head)];
    if (is_fact(&p->rules.data[i])) {
      info->fact_count++;
      terms += info->arity;
    } else {
      info->rule_count++;
      bodies++;
    }
  }
  r->fact_term_count = terms;
  r->fact_terms = alea_mem_calloc(r->mem, terms, sizeof *r->fact_terms);
  r->order = alea_mem_calloc(r->mem, p->rules.count, sizeof *r->order);
  if (r->fact_terms == NULL || r->order == NULL) return false;
  uint32_t rule = 0, term = 0;
  for (size_t i = 0; i < r->pred_ids.pairs.count; i++) {
    alea_pred_info *info = &r->preds[i];
    info->first_rule = rule;
    info->first_fact = term;
    rule += info->rule_count;
    term += info->fact_count * info->arity;
    info->rule_count = info->fact_count = 0;
  }
  return true;
}

static void deal_rules(alea_rules *r) {
  const alea_program *p = r->program;
  for (size_t i = 0; i < p->rules.count; i++) {
    const alea_rule *rule = &p->rules.data[i];
    alea_pred_info *info = &r->preds[pred_of(r, rule->head)];
    if (!is_fact(rule)) {
      if (info->kind == ALEA_PRED_FACTS) info->kind = ALEA_PRED_DERIVED;
      r->order[info->first_rule + info->rule_count++] = (uint32_t)i;
      continue;
    }
    alea_term *row = r->fact_terms + info->first_fact + (size_t)info->fact_count * info->arity;
    const alea_rule_node_id *args = alea_program_args(p, rule->head);
    for (uint32_t k = 0; k < info->arity; k++) {
      row[k] = r->node_term[args[k]];
      assert(row[k] != ALEA_NO_TERM); /* the reader gives ground facts */
    }
    info->fact_count++;
  }
}

/* A predicate lives as long as the shortest-lived one its rules mention. */
static void find_levels(alea_rules *r) {
  const alea_program *p = r->program;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < p->rules.count; i++) {
      const alea_rule *rule = &p->rules.data[i];
      alea_pred_info *head = &r->preds[pred_of(r, rule->head)];
      for (uint32_t k = 0; k < rule->literal_count; k++) {
        alea_pred pred = r->literal_pred[rule->first_literal + k];
        if (pred == ALEA_NO_PRED || r->preds[pred].level <= head->level) continue;
        head->level = r->preds[pred].level;
        changed = true;
      }
    }
  }
}

static bool number_predicates(alea_rules *r) {
  const alea_program *p = r->program;
  alea_pred pred_true = alea_pairmap_add(&r->pred_ids, r->mem, ALEA_SYM_TRUE, 1);
  alea_pred pred_does = alea_pairmap_add(&r->pred_ids, r->mem, ALEA_SYM_DOES, 2);
  if (pred_true == ALEA_NO_PAIR || pred_does == ALEA_NO_PAIR) return false;
  for (size_t i = 0; i < p->rules.count; i++)
    if (pred_of(r, p->rules.data[i].head) == ALEA_NO_PAIR) return false;
  if (!number_literals(r, pred_true)) return false;
  r->preds = alea_mem_calloc(r->mem, r->pred_ids.pairs.count, sizeof *r->preds);
  if (r->preds == NULL) return false;
  for (size_t i = 0; i < r->pred_ids.pairs.count; i++)
    r->preds[i].arity = r->pred_ids.pairs.data[i].b;
  r->preds[pred_true].kind = ALEA_PRED_TRUE;
  r->preds[pred_true].level = ALEA_STATE;
  r->preds[pred_does].kind = ALEA_PRED_DOES;
  r->preds[pred_does].level = ALEA_JOINT;
  return true;
}

/* ---- the whole ---- */

static bool allocate(alea_rules *r) {
  const alea_program *p = r->program;
  r->node_term = alea_mem_calloc(r->mem, p->nodes.count, sizeof *r->node_term);
  r->literal_pred = alea_mem_calloc(r->mem, p->literals.count, sizeof *r->literal_pred);
  r->literal_functor = alea_mem_calloc(r->mem, p->literals.count, sizeof *r->literal_functor);
  if (r->node_term == NULL || r->literal_pred == NULL || r->literal_functor == NULL) return false;
  memset(r->node_term, 0xff, p->nodes.count * sizeof *r->node_term);
  return true;
}

alea_status alea_rules_new(alea_rules **rules, alea_program *program, alea_mem *mem,
                           alea_diag *diag) {
  *rules = NULL;
  alea_rules *r = alea_mem_zalloc(mem, sizeof *r);
  if (r == NULL) return alea_mem_lack(mem);
  r->mem = mem;
  r->program = program;
  alea_status status = allocate(r) ? intern_terms(r, diag) : alea_mem_lack(mem);
  if (status == ALEA_OK) status = intern_roles(r);
  if (status == ALEA_OK && !(number_predicates(r) && sort_rules(r))) status = alea_mem_lack(mem);
  if (status != ALEA_OK) {
    alea_rules_free(r);
    return status;
  }
  deal_rules(r);
  find_levels(r);
  *rules = r;
  return ALEA_OK;
}

void alea_rules_free(alea_rules *r) {
  if (r == NULL) return;
  alea_mem *mem = r->mem;
  const alea_program *p = r->program;
  alea_mem_free(mem, r->node_term, p->nodes.count * sizeof *r->node_term);
  alea_mem_free(mem, r->literal_pred, p->literals.count * sizeof *r->literal_pred);
  alea_mem_free(mem, r->literal_functor, p->literals.count * sizeof *r->literal_functor);
  alea_mem_free(mem, r->preds, r->pred_ids.pairs.count * sizeof *r->preds);
  alea_mem_free(mem, r->order, p->rules.count * sizeof *r->order);
  alea_mem_free(mem, r->fact_terms, r->fact_term_count * sizeof *r->fact_terms);
  alea_pairmap_clear(&r->pred_ids, mem);
  alea_pairmap_clear(&r->functor_ids, mem);
  alea_mem_free(mem, r, sizeof *r);
}

alea_pred alea_rules_find(const alea_rules *rules, alea_symbol name, uint32_t arity) {
  return alea_pairmap_find(&rules->pred_ids, name, arity);
}

alea_terms *alea_rules_copy_terms(const alea_rules *rules, alea_mem *mem) {
  const alea_terms *from = rules->program->terms;
  alea_terms *to = alea_terms_new(rules->program->symbols, mem);
  for (alea_term t = 0; to != NULL && t < rules->base_terms; t++) {
    alea_symbol name = alea_terms_name(from, t);
    alea_term copy =
        alea_terms_is_list(from, t)
            ? alea_terms_list(to, name, alea_terms_args(from, t), alea_terms_arity(from, t))
            : alea_terms_constant(to, name);
    if (copy == t) continue;
    alea_terms_free(to);
    return NULL;
  }
  return to;
}
