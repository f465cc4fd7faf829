#ifndef ALEA_PAGE_JOB_H
#define ALEA_PAGE_JOB_H

/* One command of the program in a process of its own, from its input to its
 * end. */

#include <stdatomic.h>

#include "base/text.h"
#include "page/launcher.h"

typedef struct alea_job {
  const char *const *words; /* the command line, ended by NULL */
  alea_launch_limits limits;
  const char *input; /* its standard input */
  size_t length;
  double seconds;    /* after which it is ended; 0: never */
  size_t most_bytes; /* of its output; a process that writes more is ended */
  /* May be NULL.  Is shown the output whenever there is more of it, and may take lines away
   * from its start. */
  void (*look)(void *context, alea_text *output);
  void *context;
  const atomic_bool *stop;  /* when raised, the process is ended; may be NULL */
  double patience;          /* before that it is asked to end and has so many seconds, */
  const atomic_bool *hurry; /* or none once this is raised; may be NULL */
} alea_job;

/* Runs the job and appends what it wrote.  '*status' is its exit status.
 * ALEA_LIMIT: it took too long or too much, wrote too much, or failed, and was
 * ended; 'errors' then is a sentence that says which.  ALEA_NONE: it was stopped; 'output' is what
 * it said until then.
 * ALEA_SYSTEM: it could not be started. */
alea_status alea_job_run(alea_launcher *launcher, const alea_job *job, alea_text *output,
                         alea_text *errors, int *status);

#endif
