/* Preprocessing of the template ([MACUCB16 §4.1], D14), chance and payments,
 * sizes. */
#include <string.h>

#include "encode/core.h"
#include "scsp/core.h"

enum {
  MOST_SAC_LITERALS = 2000,
  SAC_PROBES = 20000, /* values that are tried where no time limits it */
};

/* ---- chance and payments ---- */

static alea_status add_chance(const alea_template *t, alea_scsp *scsp) {
  const alea_ground *g = t->ground;
  if (g->random_role < 0) return ALEA_OK;
  alea_csp_var chance = t->action[g->random_role];
  uint32_t size = alea_csp_size(alea_scsp_network(scsp), chance);
  alea_csp_var *flags = alea_mem_calloc(t->mem, size, sizeof *flags);
  if (flags == NULL) return ALEA_SYSTEM;
  uint32_t first = 0;
  while (t->kinds[first] != ALEA_VAR_FLAG && t->kinds[first] != ALEA_VAR_ACTION &&
         t->kinds[first] != ALEA_VAR_CHANCE)
    first++;
  /* a value may be gone from the domain; its flag goes with it */
  for (uint32_t i = 0; i < size; i++) {
    int32_t value = alea_csp_value(alea_scsp_network(scsp), chance, i);
    flags[i] = value == 0 ? t->terminal : first + (uint32_t)value - 1;
  }
  alea_status status = alea_scsp_channel(scsp, chance, flags);
  alea_mem_free(t->mem, flags, size * sizeof *flags);
  return status;
}

/* Player number of a role: chance has none. */
static uint32_t player_of(const alea_ground *g, uint32_t role) {
  return g->random_role >= 0 && role > (uint32_t)g->random_role ? role - 1 : role;
}

/* score: the goal is paid in the state in which the game ends, once. */
static alea_status add_payments(const alea_template *t, alea_scsp *scsp) {
  const alea_ground *g = t->ground;
  uint32_t players = alea_scsp_players(scsp);
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; r < g->role_count && status == ALEA_OK; r++) {
    if ((int)r == g->random_role || t->goal[r] == ALEA_CSP_NONE) continue;
    uint32_t count = t->goal_first[r + 1] - t->goal_first[r], rows = 0;
    int32_t *tuples = alea_mem_calloc(t->mem, 3 * (size_t)count, sizeof *tuples);
    double *payments = alea_mem_calloc(t->mem, (size_t)count * players, sizeof *payments);
    if (tuples != NULL && payments != NULL) {
      for (uint32_t v = 0; v < count; v++) {
        int goal = t->goal_values[t->goal_first[r] + v];
        if (goal == 0) continue;
        memcpy(tuples + (size_t)3 * rows, (int32_t[]){0, 1, (int32_t)v + 1}, 3 * sizeof *tuples);
        payments[(size_t)rows++ * players + player_of(g, r)] = goal / 100.0;
      }
      status = alea_scsp_soft(scsp, (alea_csp_var[]){t->ended, t->terminal, t->goal[r]}, 3, tuples,
                              payments, rows);
    } else {
      status = ALEA_SYSTEM;
    }
    alea_mem_free(t->mem, tuples, 3 * (size_t)count * sizeof *tuples);
    alea_mem_free(t->mem, payments, (size_t)count * players * sizeof *payments);
  }
  return status;
}

/* ---- the steps ---- */

static void add_up(alea_template_log *log, const alea_csp_simplified *report) {
  log->merged += report->merged;
  log->unary += report->unary;
  log->universal += report->universal;
  log->dropped += report->dropped;
}

static uint64_t literals(const alea_csp *csp) {
  uint64_t count = 0;
  for (uint32_t v = 0; v < alea_csp_var_count(csp); v++) count += alea_csp_size(csp, v);
  return count;
}

/* Values of other than state variables, now or next, that singleton arc consistency leaves
 * out become unary constraints of 'csp', for the next simplification.  State
 * variables keep theirs: a position without a solution, where a role cannot
 * move, is still a position. */
static bool run_sac(encode_encoding *e, alea_csp *csp) {
  alea_template *t = e->t;
  bool counted = e->options->counted, complete = false;
  if ((e->options->sac_seconds <= 0 && !counted) || literals(csp) > MOST_SAC_LITERALS) return true;
  csp_engine *engine = csp_engine_new(csp, 0);
  if (engine == NULL) return false;
  alea_deadline seconds = alea_deadline_in(e->options->sac_seconds);
  const alea_deadline *deadline = counted ? e->options->deadline : &seconds;
  uint64_t removed = 0;
  csp_schedule_all(engine);
  bool consistent = !csp->false_ && csp_propagate(engine) &&
                    csp_sac(engine, deadline, counted ? SAC_PROBES : 0, &removed, &complete);
  bool good = !engine->no_memory;
  t->log.sac_complete = good && complete;
  for (uint32_t v = t->state_count + 1; v < t->var_count && good && consistent; v++) {
    const csp_domain *domain = csp_dom(engine, v);
    if (domain->size == domain->var->size || t->kinds[v] == ALEA_VAR_NEXT || v == t->terminal)
      continue;
    int32_t *values = csp_alloc(csp, domain->size, sizeof *values);
    uint32_t count = 0;
    if (values == NULL) break;
    for
      CSP_EACH(i, domain) values[count++] = csp_value(domain->var, i);
    t->log.sac += domain->var->size - domain->size;
    alea_csp_table(csp, &v, 1, values, count, false);
  }
  csp_engine_free(engine);
  return good && csp->state == ALEA_OK;
}

/* ---- sizes ---- */

/* Whether the moves of chance are facts.  Then [SCSP14 §3] has one stochastic
 * variable and nothing that says which of its values are legal. */
static bool is_chance_fixed(const alea_template *t) {
  const alea_ground *g = t->ground;
  if (g->random_role < 0) return false;
  for (uint32_t m = g->move_first[g->random_role]; m < g->move_first[g->random_role + 1]; m++)
    if (g->legal[m] != ALEA_GLIT_TRUE) return false;
  return true;
}

/* The Booleans of fixed chance are ours alone. */
static bool is_spare_flag(const alea_template *t, uint32_t var) {
  return t->kinds[var] == ALEA_VAR_FLAG && t->encoder == ALEA_ENCODER_PAPER && is_chance_fixed(t);
}

static bool counts(const alea_template *t, uint32_t var) {
  uint8_t kind = t->kinds[var];
  if (kind == ALEA_VAR_NEXT || kind == ALEA_VAR_ENDED || is_spare_flag(t, var)) return false;
  return kind != ALEA_VAR_GOAL || t->encoder == ALEA_ENCODER_GROUND;
}

static void mark(uint8_t *used, const alea_csp_var *scope, uint32_t arity) {
  for (uint32_t i = 0; i < arity; i++) used[scope[i]] = 1;
}

/* Whether a constraint only says what a spare flag is; that of the stochastic
 * variable, which is tied to all of them, counts. */
static bool defines_spare(const alea_template *t, const alea_csp_var *scope, uint32_t arity) {
  uint32_t spare = 0;
  for (uint32_t i = 0; i < arity; i++) {
    spare += is_spare_flag(t, scope[i]);
    if (t->kinds[scope[i]] == ALEA_VAR_CHANCE) return false;
  }
  return spare > 0;
}

/* Variables that are left in a scope, and the state and the actions. */
static bool measure(const alea_template *t, alea_template_sizes *sizes) {
  const alea_csp *csp = t->scsp->csp;
  uint8_t *used = alea_mem_calloc(t->mem, t->var_count, 1);
  if (used == NULL) return false;
  sizes->constraints = csp->constraints.count + t->scsp->softs.count;
  for (size_t c = 0; c < csp->constraints.count; c++) {
    mark(used, csp->constraints.data[c].scope, csp->constraints.data[c].arity);
    sizes->constraints -=
        defines_spare(t, csp->constraints.data[c].scope, csp->constraints.data[c].arity);
  }
  for (size_t i = 0; i < t->scsp->softs.count; i++)
    mark(used, t->scsp->softs.data[i].scope, t->scsp->softs.data[i].arity);
  for (uint32_t v = 0; v < t->var_count; v++) {
    bool fixture =
        v < t->state_count || t->kinds[v] == ALEA_VAR_ACTION || t->kinds[v] == ALEA_VAR_CHANCE;
    if (!counts(t, v) || (!used[v] && !fixture)) continue;
    sizes->vars++;
    if (alea_csp_size(csp, v) > sizes->max_domain) sizes->max_domain = alea_csp_size(csp, v);
  }
  alea_mem_free(t->mem, used, t->var_count);
  return true;
}

/* Before: every variable with the domain it starts from, every definition, and
 * the unary constraints of the initial state.  Static relations were added by
 * the argument domains. */
static void measure_before(encode_encoding *e) {
  alea_template *t = e->t;
  for (uint32_t v = 0; v < t->var_count; v++) {
    t->before.constraints -= is_spare_flag(t, v); /* its definition */
    if (!counts(t, v)) continue;
    t->before.vars++;
    if (e->products.data[v] > t->before.max_domain) t->before.max_domain = e->products.data[v];
    t->log.unsupported += e->products.data[v] - alea_csp_size(e->csp, v);
  }
  t->before.constraints += e->defs.count + t->state_count + t->raw->softs.count;
}

alea_status encode_prepare(encode_encoding *e) {
  alea_template *t = e->t;
  alea_csp_simplified report;
  bool inconsistent = false;
  alea_status status = add_chance(t, t->raw);
  if (status == ALEA_OK) status = add_payments(t, t->raw);
  if (status != ALEA_OK) return status;
  measure_before(e);
  alea_csp *simple = alea_csp_simplify(e->csp, &report, &inconsistent);
  if (simple == NULL) return ALEA_SYSTEM;
  add_up(&t->log, &report);
  bool good = run_sac(e, simple);
  if (good && t->log.sac > 0) {
    /* the second network shares with the first one's originals, not with it */
    alea_csp *again = alea_csp_simplify(simple, &report, &inconsistent);
    good = again != NULL;
    if (good) {
      add_up(&t->log, &report);
      t->middle = simple;
      simple = again;
    }
  }
  t->scsp = good ? alea_scsp_new(t->mem, alea_scsp_players(t->raw)) : NULL;
  if (t->scsp == NULL) {
    alea_csp_free(simple);
    return ALEA_SYSTEM;
  }
  alea_scsp_adopt(t->scsp, simple);
  status = add_chance(t, t->scsp);
  if (status == ALEA_OK) status = add_payments(t, t->scsp);
  if (status == ALEA_OK && !measure(t, &t->after)) status = ALEA_SYSTEM;
  return status;
}

/* ---- what is made of a template ---- */

alea_process *alea_template_process(const alea_template *t) {
  alea_csp *csp = alea_csp_new(t->mem);
  alea_scsp *scsp = csp != NULL ? alea_scsp_new(t->mem, alea_scsp_players(t->raw)) : NULL;
  if (scsp == NULL) {
    alea_csp_free(csp);
    return NULL;
  }
  const alea_csp *from = t->scsp->csp;
  for (uint32_t v = 0; v < t->var_count; v++) {
    const csp_variable *var = &from->vars.data[v];
    int32_t *values = csp_alloc(csp, var->size, sizeof *values);
    for (uint32_t i = 0; values != NULL && i < var->size; i++) values[i] = csp_value(var, i);
    if (values != NULL) alea_csp_values(csp, var->name, values, var->size);
  }
  for (size_t i = 0; i < from->constraints.count; i++) {
    const csp_constraint *c = &from->constraints.data[i];
    csp_post(csp, c->type, c->scope, c->arity, c->data);
  }
  alea_scsp_adopt(scsp, csp);
  add_chance(t, scsp);
  add_payments(t, scsp);
  int32_t *start = alea_mem_calloc(t->mem, t->state_count + 1, sizeof *start);
  alea_csp_var *next = alea_mem_calloc(t->mem, t->state_count + 1, sizeof *next);
  alea_process *process = NULL;
  if (start != NULL && next != NULL) {
    for (uint32_t f = 0; f < t->ground->fluent_count; f++)
      if (t->ground->init[f]) start[t->fluent_var[f]] = (int32_t)t->fluent_value[f];
    memcpy(next, t->next, t->state_count * sizeof *next);
    next[t->state_count] = t->terminal; /* over now: ended from then on */
    process = alea_process_new(scsp, t->state_count + 1, next, start);
    if (process != NULL) alea_process_closing(process, t->closing);
  } else {
    alea_scsp_free(scsp);
  }
  alea_mem_free(t->mem, start, (t->state_count + 1) * sizeof *start);
  alea_mem_free(t->mem, next, (t->state_count + 1) * sizeof *next);
  return process;
}

alea_scsp *alea_template_stage(const alea_template *t) {
  alea_process *process = alea_template_process(t);
  if (process == NULL) return NULL;
  alea_csp *csp = process->scsp->csp;
  for (uint32_t i = 0; i < process->states; i++)
    alea_csp_table(csp, &i, 1, &process->start[i], 1, false);
  alea_scsp *scsp = process->scsp;
  alea_vec_clear(t->mem, &process->finals);
  alea_mem_free(t->mem, process, sizeof *process);
  return scsp;
}
