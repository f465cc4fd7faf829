#ifndef ALEA_CLI_HUMAN_H
#define ALEA_CLI_HUMAN_H

/* A human at this terminal as a remote player of a match: the player `human`; and the
 * opener of all remote players of a match from the command line. */

#include "cli/draw.h"
#include "match/remote_player.h"
#include "net/http_player.h"

typedef struct alea_cli_humans {
  alea_cli_session *session; /* provides the output */
  alea_cli_drawing *drawing;
  atomic_bool *stop; /* raised when the input ends or the human quits */
} alea_cli_humans;

/* Who may sit at a table, apart from players of this process. */
typedef struct alea_cli_seats {
  alea_cli_humans humans;
  alea_http_players remotes;
} alea_cli_seats;

/* An alea_remote_player_opener for `human` and for http://...; its context is an
 * alea_cli_seats. */
alea_remote_player_opener alea_cli_seat_open;

#endif
