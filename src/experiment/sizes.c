/* Experiments on the constraint networks of games.
 *
 *   published: [{name: Awale, game: awale, vars: 19, max_domain: 37, constraints: 73, seconds: 94}]
 */
#include "match/sizes.h"
#include "experiment/experiment.h"

static void put_published(const alea_yaml *row, alea_doc *doc) {
  alea_doc_cell(doc, "%s", alea_experiment_cell(row, "name"));
  alea_doc_cell(doc, "%s, %s, %s", alea_experiment_cell(row, "vars"),
                alea_experiment_cell(row, "max_domain"), alea_experiment_cell(row, "constraints"));
  alea_doc_cell(doc, "%s", alea_experiment_cell(row, "seconds"));
}

static void put_unopened(alea_doc *doc) {
  for (int i = 0; i < 7; i++) alea_doc_cell(doc, "–");
}

static void put_sizes(const alea_template_sizes *sizes, alea_doc *doc) {
  alea_doc_cell(doc, "%llu, %.10g, %llu", (unsigned long long)sizes->vars, sizes->max_domain,
                (unsigned long long)sizes->constraints);
}

static void note_sizes(const alea_experiment *e, const char *game,
                       const alea_template_sizes *sizes) {
  alea_experiment_note(e, (double)sizes->vars, "%s vars", game);
  alea_experiment_note(e, sizes->max_domain, "%s max_domain", game);
  alea_experiment_note(e, (double)sizes->constraints, "%s constraints", game);
}

/* Adds the sizes by one encoder, before and after preprocessing, and the
 * time. */
static void put_network(const alea_experiment *e, const char *game, const alea_opened *opened,
                        alea_encoder encoder, double seconds, alea_doc *doc) {
  alea_network_sizes sizes;
  if (alea_sizes_of(opened, encoder, seconds, &sizes, e->mem) == ALEA_OK) {
    if (encoder == ALEA_ENCODER_PAPER) note_sizes(e, game, &sizes.after);
    put_sizes(&sizes.before, doc);
    put_sizes(&sizes.after, doc);
    alea_doc_cell(doc, "%.2f", sizes.seconds);
  } else {
    for (int i = 0; i < 3; i++) alea_doc_cell(doc, "not in time");
  }
}

static void put_ours(const alea_experiment *e, const char *game, const alea_opened *opened,
                     double seconds, alea_doc *doc) {
  put_network(e, game, opened, ALEA_ENCODER_PAPER, seconds, doc);
  put_network(e, game, opened, ALEA_ENCODER_GROUND, seconds, doc);
  if (opened->net != NULL) alea_doc_cell(doc, "%u", opened->net->gate_count);
  if (opened->net == NULL) alea_doc_cell(doc, "–");
}

static alea_status one_game(const alea_experiment *e, const alea_yaml *row, double seconds,
                            alea_doc *doc) {
  const char *name = alea_yaml_text(row, "game", NULL);
  put_published(row, doc);
  if (name == NULL) {
    put_unopened(doc);
    return ALEA_OK;
  }
  alea_opened opened;
  alea_diag diag;
  alea_diag_init(&diag, e->mem);
  alea_open_options options = {
      .engine = ALEA_ENGINE_NET, .ground_seconds = seconds, .memory = (size_t)4 << 30};
  alea_status status = alea_open(&opened, name, &options, &diag);
  if (status == ALEA_OK) put_ours(e, name, &opened, seconds, doc);
  if (status != ALEA_OK) put_unopened(doc);
  alea_diag_clear(&diag);
  alea_opened_clear(&opened);
  return status == ALEA_SYSTEM ? status : ALEA_OK;
}

alea_status alea_experiment_sizes(const alea_experiment *experiment, const alea_results *results,
                                  const alea_tournament_plan *plan, alea_doc *doc) {
  (void)results, (void)plan;
  const alea_yaml *rows = alea_yaml_get(experiment->root, "published");
  double seconds = 60;
  if (!alea_yaml_read_number(experiment->file, experiment->settings, "seconds", 0.01, 1e6, false,
                             &seconds))
    return ALEA_INPUT;
  alea_doc_table(doc,
                 "game|published vars, largest domain, constraints|published s|"
                 "`paper`: vars, largest domain, constraints|preprocessed|s|"
                 "`ground`: vars, largest domain, constraints|preprocessed|s|gates");
  alea_status status = ALEA_OK;
  for (const alea_yaml *at = rows != NULL ? rows->first : NULL; status == ALEA_OK && at != NULL;
       at = at->next)
    status = one_game(experiment, at, seconds, doc);
  return status;
}
