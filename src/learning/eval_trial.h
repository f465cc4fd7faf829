#ifndef ALEA_LEARNING_EVAL_TRIAL_H
#define ALEA_LEARNING_EVAL_TRIAL_H

/* Games between two evaluations of one game, both used by a shallow minimax search with a
 * count of positions for a move.  Each opening, some random steps, is played twice, once by
 * either side.  Where a clock runs, searches are as small as it takes for a verdict in time. */

#include "game/player_setup.h"
#include "learning/eval_clock.h"
#include "minimax/linear_eval.h"

typedef struct alea_eval_trial {
  const alea_player_setup *setup; /* of the role whose evaluations these are */
  const alea_linear_eval *evals[2];
  uint32_t pairs;     /* of games, at most */
  uint32_t sims;      /* for a move (minimax/endgame.h), at most, */
  uint32_t least;     /* and at least, where a clock runs short */
  uint64_t positions; /* that are looked at in all games, at most */
  alea_rng *rng;
  alea_eval_clock *clock; /* asked at each step: where it is over, the game is given up, and no
                             more; NULL: there is none */
  uint32_t games;         /* that were played */
  double won;             /* share of evals[0] in them */
  uint64_t met;           /* positions that were looked at */
} alea_eval_trial;

/* What a trial may look at where so many plays are learnt from: about as much work. */
static inline uint64_t alea_eval_trial_positions(uint64_t plays) {
  return plays < UINT64_MAX / 40 ? 40 * plays : UINT64_MAX;
}

/* Plays; a game that goes on for too long is half won by both. */
alea_status alea_eval_trial_run(alea_eval_trial *trial);

/* Whether evals[0] was better, or worse, by more than chance often is, in games enough to say so.
 */
bool alea_eval_trial_won(const alea_eval_trial *trial);
bool alea_eval_trial_lost(const alea_eval_trial *trial);

#endif
