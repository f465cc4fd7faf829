#ifndef ALEA_PLAY_INFOSET_H
#define ALEA_PLAY_INFOSET_H

/* Search where roles do not see the position: information-set Monte-Carlo
 * tree search with one tree per role (MO-ISMCTS; Cowling, Powley, Whitehouse
 * 2012, section IV-C).
 *
 * A simulation draws a position from the belief and plays down from it.  Each
 * role picks by the statistics of its own information set, which is what it
 * did and saw so far on the way, so no role in the search uses what it could
 * not know; the belief makes the searching role's tree start at what it really
 * saw.  Moves that are not legal in the drawn position
 * are not picked. */

#include "play/belief.h"
#include "play/infoset_table.h"
#include "play/leaf_batch.h"
#include "play/rollout.h"
#include "play/time_manager.h"

/* A move at an information set. */
typedef struct alea_option_arm {
  alea_move move;
  uint32_t visits;
  float sum;
} alea_option_arm;

typedef struct alea_infoset {
  alea_infoset_head head;
  alea_option_arm arms[]; /* ascending by move */
} alea_infoset;

/* Simulations whose playouts a sampler makes all together. */
typedef struct alea_infosets_batch {
  uint32_t pulls, playouts; /* of each pull */
} alea_infosets_batch;

/* A way down that waits for the sampler. */
typedef struct alea_infoset_line {
  struct alea_infoset_pick *picks;
  size_t pick_count, pick_capacity;
  alea_u64s words;
} alea_infoset_line;

typedef struct alea_infosets {
  const alea_player_setup *setup;
  alea_mem *mem;
  alea_player_stats *stats;
  alea_rng rng;
  double c;
  alea_infoset_table table;
  alea_cursor *cursor;
  alea_rollout rollout;
  alea_trace trace;
  alea_move *joint;
  uint64_t *keys; /* per role, of this simulation */
  float *rewards;
  alea_infoset_line *lines; /* a batch of them, or one */
  alea_infoset_line *line;  /* the one at work */
  alea_infosets_batch batch;
  alea_leaf_batch leaves; /* without sampler: one simulation at a time, by the rollout */
  ALEA_VEC(alea_choice) choices;
} alea_infosets;

alea_status alea_infosets_init(alea_infosets *sets, const alea_player_setup *setup, double c,
                               size_t memory, alea_player_stats *stats);
/* The same with simulations in batches, where the sampler plays many at once. */
alea_status alea_infosets_init_batch(alea_infosets *sets, const alea_player_setup *setup, double c,
                                     size_t memory, alea_player_stats *stats,
                                     const alea_infosets_batch *batch);
void alea_infosets_clear(alea_infosets *sets);
/* Searches from the belief's positions. */
alea_status alea_infosets_run(alea_infosets *sets, const alea_belief *belief,
                              alea_time_manager *time_manager);
/* The most visited of the role's moves.  ALEA_NONE: nothing was found out. */
alea_status alea_infosets_best(alea_infosets *sets, const alea_belief *belief, alea_move *move);
void alea_infosets_analyse(alea_infosets *sets, const alea_belief *belief, alea_analysis *analysis);

#endif
