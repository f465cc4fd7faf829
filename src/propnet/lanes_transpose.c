/* Transposing words of lanes, and spreading bits to bytes and numbers. */
#include "propnet/lanes_transpose.h"

#include <string.h>

typedef alea_lane_word word;

/* Bit k of 'bits' becomes byte k, 0 or 1.  A byte of the product keeps its own
 * bit alone, which adding 127 carries to the top. */
static inline uint64_t spread(uint64_t bits) {
  uint64_t kept = bits * 0x0101010101010101u & 0x8040201008040201u;
  return (kept + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
}

static void spread_word(uint64_t bits, uint8_t *bytes) {
  uint64_t eights[8];
  for (int k = 0; k < 8; k++) eights[k] = spread(bits >> (8 * k) & 0xff);
  memcpy(bytes, eights, sizeof eights);
}

/* Writes 64 columns where there is room for so many: what is too much of a row
 * is the beginning of the next one, which is written later. */
static inline void write_bytes(uint64_t bits, uint8_t *to, size_t room) {
  if (room >= 64) {
    spread_word(bits, to);
    return;
  }
  uint8_t bytes[64];
  spread_word(bits, bytes);
  memcpy(to, bytes, room);
}

static inline void write_floats(uint64_t bits, float *to, size_t room) {
  uint8_t bytes[64];
  spread_word(bits, bytes);
  if (room >= 64) {
    for (int c = 0; c < 64; c++) to[c] = (float)bytes[c];
    return;
  }
  for (size_t c = 0; c < room; c++) to[c] = (float)bytes[c];
}

void alea_lanes_write_rows(const word *tiles, const alea_lane_rows *rows) {
  size_t count = (rows->width + 63) / 64, end = rows->lanes * rows->width;
  for (size_t lane = 0; lane < rows->lanes; lane++)
    for (size_t t = 0; t < count; t++) {
      uint64_t bits = tiles[64 * t + lane % 64].part[lane / 64];
      size_t at = lane * rows->width + 64 * t;
      if (rows->bits != NULL) rows->bits[lane * count + t] = bits;
      if (rows->bytes != NULL) write_bytes(bits, rows->bytes + at, end - at);
      if (rows->floats != NULL) write_floats(bits, rows->floats + at, end - at);
    }
}

void alea_lanes_write_flags(const word *low, const word *high, size_t lanes, uint8_t *out) {
  for (size_t part = 0; 64 * part < lanes; part++) {
    uint8_t ones[64], twos[64];
    spread_word(low->part[part], ones);
    spread_word(high->part[part], twos);
    for (size_t i = 0; i < 64; i++) ones[i] = (uint8_t)(ones[i] | twos[i] << 1);
    memcpy(out + 64 * part, ones, lanes - 64 * part < 64 ? lanes - 64 * part : 64);
  }
}
