/* GRAVE's value with an exploration that, like that of UCB1-Tuned, knows how
 * much an arm's rewards differ: the flagship's policy.  An arm never tried
 * counts as tried once with its all-moves-as-first mean. */
#include "play/pick.h"

/* Of more than a few arms each is tried less, and what is known of all moves
 * has to tell them apart for longer. */
static const float few = 10;
/* Where several choose at once, what a move was worth elsewhere says little:
 * the answers to it were others. */
static const double together = 2;
static const float imagined = 2, usual_spread = 0.1f;
static const float unknown = 0.9f; /* of an arm of which nothing is known: soon */

/* The spread of an arm's rewards, with that of a few imagined ones among them
 * until there are enough: means of several playouts spread less than single
 * games do, and need less exploration. */
static inline float explore(const alea_arm *arm, float n, float logs) {
  float mean = arm->visits > 0 ? arm->sum / n : 0;
  float squares = arm->visits > 0 ? arm->squares - n * mean * mean : 0;
  float spread = (squares + imagined * usual_spread) / (n + imagined);
  return sqrtf(logs / n * spread);
}

static inline float score(const alea_pick *pick, uint32_t a, float logs) {
  const alea_arm *arm = &pick->node->arms[a];
  const alea_amaf *amaf = alea_pick_amaf(pick, a);
  float n = (float)arm->visits;
  float mean = arm->visits > 0 ? alea_arm_mean(arm) : unknown;
  float bonus = pick->weight * explore(arm, arm->visits > 0 ? n : 1, logs);
  if (amaf == NULL) return alea_pick_mix_hope(pick, a, mean) + bonus;
  float m = amaf->visits, all = amaf->sum / m;
  float beta = arm->visits > 0 ? m / (m + n + (float)pick->bias * m * n) : 1;
  return alea_pick_mix_hope(pick, a, (1 - beta) * mean + beta * all) + bonus;
}

uint32_t alea_pick_mixed(const alea_pick *pick) {
  const uint32_t *firsts = pick->node->firsts + pick->role;
  uint32_t arms = firsts[1] - firsts[0];
  alea_pick scaled = *pick;
  if (pick->node->choosers > 1) {
    scaled.c *= together;
    return alea_pick_tuned(&scaled);
  }
  float share = (float)arms > few ? few / (float)arms : 1;
  scaled.weight = (float)pick->c * share;
  scaled.bias *= (double)share;
  return alea_pick_best(&scaled, score);
}
