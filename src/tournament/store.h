#ifndef ALEA_TOURNAMENT_STORE_H
#define ALEA_TOURNAMENT_STORE_H

/* The results of tournaments in an SQLite database.
 *
 * Planned matches have rows before they are played, so ids do not depend on the
 * order in which matches finish.  A match is stored completely, moves included,
 * in one transaction with others (write-ahead log): after a kill at any time
 * every match in the database is either done or still to do.  Only one process
 * at a time may write, whatever links lead to the database; a lock on a file
 * beside it ensures that and is released when its owner dies.  Reading needs no lock.
 *
 * Tables: games, pairings, matches, seats, moves, runs (who played when, with
 * which version), info.  docs/TOURNAMENTS.md describes the columns. */

#include "tournament/outcome.h"
#include "tournament/plan.h"

typedef struct alea_result_store alea_result_store;
struct sqlite3;

/* Opens 'path', which must outlive the store and 'diag', for writing; creates
 * it if new.  ALEA_SYSTEM: 'diag' says why not (in use by another tournament,
 * ...).  ALEA_INPUT: it is not a database of results, or it is damaged
 * (validate.h). */
alea_status alea_result_store_open(alea_result_store **store, const char *path, alea_mem *mem,
                                   alea_diag *diag);
/* Opens an existing database for reading, on a read-only file system too if
 * nobody was interrupted while writing it; fails as above. */
alea_status alea_result_store_read(alea_result_store **store, const char *path, alea_mem *mem,
                                   alea_diag *diag);
/* Reads a database that is in memory, of which it makes a copy; 'name' is used in
 * diagnostics and outlives the store.  Fails as above. */
alea_status alea_result_store_take(alea_result_store **store, const char *bytes, size_t length,
                                   const char *name, alea_mem *mem, alea_diag *diag);
/* Stores pending outcomes and closes; NULL is a no-op. */
alea_status alea_result_store_close(alea_result_store *store);
/* For queries. */
struct sqlite3 *alea_result_store_handle(alea_result_store *store);

typedef struct alea_result_store_run {
  const char *description; /* the YAML text */
  const char *host;
  uint32_t workers, cores;
} alea_result_store_run;

/* Inserts the plan, as far as it is not stored yet, and the start of a run; once
 * more with 'run' NULL when the plan has got further rounds.  Sets done[u] of every unit that was
 * played before.  ALEA_INPUT: the rules of a game differ from those of the matches in the database.
 */
alea_status alea_result_store_plan(alea_result_store *store, const alea_tournament_plan *plan,
                                   const alea_result_store_run *run, bool *done);
/* Stores an outcome; '*fresh' tells whether it is new. */
alea_status alea_result_store_put(alea_result_store *store, const alea_tournament_plan *plan,
                                  const alea_unit_outcome *outcome, bool *fresh);
/* Makes stored outcomes durable; call it from time to time. */
alea_status alea_result_store_commit(alea_result_store *store);
/* New outcomes that are durable, since the store was opened. */
uint64_t alea_result_store_kept(const alea_result_store *store);

#endif
