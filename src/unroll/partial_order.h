#ifndef ALEA_UNROLL_PARTIAL_ORDER_H
#define ALEA_UNROLL_PARTIAL_ORDER_H

/* Partial order of the moves of one role: pairs of moves that can be exchanged.
 *
 * Many puzzles can be solved in any order, and clauses over stages refute each
 * order separately.  A pair of moves a > b can be exchanged if, in any reachable
 * state, playing a and then b can be replaced by b and then a: legal, not
 * terminal in between, and with the same state after it.  A plan can then be
 * sorted until no such a stands right before such a b, and the unrolling forbids
 * all other plans.
 *
 * The pairs are found by clauses over two stages from an open state: each model
 * is a pair that cannot be exchanged and is taken out, until there is no model.
 * Of reachability only the mutexes are known (unroll/mutex.h); the remaining
 * pairs are proved for all states that keep them. */

#include "base/vec.h"
#include "base/verdict.h"
#include "game/game.h"

/* Moves b in first .. last can be exchanged with a. */
typedef struct alea_partial_order_run {
  alea_move first, last;
} alea_partial_order_run;

typedef struct alea_partial_order {
  alea_mem *mem;
  uint32_t move_count;
  uint32_t *run_first; /* of move a: runs.data[run_first[a]] .. runs.data[run_first[a + 1] - 1] */
  ALEA_VEC(alea_partial_order_run) runs;
  uint8_t *cuts;  /* per move k: all of k, k + 1, ... can be exchanged with all before k */
  uint64_t pairs; /* a > b that can be exchanged */
} alea_partial_order;

/* For a game with one role.  '*order' is NULL (and the status ALEA_OK) where
 * the effort was too small or too few pairs remained to be of use.
 * ALEA_UNSUPPORTED: not played by a network. */
alea_status alea_partial_order_new(alea_partial_order **order, const alea_game *game,
                                   const alea_effort *effort, alea_mem *mem);
void alea_partial_order_free(alea_partial_order *order); /* NULL is a no-op. */

#endif
