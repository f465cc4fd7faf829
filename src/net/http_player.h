#ifndef ALEA_NET_HTTP_PLAYER_H
#define ALEA_NET_HTTP_PLAYER_H

/* Players behind HTTP, as remote players of a match (match/remote_player.h).
 *
 * Deadlines are those of ggp-base: 5 seconds to connect, START within the start
 * clock, PLAY within the play clock plus the grace, STOP within the play clock,
 * INFO and ABORT within a second.  In messages clocks are whole seconds; fractions are
 * rounded up. */

#include "match/remote_player.h"
#include "net/ggp.h"

typedef struct alea_http_players {
  alea_ggp_dialect dialect;
  bool scramble;           /* new words for every match, drawn from its seed */
  const atomic_bool *stop; /* when raised, requests end at once; may be NULL */
} alea_http_players;

/* An alea_remote_player_opener for texts `http://host:port`.  Its context is an
 * alea_http_players that outlives the match.  alea_http_global must have been
 * called. */
alea_remote_player_opener alea_http_player_open;

/* An alea_remote_player_probe with the same context: sends INFO until the player
 * is available or the time is over, at least once. */
alea_remote_player_probe alea_http_player_probe;

#endif
