#ifndef ALEA_PLAN_FOLLOWER_FORWARD_SEARCH_H
#define ALEA_PLAN_FOLLOWER_FORWARD_SEARCH_H

/* Forward search for games with one role over positions, each looked at once.
 * The cheap complement of clauses (planning/planner.h): where the positions are few
 * it is exhaustive, and knows the best goal.
 *
 *   breadth   shortest ways first
 *   depth     the last position first; of its successors the one with the best
 *             goal value, equal ones in random order.  For games where pieces
 *             only come or only go.
 *
 * In breadth, many puzzles count their steps, which makes every position new.  Fluents
 * that are the same after t steps whatever was played (as far as some random
 * plays tell) are the clock; positions that differ in the clock alone are
 * taken for one, the earlier.  What was found that way is right all the same,
 * but an end without a find proves nothing, and the search then begins again
 * with the clock. */

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

/* Goes on for 'nodes' positions (0 = no such limit) to find an end with at
 * least 'target'.  Refuted: there is none, and all is known.  Unknown: the
 * budget is spent; with the memory, or past the deadline, which comes between
 * two moves of a position, for good (then alea_forward_full). */
alea_status alea_forward_run(alea_forward *forward, int target, uint64_t nodes,
                             const alea_deadline *deadline, alea_verdict *answer);
bool alea_forward_full(const alea_forward *forward);
uint64_t alea_forward_nodes(const alea_forward *forward);
/* The best end found so far: its goal, -1 where none was, and the moves to
 * it, which live until the next run. */
int alea_forward_best(const alea_forward *forward);
alea_list alea_forward_path(const alea_forward *forward);

#endif
