#ifndef ALEA_NET_REMOTE_H
#define ALEA_NET_REMOTE_H

/* Players behind HTTP, as guests of a match (match/guest.h).
 *
 * Clocks are those of ggp-base: 5 seconds to connect, START within the start
 * clock, PLAY within the play clock and the grace, STOP within the play clock,
 * ABORT within a second.  On the wire clocks are whole seconds; fractions are
 * rounded up. */

#include "match/guest.h"
#include "net/ggp.h"

typedef struct alea_remotes {
  alea_ggp_dialect dialect;
  bool scramble;           /* other words for every match, by its seed */
  const atomic_bool *stop; /* raised: requests end at once; may be NULL */
} alea_remotes;

/* An alea_guest_opener for texts `http://host:port`; its context is an
 * alea_remotes that outlives the match.  alea_http_global comes first. */
alea_guest_opener alea_remote_open;

/* Asks INFO again and again until the player at 'url' answers or 'seconds' are
 * over.  ALEA_SYSTEM: it did not.  'answer' gets what it said. */
alea_status alea_remote_wait(const alea_remotes *remotes, const char *url, double seconds,
                             alea_text *answer);

#endif
