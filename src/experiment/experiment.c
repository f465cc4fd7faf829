/* Experiments: what all kinds share. */
#include "experiment/experiment.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static alea_status only_text(const alea_experiment *experiment, const alea_results *results,
                             const alea_tournament_plan *plan, alea_doc *doc) {
  (void)experiment, (void)results, (void)plan, (void)doc;
  return ALEA_OK;
}

static const struct {
  const char *name;
  alea_experiment_kind *run;
} kinds[] = {
    {"matches", alea_experiment_matches},
    {"orchard", alea_experiment_orchard},
    {"sizes", alea_experiment_sizes},
    {"models", alea_experiment_models},
    {"learned", alea_experiment_learned},
    {"claims", alea_experiment_claims},
    {"text", only_text},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static alea_experiment_kind *find_kind(const char *name) {
  for (size_t i = 0; i < KINDS; i++)
    if (strcmp(kinds[i].name, name) == 0) return kinds[i].run;
  return NULL;
}

const char *alea_experiment_cell(const alea_yaml *row, const char *key) {
  return alea_yaml_text(row, key, "–");
}

alea_status alea_experiment_init(alea_experiment *experiment, const alea_yaml_file *file,
                                 const char *scale, alea_mem *mem) {
  const alea_yaml *root = file->root;
  *experiment = (alea_experiment){.mem = mem, .file = file, .root = root, .scale = scale};
  if (!alea_yaml_expect(file, root, ALEA_YAML_MAP)) return ALEA_INPUT;
  if (!alea_yaml_keys(file, root,
                      "experiment title source kind about notes scales tournament published plots "
                      "learning prepare symmetry claims in-order"))
    return ALEA_INPUT;
  experiment->name = alea_yaml_text(root, "experiment", "");
  experiment->kind = alea_yaml_text(root, "kind", "");
  if (experiment->name[0] == '\0' || find_kind(experiment->kind) == NULL) {
    alea_yaml_error(file, root,
                    "an experiment needs 'experiment' (its name) and 'kind' (matches, orchard, "
                    "sizes, models, learned, claims or text)");
    return ALEA_INPUT;
  }
  const alea_yaml *scales = alea_yaml_get(root, "scales");
  experiment->settings = alea_yaml_get(scales, scale);
  if (experiment->settings != NULL || scales == NULL) return ALEA_OK;
  alea_yaml_error(file, scales, "%s has no scale '%s'", experiment->name, scale);
  return ALEA_USAGE;
}

bool alea_experiment_plays(const alea_experiment *experiment) {
  return strcmp(experiment->kind, "matches") == 0;
}

bool alea_experiment_in_order(const alea_experiment *experiment) {
  return strcmp(alea_yaml_text(experiment->root, "in-order", "false"), "true") == 0;
}

void alea_experiment_note(const alea_experiment *experiment, double number, const char *format,
                          ...) {
  char name[128];
  va_list list;
  if (experiment->values == NULL) return;
  va_start(list, format);
  vsnprintf(name, sizeof name, format, list);
  va_end(list);
  alea_text_format(experiment->values, "%s: %.10g\n", name, number);
}

static void put_paragraphs(const alea_yaml *list, alea_doc *doc) {
  if (list == NULL) return;
  if (list->kind == ALEA_YAML_TEXT) alea_doc_text(doc, "%s", list->text);
  for (const alea_yaml *at = list->first; at != NULL; at = at->next)
    alea_doc_text(doc, "%s", at->text);
}

static void put_notes(const alea_yaml *notes, alea_doc *doc) {
  if (notes == NULL || notes->count == 0) return;
  alea_doc_heading(doc, 2, "Notes");
  for (const alea_yaml *at = notes->first; at != NULL; at = at->next)
    alea_doc_text(doc, "- %s: %s", alea_yaml_text(at, "id", "note"),
                  alea_yaml_text(at, "text", ""));
}

/* Each reason is printed once, however many pairings it concerns. */
static void put_left_out(const alea_tournament_plan *plan, alea_doc *doc) {
  for (size_t i = 0; plan != NULL && i < plan->left_out.count; i++)
    alea_doc_text(doc, "Left out: %s.", plan->left_out.data[i]);
}

alea_status alea_experiment_doc(const alea_experiment *experiment, const alea_results *results,
                                const alea_tournament_plan *plan, alea_doc *doc) {
  const alea_yaml *root = experiment->root;
  alea_doc_heading(doc, 1, "%s: %s", experiment->name, alea_yaml_text(root, "title", ""));
  alea_doc_text(doc, "Source: %s. Scale: %s.", alea_yaml_text(root, "source", "ours"),
                experiment->scale);
  put_paragraphs(alea_yaml_get(root, "about"), doc);
  put_left_out(plan, doc);
  alea_status status = find_kind(experiment->kind)(experiment, results, plan, doc);
  put_notes(alea_yaml_get(root, "notes"), doc);
  return status;
}
