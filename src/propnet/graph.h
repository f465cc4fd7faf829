#ifndef ALEA_PROPNET_GRAPH_H
#define ALEA_PROPNET_GRAPH_H

/* The network under construction; internal to propnet.
 *
 * A graph has the nodes of an alea_net (constant, fluents, moves, gates), but
 * its gates are in no particular order, may be dead, and may have any number
 * of inputs.  Each optimisation is a function on graphs; alea_graph_rebuild
 * copies what is alive into a new graph in evaluation order and simplifies it
 * on the way, so the others may leave garbage behind.
 *
 * In a rebuilt graph every gate outside cycles is an AND, an OR being the
 * negated AND of the negated inputs: De Morgan duals are then one gate, and
 * whatever factors an OR of ANDs also factors an AND of ORs. */

#include "base/clock.h"
#include "base/diag.h"
#include "base/vec.h"
#include "ground/ground.h"
#include "propnet/propnet.h"

#define ALEA_NO_LIT UINT32_MAX

typedef struct alea_graph_gate {
  uint32_t first; /* inputs.data[first ...] */
  uint32_t count : 30;
  uint32_t kind : 1;   /* alea_gate_kind */
  uint32_t cyclic : 1; /* lies on a cycle, as far as the last rebuild saw */
  alea_atom origin;    /* the atom it came from, for messages; 0 = none */
} alea_graph_gate;

typedef struct alea_graph {
  alea_mem *mem;
  const alea_ground *ground; /* borrowed: roles, initial state, names */
  uint32_t leaf_count;       /* nodes before the first gate */
  ALEA_VEC(alea_graph_gate) gates;
  alea_u32s inputs;
  /* Literals that must be known: legal per move, terminal, goals, next per
   * fluent, sees.  Legal comes first because alea_graph_rebuild, which follows
   * this order, uses the legality of a move where it reads the move. */
  alea_u32s roots;
  /* Per node below leaf_count the literal to read in its place, a leaf again:
   * itself, or what alea_graph_merge_fluents found; ALEA_LEAF_LEGALITY for a
   * move that is made exactly where it is legal. */
  alea_u32s leaves;
} alea_graph;

#define ALEA_LEAF_LEGALITY (UINT32_MAX - 1)

static inline uint32_t alea_root_legal(const alea_graph *graph) {
  (void)graph;
  return 0;
}
static inline uint32_t alea_root_terminal(const alea_graph *graph) {
  return graph->ground->move_count;
}
static inline uint32_t alea_root_goals(const alea_graph *graph) {
  return alea_root_terminal(graph) + 1;
}
static inline uint32_t alea_root_next(const alea_graph *graph) {
  return alea_root_goals(graph) + (uint32_t)graph->ground->goals.count;
}
static inline uint32_t alea_root_sees(const alea_graph *graph) {
  return alea_root_next(graph) + graph->ground->fluent_count;
}

static inline bool alea_graph_is_gate(const alea_graph *graph, alea_lit lit) {
  return (lit >> 1) >= graph->leaf_count;
}
static inline alea_graph_gate *alea_graph_gate_of(const alea_graph *graph, alea_lit lit) {
  return &graph->gates.data[(lit >> 1) - graph->leaf_count];
}
static inline bool alea_graph_is_move(const alea_graph *graph, alea_lit lit) {
  return (lit >> 1) > graph->ground->fluent_count && (lit >> 1) < graph->leaf_count;
}

void alea_graph_init(alea_graph *graph, const alea_ground *ground, alea_mem *mem);
void alea_graph_clear(alea_graph *graph);
/* Appends a gate and returns its positive literal, ALEA_NO_LIT without
 * memory.  'inputs' must not point into the graph. */
alea_lit alea_graph_add(alea_graph *graph, alea_gate_kind kind, const alea_lit *inputs,
                        uint32_t count);
/* Two-input gates needed for all gates, dead ones included. */
uint64_t alea_graph_cost(const alea_graph *graph);
/* What a failed allocation means: ALEA_LIMIT for a configured limit. */
alea_status alea_graph_no_memory(const alea_mem *mem);
void alea_sort_u32(uint32_t *data, size_t count);

/* The graph of 'ground', one gate per derived atom and per rule. */
alea_status alea_graph_from_ground(alea_graph *graph);

/* The gates that reach a root, as indices into 'gates', inputs first; the
 * members of a strongly connected part are neighbours, and those parts that
 * contain a cycle are listed as ranges of 'order' (first, last). */
typedef struct alea_parts {
  alea_u32s order;
  ALEA_VEC(alea_net_cycle) cycles;
} alea_parts;

alea_status alea_parts_find(alea_parts *parts, const alea_graph *graph);
void alea_parts_clear(alea_parts *parts, alea_mem *mem);

typedef enum alea_rebuild_what {
  ALEA_REBUILD_FLATTEN = 1, /* an AND read only by an AND dissolves in it */
  ALEA_REBUILD_DEEP = 2,    /* absorption: look one gate down, and through legality */
  ALEA_REBUILD_MOVES = 4,   /* each role makes exactly one move, a legal one */
  ALEA_REBUILD_STRICT = 8,  /* a negation inside a cycle is an error */
} alea_rebuild_what;

/* Replaces 'graph' by its simplified copy.  ALEA_INPUT: a cycle through
 * negation, named in 'diag'. */
alea_status alea_graph_rebuild(alea_graph *graph, unsigned what, alea_diag *diag);

/* Removes fluents that never change and fluents that always equal another,
 * or its negation, from the inputs of all gates.  'what' is for rebuilding. */
alea_status alea_graph_merge_fluents(alea_graph *graph, unsigned what,
                                     const alea_deadline *deadline);
/* Finds moves that are made exactly where they are legal; the next rebuild
 * replaces them. */
alea_status alea_graph_force_moves(alea_graph *graph);

/* Whether at most one of these fluents, nodes of a graph without cycles, ever holds; not proved
 * is not refuted. */
alea_status alea_graph_prove_exclusive(const alea_graph *graph, const uint32_t *family,
                                       uint32_t size, bool *proved);
/* Gates of which exclusive fluents choose one become one gate, where that makes a large
 * network much smaller. */
alea_status alea_graph_select(alea_graph *graph, const alea_deadline *deadline);

/* turn&r1 | turn&r2 becomes turn&(r1|r2) also where turn&r1 is a legality. */
alea_status alea_graph_split_legality(alea_graph *graph);
/* a&b | a&c becomes a&(b|c) wherever the ANDs have no other reader; and dually. */
alea_status alea_graph_factor(alea_graph *graph);
/* Pairs of inputs that several gates share become gates of their own, the
 * most frequent first; stops early past the deadline. */
alea_status alea_graph_share_pairs(alea_graph *graph, const alea_deadline *deadline);

/* The frozen form. */
alea_status alea_graph_freeze(const alea_graph *graph, alea_net **net, alea_diag *diag);

#endif
