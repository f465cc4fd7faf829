/* Evaluation of compiled formulas and terms. */
#include <string.h>

#include "nra/nra.h"
#include "toss/logic.h"
#include "toss/real_question.h"

#define NONE ALEA_TOSS_NONE

typedef alea_toss_env env_t;
typedef alea_toss_code code_t;

alea_status alea_toss_env_init(env_t *env, const alea_toss_logic *logic,
                               const alea_toss_structure *structure, alea_mem *mem) {
  *env = (env_t){.logic = logic, .structure = structure, .mem = mem};
  env->element_slots = logic->elements;
  env->set_slots = logic->sets;
  env->real_slots = logic->reals;
  env->set_words = (structure->capacity + 63) / 64;
  env->elements = alea_mem_calloc(mem, env->element_slots, sizeof *env->elements);
  env->sets = alea_mem_calloc(mem, env->set_slots * env->set_words, sizeof *env->sets);
  env->reals = alea_mem_calloc(mem, env->real_slots, sizeof *env->reals);
  if (env->elements != NULL && env->sets != NULL && env->reals != NULL) return ALEA_OK;
  alea_toss_env_clear(env);
  return alea_mem_lack(mem);
}

void alea_toss_env_clear(env_t *env) {
  if (env->mem == NULL) return;
  alea_mem_free(env->mem, env->elements, env->element_slots * sizeof *env->elements);
  alea_mem_free(env->mem, env->sets, env->set_slots * env->set_words * sizeof *env->sets);
  alea_mem_free(env->mem, env->reals, env->real_slots * sizeof *env->reals);
  alea_nra_free(env->nra);
  *env = (env_t){0};
}

/* ---- plans ---- */

typedef struct evaluate_walker {
  env_t *env;
  const alea_toss_plan *plan;
  alea_toss_visit *visit;
  void *context;
} evaluate_walker;

static bool checks_hold(env_t *env, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t check = env->logic->kids.data[first + i];
    if (env->question != NULL && alea_toss_is_open(env, check)) continue;
    if (!alea_toss_holds(env, check)) return false;
  }
  return true;
}

static bool run_step(const evaluate_walker *w, uint32_t step);

/* Continues after the step has bound its slots. */
static bool go_on(const evaluate_walker *w, const alea_toss_step *step, uint32_t index) {
  return checks_hold(w->env, step->first_check, step->check_count) && run_step(w, index + 1);
}

static bool bind_tuple(env_t *env, const alea_toss_step *step, const code_t *atom,
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

static bool walk_index(const evaluate_walker *w, const alea_toss_step *step, const code_t *atom,
                       uint32_t index) {
  env_t *env = w->env;
  const alea_toss_table *t = &env->structure->tables[atom->target];
  uint32_t element = env->elements[env->logic->kids.data[atom->first + step->index]];
  uint32_t slot = alea_toss_table_first(env->structure, atom->target, step->index, element);
  for (; slot != ALEA_TOSS_NO_SLOT; slot = alea_toss_table_next(t, slot, step->index)) {
    if (bind_tuple(env, step, atom, alea_toss_table_tuple(t, slot)) && go_on(w, step, index)) {
      return true;
    }
  }
  return false;
}

static bool walk_all(const evaluate_walker *w, const alea_toss_step *step, const code_t *atom,
                     uint32_t index) {
  const alea_toss_table *t = &w->env->structure->tables[atom->target];
  for (uint32_t slot = 0; slot < t->slot_count; slot++) {
    if (t->used[slot] && bind_tuple(w->env, step, atom, alea_toss_table_tuple(t, slot)) &&
        go_on(w, step, index)) {
      return true;
    }
  }
  return false;
}

static bool run_step(const evaluate_walker *w, uint32_t index) {
  env_t *env = w->env;
  if (env->status != ALEA_OK) return true;
  if (index == w->plan->step_count) return w->visit(env, w->context);
  const alea_toss_step *step = &env->logic->steps.data[w->plan->first_step + index];
  if (step->atom != NONE) {
    const code_t *atom = &env->logic->codes.data[step->atom];
    return step->index != NONE ? walk_index(w, step, atom, index) : walk_all(w, step, atom, index);
  }
  for (uint32_t e = 0; e < env->structure->capacity; e++) {
    if (!env->structure->alive[e]) continue;
    env->elements[step->slot] = e;
    if (go_on(w, step, index)) return true;
  }
  return false;
}

bool alea_toss_enumerate(env_t *env, uint32_t plan, alea_toss_visit *visit, void *context) {
  evaluate_walker w = {env, &env->logic->plans.data[plan], visit, context};
  return checks_hold(env, w.plan->first_check, w.plan->check_count) && run_step(&w, 0);
}

/* ---- formulas ---- */

static bool found(env_t *env, void *context) {
  (void)env;
  (void)context;
  return true;
}

static bool atom_holds(env_t *env, const code_t *code) {
  uint32_t tuple[ALEA_TOSS_MOST_ARITY];
  for (uint32_t i = 0; i < code->count; i++) {
    tuple[i] = env->elements[env->logic->kids.data[code->first + i]];
  }
  return alea_toss_structure_has(env->structure, code->target, tuple);
}

static bool is_member(env_t *env, uint32_t element, uint32_t set) {
  return env->sets[set * env->set_words + element / 64] >> (element % 64) & 1;
}

/* Whether what is evaluated must be certain for the whole to hold. */
static bool is_strict(const env_t *env) {
  return (env->doubt == ALEA_TOSS_POSSIBLY) == env->negative;
}

static bool is_less(const env_t *env, alea_interval a, alea_interval b) {
  if (env->doubt == ALEA_TOSS_AS_KNOWN || is_strict(env)) return alea_interval_less(a, b);
  return a.lo < b.hi;
}

static bool is_same(const env_t *env, alea_interval a, alea_interval b) {
  if (env->doubt == ALEA_TOSS_AS_KNOWN || !is_strict(env)) return alea_interval_same(a, b);
  return alea_interval_is_point(a) && a.lo == b.lo && a.hi == b.hi;
}

/* What stays unknown is no reason for the whole to hold. */
static bool some_real(env_t *env, const code_t *code) {
  uint32_t kid = env->logic->kids.data[code->first];
  if (env->doubt != ALEA_TOSS_AS_KNOWN && alea_toss_reads_labels(env->logic, kid))
    return !is_strict(env);
  alea_verdict verdict = alea_toss_exists_real(env, kid, code->slot);
  if (verdict != ALEA_VERDICT_UNKNOWN) return verdict == ALEA_VERDICT_PROVED;
  env->undecided++;
  alea_toss_notes_add(env->logic->notes, ALEA_TOSS_NOTE_UNDECIDED, code->node, 0);
  return env->negative;
}

static bool some_set(env_t *env, const code_t *code, uint32_t kid) {
  if (env->doubt != ALEA_TOSS_AS_KNOWN && alea_toss_reads_labels(env->logic, kid))
    return !is_strict(env);
  alea_status before = env->status;
  bool found_one = alea_toss_exists_set(env, kid, code->slot);
  if (before == ALEA_OK && env->status == ALEA_LIMIT && !env->mem->hit_limit)
    alea_toss_notes_add(env->logic->notes, ALEA_TOSS_NOTE_LIMIT, code->node, 0);
  return found_one;
}

static bool plain(env_t *env, const code_t *code) {
  const uint32_t *kids = env->logic->kids.data + code->first;
  switch (code->op) {
    case ALEA_TOSS_OP_TRUE: return true;
    case ALEA_TOSS_OP_ATOM: return atom_holds(env, code);
    case ALEA_TOSS_OP_EQUAL: return env->elements[kids[0]] == env->elements[kids[1]];
    case ALEA_TOSS_OP_IN: return is_member(env, env->elements[kids[0]], kids[1]);
    case ALEA_TOSS_OP_LESS:
      return is_less(env, alea_toss_evaluate(env, kids[0]), alea_toss_evaluate(env, kids[1]));
    case ALEA_TOSS_OP_SAME:
      return is_same(env, alea_toss_evaluate(env, kids[0]), alea_toss_evaluate(env, kids[1]));
    case ALEA_TOSS_OP_AND: return checks_hold(env, code->first, code->count);
    case ALEA_TOSS_OP_OR:
      for (uint32_t i = 0; i < code->count; i++) {
        if (alea_toss_holds(env, kids[i])) return true;
      }
      return false;
    case ALEA_TOSS_OP_EXISTS: return alea_toss_enumerate(env, code->plan, found, NULL);
    case ALEA_TOSS_OP_EXISTS_SET: return some_set(env, code, kids[0]);
    default: return some_real(env, code);
  }
}

bool alea_toss_holds(env_t *env, uint32_t id) {
  const code_t *code = &env->logic->codes.data[id];
  if (!code->negated) return plain(env, code);
  env->negative = !env->negative;
  bool result = !plain(env, code);
  env->negative = !env->negative;
  return result;
}

/* ---- certainty ---- */

typedef bool evaluate_question(env_t *env, uint32_t what);

/* Asks twice: does it surely hold, and may it? */
static alea_verdict ask_twice(env_t *env, evaluate_question *question, uint32_t what) {
  alea_toss_doubt doubt = env->doubt;
  bool negative = env->negative;
  env->negative = false;
  env->doubt = ALEA_TOSS_SURELY;
  bool surely = question(env, what), possibly = surely;
  env->doubt = ALEA_TOSS_POSSIBLY;
  if (!surely) possibly = question(env, what);
  env->doubt = doubt;
  env->negative = negative;
  return surely ? ALEA_VERDICT_PROVED : possibly ? ALEA_VERDICT_UNKNOWN : ALEA_VERDICT_REFUTED;
}

static bool plan_holds(env_t *env, uint32_t id) {
  const alea_toss_plan *plan = &env->logic->plans.data[id];
  if (!checks_hold(env, plan->first_check, plan->check_count)) return false;
  for (uint32_t i = 0; i < plan->step_count; i++) {
    const alea_toss_step *step = &env->logic->steps.data[plan->first_step + i];
    if (step->atom != NONE && !alea_toss_holds(env, step->atom)) return false;
    if (!checks_hold(env, step->first_check, step->check_count)) return false;
  }
  return true;
}

alea_verdict alea_toss_certainly(env_t *env, uint32_t code) {
  return ask_twice(env, alea_toss_holds, code);
}

alea_verdict alea_toss_plan_certainly(env_t *env, uint32_t plan) {
  return ask_twice(env, plan_holds, plan);
}

/* ---- terms ---- */

typedef struct evaluate_total {
  alea_interval value;
  uint32_t term, plan;
  bool product;
} evaluate_total;

/* An element that perhaps counts widens the total to both. */
static bool add_up(env_t *env, void *context) {
  evaluate_total *t = context;
  alea_interval value = alea_toss_evaluate(env, t->term), before = t->value;
  t->value = t->product ? alea_interval_mul(before, value) : alea_interval_add(before, value);
  if (env->doubt != ALEA_TOSS_AS_KNOWN &&
      alea_toss_plan_certainly(env, t->plan) != ALEA_VERDICT_PROVED)
    t->value = alea_interval_hull(t->value, before);
  return false;
}

static alea_interval over(env_t *env, const code_t *code) {
  bool product = code->op == ALEA_TOSS_OP_PROD, negative = env->negative;
  alea_toss_doubt doubt = env->doubt;
  evaluate_total t = {alea_interval_of(product), env->logic->kids.data[code->first], code->plan,
                      product};
  if (doubt != ALEA_TOSS_AS_KNOWN) {
    env->doubt = ALEA_TOSS_POSSIBLY;
    env->negative = false;
  }
  alea_toss_enumerate(env, code->plan, add_up, &t);
  env->doubt = doubt;
  env->negative = negative;
  return t.value;
}

static alea_interval truth(env_t *env, uint32_t code) {
  if (env->doubt == ALEA_TOSS_AS_KNOWN) return alea_interval_of(alea_toss_holds(env, code));
  alea_verdict verdict = alea_toss_certainly(env, code);
  return (alea_interval){verdict == ALEA_VERDICT_PROVED, verdict != ALEA_VERDICT_REFUTED};
}

static alea_interval least_real(env_t *env, const code_t *code, uint32_t kid) {
  if (env->doubt != ALEA_TOSS_AS_KNOWN && alea_toss_reads_labels(env->logic, kid))
    return alea_interval_line();
  uint64_t undecided = env->undecided;
  alea_interval least = alea_toss_least_real(env, kid, code->slot);
  if (env->undecided != undecided)
    alea_toss_notes_add(env->logic->notes, ALEA_TOSS_NOTE_UNDECIDED, code->node, 0);
  return least;
}

static alea_interval fold(env_t *env, const code_t *code) {
  const uint32_t *kids = env->logic->kids.data + code->first;
  alea_interval value = alea_toss_evaluate(env, kids[0]);
  for (uint32_t i = 1; i < code->count; i++) {
    alea_interval next = alea_toss_evaluate(env, kids[i]);
    value = code->op == ALEA_TOSS_OP_ADD   ? alea_interval_add(value, next)
            : code->op == ALEA_TOSS_OP_MUL ? alea_interval_mul(value, next)
                                           : alea_interval_div(value, next);
  }
  return value;
}

/* Derivatives have values only while time passes. */
static alea_interval label_of(const env_t *env, const code_t *code, uint32_t element) {
  const alea_toss_structure *s = env->structure;
  if (code->order == 0) return s->values[(size_t)code->target * s->capacity + element];
  if (env->derivatives == NULL) return alea_interval_of(0);
  size_t row = (size_t)(code->order - 1) * s->function_count + code->target;
  return env->derivatives[row * s->capacity + element];
}

alea_interval alea_toss_evaluate(env_t *env, uint32_t id) {
  const code_t *code = &env->logic->codes.data[id];
  const uint32_t *kids = env->logic->kids.data + code->first;
  switch (code->op) {
    case ALEA_TOSS_OP_NUMBER: return code->value;
    case ALEA_TOSS_OP_REAL: return env->reals[code->slot];
    case ALEA_TOSS_OP_FUNCTION: return label_of(env, code, env->elements[kids[0]]);
    case ALEA_TOSS_OP_NEG: return alea_interval_neg(alea_toss_evaluate(env, kids[0]));
    case ALEA_TOSS_OP_POW:
      return alea_interval_pow(alea_toss_evaluate(env, kids[0]), (unsigned)code->number);
    case ALEA_TOSS_OP_ROOT:
      return alea_interval_root(alea_toss_evaluate(env, kids[0]), (unsigned)code->number);
    case ALEA_TOSS_OP_CHAR: return truth(env, kids[0]);
    case ALEA_TOSS_OP_MIN: return least_real(env, code, kids[0]);
    case ALEA_TOSS_OP_SUM:
    case ALEA_TOSS_OP_PROD: return over(env, code);
    default: return fold(env, code);
  }
}

/* ---- materialised definitions ---- */

typedef struct filler {
  alea_toss_structure *structure; /* the tuples found are collected in 'tuples' */
  const uint32_t *slots;
  uint32_t arity;
  ALEA_VEC(uint32_t) tuples;
  uint64_t count;
} filler;

static bool note_tuple(env_t *env, void *context) {
  filler *f = context;
  f->count++;
  for (uint32_t i = 0; i < f->arity; i++) {
    if (!alea_vec_push(env->mem, &f->tuples, env->elements[f->slots[i]])) env->status = ALEA_LIMIT;
  }
  return false;
}

static alea_status fill_relation(alea_toss_logic *logic, alea_toss_structure *s,
                                 uint32_t relation) {
  const alea_toss_relation *r = &logic->file->relations.data[relation];
  alea_toss_binding bindings[ALEA_TOSS_MOST_ARITY];
  uint32_t slots[ALEA_TOSS_MOST_ARITY], code = 0, plan = 0;
  for (uint32_t i = 0; i < r->arity; i++) {
    slots[i] = logic->elements++;
    bindings[i] = (alea_toss_binding){logic->file->kids.data[r->first_param + i], ALEA_TOSS_ELEMENT,
                                      slots[i]};
  }
  alea_status status = alea_toss_compile(logic, r->body, bindings, r->arity, &code);
  filler f = {.structure = s, .slots = slots, .arity = r->arity};
  /* Each part of a disjunction has a plan of its own; duplicate tuples are
   * stored once. */
  const code_t *body = status == ALEA_OK ? &logic->codes.data[code] : NULL;
  bool parts = body != NULL && body->op == ALEA_TOSS_OP_OR;
  uint32_t first = parts ? body->first : 0, count = parts ? body->count : 1;
  for (uint32_t i = 0; status == ALEA_OK && i < count; i++) {
    uint32_t part = parts ? logic->kids.data[first + i] : code;
    status = alea_toss_plan_new(logic, slots, r->arity, &part, 1, &plan);
    env_t env;
    if (status == ALEA_OK) status = alea_toss_env_init(&env, logic, s, logic->mem);
    if (status != ALEA_OK) break;
    alea_toss_enumerate(&env, plan, note_tuple, &f);
    status = env.status;
    alea_toss_env_clear(&env);
  }
  for (uint64_t i = 0; status == ALEA_OK && i < f.count; i++) {
    const uint32_t *tuple = r->arity != 0 ? f.tuples.data + i * r->arity : slots;
    if (!alea_toss_structure_add(s, relation, tuple)) status = ALEA_LIMIT;
  }
  alea_vec_clear(logic->mem, &f.tuples);
  return status;
}

alea_status alea_toss_materialise(const alea_toss_file *file, alea_toss_structure *structure,
                                  const uint8_t *materialise, alea_toss_notes *notes,
                                  alea_mem *mem) {
  size_t count = file->relations.count;
  uint8_t *stored = alea_mem_zalloc(mem, count + 1);
  if (stored == NULL) return ALEA_SYSTEM;
  for (size_t i = 0; i < count; i++) stored[i] = file->relations.data[i].body == NONE;
  alea_status status = ALEA_OK;
  for (uint32_t i = 0; i < count && status == ALEA_OK; i++) {
    if (!materialise[i]) continue;
    alea_toss_logic logic;
    alea_toss_logic_init(&logic, file, stored, stored, mem);
    logic.notes = notes;
    status = fill_relation(&logic, structure, i);
    alea_toss_logic_clear(&logic);
    stored[i] = 1;
  }
  alea_mem_free(mem, stored, count + 1);
  return status;
}
