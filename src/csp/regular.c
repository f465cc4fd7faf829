/* Regular: an automaton accepts the sequence of values.  The automaton is
 * unrolled over the variables once, without nodes on no accepting path, and
 * traversed forwards and backwards at every run (Pesant, CP 2004); nothing is
 * kept between runs, so nothing is trailed.  A decision diagram is the same
 * constraint with its nodes as states. */
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

/* An edge of the unrolled automaton: nodes are pairs of a layer and a state. */
typedef struct arc {
  uint32_t from, to, index; /* index of the value */
} arc;

typedef struct layers {
  uint32_t nodes;      /* node 0 is the start */
  uint32_t last;       /* nodes from here on are final */
  const uint32_t *arc; /* first arc of each layer, and the end */
  const arc *arcs;
  bool *forward, *backward; /* per node */
  uint64_t *mask;           /* supported values of one variable */
} layers;

/* What unrolling needs, per layer and state. */
typedef struct unrolling {
  size_t cells;
  bool *forward, *backward;
  uint32_t *number;
} unrolling;

static void sweep(const csp_engine *engine, const csp_prop *prop, unrolling *u) {
  const csp_regular *regular = prop->constraint->data;
  size_t n = regular->states;
  u->forward[regular->start] = true;
  memcpy(&u->backward[prop->arity * n], regular->final, n);
  for (uint32_t i = 0; i < prop->arity; i++)
    for (size_t e = 0; e < regular->edge_count; e++) {
      const alea_csp_edge *edge = &regular->edges[e];
      if (u->forward[i * n + edge->from] &&
          csp_has_value(csp_dom(engine, prop->scope[i]), edge->value))
        u->forward[(i + 1) * n + edge->to] = true;
    }
  for (uint32_t i = prop->arity; i-- > 0;)
    for (size_t e = 0; e < regular->edge_count; e++) {
      const alea_csp_edge *edge = &regular->edges[e];
      if (u->backward[(i + 1) * n + edge->to] &&
          csp_has_value(csp_dom(engine, prop->scope[i]), edge->value))
        u->backward[i * n + edge->from] = true;
    }
}

/* Counts or writes the arcs between live nodes of layer i. */
static uint32_t collect(const csp_engine *engine, const csp_prop *prop, const unrolling *u,
                        uint32_t i, arc *out) {
  const csp_regular *regular = prop->constraint->data;
  size_t n = regular->states;
  const csp_domain *domain = csp_dom(engine, prop->scope[i]);
  uint32_t count = 0;
  for (size_t e = 0; e < regular->edge_count; e++) {
    const alea_csp_edge *edge = &regular->edges[e];
    uint32_t from = u->number[i * n + edge->from], to = u->number[(i + 1) * n + edge->to];
    uint32_t index = csp_index(domain->var, edge->value);
    if (from == UINT32_MAX || to == UINT32_MAX || index == ALEA_CSP_NONE) continue;
    if (out != NULL) out[count] = (arc){from, to, index};
    count++;
  }
  return count;
}

static bool unroll(csp_engine *engine, const csp_prop *prop, unrolling *u, layers *state) {
  size_t n = ((const csp_regular *)prop->constraint->data)->states, total = 0;
  uint32_t *starts = alea_arena_alloc(&engine->arena, ((size_t)prop->arity + 1) * sizeof *starts);
  if (starts == NULL) return false;
  sweep(engine, prop, u);
  for (size_t cell = 0; cell < u->cells; cell++) {
    if (cell == prop->arity * n) state->last = state->nodes;
    u->number[cell] = u->forward[cell] && u->backward[cell] ? state->nodes++ : UINT32_MAX;
  }
  for (uint32_t i = 0; i < prop->arity; i++) {
    starts[i] = (uint32_t)total;
    total += collect(engine, prop, u, i, NULL);
    if (total > UINT32_MAX / 2) return false;
  }
  starts[prop->arity] = (uint32_t)total;
  arc *arcs = alea_arena_alloc(&engine->arena, (total + 1) * sizeof *arcs);
  if (arcs == NULL) return false;
  for (uint32_t i = 0; i < prop->arity; i++) collect(engine, prop, u, i, &arcs[starts[i]]);
  state->arc = starts;
  state->arcs = arcs;
  return true;
}

static bool regular_start(csp_engine *engine, csp_prop *prop) {
  const csp_regular *regular = prop->constraint->data;
  unrolling u = {.cells = ((size_t)prop->arity + 1) * regular->states};
  size_t words = 1;
  for (uint32_t i = 0; i < prop->arity; i++)
    if (csp_dom(engine, prop->scope[i])->word_count > words)
      words = csp_dom(engine, prop->scope[i])->word_count;
  layers *state = alea_arena_alloc(&engine->arena, sizeof *state);
  u.forward = alea_mem_calloc(engine->mem, u.cells, 2 * sizeof *u.forward);
  u.number = alea_mem_calloc(engine->mem, u.cells, sizeof *u.number);
  bool good = state != NULL && u.forward != NULL && u.number != NULL;
  if (good) {
    *state = (layers){0};
    u.backward = u.forward + u.cells;
    good = unroll(engine, prop, &u, state);
  }
  alea_mem_free(engine->mem, u.forward, u.cells * 2 * sizeof *u.forward);
  alea_mem_free(engine->mem, u.number, u.cells * sizeof *u.number);
  if (!good) return false;
  state->forward = alea_arena_alloc(&engine->arena, 2 * (size_t)state->nodes + 1);
  state->mask = alea_arena_alloc(&engine->arena, words * sizeof *state->mask);
  if (state->forward == NULL || state->mask == NULL) return false;
  state->backward = state->forward + state->nodes;
  prop->state = state;
  return csp_watch_scope(engine, prop, false);
}

static void walk(const csp_engine *engine, const csp_prop *prop, layers *state) {
  memset(state->forward, 0, 2 * (size_t)state->nodes);
  state->forward[0] = true;
  for (uint32_t s = state->last; s < state->nodes; s++) state->backward[s] = true;
  for (uint32_t i = 0; i < prop->arity; i++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    for (uint32_t a = state->arc[i]; a < state->arc[i + 1]; a++)
      if (state->forward[state->arcs[a].from] && csp_has(domain, state->arcs[a].index))
        state->forward[state->arcs[a].to] = true;
  }
  for (uint32_t i = prop->arity; i-- > 0;) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    for (uint32_t a = state->arc[i]; a < state->arc[i + 1]; a++)
      if (state->backward[state->arcs[a].to] && csp_has(domain, state->arcs[a].index))
        state->backward[state->arcs[a].from] = true;
  }
}

static bool regular_propagate(csp_engine *engine, csp_prop *prop) {
  layers *state = prop->state;
  if (state->nodes == 0) return false; /* no accepted sequence */
  walk(engine, prop, state);
  for (uint32_t i = 0; i < prop->arity; i++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    memset(state->mask, 0, domain->word_count * sizeof *state->mask);
    for (uint32_t a = state->arc[i]; a < state->arc[i + 1]; a++) {
      const arc *edge = &state->arcs[a];
      if (state->forward[edge->from] && state->backward[edge->to])
        state->mask[edge->index >> 6] |= UINT64_C(1) << (edge->index & 63);
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
