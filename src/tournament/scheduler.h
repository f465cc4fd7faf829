#ifndef ALEA_TOURNAMENT_SCHEDULER_H
#define ALEA_TOURNAMENT_SCHEDULER_H

/* The scheduler of a tournament: gives out units that are not stored yet,
 * stores their outcomes, and gives out lost units again.
 *
 * Units are given out in rounds, some matches of every pairing and then twice as
 * many, so that a run that is stopped has played of all of them; the matches of a
 * pairing come in their order.  A unit whose remote player has no free seat waits
 * until it has one. */

#include "tournament/pool.h"
#include "tournament/store.h"

/* A player's results so far, over all matches of the plan. */
typedef struct alea_standing {
  uint64_t matches;
  double score;
  uint64_t faults;   /* moves that were late, illegal or missing, and forfeits */
  uint64_t forfeits; /* matches that it forfeited */
  uint32_t playing;  /* matches now */
} alea_standing;

typedef struct alea_progress {
  const alea_tournament_plan *plan;
  uint64_t done, total;           /* matches stored, including those of earlier runs */
  uint64_t now;                   /* stored by this run */
  uint64_t failed;                /* given up by this run */
  uint64_t lost;                  /* processes that died */
  double seconds;                 /* since the start of this run */
  const alea_standing *standings; /* per player of the plan */
} alea_progress;

typedef struct alea_tournament {
  const alea_tournament_plan *plan;
  alea_result_store *store;
  alea_pool *pool;
  /* Called a few times a second; any status but ALEA_OK ends the run, and
   * results so far are stored.  May be NULL. */
  alea_status (*report)(void *context, const alea_progress *progress);
  void *context;
  alea_diag *diag; /* matches that could not be played */
} alea_tournament;

/* Plays all units that are not marked in 'done' (from alea_result_store_plan).
 * At the end 'progress' has the numbers, but its standings are freed.  ALEA_NO:
 * some matches could not be played; they stay open in the database. */
alea_status alea_tournament_run(const alea_tournament *tournament, bool *done,
                                alea_progress *progress, alea_mem *mem);

#endif
