#ifndef ALEA_PAGE_RUNS_H
#define ALEA_PAGE_RUNS_H

/* Runs: commands that take their time (a search, a tournament, an experiment), each in a
 * process of its own, with what they say while they run.
 *
 * Lines of output that begin with `{"type":"live"` are news: the last one is kept.  All
 * other output is the result.  A run is known by an id that nobody can guess, and is told
 * as one object, whole every time:
 *
 *   {"kind": "solve", "name": "connect:4:3", "state": "running", "seconds": 1.5,
 *    "live": the last news or null, "message": null, "output": null}
 *
 * 'state' is running, done, failed (a limit, a fault, or an exit status that is an error;
 * 'message' says why) or stopped.  At the end 'output' is the result as a text (of a run that was
 * stopped, as far as it came), and 'message'
 * what was printed on standard error.  A run that has ended is forgotten when its place is
 * needed. */

#include "page/job.h"
#include "page/stream.h"

typedef struct alea_page_runs alea_page_runs;

typedef struct alea_page_run_wish {
  const char *kind; /* outlives the run */
  const char *name; /* at most ALEA_PAGE_RUN_NAME bytes are kept */
  const char *const *words;
  alea_launch_limits limits;
  const char *input; /* copied, as are the words */
  size_t length;
  double seconds;  /* 0: no limit */
  double patience; /* when it is stopped, so many seconds to print what it has so far */
} alea_page_run_wish;

enum { ALEA_PAGE_RUN_NAME = 80, ALEA_PAGE_RUN_WORDS = 24 };

/* At most 'most' run at a time.  NULL if out of memory. */
alea_page_runs *alea_page_runs_new(alea_launcher *launcher, unsigned most);
/* Streams are over from now on, and all runs are stopped. */
void alea_page_runs_end(alea_page_runs *runs);
/* After alea_page_runs_end, and when no stream is left.  NULL is a no-op. */
void alea_page_runs_free(alea_page_runs *runs);

/* ALEA_LIMIT: too many run already; ALEA_SYSTEM: no thread, or no memory. */
alea_status alea_page_runs_start(alea_page_runs *runs, const alea_page_run_wish *wish,
                                 char id[ALEA_PAGE_ID_BYTES]);
/* Both: ALEA_NONE: there is no such run.  Stopping waits until the process has gone. */
alea_status alea_page_runs_stop(alea_page_runs *runs, const char *id);
alea_status alea_page_runs_show(alea_page_runs *runs, const char *id, alea_text *out);
/* Whether it still runs. */
bool alea_page_runs_is_running(alea_page_runs *runs, const char *id);
/* The id of the latest run of this kind and name; false: there is none. */
bool alea_page_runs_find(alea_page_runs *runs, const char *kind, const char *name,
                         char id[ALEA_PAGE_ID_BYTES]);

/* ---- server-sent events, named `run` ---- */

/* The state of a stream of one run's events, which ends with the run. */
alea_status alea_page_runs_follow(alea_page_runs *runs, const char *id, uint64_t *state);
/* More bytes of it, 0 at its end; waits for them (an alea_http_stream). */
size_t alea_page_runs_stream(alea_page_runs *runs, uint64_t state, char *bytes, size_t size);
void alea_page_runs_unfollow(uint64_t state);

#endif
