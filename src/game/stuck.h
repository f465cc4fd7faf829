#ifndef ALEA_GAME_STUCK_H
#define ALEA_GAME_STUCK_H

/* Positions that are not over and where some role has no legal move.
 *
 * Playouts and searches end such a play without a result; a command says what
 * is wrong with the rules in one sentence, the same everywhere. */

#include "base/diag.h"
#include "game/game.h"

typedef struct alea_stuck {
  bool found;
  uint32_t role; /* the first that has no legal move */
  uint32_t step; /* of the joint move that cannot be made; the first is 1 */
} alea_stuck;

/* Looks at the position of 'cursor', which 'moves' joint moves led to.  A
 * position found earlier stays. */
alea_status alea_stuck_look(alea_stuck *stuck, alea_cursor *cursor, uint32_t moves);

/* ALEA_OK if nothing was found.  Otherwise ALEA_INPUT, and 'diag' names role and
 * step; 'file' (may be NULL) must outlive it. */
alea_status alea_stuck_report(const alea_stuck *stuck, const alea_game *game, const char *file,
                              alea_diag *diag);

/* Both at once. */
alea_status alea_stuck_refuse(alea_cursor *cursor, uint32_t moves, const char *file,
                              alea_diag *diag);

#endif
