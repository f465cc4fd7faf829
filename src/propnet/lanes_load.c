/* Positions into lanes: by masks, bit by bit, or by transposing. */
#include "propnet/lanes_load.h"

#include <string.h>

#include "propnet/lanes_transpose.h"

enum { FEW = 6 }; /* so many lanes are loaded faster bit by bit */

bool ALEA_LANES_FN(block_init)(alea_lane_block *block, size_t count, alea_mem *mem) {
  block->bytes = (count + 1) * sizeof(alea_lane_word);
  block->memory = alea_mem_zalloc(mem, block->bytes);
  if (block->memory == NULL) return false;
  uintptr_t at = (uintptr_t)block->memory;
  uintptr_t up = (at + ALEA_LANE_ALIGN - 1) / ALEA_LANE_ALIGN * ALEA_LANE_ALIGN;
  block->words = (alea_lane_word *)(void *)((char *)block->memory + (up - at));
  return true;
}

void ALEA_LANES_FN(block_clear)(alea_lane_block *block, alea_mem *mem) {
  alea_mem_free(mem, block->memory, block->bytes);
  *block = (alea_lane_block){0};
}

void ALEA_LANES_FN(load_one)(alea_lane_word *fluents, uint32_t count, const uint64_t *state,
                             alea_lane_word mask) {
  for (uint32_t f = 0; f < count; f++) {
    bool holds = (state[f / 64] >> (f % 64) & 1) != 0;
    fluents[f] = holds ? alea_lane_or(fluents[f], mask) : alea_lane_andn(fluents[f], mask);
  }
}

static void load_bits(alea_lane_word *fluents, uint32_t count, const uint64_t *state,
                      uint32_t lane) {
  uint32_t part = lane / 64, shift = lane % 64;
  for (uint32_t f = 0; f < count; f++) {
    uint64_t bit = state[f / 64] >> (f % 64) & 1;
    fluents[f].part[part] = (fluents[f].part[part] & ~(UINT64_C(1) << shift)) | bit << shift;
  }
}

/* Columns 64 * w and the following of all lanes of 'mask' at once. */
static void load_columns(alea_lane_word *fluents, uint32_t count, const uint64_t *const *states,
                         alea_lane_word mask, uint32_t w) {
  alea_lane_word rows[64];
  memset(rows, 0, sizeof rows);
  for (uint32_t part = 0; part < ALEA_LANE_PARTS; part++)
    for (uint64_t left = mask.part[part]; left != 0; left &= left - 1) {
      uint32_t i = (uint32_t)__builtin_ctzll(left);
      rows[i].part[part] = states[part * 64 + i][w];
    }
  alea_lanes_transpose(rows);
  for (uint32_t i = 0; i < 64 && w * 64 + i < count; i++)
    fluents[w * 64 + i] = alea_lane_or(alea_lane_andn(fluents[w * 64 + i], mask), rows[i]);
}

void ALEA_LANES_FN(load_many)(alea_lane_word *fluents, uint32_t count,
                              const uint64_t *const *states, alea_lane_word mask) {
  if (alea_lane_count(mask) > FEW) {
    for (uint32_t w = 0; w * 64 < count; w++) load_columns(fluents, count, states, mask, w);
    return;
  }
  for (uint32_t lane; (lane = alea_lane_pop(&mask)) < ALEA_LANES;)
    load_bits(fluents, count, states[lane], lane);
}
