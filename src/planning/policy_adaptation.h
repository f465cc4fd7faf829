#ifndef ALEA_PLAN_FOLLOWER_POLICY_ADAPTATION_H
#define ALEA_PLAN_FOLLOWER_POLICY_ADAPTATION_H

/* Random plays that learn, for games with one role: a weight for each move,
 * equal at first, raised along the best play so far after every few plays
 * (Rosin, IJCAI 2011, without the nesting), and begun anew when it no longer
 * gets better.  At first, every other time, and while all plays are worth the
 * same, nothing is learned and play is uniform. */

#include "base/vec.h"
#include "base/verdict.h"
#include "game/game.h"

typedef struct alea_policy_adaptation alea_policy_adaptation;

/* From the position 'words' of the game, which has one role. */
alea_status alea_policy_adaptation_new(alea_policy_adaptation **plays, const alea_game *game,
                                       const uint64_t *words, size_t word_count, uint64_t seed,
                                       alea_mem *mem);
void alea_policy_adaptation_free(alea_policy_adaptation *plays); /* NULL is a no-op. */

/* Goes on for 'steps' moves, or until a play is worth 'target'. */
alea_status alea_policy_adaptation_run(alea_policy_adaptation *plays, int target, uint64_t steps,
                                       const alea_deadline *deadline);
uint64_t alea_policy_adaptation_steps(const alea_policy_adaptation *plays); /* so far */
/* Steps of the longest play so far. */
uint32_t alea_policy_adaptation_longest(const alea_policy_adaptation *plays);
/* The best play so far, -1 where none ended, and its moves until the next run. */
int alea_policy_adaptation_best(const alea_policy_adaptation *plays);
alea_list alea_policy_adaptation_moves(const alea_policy_adaptation *plays);

#endif
