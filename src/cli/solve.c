/* alea solve: constraint instances from a file or from the papers' models. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/solve_equilibrium.h"
#include "cli/solve_stochastic.h"
#include "cli/solve_strategy.h"
#include "csp/json.h"
#include "models/instance.h"
#include "models/stochastic.h"
#include "models/strategic.h"
#include "scsp/json.h"
#include "scsp/xcsp3.h"

/* clang-format off */
#define FORMATS(word) word(FORMAT_XCSP3, "xcsp3") word(FORMAT_JSON, "json")
/* mac, fc and backtrack are for plain networks and, split, for one stochastic stage. */
#define METHODS(word) ALEA_CSP_METHODS(word) word(METHOD_EXACT, "exact") word(METHOD_SEARCH, "search")
#define OPTIONS(row)                                                                             \
  row(text, model, "", 0, 0, "NAME", "a model of the papers instead of a file (see above)")      \
  row(flag, count, "", 0, 0, "", "count all solutions (policies, scenarios with --scenario)")    \
  row(flag, all, "", 0, 0, "", "print every solution, or count all policies by value; equilibrium: the strategies") \
  row(flag, best, "", 0, 0, "", "the best value instead of the first solution")                  \
  row(flag, worst, "", 0, 0, "", "stochastic: the worst feasible policy")                        \
  row(flag, scenario, "", 0, 0, "", "stochastic: complete instantiations that reach --threshold") \
  row(real, threshold, "-1", -1e9, 1e9, "THETA", "stochastic: the value to be reached; -1: as the instance says") \
  row(integer, horizon, "-1", -1, 1e6, "N", "processes: number of transitions; -1: to the end")  \
  row(integer, player, "1", 1, 32, "N", "stochastic: whose payment is looked at")                 \
  row(flag, policy, "", 0, 0, "", "stochastic: print a best policy as a tree")                   \
  row(text, svg, "", 0, 0, "FILE", "draw a best policy (stochastic), or the strategy (strategic)") \
  row(choice, method, "", 0, 0, ALEA_CHOICE_WORDS(METHODS), "plain: mac (default), fc, backtrack; stochastic: exact (default), search, or one of these for one stage") \
  row(choice, order, "wdeg", 0, 0, ALEA_CHOICE_WORDS(ALEA_CSP_ORDERS), "plain: order of the variables")            \
  row(choice, values, "min", 0, 0, ALEA_CHOICE_WORDS(ALEA_CSP_VALUE_ORDERS), "plain: order of the values")               \
  row(flag, sac, "", 0, 0, "", "plain: singleton arc consistency first")                         \
  row(flag, simplify, "", 0, 0, "", "plain: merge scopes, drop unary and universal parts first") \
  row(flag, self_check, "", 0, 0, "", "plain: re-derive every pruned value by brute force")      \
  row(integer, restart, "-1", -1, 1e9, "N", "plain: restart after N failures, then ever later, with nogoods; -1: 100, but never to count") \
  row(choice, learning, "beside", 0, 0, ALEA_CHOICE_WORDS(ALEA_CSP_LEARNINGS), "plain: clause learning beside a search that restarts") \
  row(flag, plain, "", 0, 0, "", "strategic: the paper's algorithm, without extras")             \
  row(flag, one_way, "", 0, 0, "", "strategic: with --plain, prune the next quantified variable") \
  row(flag, classical, "", 0, 0, "", "strategic: read as QCSP")                                  \
  row(choice, check, "", 0, 0, ALEA_CHOICE_WORDS(ALEA_STRATEGIC_CHECKS), "strategic: test consistency by search, or by propagation alone (default: as the instance says, else exact)") \
  row(choice, existential, "", 0, 0, ALEA_CHOICE_WORDS(ALEA_STRATEGIC_EXISTENTIALS), "strategic: existential values are any, or must be consistent (default: as the instance says, else definition)") \
  row(choice, state, "", 0, 0, ALEA_CHOICE_WORDS(ALEA_STRATEGIC_STATES), "strategic: search on bit sets, for Connect and its like, or on domains (default: bits where possible, unless --plain)") \
  row(text, given, "", 0, 0, "V,V,...", "strategic: values of the first quantified variables; the rest is solved") \
  row(text, save, "", 0, 0, "FILE", "strategic, on bit sets: keep the table there, and go on from it") \
  row(flag, strategy, "", 0, 0, "", "strategic: print the strategy of the side that wins")       \
  row(integer, depth, "4", 0, 1e6, "N", "strategic: variables that are shown of it; 0 is all")   \
  row(flag, verify, "", 0, 0, "", "strategic: replay it against every answer")                   \
  row(bytes, table, "256M", 0, 0, "BYTES", "strategic: size of the transposition table")         \
  row(choice, write, "", 0, 0, ALEA_CHOICE_WORDS(FORMATS), "write the instance instead of solving it")         \
  row(real, time, "0", 0, 1e9, "S", "give up after S seconds; 0 is no limit")                    \
  row(integer, seed, "1", 0, 9e18, "N", "seed of random choices")                                \
  row(bytes, memory, "4G", 0, 0, "BYTES", "memory limit")                                        \
  row(flag, json, "", 0, 0, "", "print one JSON object")                                         \
  ALEA_EQUILIBRIUM_OPTIONS(row)
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)
enum { FORMATS(ALEA_CHOICE_CONSTANT) };
enum { METHOD_EXACT = ALEA_CSP_BACKTRACK + 1, METHOD_SEARCH }; /* after those of csp/csp.h */

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
        "With --equilibrium FILE is a game: one that ships with the program, or a rulesheet.",
    .example = "alea solve --model orchard:4:10:9 --best",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 0,
    .most_operands = 1,
};

typedef struct solve_context {
  const values *v;
  alea_mem mem;
  alea_diag diag;
  alea_text out;
  alea_text more; /* strategic: of the strategy, after the report */
  alea_deadline deadline;
  bool late;             /* time was up before the instance was read */
  double started, shown; /* progress */
  bool terminal;
  const alea_csp *printed; /* network whose solutions --all prints */
} solve_context;

/* ---- reading ---- */

static alea_status slurp(const char *path, alea_text *text) {
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  char buffer[1 << 16];
  size_t got;
  if (file == NULL) return ALEA_SYSTEM;
  while ((got = fread(buffer, 1, sizeof buffer, file)) > 0) alea_text_add(text, buffer, got);
  bool good = !ferror(file) && !text->failed;
  if (file != stdin) fclose(file);
  return good ? ALEA_OK : ALEA_SYSTEM;
}

static alea_status from_file(solve_context *c, const char *path, alea_network_instance *in) {
  alea_text text;
  alea_text_init(&text, &c->mem);
  alea_status status = slurp(path, &text);
  if (status != ALEA_OK && c->mem.hit_limit) {
    status = ALEA_LIMIT;
  } else if (status != ALEA_OK) {
    alea_cli_fail(status, "cannot read '%s': %s", path, strerror(errno));
  } else {
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
  unsigned a, b, d;
  alea_mem *mem = &c->mem;
  in->strategic = alea_model_strategic(mem, name);
  if (in->strategic != NULL) return true;
  if (strcmp(name, "pennies") == 0)
    in->scsp = alea_model_pennies(mem);
  else if (strcmp(name, "p3") == 0)
    in->scsp = alea_model_p3(mem);
  else if (strcmp(name, "split") == 0)
    in->scsp = alea_model_split(mem);
  else if (sscanf(name, "orchard:%u:%u:%u", &a, &b, &d) == 3)
    in->process = alea_model_orchard(mem, a, b, d, false);
  else if (sscanf(name, "orchard-step:%u:%u:%u", &a, &b, &d) == 3)
    in->process = alea_model_orchard(mem, a, b, d, true);
  return in->scsp != NULL || in->process != NULL;
}

/* ---- progress ---- */

static void show(solve_context *c, uint64_t nodes, uint32_t depth, const char *bound) {
  double now = alea_clock_wall();
  if (!c->terminal || now - c->started < 1 || now - c->shown < 0.2) return;
  c->shown = now;
  fprintf(stderr, "\r%" PRIu64 " nodes, depth %u, %s%.0f s \033[K", nodes, depth, bound,
          now - c->started);
}

static void show_csp(void *data, const alea_csp_progress *progress) {
  char bound[48] = "";
  if (progress->has_bound) snprintf(bound, sizeof bound, "best %" PRId64 ", ", progress->bound);
  show(data, progress->nodes, progress->depth, bound);
}

static void show_scsp(void *data, uint64_t nodes, uint32_t depth, double best) {
  char bound[48];
  snprintf(bound, sizeof bound, "at least %.6f, ", best);
  show(data, nodes, depth, bound);
}

static void show_strategic(void *data, uint64_t nodes, uint32_t depth, double seconds) {
  (void)seconds;
  show(data, nodes, depth, "");
}

/* ---- solving ---- */

static bool print_solution(void *data, const int32_t *solution) {
  solve_context *c = data;
  const alea_csp *csp = c->printed;
  for (uint32_t v = 0; v < alea_csp_var_count(csp); v++) {
    if (alea_csp_hidden(csp, v)) continue;
    const char *symbol = alea_csp_unused(csp, v) ? "*" : alea_csp_symbol(csp, v, solution[v]);
    if (symbol != NULL)
      alea_text_format(&c->out, "%s=%s ", alea_csp_name(csp, v), symbol);
    else
      alea_text_format(&c->out, "%s=%d ", alea_csp_name(csp, v), solution[v]);
  }
  alea_text_char(&c->out, '\n');
  return !c->out.failed && alea_cli_write(&c->out) == ALEA_OK;
}

static void solve_csp(solve_context *c, const alea_network_instance *in, alea_solve_report *r) {
  const values *v = c->v;
  alea_csp_options options = alea_csp_defaults();
  options.goal = v->best ? ALEA_CSP_BEST : v->count || v->all ? ALEA_CSP_COUNT : ALEA_CSP_FIRST;
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
  options.on_progress = show_csp;
  options.data = c;
  c->printed = in->csp;
  if ((v->all || options.goal == ALEA_CSP_FIRST) && !v->json) options.on_solution = print_solution;
  alea_csp_result result;
  *r = (alea_solve_report){.status = alea_csp_solve(in->csp, &options, &result),
                           .has_value = v->best && result.solutions != 0,
                           .value = (double)result.best,
                           .solutions = result.solutions,
                           .nodes = result.nodes,
                           .propagations = result.propagations,
                           .seconds = result.seconds};
  if (result.self_check_errors != 0) {
    alea_cli_fail(ALEA_SYSTEM, "the self-check found %" PRIu64 " wrong removals",
                  result.self_check_errors);
    r->status = ALEA_SYSTEM;
  }
}

static bool is_set(const char *text) { return text != NULL && text[0] != '\0'; }

static void solve_strategic(solve_context *c, const alea_network_instance *in,
                            alea_solve_report *r) {
  const values *v = c->v;
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
static void set_strategic(const values *v, alea_strategic *s) {
  if (v->classical) alea_strategic_set_classical(s, true);
  if (v->check != ALEA_NO_CHOICE) alea_strategic_set_check(s, (alea_strategic_check)v->check);
  if (v->existential != ALEA_NO_CHOICE)
    alea_strategic_set_existential(s, (alea_strategic_existential)v->existential);
}

static alea_solve_stochastic stochastic_options(solve_context *c) {
  const values *v = c->v;
  return (alea_solve_stochastic){.best = v->best,
                                 .worst = v->worst,
                                 .count = v->count,
                                 .all = v->all,
                                 .scenario = v->scenario,
                                 .policy = v->policy,
                                 .json = v->json,
                                 .search = v->method == METHOD_SEARCH,
                                 .svg = v->svg,
                                 .horizon = v->horizon,
                                 .options = {.aim = v->worst ? ALEA_SCSP_WORST : ALEA_SCSP_MAX,
                                             .player = (uint32_t)v->player - 1,
                                             .deadline = c->deadline,
                                             .on_progress = show_scsp,
                                             .data = c},
                                 .mem = &c->mem,
                                 .out = &c->out};
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
  const values *v = c->v;
  if (v->player > alea_scsp_players(scsp))
    r->status = (alea_status)alea_cli_fail(ALEA_USAGE, "the network has %u players, not %" PRId64,
                                           alea_scsp_players(scsp), v->player);
  else if (v->worst && v->method == METHOD_SEARCH)
    r->status = (alea_status)alea_cli_fail(ALEA_USAGE, "--worst does not go with --method search");
  return r->status == ALEA_OK;
}

static void solve_stochastic(solve_context *c, const alea_network_instance *in,
                             alea_solve_report *r) {
  const values *v = c->v;
  alea_solve_stochastic options = stochastic_options(c);
  alea_scsp *scsp = in->scsp != NULL ? in->scsp : alea_process_network(in->process);
  if (!check_stochastic(c, scsp, r)) return;
  if (v->threshold != -1) alea_scsp_threshold(scsp, options.options.player, v->threshold);
  if (v->method != ALEA_NO_CHOICE && v->method < METHOD_EXACT)
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
  if (c->v->write == FORMAT_XCSP3) return write_xcsp3(c, in);
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

static void print_report(solve_context *c, const alea_solve_report *r) {
  if (r->status != ALEA_OK && r->status != ALEA_NO && r->status != ALEA_LIMIT) return;
  if (c->v->json) {
    alea_text_format(&c->out, "{\"status\":\"%s\",\"value\":", word(r->status));
    if (r->has_value)
      alea_text_format(&c->out, "%.12g", r->value);
    else
      alea_text_put(&c->out, "null");
    alea_text_format(&c->out,
                     ",\"solutions\":%" PRIu64 ",\"nodes\":%" PRIu64 ",\"propagations\":%" PRIu64
                     ",\"seconds\":%.6f",
                     r->solutions, r->nodes, r->propagations, r->seconds);
    if (r->check != NULL)
      alea_text_format(&c->out, ",\"check\":\"%s\",\"existential\":\"%s\",\"state\":\"%s\"",
                       r->check, r->existential, r->state);
    alea_text_put(&c->out, alea_text_string(&c->more));
    alea_text_put(&c->out, "}\n");
    return;
  }
  alea_text_format(&c->out, "%s\n", word(r->status));
  if (r->check != NULL)
    alea_text_format(&c->out, "check %s, existential %s, state %s\n", r->check, r->existential,
                     r->state);
  if (r->has_value) alea_text_format(&c->out, "value %.12g\n", r->value);
  alea_text_format(&c->out,
                   "%" PRIu64 " solutions, %" PRIu64 " nodes, %" PRIu64 " propagations, %.3f s\n",
                   r->solutions, r->nodes, r->propagations, r->seconds);
  alea_text_put(&c->out, alea_text_string(&c->more));
}

static alea_status solve(solve_context *c, const alea_network_instance *in) {
  alea_solve_report r = {.status = ALEA_OK};
  if (c->v->write != ALEA_NO_CHOICE) return write_instance(c, in);
  if (in->scsp == NULL && in->process == NULL && c->v->method != ALEA_NO_CHOICE &&
      c->v->method >= METHOD_EXACT)
    return (alea_status)alea_cli_fail(ALEA_USAGE, "this --method is for stochastic networks");
  if (in->csp != NULL)
    solve_csp(c, in, &r);
  else if (in->strategic != NULL)
    solve_strategic(c, in, &r);
  else
    solve_stochastic(c, in, &r);
  if (c->shown > 0) fputs("\r\033[K", stderr);
  if (r.status == ALEA_USAGE && in->csp != NULL)
    alea_cli_fail(ALEA_USAGE, "the instance has no objective for --best");
  print_report(c, &r);
  return r.status;
}

/* Which limit it was: every solver stops for time or for want of memory. */
static void say_limit(const solve_context *c) {
  if (c->late || alea_deadline_passed(&c->deadline))
    alea_cli_fail(ALEA_LIMIT, "time is up after %g s (the limit is --time)", c->v->time);
  else if (c->mem.hit_limit)
    alea_cli_fail(ALEA_LIMIT, "it does not fit into %zu MB of memory (the limit is --memory)",
                  c->v->memory >> 20);
}

/* ---- equilibria ---- */

/* What is solved; an option goes with some of them. */
enum { MODE_CONSTRAINTS = 1, MODE_EQUILIBRIUM = 2, MODE_AGAINST = 4, MODE_GAME = 6, MODE_ANY = 7 };

static int modes_of(const char *field) {
  static const struct {
    const char *field;
    int modes;
  } known[] = {
      {"all", MODE_ANY},
      {"time", MODE_ANY},
      {"memory", MODE_ANY},
      {"json", MODE_ANY},
      {"seed", MODE_CONSTRAINTS | MODE_AGAINST},
      {"equilibrium", MODE_GAME},
      {"against", MODE_GAME},
      {"nodes", MODE_GAME},
      {"iterations", MODE_EQUILIBRIUM},
      {"gap", MODE_EQUILIBRIUM},
      {"sims", MODE_AGAINST},
      {"samples", MODE_AGAINST},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].field, field) == 0) return known[i].modes;
  return MODE_CONSTRAINTS;
}

static bool same_value(const alea_option *row, const values *a, const values *b) {
  static const size_t sizes[] = {
      [ALEA_OPTION_flag] = sizeof(bool),
      [ALEA_OPTION_integer] = sizeof(int64_t),
      [ALEA_OPTION_real] = sizeof(double),
      [ALEA_OPTION_bytes] = sizeof(size_t),
      [ALEA_OPTION_text] = sizeof(char *),
      [ALEA_OPTION_choice] = sizeof(int),
      [ALEA_OPTION_texts] = sizeof(alea_option_texts),
  };
  return memcmp((const char *)a + row->offset, (const char *)b + row->offset, sizes[row->kind]) ==
         0;
}

/* Refuses the first option that was set and does not go with the mode. */
static alea_status check_mode(const values *v) {
  int mode = !v->equilibrium      ? MODE_CONSTRAINTS
             : v->against == NULL ? MODE_EQUILIBRIUM
                                  : MODE_AGAINST;
  values defaults = {0};
  char name[ALEA_OPTION_NAME];
  alea_options_defaults(rows, sizeof rows / sizeof *rows, &defaults);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int modes = modes_of(rows[i].field);
    if ((modes & mode) != 0 || same_value(&rows[i], v, &defaults)) continue;
    const char *how = modes == MODE_AGAINST      ? "goes only with --against"
                      : mode == MODE_CONSTRAINTS ? "goes only with --equilibrium"
                      : mode == MODE_EQUILIBRIUM ? "does not go with --equilibrium"
                                                 : "does not go with --against";
    return (alea_status)alea_cli_fail(ALEA_USAGE, "--%s %s", alea_option_name(&rows[i], name), how);
  }
  return ALEA_OK;
}

/* ---- what goes with an instance ---- */

enum { KIND_PLAIN = 1, KIND_STOCHASTIC = 2, KIND_STRATEGIC = 4 };

static int kinds_of(const char *field) {
  static const struct {
    const char *fields;
    int kinds;
  } known[] = {
      {" count all best method ", KIND_PLAIN | KIND_STOCHASTIC},
      {" order values sac simplify self_check restart learning seed ", KIND_PLAIN},
      {" worst scenario threshold horizon player policy ", KIND_STOCHASTIC},
      {" svg ", KIND_STOCHASTIC | KIND_STRATEGIC},
      {" plain one_way classical check existential state given save strategy depth verify table ",
       KIND_STRATEGIC},
  };
  char word[64];
  snprintf(word, sizeof word, " %s ", field);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strstr(known[i].fields, word) != NULL) return known[i].kinds;
  return KIND_PLAIN | KIND_STOCHASTIC | KIND_STRATEGIC;
}

/* Refuses the first option that was set and does nothing for the instance. */
static alea_status check_kind(const values *v, const alea_network_instance *in) {
  static const char *const names[] = {
      [KIND_PLAIN] = "plain", [KIND_STOCHASTIC] = "stochastic", [KIND_STRATEGIC] = "strategic"};
  int kind = in->csp != NULL         ? KIND_PLAIN
             : in->strategic != NULL ? KIND_STRATEGIC
                                     : KIND_STOCHASTIC;
  /* One stage may be solved like a plain network. */
  bool stage = kind == KIND_STOCHASTIC && v->method != ALEA_NO_CHOICE && v->method < METHOD_EXACT;
  values defaults = {0};
  char name[ALEA_OPTION_NAME];
  alea_options_defaults(rows, sizeof rows / sizeof *rows, &defaults);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int kinds = kinds_of(rows[i].field);
    if ((kinds & kind) != 0 || (stage && (kinds & KIND_PLAIN) != 0)) continue;
    if (same_value(&rows[i], v, &defaults)) continue;
    return (alea_status)alea_cli_fail(ALEA_USAGE, "--%s is not for %s networks",
                                      alea_option_name(&rows[i], name), names[kind]);
  }
  return ALEA_OK;
}

static int solve_equilibrium(const values *v, const char *game) {
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

int alea_cli_solve(int argc, char **argv) {
  values v;
  int operands;
  int begun = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (begun >= 0) return begun;
  if (check_mode(&v) != ALEA_OK) return ALEA_USAGE;
  if (v.equilibrium) return solve_equilibrium(&v, operands == 1 ? argv[1] : NULL);
  bool model = v.model != NULL && v.model[0] != '\0';
  if (model == (operands == 1))
    return alea_cli_fail(ALEA_USAGE, "give either a file or --model (see 'alea solve --help')");
  solve_context c = {.v = &v, .started = alea_clock_wall(), .terminal = isatty(STDERR_FILENO)};
  c.deadline = alea_deadline_in(v.time);
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
  if (status == ALEA_OK) status = check_kind(&v, &in);
  if (in.strategic != NULL) set_strategic(&v, in.strategic);
  if (status == ALEA_LIMIT) print_report(&c, &(alea_solve_report){.status = status});
  if (status == ALEA_OK) status = solve(&c, &in);
  alea_cli_print_diag(&c.diag);
  if (status == ALEA_LIMIT) say_limit(&c);
  if (alea_cli_write(&c.out) != ALEA_OK) status = ALEA_SYSTEM;
  alea_network_instance_clear(&in);
  alea_text_clear(&c.out);
  alea_text_clear(&c.more);
  alea_diag_clear(&c.diag);
  return (int)status;
}
