#ifndef ALEA_CLI_ARTIST_H
#define ALEA_CLI_ARTIST_H

/* Drawing positions in the terminal, for every command that shows one. */

#include "cli/session.h"
#include "match/sketch.h"

typedef struct alea_cli_artist {
  alea_cli_session *session;
  alea_drawing *drawing;
  alea_listing listing;
  bool ascii;
} alea_cli_artist;

/* Learns how to draw the session's game; the session's cursor comes back to
 * the initial position.  To be closed in any case. */
alea_status alea_cli_artist_open(alea_cli_artist *artist, alea_cli_session *session, bool ascii);
void alea_cli_artist_close(alea_cli_artist *artist);
/* Appends the position of 'cursor' to the session's output. */
alea_status alea_cli_artist_draw(alea_cli_artist *artist, alea_cursor *cursor);
/* Appends "the game is over: xplayer 100 oplayer 0" and a new line. */
alea_status alea_cli_artist_goals(alea_cli_artist *artist, alea_cursor *cursor);
/* Appends "  role: move" for those moves that are worth a word. */
void alea_cli_artist_moves(alea_cli_artist *artist, const alea_move *joint, const bool *had_choice);
/* Whether this terminal, or the person at it, wants plain ASCII. */
bool alea_cli_wants_ascii(bool asked);
/* Sleeps; nothing for 0. */
void alea_cli_wait(double seconds);

#endif
