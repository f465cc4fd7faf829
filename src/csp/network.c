/* The network: variables, names, and the list of posted constraints. */
#include <assert.h>
#include <stdlib.h>

#include "base/hash.h"
#include "csp/constraints.h"
#include "csp/core.h"

alea_csp *alea_csp_new(alea_mem *mem) {
  alea_csp *csp = alea_mem_zalloc(mem, sizeof *csp);
  if (csp == NULL) return NULL;
  csp->mem = mem;
  csp->objective = ALEA_CSP_NONE;
  alea_arena_init(&csp->arena, mem);
  return csp;
}

void alea_csp_free(alea_csp *csp) {
  if (csp == NULL) return;
  alea_mem *mem = csp->mem;
  alea_vec_clear(mem, &csp->vars);
  alea_vec_clear(mem, &csp->constraints);
  alea_hash_map_clear(&csp->names, mem);
  alea_vec_clear(mem, &csp->symbols);
  alea_hash_map_clear(&csp->symbol_ids, mem);
  alea_vec_clear(mem, &csp->places);
  alea_arena_clear(&csp->arena);
  alea_mem_free(mem, csp, sizeof *csp);
}

alea_status alea_csp_state(const alea_csp *csp) { return csp->state; }

alea_status csp_fail(alea_csp *csp, alea_status status) {
  if (csp->state == ALEA_OK) csp->state = status;
  return csp->state;
}

void *csp_alloc(alea_csp *csp, size_t count, size_t size) {
  void *block = NULL;
  if (csp->state != ALEA_OK) return NULL;
  if (size == 0 || count <= SIZE_MAX / 2 / size)
    block = alea_arena_alloc(&csp->arena, count * size);
  if (block == NULL) csp_fail(csp, alea_mem_lack(csp->mem));
  return block;
}

void *csp_copy(alea_csp *csp, const void *from, size_t count, size_t size) {
  void *block = csp_alloc(csp, count, size);
  if (block != NULL && count != 0) memcpy(block, from, count * size);
  return block;
}

/* ---- names ---- */

static uint64_t hash_name(const void *vars, uint32_t var) {
  const char *name = ((const csp_variable *)vars)[var].name;
  return alea_hash_bytes(name, strlen(name));
}

/* The probe ends at the name or where it belongs. */
static alea_hash_probe find_name(const alea_csp *csp, const char *name) {
  alea_hash_probe probe = alea_hash_map_probe(&csp->names, alea_hash_bytes(name, strlen(name)));
  while (alea_hash_map_next(&csp->names, &probe))
    if (strcmp(csp->vars.data[probe.id].name, name) == 0) break;
  return probe;
}

alea_csp_var alea_csp_find(const alea_csp *csp, const char *name) {
  return find_name(csp, name).id; /* ALEA_CSP_NONE at the end */
}

static alea_csp_var add_var(alea_csp *csp, const char *name, csp_variable var) {
  var.name = csp_copy(csp, name, strlen(name) + 1, 1);
  if (var.name == NULL) return ALEA_CSP_NONE;
  if (!alea_hash_map_reserve(&csp->names, csp->mem, hash_name, csp->vars.data) ||
      !alea_vec_push(csp->mem, &csp->vars, var)) {
    csp_fail(csp, ALEA_SYSTEM);
    return ALEA_CSP_NONE;
  }
  uint32_t number = (uint32_t)csp->vars.count - 1;
  alea_hash_probe probe = find_name(csp, var.name);
  if (probe.id == ALEA_HASH_NONE) alea_hash_map_put(&csp->names, probe, number);
  return number;
}

alea_csp_var alea_csp_range(alea_csp *csp, const char *name, int32_t lo, int32_t hi) {
  if (lo > hi || (int64_t)hi - lo >= ALEA_CSP_MAX_DOMAIN) {
    csp_fail(csp, lo > hi ? ALEA_USAGE : ALEA_LIMIT);
    return ALEA_CSP_NONE;
  }
  return add_var(csp, name, (csp_variable){.base = lo, .size = (uint32_t)(hi - lo) + 1});
}

alea_csp_var alea_csp_interval(alea_csp *csp, const char *name, int32_t lo, int32_t hi) {
  if (lo > hi || (int64_t)hi - lo >= INT32_MAX) {
    csp_fail(csp, lo > hi ? ALEA_USAGE : ALEA_LIMIT);
    return ALEA_CSP_NONE;
  }
  return add_var(
      csp, name,
      (csp_variable){.base = lo, .size = (uint32_t)((int64_t)hi - lo) + 1, .interval = true});
}

static int by_value(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

alea_csp_var alea_csp_values(alea_csp *csp, const char *name, const int32_t *values, size_t count) {
  if (count == 0 || count > ALEA_CSP_MAX_DOMAIN) {
    csp_fail(csp, count == 0 ? ALEA_USAGE : ALEA_LIMIT);
    return ALEA_CSP_NONE;
  }
  int32_t *sorted = csp_copy(csp, values, count, sizeof *values);
  if (sorted == NULL) return ALEA_CSP_NONE;
  qsort(sorted, count, sizeof *sorted, by_value);
  size_t distinct = 1;
  for (size_t i = 1; i < count; i++)
    if (sorted[i] != sorted[distinct - 1]) sorted[distinct++] = sorted[i];
  bool dense = (int64_t)sorted[distinct - 1] - sorted[0] == (int64_t)distinct - 1;
  return add_var(
      csp, name,
      (csp_variable){
          .base = sorted[0], .size = (uint32_t)distinct, .values = dense ? NULL : sorted});
}

void alea_csp_hide(alea_csp *csp, alea_csp_var var) {
  if (var < csp->vars.count) csp->vars.data[var].hidden = true;
}

void alea_csp_drop_unused(alea_csp *csp) {
  for (size_t v = 0; v < csp->vars.count; v++)
    csp->vars.data[v].unused = !csp->vars.data[v].mentioned;
}

bool alea_csp_unused(const alea_csp *csp, alea_csp_var var) { return csp->vars.data[var].unused; }

uint32_t alea_csp_var_count(const alea_csp *csp) { return (uint32_t)csp->vars.count; }
const char *alea_csp_name(const alea_csp *csp, alea_csp_var var) {
  return csp->vars.data[var].name;
}
bool alea_csp_hidden(const alea_csp *csp, alea_csp_var var) { return csp->vars.data[var].hidden; }
uint32_t alea_csp_size(const alea_csp *csp, alea_csp_var var) { return csp->vars.data[var].size; }

int32_t alea_csp_value(const alea_csp *csp, alea_csp_var var, uint32_t index) {
  return csp_value(&csp->vars.data[var], index);
}

uint32_t csp_index(const csp_variable *var, int32_t value) {
  if (var->values == NULL) {
    int64_t index = (int64_t)value - var->base;
    return index >= 0 && index < var->size ? (uint32_t)index : ALEA_CSP_NONE;
  }
  uint32_t lo = 0, hi = var->size;
  while (lo < hi) {
    uint32_t middle = lo + (hi - lo) / 2;
    if (var->values[middle] < value)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo < var->size && var->values[lo] == value ? lo : ALEA_CSP_NONE;
}

uint32_t alea_csp_index(const alea_csp *csp, alea_csp_var var, int32_t value) {
  return csp_index(&csp->vars.data[var], value);
}

alea_csp_var alea_csp_get_objective(const alea_csp *csp, bool *maximise) {
  *maximise = csp->maximise;
  return csp->objective;
}

void alea_csp_objective(alea_csp *csp, alea_csp_var var, bool maximise) {
  if (var >= csp->vars.count)
    csp_fail(csp, ALEA_USAGE);
  else
    csp->vars.data[var].mentioned = true;
  csp->objective = var;
  csp->maximise = maximise;
}

/* ---- posting ---- */

static bool has_repeats(const alea_csp_var *scope, uint32_t arity) {
  if (arity > 64) {
    for (uint32_t i = 1; i < arity; i++)
      if (scope[i] <= scope[i - 1]) return true; /* not sorted: assume repeats */
    return false;
  }
  for (uint32_t i = 0; i < arity; i++)
    for (uint32_t j = 0; j < i; j++)
      if (scope[i] == scope[j]) return true;
  return false;
}

/* Whether the constraint looks at bounds alone. */
static bool of_bounds(const csp_type *type) {
  return type == &csp_linear_type || type == &csp_order_type || type == &csp_maximum_type ||
         type == &csp_minimum_type;
}

alea_status csp_post(alea_csp *csp, const csp_type *type, const alea_csp_var *scope, uint32_t arity,
                     const void *data) {
  if (csp->state != ALEA_OK) return csp->state;
  for (uint32_t i = 0; i < arity; i++)
    if (scope[i] >= csp->vars.count) return csp_fail(csp, ALEA_USAGE);
  for (uint32_t i = 0; i < arity; i++)
    if (csp->vars.data[scope[i]].interval && !of_bounds(type)) return csp_fail(csp, ALEA_LIMIT);
  const alea_csp_var *copy = csp_copy(csp, scope, arity, sizeof *scope);
  if (copy == NULL) return csp->state;
  for (uint32_t i = 0; i < arity; i++) csp->vars.data[scope[i]].mentioned = true;
  csp_constraint constraint = {type, arity, has_repeats(scope, arity), copy, data};
  if (!alea_vec_push(csp->mem, &csp->constraints, constraint)) return csp_fail(csp, ALEA_SYSTEM);
  return ALEA_OK;
}

/* ---- the oracle ---- */

bool alea_csp_check(const alea_csp *csp, const int32_t *assignment) {
  if (csp->false_) return false;
  int32_t few[64];
  for (size_t c = 0; c < csp->constraints.count; c++) {
    const csp_constraint *constraint = &csp->constraints.data[c];
    size_t bytes = constraint->arity * sizeof(int32_t);
    int32_t *values = constraint->arity <= 64 ? few : alea_mem_alloc(csp->mem, bytes);
    if (values == NULL) return false;
    for (uint32_t i = 0; i < constraint->arity; i++) values[i] = assignment[constraint->scope[i]];
    bool holds = constraint->type->check(csp, constraint, values);
    if (values != few) alea_mem_free(csp->mem, values, bytes);
    if (!holds) return false;
  }
  return true;
}
