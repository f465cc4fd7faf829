#ifndef ALEA_TOURNAMENT_SCHEDULER_H
#define ALEA_TOURNAMENT_SCHEDULER_H

/* The scheduler of a tournament: gives out what is not stored yet, stores what
 * comes back, and gives to another what was lost with its process. */

#include "tournament/pool.h"
#include "tournament/store.h"

/* A player's results so far, over all matches of the plan. */
typedef struct alea_standing {
  uint64_t matches;
  double score;
} alea_standing;

typedef struct alea_progress {
  const alea_tournament_plan *plan;
  uint64_t done, total;           /* matches stored, those of earlier runs included */
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
  /* Called a few times a second; anything but ALEA_OK ends the run, and what
   * came in until then is stored.  May be NULL. */
  alea_status (*report)(void *context, const alea_progress *progress);
  void *context;
  alea_diag *diag; /* matches that could not be played */
} alea_tournament;

/* Plays all that 'done' (from alea_result_store_plan) does not say was played.
 * 'progress' has the numbers at the end; its standings are gone.  ALEA_NO:
 * some matches could not be played; they stay open in the database. */
alea_status alea_tournament_run(const alea_tournament *tournament, bool *done,
                                alea_progress *progress, alea_mem *mem);

#endif
