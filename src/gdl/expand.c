/* Disjunctive normal form of a body: negations are moved inwards, and each
 * combination of alternatives of the `or`s becomes a rule of its own.
 *
 * The number of combinations is a product, so it is counted first; if it
 * exceeds max_ways, the largest disjunctions are moved into auxiliary
 * predicates until it does not. */
#include "gdl/normalise.h"

enum { MAX_UNHIDDEN = 4096 };
#define MANY_WAYS ((uint64_t)1 << 32)

typedef struct expand_expander {
  alea_normaliser *n;
  alea_items conj;  /* the current conjunction */
  alea_items pool;  /* conjunctions still to be processed, one after another */
  alea_u32s starts; /* start of each of them */
  alea_items todo;  /* stack of flatten */
  alea_items parts, context;
  alea_u32s shared;
} expand_expander;

static bool is_list_of(const alea_normaliser *n, uint32_t expr, alea_symbol name) {
  return alea_sexpr_is_list(n->exprs, expr) && alea_sexpr_name(n->exprs, expr) == name;
}

/* Whether the item has several alternatives. */
static bool is_choice(const alea_normaliser *n, alea_item item) {
  return is_list_of(n, item.expr, item.negated ? ALEA_SYM_AND : ALEA_SYM_OR);
}

static bool is_conjunction(const alea_normaliser *n, alea_item item) {
  return is_list_of(n, item.expr, item.negated ? ALEA_SYM_OR : ALEA_SYM_AND) ||
         is_list_of(n, item.expr, ALEA_SYM_NOT);
}

static bool push_item(alea_normaliser *n, alea_items *items, alea_item item) {
  return alea_vec_push(n->mem, items, item) ? true : alea_normalise_no_memory(n);
}

/* Appends the arguments of 'item', with the sign that the item gives them. */
static bool push_args(alea_normaliser *n, alea_items *items, alea_item item) {
  bool negated = item.negated != is_list_of(n, item.expr, ALEA_SYM_NOT);
  uint32_t end = n->exprs->items.data[item.expr].after;
  for (uint32_t a = item.expr + 2; a < end; a = n->exprs->items.data[a].after)
    if (!push_item(n, items, (alea_item){a, negated})) return false;
  return true;
}

static void reverse(alea_item *items, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    alea_item swap = items[i];
    items[i] = items[count - 1 - i];
    items[count - 1 - i] = swap;
  }
}

/* Appends 'item' to 'out' with its conjunctions flattened: literals and
 * choices. */
static bool flatten(expand_expander *x, alea_item item, alea_items *out) {
  alea_normaliser *n = x->n;
  x->todo.count = 0;
  if (!push_item(n, &x->todo, item)) return false;
  while (x->todo.count > 0) {
    alea_item next = x->todo.data[--x->todo.count];
    if (!is_conjunction(n, next)) {
      if (!push_item(n, out, next)) return false;
      continue;
    }
    size_t first = x->todo.count;
    if (!push_args(n, &x->todo, next)) return false;
    reverse(x->todo.data + first, x->todo.count - first);
  }
  return true;
}

/* A formula whose combinations are being counted. */
typedef struct count_frame {
  uint32_t next, end; /* arguments still to count */
  bool negated, sum;
  uint64_t ways;
} count_frame;
typedef ALEA_VEC(count_frame) count_frames;

static void add_ways(count_frame *frame, uint64_t ways) {
  frame->ways = frame->sum ? frame->ways + ways : frame->ways * ways;
  if (frame->ways > MANY_WAYS) frame->ways = MANY_WAYS;
}

static bool open_frame(alea_normaliser *n, count_frames *stack, alea_item item) {
  count_frame f = {.next = item.expr + 2, .end = n->exprs->items.data[item.expr].after};
  f.negated = item.negated != is_list_of(n, item.expr, ALEA_SYM_NOT);
  f.sum = is_choice(n, item);
  f.ways = f.sum ? 0 : 1;
  return alea_vec_push(n->mem, stack, f) ? true : alea_normalise_no_memory(n);
}

/* The number of conjunctions in the disjunctive form of 'item'. */
static bool count_ways(alea_normaliser *n, alea_item item, uint64_t *ways) {
  count_frames stack = {0};
  bool ok = true;
  *ways = 1;
  if (is_choice(n, item) || is_conjunction(n, item)) ok = open_frame(n, &stack, item);
  while (ok && stack.count > 0) {
    count_frame *top = &stack.data[stack.count - 1];
    if (top->next == top->end) {
      *ways = top->ways;
      if (--stack.count > 0) add_ways(&stack.data[stack.count - 1], *ways);
      continue;
    }
    alea_item arg = {top->next, top->negated};
    top->next = n->exprs->items.data[arg.expr].after;
    if (is_choice(n, arg) || is_conjunction(n, arg)) {
      ok = open_frame(n, &stack, arg);
    } else {
      add_ways(top, 1);
    }
  }
  alea_vec_clear(n->mem, &stack);
  return ok;
}

/* Collects in x->shared the variables of conj[k] that also occur elsewhere in
 * the rule; '*local' is set if it has others. */
static bool find_shared(expand_expander *x, size_t k, bool *local) {
  alea_normaliser *n = x->n;
  alea_marks_reset(&n->seen);
  if (!alea_mark_variables(n, n->head, &n->seen, NULL)) return false;
  for (size_t i = 0; i < x->conj.count; i++)
    if (i != k && !alea_mark_variables(n, x->conj.data[i].expr, &n->seen, NULL)) return false;
  alea_marks_reset(&n->bound);
  x->shared.count = 0;
  if (!alea_mark_variables(n, x->conj.data[k].expr, &n->bound, &x->shared)) return false;
  size_t kept = 0;
  for (size_t i = 0; i < x->shared.count; i++)
    if (alea_marks_has(&n->seen, x->shared.data[i])) x->shared.data[kept++] = x->shared.data[i];
  *local = kept < x->shared.count;
  x->shared.count = kept;
  return true;
}

static bool is_positive_atom(const alea_normaliser *n, alea_item item) {
  return !item.negated && !is_choice(n, item) && !is_list_of(n, item.expr, ALEA_SYM_DISTINCT);
}

static bool binds_something(const alea_normaliser *n, uint32_t expr) {
  uint32_t end = n->exprs->items.data[expr].after;
  for (uint32_t i = expr; i < end; i++) {
    alea_symbol name = n->exprs->items.data[i].atom;
    if (!alea_symbol_is_variable(n->program->symbols, name)) continue;
    if (alea_marks_has(&n->seen, name) && !alea_marks_has(&n->bound, name)) return true;
  }
  return false;
}

/* Collects in x->context the atoms of the conjunction that an alternative of
 * conj[k] needs to bind all shared variables; '*enough' tells whether they do. */
static bool find_context(expand_expander *x, size_t k, alea_item alternative, bool *enough) {
  alea_normaliser *n = x->n;
  alea_marks_reset(&n->bound);
  alea_marks_reset(&n->seen); /* here: the shared variables */
  for (size_t i = 0; i < x->shared.count; i++)
    if (!alea_marks_set(&n->seen, x->shared.data[i], 1)) return alea_normalise_no_memory(n);
  x->parts.count = x->context.count = 0;
  if (!flatten(x, alternative, &x->parts)) return false;
  for (size_t i = 0; i < x->parts.count; i++)
    if (is_positive_atom(n, x->parts.data[i]) &&
        !alea_mark_variables(n, x->parts.data[i].expr, &n->bound, NULL))
      return false;
  for (size_t i = 0; i < x->conj.count; i++) {
    alea_item item = x->conj.data[i];
    if (i == k || !is_positive_atom(n, item) || !binds_something(n, item.expr)) continue;
    if (!push_item(n, &x->context, item)) return false;
    if (!alea_mark_variables(n, item.expr, &n->bound, NULL)) return false;
  }
  *enough = true;
  for (size_t i = 0; i < x->shared.count; i++)
    if (!alea_marks_has(&n->bound, x->shared.data[i])) *enough = false;
  return true;
}

/* (not (and (p ?x) (q ?x))) with ?x nowhere else means "there is no ?x with
 * both".  De Morgan would separate the two, so the conjunction becomes a
 * predicate of its own. */
static bool hide_local_negations(expand_expander *x) {
  alea_normaliser *n = x->n;
  for (size_t k = 0; k < x->conj.count; k++) {
    alea_item item = x->conj.data[k];
    if (!item.negated || !is_choice(n, item)) continue;
    bool local;
    if (!find_shared(x, k, &local)) return false;
    if (!local) continue;
    uint32_t aux;
    bool enough;
    item.negated = false;
    if (!alea_build_aux(n, x->shared.data, x->shared.count, &aux)) return false;
    if (!find_context(x, k, item, &enough) || !push_item(n, &x->context, item)) return false;
    if (!alea_queue_rule(n, aux, x->context.data, x->context.count)) return false;
    x->conj.data[k] = (alea_item){aux, true};
  }
  return true;
}

static bool queue_alternatives(expand_expander *x, size_t k, const alea_items *alternatives,
                               uint32_t aux) {
  for (size_t i = 0; i < alternatives->count; i++) {
    bool enough;
    if (!find_context(x, k, alternatives->data[i], &enough)) return false;
    if (!push_item(x->n, &x->context, alternatives->data[i])) return false;
    if (!alea_queue_rule(x->n, aux, x->context.data, x->context.count)) return false;
  }
  return true;
}

/* Replaces the choice conj[k] by an auxiliary atom, unless that would make one
 * of its rules unsafe. */
static bool hide_choice(expand_expander *x, size_t k, bool *done) {
  alea_normaliser *n = x->n;
  bool local;
  alea_items alternatives = {0};
  *done = true;
  bool ok = find_shared(x, k, &local) && push_args(n, &alternatives, x->conj.data[k]);
  for (size_t i = 0; ok && *done && i < alternatives.count; i++)
    ok = find_context(x, k, alternatives.data[i], done);
  if (ok && *done) {
    uint32_t aux;
    ok = alea_build_aux(n, x->shared.data, x->shared.count, &aux) &&
         queue_alternatives(x, k, &alternatives, aux);
    if (ok) x->conj.data[k] = (alea_item){aux, false};
  }
  alea_vec_clear(n->mem, &alternatives);
  return ok;
}

static uint64_t product(const alea_u64s *ways) {
  uint64_t total = 1;
  for (size_t i = 0; i < ways->count && total <= MANY_WAYS; i++) total *= ways->data[i];
  return total;
}

/* Replaces choices, the largest first, until at most max_ways combinations
 * remain.  Choices that cannot be replaced are expanded, up to a limit. */
static bool limit_ways(expand_expander *x) {
  alea_normaliser *n = x->n;
  alea_u64s ways = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < x->conj.count; i++) {
    uint64_t w;
    ok = count_ways(n, x->conj.data[i], &w);
    if (ok && !alea_vec_push(n->mem, &ways, w)) ok = alea_normalise_no_memory(n);
  }
  alea_marks_reset(&n->number); /* here: the choices that must stay */
  while (ok && product(&ways) > n->max_ways) {
    size_t largest = SIZE_MAX;
    for (size_t i = 0; i < ways.count; i++)
      if (ways.data[i] > 1 && !alea_marks_has(&n->number, (uint32_t)i) &&
          (largest == SIZE_MAX || ways.data[i] > ways.data[largest]))
        largest = i;
    if (largest == SIZE_MAX) break;
    bool done;
    ok = hide_choice(x, largest, &done);
    if (done) ways.data[largest] = 1;
    if (ok && !done && !alea_marks_set(&n->number, (uint32_t)largest, 1))
      ok = alea_normalise_no_memory(n);
  }
  if (ok && product(&ways) > MAX_UNHIDDEN) ok = alea_normalise_limit(n, "alternatives");
  alea_vec_clear(n->mem, &ways);
  return ok;
}

static bool finish(expand_expander *x) {
  alea_normaliser *n = x->n;
  n->lits.count = 0;
  bool equalities = false;
  for (size_t i = 0; i < x->conj.count; i++) {
    alea_item item = x->conj.data[i];
    alea_rule_lit lit = {item.negated ? LIT_FALSE : LIT_TRUE, item.expr, 0};
    if (is_list_of(n, item.expr, ALEA_SYM_DISTINCT)) {
      lit.kind = item.negated ? LIT_EQUAL : LIT_DISTINCT;
      lit.a = item.expr + 2;
      lit.b = n->exprs->items.data[lit.a].after;
      equalities |= item.negated;
    }
    if (!alea_vec_push(n->mem, &n->lits, lit)) return alea_normalise_no_memory(n);
  }
  bool holds = true;
  if (equalities && !alea_resolve_equalities(n, &holds)) return false;
  if (!holds) return true;
  bool keep;
  return alea_make_safe(n, &keep) && (!keep || alea_emit_rule(n));
}

/* Adds x->conj with its choice conj[k] replaced by 'alternative' to the
 * pool. */
static bool push_way(expand_expander *x, size_t k, alea_item alternative) {
  alea_normaliser *n = x->n;
  if (x->pool.count > n->max_exprs) return alea_normalise_limit(n, "alternatives");
  if (!alea_vec_push(n->mem, &x->starts, (uint32_t)x->pool.count))
    return alea_normalise_no_memory(n);
  for (size_t i = 0; i < x->conj.count; i++) {
    bool ok = i == k ? flatten(x, alternative, &x->pool) : push_item(n, &x->pool, x->conj.data[i]);
    if (!ok) return false;
  }
  return true;
}

static bool branch(expand_expander *x, size_t k) {
  x->parts.count = 0;
  if (!push_args(x->n, &x->parts, x->conj.data[k])) return false;
  for (size_t i = x->parts.count; i > 0; i--)
    if (!push_way(x, k, x->parts.data[i - 1])) return false;
  return true;
}

static bool pop_way(expand_expander *x) {
  size_t start = x->starts.data[--x->starts.count];
  x->conj.count = 0;
  for (size_t i = start; i < x->pool.count; i++)
    if (!push_item(x->n, &x->conj, x->pool.data[i])) return false;
  x->pool.count = start;
  return true;
}

static bool expand(expand_expander *x, const alea_raw_rule *rule) {
  alea_normaliser *n = x->n;
  for (uint32_t i = 0; i < rule->item_count; i++)
    if (!flatten(x, n->bodies.data[rule->first_item + i], &x->conj)) return false;
  if (!hide_local_negations(x) || !limit_ways(x)) return false;
  for (;;) {
    size_t k = 0;
    while (k < x->conj.count && !is_choice(n, x->conj.data[k])) k++;
    n->head = rule->head;
    if (!(k < x->conj.count ? branch(x, k) : finish(x))) return false;
    if (x->starts.count == 0) return true;
    if (!pop_way(x) || !hide_local_negations(x)) return false;
  }
}

bool alea_expand_rule(alea_normaliser *n, const alea_raw_rule *rule) {
  expand_expander x = {.n = n};
  bool ok = expand(&x, rule);
  alea_vec_clear(n->mem, &x.conj);
  alea_vec_clear(n->mem, &x.pool);
  alea_vec_clear(n->mem, &x.starts);
  alea_vec_clear(n->mem, &x.todo);
  alea_vec_clear(n->mem, &x.parts);
  alea_vec_clear(n->mem, &x.context);
  alea_vec_clear(n->mem, &x.shared);
  return ok;
}
