#ifndef ALEA_PLAY_BELIEF_GRAPH_H
#define ALEA_PLAY_BELIEF_GRAPH_H

/* The graph of beliefs of a role that plays against chance alone.
 *
 * A node is a belief: positions that the role cannot tell apart, called
 * scenarios, with the probability of each.  An arm is a move of the role.  To try
 * it, each scenario is stepped with it, chance being drawn, and what comes out is
 * sorted by what the role would see: every percept leads to a belief of its own,
 * with the share of the scenarios that give it.  So the outcomes of a move are the
 * same for all scenarios that look alike, and what follows a question is chosen by
 * its answer and by nothing else.
 *
 * Beliefs are found by what they are, not by the way to them: questions asked in
 * another order lead to the same node.  For chance that still throws, a belief of
 * few scenarios draws each of them several times.
 *
 * The graph owns its nodes, which stay where they are until it is emptied.  Node
 * numbers are 1, 2, ...; 0 is no node. */

#include "base/arena.h"
#include "base/hash_map.h"
#include "play/belief.h"

typedef uint32_t alea_belief_id;

typedef struct alea_scenario {
  const uint64_t *words;
  size_t word_count;
  uint64_t hash;
  float weight; /* those of a belief sum to 1 */
} alea_scenario;

/* What the role may see after a move, and the belief that this leads to. */
typedef struct alea_belief_edge {
  alea_belief_id to;
  float share;
} alea_belief_edge;

typedef struct alea_belief_arm {
  alea_move move;
  uint32_t visits;
  uint32_t edge_count;
  alea_belief_edge *edges; /* where the game goes on */
  float prior;             /* what it seems to be worth before it is tried */
  float reward;            /* tried: what the scenarios that end at once add to its value */
  float value, variance;   /* tried: of the best policy that is known behind it */
  float hi;                /* no policy has more */
  bool tried;
  bool exact; /* value is hi */
  bool alike; /* an earlier arm leads to the same beliefs */
} alea_belief_arm;

typedef struct alea_belief_node {
  uint64_t key;
  alea_scenario *scenarios;
  uint32_t scenario_count;
  uint32_t arm_count; /* 0: the arms were not looked at yet */
  alea_belief_arm *arms;
  uint32_t visits;
  uint32_t stamp;            /* of the simulation that last passed */
  float base, base_variance; /* value of uniform play */
  float value, variance;     /* of the best policy that is known */
  float hi;                  /* no policy has more */
  bool valued;               /* 'base' was found */
  bool exact;                /* value is hi */
} alea_belief_node;

/* A scenario after a move. */
typedef struct alea_belief_outcome {
  uint64_t percept, hash;
  size_t at, word_count; /* in the words of the graph's scratch */
  float weight;
} alea_belief_outcome;

typedef struct alea_belief_graph {
  alea_mem *mem;
  const alea_game *game;
  uint32_t role;
  size_t limit, used; /* bytes of the nodes */
  alea_arena arena;
  ALEA_VEC(alea_belief_node *) nodes; /* by id */
  alea_hash_map map;                  /* nodes by key */
  alea_cursor *cursor;
  alea_move *joint;
  uint64_t steps;                         /* of scenarios, ever */
  ALEA_VEC(alea_belief_outcome) outcomes; /* scratch: of the arm at work */
  alea_u64s words;                        /* scratch: of the outcomes */
} alea_belief_graph;

/* The nodes may have 'limit' bytes. */
alea_status alea_belief_graph_init(alea_belief_graph *graph, const alea_game *game, uint32_t role,
                                   size_t limit, alea_mem *mem);
void alea_belief_graph_clear(alea_belief_graph *graph);
/* Frees all nodes. */
void alea_belief_graph_empty(alea_belief_graph *graph);

static inline alea_belief_node *alea_belief_graph_at(const alea_belief_graph *graph,
                                                     alea_belief_id id) {
  return graph->nodes.data[id];
}

/* The node of the particles.  'late' is asked now and then; ALEA_LIMIT: it said yes, or there
 * is no room. */
alea_status alea_belief_graph_root(alea_belief_graph *graph, const alea_belief *belief,
                                   alea_belief_id *root, bool (*late)(void *context),
                                   void *context);
/* Finds the role's moves at 'node'; the cursor then stands at its first scenario.
 * ALEA_LIMIT: no room. */
alea_status alea_belief_graph_open(alea_belief_graph *graph, alea_belief_node *node);
/* Steps the scenarios of 'node' by an arm that was not tried: fills its edges and its
 * reward.  Scenarios in which the move is not legal are left out.  Nodes that are new are
 * added at the end.  'late' as above; the arm is then as it was. */
alea_status alea_belief_graph_try(alea_belief_graph *graph, const alea_belief_node *node,
                                  alea_belief_arm *arm, alea_rng *rng, bool (*late)(void *context),
                                  void *context);

#endif
