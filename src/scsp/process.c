/* Processes: one network repeated, solved state by state.
 *
 * States are evaluated depth first with an explicit stack: a state whose
 * successors are all known gets its value, otherwise the unknown ones are
 * pushed.  A step that stays in the state is solved for exactly: V = c + p*V.
 * Longer cycles, possible only without a horizon, are left to sweeps over
 * all states until nothing changes. */
#include <math.h>
#include <stdio.h>

#include "base/hash.h"
#include "base/hash_map.h"
#include "scsp/walk.h"

alea_process *alea_process_new(alea_scsp *scsp, uint32_t state_count, const alea_csp_var *nexts,
                               const int32_t *start) {
  alea_process *process = alea_mem_zalloc(scsp->mem, sizeof *process);
  if (process == NULL) {
    alea_scsp_free(scsp);
    return NULL;
  }
  alea_csp *csp = scsp->csp;
  process->scsp = scsp;
  process->states = state_count;
  process->nexts = csp_copy(csp, nexts, state_count, sizeof *nexts);
  process->start = csp_copy(csp, start, state_count, sizeof *start);
  for (uint32_t i = 0; i < state_count; i++)
    if (nexts[i] < state_count || nexts[i] >= csp->vars.count ||
        csp->vars.data[nexts[i]].size != csp->vars.data[i].size ||
        csp_index(&csp->vars.data[i], start[i]) == ALEA_CSP_NONE)
      csp_fail(csp, ALEA_USAGE);
  return process;
}

void alea_process_free(alea_process *process) {
  if (process == NULL) return;
  alea_mem *mem = process->scsp->mem;
  alea_vec_clear(mem, &process->finals);
  alea_scsp_free(process->scsp);
  alea_mem_free(mem, process, sizeof *process);
}

void alea_process_closing(alea_process *process, uint32_t count) { process->closing = count; }

alea_scsp *alea_process_network(const alea_process *process) { return process->scsp; }

uint32_t alea_process_states(const alea_process *process) { return process->states; }

alea_status alea_process_final(alea_process *process, const alea_csp_var *scope, uint32_t arity,
                               const int32_t *tuples, const double *payments, size_t count) {
  scsp_soft soft;
  alea_scsp *scsp = process->scsp;
  if (!scsp_soft_copy(scsp->csp, scope, arity, tuples, payments, count, scsp->players, &soft))
    return scsp->csp->state;
  if (!alea_vec_push(scsp->mem, &process->finals, soft)) return csp_fail(scsp->csp, ALEA_SYSTEM);
  return ALEA_OK;
}

/* ---- the table of states ---- */

enum { UNKNOWN, OPEN, KNOWN };

typedef struct proc_state { /* its state: the words at number * packing.words */
  uint64_t hash;
  int32_t left; /* steps to go; -1 without a horizon */
  uint8_t mark;
  bool feasible;
  double value;
} proc_state;

typedef struct process_solver {
  const alea_process *process;
  alea_mem *mem;
  scsp_walk walk;
  scsp_packing packing; /* of the state ... */
  uint32_t *nexts;      /* scratch: ... and the next state as one, by variable */
  uint64_t *words;      /* scratch: a packed state */
  ALEA_VEC(proc_state) entries;
  ALEA_VEC(uint64_t) states;
  alea_hash_map map; /* entries by state and steps to go */
  alea_u32s stack, pending;
  uint32_t self; /* the entry under evaluation */
  bool cyclic, no_memory;
} process_solver;

static uint64_t hash_entry(const void *entries, uint32_t id) {
  return ((const proc_state *)entries)[id].hash;
}

/* The entry of the state in s->words, made when new; UINT32_MAX without memory. */
static uint32_t intern(process_solver *s, uint64_t hash, int32_t left) {
  size_t words = s->packing.words, bytes = words * sizeof *s->words;
  hash = alea_hash_mix(hash + (uint64_t)(int64_t)left);
  if (!alea_hash_map_reserve(&s->map, s->mem, hash_entry, s->entries.data)) return UINT32_MAX;
  alea_hash_probe probe = alea_hash_map_probe(&s->map, hash);
  while (alea_hash_map_next(&s->map, &probe)) {
    const proc_state *entry = &s->entries.data[probe.id];
    if (entry->hash == hash && entry->left == left &&
        memcmp(s->states.data + probe.id * words, s->words, bytes) == 0)
      return probe.id;
  }
  proc_state new = {hash, left, UNKNOWN, false, 0};
  if (s->entries.count >= ALEA_HASH_NONE - 1 || !alea_vec_reserve(s->mem, &s->states, words) ||
      !alea_vec_push(s->mem, &s->entries, new))
    return UINT32_MAX;
  memcpy(s->states.data + s->states.count, s->words, bytes);
  s->states.count += words;
  uint32_t id = (uint32_t)s->entries.count - 1;
  alea_hash_map_put(&s->map, probe, id);
  return id;
}

static uint64_t pack(const process_solver *s, const uint32_t *indexes) {
  return scsp_pack(s->walk.plan, &s->packing, indexes, s->words);
}

static void unpack(const process_solver *s, uint32_t number, uint32_t *indexes) {
  const uint64_t *words = s->states.data + (size_t)number * s->packing.words;
  uint32_t at = s->packing.words - 1;
  uint64_t word = words[at];
  for (uint32_t i = s->process->states; i-- > 0;) {
    uint32_t size = s->walk.plan->places[i].size;
    indexes[i] = (uint32_t)(word % size);
    word /= size;
    if (s->packing.starts[i]) word = words[--at];
  }
}

static double final_pay(const process_solver *s, const uint32_t *indexes) {
  const alea_scsp *scsp = s->process->scsp;
  double pay = 0;
  for (size_t i = 0; i < s->process->finals.count; i++)
    pay += scsp_soft_pay(scsp->csp, &s->process->finals.data[i], scsp->players,
                         s->walk.plan->player, indexes);
  return pay;
}

/* ---- evaluating one state ---- */

static scsp_value successor(void *data, const uint32_t *indexes) {
  process_solver *s = data;
  int32_t left = s->entries.data[s->self].left;
  for (uint32_t i = 0; i < s->process->states; i++) s->nexts[i] = indexes[s->process->nexts[i]];
  uint64_t hash = pack(s, s->nexts);
  size_t words = s->packing.words;
  if (left < 0 && memcmp(s->states.data + s->self * words, s->words, words * sizeof *s->words) == 0)
    return (scsp_value){0, 1, true};
  uint32_t number = intern(s, hash, left < 0 ? -1 : left - 1);
  if (number == UINT32_MAX) {
    s->no_memory = true;
    return (scsp_value){0, 0, true};
  }
  const proc_state *entry = &s->entries.data[number];
  if (entry->mark != KNOWN && !alea_vec_push(s->mem, &s->pending, number)) s->no_memory = true;
  return (scsp_value){entry->value, 0, entry->mark != KNOWN || entry->feasible};
}

/* One walk from the state; V is taken as 'guess' where decisions compare. */
static scsp_value evaluate(process_solver *s, uint32_t number, double guess) {
  s->self = number;
  s->pending.count = 0;
  s->walk.guess = guess;
  s->walk.mixed = false;
  unpack(s, number, s->walk.indexes);
  return scsp_walk_run(&s->walk, s->process->states);
}

/* Solves V = c + p*V by policy iteration on the decisions of this state. */
static void settle(process_solver *s, uint32_t number, scsp_value value) {
  double v = 0;
  for (int round = 0; round < 100; round++) {
    double before = v;
    if (!value.feasible) break;
    if (value.p >= 1 - 1e-12) {
      unpack(s, number, s->walk.indexes);
      v = final_pay(s, s->walk.indexes); /* it never leaves: this is where it ends */
    } else {
      v = value.c / (1 - value.p);
    }
    if (!s->walk.mixed || (round > 0 && fabs(v - before) <= 1e-15)) break;
    value = evaluate(s, number, v);
  }
  proc_state *entry = &s->entries.data[number];
  entry->value = v;
  entry->feasible = value.feasible;
  entry->mark = KNOWN;
}

/* What the cut-off step pays: a walk over its first variables only. */
static double closing_pay(process_solver *s) {
  if (s->process->closing <= s->process->states) return 0;
  scsp_value (*leaf)(void *, const uint32_t *) = s->walk.leaf;
  s->walk.leaf = NULL;
  s->walk.end = s->process->closing;
  scsp_value value = scsp_walk_run(&s->walk, s->process->states);
  s->walk.end = s->walk.plan->count;
  s->walk.leaf = leaf;
  return value.feasible ? value.c : 0;
}

static void visit(process_solver *s, uint32_t number) {
  if (s->entries.data[number].left == 0) {
    unpack(s, number, s->walk.indexes);
    double pay = final_pay(s, s->walk.indexes) + closing_pay(s);
    proc_state *entry = &s->entries.data[number];
    entry->value = pay;
    entry->feasible = true;
    entry->mark = KNOWN;
    return;
  }
  scsp_value value = evaluate(s, number, 0);
  s->entries.data[number].mark = OPEN;
  bool waits = false;
  for (size_t i = 0; i < s->pending.count; i++) {
    uint8_t mark = s->entries.data[s->pending.data[i]].mark;
    if (mark == OPEN) s->cyclic = true;
    if (mark != UNKNOWN) continue;
    if (!alea_vec_push(s->mem, &s->stack, s->pending.data[i])) s->no_memory = true;
    waits = true;
  }
  if (!waits) settle(s, number, value);
}

static void explore(process_solver *s, uint32_t root) {
  if (!alea_vec_push(s->mem, &s->stack, root)) s->no_memory = true;
  while (s->stack.count > 0 && !s->no_memory && s->walk.stopped == ALEA_SCSP_UNLIMITED) {
    uint32_t number = s->stack.data[s->stack.count - 1];
    if (s->entries.data[number].mark == KNOWN)
      s->stack.count--;
    else
      visit(s, number);
  }
}

/* Gauss-Seidel sweeps for processes with longer cycles. */
static void iterate(process_solver *s) {
  for (size_t i = 0; i < s->entries.count; i++) {
    unpack(s, (uint32_t)i, s->walk.indexes);
    s->entries.data[i].value = final_pay(s, s->walk.indexes);
    s->entries.data[i].feasible = true;
    s->entries.data[i].mark = KNOWN;
  }
  double change = 1;
  while (change > 1e-13 && s->walk.stopped == ALEA_SCSP_UNLIMITED && !s->no_memory) {
    change = 0;
    for (uint32_t i = 0; i < s->entries.count; i++) {
      double before = s->entries.data[i].value;
      settle(s, i, evaluate(s, i, before));
      double now = s->entries.data[i].value;
      if (fabs(now - before) > change) change = fabs(now - before);
    }
  }
}

static void conclude(const process_solver *s, uint32_t root, alea_scsp_result *result) {
  result->nodes = s->walk.nodes;
  result->states = s->entries.count;
  result->limit = s->no_memory ? scsp_lack(s->mem) : s->walk.stopped;
  if (s->no_memory || result->limit != ALEA_SCSP_UNLIMITED) {
    result->status = scsp_limit_status(result->limit);
    return;
  }
  const proc_state *entry = &s->entries.data[root];
  result->value = entry->value;
  result->status = entry->feasible ? ALEA_OK : ALEA_NO;
  double theta = s->process->scsp->theta[s->walk.plan->player];
  result->reaches = entry->feasible && entry->value >= theta - 1e-12;
}

static void run(process_solver *s, int64_t horizon, alea_scsp_result *result) {
  const alea_process *process = s->process;
  s->walk.leaf = successor;
  s->walk.data = s;
  for (uint32_t i = 0; i < process->states; i++)
    s->walk.indexes[i] = csp_index(&process->scsp->csp->vars.data[i], process->start[i]);
  uint32_t root = intern(s, pack(s, s->walk.indexes), horizon < 0 ? -1 : (int32_t)horizon);
  if (root != UINT32_MAX) {
    explore(s, root);
    if (s->cyclic) iterate(s);
  } else {
    s->no_memory = true;
  }
  conclude(s, root, result);
}

/* Tells what the states are worth; 'values' has room for one of them. */
static void tell_states(process_solver *s, const alea_scsp_options *options, int32_t *values) {
  const alea_csp *csp = s->process->scsp->csp;
  for (uint32_t number = 0; number < s->entries.count; number++) {
    const proc_state *entry = &s->entries.data[number];
    if (!entry->feasible) continue;
    unpack(s, number, s->walk.indexes);
    for (uint32_t i = 0; i < s->process->states; i++)
      values[i] = csp_value(&csp->vars.data[i], s->walk.indexes[i]);
    options->on_state(options->state_data, values, entry->value);
  }
}

/* The state's variables come first, under their own numbers. */
static bool prepare(process_solver *s, scsp_plan *plan) {
  uint32_t states = s->process->states;
  s->nexts = alea_arena_alloc(&plan->arena, (states + 1) * sizeof *s->nexts);
  if (s->nexts == NULL) return false;
  for (uint32_t i = 0; i < states; i++) s->nexts[i] = i;
  plan->unpaid = false; /* a process pays in its last state */
  if (!scsp_packing_make(plan, s->nexts, states, &s->packing)) return false;
  s->words = alea_arena_alloc(&plan->arena, s->packing.words * sizeof *s->words);
  return s->words != NULL;
}

alea_status alea_process_solve(const alea_process *process, int64_t horizon,
                               const alea_scsp_options *options, alea_scsp_result *result) {
  double start = alea_clock_thread();
  const alea_scsp *scsp = process->scsp;
  *result = (alea_scsp_result){.status = scsp->csp->state};
  if (result->status != ALEA_OK) return result->status;
  if (options->player >= scsp->players || horizon > INT32_MAX) return result->status = ALEA_USAGE;
  scsp_plan *plan =
      scsp_plan_new(scsp, options->player, process->states, &options->deadline, &result->limit);
  if (plan == NULL) return result->status = scsp_limit_status(result->limit);
  process_solver s = {.process = process, .mem = scsp->mem};
  bool ready = prepare(&s, plan);
  ready = scsp_walk_init(&s.walk, plan, options, false) && ready;
  bool told = options->on_state != NULL && horizon < 0;
  int32_t *state =
      told ? alea_arena_alloc(&plan->arena, (process->states + 1) * sizeof *state) : NULL;
  ready = ready && !(told && state == NULL);
  if (ready) {
    run(&s, horizon, result);
    if (told && result->status == ALEA_OK) tell_states(&s, options, state);
  } else {
    result->limit = scsp_lack(s.mem);
    result->status = scsp_limit_status(result->limit);
  }
  alea_vec_clear(s.mem, &s.entries);
  alea_vec_clear(s.mem, &s.states);
  alea_vec_clear(s.mem, &s.stack);
  alea_vec_clear(s.mem, &s.pending);
  alea_hash_map_clear(&s.map, s.mem);
  scsp_walk_clear(&s.walk);
  scsp_plan_free(plan);
  result->seconds = alea_clock_thread() - start;
  return result->status;
}

/* ---- unrolling ---- */

/* Number of template variable 'var' at step t: the state of step t is the
 * next-state of step t-1, so only the later variables are copied. */
static alea_csp_var at_step(const alea_process *process, alea_csp_var var, uint32_t t) {
  uint32_t states = process->states, total = (uint32_t)process->scsp->csp->vars.count;
  if (var >= states) return states + t * (total - states) + (var - states);
  if (t == 0) return var;
  return states + (t - 1) * (total - states) + (process->nexts[var] - states);
}

static void copy_vars(const alea_process *process, alea_scsp *out, uint32_t horizon) {
  const alea_csp *csp = process->scsp->csp;
  for (uint32_t t = 0; t <= horizon; t++) {
    uint32_t total = (uint32_t)csp->vars.count;
    if (t == horizon) total = process->closing > process->states ? process->closing : 0;
    if (t == 0 && total < process->states) total = process->states;
    for (uint32_t v = t == 0 ? 0 : process->states; v < total; v++) {
      const csp_variable *var = &csp->vars.data[v];
      char name[128];
      snprintf(name, sizeof name, "%.100s@%u", var->name, t);
      int32_t *values = csp_alloc(out->csp, var->size, sizeof *values);
      for (uint32_t i = 0; values != NULL && i < var->size; i++) values[i] = csp_value(var, i);
      if (values != NULL) alea_csp_values(out->csp, name, values, var->size);
    }
  }
}

static bool within(const alea_csp_var *scope, uint32_t arity, uint32_t end) {
  for (uint32_t i = 0; i < arity; i++)
    if (scope[i] >= end) return false;
  return true;
}

/* The step's first 'end' variables and what is between them. */
static void copy_step(const alea_process *process, alea_scsp *out, uint32_t t, uint32_t end) {
  const alea_scsp *scsp = process->scsp;
  const alea_csp *csp = scsp->csp;
  for (size_t i = 0; i < csp->constraints.count; i++) {
    const csp_constraint *c = &csp->constraints.data[i];
    if (!within(c->scope, c->arity, end)) continue;
    alea_csp_var *scope = csp_alloc(out->csp, c->arity, sizeof *scope);
    if (scope == NULL) return;
    for (uint32_t k = 0; k < c->arity; k++) scope[k] = at_step(process, c->scope[k], t);
    csp_post(out->csp, c->type, scope, c->arity, c->data);
  }
  for (size_t i = 0; i < scsp->chances.count; i++) {
    const scsp_chance *c = &scsp->chances.data[i];
    if (c->var >= end) continue;
    alea_csp_var *parents = csp_alloc(out->csp, c->parents, sizeof *parents);
    if (parents == NULL) return;
    for (uint32_t k = 0; k < c->parents; k++) parents[k] = at_step(process, c->parent[k], t);
    if (c->rows == NULL)
      alea_scsp_channel(out, at_step(process, c->var, t), parents);
    else
      alea_scsp_chance(out, at_step(process, c->var, t), parents, c->parents, c->rows);
  }
}

static void copy_soft(const alea_process *process, alea_scsp *out, const scsp_soft *soft,
                      uint32_t t) {
  alea_csp_var *scope = csp_alloc(out->csp, soft->arity, sizeof *scope);
  if (scope == NULL) return;
  for (uint32_t k = 0; k < soft->arity; k++) scope[k] = at_step(process, soft->scope[k], t);
  alea_scsp_soft(out, scope, soft->arity, soft->tuples, soft->payments, soft->count);
}

alea_scsp *alea_process_unroll(const alea_process *process, uint32_t horizon) {
  const alea_scsp *scsp = process->scsp;
  alea_scsp *out = alea_scsp_new(scsp->mem, scsp->players);
  if (out == NULL) return NULL;
  memcpy(out->theta, scsp->theta, sizeof out->theta);
  copy_vars(process, out, horizon);
  for (uint32_t i = 0; i < process->states; i++)
    alea_csp_table(out->csp, &i, 1, &process->start[i], 1, false);
  for (uint32_t t = 0; t <= horizon; t++) {
    uint32_t end = t < horizon ? (uint32_t)scsp->csp->vars.count : process->closing;
    if (end <= process->states) continue;
    copy_step(process, out, t, end);
    for (size_t i = 0; i < scsp->softs.count; i++)
      if (within(scsp->softs.data[i].scope, scsp->softs.data[i].arity, end))
        copy_soft(process, out, &scsp->softs.data[i], t);
  }
  for (size_t i = 0; i < process->finals.count; i++)
    copy_soft(process, out, &process->finals.data[i], horizon);
  return out;
}
