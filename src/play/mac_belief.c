/* MAC-UCB with hidden information: solving and sampling in turns. */
#include "play/mac_belief.h"

#include <math.h>
#include <string.h>

enum {
  CHUNK = 8,        /* ways down for solving between two looks at the clock */
  FEW = 5,          /* samples below which a mean says nothing */
  MOST_PAUSE = 256, /* pulls without solving where there is nothing to solve */
};

/* ---- set up ---- */

alea_status alea_mac_belief_init(alea_mac_belief *s, alea_mac *mac) {
  *s = (alea_mac_belief){.mac = mac};
  mac->store.child_limit = 0; /* a way down is played, not looked up: percepts are needed */
  s->keys = alea_mem_calloc(mac->mem, alea_mac_roles(mac), sizeof *s->keys);
  s->ways = alea_mem_calloc(mac->mem, mac->line_count, sizeof *s->ways);
  if (s->keys == NULL || s->ways == NULL) return alea_mem_lack(mac->mem);
  return alea_infoset_table_init(&s->sets, sizeof(alea_mac_option), mac->v->memory / 4, mac->stats,
                                 mac->mem);
}

static void clear_root(alea_mac_belief *s) {
  alea_mem *mem = s->mac->mem;
  size_t cells = (size_t)s->root_arms * alea_mac_roles(s->mac);
  alea_mem_free(mem, s->root_sums, cells * sizeof *s->root_sums);
  alea_mem_free(mem, s->root_visits, s->root_arms * sizeof *s->root_visits);
  s->root_sums = NULL;
  s->root_visits = NULL;
  s->root_arms = 0;
}

void alea_mac_belief_clear(alea_mac_belief *s) {
  if (s->mac == NULL || s->mac->mem == NULL) return;
  alea_mem *mem = s->mac->mem;
  for (uint32_t i = 0; s->ways != NULL && i < s->mac->line_count; i++) {
    alea_vec_clear(mem, &s->ways[i].picks);
    alea_vec_clear(mem, &s->ways[i].nodes);
    alea_vec_clear(mem, &s->ways[i].words);
  }
  alea_mem_free(mem, s->ways, s->mac->line_count * sizeof *s->ways);
  alea_mem_free(mem, s->keys, alea_mac_roles(s->mac) * sizeof *s->keys);
  clear_root(s);
  alea_infoset_table_clear(&s->sets);
  alea_vec_clear(mem, &s->legal);
  alea_vec_clear(mem, &s->choices);
}

/* ---- up ---- */

/* What counts for the arms of a role. */
static float merit(const alea_mac *m, const alea_mac_pick_made *made) {
  uint32_t me = m->setup->role;
  if (!made->together || m->v->select == ALEA_MAC_DECOUPLED) return m->rewards[made->role];
  if (m->v->select == ALEA_MAC_JOINT_OWN) return m->rewards[me];
  if (m->v->select == ALEA_MAC_MAXIMIN)
    return made->role == me ? m->rewards[me] : 1 - m->rewards[me];
  float least = 1;
  for (uint32_t r = 0; r < alea_mac_roles(m); r++)
    if ((int)r != m->setup->game->random_role && m->rewards[r] < least) least = m->rewards[r];
  return least;
}

/* A pull that is under way counts as lost by all, so that the next of the
 * batch go elsewhere. */
static void count_visits(const alea_mac_way *way) {
  for (size_t i = 0; i < way->picks.count; i++) {
    const alea_mac_pick_made *made = &way->picks.data[i];
    made->set->head.visits++;
    made->set->arms[made->arm].visits++;
  }
}

/* A sample of a position; its means are those of finished pulls. */
static void add_sample(const alea_mac *m, alea_node *node) {
  node->visits++;
  for (uint32_t r = 0; r < alea_mac_roles(m); r++) node->sums[r] += m->rewards[r];
}

/* The own arm at the root, where the thresholds come from. */
static void note_root(alea_mac_belief *s, const alea_mac_way *way) {
  const alea_mac *m = s->mac;
  const alea_mac_set *root = alea_mac_belief_root(s);
  for (size_t i = 0; i < way->picks.count; i++) {
    const alea_mac_pick_made *made = &way->picks.data[i];
    if (made->set != root || made->arm >= s->root_arms) continue;
    s->root_visits[made->arm]++;
    for (uint32_t r = 0; r < alea_mac_roles(m); r++)
      s->root_sums[(size_t)made->arm * alea_mac_roles(m) + r] += m->rewards[r];
    return;
  }
}

/* Adds a pull whose playouts have the mean mac->rewards; the visits of arms are counted.
 * A leaf is worth all of its samples, this one among them. */
static void back_up(alea_mac_belief *s, const alea_mac_way *way) {
  alea_mac *m = s->mac;
  size_t count = way->nodes.count;
  alea_node *leaf = count > 0 && !way->known ? alea_mac_at(m, way->nodes.data[count - 1]) : NULL;
  if (leaf != NULL && leaf->solved) leaf = NULL; /* cut at the horizon */
  if (leaf != NULL) {
    add_sample(m, leaf);
    for (uint32_t r = 0; r < alea_mac_roles(m); r++)
      m->rewards[r] = leaf->sums[r] / (float)leaf->visits;
    count--;
  }
  for (size_t i = 0; i < count; i++) add_sample(m, alea_mac_at(m, way->nodes.data[i]));
  for (size_t i = 0; i < way->picks.count; i++) {
    const alea_mac_pick_made *made = &way->picks.data[i];
    made->set->arms[made->arm].sum += merit(m, made);
  }
  note_root(s, way);
}

/* ---- sampling ---- */

/* Goes down as often as 'size' says; way i waits for leaf i of the batch. */
static alea_status gather(alea_mac_belief *s, const alea_belief *belief, alea_batch_size size) {
  alea_mac *m = s->mac;
  alea_leaf_batch_begin(&m->leaves);
  for (uint32_t i = 0; i < size.leaves; i++) {
    alea_mac_way *way = &s->ways[m->leaves.count];
    alea_status status = alea_mac_belief_descend(s, belief, ALEA_MAC_SAMPLING, way);
    if (status != ALEA_OK) return status;
    count_visits(way);
    if (!way->known) {
      alea_leaf_batch_add(&m->leaves, way->words.data, way->words.count, size.playouts);
      continue;
    }
    back_up(s, way);
    m->stats->exact++;
    m->stats->sims++;
  }
  return ALEA_OK;
}

static alea_status explore(alea_mac_belief *s, const alea_belief *belief,
                           const alea_time_manager *time_manager, uint64_t left) {
  alea_mac *m = s->mac;
  alea_batch_size wanted = {m->line_count, (uint32_t)m->v->playouts};
  alea_batch_size size = alea_leaf_batch_fit(wanted, time_manager->limit, left);
  alea_sample_options options = {.step_cap = m->horizon == UINT32_MAX ? 0 : m->horizon};
  uint64_t before = m->stats->sims;
  double start = alea_mac_now(m);
  alea_status status = gather(s, belief, size);
  if (status == ALEA_OK) status = alea_leaf_batch_run(&m->leaves, &options);
  if (status != ALEA_OK) return status;
  for (uint32_t i = 0; i < m->leaves.count; i++) {
    alea_leaf_batch_rewards(&m->leaves, i, m->rewards);
    back_up(s, &s->ways[i]);
  }
  alea_mac_note_samples(m);
  m->since_pruning += m->stats->sims - before;
  m->base_pulls += m->stats->sims - before;
  if (m->timed) m->effort[ALEA_MAC_SAMPLING] += alea_mac_now(m) - start;
  return ALEA_OK;
}

/* ---- solving ---- */

/* Solves a few stages where bounds lead; '*idle': all ways led nowhere. */
static alea_status exploit(alea_mac_belief *s, const alea_belief *belief,
                           alea_time_manager *time_manager, uint64_t done, bool *idle) {
  alea_mac *m = s->mac;
  alea_status status = ALEA_OK;
  double start = alea_mac_now(m);
  alea_mac_way *way = &s->ways[0];
  *idle = true;
  for (int i = 0; status == ALEA_OK && i < CHUNK; i++) {
    status = alea_mac_belief_descend(s, belief, ALEA_MAC_SOLVING, way);
    if (status != ALEA_OK) break;
    if (way->solved) *idle = false;
    for (size_t p = 0; p < way->picks.count; p++)
      way->picks.data[p].set->arms[way->picks.data[p].arm].solved++;
    m->over = alea_time_manager_over(time_manager, done);
    if (m->over) break;
  }
  if (m->timed) m->effort[ALEA_MAC_SOLVING] += alea_mac_now(m) - start;
  return status;
}

/* Where all stages are solved, looking for another is work for nothing: the
 * pauses grow. */
static alea_status solve_some(alea_mac_belief *s, const alea_belief *belief,
                              alea_time_manager *time_manager, uint64_t done, bool *idle) {
  *idle = true;
  if (s->mac->line || !alea_mac_wants_solving(s->mac)) return ALEA_OK;
  if (s->rest > 0) {
    s->rest--;
    return ALEA_OK;
  }
  alea_status status = exploit(s, belief, time_manager, done, idle);
  if (!*idle) s->pause = 0;
  if (*idle) s->rest = s->pause = s->pause >= MOST_PAUSE / 2 ? MOST_PAUSE : 2 * s->pause + 1;
  return status;
}

/* ---- thresholds and the line ---- */

static void raise(float *theta, float to) {
  if (to > *theta) *theta = to;
}

/* By what the best arm of the root promises (play/mac_prune.c). */
static void raise_thresholds(alea_mac_belief *s) {
  alea_mac *m = s->mac;
  uint32_t roles = alea_mac_roles(m), me = m->setup->role;
  const alea_mac_set *root = alea_mac_belief_root(s);
  uint32_t best = root != NULL ? alea_mac_belief_best_of(root) : UINT32_MAX;
  m->since_pruning = 0;
  m->rounds++;
  m->stats->rounds++;
  if (m->v->theta == ALEA_MAC_NO_THETA || best == UINT32_MAX || best >= s->root_arms) return;
  float n = (float)s->root_visits[best], least = 1;
  if (n < FEW) return;
  m->prunings++;
  const float *sums = s->root_sums + (size_t)best * roles;
  if (m->v->theta == ALEA_MAC_SOUND) {
    raise(&m->theta[me], sums[me] / n - sqrtf(2 * logf((float)root->head.visits + 1) / n));
    return;
  }
  for (uint32_t r = 0; r < roles; r++)
    if ((int)r != m->setup->game->random_role && sums[r] / n < least) least = sums[r] / n;
  for (uint32_t r = 0; r < roles; r++)
    if ((int)r != m->setup->game->random_role) raise(&m->theta[r], least);
}

/* The line grows by a step, or begins anew where it can grow no more. */
static void grow_line(alea_mac_belief *s) {
  alea_mac *m = s->mac;
  m->base_pulls = 0;
  bool on = s->deepest > s->line_depth && s->line_depth + 1 < m->horizon &&
            s->line_depth + 1 < ALEA_MAC_DEPTH;
  s->line_depth = on ? s->line_depth + 1 : 0;
  s->deepest = 0;
  if (!on) raise_thresholds(s);
}

/* ---- the main loop ---- */

static alea_status work(alea_mac_belief *s, const alea_belief *belief,
                        alea_time_manager *time_manager, uint64_t done) {
  alea_mac *m = s->mac;
  bool idle;
  alea_status status = solve_some(s, belief, time_manager, done, &idle);
  if (status == ALEA_OK && idle && !m->over)
    status = explore(s, belief, time_manager, time_manager->limit - done);
  if (status != ALEA_OK) return status;
  if (alea_mac_is_round_due(m, time_manager, done)) raise_thresholds(s);
  if (m->line && m->base_pulls >= m->prune_every) grow_line(s);
  return ALEA_OK;
}

static void forget(alea_mac_belief *s) {
  alea_node_store_empty(&s->mac->store);
  alea_symmetry_table_empty(&s->mac->images);
}

/* Makes room, and for the sums of the root, whose arms are those of the role. */
static alea_status begin(alea_mac_belief *s, const alea_belief *belief) {
  alea_mac *m = s->mac;
  alea_infoset_table_make_room(&s->sets);
  if (m->store.used > m->store.limit / 2) forget(s);
  if (m->v->cache == ALEA_MAC_CACHE_OFF) {
    forget(s);
    alea_infoset_table_empty(&s->sets);
  }
  alea_mac_begin_move(m);
  s->root = belief->now.data[0].keys[m->setup->role];
  s->initial = belief->moves.count == 0;
  s->joined = false;
  s->line_depth = s->deepest = s->rest = s->pause = 0;
  alea_list legal;
  alea_status status = alea_particle_load(&belief->now.data[0], m->cursor);
  if (status == ALEA_OK) status = alea_cursor_legal(m->cursor, m->setup->role, &legal);
  if (status != ALEA_OK) return status;
  clear_root(s);
  s->root_arms = legal.count;
  s->root_sums = alea_mem_calloc(m->mem, (size_t)legal.count * alea_mac_roles(m), sizeof(float));
  s->root_visits = alea_mem_calloc(m->mem, legal.count, sizeof *s->root_visits);
  if (s->root_sums == NULL || s->root_visits == NULL) return alea_mem_lack(m->mem);
  return ALEA_OK;
}

alea_status alea_mac_belief_run(alea_mac_belief *s, const alea_belief *belief,
                                alea_time_manager *time_manager) {
  alea_mac *m = s->mac;
  alea_status status = begin(s, belief);
  if (status != ALEA_OK) return status;
  alea_mac_begin_run(m, time_manager);
  uint64_t before = m->stats->sims, done = 0;
  while (status == ALEA_OK && !m->over && !alea_time_manager_over(time_manager, done)) {
    status = work(s, belief, time_manager, done);
    done = m->stats->sims - before;
  }
  alea_mac_note_shares(m);
  return status;
}

/* ---- the answer ---- */

alea_status alea_mac_belief_best(alea_mac_belief *s, alea_move *move) {
  const alea_mac_set *root = alea_mac_belief_root(s);
  uint32_t best = root != NULL ? alea_mac_belief_best_of(root) : UINT32_MAX;
  if (best == UINT32_MAX) return ALEA_NONE;
  *move = root->arms[best].move;
  return ALEA_OK;
}

void alea_mac_belief_analyse(alea_mac_belief *s, alea_analysis *analysis) {
  const alea_mac_set *root = alea_mac_belief_root(s);
  uint32_t best = root != NULL ? alea_mac_belief_best_of(root) : UINT32_MAX;
  s->choices.count = 0;
  for (uint32_t i = 0; root != NULL && i < root->head.count; i++) {
    const alea_mac_option *own = &root->arms[i];
    const alea_mac_option *arm = own->like != 0 ? &root->arms[own->like - 1] : own;
    double value = arm->visits > 0 ? 100 * (double)arm->sum / arm->visits : -1;
    alea_choice choice = {own->move, arm->visits, value, ALEA_PROOF_NONE};
    if (!alea_vec_push(s->mac->mem, &s->choices, choice)) return;
    if (i == best) analysis->value = value;
  }
  analysis->choices = s->choices.data;
  analysis->count = s->choices.count;
}
