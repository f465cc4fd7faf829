/* The engine: watches, levels, and the queue of propagators. */
#include <assert.h>
#include <stdlib.h>

#include "csp/core.h"

/* ---- creation ---- */

static bool domain_init(csp_engine *engine, csp_domain *domain, const csp_variable *var) {
  domain->var = var;
  domain->size = var->size;
  domain->max = var->size - 1;
  if (var->interval) return true;
  domain->word_count = (var->size + 63) / 64;
  domain->words = &domain->word;
  if (domain->word_count > 1)
    domain->words = alea_arena_alloc(&engine->arena, domain->word_count * sizeof(uint64_t));
  if (domain->words == NULL) return false;
  memset(domain->words, 0xff, domain->word_count * sizeof(uint64_t));
  if (var->size % 64 != 0) domain->words[domain->word_count - 1] >>= 64 - var->size % 64;
  return true;
}

csp_prop *csp_engine_add(csp_engine *engine, const csp_constraint *constraint) {
  assert(engine->prop_count < engine->prop_capacity);
  csp_prop *prop = &engine->props[engine->prop_count];
  *prop = (csp_prop){.type = constraint->type,
                     .constraint = constraint,
                     .scope = constraint->scope,
                     .arity = constraint->arity,
                     .id = engine->prop_count,
                     .dirty = ~UINT64_C(0),
                     .active = 1,
                     .weight = 1};
  engine->prop_count++;
  return constraint->type->start(engine, prop) ? prop : NULL;
}

bool csp_watch_add(csp_engine *engine, const csp_prop *prop, uint32_t position, uint32_t limit,
                   bool bounds) {
  csp_pending pending = {prop->scope[position], {prop->id, limit, position, bounds, 0}};
  return alea_vec_push(engine->mem, &engine->pending, pending);
}

bool csp_watch_part(csp_engine *engine, const csp_prop *prop, uint32_t position, uint64_t part) {
  csp_pending pending = {prop->scope[position], {prop->id, UINT32_MAX, position, false, part}};
  return alea_vec_push(engine->mem, &engine->pending, pending);
}

bool csp_watch_scope(csp_engine *engine, const csp_prop *prop, bool bounds) {
  for (uint32_t i = 0; i < prop->arity; i++)
    if (!csp_watch_add(engine, prop, i, UINT32_MAX, bounds)) return false;
  return true;
}

static int by_place(const void *a, const void *b) {
  const csp_pending *x = a, *y = b;
  if (x->var != y->var) return x->var < y->var ? -1 : 1;
  if (x->watch.bounds != y->watch.bounds) return x->watch.bounds < y->watch.bounds ? -1 : 1;
  if (x->watch.limit != y->watch.limit) return x->watch.limit > y->watch.limit ? -1 : 1;
  return x->watch.prop < y->watch.prop ? -1 : x->watch.prop > y->watch.prop;
}

/* Sorts all watches into one array.  The pending list is kept: a later
 * layout, after more constraints were added, starts from all of them. */
bool csp_engine_layout(csp_engine *engine) {
  size_t count = engine->pending.count;
  csp_watch *watches = alea_arena_alloc(&engine->arena, (count + 1) * sizeof *watches);
  if (watches == NULL) return false;
  if (count != 0) qsort(engine->pending.data, count, sizeof *engine->pending.data, by_place);
  for (uint32_t v = 0; v < engine->var_count; v++)
    engine->domains[v].watch_count = engine->domains[v].full_count = 0;
  for (size_t i = 0; i < count; i++) {
    const csp_pending *pending = &engine->pending.data[i];
    csp_domain *domain = &engine->domains[pending->var];
    watches[i] = pending->watch;
    if (domain->watch_count++ == 0) domain->watches = &watches[i];
    if (!pending->watch.bounds) domain->full_count++;
  }
  return true;
}

static bool rings_init(csp_engine *engine) {
  uint32_t slots = 1;
  while (slots < engine->prop_capacity + 1) slots *= 2;
  engine->ring_mask = slots - 1;
  for (int p = 0; p < CSP_PRIORITIES; p++) {
    engine->rings[p].items = alea_arena_alloc(&engine->arena, slots * sizeof(uint32_t));
    if (engine->rings[p].items == NULL) return false;
  }
  return true;
}

static bool engine_fill(csp_engine *engine, uint32_t extra) {
  const alea_csp *csp = engine->csp;
  engine->var_count = (uint32_t)csp->vars.count;
  engine->prop_capacity = (uint32_t)csp->constraints.count + extra;
  engine->domains = alea_mem_calloc(engine->mem, engine->var_count, sizeof *engine->domains);
  engine->props = alea_mem_calloc(engine->mem, engine->prop_capacity, sizeof *engine->props);
  if (engine->domains == NULL || engine->props == NULL || !rings_init(engine)) return false;
  for (uint32_t v = 0; v < engine->var_count; v++)
    if (!domain_init(engine, &engine->domains[v], &csp->vars.data[v])) return false;
  for (size_t c = 0; c < csp->constraints.count; c++)
    if (csp_engine_add(engine, &csp->constraints.data[c]) == NULL) return false;
  return csp_engine_layout(engine);
}

csp_engine *csp_engine_new(const alea_csp *csp, uint32_t extra) {
  return csp_engine_new_in(csp, extra, csp->mem);
}

csp_engine *csp_engine_new_in(const alea_csp *csp, uint32_t extra, alea_mem *mem) {
  csp_engine *engine = alea_mem_zalloc(mem, sizeof *engine);
  if (engine == NULL) return NULL;
  engine->csp = csp;
  engine->mem = mem;
  engine->serial = 1;
  engine->running = engine->failed = ALEA_CSP_NONE;
  alea_arena_init(&engine->arena, mem);
  if (engine_fill(engine, extra)) return engine;
  csp_engine_free(engine);
  return NULL;
}

void csp_engine_free(csp_engine *engine) {
  if (engine == NULL) return;
  alea_mem *mem = engine->mem;
  alea_mem_free(mem, engine->domains, engine->var_count * sizeof *engine->domains);
  alea_mem_free(mem, engine->props, engine->prop_capacity * sizeof *engine->props);
  alea_vec_clear(mem, &engine->trail);
  alea_vec_clear(mem, &engine->marks);
  alea_vec_clear(mem, &engine->pending);
  alea_arena_clear(&engine->arena);
  alea_mem_free(mem, engine, sizeof *engine);
}

/* ---- levels ---- */

void csp_push(csp_engine *engine) {
  if (!alea_vec_push(engine->mem, &engine->marks, engine->trail.count)) engine->no_memory = true;
  engine->serial++;
}

void csp_pop(csp_engine *engine) {
  if (engine->marks.count == 0) return;
  size_t mark = engine->marks.data[--engine->marks.count];
  const csp_saved *data = engine->trail.data;
  for (size_t i = engine->trail.count; i > mark; i--)
    memcpy(data[i - 1].where, &data[i - 1].old, sizeof data[i - 1].old);
  engine->trail.count = mark;
  engine->serial++; /* stamps of the undone level must not match again */
  engine->pruned_empty = false;
}

void csp_pop_to(csp_engine *engine, size_t level) {
  while (engine->marks.count > level) csp_pop(engine);
}

void csp_activate(csp_engine *engine, csp_prop *prop, bool active) {
  if ((prop->active != 0) == active) return;
  csp_save(engine, &prop->active);
  prop->active = active;
  if (active) prop->dirty = ~UINT64_C(0);
}

/* ---- queue ---- */

void csp_schedule(csp_engine *engine, csp_prop *prop) {
  if (prop->queued) return;
  /* An idempotent propagator is not woken by its own changes. */
  if (prop->id == engine->running && prop->type->idempotent && !prop->constraint->repeats) return;
  csp_ring *ring = &engine->rings[prop->type->priority];
  ring->items[(ring->head + ring->count++) & engine->ring_mask] = prop->id;
  prop->queued = true;
}

void csp_schedule_all(csp_engine *engine) {
  for (uint32_t i = 0; i < engine->prop_count; i++) {
    engine->props[i].dirty = ~UINT64_C(0);
    if (engine->props[i].active) csp_schedule(engine, &engine->props[i]);
  }
}

static csp_prop *take(csp_engine *engine) {
  for (int p = 0; p < CSP_PRIORITIES; p++) {
    csp_ring *ring = &engine->rings[p];
    if (ring->count == 0) continue;
    csp_prop *prop = &engine->props[ring->items[ring->head]];
    ring->head = (ring->head + 1) & engine->ring_mask;
    ring->count--;
    prop->queued = false;
    return prop;
  }
  return NULL;
}

/* After a failure the level will be undone.  It was opened at a fixpoint, so no
 * propagator has pending changes then. */
static void drop_queue(csp_engine *engine) {
  csp_prop *prop;
  while ((prop = take(engine)) != NULL) prop->dirty = 0;
}

static bool run(csp_engine *engine, csp_prop *prop) {
  csp_snapshot snapshot;
  bool checked = engine->self_check && csp_snapshot_take(engine, prop, &snapshot);
  engine->running = prop->id;
  engine->propagations++;
  engine->effort += prop->arity + 4;
  bool held = prop->type->propagate(engine, prop);
  engine->running = ALEA_CSP_NONE;
  if (checked) csp_snapshot_check(engine, prop, &snapshot, held);
  return held;
}

bool csp_propagate_in_order(csp_engine *engine, const uint32_t *props, uint32_t count) {
  bool good = !engine->pruned_empty && !engine->no_memory;
  for (uint32_t i = 0; i < count; i++) engine->props[props[i]].queued = true;
  for (uint32_t i = 0; i < count; i++) {
    csp_prop *prop = &engine->props[props[i]];
    prop->queued = false;
    if (!good || !prop->active) {
      prop->dirty = 0;
      continue;
    }
    good = run(engine, prop) && !engine->no_memory;
    if (!good) engine->failed = prop->id;
    if (!prop->queued) prop->dirty = 0;
  }
  if (good) return csp_propagate(engine);
  drop_queue(engine);
  return false;
}

bool csp_propagate(csp_engine *engine) {
  csp_prop *prop;
  if (engine->pruned_empty || engine->no_memory) {
    drop_queue(engine);
    return false;
  }
  while ((prop = take(engine)) != NULL) {
    if (!prop->active) continue;
    if (!run(engine, prop) || engine->no_memory) {
      engine->failed = prop->id;
      prop->dirty = 0;
      drop_queue(engine);
      return false;
    }
    if (!prop->queued) prop->dirty = 0;
  }
  return true;
}
