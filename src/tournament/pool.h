#ifndef ALEA_TOURNAMENT_POOL_H
#define ALEA_TOURNAMENT_POOL_H

/* Worker pools: the processes that play the units of a tournament, on this
 * machine or on the ranks of an MPI job.
 *
 * The scheduler gives out numbers of units and waits for events.  Each unit
 * comes back in exactly one event: as a result, or as lost because its process
 * died.  A worker that died is replaced.  Nothing is written to disk here. */

#include "tournament/outcome.h"

typedef enum alea_pool_kind { ALEA_POOL_NOTHING, ALEA_POOL_RESULT, ALEA_POOL_LOST } alea_pool_kind;

typedef struct alea_pool_event {
  alea_pool_kind kind;
  const char *bytes; /* of a result: an outcome; valid until the next call */
  size_t length;
  uint64_t unit; /* that was lost */
  bool playing;  /* it was being played, not queued */
  int signal;    /* that ended the process; 0: it exited, or the rank is silent */
} alea_pool_event;

typedef struct alea_pool alea_pool;

typedef struct alea_pool_class {
  void (*free)(alea_pool *pool);
  /* Gives a unit to a worker that has fewer than 'depth' units; ALEA_NONE: there
   * is no such worker. */
  alea_status (*give)(alea_pool *pool, uint64_t unit, uint32_t depth);
  /* Waits at most 'seconds' for an event. */
  alea_status (*wait)(alea_pool *pool, double seconds, alea_pool_event *event);
} alea_pool_class;

struct alea_pool {
  const alea_pool_class *class;
  alea_mem *mem;
  const alea_tournament_plan *plan;
};

/* A pool of 'workers' child processes.  They exit when this process ends, even
 * if it is killed.  Must be made and used by a process with one thread. */
alea_status alea_pool_local(alea_pool **pool, const alea_tournament_plan *plan, uint32_t workers,
                            alea_mem *mem);
static inline void alea_pool_free(alea_pool *pool) {
  if (pool != NULL) pool->class->free(pool);
}

/* ---- MPI ---- */

/* Whether this process was started by mpirun or srun as one of several. */
bool alea_mpi_started(void);
/* Whether the program was built with MPI. */
bool alea_mpi_built(void);
/* Joins the job: rank 0 is the scheduler. */
alea_status alea_mpi_join(int *rank, int *ranks);
/* Leaves the job.  'broken': some rank is silent, so the job is ended with exit
 * status 'status' instead of waiting for it. */
void alea_mpi_leave(bool broken, int status);
/* Sends 'text' of rank 0 to all other ranks, which receive it in '*text'. */
alea_status alea_mpi_share(alea_text *text);
/* The pool of rank 0: every other rank, with 'workers' processes each.
 * '*broken' is raised when a rank is given up because it was silent for
 * 'patience' seconds; all ranks must have the same patience. */
alea_status alea_pool_mpi(alea_pool **pool, const alea_tournament_plan *plan, uint32_t workers,
                          double patience, bool *broken, alea_mem *mem);
/* The loop of every other rank, until rank 0 has no more work.  'told_to_stop' asks whether a
 * signal to end has come.  Mostly all ranks get it and rank 0 says so soon; ALEA_LIMIT: it did
 * not, so this rank alone has to go. */
alea_status alea_mpi_serve(const alea_tournament_plan *plan, uint32_t workers, double patience,
                           bool (*told_to_stop)(void), alea_mem *mem);

#endif
