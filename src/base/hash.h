#ifndef ALEA_BASE_HASH_H
#define ALEA_BASE_HASH_H

/* Hashing of words and bytes: fast and well mixed, but not secure against
 * adversaries. */

#include <stddef.h>
#include <stdint.h>

/* A bijection that spreads every input bit over the whole word. */
static inline uint64_t alea_hash_mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  x ^= x >> 31;
  return x;
}

static inline uint64_t alea_hash_join(uint64_t hash, uint64_t word) {
  return (hash ^ alea_hash_mix(word + 0x9e3779b97f4a7c15u)) * 0x2545f4914f6cdd1du;
}

uint64_t alea_hash_bytes(const void *bytes, size_t count);
uint64_t alea_hash_u32s(const uint32_t *words, size_t count);

#endif
