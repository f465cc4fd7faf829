#ifndef ALEA_GAME_PLAYOUT_H
#define ALEA_GAME_PLAYOUT_H

/* Random play and exhaustive counting, for any engine. */

#include "base/clock.h"
#include "game/stuck.h"

enum { ALEA_DEFAULT_STEP_CAP = 10000 };

typedef struct alea_playout {
  uint32_t steps;
  bool finished; /* reached a terminal position; else the cap, or no legal move */
} alea_playout;

/* Plays uniformly at random from the cursor's position until it is terminal,
 * some role has no legal move, or 'step_cap' steps (0 = the default) are made.
 * The cursor stays where the play ended. */
alea_status alea_playout_run(alea_cursor *cursor, alea_rng *rng, uint32_t step_cap,
                             alea_playout *result);

/* Counts the sequences of 1 .. depth joint moves from the cursor's position:
 * counts[d-1] sequences of length d.  A terminal position, or one where some
 * role has no legal move, has no continuation.  The cursor comes back to where
 * it was.  ALEA_LIMIT: the deadline (may be NULL) passed. */
alea_status alea_perft(alea_cursor *cursor, uint32_t depth, const alea_deadline *deadline,
                       uint64_t *counts, alea_mem *mem);
/* The same, which also records in 'stuck' the first position before the last
 * joint move where some role has no legal move. */
alea_status alea_perft_stuck(alea_cursor *cursor, uint32_t depth, const alea_deadline *deadline,
                             uint64_t *counts, alea_stuck *stuck, alea_mem *mem);

#endif
