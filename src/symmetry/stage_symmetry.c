/* The graph of a stage with a vertex for each nogood, through nauty. */
#include "symmetry/stage_symmetry.h"

#include "propnet/propnet.h"
#include "sym/sym.h"

struct alea_stage_symmetry {
  alea_mem *mem;
  const alea_game *game; /* borrowed */
  alea_point_map points;
  alea_sym_graph *graph;
};

/* Colours that no vertex of the rules has. */
static uint32_t fixed_colour(uint32_t point) { return UINT32_MAX - point; }
static uint32_t nogood_colour(const alea_stage_symmetry *s) {
  return UINT32_MAX - s->points.ground_count;
}

static uint32_t vertex_of(uint32_t ground_point) { return 1 + ground_point; }

alea_status alea_stage_symmetry_new(alea_stage_symmetry **stage, const alea_game *game,
                                    const alea_ground *ground, const alea_deadline *deadline,
                                    alea_mem *mem) {
  alea_symmetry_options options = {.deadline = deadline, .layers_apart = true};
  alea_stage_symmetry *s = *stage = alea_mem_zalloc(mem, sizeof *s);
  if (s == NULL) return alea_mem_lack(mem);
  *s = (alea_stage_symmetry){.mem = mem, .game = game};
  alea_status status = alea_point_map_init(&s->points, game, ground, mem);
  if (status == ALEA_OK) status = alea_symmetry_graph(&s->graph, ground, &options, mem);
  if (status != ALEA_OK) {
    alea_stage_symmetry_free(s);
    *stage = NULL;
    return status;
  }
  for (uint32_t p = 0; p < s->points.ground_count; p++)
    if (s->points.to_game[p] == UINT32_MAX)
      alea_sym_graph_colour(s->graph, vertex_of(p), fixed_colour(p));
  return ALEA_OK;
}

void alea_stage_symmetry_free(alea_stage_symmetry *s) {
  if (s == NULL) return;
  alea_sym_graph_free(s->graph);
  alea_point_map_clear(&s->points);
  alea_mem_free(s->mem, s, sizeof *s);
}

size_t alea_stage_symmetry_size(const alea_stage_symmetry *s) {
  return alea_sym_graph_size(s->graph);
}

static void tie(const alea_stage_symmetry *s, alea_sym_graph *graph, uint32_t vertex,
                uint32_t game_point) {
  uint32_t point = s->points.to_ground[game_point];
  if (point != UINT32_MAX) alea_sym_graph_edge(graph, vertex, vertex_of(point));
}

/* One more constraint: what does not hold in the state follows from what does. */
static void add_nogood(const alea_stage_symmetry *s, alea_sym_graph *graph, uint32_t vertex,
                       const uint64_t *state, alea_stage_nogood nogood) {
  const alea_net *net = alea_net_of_game(s->game);
  alea_sym_graph_colour(graph, vertex, nogood_colour(s));
  for (uint32_t f = 0; f < net->fluent_count; f++)
    if (state[f / 64] >> (f % 64) & 1) tie(s, graph, vertex, f);
  tie(s, graph, vertex, net->fluent_count + net->move_first[nogood.role] + nogood.move);
}

typedef struct stage_collector {
  const alea_stage_symmetry *stage;
  alea_mem *mem;
  uint32_t *points; /* scratch: a permutation of the ground program's points */
  alea_u32s found;  /* generators in the numbers of the game */
  bool no_memory;
} stage_collector;

static void collect(void *data, const uint32_t *image) {
  stage_collector *c = data;
  const alea_point_map *map = &c->stage->points;
  for (uint32_t p = 0; p < map->ground_count; p++) c->points[p] = image[vertex_of(p)] - 1;
  if (!alea_game_symmetry_collect(map, c->points, &c->found, c->mem)) c->no_memory = true;
}

/* The generators of the graph with nogoods; ALEA_LIMIT: those found in time. */
static alea_status find_generators(stage_collector *c, const uint64_t *states,
                                   const alea_stage_nogood *nogoods, size_t count,
                                   const alea_deadline *deadline) {
  const alea_stage_symmetry *s = c->stage;
  uint32_t first = alea_sym_graph_vertices(s->graph);
  size_t width = ((size_t)alea_net_of_game(s->game)->fluent_count + 63) / 64;
  double order;
  alea_sym_graph *graph = alea_sym_graph_extended(s->graph, (uint32_t)count, c->mem);
  if (graph == NULL) return alea_mem_lack(c->mem);
  for (size_t i = 0; i < count; i++)
    add_nogood(s, graph, first + (uint32_t)i, states + i * width, nogoods[i]);
  alea_status status = alea_sym_automorphisms(graph, deadline, collect, c, &order);
  alea_sym_graph_free(graph);
  return c->no_memory || status == ALEA_SYSTEM ? alea_mem_lack(c->mem) : status;
}

alea_status alea_stage_symmetry_group(const alea_stage_symmetry *s, const uint64_t *states,
                                      const alea_stage_nogood *nogoods, size_t count,
                                      const alea_deadline *deadline, alea_mem *mem,
                                      alea_game_symmetry **group) {
  stage_collector c = {.stage = s, .mem = mem};
  uint32_t width = s->points.game_count;
  *group = NULL;
  c.points = alea_mem_calloc(mem, s->points.ground_count, sizeof *c.points);
  alea_status status = alea_mem_lack(mem);
  if (c.points != NULL) status = find_generators(&c, states, nogoods, count, deadline);
  if (!c.no_memory && (status == ALEA_OK || status == ALEA_LIMIT)) {
    alea_status made = alea_game_symmetry_of_generators(
        group, s->game, c.found.data, (uint32_t)(c.found.count / (width + !width)), mem);
    if (made != ALEA_OK) status = made;
  }
  alea_vec_clear(mem, &c.found);
  alea_mem_free(mem, c.points, s->points.ground_count * sizeof *c.points);
  return status;
}
