/* Exact optimisation: the walk, cached by the variables that are still read. */
#include <math.h>

#include "base/hash.h"
#include "scsp/walk.h"

static const scsp_value infeasible = {0, 0, false};

bool scsp_walk_init(scsp_walk *walk, const scsp_plan *plan, const alea_scsp_options *options,
                    bool cached) {
  *walk = (scsp_walk){.plan = plan, .options = options, .end = plan->count, .until_look = 4096};
  walk->indexes = alea_mem_calloc(plan->mem, plan->count + 1, sizeof *walk->indexes);
  walk->frames = alea_mem_calloc(plan->mem, plan->count + 1, sizeof *walk->frames);
  walk->caches = cached;
  return walk->indexes != NULL && walk->frames != NULL;
}

void scsp_walk_clear(scsp_walk *walk) {
  alea_mem *mem = walk->plan->mem;
  alea_mem_free(mem, walk->indexes, (walk->plan->count + 1) * sizeof *walk->indexes);
  alea_mem_free(mem, walk->frames, (walk->plan->count + 1) * sizeof *walk->frames);
  alea_vec_clear(mem, &walk->known);
  alea_hash_map_clear(&walk->known_map, mem);
}

/* ---- cache ---- */

static uint64_t hash_key(uint32_t place, uint64_t key) { return alea_hash_mix(key * 31 + place); }

static uint64_t hash_known(const void *known, uint32_t id) {
  const scsp_known *k = (const scsp_known *)known + id;
  return hash_key(k->place, k->key);
}

/* The probe ends at the place and key or where they belong. */
static alea_hash_probe find(const scsp_walk *walk, uint32_t place, uint64_t key) {
  alea_hash_probe probe = alea_hash_map_probe(&walk->known_map, hash_key(place, key));
  while (alea_hash_map_next(&walk->known_map, &probe)) {
    const scsp_known *k = &walk->known.data[probe.id];
    if (k->place == place && k->key == key) break;
  }
  return probe;
}

/* Without memory nothing is remembered, and the walk is only slower. */
static void remember(scsp_walk *walk, uint32_t at, uint64_t key, scsp_value value) {
  alea_mem *mem = walk->plan->mem;
  scsp_known new = {key, at, value.feasible, value.c};
  if (!alea_hash_map_reserve(&walk->known_map, mem, hash_known, walk->known.data)) return;
  alea_hash_probe probe = find(walk, at, key);
  if (probe.id != ALEA_HASH_NONE)
    walk->known.data[probe.id] = new;
  else if (alea_vec_push(mem, &walk->known, new))
    alea_hash_map_put(&walk->known_map, probe, (uint32_t)walk->known.count - 1);
}

static uint64_t key_of(const scsp_walk *walk, uint32_t at) {
  const scsp_place *place = &walk->plan->places[at];
  uint64_t key = 0;
  for (uint32_t i = 0; i < place->key_count; i++)
    key = key * walk->plan->places[place->key_vars[i]].size + walk->indexes[place->key_vars[i]];
  return key;
}

/* ---- the walk ---- */

static bool better(const scsp_walk *walk, scsp_value a, scsp_value b) {
  double x = a.c + a.p * walk->guess, y = b.c + b.p * walk->guess;
  return walk->options->aim == ALEA_SCSP_MAX ? x > y : x < y;
}

/* Looks variable 'at' up in the cache; remembers its key in the frame. */
static bool recall(scsp_walk *walk, uint32_t at, scsp_value *value) {
  scsp_frame *frame = &walk->frames[at];
  frame->key = key_of(walk, at);
  alea_hash_probe probe = find(walk, at, frame->key);
  if (probe.id == ALEA_HASH_NONE) return false;
  const scsp_known *known = &walk->known.data[probe.id];
  walk->hits++;
  *value = (scsp_value){known->c, 0, known->feasible};
  return true;
}

/* Opens the first variable from '*at' on at which there is a choice; true
 * when the value is known at once.  Variables with one allowed value, as
 * most of a next state are, are passed without a frame. */
static bool open_place(scsp_walk *walk, uint32_t *at, uint32_t parent, scsp_value *value) {
  const scsp_plan *plan = walk->plan;
  for (; *at < walk->end; ++*at) {
    const scsp_place *place = &plan->places[*at];
    bool cached = walk->caches && place->cached;
    if (cached && recall(walk, *at, value)) return true;
    uint64_t allowed = scsp_allowed(plan, *at, walk->indexes);
    if (!place->chance && allowed == 0) {
      *value = infeasible;
      return true;
    }
    if (!place->chance && !cached && place->soft.count == 0 && (allowed & (allowed - 1)) == 0) {
      walk->indexes[*at] = (uint32_t)__builtin_ctzll(allowed);
      walk->nodes++;
      continue;
    }
    scsp_frame *frame = &walk->frames[*at];
    frame->parent = parent;
    frame->allowed = allowed;
    frame->rest = place->chance ? place->full : allowed;
    frame->best = place->chance ? (scsp_value){0, 0, true} : infeasible;
    return false;
  }
  *value = walk->leaf != NULL ? walk->leaf(walk->data, walk->indexes) : (scsp_value){0, 0, true};
  return true;
}

/* The next value of the frame's variable; false when there is none left or
 * the frame is decided. */
static bool next_value(scsp_walk *walk, uint32_t at) {
  const scsp_place *place = &walk->plan->places[at];
  scsp_frame *frame = &walk->frames[at];
  while (frame->rest != 0) {
    uint64_t bit = frame->rest & -frame->rest;
    frame->rest ^= bit;
    walk->indexes[at] = (uint32_t)__builtin_ctzll(bit);
    frame->probability = 1;
    if (place->chance) {
      frame->probability = scsp_probability(walk->plan, at, walk->indexes);
      if (!(frame->probability > 0)) continue; /* D4: impossible values do not count */
      if (!(frame->allowed & bit)) {
        frame->best = infeasible;
        return false;
      }
    }
    frame->due = place->soft.count != 0 ? scsp_due(walk->plan, at, walk->indexes) : 0;
    return true;
  }
  return false;
}

static void take(scsp_walk *walk, uint32_t at, scsp_value value) {
  scsp_frame *frame = &walk->frames[at];
  value.c += frame->due;
  if (walk->plan->places[at].chance) {
    if (!value.feasible) {
      frame->best = infeasible;
      frame->rest = 0;
      return;
    }
    frame->best.c += frame->probability * value.c;
    frame->best.p += frame->probability * value.p;
    return;
  }
  if (!value.feasible) return;
  walk->mixed = walk->mixed || value.p != 0;
  if (!frame->best.feasible || better(walk, value, frame->best)) frame->best = value;
}

static void look_around(scsp_walk *walk, uint32_t at) {
  const alea_scsp_options *options = walk->options;
  if (options->max_nodes != 0 && walk->nodes > options->max_nodes) walk->stopped = true;
  if (--walk->until_look != 0) return;
  walk->until_look = 4096;
  if (alea_deadline_passed(&options->deadline)) walk->stopped = true;
  if (options->on_progress != NULL)
    options->on_progress(options->data, walk->nodes, at, walk->frames[0].best.c);
}

scsp_value scsp_walk_run(scsp_walk *walk, uint32_t from) {
  scsp_value value = infeasible;
  uint32_t at = from;
  if (walk->plan->impossible) return infeasible;
  if (open_place(walk, &at, UINT32_MAX, &value)) return value;
  for (;;) {
    if (next_value(walk, at)) {
      walk->nodes++;
      look_around(walk, at);
      if (walk->stopped) return infeasible;
      uint32_t child = at + 1;
      if (!open_place(walk, &child, at, &value)) {
        at = child;
        continue;
      }
    } else {
      value = walk->frames[at].best;
      if (walk->caches && walk->plan->places[at].cached)
        remember(walk, at, walk->frames[at].key, value);
      at = walk->frames[at].parent;
      if (at == UINT32_MAX) return value;
    }
    take(walk, at, value);
  }
}

alea_status alea_scsp_solve(const alea_scsp *scsp, const alea_scsp_options *options,
                            alea_scsp_result *result) {
  double start = alea_clock_thread();
  *result = (alea_scsp_result){.status = scsp->csp->state};
  if (result->status != ALEA_OK) return result->status;
  if (options->player >= scsp->players) return result->status = ALEA_USAGE;
  bool limit;
  scsp_plan *plan = scsp_plan_new(scsp, options->player, 0, &limit);
  if (plan == NULL) return result->status = limit ? ALEA_LIMIT : ALEA_SYSTEM;
  scsp_walk walk;
  if (scsp_walk_init(&walk, plan, options, !options->no_cache)) {
    scsp_value value = scsp_walk_run(&walk, 0);
    result->status = walk.stopped ? ALEA_LIMIT : value.feasible ? ALEA_OK : ALEA_NO;
    result->value = value.c;
    result->reaches = value.feasible && value.c >= scsp->theta[options->player] - 1e-12;
    result->nodes = walk.nodes;
    result->cache_hits = walk.hits;
    result->states = walk.known.count;
  } else {
    result->status = ALEA_SYSTEM;
  }
  scsp_walk_clear(&walk);
  scsp_plan_free(plan);
  result->seconds = alea_clock_thread() - start;
  return result->status;
}
