#ifndef ALEA_BASE_RNG_H
#define ALEA_BASE_RNG_H

/* Random numbers: xoshiro256**, seeded by splitmix64.  The same seed gives
 * the same numbers on every machine. */

#include <stdint.h>

typedef struct alea_rng {
  uint64_t s[4];
} alea_rng;

void alea_rng_seed(alea_rng *rng, uint64_t seed);
/* An independent stream for part number 'index' of work seeded with 'seed'. */
void alea_rng_seed_stream(alea_rng *rng, uint64_t seed, uint64_t index);

static inline uint64_t alea_rng_next(alea_rng *rng) {
  uint64_t *s = rng->s;
  uint64_t x = s[1] * 5;
  uint64_t result = ((x << 7) | (x >> 57)) * 9;
  uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = (s[3] << 45) | (s[3] >> 19);
  return result;
}

/* Exactly uniform in 0..n-1; n must not be 0 (Lemire's method). */
static inline uint32_t alea_rng_below(alea_rng *rng, uint32_t n) {
  uint64_t product = (alea_rng_next(rng) >> 32) * n;
  if ((uint32_t)product < n) {
    uint32_t floor = (0u - n) % n;
    while ((uint32_t)product < floor) product = (alea_rng_next(rng) >> 32) * n;
  }
  return (uint32_t)(product >> 32);
}

/* Uniform in [0, 1). */
static inline double alea_rng_unit(alea_rng *rng) {
  return (double)(alea_rng_next(rng) >> 11) * 0x1p-53;
}

#endif
