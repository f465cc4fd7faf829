/* Exact optimisation: the walk, cached by the variables that are still read. */
#include <math.h>

#include "base/hash.h"
#include "scsp/walk.h"

static const scsp_value infeasible = {0, 0, false};

bool scsp_walk_init(scsp_walk *walk, const scsp_plan *plan, const alea_scsp_options *options,
                    bool cached) {
  *walk =
      (scsp_walk){.plan = plan, .options = options, .end = plan->count, .until_look = SCSP_LOOK};
  walk->key_width = 1;
  for (uint32_t at = 0; at < plan->count; at++) {
    walk->set_words += plan->places[at].words;
    if (plan->places[at].key.words > walk->key_width) walk->key_width = plan->places[at].key.words;
  }
  walk->indexes = alea_mem_calloc(plan->mem, plan->count + 1, sizeof *walk->indexes);
  walk->frames = alea_mem_calloc(plan->mem, plan->count + 1, sizeof *walk->frames);
  walk->sets = alea_mem_calloc(plan->mem, walk->set_words + 1, sizeof *walk->sets);
  walk->key = alea_mem_calloc(plan->mem, walk->key_width, sizeof *walk->key);
  walk->caches = cached;
  if (walk->indexes == NULL || walk->frames == NULL || walk->sets == NULL || walk->key == NULL)
    return false;
  uint64_t *set = walk->sets;
  for (uint32_t at = 0; at < plan->count; set += plan->places[at++].words)
    walk->frames[at].allowed = set;
  return true;
}

void scsp_walk_clear(scsp_walk *walk) {
  alea_mem *mem = walk->plan->mem;
  alea_mem_free(mem, walk->indexes, (walk->plan->count + 1) * sizeof *walk->indexes);
  alea_mem_free(mem, walk->frames, (walk->plan->count + 1) * sizeof *walk->frames);
  alea_mem_free(mem, walk->sets, (walk->set_words + 1) * sizeof *walk->sets);
  alea_mem_free(mem, walk->key, walk->key_width * sizeof *walk->key);
  alea_vec_clear(mem, &walk->known);
  alea_vec_clear(mem, &walk->key_words);
  alea_hash_map_clear(&walk->known_map, mem);
}

/* ---- cache ---- */

static uint64_t hash_known(const void *known, uint32_t id) {
  return ((const scsp_known *)known)[id].hash;
}

/* Packs the key of 'at' into walk->key; returns its hash. */
static uint64_t pack_key(const scsp_walk *walk, uint32_t at) {
  uint64_t hash = scsp_pack(walk->plan, &walk->plan->places[at].key, walk->indexes, walk->key);
  return alea_hash_mix(hash + at);
}

/* The probe ends at the place and the key now packed, or where they belong. */
static alea_hash_probe find(const scsp_walk *walk, uint32_t place, uint64_t hash) {
  size_t bytes = walk->plan->places[place].key.words * sizeof *walk->key;
  alea_hash_probe probe = alea_hash_map_probe(&walk->known_map, hash);
  while (alea_hash_map_next(&walk->known_map, &probe)) {
    const scsp_known *k = &walk->known.data[probe.id];
    if (k->hash == hash && k->place == place &&
        memcmp(walk->key_words.data + k->first, walk->key, bytes) == 0)
      break;
  }
  return probe;
}

/* Without memory nothing is remembered, and the walk is only slower. */
static void remember(scsp_walk *walk, uint32_t at, scsp_value value) {
  alea_mem *mem = walk->plan->mem;
  uint32_t words = walk->plan->places[at].key.words;
  uint64_t hash = pack_key(walk, at);
  scsp_known new = {walk->key_words.count, at, value.feasible, hash, value.c};
  if (walk->known.count >= ALEA_HASH_NONE - 1 ||
      !alea_hash_map_reserve(&walk->known_map, mem, hash_known, walk->known.data) ||
      !alea_vec_reserve(mem, &walk->key_words, words))
    return;
  alea_hash_probe probe = find(walk, at, hash);
  if (probe.id != ALEA_HASH_NONE) {
    new.first = walk->known.data[probe.id].first;
    walk->known.data[probe.id] = new;
  } else if (alea_vec_push(mem, &walk->known, new)) {
    memcpy(walk->key_words.data + walk->key_words.count, walk->key, words * sizeof *walk->key);
    walk->key_words.count += words;
    alea_hash_map_put(&walk->known_map, probe, (uint32_t)walk->known.count - 1);
  }
}

/* ---- the walk ---- */

/* Looks variable 'at' up in the cache. */
static bool recall(scsp_walk *walk, uint32_t at, scsp_value *value) {
  alea_hash_probe probe = find(walk, at, pack_key(walk, at));
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
    scsp_frame *frame = &walk->frames[*at];
    bool cached = walk->caches && place->cached;
    if (cached && recall(walk, *at, value)) return true;
    uint32_t count = scsp_allowed(plan, *at, walk->indexes, frame->allowed);
    walk->until_look -= place->cost;
    if (!place->chance && count == 0) {
      *value = infeasible;
      return true;
    }
    if (!place->chance && !cached && place->soft.count == 0 && count == 1) {
      walk->indexes[*at] = scsp_next_in(frame->allowed, place->words, 0);
      walk->nodes++;
      continue;
    }
    frame->parent = parent;
    frame->next = 0;
    frame->raised = place->chance ? scsp_raised(plan, *at, walk->indexes) : 0;
    frame->best = place->chance ? (scsp_value){0, 0, true} : infeasible;
    return false;
  }
  *value = walk->leaf != NULL ? walk->leaf(walk->data, walk->indexes)
                              : (scsp_value){scsp_end_pay(plan), 0, true};
  return true;
}

/* The next value of the frame's variable; false when there is none left or
 * the frame is decided. */
static bool next_value(scsp_walk *walk, uint32_t at) {
  const scsp_place *place = &walk->plan->places[at];
  scsp_frame *frame = &walk->frames[at];
  while (frame->next < place->size) {
    uint32_t v = frame->next;
    frame->probability = 1;
    if (!place->chance) {
      v = scsp_next_in(frame->allowed, place->words, v);
      if (v >= place->size) return false;
    }
    frame->next = v + 1;
    walk->indexes[at] = v;
    if (place->chance) {
      frame->probability = scsp_probability(walk->plan, at, frame->raised, walk->indexes);
      if (!(frame->probability > 0)) continue; /* D4: impossible values do not count */
      if (!scsp_in(frame->allowed, v)) {
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
      frame->next = UINT32_MAX;
      return;
    }
    frame->best.c += frame->probability * value.c;
    frame->best.p += frame->probability * value.p;
    return;
  }
  if (!value.feasible) return;
  walk->mixed = walk->mixed || value.p != 0;
  if (frame->best.feasible && !scsp_walk_better(walk, value, frame->best)) return;
  frame->best = value;
  frame->choice = walk->indexes[at];
}

static void look_around(scsp_walk *walk, uint32_t at) {
  const alea_scsp_options *options = walk->options;
  if (options->max_nodes != 0 && walk->nodes > options->max_nodes) walk->stopped = ALEA_SCSP_NODES;
  if (--walk->until_look > 0) return;
  walk->until_look = SCSP_LOOK;
  if (alea_deadline_passed(&options->deadline)) walk->stopped = ALEA_SCSP_TIME;
  if (options->on_progress == NULL) return;
  alea_scsp_progress progress = scsp_walk_progress(walk, at);
  options->on_progress(options->data, &progress);
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
      if (walk->stopped != ALEA_SCSP_UNLIMITED) return scsp_walk_kept(walk, at, &walk->kept);
      uint32_t child = at + 1;
      if (!open_place(walk, &child, at, &value)) {
        at = child;
        continue;
      }
    } else {
      value = walk->frames[at].best;
      if (walk->caches && walk->plan->places[at].cached) remember(walk, at, value);
      at = walk->frames[at].parent;
      if (at == UINT32_MAX) return value;
    }
    take(walk, at, value);
  }
}

void scsp_walk_conclude(const scsp_walk *walk, scsp_value value, alea_scsp_result *result) {
  const alea_scsp *scsp = walk->plan->scsp;
  result->limit = walk->stopped;
  result->status = walk->stopped != ALEA_SCSP_UNLIMITED ? ALEA_LIMIT
                   : value.feasible                     ? ALEA_OK
                                                        : ALEA_NO;
  result->value = value.c;
  result->found = result->status == ALEA_LIMIT && value.feasible;
  result->reaches = value.feasible && value.c >= scsp->theta[walk->options->player] - 1e-12;
  result->nodes = walk->nodes;
  result->cache_hits = walk->hits;
  result->states = walk->known.count;
}

alea_status alea_scsp_solve(const alea_scsp *scsp, const alea_scsp_options *options,
                            alea_scsp_result *result) {
  double start = alea_clock_thread();
  *result = (alea_scsp_result){.status = scsp->csp->state};
  if (result->status != ALEA_OK) return result->status;
  if (options->player >= scsp->players) return result->status = ALEA_USAGE;
  scsp_plan *plan = scsp_plan_new(scsp, options->player, 0, &options->deadline, &result->limit);
  if (plan == NULL) return result->status = scsp_limit_status(result->limit);
  scsp_walk walk;
  double *most = alea_arena_alloc(&plan->arena, (plan->count + 1) * sizeof *most);
  if (scsp_walk_init(&walk, plan, options, !options->no_cache) && most != NULL) {
    scsp_most_paid(plan, most);
    walk.most = most;
    scsp_walk_conclude(&walk, scsp_walk_run(&walk, 0), result);
  } else {
    result->limit = scsp_lack(scsp->mem);
    result->status = scsp_limit_status(result->limit);
  }
  scsp_walk_clear(&walk);
  scsp_plan_free(plan);
  result->seconds = alea_clock_thread() - start;
  return result->status;
}
