/* Compiling a stochastic network for walking: what each variable must know of
 * those before it, and what a cache must know. */
#include "base/hash.h"
#include "scsp/core.h"

enum {
  DENSE_BUDGET = 1 << 23, /* cells of dense arrays of a whole network */
  SOFT_CELLS = 1 << 20,   /* of one soft constraint */
  SOFT_WORK = 1 << 24,    /* tuples compared while its array is made */
};

static bool add_soft(scsp_plan *plan, const scsp_soft *soft, uint32_t *indexes) {
  scsp_step step = {.soft = soft};
  alea_csp_var last;
  size_t cells;
  if (soft->arity == 0) return true;
  if (!scsp_split_scope(plan, soft->scope, soft->arity, &step, &last, &cells)) return false;
  size_t size = plan->places[last].size;
  if (cells <= SOFT_CELLS / size && cells * size * (soft->count + 1) <= SOFT_WORK &&
      cells * size <= plan->budget) {
    double *numbers = alea_arena_alloc(&plan->arena, cells * size * sizeof *numbers);
    if (numbers == NULL) return false;
    for (size_t cell = 0; cell < cells; cell++) {
      scsp_decode(plan, &step, cell, indexes);
      for (uint32_t v = 0; v < size; v++) {
        indexes[last] = v;
        numbers[cell * size + v] =
            scsp_soft_pay(plan->scsp->csp, soft, plan->scsp->players, plan->player, indexes);
      }
    }
    plan->budget -= cells * size;
    step.numbers = numbers;
  }
  return alea_vec_push(plan->mem, &plan->places[last].soft, step);
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
  place->distribution = (scsp_step){.count = chance->parents,
                                    .vars = chance->parent,
                                    .strides = strides,
                                    .numbers = chance->rows};
  place->cost += chance->parents;
  return true;
}

/* ---- what a cache must know ---- */

bool scsp_packing_make(scsp_plan *plan, const alea_csp_var *vars, uint32_t count,
                       scsp_packing *packing) {
  alea_csp_var *copy = alea_arena_alloc(&plan->arena, (count + 1) * sizeof *copy);
  bool *starts = alea_arena_alloc(&plan->arena, count + 1);
  if (copy == NULL || starts == NULL) return false;
  uint64_t product = 1;
  uint32_t words = 1;
  for (uint32_t i = 0; i < count; i++) {
    copy[i] = vars[i];
    starts[i] = __builtin_mul_overflow(product, plan->places[vars[i]].size, &product);
    if (!starts[i]) continue;
    words++;
    product = plan->places[vars[i]].size;
  }
  *packing = (scsp_packing){count, words, copy, starts};
  return true;
}

uint64_t scsp_pack(const scsp_plan *plan, const scsp_packing *packing, const uint32_t *indexes,
                   uint64_t *words) {
  uint64_t word = 0, hash = 0;
  uint32_t at = 0;
  for (uint32_t i = 0; i < packing->count; i++) {
    alea_csp_var var = packing->vars[i];
    if (packing->starts[i]) {
      words[at++] = word;
      hash = alea_hash_join(hash, word);
      word = 0;
    }
    word = word * plan->places[var].size + indexes[var];
  }
  words[at] = word;
  return alea_hash_mix(alea_hash_join(hash, word));
}

/* needed[v]: the largest place at which a step still reads variable v. */
static void note_reads(uint32_t *needed, const scsp_step *step, uint32_t at) {
  for (uint32_t i = 0; i < step->count; i++)
    if (at > needed[step->vars[i]]) needed[step->vars[i]] = at;
}

static void note_place(uint32_t *needed, const scsp_place *place, uint32_t at) {
  for (size_t i = 0; i < place->hard.count; i++) note_reads(needed, &place->hard.data[i], at);
  for (size_t i = 0; i < place->soft.count; i++) note_reads(needed, &place->soft.data[i], at);
  if (place->chance) note_reads(needed, &place->distribution, at);
}

/* Caching pays where few earlier variables still matter: at local minima of
 * 'counts', the number of them at each place. */
static void choose_cached(scsp_plan *plan, uint32_t from, const uint32_t *counts) {
  uint32_t before = UINT32_MAX;
  for (uint32_t at = from + 1; at < plan->count; at++) {
    scsp_place *place = &plan->places[at];
    place->cached = counts[at] < at && before > counts[at];
    if (place->cached && plan->places[at - 1].cached) plan->places[at - 1].cached = false;
    before = counts[at];
  }
}

/* The variables that matter are kept in a list from place to place. */
static bool list_keys(scsp_plan *plan, uint32_t from, const uint32_t *needed, alea_csp_var *live) {
  uint32_t count = 0;
  for (uint32_t at = 0; at < plan->count; at++) {
    scsp_place *place = &plan->places[at];
    if (at > from && place->cached) {
      uint32_t kept = 0;
      for (uint32_t i = 0; i < count; i++)
        if (needed[live[i]] >= at) live[kept++] = live[i];
      count = kept;
      if (!scsp_packing_make(plan, live, count, &place->key)) return false;
    }
    if (needed[at] > at) live[count++] = at;
  }
  return true;
}

static bool plan_keys(scsp_plan *plan, uint32_t from) {
  size_t n = plan->count;
  uint32_t *needed = alea_arena_alloc(&plan->arena, (n + 1) * sizeof *needed);
  uint32_t *counts = alea_arena_alloc(&plan->arena, (n + 2) * sizeof *counts);
  alea_csp_var *live = alea_arena_alloc(&plan->arena, (n + 1) * sizeof *live);
  if (needed == NULL || counts == NULL || live == NULL) return false;
  memset(needed, 0, (n + 1) * sizeof *needed);
  memset(counts, 0, (n + 2) * sizeof *counts);
  for (uint32_t at = 0; at < n; at++) note_place(needed, &plan->places[at], at);
  for (uint32_t v = 0; v < n; v++) { /* v matters at the places v+1 .. needed[v] */
    if (needed[v] <= v) continue;
    counts[v + 1]++;
    counts[needed[v] + 1]--;
  }
  for (uint32_t at = 1; at < n; at++) counts[at] += counts[at - 1];
  choose_cached(plan, from, counts);
  return list_keys(plan, from, needed, live);
}

/* ---- the plan ---- */

static bool add_places(scsp_plan *plan) {
  uint32_t widest = 1;
  for (uint32_t v = 0; v < plan->count; v++) {
    scsp_place *place = &plan->places[v];
    place->size = plan->scsp->csp->vars.data[v].size;
    place->words = (place->size + 63) / 64;
    place->cost = 1;
    if (place->words > widest) widest = place->words;
  }
  plan->scratch = alea_arena_alloc(&plan->arena, widest * sizeof *plan->scratch);
  return plan->scratch != NULL;
}

static bool build(scsp_plan *plan, uint32_t from, const alea_deadline *deadline, bool *late) {
  const alea_scsp *scsp = plan->scsp;
  uint32_t *indexes = alea_arena_alloc(&plan->arena, (plan->count + 1) * sizeof *indexes);
  if (indexes == NULL || plan->places == NULL || !add_places(plan)) return false;
  for (size_t i = 0; i < scsp->csp->constraints.count && !*late; i++) {
    if (!scsp_add_hard(plan, &scsp->csp->constraints.data[i], indexes)) return false;
    *late = alea_deadline_passed(deadline);
  }
  for (size_t i = 0; i < scsp->softs.count && !*late; i++) {
    if (!add_soft(plan, &scsp->softs.data[i], indexes)) return false;
    *late = alea_deadline_passed(deadline);
  }
  for (size_t i = 0; i < scsp->chances.count; i++)
    if (!add_chance(plan, &scsp->chances.data[i])) return false;
  plan->impossible = scsp->csp->false_;
  plan->unpaid = scsp->softs.count == 0;
  return !*late && plan_keys(plan, from);
}

scsp_plan *scsp_plan_new(const alea_scsp *scsp, uint32_t player, uint32_t from,
                         const alea_deadline *deadline, alea_scsp_limit *why) {
  scsp_plan *plan = alea_mem_zalloc(scsp->mem, sizeof *plan);
  bool late = false;
  if (plan != NULL) {
    plan->scsp = scsp;
    plan->mem = scsp->mem;
    plan->player = player;
    plan->budget = DENSE_BUDGET;
    plan->count = (uint32_t)scsp->csp->vars.count;
    alea_arena_init(&plan->arena, scsp->mem);
    plan->places = alea_mem_calloc(scsp->mem, plan->count, sizeof *plan->places);
    if (build(plan, from, deadline, &late)) return plan;
  }
  *why = late ? ALEA_SCSP_TIME : scsp_lack(scsp->mem);
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

double scsp_due(const scsp_plan *plan, uint32_t at, const uint32_t *indexes) {
  const scsp_place *place = &plan->places[at];
  double due = 0;
  for (size_t i = 0; i < place->soft.count; i++) {
    const scsp_step *step = &place->soft.data[i];
    due += step->numbers != NULL
               ? step->numbers[scsp_cell(step, indexes) * place->size + indexes[at]]
               : scsp_soft_pay(plan->scsp->csp, step->soft, plan->scsp->players, plan->player,
                               indexes);
  }
  return due;
}

static bool is_raised(const scsp_plan *plan, alea_csp_var flag, const uint32_t *indexes) {
  return csp_value(&plan->scsp->csp->vars.data[flag], indexes[flag]) == 1;
}

uint32_t scsp_raised(const scsp_plan *plan, uint32_t at, const uint32_t *indexes) {
  const scsp_step *step = &plan->places[at].distribution;
  uint32_t raised = 0;
  for (uint32_t i = 0; i < step->count && step->numbers == NULL; i++)
    raised += is_raised(plan, step->vars[i], indexes);
  return raised;
}

double scsp_probability(const scsp_plan *plan, uint32_t at, uint32_t raised,
                        const uint32_t *indexes) {
  const scsp_place *place = &plan->places[at];
  const scsp_step *step = &place->distribution;
  if (step->numbers == NULL)
    return is_raised(plan, step->vars[indexes[at]], indexes) ? 1.0 / raised : 0;
  return step->numbers[scsp_cell(step, indexes) * place->size + indexes[at]];
}
