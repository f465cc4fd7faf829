/* Bounds of a node from those of its children. */
#include "play/exact.h"

/* A walk over the joint moves of a node, in the order of their numbers. */
typedef struct exact_walk {
  const alea_node *node;
  uint32_t roles, joint;
  uint32_t picks[64];
} exact_walk;
enum { MOST_ROLES = 64 };

static bool advance(exact_walk *w) {
  if (++w->joint >= w->node->joint_count) return false;
  for (uint32_t r = w->roles; r-- > 0;) {
    if (++w->picks[r] < w->node->firsts[r + 1] - w->node->firsts[r]) return true;
    w->picks[r] = 0;
  }
  return true;
}

/* Bounds of role 'r' in the child by joint move 'joint'. */
static void child_bounds(const alea_node_store *s, const alea_node *node, uint32_t joint,
                         uint32_t r, float *lo, float *hi) {
  alea_node_id id = node->children[joint];
  *lo = id != 0 ? alea_node_store_at(s, id)->lo[r] : 0;
  *hi = id != 0 ? alea_node_store_at(s, id)->hi[r] : 1;
}

/* The same, as the mean over the moves of chance. */
static void mean_bounds(const alea_node_store *s, const exact_walk *w, uint32_t r, float *lo,
                        float *hi) {
  int chance = s->game->random_role;
  uint32_t count = chance < 0 ? 1 : w->node->firsts[chance + 1] - w->node->firsts[chance];
  if (count == 1) {
    child_bounds(s, w->node, w->joint, r, lo, hi);
    return;
  }
  uint32_t stride = 1;
  for (uint32_t q = (uint32_t)chance + 1; q < w->roles; q++)
    stride *= w->node->firsts[q + 1] - w->node->firsts[q];
  float low = 0, high = 0;
  for (uint32_t i = 0; i < count; i++) {
    child_bounds(s, w->node, w->joint + i * stride, r, lo, hi);
    low += *lo, high += *hi;
  }
  *lo = low / (float)count;
  *hi = high / (float)count;
}

/* Bounds of every arm: over all that the others may do. */
static void update_arms(const alea_node_store *s, alea_node *node, uint32_t roles) {
  int chance = s->game->random_role;
  for (uint32_t a = 0; a < node->firsts[roles]; a++) node->arms[a].lo = 1, node->arms[a].hi = 0;
  exact_walk w = {.node = node, .roles = roles};
  do {
    if (chance >= 0 && w.picks[chance] != 0) continue;
    for (uint32_t r = 0; r < roles; r++) {
      float lo, hi;
      if ((int)r == chance) continue;
      mean_bounds(s, &w, r, &lo, &hi);
      alea_arm *arm = &node->arms[node->firsts[r] + w.picks[r]];
      if (lo < arm->lo) arm->lo = lo;
      if (hi > arm->hi) arm->hi = hi;
    }
  } while (advance(&w));
}

/* Each role takes its best security level, and may hope for its best arm. */
static void update_roles(alea_node *node, uint32_t roles) {
  for (uint32_t r = 0; r < roles; r++) {
    float lo = 0, hi = 0;
    for (uint32_t a = node->firsts[r]; a < node->firsts[r + 1]; a++) {
      if (node->arms[a].lo > lo) lo = node->arms[a].lo;
      if (node->arms[a].hi > hi) hi = node->arms[a].hi;
    }
    node->lo[r] = lo;
    node->hi[r] = hi;
  }
}

/* The values of all roles where the one chooser plays its arm 'a'. */
static void arm_values(const alea_node_store *s, alea_node *node, uint32_t roles, uint32_t a,
                       float *lo, float *hi) {
  exact_walk w = {.node = node, .roles = roles};
  w.picks[node->chooser] = a;
  w.joint = alea_node_joint(node, roles, w.picks);
  for (uint32_t r = 0; r < roles; r++) mean_bounds(s, &w, r, &lo[r], &hi[r]);
}

/* Where one player chooses, the others get what its good arms leave them: an
 * arm that is surely worse than another does not count.  As soon as one good
 * arm is exact and no other can beat it the node is exact too; among several
 * the others' sum is made small (D16), but arms that merely might be as
 * good are not waited for. */
static void update_others(const alea_node_store *s, alea_node *node, uint32_t roles) {
  uint32_t p = node->chooser, first = node->firsts[p];
  float lo[MOST_ROLES], hi[MOST_ROLES], best_sum = 0;
  float low[MOST_ROLES], high[MOST_ROLES];
  bool settled = false;
  for (uint32_t r = 0; r < roles; r++) low[r] = 1, high[r] = 0;
  for (uint32_t a = 0; a < node->firsts[p + 1] - first; a++) {
    const alea_arm *arm = &node->arms[first + a];
    if (arm->hi < node->lo[p] - ALEA_VALUE_TOLERANCE) continue;
    arm_values(s, node, roles, a, lo, hi);
    bool exact = arm->lo >= node->hi[p] - ALEA_VALUE_TOLERANCE;
    float sum = 0;
    for (uint32_t r = 0; r < roles; r++) {
      if (hi[r] - lo[r] > ALEA_VALUE_TOLERANCE) exact = false;
      sum += lo[r];
    }
    if (settled && (!exact || sum >= best_sum)) continue;
    for (uint32_t r = 0; r < roles; r++) {
      if (exact || lo[r] < low[r]) low[r] = lo[r];
      if (exact || hi[r] > high[r]) high[r] = hi[r];
    }
    if (exact) settled = true, best_sum = sum;
  }
  for (uint32_t r = 0; r < roles; r++) {
    if (r == p && !settled) continue;
    node->lo[r] = low[r];
    node->hi[r] = high[r];
  }
}

bool alea_exact_update(alea_node_store *store, alea_node *node) {
  uint32_t roles = store->game->role_count;
  if (node->exact || node->children == NULL || roles > MOST_ROLES) return false;
  float lo[MOST_ROLES], hi[MOST_ROLES];
  for (uint32_t r = 0; r < roles; r++) lo[r] = node->lo[r], hi[r] = node->hi[r];
  update_arms(store, node, roles);
  update_roles(node, roles);
  if (node->choosers == 1) update_others(store, node, roles);
  bool changed = false;
  node->exact = true;
  for (uint32_t r = 0; r < roles; r++) {
    if ((int)r == store->game->random_role) { /* nobody minds */
      node->lo[r] = node->hi[r] = 0;
      continue;
    }
    /* What was known otherwise stays known. */
    if (node->lo[r] < lo[r]) node->lo[r] = lo[r];
    if (node->hi[r] > hi[r]) node->hi[r] = hi[r];
    if (node->lo[r] != lo[r] || node->hi[r] != hi[r]) changed = true;
    if (node->hi[r] - node->lo[r] > ALEA_VALUE_TOLERANCE) node->exact = false;
  }
  return changed || node->exact;
}

alea_proof alea_exact_proof(float lo, float hi) {
  if (hi - lo > ALEA_VALUE_TOLERANCE) return ALEA_PROOF_NONE;
  if (lo > 1 - ALEA_VALUE_TOLERANCE) return ALEA_PROOF_WIN;
  return lo < ALEA_VALUE_TOLERANCE ? ALEA_PROOF_LOSS : ALEA_PROOF_EXACT;
}
