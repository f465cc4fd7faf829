#ifndef ALEA_CLI_SESSION_H
#define ALEA_CLI_SESSION_H

/* The session of a command that opens one game: the game, one cursor, the
 * diagnostics and a buffer for the output, set up and torn down together. */

#include "base/json.h"
#include "cli/cli.h"
#include "match/open.h"

typedef struct alea_cli_session {
  alea_mem mem; /* of the command itself; no limit */
  alea_diag diag;
  size_t printed; /* diagnostics printed so far */
  alea_opened opened;
  alea_cursor *cursor; /* at the initial position */
  alea_text out;
  alea_deadline stop; /* raised by Ctrl-C, where it is caught */
} alea_cli_session;

/* Opens 'game' and prints what is wrong with it.  The session must be closed in
 * any case. */
alea_status alea_cli_open(alea_cli_session *session, const char *game,
                          const alea_open_options *options);
/* From now on Ctrl-C raises the result (cli/interrupt.h), and ends questions to the
 * game's engine with ALEA_LIMIT. */
atomic_bool *alea_cli_session_catch(alea_cli_session *session);
/* Prints the remaining diagnostics, frees everything, and returns the exit
 * status for 'status'. */
int alea_cli_close(alea_cli_session *session, alea_status status);

#endif
