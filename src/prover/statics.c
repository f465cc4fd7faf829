/* Static predicates become facts. */
#include "prover/statics.h"

#include <string.h>

#include "prover/solver.h"

/* Inferences to spend on one predicate, and on all together. */
enum { BUDGET_EACH = 1 << 18, BUDGET_ALL = 1 << 22 };

typedef struct statics {
  alea_mem *mem;
  alea_rules *rules;
  alea_solver *solver;
  bool *used;      /* per predicate: some body asks for it */
  bool *evaluated; /* per predicate: its rows below are all there are */
  uint32_t *first; /* per predicate: offset of its rows in 'terms' */
  uint32_t *count; /* per predicate: rows */
  ALEA_VEC(alea_term) terms;
} statics;

static alea_status no_memory(const statics *x) { return alea_mem_lack(x->mem); }

static bool allocate(statics *x) {
  size_t preds = x->rules->pred_ids.pairs.count;
  x->used = alea_mem_calloc(x->mem, preds, sizeof *x->used);
  x->evaluated = alea_mem_calloc(x->mem, preds, sizeof *x->evaluated);
  x->first = alea_mem_calloc(x->mem, preds, sizeof *x->first);
  x->count = alea_mem_calloc(x->mem, preds, sizeof *x->count);
  return x->used != NULL && x->evaluated != NULL && x->first != NULL && x->count != NULL;
}

static void release(statics *x) {
  size_t preds = x->rules->pred_ids.pairs.count;
  alea_mem_free(x->mem, x->used, preds * sizeof *x->used);
  alea_mem_free(x->mem, x->evaluated, preds * sizeof *x->evaluated);
  alea_mem_free(x->mem, x->first, preds * sizeof *x->first);
  alea_mem_free(x->mem, x->count, preds * sizeof *x->count);
  alea_vec_clear(x->mem, &x->terms);
  alea_solver_free(x->solver);
}

static void find_used(statics *x) {
  const alea_program *p = x->rules->program;
  for (size_t i = 0; i < p->literals.count; i++)
    if (x->rules->literal_pred[i] != ALEA_NO_PRED) x->used[x->rules->literal_pred[i]] = true;
  alea_pred init = alea_rules_find(x->rules, ALEA_SYM_INIT, 1);
  if (init != ALEA_NO_PRED) x->used[init] = true;
}

static bool keep_rows(statics *x, alea_pred pred, const alea_term *rows, uint32_t count) {
  size_t terms = (size_t)count * x->rules->preds[pred].arity;
  if (x->terms.count + terms > UINT32_MAX || !alea_vec_reserve(x->mem, &x->terms, terms))
    return false;
  if (terms > 0) memcpy(x->terms.data + x->terms.count, rows, terms * sizeof *rows);
  x->first[pred] = (uint32_t)x->terms.count;
  x->count[pred] = count;
  x->terms.count += terms;
  return true;
}

/* Asks for everything that 'pred' holds of.  A question that is too hard, or
 * has no answer, is left for later, when its arguments are known. */
static alea_status evaluate(statics *x, alea_pred pred) {
  const alea_pred_info *info = &x->rules->preds[pred];
  alea_term *key = alea_mem_alloc(x->mem, info->arity * sizeof *key);
  if (key == NULL) return no_memory(x);
  for (uint32_t i = 0; i < info->arity; i++) key[i] = ALEA_NO_TERM;
  const alea_answer_table *table;
  alea_status status = alea_solver_ask(x->solver, pred, key, &table);
  alea_mem_free(x->mem, key, info->arity * sizeof *key);
  if (status == ALEA_INPUT || alea_solver_gave_up(x->solver)) return ALEA_OK;
  if (status != ALEA_OK) return status;
  if (!keep_rows(x, pred, table->rows, table->count)) return no_memory(x);
  x->evaluated[pred] = true;
  return ALEA_OK;
}

static alea_status evaluate_all(statics *x) {
  for (alea_pred pred = 0; pred < x->rules->pred_ids.pairs.count; pred++) {
    const alea_pred_info *info = &x->rules->preds[pred];
    bool worth = info->kind == ALEA_PRED_DERIVED && info->level == ALEA_STATIC && x->used[pred];
    if (!worth || alea_solver_inferences(x->solver) > BUDGET_ALL) continue;
    alea_status status = evaluate(x, pred);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

/* Terms that were made on the way become terms of the program, in the same
 * order and so with the same numbers. */
static alea_status adopt_terms(statics *x, alea_program *program) {
  alea_terms *from = alea_solver_terms(x->solver), *to = program->terms;
  for (alea_term t = x->rules->base_terms; t < alea_terms_count(from); t++) {
    alea_symbol name = alea_terms_name(from, t);
    alea_term copy =
        alea_terms_is_list(from, t)
            ? alea_terms_list(to, name, alea_terms_args(from, t), alea_terms_arity(from, t))
            : alea_terms_constant(to, name);
    if (copy != t) return alea_mem_lack(program->mem);
  }
  x->rules->base_terms = alea_terms_count(to);
  return ALEA_OK;
}

/* Appends the rows of predicates that keep theirs, then replaces the array. */
static alea_status replace_facts(statics *x) {
  alea_rules *r = x->rules;
  for (alea_pred pred = 0; pred < r->pred_ids.pairs.count; pred++) {
    const alea_pred_info *info = &r->preds[pred];
    if (!x->evaluated[pred] &&
        !keep_rows(x, pred, r->fact_terms + info->first_fact, info->fact_count))
      return no_memory(x);
  }
  alea_term *terms = alea_mem_calloc(x->mem, x->terms.count, sizeof *terms);
  if (terms == NULL) return no_memory(x);
  if (x->terms.count > 0) memcpy(terms, x->terms.data, x->terms.count * sizeof *terms);
  alea_mem_free(x->mem, r->fact_terms, r->fact_term_count * sizeof *r->fact_terms);
  r->fact_terms = terms;
  r->fact_term_count = x->terms.count;
  for (alea_pred pred = 0; pred < r->pred_ids.pairs.count; pred++) {
    alea_pred_info *info = &r->preds[pred];
    info->first_fact = x->first[pred];
    info->fact_count = x->count[pred];
    if (!x->evaluated[pred]) continue;
    info->kind = ALEA_PRED_FACTS;
    info->rule_count = 0;
  }
  return ALEA_OK;
}

alea_status alea_rules_evaluate_statics(alea_rules *rules, alea_program *program) {
  statics x = {.mem = rules->mem, .rules = rules};
  alea_status status = ALEA_OK;
  if (!allocate(&x)) status = no_memory(&x);
  if (status == ALEA_OK) status = alea_solver_new(&x.solver, rules, BUDGET_EACH, rules->mem);
  if (status == ALEA_OK) {
    find_used(&x);
    status = evaluate_all(&x);
  }
  if (status == ALEA_OK) status = adopt_terms(&x, program);
  if (status == ALEA_OK) status = replace_facts(&x);
  release(&x);
  return status;
}
