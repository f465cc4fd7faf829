#ifndef ALEA_CLI_SERIES_H
#define ALEA_CLI_SERIES_H

/* Series of matches: what the commands `tournament` and `experiment` share.
 *
 * Reads a description, plays it on this machine or as an MPI job, and shows the
 * progress. */

#include "base/diag.h"
#include "base/options.h"
#include "net/http_player.h"
#include "net/live_text.h"
#include "tournament/scheduler.h"

/* clang-format off */
#define ALEA_SERIES_OPTIONS(row)                                                          \
  row(integer, workers, "0", 0, 4096, "N",                                                 \
      "processes that play; 0: one per core, or per rank of an MPI job; never more than cores under wall clocks") \
  row(flag, live, "", 0, 0, "", "print the standings as lines of JSON while matches are played") \
  row(real, patience, "60", 0.1, 1e6, "S", "MPI: seconds until a rank that says nothing is given up")
/* clang-format on */

typedef struct alea_series {
  alea_mem mem;
  alea_diag diag;
  alea_text text; /* the description as read */
  alea_yaml_file file;
  alea_tournament_plan plan;
  alea_progress progress;
  const char *database;
  uint32_t workers;
  double patience;
  int rank, ranks; /* 0 and 1 without MPI */
  bool joined;     /* this is an MPI job */
  bool broken;     /* one of its ranks has failed */
  bool read, planned;
  bool stopped; /* by SIGINT, SIGTERM or SIGHUP */
  bool online;  /* alea_http_global was called */
  alea_http_players remotes;
  alea_live_text *live;     /* shows the standings; NULL: nobody watches */
  bool lines_wanted;        /* --live: it prints them, too */
  alea_text table;          /* the standings as last shown */
  unsigned lines;           /* of the table on the terminal */
  alea_standing *standings; /* at the end; per player of the plan */
} alea_series;

/* Joins the MPI job if there is one.  Must be closed in any case. */
alea_status alea_series_open(alea_series *series, int64_t workers, double patience);
/* Reads 'path' on rank 0 and distributes the text to all ranks. */
alea_status alea_series_read(alea_series *series, const char *path);
/* The same for a text in memory; 'name' is used in diagnostics. */
alea_status alea_series_take(alea_series *series, const char *text, size_t length,
                             const char *name);
alea_status alea_series_plan(alea_series *series, const alea_yaml *root,
                             const alea_tournament_plan_options *options);
/* Shows the standings at a port of this machine; 0 is any free one. */
alea_status alea_series_watch(alea_series *series, uint16_t port);
/* Plays the matches that 'database' lacks; every rank calls it.  ALEA_NO: some
 * matches could not be played. */
alea_status alea_series_run(alea_series *series, const char *database);
/* Prints the diagnostics: rank 0 prints all, another rank one line if it
 * failed. */
void alea_series_complain(const alea_series *series, alea_status status);
/* Frees everything and returns the exit status. */
int alea_series_close(alea_series *series, alea_status status);

#endif
