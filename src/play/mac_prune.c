/* MAC-UCB: thresholds and what they prune ([MACUCB16 §4.4], D19, D20).
 *
 * `literal` is the rule as printed: after each round every threshold rises to
 * the least of the rewards that the best arm of the root promises.  `sound`
 * raises the own threshold alone, to what the best arm gives with confidence,
 * and prunes where the own role chooses.  Arms are pruned at stages where one
 * role chooses, when the stage is next passed; a stage whose arms are all
 * pruned takes them all back (mac_pick.c).
 *
 * What is pruned is what the threshold takes from the feasibility constraint c_s
 * (encode/feasible.h): once when the stage is solved, where chance has several
 * values and some of the positions they lead to are known from elsewhere, and
 * again after every rise of the threshold, over the children that the stage has
 * by then. */
#include <math.h>

#include "encode/feasible.h"
#include "play/mac.h"

enum {
  MOST_ROLES = 64,
  FEW = 5,          /* samples below which a bound says nothing */
  MOST_TRIED = 256, /* successors that are looked at when a stage is solved */
};

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
  mac->rounds++;
  mac->stats->rounds++;
  if (mac->v->theta == ALEA_MAC_SOUND) {
    raise_sound(mac, root, arm);
  } else {
    raise_literal(mac, root, arm);
  }
}

/* The most that a node may be worth to a role, where 'logs' is the logarithm of
 * the samples that it was chosen from: exact, or the upper confidence bound. */
static float hope(const alea_mac *m, const alea_node *node, uint32_t role, float logs) {
  if (node->exact && m->exact) return node->lo[role];
  if (node->visits < FEW || node->sums == NULL) return 1;
  float most = node->sums[role] / (float)node->visits + sqrtf(2 * logs / (float)node->visits);
  return most < 1 ? most : 1;
}

/* ---- stages that were solved: c_s over their children ---- */

typedef struct prune_arm {
  const alea_mac *mac;
  const alea_node *node;
  uint32_t joint, stride; /* the arm's first joint move; between two values of chance */
  float logs;
} prune_arm;

static float child_hope(void *data, uint32_t value) {
  const prune_arm *arm = data;
  alea_node_id id = arm->node->children[arm->joint + value * arm->stride];
  if (id == 0) return 1;
  return hope(arm->mac, alea_node_store_at(&arm->mac->store, id), arm->node->chooser, arm->logs);
}

static bool is_feasible(const alea_mac *m, const alea_node *node, uint32_t arm, float theta) {
  uint32_t p = node->chooser, roles = alea_mac_roles(m), values = 1;
  int chance = m->setup->game->random_role;
  uint32_t picks[MOST_ROLES] = {0};
  picks[p] = arm;
  prune_arm tried = {.mac = m, .node = node, .stride = 1};
  if (chance >= 0) {
    values = node->firsts[chance + 1] - node->firsts[chance];
    for (uint32_t q = (uint32_t)chance + 1; q < roles; q++)
      tried.stride *= node->firsts[q + 1] - node->firsts[q];
  }
  tried.joint = alea_node_joint(node, roles, picks);
  tried.logs = logf((float)node->arms[node->firsts[p] + arm].visits + 1);
  return alea_is_feasible(theta, values, child_hope, &tried);
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
    effort->dead = prunes && effort->representative == 0 && !is_feasible(mac, node, a, theta);
    mac->stats->pruned += effort->dead && !was;
    if (effort->dead && !was) alea_mac_add_nogood(mac, node, a);
  }
}

/* ---- a stage that has just been solved: c_s over what is known elsewhere ---- */

typedef struct prune_stage {
  alea_mac *mac;
  uint32_t role;
} prune_stage;

static alea_status position_hope(void *data, const uint64_t *words, size_t count, float *most) {
  const prune_stage *stage = data;
  alea_mac *m = stage->mac;
  alea_status status = alea_cursor_load(m->cursor, words, count);
  if (status != ALEA_OK) return status;
  alea_node_id id =
      alea_node_store_find_words(&m->store, alea_cursor_hash(m->cursor), words, count);
  const alea_node *node = id != 0 ? alea_node_store_at(&m->store, id) : NULL;
  *most = node != NULL ? hope(m, node, stage->role, logf((float)node->visits + 1)) : 1;
  if (!m->timed) m->effort[ALEA_MAC_SOLVING] += 1;
  return ALEA_OK;
}

alea_status alea_mac_restrict(alea_mac *mac, alea_node *node, const alea_stage_solution *solution) {
  uint8_t allowed[MOST_TRIED];
  int chance = mac->setup->game->random_role;
  if (chance < 0 || node->choosers != 1 || node->children == NULL || solution->arms == NULL)
    return ALEA_OK;
  uint32_t values = node->firsts[chance + 1] - node->firsts[chance];
  prune_stage stage = {mac, node->chooser};
  float theta = mac->theta[stage.role] - 1e-5f;
  if (values < 2 || theta <= 0 || solution->arm_count * values > MOST_TRIED) return ALEA_OK;
  alea_status status =
      alea_stage_feasible(mac->stage, solution, theta, position_hope, &stage, allowed);
  if (status != ALEA_OK) return status;
  node->pruned = mac->prunings;
  for (uint32_t a = 0; a < solution->arm_count; a++) {
    node->efforts[node->firsts[stage.role] + a].dead = !allowed[a];
    mac->stats->pruned += !allowed[a];
    if (!allowed[a]) alea_mac_add_nogood(mac, node, a);
  }
  return ALEA_OK;
}
