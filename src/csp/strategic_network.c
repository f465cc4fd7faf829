/* Strategic CSP: building the network, its quantifiers and its settings. */
#include "csp/strategic_core.h"

alea_strategic *alea_strategic_new(alea_mem *mem) {
  alea_strategic *s = alea_mem_zalloc(mem, sizeof *s);
  if (s == NULL) return NULL;
  s->mem = mem;
  s->csp = alea_csp_new(mem);
  if (s->csp != NULL) return s;
  alea_strategic_free(s);
  return NULL;
}

void alea_strategic_free(alea_strategic *s) {
  if (s == NULL) return;
  alea_csp_free(s->csp);
  alea_vec_clear(s->mem, &s->order);
  alea_mem_free(s->mem, s->classes, s->class_vars * sizeof *s->classes);
  alea_mem_free(s->mem, s, sizeof *s);
}

alea_csp *alea_strategic_network(const alea_strategic *s) { return s->csp; }

void alea_strategic_adopt(alea_strategic *s, alea_csp *csp) {
  alea_csp_free(s->csp);
  s->csp = csp;
}

alea_status alea_strategic_quantify(alea_strategic *s, alea_csp_var var, bool universal) {
  if (var >= s->csp->vars.count) return csp_fail(s->csp, ALEA_USAGE);
  for (size_t i = 0; i < s->order.count; i++)
    if (s->order.data[i].var == var) return csp_fail(s->csp, ALEA_USAGE);
  if (!alea_vec_push(s->mem, &s->order, (quantified){var, universal}))
    return csp_fail(s->csp, ALEA_SYSTEM);
  return s->csp->state;
}

uint32_t alea_strategic_count(const alea_strategic *s) { return (uint32_t)s->order.count; }

alea_csp_var alea_strategic_var(const alea_strategic *s, uint32_t position, bool *universal) {
  *universal = s->order.data[position].universal;
  return s->order.data[position].var;
}

void alea_strategic_set_classical(alea_strategic *s, bool classical) { s->classical = classical; }
bool alea_strategic_classical(const alea_strategic *s) { return s->classical; }

void alea_strategic_set_check(alea_strategic *s, alea_strategic_check check) { s->check = check; }
alea_strategic_check alea_strategic_get_check(const alea_strategic *s) {
  /* A QCSP asks for no consistency: what has no solution is false at the end. */
  return s->classical ? ALEA_STRATEGIC_AC : s->check;
}

void alea_strategic_set_existential(alea_strategic *s, alea_strategic_existential existential) {
  s->existential = existential;
}
alea_strategic_existential alea_strategic_get_existential(const alea_strategic *s) {
  return s->existential;
}

uint32_t alea_strategic_constraints(const alea_strategic *s) {
  return (uint32_t)s->csp->constraints.count;
}

alea_status alea_strategic_class(alea_strategic *s, alea_csp_var var, const uint32_t *classes,
                                 const uint32_t *since) {
  alea_csp *csp = s->csp;
  if (var >= csp->vars.count) return csp_fail(csp, ALEA_USAGE);
  if (var >= s->class_vars) {
    size_t wanted = csp->vars.count;
    uint32_t **grown = alea_mem_resize(s->mem, s->classes, s->class_vars * sizeof *s->classes,
                                       wanted * sizeof *s->classes);
    if (grown == NULL) return csp_fail(csp, ALEA_SYSTEM);
    for (size_t i = s->class_vars; i < wanted; i++) grown[i] = NULL;
    s->classes = grown;
    s->class_vars = (uint32_t)wanted;
  }
  uint32_t size = csp->vars.data[var].size;
  s->classes[var] = csp_alloc(csp, 2 * (size_t)size, sizeof *classes);
  if (s->classes[var] == NULL) return csp->state;
  memcpy(s->classes[var], classes, size * sizeof *classes);
  memcpy(s->classes[var] + size, since, size * sizeof *since);
  return csp->state;
}

alea_status alea_strategic_outcome(alea_strategic *s, const alea_csp_var *vars, uint32_t count,
                                   int32_t win, int32_t loss) {
  s->outcome_vars = csp_copy(s->csp, vars, count, sizeof *vars);
  s->outcome_count = s->outcome_vars != NULL ? count : 0;
  s->win = win;
  s->loss = loss;
  return s->csp->state;
}
