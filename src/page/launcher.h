#ifndef ALEA_PAGE_LAUNCHER_H
#define ALEA_PAGE_LAUNCHER_H

/* Starts processes for what strangers' rules ask for: games, checks, searches.
 *
 * A server has threads and may not fork safely; the launcher is a process of
 * its own, forked before there are any, which forks once for each request.  A
 * process that it starts has limits of memory and CPU time, by default no way to
 * the file system or the network (net/sandbox.h), a socket for its standard input and
 * output and another for its errors.  It ends when the other side of the socket
 * is closed, whatever it is doing, and so does the launcher.  Before that it may be asked
 * to end in good order, with what it has so far: a byte on the socket of its errors. */

#include <stddef.h>

#include "base/diag.h"
#include "base/status.h"
#include "net/sandbox.h"

typedef struct alea_launcher alea_launcher;

/* What a process runs: argv[0] names it; the result is its exit status. */
typedef int alea_launch_main(int argc, char **argv);
/* How it is asked to end, in a thread of its own. */
typedef void alea_launch_ask(void);

typedef struct alea_launch_limits {
  alea_sandbox_mode mode;
  size_t memory; /* bytes of data; 0: no limit */
  unsigned cpu;  /* seconds of CPU time; 0: no limit */
} alea_launch_limits;

/* One process: the caller owns both descriptors and closes them. */
typedef struct alea_launched {
  int talk;   /* its standard input and output, a stream socket */
  int errors; /* its standard error; then a NUL and its exit status, one byte each, unless it
                 was ended by a limit or a fault.  A byte that is sent asks it to end */
} alea_launched;

/* To be called while the process has one thread.  On ALEA_SYSTEM 'diag' says
 * why. */
alea_status alea_launcher_new(alea_launcher **launcher, alea_launch_main *run, alea_launch_ask *ask,
                              alea_diag *diag);
/* Ends the launcher; what it started ends when its sockets are closed.  NULL is
 * a no-op. */
void alea_launcher_free(alea_launcher *launcher);

/* Starts a process with these words, the last of them followed by NULL; any
 * thread may ask.  ALEA_SYSTEM: it cannot be started, or the words are too long. */
alea_status alea_launch(alea_launcher *launcher, const alea_launch_limits *limits,
                        const char *const *words, alea_launched *launched);

#endif
