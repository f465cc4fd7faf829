/* Rules into join plans: in which order to look, through which index, and
 * what to compare. */
#include <math.h>
#include <string.h>

#include "ground/work.h"

/* ---- the order of a join ---- */

typedef struct plan_tally {
  const uint8_t *bound;
  uint32_t free, fixed; /* occurrences of variables */
} plan_tally;

static void count_variable(void *context, uint32_t v) {
  plan_tally *t = context;
  if (t->bound[v]) {
    t->fixed++;
  } else {
    t->free++;
  }
}

static void bind_variable(void *context, uint32_t v) { ((uint8_t *)context)[v] = 1; }

static bool is_bound(const work *w, alea_rule_node_id node, const uint8_t *bound) {
  plan_tally t = {bound, 0, 0};
  work_each_variable(w, node, count_variable, &t);
  return t.free == 0;
}

/* How many facts a scan of the literal will meet, roughly.  For static
 * predicates from their contents; others are still empty, so a free variable
 * counts as eight values. */
static double estimate(const work *w, const wlit *l, const uint8_t *bound) {
  plan_tally t = {bound, 0, 0};
  work_each_variable(w, l->atom, count_variable, &t);
  if (t.free == 0) return 0;
  const pred *p = &w->preds.data[l->pred];
  const alea_rule_node *n = &w->nodes.data[l->atom];
  for (uint32_t i = 0; i < n->arg_count && i < 64; i++)
    if (p->required >> i & 1 && !is_bound(w, w->children.data[n->first_arg + i], bound))
      return 1e300; /* only after what binds it */
  if (!p->is_static || p->distinct == NULL) return pow(8, t.free) * pow(0.9, t.fixed);
  double facts = (double)p->atoms.count;
  for (uint32_t i = 0; i < n->arg_count; i++)
    if (is_bound(w, w->children.data[n->first_arg + i], bound))
      facts /= p->distinct[i] > 0 ? p->distinct[i] : 1;
  return facts > 0.01 ? facts : 0.01;
}

alea_status work_order(work *w, const wrule *rule, uint32_t trigger, uint8_t *bound,
                       alea_u32s *order) {
  size_t start = order->count;
  uint32_t left = 0;
  for (uint32_t i = 0; i < rule->count; i++)
    left += i != trigger && w->lits.data[rule->first + i].kind == ALEA_LITERAL_TRUE;
  while (left-- > 0) {
    if (left % 64 == 63 && work_check_time(w) != ALEA_OK) return ALEA_LIMIT;
    uint32_t best = NO_ID;
    double best_cost = INFINITY;
    for (uint32_t i = 0; i < rule->count; i++) {
      const wlit *l = &w->lits.data[rule->first + i];
      bool taken = i == trigger || l->kind != ALEA_LITERAL_TRUE;
      for (size_t k = start; k < order->count && !taken; k++) taken = order->data[k] == i;
      if (taken) continue;
      double cost = estimate(w, l, bound);
      if (cost < best_cost) best = i, best_cost = cost;
    }
    if (!alea_vec_push(w->mem, order, best)) return work_no_memory(w);
    work_each_variable(w, w->lits.data[rule->first + best].atom, bind_variable, bound);
  }
  return ALEA_OK;
}

/* ---- compiling ---- */

typedef struct plan_compiler {
  work *w;
  uint8_t *bound;
  uint16_t registers; /* used so far by the pattern at hand */
  bool failed;
} plan_compiler;

static void add_match(plan_compiler *c, match_op op) {
  if (!alea_vec_push(c->w->mem, &c->w->match_ops, op)) c->failed = true;
}

static void add_build(plan_compiler *c, build_op op) {
  if (!alea_vec_push(c->w->mem, &c->w->build_ops, op)) c->failed = true;
}

static void build_node(plan_compiler *c, alea_rule_node_id id) {
  alea_rule_node n = c->w->nodes.data[id];
  if (n.kind == ALEA_NODE_VARIABLE) {
    add_build(c, (build_op){BUILD_VAR, n.name, 0});
  } else if (n.kind == ALEA_NODE_CONSTANT) {
    alea_term term = alea_terms_constant(c->w->terms, n.name);
    if (term == ALEA_NO_TERM) c->failed = true;
    add_build(c, (build_op){BUILD_CONST, term, 0});
  } else {
    for (uint32_t i = 0; i < n.arg_count; i++) build_node(c, c->w->children.data[n.first_arg + i]);
    add_build(c, (build_op){BUILD_LIST, n.name, n.arg_count});
  }
}

/* Code that builds an atom: always a list, whatever was written. */
static span build_atom(plan_compiler *c, alea_rule_node_id id) {
  span s = {(uint32_t)c->w->build_ops.count, 0};
  alea_rule_node n = c->w->nodes.data[id];
  for (uint32_t i = 0; i < n.arg_count; i++) build_node(c, c->w->children.data[n.first_arg + i]);
  add_build(c, (build_op){BUILD_LIST, n.name, n.arg_count});
  s.count = (uint32_t)c->w->build_ops.count - s.first;
  return s;
}

static span build_term(plan_compiler *c, alea_rule_node_id id) {
  span s = {(uint32_t)c->w->build_ops.count, 0};
  build_node(c, id);
  s.count = (uint32_t)c->w->build_ops.count - s.first;
  return s;
}

/* Ops that match argument 'arg' of register 'from' against a node.  Variables
 * seen for the first time are bound. */
static void match_node(plan_compiler *c, alea_rule_node_id id, uint16_t from, uint16_t arg) {
  alea_rule_node n = c->w->nodes.data[id];
  match_op op = {.from = from, .arg = arg};
  if (n.kind == ALEA_NODE_VARIABLE) {
    op.kind = c->bound[n.name] ? MATCH_SAME : MATCH_BIND;
    op.value = n.name;
    c->bound[n.name] = 1;
    add_match(c, op);
  } else if (n.kind == ALEA_NODE_CONSTANT) {
    op.kind = MATCH_CONST;
    op.value = alea_terms_constant(c->w->terms, n.name);
    if (op.value == ALEA_NO_TERM) c->failed = true;
    add_match(c, op);
  } else {
    op.kind = MATCH_LIST;
    op.to = ++c->registers;
    op.value = n.name;
    op.arity = n.arg_count;
    add_match(c, op);
    for (uint32_t i = 0; i < n.arg_count; i++)
      match_node(c, c->w->children.data[n.first_arg + i], op.to, (uint16_t)i);
  }
}

static span match_atom(plan_compiler *c, alea_rule_node_id id) {
  span s = {(uint32_t)c->w->match_ops.count, 0};
  c->registers = 0;
  alea_rule_node n = c->w->nodes.data[id];
  for (uint32_t i = 0; i < n.arg_count; i++)
    match_node(c, c->w->children.data[n.first_arg + i], 0, (uint16_t)i);
  s.count = (uint32_t)c->w->match_ops.count - s.first;
  return s;
}

/* ---- indexes ---- */

/* From the match ops of a pattern, the ops of the index that serves it (what
 * is known beforehand becomes key) and the code that builds the key. */
static void key_of(plan_compiler *c, span match, const uint8_t *known, span *ops, span *key) {
  ops->first = (uint32_t)c->w->match_ops.count;
  key->first = (uint32_t)c->w->build_ops.count;
  for (uint32_t i = 0; i < match.count; i++) {
    match_op op = c->w->match_ops.data[match.first + i];
    if (op.kind == MATCH_LIST) {
      add_match(c, op);
      continue;
    }
    bool constant = op.kind == MATCH_CONST;
    if (!constant && !(op.kind == MATCH_SAME && known[op.value])) continue;
    add_build(c, (build_op){constant ? BUILD_CONST : BUILD_VAR, op.value, 0});
    op.kind = MATCH_KEY;
    op.value = 0;
    add_match(c, op);
  }
  ops->count = (uint32_t)c->w->match_ops.count - ops->first;
  key->count = (uint32_t)c->w->build_ops.count - key->first;
}

static bool same_op(const match_op *a, const match_op *b) {
  return a->kind == b->kind && a->from == b->from && a->arg == b->arg && a->to == b->to &&
         a->value == b->value && a->arity == b->arity;
}

static bool same_ops(const work *w, span a, span b) {
  if (a.count != b.count) return false;
  for (uint32_t i = 0; i < a.count; i++)
    if (!same_op(&w->match_ops.data[a.first + i], &w->match_ops.data[b.first + i])) return false;
  return true;
}

/* The index over 'pred' with these ops, made and filled when new. */
static uint32_t find_index(plan_compiler *c, uint32_t p, span ops, uint32_t key_count) {
  work *w = c->w;
  const alea_u32s *list = &w->preds.data[p].indexes;
  for (size_t i = 0; i < list->count; i++) {
    if (!same_ops(w, w->indexes.data[list->data[i]].ops, ops)) continue;
    w->match_ops.count = ops.first; /* the copy is not needed */
    return list->data[i];
  }
  findex index = {.pred = p, .ops = ops, .key_count = key_count};
  uint32_t id = (uint32_t)w->indexes.count;
  if (!alea_vec_push(w->mem, &w->indexes, index) ||
      !alea_vec_push(w->mem, &w->preds.data[p].indexes, id)) {
    c->failed = true;
    return 0;
  }
  const alea_u32s *atoms = &w->preds.data[p].atoms;
  for (size_t i = 0; i < atoms->count; i++)
    if (!work_index_add(w, &w->indexes.data[id], atoms->data[i])) c->failed = true;
  return id;
}

/* ---- steps ---- */

static void add_step(plan_compiler *c, step s) {
  if (!alea_vec_push(c->w->mem, &c->w->steps, s)) c->failed = true;
}

/* The arguments of a bound atom as a key for the bitmap of its predicate;
 * false where there is none. */
static bool add_bit_test(plan_compiler *c, const wlit *l, bool wanted) {
  work *w = c->w;
  if (w->preds.data[l->pred].dense == NULL) return false;
  const alea_rule_node n = w->nodes.data[l->atom];
  for (uint32_t i = 0; i < n.arg_count; i++)
    if (w->nodes.data[w->children.data[n.first_arg + i]].kind == ALEA_NODE_LIST) return false;
  step s = {.kind = STEP_BIT, .pred = l->pred, .wanted = wanted};
  s.key.first = (uint32_t)w->build_ops.count;
  for (uint32_t i = 0; i < n.arg_count; i++) build_node(c, w->children.data[n.first_arg + i]);
  s.key.count = (uint32_t)w->build_ops.count - s.key.first;
  add_step(c, s);
  return true;
}

static void add_positive(plan_compiler *c, const wlit *l, bool skip_trigger,
                         uint32_t variable_count) {
  work *w = c->w;
  const pred *p = &w->preds.data[l->pred];
  step s = {.pred = l->pred, .skip_trigger = skip_trigger};
  /* Demands steer the evaluation; they are no part of the game. */
  s.record = !p->is_static && !p->is_demand;
  if (is_bound(w, l->atom, c->bound)) {
    if (add_bit_test(c, l, true)) return;
    s.kind = STEP_HAS;
    s.build = build_atom(c, l->atom);
    add_step(c, s);
    return;
  }
  uint8_t *known = alea_mem_alloc(w->mem, variable_count + 1);
  if (known == NULL) {
    c->failed = true;
    return;
  }
  memcpy(known, c->bound, variable_count);
  s.kind = STEP_SCAN;
  s.match = match_atom(c, l->atom);
  span ops;
  key_of(c, s.match, known, &ops, &s.key);
  s.index = find_index(c, l->pred, ops, s.key.count);
  alea_mem_free(w->mem, known, variable_count + 1);
  add_step(c, s);
}

/* Negations and inequalities whose variables are bound by now. */
static void add_tests(plan_compiler *c, const wrule *r, uint8_t *done) {
  work *w = c->w;
  for (uint32_t i = 0; i < r->count; i++) {
    const wlit *l = &w->lits.data[r->first + i];
    if (done[i] || l->kind == ALEA_LITERAL_TRUE || !is_bound(w, l->atom, c->bound)) continue;
    step s = {.pred = l->pred};
    if (l->kind == ALEA_LITERAL_DISTINCT) {
      if (!is_bound(w, l->other, c->bound)) continue;
      s.kind = STEP_DISTINCT;
      s.build = build_term(c, l->atom);
      s.other = build_term(c, l->other);
    } else if (w->preds.data[l->pred].is_static) {
      done[i] = 1;
      if (add_bit_test(c, l, false)) continue;
      s.kind = STEP_HAS_NOT;
      s.build = build_atom(c, l->atom);
    } else {
      continue;
    }
    done[i] = 1;
    add_step(c, s);
  }
}

/* Dynamic negations come last: they never fail, so nothing is built in vain. */
static void add_denials(plan_compiler *c, const wrule *r) {
  for (uint32_t i = 0; i < r->count; i++) {
    const wlit *l = &c->w->lits.data[r->first + i];
    if (l->kind != ALEA_LITERAL_FALSE || c->w->preds.data[l->pred].is_static) continue;
    step s = {.kind = STEP_DENY, .record = true, .pred = l->pred};
    s.build = build_atom(c, l->atom);
    add_step(c, s);
  }
}

static void compile(plan_compiler *c, uint32_t rule, uint32_t trigger, const alea_u32s *order,
                    uint8_t *done, plan *p) {
  work *w = c->w;
  wrule r = w->rules.data[rule];
  memset(c->bound, 0, r.variable_count);
  memset(done, 0, r.count);
  if (trigger != NO_ID) {
    const wlit *l = &w->lits.data[r.first + trigger];
    const pred *q = &w->preds.data[l->pred];
    p->match = match_atom(c, l->atom);
    p->record_trigger = !q->is_static && !q->is_demand;
  }
  p->steps.first = (uint32_t)w->steps.count;
  add_tests(c, &r, done);
  if (!is_bound(w, r.head, c->bound)) p->head_at = UINT32_MAX;
  for (size_t k = 0; k < order->count; k++) {
    wlit l = w->lits.data[r.first + order->data[k]];
    bool skip = trigger != NO_ID && order->data[k] < trigger &&
                w->lits.data[r.first + trigger].pred == l.pred;
    add_positive(c, &l, skip, r.variable_count);
    if (p->head_at == UINT32_MAX && is_bound(w, r.head, c->bound))
      p->head_at = (uint32_t)w->steps.count - p->steps.first;
    add_tests(c, &r, done);
  }
  if (!r.demand) add_denials(c, &r);
  p->steps.count = (uint32_t)w->steps.count - p->steps.first;
  p->head = build_atom(c, r.head);
}

/* One recorded scan, everything else a test, and the head known beforehand. */
static bool is_grouped(const work *w, const plan *p) {
  uint32_t scans = 0, records = 0;
  for (uint32_t i = 0; i < p->steps.count; i++) {
    const step *s = &w->steps.data[p->steps.first + i];
    if (s->kind == STEP_SCAN && !s->record) return false;
    scans += s->kind == STEP_SCAN;
    records += s->record;
  }
  return scans == 1 && records == 1 && p->head_at == 0 && p->record && !p->record_trigger;
}

alea_status work_plan_rule(work *w, uint32_t rule, uint32_t trigger, uint32_t *plan_id) {
  const wrule *r = &w->rules.data[rule];
  uint32_t variables = r->variable_count + 1, literals = r->count + 1;
  plan_compiler c = {.w = w, .bound = alea_mem_zalloc(w->mem, variables)};
  uint8_t *done = alea_mem_zalloc(w->mem, literals);
  alea_u32s order = {0};
  alea_status status = c.bound == NULL || done == NULL ? work_no_memory(w) : ALEA_OK;
  if (status == ALEA_OK) {
    if (trigger != NO_ID)
      work_each_variable(w, w->lits.data[r->first + trigger].atom, bind_variable, c.bound);
    status = work_order(w, r, trigger, c.bound, &order);
  }
  if (status == ALEA_OK) {
    plan p = {.rule = rule};
    p.record = !r->demand && !w->preds.data[r->head_pred].is_static;
    compile(&c, rule, trigger, &order, done, &p);
    p.grouped = !w->plain && trigger != NO_ID && is_grouped(w, &p);
    *plan_id = (uint32_t)w->plans.count;
    if (c.failed || !alea_vec_push(w->mem, &w->plans, p)) status = work_no_memory(w);
  }
  alea_vec_clear(w->mem, &order);
  alea_mem_free(w->mem, c.bound, variables);
  alea_mem_free(w->mem, done, literals);
  return status;
}
