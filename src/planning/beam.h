#ifndef ALEA_PLANNING_BEAM_H
#define ALEA_PLANNING_BEAM_H

/* Beam search for games with one role: at each step all successors of the
 * positions of the beam are visited and the best few are kept.  Positions are
 * compared by their goal value and by their distance from the best goal
 * (planning/goal_distance.h), ties are broken at random.  When a beam ends
 * without the target, a wider one begins.
 *
 * It suits puzzles where a position shows how far the goal is.  A beam that
 * kept all successors has seen all that can be reached, and the search ends;
 * that proves nothing, since positions are compared by their hashes. */

#include "base/vec.h"
#include "base/verdict.h"
#include "game/game.h"

typedef struct alea_beam alea_beam;

typedef struct alea_beam_options {
  uint32_t stages; /* length of a playout, about; beams go a few times as far */
  uint64_t seed;
  size_t memory; /* 0 = 1 GiB */
} alea_beam_options;

/* From the position 'words' of the game, which has one role and a network. */
alea_status alea_beam_new(alea_beam **beam, const alea_game *game, const uint64_t *words,
                          size_t word_count, const alea_beam_options *options, alea_mem *mem);
void alea_beam_free(alea_beam *beam); /* NULL is a no-op. */

/* Continues for 'nodes' positions, or until a terminal position is worth
 * 'target'.  Past the deadline it stops between two moves and is spent. */
alea_status alea_beam_run(alea_beam *beam, int target, uint64_t nodes,
                          const alea_deadline *deadline);
bool alea_beam_spent(const alea_beam *beam); /* nothing more can be found */
uint64_t alea_beam_nodes(const alea_beam *beam);
/* The goal of the best terminal position so far, -1 where there was none, and
 * the moves to it, which live until the next run. */
int alea_beam_best(const alea_beam *beam);
alea_list alea_beam_moves(const alea_beam *beam);

#endif
