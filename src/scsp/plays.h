#ifndef ALEA_SCSP_PLAYS_H
#define ALEA_SCSP_PLAYS_H

/* Random plays that learn, for games with one role: a weight for each move,
 * equal at first, raised along the best play so far after every few plays
 * (Rosin, IJCAI 2011, without the nesting), and begun anew when it no longer
 * gets better.  At first, every other time, and while all plays are worth the
 * same, nothing is learned and play is uniform. */

#include "base/vec.h"
#include "game/game.h"
#include "scsp/ruling.h"

typedef struct alea_plays alea_plays;

/* From the position 'words' of the game, which has one role. */
alea_status alea_plays_new(alea_plays **plays, const alea_game *game, const uint64_t *words,
                           size_t word_count, uint64_t seed, alea_mem *mem);
void alea_plays_free(alea_plays *plays); /* NULL is a no-op. */

/* Goes on for 'steps' moves, or until a play is worth 'target'. */
alea_status alea_plays_run(alea_plays *plays, int target, uint64_t steps,
                           const alea_deadline *deadline);
uint64_t alea_plays_steps(const alea_plays *plays); /* so far */
/* Steps of the longest play so far. */
uint32_t alea_plays_longest(const alea_plays *plays);
/* The best play so far, -1 where none ended, and its moves until the next run. */
int alea_plays_best(const alea_plays *plays);
alea_list alea_plays_moves(const alea_plays *plays);

#endif
