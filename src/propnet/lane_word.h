#ifndef ALEA_PROPNET_LANE_WORD_H
#define ALEA_PROPNET_LANE_WORD_H

/* Words of lanes: one bit for each of ALEA_LANES games.
 *
 * The only place that knows how wide the machine's vectors are.  A word is an
 * array of units, a unit is what one vector register holds; both are compiler
 * vector types, so the same code serves NEON, AVX2 and AVX-512.  The lanes of
 * a word are numbered 0 .. ALEA_LANES-1 through its 64-bit parts, the same on
 * every machine: results do not depend on the width of a unit.
 *
 * 512 lanes, measured: fewer leave the evaluator waiting for its own control
 * flow, more push the values of middling games out of the first cache. */

#include <stdbool.h>
#include <stdint.h>

/* The files that work on words are compiled once for each alea_lanes_width,
 * the narrow one with ALEA_LANES defined by cmake/Layers.cmake; what they share
 * with each other is named after the width. */
#ifndef ALEA_LANES
#define ALEA_LANES 512
#endif
#define ALEA_LANES_PASTE(width, name) alea_lanes##width##_##name
#define ALEA_LANES_EXPAND(width, name) ALEA_LANES_PASTE(width, name)
#define ALEA_LANES_FN(name) ALEA_LANES_EXPAND(ALEA_LANES, name)

/* A unit is never wider than a word. */
#if defined(__AVX512F__) && ALEA_LANES >= 512
#define ALEA_LANE_UNIT_BYTES 64
#elif defined(__AVX2__) && ALEA_LANES >= 256
#define ALEA_LANE_UNIT_BYTES 32
#else
#define ALEA_LANE_UNIT_BYTES 16
#endif

enum {
  ALEA_LANE_PARTS = ALEA_LANES / 64,                        /* 64-bit parts of a word */
  ALEA_LANE_UNIT_PARTS = ALEA_LANE_UNIT_BYTES / 8,          /* 64-bit parts of a unit */
  ALEA_LANE_UNITS = ALEA_LANE_PARTS / ALEA_LANE_UNIT_PARTS, /* units of a word */
  ALEA_LANE_ALIGN = ALEA_LANES / 8,                         /* bytes; words are aligned to this */
};

_Static_assert(ALEA_LANE_UNITS *ALEA_LANE_UNIT_BYTES * 8 == ALEA_LANES, "a word is whole units");

/* No more aligned than malloc gives: words also live in structs on the heap.
 * Where a word does lie on its boundary, the looser type costs nothing. */
typedef uint64_t alea_lane_unit __attribute__((vector_size(ALEA_LANE_UNIT_BYTES), aligned(16)));

typedef union alea_lane_word {
  alea_lane_unit unit[ALEA_LANE_UNITS];
  uint64_t part[ALEA_LANE_PARTS];
} alea_lane_word;

/* Runs the statement for every unit u of a word, unrolled. */
#define ALEA_LANE_EACH_UNIT(u) _Pragma("GCC unroll 8") for (int u = 0; u < ALEA_LANE_UNITS; u++)

static inline alea_lane_unit alea_lane_unit_zero(void) { return (alea_lane_unit){0}; }
static inline alea_lane_unit alea_lane_unit_ones(void) { return ~(alea_lane_unit){0}; }

static inline bool alea_lane_unit_any(alea_lane_unit x) {
  uint64_t any = 0;
  for (int i = 0; i < ALEA_LANE_UNIT_PARTS; i++) any |= x[i];
  return any != 0;
}

static inline alea_lane_word alea_lane_fill(bool value) {
  alea_lane_word w;
  for (int u = 0; u < ALEA_LANE_UNITS; u++)
    w.unit[u] = value ? alea_lane_unit_ones() : alea_lane_unit_zero();
  return w;
}

static inline alea_lane_word alea_lane_and(alea_lane_word a, alea_lane_word b) {
  for (int u = 0; u < ALEA_LANE_UNITS; u++) a.unit[u] &= b.unit[u];
  return a;
}

static inline alea_lane_word alea_lane_andn(alea_lane_word a, alea_lane_word b) { /* a and not b */
  for (int u = 0; u < ALEA_LANE_UNITS; u++) a.unit[u] &= ~b.unit[u];
  return a;
}

static inline alea_lane_word alea_lane_or(alea_lane_word a, alea_lane_word b) {
  for (int u = 0; u < ALEA_LANE_UNITS; u++) a.unit[u] |= b.unit[u];
  return a;
}

static inline bool alea_lane_any(alea_lane_word a) {
  alea_lane_unit x = a.unit[0];
  for (int u = 1; u < ALEA_LANE_UNITS; u++) x |= a.unit[u];
  return alea_lane_unit_any(x);
}

static inline uint32_t alea_lane_count(alea_lane_word a) {
  uint32_t count = 0;
  for (int i = 0; i < ALEA_LANE_PARTS; i++) count += (uint32_t)__builtin_popcountll(a.part[i]);
  return count;
}

static inline bool alea_lane_get(const alea_lane_word *w, uint32_t lane) {
  return (w->part[lane / 64] >> (lane % 64) & 1) != 0;
}

static inline void alea_lane_set(alea_lane_word *w, uint32_t lane) {
  w->part[lane / 64] |= UINT64_C(1) << (lane % 64);
}

/* The first lane of '*w', which is then removed from it; ALEA_LANES when none is left. */
static inline uint32_t alea_lane_pop(alea_lane_word *w) {
  for (uint32_t i = 0; i < ALEA_LANE_PARTS; i++) {
    if (w->part[i] == 0) continue;
    uint32_t lane = i * 64 + (uint32_t)__builtin_ctzll(w->part[i]);
    w->part[i] &= w->part[i] - 1;
    return lane;
  }
  return ALEA_LANES;
}

#endif
