/* Compiling a stochastic network for walking: every constraint becomes an
 * array indexed by the values of all its variables but the last. */
#include "scsp/core.h"

enum { DENSE_LIMIT = 1 << 22 };

/* The earlier variables of a scope, each once, and its last one. */
typedef struct split_scope {
  uint32_t last;
  uint32_t count;
  alea_csp_var *vars;
  uint32_t *strides;
  size_t cells; /* product of the sizes; SIZE_MAX when too large */
} split_scope;

static bool split(scsp_plan *plan, const alea_csp_var *scope, uint32_t arity, split_scope *out) {
  out->last = 0;
  out->count = 0;
  out->cells = 1;
  out->vars = alea_arena_alloc(&plan->arena, (arity + 1) * sizeof *out->vars);
  out->strides = alea_arena_alloc(&plan->arena, (arity + 1) * sizeof *out->strides);
  if (out->vars == NULL || out->strides == NULL) return false;
  for (uint32_t i = 0; i < arity; i++)
    if (scope[i] > out->last) out->last = scope[i];
  for (uint32_t i = 0; i < arity; i++) {
    bool known = scope[i] == out->last;
    for (uint32_t j = 0; j < out->count && !known; j++) known = out->vars[j] == scope[i];
    if (!known) out->vars[out->count++] = scope[i];
  }
  for (uint32_t i = out->count; i-- > 0;) {
    out->strides[i] = (uint32_t)(out->cells == SIZE_MAX ? 0 : out->cells);
    if (out->cells != SIZE_MAX) out->cells *= plan->scsp->csp->vars.data[out->vars[i]].size;
    if (out->cells > DENSE_LIMIT) out->cells = SIZE_MAX;
  }
  return true;
}

static void decode(const scsp_plan *plan, const split_scope *scope, size_t cell,
                   uint32_t *indexes) {
  for (uint32_t i = 0; i < scope->count; i++)
    indexes[scope->vars[i]] =
        (uint32_t)(cell / scope->strides[i]) % plan->scsp->csp->vars.data[scope->vars[i]].size;
}

static bool holds(const scsp_plan *plan, const csp_constraint *constraint,
                  const uint32_t *indexes) {
  const alea_csp *csp = plan->scsp->csp;
  int32_t few[64] = {0};
  size_t bytes = constraint->arity * sizeof(int32_t);
  int32_t *values = constraint->arity <= 64 ? few : alea_mem_alloc(plan->mem, bytes);
  if (values == NULL) return false;
  for (uint32_t i = 0; i < constraint->arity; i++)
    values[i] = csp_value(&csp->vars.data[constraint->scope[i]], indexes[constraint->scope[i]]);
  bool result = constraint->type->check(csp, constraint, values);
  if (values != few) alea_mem_free(plan->mem, values, bytes);
  return result;
}

/* A positive table fills its masks row by row; others are asked cell by cell. */
static void fill_table(const split_scope *scope, const csp_constraint *constraint,
                       uint64_t *masks) {
  const csp_table *table = constraint->data;
  for (size_t r = 0; r < table->count; r++) {
    size_t cell = 0;
    uint32_t value = 0;
    for (uint32_t c = 0; c < table->arity; c++) {
      uint32_t entry = table->rows[r * table->arity + c];
      if (constraint->scope[c] == scope->last) value = entry;
      for (uint32_t i = 0; i < scope->count; i++)
        if (scope->vars[i] == constraint->scope[c]) cell += (size_t)entry * scope->strides[i];
    }
    masks[cell] |= UINT64_C(1) << value;
  }
}

static bool add_hard(scsp_plan *plan, const csp_constraint *constraint, uint32_t *indexes) {
  split_scope scope;
  if (!split(plan, constraint->scope, constraint->arity, &scope)) return false;
  scsp_step step = {scope.count, scope.vars, scope.strides, NULL, NULL, constraint, NULL};
  uint32_t size = plan->scsp->csp->vars.data[scope.last].size;
  if (scope.cells != SIZE_MAX) {
    uint64_t *masks = alea_arena_alloc(&plan->arena, scope.cells * sizeof *masks);
    if (masks == NULL) return false;
    memset(masks, 0, scope.cells * sizeof *masks);
    const csp_table *table = csp_is_table(constraint->type) ? constraint->data : NULL;
    if (table != NULL && !table->forbidden && !table->has_star) {
      fill_table(&scope, constraint, masks);
    } else {
      for (size_t cell = 0; cell < scope.cells; cell++) {
        decode(plan, &scope, cell, indexes);
        for (uint32_t v = 0; v < size; v++) {
          indexes[scope.last] = v;
          if (holds(plan, constraint, indexes)) masks[cell] |= UINT64_C(1) << v;
        }
      }
    }
    step.masks = masks;
  }
  return alea_vec_push(plan->mem, &plan->places[scope.last].hard, step);
}

static bool add_soft(scsp_plan *plan, const scsp_soft *soft, uint32_t *indexes) {
  split_scope scope;
  if (soft->arity == 0) return true;
  if (!split(plan, soft->scope, soft->arity, &scope)) return false;
  scsp_step step = {scope.count, scope.vars, scope.strides, NULL, NULL, NULL, soft};
  uint32_t size = plan->scsp->csp->vars.data[scope.last].size;
  if (scope.cells != SIZE_MAX) {
    double *numbers = alea_arena_alloc(&plan->arena, scope.cells * size * sizeof *numbers);
    if (numbers == NULL) return false;
    for (size_t cell = 0; cell < scope.cells; cell++) {
      decode(plan, &scope, cell, indexes);
      for (uint32_t v = 0; v < size; v++) {
        indexes[scope.last] = v;
        numbers[cell * size + v] =
            scsp_soft_pay(plan->scsp->csp, soft, plan->scsp->players, plan->player, indexes);
      }
    }
    step.numbers = numbers;
  }
  return alea_vec_push(plan->mem, &plan->places[scope.last].soft, step);
}

static bool add_chance(scsp_plan *plan, const scsp_chance *chance) {
  scsp_place *place = &plan->places[chance->var];
  uint32_t *strides = alea_arena_alloc(&plan->arena, (chance->parents + 1) * sizeof *strides);
  if (strides == NULL) return false;
  uint32_t cells = 1;
  for (uint32_t i = chance->parents; i-- > 0 && chance->rows != NULL;) {
    strides[i] = cells;
    cells *= plan->scsp->csp->vars.data[chance->parent[i]].size;
  }
  place->chance = true;
  place->distribution =
      (scsp_step){chance->parents, chance->parent, strides, NULL, chance->rows, NULL, NULL};
  return true;
}

/* ---- what a cache must know ---- */

/* needed[v]: the largest place at which a step still reads variable v. */
static void note_reads(uint32_t *needed, const scsp_step *step, uint32_t at) {
  for (uint32_t i = 0; i < step->count; i++)
    if (at > needed[step->vars[i]]) needed[step->vars[i]] = at;
}

static bool plan_keys(scsp_plan *plan, uint32_t from) {
  uint32_t *needed = alea_arena_alloc(&plan->arena, (plan->count + 1) * sizeof *needed);
  if (needed == NULL) return false;
  memset(needed, 0, plan->count * sizeof *needed);
  for (uint32_t at = 0; at < plan->count; at++) {
    const scsp_place *place = &plan->places[at];
    for (size_t i = 0; i < place->hard.count; i++) note_reads(needed, &place->hard.data[i], at);
    for (size_t i = 0; i < place->soft.count; i++) note_reads(needed, &place->soft.data[i], at);
    if (place->chance) note_reads(needed, &place->distribution, at);
  }
  uint32_t before = UINT32_MAX;
  for (uint32_t at = from + 1; at < plan->count; at++) {
    scsp_place *place = &plan->places[at];
    alea_csp_var *vars = alea_arena_alloc(&plan->arena, (at + 1) * sizeof *vars);
    if (vars == NULL) return false;
    for (uint32_t v = 0; v < at; v++)
      if (needed[v] >= at) vars[place->key_count++] = v;
    place->key_vars = vars;
    double product = 1; /* keys are packed into one word */
    for (uint32_t i = 0; i < place->key_count; i++) product *= plan->places[vars[i]].size;
    /* Caching pays where few earlier variables still matter: at local minima. */
    place->cached = place->key_count < at && product < 9e18;
    if (place->cached && before <= place->key_count) place->cached = false;
    if (place->cached && at > 0 && plan->places[at - 1].cached) plan->places[at - 1].cached = false;
    before = place->key_count;
  }
  return true;
}

/* ---- the plan ---- */

static bool build(scsp_plan *plan, uint32_t from, bool *limit) {
  const alea_scsp *scsp = plan->scsp;
  uint32_t *indexes = alea_arena_alloc(&plan->arena, (plan->count + 1) * sizeof *indexes);
  if (indexes == NULL || plan->places == NULL) return false;
  for (uint32_t v = 0; v < plan->count; v++) {
    scsp_place *place = &plan->places[v];
    place->size = scsp->csp->vars.data[v].size;
    if (place->size > 64) {
      *limit = true;
      return false;
    }
    place->full = ~UINT64_C(0) >> (64 - place->size);
  }
  for (size_t i = 0; i < scsp->csp->constraints.count; i++)
    if (!add_hard(plan, &scsp->csp->constraints.data[i], indexes)) return false;
  for (size_t i = 0; i < scsp->softs.count; i++)
    if (!add_soft(plan, &scsp->softs.data[i], indexes)) return false;
  for (size_t i = 0; i < scsp->chances.count; i++)
    if (!add_chance(plan, &scsp->chances.data[i])) return false;
  plan->impossible = scsp->csp->false_;
  return plan_keys(plan, from);
}

scsp_plan *scsp_plan_new(const alea_scsp *scsp, uint32_t player, uint32_t from, bool *limit) {
  scsp_plan *plan = alea_mem_zalloc(scsp->mem, sizeof *plan);
  *limit = false;
  if (plan == NULL) return NULL;
  plan->scsp = scsp;
  plan->mem = scsp->mem;
  plan->player = player;
  plan->count = (uint32_t)scsp->csp->vars.count;
  alea_arena_init(&plan->arena, scsp->mem);
  plan->places = alea_mem_calloc(scsp->mem, plan->count, sizeof *plan->places);
  if (build(plan, from, limit)) return plan;
  scsp_plan_free(plan);
  return NULL;
}

void scsp_plan_free(scsp_plan *plan) {
  if (plan == NULL) return;
  for (uint32_t v = 0; v < plan->count && plan->places != NULL; v++) {
    alea_vec_clear(plan->mem, &plan->places[v].hard);
    alea_vec_clear(plan->mem, &plan->places[v].soft);
  }
  alea_mem_free(plan->mem, plan->places, plan->count * sizeof *plan->places);
  alea_arena_clear(&plan->arena);
  alea_mem_free(plan->mem, plan, sizeof *plan);
}

/* ---- walking ---- */

static size_t cell_of(const scsp_step *step, const uint32_t *indexes) {
  size_t cell = 0;
  for (uint32_t i = 0; i < step->count; i++)
    cell += (size_t)indexes[step->vars[i]] * step->strides[i];
  return cell;
}

uint64_t scsp_allowed(const scsp_plan *plan, uint32_t at, uint32_t *indexes) {
  const scsp_place *place = &plan->places[at];
  uint64_t mask = place->full;
  for (size_t i = 0; i < place->hard.count && mask != 0; i++) {
    const scsp_step *step = &place->hard.data[i];
    if (step->masks != NULL) {
      mask &= step->masks[cell_of(step, indexes)];
      continue;
    }
    for (uint64_t rest = mask; rest != 0; rest &= rest - 1) {
      indexes[at] = (uint32_t)__builtin_ctzll(rest);
      if (!holds(plan, step->constraint, indexes)) mask &= ~(rest & -rest);
    }
  }
  return mask;
}

double scsp_due(const scsp_plan *plan, uint32_t at, const uint32_t *indexes) {
  const scsp_place *place = &plan->places[at];
  double due = 0;
  for (size_t i = 0; i < place->soft.count; i++) {
    const scsp_step *step = &place->soft.data[i];
    due += step->numbers != NULL ? step->numbers[cell_of(step, indexes) * place->size + indexes[at]]
                                 : scsp_soft_pay(plan->scsp->csp, step->soft, plan->scsp->players,
                                                 plan->player, indexes);
  }
  return due;
}

double scsp_probability(const scsp_plan *plan, uint32_t at, const uint32_t *indexes) {
  const scsp_place *place = &plan->places[at];
  const scsp_step *step = &place->distribution;
  if (step->numbers == NULL)
    return scsp_channelled(plan->scsp->csp, step->vars, step->count, indexes[at], indexes);
  return step->numbers[cell_of(step, indexes) * place->size + indexes[at]];
}
