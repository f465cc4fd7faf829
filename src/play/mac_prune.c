/* MAC-UCB: thresholds and what they prune ([MACUCB16 §4.4], D19, D20).
 *
 * `literal` is the rule as printed: after each round every threshold rises to
 * the least of the rewards that the best arm of the root promises.  `sound`
 * raises the own threshold alone, to what the best arm gives with confidence,
 * and prunes where the own role chooses.  Arms are pruned at stages where one
 * role chooses, when the stage is next passed; a stage whose arms are all
 * pruned takes them all back (mac_pick.c). */
#include <math.h>

#include "play/mac.h"

enum { MOST_ROLES = 64, FEW = 5 /* samples below which a bound says nothing */ };

static bool is_chance(const alea_mac *m, uint32_t role) {
  return (int)role == m->setup->game->random_role;
}

static void raise(float *theta, float to) {
  if (to > *theta) *theta = to;
}

static void raise_sound(alea_mac *m, const alea_node *root, uint32_t arm) {
  uint32_t me = m->setup->role;
  uint64_t n;
  float value = alea_mac_value(m, root, root->firsts[me] + arm, &n);
  const alea_arm *a = &root->arms[root->firsts[me] + arm];
  bool known = m->exact && alea_arm_is_exact(a);
  if (!known && n < FEW) return;
  float doubt = known ? 0 : sqrtf(2 * logf((float)root->visits + 1) / (float)n);
  raise(&m->theta[me], value - doubt);
}

static void raise_literal(alea_mac *m, const alea_node *root, uint32_t arm) {
  float means[MOST_ROLES], least = 1;
  uint32_t picks[MOST_ROLES] = {0};
  if (root->children == NULL || alea_mac_roles(m) > MOST_ROLES) return;
  for (uint32_t r = 0; r < alea_mac_roles(m); r++) {
    uint32_t best = r == m->setup->role ? arm : UINT32_MAX;
    if (best == UINT32_MAX && !is_chance(m, r)) best = alea_mac_best_of(m, root, r);
    picks[r] = best == UINT32_MAX ? 0 : best;
  }
  if (alea_mac_joint_means(m, root, picks, means) < FEW) return;
  for (uint32_t r = 0; r < alea_mac_roles(m); r++)
    if (!is_chance(m, r) && means[r] < least) least = means[r];
  for (uint32_t r = 0; r < alea_mac_roles(m); r++)
    if (!is_chance(m, r)) raise(&m->theta[r], least);
}

void alea_mac_raise(alea_mac *mac) {
  const alea_node *root = alea_node_store_at(&mac->store, mac->root);
  if (mac->v->theta == ALEA_MAC_NO_THETA || !root->solved || root->terminal) return;
  uint32_t arm = alea_mac_best_of(mac, root, mac->setup->role);
  if (arm == UINT32_MAX) return;
  mac->prunings++;
  if (mac->v->theta == ALEA_MAC_SOUND) {
    raise_sound(mac, root, arm);
  } else {
    raise_literal(mac, root, arm);
  }
}

/* The most that an arm of the chooser may be worth to it: over the values of
 * chance, exact or the upper confidence bound. */
static float hope(const alea_mac *m, const alea_node *node, uint32_t arm) {
  uint32_t p = node->chooser, roles = alea_mac_roles(m), values = 1, stride = 1;
  int chance = m->setup->game->random_role;
  uint32_t picks[MOST_ROLES] = {0};
  picks[p] = arm;
  if (chance >= 0) {
    values = node->firsts[chance + 1] - node->firsts[chance];
    for (uint32_t q = (uint32_t)chance + 1; q < roles; q++)
      stride *= node->firsts[q + 1] - node->firsts[q];
  }
  uint32_t joint = alea_node_joint(node, roles, picks);
  float sum = 0, logs = logf((float)node->arms[node->firsts[p] + arm].visits + 1);
  for (uint32_t v = 0; v < values; v++) {
    alea_node_id id = node->children[joint + v * stride];
    const alea_node *child = id != 0 ? alea_node_store_at(&m->store, id) : NULL;
    float most = 1;
    if (child != NULL && child->exact && m->exact) {
      most = child->lo[p];
    } else if (child != NULL && child->visits >= FEW) {
      most = child->sums[p] / (float)child->visits + sqrtf(2 * logs / (float)child->visits);
      if (most > 1) most = 1;
    }
    sum += most;
  }
  return sum / (float)values;
}

void alea_mac_prune(alea_mac *mac, alea_node *node) {
  if (node->pruned == mac->prunings || node->choosers != 1 || node->children == NULL) return;
  node->pruned = mac->prunings;
  uint32_t p = node->chooser, first = node->firsts[p];
  float theta = mac->theta[p] - 1e-5f;
  bool prunes = theta > 0 && alea_mac_roles(mac) <= MOST_ROLES;
  for (uint32_t a = 0; a < node->firsts[p + 1] - first; a++) {
    alea_arm_work *effort = &node->efforts[first + a];
    bool was = effort->dead;
    effort->dead = prunes && effort->representative == 0 && hope(mac, node, a) < theta;
    mac->stats->pruned += effort->dead && !was;
    if (effort->dead && !was) alea_mac_add_nogood(mac, node, a);
  }
}
