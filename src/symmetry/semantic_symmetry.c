/* Symmetries that the rules have but do not show: candidates, test, proof. */
#include "symmetry/semantic_symmetry.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "symmetry/generated_group.h"
#include "symmetry/miter.h"

enum {
  DEFAULT_STATES = 16384,
  MOST_RELAXED = 256,   /* candidates from one relaxed graph */
  MOST_SURVIVORS = 64,  /* that are tried to be proved, where the group is too large to be listed */
};

typedef struct semantic_finder {
  alea_semantic_symmetry *result;
  const struct alea_program *program;
  const alea_ground *ground;
  const alea_net *net;
  const alea_symmetry *graph;
  alea_semantic_options options;
  alea_mem *mem;
  alea_candidates candidates;
  uint8_t *alive; /* per candidate */
  alea_commuting commuting;
  alea_lane_walk walk;
  alea_groups exclusive;               /* those that all survivors and the graph permute */
  alea_miter miter;
  alea_generated_group proved, tested; /* 'tested' has the proved ones, too */
} semantic_finder;

/* ---- candidates ---- */

/* The automorphisms of the rules without their ends: all of them, or the
 * generators where they are many.  No group within the time is no failure. */
static alea_status add_relaxed(semantic_finder *f, bool endless, bool exchange) {
  alea_symmetry_options how = {.deadline = f->options.deadline,
                               .max_elements = MOST_RELAXED,
                               .endless = endless,
                               .exchange = exchange};
  alea_symmetry *s;
  alea_status status = alea_symmetry_new(&s, f->ground, &how, f->mem);
  if (status != ALEA_OK && status != ALEA_LIMIT) return status;
  status = ALEA_OK;
  const uint32_t *maps = NULL;
  uint32_t count = 0;
  if (s != NULL) {
    maps = s->element_count > 0 ? s->elements : s->generators;
    count = s->element_count > 0 ? s->element_count : s->generator_count;
  }
  for (uint32_t i = 0; i < count && i < MOST_RELAXED && status == ALEA_OK; i++)
    status = alea_candidates_add_points(&f->candidates, maps + (size_t)i * f->candidates.points);
  alea_symmetry_free(s);
  return status;
}

static alea_status find_candidates(semantic_finder *f) {
  bool blind = f->candidates.percepts == 0;
  alea_status status = alea_candidates_add_renamings(&f->candidates, f->program, f->options.deadline);
  if (status == ALEA_LIMIT && !f->mem->hit_limit) status = ALEA_OK;
  for (int exchange = 0; blind && exchange <= f->options.exchange; exchange++)
    for (int endless = exchange ? 0 : 1; endless < 2 && status == ALEA_OK; endless++)
      status = add_relaxed(f, endless, exchange);
  return status == ALEA_LIMIT && !f->mem->hit_limit ? ALEA_OK : status;
}

/* ---- the test ---- */

static void test_all(semantic_finder *f) {
  uint64_t states = f->options.states > 0 ? f->options.states : DEFAULT_STATES;
  bool some = true;
  while (some && f->walk.states < states && !alea_deadline_passed(f->options.deadline)) {
    alea_lane_walk_look(&f->walk);
    some = false;
    for (uint32_t i = 0; i < f->candidates.count; i++) {
      if (!f->alive[i]) continue;
      f->alive[i] =
          alea_commuting_test(&f->commuting, &f->walk, alea_candidates_at(&f->candidates, i));
      some |= f->alive[i];
    }
    alea_lane_walk_step(&f->walk);
  }
  f->result->states = f->walk.states;
  f->result->candidates = f->candidates.count;
  for (uint32_t i = 0; i < f->candidates.count; i++) f->result->survivors += f->alive[i];
}

static alea_status test(semantic_finder *f) {
  alea_status status = alea_commuting_init(&f->commuting, f->net, &f->candidates, f->mem);
  if (status == ALEA_OK)
    status = alea_lane_walk_init(&f->walk, f->net, f->options.seed, f->mem);
  f->alive = alea_mem_calloc(f->mem, f->candidates.count, 1);
  if (status != ALEA_OK || f->alive == NULL) return alea_mem_lack(f->mem);
  for (uint32_t i = 0; i < f->candidates.count; i++)
    f->alive[i] = f->options.exchange ||
                  !alea_candidates_exchanges(&f->candidates, alea_candidates_at(&f->candidates, i));
  test_all(f);
  return ALEA_OK;
}

/* ---- groups that exclude each other ----
 *
 * States in which these groups are exclusive must be mapped to such states, or
 * what is proved of two symmetries would not hold of one after the other. */

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

typedef struct exclusive_set {
  alea_groups *groups; /* members ascending */
  alea_hash_map map;
  alea_u32s image;
} exclusive_set;

static uint64_t hash_of_group(const void *set, uint32_t g) {
  const alea_groups *groups = ((const exclusive_set *)set)->groups;
  uint32_t first = alea_groups_first(groups, g);
  return alea_hash_u32s(groups->members.data + first, groups->ends.data[g] - first);
}

static bool has_image(exclusive_set *s, uint32_t group, const uint32_t *map) {
  const alea_groups *groups = s->groups;
  uint32_t first = alea_groups_first(groups, group), count = groups->ends.data[group] - first;
  for (uint32_t i = 0; i < count; i++) s->image.data[i] = map[groups->members.data[first + i]];
  qsort(s->image.data, count, sizeof *s->image.data, by_number);
  alea_hash_probe probe = alea_hash_map_probe(&s->map, alea_hash_u32s(s->image.data, count));
  while (alea_hash_map_next(&s->map, &probe)) {
    uint32_t other = alea_groups_first(groups, probe.id);
    if (groups->ends.data[probe.id] - other == count &&
        memcmp(groups->members.data + other, s->image.data, count * sizeof *s->image.data) == 0)
      return true;
  }
  return false;
}

/* Drops the groups whose image under 'map' is not among them; '*dropped' if
 * there were any. */
static bool close_under(exclusive_set *s, const uint32_t *map, alea_mem *mem, bool *dropped) {
  alea_groups *groups = s->groups;
  alea_hash_map_empty(&s->map);
  s->image.count = 0;
  if (!alea_vec_reserve(mem, &s->image, groups->members.count)) return false;
  for (uint32_t g = 0; g < groups->ends.count; g++) {
    if (!alea_hash_map_reserve(&s->map, mem, hash_of_group, s)) return false;
    alea_hash_map_add(&s->map, hash_of_group(s, g), g);
  }
  uint8_t *stays = alea_mem_calloc(mem, groups->ends.count, 1);
  size_t before = groups->ends.count;
  if (stays == NULL) return false;
  for (uint32_t g = 0; g < before; g++) stays[g] = has_image(s, g, map);
  uint32_t kept = 0, count = 0, first = 0;
  for (size_t g = 0; g < before; g++) {
    uint32_t end = groups->ends.data[g];
    for (uint32_t i = first; stays[g] && i < end; i++)
      groups->members.data[kept++] = groups->members.data[i];
    first = end;
    if (stays[g]) groups->ends.data[count++] = kept;
  }
  groups->members.count = kept;
  groups->ends.count = count;
  *dropped |= count < before;
  alea_mem_free(mem, stays, before);
  return true;
}

static bool copy_groups(semantic_finder *f, const alea_groups *exclusive) {
  f->exclusive.mem = f->mem;
  for (size_t g = 0; exclusive != NULL && g < exclusive->ends.count; g++) {
    uint32_t first = alea_groups_first(exclusive, g);
    size_t start = f->exclusive.members.count;
    for (uint32_t i = first; i < exclusive->ends.data[g]; i++)
      if (!alea_vec_push(f->mem, &f->exclusive.members, exclusive->members.data[i])) return false;
    qsort(f->exclusive.members.data + start, f->exclusive.members.count - start, sizeof(uint32_t),
          by_number);
    if (!alea_vec_push(f->mem, &f->exclusive.ends, (uint32_t)f->exclusive.members.count))
      return false;
  }
  return true;
}

static alea_status close_groups(semantic_finder *f, const alea_groups *exclusive) {
  exclusive_set s = {.groups = &f->exclusive};
  bool good = copy_groups(f, exclusive);
  for (bool again = true; good && again && f->exclusive.ends.count > 0;) {
    again = false;
    for (uint32_t i = 0; good && i < f->candidates.count; i++)
      if (f->alive[i])
        good = close_under(&s, alea_candidates_at(&f->candidates, i), f->mem, &again);
    for (uint32_t i = 0; good && i < f->graph->generator_count; i++)
      good = close_under(&s, f->graph->generators + (size_t)i * f->candidates.points, f->mem,
                         &again);
  }
  alea_hash_map_clear(&s.map, f->mem);
  alea_vec_clear(f->mem, &s.image);
  return good ? ALEA_OK : alea_mem_lack(f->mem);
}

/* ---- the proof ---- */

static alea_status add_graph(semantic_finder *f, alea_generated_group *group) {
  alea_status status = ALEA_OK;
  for (uint32_t i = 0; i < f->graph->generator_count && status == ALEA_OK; i++)
    status = alea_generated_group_add(
        group, f->graph->generators + (size_t)i * f->candidates.points, NULL, NULL);
  return status;
}

static alea_status prove_one(semantic_finder *f, const uint32_t *map) {
  const uint32_t *roles = alea_candidates_roles(&f->candidates, map);
  bool proved;
  alea_status status = alea_miter_prove(&f->miter, &f->commuting, &f->walk, map, &proved);
  if (status == ALEA_LIMIT && f->mem->hit_limit) return status;
  if (status != ALEA_OK && status != ALEA_LIMIT) return status;
  f->result->proved += proved;
  status = proved ? alea_generated_group_add(&f->proved, map, roles, NULL) : ALEA_OK;
  return status == ALEA_OK ? alea_generated_group_add(&f->tested, map, roles, NULL) : status;
}

/* What follows from what was proved is not asked again. */
static alea_status prove(semantic_finder *f) {
  alea_status status = add_graph(f, &f->proved);
  uint32_t asked = 0;
  if (status == ALEA_OK) status = add_graph(f, &f->tested);
  if (f->result->survivors == 0 || status != ALEA_OK) return status;
  status = alea_miter_init(&f->miter, &f->commuting, &f->exclusive, f->options.deadline, f->mem);
  for (uint32_t i = 0; i < f->candidates.count && status == ALEA_OK; i++) {
    const uint32_t *map = alea_candidates_at(&f->candidates, i);
    const uint32_t *roles = alea_candidates_roles(&f->candidates, map);
    if (!f->alive[i] || alea_generated_group_has(&f->proved, map, roles)) continue;
    if (f->proved.overflow && asked++ >= MOST_SURVIVORS) break;
    if (alea_deadline_passed(f->options.deadline)) return ALEA_LIMIT;
    status = prove_one(f, map);
  }
  return status;
}

/* ---- the result ---- */

/* The proved symmetries that leave the roles as they are, as generators. */
static alea_status make_symmetry(semantic_finder *f) {
  alea_generated_group kept;
  alea_generated_group_init(&kept, f->ground, f->mem);
  alea_status status = add_graph(f, &kept);
  const alea_symmetry *all = &f->proved.group;
  bool small = all->element_count > 0;
  uint32_t count = small ? all->element_count : all->generator_count;
  for (uint32_t i = small ? 1 : 0; i < count && status == ALEA_OK; i++) {
    const uint32_t *map = (small ? all->elements : all->generators) +
                          (size_t)i * alea_symmetry_points(all);
    if (alea_generated_group_keeps_roles(&f->proved, map))
      status = alea_generated_group_add(&kept, map, NULL, NULL);
  }
  uint32_t points = f->candidates.points, generators = kept.group.generator_count;
  alea_symmetry *s = status == ALEA_OK ? alea_mem_zalloc(f->mem, sizeof *s) : NULL;
  if (s != NULL) {
    *s = (alea_symmetry){.mem = f->mem,
                         .fluent_count = f->ground->fluent_count,
                         .move_count = f->ground->move_count};
    s->generators = alea_mem_calloc(f->mem, (size_t)generators * points, sizeof *s->generators);
    s->generator_count = s->generators != NULL ? generators : 0;
    for (uint32_t i = 0; i < s->generator_count; i++)
      memcpy(s->generators + (size_t)i * points,
             kept.group.generators + (size_t)i * (points + f->ground->role_count),
             points * sizeof *s->generators);
  }
  alea_generated_group_clear(&kept);
  f->result->symmetry = s;
  return s != NULL && s->generator_count == generators ? ALEA_OK : alea_mem_lack(f->mem);
}

/* A group that is too large to be listed is known if it is the graph's own. */
static alea_status count_all(semantic_finder *f) {
  alea_semantic_symmetry *r = f->result;
  r->kept = alea_generated_group_orders(&f->proved, true);
  r->exchanged = alea_generated_group_orders(&f->proved, false);
  r->kept_tested = alea_generated_group_orders(&f->tested, true);
  r->exchanged_tested = alea_generated_group_orders(&f->tested, false);
  alea_status status = alea_symmetry_list(r->symmetry, 0);
  if (status != ALEA_OK || r->symmetry->generator_count > f->graph->generator_count) return status;
  r->symmetry->order = r->kept.rules = f->graph->order;
  return ALEA_OK;
}

static void clear_finder(semantic_finder *f) {
  alea_mem_free(f->mem, f->alive, f->alive != NULL ? f->candidates.count : 0);
  alea_miter_clear(&f->miter);
  alea_lane_walk_clear(&f->walk);
  alea_commuting_clear(&f->commuting);
  alea_candidates_clear(&f->candidates);
  alea_groups_clear(&f->exclusive);
  alea_generated_group_clear(&f->proved);
  alea_generated_group_clear(&f->tested);
}

alea_status alea_semantic_symmetry_init(alea_semantic_symmetry *result,
                                        const struct alea_program *program,
                                        const alea_ground *ground, const alea_net *net,
                                        const alea_groups *exclusive, const alea_symmetry *graph,
                                        const alea_semantic_options *options, alea_mem *mem) {
  double start = alea_clock_thread();
  semantic_finder f = {.result = result,
                       .program = program,
                       .ground = ground,
                       .net = net,
                       .graph = graph,
                       .options = *options,
                       .mem = mem};
  *result = (alea_semantic_symmetry){0};
  alea_candidates_init(&f.candidates, ground, mem);
  alea_generated_group_init(&f.proved, ground, mem);
  alea_generated_group_init(&f.tested, ground, mem);
  alea_status status = find_candidates(&f);
  if (status == ALEA_OK) status = test(&f);
  if (status == ALEA_OK) status = close_groups(&f, exclusive);
  if (status == ALEA_OK) status = prove(&f);
  bool late = status == ALEA_LIMIT && !mem->hit_limit;
  if (status == ALEA_OK || late) status = make_symmetry(&f);
  if (status == ALEA_OK) status = count_all(&f);
  clear_finder(&f);
  result->seconds = alea_clock_thread() - start;
  return status == ALEA_OK && late ? ALEA_LIMIT : status;
}

void alea_semantic_symmetry_clear(alea_semantic_symmetry *result) {
  alea_symmetry_free(result->symmetry);
  result->symmetry = NULL;
}
