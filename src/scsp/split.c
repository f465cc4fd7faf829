/* One stage split in two ([MACUCB16 §4.2], K3): the constraints with a
 * stochastic variable are solved first, by forward checking; what they leave
 * to the decisions becomes one more constraint of the rest, which is plain. */
#include "scsp/walk.h"

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
  bool *assigned;    /* those that have a value */
  uint32_t *indexes; /* current values */
  uint64_t *domains; /* per depth: the sets of the variables of N'', for undoing */
  size_t *first;     /* per variable of N'': its set's first word; words of all at the end */
  int32_t *values;   /* scratch: as many as the largest arity */
  double theta;
  alea_deadline deadline;
  bool late;
} scsp_splitter;

static bool holds(const scsp_splitter *s, const csp_constraint *constraint) {
  const alea_csp *csp = s->scsp->csp;
  for (uint32_t i = 0; i < constraint->arity; i++)
    s->values[i] =
        csp_value(&csp->vars.data[constraint->scope[i]], s->indexes[constraint->scope[i]]);
  return constraint->type->check(csp, constraint, s->values);
}

static uint32_t size_of(const scsp_splitter *s, alea_csp_var var) {
  return s->scsp->csp->vars.data[var].size;
}

/* The value from 'from' on that is in the set of 'var', or UINT32_MAX. */
static uint32_t next_in(const scsp_splitter *s, const uint64_t *sets, alea_csp_var var,
                        uint32_t from) {
  uint32_t v = scsp_next_in(sets + s->first[var], (size_of(s, var) + 63) / 64, from);
  return v < size_of(s, var) ? v : UINT32_MAX;
}

/* Removes values of the one open variable of a constraint.  False when nothing
 * is left. */
static bool forward_check(scsp_splitter *s, const csp_constraint *constraint, uint64_t *sets) {
  alea_csp_var open = ALEA_CSP_NONE;
  for (uint32_t i = 0; i < constraint->arity; i++) {
    if (s->assigned[constraint->scope[i]] || constraint->scope[i] == open) continue;
    if (open != ALEA_CSP_NONE) return true;
    open = constraint->scope[i];
  }
  if (open == ALEA_CSP_NONE) return holds(s, constraint);
  uint64_t *set = sets + s->first[open];
  for (uint32_t v = next_in(s, sets, open, 0); v != UINT32_MAX; v = next_in(s, sets, open, v + 1)) {
    s->indexes[open] = v;
    if (!holds(s, constraint)) set[v >> 6] &= ~(UINT64_C(1) << (v & 63));
  }
  return next_in(s, sets, open, 0) != UINT32_MAX;
}

static const scsp_chance *chance_of(const alea_scsp *scsp, alea_csp_var var) {
  for (size_t i = 0; i < scsp->chances.count; i++)
    if (scsp->chances.data[i].var == var) return &scsp->chances.data[i];
  return NULL;
}

/* Mass of the values still alive, and whether a possible one is gone. */
static double alive_mass(const scsp_splitter *s, const scsp_chance *chance, const uint64_t *alive,
                         bool *lost) {
  size_t row = 0;
  uint32_t size = size_of(s, chance->var);
  double mass = 0;
  for (uint32_t i = 0; i < chance->parents && chance->rows != NULL; i++)
    row = row * s->scsp->csp->vars.data[chance->parent[i]].size + s->indexes[chance->parent[i]];
  for (uint32_t v = 0; v < size; v++) {
    double p = chance->rows != NULL
                   ? chance->rows[row * size + v]
                   : scsp_channelled(s->scsp->csp, chance->parent, chance->parents, v, s->indexes);
    if (scsp_in(alive, v))
      mass += p;
    else if (p > 0)
      *lost = true;
  }
  return mass;
}

/* All decisions of N'' are assigned: is every outcome allowed? */
static bool feasible(const scsp_splitter *s, const uint64_t *sets) {
  double bound = 1;
  bool lost = false;
  for (uint32_t v = 0; v < s->vars; v++) {
    const scsp_chance *chance = s->inside[v] ? chance_of(s->scsp, v) : NULL;
    if (chance != NULL) bound *= alive_mass(s, chance, sets + s->first[v], &lost);
  }
  return !lost && bound >= s->theta - 1e-12;
}

typedef struct tuple_list {
  ALEA_VEC(int32_t) values;
  size_t count;
} tuple_list;

static bool check_all(scsp_splitter *s, uint64_t *sets) {
  for (size_t i = 0; i < s->count; i++)
    if (!forward_check(s, s->stochastic[i], sets)) return false;
  return true;
}

static bool push_tuple(const scsp_splitter *s, const alea_csp_var *scope, uint32_t arity,
                       tuple_list *out) {
  for (uint32_t i = 0; i < arity; i++)
    if (!alea_vec_push(s->mem, &out->values,
                       csp_value(&s->scsp->csp->vars.data[scope[i]], s->indexes[scope[i]])))
      return false;
  out->count++;
  return true;
}

/* Depth-first over the decision variables scope[0..arity-1]; next[depth] is the
 * value to be tried there. */
static bool enumerate(scsp_splitter *s, const alea_csp_var *scope, uint32_t arity, uint32_t *next,
                      tuple_list *out) {
  uint32_t depth = 0;
  size_t words = s->first[s->vars];
  if (arity == 0) return true;
  next[0] = 0;
  while (!s->late) {
    uint64_t *here = s->domains + depth * words, *below = here + words;
    alea_csp_var var = scope[depth];
    s->assigned[var] = false;
    uint32_t value = next_in(s, here, var, next[depth]);
    if (value == UINT32_MAX) {
      if (depth-- == 0) return true;
      continue;
    }
    next[depth] = value + 1;
    memcpy(below, here, words * sizeof *below);
    memset(below + s->first[var], 0, (size_of(s, var) + 63) / 64 * sizeof *below);
    below[s->first[var] + (value >> 6)] = UINT64_C(1) << (value & 63);
    s->indexes[var] = value;
    s->assigned[var] = true;
    s->late = alea_deadline_passed(&s->deadline);
    if (!check_all(s, below)) continue;
    /* forward checking borrowed indexes of open variables only */
    if (depth + 1 < arity)
      next[++depth] = 0;
    else if (feasible(s, below) && !push_tuple(s, scope, arity, out))
      return false;
  }
  return true;
}

/* The constraints of N'', its variables, and the places of their sets. */
static uint32_t gather(scsp_splitter *s) {
  const alea_csp *csp = s->scsp->csp;
  uint32_t widest = 1;
  for (size_t i = 0; i < csp->constraints.count; i++) {
    const csp_constraint *constraint = &csp->constraints.data[i];
    if (!has_chance(s->scsp, constraint)) continue;
    if (constraint->arity > widest) widest = constraint->arity;
    s->stochastic[s->count++] = constraint;
    for (uint32_t k = 0; k < constraint->arity; k++) s->inside[constraint->scope[k]] = true;
  }
  size_t words = 0;
  for (uint32_t v = 0; v < s->vars; v++) {
    s->first[v] = words;
    if (s->inside[v]) words += (size_of(s, v) + 63) / 64;
  }
  s->first[s->vars] = words;
  return widest;
}

static bool take_memory(scsp_splitter *s, alea_arena *arena) {
  size_t n = s->vars;
  s->stochastic =
      alea_arena_alloc(arena, (s->scsp->csp->constraints.count + 1) * sizeof *s->stochastic);
  s->inside = alea_arena_alloc(arena, n + 1);
  s->assigned = alea_arena_alloc(arena, n + 1);
  s->indexes = alea_arena_alloc(arena, (n + 1) * sizeof *s->indexes);
  s->first = alea_arena_alloc(arena, (n + 1) * sizeof *s->first);
  if (s->stochastic == NULL || s->inside == NULL || s->assigned == NULL || s->indexes == NULL ||
      s->first == NULL)
    return false;
  memset(s->inside, 0, n + 1);
  memset(s->assigned, 0, n + 1);
  memset(s->indexes, 0, (n + 1) * sizeof *s->indexes);
  return true;
}

/* Full sets at the first depth. */
static bool take_sets(scsp_splitter *s, uint32_t arity, uint32_t widest, alea_arena *arena) {
  size_t words = s->first[s->vars];
  s->values = alea_arena_alloc(arena, widest * sizeof *s->values);
  s->domains = alea_arena_alloc(arena, (arity + 2) * words * sizeof *s->domains + 1);
  if (s->values == NULL || s->domains == NULL) return false;
  for (uint32_t v = 0; v < s->vars; v++)
    for (uint32_t i = 0; i < size_of(s, v) && s->inside[v]; i++) {
      uint64_t *word = &s->domains[s->first[v] + (i >> 6)];
      *word = (i & 63) == 0 ? 1 : *word | UINT64_C(1) << (i & 63);
    }
  return true;
}

alea_status alea_scsp_feasible(const alea_scsp *scsp, double theta, const alea_deadline *deadline,
                               alea_csp_var *scope, uint32_t *arity, int32_t **tuples,
                               size_t *count) {
  if (scsp->csp->state != ALEA_OK) return scsp->csp->state;
  alea_arena arena;
  alea_arena_init(&arena, scsp->mem);
  scsp_splitter s = {
      .scsp = scsp, .mem = scsp->mem, .vars = (uint32_t)scsp->csp->vars.count, .theta = theta};
  if (deadline != NULL) s.deadline = *deadline;
  tuple_list list = {0};
  *tuples = NULL;
  *arity = 0;
  bool good = take_memory(&s, &arena);
  uint32_t widest = good ? gather(&s) : 0;
  for (uint32_t v = 0; v < s.vars && good; v++)
    if (s.inside[v] && !alea_scsp_is_chance(scsp, v)) scope[(*arity)++] = v;
  uint32_t *next = alea_arena_alloc(&arena, (*arity + 1) * sizeof *next);
  good = good && next != NULL && take_sets(&s, *arity, widest, &arena) &&
         enumerate(&s, scope, *arity, next, &list);
  *count = list.count;
  if (good) *tuples = alea_mem_alloc(scsp->mem, list.values.count * sizeof **tuples);
  good = good && *tuples != NULL;
  if (good && list.values.count != 0)
    memcpy(*tuples, list.values.data, list.values.count * sizeof **tuples);
  alea_vec_clear(scsp->mem, &list.values);
  alea_arena_clear(&arena);
  if (!good) return alea_mem_lack(scsp->mem);
  if (!s.late) return ALEA_OK;
  alea_mem_free(scsp->mem, *tuples, list.count * *arity * sizeof **tuples);
  return ALEA_LIMIT;
}

alea_csp *alea_scsp_decisions(const alea_scsp *scsp, double theta, const alea_deadline *deadline,
                              alea_status *status) {
  const alea_csp *from = scsp->csp;
  size_t n = from->vars.count, count;
  uint32_t arity;
  int32_t *tuples;
  alea_csp_var *scope = alea_mem_calloc(scsp->mem, n, sizeof *scope);
  alea_csp *csp = alea_csp_new(scsp->mem);
  *status = alea_mem_lack(scsp->mem);
  if (scope != NULL && csp != NULL)
    *status = alea_scsp_feasible(scsp, theta, deadline, scope, &arity, &tuples, &count);
  if (*status == ALEA_OK) {
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

bool alea_scsp_is_stage(const alea_scsp *scsp) {
  bool chance = false;
  for (uint32_t v = 0; v < scsp->csp->vars.count; v++) {
    bool here = alea_scsp_is_chance(scsp, v);
    if (chance && !here) return false;
    chance = chance || here;
  }
  return chance && scsp->softs.count == 0;
}
