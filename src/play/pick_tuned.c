/* UCB1-Tuned (Auer et al. 2002, section 4): exploration shrinks with the
 * variance of an arm; a value in [0, 1] has at most 1/4. */
#include "play/pick.h"

static const float never_tried = 1e6f;

static inline float score(const alea_pick *pick, uint32_t a, float logs) {
  const alea_arm *arm = &pick->node->arms[a];
  if (arm->visits == 0) return never_tried;
  float n = (float)arm->visits, mean = arm->sum / n;
  float spread = arm->squares / n - mean * mean + sqrtf(2 * logs / n);
  if (spread > 0.25f) spread = 0.25f;
  return alea_pick_mix_hope(pick, a, mean) + (float)pick->c * sqrtf(logs / n * spread);
}

uint32_t alea_pick_tuned(const alea_pick *pick) { return alea_pick_best(pick, score); }
