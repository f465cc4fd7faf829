/* From the equations of rules to a tape. */
#include <string.h>

#include "toss/flow.h"

typedef alea_toss_flow_state flow;
typedef alea_toss_code code_t;

/* ---- unknowns ---- */

/* Adds the unknowns 0..order-1 of a cell. */
static bool need(flow *f, uint32_t function, uint32_t element, uint32_t order) {
  for (uint32_t k = 0; k < order; k++) {
    uint32_t *index = &f->index[k * f->cells + alea_toss_flow_cell(f, function, element)];
    if (*index != 0) continue;
    alea_toss_unknown made = {function, element, k};
    if (!alea_vec_push(f->env->mem, &f->unknowns, made)) return false;
    *index = (uint32_t)f->unknowns.count;
  }
  return true;
}

static bool find_unknowns(flow *f) {
  for (size_t i = 0; i < f->act_count; i++) {
    const alea_toss_act *act = &f->acts[i];
    const alea_toss_rule *rule = f->rules->patterns[act->rule].rule;
    for (size_t j = 0; !act->dropped && j < rule->dynamics.count; j++) {
      const alea_toss_equation *e = &rule->dynamics.data[j];
      if (!need(f, e->function, act->match[e->element], e->order)) return false;
    }
  }
  return true;
}

/* Derivatives start at 0. */
static void read_start(flow *f) {
  for (size_t i = 0; i < f->unknowns.count; i++) {
    const alea_toss_unknown *u = &f->unknowns.data[i];
    size_t cell = alea_toss_flow_cell(f, u->function, u->element);
    f->start[i] = u->order == 0 ? f->structure->values[cell] : alea_interval_of(0);
  }
}

/* ---- rough parts ---- */

static uint32_t add_rough(flow *f, uint32_t code, uint32_t plan) {
  const alea_toss_env *env = f->env;
  alea_toss_rough r = {.code = code, .plan = plan};
  r.elements = alea_mem_calloc(env->mem, env->element_slots, sizeof *r.elements);
  r.reals = alea_mem_calloc(env->mem, env->real_slots, sizeof *r.reals);
  if (r.elements == NULL || r.reals == NULL || !alea_vec_push(env->mem, &f->roughs, r)) {
    if (r.elements != NULL)
      alea_mem_free(env->mem, r.elements, env->element_slots * sizeof *r.elements);
    if (r.reals != NULL) alea_mem_free(env->mem, r.reals, env->real_slots * sizeof *r.reals);
    f->tape.failed = true;
    return 0;
  }
  memcpy(r.elements, env->elements, env->element_slots * sizeof *r.elements);
  memcpy(r.reals, env->reals, env->real_slots * sizeof *r.reals);
  return alea_tape_rough_op(&f->tape, (uint32_t)f->roughs.count - 1);
}

static alea_interval rough_range(void *context, uint32_t which, const alea_interval *box) {
  flow *f = context;
  alea_toss_env *env = f->env;
  const alea_toss_rough *r = &f->roughs.data[which];
  memcpy(env->elements, r->elements, env->element_slots * sizeof *r->elements);
  memcpy(env->reals, r->reals, env->real_slots * sizeof *r->reals);
  alea_toss_flow_show(f, box);
  if (r->code == ALEA_TOSS_NONE) {
    alea_verdict counts = alea_toss_plan_certainly(env, r->plan);
    return (alea_interval){counts == ALEA_VERDICT_PROVED, counts != ALEA_VERDICT_REFUTED};
  }
  env->doubt = ALEA_TOSS_SURELY;
  alea_interval value = alea_toss_evaluate(env, r->code);
  env->doubt = ALEA_TOSS_AS_KNOWN;
  return value;
}

/* ---- terms ---- */

static uint32_t write_term(flow *f, uint32_t id);

static uint32_t write_label(flow *f, const code_t *code) {
  uint32_t element = f->env->elements[f->env->logic->kids.data[code->first]];
  size_t cell = alea_toss_flow_cell(f, code->target, element);
  uint32_t unknown =
      code->order < ALEA_TOSS_MOST_ORDER ? f->index[code->order * f->cells + cell] : 0;
  if (unknown != 0) return unknown - 1;
  return alea_tape_number(&f->tape,
                          code->order == 0 ? f->structure->values[cell] : alea_interval_of(0));
}

typedef struct flow_total {
  flow *f;
  uint32_t term, plan, total;
  bool product, open; /* open: whether an element counts depends on labels */
} flow_total;

/* An element that counts where 'counts' is 1: total + counts * term, or
 * total * (1 + counts * (term - 1)). */
static bool write_element(alea_toss_env *env, void *context) {
  (void)env;
  flow_total *t = context;
  alea_tape *tape = &t->f->tape;
  uint32_t term = write_term(t->f, t->term);
  if (t->open) {
    uint32_t counts = add_rough(t->f, ALEA_TOSS_NONE, t->plan);
    uint32_t one = alea_tape_number(tape, alea_interval_of(1));
    if (t->product) term = alea_tape_add(tape, term, alea_tape_neg(tape, one));
    term = alea_tape_mul(tape, counts, term);
    if (t->product) term = alea_tape_add(tape, term, one);
  }
  t->total = t->product ? alea_tape_mul(tape, t->total, term) : alea_tape_add(tape, t->total, term);
  return tape->failed;
}

static uint32_t write_sum(flow *f, const code_t *code) {
  bool product = code->op == ALEA_TOSS_OP_PROD;
  flow_total t = {.f = f,
                  .term = f->env->logic->kids.data[code->first],
                  .plan = code->plan,
                  .product = product,
                  .open = alea_toss_plan_reads_labels(f->env->logic, code->plan)};
  t.total = alea_tape_number(&f->tape, alea_interval_of(product));
  alea_toss_doubt doubt = f->env->doubt;
  f->env->doubt = ALEA_TOSS_POSSIBLY;
  alea_toss_enumerate(f->env, code->plan, write_element, &t);
  f->env->doubt = doubt;
  return t.total;
}

static uint32_t write_fold(flow *f, const code_t *code) {
  const uint32_t *kids = f->env->logic->kids.data + code->first;
  uint32_t total = write_term(f, kids[0]);
  for (uint32_t i = 1; i < code->count && !f->tape.failed; i++) {
    uint32_t next = write_term(f, kids[i]);
    total = code->op == ALEA_TOSS_OP_ADD   ? alea_tape_add(&f->tape, total, next)
            : code->op == ALEA_TOSS_OP_MUL ? alea_tape_mul(&f->tape, total, next)
                                           : alea_tape_div(&f->tape, total, next);
  }
  return total;
}

static uint32_t write_term(flow *f, uint32_t id) {
  const code_t *code = &f->env->logic->codes.data[id];
  const uint32_t *kids = f->env->logic->kids.data + code->first;
  if (!alea_toss_reads_labels(f->env->logic, id))
    return alea_tape_number(&f->tape, alea_toss_evaluate(f->env, id));
  switch (code->op) {
    case ALEA_TOSS_OP_FUNCTION: return write_label(f, code);
    case ALEA_TOSS_OP_NEG: return alea_tape_neg(&f->tape, write_term(f, kids[0]));
    case ALEA_TOSS_OP_POW:
      return alea_tape_pow(&f->tape, write_term(f, kids[0]), (unsigned)code->number);
    case ALEA_TOSS_OP_ROOT:
      return alea_tape_root(&f->tape, write_term(f, kids[0]), (unsigned)code->number);
    case ALEA_TOSS_OP_SUM:
    case ALEA_TOSS_OP_PROD: return write_sum(f, code);
    case ALEA_TOSS_OP_ADD:
    case ALEA_TOSS_OP_MUL:
    case ALEA_TOSS_OP_DIV: return write_fold(f, code);
    default: return add_rough(f, id, ALEA_TOSS_NONE);
  }
}

/* While the tape is written the unknowns may be anything: whether an element
 * counts in a sum is asked when it runs. */
static void write_equations(flow *f) {
  for (size_t i = 0; i < f->unknowns.count; i++) {
    f->box[i] = alea_interval_line();
    const alea_toss_unknown *u = &f->unknowns.data[i];
    size_t cell = alea_toss_flow_cell(f, u->function, u->element);
    uint32_t next =
        u->order + 1 < ALEA_TOSS_MOST_ORDER ? f->index[(u->order + 1) * f->cells + cell] : 0;
    if (next != 0) alea_tape_slope(&f->tape, (uint32_t)i, next - 1);
  }
  alea_toss_flow_show(f, f->box);
  for (size_t i = 0; i < f->act_count && !f->tape.failed; i++) {
    const alea_toss_act *act = &f->acts[i];
    if (act->dropped) continue;
    const alea_toss_rule *rule = f->rules->patterns[act->rule].rule;
    const uint32_t *codes = f->rules->dynamics_codes + f->rules->first_dynamics[act->rule];
    alea_toss_flow_bind(f, act);
    for (size_t j = 0; j < rule->dynamics.count; j++) {
      const alea_toss_equation *e = &rule->dynamics.data[j];
      size_t cell = alea_toss_flow_cell(f, e->function, act->match[e->element]);
      uint32_t unknown = f->index[(e->order - 1) * f->cells + cell] - 1;
      alea_tape_slope(&f->tape, unknown, write_term(f, codes[j]));
    }
  }
}

alea_status alea_toss_flow_equations(flow *f) {
  alea_mem *mem = f->env->mem;
  if (!find_unknowns(f)) return alea_mem_lack(mem);
  f->box = alea_mem_calloc(mem, f->unknowns.count, sizeof *f->box);
  f->start = alea_mem_calloc(mem, f->unknowns.count, sizeof *f->start);
  if (f->box == NULL || f->start == NULL) return alea_mem_lack(mem);
  read_start(f);
  alea_status status = alea_tape_init(&f->tape, (uint32_t)f->unknowns.count, mem);
  if (status != ALEA_OK) return status;
  f->tape.rough = rough_range;
  f->tape.context = f;
  write_equations(f);
  alea_toss_flow_show(f, f->start);
  if (f->env->status != ALEA_OK) return f->env->status;
  return f->tape.failed ? ALEA_LIMIT : ALEA_OK;
}
