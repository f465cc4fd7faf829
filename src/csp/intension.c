/* Intension constraints: linear ones become linear constraints, small ones
 * tables.  The others narrow bounds by interval arithmetic, and once the
 * current domains have few tuples these are enumerated, which is generalised
 * arc consistent from then on. */
#include <stdio.h>

#include "csp/constraints.h"
#include "csp/interval.h"

enum {
  TABLE_LIMIT = 1 << 16, /* tuples of the initial domains for a table */
  TRY_LIMIT = 1 << 12,   /* tuples of the current domains for enumeration */
};

typedef struct intension {
  csp_expr expr;
} intension;

static bool intension_check(const alea_csp *csp, const csp_constraint *constraint,
                            const int32_t *values) {
  const intension *data = constraint->data;
  int64_t few[64], result = 0;
  size_t bytes = data->expr.depth * sizeof(int64_t);
  int64_t *stack = data->expr.depth <= 64 ? few : alea_mem_alloc(csp->mem, bytes);
  bool holds = stack != NULL && csp_expr_eval(&data->expr, values, stack, &result) && result != 0;
  if (stack != few) alea_mem_free(csp->mem, stack, bytes);
  return holds;
}

const csp_expr *csp_intension_expr(const csp_constraint *constraint) {
  return &((const intension *)constraint->data)->expr;
}

typedef struct enumeration {
  int64_t *stack;
  int32_t *values;
  uint32_t *at;        /* index per variable */
  uint64_t **supports; /* per variable */
  csp_tree tree;
  csp_interval *nodes, *bounds; /* per code, per variable */
} enumeration;

static bool intension_start(csp_engine *engine, csp_prop *prop) {
  const intension *data = prop->constraint->data;
  enumeration *state = alea_arena_alloc(&engine->arena, sizeof *state);
  if (state == NULL) return false;
  state->stack = alea_arena_alloc(&engine->arena, (data->expr.depth + 1) * sizeof *state->stack);
  state->values = alea_arena_alloc(&engine->arena, (prop->arity + 1) * sizeof *state->values);
  state->at = alea_arena_alloc(&engine->arena, (prop->arity + 1) * sizeof *state->at);
  state->supports = alea_arena_alloc(&engine->arena, (prop->arity + 1) * sizeof *state->supports);
  state->nodes = alea_arena_alloc(&engine->arena, (data->expr.count + 1) * sizeof *state->nodes);
  state->bounds = alea_arena_alloc(&engine->arena, (prop->arity + 1) * sizeof *state->bounds);
  if (state->stack == NULL || state->values == NULL || state->at == NULL ||
      state->supports == NULL || state->nodes == NULL || state->bounds == NULL ||
      !csp_tree_make(&state->tree, &data->expr, &engine->arena))
    return false;
  for (uint32_t i = 0; i < prop->arity; i++) {
    uint32_t words = csp_dom(engine, prop->scope[i])->word_count;
    state->supports[i] = alea_arena_alloc(&engine->arena, words * sizeof(uint64_t));
    if (state->supports[i] == NULL) return false;
  }
  prop->state = state;
  return csp_watch_scope(engine, prop, false);
}

static bool few_tuples(const csp_engine *engine, const csp_prop *prop) {
  uint64_t product = 1;
  for (uint32_t i = 0; i < prop->arity; i++) {
    product *= csp_dom(engine, prop->scope[i])->size;
    if (product > TRY_LIMIT) return false;
  }
  return true;
}

static void place(const csp_engine *engine, const csp_prop *prop, enumeration *state, uint32_t i,
                  uint32_t index) {
  state->at[i] = index;
  state->values[i] = csp_value(csp_dom(engine, prop->scope[i])->var, index);
}

static bool next_tuple(const csp_engine *engine, const csp_prop *prop, enumeration *state) {
  for (uint32_t i = prop->arity; i-- > 0;) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    uint32_t next = csp_next(domain, state->at[i] + 1);
    place(engine, prop, state, i, next == UINT32_MAX ? domain->min : next);
    if (next != UINT32_MAX) return true;
  }
  return false;
}

/* One pass up and down; '*changed' tells whether another pass may find more. */
static bool narrow_bounds(csp_engine *engine, csp_prop *prop, enumeration *state, bool *changed) {
  *changed = false;
  for (uint32_t i = 0; i < prop->arity; i++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    state->bounds[i] = (csp_interval){csp_min(domain), csp_max(domain)};
  }
  if (!csp_tree_up(&state->tree, state->bounds, state->nodes) ||
      !csp_tree_hold(&state->tree, state->nodes) ||
      !csp_tree_down(&state->tree, state->nodes, state->bounds))
    return false;
  for (uint32_t i = 0; i < prop->arity; i++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    uint32_t size = domain->size;
    if (!csp_at_least(engine, prop->scope[i], state->bounds[i].lo) ||
        !csp_at_most(engine, prop->scope[i], state->bounds[i].hi))
      return false;
    *changed = *changed || domain->size != size;
  }
  return true;
}

enum { PASSES = 16 }; /* bounds can converge slowly: the rest is left to the search */

static bool intension_propagate(csp_engine *engine, csp_prop *prop) {
  const intension *data = prop->constraint->data;
  enumeration *state = prop->state;
  bool changed = !few_tuples(engine, prop);
  for (int pass = 0; pass < PASSES && changed; pass++)
    if (!narrow_bounds(engine, prop, state, &changed)) return false;
  if (!few_tuples(engine, prop)) return true;
  bool any = false;
  for (uint32_t i = 0; i < prop->arity; i++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    memset(state->supports[i], 0, domain->word_count * sizeof(uint64_t));
    place(engine, prop, state, i, domain->min);
  }
  do {
    int64_t result = 0;
    engine->effort += data->expr.count;
    if (!csp_expr_eval(&data->expr, state->values, state->stack, &result) || result == 0) continue;
    any = true;
    for (uint32_t i = 0; i < prop->arity; i++)
      state->supports[i][state->at[i] >> 6] |= UINT64_C(1) << (state->at[i] & 63);
  } while (next_tuple(engine, prop, state));
  for (uint32_t i = 0; i < prop->arity && any; i++)
    if (!csp_keep(engine, prop->scope[i], state->supports[i])) return false;
  return any;
}

const csp_type csp_intension_type = {"intension",        3, true, intension_check, intension_start,
                                     intension_propagate};

/* ---- linear expressions ---- */

typedef struct linear_form {
  int64_t *coeffs; /* per scope position */
  int64_t constant;
  bool plain; /* no variable */
} linear_form;

typedef struct linearise {
  uint32_t arity;
  linear_form *stack;
} linearise;

static bool scale(linear_form *form, int64_t factor, uint32_t arity) {
  for (uint32_t i = 0; i < arity; i++)
    if (__builtin_mul_overflow(form->coeffs[i], factor, &form->coeffs[i])) return false;
  return !__builtin_mul_overflow(form->constant, factor, &form->constant);
}

static bool add_form(linear_form *a, const linear_form *b, int64_t sign, uint32_t arity) {
  for (uint32_t i = 0; i < arity; i++)
    if (__builtin_add_overflow(a->coeffs[i], sign * b->coeffs[i], &a->coeffs[i])) return false;
  a->plain = a->plain && b->plain;
  return !__builtin_add_overflow(a->constant, sign * b->constant, &a->constant);
}

/* Applies one operator to forms; false when the result is not linear. */
static bool combine(csp_operator op, linear_form *args, uint32_t count, uint32_t arity) {
  switch (op) {
    case CSP_OP_NEG: return scale(args, -1, arity);
    case CSP_OP_SUB: return add_form(args, &args[1], -1, arity);
    case CSP_OP_ADD:
      for (uint32_t i = 1; i < count; i++)
        if (!add_form(args, &args[i], 1, arity)) return false;
      return true;
    case CSP_OP_MUL:
      for (uint32_t i = 1; i < count; i++) {
        if (!args[i].plain && !args[0].plain) return false;
        if (!args[i].plain) { /* the constant is on the left: swap */
          linear_form swap = args[0];
          args[0] = args[i];
          args[i] = swap;
        }
        if (!scale(args, args[i].constant, arity)) return false;
      }
      return true;
    default: return false;
  }
}

/* Evaluates code[0..count-1] over forms; 'room' holds depth * (1 + arity) numbers. */
static bool forms(const csp_code *code, size_t count, linear_form *stack, uint32_t arity) {
  size_t top = 0;
  for (size_t i = 0; i < count; i++) {
    if (code[i].op == CSP_OP_CONST || code[i].op == CSP_OP_VAR) {
      linear_form *form = &stack[top++];
      memset(form->coeffs, 0, arity * sizeof *form->coeffs);
      form->plain = code[i].op == CSP_OP_CONST;
      form->constant = form->plain ? code[i].value : 0;
      if (!form->plain) form->coeffs[code[i].value] = 1;
      continue;
    }
    top -= code[i].count;
    if (!combine(code[i].op, &stack[top], code[i].count, arity)) return false;
    top++;
  }
  return true;
}

static bool relation(csp_operator op, alea_op *out) {
  switch (op) {
    case CSP_OP_LT: *out = ALEA_LT; return true;
    case CSP_OP_LE: *out = ALEA_LE; return true;
    case CSP_OP_GE: *out = ALEA_GE; return true;
    case CSP_OP_GT: *out = ALEA_GT; return true;
    case CSP_OP_EQ: *out = ALEA_EQ; return true;
    case CSP_OP_NE: *out = ALEA_NE; return true;
    default: return false;
  }
}

/* Posts the expression as a linear constraint if it is one. */
static bool post_linear(alea_csp *csp, const csp_expr *expr, const alea_csp_var *scope,
                        uint32_t arity) {
  alea_op op;
  const csp_code *root = &expr->code[expr->count - 1];
  if (root->count != 2 || !relation(root->op, &op)) return false;
  size_t room = expr->depth;
  linear_form *stack = csp_alloc(csp, room, sizeof *stack);
  int64_t *coeffs = csp_alloc(csp, room * arity, sizeof *coeffs);
  if (stack == NULL || coeffs == NULL) return false;
  for (size_t i = 0; i < room; i++) stack[i].coeffs = &coeffs[i * arity];
  if (!forms(expr->code, expr->count - 1, stack, arity)) return false;
  if (!add_form(&stack[0], &stack[1], -1, arity)) return false;
  for (uint32_t i = 0; i < arity; i++)
    if (stack[0].coeffs[i] > (1 << 20) || stack[0].coeffs[i] < -(1 << 20)) return false;
  if (stack[0].constant > INT32_MAX || stack[0].constant < -INT32_MAX) return false;
  alea_csp_linear(csp, scope, stack[0].coeffs, arity, op, -stack[0].constant);
  return true;
}

/* ---- small expressions as tables ---- */

static bool post_table(alea_csp *csp, const csp_expr *expr, const alea_csp_var *scope,
                       uint32_t arity) {
  uint64_t product = 1;
  for (uint32_t i = 0; i < arity; i++) {
    product *= csp->vars.data[scope[i]].size;
    if (product > TABLE_LIMIT) return false;
  }
  uint32_t *at = csp_alloc(csp, arity + 1, sizeof *at);
  int32_t *values = csp_alloc(csp, arity + 1, sizeof *values);
  int64_t *stack = csp_alloc(csp, expr->depth + 1, sizeof *stack);
  ALEA_VEC(uint32_t) rows = {0};
  size_t count = 0;
  bool more = at != NULL && values != NULL && stack != NULL;
  if (more) memset(at, 0, arity * sizeof *at);
  while (more) {
    int64_t result = 0;
    for (uint32_t i = 0; i < arity; i++) values[i] = csp_value(&csp->vars.data[scope[i]], at[i]);
    if (csp_expr_eval(expr, values, stack, &result) && result != 0) {
      if (!alea_vec_reserve(csp->mem, &rows, arity)) {
        csp_fail(csp, ALEA_SYSTEM);
        break;
      }
      memcpy(&rows.data[rows.count], at, arity * sizeof *at);
      rows.count += arity;
      count++;
    }
    uint32_t i = arity;
    while (i > 0 && ++at[i - 1] == csp->vars.data[scope[i - 1]].size) at[--i] = 0;
    more = i > 0;
  }
  csp_post_rows(csp, scope, arity, rows.data, count, false);
  alea_vec_clear(csp->mem, &rows);
  return true;
}

/* Posts a disjunction of 0/1 variables and their negations as a clause. */
static bool post_clause(alea_csp *csp, const csp_expr *expr, const alea_csp_var *scope) {
  uint32_t count = expr->code[expr->count - 1].count, n = 0;
  if (expr->code[expr->count - 1].op != CSP_OP_OR) return false;
  alea_csp_lit *lits = csp_alloc(csp, count, sizeof *lits);
  for (size_t i = 0; i + 1 < expr->count; i++) {
    const csp_code *code = &expr->code[i];
    if (lits == NULL || (code->op != CSP_OP_VAR && code->op != CSP_OP_NOT)) return false;
    if (code->op == CSP_OP_NOT && (i == 0 || code[-1].op != CSP_OP_VAR)) return false;
    if (code->op == CSP_OP_NOT) {
      lits[n - 1].negative = false;
      continue;
    }
    const csp_variable *var = &csp->vars.data[scope[code->value]];
    if (n == count || csp_value(var, 0) < 0 || csp_value(var, var->size - 1) > 1) return false;
    lits[n++] = (alea_csp_lit){scope[code->value], 0, true};
  }
  alea_csp_clause(csp, lits, n);
  return true;
}

alea_status csp_expr_post(alea_csp *csp, const csp_expr *expr, const alea_csp_var *scope,
                          uint32_t arity) {
  if (arity == 0) {
    int64_t *stack = csp_alloc(csp, expr->depth + 1, sizeof *stack), result = 0;
    if (stack != NULL && (!csp_expr_eval(expr, NULL, stack, &result) || result == 0))
      csp->false_ = true;
    return csp->state;
  }
  /* Two variables: a table is stronger than bounds.  More: bounds are cheaper. */
  if (arity <= 2 && post_table(csp, expr, scope, arity)) return csp->state;
  if (post_linear(csp, expr, scope, arity)) return csp->state;
  if (post_clause(csp, expr, scope)) return csp->state;
  if (post_table(csp, expr, scope, arity)) return csp->state;
  csp_flat flat = {.expr = *expr, .scope = scope, .arity = arity};
  if (csp_flatten(csp, &flat)) return csp_expr_post(csp, &flat.expr, flat.scope, flat.arity);
  intension *data = csp_alloc(csp, 1, sizeof *data);
  if (data == NULL) return csp->state;
  data->expr = *expr;
  return csp_post(csp, &csp_intension_type, scope, arity, data);
}

alea_status alea_csp_intension(alea_csp *csp, const char *text, alea_place place_,
                               alea_diag *diag) {
  csp_expr expr;
  const alea_csp_var *scope;
  uint32_t arity;
  alea_status status = csp_expr_read(csp, text, place_, diag, &expr, &scope, &arity);
  return status != ALEA_OK ? status : csp_expr_post(csp, &expr, scope, arity);
}

/* ---- an expression as a variable ---- */

enum {
  RESULT_LIMIT = 1 << 16, /* tuples tried to find its values */
  LINEAR_LIMIT = 1 << 10, /* rows of a table instead of a linear constraint */
};

typedef struct intension_view { /* an expression and the variable that will equal it */
  alea_csp *csp;
  csp_expr expr;
  const alea_csp_var *scope;
  uint32_t arity;
  ALEA_VEC(int32_t) values; /* of the expression, in the order of the tuples */
  ALEA_VEC(uint32_t) rows;  /* the tuples for which it is defined */
} intension_view;

/* Appends "== result" to the code. */
static bool equate(alea_csp *csp, const csp_expr *expr, uint32_t position, csp_expr *out) {
  csp_code *code = csp_alloc(csp, expr->count + 2, sizeof *code);
  if (code == NULL) return false;
  memcpy(code, expr->code, expr->count * sizeof *code);
  code[expr->count] = (csp_code){CSP_OP_VAR, 0, position};
  code[expr->count + 1] = (csp_code){CSP_OP_EQ, 2, 0};
  *out = (csp_expr){expr->count + 2, code, expr->depth + 1};
  return true;
}

static bool few_values(const intension_view *v) {
  uint64_t product = 1;
  for (uint32_t i = 0; i < v->arity; i++) {
    product *= v->csp->vars.data[v->scope[i]].size;
    if (product > RESULT_LIMIT) return false;
  }
  return true;
}

static bool keep_tuple(intension_view *v, const uint32_t *at, int64_t result) {
  alea_mem *mem = v->csp->mem;
  if (result <= INT32_MIN || result >= INT32_MAX) return true; /* outside all domains */
  for (uint32_t i = 0; i < v->arity; i++)
    if (!alea_vec_push(mem, &v->rows, at[i])) return false;
  return alea_vec_push(mem, &v->values, (int32_t)result);
}

/* Computes the value for every tuple of the domains. */
static bool try_tuples(intension_view *v) {
  alea_csp *csp = v->csp;
  uint32_t *at = csp_alloc(csp, v->arity + 1, sizeof *at);
  int32_t *values = csp_alloc(csp, v->arity + 1, sizeof *values);
  int64_t *stack = csp_alloc(csp, v->expr.depth + 1, sizeof *stack);
  if (at == NULL || values == NULL || stack == NULL) return false;
  memset(at, 0, (v->arity + 1) * sizeof *at);
  for (bool more = true; more;) {
    int64_t result;
    for (uint32_t i = 0; i < v->arity; i++)
      values[i] = csp_value(&csp->vars.data[v->scope[i]], at[i]);
    if (csp_expr_eval(&v->expr, values, stack, &result) && !keep_tuple(v, at, result)) {
      csp_fail(csp, ALEA_SYSTEM);
      return false;
    }
    uint32_t i = v->arity;
    while (i > 0 && ++at[i - 1] == csp->vars.data[v->scope[i - 1]].size) at[--i] = 0;
    more = i > 0;
  }
  return true;
}

/* The table of a function: each tuple with its value. */
static void post_function(intension_view *v, alea_csp_var result, const alea_csp_var *all) {
  alea_csp *csp = v->csp;
  uint32_t width = v->arity + 1;
  uint32_t *rows = csp_alloc(csp, v->values.count * width, sizeof *rows);
  if (rows == NULL) return;
  for (size_t r = 0; r < v->values.count; r++) {
    memcpy(&rows[r * width], &v->rows.data[r * v->arity], v->arity * sizeof *rows);
    rows[r * width + v->arity] = alea_csp_index(csp, result, v->values.data[r]);
  }
  csp_post_rows(csp, all, width, rows, v->values.count, false);
}

static alea_csp_var new_result(intension_view *v, const char *name, bool tried) {
  if (tried && v->values.count == 0) return alea_csp_range(v->csp, name, 0, 0); /* never defined */
  if (tried) return alea_csp_values(v->csp, name, v->values.data, v->values.count);
  csp_tree tree;
  size_t nodes = v->expr.count;
  csp_interval *room = csp_alloc(v->csp, nodes + v->arity, sizeof *room);
  if (room == NULL || !csp_tree_make(&tree, &v->expr, &v->csp->arena)) return ALEA_CSP_NONE;
  for (uint32_t i = 0; i < v->arity; i++) {
    const csp_variable *var = &v->csp->vars.data[v->scope[i]];
    room[nodes + i] = (csp_interval){csp_value(var, 0), csp_value(var, var->size - 1)};
  }
  if (!csp_tree_up(&tree, room + nodes, room)) return ALEA_CSP_NONE;
  csp_interval root = room[nodes - 1];
  if (root.lo <= INT32_MIN || root.hi >= INT32_MAX || root.hi - root.lo >= ALEA_CSP_MAX_DOMAIN)
    return ALEA_CSP_NONE;
  return alea_csp_range(v->csp, name, (int32_t)root.lo, (int32_t)root.hi);
}

static alea_csp_var make_view(intension_view *v) {
  alea_csp *csp = v->csp;
  char name[32];
  bool tried = few_values(v);
  if (tried && !try_tuples(v)) return ALEA_CSP_NONE;
  snprintf(name, sizeof name, "$e%zu", csp->vars.count);
  alea_csp_var result = new_result(v, name, tried);
  if (result == ALEA_CSP_NONE) return ALEA_CSP_NONE;
  alea_csp_hide(csp, result);
  csp_expr equal;
  alea_csp_var *all = csp_alloc(csp, v->arity + 1, sizeof *all);
  if (all == NULL || !equate(csp, &v->expr, v->arity, &equal)) return ALEA_CSP_NONE;
  if (v->arity != 0) memcpy(all, v->scope, v->arity * sizeof *all);
  all[v->arity] = result;
  /* A large table of a linear expression costs more than it prunes. */
  bool table = tried && (v->arity < 2 || (v->arity == 2 && v->values.count <= LINEAR_LIMIT));
  if (!table && post_linear(csp, &equal, all, v->arity + 1)) return result;
  if (tried)
    post_function(v, result, all);
  else
    csp_expr_post(csp, &equal, all, v->arity + 1);
  return result;
}

alea_csp_var csp_expr_view(alea_csp *csp, const csp_expr *expr, const alea_csp_var *scope,
                           uint32_t arity) {
  intension_view v = {.csp = csp, .expr = *expr, .scope = scope, .arity = arity};
  alea_csp_var result = make_view(&v);
  alea_vec_clear(csp->mem, &v.values);
  alea_vec_clear(csp->mem, &v.rows);
  return csp->state == ALEA_OK ? result : ALEA_CSP_NONE;
}

alea_csp_var csp_expr_variable(alea_csp *csp, const char *text, alea_place place_,
                               alea_diag *diag) {
  csp_expr expr;
  const alea_csp_var *scope;
  uint32_t arity;
  if (csp_expr_read(csp, text, place_, diag, &expr, &scope, &arity) != ALEA_OK)
    return ALEA_CSP_NONE;
  alea_csp_var result = csp_expr_view(csp, &expr, scope, arity);
  if (result == ALEA_CSP_NONE && csp->state == ALEA_OK)
    alea_diag_error(diag, place_, "too-large",
                    "the expression has too many values to be a variable");
  return result;
}
