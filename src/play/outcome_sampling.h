#ifndef ALEA_PLAY_OUTCOME_SAMPLING_H
#define ALEA_PLAY_OUTCOME_SAMPLING_H

/* Outcome-sampling counterfactual regret minimisation (Lanctot et al. 2009)
 * from the present belief, with a playout below the first information set
 * that is new.
 *
 * An information set is a role with what it knows: the position where
 * everybody sees it, else what it did and saw.  In turn each role is the one
 * that learns: it explores with probability epsilon, the others play their
 * present strategy, so that only its own probabilities weigh the outcome. */

#include "game/time_manager.h"
#include "play/belief.h"
#include "play/infoset_table.h"
#include "play/rollout.h"

/* One move at an information set. */
typedef struct alea_regret_arm {
  alea_move move;
  float regret, share; /* share: sum of the strategies so far */
} alea_regret_arm;

typedef struct alea_regret_set {
  alea_infoset_head head;
  alea_regret_arm arms[];
} alea_regret_set;

typedef struct alea_outcome_sampling {
  const alea_player_setup *setup;
  alea_mem *mem;
  alea_player_stats *stats;
  alea_rng rng;
  double epsilon;
  alea_infoset_table table;
  alea_cursor *cursor;
  alea_rollout rollout;
  alea_trace trace;
  alea_move *joint;
  uint64_t *keys;
  float *rewards;
  uint32_t learner;                         /* role */
  struct alea_outcome_sampling_step *steps; /* the learner's choices on the way */
  size_t step_count, step_capacity;
} alea_outcome_sampling;

alea_status alea_outcome_sampling_init(alea_outcome_sampling *outcome,
                                       const alea_player_setup *setup, double epsilon,
                                       size_t memory, alea_player_stats *stats);
void alea_outcome_sampling_clear(alea_outcome_sampling *outcome);
alea_status alea_outcome_sampling_run(alea_outcome_sampling *outcome, const alea_belief *belief,
                                      alea_time_manager *time_manager);
/* The information set of the role that searches, or NULL. */
const alea_regret_set *alea_outcome_sampling_root(alea_outcome_sampling *outcome,
                                                  const alea_belief *belief);

#endif
