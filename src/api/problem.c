/* Constraint problems of the public interface. */
#include <string.h>

#include "alea/solve.h"
#include "api/core.h"
#include "models/instance.h"

struct alea_problem {
  alea_mem mem;
  alea_network_instance instance;
  alea_u32s shown; /* plain: variables that are not hidden */
};

struct alea_solution {
  alea_mem mem;
  const alea_problem *problem;
  uint64_t count, nodes;
  double value;
  bool has_value;
  ALEA_VEC(int32_t) values; /* of solutions, one after the other */
  size_t kept;
  bool lacks_memory; /* a solution could not be kept */
  alea_text text;
};

/* ---- reading ---- */

static bool list_shown(alea_problem *problem) {
  const alea_csp *csp = problem->instance.csp;
  for (uint32_t v = 0; csp != NULL && v < alea_csp_var_count(csp); v++)
    if (!alea_csp_hidden(csp, v) && !alea_vec_push(&problem->mem, &problem->shown, v)) return false;
  return true;
}

/* Reads 'text', which is cleared. */
static alea_status read_text(alea_problem **problem, const char *label, alea_text *text,
                             alea_diag *diag) {
  alea_problem *made = alea_api_new(sizeof *made, 0);
  alea_status status = made != NULL && !text->failed ? ALEA_OK : ALEA_SYSTEM;
  alea_deadline never = {0};
  alea_network_instance_source source = {alea_text_string(text), text->length, label, &never};
  bool late = false;
  if (status == ALEA_OK)
    status = alea_network_instance_read(&made->instance, &source, &made->mem, diag, &late);
  if (status == ALEA_OK && !list_shown(made)) status = alea_mem_lack(&made->mem);
  alea_text_clear(text);
  if (status == ALEA_OK)
    *problem = made;
  else
    alea_problem_free(made);
  return status;
}

/* Reads 'bytes', or the file 'label' if they are NULL. */
static alea_status read_problem(alea_problem **problem, const char *label, const char *bytes,
                                size_t length, alea_diagnostics **diagnostics) {
  *problem = NULL;
  alea_mem mem;
  alea_diag diag;
  alea_text text;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  alea_text_init(&text, &mem);
  alea_status status = ALEA_OK;
  if (bytes != NULL)
    alea_text_add(&text, bytes, length);
  else
    status = alea_open_file(label, &text, &diag);
  if (status == ALEA_OK)
    status = read_text(problem, label, &text, &diag);
  else
    alea_text_clear(&text);
  alea_api_report(&diag, diagnostics);
  alea_diag_clear(&diag);
  return status;
}

alea_status alea_problem_open(alea_problem **problem, const char *path,
                              alea_diagnostics **diagnostics) {
  return read_problem(problem, path, NULL, 0, diagnostics);
}

alea_status alea_problem_read(alea_problem **problem, const char *label, const char *text,
                              size_t length, alea_diagnostics **diagnostics) {
  return read_problem(problem, label, text, length, diagnostics);
}

void alea_problem_free(alea_problem *problem) {
  if (problem == NULL) return;
  alea_network_instance_clear(&problem->instance);
  alea_vec_clear(&problem->mem, &problem->shown);
  alea_api_free(problem, sizeof *problem);
}

alea_problem_kind alea_problem_kind_of(const alea_problem *problem) {
  const alea_network_instance *in = &problem->instance;
  return in->csp != NULL         ? ALEA_PROBLEM_PLAIN
         : in->strategic != NULL ? ALEA_PROBLEM_STRATEGIC
         : in->scsp != NULL      ? ALEA_PROBLEM_STOCHASTIC
                                 : ALEA_PROBLEM_PROCESS;
}

uint32_t alea_problem_variable_count(const alea_problem *problem) {
  return (uint32_t)problem->shown.count;
}

const char *alea_problem_variable(const alea_problem *problem, uint32_t variable) {
  if (variable >= problem->shown.count) return NULL;
  return alea_csp_name(problem->instance.csp, problem->shown.data[variable]);
}

/* ---- solving ---- */

static bool keep_solution(void *data, const int32_t *values) {
  alea_solution *solution = data;
  const alea_u32s *shown = &solution->problem->shown;
  for (size_t i = 0; i < shown->count; i++)
    if (!alea_vec_push(&solution->mem, &solution->values, values[shown->data[i]])) {
      solution->lacks_memory = true;
      return false;
    }
  solution->kept++;
  return true;
}

static alea_status solve_plain(alea_solution *solution, const alea_solve_settings *settings,
                               alea_deadline deadline) {
  alea_csp_options options = alea_csp_defaults();
  bool all = settings->aim == ALEA_AIM_ALL;
  options.goal = all                              ? ALEA_CSP_COUNT
                 : settings->aim == ALEA_AIM_BEST ? ALEA_CSP_BEST
                                                  : ALEA_CSP_FIRST;
  options.restart = all ? 0 : 100;
  options.nogoods = !all;
  options.max_solutions = settings->solutions;
  options.seed = settings->seed;
  options.deadline = deadline;
  options.on_solution = keep_solution;
  options.data = solution;
  alea_csp_result result;
  alea_status status = alea_csp_solve(solution->problem->instance.csp, &options, &result);
  solution->count = result.solutions;
  solution->nodes = result.nodes;
  solution->has_value = settings->aim == ALEA_AIM_BEST && result.solutions > 0;
  solution->value = (double)result.best;
  if (status == ALEA_LIMIT && all && settings->solutions > 0 &&
      result.solutions >= settings->solutions)
    status = ALEA_OK; /* as many as were asked for */
  return solution->lacks_memory ? alea_mem_lack(&solution->mem) : status;
}

static alea_status solve_strategic(alea_solution *solution, alea_deadline deadline) {
  alea_strategic_options options = {.one_way = true,
                                    .table = true,
                                    .order = true,
                                    .symmetry = true,
                                    .early = true,
                                    .bits = true,
                                    .deadline = deadline};
  alea_strategic_result result;
  alea_status status =
      alea_strategic_solve(solution->problem->instance.strategic, &options, &result);
  solution->nodes = result.nodes;
  return status;
}

static alea_status solve_stochastic(alea_solution *solution, const alea_solve_settings *settings,
                                    alea_deadline deadline) {
  const alea_network_instance *in = &solution->problem->instance;
  alea_scsp_options options = {.aim = ALEA_SCSP_MAX, .deadline = deadline};
  alea_scsp_result result;
  alea_status status =
      in->scsp != NULL
          ? alea_scsp_solve(in->scsp, &options, &result)
          : alea_process_solve(in->process, settings->horizon > 0 ? settings->horizon : -1,
                               &options, &result);
  solution->nodes = result.nodes;
  solution->value = result.value;
  solution->has_value = status == ALEA_OK;
  if (status == ALEA_OK && settings->aim == ALEA_AIM_FIRST && !result.reaches) return ALEA_NO;
  return status;
}

alea_status alea_problem_solve(alea_solution **solution, alea_problem *problem,
                               const alea_solve_settings *settings) {
  *solution = NULL;
  alea_solve_settings own = {.size = sizeof own};
  alea_status status = alea_api_options(&own, sizeof own, settings);
  if (status != ALEA_OK) return status;
  alea_problem_kind kind = alea_problem_kind_of(problem);
  if ((kind == ALEA_PROBLEM_STRATEGIC && own.aim != ALEA_AIM_FIRST) ||
      (kind != ALEA_PROBLEM_PLAIN && own.aim == ALEA_AIM_ALL))
    return ALEA_USAGE;
  alea_solution *made = alea_api_new(sizeof *made, 0);
  if (made == NULL) return ALEA_SYSTEM;
  made->problem = problem;
  alea_text_init(&made->text, &made->mem);
  alea_deadline deadline = alea_deadline_in(own.seconds);
  deadline.stop = alea_api_flag(own.stop);
  status = kind == ALEA_PROBLEM_PLAIN       ? solve_plain(made, &own, deadline)
           : kind == ALEA_PROBLEM_STRATEGIC ? solve_strategic(made, deadline)
                                            : solve_stochastic(made, &own, deadline);
  if (status == ALEA_OK || status == ALEA_NO || status == ALEA_LIMIT)
    *solution = made;
  else
    alea_solution_free(made);
  return status;
}

/* ---- solutions ---- */

void alea_solution_free(alea_solution *solution) {
  if (solution == NULL) return;
  alea_vec_clear(&solution->mem, &solution->values);
  alea_text_clear(&solution->text);
  alea_api_free(solution, sizeof *solution);
}

uint64_t alea_solution_count(const alea_solution *solution) { return solution->count; }

bool alea_solution_value(const alea_solution *solution, double *value) {
  *value = solution->value;
  return solution->has_value;
}

uint64_t alea_solution_nodes(const alea_solution *solution) { return solution->nodes; }

const int32_t *alea_solution_values(const alea_solution *solution, size_t index) {
  if (index >= solution->kept) return NULL;
  return solution->values.data + index * solution->problem->shown.count;
}

const char *alea_solution_text(alea_solution *solution, size_t index) {
  const alea_problem *problem = solution->problem;
  const alea_csp *csp = problem->instance.csp;
  const int32_t *values = alea_solution_values(solution, index);
  if (values == NULL) return NULL;
  alea_text_truncate(&solution->text, 0);
  for (size_t i = 0; i < problem->shown.count; i++) {
    uint32_t v = problem->shown.data[i];
    const char *symbol = alea_csp_unused(csp, v) ? "*" : alea_csp_symbol(csp, v, values[i]);
    alea_text_format(&solution->text, "%s%s=", i > 0 ? " " : "", alea_csp_name(csp, v));
    if (symbol != NULL)
      alea_text_put(&solution->text, symbol);
    else
      alea_text_format(&solution->text, "%d", values[i]);
  }
  return solution->text.failed ? NULL : alea_text_string(&solution->text);
}
