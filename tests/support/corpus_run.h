#ifndef ALEA_TESTS_CORPUS_RUN_H
#define ALEA_TESTS_CORPUS_RUN_H

/* Runs an engine over the reference corpus, small rulesheets first, within a
 * budget of time.
 *
 * Environment:
 *   ALEA_FULL=1           no limit of time, larger perft counts
 *   ALEA_TRACE_SECONDS=s  limit per trace instead of the default
 *   ALEA_TRACE_ONLY=text  only traces whose file name contains the text
 *   ALEA_TRACE_LOG=1      a line per trace, not only for those that differ */

#include "support/load.h"

typedef struct corpus_budget {
  double per_trace;   /* seconds */
  double total;       /* seconds */
  uint64_t max_perft; /* sequences */
  int least;          /* traces that are replayed even when the time is over */
} corpus_budget;

typedef struct corpus_result {
  unsigned agree, cut, differ, unread; /* traces */
  unsigned not_reached;                /* no time was left for them */
  unsigned positions;
} corpus_result;

/* False if there is no corpus in 'folder'.  Prints differences to stderr. */
bool corpus_run(const char *folder, make_game *make, corpus_budget budget, corpus_result *result);

#endif
