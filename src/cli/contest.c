/* Tournaments from the command line. */
#include "cli/contest.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

static uint32_t count_cores(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores > 0 ? (uint32_t)cores : 1;
}

alea_status alea_contest_open(alea_contest *contest, int64_t workers, double patience) {
  *contest = (alea_contest){.workers = (uint32_t)workers, .patience = patience, .ranks = 1};
  alea_mem_init(&contest->mem, 0);
  alea_diag_init(&contest->diag, &contest->mem);
  alea_text_init(&contest->text, &contest->mem);
  if (alea_mpi_started() && !alea_mpi_built()) {
    return (alea_status)alea_cli_fail(
        ALEA_USAGE, "started as part of an MPI job, but this program was built without Open MPI");
  }
  alea_status status = ALEA_OK;
  if (alea_mpi_started()) {
    status = alea_mpi_join(&contest->rank, &contest->ranks);
    contest->joined = status == ALEA_OK;
  }
  if (contest->workers == 0) contest->workers = contest->ranks > 1 ? 1 : count_cores();
  return status;
}

alea_status alea_contest_take(alea_contest *contest, const char *text, size_t length,
                              const char *name) {
  contest->read = true;
  return alea_yaml_read(&contest->file, text, length, name, &contest->mem, &contest->diag);
}

alea_status alea_contest_read(alea_contest *contest, const char *path) {
  alea_status status = ALEA_OK;
  if (contest->rank == 0) status = alea_open_file(path, &contest->text, &contest->diag);
  if (contest->ranks > 1) {
    /* A file that cannot be read is an empty one to the others, who then stop. */
    alea_status shared = alea_mpi_share(&contest->text);
    if (status == ALEA_OK) status = shared;
  }
  if (status != ALEA_OK) return status;
  return alea_contest_take(contest, alea_text_string(&contest->text), contest->text.length, path);
}

alea_status alea_contest_plan(alea_contest *contest, const alea_yaml *root,
                              const alea_plan_options *options) {
  contest->planned = true;
  alea_status status = alea_plan_new(&contest->plan, &contest->file, root, options, &contest->mem);
  if (status != ALEA_OK) return status;
  uint32_t cores = count_cores();
  if (alea_plan_wall(&contest->plan) && contest->workers > cores) {
    if (contest->rank == 0)
      alea_diag_warn(&contest->diag, ((alea_place){0}), "workers",
                     "%u workers with wall clocks would disturb each other; %u play, one per core",
                     contest->workers, cores);
    contest->workers = cores;
  }
  return ALEA_OK;
}

/* ---- the progress line ---- */

static void print_time(alea_text *out, double seconds) {
  if (seconds < 120) {
    alea_text_format(out, "%.0f s", seconds);
  } else if (seconds < 7200) {
    alea_text_format(out, "%.0f min", seconds / 60);
  } else {
    alea_text_format(out, "%.1f h", seconds / 3600);
  }
}

static void print_standings(const alea_progress *p, alea_text *out) {
  enum { MOST = 4 };
  size_t shown = 0;
  for (size_t i = 0; i < p->plan->players.count && shown < MOST; i++) {
    const alea_standing *s = &p->standings[i];
    if (s->matches == 0) continue;
    alea_text_format(out, "%s %s %.0f %%", shown++ == 0 ? " |" : ",", p->plan->players.data[i].name,
                     100 * s->score / (double)s->matches);
  }
}

static void print_line(const alea_progress *p, alea_mem *mem) {
  alea_text line;
  alea_text_init(&line, mem);
  double rate = p->seconds > 0 ? (double)p->now / p->seconds : 0;
  alea_text_format(&line, "%llu of %llu matches", (unsigned long long)p->done,
                   (unsigned long long)p->total);
  if (p->now > 0) {
    alea_text_format(&line, rate >= 1 ? ", %.0f/s, " : ", %.2g/s, ", rate);
    print_time(&line, (double)(p->total - p->done) / rate);
    alea_text_put(&line, " left");
  }
  print_standings(p, &line);
  fprintf(stderr, "\r%s\033[K", alea_text_string(&line));
  fflush(stderr);
  alea_text_clear(&line);
}

/* SIGINT and SIGTERM are blocked and looked for here: no handler, no globals. */
static bool told_to_stop(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  struct timespec none = {0};
  return sigtimedwait(&set, NULL, &none) > 0;
}

static alea_status report(void *context, const alea_progress *progress) {
  alea_contest *contest = context;
  if (isatty(STDERR_FILENO) && isatty(STDOUT_FILENO)) print_line(progress, &contest->mem);
  if (progress->done < progress->total && told_to_stop()) contest->stopped = true;
  return contest->stopped ? ALEA_LIMIT : ALEA_OK;
}

/* ---- the leader ---- */

static alea_status lead(alea_contest *contest, alea_store *store, bool *done) {
  char host[65] = "?";
  (void)gethostname(host, sizeof host - 1);
  uint32_t players = contest->workers * (uint32_t)(contest->ranks > 1 ? contest->ranks - 1 : 1);
  alea_store_run run = {.description = alea_text_string(&contest->text),
                        .host = host,
                        .workers = players,
                        .cores = count_cores()};
  alea_status status = alea_store_plan(store, &contest->plan, &run, done);
  if (status != ALEA_OK) return status;
  alea_tournament tournament = {.plan = &contest->plan,
                                .store = store,
                                .report = report,
                                .context = contest,
                                .diag = &contest->diag};
  if (contest->ranks > 1) {
    status = alea_crew_mpi(&tournament.crew, &contest->plan, contest->workers, contest->patience,
                           &contest->broken, &contest->mem);
  } else {
    status = alea_crew_local(&tournament.crew, &contest->plan, contest->workers, &contest->mem);
  }
  if (status == ALEA_OK)
    status = alea_tournament_run(&tournament, done, &contest->progress, &contest->mem);
  alea_crew_free(tournament.crew);
  if (isatty(STDERR_FILENO) && isatty(STDOUT_FILENO)) fputs("\r\033[K", stderr);
  return contest->stopped ? ALEA_OK : status;
}

static alea_status lead_with_store(alea_contest *contest, const char *database) {
  alea_store *store = NULL;
  contest->database = database;
  size_t units = (size_t)contest->plan.units;
  bool *done = alea_mem_calloc(&contest->mem, units, sizeof *done);
  if (done == NULL) return ALEA_SYSTEM;
  alea_status status = alea_store_open(&store, database, &contest->mem, &contest->diag);
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, &old);
  if (status == ALEA_OK) status = lead(contest, store, done);
  alea_status closed = alea_store_close(store);
  sigprocmask(SIG_SETMASK, &old, NULL);
  alea_mem_free(&contest->mem, done, units * sizeof *done);
  return status == ALEA_OK ? closed : status;
}

alea_status alea_contest_run(alea_contest *contest, const char *database) {
  if (contest->rank != 0)
    return alea_mpi_serve(&contest->plan, contest->workers, contest->patience, &contest->mem);
  alea_status status = lead_with_store(contest, database);
  /* Where rank 0 fails before it has a crew, nobody would tell the others. */
  bool no_crew = status != ALEA_OK && contest->progress.total == 0;
  if (contest->ranks > 1 && no_crew) contest->broken = true;
  return status;
}

void alea_contest_complain(const alea_contest *contest, alea_status status) {
  const alea_diag *diag = &contest->diag;
  if (contest->rank == 0) {
    alea_cli_print_diag(diag);
  } else if (status != ALEA_OK) {
    alea_cli_fail(
        status, "rank %d cannot take part: %s", contest->rank,
        diag->entries.count > 0 ? diag->entries.data[0].message : alea_status_text(status));
  }
}

int alea_contest_close(alea_contest *contest, alea_status status) {
  if (contest->planned) alea_plan_clear(&contest->plan);
  if (contest->read) alea_yaml_clear(&contest->file);
  alea_text_clear(&contest->text);
  alea_diag_clear(&contest->diag);
  if (contest->joined) alea_mpi_leave(contest->broken, (int)status);
  return contest->rank == 0 ? (int)status : 0;
}
