#ifndef ALEA_PLAN_FOLLOWER_BEAM_H
#define ALEA_PLAN_FOLLOWER_BEAM_H

/* Beam search for games with one role: step after step, all successors of the
 * positions at hand are looked at and the best few kept.  Positions are
 * compared by the goal value they have and by how nearly the best goal holds
 * (planning/goal_distance.h), equal ones at random.  When a beam has run out without the
 * target, a wider one begins.
 *
 * For puzzles where one can see that one is getting nearer.  A beam that never
 * had to leave anything out has seen all that can be reached; that is the
 * end, and proves nothing, for positions are told apart by their hashes. */

#include "base/vec.h"
#include "base/verdict.h"
#include "game/game.h"

typedef struct alea_beam alea_beam;

typedef struct alea_beam_options {
  uint32_t stages; /* that plays have, about; beams go a few times as far */
  uint64_t seed;
  size_t memory; /* 0 = 1 GiB */
} alea_beam_options;

/* From the position 'words' of the game, which has one role and a network. */
alea_status alea_beam_new(alea_beam **beam, const alea_game *game, const uint64_t *words,
                          size_t word_count, const alea_beam_options *options, alea_mem *mem);
void alea_beam_free(alea_beam *beam); /* NULL is a no-op. */

/* Goes on for 'nodes' positions, or until an end is worth 'target'.  Past the
 * deadline it stops between two moves, for good. */
alea_status alea_beam_run(alea_beam *beam, int target, uint64_t nodes,
                          const alea_deadline *deadline);
bool alea_beam_spent(const alea_beam *beam); /* no more is to be had */
uint64_t alea_beam_nodes(const alea_beam *beam);
/* The best end so far, -1 where none was met, and the moves to it until the
 * next run. */
int alea_beam_best(const alea_beam *beam);
alea_list alea_beam_moves(const alea_beam *beam);

#endif
