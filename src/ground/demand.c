/* Magic sets: large predicates are derived only where a rule asks for them.
 *
 * A predicate with many arguments may have millions of instances of which the
 * game needs a few thousand: chess asks `threatened_with_capture`, seven
 * arguments, only about squares that a piece really attacks.  For each such
 * predicate p we find the argument positions that are known whenever p is
 * asked (in every rule, in the order of the join), add to its rules the
 * literal demand-p(known arguments), and derive that demand where p is asked:
 * for positive literals by a rule over what precedes them in the join, for
 * negative ones when an instance of their rule is recorded (join.c).
 *
 * One set of positions per predicate, the intersection over all places that
 * ask, keeps one copy of each predicate; where nothing is left of it, the
 * predicate is derived in full. */
#include <string.h>

#include "ground/work.h"

/* Fewer variables than this never pay for the demand. */
enum { MANY_VARIABLES = 5 };

static void mark(void *context, uint32_t v) { ((uint8_t *)context)[v] = 1; }

typedef struct demand_probe {
  const uint8_t *bound;
  bool free;
} demand_probe;

static void look(void *context, uint32_t v) {
  demand_probe *p = context;
  if (!p->bound[v]) p->free = true;
}

static bool is_bound(const work *w, alea_rule_node_id node, const uint8_t *bound) {
  demand_probe p = {bound, false};
  work_each_variable(w, node, look, &p);
  return !p.free;
}

static uint64_t bound_positions(const work *w, alea_rule_node_id atom, const uint8_t *bound) {
  const alea_rule_node *n = &w->nodes.data[atom];
  uint64_t positions = 0;
  for (uint32_t i = 0; i < n->arg_count; i++)
    if (is_bound(w, w->children.data[n->first_arg + i], bound)) positions |= (uint64_t)1 << i;
  return positions;
}

/* Does one literal of a known extent (static, or an input) hold all variables
 * of the head?  Then the rule has no more instances than that literal. */
static bool is_covered(const work *w, const wrule *r, const uint8_t *in_head, uint8_t *seen) {
  for (uint32_t i = 0; i < r->count; i++) {
    const wlit *l = &w->lits.data[r->first + i];
    if (l->kind != ALEA_LITERAL_TRUE) continue;
    if (!w->preds.data[l->pred].is_static && !w->preds.data[l->pred].fixed) continue;
    memset(seen, 0, r->variable_count);
    work_each_variable(w, l->atom, mark, seen);
    bool all = true;
    for (uint32_t v = 0; v < r->variable_count; v++) all &= seen[v] || !in_head[v];
    if (all) return true;
  }
  return false;
}

/* Could the rule have a great many instances? */
static alea_status is_wide(work *w, const wrule *r, bool *wide) {
  size_t size = r->variable_count + 1;
  uint8_t *in_head = alea_mem_zalloc(w->mem, size), *seen = alea_mem_zalloc(w->mem, size);
  bool ok = in_head != NULL && seen != NULL;
  if (ok) {
    work_each_variable(w, r->head, mark, in_head);
    uint32_t count = 0;
    for (uint32_t v = 0; v < r->variable_count; v++) count += in_head[v];
    *wide = count >= MANY_VARIABLES && !is_covered(w, r, in_head, seen);
  }
  alea_mem_free(w->mem, in_head, size);
  alea_mem_free(w->mem, seen, size);
  return ok ? ALEA_OK : work_no_memory(w);
}

/* The predicates to restrict: dynamic, and with a wide rule or with positions
 * that only the demand can bind. */
static alea_status choose_candidates(work *w) {
  for (size_t i = 0; i < w->rules.count; i++) {
    const wrule *r = &w->rules.data[i];
    pred *p = &w->preds.data[r->head_pred];
    if (p->is_static || p->fixed || !p->needed || p->arity > 64 || p->restricted) continue;
    bool wide = false;
    alea_status status = is_wide(w, r, &wide);
    if (status != ALEA_OK) return status;
    if (!wide && p->required == 0) continue;
    p->restricted = true;
    p->bound = UINT64_MAX;
  }
  return ALEA_OK;
}

/* One walk over a rule in join order; 'ask' sees each literal of a restricted
 * predicate with the variables bound before it. */
typedef alea_status (*ask_fn)(work *w, uint32_t rule, uint32_t lit, const uint8_t *bound,
                              const alea_u32s *order, size_t before);

static void bind_head(work *w, const wrule *r, uint8_t *bound) {
  const pred *p = &w->preds.data[r->head_pred];
  if (!p->restricted) return;
  const alea_rule_node *n = &w->nodes.data[r->head];
  for (uint32_t i = 0; i < n->arg_count; i++)
    if (p->bound >> i & 1) work_each_variable(w, w->children.data[n->first_arg + i], mark, bound);
}

static alea_status walk_order(work *w, uint32_t rule, uint8_t *bound, const alea_u32s *order,
                              ask_fn ask) {
  const wrule r = w->rules.data[rule];
  alea_status status = ALEA_OK;
  for (size_t k = 0; status == ALEA_OK && k < order->count; k++) {
    uint32_t lit = order->data[k];
    wlit l = w->lits.data[r.first + lit];
    if (w->preds.data[l.pred].restricted) status = ask(w, rule, lit, bound, order, k);
    work_each_variable(w, l.atom, mark, bound);
  }
  for (uint32_t i = 0; status == ALEA_OK && i < r.count; i++) {
    wlit l = w->lits.data[r.first + i];
    if (l.kind == ALEA_LITERAL_FALSE && w->preds.data[l.pred].restricted)
      status = ask(w, rule, i, bound, order, order->count);
  }
  return status;
}

static alea_status walk_rule(work *w, uint32_t rule, ask_fn ask) {
  if (work_check_time(w) != ALEA_OK) return ALEA_LIMIT;
  const wrule *r = &w->rules.data[rule];
  size_t size = r->variable_count + 1;
  uint8_t *bound = alea_mem_zalloc(w->mem, size);
  uint8_t *scratch = alea_mem_zalloc(w->mem, size);
  alea_u32s order = {0};
  alea_status status = bound == NULL || scratch == NULL ? work_no_memory(w) : ALEA_OK;
  if (status == ALEA_OK) {
    bind_head(w, r, bound);
    memcpy(scratch, bound, size);
    status = work_order(w, r, NO_ID, scratch, &order);
  }
  if (status == ALEA_OK) status = walk_order(w, rule, bound, &order, ask);
  alea_vec_clear(w->mem, &order);
  alea_mem_free(w->mem, bound, size);
  alea_mem_free(w->mem, scratch, size);
  return status;
}

static alea_status narrow(work *w, uint32_t rule, uint32_t lit, const uint8_t *bound,
                          const alea_u32s *order, size_t before) {
  (void)order;
  (void)before;
  const wlit *l = &w->lits.data[w->rules.data[rule].first + lit];
  w->preds.data[l->pred].bound &= bound_positions(w, l->atom, bound);
  return ALEA_OK;
}

static bool is_needed_dynamic(const work *w, uint32_t rule) {
  const pred *p = &w->preds.data[w->rules.data[rule].head_pred];
  return p->needed && !p->is_static;
}

/* Shrinks the positions until every place that asks agrees. */
static alea_status settle(work *w) {
  for (bool changed = true; changed;) {
    changed = false;
    uint64_t before = 0, after = 0;
    for (size_t p = 0; p < w->preds.count; p++)
      if (w->preds.data[p].restricted)
        before += (uint64_t)__builtin_popcountll(w->preds.data[p].bound);
    for (uint32_t i = 0; i < w->rules.count; i++) {
      if (!is_needed_dynamic(w, i)) continue;
      alea_status status = walk_rule(w, i, narrow);
      if (status != ALEA_OK) return status;
    }
    for (size_t p = 0; p < w->preds.count; p++) {
      pred *q = &w->preds.data[p];
      if (!q->restricted) continue;
      if (q->bound == 0) q->restricted = false;
      after += (uint64_t)__builtin_popcountll(q->bound);
    }
    changed = before != after;
  }
  return ALEA_OK;
}

/* demand-p over the known arguments of 'atom'; NO_ID without memory. */
static alea_rule_node_id demand_node(work *w, uint32_t p, alea_rule_node_id atom) {
  alea_rule_node_id args[64];
  uint32_t count = 0;
  const alea_rule_node n = w->nodes.data[atom];
  for (uint32_t i = 0; i < n.arg_count; i++)
    if (w->preds.data[p].bound >> i & 1) args[count++] = w->children.data[n.first_arg + i];
  return work_list_node(w, w->preds.data[w->preds.data[p].demand_pred].name, args, count);
}

static bool make_demand_preds(work *w) {
  size_t count = w->preds.count;
  for (uint32_t p = 0; p < count; p++) {
    if (!w->preds.data[p].restricted) continue;
    alea_symbol name = work_fresh_symbol(w, "demand");
    uint64_t known = w->preds.data[p].bound;
    if (w->preds.data[p].arity < 64) known &= ((uint64_t)1 << w->preds.data[p].arity) - 1;
    w->preds.data[p].bound = known;
    if (name == ALEA_NO_SYMBOL) return false;
    uint32_t d = work_pred(w, name, (uint32_t)__builtin_popcountll(known));
    if (d == NO_ID) return false;
    w->preds.data[d].is_demand = w->preds.data[d].needed = w->preds.data[d].fixed = true;
    w->preds.data[p].demand_pred = d;
  }
  return true;
}

/* Literals of the demand rule: the head's own demand, what precedes in the
 * join, and the static tests that are decided by then. */
static bool push_prefix(work *w, const wrule *r, const uint8_t *bound, const alea_u32s *order,
                        size_t before) {
  const pred *h = &w->preds.data[r->head_pred];
  if (h->restricted) {
    uint32_t d = h->demand_pred;
    alea_rule_node_id node = demand_node(w, r->head_pred, r->head);
    if (node == NO_ID) return false;
    wlit l = {ALEA_LITERAL_TRUE, d, node, 0};
    if (!alea_vec_push(w->mem, &w->lits, l)) return false;
  }
  for (size_t k = 0; k < before; k++) {
    wlit l = w->lits.data[r->first + order->data[k]];
    if (!alea_vec_push(w->mem, &w->lits, l)) return false;
  }
  for (uint32_t i = 0; i < r->count; i++) {
    wlit l = w->lits.data[r->first + i];
    bool test = l.kind == ALEA_LITERAL_DISTINCT ||
                (l.kind == ALEA_LITERAL_FALSE && w->preds.data[l.pred].is_static);
    if (!test || !is_bound(w, l.atom, bound)) continue;
    if (l.kind == ALEA_LITERAL_DISTINCT && !is_bound(w, l.other, bound)) continue;
    if (!alea_vec_push(w->mem, &w->lits, l)) return false;
  }
  return true;
}

static alea_status add_demand_rule(work *w, uint32_t rule, uint32_t lit, const uint8_t *bound,
                                   const alea_u32s *order, size_t before) {
  const wrule r = w->rules.data[rule];
  const wlit l = w->lits.data[r.first + lit];
  if (l.kind == ALEA_LITERAL_FALSE) return ALEA_OK; /* join.c does it */
  uint32_t d = w->preds.data[l.pred].demand_pred;
  alea_rule_node_id head = demand_node(w, l.pred, l.atom);
  uint32_t first = (uint32_t)w->lits.count;
  if (head == NO_ID || !push_prefix(w, &r, bound, order, before)) return work_no_memory(w);
  wrule demand = {.head = head,
                  .head_pred = d,
                  .first = first,
                  .count = (uint32_t)w->lits.count - first,
                  .variable_count = r.variable_count,
                  .demand = true,
                  .line = r.line,
                  .column = r.column};
  return alea_vec_push(w->mem, &w->rules, demand) ? ALEA_OK : work_no_memory(w);
}

/* Puts the demand in front of the rule's own literals. */
static bool guard_rule(work *w, uint32_t rule) {
  wrule *r = &w->rules.data[rule];
  if (!w->preds.data[r->head_pred].restricted) return true;
  alea_rule_node_id node = demand_node(w, r->head_pred, r->head);
  if (node == NO_ID) return false;
  uint32_t first = (uint32_t)w->lits.count;
  wlit guard = {ALEA_LITERAL_TRUE, w->preds.data[r->head_pred].demand_pred, node, 0};
  if (!alea_vec_push(w->mem, &w->lits, guard)) return false;
  for (uint32_t i = 0; i < r->count; i++) {
    wlit l = w->lits.data[r->first + i];
    if (!alea_vec_push(w->mem, &w->lits, l)) return false;
  }
  r->first = first;
  r->count++;
  return true;
}

alea_status work_demand(work *w) {
  alea_status status = choose_candidates(w);
  if (status == ALEA_OK) status = settle(w);
  if (status != ALEA_OK) return status;
  if (!make_demand_preds(w)) return work_no_memory(w);
  uint32_t count = (uint32_t)w->rules.count;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_needed_dynamic(w, i)) continue;
    status = walk_rule(w, i, add_demand_rule);
    if (status != ALEA_OK) return status;
  }
  for (uint32_t i = 0; i < count; i++)
    if (is_needed_dynamic(w, i) && !guard_rule(w, i)) return work_no_memory(w);
  return ALEA_OK;
}
