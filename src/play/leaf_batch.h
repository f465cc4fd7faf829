#ifndef ALEA_PLAY_LEAF_BATCH_H
#define ALEA_PLAY_LEAF_BATCH_H

/* Leaves of a search that are played out together by a sampler.
 *
 * A search collects positions, the sampler plays from all of them at once, and
 * the mean rewards are handed back one leaf after the other.  Where the sampler
 * plays in the background, several batches share it. */

#include "game/sampler.h"
#include "play/player.h"

enum { ALEA_MOST_BATCH = 1024 };

/* The sampler of a player (D51): every player that samples has these options,
 * with the same meaning and the same defaults, one uniform playout per pull.
 * More together are played by the sampler, which may play many at once. */
/* clang-format off */
#define ALEA_SAMPLER_OPTIONS(row)                                                          \
  row(integer, playouts, "1", 1, 100000, "N", "playouts of a pull")                        \
  row(integer, batch, "1", 1, ALEA_MOST_BATCH, "N", "pulls whose playouts are made together")
/* clang-format on */

/* How many leaves are played together, and how many playouts each has. */
typedef struct alea_batch_size {
  uint32_t leaves, playouts;
} alea_batch_size;

typedef struct alea_leaf_batch {
  alea_mem *mem;
  uint32_t role_count;
  uint32_t capacity;
  uint32_t count;        /* leaves that wait, or were played */
  alea_sampler *sampler; /* NULL: not opened */
  uint32_t slot;         /* of the sampler, which belongs to the batch of slot 0 */
  bool in_flight;        /* started, and not finished */
  bool many;             /* the sampler plays many games at once */
  alea_sample_request *requests;
  alea_sample_result *results;
  double *sums; /* of the results: two per role and leaf */
} alea_leaf_batch;

/* Makes an empty batch without sampler and without room. */
void alea_leaf_batch_init(alea_leaf_batch *batch, const alea_player_setup *setup);
/* Makes the sampler that 'setup' provides, or a plain one; one number of 'rng'
 * is its seed. */
alea_status alea_leaf_batch_open(alea_leaf_batch *batch, const alea_player_setup *setup,
                                 alea_rng *rng);
/* Makes a plain sampler whatever 'setup' provides: for one playout at a time. */
alea_status alea_leaf_batch_open_plain(alea_leaf_batch *batch, const alea_player_setup *setup,
                                       alea_rng *rng);
/* Makes an empty batch that is played in another slot by the sampler of 'other', which must
 * outlive it. */
void alea_leaf_batch_share(alea_leaf_batch *batch, const alea_leaf_batch *other, uint32_t slot);
/* The size of the next batch, where 'wanted' was asked for and 'left' of 'limit'
 * playouts may still be made: never more than these, and at least one.  Where playouts are what is
 * limited, many at once save nothing and learn less from each other: small limits get small
 * batches. */
alea_batch_size alea_leaf_batch_fit(alea_batch_size wanted, uint64_t limit, uint64_t left);
/* Makes room for 'capacity' leaves; to be called once. */
alea_status alea_leaf_batch_reserve(alea_leaf_batch *batch, uint32_t capacity);
void alea_leaf_batch_clear(alea_leaf_batch *batch);

/* Begins a new batch. */
static inline void alea_leaf_batch_begin(alea_leaf_batch *batch) { batch->count = 0; }
/* Adds a leaf; the position must stay where it is until the batch was run. */
void alea_leaf_batch_add(alea_leaf_batch *batch, const uint64_t *words, size_t word_count,
                         uint32_t playouts);
/* Plays from all leaves that were added; nothing happens where there are none. */
alea_status alea_leaf_batch_run(alea_leaf_batch *batch, const alea_sample_options *options);
/* The same in two steps; between them the batch is in flight where the sampler plays in the
 * background.  What 'options' point to must stay until then, and options->listener may be told
 * in either step. */
alea_status alea_leaf_batch_start(alea_leaf_batch *batch, const alea_sample_options *options);
/* Nothing happens where the batch is not in flight. */
alea_status alea_leaf_batch_finish(alea_leaf_batch *batch);
/* The mean rewards of a leaf, from 0 to 1 per role, and the number of games they
 * are from; without a game all are 0. */
uint64_t alea_leaf_batch_rewards(const alea_leaf_batch *batch, uint32_t leaf, float *rewards);

#endif
