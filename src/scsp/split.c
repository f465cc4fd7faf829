/* One stage split in two ([MACUCB16 §4.2], K3): the constraints with a
 * stochastic variable are solved first, by forward checking; what they leave
 * to the decisions becomes one more constraint of the rest, which is plain. */
#include "scsp/core.h"

static bool has_chance(const alea_scsp *scsp, const csp_constraint *constraint) {
  for (uint32_t i = 0; i < constraint->arity; i++)
    if (alea_scsp_is_chance(scsp, constraint->scope[i])) return true;
  return false;
}

typedef struct scsp_splitter {
  const alea_scsp *scsp;
  alea_mem *mem;
  uint32_t vars;
  const csp_constraint **stochastic; /* the constraints of N'' */
  size_t count;
  bool *inside;      /* variables of N'' */
  uint32_t *indexes; /* current values */
  uint64_t *domains; /* per depth: one mask per variable, for undoing */
  double theta;
} scsp_splitter;

static bool holds(const scsp_splitter *s, const csp_constraint *constraint) {
  int32_t values[64];
  const alea_csp *csp = s->scsp->csp;
  for (uint32_t i = 0; i < constraint->arity; i++)
    values[i] = csp_value(&csp->vars.data[constraint->scope[i]], s->indexes[constraint->scope[i]]);
  return constraint->type->check(csp, constraint, values);
}

/* Removes values of the one open variable of a constraint; 'assigned' marks
 * what has a value.  False when nothing is left. */
static bool forward_check(scsp_splitter *s, const csp_constraint *constraint, const bool *assigned,
                          uint64_t *masks) {
  alea_csp_var open = ALEA_CSP_NONE;
  for (uint32_t i = 0; i < constraint->arity; i++) {
    if (assigned[constraint->scope[i]] || constraint->scope[i] == open) continue;
    if (open != ALEA_CSP_NONE) return true;
    open = constraint->scope[i];
  }
  if (open == ALEA_CSP_NONE) return holds(s, constraint);
  for (uint64_t rest = masks[open]; rest != 0; rest &= rest - 1) {
    s->indexes[open] = (uint32_t)__builtin_ctzll(rest);
    if (!holds(s, constraint)) masks[open] &= ~(rest & -rest);
  }
  return masks[open] != 0;
}

static const scsp_chance *chance_of(const alea_scsp *scsp, alea_csp_var var) {
  for (size_t i = 0; i < scsp->chances.count; i++)
    if (scsp->chances.data[i].var == var) return &scsp->chances.data[i];
  return NULL;
}

/* Mass of the values still alive, and whether a possible one is gone. */
static double alive_mass(const scsp_splitter *s, const scsp_chance *chance, uint64_t alive,
                         bool *lost) {
  size_t row = 0;
  uint32_t size = s->scsp->csp->vars.data[chance->var].size;
  double mass = 0;
  for (uint32_t i = 0; i < chance->parents && chance->rows != NULL; i++)
    row = row * s->scsp->csp->vars.data[chance->parent[i]].size + s->indexes[chance->parent[i]];
  for (uint32_t v = 0; v < size; v++) {
    double p = chance->rows != NULL
                   ? chance->rows[row * size + v]
                   : scsp_channelled(s->scsp->csp, chance->parent, chance->parents, v, s->indexes);
    if (alive >> v & 1)
      mass += p;
    else if (p > 0)
      *lost = true;
  }
  return mass;
}

/* All decisions of N'' are assigned: is every outcome allowed? */
static bool feasible(const scsp_splitter *s, const uint64_t *masks) {
  double bound = 1;
  bool lost = false;
  for (uint32_t v = 0; v < s->vars; v++) {
    const scsp_chance *chance = s->inside[v] ? chance_of(s->scsp, v) : NULL;
    if (chance != NULL) bound *= alive_mass(s, chance, masks[v], &lost);
  }
  return !lost && bound >= s->theta - 1e-12;
}

typedef struct tuple_list {
  ALEA_VEC(int32_t) values;
  size_t count;
} tuple_list;

static bool check_all(scsp_splitter *s, const bool *assigned, uint64_t *masks) {
  for (size_t i = 0; i < s->count; i++)
    if (!forward_check(s, s->stochastic[i], assigned, masks)) return false;
  return true;
}

/* Depth-first over the decision variables scope[0..arity-1]. */
static bool enumerate(scsp_splitter *s, const alea_csp_var *scope, uint32_t arity, bool *assigned,
                      uint64_t *rest, tuple_list *out) {
  const alea_csp *csp = s->scsp->csp;
  uint32_t depth = 0;
  for (uint32_t v = 0; v < s->vars; v++)
    s->domains[v] = ~UINT64_C(0) >> (64 - csp->vars.data[v].size);
  if (arity == 0) return true;
  rest[0] = s->domains[scope[0]];
  for (;;) {
    uint64_t *here = &s->domains[(size_t)depth * s->vars], *below = here + s->vars;
    assigned[scope[depth]] = false;
    if (rest[depth] == 0) {
      if (depth-- == 0) return true;
      continue;
    }
    uint32_t value = (uint32_t)__builtin_ctzll(rest[depth]);
    rest[depth] &= rest[depth] - 1;
    memcpy(below, here, s->vars * sizeof *below);
    below[scope[depth]] = UINT64_C(1) << value;
    s->indexes[scope[depth]] = value;
    assigned[scope[depth]] = true;
    if (!check_all(s, assigned, below)) continue;
    if (depth + 1 < arity) {
      /* forward checking borrowed indexes of open variables only */
      depth++;
      rest[depth] = below[scope[depth]];
      continue;
    }
    if (!feasible(s, below)) continue;
    for (uint32_t i = 0; i < arity; i++)
      if (!alea_vec_push(s->mem, &out->values,
                         csp_value(&csp->vars.data[scope[i]], s->indexes[scope[i]])))
        return false;
    out->count++;
  }
}

static bool prepare(scsp_splitter *s) {
  const alea_csp *csp = s->scsp->csp;
  for (size_t i = 0; i < csp->constraints.count; i++) {
    const csp_constraint *constraint = &csp->constraints.data[i];
    if (!has_chance(s->scsp, constraint)) continue;
    if (constraint->arity > 64) return false;
    s->stochastic[s->count++] = constraint;
    for (uint32_t k = 0; k < constraint->arity; k++) s->inside[constraint->scope[k]] = true;
  }
  for (uint32_t v = 0; v < s->vars; v++)
    if (csp->vars.data[v].size > 64) return false;
  return true;
}

alea_status alea_scsp_feasible(const alea_scsp *scsp, double theta, alea_csp_var *scope,
                               uint32_t *arity, int32_t **tuples, size_t *count) {
  if (scsp->csp->state != ALEA_OK) return scsp->csp->state;
  alea_arena arena;
  alea_arena_init(&arena, scsp->mem);
  size_t n = scsp->csp->vars.count;
  scsp_splitter s = {.scsp = scsp, .mem = scsp->mem, .vars = (uint32_t)n, .theta = theta};
  s.stochastic =
      alea_arena_alloc(&arena, (scsp->csp->constraints.count + 1) * sizeof *s.stochastic);
  s.inside = alea_arena_alloc(&arena, n + 1);
  bool *assigned = alea_arena_alloc(&arena, n + 1);
  s.indexes = alea_arena_alloc(&arena, (n + 1) * sizeof *s.indexes);
  s.domains = alea_arena_alloc(&arena, (n + 2) * n * sizeof *s.domains + 1);
  uint64_t *rest = alea_arena_alloc(&arena, (n + 1) * sizeof *rest);
  alea_status status = ALEA_SYSTEM;
  tuple_list list = {0};
  *tuples = NULL;
  if (s.stochastic != NULL && s.inside != NULL && assigned != NULL && s.indexes != NULL &&
      s.domains != NULL && rest != NULL) {
    memset(s.inside, 0, n);
    memset(assigned, 0, n);
    memset(s.indexes, 0, n * sizeof *s.indexes);
    *arity = 0;
    status = prepare(&s) ? ALEA_OK : ALEA_LIMIT;
    for (uint32_t v = 0; v < n; v++)
      if (s.inside[v] && !alea_scsp_is_chance(scsp, v)) scope[(*arity)++] = v;
    if (status == ALEA_OK && !enumerate(&s, scope, *arity, assigned, rest, &list))
      status = ALEA_SYSTEM;
  }
  *count = list.count;
  if (status == ALEA_OK) {
    *tuples = alea_mem_alloc(scsp->mem, list.values.count * sizeof **tuples);
    if (*tuples == NULL)
      status = ALEA_SYSTEM;
    else if (list.values.count != 0)
      memcpy(*tuples, list.values.data, list.values.count * sizeof **tuples);
  }
  alea_vec_clear(scsp->mem, &list.values);
  alea_arena_clear(&arena);
  return status;
}

alea_csp *alea_scsp_decisions(const alea_scsp *scsp, double theta) {
  const alea_csp *from = scsp->csp;
  size_t n = from->vars.count, count;
  uint32_t arity;
  int32_t *tuples;
  alea_csp_var *scope = alea_mem_calloc(scsp->mem, n, sizeof *scope);
  alea_csp *csp = alea_csp_new(scsp->mem);
  if (scope != NULL && csp != NULL &&
      alea_scsp_feasible(scsp, theta, scope, &arity, &tuples, &count) == ALEA_OK) {
    for (uint32_t v = 0; v < n; v++) {
      const csp_variable *var = &from->vars.data[v];
      int32_t *values = csp_alloc(csp, var->size, sizeof *values);
      bool chance = alea_scsp_is_chance(scsp, v);
      for (uint32_t i = 0; values != NULL && i < var->size; i++) values[i] = csp_value(var, i);
      /* a chance variable is only a number here: one value, no constraint */
      if (values != NULL) alea_csp_values(csp, var->name, values, chance ? 1 : var->size);
      if (chance) alea_csp_hide(csp, v);
    }
    for (size_t i = 0; i < from->constraints.count; i++) {
      const csp_constraint *c = &from->constraints.data[i];
      if (!has_chance(scsp, c)) csp_post(csp, c->type, c->scope, c->arity, c->data);
    }
    if (arity > 0) alea_csp_table(csp, scope, arity, tuples, count, false);
    csp->false_ = from->false_;
    alea_mem_free(scsp->mem, tuples, count * arity * sizeof *tuples);
  } else {
    alea_csp_free(csp);
    csp = NULL;
  }
  alea_mem_free(scsp->mem, scope, n * sizeof *scope);
  return csp;
}
