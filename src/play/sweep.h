#ifndef ALEA_PLAY_SWEEP_H
#define ALEA_PLAY_SWEEP_H

/* Regret matching over a whole game where everybody sees the position.
 *
 * Such a game is a graph of positions, each of which is a game of its own
 * whatever led to it; so counterfactual regret minimisation (Zinkevich et al.
 * 2007) may go over the positions from the ends backward, each position a
 * matrix game over the present values of its children, and the probability of
 * getting there drops out as a constant factor.
 *
 * In the nodes of the store, arm.sum holds the regret, arm.squares the sum of
 * strategies, and lo the present value. */

#include "play/store.h"
#include "play/watch.h"

typedef struct alea_sweep {
  alea_store store;
  alea_cursor *cursor;
  alea_u32s order; /* all nodes below the root, children first */
  alea_u32s stack; /* pairs: node, next joint move */
  alea_move *joint;
  uint32_t epoch;           /* stamps: epoch on the stack, epoch + 1 done */
  uint64_t sweeps;          /* so far; weighs the average strategy */
  ALEA_VEC(float) strategy; /* of one node, by arm */
  ALEA_VEC(float) gains;
} alea_sweep;

alea_status alea_sweep_init(alea_sweep *sweep, const alea_game *game, size_t memory, alea_mem *mem);
void alea_sweep_clear(alea_sweep *sweep);
/* Lists all positions from that of 'cursor' on.  ALEA_LIMIT: there are more
 * than 'most', they do not fit into the memory, positions repeat, or the
 * watch ran past half of its time. */
alea_status alea_sweep_open(alea_sweep *sweep, alea_cursor *position, uint32_t most,
                            alea_watch *watch);
/* Goes over all of them once. */
alea_status alea_sweep_run(alea_sweep *sweep);
/* The node of the position, the last of the order. */
const alea_node *alea_sweep_root(const alea_sweep *sweep);

#endif
