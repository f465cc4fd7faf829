/* alea bench: random playouts per second. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cli/interrupt.h"
#include "cli/session.h"
#include "game/playout.h"

enum { MOST_THREADS = 256 };

/* clang-format off */
#define OPTIONS(row)                                                                    \
  row(real, seconds, "5", 0, 1e9, "S", "CPU seconds of play per thread; 0 is no limit") \
  row(integer, playouts, "0", 0, 4e9, "N", "stop after N playouts per thread; 0 is no limit") \
  row(integer, threads, "1", 1, MOST_THREADS, "N", "threads that play at the same time") \
  row(integer, seed, "1", 0, 9e18, "N", "seed of the random numbers")                   \
  row(integer, step_cap, "10000", 1, 1e9, "N", "steps after which a playout is given up") \
  row(flag, json, "", 0, 0, "", "print one JSON object")                                \
  ALEA_OPEN_OPTIONS(row)
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static const alea_command command = {
    .name = "bench",
    .operands = "GAME",
    .summary = "measures random playouts per second",
    .details =
        "A state is one next-state computation.  Playouts that a role without a legal move ends\n"
        "are unfinished; after the numbers, exit status 3 says so.  Ctrl-C ends the measurement;\n"
        "the numbers so far are printed, exit status 4.",
    .example = "alea bench breakthrough --engine net --seconds 2",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 1,
    .most_operands = 1,
};

/* The playouts of one thread. */
typedef struct bench_worker {
  const values *v;
  const alea_opened *opened;
  bool lanes;
  uint64_t index;
  pthread_t thread;
  alea_status status;
  double setup_seconds, cpu_seconds;
  const char *engine; /* that played in the end */
  alea_sample_result result;
} bench_worker;

static bool is_stopped(void *context) {
  (void)context;
  return alea_cli_stopped();
}

static alea_status sample(bench_worker *w, alea_mem *mem) {
  /* Threads need distinct random streams: spread the seed. */
  uint64_t seed = (uint64_t)w->v->seed + w->index * 0x9e3779b97f4a7c15u;
  alea_sampler *sampler = NULL;
  double before = alea_clock_wall();
  alea_status status = alea_open_sampler(&sampler, w->opened, w->lanes, seed, mem);
  w->setup_seconds = alea_clock_wall() - before;
  if (status != ALEA_OK) return status;
  uint32_t playouts = w->v->playouts != 0 ? (uint32_t)w->v->playouts : UINT32_MAX;
  alea_sample_request request = {.playouts = playouts};
  alea_sample_options options = {
      .step_cap = (uint32_t)w->v->step_cap, .seconds = w->v->seconds, .over = is_stopped};
  double start = alea_clock_thread();
  status = alea_sampler_run(sampler, &request, 1, &options, &w->result);
  w->cpu_seconds = alea_clock_thread() - start;
  w->engine = w->lanes ? sampler->class->engine : alea_open_sampler_name(w->opened, false);
  alea_sampler_free(sampler);
  return status;
}

static void *work(void *argument) {
  bench_worker *w = argument;
  uint32_t roles = w->opened->game->role_count;
  alea_mem mem;
  alea_mem_init(&mem, w->v->memory);
  w->result.sum = calloc(roles, sizeof(double));
  w->result.sum_squares = calloc(roles, sizeof(double));
  bool good = w->result.sum != NULL && w->result.sum_squares != NULL;
  w->status = good ? sample(w, &mem) : ALEA_SYSTEM;
  return NULL;
}

/* Adds the results of all workers to those of the first. */
static void add_up(bench_worker *workers, size_t count, uint32_t roles) {
  alea_sample_result *total = &workers[0].result;
  for (size_t i = 1; i < count; i++) {
    const alea_sample_result *result = &workers[i].result;
    total->playouts += result->playouts;
    total->unfinished += result->unfinished;
    total->states += result->states;
    workers[0].cpu_seconds += workers[i].cpu_seconds;
    for (uint32_t role = 0; role < roles; role++) total->sum[role] += result->sum[role];
  }
}

static alea_status play(bench_worker *workers, size_t count) {
  size_t started = 1;
  alea_status status = ALEA_OK;
  for (; started < count; started++) {
    bench_worker *w = &workers[started];
    if (pthread_create(&w->thread, NULL, work, w) != 0) break;
  }
  if (started < count) status = ALEA_SYSTEM;
  work(&workers[0]);
  for (size_t i = 1; i < started; i++) pthread_join(workers[i].thread, NULL);
  for (size_t i = 0; i < started; i++) {
    if (workers[i].status != ALEA_OK) status = workers[i].status;
  }
  return status;
}

typedef struct bench_report {
  const char *engine;
  double setup, cpu, wall, mean_length;
  const alea_sample_result *total;
} bench_report;

static void print_json(alea_cli_session *session, const values *v, const bench_report *r) {
  const alea_game *game = session->opened.game;
  const alea_sample_result *total = r->total;
  alea_json json;
  alea_json_start(&json, &session->out);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "game", session->opened.label);
  alea_json_put_string(&json, "engine", r->engine);
  alea_json_put_count(&json, "playouts", total->playouts);
  alea_json_put_count(&json, "unfinished", total->unfinished);
  alea_json_put_count(&json, "states", total->states);
  alea_json_put_real(&json, "cpu_seconds", r->cpu);
  alea_json_put_real(&json, "wall_seconds", r->wall);
  alea_json_put_real(&json, "mean_length", r->mean_length);
  alea_json_key(&json, "mean_goals");
  alea_json_open(&json, '{');
  for (uint32_t role = 0; role < game->role_count; role++) {
    double mean = total->playouts > 0 ? total->sum[role] / (double)total->playouts : 0;
    alea_json_put_real(&json, game->role_text[role], mean);
  }
  alea_json_close(&json, '}');
  alea_json_put_real(&json, "setup_seconds", r->setup);
  alea_json_put_real(&json, "peak_rss_mb", alea_clock_peak_rss_mb());
  alea_json_put_count(&json, "threads", (uint64_t)v->threads);
  alea_json_put_count(&json, "seed", (uint64_t)v->seed);
  alea_json_close(&json, '}');
  alea_text_char(&session->out, '\n');
}

/* Rates are those of CPU time; of several threads together also of the clock on the
 * wall, and of a GPU of that alone. */
static void print_text(alea_cli_session *session, const values *v, const bench_report *r) {
  double cpu = r->cpu > 0 ? r->cpu : 1e-9, wall = r->wall > 0 ? r->wall : 1e-9;
  double states = (double)r->total->states, playouts = (double)r->total->playouts;
  bool there = strcmp(r->engine, "gpu") == 0;
  const char *label = there ? " of wall time" : v->threads > 1 ? " of CPU time" : "";
  if (there) cpu = wall;
  alea_text_format(&session->out,
                   "%-16s %-7s %12.0f states/s%s %10.0f playouts/s%s  mean length %.1f  "
                   "ready in %.2f s  %.0f MB\n",
                   session->opened.label, r->engine, states / cpu, label, playouts / cpu, label,
                   r->mean_length, r->setup, alea_clock_peak_rss_mb());
  if (v->threads > 1)
    alea_text_format(&session->out,
                     "%-16s %-7s %12.0f states/s of wall time %9.0f playouts/s of wall time  "
                     "%d threads: %.2f s CPU in %.2f s wall\n",
                     "", "", states / wall, playouts / wall, (int)v->threads, r->cpu, r->wall);
}

/* Samplers only count unfinished playouts.  A few plain ones say whether a role
 * without a legal move ended them; the cap on steps is no fault of the rules. */
static alea_status look_for_stuck(alea_cli_session *session, const values *v) {
  enum { MOST_PLAYOUTS = 1000 };
  alea_deadline deadline = alea_deadline_in(1);
  alea_stuck stuck = {0};
  alea_rng rng;
  alea_rng_seed(&rng, (uint64_t)v->seed);
  alea_status status = ALEA_OK;
  for (int i = 0; i < MOST_PLAYOUTS && !stuck.found && !alea_deadline_passed(&deadline); i++) {
    alea_playout playout;
    status = alea_cursor_reset(session->cursor);
    if (status == ALEA_OK)
      status = alea_playout_run(session->cursor, &rng, (uint32_t)v->step_cap, &playout);
    if (status == ALEA_OK && !playout.finished)
      status = alea_stuck_look(&stuck, session->cursor, playout.steps);
    if (status != ALEA_OK) return status;
  }
  return alea_stuck_report(&stuck, session->opened.game, session->opened.label, &session->diag);
}

static alea_status bench(alea_cli_session *session, const values *v, double setup) {
  size_t count = (size_t)v->threads;
  bool lanes;
  double before = alea_clock_wall();
  alea_status status = alea_open_choose(&lanes, &session->opened, (alea_engine)v->engine,
                                        (uint64_t)v->seed, NULL, &session->mem);
  if (status != ALEA_OK) return status;
  setup += alea_clock_wall() - before;
  bench_worker *workers = calloc(count, sizeof *workers);
  if (workers == NULL) return ALEA_SYSTEM;
  for (size_t i = 0; i < count; i++) {
    workers[i] = (bench_worker){.v = v, .opened = &session->opened, .lanes = lanes, .index = i};
  }
  alea_cli_progress *progress = alea_cli_progress_start("playing", v->seconds);
  (void)alea_cli_session_catch(session);
  double start = alea_clock_wall();
  status = play(workers, count);
  double wall = alea_clock_wall() - start;
  alea_cli_progress_stop(progress);
  if (status == ALEA_OK) {
    add_up(workers, count, session->opened.game->role_count);
    const alea_sample_result *total = &workers[0].result;
    uint64_t games = total->playouts + total->unfinished;
    double mean_length = games > 0 ? (double)total->states / (double)games : 0;
    bench_report r = {workers[0].engine,
                      setup + workers[0].setup_seconds,
                      workers[0].cpu_seconds,
                      wall,
                      mean_length,
                      total};
    (v->json ? print_json : print_text)(session, v, &r);
    status = alea_cli_write(&session->out);
    if (status == ALEA_OK && total->unfinished > 0) status = look_for_stuck(session, v);
    status = alea_cli_tell_stopped(status, "after %.1f s", wall);
  }
  for (size_t i = 0; i < count; i++) {
    free(workers[i].result.sum);
    free(workers[i].result.sum_squares);
  }
  free(workers);
  return status;
}

int alea_cli_bench(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  if (v.seconds <= 0 && v.playouts == 0) {
    return alea_cli_fail(ALEA_USAGE, "bench needs --seconds or --playouts");
  }
  double start = alea_clock_wall();
  alea_open_options options = ALEA_OPEN_OPTIONS_OF(&v);
  alea_cli_session session;
  alea_status status = alea_cli_open(&session, argv[1], &options);
  if (status == ALEA_OK)
    status = alea_stuck_refuse(session.cursor, 0, session.opened.label, &session.diag);
  if (status == ALEA_OK) status = bench(&session, &v, alea_clock_wall() - start);
  return alea_cli_close(&session, status);
}
