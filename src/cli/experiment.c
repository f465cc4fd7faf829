/* alea experiment: runs the experiments of the papers again. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/series.h"
#include "experiment/experiment.h"
#include "match/shipped.h"

/* clang-format off */
#define SCALES(word) word(SCALE_SMALL, "small") word(SCALE_FULL, "full") word(SCALE_PAPER, "paper")
#define OPTIONS(row)                                                                       \
  row(choice, scale, "small", 0, 0, ALEA_CHOICE_WORDS(SCALES), "about an hour for all experiments together, twelve, or as much as was published") \
  row(text, db, "", 0, 0, "FILE", "the database of results; NAME-SCALE.db by default")     \
  row(integer, matches, "0", 0, 1e9, "N", "matches of every pairing; 0: as the scale says") \
  row(integer, seed, "-1", -1, 9e15, "N", "seed of everything random; -1: as the file says") \
  row(text, html, "", 0, 0, "FILE", "write HTML with plots, too")                          \
  row(text, svg, "", 0, 0, "PREFIX", "write the plots as PREFIX-1.svg, ... and link them") \
  row(text, values, "", 0, 0, "FILE", "write the numbers that claims refer to, besides scores")  \
  row(text, results, ".", 0, 0, "FOLDER", "claims: where NAME-SCALE.db and NAME-SCALE.values are") \
  row(flag, list, "", 0, 0, "", "list the experiments")                                    \
  ALEA_SERIES_OPTIONS(row)
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)
static const char *const scales[] = {SCALES(ALEA_CHOICE_STRING)}; /* by constant */

static const alea_command command = {
    .name = "experiment",
    .operands = "[NAME]",
    .summary = "runs an experiment of the papers again; prints ours beside theirs",
    .details =
        "NAME is E1 to E12, or a path to a file like those of experiments/.  Matches are\n"
        "stored and a stopped run goes on.  `claims` measures nothing: it says which of the\n"
        "papers' claims the stored results of the others bear out.  Prints Markdown.",
    .example = "alea experiment E1",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 0,
    .most_operands = 1,
};

/* ---- finding the file ---- */

static bool same_name(const char *a, const char *b) {
  for (; *a != '\0' || *b != '\0'; a++, b++)
    if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) return false;
  return true;
}

static const alea_shipped_file *find(const char *name) {
  for (size_t i = 0; i < alea_shipped_experiment_count; i++)
    if (same_name(alea_shipped_experiments[i].name, name)) return &alea_shipped_experiments[i];
  return NULL;
}

static alea_status read_file(alea_series *series, const char *name) {
  const alea_shipped_file *shipped = find(name);
  if (shipped != NULL) {
    alea_text_add(&series->text, (const char *)shipped->bytes, shipped->length);
    return alea_series_take(series, alea_text_string(&series->text), series->text.length,
                            shipped->file);
  }
  if (strchr(name, '.') != NULL || strchr(name, '/') != NULL) return alea_series_read(series, name);
  return (alea_status)alea_cli_fail(
      ALEA_USAGE, "there is no experiment '%s' ('alea experiment --list' lists them)", name);
}

/* E2 before E10, and what has no number at the end. */
static long number_of(const alea_shipped_file *file) {
  return file->name[0] == 'E' ? strtol(file->name + 1, NULL, 10) : LONG_MAX;
}

static void list_one(const alea_shipped_file *file, alea_mem *mem, alea_text *out) {
  alea_diag diag;
  alea_yaml_file yaml;
  alea_diag_init(&diag, mem);
  if (alea_yaml_read(&yaml, (const char *)file->bytes, file->length, file->file, mem, &diag) ==
      ALEA_OK)
    alea_text_format(out, "%-8s %s\n", file->name, alea_yaml_text(yaml.root, "title", ""));
  alea_yaml_clear(&yaml);
  alea_diag_clear(&diag);
}

static int list_all(void) {
  alea_mem mem;
  alea_text out;
  alea_mem_init(&mem, 0);
  alea_text_init(&out, &mem);
  /* The files are sorted by name; each round lists those of the next number. */
  for (long listed = -1, next; listed < LONG_MAX; listed = next) {
    next = LONG_MAX;
    for (size_t i = 0; i < alea_shipped_experiment_count; i++) {
      long number = number_of(&alea_shipped_experiments[i]);
      if (number > listed && number < next) next = number;
    }
    for (size_t i = 0; i < alea_shipped_experiment_count; i++)
      if (number_of(&alea_shipped_experiments[i]) == next)
        list_one(&alea_shipped_experiments[i], &mem, &out);
  }
  alea_status status = alea_cli_write(&out);
  alea_text_clear(&out);
  return (int)status;
}

/* ---- running ---- */

typedef struct job {
  const values *v;
  alea_series series;
  alea_experiment experiment;
  alea_text database, out, values;
} job;

static alea_status write_doc(job *j, const alea_results *results,
                             const alea_tournament_plan *plan) {
  alea_doc doc;
  alea_doc_init(&doc, &j->series.mem);
  const char *pictures = j->v->svg != NULL && j->v->svg[0] != '\0' ? j->v->svg : NULL;
  alea_cli_progress *progress = results == NULL ? alea_cli_progress_start("solving", 0) : NULL;
  alea_status status = alea_experiment_doc(&j->experiment, results, plan, &doc);
  alea_cli_progress_stop(progress);
  if (status == ALEA_OK)
    status = alea_cli_write_doc(&doc, j->experiment.name, j->v->html, pictures);
  if (status == ALEA_OK && j->v->values != NULL && j->v->values[0] != '\0')
    status = alea_cli_write_file(j->v->values, &j->values);
  if (status == ALEA_OK) alea_doc_markdown(&doc, pictures, &j->out);
  alea_doc_clear(&doc);
  return status;
}

/* Shows the results in the database of this run, including matches that were
 * stored before. */
static alea_status show_results(job *j) {
  alea_result_store *store = NULL;
  alea_results results;
  alea_mem *mem = &j->series.mem;
  alea_status status =
      alea_result_store_read(&store, alea_text_string(&j->database), mem, &j->series.diag);
  if (status != ALEA_OK) return status;
  status = alea_results_load(&results, store, mem, &j->series.diag);
  if (status == ALEA_OK) status = write_doc(j, &results, &j->series.plan);
  alea_results_clear(&results);
  (void)alea_result_store_close(store);
  return status;
}

static alea_status play(job *j) {
  alea_series *series = &j->series;
  const alea_yaml *tournament = alea_yaml_get(series->file.root, "tournament");
  if (tournament == NULL) {
    alea_yaml_error(&series->file, series->file.root, "'tournament' is missing");
    return ALEA_INPUT;
  }
  alea_tournament_plan_options options = {.lenient = true,
                                          .matches = (uint32_t)j->v->matches,
                                          .seed = j->v->seed,
                                          .extra = j->experiment.settings};
  alea_cli_progress *progress = NULL;
  if (series->rank == 0) progress = alea_cli_progress_start("preparing", 0);
  alea_status status = series->rank == 0 ? alea_experiment_prepare(&j->experiment) : ALEA_OK;
  alea_cli_progress_stop(progress);
  if (alea_experiment_in_order(&j->experiment)) {
    if (series->ranks > 1)
      return (alea_status)alea_cli_fail(
          ALEA_USAGE, "%s plays one match after the other, not as an MPI job", j->experiment.name);
    series->workers = 1;
  }
  if (status == ALEA_OK) status = alea_series_plan(series, tournament, &options);
  if (status != ALEA_OK) return status;
  if (series->plan.units == 0) /* no player can be run */
    return series->rank == 0 ? write_doc(j, NULL, &series->plan) : ALEA_OK;
  status = alea_series_run(series, alea_text_string(&j->database));
  if (series->rank != 0 || (status != ALEA_OK && status != ALEA_NO)) return status;
  alea_status shown = show_results(j);
  if (shown != ALEA_OK) return shown;
  return series->stopped ? ALEA_LIMIT : status;
}

static alea_status run(job *j, const char *name) {
  alea_series *series = &j->series;
  alea_status status = read_file(series, name);
  if (status != ALEA_OK) return status;
  status = alea_experiment_init(&j->experiment, &series->file, scales[j->v->scale], &series->mem);
  if (status != ALEA_OK) return status;
  j->experiment.folder = j->v->results;
  j->experiment.values = &j->values;
  if (j->v->db != NULL && j->v->db[0] != '\0') {
    alea_text_put(&j->database, j->v->db);
  } else {
    alea_text_format(&j->database, "%s-%s.db", j->experiment.name, scales[j->v->scale]);
  }
  if (j->database.failed) return ALEA_SYSTEM;
  if (alea_experiment_plays(&j->experiment)) return play(j);
  return series->rank == 0 ? write_doc(j, NULL, NULL) : ALEA_OK;
}

int alea_cli_experiment(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  if (v.list) return list_all();
  if (operands == 0)
    return alea_cli_fail(ALEA_USAGE, "which one? ('alea experiment --list' lists them)");
  job j = {.v = &v};
  alea_status status = alea_series_open(&j.series, v.workers, v.patience);
  alea_text_init(&j.database, &j.series.mem);
  alea_text_init(&j.out, &j.series.mem);
  alea_text_init(&j.values, &j.series.mem);
  j.series.lines_wanted = v.live && j.series.rank == 0;
  if (status == ALEA_OK) status = run(&j, argv[1]);
  alea_series_complain(&j.series, status);
  if (j.series.rank == 0 && alea_cli_write(&j.out) != ALEA_OK) status = ALEA_SYSTEM;
  alea_text_clear(&j.values);
  alea_text_clear(&j.out);
  alea_text_clear(&j.database);
  return alea_series_close(&j.series, status);
}
