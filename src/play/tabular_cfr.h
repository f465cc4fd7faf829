#ifndef ALEA_PLAY_TABULAR_CFR_H
#define ALEA_PLAY_TABULAR_CFR_H

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

#include "game/time_manager.h"
#include "play/node_store.h"

typedef struct alea_tabular_cfr {
  alea_node_store store;
  alea_cursor *cursor;
  alea_u32s order; /* all nodes below the root, children first */
  alea_u32s stack; /* pairs: node, next joint move */
  alea_move *joint;
  uint32_t epoch;           /* stamps: epoch on the stack, epoch + 1 done */
  uint64_t sweeps;          /* so far; weighs the average strategy */
  ALEA_VEC(float) strategy; /* of one node, by arm */
  ALEA_VEC(float) gains;
} alea_tabular_cfr;

alea_status alea_tabular_cfr_init(alea_tabular_cfr *cfr, const alea_game *game, size_t memory,
                                  alea_mem *mem);
void alea_tabular_cfr_clear(alea_tabular_cfr *cfr);
/* Lists all positions from that of 'cursor' on.  ALEA_LIMIT: there are more
 * than 'most', they do not fit into the memory, positions repeat, or the
 * time manager ran past half of its time. */
alea_status alea_tabular_cfr_open(alea_tabular_cfr *cfr, alea_cursor *position, uint32_t most,
                                  alea_time_manager *time_manager);
/* Goes over all of them once. */
alea_status alea_tabular_cfr_run(alea_tabular_cfr *cfr);
/* The node of the position, the last of the order. */
const alea_node *alea_tabular_cfr_root(const alea_tabular_cfr *cfr);

#endif
