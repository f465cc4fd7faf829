/* The tree is built breadth first, one step of the game at a time: the positions
 * of the present step are kept as words, those of the next are collected. */
#include "equilibrium/extensive.h"

#include <inttypes.h>
#include <string.h>

#include "equilibrium/two_players.h"

/* A position that waits to be expanded. */
typedef struct extensive_position {
  uint32_t node;
  uint32_t views[2];
  size_t first, count; /* its words */
} extensive_position;

typedef struct extensive_layer {
  ALEA_VEC(extensive_position) positions;
  alea_u64s words;
} extensive_layer;

typedef struct extensive_builder {
  alea_extensive *tree;
  const alea_extensive_limits *limits;
  alea_mem *mem;
  alea_two_players two;
  extensive_layer now, next;
  alea_u32s choosing[ALEA_SLOTS]; /* the nodes of this step, by slot; ends with slot 0 */
} extensive_builder;

#define REFUSE(b, ...) ALEA_TWO_PLAYERS_REFUSE(&(b)->two, __VA_ARGS__)

static alea_status lack(const extensive_builder *b) {
  if (!b->mem->hit_limit) return ALEA_SYSTEM;
  return REFUSE(b, ALEA_LIMIT, "memory-limit",
                "the tree of all plays does not fit into %zu MB of memory after %zu nodes "
                "(the limit is --memory)",
                b->mem->limit >> 20, b->tree->nodes.count);
}

/* A status of two_players.h, which leaves it to its caller to say that memory
 * ran out. */
static alea_status checked(const extensive_builder *b, alea_status status) {
  return status == ALEA_LIMIT ? lack(b) : status;
}

static alea_status end(extensive_builder *b, uint32_t node) {
  int goals[2];
  alea_status status = alea_two_players_end(&b->two, goals);
  if (status != ALEA_OK) return status;
  b->tree->nodes.data[node] = (alea_extensive_node){(uint32_t)goals[0], 0, ALEA_CHANCE_SET};
  return alea_vec_push(b->mem, &b->choosing[0], node) ? ALEA_OK : lack(b);
}

/* ---- choices ---- */

/* The information set of a player's view, whose moves are legal[player]. */
static alea_status find_set(extensive_builder *b, uint32_t view, uint32_t player, uint32_t *set) {
  alea_extensive *tree = b->tree;
  const alea_u32s *legal = &b->two.legal[player];
  while (tree->set_of_view.count <= view)
    if (!alea_vec_push(b->mem, &tree->set_of_view, ALEA_CHANCE_SET)) return lack(b);
  *set = tree->set_of_view.data[view];
  if (*set != ALEA_CHANCE_SET) {
    const alea_extensive_set *known = &tree->sets.data[*set];
    if (known->count == legal->count && memcmp(tree->moves.data + known->first, legal->data,
                                               legal->count * sizeof *legal->data) == 0)
      return ALEA_OK;
    return REFUSE(b, ALEA_UNSUPPORTED, "unknown-legal-moves",
                  "role %s has different legal moves in positions that look the same to it",
                  tree->game->role_spelling[b->two.roles[player]]);
  }
  if (!alea_vec_reserve(b->mem, &tree->sets, 1) ||
      !alea_vec_reserve(b->mem, &tree->moves, legal->count))
    return lack(b);
  *set = tree->set_of_view.data[view] = (uint32_t)tree->sets.count;
  tree->sets.data[tree->sets.count++] =
      (alea_extensive_set){view, player, (uint32_t)tree->moves.count, (uint32_t)legal->count};
  memcpy(tree->moves.data + tree->moves.count, legal->data, legal->count * sizeof *legal->data);
  tree->moves.count += legal->count;
  return ALEA_OK;
}

/* Gives each of 'count' nodes from 'first' on the children of one chooser, and
 * makes these the nodes at hand. */
static alea_status branch(extensive_builder *b, uint32_t slot, uint32_t set, uint32_t *first,
                          uint32_t *count) {
  alea_extensive *tree = b->tree;
  uint32_t moves = (uint32_t)b->two.legal[slot].count;
  uint64_t most =
      b->limits->nodes != 0 && b->limits->nodes < UINT32_MAX ? b->limits->nodes : UINT32_MAX - 1;
  uint64_t children = (uint64_t)*count * moves;
  if (tree->nodes.count + children > most)
    return REFUSE(b, ALEA_LIMIT, "node-limit",
                  "the tree of all plays has more than %" PRIu64 " nodes (the limit is --nodes)",
                  most);
  if (!alea_vec_reserve(b->mem, &tree->nodes, children) ||
      !alea_vec_reserve(b->mem, &b->choosing[slot], *count))
    return lack(b);
  uint32_t next = (uint32_t)tree->nodes.count;
  for (uint32_t i = 0; i < *count; i++) {
    tree->nodes.data[*first + i] = (alea_extensive_node){next + i * moves, moves, set};
    b->choosing[slot].data[b->choosing[slot].count++] = *first + i;
  }
  tree->nodes.count += children;
  *first = next;
  *count = (uint32_t)children;
  return ALEA_OK;
}

/* ---- steps ---- */

/* The player's view after the step that the cursor has just made. */
static alea_status look(extensive_builder *b, uint32_t player, const alea_move *joint,
                        uint32_t *view) {
  alea_status status = checked(b, alea_two_players_look(&b->two, player, joint));
  if (status != ALEA_OK) return status;
  bool good = alea_player_views_add(&b->tree->views, *view, player, b->two.items.data,
                                    (uint32_t)b->two.items.count, b->mem, view);
  return good ? ALEA_OK : lack(b);
}

/* The cursor's position becomes one of the next step, for 'node'. */
static alea_status keep(extensive_builder *b, uint32_t node, const uint32_t views[2]) {
  extensive_layer *next = &b->next;
  size_t count;
  const uint64_t *words = alea_cursor_state(b->two.cursor, &count);
  if (words == NULL && count > 0) return ALEA_SYSTEM;
  extensive_position position = {node, {views[0], views[1]}, next->words.count, count};
  if (!alea_vec_reserve(b->mem, &next->words, count) ||
      !alea_vec_push(b->mem, &next->positions, position))
    return lack(b);
  if (count > 0) memcpy(next->words.data + next->words.count, words, count * sizeof *words);
  next->words.count += count;
  return ALEA_OK;
}

static alea_status load(extensive_builder *b, const extensive_position *position) {
  return alea_cursor_load(b->two.cursor, b->now.words.data + position->first, position->count);
}

static alea_status step(extensive_builder *b, const extensive_position *position, uint32_t node,
                        uint32_t index) {
  uint32_t picks[ALEA_SLOTS], views[2] = {position->views[0], position->views[1]};
  alea_move joint[ALEA_SLOTS];
  alea_status status = alea_two_players_play(&b->two, b->now.words.data + position->first,
                                             position->count, index, picks, joint);
  for (uint32_t p = 0; p < 2 && status == ALEA_OK; p++) status = look(b, p, joint, &views[p]);
  return status == ALEA_OK ? keep(b, node, views) : status;
}

static alea_status expand(extensive_builder *b, const extensive_position *position) {
  bool terminal;
  alea_status status = load(b, position);
  if (status == ALEA_OK) status = alea_cursor_terminal(b->two.cursor, &terminal);
  if (status != ALEA_OK) return status;
  if (terminal) return end(b, position->node);
  status = checked(b, alea_two_players_moves(&b->two));
  uint32_t first = position->node, count = 1;
  for (uint32_t s = 0; s < b->two.slots && status == ALEA_OK; s++) {
    uint32_t set = ALEA_CHANCE_SET;
    if (b->two.legal[s].count == 1) continue;
    if (s != ALEA_CHANCE_SLOT) status = find_set(b, position->views[s], s, &set);
    if (status == ALEA_OK) status = branch(b, s, set, &first, &count);
  }
  for (uint32_t i = 0; i < count && status == ALEA_OK; i++)
    status = step(b, position, first + i, i);
  return status;
}

/* The nodes of this step go into the order: those of the first player, of the
 * second, of chance. */
static alea_status close_step(extensive_builder *b) {
  for (uint32_t s = 0; s < ALEA_SLOTS; s++) {
    alea_u32s *nodes = &b->choosing[s];
    alea_u32s *order = &b->tree->order;
    if (nodes->count == 0) continue;
    if (!alea_vec_reserve(b->mem, order, nodes->count)) return lack(b);
    memcpy(order->data + order->count, nodes->data, nodes->count * sizeof *nodes->data);
    order->count += nodes->count;
    nodes->count = 0;
    if (!alea_vec_push(b->mem, &b->tree->rank_ends, (uint32_t)order->count)) return lack(b);
  }
  return ALEA_OK;
}

static alea_status one_step(extensive_builder *b) {
  extensive_layer held = b->now;
  alea_status status = ALEA_OK;
  b->now = b->next;
  b->next = held;
  b->next.positions.count = b->next.words.count = 0;
  for (size_t i = 0; i < b->now.positions.count && status == ALEA_OK; i++) {
    if (i % 64 == 0 && alea_deadline_passed(&b->limits->deadline))
      return REFUSE(b, ALEA_LIMIT, "time-limit",
                    "the tree of all plays was not complete in time, after %zu nodes "
                    "(the limit is --time)",
                    b->tree->nodes.count);
    status = expand(b, &b->now.positions.data[i]);
  }
  return status == ALEA_OK ? close_step(b) : status;
}

static alea_status build(extensive_builder *b) {
  alea_extensive *tree = b->tree;
  uint32_t views[2];
  if (!alea_vec_push(b->mem, &tree->nodes, (alea_extensive_node){0})) return lack(b);
  for (uint32_t p = 0; p < 2; p++)
    if (!alea_player_views_add(&tree->views, ALEA_NO_VIEW, p, NULL, 0, b->mem, &views[p]))
      return lack(b);
  alea_status status = keep(b, 0, views);
  for (uint32_t steps = 0; status == ALEA_OK && b->next.positions.count > 0; steps++) {
    if (steps > ALEA_MOST_STEPS)
      return REFUSE(b, ALEA_LIMIT, "step-limit", "a play takes more than %d steps",
                    ALEA_MOST_STEPS);
    b->two.steps = steps;
    status = one_step(b);
  }
  tree->sum = b->two.sum / 100.0;
  return status;
}

alea_status alea_extensive_init(alea_extensive *tree, const alea_game *game,
                                const alea_extensive_limits *limits, alea_mem *mem,
                                alea_diag *diag) {
  *tree = (alea_extensive){.mem = mem, .game = game};
  for (int goal = 0; goal <= 100; goal++) tree->payoffs[goal] = goal / 100.0;
  extensive_builder b = {.tree = tree, .limits = limits, .mem = mem};
  alea_status status = alea_two_players_init(&b.two, game, mem, diag);
  memcpy(tree->roles, b.two.roles, sizeof tree->roles);
  if (status == ALEA_OK) status = build(&b);
  alea_two_players_clear(&b.two);
  for (uint32_t s = 0; s < ALEA_SLOTS; s++) alea_vec_clear(mem, &b.choosing[s]);
  alea_vec_clear(mem, &b.now.positions);
  alea_vec_clear(mem, &b.now.words);
  alea_vec_clear(mem, &b.next.positions);
  alea_vec_clear(mem, &b.next.words);
  return status;
}

void alea_extensive_clear(alea_extensive *tree) {
  if (tree->mem == NULL) return;
  alea_player_views_clear(&tree->views, tree->mem);
  alea_vec_clear(tree->mem, &tree->nodes);
  alea_vec_clear(tree->mem, &tree->sets);
  alea_vec_clear(tree->mem, &tree->set_of_view);
  alea_vec_clear(tree->mem, &tree->moves);
  alea_vec_clear(tree->mem, &tree->order);
  alea_vec_clear(tree->mem, &tree->rank_ends);
}

void alea_extensive_uniform(const alea_extensive *tree, double *strategy) {
  for (size_t s = 0; s < tree->sets.count; s++) {
    const alea_extensive_set *set = &tree->sets.data[s];
    for (uint32_t i = 0; i < set->count; i++) strategy[set->first + i] = 1.0 / set->count;
  }
}
