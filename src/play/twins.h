#ifndef ALEA_PLAY_TWINS_H
#define ALEA_PLAY_TWINS_H

/* Symmetry in the tree: of the arms that a symmetry of the position maps to
 * each other, only the first is tried, and its child is everybody's.
 *
 * Only positions that are symmetric themselves have such arms: the first ones
 * of a game, and those after a move that keeps some of the symmetry.  What is
 * found below one arm is right for its twins, so proofs hold. */

#include "base/clock.h"
#include "play/player.h"
#include "play/store.h"
#include "scsp/services.h"

typedef struct alea_twins {
  alea_mem *mem;
  const alea_mirror *mirror; /* NULL: none, or not known yet */
  uint64_t *image;           /* scratch: a position */
  alea_u32s classes;         /* scratch */
  uint32_t asked;            /* times that symmetries were looked for in vain */
} alea_twins;

/* Looks for the symmetries of the game within a part of the budget, unless they
 * are known or could not be found before. */
alea_status alea_twins_learn(alea_twins *twins, const alea_player_setup *setup,
                             const alea_budget *budget);
void alea_twins_clear(alea_twins *twins);

/* Marks the twins among the arms of a node, if one role chooses there. */
alea_status alea_twins_mark(alea_twins *twins, alea_store *store, alea_node *node);

#endif
