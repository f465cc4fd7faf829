#ifndef ALEA_NET_FOLLOWER_H
#define ALEA_NET_FOLLOWER_H

/* A follower reads what a game manager reports of a match and tells a player.
 *
 * Managers report a step in three ways: the joint move; percepts; or a percept
 * `(did role move)` for each role, where the rules were extended by that.  In a
 * game with `sees` the message decides which of them it is: ggp-base's manager
 * does not know `sees` and sends joint moves in every game. */

#include "base/vec.h"
#include "net/slices.h"
#include "play/player.h"

typedef struct alea_follower {
  alea_mem *mem;
  alea_player *player; /* borrowed, as is the game */
  const alea_game *game;
  uint32_t role;
  alea_slice did;      /* the function of percepts that tell the moves; empty: there is none */
  alea_cursor *cursor; /* the position; NULL once percepts are all that is told */
  size_t joints;       /* steps told as joint moves, in a game with percepts */
  alea_move *joint;
  alea_u32s percepts;
  alea_text text; /* scratch */
} alea_follower;

/* At the initial position; must be cleared in any case. */
alea_status alea_follower_init(alea_follower *follower, alea_player *player, const alea_game *game,
                               uint32_t role, alea_mem *mem);
void alea_follower_clear(alea_follower *follower); /* also if it was never initialised */

/* Reads a step and tells the player.  'own' is the player's move as far as it is
 * known, otherwise empty; 'numbered' tells that the message had turn and own
 * move, so that 'events' are percepts.  ALEA_INPUT: the message does not fit the
 * rules and what was played before; nothing has changed. */
alea_status alea_follower_step(alea_follower *follower, bool numbered, alea_slice own,
                               alea_slice events);

#endif
