#ifndef ALEA_UNROLL_PARTIAL_ORDER_H
#define ALEA_UNROLL_PARTIAL_ORDER_H

/* Moves of one role that may change places.
 *
 * Puzzles where pieces are put down can be solved in any order, and clauses
 * over stages refute each order anew.  A pair of moves a > b may change places
 * if, in any state that can be reached, playing a and then b can be replaced by
 * b and then a: legal, not ending in between, with the same state after it.  A plan
 * can then be sorted until no such a stands right before such a b, and the
 * unrolling forbids all others.
 *
 * Found by clauses over two stages from an open state: each model is a pair
 * that may not change places and is taken out, until there is no model.  Of
 * what can be reached it is only known which fluents exclude each other
 * (unroll/mutex.h); what remains is proved for all states where they do. */

#include "base/vec.h"
#include "base/verdict.h"
#include "game/game.h"

/* Moves b in first .. last may change places with a. */
typedef struct alea_partial_order_run {
  alea_move first, last;
} alea_partial_order_run;

typedef struct alea_partial_order {
  alea_mem *mem;
  uint32_t move_count;
  uint32_t *run_first; /* of move a: runs.data[run_first[a]] .. runs.data[run_first[a + 1] - 1] */
  ALEA_VEC(alea_partial_order_run) runs;
  uint8_t *apart; /* per move k: all of k, k + 1, ... may change places with all before k */
  uint64_t pairs; /* a > b that may change places */
} alea_partial_order;

/* For a game with one role.  '*commute' is NULL (and the status ALEA_OK) where
 * the effort was too small or too few pairs remained to be of use.  ALEA_UNSUPPORTED:
 * not played by a network. */
alea_status alea_partial_order_new(alea_partial_order **commute, const alea_game *game,
                                   const alea_effort *effort, alea_mem *mem);
void alea_partial_order_free(alea_partial_order *commute); /* NULL is a no-op. */

#endif
