/* Hashing of arrays. */
#include "base/hash.h"

uint64_t alea_hash_bytes(const void *bytes, size_t count) {
  const unsigned char *p = bytes;
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < count; i++) hash = (hash ^ p[i]) * 0x100000001b3u;
  return alea_hash_mix(hash);
}

uint64_t alea_hash_u32s(const uint32_t *words, size_t count) {
  uint64_t hash = count;
  for (size_t i = 0; i < count; i++) hash = alea_hash_join(hash, words[i]);
  return alea_hash_mix(hash);
}
