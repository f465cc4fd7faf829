#ifndef ALEA_CLI_STANDINGS_H
#define ALEA_CLI_STANDINGS_H

/* The standings of an event, as a table for the terminal and as JSON. */

#include "base/json.h"
#include "tournament/scheduler.h"

/* The table: rank, entrant, points, matches, faults, forfeits, matches now. */
void alea_cli_standings_text(const alea_progress *progress, alea_text *out);
/* The value of a key: an array of objects, best first. */
void alea_cli_standings_json(const alea_tournament_plan *plan, const alea_standing *standings,
                             alea_json *json);
/* The whole event as one object, for spectators. */
void alea_cli_event_json(const alea_progress *progress, alea_text *out);

#endif
