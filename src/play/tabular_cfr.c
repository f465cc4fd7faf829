/* Regret matching over all positions. */
#include "play/tabular_cfr.h"

enum { MOST_ROLES = 64 };

alea_status alea_tabular_cfr_init(alea_tabular_cfr *cfr, const alea_game *game, size_t memory,
                                  alea_mem *mem) {
  *cfr = (alea_tabular_cfr){0};
  alea_status status = alea_node_store_init(&cfr->store, game, memory, false, mem);
  if (status == ALEA_OK) status = alea_cursor_new(game, mem, &cfr->cursor);
  if (status != ALEA_OK) return status;
  cfr->joint = alea_mem_calloc(mem, game->role_count, sizeof *cfr->joint);
  return cfr->joint != NULL ? ALEA_OK : alea_mem_lack(mem);
}

void alea_tabular_cfr_clear(alea_tabular_cfr *cfr) {
  alea_mem *mem = cfr->store.mem;
  if (mem == NULL) return;
  alea_mem_free(mem, cfr->joint, cfr->store.game->role_count * sizeof *cfr->joint);
  alea_cursor_free(cfr->cursor);
  alea_vec_clear(mem, &cfr->order);
  alea_vec_clear(mem, &cfr->stack);
  alea_vec_clear(mem, &cfr->strategy);
  alea_vec_clear(mem, &cfr->gains);
  alea_node_store_clear(&cfr->store);
}

/* ---- listing ---- */

/* The node of the cursor's position, made if need be; ALEA_LIMIT when not. */
static alea_status node_here(alea_tabular_cfr *s, alea_cursor *cursor, uint32_t most,
                             alea_node_id *id) {
  *id = alea_node_store_find(&s->store, cursor);
  if (*id != 0) return ALEA_OK;
  if (alea_node_store_count(&s->store) >= most) return ALEA_LIMIT;
  alea_status status = alea_node_store_make(&s->store, cursor, id);
  return status == ALEA_OK && *id == 0 ? ALEA_LIMIT : status;
}

static alea_status child_of(alea_tabular_cfr *s, alea_node *node, uint32_t joint, uint32_t most,
                            alea_node_id *id) {
  *id = node->children[joint];
  if (*id != 0) return ALEA_OK;
  uint32_t rest = joint;
  for (uint32_t r = s->store.game->role_count; r-- > 0;) {
    uint32_t count = node->firsts[r + 1] - node->firsts[r];
    s->joint[r] = node->moves[node->firsts[r] + rest % count];
    rest /= count;
  }
  alea_status status = alea_cursor_load(s->cursor, node->words, node->word_count);
  if (status == ALEA_OK) status = alea_cursor_play(s->cursor, s->joint);
  if (status == ALEA_OK) status = node_here(s, s->cursor, most, id);
  node->children[joint] = *id;
  return status;
}

/* Puts a node on the stack, or on the list where it is an end. */
static alea_status enter(alea_tabular_cfr *s, alea_node_id id) {
  alea_mem *mem = s->store.mem;
  alea_node *node = alea_node_store_at(&s->store, id);
  if (node->stamp == s->epoch + 1) return ALEA_OK;
  if (node->stamp == s->epoch) return ALEA_LIMIT; /* the position repeats */
  node->stamp = s->epoch;
  if (node->terminal) {
    node->stamp++;
    return ALEA_OK;
  }
  if (node->children == NULL) return ALEA_LIMIT;
  bool good = alea_vec_push(mem, &s->stack, id) && alea_vec_push(mem, &s->stack, 0);
  return good ? ALEA_OK : alea_mem_lack(mem);
}

alea_status alea_tabular_cfr_open(alea_tabular_cfr *cfr, alea_cursor *position, uint32_t most,
                                  alea_time_manager *time_manager) {
  alea_node_id root;
  cfr->order.count = cfr->stack.count = 0;
  cfr->epoch += 2;
  if (cfr->store.game->role_count > MOST_ROLES) return ALEA_LIMIT;
  alea_status status = node_here(cfr, position, most, &root);
  if (status == ALEA_OK) status = enter(cfr, root);
  while (status == ALEA_OK && cfr->stack.count > 0) {
    alea_node_id id = cfr->stack.data[cfr->stack.count - 2];
    uint32_t *next = &cfr->stack.data[cfr->stack.count - 1];
    alea_node *node = alea_node_store_at(&cfr->store, id);
    if (alea_time_manager_over(time_manager, 0) || alea_time_manager_share(time_manager, 0) > 0.5)
      return ALEA_LIMIT;
    if (*next == node->joint_count) {
      cfr->stack.count -= 2;
      node->stamp = cfr->epoch + 1;
      if (!alea_vec_push(cfr->store.mem, &cfr->order, id)) return alea_mem_lack(cfr->store.mem);
      continue;
    }
    alea_node_id child;
    status = child_of(cfr, node, (*next)++, most, &child);
    if (status == ALEA_OK) status = enter(cfr, child);
  }
  return status;
}

const alea_node *alea_tabular_cfr_root(const alea_tabular_cfr *cfr) {
  return alea_node_store_at(&cfr->store, cfr->order.data[cfr->order.count - 1]);
}

/* ---- sweeping ---- */

/* Regret matching: in proportion to positive regret, uniform without any. */
static void match_regrets(const alea_node *node, uint32_t first, uint32_t last, bool chance,
                          float *strategy) {
  float sum = 0;
  for (uint32_t a = first; a < last; a++) {
    strategy[a] = !chance && node->arms[a].sum > 0 ? node->arms[a].sum : 0;
    sum += strategy[a];
  }
  for (uint32_t a = first; a < last; a++)
    strategy[a] = sum > 0 ? strategy[a] / sum : 1 / (float)(last - first);
}

/* What each arm would gain against the others' strategies. */
static void add_gains(alea_tabular_cfr *s, const alea_node *node, uint32_t roles) {
  uint32_t picks[MOST_ROLES] = {0};
  for (uint32_t joint = 0; joint < node->joint_count; joint++) {
    const alea_node *child = alea_node_store_at(&s->store, node->children[joint]);
    for (uint32_t r = 0; r < roles; r++) {
      float others = child->lo[r];
      for (uint32_t q = 0; q < roles && others > 0; q++)
        if (q != r) others *= s->strategy.data[node->firsts[q] + picks[q]];
      s->gains.data[node->firsts[r] + picks[r]] += others;
    }
    for (uint32_t r = roles; r-- > 0;) {
      if (++picks[r] < node->firsts[r + 1] - node->firsts[r]) break;
      picks[r] = 0;
    }
  }
}

static void update(alea_tabular_cfr *s, alea_node *node, uint32_t roles) {
  float *strategy = s->strategy.data, *gains = s->gains.data;
  for (uint32_t r = 0; r < roles; r++) {
    bool chance = (int)r == s->store.game->random_role;
    match_regrets(node, node->firsts[r], node->firsts[r + 1], chance, strategy);
  }
  for (uint32_t a = 0; a < node->firsts[roles]; a++) gains[a] = 0;
  add_gains(s, node, roles);
  for (uint32_t r = 0; r < roles; r++) {
    float value = 0;
    for (uint32_t a = node->firsts[r]; a < node->firsts[r + 1]; a++)
      value += strategy[a] * gains[a];
    for (uint32_t a = node->firsts[r]; a < node->firsts[r + 1]; a++) {
      node->arms[a].sum += gains[a] - value;
      node->arms[a].squares += strategy[a] * (float)s->sweeps; /* later ones count more */
    }
    node->lo[r] = value;
  }
}

alea_status alea_tabular_cfr_run(alea_tabular_cfr *cfr) {
  uint32_t roles = cfr->store.game->role_count;
  alea_mem *mem = cfr->store.mem;
  cfr->sweeps++;
  for (size_t i = 0; i < cfr->order.count; i++) {
    alea_node *node = alea_node_store_at(&cfr->store, cfr->order.data[i]);
    cfr->strategy.count = cfr->gains.count = 0;
    if (!alea_vec_reserve(mem, &cfr->strategy, node->firsts[roles]) ||
        !alea_vec_reserve(mem, &cfr->gains, node->firsts[roles])) {
      return alea_mem_lack(mem);
    }
    update(cfr, node, roles);
  }
  return ALEA_OK;
}
