#ifndef ALEA_PLANNING_POLICY_ADAPTATION_H
#define ALEA_PLANNING_POLICY_ADAPTATION_H

/* Random playouts that adapt their policy, for games with one role (Rosin,
 * IJCAI 2011, without the nesting).  Each move has a weight, equal at first,
 * which is raised along the best playout so far after every few playouts; when
 * they no longer get better, all begins anew.  At first, every other time, and
 * while all playouts are worth the same, nothing is adapted and moves are
 * uniform. */

#include "base/vec.h"
#include "base/verdict.h"
#include "game/game.h"

typedef struct alea_policy_adaptation alea_policy_adaptation;

/* From the position 'words' of the game, which has one role. */
alea_status alea_policy_adaptation_new(alea_policy_adaptation **adaptation, const alea_game *game,
                                       const uint64_t *words, size_t word_count, uint64_t seed,
                                       alea_mem *mem);
void alea_policy_adaptation_free(alea_policy_adaptation *adaptation); /* NULL is a no-op. */

/* Continues for 'steps' moves, or until a playout is worth 'target'. */
alea_status alea_policy_adaptation_run(alea_policy_adaptation *adaptation, int target,
                                       uint64_t steps, const alea_deadline *deadline);
uint64_t alea_policy_adaptation_steps(const alea_policy_adaptation *adaptation); /* so far */
/* Steps of the longest playout so far. */
uint32_t alea_policy_adaptation_longest(const alea_policy_adaptation *adaptation);
/* The goal of the best playout so far, -1 where none ended, and its moves,
 * which live until the next run. */
int alea_policy_adaptation_best(const alea_policy_adaptation *adaptation);
alea_list alea_policy_adaptation_moves(const alea_policy_adaptation *adaptation);

#endif
