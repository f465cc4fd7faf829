/* Symbolic evaluation over circuits. */
#include "toss/symbolic.h"

#include <string.h>

enum { MOST_CASES = 2048, MOST_SET = 10 };
#define NONE ALEA_TOSS_NONE

typedef alea_toss_symbolic sym;
typedef alea_toss_code code_t;
typedef alea_toss_lit lit_t;
typedef ALEA_VEC(lit_t) symbolic_lits;

static alea_mem *mem_of(const sym *s) { return s->circuit->mem; }

static void give_up(sym *s, alea_status status) {
  if (s->status == ALEA_OK) s->status = status;
}

static void push(sym *s, symbolic_lits *list, lit_t lit) {
  if (!alea_vec_push(mem_of(s), list, lit)) give_up(s, ALEA_LIMIT);
}

/* ---- plans ---- */

typedef struct symbolic_walker {
  sym *s;
  const alea_toss_plan *plan;
  alea_toss_symbolic_visit *visit;
  void *context;
} symbolic_walker;

/* 'held' and the checks; false if that is impossible. */
static lit_t with_checks(sym *s, lit_t held, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count && held != ALEA_TOSS_LIT_FALSE; i++) {
    lit_t check = alea_toss_symbolic_formula(s, s->env->logic->kids.data[first + i]);
    held = alea_toss_and2(s->circuit, held, check);
  }
  return held;
}

static void run_step(const symbolic_walker *w, uint32_t index, lit_t held);

static void go_on(const symbolic_walker *w, const alea_toss_step *step, uint32_t index,
                  lit_t held) {
  held = with_checks(w->s, held, step->first_check, step->check_count);
  if (held != ALEA_TOSS_LIT_FALSE) run_step(w, index + 1, held);
}

static bool bind_tuple(alea_toss_env *env, const alea_toss_step *step, const code_t *atom,
                       const uint32_t *tuple) {
  const uint32_t *slots = env->logic->kids.data + atom->first;
  for (uint32_t i = 0; i < atom->count; i++) {
    if (step->binds >> i & 1) {
      env->elements[slots[i]] = tuple[i];
    } else if (env->elements[slots[i]] != tuple[i]) {
      return false;
    }
  }
  return true;
}

static void walk(const symbolic_walker *w, const alea_toss_step *step, uint32_t index, lit_t held) {
  alea_toss_env *env = w->s->env;
  const code_t *atom = &env->logic->codes.data[step->atom];
  const alea_toss_table *t = &env->structure->tables[atom->target];
  if (step->index == NONE) {
    for (uint32_t slot = 0; slot < t->slot_count; slot++) {
      if (t->used[slot] && bind_tuple(env, step, atom, alea_toss_table_tuple(t, slot))) {
        go_on(w, step, index, held);
      }
    }
    return;
  }
  uint32_t element = env->elements[env->logic->kids.data[atom->first + step->index]];
  uint32_t slot = alea_toss_table_first(env->structure, atom->target, step->index, element);
  for (; slot != ALEA_TOSS_NO_SLOT; slot = alea_toss_table_next(t, slot, step->index)) {
    if (bind_tuple(env, step, atom, alea_toss_table_tuple(t, slot))) go_on(w, step, index, held);
  }
}

static void run_step(const symbolic_walker *w, uint32_t index, lit_t held) {
  alea_toss_env *env = w->s->env;
  if (w->s->circuit->failed) give_up(w->s, ALEA_LIMIT);
  if (w->s->status != ALEA_OK) return;
  if (index == w->plan->step_count) {
    w->visit(w->s, held, w->context);
    return;
  }
  const alea_toss_step *step = &env->logic->steps.data[w->plan->first_step + index];
  if (step->atom != NONE) {
    walk(w, step, index, held);
    return;
  }
  for (uint32_t e = 0; e < env->structure->capacity; e++) {
    if (!env->structure->alive[e]) continue;
    env->elements[step->slot] = e;
    go_on(w, step, index, held);
  }
}

void alea_toss_symbolic_plan(sym *s, uint32_t plan, alea_toss_symbolic_visit *visit,
                             void *context) {
  symbolic_walker w = {s, &s->env->logic->plans.data[plan], visit, context};
  lit_t held = with_checks(s, ALEA_TOSS_LIT_TRUE, w.plan->first_check, w.plan->check_count);
  if (held != ALEA_TOSS_LIT_FALSE) run_step(&w, 0, held);
}

/* ---- formulas ---- */

static void gather(sym *s, lit_t lit, void *context) { push(s, context, lit); }

static lit_t some(sym *s, uint32_t plan) {
  symbolic_lits found = {0};
  alea_toss_symbolic_plan(s, plan, gather, &found);
  lit_t lit = alea_toss_circuit_or(s->circuit, found.data, found.count);
  alea_vec_clear(mem_of(s), &found);
  return lit;
}

static lit_t atom_lit(sym *s, const code_t *code) {
  uint32_t tuple[ALEA_TOSS_MOST_ARITY];
  for (uint32_t i = 0; i < code->count; i++) {
    tuple[i] = s->env->elements[s->env->logic->kids.data[code->first + i]];
  }
  return s->atom(s->context, code->target, tuple);
}

static lit_t several(sym *s, const code_t *code) {
  symbolic_lits parts = {0};
  for (uint32_t i = 0; i < code->count && s->status == ALEA_OK; i++) {
    push(s, &parts, alea_toss_symbolic_formula(s, s->env->logic->kids.data[code->first + i]));
  }
  lit_t lit = code->op == ALEA_TOSS_OP_AND
                  ? alea_toss_circuit_and(s->circuit, parts.data, parts.count)
                  : alea_toss_circuit_or(s->circuit, parts.data, parts.count);
  alea_vec_clear(mem_of(s), &parts);
  return lit;
}

/* A term of too many values, or of values that depend on a quantifier over
 * numbers, is left to the one who is asked for quantifiers. */
static bool is_left(sym *s) {
  if (s->status != ALEA_UNSUPPORTED || s->quantifier == NULL) return false;
  s->status = ALEA_OK;
  return true;
}

static lit_t compare(sym *s, uint32_t id) {
  const code_t *code = &s->env->logic->codes.data[id];
  const uint32_t *kids = s->env->logic->kids.data + code->first;
  alea_toss_cases a = {0}, b = {0};
  symbolic_lits found = {0};
  alea_toss_symbolic_term(s, kids[0], &a);
  alea_toss_symbolic_term(s, kids[1], &b);
  for (size_t i = 0; i < a.count; i++) {
    for (size_t j = 0; j < b.count; j++) {
      bool holds = code->op == ALEA_TOSS_OP_LESS
                       ? alea_interval_less(a.data[i].value, b.data[j].value)
                       : alea_interval_same(a.data[i].value, b.data[j].value);
      if (holds) push(s, &found, alea_toss_and2(s->circuit, a.data[i].lit, b.data[j].lit));
    }
  }
  lit_t lit = alea_toss_circuit_or(s->circuit, found.data, found.count);
  alea_vec_clear(mem_of(s), &found);
  alea_vec_clear(mem_of(s), &a);
  alea_vec_clear(mem_of(s), &b);
  return is_left(s) ? s->quantifier(s->context, id) : lit;
}

static bool bit(const alea_toss_env *env, uint32_t slot, uint32_t element) {
  return env->sets[slot * env->set_words + element / 64] >> (element % 64) & 1;
}

/* Membership in a set: of a bound set, or as the caller defines it. */
static lit_t member_lit(sym *s, const uint32_t *kids) {
  uint32_t element = s->env->elements[kids[0]];
  if (s->member != NULL) {
    lit_t lit = s->member(s->context, kids[1], element);
    if (lit != UINT32_MAX) return lit;
  }
  return bit(s->env, kids[1], element) ? ALEA_TOSS_LIT_TRUE : ALEA_TOSS_LIT_FALSE;
}

/* A nested set quantifier: every subset of a small universe. */
static lit_t some_set(sym *s, const code_t *code) {
  const alea_toss_structure *t = s->env->structure;
  uint32_t live[MOST_SET], count = 0;
  if (t->alive_count > MOST_SET) {
    give_up(s, ALEA_UNSUPPORTED);
    return ALEA_TOSS_LIT_FALSE;
  }
  for (uint32_t e = 0; e < t->capacity; e++) {
    if (t->alive[e]) live[count++] = e;
  }
  symbolic_lits found = {0};
  uint64_t *set = s->env->sets + code->slot * s->env->set_words;
  for (uint32_t bits = 0; bits < 1u << count; bits++) {
    memset(set, 0, s->env->set_words * sizeof *set);
    for (uint32_t i = 0; i < count; i++) {
      if (bits >> i & 1) set[live[i] / 64] |= (uint64_t)1 << (live[i] % 64);
    }
    push(s, &found, alea_toss_symbolic_formula(s, s->env->logic->kids.data[code->first]));
  }
  lit_t lit = alea_toss_circuit_or(s->circuit, found.data, found.count);
  alea_vec_clear(mem_of(s), &found);
  return lit;
}

static lit_t plain(sym *s, uint32_t id) {
  const code_t *code = &s->env->logic->codes.data[id];
  const uint32_t *kids = s->env->logic->kids.data + code->first;
  switch (code->op) {
    case ALEA_TOSS_OP_TRUE: return ALEA_TOSS_LIT_TRUE;
    case ALEA_TOSS_OP_ATOM: return atom_lit(s, code);
    case ALEA_TOSS_OP_EQUAL:
      return s->env->elements[kids[0]] == s->env->elements[kids[1]] ? ALEA_TOSS_LIT_TRUE
                                                                    : ALEA_TOSS_LIT_FALSE;
    case ALEA_TOSS_OP_IN: return member_lit(s, kids);
    case ALEA_TOSS_OP_LESS:
    case ALEA_TOSS_OP_SAME: return compare(s, id);
    case ALEA_TOSS_OP_AND:
    case ALEA_TOSS_OP_OR: return several(s, code);
    case ALEA_TOSS_OP_EXISTS: return some(s, code->plan);
    case ALEA_TOSS_OP_EXISTS_SET:
      return s->quantifier != NULL ? s->quantifier(s->context, id) : some_set(s, code);
    case ALEA_TOSS_OP_EXISTS_REAL:
      if (s->quantifier != NULL) return s->quantifier(s->context, id);
      give_up(s, ALEA_UNSUPPORTED);
      return ALEA_TOSS_LIT_FALSE;
    default: give_up(s, ALEA_UNSUPPORTED); return ALEA_TOSS_LIT_FALSE;
  }
}

lit_t alea_toss_symbolic_formula(sym *s, uint32_t id) {
  if (s->status != ALEA_OK) return ALEA_TOSS_LIT_FALSE;
  return plain(s, id) ^ s->env->logic->codes.data[id].negated;
}

/* ---- terms ---- */

static void add_case(sym *s, alea_toss_cases *cases, alea_interval value, lit_t lit) {
  if (lit == ALEA_TOSS_LIT_FALSE || s->status != ALEA_OK) return;
  for (size_t i = 0; i < cases->count; i++) {
    if (cases->data[i].value.lo != value.lo || cases->data[i].value.hi != value.hi) continue;
    cases->data[i].lit = alea_toss_or2(s->circuit, cases->data[i].lit, lit);
    return;
  }
  if (cases->count >= MOST_CASES || !alea_interval_is_finite(value)) {
    give_up(s, ALEA_UNSUPPORTED);
  } else if (!alea_vec_push(mem_of(s), cases, ((alea_toss_case){value, lit}))) {
    give_up(s, ALEA_LIMIT);
  }
}

/* As the interpreter computes it, so that both compare alike. */
static alea_interval combine(alea_toss_op op, alea_interval a, alea_interval b) {
  return op == ALEA_TOSS_OP_ADD || op == ALEA_TOSS_OP_SUM    ? alea_interval_add(a, b)
         : op == ALEA_TOSS_OP_MUL || op == ALEA_TOSS_OP_PROD ? alea_interval_mul(a, b)
                                                             : alea_interval_div(a, b);
}

/* total := total op next, case by case. */
static void fold_in(sym *s, alea_toss_op op, alea_toss_cases *total, const alea_toss_cases *next) {
  alea_toss_cases result = {0};
  for (size_t i = 0; i < total->count; i++) {
    for (size_t j = 0; j < next->count; j++) {
      lit_t both = alea_toss_and2(s->circuit, total->data[i].lit, next->data[j].lit);
      add_case(s, &result, combine(op, total->data[i].value, next->data[j].value), both);
    }
  }
  alea_vec_clear(mem_of(s), total);
  *total = result;
}

typedef struct over {
  alea_toss_op op;
  uint32_t term;
  alea_toss_cases total;
} over;

/* If the guard does not hold, the neutral number is used. */
static void add_up(sym *s, lit_t lit, void *context) {
  over *o = context;
  alea_toss_cases term = {0}, guarded = {0};
  alea_toss_symbolic_term(s, o->term, &term);
  add_case(s, &guarded, alea_interval_of(o->op == ALEA_TOSS_OP_PROD), lit ^ 1);
  for (size_t i = 0; i < term.count; i++) {
    add_case(s, &guarded, term.data[i].value, alea_toss_and2(s->circuit, lit, term.data[i].lit));
  }
  fold_in(s, o->op, &o->total, &guarded);
  alea_vec_clear(mem_of(s), &term);
  alea_vec_clear(mem_of(s), &guarded);
}

static void apply_unary(sym *s, const code_t *code, alea_toss_cases *cases) {
  alea_toss_cases inner = {0};
  alea_toss_symbolic_term(s, s->env->logic->kids.data[code->first], &inner);
  for (size_t i = 0; i < inner.count; i++) {
    alea_interval value = inner.data[i].value;
    unsigned n = (unsigned)code->number;
    value = code->op == ALEA_TOSS_OP_NEG   ? alea_interval_neg(value)
            : code->op == ALEA_TOSS_OP_POW ? alea_interval_pow(value, n)
                                           : alea_interval_root(value, n);
    add_case(s, cases, value, inner.data[i].lit);
  }
  alea_vec_clear(mem_of(s), &inner);
}

static void fold_kids(sym *s, const code_t *code, alea_toss_cases *cases) {
  const uint32_t *kids = s->env->logic->kids.data + code->first;
  alea_toss_symbolic_term(s, kids[0], cases);
  for (uint32_t i = 1; i < code->count && s->status == ALEA_OK; i++) {
    alea_toss_cases next = {0};
    alea_toss_symbolic_term(s, kids[i], &next);
    fold_in(s, code->op, cases, &next);
    alea_vec_clear(mem_of(s), &next);
  }
}

void alea_toss_symbolic_term(sym *s, uint32_t id, alea_toss_cases *cases) {
  if (s->status != ALEA_OK) return;
  const code_t *code = &s->env->logic->codes.data[id];
  const uint32_t *kids = s->env->logic->kids.data + code->first;
  lit_t lit;
  switch (code->op) {
    case ALEA_TOSS_OP_NUMBER: add_case(s, cases, code->value, ALEA_TOSS_LIT_TRUE); return;
    case ALEA_TOSS_OP_CHAR:
      lit = alea_toss_symbolic_formula(s, kids[0]);
      add_case(s, cases, alea_interval_of(1), lit);
      add_case(s, cases, alea_interval_of(0), lit ^ 1);
      return;
    case ALEA_TOSS_OP_SUM:
    case ALEA_TOSS_OP_PROD: {
      over o = {.op = code->op, .term = kids[0]};
      add_case(s, &o.total, alea_interval_of(code->op == ALEA_TOSS_OP_PROD), ALEA_TOSS_LIT_TRUE);
      alea_toss_symbolic_plan(s, code->plan, add_up, &o);
      for (size_t i = 0; i < o.total.count; i++) {
        add_case(s, cases, o.total.data[i].value, o.total.data[i].lit);
      }
      alea_vec_clear(mem_of(s), &o.total);
      return;
    }
    case ALEA_TOSS_OP_NEG:
    case ALEA_TOSS_OP_POW:
    case ALEA_TOSS_OP_ROOT: apply_unary(s, code, cases); return;
    case ALEA_TOSS_OP_ADD:
    case ALEA_TOSS_OP_MUL:
    case ALEA_TOSS_OP_DIV: fold_kids(s, code, cases); return;
    case ALEA_TOSS_OP_FUNCTION:
    case ALEA_TOSS_OP_REAL:
      if (s->labels) {
        add_case(s, cases, alea_toss_evaluate(s->env, id), ALEA_TOSS_LIT_TRUE);
        return;
      }
      break;
    default: break;
  }
  give_up(s, ALEA_UNSUPPORTED);
}
