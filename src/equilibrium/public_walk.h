#ifndef ALEA_EQUILIBRIUM_PUBLIC_WALK_H
#define ALEA_EQUILIBRIUM_PUBLIC_WALK_H

/* Walks through the tree of a public graph, depth first, for one player: down go
 * the probabilities with which both players reach their hands, up come the
 * counterfactual values of the player's hands, that is payoffs times the
 * probability that chance and the other player come there.
 *
 * What neither player reaches is left out: both players' regrets, averages and
 * values there are as they were. */

#include "equilibrium/move_weights.h"
#include "equilibrium/public_graph.h"

typedef enum alea_walk_kind {
  ALEA_WALK_EXPECT, /* the player plays its strategy */
  ALEA_WALK_BEST,   /* the player's best move at each information set */
  ALEA_WALK_LEARN,  /* as EXPECT, and the player's regrets and averages change */
} alea_walk_kind;

typedef struct alea_public_walk {
  const alea_public_graph *graph; /* borrowed */
  alea_mem *mem;
  struct alea_walk_frame *frames; /* as many as the tree is deep */
  double *numbers;                /* the vectors of the frames */
  double *sums;                   /* for ends */
  size_t number_count, sum_count;
  /* Of the walk at work: */
  alea_walk_kind kind;
  uint32_t player;
  const alea_move_weights *strategy; /* of both; weights of a hand need not add up to 1 */
  alea_move_weights *regrets;        /* LEARN: the same as 'strategy' */
  alea_move_weights *averages;       /* LEARN */
  double weight;                     /* LEARN: of this strategy in the averages */
} alea_public_walk;

/* False: no memory.  The caller clears it in any case. */
bool alea_public_walk_init(alea_public_walk *walk, const alea_public_graph *graph, alea_mem *mem);
void alea_public_walk_clear(alea_public_walk *walk); /* a zeroed one too */
/* The payoff that the player expects, where hands have the strategies that are
 * proportional to their weights, and uniform ones where these are all 0. */
double alea_public_walk_value(alea_public_walk *walk, alea_walk_kind kind, uint32_t player,
                              const alea_move_weights *strategy);
/* One step of regret matching+ for the player: regrets are at least 0 and are
 * the weights of both players' strategies; the player's strategy is added to
 * 'averages', times the probability that it comes there and 'weight'. */
void alea_public_walk_learn(alea_public_walk *walk, uint32_t player, alea_move_weights *regrets,
                            alea_move_weights *averages, double weight);

#endif
