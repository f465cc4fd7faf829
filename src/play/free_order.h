#ifndef ALEA_PLAY_FREE_ORDER_H
#define ALEA_PLAY_FREE_ORDER_H

/* Whether moves may be made in any order: what a game comes to does not depend on it.
 *
 * A uniform play is made again, the moves of each role in another order.  In Hex the same board
 * is filled and the same role has won; in dots and boxes others complete the boxes, and in chess
 * most moves are not even legal by then. */

#include "play/rollout.h"

typedef struct alea_free_order {
  alea_rollout rollout;
  alea_rng rng;
  alea_trace trace;       /* moves of the play, then in the other order */
  uint32_t *next;         /* per role: where in 'trace' its next move is looked for */
  float *rewards, *again; /* of the play, and of the other order */
  uint32_t plays, same;   /* so far, and those that came to the same */
} alea_free_order;

alea_status alea_free_order_init(alea_free_order *order, const alea_game *game, uint64_t seed,
                                 uint32_t step_cap, alea_mem *mem);
void alea_free_order_clear(alea_free_order *order);

/* Makes a play from a position, and makes it again, unless enough is known.  ALEA_LIMIT: the time
 * manager says that it is late. */
alea_status alea_free_order_try(alea_free_order *order, alea_cursor *cursor, const uint64_t *words,
                                size_t count, struct alea_time_manager *time_manager);
/* Whether enough plays have shown it. */
bool alea_free_order_is_shown(const alea_free_order *order);

#endif
