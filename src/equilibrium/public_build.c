/* A state at a time, in the order in which they were found.  All positions of the
 * state are played on; the outcomes ("drafts") are sorted into public states by
 * the hands that they share, and each of these is looked up among the states that
 * there are. */
#include "equilibrium/public_build.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* A position of a state; positions are kept for comparison with later ones. */
typedef struct public_position {
  uint32_t hands[2];
  double weight;
  size_t first, count; /* its words */
} public_position;

/* Beside each state of the graph. */
typedef struct public_content {
  size_t first, count; /* positions */
  uint64_t hash;
  uint32_t step; /* of the play that led here first */
} public_content;

/* A hand of the next step: in the drafts' views, 'before' is the move. */
typedef struct draft_hand {
  uint32_t group; /* hands of one public state have the same */
  uint32_t player;
  uint32_t move;
  uint32_t id; /* of the view */
  const uint32_t *items;
  uint32_t count;
} draft_hand;

typedef struct draft_position {
  uint32_t group;
  uint32_t hands[2]; /* ids at first, then numbers within the public state */
  double weight;
  const uint64_t *words; /* set before sorting */
  size_t first, count;
} draft_position;

typedef struct hand_moves {
  uint32_t first, count; /* in 'legal'; count 0: not seen yet */
} hand_moves;

typedef struct public_builder {
  alea_public_graph *graph;
  const alea_public_options *options;
  alea_mem *mem;
  alea_two_players *two;
  ALEA_VEC(public_position) positions;
  alea_u64s words;
  ALEA_VEC(public_content) contents;
  alea_hash_map map; /* of states, by content */
  /* Of the state at work: */
  ALEA_VEC(hand_moves) moves[2]; /* by hand */
  alea_u32s legal;
  alea_player_views views; /* of the drafts */
  ALEA_VEC(draft_position) drafts;
  alea_u64s draft_words;
  ALEA_VEC(draft_hand) hands;
  alea_u32s groups;  /* by view: union-find, roots are the smallest */
  alea_u32s numbers; /* by view: within its public state */
  uint64_t looked;   /* positions; the clock is read now and then */
} public_builder;

#define REFUSE(b, ...) ALEA_TWO_PLAYERS_REFUSE((b)->two, __VA_ARGS__)

static alea_status lack(const public_builder *b) {
  if (!b->mem->hit_limit) return ALEA_SYSTEM;
  return REFUSE(b, ALEA_LIMIT, "memory-limit",
                "the public states do not fit into %zu MB of memory after %zu positions "
                "(the limit is --memory)",
                b->mem->limit >> 20, b->positions.count);
}

/* A status of two_players.h, which leaves it to its caller to say that memory
 * ran out. */
static alea_status checked(const public_builder *b, alea_status status) {
  return status == ALEA_LIMIT ? lack(b) : status;
}

/* Of positions that are, and of drafts, some of which may be the same. */
static alea_status check_count(const public_builder *b, uint64_t count) {
  uint64_t most = b->options->positions;
  if (most == 0 || count <= most) return ALEA_OK;
  return REFUSE(b, ALEA_LIMIT, "node-limit",
                "the game has more than %" PRIu64 " positions (the limit is --nodes)", most);
}

static alea_status check_time(public_builder *b) {
  if (b->looked++ % 64 != 0 || !alea_deadline_passed(&b->options->deadline)) return ALEA_OK;
  return REFUSE(b, ALEA_LIMIT, "time-limit",
                "the public states were not complete in time, after %zu positions "
                "(the limit is --time)",
                b->positions.count);
}

/* ---- the present state ---- */

static alea_status load(public_builder *b, const public_position *position) {
  return alea_cursor_load(b->two->cursor, b->words.data + position->first, position->count);
}

/* The hand's legal moves are those at the cursor, and the same as before.  Where
 * they are forced, they may differ: the player learns which it made. */
static alea_status note_moves(public_builder *b, uint32_t player, uint32_t hand) {
  const alea_u32s *legal = &b->two->legal[player];
  hand_moves *moves = &b->moves[player].data[hand];
  if (moves->count == 0) {
    if (!alea_vec_reserve(b->mem, &b->legal, legal->count)) return lack(b);
    *moves = (hand_moves){(uint32_t)b->legal.count, (uint32_t)legal->count};
    memcpy(b->legal.data + b->legal.count, legal->data, legal->count * sizeof *legal->data);
    b->legal.count += legal->count;
    return ALEA_OK;
  }
  bool same = moves->count == legal->count &&
              (legal->count == 1 || memcmp(b->legal.data + moves->first, legal->data,
                                           legal->count * sizeof *legal->data) == 0);
  if (same) return ALEA_OK;
  return REFUSE(b, ALEA_UNSUPPORTED, "unknown-legal-moves",
                "role %s has different legal moves in positions that look the same to it",
                b->graph->game->role_spelling[b->two->roles[player]]);
}

/* Adds the end where the cursor stands to the payoffs of the state. */
static alea_status add_end(public_builder *b, uint32_t s, const public_position *position) {
  alea_public_graph *graph = b->graph;
  alea_public_state *state = &graph->states.data[s];
  size_t pairs = (size_t)state->hands[0] * state->hands[1];
  int goals[2];
  alea_status status = alea_two_players_end(b->two, goals);
  if (status != ALEA_OK) return status;
  if (state->end == ALEA_NO_END) {
    if (!alea_vec_reserve(b->mem, &graph->payoffs, 2 * pairs)) return lack(b);
    state->end = graph->payoffs.count;
    memset(graph->payoffs.data + state->end, 0, 2 * pairs * sizeof *graph->payoffs.data);
    graph->payoffs.count += 2 * pairs;
  }
  size_t pair = (size_t)position->hands[0] * state->hands[1] + position->hands[1];
  for (size_t p = 0; p < 2; p++)
    graph->payoffs.data[state->end + p * pairs + pair] += position->weight * goals[p] / 100.0;
  return ALEA_OK;
}

/* The moves of all hands, one after the other. */
static alea_status number_moves(public_builder *b, uint32_t s) {
  alea_public_graph *graph = b->graph;
  alea_public_state *state = &graph->states.data[s];
  for (uint32_t p = 0; p < 2; p++) {
    state->starts[p] = graph->starts.count;
    state->move_ids[p] = graph->move_ids.count;
    if (!alea_vec_reserve(b->mem, &graph->starts, state->hands[p] + 1)) return lack(b);
    for (uint32_t h = 0; h < state->hands[p]; h++) {
      hand_moves moves = b->moves[p].data[h];
      graph->starts.data[graph->starts.count++] = state->moves[p];
      state->moves[p] += moves.count;
      if (moves.count > 1) state->chooses[p] = true, state->sets_here++;
      if (!alea_vec_reserve(b->mem, &graph->move_ids, moves.count)) return lack(b);
      for (uint32_t i = 0; i < moves.count; i++)
        graph->move_ids.data[graph->move_ids.count++] = b->legal.data[moves.first + i];
    }
    graph->starts.data[graph->starts.count++] = state->moves[p];
  }
  return ALEA_OK;
}

/* Ends and moves.  A hand whose positions are all ends has no moves. */
static alea_status survey(public_builder *b, uint32_t s, public_content content) {
  b->legal.count = 0;
  for (uint32_t p = 0; p < 2; p++) {
    uint32_t hands = b->graph->states.data[s].hands[p];
    b->moves[p].count = 0;
    if (!alea_vec_reserve(b->mem, &b->moves[p], hands)) return lack(b);
    memset(b->moves[p].data, 0, hands * sizeof *b->moves[p].data);
    b->moves[p].count = hands;
  }
  b->two->steps = content.step;
  for (size_t i = content.first; i < content.first + content.count; i++) {
    const public_position *position = &b->positions.data[i];
    bool terminal;
    alea_status status = load(b, position);
    if (status == ALEA_OK) status = alea_cursor_terminal(b->two->cursor, &terminal);
    if (status == ALEA_OK && terminal) status = add_end(b, s, position);
    if (status == ALEA_OK && !terminal) status = checked(b, alea_two_players_moves(b->two));
    for (uint32_t p = 0; p < 2 && status == ALEA_OK && !terminal; p++)
      status = note_moves(b, p, position->hands[p]);
    if (status == ALEA_OK) status = check_time(b);
    if (status != ALEA_OK) return status;
  }
  return number_moves(b, s);
}

/* ---- drafts ---- */

/* The hand that the player has after the step that the cursor has just made. */
static alea_status find_hand(public_builder *b, uint32_t player, uint32_t move,
                             const alea_move *joint, uint32_t *id) {
  alea_status status = checked(b, alea_two_players_look(b->two, player, joint));
  if (status != ALEA_OK) return status;
  bool good = alea_player_views_add(&b->views, move, player, b->two->items.data,
                                    (uint32_t)b->two->items.count, b->mem, id);
  return good ? ALEA_OK : lack(b);
}

static alea_status add_draft(public_builder *b, const uint32_t hands[2], double weight) {
  size_t count;
  const uint64_t *words = alea_cursor_state(b->two->cursor, &count);
  if (words == NULL && count > 0) return ALEA_SYSTEM;
  draft_position draft = {0, {hands[0], hands[1]}, weight, NULL, b->draft_words.count, count};
  if (!alea_vec_reserve(b->mem, &b->draft_words, count) ||
      !alea_vec_push(b->mem, &b->drafts, draft))
    return lack(b);
  if (count > 0) memcpy(b->draft_words.data + draft.first, words, count * sizeof *words);
  b->draft_words.count += count;
  alea_status status = check_count(b, b->drafts.count);
  return status == ALEA_OK ? check_time(b) : status;
}

static alea_status play_on(public_builder *b, uint32_t s, const public_position *position) {
  bool terminal;
  alea_status status = load(b, position);
  if (status == ALEA_OK) status = alea_cursor_terminal(b->two->cursor, &terminal);
  if (status != ALEA_OK || terminal) return status;
  status = checked(b, alea_two_players_moves(b->two));
  if (status != ALEA_OK) return status;
  double weight = position->weight;
  if (b->two->slots > ALEA_CHANCE_SLOT) weight /= (double)b->two->legal[ALEA_CHANCE_SLOT].count;
  uint32_t count = alea_two_players_joint_count(b->two);
  for (uint32_t i = 0; i < count && status == ALEA_OK; i++) {
    uint32_t picks[ALEA_SLOTS], hands[2];
    alea_move joint[ALEA_SLOTS];
    status = alea_two_players_play(b->two, b->words.data + position->first, position->count, i,
                                   picks, joint);
    for (uint32_t p = 0; p < 2 && status == ALEA_OK; p++) {
      const alea_public_state *state = &b->graph->states.data[s];
      uint32_t move = b->graph->starts.data[state->starts[p] + position->hands[p]] + picks[p];
      status = find_hand(b, p, move, joint, &hands[p]);
    }
    if (status == ALEA_OK) status = add_draft(b, hands, weight);
  }
  return status;
}

/* ---- public states among the drafts ---- */

static uint32_t root_of(alea_u32s *groups, uint32_t id) {
  while (groups->data[id] != id) id = groups->data[id] = groups->data[groups->data[id]];
  return id;
}

static int compare(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

/* By group, player, move and items: in states that differ in what was said aloud
 * only, the hands come in the same order. */
static int compare_hands(const void *a, const void *b) {
  const draft_hand *x = a, *y = b;
  int order = compare(x->group, y->group);
  if (order == 0) order = compare(x->player, y->player);
  if (order == 0) order = compare(x->move, y->move);
  for (uint32_t i = 0; order == 0 && i < x->count && i < y->count; i++)
    order = compare(x->items[i], y->items[i]);
  return order != 0 ? order : compare(x->count, y->count);
}

static int compare_words(const draft_position *x, const draft_position *y) {
  int order = compare(x->count, y->count);
  for (size_t i = 0; order == 0 && i < x->count; i++) order = compare(x->words[i], y->words[i]);
  return order;
}

static int compare_drafts(const void *a, const void *b) {
  const draft_position *x = a, *y = b;
  int order = compare(x->group, y->group);
  if (order == 0) order = compare(x->hands[0], y->hands[0]);
  if (order == 0) order = compare(x->hands[1], y->hands[1]);
  return order != 0 ? order : compare_words(x, y);
}

/* Hands that occur together in a draft belong to one public state. */
static alea_status group_hands(public_builder *b) {
  size_t count = b->views.list.count;
  b->groups.count = b->numbers.count = b->hands.count = 0;
  if (!alea_vec_reserve(b->mem, &b->groups, count) ||
      !alea_vec_reserve(b->mem, &b->numbers, count) || !alea_vec_reserve(b->mem, &b->hands, count))
    return lack(b);
  for (uint32_t id = 0; id < count; id++) b->groups.data[id] = id;
  for (size_t i = 0; i < b->drafts.count; i++) {
    uint32_t x = root_of(&b->groups, b->drafts.data[i].hands[0]);
    uint32_t y = root_of(&b->groups, b->drafts.data[i].hands[1]);
    b->groups.data[x > y ? x : y] = x < y ? x : y;
  }
  for (uint32_t id = 0; id < count; id++) {
    const alea_player_view *view = &b->views.list.data[id];
    b->hands.data[b->hands.count++] =
        (draft_hand){root_of(&b->groups, id),           view->player, view->before, id,
                     b->views.items.data + view->first, view->count};
  }
  if (count > 1) qsort(b->hands.data, count, sizeof *b->hands.data, compare_hands);
  for (uint32_t i = 0, number = 0; i < count; i++, number++) {
    const draft_hand *hand = &b->hands.data[i];
    if (i == 0 || hand[-1].group != hand->group || hand[-1].player != hand->player) number = 0;
    b->numbers.data[hand->id] = number;
  }
  return ALEA_OK;
}

/* Sorts the drafts, and makes one of those that are the same. */
static void sort_drafts(public_builder *b) {
  draft_position *drafts = b->drafts.data;
  size_t kept = 0;
  for (size_t i = 0; i < b->drafts.count; i++) {
    draft_position *draft = &drafts[i];
    draft->group = root_of(&b->groups, draft->hands[0]);
    draft->words = b->draft_words.data + draft->first;
    for (uint32_t p = 0; p < 2; p++) draft->hands[p] = b->numbers.data[draft->hands[p]];
  }
  if (b->drafts.count > 1) qsort(drafts, b->drafts.count, sizeof *drafts, compare_drafts);
  for (size_t i = 0; i < b->drafts.count; i++) {
    if (kept > 0 && compare_drafts(&drafts[kept - 1], &drafts[i]) == 0)
      drafts[kept - 1].weight += drafts[i].weight;
    else
      drafts[kept++] = drafts[i];
  }
  b->drafts.count = kept;
}

/* ---- looking up ---- */

static uint64_t hash_of_drafts(const draft_position *drafts, size_t count) {
  uint64_t hash = count;
  for (size_t i = 0; i < count; i++) {
    hash = alea_hash_join(alea_hash_join(hash, drafts[i].hands[0]), drafts[i].hands[1]);
    for (size_t k = 0; k < drafts[i].count; k++) hash = alea_hash_join(hash, drafts[i].words[k]);
  }
  return alea_hash_mix(hash);
}

static uint64_t hash_of_state(const void *context, uint32_t id) {
  const public_builder *b = context;
  return b->contents.data[id].hash;
}

static bool same_content(const public_builder *b, uint32_t s, uint64_t hash,
                         const draft_position *drafts, size_t count) {
  const public_content *content = &b->contents.data[s];
  if (content->hash != hash || content->count != count) return false;
  for (size_t i = 0; i < count; i++) {
    const public_position *position = &b->positions.data[content->first + i];
    if (position->hands[0] != drafts[i].hands[0] || position->hands[1] != drafts[i].hands[1] ||
        position->weight != drafts[i].weight || position->count != drafts[i].count ||
        memcmp(b->words.data + position->first, drafts[i].words,
               position->count * sizeof *drafts[i].words) != 0)
      return false;
  }
  return true;
}

static alea_status add_state(public_builder *b, const uint32_t hands[2], uint64_t hash,
                             uint32_t step, const draft_position *drafts, size_t count) {
  alea_public_graph *graph = b->graph;
  alea_public_state state = {.hands = {hands[0], hands[1]}, .end = ALEA_NO_END};
  public_content content = {b->positions.count, count, hash, step};
  if (step > ALEA_MOST_STEPS)
    return REFUSE(b, ALEA_LIMIT, "step-limit", "a play takes more than %d steps", ALEA_MOST_STEPS);
  alea_status status = check_count(b, b->positions.count + count);
  if (status != ALEA_OK) return status;
  if (graph->states.count >= UINT32_MAX - 1 || !alea_vec_reserve(b->mem, &b->contents, 1) ||
      !alea_vec_reserve(b->mem, &graph->states, 1) ||
      !alea_vec_reserve(b->mem, &b->positions, count))
    return lack(b);
  for (size_t i = 0; i < count; i++) {
    size_t words = drafts[i].count;
    public_position position = {
        {drafts[i].hands[0], drafts[i].hands[1]}, drafts[i].weight, b->words.count, words};
    if (!alea_vec_reserve(b->mem, &b->words, words)) return lack(b);
    if (words > 0)
      memcpy(b->words.data + b->words.count, drafts[i].words, words * sizeof(uint64_t));
    b->words.count += words;
    b->positions.data[b->positions.count++] = position;
  }
  graph->states.data[graph->states.count++] = state;
  b->contents.data[b->contents.count++] = content;
  return ALEA_OK;
}

/* The state with these positions, a new one where there is none. */
static alea_status find_state(public_builder *b, const uint32_t hands[2], uint32_t step,
                              const draft_position *drafts, size_t count, uint32_t *child) {
  uint64_t hash = hash_of_drafts(drafts, count);
  if (!alea_hash_map_reserve(&b->map, b->mem, hash_of_state, b)) return lack(b);
  alea_hash_probe probe = alea_hash_map_probe(&b->map, hash);
  while (alea_hash_map_next(&b->map, &probe))
    if (same_content(b, probe.id, hash, drafts, count)) {
      *child = probe.id;
      return ALEA_OK;
    }
  *child = (uint32_t)b->graph->states.count;
  alea_status status = add_state(b, hands, hash, step, drafts, count);
  if (status == ALEA_OK) alea_hash_map_put(&b->map, probe, *child);
  return status;
}

/* ---- edges ---- */

static alea_status link_hands(public_builder *b, const draft_hand *hands, uint32_t count) {
  alea_public_graph *graph = b->graph;
  if (!alea_vec_reserve(b->mem, &graph->links, count) ||
      !alea_vec_reserve(b->mem, &graph->steps, count))
    return lack(b);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t step;
    if (!alea_player_views_add(&graph->views, ALEA_NO_VIEW, hands[i].player, hands[i].items,
                               hands[i].count, b->mem, &step))
      return lack(b);
    graph->links.data[graph->links.count++] = hands[i].move;
    graph->steps.data[graph->steps.count++] = step;
  }
  return ALEA_OK;
}

/* Weights of a state are at most 1, and one of them is. */
static double scale(draft_position *drafts, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++)
    if (drafts[i].weight > most) most = drafts[i].weight;
  for (size_t i = 0; i < count; i++) drafts[i].weight /= most;
  return most;
}

static alea_status add_edge(public_builder *b, uint32_t s, const draft_hand *hands,
                            const uint32_t counts[2], draft_position *drafts, size_t count) {
  alea_public_graph *graph = b->graph;
  alea_public_edge edge = {.share = scale(drafts, count)};
  alea_status status =
      find_state(b, counts, b->contents.data[s].step + 1, drafts, count, &edge.child);
  for (uint32_t p = 0; p < 2 && status == ALEA_OK; p++) {
    edge.links[p] = graph->links.count;
    status = link_hands(b, hands + (p == 0 ? 0 : counts[0]), counts[p]);
  }
  if (status != ALEA_OK) return status;
  if (!alea_vec_push(b->mem, &graph->edges, edge)) return lack(b);
  graph->states.data[s].edges++;
  return ALEA_OK;
}

/* Hands and drafts are sorted by group. */
static alea_status add_edges(public_builder *b, uint32_t s) {
  alea_status status = ALEA_OK;
  b->graph->states.data[s].first_edge = b->graph->edges.count;
  for (size_t hand = 0, draft = 0; hand < b->hands.count && status == ALEA_OK;) {
    uint32_t group = b->hands.data[hand].group, counts[2] = {0, 0};
    size_t first_hand = hand, first_draft = draft;
    for (; hand < b->hands.count && b->hands.data[hand].group == group; hand++)
      counts[b->hands.data[hand].player]++;
    while (draft < b->drafts.count && b->drafts.data[draft].group == group) draft++;
    status = add_edge(b, s, b->hands.data + first_hand, counts, b->drafts.data + first_draft,
                      draft - first_draft);
  }
  return status;
}

static alea_status expand(public_builder *b, uint32_t s) {
  public_content content = b->contents.data[s];
  b->drafts.count = b->draft_words.count = 0;
  alea_player_views_clear(&b->views, b->mem);
  alea_status status = survey(b, s, content);
  for (size_t i = content.first; i < content.first + content.count && status == ALEA_OK; i++) {
    public_position position = b->positions.data[i];
    status = play_on(b, s, &position);
  }
  if (status == ALEA_OK) status = group_hands(b);
  if (status != ALEA_OK) return status;
  sort_drafts(b);
  return add_edges(b, s);
}

static alea_status build(public_builder *b) {
  static const uint32_t hands[2] = {1, 1};
  draft_position start = {.weight = 1};
  uint32_t root;
  start.words = alea_cursor_state(b->two->cursor, &start.count);
  if (start.words == NULL && start.count > 0) return ALEA_SYSTEM;
  alea_status status = find_state(b, hands, 0, &start, 1, &root);
  for (uint32_t s = 0; status == ALEA_OK && s < b->graph->states.count; s++) status = expand(b, s);
  b->graph->sum = b->two->sum / 100.0;
  b->graph->positions = b->positions.count;
  return status;
}

alea_status alea_public_build(alea_public_graph *graph, const alea_public_options *options,
                              alea_two_players *two) {
  alea_mem *mem = graph->mem;
  public_builder b = {.graph = graph, .options = options, .mem = mem, .two = two};
  alea_status status = build(&b);
  alea_vec_clear(mem, &b.positions);
  alea_vec_clear(mem, &b.words);
  alea_vec_clear(mem, &b.contents);
  alea_hash_map_clear(&b.map, mem);
  for (uint32_t p = 0; p < 2; p++) alea_vec_clear(mem, &b.moves[p]);
  alea_vec_clear(mem, &b.legal);
  alea_player_views_clear(&b.views, mem);
  alea_vec_clear(mem, &b.drafts);
  alea_vec_clear(mem, &b.draft_words);
  alea_vec_clear(mem, &b.hands);
  alea_vec_clear(mem, &b.groups);
  alea_vec_clear(mem, &b.numbers);
  return status;
}
