/* Experiments on models: the light Orchard, and strategic networks.
 *
 *   published:                         # orchard
 *     horizons: [{horizon: 1, time: 29 ms, policies: 0}]
 *     full: {best: 68.4, worst: 53.2}
 *   published: [{model: connect:3:2, name: 3 2, answer: yes, time: 0.06, ...}]  # models
 *
 * Settings of a scale: horizons (how many), seconds (for one model). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "experiment/experiment.h"
#include "models/stochastic.h"
#include "models/strategic.h"

/* ---- Orchard ---- */

/* Counts winning plays of the light Orchard as the program of the paper does:
 * the choice of the basket is an ordered pair of trees, including empty ones,
 * and plays are distinguished by states and moves alone, not by the die. */
static uint64_t count_plays(uint32_t horizon) {
  enum { FRUITS = 3, RAVENS = 2, PHASES = 2 };
  uint64_t now[FRUITS][FRUITS][RAVENS][PHASES], next[FRUITS][FRUITS][RAVENS][PHASES];
  for (int a = 0; a < FRUITS; a++)
    for (int b = 0; b < FRUITS; b++)
      for (int r = 0; r < RAVENS; r++) now[a][b][r][0] = now[a][b][r][1] = a + b == 0;
  for (uint32_t left = 0; left < horizon; left++) {
    for (int a = 0; a < FRUITS; a++)
      for (int b = 0; b < FRUITS; b++)
        for (int r = 0; r < RAVENS; r++) {
          int a1 = a > 0 ? a - 1 : 0, b1 = b > 0 ? b - 1 : 0;
          int a2 = a1 > 0 ? a1 - 1 : 0, b2 = b1 > 0 ? b1 - 1 : 0;
          bool over = r == 0 || a + b == 0; /* the state then stays unchanged */
          next[a][b][r][0] = now[a][b][r][0];
          next[a][b][r][1] = now[a][b][r][1];
          if (over) continue;
          next[a][b][r][0] =
              now[a1][b][r][0] + now[a][b1][r][0] + now[a][b][r - 1][0] + now[a][b][r][1];
          next[a][b][r][1] = now[a2][b][r][0] + 2 * now[a1][b1][r][0] + now[a][b2][r][0];
        }
    memcpy(now, next, sizeof now);
  }
  return now[2][2][1][0];
}

static alea_status one_horizon(const alea_experiment *e, const alea_process *process,
                               uint32_t horizon, const alea_yaml *row, alea_doc *doc) {
  alea_scsp *scsp = alea_process_unroll(process, horizon);
  uint64_t scenarios = 0;
  alea_scsp_options options = {0};
  alea_scsp_result best = {0};
  double start = alea_clock_thread();
  alea_status status = scsp != NULL ? ALEA_OK : ALEA_SYSTEM;
  if (status == ALEA_OK) status = alea_scsp_scenarios(scsp, &options, &(alea_scsp_scenario){.theta = 0.5}, &scenarios, &best);
  double counted = alea_clock_thread() - start;
  alea_scsp_free(scsp);
  if (status != ALEA_OK && status != ALEA_NO) return status;
  start = alea_clock_thread();
  status = alea_process_solve(process, horizon, &options, &best);
  double solved = alea_clock_thread() - start;
  if (status != ALEA_OK) return status;
  alea_experiment_note(e, (double)count_plays(horizon), "plays-%u", horizon);
  alea_experiment_note(e, 100 * best.value, "best-%u", horizon);
  alea_doc_cell(doc, "%u", horizon);
  alea_doc_cell(doc, "%s", alea_experiment_cell(row, "time"));
  alea_doc_cell(doc, "%s", alea_experiment_cell(row, "policies"));
  alea_doc_cell(doc, "%llu", (unsigned long long)count_plays(horizon));
  alea_doc_cell(doc, "%llu", (unsigned long long)scenarios);
  alea_doc_cell(doc, "%.6f", best.value);
  alea_doc_cell(doc, "%.3f ms", 1000 * counted);
  alea_doc_cell(doc, "%.3f ms", 1000 * solved);
  return ALEA_OK;
}

static const alea_yaml *row_of_horizon(const alea_yaml *rows, uint32_t horizon) {
  double number;
  for (const alea_yaml *at = rows != NULL ? rows->first : NULL; at != NULL; at = at->next)
    if (alea_yaml_number(alea_yaml_get(at, "horizon"), &number) && number == horizon) return at;
  return NULL;
}

static alea_status light(const alea_experiment *e, alea_doc *doc) {
  const alea_yaml *rows = alea_yaml_get(alea_yaml_get(e->root, "published"), "horizons");
  double horizons = 5;
  if (!alea_yaml_read_number(e->file, e->settings, "horizons", 1, 12, true, &horizons))
    return ALEA_INPUT;
  alea_process *process = alea_model_orchard(e->mem, 2, 2, 1, true);
  if (process == NULL) return ALEA_SYSTEM;
  alea_doc_heading(doc, 2, "Two trees with two fruits, the raven one step away");
  alea_doc_table(doc,
                 "horizon|published time|published policies|plays by states and moves|"
                 "scenarios with the die|best probability|"
                 "counting|solving");
  alea_status status = ALEA_OK;
  for (uint32_t h = 1; status == ALEA_OK && h <= (uint32_t)horizons; h++)
    status = one_horizon(e, process, h, row_of_horizon(rows, h), doc);
  alea_scsp_options options = {0};
  alea_scsp_result limit = {0};
  if (status == ALEA_OK) status = alea_process_solve(process, -1, &options, &limit);
  if (status == ALEA_OK)
    alea_doc_text(
        doc,
        "Without a horizon the best probability is %.6f. Both counts are of plays of "
        "positive probability that end with the goal. The first tells them apart by states "
        "and moves, where the basket's choice is an ordered pair of trees that may be "
        "empty; the second, what our solver counts in the network, tells faces of the die "
        "apart too, in every round, and has unordered pairs of fruits that are there.",
        limit.value);
  alea_process_free(process);
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
  alea_status status = light(experiment, doc);
  return status == ALEA_OK ? full(experiment, doc) : status;
}

/* ---- strategic networks ---- */

static void put_answer(const alea_strategic_result *r, alea_doc *doc) {
  const char *word = r->status == ALEA_OK ? "yes" : r->status == ALEA_NO ? "no" : "not decided";
  alea_doc_cell(doc, "%s", word);
  alea_doc_cell(doc, "%.3f", r->seconds);
  alea_doc_cell(doc, "%llu", (unsigned long long)r->nodes);
}

static alea_strategic_result solve(const alea_strategic *model, bool extras, double seconds) {
  alea_strategic_options options = {.one_way = extras,
                                    .table = extras,
                                    .order = extras,
                                    .symmetry = extras,
                                    .early = extras,
                                    .deadline = alea_deadline_in(seconds)};
  alea_strategic_result result = {0};
  result.status = alea_strategic_solve(model, &options, &result);
  return result;
}

/* Whether a row agrees with what was published of it: the answer, where it was
 * decided, and the sizes. */
typedef struct agreement {
  uint32_t answers, answered, sizes, sized;
} agreement;

static void compare(const alea_yaml *row, const alea_strategic *model,
                    const alea_strategic_result *ours, agreement *agree) {
  const char *answer = alea_yaml_text(row, "answer", "");
  double vars, constraints;
  if (strcmp(answer, "yes") == 0 || strcmp(answer, "no") == 0) {
    agree->answered++;
    agree->answers += ours->status == (strcmp(answer, "yes") == 0 ? ALEA_OK : ALEA_NO);
  }
  if (!alea_yaml_number(alea_yaml_get(row, "variables"), &vars) ||
      !alea_yaml_number(alea_yaml_get(row, "constraints"), &constraints))
    return;
  agree->sized++;
  agree->sizes += vars == alea_csp_var_count(alea_strategic_network(model)) &&
                  constraints == alea_strategic_constraints(model);
}

static alea_status one_model(const alea_experiment *e, const alea_yaml *row, double seconds,
                             agreement *agree, alea_doc *doc) {
  const char *name = alea_yaml_text(row, "model", "");
  alea_strategic *model = alea_model_strategic(e->mem, name);
  if (model == NULL) {
    alea_yaml_error(e->file, row, "there is no model '%s'", name);
    return ALEA_INPUT;
  }
  alea_strategic_result extras = solve(model, true, seconds), plain = solve(model, false, seconds);
  compare(row, model, &extras, agree);
  if (extras.status == ALEA_OK || extras.status == ALEA_NO)
    alea_experiment_note(e, extras.status == ALEA_OK, "answer %s", name);
  alea_doc_cell(doc, "%s", name);
  alea_doc_cell(doc, "%s", alea_experiment_cell(row, "answer"));
  alea_doc_cell(doc, "%s", alea_experiment_cell(row, "other"));
  alea_doc_cell(doc, "%s", alea_experiment_cell(row, "time"));
  alea_doc_cell(doc, "%s, %s", alea_experiment_cell(row, "variables"),
                alea_experiment_cell(row, "constraints"));
  alea_doc_cell(doc, "%u, %u", alea_csp_var_count(alea_strategic_network(model)),
                alea_strategic_constraints(model));
  put_answer(&extras, doc);
  put_answer(&plain, doc);
  alea_strategic_free(model);
  return extras.status == ALEA_SYSTEM || plain.status == ALEA_SYSTEM ? ALEA_SYSTEM : ALEA_OK;
}

alea_status alea_experiment_models(const alea_experiment *experiment, const alea_results *results,
                                   const alea_tournament_plan *plan, alea_doc *doc) {
  (void)results, (void)plan;
  const alea_yaml *rows = alea_yaml_get(experiment->root, "published");
  double seconds = 20;
  if (!alea_yaml_read_number(experiment->file, experiment->settings, "seconds", 0.01, 1e6, false,
                             &seconds))
    return ALEA_INPUT;
  alea_doc_table(doc,
                 "model|published answer|published QBF or QCSP s|published s|"
                 "published variables, constraints|ours|answer|s|nodes|plain: answer|s|nodes");
  alea_status status = ALEA_OK;
  agreement agree = {0};
  for (const alea_yaml *at = rows != NULL ? rows->first : NULL; status == ALEA_OK && at != NULL;
       at = at->next)
    status = one_model(experiment, at, seconds, &agree, doc);
  alea_experiment_note(experiment, agree.answers, "answers that agree");
  alea_experiment_note(experiment, agree.sizes, "sizes that agree");
  alea_doc_text(doc,
                "Plain is the published algorithm; ours adds one-way pruning, a transposition "
                "table, an order of values, symmetry and early ends. Every search was stopped "
                "after %g s.",
                seconds);
  return status;
}
