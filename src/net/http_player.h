#ifndef ALEA_NET_HTTP_PLAYER_H
#define ALEA_NET_HTTP_PLAYER_H

/* Players behind HTTP, as remotes of a match (match/remote_player.h).
 *
 * Clocks are those of ggp-base: 5 seconds to connect, START within the start
 * clock, PLAY within the play clock and the grace, STOP within the play clock,
 * ABORT within a second.  On the protocol clocks are whole seconds; fractions are
 * rounded up. */

#include "match/remote_player.h"
#include "net/ggp.h"

typedef struct alea_http_players {
  alea_ggp_dialect dialect;
  bool scramble;           /* other words for every match, by its seed */
  const atomic_bool *stop; /* raised: requests end at once; may be NULL */
} alea_http_players;

/* An alea_remote_player_opener for texts `http://host:port`; its context is an
 * alea_http_players that outlives the match.  alea_http_global comes first. */
alea_remote_player_opener alea_http_player_open;

/* Asks INFO again and again until the player at 'url' answers or 'seconds' are
 * over.  ALEA_SYSTEM: it did not.  'answer' gets what it said. */
alea_status alea_http_player_wait(const alea_http_players *remotes, const char *url, double seconds,
                                  alea_text *answer);

#endif
