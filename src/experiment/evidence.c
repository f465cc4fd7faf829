/* Stored results of an experiment, as claims ask for them. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "experiment/claims.h"
#include "match/shipped.h"

/* FOLDER/NAME-SCALE.ENDING.  Diagnostics name files and outlive the evidence, so
 * the path lives with them. */
static const char *path_of(const alea_evidence *e, const char *folder, const char *ending) {
  alea_text path;
  alea_text_init(&path, e->mem);
  alea_text_format(&path, "%s/%s-%s.%s", folder, e->name, e->scale, ending);
  const char *kept = NULL;
  if (!path.failed) kept = alea_arena_strdup(&e->diag->arena, alea_text_string(&path), path.length);
  alea_text_clear(&path);
  return kept;
}

static const alea_shipped_file *find_shipped(const char *name) {
  for (size_t i = 0; i < alea_shipped_experiment_count; i++)
    if (strcmp(alea_shipped_experiments[i].name, name) == 0) return &alea_shipped_experiments[i];
  return NULL;
}

static alea_status read_experiment(alea_evidence *e) {
  const alea_shipped_file *shipped = find_shipped(e->name);
  if (shipped == NULL) {
    alea_diag_error(e->diag, ((alea_place){0}), "claims", "there is no experiment '%s'", e->name);
    return ALEA_INPUT;
  }
  e->read = true;
  alea_status status = alea_yaml_read(&e->file, (const char *)shipped->bytes, shipped->length,
                                      shipped->file, e->mem, e->diag);
  if (status != ALEA_OK) return status;
  status = alea_experiment_init(&e->experiment, &e->file, e->scale, e->mem);
  return status == ALEA_USAGE ? ALEA_INPUT : status;
}

/* Budgets are found by their labels, which the plan has.  Its games need not be
 * opened for that, so their number of seats is made up. */
static alea_status read_labels(alea_evidence *e) {
  if (!alea_experiment_plays(&e->experiment)) return ALEA_OK;
  const alea_yaml *tournament = alea_yaml_get(e->file.root, "tournament");
  if (tournament == NULL) return ALEA_INPUT;
  alea_tournament_plan_options options = {
      .lenient = true, .seed = -1, .seats = 2, .extra = e->experiment.settings};
  e->planned = true;
  return alea_tournament_plan_new(&e->plan, &e->file, tournament, &options, e->mem);
}

static alea_status load_results(alea_evidence *e, const char *folder) {
  const char *path = path_of(e, folder, "db");
  alea_result_store *store = NULL;
  if (path == NULL) return alea_mem_lack(e->mem);
  if (access(path, F_OK) != 0) return ALEA_OK;
  alea_status status = alea_result_store_read(&store, path, e->mem, e->diag);
  if (status != ALEA_OK) return status;
  e->played = true;
  status = alea_results_load(&e->results, store, e->mem, e->diag);
  (void)alea_result_store_close(store);
  return status;
}

static alea_status load_values(alea_evidence *e, const char *folder) {
  const char *path = path_of(e, folder, "values");
  if (path == NULL) return alea_mem_lack(e->mem);
  if (access(path, F_OK) != 0) return ALEA_OK;
  alea_text text;
  alea_text_init(&text, e->mem);
  alea_status status = alea_open_file(path, &text, e->diag);
  e->noted = status == ALEA_OK && text.length > 0; /* an experiment may note nothing */
  if (e->noted)
    status =
        alea_yaml_read(&e->values, alea_text_string(&text), text.length, path, e->mem, e->diag);
  alea_text_clear(&text);
  return status;
}

alea_status alea_evidence_open(alea_evidence *evidence, const char *name, const char *scale,
                               const char *folder, alea_mem *mem, alea_diag *diag) {
  *evidence = (alea_evidence){.mem = mem, .diag = diag, .name = name, .scale = scale};
  alea_status status = read_experiment(evidence);
  if (status == ALEA_OK) status = read_labels(evidence);
  if (status == ALEA_OK && evidence->planned) status = load_results(evidence, folder);
  return status == ALEA_OK ? load_values(evidence, folder) : status;
}

void alea_evidence_clear(alea_evidence *evidence) {
  if (evidence->noted) alea_yaml_clear(&evidence->values);
  if (evidence->played) alea_results_clear(&evidence->results);
  if (evidence->planned) alea_tournament_plan_clear(&evidence->plan);
  if (evidence->read) alea_yaml_clear(&evidence->file);
  *evidence = (alea_evidence){0};
}
