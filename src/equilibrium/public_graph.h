#ifndef ALEA_EQUILIBRIUM_PUBLIC_GRAPH_H
#define ALEA_EQUILIBRIUM_PUBLIC_GRAPH_H

/* Games of two players as a graph of public states.
 *
 * A public state holds the positions that nobody can tell apart for sure:
 * those connected by positions that look the same to the first player or to the
 * second.  Both players know in which public state they are.  What a player
 * knows beyond that is its hand: a hand is a view (equilibrium/views.h), numbered
 * within its public state.  One position, or several, belong to a pair of hands,
 * each with a weight: its probability by chance.  In a public state every player
 * with a choice makes one, all at once, and so does chance; what happens and
 * what is seen leads to the public states of the next step, each with hands of
 * its own.
 *
 * The plays of the game are a tree of public states, in which nothing is
 * forgotten.  The tree is not stored.  Public states with the same positions,
 * hands and weights have the same future, so they are one state of a graph, and
 * the paths of the graph from the root are the nodes of the tree.  Liar's dice
 * with its 2^24 sequences of bids has 49 states.  Three things are merged:
 *   - equal public states, as above;
 *   - a public state in which nobody has a choice and nobody learns anything
 *     public is passed over: its one successor takes its place;
 *   - hands that never make a difference, as the same dice thrown in another
 *     order, become one hand ('merge_hands'; the strategies are then those of one
 *     of the hands, the same for the others).
 *
 * A strategy is a table of weights by information set and move, at places that
 * follow from the path: a node of the tree has a first place; there the moves of
 * the first player's hands, if it has a choice in this state, then those of the
 * second player's, and then its subtrees in the order of the edges.  The moves of
 * one hand are together; where all hands have equally many ('even'), the first
 * moves of all hands come first, then the second ones, so that walks go through
 * hands one after the other.  'places' of the root are all of them. */

#include "base/clock.h"
#include "equilibrium/two_players.h"
#include "equilibrium/views.h"

#define ALEA_NO_END SIZE_MAX

typedef ALEA_VEC(double) alea_reals;

/* To the public state 'child'.  For each player there is an array of as many
 * entries as the child has hands: in 'links' the move of this state by which one
 * comes to the hand, in 'steps' what is seen on the way, as a view of its own
 * that begins with this edge. */
typedef struct alea_public_edge {
  uint32_t child;
  double share; /* weights of the child times this are those of the parent */
  size_t links[2];
  bool straight[2]; /* the links go up by one */
} alea_public_edge;

typedef struct alea_public_state {
  uint32_t hands[2];
  uint32_t moves[2]; /* of all hands together */
  bool chooses[2];   /* some hand has two moves or more */
  uint32_t even[2];  /* moves of each hand where all have equally many, else 0 */
  /* In 'starts': where the moves of each hand begin, and the end of the last; in
   * 'move_ids': what they are.  Both count by hand, even or not. */
  size_t starts[2], move_ids[2];
  size_t first_edge;
  uint32_t edges;
  size_t end;         /* in 'payoffs', or ALEA_NO_END */
  size_t first_end;   /* in 'ends', one for each player (equilibrium/public_ends.h) */
  uint32_t sets_here; /* information sets with a choice, before hands were merged */
  /* Of the tree from here on; UINT64_MAX: more than that. */
  uint64_t places, nodes, sets;
  uint32_t depth;   /* nodes on the longest path */
  uint64_t scratch; /* numbers that a walk needs on any path */
} alea_public_state;

typedef struct alea_public_end alea_public_end;

typedef struct alea_public_graph {
  alea_mem *mem;         /* borrowed */
  const alea_game *game; /* borrowed */
  uint32_t roles[2];     /* of the players */
  double sum;            /* of both players' payoffs at every end */
  alea_player_views views;
  ALEA_VEC(alea_public_state) states; /* states[0] is the root */
  ALEA_VEC(alea_public_edge) edges;
  alea_u32s starts, move_ids, links, steps;
  /* For each end, by hand of the first player and hand of the second: the sums of
   * weight times payoff of the first player, then of the second. */
  alea_reals payoffs;
  alea_u32s order; /* the states on some path, parents before children */
  /* The same payoffs as products; see equilibrium/public_ends.h. */
  ALEA_VEC(alea_public_end) ends;
  alea_u32s end_classes;
  alea_reals end_numbers;
  uint64_t positions; /* in all states */
} alea_public_graph;

typedef struct alea_public_options {
  uint64_t positions; /* at most; 0: no limit */
  bool merge_hands;
  alea_deadline deadline;
} alea_public_options;

/* Builds the graph of 'game', which must outlive it.  The caller clears it with
 * any status, before 'mem'.  'diag' may be NULL and gets a sentence for each of:
 * ALEA_UNSUPPORTED: there are not two players, the sum of their goals is not
 * constant (the guarantee of CFR holds for constant-sum games), or a player
 * cannot tell what moves it has; ALEA_INPUT: a role has no legal move before
 * the end; ALEA_LIMIT: positions, memory, time, or plays of more than 10,000
 * steps, as there are where positions repeat. */
alea_status alea_public_graph_init(alea_public_graph *graph, const alea_game *game,
                                   const alea_public_options *options, alea_mem *mem,
                                   alea_diag *diag);
void alea_public_graph_clear(alea_public_graph *graph); /* a zeroed one too */

static inline const alea_public_state *alea_public_root(const alea_public_graph *graph) {
  return &graph->states.data[0];
}

#endif
