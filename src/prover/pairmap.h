#ifndef ALEA_PROVER_PAIRMAP_H
#define ALEA_PROVER_PAIRMAP_H

/* A map from pairs of numbers to 0, 1, 2, ... in order of first use: how
 * predicates (name and arity) get their numbers. */

#include "base/hash_map.h"
#include "base/vec.h"

#define ALEA_NO_PAIR UINT32_MAX

typedef struct alea_pair {
  uint32_t a, b;
} alea_pair;

typedef struct alea_pairmap {
  ALEA_VEC(alea_pair) pairs;
  alea_hash_map map;
} alea_pairmap;

/* A zeroed map is empty.  'mem' is the same in all calls. */
void alea_pairmap_clear(alea_pairmap *map, alea_mem *mem);
/* The number of (a, b), new or not; ALEA_NO_PAIR without memory. */
uint32_t alea_pairmap_add(alea_pairmap *map, alea_mem *mem, uint32_t a, uint32_t b);
/* The number of (a, b), or ALEA_NO_PAIR. */
uint32_t alea_pairmap_find(const alea_pairmap *map, uint32_t a, uint32_t b);

#endif
