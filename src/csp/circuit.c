/* Circuit: successors that form one cycle; all other places are their own
 * successors.  A chain of known successors may not be closed while a place
 * outside has to be visited (Caseau and Laburthe, ICLP 1997). */
#include "csp/constraints.h"

static bool circuit_check(const alea_csp *csp, const csp_constraint *constraint,
                          const int32_t *values) {
  (void)csp;
  const csp_circuit *circuit = constraint->data;
  int64_t n = constraint->arity, visited = 0, length = 0, start = -1;
  for (int64_t i = 0; i < n; i++) {
    int64_t to = (int64_t)values[i] - circuit->base;
    if (to < 0 || to >= n) return false;
    if (to == i) continue;
    visited++;
    start = i;
  }
  if (start < 0) return false;
  int64_t at = start;
  do {
    at = (int64_t)values[at] - circuit->base;
    length++;
  } while (at != start && length <= n);
  return length == visited;
}

typedef struct chains {
  uint32_t *next;  /* known successor, or NONE; NONE for a place that is its own */
  bool *preceded;  /* is a known successor */
  bool *mandatory; /* cannot be its own successor */
  bool *seen;
} chains;

static bool circuit_start(csp_engine *engine, csp_prop *prop) {
  size_t n = prop->arity;
  chains *state = alea_arena_alloc(&engine->arena, sizeof *state);
  uint32_t *next = alea_arena_alloc(&engine->arena, n * sizeof *next);
  bool *flags = alea_arena_alloc(&engine->arena, 3 * n * sizeof *flags);
  if (state == NULL || next == NULL || flags == NULL) return false;
  *state = (chains){next, flags, flags + n, flags + 2 * n};
  prop->state = state;
  return csp_watch_scope(engine, prop, false);
}

/* Values are places, and no place is the successor of two. */
static bool keep_apart(csp_engine *engine, csp_prop *prop, int64_t base) {
  uint32_t n = prop->arity;
  for (uint32_t i = 0; i < n; i++)
    if (!csp_at_least(engine, prop->scope[i], base) ||
        !csp_at_most(engine, prop->scope[i], base + n - 1))
      return false;
  for (uint32_t i = 0; i < n; i++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    if (domain->size != 1) continue;
    for (uint32_t j = 0; j < n; j++)
      if (j != i && !csp_remove_value(engine, prop->scope[j], csp_min(domain))) return false;
  }
  return true;
}

static uint32_t gather(const csp_engine *engine, const csp_prop *prop, chains *state,
                       int64_t base) {
  uint32_t n = prop->arity, mandatory = 0;
  memset(state->preceded, 0, n);
  memset(state->seen, 0, n);
  for (uint32_t i = 0; i < n; i++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    uint32_t to = (uint32_t)(csp_min(domain) - base);
    state->next[i] = domain->size == 1 && to != i ? to : ALEA_CSP_NONE;
    if (state->next[i] != ALEA_CSP_NONE) state->preceded[to] = true;
    state->mandatory[i] = !csp_has_value(domain, base + i);
    mandatory += state->mandatory[i];
  }
  return mandatory;
}

/* A closed cycle is the circuit: all other places are their own successors. */
static bool close_others(csp_engine *engine, csp_prop *prop, chains *state, uint32_t start,
                         int64_t base) {
  memset(state->seen, 0, prop->arity);
  uint32_t at = start;
  do {
    state->seen[at] = true;
    at = state->next[at];
  } while (at != start);
  for (uint32_t i = 0; i < prop->arity; i++)
    if (!state->seen[i] && !csp_assign_value(engine, prop->scope[i], base + i)) return false;
  return true;
}

static bool circuit_propagate(csp_engine *engine, csp_prop *prop) {
  const csp_circuit *circuit = prop->constraint->data;
  chains *state = prop->state;
  uint32_t n = prop->arity;
  int64_t base = circuit->base;
  if (!keep_apart(engine, prop, base)) return false;
  uint32_t mandatory = gather(engine, prop, state, base);
  bool open = false;
  for (uint32_t i = 0; i < n; i++) {
    open = open || csp_dom(engine, prop->scope[i])->size > 1 || state->next[i] != ALEA_CSP_NONE;
    if (state->next[i] == ALEA_CSP_NONE || state->preceded[i]) continue;
    uint32_t end = i, inside = 0;
    for (;; end = state->next[end]) {
      if (state->seen[end]) return false; /* two known predecessors */
      state->seen[end] = true;
      inside += state->mandatory[end];
      if (state->next[end] == ALEA_CSP_NONE) break;
    }
    if (mandatory > inside && !csp_remove_value(engine, prop->scope[end], base + i)) return false;
  }
  /* A place that no chain reached and that has a successor lies on a cycle. */
  for (uint32_t i = 0; i < n; i++)
    if (state->next[i] != ALEA_CSP_NONE && !state->seen[i])
      return close_others(engine, prop, state, i, base);
  return open;
}

const csp_type csp_circuit_type = {"circuit",        2, false, circuit_check, circuit_start,
                                   circuit_propagate};

alea_status alea_csp_circuit(alea_csp *csp, const alea_csp_var *list, uint32_t count,
                             int32_t base) {
  csp_circuit *data = csp_alloc(csp, 1, sizeof *data);
  if (data == NULL) return csp->state;
  if (count == 0) return csp_fail(csp, ALEA_USAGE);
  *data = (csp_circuit){base};
  return csp_post(csp, &csp_circuit_type, list, count, data);
}
