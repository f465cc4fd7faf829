#ifndef ALEA_CLI_HUMAN_H
#define ALEA_CLI_HUMAN_H

/* A human at this terminal as a remote player of a match: the player
 * `human`. */

#include "cli/draw.h"
#include "match/remote_player.h"

typedef struct alea_cli_humans {
  alea_cli_session *session; /* provides the output */
  alea_cli_drawing *drawing;
  atomic_bool *stop; /* raised when the input ends or the human quits */
} alea_cli_humans;

/* An alea_remote_player_opener for the text `human`; its context is an
 * alea_cli_humans. */
alea_remote_player_opener alea_cli_human_open;

#endif
