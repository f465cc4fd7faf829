/* Symmetries that the rules have but do not show: candidates, test, proof. */
#include "symmetry/semantic_symmetry.h"

#include <string.h>

#include "symmetry/miter.h"

enum {
  DEFAULT_STATES = 16384,
  FIRST_GATES = 1 << 25, /* evaluated to refute a candidate before it is tried to be proved: */
  LEAST_FIRST = 1024,    /* in so many states, */
  MOST_FIRST = 8192,     /* up to so many */
  MOST_RELAXED = 256,    /* candidates from one relaxed graph, */
  MOST_GENERATORS = 64,  /* of which so many may be generators of a group that is not listed */
  MOST_FAILURES = 4,     /* proofs that fail in a row, before no more are tried */
  MOST_TESTED = 16       /* that are tested to the full, of those that were not proved */
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
  alea_u32s alive; /* candidates that are not refuted */
  alea_commuting commuting;
  alea_lane_walk walk;
  alea_miter miter;
  uint32_t failures;           /* in a row */
  alea_generated_group tested; /* and what is proved */
} semantic_finder;

/* Past the deadline is no failure, but memory is. */
static bool is_late(const semantic_finder *f, alea_status status) {
  return status == ALEA_LIMIT && !f->mem->hit_limit;
}

/* ---- the test ---- */

/* Tests the candidates that are alive in so many states, or until the deadline:
 * those that were not tested as far stay alive. */
static void test(semantic_finder *f, uint64_t states) {
  uint64_t until = f->walk.states + states;
  bool over = false;
  while (f->alive.count > 0 && f->walk.states < until && !over) {
    size_t kept = 0;
    alea_lane_walk_look(&f->walk);
    for (size_t i = 0; i < f->alive.count; i++) {
      const uint32_t *map = alea_candidates_at(&f->candidates, f->alive.data[i]);
      over = over || alea_deadline_passed(f->options.deadline);
      if (over || alea_commuting_test(&f->commuting, &f->walk, map))
        f->alive.data[kept++] = f->alive.data[i];
    }
    f->alive.count = kept;
    alea_lane_walk_step(&f->walk);
  }
}

/* ---- the proof ---- */

static alea_status prove_one(semantic_finder *f, const uint32_t *map, bool *proved) {
  *proved = false;
  if (f->failures >= MOST_FAILURES || alea_deadline_passed(f->options.deadline)) return ALEA_OK;
  alea_status status = ALEA_OK;
  if (f->miter.mem == NULL)
    status = alea_miter_init(&f->miter, &f->commuting, f->options.deadline, f->mem);
  if (status == ALEA_OK) status = alea_miter_prove(&f->miter, &f->commuting, &f->walk, map, proved);
  f->failures = *proved ? 0 : f->failures + 1;
  return is_late(f, status) ? ALEA_OK : status;
}

/* Proves what can be proved of the candidates that are alive; the others stay.
 * What follows from what is proved is not asked; where the group has become too
 * large to tell, it stays as it is. */
static alea_status prove(semantic_finder *f) {
  alea_status status = ALEA_OK;
  size_t kept = 0;
  for (size_t i = 0; i < f->alive.count && status == ALEA_OK && !f->result->group.overflow; i++) {
    const uint32_t *map = alea_candidates_at(&f->candidates, f->alive.data[i]);
    const uint32_t *roles = alea_candidates_roles(&f->candidates, map);
    bool proved;
    if (alea_generated_group_has(&f->result->group, map, roles)) continue;
    status = prove_one(f, map, &proved);
    f->result->proved += proved;
    if (!proved) f->alive.data[kept++] = f->alive.data[i];
    if (proved && status == ALEA_OK)
      status = alea_generated_group_add(&f->result->group, map, roles, NULL);
    if (proved && status == ALEA_OK)
      status = alea_generated_group_add(&f->tested, map, roles, NULL);
  }
  f->alive.count = kept;
  return status;
}

/* The candidates from 'first' on that are wanted and do not follow from what is
 * proved. */
static alea_status choose(semantic_finder *f, uint32_t first) {
  const alea_candidates *c = &f->candidates;
  f->alive.count = 0;
  for (uint32_t i = first; i < c->count; i++) {
    const uint32_t *map = alea_candidates_at(c, i);
    if (alea_generated_group_has(&f->result->group, map, alea_candidates_roles(c, map))) continue;
    if (!f->options.exchange && alea_candidates_exchanges(c, map)) continue;
    if (!alea_vec_push(f->mem, &f->alive, i)) return alea_mem_lack(f->mem);
  }
  return ALEA_OK;
}

/* Those that were not proved: tested once more, and counted. */
static alea_status keep_tested(semantic_finder *f) {
  alea_status status = ALEA_OK;
  if (f->alive.count > MOST_TESTED) f->alive.count = MOST_TESTED;
  test(f, f->options.states > 0 ? f->options.states : DEFAULT_STATES);
  if (alea_deadline_passed(f->options.deadline) || f->alive.count == 0) return ALEA_OK;
  f->result->states = f->walk.states;
  for (size_t i = 0; i < f->alive.count && status == ALEA_OK; i++) {
    const uint32_t *map = alea_candidates_at(&f->candidates, f->alive.data[i]);
    bool added;
    status = alea_generated_group_add(&f->tested, map, alea_candidates_roles(&f->candidates, map),
                                      &added);
    f->result->tested += added;
  }
  return status;
}

/* Refutes, proves and tests the candidates from 'first' on. */
static alea_status examine(semantic_finder *f, uint32_t first) {
  alea_status status = choose(f, first);
  uint64_t states = FIRST_GATES / (f->net->gate_count + 1);
  f->failures = 0;
  if (status == ALEA_OK)
    test(f, states < LEAST_FIRST ? LEAST_FIRST : states > MOST_FIRST ? MOST_FIRST : states);
  if (status == ALEA_OK) status = prove(f);
  f->result->large = f->result->group.overflow;
  return status == ALEA_OK && !f->result->large ? keep_tested(f) : status;
}

/* ---- candidates ---- */

/* The automorphisms of the rules without their ends, or of the rules with roles
 * exchanged: all of them, or the generators where they are many.  Where even
 * those are many, only the ends tell the places of a board apart, and generators
 * exchange two of them: seldom refuted soon, and never proved.  No group within
 * the time is no failure. */
static alea_status add_relaxed(semantic_finder *f, bool endless, bool exchange) {
  alea_symmetry_options how = {.deadline = f->options.deadline,
                               .max_elements = MOST_RELAXED,
                               .endless = endless,
                               .exchange = exchange};
  alea_symmetry *s;
  alea_status status = alea_symmetry_new(&s, f->ground, &how, f->mem);
  if (is_late(f, status)) status = ALEA_OK;
  const uint32_t *maps = NULL;
  uint32_t count = 0;
  if (s != NULL) {
    maps = s->element_count > 0 ? s->elements : s->generators;
    count = s->element_count > 0 ? s->element_count : s->generator_count;
    if (s->element_count == 0 && count > MOST_GENERATORS) count = 0;
  }
  for (uint32_t i = 0; i < count && i < MOST_RELAXED && status == ALEA_OK; i++)
    status = alea_candidates_add_points(&f->candidates, maps + (size_t)i * f->candidates.points);
  alea_symmetry_free(s);
  return is_late(f, status) ? ALEA_OK : status;
}

/* Renamings first: they are had at once, while graphs may take long. */
static alea_status find(semantic_finder *f) {
  alea_status status = alea_commuting_init(&f->commuting, f->net, &f->candidates, f->mem);
  if (status == ALEA_OK) status = alea_lane_walk_init(&f->walk, f->net, f->options.seed, f->mem);
  if (status == ALEA_OK)
    status = alea_candidates_add_renamings(&f->candidates, f->program, f->options.deadline);
  if (is_late(f, status)) status = ALEA_OK;
  if (status == ALEA_OK) status = examine(f, 0);
  uint32_t renamings = f->candidates.count;
  bool blind = f->candidates.percepts == 0 && !f->result->large;
  for (int exchange = 0; blind && exchange <= f->options.exchange; exchange++)
    for (int endless = exchange ? 0 : 1; endless < 2 && status == ALEA_OK; endless++)
      if (!alea_deadline_passed(f->options.deadline)) status = add_relaxed(f, endless, exchange);
  if (status == ALEA_OK && !f->result->large) status = examine(f, renamings);
  f->result->candidates = f->candidates.count;
  return status;
}

/* ---- the result ---- */

/* The proved symmetries that leave the roles as they are, as generators. */
static alea_status make_symmetry(semantic_finder *f) {
  alea_generated_group kept;
  alea_generated_group_init(&kept, f->ground, f->mem);
  alea_status status = alea_generated_group_add_all(&kept, f->graph);
  const alea_symmetry *all = &f->result->group.group;
  bool small = all->element_count > 0;
  uint32_t count = small ? all->element_count : all->generator_count;
  for (uint32_t i = small ? 1 : 0; i < count && status == ALEA_OK; i++) {
    const uint32_t *map =
        (small ? all->elements : all->generators) + (size_t)i * alea_symmetry_points(all);
    if (alea_generated_group_keeps_roles(&f->result->group, map))
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

/* The order of a graph's group; 0 where it is not found in time. */
static alea_status graph_order(const semantic_finder *f, bool exchange, bool start, double *order) {
  alea_symmetry_options how = {
      .deadline = f->options.deadline, .exchange = exchange, .start = start};
  alea_symmetry *s;
  alea_status status = alea_symmetry_new(&s, f->ground, &how, f->mem);
  *order = s != NULL ? s->order : 0;
  alea_symmetry_free(s);
  return is_late(f, status) ? ALEA_OK : status;
}

/* Groups that are too large to be listed are what the graph says, unless more
 * was proved: then their orders are not known. */
static alea_status count_large(semantic_finder *f) {
  alea_semantic_symmetry *r = f->result;
  alea_status status = ALEA_OK;
  if (r->symmetry->generator_count > f->graph->generator_count) return ALEA_OK;
  r->kept.rules = r->symmetry->order = f->graph->order;
  if (f->options.exchange) {
    status = graph_order(f, false, true, &r->kept.start);
    if (status == ALEA_OK) status = graph_order(f, true, false, &r->exchanged.rules);
    if (status == ALEA_OK) status = graph_order(f, true, true, &r->exchanged.start);
  }
  r->kept_tested = r->kept;
  r->exchanged_tested = r->exchanged;
  return status;
}

static alea_status count_all(semantic_finder *f) {
  alea_semantic_symmetry *r = f->result;
  alea_status status = alea_symmetry_list(r->symmetry, 0);
  if (status != ALEA_OK || r->large) return r->large ? count_large(f) : status;
  r->kept = alea_generated_group_orders(&f->result->group, true);
  r->exchanged = alea_generated_group_orders(&f->result->group, false);
  r->kept_tested = alea_generated_group_orders(&f->tested, true);
  r->exchanged_tested = alea_generated_group_orders(&f->tested, false);
  r->symmetry->order = r->kept.rules;
  return ALEA_OK;
}

static void clear_finder(semantic_finder *f) {
  alea_vec_clear(f->mem, &f->alive);
  alea_miter_clear(&f->miter);
  alea_lane_walk_clear(&f->walk);
  alea_commuting_clear(&f->commuting);
  alea_candidates_clear(&f->candidates);
  alea_generated_group_clear(&f->tested);
}

alea_status alea_semantic_symmetry_init(alea_semantic_symmetry *result,
                                        const struct alea_program *program,
                                        const alea_ground *ground, const alea_net *net,
                                        const alea_symmetry *graph,
                                        const alea_semantic_options *options, alea_mem *mem) {
  semantic_finder f = {.result = result,
                       .program = program,
                       .ground = ground,
                       .net = net,
                       .graph = graph,
                       .options = *options,
                       .mem = mem};
  *result = (alea_semantic_symmetry){0};
  alea_candidates_init(&f.candidates, ground, mem);
  alea_generated_group_init(&result->group, ground, mem);
  alea_generated_group_init(&f.tested, ground, mem);
  alea_status status = alea_generated_group_add_all(&result->group, graph);
  if (status == ALEA_OK) status = alea_generated_group_add_all(&f.tested, graph);
  result->large = result->group.overflow;
  if (status == ALEA_OK && !result->large) status = find(&f);
  if (status == ALEA_OK) status = make_symmetry(&f);
  if (status == ALEA_OK) status = count_all(&f);
  clear_finder(&f);
  return status == ALEA_OK && alea_deadline_passed(options->deadline) ? ALEA_LIMIT : status;
}

void alea_semantic_symmetry_clear(alea_semantic_symmetry *result) {
  alea_symmetry_free(result->symmetry);
  alea_generated_group_clear(&result->group);
  result->symmetry = NULL;
}
