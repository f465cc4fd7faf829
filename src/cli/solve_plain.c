/* Plain networks: one solution, the best, all of them. */
#include "cli/solve_plain.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"

enum { MANY = 1 << 16 }; /* bytes of solutions that are written together */

typedef struct plain_solver {
  const alea_solve_plain *wanted;
  const alea_csp *csp;
  int32_t *found; /* the last solution; the last is the best */
  bool any;
  double started;
  alea_status status; /* of writing */
} plain_solver;

void alea_cli_put_assignment(const alea_csp *csp, const int32_t *values, bool as_json,
                             alea_text *out) {
  alea_json json;
  alea_json_start(&json, out);
  if (as_json) alea_json_open(&json, '{');
  for (uint32_t v = 0; v < alea_csp_var_count(csp); v++) {
    if (alea_csp_hidden(csp, v)) continue;
    const char *name = alea_csp_name(csp, v), *symbol = alea_csp_symbol(csp, v, values[v]);
    bool unused = alea_csp_unused(csp, v);
    if (as_json) alea_json_key(&json, name);
    if (as_json && unused)
      alea_json_null(&json);
    else if (as_json && symbol != NULL)
      alea_json_string(&json, symbol);
    else if (as_json)
      alea_json_integer(&json, values[v]);
    else if (unused || symbol != NULL)
      alea_text_format(out, "%s=%s ", name, unused ? "*" : symbol);
    else
      alea_text_format(out, "%s=%d ", name, values[v]);
  }
  if (as_json) alea_json_close(&json, '}');
}

/* ---- solutions as they come ---- */

static bool keep(plain_solver *s, const int32_t *values) {
  memcpy(s->found, values, alea_csp_var_count(s->csp) * sizeof *values);
  s->any = true;
  return true;
}

static bool is_written(plain_solver *s, size_t least) {
  alea_text *out = s->wanted->out;
  if (!out->failed && out->length < least) return true;
  s->status = alea_cli_write(out);
  return s->status == ALEA_OK;
}

static bool list(plain_solver *s, const int32_t *values) {
  const alea_solve_plain *w = s->wanted;
  if (w->json) alea_text_put(w->out, s->any ? "," : "");
  s->any = true;
  alea_cli_put_assignment(s->csp, values, w->json, w->out);
  if (!w->json) alea_text_char(w->out, '\n');
  return is_written(s, w->json ? MANY : 1);
}

static bool improve(plain_solver *s, const int32_t *values) {
  bool maximise;
  alea_csp_var objective = alea_csp_get_objective(s->csp, &maximise);
  keep(s, values);
  alea_solve_live_bound(s->wanted->live, values[objective], s->wanted->mem);
  if (!s->wanted->improving) return true;
  alea_text_format(s->wanted->out, "%9.2f s  value %d\033[K\n", alea_clock_wall() - s->started,
                   values[objective]);
  return is_written(s, 1);
}

static bool on_solution(void *data, const int32_t *values) {
  plain_solver *s = data;
  if (s->wanted->options.goal == ALEA_CSP_BEST) return improve(s, values);
  return s->wanted->all ? list(s, values) : keep(s, values);
}

static void on_progress(void *data, const alea_csp_progress *reached) {
  plain_solver *s = data;
  if (s->wanted->progress != NULL) s->wanted->progress(s->wanted->context, reached);
}

/* ---- the call ---- */

/* What is printed of the solution that was kept. */
static void put_found(const plain_solver *s) {
  const alea_solve_plain *w = s->wanted;
  bool one = s->any && !w->all && w->options.goal != ALEA_CSP_COUNT;
  if (!one) return;
  if (w->json) alea_text_put(w->more, ",\"assignment\":");
  alea_cli_put_assignment(s->csp, s->found, w->json, w->json ? w->more : w->out);
  if (!w->json) alea_text_char(w->out, '\n');
}

static void solve(plain_solver *s, alea_solve_report *r) {
  const alea_solve_plain *w = s->wanted;
  alea_csp_options options = w->options;
  bool best = options.goal == ALEA_CSP_BEST, listed = w->all && w->json;
  options.on_solution = on_solution;
  options.on_progress = on_progress;
  options.data = s;
  if (options.goal == ALEA_CSP_COUNT && !w->all) options.on_solution = NULL;
  if (listed) alea_text_put(w->out, "{\"assignments\":[");
  alea_csp_result result;
  *r = (alea_solve_report){.status = alea_csp_solve(s->csp, &options, &result),
                           .has_value = best && result.solutions != 0,
                           .value = (double)result.best,
                           .optimises = best,
                           .optimal = best && result.status == ALEA_OK,
                           .listed = listed,
                           .solutions = result.solutions,
                           .nodes = result.nodes,
                           .propagations = result.propagations,
                           .seconds = result.seconds};
  if (s->status != ALEA_OK) r->status = s->status;
  if (result.self_check_errors == 0) return;
  alea_cli_fail(ALEA_SYSTEM, "the self-check found %" PRIu64 " wrong removals",
                result.self_check_errors);
  r->status = ALEA_SYSTEM;
}

void alea_cli_solve_plain(const alea_solve_plain *wanted, const alea_csp *csp,
                          alea_solve_report *report) {
  uint32_t count = alea_csp_var_count(csp);
  plain_solver s = {.wanted = wanted,
                    .csp = csp,
                    .found = alea_mem_calloc(wanted->mem, count, sizeof *s.found),
                    .started = alea_clock_wall()};
  *report = (alea_solve_report){.status = alea_mem_lack(wanted->mem)};
  if (s.found == NULL) return;
  solve(&s, report);
  put_found(&s);
  alea_mem_free(wanted->mem, s.found, count * sizeof *s.found);
}
