/* A game too large is given up at once and for good. */
#include "play/whole_game_cfr.h"

#include <stdlib.h>

void alea_whole_game_cfr_init(alea_whole_game_cfr *whole, uint32_t role, size_t memory,
                              const alea_mem *mem) {
  *whole = (alea_whole_game_cfr){.role = role, .steps = ALEA_NO_VIEW};
  alea_mem_init_with(&whole->mem, memory, mem);
}

static void close_game(alea_whole_game_cfr *whole) {
  alea_cfr_plus_clear(&whole->cfr);
  alea_public_graph_clear(&whole->graph);
  alea_vec_clear(&whole->mem, &whole->items);
  whole->cfr = (alea_cfr_plus){0};
  whole->graph = (alea_public_graph){0};
  whole->open = false;
}

void alea_whole_game_cfr_clear(alea_whole_game_cfr *whole) {
  if (whole->tried) close_game(whole);
}

void alea_whole_game_cfr_open(alea_whole_game_cfr *whole, const alea_game *game, uint64_t most,
                              alea_deadline deadline) {
  alea_public_options options = {.positions = most, .deadline = deadline};
  whole->tried = true;
  if (most == 0) return; /* which the graph would take for no limit */
  alea_status status = alea_public_graph_init(&whole->graph, game, &options, &whole->mem, NULL);
  if (status == ALEA_OK && alea_public_root(&whole->graph)->nodes <= most)
    whole->open = alea_cfr_plus_init(&whole->cfr, &whole->graph, &whole->mem) == ALEA_OK;
  if (whole->open)
    whole->player = whole->graph.roles[0] == whole->role ? 0 : 1;
  else
    close_game(whole);
}

/* ---- following the play ---- */

static int compare_ids(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Adds the step to 'steps', in the form of equilibrium/two_players.h. */
static bool add_step(alea_whole_game_cfr *whole, const alea_observation *observation) {
  alea_list percepts = observation->percepts;
  alea_u32s *items = &whole->items;
  items->count = 0;
  if (!alea_vec_reserve(&whole->mem, items, (size_t)percepts.count + 1)) return false;
  items->data[items->count++] = observation->own;
  for (uint32_t i = 0; i < percepts.count; i++) items->data[items->count++] = percepts.ids[i];
  if (percepts.count > 1) qsort(items->data + 1, percepts.count, sizeof *items->data, compare_ids);
  return alea_player_views_add(&whole->graph.views, whole->steps, whole->player, items->data,
                               (uint32_t)items->count, &whole->mem, &whole->steps);
}

static uint32_t hand_of_move(const alea_whole_game_cfr *whole, const alea_public_state *state,
                             uint32_t move) {
  const uint32_t *starts = whole->graph.starts.data + state->starts[whole->player];
  uint32_t hand = 0;
  if (state->even[whole->player] > 0) return move % state->hands[whole->player];
  while (starts[hand + 1] <= move) hand++;
  return hand;
}

/* Goes along the edge to which the steps belong, if they are complete. */
static void follow(alea_whole_game_cfr *whole) {
  const alea_public_graph *graph = &whole->graph;
  const alea_public_state *state = &graph->states.data[whole->state];
  uint64_t place = whole->place;
  for (uint32_t p = 0; p < 2; p++) place += state->chooses[p] ? state->moves[p] : 0;
  for (uint32_t e = 0; e < state->edges; e++) {
    const alea_public_edge *edge = &graph->edges.data[state->first_edge + e];
    const alea_public_state *child = &graph->states.data[edge->child];
    size_t links = edge->links[whole->player];
    for (uint32_t k = 0; k < child->hands[whole->player]; k++) {
      if (graph->steps.data[links + k] != whole->steps ||
          hand_of_move(whole, state, graph->links.data[links + k]) != whole->hand)
        continue;
      whole->state = edge->child;
      whole->hand = k;
      whole->place = place;
      whole->steps = ALEA_NO_VIEW;
      return;
    }
    place += child->places;
  }
}

void alea_whole_game_cfr_observe(alea_whole_game_cfr *whole, const alea_observation *observation) {
  if (!whole->open) {
    whole->tried = true; /* not from its start any more */
    return;
  }
  if (add_step(whole, observation))
    follow(whole);
  else
    close_game(whole);
}

/* ---- the average strategy ---- */

#define NEAR_EQUILIBRIUM 0.001

void alea_whole_game_cfr_settle(alea_whole_game_cfr *whole) {
  alea_exploitability found;
  if (!whole->open || whole->settled) return;
  alea_cfr_plus_measure(&whole->cfr, &found);
  whole->settled = found.gap <= NEAR_EQUILIBRIUM;
}

uint32_t alea_whole_game_cfr_moves(const alea_whole_game_cfr *whole) {
  if (!whole->open || whole->steps != ALEA_NO_VIEW) return 0;
  const alea_public_state *state = &whole->graph.states.data[whole->state];
  const uint32_t *starts = whole->graph.starts.data + state->starts[whole->player];
  return state->chooses[whole->player] ? starts[whole->hand + 1] - starts[whole->hand] : 0;
}

static double average(const alea_whole_game_cfr *whole, const alea_public_state *state,
                      uint32_t index) {
  const uint32_t *starts = whole->graph.starts.data + state->starts[whole->player];
  uint32_t even = state->even[whole->player];
  uint64_t move = even > 0 ? (uint64_t)index * state->hands[whole->player] + whole->hand
                           : (uint64_t)starts[whole->hand] + index;
  if (whole->player == 1 && state->chooses[0]) move += state->moves[0];
  double weight;
  alea_move_weights_load(&whole->cfr.averages, whole->place + move, 1, &weight);
  return weight;
}

alea_move alea_whole_game_cfr_move(const alea_whole_game_cfr *whole, uint32_t index,
                                   double *probability) {
  const alea_public_state *state = &whole->graph.states.data[whole->state];
  const uint32_t *starts = whole->graph.starts.data + state->starts[whole->player];
  uint32_t count = alea_whole_game_cfr_moves(whole);
  double total = 0;
  for (uint32_t i = 0; i < count; i++) total += average(whole, state, i);
  *probability = total > 0 ? average(whole, state, index) / total : 1.0 / count;
  return whole->graph.move_ids.data[state->move_ids[whole->player] + starts[whole->hand] + index];
}
