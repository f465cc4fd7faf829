#ifndef ALEA_PLANNING_FORWARD_SEARCH_H
#define ALEA_PLANNING_FORWARD_SEARCH_H

/* Forward search for games with one role, which visits each position once.  It
 * is the cheap complement of SAT planning (planning/planner.h): where positions
 * are few it is exhaustive and finds the best goal.
 *
 *   breadth   shortest paths first
 *   depth     the last position first; of its successors the one with the best
 *             goal value, equal ones in random order.  For games where pieces
 *             are only added or only removed.
 *
 * Many puzzles count their steps, which makes every position of a breadth-first
 * search new.  Fluents that are the same after t steps whatever was played (in
 * some random playouts) are the clock; of positions that differ in the clock
 * alone only the first is kept.  A plan found that way is correct.  Where none
 * is found that proves nothing, and the search begins again with the clock. */

#include "base/vec.h"
#include "base/verdict.h"
#include "game/game.h"

typedef struct alea_forward alea_forward;
typedef enum alea_forward_order { ALEA_FORWARD_BREADTH, ALEA_FORWARD_DEPTH } alea_forward_order;

/* From the position 'words' of the game, which has one role; 'memory' bounds
 * the positions (0 = 1 GiB). */
alea_status alea_forward_new(alea_forward **forward, const alea_game *game, const uint64_t *words,
                             size_t word_count, alea_forward_order order, uint64_t seed,
                             size_t memory, alea_mem *mem);
void alea_forward_free(alea_forward *forward); /* NULL is a no-op. */

/* Continues for 'nodes' positions (0 = no such limit) to find a terminal
 * position worth at least 'target'.  Refuted: there is none, and all positions
 * were visited.  Unknown: the nodes are used up; or the memory is, or the
 * deadline passed between two moves, and then the search cannot go on
 * (alea_forward_full). */
alea_status alea_forward_run(alea_forward *forward, int target, uint64_t nodes,
                             const alea_deadline *deadline, alea_verdict *answer);
bool alea_forward_full(const alea_forward *forward);
uint64_t alea_forward_nodes(const alea_forward *forward);
/* The goal of the best terminal position so far, -1 where there was none, and
 * the moves to it, which live until the next run. */
int alea_forward_best(const alea_forward *forward);
alea_list alea_forward_path(const alea_forward *forward);

#endif
