/* (not (distinct a b)): the two terms are equal, so one replaces the other in
 * the whole rule.  Unification with occurs check, by explicit stacks. */
#include "gdl/normalise.h"

/* Unification of shared subterms may take exponential time; real rules need far
 * fewer steps. */
enum { MAX_STEPS = 100000 };

typedef struct equality_pair {
  uint32_t a, b;
} equality_pair;
typedef ALEA_VEC(equality_pair) pairs;

static alea_symbol variable_at(const alea_normaliser *n, uint32_t expr) {
  alea_symbol name = n->exprs->items.data[expr].atom;
  return alea_symbol_is_variable(n->program->symbols, name) ? name : ALEA_NO_SYMBOL;
}

/* Follows bound variables to a free one or to a term. */
static uint32_t resolve(const alea_normaliser *n, uint32_t expr) {
  for (;;) {
    alea_symbol variable = variable_at(n, expr);
    if (variable == ALEA_NO_SYMBOL) return expr;
    uint32_t value = alea_marks_get(&n->binding, variable);
    if (value == ALEA_UNMARKED) return expr;
    expr = value;
  }
}

/* Whether 'variable' occurs in 'expr', with bound variables resolved. */
static bool occurs(alea_normaliser *n, alea_symbol variable, uint32_t expr, bool *found) {
  alea_u32s stack = {0};
  bool ok = alea_vec_push(n->mem, &stack, expr);
  alea_marks_reset(&n->seen);
  *found = false;
  while (ok && stack.count > 0 && !*found) {
    uint32_t first = stack.data[--stack.count];
    uint32_t end = n->exprs->items.data[first].after;
    for (uint32_t i = first; ok && i < end; i++) {
      alea_symbol name = variable_at(n, i);
      if (name == ALEA_NO_SYMBOL || alea_marks_has(&n->seen, name)) continue;
      ok = alea_marks_set(&n->seen, name, 1);
      if (name == variable) *found = true;
      uint32_t value = alea_marks_get(&n->binding, name);
      if (ok && value != ALEA_UNMARKED) ok = alea_vec_push(n->mem, &stack, value);
    }
  }
  alea_vec_clear(n->mem, &stack);
  return ok ? true : alea_normalise_no_memory(n);
}

static bool bind(alea_normaliser *n, alea_symbol variable, uint32_t value, bool *holds) {
  bool cyclic;
  if (!occurs(n, variable, value, &cyclic)) return false;
  if (cyclic) *holds = false; /* no finite term contains itself */
  return alea_marks_set(&n->binding, variable, value) ? true : alea_normalise_no_memory(n);
}

/* Two terms that are not variables: compares names, pushes the arguments. */
static bool match(alea_normaliser *n, pairs *todo, equality_pair p, bool *holds) {
  const alea_sexprs *e = n->exprs;
  if (alea_sexpr_is_list(e, p.a) != alea_sexpr_is_list(e, p.b) ||
      alea_sexpr_name(e, p.a) != alea_sexpr_name(e, p.b) ||
      alea_sexpr_arity(e, p.a) != alea_sexpr_arity(e, p.b)) {
    *holds = false;
    return true;
  }
  uint32_t b = alea_sexpr_first_arg(e, p.b);
  for (uint32_t a = alea_sexpr_first_arg(e, p.a); a < e->items.data[p.a].after;
       a = e->items.data[a].after, b = e->items.data[b].after)
    if (!alea_vec_push(n->mem, todo, (equality_pair){a, b})) return alea_normalise_no_memory(n);
  return true;
}

static bool unify_all(alea_normaliser *n, pairs *todo, bool *holds) {
  for (uint32_t step = 0; todo->count > 0 && *holds; step++) {
    if (step > MAX_STEPS) return alea_normalise_limit(n, "equal terms");
    equality_pair p = todo->data[--todo->count];
    p.a = resolve(n, p.a);
    p.b = resolve(n, p.b);
    alea_symbol va = variable_at(n, p.a), vb = variable_at(n, p.b);
    if (va != ALEA_NO_SYMBOL && va == vb) continue;
    bool ok = va != ALEA_NO_SYMBOL   ? bind(n, va, p.b, holds)
              : vb != ALEA_NO_SYMBOL ? bind(n, vb, p.a, holds)
                                     : match(n, todo, p, holds);
    if (!ok) return false;
  }
  return true;
}

/* A range of expressions being copied, and the new list they belong to. */
typedef struct copy_frame {
  uint32_t next, end;
  uint32_t list; /* ALEA_UNMARKED: none to close */
} copy_frame;
typedef ALEA_VEC(copy_frame) copy_frames;

static bool copy_next(alea_normaliser *n, copy_frames *stack) {
  copy_frame *top = &stack->data[stack->count - 1];
  if (top->next == top->end) {
    if (top->list != ALEA_UNMARKED) alea_build_close(n, top->list);
    stack->count--;
    return true;
  }
  uint32_t expr = resolve(n, top->next);
  top->next = n->exprs->items.data[top->next].after;
  alea_symbol atom = n->exprs->items.data[expr].atom;
  if (atom != ALEA_NO_SYMBOL) return alea_build_name(n, atom);
  if (stack->count > n->max_depth) return alea_normalise_limit(n, "levels of nested terms");
  copy_frame inner = {expr + 1, n->exprs->items.data[expr].after, 0};
  if (!alea_build_open(n, &inner.list)) return false;
  return alea_vec_push(n->mem, stack, inner) ? true : alea_normalise_no_memory(n);
}

/* Replaces '*expr' by a copy in which bound variables have their values. */
static bool substitute(alea_normaliser *n, uint32_t *expr) {
  copy_frames stack = {0};
  copy_frame all = {*expr, n->exprs->items.data[*expr].after, ALEA_UNMARKED};
  uint32_t copy = (uint32_t)n->exprs->items.count;
  bool ok = alea_vec_push(n->mem, &stack, all) ? true : alea_normalise_no_memory(n);
  while (ok && stack.count > 0) ok = copy_next(n, &stack);
  alea_vec_clear(n->mem, &stack);
  *expr = copy;
  return ok;
}

bool alea_resolve_equalities(alea_normaliser *n, bool *holds) {
  pairs todo = {0};
  bool ok = true;
  size_t kept = 0;
  *holds = true;
  alea_marks_reset(&n->binding);
  for (size_t i = 0; ok && *holds && i < n->lits.count; i++) {
    alea_rule_lit lit = n->lits.data[i];
    if (lit.kind != LIT_EQUAL) {
      n->lits.data[kept++] = lit;
      continue;
    }
    ok = alea_vec_push(n->mem, &todo, (equality_pair){lit.a, lit.b}) ? unify_all(n, &todo, holds)
                                                                     : alea_normalise_no_memory(n);
  }
  alea_vec_clear(n->mem, &todo);
  if (!ok || !*holds) return ok;
  n->lits.count = kept;
  ok = substitute(n, &n->head);
  for (size_t i = 0; ok && i < n->lits.count; i++) {
    ok = substitute(n, &n->lits.data[i].a);
    if (ok && n->lits.data[i].kind == LIT_DISTINCT) ok = substitute(n, &n->lits.data[i].b);
  }
  return ok;
}
