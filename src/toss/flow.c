/* Continuous evolution ([TOSS10 §2], D43, D74): the equations of all acts, summed
 * and enclosed step by step. */
#include "toss/flow.h"

enum { MOST_STEPS = 200000 };

typedef alea_toss_flow_state flow;

void alea_toss_flow_show(flow *f, const alea_interval *box) {
  for (size_t i = 0; i < f->unknowns.count; i++) {
    const alea_toss_unknown *u = &f->unknowns.data[i];
    size_t cell = alea_toss_flow_cell(f, u->function, u->element);
    if (u->order == 0) {
      f->structure->values[cell] = box[i];
    } else {
      f->derivatives[(u->order - 1) * f->cells + cell] = box[i];
    }
  }
}

void alea_toss_flow_bind(const flow *f, const alea_toss_act *act) {
  const alea_toss_pattern *p = &f->rules->patterns[act->rule];
  for (uint32_t i = 0; i < p->left_count; i++) {
    f->env->elements[p->left_slots[i]] = act->match[i];
  }
  for (size_t i = 0; i < act->label->params.count; i++) {
    uint32_t slot = f->rules->params[act->label->params.data[i].name];
    if (slot != ALEA_TOSS_NONE) f->env->reals[slot] = alea_interval_of(act->params[i]);
  }
}

/* Step by step to 'time', the failure of an invariant, or the loss of the
 * solution; 'result' gets the unknowns there. */
static void travel(flow *f, double time, alea_toss_flow_end *end, alea_interval *result) {
  alea_enclosure *e = &f->enclosure;
  for (int step = 0; e->time < time && end->broken == SIZE_MAX && !end->lost; step++) {
    end->lost = step == MOST_STEPS || !alea_enclosure_look(e, time, time);
    if (end->lost) break;
    double at = 0;
    alea_toss_flow_inspect(f, &end->broken, &at, result);
    end->elapsed = e->time + at;
    if (end->broken == SIZE_MAX) alea_enclosure_go(e);
  }
  if (end->broken != SIZE_MAX) return;
  end->elapsed = e->time;
  for (size_t i = 0; i < f->unknowns.count; i++) result[i] = e->box[i];
}

static alea_status run(flow *f, double time, alea_toss_flow_end *end) {
  alea_status status = alea_toss_flow_equations(f);
  if (status == ALEA_OK) status = alea_toss_flow_watch(f, &end->broken);
  if (status != ALEA_OK || end->broken != SIZE_MAX || !(time > 0)) return status;
  if (f->unknowns.count == 0) {
    end->elapsed = time;
    return ALEA_OK;
  }
  status = alea_enclosure_init(&f->enclosure, &f->tape, f->start);
  if (status == ALEA_OK) travel(f, time, end, f->start);
  alea_enclosure_clear(&f->enclosure);
  return status == ALEA_OK ? f->env->status : status;
}

static void release(flow *f) {
  alea_mem *mem = f->env->mem;
  size_t size = ALEA_TOSS_MOST_ORDER * f->cells, count = f->unknowns.count;
  for (size_t i = 0; i < f->roughs.count; i++) {
    alea_toss_rough *r = &f->roughs.data[i];
    alea_mem_free(mem, r->elements, f->env->element_slots * sizeof *r->elements);
    alea_mem_free(mem, r->reals, f->env->real_slots * sizeof *r->reals);
  }
  alea_vec_clear(mem, &f->roughs);
  for (size_t i = 0; f->watches != NULL && i < f->act_count; i++) {
    alea_toss_watch *w = &f->watches[i];
    alea_mem_free(mem, w->hull, w->hull != NULL ? count * sizeof *w->hull : 0);
  }
  alea_mem_free(mem, f->watches, f->watches != NULL ? f->act_count * sizeof *f->watches : 0);
  alea_mem_free(mem, f->box, f->box != NULL ? count * sizeof *f->box : 0);
  alea_mem_free(mem, f->start, f->start != NULL ? count * sizeof *f->start : 0);
  alea_tape_clear(&f->tape);
  alea_vec_clear(mem, &f->unknowns);
  alea_mem_free(mem, f->index, f->index != NULL ? size * sizeof *f->index : 0);
  alea_mem_free(mem, f->derivatives, f->derivatives != NULL ? size * sizeof *f->derivatives : 0);
}

alea_status alea_toss_flow(const alea_toss_rules *rules, alea_toss_env *env,
                           alea_toss_structure *structure, const alea_toss_act *acts, size_t count,
                           double time, alea_toss_flow_end *end) {
  flow f = {.rules = rules, .env = env, .structure = structure, .acts = acts, .act_count = count};
  f.cells = (size_t)structure->function_count * structure->capacity;
  size_t size = ALEA_TOSS_MOST_ORDER * f.cells;
  *end = (alea_toss_flow_end){.broken = SIZE_MAX};
  f.index = alea_mem_calloc(env->mem, size, sizeof *f.index);
  f.derivatives = alea_mem_calloc(env->mem, size, sizeof *f.derivatives);
  alea_status status = f.index != NULL && f.derivatives != NULL ? ALEA_OK : alea_mem_lack(env->mem);
  env->derivatives = f.derivatives;
  if (status == ALEA_OK) status = run(&f, time, end);
  if (f.start != NULL) alea_toss_flow_show(&f, f.start);
  env->derivatives = NULL;
  release(&f);
  return status;
}
