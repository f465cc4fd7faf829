/* alea solve: the strategy of a strategic network. */
#include "cli/solve_strategy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/output.h"

static alea_status draw(const alea_cli_strategy *wanted, const alea_strategy *strategy) {
  alea_text svg;
  alea_text_init(&svg, wanted->mem);
  alea_strategy_svg(strategy, &svg);
  alea_status status = svg.failed ? alea_mem_lack(wanted->mem) : ALEA_OK;
  if (status == ALEA_OK) status = alea_cli_write_file(wanted->svg, &svg);
  alea_text_clear(&svg);
  return status;
}

static alea_status show(const alea_cli_strategy *wanted, const alea_strategic *strategic,
                        alea_strategic_walk *walk) {
  alea_strategy strategy;
  alea_strategy_init(&strategy, strategic, wanted->mem);
  alea_status status = alea_strategy_grow(&strategy, walk, wanted->depth);
  const char *side = strategy.exists ? "existential" : "universal";
  if (status == ALEA_OK && wanted->print && wanted->json) {
    alea_text_format(wanted->more, ",\"side\":\"%s\",\"strategy\":", side);
    alea_strategy_json(&strategy, wanted->more);
  } else if (status == ALEA_OK && wanted->print) {
    alea_text_format(wanted->more, "the %s side wins:\n", side);
    alea_strategy_print(&strategy, wanted->more);
  }
  if (status == ALEA_OK && wanted->svg != NULL) status = draw(wanted, &strategy);
  if (status == ALEA_LIMIT && strategy.nodes.count >= 1000000)
    alea_cli_fail(ALEA_LIMIT, "the strategy has more than 1,000,000 nodes (less with --depth)");
  alea_strategy_clear(&strategy);
  return status;
}

static alea_status verify(const alea_cli_strategy *wanted, const alea_strategic *strategic,
                          alea_strategic_walk *walk) {
  uint64_t positions, plays;
  alea_text why;
  alea_text_init(&why, wanted->mem);
  alea_status status = alea_strategy_verify(strategic, walk, &positions, &plays, &why);
  if (status == ALEA_NO) {
    alea_cli_fail(ALEA_SYSTEM, "the strategy does not win: %s", alea_text_string(&why));
    status = ALEA_SYSTEM;
  } else if (status == ALEA_OK && wanted->json) {
    alea_text_format(wanted->more, ",\"verified\":{\"positions\":%" PRIu64 ",\"ends\":%" PRIu64 "}",
                     positions, plays);
  } else if (status == ALEA_OK) {
    alea_text_format(wanted->more,
                     "verified against every answer: %" PRIu64 " positions, %" PRIu64 " ends\n",
                     positions, plays);
  }
  alea_text_clear(&why);
  return status;
}

/* Gives the first variables the values of --given. */
static alea_status push_given(const alea_cli_strategy *wanted, const alea_strategic *strategic,
                              alea_strategic_walk *walk) {
  const char *at = wanted->given;
  while (at != NULL) {
    uint32_t count, j = alea_strategic_walk_count(walk);
    char *end;
    bool universal, allowed = false;
    if (j == alea_strategic_count(strategic))
      return (alea_status)alea_cli_fail(ALEA_USAGE, "--given has more than %u values", j);
    errno = 0;
    long value = strtol(at, &end, 10);
    if (end == at || errno != 0 || (*end != ',' && *end != '\0'))
      return (alea_status)alea_cli_fail(ALEA_USAGE, "--given: no whole number at '%s'", at);
    const int32_t *choices = alea_strategic_walk_choices(walk, &count);
    for (uint32_t i = 0; i < count; i++) allowed = allowed || choices[i] == value;
    if (!allowed)
      return (alea_status)alea_cli_fail(ALEA_USAGE, "--given: %s cannot be %ld here",
                                        alea_csp_name(alea_strategic_network(strategic),
                                                      alea_strategic_var(strategic, j, &universal)),
                                        value);
    alea_strategic_walk_push(walk, (int32_t)value);
    at = *end == ',' ? end + 1 : NULL;
  }
  return ALEA_OK;
}

/* Options that need bit sets, where the network has none. */
static alea_status check_state(const alea_cli_strategy *wanted, const alea_strategic *strategic,
                               alea_strategic_options *options) {
  if (wanted->state != ALEA_NO_CHOICE) options->bits = wanted->state == ALEA_STRATEGIC_BITS;
  bool asked = wanted->state == ALEA_STRATEGIC_BITS;
  if (!asked && options->file == NULL) return ALEA_OK;
  const char *option = asked ? "--state bits" : "--save", *why;
  if (!options->bits)
    why = "the search is on domains";
  else if ((why = alea_strategic_no_ranking(strategic)) == NULL && options->file != NULL &&
           !options->table)
    option = "--save", why = "--plain keeps no table";
  if (why == NULL) return ALEA_OK;
  return (alea_status)alea_cli_fail(ALEA_USAGE, "%s does not go with this network: %s", option,
                                    why);
}

static void report_on(const alea_strategic *strategic, const alea_strategic_result *result,
                      alea_solve_report *report) {
  static const char *const checks[] = {ALEA_STRATEGIC_CHECKS(ALEA_CHOICE_STRING)};
  static const char *const existentials[] = {ALEA_STRATEGIC_EXISTENTIALS(ALEA_CHOICE_STRING)};
  static const char *const states[] = {ALEA_STRATEGIC_STATES(ALEA_CHOICE_STRING)};
  *report = (alea_solve_report){
      .status = result->status,
      .value = result->status == ALEA_OK,
      .has_value = true,
      .solutions = result->status == ALEA_OK,
      .nodes = result->nodes,
      .propagations = result->propagations,
      .seconds = result->seconds,
      .check = checks[alea_strategic_get_check(strategic)],
      .existential = existentials[alea_strategic_get_existential(strategic)],
      .state = states[result->bits ? ALEA_STRATEGIC_BITS : ALEA_STRATEGIC_DOMAINS]};
}

static void put_sizes(const alea_cli_strategy *wanted, const alea_strategic *strategic,
                      const alea_strategic_result *result) {
  alea_text_format(wanted->out,
                   "%u variables, %u constraints, %g symmetries, %" PRIu64 " table hits\n",
                   alea_csp_var_count(alea_strategic_network(strategic)),
                   alea_strategic_constraints(strategic), result->symmetries, result->table_hits);
  if (result->nodes_before != 0)
    alea_text_format(wanted->out, "resumed after %" PRIu64 " nodes, %.3f s\n", result->nodes_before,
                     result->seconds_before);
}

/* The answer where the walk stands, and the strategy, where it is asked for. */
static alea_status answer(const alea_cli_strategy *wanted, const alea_strategic *strategic,
                          alea_strategic_walk *walk, alea_solve_report *report) {
  bool exists;
  alea_status status = push_given(wanted, strategic, walk);
  if (status != ALEA_OK) return report->status = status;
  status = alea_strategic_walk_answer(walk, &exists);
  const char *trouble = alea_strategic_walk_save(walk);
  report_on(strategic, alea_strategic_walk_result(walk), report);
  if (!wanted->json) put_sizes(wanted, strategic, alea_strategic_walk_result(walk));
  if (trouble != NULL)
    status = (alea_status)alea_cli_fail(ALEA_SYSTEM, "cannot write '%s': %s", wanted->options.file,
                                        trouble);
  if (status == ALEA_OK && (wanted->print || wanted->svg != NULL))
    status = show(wanted, strategic, walk);
  if (status == ALEA_OK && wanted->verify) status = verify(wanted, strategic, walk);
  if (status == ALEA_LIMIT && alea_cli_stopped() && wanted->options.file != NULL)
    alea_cli_fail(ALEA_LIMIT, "the same command goes on from '%s'", wanted->options.file);
  if (status != ALEA_OK) report->status = status;
  return status;
}

void alea_cli_solve_strategic(const alea_cli_strategy *wanted, const alea_strategic *strategic,
                              alea_solve_report *report) {
  alea_strategic_walk *walk = NULL;
  alea_strategic_options options = wanted->options;
  alea_status status = check_state(wanted, strategic, &options);
  if (status == ALEA_OK) status = alea_strategic_walk_new(&walk, strategic, &options);
  if (status == ALEA_INPUT && walk != NULL)
    alea_cli_fail(ALEA_INPUT, "cannot go on from '%s': %s", options.file,
                  alea_strategic_walk_result(walk)->trouble);
  if (status == ALEA_OK)
    answer(wanted, strategic, walk, report);
  else
    *report = (alea_solve_report){.status = status};
  alea_strategic_walk_free(walk);
}
