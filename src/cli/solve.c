/* alea solve: constraint instances from a file or from the papers' models. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/draw.h"
#include "cli/interrupt.h"
#include "cli/solve_equilibrium.h"
#include "cli/solve_live.h"
#include "cli/solve_options.h"
#include "cli/solve_plain.h"
#include "cli/solve_stochastic.h"
#include "cli/solve_strategy.h"
#include "csp/json.h"
#include "match/open.h"
#include "models/instance.h"
#include "models/stochastic.h"
#include "models/strategic.h"
#include "scsp/json.h"
#include "scsp/xcsp3.h"

#define ROW(...) ALEA_OPTION_ROW_IN(alea_solve_values, __VA_ARGS__)
static const alea_option rows[] = {ALEA_SOLVE_OPTIONS(ROW)};
#undef ROW

static const alea_command command = {
    .name = "solve",
    .operands = "[FILE]",
    .summary = "solves a constraint instance, plain, stochastic or strategic",
    .details =
        "FILE is XCSP3 or our JSON (- is standard input).  Models: connect:K:C (K x K board,\n"
        "C in a line), connect:7x6:4, connect-hold:K:C (a draw is enough), connect-printed:K:C\n"
        "(ranks as printed), tictactoe:1, tictactoe:1:closed, tictactoe:2, tokens:K, pennies, p3, "
        "split,\n"
        "orchard:TREES:FRUITS:RAVEN, orchard-step:TREES:FRUITS:RAVEN.\n"
        "An instance with an objective is optimised; at a terminal better values are shown as\n"
        "they are found.  Ctrl-C ends the search, and the best so far is printed.\n"
        "With --equilibrium FILE is a game: one that ships with the program, or a rulesheet.",
    .example = "alea solve --model orchard:4:10:9 --best",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 0,
    .most_operands = 1,
};

typedef struct solve_context {
  const alea_solve_values *v;
  alea_mem mem;
  alea_diag diag;
  alea_text out;
  alea_text more; /* strategic: of the strategy, after the report */
  alea_deadline deadline;
  bool late;             /* time was up before the instance was read */
  double started, shown; /* progress */
  alea_solve_live live;
  bool terminal;
  double cpu; /* of the process, when it started to solve */
} solve_context;

/* ---- reading ---- */

static alea_status slurp(const char *path, alea_text *text) {
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  char buffer[1 << 16];
  size_t got;
  if (file == NULL) return ALEA_SYSTEM;
  while (text->length <= ALEA_OPEN_BYTES && !text->failed &&
         (got = fread(buffer, 1, sizeof buffer, file)) > 0)
    alea_text_add(text, buffer, got);
  bool good = !ferror(file) && !text->failed;
  if (file != stdin) fclose(file);
  if (good && text->length > ALEA_OPEN_BYTES)
    return (alea_status)alea_cli_fail(ALEA_LIMIT, "'%s' has more than %d MiB", path,
                                      ALEA_OPEN_BYTES >> 20);
  return good ? ALEA_OK : ALEA_SYSTEM;
}

static alea_status from_file(solve_context *c, const char *path, alea_network_instance *in) {
  alea_text text;
  alea_text_init(&text, &c->mem);
  alea_status status = slurp(path, &text);
  if (status != ALEA_OK && c->mem.hit_limit) {
    status = ALEA_LIMIT;
  } else if (status == ALEA_SYSTEM) {
    alea_cli_fail(status, "cannot read '%s': %s", path, strerror(errno));
  } else if (status == ALEA_OK) {
    alea_network_instance_source source = {.text = alea_text_string(&text),
                                           .length = text.length,
                                           .file = strcmp(path, "-") == 0 ? "<stdin>" : path,
                                           .deadline = &c->deadline};
    status = alea_network_instance_read(in, &source, &c->mem, &c->diag, &c->late);
  }
  alea_text_clear(&text);
  return status;
}

static bool from_model(solve_context *c, const char *name, alea_network_instance *in) {
  unsigned n[3];
  alea_mem *mem = &c->mem;
  in->strategic = alea_model_strategic(mem, name);
  if (in->strategic != NULL) return true;
  if (strcmp(name, "pennies") == 0)
    in->scsp = alea_model_pennies(mem);
  else if (strcmp(name, "p3") == 0)
    in->scsp = alea_model_p3(mem);
  else if (strcmp(name, "split") == 0)
    in->scsp = alea_model_split(mem);
  else if (alea_model_read_name(name, "orchard:#:#:#", n))
    in->process = alea_model_orchard(mem, n[0], n[1], n[2], false);
  else if (alea_model_read_name(name, "orchard-step:#:#:#", n))
    in->process = alea_model_orchard(mem, n[0], n[1], n[2], true);
  return in->scsp != NULL || in->process != NULL;
}

/* ---- progress ---- */

static void show(solve_context *c, uint64_t nodes, uint32_t depth, const char *bound) {
  double now = alea_clock_wall();
  alea_solve_live_progress(&c->live, nodes, depth, &c->mem);
  if (!c->terminal || now - c->started < 1 || now - c->shown < 0.2) return;
  c->shown = now;
  fprintf(stderr, "\r%" PRIu64 " nodes, depth %u, %s%.0f s \033[K", nodes, depth, bound,
          now - c->started);
}

static void show_csp(void *data, const alea_csp_progress *progress) {
  solve_context *c = data;
  char bound[48] = "";
  if (progress->has_bound) snprintf(bound, sizeof bound, "best %" PRId64 ", ", progress->bound);
  if (progress->has_bound) alea_solve_live_bound(&c->live, (double)progress->bound, &c->mem);
  show(c, progress->nodes, progress->depth, bound);
}

static void show_scsp(void *data, const alea_scsp_progress *progress) {
  solve_context *c = data;
  char least[40] = "", most[40] = "", both[80];
  if (c->v->best && isfinite(progress->least)) {
    alea_solve_live_bound(&c->live, progress->least, &c->mem);
    snprintf(least, sizeof least, "at least %.6f, ", progress->least);
  }
  if (c->v->best && isfinite(progress->most)) {
    alea_solve_live_limit(&c->live, progress->most, &c->mem);
    snprintf(most, sizeof most, "at most %.6f, ", progress->most);
  }
  snprintf(both, sizeof both, "%s%s", least, most);
  show(c, progress->nodes, progress->depth, both);
}

static void show_strategic(void *data, uint64_t nodes, uint32_t depth, double seconds) {
  (void)seconds;
  show(data, nodes, depth, "");
}

/* ---- solving ---- */

static alea_csp_goal goal_of(const alea_solve_values *v, const alea_csp *csp) {
  bool maximise;
  if (v->best) return ALEA_CSP_BEST;
  if (v->count || v->all) return ALEA_CSP_COUNT;
  if (v->first) return ALEA_CSP_FIRST;
  return alea_csp_get_objective(csp, &maximise) != ALEA_CSP_NONE ? ALEA_CSP_BEST : ALEA_CSP_FIRST;
}

static void solve_csp(solve_context *c, const alea_network_instance *in, alea_solve_report *r) {
  const alea_solve_values *v = c->v;
  alea_csp_options options = alea_csp_defaults();
  options.goal = goal_of(v, in->csp);
  options.method = v->method == ALEA_NO_CHOICE ? ALEA_CSP_MAC : (alea_csp_method)v->method;
  options.order = (alea_csp_order)v->order;
  options.values = (alea_csp_value_order)v->values;
  options.sac = v->sac;
  options.simplify = v->simplify;
  options.self_check = v->self_check;
  bool restarts = options.method == ALEA_CSP_MAC && options.goal != ALEA_CSP_COUNT;
  options.restart = v->restart >= 0 ? (uint64_t)v->restart : restarts ? 100 : 0;
  options.nogoods = options.restart != 0;
  options.learning = (alea_csp_learning)v->learning;
  options.seed = (uint64_t)v->seed;
  options.deadline = c->deadline;
  alea_solve_plain wanted = {.options = options,
                             .all = v->all,
                             .json = v->json,
                             .improving = !v->json && isatty(STDOUT_FILENO),
                             .live = &c->live,
                             .progress = show_csp,
                             .context = c,
                             .mem = &c->mem,
                             .out = &c->out,
                             .more = &c->more};
  alea_cli_solve_plain(&wanted, in->csp, r);
}

static bool is_set(const char *text) { return text != NULL && text[0] != '\0'; }

static void solve_strategic(solve_context *c, const alea_network_instance *in,
                            alea_solve_report *r) {
  const alea_solve_values *v = c->v;
  bool extras = !v->plain;
  alea_cli_strategy wanted = {.print = v->strategy,
                              .verify = v->verify,
                              .json = v->json,
                              .depth = (uint32_t)v->depth,
                              .svg = is_set(v->svg) ? v->svg : NULL,
                              .given = is_set(v->given) ? v->given : NULL,
                              .state = v->state,
                              .mem = &c->mem,
                              .out = &c->out,
                              .more = &c->more,
                              .options = {.one_way = extras || v->one_way,
                                          .table = extras,
                                          .order = extras,
                                          .symmetry = extras,
                                          .early = extras,
                                          .bits = extras,
                                          .table_bytes = v->table,
                                          .file = is_set(v->save) ? v->save : NULL,
                                          .deadline = c->deadline,
                                          .on_progress = show_strategic,
                                          .data = c}};
  alea_cli_solve_strategic(&wanted, in->strategic, r);
}

/* What the command line says about a strategic network. */
static void set_strategic(const alea_solve_values *v, alea_strategic *s) {
  if (v->classical) alea_strategic_set_classical(s, true);
  if (v->check != ALEA_NO_CHOICE) alea_strategic_set_check(s, (alea_strategic_check)v->check);
  if (v->existential != ALEA_NO_CHOICE)
    alea_strategic_set_existential(s, (alea_strategic_existential)v->existential);
}

static alea_solve_stochastic stochastic_options(solve_context *c) {
  const alea_solve_values *v = c->v;
  return (alea_solve_stochastic){.best = v->best,
                                 .worst = v->worst,
                                 .count = v->count,
                                 .all = v->all,
                                 .scenario = v->scenario,
                                 .policy = v->policy,
                                 .states = v->states,
                                 .json = v->json,
                                 .search = v->method == ALEA_SOLVE_SEARCH,
                                 .svg = v->svg,
                                 .horizon = v->horizon,
                                 .options = {.aim = v->worst ? ALEA_SCSP_WORST : ALEA_SCSP_MAX,
                                             .player = (uint32_t)v->player - 1,
                                             .deadline = c->deadline,
                                             .on_progress = show_scsp,
                                             .data = c},
                                 .ascii = alea_cli_wants_ascii(false),
                                 .mem = &c->mem,
                                 .out = &c->out,
                                 .more = &c->more};
}

/* One stage, split in two ([MACUCB16 §4.2]): forward checking on what chance
 * takes part in, a plain search on the rest. */
static void solve_stage(solve_context *c, const alea_scsp *scsp, alea_solve_report *r) {
  if (!alea_scsp_is_stage(scsp)) {
    r->status = (alea_status)alea_cli_fail(
        ALEA_USAGE, "this --method is for one stage without payments: all decisions, then chance");
    return;
  }
  double theta = alea_scsp_get_threshold(scsp, (uint32_t)c->v->player - 1);
  alea_network_instance rest = {.csp = alea_scsp_decisions(scsp, theta, &c->deadline, &r->status)};
  if (rest.csp != NULL) solve_csp(c, &rest, r);
  alea_csp_free(rest.csp);
}

static bool check_stochastic(const solve_context *c, const alea_scsp *scsp, alea_solve_report *r) {
  const alea_solve_values *v = c->v;
  if (v->player > alea_scsp_players(scsp))
    r->status = (alea_status)alea_cli_fail(ALEA_USAGE, "the network has %u players, not %" PRId64,
                                           alea_scsp_players(scsp), v->player);
  else if (v->worst && v->method == ALEA_SOLVE_SEARCH)
    r->status = (alea_status)alea_cli_fail(ALEA_USAGE, "--worst does not go with --method search");
  return r->status == ALEA_OK;
}

static void solve_stochastic(solve_context *c, const alea_network_instance *in,
                             alea_solve_report *r) {
  const alea_solve_values *v = c->v;
  alea_solve_stochastic options = stochastic_options(c);
  alea_scsp *scsp = in->scsp != NULL ? in->scsp : alea_process_network(in->process);
  if (!check_stochastic(c, scsp, r)) return;
  if (v->threshold != -1) alea_scsp_threshold(scsp, options.options.player, v->threshold);
  if (v->method != ALEA_NO_CHOICE && v->method < ALEA_SOLVE_EXACT)
    solve_stage(c, scsp, r);
  else if (in->scsp != NULL)
    alea_cli_solve_scsp(&options, in->scsp, r);
  else
    alea_cli_solve_process(&options, in->process, r);
}

/* ---- writing ---- */

static alea_status write_scsp(solve_context *c, const alea_scsp *scsp) {
  const char *why = NULL;
  alea_status status = alea_xcsp3_write_scsp(scsp, &c->out, &why);
  if (status == ALEA_USAGE) alea_cli_fail(ALEA_USAGE, "XCSP3 has no form for %s", why);
  return status;
}

static alea_status write_xcsp3(solve_context *c, const alea_network_instance *in) {
  if (in->csp != NULL) return alea_xcsp3_write(in->csp, NULL, &c->out);
  if (in->strategic != NULL) return alea_xcsp3_write_strategic(in->strategic, &c->out);
  if (in->scsp != NULL) return write_scsp(c, in->scsp);
  if (c->v->horizon < 0)
    return (alea_status)alea_cli_fail(ALEA_USAGE, "a process is written as XCSP3 with --horizon");
  alea_scsp *scsp = alea_process_unroll(in->process, (uint32_t)c->v->horizon);
  alea_status status = scsp != NULL ? write_scsp(c, scsp) : ALEA_SYSTEM;
  alea_scsp_free(scsp);
  return status;
}

static alea_status write_instance(solve_context *c, const alea_network_instance *in) {
  alea_status status = ALEA_OK;
  if (c->v->write == ALEA_SOLVE_XCSP3) return write_xcsp3(c, in);
  json_t *root = NULL;
  if (in->strategic != NULL)
    root = alea_strategic_write_json(in->strategic);
  else if (in->scsp != NULL)
    root = alea_scsp_write_json(in->scsp);
  else if (in->process != NULL)
    root = alea_process_write_json(in->process);
  else
    root = alea_csp_write_json(in->csp);
  if (root == NULL || !alea_csp_json_text(root, &c->out))
    status = (alea_status)alea_cli_fail(ALEA_SYSTEM, "out of memory");
  json_decref(root);
  return status;
}

static const char *word(alea_status status) {
  return status == ALEA_OK ? "sat" : status == ALEA_NO ? "unsat" : "limit";
}

static void print_json(solve_context *c, const alea_solve_report *r, double cpu, double wall) {
  alea_text *out = &c->out;
  alea_text_format(out, "%s\"status\":\"%s\",\"value\":", r->listed ? "]," : "{", word(r->status));
  if (r->has_value)
    alea_text_format(out, "%.12g", r->value);
  else
    alea_text_put(out, "null");
  alea_text_format(out,
                   ",\"solutions\":%" PRIu64 ",\"nodes\":%" PRIu64 ",\"propagations\":%" PRIu64
                   ",\"seconds\":%.6f,\"cpu_seconds\":%.6f,\"wall_seconds\":%.6f",
                   r->solutions, r->nodes, r->propagations, r->seconds, cpu, wall);
  if (r->optimises) alea_text_format(out, ",\"optimal\":%s", r->optimal ? "true" : "false");
  if (r->check != NULL)
    alea_text_format(out, ",\"check\":\"%s\",\"existential\":\"%s\",\"state\":\"%s\"", r->check,
                     r->existential, r->state);
  alea_text_put(out, alea_text_string(&c->more));
  alea_text_put(out, "}\n");
}

static void print_report(solve_context *c, const alea_solve_report *r) {
  if (r->status != ALEA_OK && r->status != ALEA_NO && r->status != ALEA_LIMIT) return;
  double cpu = alea_clock_cpu() - c->cpu, wall = alea_clock_wall() - c->started;
  if (c->v->json) {
    print_json(c, r, cpu, wall);
    return;
  }
  alea_text_format(&c->out, "%s\n", word(r->status));
  if (r->check != NULL)
    alea_text_format(&c->out, "check %s, existential %s, state %s\n", r->check, r->existential,
                     r->state);
  if (r->has_value)
    alea_text_format(&c->out, "value %.12g%s\n", r->value,
                     !r->optimises ? ""
                     : r->optimal  ? ", optimal"
                     : c->v->worst ? ", the worst so far"
                                   : ", the best so far");
  alea_text_format(&c->out,
                   "%" PRIu64 " solution%s, %" PRIu64 " nodes, %" PRIu64
                   " propagations, %.3f s CPU, %.3f s wall\n",
                   r->solutions, r->solutions == 1 ? "" : "s", r->nodes, r->propagations, cpu,
                   wall);
  alea_text_put(&c->out, alea_text_string(&c->more));
}

static alea_status solve(solve_context *c, const alea_network_instance *in) {
  alea_solve_report r = {.status = ALEA_OK};
  if (c->v->write != ALEA_NO_CHOICE) return write_instance(c, in);
  if (in->scsp == NULL && in->process == NULL && c->v->method != ALEA_NO_CHOICE &&
      c->v->method >= ALEA_SOLVE_EXACT)
    return (alea_status)alea_cli_fail(ALEA_USAGE, "this --method is for stochastic networks");
  if (in->csp != NULL)
    solve_csp(c, in, &r);
  else if (in->strategic != NULL)
    solve_strategic(c, in, &r);
  else
    solve_stochastic(c, in, &r);
  if (c->shown > 0) fputs("\r\033[K", stderr);
  alea_solve_live_end(&c->live, &c->mem);
  if (r.status == ALEA_USAGE && in->csp != NULL)
    alea_cli_fail(ALEA_USAGE, "the instance has no objective for --best");
  print_report(c, &r);
  return r.status;
}

/* Which limit it was: every solver stops for time or for want of memory. */
static void say_limit(const solve_context *c) {
  if (alea_cli_stopped())
    (void)alea_cli_tell_stopped(ALEA_LIMIT, "after %.1f s; what was found is above",
                                alea_clock_wall() - c->started);
  else if (c->late || alea_deadline_passed(&c->deadline))
    alea_cli_fail(ALEA_LIMIT, "time is up after %g s (the limit is --time)", c->v->time);
  else if (c->mem.hit_limit)
    alea_cli_fail(ALEA_LIMIT, "it does not fit into %zu MB of memory (the limit is --memory)",
                  c->v->memory >> 20);
}

/* ---- equilibria ---- */

static alea_solve_kind kind_of(const alea_network_instance *in) {
  if (in->csp != NULL) return ALEA_SOLVE_PLAIN;
  if (in->strategic != NULL) return ALEA_SOLVE_STRATEGIC;
  return in->scsp != NULL ? ALEA_SOLVE_STOCHASTIC : ALEA_SOLVE_PROCESS;
}

static int solve_equilibrium(const alea_solve_values *v, const char *game) {
#define COPY(kind, field, fallback, least, largest, value, help) .field = v->field,
  alea_cli_equilibrium options = {ALEA_EQUILIBRIUM_OPTIONS(COPY).game = game,
                                  .all = v->all,
                                  .json = v->json,
                                  .time = v->time,
                                  .memory = v->memory,
                                  .seed = (uint64_t)v->seed};
#undef COPY
  if (game == NULL) return alea_cli_fail(ALEA_USAGE, "--equilibrium needs a game");
  return alea_cli_solve_equilibrium(&options);
}

/* Seconds: tables may have gigabytes, and disks may be slow. */
static const double LONGEST_SAVE = 60;

int alea_cli_solve(int argc, char **argv) {
  alea_solve_values v;
  int operands;
  int begun = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (begun >= 0) return begun;
  if (alea_solve_check_mode(rows, sizeof rows / sizeof *rows, &v) != ALEA_OK) return ALEA_USAGE;
  if (v.equilibrium) return solve_equilibrium(&v, operands == 1 ? argv[1] : NULL);
  bool model = v.model != NULL && v.model[0] != '\0';
  if (model == (operands == 1))
    return alea_cli_fail(ALEA_USAGE, "give either a file or --model (see 'alea solve --help')");
  solve_context c = {.v = &v, .started = alea_clock_wall(), .terminal = isatty(STDERR_FILENO)};
  c.live = (alea_solve_live){.wanted = v.live, .started = c.started, .shown = c.started};
  c.deadline = alea_deadline_in(v.time);
  c.deadline.stop = alea_cli_catch_stop();
  if (is_set(v.save)) alea_cli_stop_patience(LONGEST_SAVE);
  c.cpu = alea_clock_cpu();
  alea_mem_init(&c.mem, v.memory);
  alea_diag_init(&c.diag, &c.mem);
  alea_text_init(&c.out, &c.mem);
  alea_text_init(&c.more, &c.mem);
  alea_network_instance in = {0};
  alea_status status = ALEA_OK;
  if (!model)
    status = from_file(&c, argv[1], &in);
  else if (!from_model(&c, v.model, &in))
    status = (alea_status)alea_cli_fail(ALEA_USAGE, "unknown model '%s'", v.model);
  if (status == ALEA_OK)
    status = alea_solve_check_kind(rows, sizeof rows / sizeof *rows, &v, kind_of(&in));
  if (in.strategic != NULL) set_strategic(&v, in.strategic);
  if (status == ALEA_LIMIT) print_report(&c, &(alea_solve_report){.status = status});
  if (status == ALEA_OK) status = solve(&c, &in);
  if (alea_cli_write(&c.out) != ALEA_OK) status = ALEA_SYSTEM;
  alea_cli_print_diag(&c.diag);
  if (status == ALEA_LIMIT) say_limit(&c);
  alea_network_instance_clear(&in);
  alea_text_clear(&c.out);
  alea_text_clear(&c.more);
  alea_diag_clear(&c.diag);
  return (int)status;
}
