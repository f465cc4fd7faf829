/* The light Orchard through its translation, and the full one as a model.
 *
 *   published:
 *     game: orchard-state
 *     horizons: [{horizon: 1, time: 29 ms, policies: 0}]
 *     shown: 4                    # the horizon whose scenarios are listed
 *     full: {best: 68.4, worst: 53.2}
 *
 * Setting of a scale: horizons (how many). */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "encode/services.h"
#include "experiment/experiment.h"
#include "match/open.h"
#include "models/stochastic.h"

typedef struct orchard_run {
  const alea_experiment *e;
  alea_doc *doc;
  const alea_template *t;
  alea_process *process;
  const alea_csp *csp; /* of the horizon at hand */
  uint32_t horizon;
  bool listing;          /* scenarios become rows of a table */
  alea_symbols *lines;   /* those met, as texts */
  uint64_t basket_first; /* of them: the player chooses in the second step */
  alea_text text;        /* scratch */
} orchard_run;

/* ---- one scenario as table 5 writes it ---- */

/* The value of a variable of the template at instant t; a state variable of a
 * later instant is the next state of the one before. */
static int32_t value_at(const orchard_run *run, alea_csp_var var, uint32_t t,
                        const int32_t *values) {
  char name[128];
  bool next = var < run->t->state_count && t > 0;
  const alea_csp *network = alea_scsp_network_of(run->t->scsp);
  snprintf(name, sizeof name, "%.100s@%u", alea_csp_name(network, next ? run->t->next[var] : var),
           next ? t - 1 : t);
  alea_csp_var found = alea_csp_find(run->csp, name);
  return found != ALEA_CSP_NONE ? values[found] : 0;
}

/* The fluents of an instant without who is to move, which the next move tells. */
static void put_state(orchard_run *run, uint32_t t, const int32_t *values) {
  const alea_ground *g = run->t->ground;
  for (alea_csp_var v = 0; v < run->t->state_count; v++) {
    int32_t value = value_at(run, v, t, values);
    if (value <= 0) continue;
    alea_term term = g->fluents[run->t->fluents[run->t->value_first[v] + (uint32_t)value - 1]];
    if (alea_terms_arity(g->terms, term) < 2) continue;
    alea_terms_print(g->terms, term, false, &run->text);
    alea_text_char(&run->text, ' ');
  }
}

static void put_move(orchard_run *run, uint32_t role, uint32_t t, const int32_t *values) {
  const alea_ground *g = run->t->ground;
  int32_t value = value_at(run, run->t->action[role], t, values);
  if (value > 0)
    alea_terms_print(g->terms, g->moves[g->move_first[role] + (uint32_t)value - 1], false,
                     &run->text);
  else
    alea_text_put(&run->text, "undefined");
}

/* States and moves of the player, instant by instant: the die is not told apart
 * where it changes nothing. */
static void put_line(orchard_run *run, uint32_t player, const int32_t *values) {
  alea_text_truncate(&run->text, 0);
  for (uint32_t t = 0; t <= run->horizon; t++) {
    put_state(run, t, values);
    if (t < run->horizon) put_move(run, player, t, values);
    alea_text_char(&run->text, '|');
  }
}

static bool take_scenario(void *data, const int32_t *values) {
  orchard_run *run = data;
  uint32_t player = run->t->ground->random_role == 0 ? 1 : 0;
  put_line(run, player, values);
  size_t before = alea_symbols_count(run->lines);
  const char *line = alea_text_string(&run->text);
  alea_symbol number = alea_symbols_add(run->lines, line, strlen(line));
  if (run->text.failed || number == ALEA_NO_SYMBOL) return false;
  if (alea_symbols_count(run->lines) == before) return true;
  int32_t first = value_at(run, run->t->action[player], 0, values);
  int32_t second = value_at(run, run->t->action[player], 1, values);
  run->basket_first += run->horizon > 1 && second != 0 && second != first;
  if (!run->listing) return true;
  alea_doc_cell(run->doc, "%zu", alea_symbols_count(run->lines));
  for (const char *end; (end = strchr(line, '|')) != NULL; line = end + 1)
    alea_doc_cell(run->doc, "%.*s", (int)(end - line), line);
  return true;
}

/* All scenarios that win; the distinct lines are in run->lines until it is freed. */
static alea_status find_scenarios(orchard_run *run, const alea_scsp *scsp, uint64_t *count,
                                  alea_scsp_result *result) {
  alea_scsp_scenario wanted = {.theta = 0.5, .found = take_scenario, .data = run};
  run->csp = alea_scsp_network_of(scsp);
  run->basket_first = 0;
  run->lines = alea_symbols_new(run->e->mem);
  if (run->lines == NULL) return ALEA_SYSTEM;
  alea_status status = alea_scsp_scenarios(scsp, &(alea_scsp_options){0}, &wanted, count, result);
  return status == ALEA_NO ? ALEA_OK : status;
}

/* ---- horizons ---- */

static const alea_yaml *row_of_horizon(const alea_yaml *rows, uint32_t horizon) {
  double number;
  for (const alea_yaml *at = rows != NULL ? rows->first : NULL; at != NULL; at = at->next)
    if (alea_yaml_number(alea_yaml_get(at, "horizon"), &number) && number == horizon) return at;
  return NULL;
}

/* Scenarios and the best policy by Algorithm 1, and the cached exact value. */
static alea_status solve_horizon(orchard_run *run, const alea_scsp *scsp, const alea_yaml *row) {
  const alea_scsp_options options = {0};
  alea_scsp_result listing, search, exact;
  const double half = 0.5;
  uint64_t scenarios;
  alea_status status = find_scenarios(run, scsp, &scenarios, &listing);
  if (status != ALEA_OK) return status;
  status = alea_scsp_search(scsp, &options, &half, NULL, &search);
  bool reached = status == ALEA_OK;
  if (status != ALEA_OK && status != ALEA_NO) return status;
  status = alea_scsp_search(scsp, &options, NULL, NULL, &search);
  if (status == ALEA_OK) status = alea_scsp_solve(scsp, &options, &exact);
  if (status != ALEA_OK) return status;
  alea_experiment_note(run->e, (double)alea_symbols_count(run->lines), "plays-%u", run->horizon);
  alea_experiment_note(run->e, 100 * exact.value, "best-%u", run->horizon);
  alea_doc *doc = run->doc;
  alea_doc_cell(doc, "%u", run->horizon);
  alea_doc_cell(doc, "%s", alea_experiment_cell(row, "time"));
  alea_doc_cell(doc, "%s", alea_experiment_cell(row, "policies"));
  alea_doc_cell(doc, "%zu", alea_symbols_count(run->lines));
  alea_doc_cell(doc, "%llu", (unsigned long long)run->basket_first);
  alea_doc_cell(doc, "%llu", (unsigned long long)scenarios);
  alea_doc_cell(doc, "%s", reached ? "yes" : "no");
  alea_doc_cell(doc, "%.6f", search.value);
  alea_doc_cell(doc, "%.6f", exact.value);
  alea_doc_cell(doc, "%.3f ms", 1000 * listing.seconds);
  alea_doc_cell(doc, "%.3f ms", 1000 * search.seconds);
  alea_doc_cell(doc, "%.3f ms", 1000 * exact.seconds);
  return ALEA_OK;
}

static alea_status one_horizon(orchard_run *run, uint32_t horizon, const alea_yaml *rows) {
  alea_scsp *scsp = alea_process_unroll(run->process, horizon);
  if (scsp == NULL) return ALEA_SYSTEM;
  run->horizon = horizon;
  alea_status status = solve_horizon(run, scsp, row_of_horizon(rows, horizon));
  alea_symbols_free(run->lines);
  alea_scsp_free(scsp);
  return status;
}

/* The scenarios of one horizon, state and move by instant. */
static alea_status show_scenarios(orchard_run *run, uint32_t horizon) {
  alea_scsp *scsp = alea_process_unroll(run->process, horizon);
  if (scsp == NULL) return ALEA_SYSTEM;
  run->horizon = horizon;
  run->listing = true;
  alea_text heads;
  alea_text_init(&heads, run->e->mem);
  alea_text_put(&heads, "scenario");
  for (uint32_t t = 0; t <= horizon; t++) alea_text_format(&heads, "|t = %u", t);
  alea_doc_heading(run->doc, 2, "The scenarios of horizon %u", horizon);
  alea_doc_table(run->doc, alea_text_string(&heads));
  alea_text_clear(&heads);
  uint64_t count;
  alea_scsp_result result;
  alea_status status = find_scenarios(run, scsp, &count, &result);
  alea_symbols_free(run->lines);
  alea_scsp_free(scsp);
  return status;
}

static alea_status light(orchard_run *run) {
  const alea_experiment *e = run->e;
  const alea_yaml *published = alea_yaml_get(e->root, "published");
  const alea_yaml *rows = alea_yaml_get(published, "horizons");
  double horizons = 5, shown = 4;
  if (!alea_yaml_read_number(e->file, e->settings, "horizons", 1, 12, true, &horizons) ||
      !alea_yaml_read_number(e->file, published, "shown", 0, 12, true, &shown))
    return ALEA_INPUT;
  alea_doc_heading(run->doc, 2, "Two trees with two fruits, the raven one step away");
  alea_doc_table(
      run->doc,
      "horizon|published time|published policies|scenarios that win|basket first|with the die|"
      "a policy reaches 1/2|best, Algorithm 1|best, cached|scenarios in|Algorithm 1 in|"
      "cached in");
  alea_status status = ALEA_OK;
  for (uint32_t h = 1; status == ALEA_OK && h <= (uint32_t)horizons; h++)
    status = one_horizon(run, h, rows);
  alea_scsp_result limit = {0};
  if (status == ALEA_OK)
    status = alea_process_solve(run->process, -1, &(alea_scsp_options){0}, &limit);
  if (status != ALEA_OK) return status;
  alea_doc_text(run->doc,
                "Without a horizon the best probability is %.6f. A scenario is a complete "
                "instantiation of the translated network, of positive probability, that pays 1/2 "
                "or more; scenarios are told apart by states and moves of the player, as the "
                "paper lists them, and with the die too, which is thrown in every step.",
                limit.value);
  return shown > 0 ? show_scenarios(run, (uint32_t)shown) : ALEA_OK;
}

/* Opens the rulesheet and translates it with the encoder of the paper. */
static alea_status translated(orchard_run *run) {
  const alea_experiment *e = run->e;
  alea_opened opened;
  alea_diag diag;
  alea_diag_init(&diag, e->mem);
  alea_open_options options = {
      .engine = ALEA_ENGINE_NET, .ground_seconds = 60, .memory = (size_t)1 << 30};
  alea_deadline never = {0};
  alea_status status = alea_open(
      &opened, alea_yaml_text(alea_yaml_get(e->root, "published"), "game", "orchard-state"),
      &options, &diag);
  if (status == ALEA_OK)
    status = alea_services_template(opened.services, ALEA_ENCODER_PAPER, &never, &run->t);
  if (status == ALEA_OK) {
    run->process = alea_template_process(run->t);
    status = run->process != NULL ? light(run) : ALEA_SYSTEM;
    alea_process_free(run->process);
  }
  alea_diag_clear(&diag);
  alea_opened_clear(&opened);
  return status;
}

static alea_status full(const alea_experiment *e, alea_doc *doc) {
  const alea_yaml *row = alea_yaml_get(alea_yaml_get(e->root, "published"), "full");
  alea_process *process = alea_model_orchard(e->mem, 4, 10, 9, false);
  if (process == NULL) return ALEA_SYSTEM;
  alea_scsp_options options = {.aim = ALEA_SCSP_MAX};
  alea_scsp_result best = {0}, worst = {0};
  alea_status status = alea_process_solve(process, -1, &options, &best);
  options.aim = ALEA_SCSP_WORST;
  if (status == ALEA_OK) status = alea_process_solve(process, -1, &options, &worst);
  alea_process_free(process);
  if (status != ALEA_OK) return status;
  alea_experiment_note(e, 100 * best.value, "best");
  alea_experiment_note(e, 100 * worst.value, "worst");
  alea_doc_heading(doc, 2, "Four trees with ten fruits, the raven nine steps away");
  alea_doc_table(doc, "policy|published %|exact %|time");
  alea_doc_cell(doc, "best (from the fullest tree)");
  alea_doc_cell(doc, "%s", alea_experiment_cell(row, "best"));
  alea_doc_cell(doc, "%.4f", 100 * best.value);
  alea_doc_cell(doc, "%.2f s", best.seconds);
  alea_doc_cell(doc, "worst");
  alea_doc_cell(doc, "%s", alea_experiment_cell(row, "worst"));
  alea_doc_cell(doc, "%.4f", 100 * worst.value);
  alea_doc_cell(doc, "%.2f s", worst.seconds);
  return ALEA_OK;
}

alea_status alea_experiment_orchard(const alea_experiment *experiment, const alea_results *results,
                                    const alea_tournament_plan *plan, alea_doc *doc) {
  (void)results, (void)plan;
  orchard_run run = {.e = experiment, .doc = doc};
  alea_text_init(&run.text, experiment->mem);
  alea_status status = translated(&run);
  alea_text_clear(&run.text);
  return status == ALEA_OK ? full(experiment, doc) : status;
}
