/* Freezing: phases, numbering, and the final form of a graph. */
#include <string.h>

#include "propnet/graph.h"
#include "propnet/index.h"

/* What a gate is needed for, and whether it depends on the moves. */
enum { FOR_STATE = 1, FOR_GOAL = 2, FOR_NEXT = 4, FOR_SEES = 8, ON_MOVES = 16 };

typedef struct freezer {
  const alea_graph *graph;
  alea_mem *mem;
  alea_parts parts;
  uint8_t *flags;  /* per gate */
  alea_lit *final; /* per node of the graph: its literal in the net */
  alea_net *net;
  alea_diag *diag;
} freezer;

/* ---- flags ---- */

static void flag_roots(freezer *f, uint32_t first, uint32_t count, uint8_t flag) {
  for (uint32_t i = first; i < first + count; i++) {
    alea_lit lit = f->graph->roots.data[i];
    if (alea_graph_is_gate(f->graph, lit)) f->flags[(lit >> 1) - f->graph->leaf_count] |= flag;
  }
}

/* Hands the flags of a gate to its inputs; or takes ON_MOVES from them. */
static void flags_down(freezer *f, uint32_t gate) {
  const alea_graph *graph = f->graph;
  const alea_graph_gate *g = &graph->gates.data[gate];
  for (uint32_t i = 0; i < g->count; i++) {
    alea_lit lit = graph->inputs.data[g->first + i];
    if (alea_graph_is_gate(graph, lit)) f->flags[(lit >> 1) - graph->leaf_count] |= f->flags[gate];
  }
}

static void flags_up(freezer *f, uint32_t gate) {
  const alea_graph *graph = f->graph;
  const alea_graph_gate *g = &graph->gates.data[gate];
  for (uint32_t i = 0; i < g->count; i++) {
    alea_lit lit = graph->inputs.data[g->first + i];
    if (alea_graph_is_move(graph, lit)) f->flags[gate] |= ON_MOVES;
    if (alea_graph_is_gate(graph, lit))
      f->flags[gate] |= f->flags[(lit >> 1) - graph->leaf_count] & ON_MOVES;
  }
}

/* The members of a part share all flags. */
static void level_flags(freezer *f, alea_net_cycle range) {
  uint8_t all = 0;
  for (uint32_t i = range.first; i <= range.last; i++) all |= f->flags[f->parts.order.data[i]];
  for (uint32_t i = range.first; i <= range.last; i++) f->flags[f->parts.order.data[i]] |= all;
}

static void find_flags(freezer *f) {
  const alea_graph *graph = f->graph;
  const alea_ground *ground = graph->ground;
  flag_roots(f, alea_root_legal(graph), ground->move_count, FOR_STATE);
  flag_roots(f, alea_root_terminal(graph), 1, FOR_STATE);
  flag_roots(f, alea_root_goals(graph), (uint32_t)ground->goals.count, FOR_GOAL);
  flag_roots(f, alea_root_next(graph), ground->fluent_count, FOR_NEXT);
  flag_roots(f, alea_root_sees(graph), (uint32_t)ground->sees.count, FOR_SEES);
  size_t cycle = f->parts.cycles.count;
  for (size_t i = f->parts.order.count; i-- > 0;) {
    if (cycle > 0 && f->parts.cycles.data[cycle - 1].last == i)
      level_flags(f, f->parts.cycles.data[--cycle]);
    flags_down(f, f->parts.order.data[i]);
  }
  for (size_t i = 0; i < f->parts.order.count; i++) {
    flags_up(f, f->parts.order.data[i]);
    if (cycle < f->parts.cycles.count && f->parts.cycles.data[cycle].last == i)
      level_flags(f, f->parts.cycles.data[cycle++]);
  }
}

static alea_net_phase phase_of(uint8_t flags) {
  uint8_t needed = flags & (FOR_STATE | FOR_GOAL | FOR_NEXT | FOR_SEES);
  if (needed == FOR_GOAL) return ALEA_PHASE_GOAL;
  if (needed == FOR_SEES) return ALEA_PHASE_SEES;
  return (flags & ON_MOVES) != 0 ? ALEA_PHASE_NEXT : ALEA_PHASE_STATE;
}

/* legal, terminal and goal must not depend on the moves. */
static alea_status check_moves(freezer *f) {
  const alea_graph *graph = f->graph;
  for (uint32_t i = 0; i < alea_root_next(graph); i++) {
    alea_lit lit = graph->roots.data[i];
    bool bad = alea_graph_is_move(graph, lit) ||
               (alea_graph_is_gate(graph, lit) &&
                (f->flags[(lit >> 1) - graph->leaf_count] & ON_MOVES) != 0);
    if (!bad) continue;
    const char *what = i < alea_root_terminal(graph) ? "legal"
                       : i < alea_root_goals(graph)  ? "terminal"
                                                     : "goal";
    alea_diag_error(f->diag, (alea_place){0}, "depends-on-does", "%s depends on `does`", what);
    return ALEA_INPUT;
  }
  return ALEA_OK;
}

/* ---- numbering ---- */

static void number_gates(freezer *f) {
  const alea_graph *graph = f->graph;
  alea_net *net = f->net;
  uint32_t next[ALEA_PHASE_COUNT] = {0};
  for (size_t i = 0; i < f->parts.order.count; i++)
    next[phase_of(f->flags[f->parts.order.data[i]])]++;
  uint32_t at = net->first_gate;
  for (int phase = 0; phase < ALEA_PHASE_COUNT; phase++) {
    uint32_t count = next[phase];
    next[phase] = at;
    at += count;
    net->phase_end[phase] = at;
  }
  for (uint32_t i = 0; i < graph->leaf_count; i++) f->final[i] = 2 * i;
  for (size_t i = 0; i < f->parts.order.count; i++) {
    uint32_t gate = f->parts.order.data[i];
    f->final[graph->leaf_count + gate] = 2 * next[phase_of(f->flags[gate])]++;
  }
}

static alea_lit final_lit(const freezer *f, alea_lit lit) { return f->final[lit >> 1] ^ (lit & 1); }

/* An AND of mostly negated inputs reads better as the negation of an OR. */
static bool better_as_or(const freezer *f, const alea_graph_gate *g) {
  if (g->cyclic || g->kind == ALEA_GATE_OR) return false;
  uint32_t negated = 0;
  for (uint32_t i = 0; i < g->count; i++)
    negated += final_lit(f, f->graph->inputs.data[g->first + i]) & 1;
  return 2 * negated > g->count;
}

/* Inputs are final when a gate is reached, except on cycles, where nothing is
 * turned round. */
static bool write_gates(freezer *f) {
  const alea_graph *graph = f->graph;
  alea_net *net = f->net;
  for (size_t i = 0; i < f->parts.order.count; i++) {
    uint32_t gate = f->parts.order.data[i];
    const alea_graph_gate *g = &graph->gates.data[gate];
    alea_lit flip = better_as_or(f, g) ? 1 : 0;
    uint32_t number = f->final[graph->leaf_count + gate] >> 1;
    if (!alea_vec_reserve(net->mem, &net->inputs, g->count)) return false;
    alea_net_gate made = {.first_input = (uint32_t)net->inputs.count,
                          .input_count = g->count,
                          .kind = (g->kind ^ flip) & 1u};
    for (uint32_t k = 0; k < g->count; k++)
      net->inputs.data[net->inputs.count++] = final_lit(f, graph->inputs.data[g->first + k]) ^ flip;
    alea_sort_u32(net->inputs.data + made.first_input, g->count);
    net->gates[number - net->first_gate] = made;
    f->final[graph->leaf_count + gate] ^= flip;
  }
  return true;
}

static int compare_cycles(const alea_net_cycle *a, const alea_net_cycle *b) {
  return a->first < b->first ? -1 : a->first > b->first;
}

/* Parts keep their order within a phase; across phases they are sorted here
 * by insertion, for there are few. */
static bool write_cycles(freezer *f) {
  alea_net *net = f->net;
  uint32_t base = f->graph->leaf_count;
  for (size_t i = 0; i < f->parts.cycles.count; i++) {
    alea_net_cycle range = f->parts.cycles.data[i];
    alea_net_cycle cycle = {f->final[base + f->parts.order.data[range.first]] >> 1,
                            f->final[base + f->parts.order.data[range.last]] >> 1};
    if (!alea_vec_push(net->mem, &net->cycles, cycle)) return false;
    for (size_t k = net->cycles.count - 1;
         k > 0 && compare_cycles(&net->cycles.data[k], &net->cycles.data[k - 1]) < 0; k--) {
      alea_net_cycle swap = net->cycles.data[k];
      net->cycles.data[k] = net->cycles.data[k - 1];
      net->cycles.data[k - 1] = swap;
    }
  }
  return true;
}

/* ---- roots ---- */

static alea_lit root(const freezer *f, uint32_t index) {
  return final_lit(f, f->graph->roots.data[index]);
}

static bool write_roots(freezer *f) {
  const alea_graph *graph = f->graph;
  const alea_ground *ground = graph->ground;
  alea_net *net = f->net;
  for (uint32_t i = 0; i < net->move_count; i++)
    net->legal[i] = root(f, alea_root_legal(graph) + i);
  for (uint32_t i = 0; i < net->fluent_count; i++)
    net->next[i] = root(f, alea_root_next(graph) + i);
  net->terminal = root(f, alea_root_terminal(graph));
  /* Few entries and few roles: one sweep per role sorts them. */
  for (uint32_t role = 0; role < net->role_count; role++) {
    for (uint32_t i = 0; i < ground->goals.count; i++) {
      alea_net_goal goal = {role, ground->goals.data[i].value, root(f, alea_root_goals(graph) + i)};
      if (ground->goals.data[i].role == role && !alea_vec_push(net->mem, &net->goals, goal))
        return false;
    }
    for (uint32_t i = 0; i < ground->sees.count; i++) {
      alea_net_percept percept = {role, ground->sees.data[i].percept,
                                  root(f, alea_root_sees(graph) + i)};
      if (ground->sees.data[i].role == role && !alea_vec_push(net->mem, &net->percepts, percept))
        return false;
    }
  }
  return true;
}

/* ---- the whole ---- */

static alea_net *allocate_net(const alea_graph *graph) {
  const alea_ground *ground = graph->ground;
  alea_net *net = alea_mem_zalloc(graph->mem, sizeof *net);
  if (net == NULL) return NULL;
  net->mem = graph->mem;
  net->role_count = ground->role_count;
  net->random_role = ground->random_role;
  net->has_sees = ground->has_sees;
  net->fluent_count = ground->fluent_count;
  net->move_count = ground->move_count;
  net->first_gate = graph->leaf_count;
  net->gate_count = (uint32_t)graph->gates.count;
  net->percept_count = (uint32_t)ground->percepts.count;
  alea_arena *arena = &net->texts;
  alea_arena_init(arena, graph->mem);
  net->gates = alea_arena_alloc(arena, net->gate_count * sizeof *net->gates);
  net->init = alea_arena_alloc(arena, net->fluent_count);
  net->next = alea_arena_alloc(arena, net->fluent_count * sizeof *net->next);
  net->move_first = alea_arena_alloc(arena, (net->role_count + 1) * sizeof *net->move_first);
  net->legal = alea_arena_alloc(arena, net->move_count * sizeof *net->legal);
  if (net->gates != NULL && net->init != NULL && net->next != NULL && net->move_first != NULL &&
      net->legal != NULL)
    return net;
  alea_net_free(net);
  return NULL;
}

static alea_status freeze(freezer *f) {
  const alea_ground *ground = f->graph->ground;
  alea_net *net = f->net;
  if (ground->fluent_count > 0) memcpy(net->init, ground->init, ground->fluent_count);
  memcpy(net->move_first, ground->move_first, (ground->role_count + 1) * sizeof *net->move_first);
  find_flags(f);
  alea_status status = check_moves(f);
  if (status != ALEA_OK) return status;
  number_gates(f);
  if (!write_gates(f) || !write_cycles(f) || !write_roots(f) ||
      alea_net_take_texts(net, ground) != ALEA_OK)
    return alea_graph_no_memory(f->mem);
  return ALEA_OK;
}

alea_status alea_graph_freeze(const alea_graph *graph, alea_net **net, alea_diag *diag) {
  freezer f = {.graph = graph, .mem = graph->mem, .diag = diag};
  size_t gates = graph->gates.count, nodes = graph->leaf_count + gates;
  alea_status status = alea_parts_find(&f.parts, graph);
  if (status != ALEA_OK) return status;
  f.flags = alea_mem_calloc(f.mem, gates, 1);
  f.final = alea_mem_calloc(f.mem, nodes, sizeof *f.final);
  f.net = allocate_net(graph);
  status = alea_graph_no_memory(f.mem);
  if (f.flags != NULL && f.final != NULL && f.net != NULL) status = freeze(&f);
  alea_mem_free(f.mem, f.flags, gates);
  alea_mem_free(f.mem, f.final, nodes * sizeof *f.final);
  alea_parts_clear(&f.parts, f.mem);
  if (status == ALEA_OK) {
    *net = f.net;
  } else {
    alea_net_free(f.net);
  }
  return status;
}

void alea_net_free(alea_net *net) {
  if (net == NULL) return;
  alea_mem *mem = net->mem;
  alea_vec_clear(mem, &net->inputs);
  alea_vec_clear(mem, &net->cycles);
  alea_vec_clear(mem, &net->goals);
  alea_vec_clear(mem, &net->percepts);
  alea_terms_free(net->terms);
  alea_hash_map_clear(&net->moves_by_text, net->mem);
  alea_arena_clear(&net->texts);
  alea_mem_free(mem, net, sizeof *net);
}

uint64_t alea_net_two_input_gates(const alea_net *net) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < net->gate_count; i++) count += net->gates[i].input_count - 1;
  return count;
}
