/* Forward checking (Haralick and Elliott 1980) and plain backtracking, by
 * the definition of each constraint only: no propagator is used, so these
 * are the oracles of MAC.
 *
 * One level of the trail per assigned variable; values are tried in order. */
#include "csp/search.h"

typedef struct forward_frame {
  alea_csp_var var;
  uint32_t index;
} forward_frame;

typedef struct csp_forward {
  csp_search *search;
  bool *assigned;
  int32_t *values; /* scratch, as long as the largest scope */
  ALEA_VEC(forward_frame) frames;
} fc_state;

static bool check(fc_state *forward, const csp_prop *prop, uint32_t open, int32_t value) {
  const csp_engine *engine = forward->search->engine;
  for (uint32_t i = 0; i < prop->arity; i++)
    forward->values[i] = prop->scope[i] == open ? value : csp_min(csp_dom(engine, prop->scope[i]));
  return prop->type->check(engine->csp, prop->constraint, forward->values);
}

/* The only unassigned variable of a scope; NONE if there is none or if there
 * are more, in which case 'several' is set. */
static alea_csp_var open_variable(const fc_state *forward, const csp_prop *prop, bool *several) {
  alea_csp_var open = ALEA_CSP_NONE;
  *several = false;
  for (uint32_t i = 0; i < prop->arity; i++) {
    if (forward->assigned[prop->scope[i]] || prop->scope[i] == open) continue;
    *several = open != ALEA_CSP_NONE;
    open = prop->scope[i];
    if (*several) break;
  }
  return open;
}

static bool forward_check(fc_state *forward, const csp_prop *prop) {
  csp_engine *engine = forward->search->engine;
  bool several;
  alea_csp_var open = open_variable(forward, prop, &several);
  if (several) return true;
  if (open == ALEA_CSP_NONE) return check(forward, prop, ALEA_CSP_NONE, 0);
  if (forward->search->options->method != ALEA_CSP_FC) return true;
  const csp_domain *domain = csp_dom(engine, open);
  for
    CSP_EACH(v, domain)
  if (!check(forward, prop, open, csp_value(domain->var, v)) && !csp_remove(engine, open, v))
    return false;
  return true;
}

static bool has_var(const csp_prop *prop, alea_csp_var var) {
  for (uint32_t i = 0; i < prop->arity; i++)
    if (prop->scope[i] == var) return true;
  return false;
}

static bool assign(fc_state *forward, alea_csp_var var, uint32_t index) {
  csp_search *search = forward->search;
  csp_engine *engine = search->engine;
  csp_assign(engine, var, index);
  for (uint32_t p = 0; p < engine->prop_count; p++) {
    if (!has_var(&engine->props[p], var)) continue;
    if (forward_check(forward, &engine->props[p])) continue;
    search->result->failures++;
    csp_blame(search, p);
    return false;
  }
  return true;
}

/* Tries the next value of the newest frame, from 'index' on; false when none is left. */
static bool advance(fc_state *forward, uint32_t index) {
  csp_search *search = forward->search;
  forward_frame *top = &forward->frames.data[forward->frames.count - 1];
  const csp_domain *domain = csp_dom(search->engine, top->var);
  for (index = csp_next(domain, index); index != UINT32_MAX; index = csp_next(domain, index + 1)) {
    top->index = index;
    csp_push(search->engine);
    if (!csp_node(search, (uint32_t)forward->frames.count)) return false;
    if (assign(forward, top->var, index)) return true;
    csp_pop(search->engine);
  }
  return false;
}

static bool open_frame(fc_state *forward, alea_csp_var var) {
  csp_search *search = forward->search;
  if (!alea_vec_push(search->engine->mem, &forward->frames, (forward_frame){var, 0})) {
    search->engine->no_memory = search->stop = true;
    return false;
  }
  forward->assigned[var] = true;
  return true;
}

static void run(fc_state *forward) {
  csp_search *search = forward->search;
  csp_engine *engine = search->engine;
  for (;;) {
    alea_csp_var var = csp_choose(search, forward->assigned);
    bool down;
    if (var == ALEA_CSP_NONE) {
      csp_solution(search, search->engine);
      down = false;
    } else {
      if (!open_frame(forward, var)) return;
      down = advance(forward, 0);
      if (!down) {
        forward->assigned[var] = false;
        forward->frames.count--;
      }
    }
    while (!down && !search->stop && forward->frames.count > 0) {
      csp_pop(engine);
      forward_frame *top = &forward->frames.data[forward->frames.count - 1];
      down = advance(forward, top->index + 1);
      if (down) break;
      forward->assigned[top->var] = false;
      forward->frames.count--;
    }
    if (search->stop || (!down && forward->frames.count == 0)) return;
  }
}

/* Constraints over fewer than two variables are never checked after the
 * assignment of another one; they are applied once at the root. */
static bool root_check(fc_state *forward) {
  csp_engine *engine = forward->search->engine;
  for (uint32_t p = 0; p < engine->prop_count; p++)
    if (!forward_check(forward, &engine->props[p])) return false;
  return true;
}

void csp_search_forward(csp_search *search) {
  csp_engine *engine = search->engine;
  alea_mem *mem = engine->mem;
  fc_state forward = {.search = search};
  uint32_t widest = 1;
  for (uint32_t p = 0; p < engine->prop_count; p++)
    if (engine->props[p].arity > widest) widest = engine->props[p].arity;
  forward.assigned = alea_mem_calloc(mem, engine->var_count, sizeof *forward.assigned);
  forward.values = alea_mem_calloc(mem, widest, sizeof *forward.values);
  if (forward.assigned == NULL || forward.values == NULL)
    engine->no_memory = true;
  else if (csp_node(search, 0) && root_check(&forward))
    run(&forward);
  csp_pop_to(engine, 0);
  alea_mem_free(mem, forward.assigned, engine->var_count * sizeof *forward.assigned);
  alea_mem_free(mem, forward.values, widest * sizeof *forward.values);
  alea_vec_clear(mem, &forward.frames);
}
