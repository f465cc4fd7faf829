#ifndef ALEA_PROPNET_LANES_ALBUM_H
#define ALEA_PROPNET_LANES_ALBUM_H

/* Positions of the games in lanes, for the watcher of a sampler.
 *
 * A page holds the fluents of all lanes at one step, as they lie there: taking one is a
 * copy, and a position is put together from it only when the watcher is shown it.  Pages
 * are used in turn: of a long game the first are forgotten. */

#include "game/sampler.h"
#include "propnet/lanes_load.h"

typedef struct alea_lanes_album {
  alea_lane_block pages; /* ALEA_SAMPLE_KEPT of fluent_count words each */
  uint32_t fluent_count, every;
  uint64_t taken;             /* pages of this run; number p is of step p * every */
  uint64_t ended[ALEA_LANES]; /* by lane: the step at which its game ended */
  uint64_t shown;             /* games so far, which random numbers are made of */
  uint64_t *words;            /* of one position */
  size_t word_count;
} alea_lanes_album;

/* False without memory; cleared in any case. */
bool ALEA_LANES_FN(album_init)(alea_lanes_album *album, uint32_t fluent_count, alea_mem *mem);
void ALEA_LANES_FN(album_clear)(alea_lanes_album *album, alea_mem *mem); /* a zeroed one too */

/* A run begins, in which a page is taken every so many steps. */
void ALEA_LANES_FN(album_begin)(alea_lanes_album *album, uint32_t every);
/* Whether a page is to be taken at a step, and takes it. */
static inline bool ALEA_LANES_FN(album_wants)(const alea_lanes_album *album, uint64_t step) {
  return step % album->every == 0;
}
void ALEA_LANES_FN(album_take)(alea_lanes_album *album, const alea_lane_word *fluents);
/* Games end in 'lanes' at a step. */
void ALEA_LANES_FN(album_end)(alea_lanes_album *album, alea_lane_word lanes, uint64_t step);
/* Shows the game in 'lane', which began at step 'started' and ended with the lane's position
 * in 'fluents'. */
void ALEA_LANES_FN(album_show)(alea_lanes_album *album, const alea_sample_watcher *watcher,
                               uint32_t lane, uint64_t started, const alea_lane_word *fluents,
                               const uint8_t *goals);

#endif
