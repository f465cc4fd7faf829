/* Series of matches from the command line. */
#include "cli/series.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/standings.h"
#include "net/http_client.h"
#include "tournament/rounds.h"

static uint32_t count_cores(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores > 0 ? (uint32_t)cores : 1;
}

/* MPI has threads of its own.  They are born with the signals to stop blocked, or one of
 * them would be ended by a signal, and the process with it. */
static alea_status join(alea_series *series) {
  sigset_t set, old;
  alea_cli_stop_signals(&set);
  pthread_sigmask(SIG_BLOCK, &set, &old);
  alea_status status = alea_mpi_join(&series->rank, &series->ranks);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  series->joined = status == ALEA_OK;
  return status;
}

alea_status alea_series_open(alea_series *series, int64_t workers, double patience) {
  *series = (alea_series){.workers = (uint32_t)workers, .patience = patience, .ranks = 1};
  alea_mem_init(&series->mem, 0);
  alea_diag_init(&series->diag, &series->mem);
  alea_text_init(&series->text, &series->mem);
  alea_text_init(&series->table, &series->mem);
  if (alea_mpi_started() && !alea_mpi_built()) {
    return (alea_status)alea_cli_fail(
        ALEA_USAGE, "started as part of an MPI job, but this program was built without Open MPI");
  }
  alea_status status = alea_mpi_started() ? join(series) : ALEA_OK;
  if (series->workers == 0) series->workers = series->ranks > 1 ? 1 : count_cores();
  return status;
}

alea_status alea_series_take(alea_series *series, const char *text, size_t length,
                             const char *name) {
  series->read = true;
  return alea_yaml_read(&series->file, text, length, name, &series->mem, &series->diag);
}

alea_status alea_series_read(alea_series *series, const char *path) {
  alea_status status = ALEA_OK;
  if (series->rank == 0) status = alea_open_file(path, &series->text, &series->diag);
  if (series->ranks > 1) {
    /* If the file cannot be read, the other ranks get an empty text and
     * stop. */
    alea_status shared = alea_mpi_share(&series->text);
    if (status == ALEA_OK) status = shared;
  }
  if (status != ALEA_OK) return status;
  return alea_series_take(series, alea_text_string(&series->text), series->text.length, path);
}

/* The only object that a signal handler of a worker may use (pool_local.c). */
static atomic_bool end_of_worker;

/* `dialect` and `scramble` of the description, and what workers need to reach
 * remote players. */
static alea_status open_remotes(alea_series *series) {
  const alea_yaml *root = series->file.root, *dialect = alea_yaml_get(root, "dialect");
  const char *scramble = alea_yaml_text(root, "scramble", "false");
  int spoken = dialect == NULL
                   ? (int)ALEA_GGP_AUTO
                   : alea_choice_find(ALEA_CHOICE_WORDS(ALEA_GGP_DIALECTS), dialect->text);
  bool yes = strcmp(scramble, "true") == 0;
  if (spoken == ALEA_NO_CHOICE)
    alea_yaml_error(&series->file, dialect,
                    "a dialect is 'auto', 'ggp-base', 'dresden' or 'gdl-ii'");
  if (!yes && strcmp(scramble, "false") != 0)
    alea_yaml_error(&series->file, alea_yaml_get(root, "scramble"),
                    "'scramble' is 'true' or 'false'");
  if (series->diag.errors > 0) return ALEA_INPUT;
  if (!series->plan.remote) return ALEA_OK;
  alea_status status = alea_http_global();
  series->online = status == ALEA_OK;
  series->remotes = (alea_http_players){(alea_ggp_dialect)spoken, yes, &end_of_worker};
  series->plan.remotes = (alea_tournament_remotes){.open = alea_http_player_open,
                                                   .probe = alea_http_player_probe,
                                                   .context = &series->remotes,
                                                   .stop = &end_of_worker};
  return status;
}

alea_status alea_series_plan(alea_series *series, const alea_yaml *root,
                             const alea_tournament_plan_options *options) {
  series->planned = true;
  alea_status status =
      alea_tournament_plan_new(&series->plan, &series->file, root, options, &series->mem);
  if (status != ALEA_OK) return status;
  uint32_t cores = count_cores();
  if (alea_tournament_plan_wall(&series->plan) && series->workers > cores) {
    if (series->rank == 0)
      alea_diag_warn(&series->diag, ((alea_place){0}), "workers",
                     "%u workers with wall clocks would disturb each other; %u play, one per core",
                     series->workers, cores);
    series->workers = cores;
  }
  return open_remotes(series);
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

/* An event has a table of its entrants above the line; it is drawn over the one
 * before. */
static void print_table(alea_series *series, const alea_progress *p) {
  alea_text *table = &series->table;
  if (series->lines > 0) fprintf(stderr, "\r\033[%uA\033[J", series->lines);
  alea_text_truncate(table, 0);
  alea_cli_standings_text(p, table);
  series->lines = 0;
  for (size_t i = 0; i < table->length; i++) series->lines += table->data[i] == '\n';
  fputs(alea_text_string(table), stderr);
}

static bool is_event(const alea_tournament_plan *plan) {
  return plan->remote || plan->system != ALEA_TOURNAMENT_PAIRINGS;
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

/* The signals to stop are blocked and polled here: no handler, no globals. */
static bool told_to_stop(void) {
  sigset_t set;
  alea_cli_stop_signals(&set);
  struct timespec none = {0};
  return sigtimedwait(&set, NULL, &none) > 0;
}

static void show_event(alea_series *series, const alea_progress *progress) {
  alea_text json;
  alea_text_init(&json, &series->mem);
  alea_cli_event_json(progress, &json);
  const char *event = alea_text_string(&json);
  if (!json.failed && series->live != NULL) alea_live_text_put(series->live, event, json.length);
  if (!json.failed && series->lines_wanted) {
    printf("{\"type\":\"live\",\"event\":%s}\n", event);
    fflush(stdout);
  }
  alea_text_clear(&json);
}

alea_status alea_series_watch(alea_series *series, uint16_t port) {
  alea_http_options http = {.port = port};
  sigset_t set, old;
  alea_cli_stop_signals(&set);
  sigprocmask(SIG_BLOCK, &set, &old); /* also in the threads of the server */
  alea_status status = alea_live_text_new(&series->live, &http, &series->diag);
  sigprocmask(SIG_SETMASK, &old, NULL);
  if (status == ALEA_OK)
    fprintf(stderr, "alea: watch at http://127.0.0.1:%u\n", alea_live_text_port(series->live));
  return status;
}

static alea_status report(void *context, const alea_progress *progress) {
  alea_series *series = context;
  bool terminal = isatty(STDERR_FILENO) && isatty(STDOUT_FILENO);
  if (terminal && is_event(progress->plan)) print_table(series, progress);
  if (terminal) print_line(progress, &series->mem);
  if (series->live != NULL || series->lines_wanted) show_event(series, progress);
  if (series->standings != NULL)
    memcpy(series->standings, progress->standings,
           progress->plan->players.count * sizeof *series->standings);
  if (progress->done < progress->total && told_to_stop()) series->stopped = true;
  return series->stopped ? ALEA_LIMIT : ALEA_OK;
}

/* ---- the scheduler ---- */

/* Plays what the plan has now.  The processes of the pool know the plan as it
 * was when they started, so every round has a pool of its own. */
static alea_status lead_round(alea_series *series, alea_result_store *store, bool *done) {
  alea_tournament tournament = {.plan = &series->plan,
                                .store = store,
                                .report = report,
                                .context = series,
                                .diag = &series->diag};
  alea_progress before = series->progress;
  alea_status status =
      series->ranks > 1
          ? alea_pool_mpi(&tournament.pool, &series->plan, series->workers, series->patience,
                          &series->broken, &series->mem)
          : alea_pool_local(&tournament.pool, &series->plan, series->workers, &series->mem);
  if (status == ALEA_OK)
    status = alea_tournament_run(&tournament, done, &series->progress, &series->mem);
  alea_pool_free(tournament.pool);
  series->progress.now += before.now;
  series->progress.failed += before.failed;
  series->progress.lost += before.lost;
  series->progress.seconds += before.seconds;
  return status;
}

/* Enters the plan into the database and plays it. */
static alea_status lead(alea_series *series, alea_result_store *store,
                        const alea_result_store_run *run) {
  size_t units = (size_t)series->plan.units;
  bool *done = alea_mem_calloc(&series->mem, units, sizeof *done);
  if (done == NULL) return ALEA_SYSTEM;
  alea_status status = alea_result_store_plan(store, &series->plan, run, done);
  if (status == ALEA_OK && (units > 0 || series->ranks > 1))
    status = lead_round(series, store, done);
  alea_mem_free(&series->mem, done, units * sizeof *done);
  return status;
}

static alea_status lead_rounds(alea_series *series, alea_result_store *store) {
  char host[65] = "?";
  (void)gethostname(host, sizeof host - 1);
  uint32_t players = series->workers * (uint32_t)(series->ranks > 1 ? series->ranks - 1 : 1);
  alea_result_store_run run = {.description = alea_text_string(&series->text),
                               .host = host,
                               .workers = players,
                               .cores = count_cores()};
  alea_status status = lead(series, store, &run);
  for (bool more = true; status == ALEA_OK && !series->stopped;) {
    status = alea_rounds_next(&series->plan, store, &more);
    if (status != ALEA_OK || !more) break;
    status = lead(series, store, NULL);
  }
  if (isatty(STDERR_FILENO) && isatty(STDOUT_FILENO)) {
    if (series->lines > 0) fprintf(stderr, "\033[%uA", series->lines);
    fputs("\r\033[J", stderr);
  }
  return series->stopped ? ALEA_OK : status;
}

static alea_status lead_with_store(alea_series *series, const char *database) {
  alea_result_store *store = NULL;
  series->database = database;
  series->standings =
      alea_mem_calloc(&series->mem, series->plan.players.count, sizeof *series->standings);
  if (series->standings == NULL) return ALEA_SYSTEM;
  bool rounds = series->plan.system == ALEA_TOURNAMENT_SWISS ||
                series->plan.system == ALEA_TOURNAMENT_KNOCKOUT;
  if (series->ranks > 1 && rounds)
    return (alea_status)alea_cli_fail(ALEA_USAGE,
                                      "Swiss and knockout events are played without mpirun");
  alea_status status = alea_result_store_open(&store, database, &series->mem, &series->diag);
  sigset_t set, old;
  alea_cli_stop_signals(&set);
  sigprocmask(SIG_BLOCK, &set, &old);
  if (status == ALEA_OK) status = lead_rounds(series, store);
  alea_status closed = alea_result_store_close(store);
  sigprocmask(SIG_SETMASK, &old, NULL);
  return status == ALEA_OK ? closed : status;
}

/* The work of every rank but the first. */
static alea_status follow(alea_series *series) {
  sigset_t set, old;
  alea_cli_stop_signals(&set);
  sigprocmask(SIG_BLOCK, &set, &old);
  alea_status status =
      alea_mpi_serve(&series->plan, series->workers, series->patience, told_to_stop, &series->mem);
  sigprocmask(SIG_SETMASK, &old, NULL);
  if (status == ALEA_LIMIT) series->broken = series->stopped = true;
  return status;
}

alea_status alea_series_run(alea_series *series, const char *database) {
  if (series->rank != 0) return follow(series);
  alea_status status = lead_with_store(series, database);
  /* If rank 0 fails before it has a pool, nobody stops the other ranks. */
  bool no_pool = status != ALEA_OK && series->progress.total == 0;
  if (series->ranks > 1 && no_pool) series->broken = true;
  return status;
}

void alea_series_complain(const alea_series *series, alea_status status) {
  const alea_diag *diag = &series->diag;
  if (series->rank == 0) {
    alea_cli_print_diag(diag);
  } else if (status != ALEA_OK) {
    alea_cli_fail(
        status, "rank %d cannot take part: %s", series->rank,
        diag->entries.count > 0 ? diag->entries.data[0].message : alea_status_text(status));
  }
}

int alea_series_close(alea_series *series, alea_status status) {
  alea_live_text_free(series->live);
  if (series->online) alea_http_global_end();
  if (series->standings != NULL)
    alea_mem_free(&series->mem, series->standings,
                  series->plan.players.count * sizeof *series->standings);
  alea_text_clear(&series->table);
  if (series->planned) alea_tournament_plan_clear(&series->plan);
  if (series->read) alea_yaml_clear(&series->file);
  alea_text_clear(&series->text);
  alea_diag_clear(&series->diag);
  /* All is stored; a rank that has died already would be waited for in vain. */
  if (series->joined && series->stopped) alea_cli_end_soon(ALEA_LIMIT);
  if (series->joined) alea_mpi_leave(series->broken, alea_status_exit(status));
  return series->rank == 0 ? (int)status : 0;
}
