/* Transposing words of lanes, and spreading bits to bytes and numbers. */
#include "propnet/lanes_transpose.h"

#include <string.h>

typedef alea_lane_word word;

/* Warren, Hacker's Delight, 7-3, on the 64-bit parts of all words at once. */
void alea_lanes_transpose(word *columns) {
  uint64_t mask = 0xffffffffu;
  for (uint32_t width = 32; width != 0; width >>= 1, mask ^= mask << width)
    for (uint32_t i = 0; i < 64; i = (i + width + 1) & ~width) ALEA_LANE_EACH_UNIT(u) {
        alea_lane_unit low = columns[i].unit[u], high = columns[i + width].unit[u];
        alea_lane_unit swap = ((low >> width) ^ high) & mask;
        columns[i].unit[u] = low ^ (swap << width);
        columns[i + width].unit[u] = high ^ swap;
      }
}

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

void alea_lanes_write_tile(const word *tile, size_t index, const alea_lane_rows *rows) {
  size_t first = 64 * index, columns = rows->width - first < 64 ? rows->width - first : 64;
  for (size_t lane = 0; lane < rows->lanes; lane++) {
    uint64_t bits = tile[lane % 64].part[lane / 64];
    if (rows->bits != NULL) rows->bits[lane * rows->bit_stride + index] = bits;
    if (rows->bytes == NULL && rows->floats == NULL) continue;
    uint8_t bytes[64];
    spread_word(bits, bytes);
    size_t at = lane * rows->width + first;
    if (rows->bytes != NULL) memcpy(rows->bytes + at, bytes, columns);
    for (size_t c = 0; rows->floats != NULL && c < columns; c++)
      rows->floats[at + c] = (float)bytes[c];
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
