/* GRAVE ([GRAVE15], D38): the mean of an arm mixed with its
 * all-moves-as-first mean in the nearest ancestor that was visited often.  No
 * exploration term; an arm never tried has the latter alone, and one of which
 * nothing at all is known comes first. */
#include "play/pick.h"

static const float never_tried = 1e6f;

static inline float score(const alea_pick *pick, uint32_t a, float logs) {
  (void)logs;
  const alea_arm *arm = &pick->node->arms[a];
  const alea_amaf *amaf = alea_pick_amaf(pick, a);
  if (amaf == NULL)
    return arm->visits == 0 ? never_tried : alea_pick_mix_hope(pick, a, alea_arm_mean(arm));
  float all = amaf->sum / amaf->visits;
  if (arm->visits == 0) return alea_pick_mix_hope(pick, a, all);
  float n = (float)arm->visits, m = amaf->visits;
  float beta = m / (m + n + (float)pick->bias * m * n);
  return alea_pick_mix_hope(pick, a, (1 - beta) * alea_arm_mean(arm) + beta * all);
}

uint32_t alea_pick_grave(const alea_pick *pick) { return alea_pick_best(pick, score); }
