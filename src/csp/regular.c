/* Regular: the values spell a word of an automaton.  The automaton is
 * unrolled over the variables and walked forwards and backwards (Pesant, CP
 * 2004); nothing is kept between runs, so nothing is trailed.  A decision
 * diagram is the same constraint with its nodes as states. */
#include "csp/constraints.h"

static bool step_check(const csp_regular *regular, const bool *now, bool *then, int32_t value) {
  bool any = false;
  memset(then, 0, regular->states * sizeof *then);
  for (size_t e = 0; e < regular->edge_count; e++) {
    const alea_csp_edge *edge = &regular->edges[e];
    if (edge->value == value && now[edge->from]) then[edge->to] = any = true;
  }
  return any;
}

static bool regular_check(const alea_csp *csp, const csp_constraint *constraint,
                          const int32_t *values) {
  const csp_regular *regular = constraint->data;
  size_t n = regular->states;
  bool *sets = alea_mem_calloc(csp->mem, 2 * n, sizeof *sets);
  if (sets == NULL) return false;
  bool *now = sets, *then = sets + n, accepted = false;
  now[regular->start] = true;
  uint32_t i = 0;
  for (; i < constraint->arity && step_check(regular, now, then, values[i]); i++) {
    bool *swap = now;
    now = then;
    then = swap;
  }
  for (size_t s = 0; s < n && i == constraint->arity; s++)
    accepted = accepted || (now[s] && regular->final[s]);
  alea_mem_free(csp->mem, sets, 2 * n * sizeof *sets);
  return accepted;
}

typedef struct layers {
  bool *forward; /* (arity + 1) * states */
  bool *backward;
  uint64_t *mask; /* supported values of one variable */
} layers;

static bool regular_start(csp_engine *engine, csp_prop *prop) {
  const csp_regular *regular = prop->constraint->data;
  size_t cells = ((size_t)prop->arity + 1) * regular->states, words = 1;
  for (uint32_t i = 0; i < prop->arity; i++)
    if (csp_dom(engine, prop->scope[i])->word_count > words)
      words = csp_dom(engine, prop->scope[i])->word_count;
  layers *state = alea_arena_alloc(&engine->arena, sizeof *state);
  bool *flags = alea_arena_alloc(&engine->arena, 2 * cells);
  uint64_t *mask = alea_arena_alloc(&engine->arena, words * sizeof *mask);
  if (state == NULL || flags == NULL || mask == NULL) return false;
  *state = (layers){flags, flags + cells, mask};
  prop->state = state;
  return csp_watch_scope(engine, prop, false);
}

static void sweep(const csp_engine *engine, const csp_prop *prop, layers *state) {
  const csp_regular *regular = prop->constraint->data;
  size_t n = regular->states, cells = ((size_t)prop->arity + 1) * n;
  memset(state->forward, 0, cells);
  memset(state->backward, 0, cells);
  state->forward[regular->start] = true;
  memcpy(&state->backward[prop->arity * n], regular->final, n);
  for (uint32_t i = 0; i < prop->arity; i++)
    for (size_t e = 0; e < regular->edge_count; e++) {
      const alea_csp_edge *edge = &regular->edges[e];
      if (state->forward[i * n + edge->from] &&
          csp_has_value(csp_dom(engine, prop->scope[i]), edge->value))
        state->forward[(i + 1) * n + edge->to] = true;
    }
  for (uint32_t i = prop->arity; i-- > 0;)
    for (size_t e = 0; e < regular->edge_count; e++) {
      const alea_csp_edge *edge = &regular->edges[e];
      if (state->backward[(i + 1) * n + edge->to] &&
          csp_has_value(csp_dom(engine, prop->scope[i]), edge->value))
        state->backward[i * n + edge->from] = true;
    }
}

static bool regular_propagate(csp_engine *engine, csp_prop *prop) {
  const csp_regular *regular = prop->constraint->data;
  layers *state = prop->state;
  size_t n = regular->states;
  sweep(engine, prop, state);
  for (uint32_t i = 0; i < prop->arity; i++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    memset(state->mask, 0, domain->word_count * sizeof *state->mask);
    for (size_t e = 0; e < regular->edge_count; e++) {
      const alea_csp_edge *edge = &regular->edges[e];
      uint32_t index = csp_index(domain->var, edge->value);
      if (index != ALEA_CSP_NONE && state->forward[i * n + edge->from] &&
          state->backward[(i + 1) * n + edge->to])
        state->mask[index >> 6] |= UINT64_C(1) << (index & 63);
    }
    if (!csp_keep(engine, prop->scope[i], state->mask)) return false;
  }
  return true;
}

const csp_type csp_regular_type = {"regular",        3, true, regular_check, regular_start,
                                   regular_propagate};

alea_status alea_csp_regular(alea_csp *csp, const alea_csp_var *vars, uint32_t count,
                             uint32_t states, uint32_t start, const bool *final,
                             const alea_csp_edge *edges, size_t edge_count) {
  if (start >= states) return csp_fail(csp, ALEA_USAGE);
  for (size_t e = 0; e < edge_count; e++)
    if (edges[e].from >= states || edges[e].to >= states) return csp_fail(csp, ALEA_USAGE);
  csp_regular *data = csp_alloc(csp, 1, sizeof *data);
  if (data == NULL) return csp->state;
  *data = (csp_regular){states, start, csp_copy(csp, final, states, sizeof *final), edge_count,
                        csp_copy(csp, edges, edge_count, sizeof *edges)};
  return csp_post(csp, &csp_regular_type, vars, count, data);
}
