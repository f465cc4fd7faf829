/* The unrolling: stages of a game as clauses. */
#include "unroll/unroll.h"

#include <string.h>

#include "unroll/core.h"

alea_status unroll_no_memory(const alea_mem *mem) { return alea_mem_lack(mem); }

/* ---- gates of a layer ---- */

static alea_status make_gate(alea_unroll *u, unroll_layer *layer, uint32_t node) {
  const alea_net_gate *gate = &u->net->gates[node - u->net->first_gate];
  u->scratch.count = 0;
  if (!alea_vec_reserve(u->mem, &u->scratch, gate->input_count)) return unroll_no_memory(u->mem);
  for (uint32_t i = 0; i < gate->input_count; i++)
    u->scratch.data[i] = unroll_layer_lit(layer, u->net->inputs.data[gate->first_input + i]);
  layer->lits[node] =
      alea_sat_gate(&u->sat, gate->kind == ALEA_GATE_OR, u->scratch.data, gate->input_count);
  return ALEA_OK;
}

enum { GATES_PER_LOOK = 4096 };

alea_status unroll_layer_phase(alea_unroll *u, unroll_layer *layer, alea_net_phase phase) {
  const alea_net *net = u->net;
  uint32_t node = phase == 0 ? net->first_gate : net->phase_end[phase - 1];
  size_t part = 0;
  while (part < net->cycles.count && net->cycles.data[part].first < node) part++;
  alea_status status = ALEA_OK;
  while (status == ALEA_OK && node < net->phase_end[phase]) {
    if (node % GATES_PER_LOOK == 0 && alea_sat_over(&u->sat)) return ALEA_LIMIT;
    if (part < net->cycles.count && net->cycles.data[part].first == node) {
      status = unroll_loops_encode(u, layer, part);
      node = net->cycles.data[part++].last + 1;
    } else {
      status = make_gate(u, layer, node++);
    }
  }
  return status;
}

/* ---- layers ---- */

alea_status unroll_layer_push(alea_unroll *u) {
  unroll_layer layer = {.lits = alea_mem_calloc(u->mem, u->nodes, sizeof(alea_slit))};
  if (layer.lits == NULL) return unroll_no_memory(u->mem);
  layer.lits[0] = ALEA_SLIT_TRUE;
  if (!alea_vec_push(u->mem, &u->layers, layer)) {
    alea_mem_free(u->mem, layer.lits, u->nodes * sizeof(alea_slit));
    return unroll_no_memory(u->mem);
  }
  return ALEA_OK;
}

alea_status unroll_layer_push_open(alea_unroll *u) {
  alea_status status = unroll_layer_push(u);
  if (status != ALEA_OK) return status;
  unroll_layer *layer = &u->layers.data[u->layers.count - 1];
  for (uint32_t i = 0; i < u->net->fluent_count; i++)
    layer->lits[1 + i] = alea_sat_variable(&u->sat);
  return unroll_layer_phase(u, layer, ALEA_PHASE_STATE);
}

alea_status unroll_layer_push_known(alea_unroll *u, alea_list fluents) {
  alea_status status = unroll_layer_push(u);
  if (status != ALEA_OK) return status;
  unroll_layer *layer = &u->layers.data[u->layers.count - 1];
  for (uint32_t i = 0; i < u->net->fluent_count; i++) layer->lits[1 + i] = ALEA_SLIT_FALSE;
  for (uint32_t i = 0; i < fluents.count; i++) layer->lits[1 + fluents.ids[i]] = ALEA_SLIT_TRUE;
  return unroll_layer_phase(u, layer, ALEA_PHASE_STATE);
}

static void pop_layer(alea_unroll *u) {
  unroll_layer *layer = &u->layers.data[--u->layers.count];
  if (layer->prefix != NULL)
    alea_mem_free(u->mem, layer->prefix,
                  (u->options.order->move_count + (size_t)1) * sizeof *layer->prefix);
  alea_mem_free(u->mem, layer->lits, u->nodes * sizeof(alea_slit));
}

static uint32_t move_node(const alea_net *net, uint32_t role, alea_move move) {
  return 1 + net->fluent_count + net->move_first[role] + move;
}

/* One legal move of 'role', if the stage is played. */
static alea_status make_moves(alea_unroll *u, unroll_layer *layer, uint32_t role) {
  const alea_net *net = u->net;
  uint32_t count = net->move_first[role + 1] - net->move_first[role];
  u->scratch.count = 0;
  if (!alea_vec_reserve(u->mem, &u->scratch, count + (size_t)1)) return unroll_no_memory(u->mem);
  uint32_t last = 0;
  for (alea_move m = 0; m < count; m++) {
    uint32_t node = move_node(net, role, m);
    bool possible =
        unroll_layer_lit(layer, net->legal[net->move_first[role] + m]) != ALEA_SLIT_FALSE;
    layer->lits[node] = possible ? alea_sat_variable(&u->sat) : ALEA_SLIT_FALSE;
    if (!possible) continue;
    u->scratch.data[u->scratch.count++] = layer->lits[node];
    last = node;
  }
  if (u->scratch.count == 1) layer->lits[last] = u->scratch.data[0] = ALEA_SLIT_TRUE;
  alea_sat_at_most_one(&u->sat, u->scratch.data, u->scratch.count);
  u->scratch.data[u->scratch.count++] = -layer->play;
  alea_sat_clause(&u->sat, u->scratch.data, u->scratch.count);
  for (alea_move m = 0; m < count; m++) {
    alea_slit made = layer->lits[move_node(net, role, m)];
    if (made == ALEA_SLIT_FALSE) continue;
    alea_slit legal = unroll_layer_lit(layer, net->legal[net->move_first[role] + m]);
    alea_sat_clause3(&u->sat, -layer->play, -made, legal);
  }
  return ALEA_OK;
}

static alea_status make_prefix(alea_unroll *u, unroll_layer *layer) {
  uint32_t count = u->options.order->move_count;
  if (layer->prefix == NULL)
    layer->prefix = alea_mem_calloc(u->mem, count + (size_t)1, sizeof *layer->prefix);
  if (layer->prefix == NULL) return unroll_no_memory(u->mem);
  layer->prefix[0] = ALEA_SLIT_FALSE;
  for (alea_move m = 0; m < count; m++) {
    alea_slit either[2] = {layer->prefix[m], layer->lits[move_node(u->net, 0, m)]};
    layer->prefix[m + 1] = alea_sat_gate(&u->sat, true, either, 2);
  }
  return ALEA_OK;
}

/* No move stands right before a smaller one with which it can be exchanged. */
static void order_moves(alea_unroll *u, const unroll_layer *before, const unroll_layer *layer) {
  const alea_partial_order *c = u->options.order;
  for (alea_move a = 0; a < c->move_count; a++) {
    /* All moves from here on can be exchanged with all before: one clause,
     * which also passes through stages where no move is chosen yet. */
    if (c->cuts[a]) {
      alea_slit clause[3] = {-layer->play, -layer->prefix[a], before->prefix[a]};
      alea_sat_clause(&u->sat, clause, 3);
    }
    alea_slit made = before->lits[move_node(u->net, 0, a)];
    if (made == ALEA_SLIT_FALSE) continue;
    for (uint32_t i = c->run_first[a]; i < c->run_first[a + 1]; i++) {
      alea_slit clause[4] = {-layer->play, -made, -layer->prefix[c->runs.data[i].last + 1],
                             layer->prefix[c->runs.data[i].first]};
      alea_sat_clause(&u->sat, clause, 4);
    }
  }
}

alea_status unroll_layer_play(alea_unroll *u, unroll_layer *layer) {
  alea_status status = ALEA_OK;
  layer->play = alea_sat_variable(&u->sat);
  alea_sat_clause2(&u->sat, -layer->play, -unroll_layer_lit(layer, u->net->terminal));
  for (uint32_t r = 0; status == ALEA_OK && r < u->net->role_count; r++)
    status = make_moves(u, layer, r);
  if (status == ALEA_OK && u->options.order != NULL) {
    status = make_prefix(u, layer);
    if (status == ALEA_OK && layer != u->layers.data) order_moves(u, layer - 1, layer);
  }
  if (status == ALEA_OK) status = unroll_layer_phase(u, layer, ALEA_PHASE_NEXT);
  /* Percepts may read what the phase GOAL makes. */
  if (status == ALEA_OK && u->options.sees && !layer->goals) {
    status = unroll_layer_phase(u, layer, ALEA_PHASE_GOAL);
    layer->goals = status == ALEA_OK;
  }
  if (status == ALEA_OK && u->options.sees) status = unroll_layer_phase(u, layer, ALEA_PHASE_SEES);
  layer->played = status == ALEA_OK;
  return status;
}

/* ---- the interface ---- */

alea_status unroll_make(alea_unroll **unroll, const alea_game *game,
                        const alea_unroll_options *options, alea_mem *mem) {
  *unroll = NULL;
  const alea_net *net = alea_net_of_game(game);
  if (net == NULL) return ALEA_UNSUPPORTED;
  alea_unroll *u = alea_mem_zalloc(mem, sizeof *u);
  if (u == NULL) return unroll_no_memory(mem);
  u->mem = mem;
  u->net = net;
  u->nodes = net->first_gate + net->gate_count;
  u->options = options != NULL ? *options : (alea_unroll_options){0};
  alea_status status = ALEA_OK;
  if (!alea_sat_init(&u->sat, u->options.style, u->options.memory)) status = ALEA_SYSTEM;
  u->sat.deadline = u->options.deadline;
  if (status == ALEA_OK) status = unroll_loops_init(u);
  if (status != ALEA_OK) {
    alea_unroll_free(u);
    return status;
  }
  *unroll = u;
  return ALEA_OK;
}

alea_status alea_unroll_new(alea_unroll **unroll, const alea_game *game, alea_list fluents,
                            const alea_unroll_options *options, alea_mem *mem) {
  alea_status status = unroll_make(unroll, game, options, mem);
  if (status == ALEA_OK) status = unroll_layer_push_known(*unroll, fluents);
  if (status != ALEA_OK) {
    alea_unroll_free(*unroll);
    *unroll = NULL;
  }
  return status;
}

void alea_unroll_free(alea_unroll *u) {
  if (u == NULL) return;
  while (u->layers.count > 0) pop_layer(u);
  alea_vec_clear(u->mem, &u->layers);
  alea_vec_clear(u->mem, &u->scratch);
  unroll_loops_clear(u);
  alea_sat_clear(&u->sat);
  alea_mem_free(u->mem, u, sizeof *u);
}

void alea_unroll_deadline(alea_unroll *u, const alea_deadline *deadline) {
  u->sat.deadline = deadline;
}

alea_status alea_unroll_values(const alea_game *game, uint32_t role, alea_u32s *values,
                               alea_mem *mem) {
  const alea_net *net = alea_net_of_game(game);
  if (net == NULL) return ALEA_UNSUPPORTED;
  values->count = 0;
  for (uint32_t value = 101; value-- > 0;) {
    bool given = false;
    for (size_t i = 0; i < net->goals.count; i++) {
      const alea_net_goal *goal = &net->goals.data[i];
      given |= goal->role == role && goal->value == (int)value && goal->lit != ALEA_LIT_FALSE;
    }
    if (given && !alea_vec_push(mem, values, value)) return unroll_no_memory(mem);
  }
  return ALEA_OK;
}

uint32_t alea_unroll_fluents(const alea_unroll *u) { return u->net->fluent_count; }

uint32_t alea_unroll_stages(const alea_unroll *u) { return (uint32_t)u->layers.count - 1; }

alea_status alea_unroll_extend(alea_unroll *u) {
  if (alea_sat_over(&u->sat)) return ALEA_LIMIT;
  /* A stage that was cut off half way has literals without clauses; they are
   * forgotten with the layer's flag and made anew. */
  alea_status status = unroll_layer_play(u, &u->layers.data[u->layers.count - 1]);
  if (status == ALEA_OK) status = unroll_layer_push(u);
  if (status != ALEA_OK) return status;
  unroll_layer *last = &u->layers.data[u->layers.count - 1], *before = last - 1;
  for (uint32_t i = 0; i < u->net->fluent_count; i++)
    last->lits[1 + i] = unroll_layer_lit(before, u->net->next[i]);
  status = unroll_layer_phase(u, last, ALEA_PHASE_STATE);
  if (status != ALEA_OK) pop_layer(u);
  return status;
}

alea_slit alea_unroll_play(const alea_unroll *u, uint32_t t) { return u->layers.data[t].play; }

alea_slit alea_unroll_move(const alea_unroll *u, uint32_t t, uint32_t role, alea_move move) {
  return u->layers.data[t].lits[move_node(u->net, role, move)];
}

alea_slit alea_unroll_fluent(const alea_unroll *u, uint32_t t, uint32_t fluent) {
  return u->layers.data[t].lits[1 + fluent];
}

alea_slit alea_unroll_terminal(const alea_unroll *u, uint32_t t) {
  return unroll_layer_lit(&u->layers.data[t], u->net->terminal);
}

alea_slit alea_unroll_legal(const alea_unroll *u, uint32_t t, uint32_t role, alea_move move) {
  return unroll_layer_lit(&u->layers.data[t], u->net->legal[u->net->move_first[role] + move]);
}

bool alea_unroll_percept(const alea_unroll *u, uint32_t t, size_t k, uint32_t *role,
                         uint32_t *percept, alea_slit *lit) {
  if (k >= u->net->percepts.count) return false;
  const alea_net_percept *p = &u->net->percepts.data[k];
  *role = p->role;
  *percept = p->percept;
  *lit = unroll_layer_lit(&u->layers.data[t], p->lit);
  return true;
}

/* One of the goals from 'least' to 'most' holds. */
static alea_status goal_between(alea_unroll *u, uint32_t t, uint32_t role, int least, int most,
                                alea_slit *lit) {
  unroll_layer *layer = &u->layers.data[t];
  if (!layer->goals) {
    if (alea_sat_over(&u->sat)) return ALEA_LIMIT;
    alea_status status = unroll_layer_phase(u, layer, ALEA_PHASE_GOAL);
    if (status != ALEA_OK) return status;
    layer->goals = true;
  }
  u->scratch.count = 0;
  if (!alea_vec_reserve(u->mem, &u->scratch, u->net->goals.count)) return unroll_no_memory(u->mem);
  for (size_t i = 0; i < u->net->goals.count; i++) {
    const alea_net_goal *goal = &u->net->goals.data[i];
    if (goal->role == role && goal->value >= least && goal->value <= most)
      u->scratch.data[u->scratch.count++] = unroll_layer_lit(layer, goal->lit);
  }
  *lit = alea_sat_gate(&u->sat, true, u->scratch.data, u->scratch.count);
  return ALEA_OK;
}

alea_status alea_unroll_goal(alea_unroll *u, uint32_t t, uint32_t role, int least, alea_slit *lit) {
  return goal_between(u, t, role, least, 100, lit);
}

alea_status alea_unroll_goal_is(alea_unroll *u, uint32_t t, uint32_t role, int value,
                                alea_slit *lit) {
  return goal_between(u, t, role, value, value, lit);
}

alea_status alea_unroll_ask_ends(alea_unroll *u, const alea_slit *ends, uint32_t first,
                                 uint32_t last, alea_slit *asked) {
  alea_sat *sat = &u->sat;
  u->scratch.count = 0;
  if (!alea_vec_reserve(u->mem, &u->scratch, last - first + (size_t)2))
    return unroll_no_memory(u->mem);
  *asked = alea_sat_variable(sat);
  u->scratch.data[u->scratch.count++] = -*asked;
  alea_slit beyond = ALEA_SLIT_FALSE; /* it ends in a later state */
  for (uint32_t t = last + 1; t-- > first;) {
    alea_slit here = ALEA_SLIT_FALSE;
    if (ends[t] != ALEA_SLIT_FALSE) {
      here = alea_sat_variable(sat);
      alea_sat_clause2(sat, -here, ends[t]);
      u->scratch.data[u->scratch.count++] = here;
    }
    if (beyond != ALEA_SLIT_FALSE) alea_sat_clause2(sat, -beyond, alea_unroll_play(u, t));
    alea_slit reached = alea_sat_variable(sat);
    alea_sat_clause2(sat, -beyond, reached);
    alea_sat_clause2(sat, -here, reached);
    beyond = reached;
  }
  alea_sat_clause(sat, u->scratch.data, u->scratch.count);
  return ALEA_OK;
}

alea_sat *alea_unroll_sat(alea_unroll *u) { return &u->sat; }

alea_status alea_unroll_solve(alea_unroll *u, const alea_slit *assumptions, size_t count,
                              uint64_t conflicts, alea_verdict *answer) {
  for (;;) {
    u->questions++;
    for (size_t i = 0; i < count; i++) alea_sat_assume(&u->sat, assumptions[i]);
    *answer = alea_sat_solve(&u->sat, conflicts);
    if (*answer != ALEA_VERDICT_PROVED || u->net->cycles.count == 0) return ALEA_OK;
    bool unfounded;
    alea_status status = unroll_loops_test(u, &unfounded);
    if (status != ALEA_OK || !unfounded) return status;
    *answer = ALEA_VERDICT_UNKNOWN;
    if (alea_sat_over(&u->sat)) return ALEA_OK;
  }
}

alea_move alea_unroll_chosen(const alea_unroll *u, uint32_t t, uint32_t role) {
  uint32_t count = u->net->move_first[role + 1] - u->net->move_first[role];
  for (alea_move m = 0; m < count; m++)
    if (alea_sat_value(&u->sat, alea_unroll_move(u, t, role, m))) return m;
  return ALEA_NO_MOVE;
}

alea_unroll_stats alea_unroll_statistics(const alea_unroll *u) {
  return (alea_unroll_stats){.variables = (uint64_t)u->sat.variables,
                             .clauses = u->sat.clauses,
                             .questions = u->questions,
                             .loops = u->loops.count};
}
