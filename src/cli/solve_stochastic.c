/* Stochastic networks: exact values, the searches of the paper, policies. */
#include "cli/solve_stochastic.h"

#include <inttypes.h>

#include "base/json.h"
#include "cli/output.h"
#include "cli/solve_plain.h"

static double theta_of(const alea_solve_stochastic *s, const alea_scsp *scsp) {
  return alea_scsp_get_threshold(scsp, s->options.player);
}

static void take_result(const alea_scsp_result *result, alea_solve_report *r) {
  *r = (alea_solve_report){.status = result->status,
                           .value = result->value,
                           .has_value = result->status == ALEA_OK || result->found,
                           .optimises = result->found,
                           .nodes = result->nodes,
                           .seconds = result->seconds};
}

/* The solver was stopped before one policy was wholly known. */
static void tell_none(const alea_solve_stochastic *s, const alea_solve_report *r) {
  if (r->status == ALEA_LIMIT && !r->has_value && !s->json)
    alea_text_put(s->out, "no policy is wholly known so far\n");
}

/* A value below the threshold is the answer "no", unless the value itself was
 * asked for. */
static void compare(const alea_solve_stochastic *s, const alea_scsp *scsp, alea_solve_report *r) {
  if (r->status != ALEA_OK) return;
  r->solutions = r->value >= theta_of(s, scsp) - 1e-12;
  if (r->solutions == 0 && !s->best && !s->worst) r->status = ALEA_NO;
}

/* ---- policies ---- */

static bool wants_policy(const alea_solve_stochastic *s) { return s->policy || s->svg != NULL; }

static alea_status put_policy(const alea_solve_stochastic *s, const alea_scsp *scsp,
                              const alea_policy *policy) {
  if (s->policy && s->json) {
    alea_text_put(s->more, ",\"policy\":");
    alea_policy_json(policy, scsp, s->more);
  } else if (s->policy) {
    alea_policy_print(policy, scsp, s->ascii, s->out);
  }
  if (s->svg == NULL) return s->out->failed || s->more->failed ? alea_mem_lack(s->mem) : ALEA_OK;
  alea_text svg;
  alea_text_init(&svg, s->mem);
  alea_policy_svg(policy, scsp, &svg);
  alea_status status = svg.failed ? alea_mem_lack(s->mem) : ALEA_OK;
  if (status == ALEA_OK) status = alea_cli_write_file(s->svg, &svg);
  alea_text_clear(&svg);
  return status;
}

/* ---- enumeration ---- */

typedef struct scenario_printer {
  const alea_solve_stochastic *s;
  const alea_csp *csp;
  bool any;
} scenario_printer;

static bool print_scenario(void *data, const int32_t *values) {
  scenario_printer *p = data;
  alea_text *out = p->s->out;
  if (p->s->json) alea_text_put(out, p->any ? "," : "");
  p->any = true;
  alea_cli_put_assignment(p->csp, values, p->s->json, out);
  if (!p->s->json) alea_text_char(out, '\n');
  return !out->failed && alea_cli_write(out) == ALEA_OK;
}

static void count_scenarios(const alea_solve_stochastic *s, const alea_scsp *scsp,
                            alea_solve_report *r) {
  scenario_printer printer = {s, alea_scsp_network_of(scsp), false};
  alea_scsp_scenario wanted = {.theta = theta_of(s, scsp)};
  if (s->all && s->json) alea_text_put(s->out, "{\"assignments\":[");
  if (s->all) {
    wanted.found = print_scenario;
    wanted.data = &printer;
  }
  alea_scsp_result result;
  uint64_t count;
  alea_scsp_scenarios(scsp, &s->options, &wanted, &count, &result);
  take_result(&result, r);
  r->has_value = false;
  r->listed = s->all && s->json;
  r->solutions = count;
}

static void put_outcomes(const alea_solve_stochastic *s, const alea_scsp *scsp,
                         const alea_scsp_outcomes *outcomes) {
  if (s->json) alea_text_put(s->more, ",\"policies\":[");
  for (size_t i = 0; i < outcomes->count; i++) {
    double value = outcomes->payments[i * alea_scsp_players(scsp) + s->options.player];
    if (s->json)
      alea_text_format(s->more, "%s{\"count\":%" PRIu64 ",\"value\":%.12g}", i > 0 ? "," : "",
                       outcomes->policies[i], value);
    else
      alea_text_format(s->out, "%" PRIu64 " policies of value %.10g\n", outcomes->policies[i],
                       value);
  }
  if (s->json) alea_text_put(s->more, "]");
}

/* All policies, counted by value. */
static void count_policies(const alea_solve_stochastic *s, const alea_scsp *scsp,
                           alea_solve_report *r) {
  alea_scsp_outcomes outcomes;
  alea_scsp_result result;
  alea_scsp_all(scsp, &s->options, &outcomes, &result);
  take_result(&result, r);
  r->has_value = false;
  if (r->status != ALEA_OK) return;
  r->solutions = alea_scsp_solutions(scsp, &outcomes);
  if (r->solutions == 0) r->status = ALEA_NO;
  if (s->all) put_outcomes(s, scsp, &outcomes);
  alea_scsp_outcomes_clear(scsp, &outcomes);
}

/* ---- solving ---- */

static void search(const alea_solve_stochastic *s, const alea_scsp *scsp, alea_solve_report *r) {
  double theta = theta_of(s, scsp);
  alea_policy policy;
  alea_scsp_result result;
  alea_policy_init(&policy, s->mem);
  alea_scsp_search(scsp, &s->options, s->best ? NULL : &theta, wants_policy(s) ? &policy : NULL,
                   &result);
  take_result(&result, r);
  r->optimises = s->best;
  r->optimal = result.status == ALEA_OK;
  compare(s, scsp, r);
  bool shown = wants_policy(s) && (r->status == ALEA_OK || result.found);
  alea_status status = shown ? put_policy(s, scsp, &policy) : ALEA_OK;
  if (status != ALEA_OK) r->status = status;
  alea_policy_clear(&policy);
}

void alea_cli_solve_scsp(const alea_solve_stochastic *s, const alea_scsp *scsp,
                         alea_solve_report *r) {
  if (s->scenario) {
    count_scenarios(s, scsp, r);
    return;
  }
  if ((s->count || s->all) && !s->best) {
    count_policies(s, scsp, r);
    return;
  }
  if (s->search) {
    search(s, scsp, r);
    return;
  }
  alea_policy policy;
  alea_scsp_result result;
  alea_policy_init(&policy, s->mem);
  if (wants_policy(s))
    alea_scsp_policy(scsp, &s->options, &policy, &result);
  else
    alea_scsp_solve(scsp, &s->options, &result);
  take_result(&result, r);
  tell_none(s, r);
  compare(s, scsp, r);
  alea_status status = policy.nodes.count > 0 ? put_policy(s, scsp, &policy) : ALEA_OK;
  if (status != ALEA_OK) r->status = status;
  alea_policy_clear(&policy);
}

/* ---- what states are worth ---- */

typedef struct state_printer {
  const alea_solve_stochastic *s;
  const alea_process *process;
  bool any;
} state_printer;

static void print_names(const state_printer *p) {
  const alea_csp *csp = alea_scsp_network_of(alea_process_network(p->process));
  uint32_t count = alea_process_states(p->process);
  alea_json json;
  alea_json_start(&json, p->s->more);
  alea_json_open(&json, '[');
  for (uint32_t i = 0; i < count; i++) alea_json_string(&json, alea_csp_name(csp, i));
  alea_json_close(&json, ']');
}

static void print_state(void *data, const int32_t *state, double value) {
  state_printer *p = data;
  const alea_csp *csp = alea_scsp_network_of(alea_process_network(p->process));
  uint32_t count = alea_process_states(p->process);
  alea_text *out = p->s->json ? p->s->more : p->s->out;
  if (p->s->json) alea_text_put(out, p->any ? ",[" : "[");
  p->any = true;
  for (uint32_t i = 0; i < count; i++)
    alea_text_format(out, p->s->json ? "%s%d" : "%s=%d ",
                     p->s->json ? (i > 0 ? "," : "") : alea_csp_name(csp, i), state[i]);
  alea_text_format(out, p->s->json ? "%s%.12g]" : "%s%.12g\n", p->s->json && count > 0 ? "," : "",
                   value);
}

/* Solves the process to its end and prints what its states are worth. */
static void solve_states(const alea_solve_stochastic *s, const alea_process *process,
                         alea_scsp_result *result) {
  state_printer printer = {s, process, false};
  alea_scsp_options options = s->options;
  options.on_state = print_state;
  options.state_data = &printer;
  if (s->json) {
    alea_text_put(s->more, ",\"states\":{\"variables\":");
    print_names(&printer);
    alea_text_put(s->more, ",\"values\":[");
  }
  alea_process_solve(process, -1, &options, result);
  if (s->json) alea_text_put(s->more, "]}");
}

void alea_cli_solve_process(const alea_solve_stochastic *s, const alea_process *process,
                            alea_solve_report *r) {
  bool flat = s->scenario || s->count || s->all || s->search || wants_policy(s);
  *r = (alea_solve_report){.status = ALEA_SYSTEM};
  if (flat && s->horizon >= 0) { /* these need the T-stage network itself */
    alea_scsp *scsp = alea_process_unroll(process, (uint32_t)s->horizon);
    r->status = scsp != NULL ? alea_scsp_state(scsp) : ALEA_SYSTEM;
    if (r->status == ALEA_SYSTEM) r->status = alea_mem_lack(s->mem);
    if (r->status == ALEA_OK) alea_cli_solve_scsp(s, scsp, r);
    alea_scsp_free(scsp);
    return;
  }
  if (flat) {
    r->status = (alea_status)alea_cli_fail(
        ALEA_USAGE, "a process is unrolled for this: give the number of transitions, --horizon N");
    return;
  }
  alea_scsp_result result;
  if (s->states)
    solve_states(s, process, &result);
  else
    alea_process_solve(process, s->horizon, &s->options, &result);
  take_result(&result, r);
  tell_none(s, r);
  compare(s, alea_process_network(process), r);
  if (!s->json) alea_text_format(s->out, "%" PRIu64 " states\n", result.states);
}
