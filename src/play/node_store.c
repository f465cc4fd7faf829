/* The node store: blocks, the transposition table, and keeping a part. */
#include "play/node_store.h"

#include <math.h>
#include <string.h>

#include "encode/stage.h"

enum {
  FIRST_NODES = 512,
  MOST_CHILDREN = 1 << 16, /* joint moves for which children are kept in an array */
};

/* ---- set up ---- */

static size_t map_bytes(const alea_node_store *s) {
  return alea_hash_map_slots(&s->map) * sizeof *s->map.slots;
}

static alea_status number_moves(alea_node_store *s) {
  uint32_t roles = s->game->role_count;
  s->amaf_first = alea_mem_calloc(s->mem, roles + 1u, sizeof *s->amaf_first);
  if (s->amaf_first == NULL) return alea_mem_lack(s->mem);
  for (uint32_t r = 0; r < roles; r++)
    s->amaf_first[r + 1] = s->amaf_first[r] + alea_game_move_count(s->game, r);
  s->amaf_size = s->amaf_first[roles];
  return ALEA_OK;
}

alea_status alea_node_store_init(alea_node_store *store, const alea_game *game, size_t limit,
                                 bool amaf, alea_mem *mem) {
  *store =
      (alea_node_store){.mem = mem, .game = game, .limit = limit, .child_limit = MOST_CHILDREN};
  if (!alea_hash_map_init(&store->map, mem, FIRST_NODES) ||
      !alea_vec_push(mem, &store->nodes, NULL))
    return alea_mem_lack(mem);
  store->used = map_bytes(store);
  return amaf ? number_moves(store) : ALEA_OK;
}

static size_t representative_bytes(const alea_node *node) {
  uint32_t p = node->chooser;
  return (node->firsts[p + 1] - node->firsts[p]) * sizeof *node->representatives;
}

static size_t amaf_bytes(const alea_node_store *s) { return s->amaf_size * sizeof(alea_amaf); }

static void free_node(alea_node_store *s, alea_node *node) {
  if (node->representatives != NULL) {
    s->used -= representative_bytes(node);
    alea_mem_free(s->mem, node->representatives, representative_bytes(node));
  }
  if (node->amaf != NULL) {
    s->used -= amaf_bytes(s);
    alea_mem_free(s->mem, node->amaf, amaf_bytes(s));
  }
  s->used -= node->size;
  alea_mem_free(s->mem, node, node->size);
}

void alea_node_store_empty(alea_node_store *store) {
  for (size_t i = 1; i < store->nodes.count; i++)
    if (store->nodes.data[i] != NULL) free_node(store, store->nodes.data[i]);
  if (store->nodes.count > 1) store->nodes.count = 1;
  store->free_ids.count = 0;
  alea_hash_map_empty(&store->map);
}

void alea_node_store_clear(alea_node_store *store) {
  if (store->mem == NULL) return;
  alea_node_store_empty(store);
  alea_vec_clear(store->mem, &store->nodes);
  alea_vec_clear(store->mem, &store->free_ids);
  alea_hash_map_clear(&store->map, store->mem);
  alea_mem_free(store->mem, store->amaf_first,
                (store->game->role_count + 1u) * sizeof *store->amaf_first);
  *store = (alea_node_store){0};
}

/* ---- the map ---- */

static uint64_t hash_node(const void *store, uint32_t id) {
  return alea_node_store_at(store, id)->hash;
}

static void refill(alea_node_store *s) {
  alea_hash_map_empty(&s->map);
  for (size_t i = 1; i < s->nodes.count; i++)
    if (s->nodes.data[i] != NULL)
      alea_hash_map_add(&s->map, s->nodes.data[i]->hash, (alea_node_id)i);
}

/* Room for one more entry; false where the limit forbids it. */
static bool grow_map(alea_node_store *s) {
  if (((size_t)s->map.count + 1) * 4 < alea_hash_map_slots(&s->map) * 3) return true;
  size_t bytes = map_bytes(s);
  if (s->used + bytes > s->limit || !alea_hash_map_grow(&s->map, s->mem, hash_node, s))
    return false;
  s->used += bytes;
  return true;
}

alea_node_id alea_node_store_find_words(const alea_node_store *store, uint64_t hash,
                                        const uint64_t *words, size_t count) {
  alea_hash_probe probe = alea_hash_map_probe(&store->map, hash);
  while (alea_hash_map_next(&store->map, &probe)) {
    const alea_node *node = alea_node_store_at(store, probe.id);
    if (node->hash == hash && node->word_count == count &&
        (count == 0 || memcmp(node->words, words, count * sizeof *words) == 0)) {
      return probe.id;
    }
  }
  return 0;
}

alea_node_id alea_node_store_find(const alea_node_store *store, alea_cursor *cursor) {
  size_t count;
  const uint64_t *words = alea_cursor_state(cursor, &count);
  return alea_node_store_find_words(store, alea_cursor_hash(cursor), words, count);
}

/* ---- nodes ---- */

/* The shape of the node to be made at the cursor. */
typedef struct node_store_plan {
  size_t words;
  uint32_t arms;
  uint32_t joint;
  uint16_t choosers, chooser;
  bool terminal, stuck; /* stuck: some role has no move */
  bool summed;          /* with sums of rewards and efforts */
  uint32_t hopes;       /* arms of the chooser that an evaluation has opinions of */
} node_store_plan;

static alea_status measure(alea_node_store *s, alea_cursor *cursor, node_store_plan *p) {
  *p = (node_store_plan){.joint = 1};
  alea_cursor_state(cursor, &p->words);
  alea_status status = alea_cursor_terminal(cursor, &p->terminal);
  if (status != ALEA_OK || p->terminal) return status;
  uint64_t joint = 1;
  for (uint32_t r = 0; r < s->game->role_count; r++) {
    alea_list legal;
    if ((status = alea_cursor_legal(cursor, r, &legal)) != ALEA_OK) return status;
    if (legal.count == 0) p->stuck = true;
    p->arms += legal.count;
    if (joint <= UINT32_MAX) joint *= legal.count;
    if (legal.count < 2 || (int)r == s->game->random_role) continue;
    p->choosers++;
    p->chooser = (uint16_t)r;
    p->hopes = s->with_hopes ? legal.count : 0;
  }
  p->joint = joint >= UINT32_MAX ? UINT32_MAX : (uint32_t)joint;
  if (p->stuck) p->arms = 0;
  if (p->stuck || p->choosers != 1 || p->joint > s->child_limit) p->hopes = 0;
  return ALEA_OK;
}

/* Lays the arrays out behind the node; the words of 8 bytes come first. */
static alea_node *allocate(alea_node_store *s, const node_store_plan *p) {
  uint32_t roles = s->game->role_count;
  bool ends = p->terminal || p->stuck || p->arms == 0;
  size_t children = ends || p->joint > s->child_limit ? 0 : p->joint;
  size_t words = p->words * sizeof(uint64_t), arms = p->arms * sizeof(alea_arm);
  size_t rest = (2u * roles + roles + 1u + p->arms + children) * sizeof(uint32_t);
  size_t sums = p->summed ? roles * sizeof(float) + p->arms * sizeof(alea_arm_work) : 0;
  size_t size = sizeof(alea_node) + words + arms + rest + sums + p->hopes * sizeof(float);
  if (s->used + size > s->limit) return NULL;
  alea_node *node = alea_mem_zalloc(s->mem, size);
  if (node == NULL) return NULL;
  node->size = size;
  node->words = (uint64_t *)(node + 1);
  node->arms = (alea_arm *)(void *)(node->words + p->words);
  node->lo = (float *)(void *)(node->arms + p->arms);
  node->hi = node->lo + roles;
  node->firsts = (uint32_t *)(void *)(node->hi + roles);
  node->moves = node->firsts + roles + 1;
  node->children = children > 0 ? node->moves + p->arms : NULL;
  if (p->summed) {
    node->sums = (float *)(void *)(node->moves + p->arms + children);
    node->efforts = (alea_arm_work *)(void *)(node->sums + roles);
  }
  if (p->hopes > 0) node->hopes = (float *)(void *)((char *)node + size) - p->hopes;
  s->used += size;
  return node;
}

/* Nothing is known of the values yet; but nobody minds what chance gets: its
 * bounds are closed from the start. */
static void open_bounds(const alea_node_store *s, alea_node *node) {
  for (uint32_t r = 0; r < s->game->role_count; r++)
    node->hi[r] = (int)r == s->game->random_role ? 0 : 1;
}

static alea_status fill_arms(alea_node_store *s, alea_cursor *cursor, alea_node *node) {
  uint32_t at = 0;
  for (uint32_t r = 0; r < s->game->role_count; r++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(cursor, r, &legal);
    if (status != ALEA_OK) return status;
    node->firsts[r] = at;
    memcpy(node->moves + at, legal.ids, legal.count * sizeof *legal.ids);
    at += legal.count;
  }
  node->firsts[s->game->role_count] = at;
  for (uint32_t a = 0; a < at; a++) node->arms[a].hi = 1;
  open_bounds(s, node);
  return ALEA_OK;
}

/* The goals of a position where the play ends; none counts as 0 (D1). */
static alea_status fill_goals(alea_node_store *s, alea_cursor *cursor, alea_node *node,
                              bool terminal) {
  for (uint32_t r = 0; r < s->game->role_count; r++) {
    int goal = -1;
    bool player = (int)r != s->game->random_role;
    alea_status status = terminal && player ? alea_cursor_goal(cursor, r, &goal) : ALEA_OK;
    if (status != ALEA_OK) return status;
    node->lo[r] = node->hi[r] = goal > 0 ? (float)goal / 100 : 0;
  }
  node->terminal = node->exact = true;
  return ALEA_OK;
}

static alea_status fill(alea_node_store *s, alea_cursor *cursor, const node_store_plan *p,
                        alea_node *node) {
  size_t count;
  const uint64_t *words = alea_cursor_state(cursor, &count);
  if (count > 0) memcpy(node->words, words, count * sizeof *words);
  node->word_count = (uint32_t)count;
  node->hash = alea_cursor_hash(cursor);
  node->joint_count = p->joint;
  node->choosers = p->choosers;
  node->chooser = p->chooser;
  node->solved = true;
  return p->terminal || p->stuck ? fill_goals(s, cursor, node, p->terminal)
                                 : fill_arms(s, cursor, node);
}

static alea_node_id take_id(alea_node_store *s, alea_node *node) {
  if (s->free_ids.count > 0) {
    alea_node_id id = s->free_ids.data[--s->free_ids.count];
    s->nodes.data[id] = node;
    return id;
  }
  if (s->nodes.count >= UINT32_MAX || !alea_vec_push(s->mem, &s->nodes, node)) return 0;
  return (alea_node_id)(s->nodes.count - 1);
}

/* The number of a new node, 0 (and the node freed) where there is none. */
static alea_node_id enrol(alea_node_store *s, alea_node *node) {
  alea_node_id id = take_id(s, node);
  if (id == 0) {
    free_node(s, node);
    return 0;
  }
  alea_hash_map_add(&s->map, node->hash, id);
  return id;
}

alea_status alea_node_store_make(alea_node_store *store, alea_cursor *cursor, alea_node_id *id) {
  *id = 0;
  node_store_plan p;
  alea_status status = measure(store, cursor, &p);
  if (status != ALEA_OK || !grow_map(store)) return status;
  alea_node *node = allocate(store, &p);
  if (node == NULL) return ALEA_OK;
  status = fill(store, cursor, &p, node);
  if (status == ALEA_OK) {
    *id = enrol(store, node);
  } else {
    free_node(store, node);
  }
  return status;
}

/* ---- bare nodes ---- */

alea_status alea_node_store_make_bare(alea_node_store *store, uint64_t hash, const uint64_t *words,
                                      size_t count, alea_node_id *id) {
  *id = 0;
  if (!grow_map(store)) return ALEA_OK;
  node_store_plan p = {.words = count, .joint = 1, .summed = true};
  alea_node *node = allocate(store, &p);
  if (node == NULL) return ALEA_OK;
  if (count > 0) memcpy(node->words, words, count * sizeof *words);
  node->word_count = (uint32_t)count;
  node->hash = hash;
  open_bounds(store, node);
  *id = enrol(store, node);
  return ALEA_OK;
}

static node_store_plan plan_of(const alea_node_store *s, const alea_node *bare,
                               const alea_stage_solution *found) {
  node_store_plan p = {.words = bare->word_count, .terminal = found->terminal, .summed = true};
  uint64_t joint = 1;
  p.stuck = !found->terminal && found->arm_count == 0;
  for (uint32_t r = 0; r < s->game->role_count; r++) {
    uint32_t count = found->firsts[r + 1] - found->firsts[r];
    if (joint <= UINT32_MAX) joint *= count;
    if (count < 2 || (int)r == s->game->random_role) continue;
    p.choosers++;
    p.chooser = (uint16_t)r;
  }
  p.joint = joint >= UINT32_MAX ? UINT32_MAX : (uint32_t)joint;
  if (!p.stuck && !p.terminal) p.arms = found->firsts[s->game->role_count];
  return p;
}

/* The play ends here; a role without goal gets 0 (D1), and so do all where
 * somebody has no move. */
static void settle(const alea_node_store *s, alea_node *node, const alea_stage_solution *found) {
  for (uint32_t r = 0; r < s->game->role_count; r++) {
    int goal = found->terminal && (int)r != s->game->random_role ? found->goals[r] : 0;
    node->lo[r] = node->hi[r] = goal > 0 ? (float)goal / 100 : 0;
  }
  node->terminal = node->exact = true;
}

bool alea_node_store_fill(alea_node_store *store, alea_node_id id,
                          const alea_stage_solution *solution) {
  alea_node *bare = alea_node_store_at(store, id);
  uint32_t roles = store->game->role_count;
  node_store_plan p = plan_of(store, bare, solution);
  alea_node *node = allocate(store, &p);
  if (node == NULL) return false;
  if (p.words > 0) memcpy(node->words, bare->words, p.words * sizeof *node->words);
  memcpy(node->sums, bare->sums, roles * sizeof *node->sums);
  memcpy(node->lo, bare->lo, 2 * roles * sizeof *node->lo); /* hi lies behind lo */
  node->word_count = bare->word_count;
  node->hash = bare->hash;
  node->visits = bare->visits;
  node->stamp = bare->stamp;
  node->exact = bare->exact;
  node->joint_count = p.joint;
  node->choosers = p.choosers;
  node->chooser = p.chooser;
  node->solved = true;
  if (p.terminal || p.stuck) {
    settle(store, node, solution);
  } else {
    memcpy(node->firsts, solution->firsts, (roles + 1) * sizeof *node->firsts);
    memcpy(node->moves, solution->moves, p.arms * sizeof *node->moves);
    for (uint32_t a = 0; a < p.arms; a++) node->arms[a].hi = 1;
  }
  store->nodes.data[id] = node;
  free_node(store, bare);
  return true;
}

void alea_node_store_give_symmetric(alea_node_store *store, alea_node *node,
                                    const uint32_t *representatives) {
  size_t bytes = representative_bytes(node);
  if (node->representatives != NULL || store->used + bytes > store->limit) return;
  node->representatives = alea_mem_alloc(store->mem, bytes);
  if (node->representatives == NULL) return;
  memcpy(node->representatives, representatives, bytes);
  store->used += bytes;
}

void alea_node_store_give_amaf(alea_node_store *store, alea_node *node) {
  if (node->amaf != NULL || store->amaf_size == 0) return;
  if (store->used + amaf_bytes(store) > store->limit) return;
  node->amaf = alea_mem_zalloc(store->mem, amaf_bytes(store));
  if (node->amaf != NULL) store->used += amaf_bytes(store);
}

/* ---- keeping a part ---- */

/* Marks what can be reached, with a stack of its own: games may be deep. */
static bool mark(alea_node_store *s, alea_node_id root) {
  alea_u32s stack = {0};
  bool good = alea_vec_push(s->mem, &stack, root);
  if (good) alea_node_store_at(s, root)->kept = true;
  while (good && stack.count > 0) {
    const alea_node *node = alea_node_store_at(s, stack.data[--stack.count]);
    if (node->children == NULL) continue;
    for (uint32_t i = 0; good && i < node->joint_count; i++) {
      alea_node *child = node->children[i] != 0 ? alea_node_store_at(s, node->children[i]) : NULL;
      if (child == NULL || child->kept) continue;
      child->kept = true;
      good = alea_vec_push(s->mem, &stack, node->children[i]);
    }
  }
  alea_vec_clear(s->mem, &stack);
  return good;
}

void alea_node_store_keep(alea_node_store *store, alea_node_id root) {
  if (!mark(store, root) || !alea_vec_reserve(store->mem, &store->free_ids, store->map.count)) {
    alea_node_store_empty(store); /* no memory to tell what to keep */
    return;
  }
  for (size_t i = 1; i < store->nodes.count; i++) {
    alea_node *node = store->nodes.data[i];
    if (node == NULL) continue;
    if (node->kept) {
      node->kept = false;
      continue;
    }
    free_node(store, node);
    store->nodes.data[i] = NULL;
    store->free_ids.data[store->free_ids.count++] = (alea_node_id)i;
  }
  refill(store);
}

void alea_node_store_commonest(const alea_node_store *store, const alea_node *node, uint32_t role,
                               uint32_t *picks) {
  uint32_t count = node->firsts[role + 1] - node->firsts[role], found = 0, most = 0;
  for (uint32_t v = 0; node->children != NULL && v < count; v++) {
    picks[role] = v;
    alea_node_id id = node->children[alea_node_joint(node, store->game->role_count, picks)];
    uint32_t visits = id != 0 ? alea_node_store_at(store, id)->visits : 0;
    if (visits <= most) continue;
    most = visits;
    found = v;
  }
  picks[role] = found;
}
