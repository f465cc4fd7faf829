/* MAC-UCB: the way down, from the root along picks to a stage that is not
 * solved, and what is exact carried up again. */
#include "game/position.h"
#include "play/mac.h"

enum {
  MOST_SEED = 256, /* samples that a position brings along for a new arm */
  MOST_LOOPS = 24, /* times the bounds of a position that follows itself are computed */
};

static const double image_cost = 1.0 / 16; /* in units of counted effort */

/* ---- effort ---- */

double alea_mac_now(const alea_mac *m) {
  if (!m->timed) return 0;
  return m->clock == ALEA_CLOCK_CPU ? alea_clock_thread() : alea_clock_wall();
}

double alea_mac_effort(const alea_mac *m) {
  return m->effort[ALEA_MAC_SOLVING] + m->effort[ALEA_MAC_SAMPLING] + m->effort[ALEA_MAC_SYMMETRY];
}

void alea_mac_charge(alea_mac *m, alea_mac_work at, double start, uint32_t images) {
  double spent = m->timed ? alea_mac_now(m) - start : image_cost * images;
  m->effort[ALEA_MAC_SYMMETRY] += spent;
  if (m->timed) m->effort[at] -= spent;
}

/* ---- positions ---- */

bool alea_mac_may_use_symmetry(const alea_mac *m) {
  return m->images.symmetry != NULL &&
         m->effort[ALEA_MAC_SYMMETRY] <= m->v->sym_share * alea_mac_effort(m);
}

/* The position that the cursor's is an image of, or 0. */
static alea_node_id find_image(alea_mac *m, alea_mac_work at, const uint64_t *words,
                               uint32_t *image) {
  double start = alea_mac_now(m);
  alea_node_id id = alea_symmetry_table_find(&m->images, words, image);
  alea_mac_charge(m, at, start, m->images.images ? 0 : m->images.symmetry->group.element_count);
  m->stats->symmetry_hits += id != 0;
  return id;
}

void alea_mac_add_symmetric(alea_mac *m, alea_mac_work at, const uint64_t *words, alea_node_id id) {
  double start = alea_mac_now(m);
  uint32_t made = alea_symmetry_table_add(&m->images, words, id);
  alea_mac_charge(m, at, start, made);
  m->stats->images += made;
}

alea_status alea_mac_meet(alea_mac *m, alea_mac_work at, alea_node_id *id, uint32_t *image) {
  size_t count;
  const uint64_t *words = alea_cursor_state(m->cursor, &count);
  uint64_t hash = alea_cursor_hash(m->cursor);
  *image = 0;
  *id = alea_node_store_find_words(&m->store, hash, words, count);
  if (*id != 0) {
    m->stats->transpositions++;
    m->stats->cache_hits += alea_mac_at(m, *id)->looked; /* the mark of what was read from a file */
    alea_mac_at(m, *id)->looked = false;
    return ALEA_OK;
  }
  bool symmetry = alea_mac_may_use_symmetry(m);
  if (symmetry && (*id = find_image(m, at, words, image)) != 0) return ALEA_OK;
  alea_status status = alea_node_store_make_bare(&m->store, hash, words, count, id);
  if (status != ALEA_OK) return status;
  m->stats->nodes += *id != 0;
  m->stats->full += *id == 0;
  if (symmetry && *id != 0 && !m->images.images) alea_mac_add_symmetric(m, at, words, *id);
  return ALEA_OK;
}

static void spell(alea_mac *mac, const alea_node *node, const uint32_t *picks) {
  for (uint32_t r = 0; r < alea_mac_roles(mac); r++)
    mac->joint[r] = node->moves[node->firsts[r] + picks[r]];
}

bool alea_mac_is_plain(const alea_mac *m, const alea_node *node) {
  int chance = m->setup->game->random_role;
  return node->choosers == 1 && node->children != NULL &&
         (chance < 0 || node->firsts[chance + 1] - node->firsts[chance] == 1);
}

/* An arm that leads to a position which was sampled before starts with what
 * is known of it. */
static void seed_arm(alea_mac *m, alea_node *node, uint32_t a, const alea_node *child) {
  alea_arm *arm = &node->arms[node->firsts[node->chooser] + a];
  if (arm->visits > 0 || child->visits == 0 || child->sums == NULL) return;
  uint32_t n = child->visits < MOST_SEED ? child->visits : MOST_SEED;
  arm->visits = n;
  arm->sum = (float)n * child->sums[node->chooser] / (float)child->visits;
  for (uint32_t r = 0; r < alea_mac_roles(m); r++)
    node->sums[r] += (float)n * child->sums[r] / (float)child->visits;
  node->visits += n;
}

/* Arms that lead to one position are one arm. */
static void join_symmetric(alea_node *node, uint32_t joint, alea_node_id id) {
  alea_arm_work *efforts = node->efforts + node->firsts[node->chooser];
  for (uint32_t i = 0; i < node->joint_count; i++) {
    if (efforts[i].representative == joint + 1) node->children[i] = id;
    if (i == joint || node->children[i] != id || efforts[i].representative == joint + 1) continue;
    uint32_t older = i < joint ? i : joint, younger = i < joint ? joint : i;
    if (efforts[younger].representative == 0 && efforts[older].representative == 0)
      efforts[younger].representative = older + 1;
  }
}

alea_status alea_mac_link(alea_mac *m, alea_mac_work at, alea_node_id from, const uint32_t *picks,
                          alea_node_id *id) {
  alea_node *node = alea_mac_at(m, from);
  uint32_t image, joint = alea_node_joint(node, alea_mac_roles(m), picks);
  if (node->children != NULL && node->children[joint] != 0) {
    *id = node->children[joint];
    return ALEA_OK;
  }
  spell(m, node, picks);
  alea_status status = alea_cursor_load(m->cursor, node->words, node->word_count);
  if (status == ALEA_OK) status = alea_cursor_play(m->cursor, m->joint);
  if (status == ALEA_OK) status = alea_mac_meet(m, at, id, &image);
  if (!m->timed && at == ALEA_MAC_SOLVING) m->effort[at] += 1;
  if (status != ALEA_OK || *id == 0 || node->children == NULL) return status;
  node->children[joint] = *id;
  if (!alea_mac_is_plain(m, node)) return ALEA_OK;
  join_symmetric(node, joint, *id);
  seed_arm(m, node, joint, alea_mac_at(m, *id));
  return ALEA_OK;
}

/* ---- down ---- */

static bool is_leaf(const alea_mac *m, const alea_mac_line *line, const alea_node *node) {
  return !node->solved || alea_mac_knows(m, node) || node->stamp == m->stamp ||
         line->path.count >= ALEA_MAC_DEPTH || line->path.count >= m->horizon;
}

static bool push_stop(alea_mac *m, alea_mac_line *line, alea_node_id id) {
  alea_mac_stop stop = {id, (uint32_t)line->picks.count};
  if (!alea_vec_reserve(m->mem, &line->picks, alea_mac_roles(m))) return false;
  line->picks.count += alea_mac_roles(m);
  return alea_vec_push(m->mem, &line->path, stop);
}

alea_status alea_mac_descend(alea_mac *m, alea_mac_work at, alea_mac_line *line) {
  alea_node_id id = m->base;
  line->path.count = line->picks.count = 0;
  line->repeated = false;
  m->stamp++;
  for (;;) {
    alea_node *node = alea_mac_at(m, id);
    line->leaf = id;
    line->repeated = node->stamp == m->stamp;
    if (is_leaf(m, line, node)) return ALEA_OK;
    node->stamp = m->stamp;
    if (!push_stop(m, line, id)) return alea_mem_lack(m->mem);
    uint32_t *picks = line->picks.data + line->picks.count - alea_mac_roles(m);
    alea_mac_prune(m, node);
    alea_mac_pick(m, node, at == ALEA_MAC_SOLVING, picks);
    alea_status status = alea_mac_link(m, at, id, picks, &id);
    if (status != ALEA_OK) return status;
    if (id != 0) continue;
    line->leaf = 0;
    return alea_position_keep(&line->words, m->cursor, m->mem);
  }
}

/* Computes the bounds of a node anew.  Where chance may lead from a position
 * to itself, bounds close step by step: a few at once. */
static bool update_node(alea_mac *m, alea_node_id id) {
  alea_node *node = alea_mac_at(m, id);
  bool loops = false, changed = alea_exact_update(&m->store, node);
  if (!changed || node->exact || m->setup->game->random_role < 0 || node->children == NULL)
    return changed;
  for (uint32_t j = 0; j < node->joint_count && !loops; j++) loops = node->children[j] == id;
  for (int i = 0; loops && i < MOST_LOOPS && !node->exact; i++)
    if (!alea_exact_update(&m->store, node)) break;
  return true;
}

void alea_mac_close(alea_mac *m, const alea_mac_line *line) {
  if (!m->exact || line->leaf == 0 || (!line->repeated && !alea_mac_at(m, line->leaf)->exact))
    return;
  size_t i = line->path.count;
  while (i-- > 0)
    if (!update_node(m, line->path.data[i].id)) return;
  for (i = m->prefix.count; i-- > 0;)
    if (!update_node(m, m->prefix.data[i])) return;
}
