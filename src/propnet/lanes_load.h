#ifndef ALEA_PROPNET_LANES_LOAD_H
#define ALEA_PROPNET_LANES_LOAD_H

/* Positions into lanes: bits of one game's words become one bit in each of
 * many words of lanes. */

#include "base/mem.h"
#include "propnet/lane_word.h"

/* Aligned words of lanes. */
typedef struct alea_lane_block {
  alea_lane_word *words;
  void *memory;
  size_t bytes;
} alea_lane_block;

/* 'count' words of zeros; false without memory. */
bool ALEA_LANES_FN(block_init)(alea_lane_block *block, size_t count, alea_mem *mem);
void ALEA_LANES_FN(block_clear)(alea_lane_block *block, alea_mem *mem);

/* Puts the position 'state' into the lanes 'mask' of fluents[0 .. count-1]. */
void ALEA_LANES_FN(load_one)(alea_lane_word *fluents, uint32_t count, const uint64_t *state,
                             alea_lane_word mask);
/* Puts states[lane] into each lane of 'mask'; the others are not looked at. */
void ALEA_LANES_FN(load_many)(alea_lane_word *fluents, uint32_t count,
                              const uint64_t *const *states, alea_lane_word mask);

#endif
