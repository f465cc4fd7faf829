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

/* The exploration grows with the spread of an arm's rewards, with that of a few imagined ones among
 * them until there are enough: means of several playouts spread less than single games do, and need
 * less exploration.  Divisions are what a pick costs, so they share what they divide by. */
static inline float score(const alea_pick *pick, uint32_t a, float logs) {
  const alea_arm *arm = &pick->node->arms[a];
  const alea_amaf *amaf = alea_pick_amaf(pick, a);
  bool tried = arm->visits > 0;
  float n = tried ? (float)arm->visits : 1, more = n + imagined, part = 1 / (n * more);
  float mean = tried ? arm->sum * part * more : 0;
  float squares = tried ? arm->squares - arm->sum * mean : 0;
  float bonus = pick->weight * sqrtf(logs * (squares + imagined * usual_spread) * part);
  if (alea_arm_is_exact(arm)) mean = arm->lo;
  if (amaf == NULL) return alea_pick_mix_hope(pick, a, tried ? mean : unknown) + bonus;
  float m = amaf->visits;
  if (!tried) return alea_pick_mix_hope(pick, a, amaf->sum / m) + bonus;
  float own = n + (float)pick->bias * m * n; /* GRAVE's weights, without what they add up to */
  return alea_pick_mix_hope(pick, a, (own * mean + amaf->sum) / (own + m)) + bonus;
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
