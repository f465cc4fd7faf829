/* Beliefs as nodes of a graph. */
#include "play/belief_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum {
  FIRST_NODES = 256,
  LEAST_DRAWS = 16, /* scenarios times draws, where chance throws */
  ASK_STEPS = 16,   /* between two looks at the clock */
};
static const float WEIGHT_GRAIN = 65536; /* weights that differ by less are the same */

alea_status alea_belief_graph_init(alea_belief_graph *graph, const alea_game *game, uint32_t role,
                                   size_t limit, alea_mem *mem) {
  *graph = (alea_belief_graph){.mem = mem, .game = game, .role = role, .limit = limit};
  alea_arena_init(&graph->arena, mem);
  graph->joint = alea_mem_calloc(mem, game->role_count, sizeof *graph->joint);
  if (graph->joint == NULL || !alea_hash_map_init(&graph->map, mem, FIRST_NODES) ||
      !alea_vec_push(mem, &graph->nodes, NULL))
    return alea_mem_lack(mem);
  return alea_cursor_new(game, mem, &graph->cursor);
}

void alea_belief_graph_clear(alea_belief_graph *graph) {
  if (graph->mem == NULL) return;
  alea_arena_clear(&graph->arena);
  alea_vec_clear(graph->mem, &graph->nodes);
  alea_hash_map_clear(&graph->map, graph->mem);
  alea_cursor_free(graph->cursor);
  alea_mem_free(graph->mem, graph->joint, graph->game->role_count * sizeof *graph->joint);
  alea_vec_clear(graph->mem, &graph->outcomes);
  alea_vec_clear(graph->mem, &graph->words);
}

void alea_belief_graph_empty(alea_belief_graph *graph) {
  alea_arena_clear(&graph->arena);
  alea_hash_map_empty(&graph->map);
  graph->nodes.count = 1;
  graph->used = 0;
}

/* Zeroed memory that lives as long as the nodes; NULL: no room. */
static void *take(alea_belief_graph *g, size_t wanted) {
  size_t size = (wanted + 15) / 16 * 16; /* what the arena takes for it */
  if (size > g->limit - g->used) return NULL;
  void *block = alea_arena_alloc(&g->arena, size);
  if (block == NULL) return NULL;
  g->used += size;
  return memset(block, 0, size);
}

/* ---- nodes ---- */

static uint64_t key_of_id(const void *context, uint32_t id) {
  const alea_belief_graph *g = context;
  return g->nodes.data[id]->key;
}

/* The weights of outcomes are those of their sources; within a belief they sum to 1. */
static uint64_t key_of(const alea_belief_outcome *outcomes, size_t count, float total) {
  uint64_t sum = count;
  for (size_t i = 0; i < count; i++) {
    uint64_t weight = (uint64_t)lroundf(outcomes[i].weight / total * WEIGHT_GRAIN);
    sum += alea_hash_mix(alea_hash_join(outcomes[i].hash, weight));
  }
  return sum;
}

static alea_status fill(alea_belief_graph *g, alea_belief_node *node,
                        const alea_belief_outcome *outcomes, float total) {
  for (uint32_t i = 0; i < node->scenario_count; i++) {
    size_t bytes = outcomes[i].word_count * sizeof(uint64_t);
    uint64_t *words = take(g, bytes);
    if (words == NULL) return ALEA_LIMIT;
    memcpy(words, g->words.data + outcomes[i].at, bytes);
    node->scenarios[i] = (alea_scenario){words, outcomes[i].word_count, outcomes[i].hash,
                                         outcomes[i].weight / total};
  }
  return ALEA_OK;
}

/* The node of outcomes that look alike, made where there is none.  ALEA_LIMIT: no room. */
static alea_status find_or_make(alea_belief_graph *g, const alea_belief_outcome *outcomes,
                                size_t count, float total, alea_belief_id *id) {
  uint64_t key = key_of(outcomes, count, total);
  if (!alea_hash_map_reserve(&g->map, g->mem, key_of_id, g)) return ALEA_LIMIT;
  alea_hash_probe probe = alea_hash_map_probe(&g->map, key);
  while (alea_hash_map_next(&g->map, &probe)) {
    *id = probe.id;
    if (g->nodes.data[probe.id]->key == key) return ALEA_OK;
  }
  alea_belief_node *node = take(g, sizeof *node);
  if (node == NULL) return ALEA_LIMIT;
  node->key = key;
  node->hi = 1;
  node->scenario_count = (uint32_t)count;
  node->scenarios = take(g, count * sizeof *node->scenarios);
  if (node->scenarios == NULL || fill(g, node, outcomes, total) != ALEA_OK) return ALEA_LIMIT;
  *id = (alea_belief_id)g->nodes.count;
  if (!alea_vec_push(g->mem, &g->nodes, node)) return ALEA_LIMIT;
  alea_hash_map_put(&g->map, probe, *id);
  return ALEA_OK;
}

/* ---- outcomes ---- */

static int by_percept(const void *a, const void *b) {
  const alea_belief_outcome *x = a, *y = b;
  if (x->percept != y->percept) return x->percept < y->percept ? -1 : 1;
  if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

static bool is_same(const alea_belief_graph *g, const alea_belief_outcome *a,
                    const alea_belief_outcome *b) {
  return a->percept == b->percept && a->hash == b->hash && a->word_count == b->word_count &&
         memcmp(g->words.data + a->at, g->words.data + b->at, a->word_count * sizeof(uint64_t)) ==
             0;
}

/* Sorts the outcomes by what is seen; equal ones become one. */
static void sort_outcomes(alea_belief_graph *g) {
  size_t kept = 0;
  if (g->outcomes.count == 0) return;
  alea_belief_outcome *outcomes = g->outcomes.data;
  qsort(outcomes, g->outcomes.count, sizeof *outcomes, by_percept);
  for (size_t i = 1; i < g->outcomes.count; i++) {
    if (is_same(g, &outcomes[kept], &outcomes[i])) {
      outcomes[kept].weight += outcomes[i].weight;
    } else {
      outcomes[++kept] = outcomes[i];
    }
  }
  g->outcomes.count = kept + 1;
}

/* Adds the cursor's position to the outcomes. */
static alea_status add_outcome(alea_belief_graph *g, uint64_t percept, float weight) {
  alea_belief_outcome outcome = {.percept = percept, .weight = weight, .at = g->words.count};
  const uint64_t *words = alea_cursor_state(g->cursor, &outcome.word_count);
  if (words == NULL || !alea_vec_reserve(g->mem, &g->words, outcome.word_count))
    return alea_mem_lack(g->mem);
  memcpy(g->words.data + g->words.count, words, outcome.word_count * sizeof *words);
  g->words.count += outcome.word_count;
  outcome.hash = alea_cursor_hash(g->cursor);
  return alea_vec_push(g->mem, &g->outcomes, outcome) ? ALEA_OK : alea_mem_lack(g->mem);
}

static void begin(alea_belief_graph *g) { g->outcomes.count = g->words.count = 0; }

alea_status alea_belief_graph_root(alea_belief_graph *graph, const alea_belief *belief,
                                   alea_belief_id *root, bool (*late)(void *context),
                                   void *context) {
  begin(graph);
  for (uint32_t i = 0; i < belief->live; i++) {
    if (i % ASK_STEPS == 0 && late(context)) return ALEA_LIMIT;
    alea_status status = alea_particle_load(&belief->now.data[i], graph->cursor);
    if (status == ALEA_OK) status = add_outcome(graph, 0, 1);
    if (status != ALEA_OK) return status;
  }
  sort_outcomes(graph);
  return find_or_make(graph, graph->outcomes.data, graph->outcomes.count, (float)belief->live,
                      root);
}

/* ---- arms ---- */

static alea_status load(alea_belief_graph *g, const alea_scenario *scenario) {
  return alea_cursor_load(g->cursor, scenario->words, scenario->word_count);
}

alea_status alea_belief_graph_open(alea_belief_graph *graph, alea_belief_node *node) {
  alea_list legal = {0};
  alea_status status = load(graph, &node->scenarios[0]);
  if (status == ALEA_OK) status = alea_cursor_legal(graph->cursor, graph->role, &legal);
  if (status != ALEA_OK) return status;
  if (legal.count == 0) return ALEA_NONE;
  node->arms = take(graph, legal.count * sizeof *node->arms);
  if (node->arms == NULL) return ALEA_LIMIT;
  for (uint32_t i = 0; i < legal.count; i++)
    node->arms[i] = (alea_belief_arm){.move = legal.ids[i], .hi = 1};
  node->arm_count = legal.count;
  return ALEA_OK;
}

/* Draws the others' moves at the cursor.  ALEA_NO: 'own' is not legal. */
static alea_status draw_joint(alea_belief_graph *g, alea_move own, alea_rng *rng, bool *chance) {
  for (uint32_t r = 0; r < g->game->role_count; r++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(g->cursor, r, &legal);
    if (status != ALEA_OK) return status;
    if (legal.count == 0 || (r == g->role && !alea_list_has(legal, own))) return ALEA_NO;
    if (r != g->role && legal.count > 1) *chance = true;
    g->joint[r] = r == g->role       ? own
                  : legal.count == 1 ? legal.ids[0]
                                     : legal.ids[alea_rng_below(rng, legal.count)];
  }
  return ALEA_OK;
}

/* Steps a scenario once; '*total' is the weight of all that could be stepped. */
static alea_status step(alea_belief_graph *g, const alea_scenario *scenario, float weight,
                        alea_belief_arm *arm, alea_rng *rng, float *total, bool *chance) {
  bool terminal = false;
  alea_list percepts = {0};
  alea_status status = load(g, scenario);
  if (status == ALEA_OK) status = draw_joint(g, arm->move, rng, chance);
  if (status == ALEA_NO) return ALEA_OK;
  if (status == ALEA_OK) status = alea_cursor_play(g->cursor, g->joint);
  if (status == ALEA_OK) status = alea_cursor_percepts(g->cursor, g->role, &percepts);
  uint64_t percept = alea_belief_percepts_hash(percepts);
  if (status == ALEA_OK) status = alea_cursor_terminal(g->cursor, &terminal);
  if (status != ALEA_OK) return status;
  g->steps++;
  *total += weight;
  if (!terminal) return add_outcome(g, percept, weight);
  int goal = 0;
  status = alea_cursor_goal(g->cursor, g->role, &goal);
  if (goal > 0) arm->reward += weight * (float)goal / 100;
  return status;
}

/* All scenarios, each so often that chance is seen. */
static alea_status step_all(alea_belief_graph *g, const alea_belief_node *node,
                            alea_belief_arm *arm, alea_rng *rng, float *total,
                            bool (*late)(void *context), void *context) {
  uint32_t draws = 1;
  for (uint32_t i = 0; i < node->scenario_count; i++) {
    const alea_scenario *scenario = &node->scenarios[i];
    bool chance = false;
    for (uint32_t d = 0; d < draws; d++) {
      if ((i * draws + d) % ASK_STEPS == 0 && late(context)) return ALEA_LIMIT;
      float weight = scenario->weight / (float)draws;
      alea_status status = step(g, scenario, weight, arm, rng, total, &chance);
      if (status != ALEA_OK) return status;
    }
    if (!chance || draws > 1 || node->scenario_count >= LEAST_DRAWS) continue;
    /* Chance throws: once more from the beginning, with several draws. */
    draws = (LEAST_DRAWS + node->scenario_count - 1) / node->scenario_count;
    begin(g);
    *total = arm->reward = 0;
    i = UINT32_MAX;
  }
  return ALEA_OK;
}

/* One edge for each percept among the outcomes. */
static alea_status make_edges(alea_belief_graph *g, alea_belief_arm *arm, float total) {
  const alea_belief_outcome *outcomes = g->outcomes.data;
  size_t count = g->outcomes.count;
  uint32_t kinds = 0;
  for (size_t i = 0; i < count; i++)
    kinds += i == 0 || outcomes[i].percept != outcomes[i - 1].percept;
  alea_belief_edge *edges = take(g, (kinds + 1u) * sizeof *edges);
  if (edges == NULL) return ALEA_LIMIT;
  kinds = 0;
  for (size_t first = 0, next; first < count; first = next) {
    float weight = 0;
    for (next = first; next < count && outcomes[next].percept == outcomes[first].percept; next++)
      weight += outcomes[next].weight;
    alea_belief_edge *edge = &edges[kinds++];
    alea_status status = find_or_make(g, outcomes + first, next - first, weight, &edge->to);
    if (status != ALEA_OK) return status;
    edge->share = weight / total;
  }
  arm->edges = edges;
  arm->edge_count = kinds;
  return ALEA_OK;
}

alea_status alea_belief_graph_try(alea_belief_graph *graph, const alea_belief_node *node,
                                  alea_belief_arm *arm, alea_rng *rng, bool (*late)(void *context),
                                  void *context) {
  float total = 0;
  begin(graph);
  arm->reward = 0;
  alea_status status = step_all(graph, node, arm, rng, &total, late, context);
  if (status != ALEA_OK) return status;
  sort_outcomes(graph);
  status = make_edges(graph, arm, total);
  if (status != ALEA_OK) return status;
  if (total > 0) arm->reward /= total;
  arm->tried = true;
  return ALEA_OK;
}
