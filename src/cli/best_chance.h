#ifndef ALEA_CLI_BEST_CHANCE_H
#define ALEA_CLI_BEST_CHANCE_H

/* Positions where nobody but chance has a choice: what 'alea best' says of them.  Every
 * outcome is listed with its probability, and with what a player makes of the position
 * after it. */

#include "cli/session.h"
#include "play/player.h"

typedef struct alea_cli_chance {
  alea_cli_session *session; /* its cursor is at the position */
  const char *role;          /* whose values; NULL: the first that has a choice afterwards */
  size_t lines;              /* outcomes listed at most; 0 is all */
  bool json;
  alea_budget budget; /* of all outcomes together */
  /* Makes a player for 'role' that was told what led to the position; the caller of 'open'
   * frees it. */
  alea_status (*open)(void *context, uint32_t role, alea_player **player);
  void *context;
} alea_cli_chance;

/* In how many ways chance moves here, if nobody else has a choice; 0: it does not, or
 * somebody has. */
alea_status alea_cli_chance_ways(alea_cursor *cursor, uint32_t *ways);
/* Values the outcomes and prints them.  At a terminal each is printed when it is known;
 * those that the time does not suffice for have no value. */
alea_status alea_cli_chance_print(const alea_cli_chance *chance);

#endif
