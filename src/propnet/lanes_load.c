/* Positions into lanes: by masks, bit by bit, or by transposing. */
#include "propnet/lanes_load.h"

#include <string.h>

enum { FEW = 6 }; /* so many lanes of 64 are loaded faster bit by bit */

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

/* Transposes a matrix of 64 rows of 64 bits (Warren, Hacker's Delight, 7-3). */
static void transpose(uint64_t *rows) {
  uint64_t mask = 0xffffffffu;
  for (uint32_t width = 32; width != 0; width >>= 1, mask ^= mask << width)
    for (uint32_t i = 0; i < 64; i = (i + width + 1) & ~width) {
      uint64_t swap = ((rows[i] >> width) ^ rows[i + width]) & mask;
      rows[i] ^= swap << width;
      rows[i + width] ^= swap;
    }
}

/* 64 lanes at once. */
static void load_part(alea_lane_word *fluents, uint32_t count, const uint64_t *const *states,
                      uint32_t part, uint64_t mask) {
  for (uint32_t w = 0; w * 64 < count; w++) {
    uint64_t rows[64];
    for (uint32_t i = 0; i < 64; i++) rows[i] = (mask >> i & 1) != 0 ? states[part * 64 + i][w] : 0;
    transpose(rows);
    for (uint32_t i = 0; i < 64 && w * 64 + i < count; i++) {
      uint64_t *to = &fluents[w * 64 + i].part[part];
      *to = (*to & ~mask) | rows[i];
    }
  }
}

void ALEA_LANES_FN(load_many)(alea_lane_word *fluents, uint32_t count,
                              const uint64_t *const *states, alea_lane_word mask) {
  for (uint32_t part = 0; part < ALEA_LANE_PARTS; part++) {
    uint64_t lanes = mask.part[part];
    if (__builtin_popcountll(lanes) > FEW) {
      load_part(fluents, count, states, part, lanes);
      continue;
    }
    for (; lanes != 0; lanes &= lanes - 1) {
      uint32_t lane = part * 64 + (uint32_t)__builtin_ctzll(lanes);
      load_bits(fluents, count, states[lane], lane);
    }
  }
}
