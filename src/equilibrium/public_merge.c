/* Partition refinement: hands are of one class until something tells them apart.
 * Upward, what can still happen to them; downward, where they come from.  A class
 * is named by the smallest of its hands. */
#include "equilibrium/public_merge.h"

#include <stdlib.h>
#include <string.h>

/* Something that tells hands apart: words 'first' .. 'first + count - 1'. */
typedef struct hand_key {
  uint32_t hand;
  size_t first, count;
  const uint64_t *words; /* set before sorting */
} hand_key;

/* What a move of a hand leads to. */
typedef struct hand_link {
  uint32_t hand, edge, move, class;
} hand_link;

typedef struct hand_merge {
  alea_public_graph *graph;
  alea_mem *mem;
  alea_u64s first; /* by state and player: its hands in 'classes' */
  alea_u32s classes;
  alea_u64s words;
  ALEA_VEC(hand_key) keys;
  ALEA_VEC(hand_link) links;
  alea_u32s hand_of[2]; /* by move of the state at work */
  alea_u32s numbers;    /* by hand of a child: its new number */
  bool changed;
} hand_merge;

static uint32_t *classes_of(const hand_merge *m, uint32_t state, uint32_t player) {
  return m->classes.data + m->first.data[2 * (size_t)state + player];
}

static bool init(hand_merge *m) {
  const alea_public_graph *graph = m->graph;
  for (size_t s = 0; s < graph->states.count; s++)
    for (uint32_t p = 0; p < 2; p++) {
      uint32_t hands = graph->states.data[s].hands[p];
      if (!alea_vec_push(m->mem, &m->first, m->classes.count) ||
          !alea_vec_reserve(m->mem, &m->classes, hands))
        return false;
      memset(m->classes.data + m->classes.count, 0, hands * sizeof *m->classes.data);
      m->classes.count += hands;
    }
  return true;
}

/* ---- refinement ---- */

static int compare(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_words(const hand_key *x, const hand_key *y) {
  int order = compare(x->count, y->count);
  for (size_t i = 0; order == 0 && i < x->count; i++) order = compare(x->words[i], y->words[i]);
  return order;
}

static int compare_keys(const void *a, const void *b) {
  const hand_key *x = a, *y = b;
  int order = compare_words(x, y);
  return order != 0 ? order : compare(x->hand, y->hand);
}

static int compare_links(const void *a, const void *b) {
  const hand_link *x = a, *y = b;
  int order = compare(x->hand, y->hand);
  if (order == 0) order = compare(x->edge, y->edge);
  if (order == 0) order = compare(x->move, y->move);
  return order != 0 ? order : compare(x->class, y->class);
}

/* Hands with different keys are of different classes. */
static void refine(hand_merge *m, uint32_t *classes) {
  hand_key *keys = m->keys.data;
  for (size_t i = 0; i < m->keys.count; i++) keys[i].words = m->words.data + keys[i].first;
  if (m->keys.count > 1) qsort(keys, m->keys.count, sizeof *keys, compare_keys);
  for (size_t i = 0, first = 0; i < m->keys.count; i++) {
    if (i > 0 && compare_words(&keys[first], &keys[i]) != 0) first = i;
    if (classes[keys[i].hand] != keys[first].hand) m->changed = true;
    classes[keys[i].hand] = keys[first].hand;
  }
}

static bool open_key(hand_merge *m, uint32_t hand) {
  return alea_vec_push(m->mem, &m->keys, (hand_key){hand, m->words.count, 0, NULL});
}

static bool add_word(hand_merge *m, uint64_t word) {
  m->keys.data[m->keys.count - 1].count++;
  return alea_vec_push(m->mem, &m->words, word);
}

static bool add_real(hand_merge *m, double real) {
  uint64_t word;
  memcpy(&word, &real, sizeof word);
  return add_word(m, word);
}

static bool list_hands_of_moves(hand_merge *m, const alea_public_state *state, uint32_t player) {
  alea_u32s *hand_of = &m->hand_of[player];
  const uint32_t *starts = m->graph->starts.data + state->starts[player];
  hand_of->count = 0;
  if (!alea_vec_reserve(m->mem, hand_of, state->moves[player])) return false;
  for (uint32_t h = 0; h < state->hands[player]; h++)
    for (uint32_t i = starts[h]; i < starts[h + 1]; i++) hand_of->data[hand_of->count++] = h;
  return true;
}

static bool list_links(hand_merge *m, const alea_public_state *state, uint32_t player) {
  const alea_public_graph *graph = m->graph;
  const uint32_t *starts = graph->starts.data + state->starts[player];
  m->links.count = 0;
  for (uint32_t e = 0; e < state->edges; e++) {
    const alea_public_edge *edge = &graph->edges.data[state->first_edge + e];
    const uint32_t *links = graph->links.data + edge->links[player];
    const uint32_t *classes = classes_of(m, edge->child, player);
    for (uint32_t k = 0; k < graph->states.data[edge->child].hands[player]; k++) {
      uint32_t hand = m->hand_of[player].data[links[k]];
      if (!alea_vec_push(m->mem, &m->links,
                         (hand_link){hand, e, links[k] - starts[hand], classes[k]}))
        return false;
    }
  }
  if (m->links.count > 1)
    qsort(m->links.data, m->links.count, sizeof *m->links.data, compare_links);
  return true;
}

/* The payoffs of both players against each hand of the other. */
static bool add_payoffs(hand_merge *m, const alea_public_state *state, uint32_t player,
                        uint32_t hand) {
  size_t pairs = (size_t)state->hands[0] * state->hands[1];
  const double *payoffs = m->graph->payoffs.data + state->end;
  for (size_t other = 0; other < state->hands[1 - player]; other++) {
    size_t pair =
        player == 0 ? (size_t)hand * state->hands[1] + other : other * state->hands[1] + hand;
    if (!add_real(m, payoffs[pair]) || !add_real(m, payoffs[pairs + pair])) return false;
  }
  return true;
}

/* Upward: by payoffs, number of moves and what they lead to. */
static bool refine_by_future(hand_merge *m, uint32_t s, uint32_t player) {
  const alea_public_state *state = &m->graph->states.data[s];
  const uint32_t *starts = m->graph->starts.data + state->starts[player];
  uint32_t *classes = classes_of(m, s, player);
  size_t link = 0;
  m->keys.count = m->words.count = 0;
  if (!list_hands_of_moves(m, state, player) || !list_links(m, state, player)) return false;
  for (uint32_t h = 0; h < state->hands[player]; h++) {
    if (!open_key(m, h) || !add_word(m, classes[h]) || !add_word(m, starts[h + 1] - starts[h]))
      return false;
    if (state->end != ALEA_NO_END && !add_payoffs(m, state, player, h)) return false;
    for (; link < m->links.count && m->links.data[link].hand == h; link++) {
      hand_link at = m->links.data[link];
      if (!add_word(m, at.edge) || !add_word(m, at.move) || !add_word(m, at.class)) return false;
    }
  }
  refine(m, classes);
  return true;
}

/* Downward: by the class and the move from which the edge leads here. */
static bool refine_by_past(hand_merge *m, uint32_t s, uint32_t player) {
  const alea_public_graph *graph = m->graph;
  const alea_public_state *state = &graph->states.data[s];
  const uint32_t *starts = graph->starts.data + state->starts[player];
  const uint32_t *parents = classes_of(m, s, player);
  if (!list_hands_of_moves(m, state, player)) return false;
  for (uint32_t e = 0; e < state->edges; e++) {
    const alea_public_edge *edge = &graph->edges.data[state->first_edge + e];
    const uint32_t *links = graph->links.data + edge->links[player];
    uint32_t *classes = classes_of(m, edge->child, player);
    m->keys.count = m->words.count = 0;
    for (uint32_t k = 0; k < graph->states.data[edge->child].hands[player]; k++) {
      uint32_t hand = m->hand_of[player].data[links[k]];
      if (!open_key(m, k) || !add_word(m, classes[k]) || !add_word(m, parents[hand]) ||
          !add_word(m, links[k] - starts[hand]))
        return false;
    }
    refine(m, classes);
  }
  return true;
}

static bool find_classes(hand_merge *m) {
  const alea_u32s *order = &m->graph->order;
  do {
    m->changed = false;
    for (size_t k = order->count; k-- > 0;)
      for (uint32_t p = 0; p < 2; p++)
        if (!refine_by_future(m, order->data[k], p)) return false;
    for (size_t k = 0; k < order->count; k++)
      for (uint32_t p = 0; p < 2; p++)
        if (!refine_by_past(m, order->data[k], p)) return false;
  } while (m->changed);
  return true;
}

/* ---- merging ---- */

/* In place: what is written is never ahead of what is read. */
static void merge_links(hand_merge *m, uint32_t s, uint32_t player) {
  alea_public_graph *graph = m->graph;
  const alea_public_state *state = &graph->states.data[s];
  const uint32_t *starts = graph->starts.data + state->starts[player];
  const uint32_t *classes = classes_of(m, s, player);
  for (uint32_t e = 0; e < state->edges; e++) {
    const alea_public_edge *edge = &graph->edges.data[state->first_edge + e];
    const uint32_t *children = classes_of(m, edge->child, player);
    uint32_t *links = graph->links.data + edge->links[player];
    uint32_t *steps = graph->steps.data + edge->links[player];
    uint32_t kept = 0, hands = graph->states.data[edge->child].hands[player];
    for (uint32_t k = 0; k < hands; k++) {
      if (children[k] != k) continue;
      uint32_t hand = m->hand_of[player].data[links[k]];
      uint32_t first = m->numbers.data[classes[hand]];
      links[kept] = first + (links[k] - starts[hand]);
      steps[kept++] = steps[k];
    }
  }
}

/* The first moves of the classes, by the hand that names them. */
static bool number_moves(hand_merge *m, uint32_t s, uint32_t player) {
  const alea_public_state *state = &m->graph->states.data[s];
  const uint32_t *starts = m->graph->starts.data + state->starts[player];
  const uint32_t *classes = classes_of(m, s, player);
  uint32_t moves = 0;
  m->numbers.count = 0;
  if (!alea_vec_reserve(m->mem, &m->numbers, state->hands[player])) return false;
  for (uint32_t h = 0; h < state->hands[player]; h++) {
    m->numbers.data[m->numbers.count++] = moves;
    if (classes[h] == h) moves += starts[h + 1] - starts[h];
  }
  return true;
}

static void merge_moves(hand_merge *m, alea_public_state *state, const uint32_t *classes,
                        uint32_t player) {
  uint32_t *starts = m->graph->starts.data + state->starts[player];
  uint32_t *moves = m->graph->move_ids.data + state->move_ids[player];
  uint32_t kept = 0, count = 0, first = 0;
  for (uint32_t h = 0; h < state->hands[player]; h++) {
    uint32_t end = starts[h + 1];
    if (classes[h] == h) {
      for (uint32_t i = first; i < end; i++) moves[count + i - first] = moves[i];
      starts[kept++] = count;
      count += end - first;
    }
    first = end;
  }
  starts[kept] = count;
  state->hands[player] = kept;
  state->moves[player] = count;
}

/* The payoffs of merged hands add up. */
static void merge_payoffs(hand_merge *m, const alea_public_state *state, uint32_t s) {
  size_t rows = state->hands[0], columns = state->hands[1], pairs = rows * columns;
  double *payoffs = m->graph->payoffs.data + state->end;
  const uint32_t *row_class = classes_of(m, s, 0), *column_class = classes_of(m, s, 1);
  size_t kept = 0;
  for (size_t i = 0; i < pairs; i++) {
    size_t to = row_class[i / columns] * columns + column_class[i % columns];
    if (to == i) continue;
    payoffs[to] += payoffs[i];
    payoffs[pairs + to] += payoffs[pairs + i];
  }
  for (size_t p = 0; p < 2; p++)
    for (size_t i = 0; i < pairs; i++)
      if (row_class[i / columns] == i / columns && column_class[i % columns] == i % columns)
        payoffs[kept++] = payoffs[p * pairs + i];
}

/* Links are of the hands before and after, so the states' own hands come last. */
static bool merge(hand_merge *m) {
  alea_public_graph *graph = m->graph;
  for (size_t k = 0; k < graph->order.count; k++) {
    uint32_t s = graph->order.data[k];
    for (uint32_t p = 0; p < 2; p++) {
      if (!list_hands_of_moves(m, &graph->states.data[s], p) || !number_moves(m, s, p))
        return false;
      merge_links(m, s, p);
    }
  }
  for (size_t k = 0; k < graph->order.count; k++) {
    uint32_t s = graph->order.data[k];
    alea_public_state *state = &graph->states.data[s];
    if (state->end != ALEA_NO_END) merge_payoffs(m, state, s);
    for (uint32_t p = 0; p < 2; p++) merge_moves(m, state, classes_of(m, s, p), p);
  }
  return true;
}

bool alea_public_merge_hands(alea_public_graph *graph) {
  hand_merge m = {.graph = graph, .mem = graph->mem};
  bool good = init(&m) && find_classes(&m) && merge(&m);
  alea_vec_clear(m.mem, &m.first);
  alea_vec_clear(m.mem, &m.classes);
  alea_vec_clear(m.mem, &m.words);
  alea_vec_clear(m.mem, &m.keys);
  alea_vec_clear(m.mem, &m.links);
  for (uint32_t p = 0; p < 2; p++) alea_vec_clear(m.mem, &m.hand_of[p]);
  alea_vec_clear(m.mem, &m.numbers);
  return good;
}
