/* Experiments on strategic networks.
 *
 *   published: [{model: connect:3:2, name: 3 2, answer: yes, time: 0.06, ...}]
 *
 * Settings of a scale: seconds (of CPU time, for one search or replay). */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "csp/strategy.h"
#include "experiment/experiment.h"
#include "models/strategic.h"

static void put_answer(const alea_strategic_result *r, alea_doc *doc) {
  const char *word = r->status == ALEA_OK ? "yes" : r->status == ALEA_NO ? "no" : "not decided";
  alea_doc_cell(doc, "%s", word);
  alea_doc_cell(doc, "%.3f", r->seconds);
  alea_doc_cell(doc, "%llu", (unsigned long long)r->nodes);
}

/* The paper's algorithm, that with our additions, and the one on bit sets too. */
typedef enum models_way { WAY_PLAIN, WAY_DOMAINS, WAY_BITS } models_way;

static alea_strategic_options options_of(models_way way, double seconds) {
  bool extras = way != WAY_PLAIN;
  return (alea_strategic_options){.one_way = extras,
                                  .table = extras,
                                  .order = extras,
                                  .symmetry = extras,
                                  .early = extras,
                                  .bits = way == WAY_BITS,
                                  .deadline = {.thread_at = alea_clock_thread() + seconds}};
}

static alea_strategic_result solve(const alea_strategic *model, models_way way, double seconds) {
  alea_strategic_options options = options_of(way, seconds);
  alea_strategic_result result = {0};
  result.status = alea_strategic_solve(model, &options, &result);
  return result;
}

/* The strategy of the side that wins, replayed against every answer. */
static alea_status put_replay(alea_mem *mem, const alea_strategic *model, double seconds,
                              alea_doc *doc) {
  alea_strategic_options options = options_of(WAY_BITS, seconds);
  alea_strategic_walk *walk;
  uint64_t positions = 0, plays;
  alea_text why;
  alea_text_init(&why, mem);
  alea_status status = alea_strategic_walk_new(&walk, model, &options);
  if (status == ALEA_OK) status = alea_strategy_verify(model, walk, &positions, &plays, &why);
  if (status == ALEA_OK)
    alea_doc_cell(doc, "%llu", (unsigned long long)positions);
  else
    alea_doc_cell(doc, "%s", status == ALEA_NO ? alea_text_string(&why) : "not replayed");
  alea_strategic_walk_free(walk);
  alea_text_clear(&why);
  return status == ALEA_SYSTEM ? status : ALEA_OK;
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
  alea_strategic_result results[3];
  for (models_way way = WAY_PLAIN; way <= WAY_BITS; way++)
    results[way] = solve(model, way, seconds);
  const alea_strategic_result *best = &results[WAY_BITS];
  compare(row, model, best, agree);
  if (best->status == ALEA_OK || best->status == ALEA_NO)
    alea_experiment_note(e, best->status == ALEA_OK, "answer %s", name);
  alea_doc_cell(doc, "%s", name);
  alea_doc_cell(doc, "%s", alea_experiment_cell(row, "answer"));
  alea_doc_cell(doc, "%s", alea_experiment_cell(row, "other"));
  alea_doc_cell(doc, "%s", alea_experiment_cell(row, "time"));
  alea_doc_cell(doc, "%s, %s", alea_experiment_cell(row, "variables"),
                alea_experiment_cell(row, "constraints"));
  alea_doc_cell(doc, "%u, %u", alea_csp_var_count(alea_strategic_network(model)),
                alea_strategic_constraints(model));
  alea_status status = ALEA_OK;
  for (int way = WAY_BITS; way >= WAY_PLAIN; way--) {
    put_answer(&results[way], doc);
    if (results[way].status == ALEA_SYSTEM) status = ALEA_SYSTEM;
  }
  if (status == ALEA_OK) status = put_replay(e->mem, model, seconds, doc);
  alea_strategic_free(model);
  return status;
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
                 "published variables, constraints|ours|answer|s|nodes|domains: answer|s|nodes|"
                 "plain: answer|s|nodes|strategy: positions");
  alea_status status = ALEA_OK;
  agreement agree = {0};
  for (const alea_yaml *at = rows != NULL ? rows->first : NULL; status == ALEA_OK && at != NULL;
       at = at->next)
    status = one_model(experiment, at, seconds, &agree, doc);
  alea_experiment_note(experiment, agree.answers, "answers that agree");
  alea_experiment_note(experiment, agree.sizes, "sizes that agree");
  alea_doc_text(doc,
                "Plain is the published algorithm; domains adds one-way pruning, a transposition "
                "table, an order of values, symmetry and early ends. The first columns are the "
                "default: the same on bit sets, where the constraints have the form of a ranking "
                "game, as those of connect have and those of connect-printed have not. The last "
                "column is the strategy of the side that wins, replayed against every answer: the "
                "number of positions, each met once. Times are CPU time; every search and every "
                "replay was stopped after %g s of it.",
                seconds);
  return status;
}
