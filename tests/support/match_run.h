#ifndef ALEA_TESTS_MATCH_RUN_H
#define ALEA_TESTS_MATCH_RUN_H

/* Open games and matches for the tests of players. */

#include "match/runner.h"

/* Opens a shipped game or a file; the caller clears 'opened'. */
void open_game(alea_opened *opened, const char *name);
/* Opens a rulesheet given as text. */
void open_sheet(alea_opened *opened, const char *text);
/* One match with 'sims' simulations per move; asserts that it is completed
 * without a fault.  Stores the goals of the first two roles, and the record in
 * 'json' unless that is NULL. */
void run_match(const alea_opened *opened, const char *const *players, size_t count, uint64_t sims,
               uint64_t seed, int goals[2], alea_text *json);

#endif
