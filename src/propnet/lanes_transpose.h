#ifndef ALEA_PROPNET_LANES_TRANSPOSE_H
#define ALEA_PROPNET_LANES_TRANSPOSE_H

/* Words of lanes into arrays with one row per lane, and back: 64 columns at a
 * time, all lanes of a word together. */

#include <stddef.h>

#include "propnet/lane_word.h"

/* The rows of the lanes of one block of states; NULL: not wanted. */
typedef struct alea_lane_rows {
  uint64_t *bits;      /* [row][width / 64, rounded up] */
  uint8_t *bytes;      /* [row][width] */
  float *floats;       /* [row][width] */
  size_t width, lanes; /* columns; rows that are written, from lane 0 on */
} alea_lane_rows;

/* Before: columns[c] is the word of column c, c < 64.  After: bit c of part p of
 * columns[i] is lane 64 * p + i of column c.  Twice is as before.  Warren, Hacker's
 * Delight, 7-3, on the 64-bit parts of all words at once. */
static inline void alea_lanes_transpose(alea_lane_word *columns) {
  uint64_t mask = 0xffffffffu;
  for (uint32_t width = 32; width != 0; width >>= 1, mask ^= mask << width)
    for (uint32_t i = 0; i < 64; i = (i + width + 1) & ~width) ALEA_LANE_EACH_UNIT(u) {
        alea_lane_unit low = columns[i].unit[u], high = columns[i + width].unit[u];
        alea_lane_unit swap = ((low >> width) ^ high) & mask;
        columns[i].unit[u] = low ^ (swap << width);
        columns[i + width].unit[u] = high ^ swap;
      }
}

/* Writes the rows from transposed words: tiles[64 * t ...] are columns 64 * t and
 * the following.  Row by row, not tile by tile: rows of thousands of columns lie
 * in pages of their own. */
void alea_lanes_write_rows(const alea_lane_word *tiles, const alea_lane_rows *rows);

/* out[lane] = bit of the lane in 'low', and twice that in 'high'. */
void alea_lanes_write_flags(const alea_lane_word *low, const alea_lane_word *high, size_t lanes,
                            uint8_t *out);

#endif
