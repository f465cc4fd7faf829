#ifndef ALEA_PLAY_SAMPLED_STRATEGY_H
#define ALEA_PLAY_SAMPLED_STRATEGY_H

/* The strategy of a player, estimated by asking it.
 *
 * At each information set of a tree the player is made anew 'samples' times,
 * each time with another seed, is taken through the play as in a match (it
 * thinks at every step, and is told its own moves and what it would have seen)
 * and asked for its move.  How often it chooses a move is the move's
 * probability; where the player says by which probabilities it drew the move
 * (alea_analysis), those count instead.  A best response against the estimate exploits the noise of
 * the samples too, so that the exploitability of the estimate tends to be above the player's own,
 * the less so the more samples there are. */

#include "equilibrium/extensive.h"
#include "play/player.h"

typedef struct alea_sampled_strategy_options {
  const char *player;      /* as for alea_player_new */
  alea_player_setup setup; /* role and mem are filled in; seed is where the seeds come from */
  alea_budget budget;      /* of each move */
  uint32_t samples;        /* per information set, 1 or more */
  alea_deadline deadline;
} alea_sampled_strategy_options;

/* Fills the strategies of both players of the tree, each as 'player' plays it.
 * ALEA_LIMIT: the deadline passed.  ALEA_NONE: the player chose a move that is not
 * legal.  A sentence on a player that cannot be made is left in 'message'. */
alea_status alea_sampled_strategy(const alea_extensive *tree,
                                  const alea_sampled_strategy_options *options, double *strategy,
                                  alea_mem *mem, alea_text *message);

#endif
