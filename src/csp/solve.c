/* alea_csp_solve: options, limits and functions that the searches share. */
#include "csp/search.h"

alea_csp_options alea_csp_defaults(void) {
  return (alea_csp_options){.goal = ALEA_CSP_FIRST, .seed = 1};
}

/* A node of many variables takes long. */
uint64_t csp_until_check(const alea_csp *csp) {
  return 1 + 65536 / (64 + (uint64_t)csp->vars.count);
}

bool csp_node(csp_search *search, uint32_t depth) {
  alea_csp_result *result = search->result;
  const alea_csp_options *options = search->options;
  result->nodes++;
  if (options->max_nodes != 0 && result->nodes > options->max_nodes)
    search->stop = search->limited = true;
  if (--search->until_check == 0) {
    search->until_check = csp_until_check(search->engine->csp);
    if (alea_deadline_passed(&options->deadline)) search->stop = search->limited = true;
    if (options->on_progress != NULL)
      options->on_progress(options->data,
                           &(alea_csp_progress){result->nodes, result->solutions, depth,
                                                search->has_best, result->best});
  }
  return !search->stop;
}

/* Searches without bounds also come to solutions that are no better. */
static bool improves(const csp_search *search, const csp_engine *engine) {
  const alea_csp *csp = engine->csp;
  if (search->options->goal != ALEA_CSP_BEST || !search->has_best) return true;
  int64_t value = csp_min(csp_dom(engine, csp->objective));
  return csp->maximise ? value > search->result->best : value < search->result->best;
}

void csp_solution(csp_search *search, const csp_engine *engine) {
  alea_csp_result *result = search->result;
  const alea_csp_options *options = search->options;
  if (!improves(search, engine)) return;
  for (uint32_t v = 0; v < engine->var_count; v++) search->values[v] = csp_min(csp_dom(engine, v));
  result->solutions++;
  if (options->goal == ALEA_CSP_BEST) {
    search->has_best = true;
    result->best = search->values[engine->csp->objective];
  }
  if (options->on_solution != NULL && !options->on_solution(options->data, search->values))
    search->stop = true;
  if (options->goal == ALEA_CSP_FIRST) search->stop = true;
  if (options->max_solutions != 0 && result->solutions >= options->max_solutions)
    search->stop = true;
}

/* ---- variable and value order ---- */

/* Smaller is better; ties go to the first variable. */
static double rank(const csp_search *search, alea_csp_var var) {
  double size = csp_dom(search->engine, var)->size;
  return search->options->order == ALEA_CSP_DOM ? size : size / search->scores[var];
}

static alea_csp_var choose_among(csp_search *search, const bool *assigned, bool hidden) {
  const csp_engine *engine = search->engine;
  alea_csp_var best = ALEA_CSP_NONE;
  double best_rank = 0;
  for (uint32_t v = 0; v < engine->var_count; v++) {
    const csp_domain *domain = csp_dom(engine, v);
    if (assigned != NULL ? assigned[v] : domain->size == 1) continue;
    if (domain->var->hidden != hidden || domain->var->unused) continue;
    if (search->options->order == ALEA_CSP_INPUT) return v;
    double r = rank(search, v);
    if (best != ALEA_CSP_NONE && r >= best_rank) continue;
    best = v;
    best_rank = r;
  }
  return best;
}

alea_csp_var csp_choose(csp_search *search, const bool *assigned) {
  alea_csp_var var = choose_among(search, assigned, false);
  return var != ALEA_CSP_NONE ? var : choose_among(search, assigned, true);
}

/* Near the best solution there may be a better one: its values come first, where
 * the search restarts (Demirovic et al., CP 2018). */
static uint32_t saved_value(const csp_search *search, alea_csp_var var) {
  if (!search->has_best || search->options->restart == 0) return ALEA_CSP_NONE;
  const csp_domain *domain = csp_dom(search->engine, var);
  uint32_t index = csp_index(domain->var, search->values[var]);
  if (domain->var->interval && index != domain->min && index != domain->max) return ALEA_CSP_NONE;
  return csp_has(domain, index) ? index : ALEA_CSP_NONE;
}

uint32_t csp_choose_value(csp_search *search, alea_csp_var var) {
  const csp_domain *domain = csp_dom(search->engine, var);
  uint32_t saved = saved_value(search, var);
  if (saved != ALEA_CSP_NONE) return saved;
  if (search->options->values == ALEA_CSP_MAX) return domain->max;
  if (search->options->values == ALEA_CSP_MIN || domain->var->interval) return domain->min;
  uint32_t skip = alea_rng_below(&search->rng, domain->size), index = domain->min;
  while (skip-- > 0) index = csp_next(domain, index + 1);
  return index;
}

/* Increases the weight of every variable of the failing constraint by one.  The
 * refined weights of Wattez et al. (ICTAI 2019) were tried: on the set of
 * bench/csp.md they need twice the nodes. */
void csp_blame(csp_search *search, uint32_t prop_id) {
  if (prop_id == ALEA_CSP_NONE) return;
  const csp_prop *prop = &search->engine->props[prop_id];
  for (uint32_t i = 0; i < prop->arity; i++) search->scores[prop->scope[i]] += 1;
}

void csp_initial_scores(csp_search *search) {
  const csp_engine *engine = search->engine;
  for (uint32_t v = 0; v < engine->var_count; v++) search->scores[v] = 1e-9;
  for (uint32_t p = 0; p < engine->prop_count; p++)
    for (uint32_t i = 0; i < engine->props[p].arity; i++)
      search->scores[engine->props[p].scope[i]] += 1;
}

/* ---- the call ---- */

static void root(csp_search *search) {
  csp_engine *engine = search->engine;
  const alea_csp_options *options = search->options;
  bool consistent = !engine->csp->false_;
  if (consistent && options->method == ALEA_CSP_MAC) {
    csp_schedule_all(engine);
    consistent = csp_propagate(engine);
  }
  if (consistent && options->sac) {
    csp_schedule_all(engine);
    bool complete;
    consistent = csp_propagate(engine) &&
                 csp_sac(engine, &options->deadline, 0, &search->result->sac_removed, &complete);
  }
  for (uint32_t v = 0; v < engine->var_count; v++)
    search->result->root_values += consistent ? csp_dom(engine, v)->size : 0;
  if (!consistent) {
    search->result->nodes++;
    search->result->failures++;
    return;
  }
  bool either = options->order == ALEA_CSP_EITHER && options->goal == ALEA_CSP_COUNT &&
                options->restart == 0 && options->on_solution == NULL && !options->sac;
  if (options->method == ALEA_CSP_MAC && either)
    csp_search_either(search);
  else if (options->method == ALEA_CSP_MAC)
    csp_search_mac(search);
  else
    csp_search_forward(search);
}

static alea_status conclude(const csp_search *search) {
  const alea_csp_result *result = search->result;
  if (search->engine->no_memory) return alea_mem_lack(search->engine->mem);
  if (search->limited && (result->solutions == 0 || search->options->goal != ALEA_CSP_FIRST))
    return ALEA_LIMIT;
  return result->solutions != 0 ? ALEA_OK : ALEA_NO;
}

static alea_status solve(const alea_csp *csp, const alea_csp_options *options,
                         alea_csp_result *result) {
  uint32_t extra = options->restart != 0 && options->nogoods ? 1u << 16 : 0;
  csp_search search = {.options = options, .result = result, .until_check = csp_until_check(csp)};
  size_t n = csp->vars.count;
  search.scores = alea_mem_calloc(csp->mem, n, sizeof *search.scores);
  search.values = alea_mem_calloc(csp->mem, n, sizeof *search.values);
  search.engine = csp_engine_new(csp, extra);
  alea_status status = alea_mem_lack(csp->mem);
  if (search.scores != NULL && search.values != NULL && search.engine != NULL) {
    alea_rng_seed(&search.rng, options->seed);
    csp_initial_scores(&search);
    search.engine->self_check = options->self_check;
    root(&search);
    status = conclude(&search);
    result->complete = !search.limited && !search.engine->no_memory;
    result->propagations = search.engine->propagations;
    result->self_check_errors = search.engine->self_check_errors;
  }
  csp_engine_free(search.engine);
  alea_mem_free(csp->mem, search.scores, n * sizeof *search.scores);
  alea_mem_free(csp->mem, search.values, n * sizeof *search.values);
  return status;
}

alea_status alea_csp_solve(const alea_csp *csp, const alea_csp_options *options,
                           alea_csp_result *result) {
  double start = alea_clock_thread();
  *result = (alea_csp_result){.status = csp->state};
  if (csp->state != ALEA_OK) return csp->state;
  if (options->goal == ALEA_CSP_BEST && csp->objective == ALEA_CSP_NONE)
    return result->status = ALEA_USAGE;
  if (options->simplify) {
    alea_csp_simplified report;
    bool inconsistent = false;
    alea_csp *simple = alea_csp_simplify(csp, &report, &inconsistent);
    result->status = simple != NULL ? solve(simple, options, result) : ALEA_SYSTEM;
    alea_csp_free(simple);
  } else {
    result->status = solve(csp, options, result);
  }
  result->seconds = alea_clock_thread() - start;
  return result->status;
}
