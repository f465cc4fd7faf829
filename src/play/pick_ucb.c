/* UCB1 [UCB02] in the form of [MACUCB16 §4.3] (D21): mean plus
 * c sqrt(2 ln n / n_i), arms that were never tried first. */
#include "play/pick.h"

static const float never_tried = 1e6f;

static inline float score(const alea_pick *pick, uint32_t a, float logs) {
  const alea_arm *arm = &pick->node->arms[a];
  if (arm->visits == 0) return never_tried;
  return alea_pick_mix_hope(pick, a, alea_arm_mean(arm)) +
         (float)pick->c * sqrtf(2 * logs / (float)arm->visits);
}

uint32_t alea_pick_ucb(const alea_pick *pick) { return alea_pick_best(pick, score); }

uint32_t alea_pick_known(const alea_pick *pick) {
  const alea_node *node = pick->node;
  uint32_t first = node->firsts[pick->role], count = node->firsts[pick->role + 1] - first;
  uint32_t found = pick->turn % count, at = found;
  for (uint32_t i = 0; i < count; i++, at = at + 1 == count ? 0 : at + 1) {
    if (node->arms[first + at].lo > node->arms[first + found].lo) found = at;
  }
  return found;
}
