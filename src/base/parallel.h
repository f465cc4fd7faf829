#ifndef ALEA_BASE_PARALLEL_H
#define ALEA_BASE_PARALLEL_H

/* Numbered tasks on several threads: a thread that has ended one takes the next.
 *
 * Which thread runs a task is chance.  Work whose result must not depend on it keeps what a task
 * finds out by its number, and lets no task see what another has left behind in its worker. */

#include <stdint.h>

#include "base/mem.h"

enum { ALEA_PARALLEL_MOST = 64 }; /* threads */

typedef struct alea_parallel {
  uint32_t threads; /* the thread that calls is one of them; those that cannot be made are left out,
                       0 is 1 */
  uint32_t tasks;
  /* Runs a task; 'mem' is the worker's own, in which everything is to be freed that 'end' does not
   * free.  After a failure no task is begun any more. */
  alea_status (*run)(void *context, void *worker, uint32_t task, alea_mem *mem);
  /* Makes what a worker needs for all of its tasks, and frees it, with any status of 'begin'; in
   * the thread that works.  Both may be NULL. */
  alea_status (*begin)(void *context, void *worker, alea_mem *mem);
  void (*end)(void *context, void *worker, alea_mem *mem);
  size_t worker_size; /* bytes of a worker, which are 0 at first */
  void *context;
} alea_parallel;

/* Runs the tasks; workers share out what 'mem' has left.  The status is that of the failed task
 * with the lowest number, or of a worker that could not begin. */
alea_status alea_parallel_run(const alea_parallel *parallel, alea_mem *mem);

#endif
