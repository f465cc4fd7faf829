/* alea tournament: plays many matches and stores their results. */
#include <string.h>

#include "base/json.h"
#include "cli/cli.h"
#include "cli/series.h"
#include "cli/standings.h"

/* clang-format off */
#define OPTIONS(row)                                                                       \
  row(text, db, "", 0, 0, "FILE", "the database of results; FILE.db beside FILE.yaml by default") \
  row(integer, matches, "0", 0, 1e9, "N", "matches of every pairing; 0: as the file says")  \
  row(integer, seed, "-1", -1, 9e15, "N", "seed of everything random; -1: as the file says") \
  row(integer, watch_port, "-1", -1, 65535, "N", "show the standings at this port, as JSON and at /events as they change; 0 is any free one") \
  row(flag, plan, "", 0, 0, "", "print what would be played, and play nothing")            \
  row(flag, json, "", 0, 0, "", "print one JSON object at the end")                        \
  ALEA_SERIES_OPTIONS(row)
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static const alea_command command = {
    .name = "tournament",
    .operands = "FILE.yaml",
    .summary = "plays many matches and stores them; goes on where it was stopped",
    .details =
        "docs/TOURNAMENTS.md describes the file.  Killed at any time, the same command goes on\n"
        "with what is not stored yet.  'mpirun alea tournament ...' plays on a cluster.",
    .example = "alea tournament first.yaml --workers 2",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 1,
    .most_operands = 1,
};

/* "x/first.yaml" to "x/first.db". */
static void name_database(const char *path, alea_text *name) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  bool cut = dot != NULL && dot != path && (slash == NULL || dot > slash + 1);
  alea_text_add(name, path, cut ? (size_t)(dot - path) : strlen(path));
  alea_text_put(name, ".db");
}

static void print_plan(const alea_tournament_plan *plan, alea_text *out) {
  alea_text_format(out, "%s: %llu matches of %zu pairings\n", plan->name,
                   (unsigned long long)plan->units, plan->pairings.count);
  if (plan->system == ALEA_TOURNAMENT_SWISS || plan->system == ALEA_TOURNAMENT_KNOCKOUT)
    alea_text_put(out, "the pairings of a round follow from the results before it\n");
  for (size_t i = 0; i < plan->pairings.count; i++)
    alea_text_format(out, "%8u  %s\n", plan->pairings.data[i].matches, plan->pairings.data[i].key);
}

static void print_json(const alea_series *series, alea_text *out) {
  const alea_progress *p = &series->progress;
  alea_json json;
  alea_json_start(&json, out);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "name", series->plan.name);
  alea_json_put_string(&json, "database", series->database);
  alea_json_put_count(&json, "matches", p->total);
  alea_json_put_count(&json, "done", p->done);
  alea_json_put_count(&json, "played", p->now);
  alea_json_put_count(&json, "failed", p->failed);
  alea_json_put_count(&json, "lost_processes", p->lost);
  alea_json_put_real(&json, "seconds", p->seconds);
  if (series->plan.winner != ALEA_TOURNAMENT_PLAN_NOBODY)
    alea_json_put_string(&json, "winner", series->plan.players.data[series->plan.winner].name);
  if (series->standings != NULL) {
    alea_json_key(&json, "standings");
    alea_cli_standings_json(&series->plan, series->standings, &json);
  }
  alea_json_close(&json, '}');
  alea_text_char(out, '\n');
}

static void print_end(const alea_series *series, alea_text *out) {
  const alea_progress *p = &series->progress;
  alea_text_format(out, "%s: %llu of %llu matches are stored in %s (%llu now, %.1f s)\n",
                   series->plan.name, (unsigned long long)p->done, (unsigned long long)p->total,
                   series->database, (unsigned long long)p->now, p->seconds);
  if (p->lost > 0)
    alea_text_format(out, "%llu processes died; their matches were given to others\n",
                     (unsigned long long)p->lost);
  bool event = series->plan.remote || series->plan.system != ALEA_TOURNAMENT_PAIRINGS;
  alea_progress last = *p;
  last.plan = &series->plan;
  last.standings = series->standings;
  if (event) alea_cli_standings_text(&last, out);
  if (series->plan.winner != ALEA_TOURNAMENT_PLAN_NOBODY)
    alea_text_format(out, "winner: %s\n", series->plan.players.data[series->plan.winner].name);
  if (series->stopped) alea_text_put(out, "stopped; the same command goes on from here\n");
  if (p->failed > 0)
    alea_text_format(out, "%llu matches could not be played\n", (unsigned long long)p->failed);
}

static alea_status run(alea_series *series, const values *v, const char *path, alea_text *out) {
  alea_text name;
  alea_text_init(&name, &series->mem);
  if (v->db != NULL && v->db[0] != '\0') {
    alea_text_put(&name, v->db);
  } else {
    name_database(path, &name);
  }
  alea_tournament_plan_options options = {.matches = (uint32_t)v->matches, .seed = v->seed};
  alea_status status = name.failed ? ALEA_SYSTEM : alea_series_read(series, path);
  if (status == ALEA_OK) status = alea_series_plan(series, series->file.root, &options);
  if (status == ALEA_OK && v->plan) {
    if (series->rank == 0) print_plan(&series->plan, out);
  } else if (status == ALEA_OK) {
    if (v->watch_port >= 0 && series->rank == 0)
      status = alea_series_watch(series, (uint16_t)v->watch_port);
    if (status == ALEA_OK) status = alea_series_run(series, alea_text_string(&name));
    if (series->rank == 0 && series->progress.total > 0) {
      if (v->json) print_json(series, out);
      if (!v->json) print_end(series, out);
    }
    if (status == ALEA_OK && series->stopped) status = ALEA_LIMIT;
  }
  alea_series_complain(series, status); /* before closing: diagnostics may name the database */
  alea_text_clear(&name);
  return status;
}

int alea_cli_tournament(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  alea_series series;
  alea_mem mem;
  alea_text out;
  alea_mem_init(&mem, 0);
  alea_text_init(&out, &mem);
  alea_status status = alea_series_open(&series, v.workers, v.patience);
  series.lines_wanted = v.live && series.rank == 0;
  if (status == ALEA_OK) status = run(&series, &v, argv[1], &out);
  if (series.rank == 0 && alea_cli_write(&out) != ALEA_OK) status = ALEA_SYSTEM;
  alea_text_clear(&out);
  return alea_series_close(&series, status);
}
