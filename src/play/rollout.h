#ifndef ALEA_PLAY_ROLLOUT_H
#define ALEA_PLAY_ROLLOUT_H

/* Playouts by a cursor that remember the moves made, uniform or guided by
 * what moves were worth before, wherever they were played:
 *
 *   MAST  mean reward of each (role, move)  (Finnsson and Bjornsson 2008)
 *   NST   the same of pairs of the role's moves with the move before it, where
 *         the pair was seen often enough  (Tak, Winands, Bjornsson 2012)
 *
 * Both are epsilon-greedy: with probability epsilon a uniform move. */

#include "base/vec.h"
#include "game/sampler.h"
#include "play/node_store.h"

typedef enum alea_rollout_kind {
  ALEA_ROLLOUT_UNIFORM,
  ALEA_ROLLOUT_MAST,
  ALEA_ROLLOUT_NST,
} alea_rollout_kind;

typedef ALEA_VEC(alea_played) alea_trace;

typedef struct alea_rollout {
  alea_mem *mem;
  const alea_game *game;
  alea_rollout_kind kind;
  double epsilon;
  uint32_t step_cap;
  uint32_t *first; /* per role: index of its move 0 in 'single' */
  alea_amaf *single;
  uint32_t single_count;
  alea_amaf *pairs; /* hashed without care for collisions */
  alea_move *joint;
  struct alea_time_manager *time_manager; /* of the search that is on; NULL: play to the end */
} alea_rollout;

alea_status alea_rollout_init(alea_rollout *rollout, const alea_game *game, alea_rollout_kind kind,
                              double epsilon, uint32_t step_cap, alea_mem *mem);
void alea_rollout_clear(alea_rollout *rollout);

/* Plays from the cursor's position to the end, adds the moves of roles that
 * had a choice to 'trace' and fills 'rewards' (goals / 100 per role; 0 for
 * all where the play does not end).  ALEA_LIMIT: the time manager says that it
 * is late. */
alea_status alea_rollout_run(alea_rollout *rollout, alea_cursor *cursor, alea_rng *rng,
                             alea_trace *trace, float *rewards);
/* Chooses the next joint move; ALEA_NONE: the play goes no further. */
typedef alea_status alea_rollout_choose_fn(void *context, alea_cursor *cursor, alea_move *joint);
/* The same with moves that somebody else chooses. */
alea_status alea_rollout_play(alea_rollout *rollout, alea_cursor *cursor,
                              alea_rollout_choose_fn *choose, void *context, float *rewards);
/* Learns from the moves of a simulation. */
void alea_rollout_learn(alea_rollout *rollout, const alea_trace *trace, const float *rewards);
/* Makes what was learned count for less, between moves of a match. */
void alea_rollout_fade(alea_rollout *rollout, float factor);

#endif
