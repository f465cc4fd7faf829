/* MAC-UCB: which arm to try, and which one to play ([MACUCB16 §4.3], D16). */
#include <math.h>

#include "play/mac.h"

static const float never_tried = 1e6f;
enum { MOST_ROLES = 64, MOST_JOINT = 20000 };

static uint32_t arm_count(const alea_node *node, uint32_t role) {
  return node->firsts[role + 1] - node->firsts[role];
}

static bool is_chance(const alea_mac *m, uint32_t role) {
  return (int)role == m->setup->game->random_role;
}

/* ---- one role's arms ---- */

/* An arm like an earlier one has that one's numbers. */
static const alea_arm *arm_at(const alea_node *node, uint32_t arm) {
  uint32_t first = node->efforts[arm].representative;
  return &node->arms[first == 0 ? arm : node->firsts[node->chooser] + first - 1];
}

float alea_mac_value(const alea_mac *mac, const alea_node *node, uint32_t a, uint64_t *visits) {
  const alea_arm *arm = arm_at(node, a);
  *visits = arm->visits;
  if (mac->exact && alea_arm_is_exact(arm)) return arm->lo;
  if (arm->visits == 0) return -1;
  float mean = arm->sum / (float)arm->visits;
  return mean < arm->lo ? arm->lo : mean > arm->hi ? arm->hi : mean;
}

/* What the role got at this node so far. */
static float mean_of(const alea_node *node, uint32_t role) {
  return node->visits > 0 ? node->sums[role] / (float)node->visits : 0.5f;
}

/* UCB1 ([MACUCB16 §4.3]); solving counts the stages below an arm as well, or it
 * would go the same way until the next sample. */
static float score(const alea_mac *m, const alea_node *node, uint32_t role, uint32_t a,
                   bool solving, float logs) {
  const alea_arm *arm = &node->arms[a];
  float n = (float)arm->visits + (solving ? (float)node->efforts[a].solved : 0);
  if (n < 1) return never_tried;
  float mean = arm->visits > 0 ? alea_arm_mean(arm) : mean_of(node, role);
  return mean + (float)m->v->c * sqrtf(2 * logs / n);
}

static bool is_live(const alea_mac *m, const alea_node *node, uint32_t a, float floor) {
  if (node->efforts[a].dead || node->efforts[a].representative != 0) return false;
  return !m->exact || alea_arm_open(&node->arms[a], floor);
}

static uint32_t find_live(alea_mac *m, const alea_node *node, uint32_t role, bool solving) {
  uint32_t first = node->firsts[role], count = arm_count(node, role), found = UINT32_MAX;
  uint32_t at = alea_rng_below(&m->rng, count);
  float best = -1, floor = node->lo[role], all = (float)node->visits + 1;
  for (uint32_t i = 0; solving && i < count; i++) all += (float)node->efforts[first + i].solved;
  float logs = logf(all);
  for (uint32_t i = 0; i < count; i++, at = at + 1 == count ? 0 : at + 1) {
    if (!is_live(m, node, first + at, floor)) continue;
    float value = score(m, node, role, first + at, solving, logs);
    if (value <= best) continue;
    best = value;
    found = at;
  }
  return found;
}

/* All arms pruned: the threshold was too high for this stage. */
static bool revive(alea_node *node, uint32_t role) {
  bool any = false;
  for (uint32_t a = node->firsts[role]; a < node->firsts[role + 1]; a++) {
    any |= node->efforts[a].dead;
    node->efforts[a].dead = 0;
  }
  return any;
}

static uint32_t pick_role(alea_mac *m, alea_node *node, uint32_t role, bool solving) {
  uint32_t found = find_live(m, node, role, solving);
  if (found == UINT32_MAX && revive(node, role)) found = find_live(m, node, role, solving);
  if (found != UINT32_MAX) return found;
  alea_pick known = {.node = node, .role = role, .turn = alea_rng_below(&m->rng, 1u << 16)};
  return alea_pick_known(&known);
}

/* ---- joint arms ---- */

/* A walk over the joint moves of the players; chance stays at its first. */
typedef struct mac_pick_walk {
  uint32_t picks[MOST_ROLES];
} mac_pick_walk;

static bool advance(const alea_mac *m, const alea_node *node, mac_pick_walk *w) {
  for (uint32_t r = alea_mac_roles(m); r-- > 0;) {
    if (is_chance(m, r)) continue;
    if (++w->picks[r] < arm_count(node, r)) return true;
    w->picks[r] = 0;
  }
  return false;
}

uint64_t alea_mac_joint_means(const alea_mac *mac, const alea_node *node, const uint32_t *picks,
                              float *means) {
  uint32_t roles = alea_mac_roles(mac), values = 1, stride = 1;
  int chance = mac->setup->game->random_role;
  if (chance >= 0) {
    values = arm_count(node, (uint32_t)chance);
    for (uint32_t q = (uint32_t)chance + 1; q < roles; q++) stride *= arm_count(node, q);
  }
  uint32_t joint = alea_node_joint(node, roles, picks), seen = 0;
  if (chance >= 0) joint -= picks[chance] * stride;
  uint64_t visits = 0;
  for (uint32_t r = 0; r < roles; r++) means[r] = 0;
  /* Values of chance are equally likely, however often they were drawn. */
  for (uint32_t v = 0; v < values; v++) {
    alea_node_id id = node->children[joint + v * stride];
    const alea_node *child = id != 0 ? alea_node_store_at(&mac->store, id) : NULL;
    if (child == NULL || (child->visits == 0 && !child->exact)) continue;
    seen++;
    visits += child->visits > 0 ? child->visits : 1;
    for (uint32_t r = 0; r < roles; r++)
      means[r] += child->exact && mac->exact ? child->lo[r] : child->sums[r] / (float)child->visits;
  }
  for (uint32_t r = 0; r < roles && seen > 0; r++) means[r] /= (float)seen;
  return visits;
}

static bool is_joint(const alea_mac *m, const alea_node *node) {
  return m->v->select != ALEA_MAC_DECOUPLED && node->choosers > 1 && node->children != NULL &&
         node->joint_count <= MOST_JOINT && alea_mac_roles(m) <= MOST_ROLES;
}

/* What counts of a vector. */
static float merit(const alea_mac *m, const float *means) {
  if (m->v->select != ALEA_MAC_COOP) return means[m->setup->role];
  float least = 1;
  for (uint32_t r = 0; r < alea_mac_roles(m); r++)
    if (!is_chance(m, r) && means[r] < least) least = means[r];
  return least;
}

/* The best joint arm; with 'bonus' the best to try. */
static void best_joint(alea_mac *m, const alea_node *node, float bonus, uint32_t *picks) {
  mac_pick_walk w = {{0}};
  float means[MOST_ROLES], best = -1, logs = logf((float)node->visits + 1);
  do {
    uint64_t n = alea_mac_joint_means(m, node, w.picks, means);
    float value = n > 0 ? merit(m, means) + bonus * sqrtf(2 * logs / (float)n)
                        : (bonus > 0 ? never_tried : -1) + (float)alea_rng_unit(&m->rng);
    if (value <= best) continue;
    best = value;
    for (uint32_t r = 0; r < alea_mac_roles(m); r++)
      if (!is_chance(m, r)) picks[r] = w.picks[r];
  } while (advance(m, node, &w));
}

/* Maximin: for each own arm the answer that hurts most (with 'bonus': that may
 * hurt most), and of the arms the one that is hurt least. */
static void best_maximin(alea_mac *m, const alea_node *node, float bonus, uint32_t *picks) {
  uint32_t me = m->setup->role;
  float means[MOST_ROLES], best = -1, logs = logf((float)node->visits + 1);
  for (uint32_t own = 0; own < arm_count(node, me); own++) {
    mac_pick_walk w = {{0}}, hurts = w;
    float worst = 2, least = 3;
    do {
      if (w.picks[me] != own) continue;
      uint64_t n = alea_mac_joint_means(m, node, w.picks, means);
      if (n == 0 && bonus <= 0) continue;
      float wide = n > 0 ? bonus * sqrtf(2 * logs / (float)n) : never_tried;
      float low = n > 0 ? means[me] - wide : -never_tried;
      if (low >= least) continue;
      least = low;
      worst = n > 0 ? means[me] + wide : never_tried + (float)alea_rng_unit(&m->rng);
      hurts = w;
    } while (advance(m, node, &w));
    if (worst <= best || (bonus <= 0 && worst > 1)) continue;
    best = worst;
    for (uint32_t r = 0; r < alea_mac_roles(m); r++)
      if (!is_chance(m, r)) picks[r] = hurts.picks[r];
  }
}

/* ---- chance ---- */

/* Solving has nothing to do below values of chance whose outcome is known, or
 * lies on the way already: one of the others is drawn. */
static void redraw_chance(alea_mac *m, const alea_node *node, uint32_t *picks) {
  uint32_t role = (uint32_t)m->setup->game->random_role, count = arm_count(node, role);
  for (uint32_t v = 0, drawn = picks[role]; v < count; v++) {
    picks[role] = (drawn + v) % count;
    alea_node_id id = node->children[alea_node_joint(node, alea_mac_roles(m), picks)];
    const alea_node *child = id != 0 ? alea_node_store_at(&m->store, id) : NULL;
    if (child == NULL || (!child->exact && child->stamp != m->stamp)) return;
  }
}

/* ---- the interface ---- */

void alea_mac_pick(alea_mac *mac, alea_node *node, bool solving, uint32_t *picks) {
  for (uint32_t r = 0; r < alea_mac_roles(mac); r++) {
    uint32_t count = arm_count(node, r);
    picks[r] = is_chance(mac, r) && count > 1 ? alea_rng_below(&mac->rng, count) : 0;
  }
  if (is_joint(mac, node)) {
    float bonus = (float)mac->v->c > 0 ? (float)mac->v->c : 1e-3f;
    if (mac->v->select == ALEA_MAC_MAXIMIN) {
      best_maximin(mac, node, bonus, picks);
    } else {
      best_joint(mac, node, bonus, picks);
    }
  } else {
    for (uint32_t r = 0; r < alea_mac_roles(mac); r++)
      if (!is_chance(mac, r) && arm_count(node, r) > 1) picks[r] = pick_role(mac, node, r, solving);
  }
  if (solving && mac->exact && mac->setup->game->random_role >= 0 && node->children != NULL)
    redraw_chance(mac, node, picks);
}

/* Where the value of the node is known, only arms that are sure to give it
 * count: samples may promise as much and be wrong. */
static bool is_sure(const alea_mac *m, const alea_node *node, uint32_t role, uint32_t a) {
  if (!m->exact || !node->exact) return true;
  return arm_at(node, a)->lo >= node->lo[role] - 1e-5f;
}

uint32_t alea_mac_best_of(alea_mac *mac, const alea_node *node, uint32_t role) {
  uint32_t first = node->firsts[role], count = arm_count(node, role), found = UINT32_MAX;
  if (count == 0) return UINT32_MAX;
  if (is_joint(mac, node) && role == mac->setup->role) {
    uint32_t picks[MOST_ROLES] = {0};
    if (mac->v->select == ALEA_MAC_MAXIMIN) {
      best_maximin(mac, node, 0, picks);
    } else {
      best_joint(mac, node, 0, picks);
    }
    return picks[role];
  }
  float best = -1;
  uint64_t most = 0;
  uint32_t at = count > 1 ? alea_rng_below(&mac->rng, count) : 0;
  for (uint32_t i = 0; i < count; i++, at = at + 1 == count ? 0 : at + 1) {
    uint64_t visits;
    float value = alea_mac_value(mac, node, first + at, &visits);
    if (!is_sure(mac, node, role, first + at)) continue;
    bool same = value <= best + ALEA_VALUE_TOLERANCE && best >= 0;
    if (value < 0 || value < best - ALEA_VALUE_TOLERANCE || (same && visits <= most)) continue;
    best = value;
    most = visits;
    found = at;
  }
  return found;
}
