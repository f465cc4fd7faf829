#ifndef ALEA_PROPNET_LANES_TRANSPOSE_H
#define ALEA_PROPNET_LANES_TRANSPOSE_H

/* Words of lanes into arrays with one row per lane: 64 columns at a time, all
 * lanes of a word together. */

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
 * columns[i] is lane 64 * p + i of column c. */
void alea_lanes_transpose(alea_lane_word *columns);

/* Writes the rows from transposed words: tiles[64 * t ...] are columns 64 * t and
 * the following.  Row by row, not tile by tile: rows of thousands of columns lie
 * in pages of their own. */
void alea_lanes_write_rows(const alea_lane_word *tiles, const alea_lane_rows *rows);

/* out[lane] = bit of the lane in 'low', and twice that in 'high'. */
void alea_lanes_write_flags(const alea_lane_word *low, const alea_lane_word *high, size_t lanes,
                            uint8_t *out);

#endif
