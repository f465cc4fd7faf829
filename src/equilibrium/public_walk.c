/* One frame for each node on the path.  A child's reaches are gathered by the
 * links of its edge, and its values are spread by them. */
#include "equilibrium/public_walk.h"

#include <string.h>

#include "equilibrium/public_ends.h"

typedef struct alea_walk_frame {
  const alea_public_state *state;
  uint64_t place; /* of the node; places of the player at work are at 'own_place' */
  uint64_t own_place;
  uint64_t next_place; /* of the child that comes next */
  uint32_t next_edge;
  bool seen;           /* the other player, or chance, may come here */
  double *own, *other; /* reach by hand */
  double *values;      /* of the player's hands */
  double *shares;      /* by move of the player: its strategy */
  double *gains;       /* by move of the player: values of the children */
  double *own_moves;   /* reach by move */
  double *other_moves; /* the same of the other player */
  double *rest;        /* free numbers beyond the frame */
} public_frame;

bool alea_public_walk_init(alea_public_walk *walk, const alea_public_graph *graph, alea_mem *mem) {
  const alea_public_state *root = alea_public_root(graph);
  *walk = (alea_public_walk){.graph = graph, .mem = mem};
  for (size_t k = 0; k < graph->order.count; k++) {
    const alea_public_state *state = &graph->states.data[graph->order.data[k]];
    size_t hands = (size_t)state->hands[0] + state->hands[1];
    if (hands > walk->sum_count) walk->sum_count = hands;
  }
  walk->number_count = (size_t)root->scratch;
  walk->frames = alea_mem_calloc(mem, root->depth, sizeof *walk->frames);
  walk->numbers = alea_mem_calloc(mem, walk->number_count, sizeof *walk->numbers);
  walk->sums = alea_mem_calloc(mem, walk->sum_count, sizeof *walk->sums);
  return walk->frames != NULL && walk->numbers != NULL && walk->sums != NULL;
}

void alea_public_walk_clear(alea_public_walk *walk) {
  if (walk->mem == NULL) return;
  size_t depth = alea_public_root(walk->graph)->depth;
  alea_mem_free(walk->mem, walk->frames, depth * sizeof *walk->frames);
  alea_mem_free(walk->mem, walk->numbers, walk->number_count * sizeof *walk->numbers);
  alea_mem_free(walk->mem, walk->sums, walk->sum_count * sizeof *walk->sums);
}

static const uint32_t *starts_of(const alea_public_walk *walk, const alea_public_state *state,
                                 uint32_t player) {
  return walk->graph->starts.data + state->starts[player];
}

/* Weights become probabilities, hand by hand. */
static void normalise_each(const uint32_t *starts, uint32_t hands, double *weights) {
  for (uint32_t h = 0; h < hands; h++) {
    double total = 0, count = starts[h + 1] - starts[h];
    for (uint32_t i = starts[h]; i < starts[h + 1]; i++) total += weights[i];
    for (uint32_t i = starts[h]; i < starts[h + 1]; i++)
      weights[i] = total > 0 ? weights[i] / total : 1 / count;
  }
}

/* The same where all hands have 'each' moves, all hands at once. */
static void normalise_even(uint32_t hands, uint32_t each, double *restrict sums,
                           double *restrict weights) {
  double *restrict scales = sums, *restrict uniform = sums + hands;
  for (uint32_t h = 0; h < hands; h++) scales[h] = weights[h];
  for (uint32_t i = 1; i < each; i++)
    for (uint32_t h = 0; h < hands; h++) scales[h] += weights[i * hands + h];
  for (uint32_t h = 0; h < hands; h++) {
    double total = scales[h];
    uniform[h] = total > 0 ? 0 : 1.0 / each;
    scales[h] = total > 0 ? 1 / total : 0;
  }
  for (uint32_t i = 0; i < each; i++)
    for (uint32_t h = 0; h < hands; h++)
      weights[i * hands + h] = weights[i * hands + h] * scales[h] + uniform[h];
}

/* to[i] = weights[i] * reach of its hand; they may be the same. */
static void spread(const alea_public_walk *walk, const alea_public_state *state, uint32_t player,
                   const double *reach, const double *weights, double *to) {
  uint32_t hands = state->hands[player], each = state->even[player];
  const uint32_t *starts = starts_of(walk, state, player);
  for (uint32_t i = 0; i < each; i++)
    for (uint32_t h = 0; h < hands; h++) to[i * hands + h] = reach[h] * weights[i * hands + h];
  for (uint32_t h = 0; h < hands && each == 0; h++)
    for (uint32_t i = starts[h]; i < starts[h + 1]; i++) to[i] = reach[h] * weights[i];
}

/* Gives the vectors of a frame their places. */
static void lay_out(const alea_public_walk *walk, public_frame *frame,
                    const alea_public_state *state, uint64_t place, double *numbers) {
  uint32_t own = walk->player, other = 1 - own;
  frame->state = state;
  frame->place = place;
  frame->own = numbers;
  frame->other = frame->own + state->hands[own];
  frame->values = frame->other + state->hands[other];
  frame->shares = frame->values + state->hands[own];
  frame->gains = frame->shares + state->moves[own];
  frame->own_moves = frame->gains + state->moves[own];
  frame->other_moves = frame->own_moves + state->moves[own];
  frame->rest = frame->other_moves + state->moves[other];
}

/* The player's strategy is added to its averages. */
static void add_average(alea_public_walk *walk, public_frame *frame) {
  const alea_public_state *state = frame->state;
  uint32_t moves = state->moves[walk->player];
  double *averages = frame->gains; /* not in use yet */
  alea_move_weights_load(walk->averages, frame->own_place, moves, averages);
  for (uint32_t i = 0; i < moves; i++) averages[i] += walk->weight * frame->own_moves[i];
  alea_move_weights_store(walk->averages, frame->own_place, moves, averages);
}

/* Reach by move, from reach by hand and the strategy that was loaded; both are
 * the same where every hand has one move.  In a state with ends, hands may have
 * none. */
static double *reach_of_moves(const alea_public_walk *walk, const public_frame *frame,
                              uint32_t player, double *reach, double *strategy, double *moves) {
  const alea_public_state *state = frame->state;
  if (!state->chooses[player] && state->moves[player] == state->hands[player]) return reach;
  if (!state->chooses[player])
    for (uint32_t i = 0; i < state->moves[player]; i++) strategy[i] = 1;
  spread(walk, state, player, reach, strategy, moves);
  return moves;
}

static void load_strategy(const alea_public_walk *walk, const public_frame *frame, uint32_t player,
                          uint64_t place, double *strategy) {
  const alea_public_state *state = frame->state;
  if (!state->chooses[player]) return;
  alea_move_weights_load(walk->strategy, place, state->moves[player], strategy);
  if (state->even[player] > 0)
    normalise_even(state->hands[player], state->even[player], walk->sums, strategy);
  else
    normalise_each(starts_of(walk, state, player), state->hands[player], strategy);
}

/* The reaches are there; from now on the frame is ready for its children. */
static void enter(alea_public_walk *walk, public_frame *frame) {
  const alea_public_state *state = frame->state;
  uint32_t own = walk->player, other = 1 - own;
  uint64_t places[2] = {frame->place, frame->place + (state->chooses[0] ? state->moves[0] : 0)};
  frame->own_place = places[own];
  frame->next_place = places[1] + (state->chooses[1] ? state->moves[1] : 0);
  frame->next_edge = 0;
  load_strategy(walk, frame, other, places[other], frame->other_moves);
  frame->other_moves =
      reach_of_moves(walk, frame, other, frame->other, frame->other_moves, frame->other_moves);
  if (walk->kind != ALEA_WALK_BEST)
    load_strategy(walk, frame, own, frame->own_place, frame->shares);
  if (walk->kind == ALEA_WALK_LEARN) {
    frame->own_moves =
        reach_of_moves(walk, frame, own, frame->own, frame->shares, frame->own_moves);
    if (state->chooses[own]) add_average(walk, frame);
  }
  memset(frame->values, 0, state->hands[own] * sizeof *frame->values);
  if (state->end != ALEA_NO_END)
    alea_public_end_add(walk->graph, state, own, frame->other, 1, walk->sums, frame->values);
  memset(frame->gains, 0, state->moves[own] * sizeof *frame->gains);
}

/* ---- upward ---- */

/* What a hand gets from its moves: of one, of the best, or as its strategy says. */
static void choose_each(const alea_public_walk *walk, const public_frame *frame, bool best,
                        double *values) {
  const alea_public_state *state = frame->state;
  const uint32_t *starts = starts_of(walk, state, walk->player);
  for (uint32_t h = 0; h < state->hands[walk->player]; h++) {
    double value = starts[h] < starts[h + 1] && best ? frame->gains[starts[h]] : 0;
    for (uint32_t i = starts[h]; i < starts[h + 1]; i++)
      if (best)
        value = frame->gains[i] > value ? frame->gains[i] : value;
      else
        value += frame->shares[i] * frame->gains[i];
    values[h] = value;
  }
}

static void choose_even(const alea_public_walk *walk, const public_frame *frame, bool best,
                        double *restrict values) {
  const alea_public_state *state = frame->state;
  uint32_t hands = state->hands[walk->player], each = state->even[walk->player];
  const double *gains = frame->gains, *shares = frame->shares;
  for (uint32_t h = 0; h < hands; h++) values[h] = best ? gains[h] : shares[h] * gains[h];
  for (uint32_t i = 1; i < each; i++) {
    gains += hands;
    shares += hands;
    for (uint32_t h = 0; h < hands && best; h++)
      values[h] = gains[h] > values[h] ? gains[h] : values[h];
    for (uint32_t h = 0; h < hands && !best; h++) values[h] += shares[h] * gains[h];
  }
}

/* Gains become regrets, and the player's table learns them. */
static void learn(alea_public_walk *walk, public_frame *frame, const double *values) {
  const alea_public_state *state = frame->state;
  const uint32_t *starts = starts_of(walk, state, walk->player);
  uint32_t hands = state->hands[walk->player], each = state->even[walk->player];
  uint32_t moves = state->moves[walk->player];
  double *restrict gains = frame->gains, *restrict regrets = frame->shares; /* free by now */
  for (uint32_t i = 0; i < each; i++)
    for (uint32_t h = 0; h < hands; h++) gains[i * hands + h] -= values[h];
  for (uint32_t h = 0; h < hands && each == 0; h++)
    for (uint32_t i = starts[h]; i < starts[h + 1]; i++) gains[i] -= values[h];
  alea_move_weights_load(walk->regrets, frame->own_place, moves, regrets);
  for (uint32_t i = 0; i < moves; i++) {
    double regret = regrets[i] + gains[i];
    regrets[i] = regret > 0 ? regret : 0;
  }
  alea_move_weights_store(walk->regrets, frame->own_place, moves, regrets);
}

static void leave(alea_public_walk *walk, public_frame *frame) {
  const alea_public_state *state = frame->state;
  bool chooses = state->chooses[walk->player];
  bool best = !chooses || walk->kind == ALEA_WALK_BEST;
  double *values = walk->sums;
  if (state->even[walk->player] > 0)
    choose_even(walk, frame, best, values);
  else
    choose_each(walk, frame, best, values);
  for (uint32_t h = 0; h < state->hands[walk->player]; h++) frame->values[h] += values[h];
  if (walk->kind == ALEA_WALK_LEARN && frame->seen && chooses) learn(walk, frame, values);
}

/* ---- edges ---- */

/* to[k] = share * from[links[k]]; whether any of them is not 0. */
static bool gather(const double *restrict from, const uint32_t *links, bool straight,
                   uint32_t count, double share, double *restrict to) {
  double most = 0;
  if (straight)
    for (uint32_t k = 0; k < count; k++) to[k] = share * from[links[0] + k];
  else
    for (uint32_t k = 0; k < count; k++) to[k] = share * from[links[k]];
  for (uint32_t k = 0; k < count; k++) most = to[k] > most ? to[k] : most;
  return most > 0;
}

static void give_back(const alea_public_walk *walk, public_frame *frame,
                      const alea_public_edge *edge, uint32_t hands, const double *values) {
  const uint32_t *links = walk->graph->links.data + edge->links[walk->player];
  if (edge->straight[walk->player])
    for (uint32_t k = 0; k < hands; k++) frame->gains[links[0] + k] += values[k];
  else
    for (uint32_t k = 0; k < hands; k++) frame->gains[links[k]] += values[k];
}

/* Ends need no frame of their own. */
static void end_edge(const alea_public_walk *walk, public_frame *frame,
                     const alea_public_edge *edge, const alea_public_state *child) {
  uint32_t own = walk->player, other = 1 - own;
  const uint32_t *links = walk->graph->links.data;
  if (edge->straight[own] && edge->straight[other]) {
    alea_public_end_add(walk->graph, child, own, frame->other_moves + links[edge->links[other]],
                        edge->share, walk->sums, frame->gains + links[edge->links[own]]);
    return;
  }
  double *reach = frame->rest, *values = reach + child->hands[other];
  memset(values, 0, child->hands[own] * sizeof *values);
  gather(frame->other_moves, links + edge->links[other], false, child->hands[other], 1, reach);
  alea_public_end_add(walk->graph, child, own, reach, edge->share, walk->sums, values);
  give_back(walk, frame, edge, child->hands[own], values);
}

/* Makes the frame of the edge's child; false where nobody comes there. */
static bool go_down(alea_public_walk *walk, const public_frame *frame, public_frame *below,
                    const alea_public_edge *edge, const alea_public_state *child) {
  const uint32_t *links = walk->graph->links.data;
  uint32_t own = walk->player, other = 1 - own;
  bool reached = false;
  lay_out(walk, below, child, frame->next_place, frame->rest);
  below->seen = gather(frame->other_moves, links + edge->links[other], edge->straight[other],
                       child->hands[other], edge->share, below->other);
  if (walk->kind == ALEA_WALK_LEARN)
    reached = gather(frame->own_moves, links + edge->links[own], edge->straight[own],
                     child->hands[own], 1, below->own);
  if (!below->seen && !reached) return false;
  enter(walk, below);
  return true;
}

static void walk_tree(alea_public_walk *walk) {
  const alea_public_graph *graph = walk->graph;
  public_frame *frames = walk->frames;
  lay_out(walk, &frames[0], alea_public_root(graph), 0, walk->numbers);
  frames[0].own[0] = frames[0].other[0] = 1; /* the root has one hand each */
  frames[0].seen = true;
  enter(walk, &frames[0]);
  for (size_t depth = 0;;) {
    public_frame *frame = &frames[depth];
    if (frame->next_edge < frame->state->edges) {
      const alea_public_edge *edge =
          &graph->edges.data[frame->state->first_edge + frame->next_edge++];
      const alea_public_state *child = &graph->states.data[edge->child];
      if (child->edges == 0)
        end_edge(walk, frame, edge, child);
      else if (go_down(walk, frame, &frames[depth + 1], edge, child))
        depth++;
      frame->next_place += child->places;
      continue;
    }
    leave(walk, frame);
    if (depth == 0) return;
    public_frame *above = &frames[--depth];
    const alea_public_edge *edge =
        &graph->edges.data[above->state->first_edge + above->next_edge - 1];
    give_back(walk, above, edge, frame->state->hands[walk->player], frame->values);
  }
}

double alea_public_walk_value(alea_public_walk *walk, alea_walk_kind kind, uint32_t player,
                              const alea_move_weights *strategy) {
  walk->kind = kind;
  walk->player = player;
  walk->strategy = strategy;
  walk_tree(walk);
  return walk->frames[0].values[0];
}

void alea_public_walk_learn(alea_public_walk *walk, uint32_t player, alea_move_weights *regrets,
                            alea_move_weights *averages, double weight) {
  walk->regrets = regrets;
  walk->averages = averages;
  walk->weight = weight;
  alea_public_walk_value(walk, ALEA_WALK_LEARN, player, regrets);
}
