#ifndef ALEA_MATCH_CREW_H
#define ALEA_MATCH_CREW_H

/* Those who play the units of a tournament: processes of this machine, or the
 * ranks of an MPI job.
 *
 * The leader gives out numbers of units and waits for events.  A unit that
 * was given comes back exactly once in an event: as a result, or as lost
 * because its process died; whoever was lost is replaced.  Nothing is ever
 * written to disk here. */

#include "match/outcome.h"

typedef enum alea_crew_kind { ALEA_CREW_NOTHING, ALEA_CREW_RESULT, ALEA_CREW_LOST } alea_crew_kind;

typedef struct alea_crew_event {
  alea_crew_kind kind;
  const char *bytes; /* of a result: an outcome; valid until the next call */
  size_t length;
  uint64_t unit; /* of a loss */
  bool playing;  /* it was being played, not only waiting for its turn */
  int signal;    /* that ended the process; 0: it exited, or is not heard of */
} alea_crew_event;

typedef struct alea_crew alea_crew;

typedef struct alea_crew_class {
  void (*free)(alea_crew *crew);
  /* Gives a unit to somebody who has less than 'depth' of them; ALEA_NO when
   * all have. */
  alea_status (*give)(alea_crew *crew, uint64_t unit, uint32_t depth);
  /* Waits at most 'seconds' for an event. */
  alea_status (*wait)(alea_crew *crew, double seconds, alea_crew_event *event);
} alea_crew_class;

struct alea_crew {
  const alea_crew_class *class;
  alea_mem *mem;
  const alea_plan *plan;
};

/* A pool of 'workers' child processes.  They exit when this process is gone,
 * even when it was killed.  Must be made and used by a process with one
 * thread. */
alea_status alea_crew_local(alea_crew **crew, const alea_plan *plan, uint32_t workers,
                            alea_mem *mem);
static inline void alea_crew_free(alea_crew *crew) {
  if (crew != NULL) crew->class->free(crew);
}

/* ---- MPI ---- */

/* Whether this process was started by mpirun or srun as one of several. */
bool alea_mpi_started(void);
/* Whether the program was built with MPI. */
bool alea_mpi_built(void);
/* Joins the job; 'rank' 0 is the leader, 'ranks' their number. */
alea_status alea_mpi_join(int *rank, int *ranks);
/* Leaves it.  'broken': some rank is not heard of any more, so the job is ended
 * with exit status 'status' instead of waiting for it. */
void alea_mpi_leave(bool broken, int status);
/* Rank 0 gives 'text' to all others, who get it in '*text'. */
alea_status alea_mpi_share(alea_text *text);
/* The crew of rank 0: every other rank, with 'workers' processes each.
 * '*broken' is raised when a rank is given up because it said nothing for
 * 'patience' seconds; all ranks must have the same patience. */
alea_status alea_crew_mpi(alea_crew **crew, const alea_plan *plan, uint32_t workers,
                          double patience, bool *broken, alea_mem *mem);
/* What every other rank does until rank 0 has no more work. */
alea_status alea_mpi_serve(const alea_plan *plan, uint32_t workers, double patience, alea_mem *mem);

#endif
