#ifndef ALEA_TESTS_STARVE_H
#define ALEA_TESTS_STARVE_H

/* Tests an engine under lack of memory: games are made and played while
 * allocations fail.
 *
 * Asserts (cmocka) that nothing leaks, nothing crashes and every failure is a
 * status. */

#include "support/load.h"

/* Fails the first allocation, then the second, and so on, until a whole game
 * needs no more of them. */
void starve_every_allocation(make_game *make);
/* Memory limits from a kilobyte upward: a limit that is reached is a status. */
void starve_by_limits(make_game *make);

#endif
