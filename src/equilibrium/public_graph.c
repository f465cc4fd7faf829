/* Building, passing over, merging, and the sizes of the tree. */
#include "equilibrium/public_graph.h"

#include "equilibrium/public_build.h"
#include "equilibrium/public_ends.h"
#include "equilibrium/public_merge.h"

/* ---- order ---- */

/* Numbers of edges into the states on some path; false without memory. */
static bool count_parents(alea_public_graph *graph, uint32_t *parents) {
  alea_u32s *order = &graph->order;
  order->count = 0;
  if (!alea_vec_push(graph->mem, order, 0)) return false;
  for (size_t k = 0; k < order->count; k++) {
    const alea_public_state *state = &graph->states.data[order->data[k]];
    for (uint32_t e = 0; e < state->edges; e++) {
      uint32_t child = graph->edges.data[state->first_edge + e].child;
      if (parents[child]++ == 0 && !alea_vec_push(graph->mem, order, child)) return false;
    }
  }
  return true;
}

/* A state comes when all its parents have; '*whole' is false where some never do,
 * for they are in a circle. */
static bool sort_states(alea_public_graph *graph, bool *whole) {
  size_t size = graph->states.count * sizeof(uint32_t);
  uint32_t *parents = alea_mem_zalloc(graph->mem, size);
  if (parents == NULL) return false;
  alea_u32s *order = &graph->order;
  bool good = count_parents(graph, parents);
  size_t reached = order->count, next = 0;
  *whole = good && parents[0] == 0;
  for (size_t k = 0; *whole && k <= next && k < reached; k++) {
    const alea_public_state *state = &graph->states.data[order->data[k]];
    for (uint32_t e = 0; e < state->edges; e++) {
      uint32_t child = graph->edges.data[state->first_edge + e].child;
      if (--parents[child] == 0) order->data[++next] = child;
    }
  }
  if (next + 1 != reached) *whole = false;
  alea_mem_free(graph->mem, parents, size);
  return good;
}

/* ---- sizes ---- */

static uint64_t add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

/* What a walk needs for one node: reaches and moves of both, gains, shares and
 * values; see equilibrium/public_walk.c. */
static uint64_t scratch_of(const alea_public_state *state) {
  uint64_t hands = (uint64_t)state->hands[0] + state->hands[1];
  uint64_t moves = (uint64_t)state->moves[0] + state->moves[1];
  return 2 * hands + 3 * moves;
}

static void measure(alea_public_graph *graph) {
  for (size_t k = graph->order.count; k-- > 0;) {
    alea_public_state *state = &graph->states.data[graph->order.data[k]];
    state->places = state->chooses[0] ? state->moves[0] : 0;
    state->places += state->chooses[1] ? state->moves[1] : 0;
    state->sets = state->sets_here;
    state->nodes = 1;
    state->depth = 0;
    state->scratch = 0;
    for (uint32_t e = 0; e < state->edges; e++) {
      const alea_public_state *child =
          &graph->states.data[graph->edges.data[state->first_edge + e].child];
      state->places = add(state->places, child->places);
      state->sets = add(state->sets, child->sets);
      state->nodes = add(state->nodes, child->nodes);
      if (child->depth > state->depth) state->depth = child->depth;
      if (child->scratch > state->scratch) state->scratch = child->scratch;
    }
    state->depth++;
    state->scratch += scratch_of(state);
  }
}

/* ---- numbers of moves ---- */

static uint32_t moves_of_each(const alea_public_graph *graph, const alea_public_state *state,
                              uint32_t player) {
  const uint32_t *starts = graph->starts.data + state->starts[player];
  for (uint32_t h = 0; h < state->hands[player]; h++)
    if (starts[h + 1] - starts[h] != starts[1]) return 0;
  return starts[1];
}

/* Where all hands have equally many moves, the links count by move and not by
 * hand. */
static void straighten(alea_public_graph *graph, alea_public_state *state, uint32_t player) {
  uint32_t each = moves_of_each(graph, state, player), hands = state->hands[player];
  state->even[player] = each;
  for (uint32_t e = 0; e < state->edges; e++) {
    alea_public_edge *edge = &graph->edges.data[state->first_edge + e];
    uint32_t *links = graph->links.data + edge->links[player];
    edge->straight[player] = true;
    for (uint32_t k = 0; k < graph->states.data[edge->child].hands[player]; k++) {
      if (each > 0) links[k] = links[k] % each * hands + links[k] / each;
      if (links[k] != links[0] + k) edge->straight[player] = false;
    }
  }
}

/* ---- the graph ---- */

static alea_status lack(const alea_public_graph *graph, alea_diag *diag) {
  if (graph->mem->hit_limit)
    alea_diag_error(diag, (alea_place){0}, "memory-limit",
                    "the public states do not fit into %zu MB of memory (the limit is --memory)",
                    graph->mem->limit >> 20);
  return alea_mem_lack(graph->mem);
}

static alea_status finish(alea_public_graph *graph, bool merge_hands, alea_diag *diag) {
  bool whole;
  if (!sort_states(graph, &whole)) return lack(graph, diag);
  if (!whole) {
    alea_diag_error(diag, (alea_place){0}, "step-limit",
                    "positions repeat, so that a play may take more than %d steps",
                    ALEA_MOST_STEPS);
    return ALEA_LIMIT;
  }
  if (!alea_public_pass_over(graph) || !sort_states(graph, &whole) ||
      (merge_hands && !alea_public_merge_hands(graph)) || !alea_public_ends_fill(graph))
    return lack(graph, diag);
  for (size_t k = 0; k < graph->order.count; k++)
    for (uint32_t p = 0; p < 2; p++)
      straighten(graph, &graph->states.data[graph->order.data[k]], p);
  measure(graph);
  return ALEA_OK;
}

alea_status alea_public_graph_init(alea_public_graph *graph, const alea_game *game,
                                   const alea_public_options *options, alea_mem *mem,
                                   alea_diag *diag) {
  *graph = (alea_public_graph){.mem = mem, .game = game};
  alea_two_players two;
  alea_status status = alea_two_players_init(&two, game, mem, diag);
  for (uint32_t p = 0; p < 2; p++) graph->roles[p] = two.roles[p];
  if (status == ALEA_OK) status = alea_public_build(graph, options, &two);
  alea_two_players_clear(&two);
  return status == ALEA_OK ? finish(graph, options->merge_hands, diag) : status;
}

void alea_public_graph_clear(alea_public_graph *graph) {
  alea_mem *mem = graph->mem;
  if (mem == NULL) return;
  alea_player_views_clear(&graph->views, mem);
  alea_vec_clear(mem, &graph->states);
  alea_vec_clear(mem, &graph->edges);
  alea_vec_clear(mem, &graph->starts);
  alea_vec_clear(mem, &graph->move_ids);
  alea_vec_clear(mem, &graph->links);
  alea_vec_clear(mem, &graph->steps);
  alea_vec_clear(mem, &graph->payoffs);
  alea_vec_clear(mem, &graph->order);
  alea_vec_clear(mem, &graph->ends);
  alea_vec_clear(mem, &graph->end_classes);
  alea_vec_clear(mem, &graph->end_numbers);
}
