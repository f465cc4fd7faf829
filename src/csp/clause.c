/* Clauses and completed rules over literals x = v and x != v: large relations
 * without a list of their tuples (D13). */
#include "csp/constraints.h"

typedef enum clause_truth { FALSE, TRUE, OPEN } lit_truth;

static lit_truth literal_truth(const csp_engine *engine, const csp_prop *prop, csp_literal lit) {
  const csp_domain *domain = csp_dom(engine, prop->scope[lit.position]);
  if (!csp_has_value(domain, lit.value)) return lit.negative ? TRUE : FALSE;
  if (domain->size == 1) return lit.negative ? FALSE : TRUE;
  return OPEN;
}

static bool make(csp_engine *engine, const csp_prop *prop, csp_literal lit, bool wanted) {
  alea_csp_var var = prop->scope[lit.position];
  if (wanted != lit.negative) return csp_assign_value(engine, var, lit.value);
  return csp_remove_value(engine, var, lit.value);
}

static bool literal_holds(csp_literal lit, const int32_t *values) {
  return (values[lit.position] == lit.value) != lit.negative;
}

/* ---- clause ---- */

static bool clause_check(const alea_csp *csp, const csp_constraint *constraint,
                         const int32_t *values) {
  (void)csp;
  const csp_clause *clause = constraint->data;
  for (size_t i = 0; i < clause->count; i++)
    if (literal_holds(clause->lits[i], values)) return true;
  return false;
}

/* Two literals that were not false at the last visit.  They are hints and not
 * trailed: undoing levels never makes a literal false. */
typedef struct watched {
  size_t first, second;
} watched;

static bool clause_start(csp_engine *engine, csp_prop *prop) {
  const csp_clause *clause = prop->constraint->data;
  watched *state = alea_arena_alloc(&engine->arena, sizeof *state);
  if (state == NULL) return false;
  *state = (watched){0, clause->count > 1};
  prop->state = state;
  for (size_t i = 0; i < clause->count; i++) /* x != v fails only when x is fixed */
    if (!csp_watch_add(engine, prop, clause->lits[i].position,
                       clause->lits[i].negative ? 1 : UINT32_MAX, false))
      return false;
  return true;
}

static bool clause_propagate(csp_engine *engine, csp_prop *prop) {
  const csp_clause *clause = prop->constraint->data;
  watched *state = prop->state;
  size_t open[2], found = 0;
  if (clause->count > 1 && literal_truth(engine, prop, clause->lits[state->first]) != FALSE &&
      literal_truth(engine, prop, clause->lits[state->second]) != FALSE)
    return true;
  for (size_t i = 0; i < clause->count && found < 2; i++) {
    lit_truth truth = literal_truth(engine, prop, clause->lits[i]);
    if (truth == TRUE) return true;
    if (truth == OPEN) open[found++] = i;
  }
  if (found == 0) return false;
  if (found == 1) return make(engine, prop, clause->lits[open[0]], true);
  *state = (watched){open[0], open[1]};
  return true;
}

const csp_type csp_clause_type = {"clause", 0, false, clause_check, clause_start, clause_propagate};

/* Literals over variables become literals over scope positions. */
static csp_literal *localise(alea_csp *csp, const alea_csp_lit *lits, size_t count,
                             alea_csp_var *scope, uint32_t *arity) {
  csp_literal *local = csp_alloc(csp, count, sizeof *local);
  if (local == NULL) return NULL;
  for (size_t i = 0; i < count; i++) {
    uint32_t position = 0;
    while (position < *arity && scope[position] != lits[i].var) position++;
    if (position == *arity) scope[(*arity)++] = lits[i].var;
    local[i] = (csp_literal){position, lits[i].value, lits[i].negative};
  }
  return local;
}

alea_status alea_csp_clause(alea_csp *csp, const alea_csp_lit *lits, size_t count) {
  alea_csp_var *scope = csp_alloc(csp, count, sizeof *scope);
  csp_clause *clause = csp_alloc(csp, 1, sizeof *clause);
  if (scope == NULL || clause == NULL) return csp->state;
  if (count == 0) csp->false_ = true;
  uint32_t arity = 0;
  *clause = (csp_clause){count, localise(csp, lits, count, scope, &arity)};
  return count == 0 ? csp->state : csp_post(csp, &csp_clause_type, scope, arity, clause);
}

/* ---- rules ---- */

static bool rules_check(const alea_csp *csp, const csp_constraint *constraint,
                        const int32_t *values) {
  (void)csp;
  const csp_rules *rules = constraint->data;
  bool derived = false;
  for (size_t b = 0; b < rules->bodies && !derived; b++) {
    derived = true;
    for (uint32_t i = rules->starts[b]; i < rules->starts[b + 1] && derived; i++)
      derived = literal_holds(rules->lits[i], values);
  }
  return derived == literal_holds(rules->head, values);
}

static bool rules_start(csp_engine *engine, csp_prop *prop) {
  return csp_watch_scope(engine, prop, false);
}

/* Truth of one body; '*open' is an open literal, '*opens' the number of
 * them. */
static lit_truth body_truth(const csp_engine *engine, const csp_prop *prop, const csp_rules *rules,
                            size_t b, uint32_t *open, uint32_t *opens) {
  *opens = 0;
  for (uint32_t i = rules->starts[b]; i < rules->starts[b + 1]; i++) {
    lit_truth truth = literal_truth(engine, prop, rules->lits[i]);
    if (truth == FALSE) return FALSE;
    if (truth == TRUE) continue;
    *open = i;
    ++*opens;
  }
  return *opens == 0 ? TRUE : OPEN;
}

/* The head is false: no body may become true. */
static bool refute_bodies(csp_engine *engine, csp_prop *prop, const csp_rules *rules) {
  for (size_t b = 0; b < rules->bodies; b++) {
    uint32_t open = 0, opens;
    lit_truth truth = body_truth(engine, prop, rules, b, &open, &opens);
    if (truth == TRUE) return false;
    if (truth == OPEN && opens == 1 && !make(engine, prop, rules->lits[open], false)) return false;
  }
  return true;
}

static bool rules_propagate(csp_engine *engine, csp_prop *prop) {
  const csp_rules *rules = prop->constraint->data;
  lit_truth head = literal_truth(engine, prop, rules->head);
  if (head == FALSE) return refute_bodies(engine, prop, rules);
  size_t alive = 0, last = 0;
  for (size_t b = 0; b < rules->bodies; b++) {
    uint32_t open, opens;
    lit_truth truth = body_truth(engine, prop, rules, b, &open, &opens);
    if (truth == TRUE) return make(engine, prop, rules->head, true);
    if (truth == FALSE) continue;
    alive++;
    last = b;
  }
  if (alive == 0) return make(engine, prop, rules->head, false);
  if (head == OPEN || alive > 1) return true;
  for (uint32_t i = rules->starts[last]; i < rules->starts[last + 1]; i++)
    if (!make(engine, prop, rules->lits[i], true)) return false;
  return true;
}

const csp_type csp_rules_type = {"rules", 1, false, rules_check, rules_start, rules_propagate};

alea_status alea_csp_rules(alea_csp *csp, alea_csp_lit head, const alea_csp_lit *lits,
                           const uint32_t *starts, size_t bodies) {
  size_t count = starts[bodies];
  alea_csp_var *scope = csp_alloc(csp, count + 1, sizeof *scope);
  csp_rules *rules = csp_alloc(csp, 1, sizeof *rules);
  if (scope == NULL || rules == NULL) return csp->state;
  uint32_t arity = 1;
  scope[0] = head.var;
  rules->head = (csp_literal){0, head.value, head.negative};
  rules->bodies = bodies;
  rules->starts = csp_copy(csp, starts, bodies + 1, sizeof *starts);
  rules->lits = localise(csp, lits, count, scope, &arity);
  return csp_post(csp, &csp_rules_type, scope, arity, rules);
}

/* ---- x = a if and only if y = b ---- */

static bool iff_check(const alea_csp *csp, const csp_constraint *constraint,
                      const int32_t *values) {
  (void)csp;
  const csp_pair *pair = constraint->data;
  return (values[0] == pair->a) == (values[1] == pair->b);
}

static bool iff_start(csp_engine *engine, csp_prop *prop) {
  const csp_pair *pair = prop->constraint->data;
  uint32_t *indexes = alea_arena_alloc(&engine->arena, 2 * sizeof *indexes);
  if (indexes == NULL) return false;
  indexes[0] = csp_index(csp_dom(engine, prop->scope[0])->var, pair->a);
  indexes[1] = csp_index(csp_dom(engine, prop->scope[1])->var, pair->b);
  prop->state = indexes;
  return csp_watch_scope(engine, prop, false);
}

static bool iff_propagate(csp_engine *engine, csp_prop *prop) {
  const uint32_t *indexes = prop->state;
  for (int s = 0; s < 2; s++) {
    const csp_domain *from = csp_dom(engine, prop->scope[s]);
    bool can = indexes[s] != ALEA_CSP_NONE && csp_has(from, indexes[s]);
    uint32_t to = indexes[!s];
    if (can && from->size > 1) continue;
    if (can) {
      if (to == ALEA_CSP_NONE || !csp_has(csp_dom(engine, prop->scope[!s]), to)) return false;
      if (!csp_assign(engine, prop->scope[!s], to)) return false;
    } else if (to != ALEA_CSP_NONE && csp_has(csp_dom(engine, prop->scope[!s]), to)) {
      if (!csp_remove(engine, prop->scope[!s], to)) return false;
    }
  }
  return true;
}

const csp_type csp_iff_type = {"iff", 0, false, iff_check, iff_start, iff_propagate};

alea_status alea_csp_iff(alea_csp *csp, alea_csp_var x, int32_t a, alea_csp_var y, int32_t b) {
  csp_pair *pair = csp_alloc(csp, 1, sizeof *pair);
  if (pair == NULL) return csp->state;
  *pair = (csp_pair){a, b};
  return csp_post(csp, &csp_iff_type, (alea_csp_var[]){x, y}, 2, pair);
}
