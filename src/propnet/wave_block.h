#ifndef ALEA_PROPNET_WAVE_BLOCK_H
#define ALEA_PROPNET_WAVE_BLOCK_H

/* Changing and reading up to 64 counters that lie beside each other, at once; internal.
 *
 * Counters are bytes that count in steps of two, see wave.h.  Where the machine has
 * instructions for 64 bytes they do it; elsewhere eight bytes are changed at a time in a
 * 64-bit word.  Both do the same, and tests compare them. */

#include <stdint.h>
#include <string.h>

#if defined(__AVX512BW__) || defined(__BMI__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bytes of words are in their order");

/* The eight bits of the byte 'bits', each as the lowest bit of a byte of its own. */
static inline uint64_t alea_wave_spread(uint64_t bits) {
  uint64_t own = bits * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
  return (own + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
}

/* The lowest bits of eight bytes as one byte. */
static inline uint64_t alea_wave_gather(uint64_t bytes) {
  return bytes * UINT64_C(0x0102040810204080) >> 56;
}

/* The number of the lowest bit, 64 if there is none. */
static inline uint32_t alea_wave_lowest(uint64_t bits) {
#if defined(__BMI__)
  return (uint32_t)_tzcnt_u64(bits);
#else
  return bits != 0 ? (uint32_t)__builtin_ctzll(bits) : 64;
#endif
}

/* The top bits of 64 counters. */
static inline uint64_t alea_wave_tops_words(const uint8_t *counters) {
  uint64_t tops = 0;
  for (int i = 0; i < 64; i += 8) {
    uint64_t bytes;
    memcpy(&bytes, counters + i, sizeof bytes);
    tops |= alea_wave_gather(bytes >> 7 & UINT64_C(0x0101010101010101)) << i;
  }
  return tops;
}

static inline uint64_t alea_wave_tops(const uint8_t *counters) {
#if defined(__AVX512BW__)
  return _mm512_movepi8_mask(_mm512_loadu_si512(counters));
#elif defined(__SSE2__)
  uint64_t tops = 0;
  for (int i = 0; i < 64; i += 16) {
    __m128i some = _mm_loadu_si128((const __m128i *)(const void *)(counters + i));
    tops |= (uint64_t)(uint32_t)_mm_movemask_epi8(some) << i;
  }
  return tops;
#elif defined(__ARM_NEON) && defined(__aarch64__)
  const uint8x16_t own = vreinterpretq_u8_u64(vdupq_n_u64(UINT64_C(0x8040201008040201)));
  uint8x16_t some[4];
  for (int i = 0; i < 4; i++) /* bytes that are all top bit, and of those a bit each */
    some[i] = vandq_u8(
        vreinterpretq_u8_s8(vshrq_n_s8(vld1q_s8((const int8_t *)counters + 16 * i), 7)), own);
  uint8x16_t sum = vpaddq_u8(vpaddq_u8(some[0], some[1]), vpaddq_u8(some[2], some[3]));
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sum, sum)), 0);
#else
  return alea_wave_tops_words(counters);
#endif
}

/* Adds twice the weight to the counters whose bits are in 'plus' and takes it from those in
 * 'minus', which are others.  Returns the bits of those whose top bit changed. */
static inline uint64_t alea_wave_add_words(uint8_t *counters, uint64_t plus, uint64_t minus,
                                           uint32_t weight) {
  const uint64_t top = UINT64_C(0x8080808080808080), low = UINT64_C(0x0101010101010101);
  uint64_t crossed = 0;
  for (int i = 0; i < 64; i += 8) {
    if (((plus | minus) >> i & 0xff) == 0) continue;
    uint64_t before, change = 2 * weight * alea_wave_spread(plus >> i & 0xff) +
                              (256 - 2 * weight) * alea_wave_spread(minus >> i & 0xff);
    memcpy(&before, counters + i, sizeof before);
    uint64_t after = ((before & ~top) + (change & ~top)) ^ ((before ^ change) & top);
    memcpy(counters + i, &after, sizeof after);
    crossed |= alea_wave_gather((before ^ after) >> 7 & low) << i;
  }
  return crossed;
}

static inline uint64_t alea_wave_add(uint8_t *counters, uint64_t plus, uint64_t minus,
                                     uint32_t weight) {
#if defined(__AVX512BW__)
  const __m512i step = _mm512_set1_epi8((char)(2 * weight));
  __m512i change =
      _mm512_sub_epi8(_mm512_maskz_mov_epi8(plus, step), _mm512_maskz_mov_epi8(minus, step));
  __m512i before = _mm512_loadu_si512(counters), after = _mm512_add_epi8(before, change);
  _mm512_storeu_si512(counters, after);
  return _mm512_movepi8_mask(_mm512_xor_si512(before, after));
#else
  return alea_wave_add_words(counters, plus, minus, weight);
#endif
}

#endif
