#ifndef ALEA_PLAY_SYMMETRIC_MOVES_H
#define ALEA_PLAY_SYMMETRIC_MOVES_H

/* Symmetric moves in the tree: of the arms that a symmetry of the position maps
 * to each other, only the first is tried, and its child is the child of all.
 *
 * Only positions that are symmetric themselves have such arms: the first ones
 * of a game, and those after a move that keeps some of the symmetry.  What is
 * found below one arm holds for those symmetric to it, so proofs hold. */

#include "base/clock.h"
#include "encode/services.h"
#include "play/node_store.h"
#include "play/player.h"

typedef struct alea_symmetric_moves {
  alea_mem *mem;
  const alea_game_symmetry *symmetry; /* NULL: none, or not known yet */
  uint64_t *image;                    /* scratch: a position */
  alea_u32s classes;                  /* scratch */
  uint32_t asked;                     /* times that symmetries were looked for in vain */
} alea_symmetric_moves;

/* Looks for the symmetries of the game within a part of the budget, unless they
 * are known or could not be found before. */
alea_status alea_symmetric_moves_learn(alea_symmetric_moves *symmetric,
                                       const alea_player_setup *setup, const alea_budget *budget);
void alea_symmetric_moves_clear(alea_symmetric_moves *symmetric);

/* Marks the symmetric moves among the arms of a node, if one role chooses there. */
alea_status alea_symmetric_moves_mark(alea_symmetric_moves *symmetric, alea_node_store *store,
                                      alea_node *node);

#endif
