/* Splitting legality: turn AND the rest.
 *
 * Guards (guards.c) want legalities that nobody else reads, but many games ask
 * "has this player any legal move".  There
 *
 *     OR(turn AND r1, turn AND r2, ...)   becomes   turn AND OR(r1, r2, ...)
 *
 * although the ANDs are needed as legalities, which factoring would not do:
 * it costs a gate per move, and spares touching all of them when turns change. */
#include <string.h>

#include "propnet/graph.h"

enum { MIN_MOVES = 4 };

typedef struct split_splitter {
  alea_graph *graph;
  alea_mem *mem;
  uint32_t *moves_with; /* per literal: legalities of the role that have it as conjunct */
  alea_lit *turn;       /* per gate: what it shares with most legalities, or 0 */
  alea_lit *rest;       /* per gate with a turn: what it says besides, or 0 if not made yet */
  alea_u32s parts;
} split_splitter;

/* The AND that 'legal' is, or NULL. */
static const alea_graph_gate *legality(const alea_graph *graph, alea_lit legal) {
  if ((legal & 1) != 0 || !alea_graph_is_gate(graph, legal)) return NULL;
  const alea_graph_gate *g = alea_graph_gate_of(graph, legal);
  return g->kind == ALEA_GATE_AND && !g->cyclic && g->count >= 2 ? g : NULL;
}

static void count_role(split_splitter *s, uint32_t role, uint32_t step) {
  const alea_graph *graph = s->graph;
  const uint32_t *move_first = graph->ground->move_first;
  for (uint32_t m = move_first[role]; m < move_first[role + 1]; m++) {
    const alea_graph_gate *g = legality(graph, graph->roots.data[alea_root_legal(graph) + m]);
    for (uint32_t i = 0; g != NULL && i < g->count; i++)
      s->moves_with[graph->inputs.data[g->first + i]] += step;
  }
}

static void choose_turns(split_splitter *s, uint32_t role) {
  const alea_graph *graph = s->graph;
  const uint32_t *move_first = graph->ground->move_first;
  count_role(s, role, 1);
  for (uint32_t m = move_first[role]; m < move_first[role + 1]; m++) {
    alea_lit legal = graph->roots.data[alea_root_legal(graph) + m];
    const alea_graph_gate *g = legality(graph, legal);
    uint32_t most = MIN_MOVES - 1;
    for (uint32_t i = 0; g != NULL && i < g->count; i++) {
      alea_lit lit = graph->inputs.data[g->first + i];
      if (s->moves_with[lit] <= most) continue;
      most = s->moves_with[lit];
      s->turn[(legal >> 1) - graph->leaf_count] = lit;
    }
  }
  count_role(s, role, UINT32_MAX);
}

/* What legality 'gate' says besides its turn; the gate reads it from now on. */
static alea_lit rest_of(split_splitter *s, uint32_t gate) {
  alea_graph *graph = s->graph;
  if (s->rest[gate] != 0) return s->rest[gate];
  alea_graph_gate g = graph->gates.data[gate];
  alea_u32s rest = {0};
  alea_lit lit = ALEA_NO_LIT;
  if (alea_vec_reserve(s->mem, &rest, g.count)) {
    for (uint32_t i = 0; i < g.count; i++)
      if (graph->inputs.data[g.first + i] != s->turn[gate])
        rest.data[rest.count++] = graph->inputs.data[g.first + i];
    lit = rest.count == 1 ? rest.data[0]
                          : alea_graph_add(graph, ALEA_GATE_AND, rest.data, (uint32_t)rest.count);
  }
  alea_vec_clear(s->mem, &rest);
  if (lit == ALEA_NO_LIT) return lit;
  graph->inputs.data[g.first] = s->turn[gate];
  graph->inputs.data[g.first + 1] = lit;
  graph->gates.data[gate].count = 2;
  return s->rest[gate] = lit;
}

static alea_lit turn_of_input(const split_splitter *s, size_t gates, alea_lit lit) {
  if ((lit & 1) == 0 || !alea_graph_is_gate(s->graph, lit)) return 0;
  uint32_t gate = (lit >> 1) - s->graph->leaf_count;
  return gate < gates ? s->turn[gate] : 0;
}

/* Replaces the legalities with this turn among the inputs of 'gate'. */
static bool regroup(split_splitter *s, size_t gates, uint32_t gate, alea_lit turn) {
  alea_graph *graph = s->graph;
  alea_graph_gate g = graph->gates.data[gate];
  uint32_t kept = 0;
  s->parts.count = 0;
  for (uint32_t i = 0; i < g.count; i++) {
    alea_lit lit = graph->inputs.data[g.first + i];
    if (turn_of_input(s, gates, lit) != turn) {
      graph->inputs.data[g.first + kept++] = lit;
      continue;
    }
    alea_lit rest = rest_of(s, (lit >> 1) - graph->leaf_count);
    if (rest == ALEA_NO_LIT || !alea_vec_push(s->mem, &s->parts, rest ^ 1)) return false;
  }
  alea_lit none = alea_graph_add(graph, ALEA_GATE_AND, s->parts.data, (uint32_t)s->parts.count);
  if (none == ALEA_NO_LIT) return false;
  alea_lit some[2] = {turn, none ^ 1};
  alea_lit any = alea_graph_add(graph, ALEA_GATE_AND, some, 2);
  if (any == ALEA_NO_LIT) return false;
  graph->inputs.data[g.first + kept++] = any ^ 1;
  graph->gates.data[gate].count = kept & 0x3fffffffu;
  return true;
}

/* 'gate' is the negation of an OR of many legalities: splits what it can. */
static bool split_gate(split_splitter *s, size_t gates, uint32_t gate) {
  alea_graph *graph = s->graph;
  bool again = true;
  while (again) {
    again = false;
    alea_graph_gate g = graph->gates.data[gate];
    for (uint32_t i = 0; i < g.count && !again; i++) {
      alea_lit turn = turn_of_input(s, gates, graph->inputs.data[g.first + i]);
      if (turn != 0 && ++s->moves_with[turn] == MIN_MOVES) again = true;
    }
    alea_lit found = 0;
    for (uint32_t i = 0; i < g.count; i++) {
      alea_lit turn = turn_of_input(s, gates, graph->inputs.data[g.first + i]);
      if (turn == 0) continue;
      if (s->moves_with[turn] == MIN_MOVES) found = turn;
      s->moves_with[turn] = 0;
    }
    if (again && !regroup(s, gates, gate, found)) return false;
  }
  return true;
}

alea_status alea_graph_split_legality(alea_graph *graph) {
  size_t gates = graph->gates.count, lits = 2 * (graph->leaf_count + gates);
  split_splitter s = {.graph = graph, .mem = graph->mem};
  s.moves_with = alea_mem_calloc(s.mem, lits, sizeof *s.moves_with);
  s.turn = alea_mem_calloc(s.mem, gates, sizeof *s.turn);
  s.rest = alea_mem_calloc(s.mem, gates, sizeof *s.rest);
  bool ok = s.moves_with != NULL && s.turn != NULL && s.rest != NULL;
  for (uint32_t role = 0; ok && role < graph->ground->role_count; role++) choose_turns(&s, role);
  for (uint32_t gate = 0; ok && gate < gates; gate++)
    if (graph->gates.data[gate].kind == ALEA_GATE_AND && !graph->gates.data[gate].cyclic)
      ok = split_gate(&s, gates, gate);
  alea_mem_free(s.mem, s.moves_with, lits * sizeof *s.moves_with);
  alea_mem_free(s.mem, s.turn, gates * sizeof *s.turn);
  alea_mem_free(s.mem, s.rest, gates * sizeof *s.rest);
  alea_vec_clear(s.mem, &s.parts);
  return ok ? ALEA_OK : alea_graph_no_memory(graph->mem);
}
