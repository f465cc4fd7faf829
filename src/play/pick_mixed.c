/* GRAVE's value with the exploration of UCB1-Tuned: the flagship's policy.
 * An arm never tried counts as tried once with its all-moves-as-first mean. */
#include "play/pick.h"

static const float unknown = 0.9f; /* of an arm of which nothing is known: soon */

static inline float explore(const alea_arm *arm, float n, float logs) {
  float spread = 0.25f;
  if (arm->visits > 1) {
    float mean = arm->sum / n;
    spread = arm->squares / n - mean * mean + sqrtf(2 * logs / n);
    if (spread > 0.25f) spread = 0.25f;
  }
  return sqrtf(logs / n * spread);
}

static inline float score(const alea_pick *pick, uint32_t a, float logs) {
  const alea_arm *arm = &pick->node->arms[a];
  const alea_amaf *amaf = alea_pick_amaf(pick, a);
  float n = (float)arm->visits;
  float mean = arm->visits > 0 ? alea_arm_mean(arm) : unknown;
  float bonus = (float)pick->c * explore(arm, arm->visits > 0 ? n : 1, logs);
  if (amaf == NULL) return mean + bonus;
  float m = amaf->visits, all = amaf->sum / m;
  float beta = arm->visits > 0 ? m / (m + n + (float)pick->bias * m * n) : 1;
  return (1 - beta) * mean + beta * all + bonus;
}

uint32_t alea_pick_mixed(const alea_pick *pick) { return alea_pick_best(pick, score); }
