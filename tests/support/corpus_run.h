#ifndef ALEA_TESTS_CORPUS_RUN_H
#define ALEA_TESTS_CORPUS_RUN_H

/* Runs an engine over the reference corpus, within a budget of time.
 *
 * Environment:
 *   ALEA_FULL=1           no limit of time, larger perft counts
 *   ALEA_TRACE_SECONDS=s  limit per trace instead of the default
 *   ALEA_TRACE_ONLY=text  only traces whose file name contains the text
 *   ALEA_TRACE_LOG=1      a line per trace, not only for those that differ */

#include "base/diag.h"
#include "game/game.h"
#include "gdl/program.h"

/* Makes a game of the engine under test from a program it takes over. */
typedef alea_status make_game(alea_game **game, alea_program *program, alea_mem *mem,
                              alea_diag *diag);

typedef struct corpus_budget {
  double per_trace;   /* seconds */
  double total;       /* seconds */
  uint64_t max_perft; /* sequences */
} corpus_budget;

typedef struct corpus_result {
  unsigned agree, cut, differ, unread; /* traces */
  unsigned not_reached;                /* no time was left for them */
  unsigned positions;
} corpus_result;

/* False when there is no corpus in 'folder'.  Prints what differs to stderr. */
bool corpus_run(const char *folder, make_game *make, corpus_budget budget, corpus_result *result);

/* Reads a rulesheet and makes its game; prints diagnostics of a failure. */
alea_status load_game(const char *path, make_game *make, alea_mem *mem, alea_game **game);

#endif
