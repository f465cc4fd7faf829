/* Forced moves: a move that is legal only where no other is.
 *
 * In games with turns the player who waits has one legal move, noop, and it
 * is legal exactly when the others are not.  Such a move is made if and only
 * if it is legal, so the network may read its legality, a fact about the
 * state, in its place: it no longer flips with every turn, and what is known
 * about turns then speaks about moves too. */
#include "propnet/graph.h"

/* The inputs of the AND that 'legal' is, itself if it is none. */
static const alea_lit *conjuncts(const alea_graph *graph, const alea_lit *legal, uint32_t *count) {
  *count = 1;
  if ((*legal & 1) != 0 || !alea_graph_is_gate(graph, *legal)) return legal;
  const alea_graph_gate *g = alea_graph_gate_of(graph, *legal);
  if (g->kind != ALEA_GATE_AND || g->cyclic) return legal;
  *count = g->count;
  return graph->inputs.data + g->first;
}

/* moves_with[lit] += step for every conjunct of the moves of 'role'. */
static void count_conjuncts(const alea_graph *graph, uint32_t role, uint32_t *moves_with,
                            uint32_t step) {
  const alea_ground *ground = graph->ground;
  for (uint32_t m = ground->move_first[role]; m < ground->move_first[role + 1]; m++) {
    const alea_lit *legal = &graph->roots.data[alea_root_legal(graph) + m];
    uint32_t count;
    const alea_lit *lits = conjuncts(graph, legal, &count);
    for (uint32_t i = 0; i < count; i++) moves_with[lits[i]] += step;
    /* The whole as well, where it is a gate. */
    if (lits != legal) moves_with[*legal] += step;
  }
}

/* Whether all other moves of the role need something that 'legal' excludes. */
static bool excludes_others(const alea_graph *graph, const alea_lit *legal,
                            const uint32_t *moves_with, uint32_t others) {
  uint32_t count;
  const alea_lit *lits = conjuncts(graph, legal, &count);
  if (*legal > ALEA_LIT_FALSE && moves_with[*legal ^ 1] == others) return true;
  for (uint32_t i = 0; i < count; i++)
    if (lits[i] > ALEA_LIT_FALSE && moves_with[lits[i] ^ 1] == others) return true;
  return false;
}

static void force_role(alea_graph *graph, uint32_t role, uint32_t *moves_with) {
  const alea_ground *ground = graph->ground;
  uint32_t moves = ground->move_first[role + 1] - ground->move_first[role];
  if (moves < 2) return;
  count_conjuncts(graph, role, moves_with, 1);
  for (uint32_t m = ground->move_first[role]; m < ground->move_first[role + 1]; m++) {
    const alea_lit *legal = &graph->roots.data[alea_root_legal(graph) + m];
    if (excludes_others(graph, legal, moves_with, moves - 1))
      graph->leaves.data[1 + ground->fluent_count + m] = ALEA_LEAF_LEGALITY;
  }
  count_conjuncts(graph, role, moves_with, UINT32_MAX);
}

alea_status alea_graph_force_moves(alea_graph *graph) {
  size_t lits = 2 * (graph->leaf_count + graph->gates.count);
  uint32_t *moves_with = alea_mem_calloc(graph->mem, lits, sizeof *moves_with);
  if (moves_with == NULL) return alea_graph_no_memory(graph->mem);
  for (uint32_t role = 0; role < graph->ground->role_count; role++)
    force_role(graph, role, moves_with);
  alea_mem_free(graph->mem, moves_with, lits * sizeof *moves_with);
  return ALEA_OK;
}
