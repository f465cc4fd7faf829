#ifndef ALEA_PLAY_MOVE_ORDER_H
#define ALEA_PLAY_MOVE_ORDER_H

/* Whether what a game comes to depends on the order in which moves are made.
 *
 * A uniform play is made again, the moves of each role in another order.  In Hex the same board
 * is filled and the same role has won; in dots and boxes others complete the boxes, and in chess
 * most moves are not even legal by then. */

#include "play/rollout.h"

typedef struct alea_move_order {
  alea_rollout rollout;
  alea_rng rng;
  alea_trace trace;       /* moves of the play, then in the other order */
  uint32_t *next;         /* per role: where in 'trace' its next move is looked for */
  float *rewards, *again; /* of the play, and of the other order */
  uint32_t plays, same;   /* so far, and those that came to the same */
} alea_move_order;

alea_status alea_move_order_init(alea_move_order *order, const alea_game *game, uint64_t seed,
                                 uint32_t step_cap, alea_mem *mem);
void alea_move_order_clear(alea_move_order *order);

/* Makes a play from a position, and makes it again, unless enough is known. */
alea_status alea_move_order_try(alea_move_order *order, alea_cursor *cursor, const uint64_t *words,
                                size_t count);
/* Whether the order is known not to matter. */
bool alea_move_order_is_free(const alea_move_order *order);

#endif
