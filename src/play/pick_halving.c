/* Sequential halving (Karnin, Koren and Somekh 2013) for the arms of a root: where one move is
 * to be found and not the most to be won on the way, arms that may be best are tried equally
 * often, and of these the worse half is dropped again and again. */
#include "play/pick.h"

static bool is_candidate(const alea_pick *pick, uint32_t at) {
  const alea_node *node = pick->node;
  if (pick->role == node->chooser && alea_node_is_symmetric(node, at)) return false;
  return alea_arm_open(&node->arms[node->firsts[pick->role] + at], node->lo[pick->role]);
}

/* How many candidates are still tried when 'share' of the budget is spent: the rounds are of
 * the same length, and two are tried in the last one. */
static uint32_t count_kept(uint32_t candidates, double share) {
  uint32_t rounds = 1;
  while (candidates > 2u << (rounds - 1)) rounds++;
  uint32_t round = (uint32_t)(fmax(0, fmin(share, 0.999)) * rounds);
  return (candidates + (1u << round) - 1) >> round;
}

/* How many candidates are better. */
static uint32_t place(const alea_pick *pick, uint32_t at, uint32_t count) {
  const alea_arm *arms = pick->node->arms + pick->node->firsts[pick->role];
  float mean = alea_arm_mean(&arms[at]);
  uint32_t better = 0;
  for (uint32_t i = 0; i < count; i++)
    if (alea_arm_mean(&arms[i]) > mean && is_candidate(pick, i)) better++;
  return better;
}

uint32_t alea_pick_halving(const alea_pick *pick, double share) {
  const alea_node *node = pick->node;
  uint32_t first = node->firsts[pick->role], count = node->firsts[pick->role + 1] - first;
  uint32_t candidates = 0, found = UINT32_MAX;
  for (uint32_t at = 0; at < count; at++) candidates += is_candidate(pick, at);
  uint32_t kept = count_kept(candidates, share);
  for (uint32_t at = 0; at < count; at++) {
    if (found != UINT32_MAX && node->arms[first + at].visits >= node->arms[first + found].visits)
      continue;
    if (is_candidate(pick, at) && place(pick, at, count) < kept) found = at;
  }
  return found != UINT32_MAX ? found : alea_pick_known(pick);
}
