#ifndef ALEA_PLAY_PICK_H
#define ALEA_PLAY_PICK_H

/* Which arm a role tries next: the selection policies of tree search.
 *
 * A policy is one file with an alea_pick_fn, built from a formula for one arm
 * and the loop below.  All of them see proofs alike: an arm that can no longer
 * be the best is left out, and an arm whose value is known is not tried again
 * while others may be better. */

#include <math.h>

#include "play/node_store.h"

typedef struct alea_pick {
  const alea_node *node;
  uint32_t role;
  double c;              /* weight of exploration */
  float weight;          /* scratch of a policy */
  const alea_amaf *amaf; /* of the role's moves, or NULL */
  uint32_t amaf_count;   /* moves the table knows */
  double bias;           /* of the mix with it (GRAVE) */
  const float *hopes;    /* of the role's arms by an evaluation, or NULL (play/tree_eval.h) */
  float weight_of_hopes;
  uint32_t turn; /* where to start looking: breaks ties */
} alea_pick;

/* The offset of an arm of the role, which has at least one. */
typedef uint32_t alea_pick_fn(const alea_pick *pick);

alea_pick_fn alea_pick_ucb, alea_pick_tuned, alea_pick_grave, alea_pick_mixed;

static inline float alea_arm_mean(const alea_arm *arm) {
  if (alea_arm_is_exact(arm)) return arm->lo;
  return arm->visits > 0 ? arm->sum / (float)arm->visits : 0.5f;
}

/* Whether the arm may still turn out best; 'floor' is what is sure. */
static inline bool alea_arm_open(const alea_arm *arm, float floor) {
  return arm->hi > floor + ALEA_VALUE_TOLERANCE && arm->hi - arm->lo > ALEA_VALUE_TOLERANCE;
}

/* All-moves-as-first numbers of an arm, NULL where there are none. */
static inline const alea_amaf *alea_pick_amaf(const alea_pick *pick, uint32_t arm) {
  alea_move move = pick->node->moves[arm];
  if (pick->amaf == NULL || move >= pick->amaf_count) return NULL;
  return pick->amaf[move].visits > 0 ? &pick->amaf[move] : NULL;
}

/* The value of an arm, mixed with what an evaluation hopes of it. */
static inline float alea_pick_mix_hope(const alea_pick *pick, uint32_t arm, float value) {
  if (pick->hopes == NULL) return value;
  float hope = pick->hopes[arm - pick->node->firsts[pick->role]];
  return value + pick->weight_of_hopes * (hope - value);
}

/* The arm of the largest known value, for nodes where none is open. */
uint32_t alea_pick_known(const alea_pick *pick);

/* The offset of the arm tried least, where that is less often than 'floor' times
 * n^(3/4) / arms at a node of n visits; UINT32_MAX: there is none.  Whatever a
 * policy thinks of an arm, its trials so grow without bound while it is open,
 * and all such trials together are a share of n^(-1/4). */
uint32_t alea_pick_starved(const alea_pick *pick, double floor);

/* The offset of the arm to try at a root when 'share' of its budget is spent, by sequential
 * halving: of those that are left the one tried least. */
uint32_t alea_pick_halving(const alea_pick *pick, double share);

typedef float alea_pick_score(const alea_pick *pick, uint32_t arm, float log_visits);

/* Tries the arms from 'turn' on; the first of the best wins. */
static inline uint32_t alea_pick_best(const alea_pick *pick, alea_pick_score *score) {
  const alea_node *node = pick->node;
  uint32_t first = node->firsts[pick->role], count = node->firsts[pick->role + 1] - first;
  float floor = node->lo[pick->role], best = -1, logs = logf((float)node->visits + 1);
  uint32_t found = UINT32_MAX, at = pick->turn % count;
  for (uint32_t i = 0; i < count; i++, at = at + 1 == count ? 0 : at + 1) {
    if (!alea_arm_open(&node->arms[first + at], floor)) continue;
    if (pick->role == node->chooser && alea_node_is_symmetric(node, at)) continue;
    float value = score(pick, first + at, logs);
    if (value <= best) continue;
    best = value;
    found = at;
  }
  return found != UINT32_MAX ? found : alea_pick_known(pick);
}

#endif
