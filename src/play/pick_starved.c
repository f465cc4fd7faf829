/* The arm that a policy has left alone for too long (D106). */
#include "play/pick.h"

uint32_t alea_pick_starved(const alea_pick *pick, double floor) {
  const alea_node *node = pick->node;
  uint32_t first = node->firsts[pick->role], count = node->firsts[pick->role + 1] - first;
  float root = sqrtf((float)node->visits);
  float least = (float)floor * root * sqrtf(root) / (float)count;
  uint32_t found = UINT32_MAX;
  if (least <= 1) return found; /* too early for all of them */
  for (uint32_t at = 0; at < count; at++) {
    const alea_arm *arm = &node->arms[first + at];
    if ((float)arm->visits >= least || !alea_arm_open(arm, node->lo[pick->role])) continue;
    if (pick->role == node->chooser && alea_node_is_symmetric(node, at)) continue;
    least = (float)arm->visits;
    found = at;
  }
  return found;
}
