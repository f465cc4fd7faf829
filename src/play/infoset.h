#ifndef ALEA_PLAY_INFOSET_H
#define ALEA_PLAY_INFOSET_H

/* Search where roles do not see the position: information-set Monte-Carlo
 * tree search with one tree per role (MO-ISMCTS; Cowling, Powley, Whitehouse
 * 2012, section IV-C).
 *
 * A simulation draws a position from the belief and plays down from it.  Each
 * role picks by the statistics of its own information set, which is what it
 * did and saw so far on the way, so nobody in the search uses what he could
 * not know; that the searching role's tree starts at what it really saw is
 * what the belief sees to.  Moves that are not legal in the drawn position
 * are not picked. */

#include "base/hash_map.h"
#include "play/belief.h"
#include "play/rollout.h"
#include "play/time_manager.h"

/* A move at an information set. */
typedef struct alea_option_arm {
  alea_move move;
  uint32_t visits;
  float sum;
} alea_option_arm;

typedef struct alea_infoset {
  uint64_t key;
  uint32_t visits;
  uint32_t count;
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
  size_t limit, used;
  alea_hash_words map; /* pointers to information sets, by key */
  alea_cursor *cursor;
  alea_rollout rollout;
  alea_trace trace;
  alea_move *joint;
  uint64_t *keys; /* per role, of this simulation */
  float *rewards;
  alea_infoset_line *lines; /* a batch of them, or one */
  alea_infoset_line *line;  /* the one at work */
  alea_infosets_batch batch;
  alea_sampler *sampler; /* NULL: one simulation at a time, by the rollout */
  alea_sample_request *requests;
  alea_sample_result *results;
  double *sums;
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
/* The most visited of the role's moves.  ALEA_NO: nothing was found out. */
alea_status alea_infosets_best(alea_infosets *sets, const alea_belief *belief, alea_move *move);
void alea_infosets_analyse(alea_infosets *sets, const alea_belief *belief, alea_analysis *analysis);

#endif
