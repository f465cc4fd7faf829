/* Seeding of the random number generator. */
#include "base/rng.h"

#include "base/hash.h"

static uint64_t splitmix(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  return alea_hash_mix(*state);
}

void alea_rng_seed(alea_rng *rng, uint64_t seed) {
  for (int i = 0; i < 4; i++) rng->s[i] = splitmix(&seed);
}

void alea_rng_seed_stream(alea_rng *rng, uint64_t seed, uint64_t index) {
  alea_rng_seed(rng, alea_hash_join(alea_hash_mix(seed), index));
}
