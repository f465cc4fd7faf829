#ifndef ALEA_CLI_CHECK_PLAYS_H
#define ALEA_CLI_CHECK_PLAYS_H

/* The part of `alea check` that plays: witnesses (match/witness.h) of one
 * rulesheet. */

#include "base/json.h"
#include "match/open.h"
#include "match/witness.h"

/* The caller embeds it, zeroed, and clears it after 'diag' of the report. */
typedef struct alea_check_plays {
  alea_opened opened;
  alea_witnesses found;
  bool is_open;
} alea_check_plays;

/* Searches for 'seconds'.  A rulesheet that cannot be played has no plays:
 * ALEA_OK.  ALEA_SYSTEM: no memory. */
alea_status alea_check_plays_find(alea_check_plays *plays, const char *name, const char *text,
                                  size_t length, double seconds, size_t memory);
void alea_check_plays_clear(alea_check_plays *plays);

/* Adds what the plays show to 'diag', except what a static report there says
 * already. */
void alea_check_plays_report(alea_check_plays *plays, alea_severity severity, alea_diag *diag);

/* The plays as text, long ones cut; as the member "plays" of an object, if there
 * was a search; and as one file of moves. */
void alea_check_plays_print(const alea_check_plays *plays, alea_text *out);
void alea_check_plays_json(const alea_check_plays *plays, alea_json *json, alea_mem *mem);
void alea_check_plays_moves(const alea_check_plays *plays, alea_text *out);

#endif
