/* Numbers for pairs. */
#include "prover/pairmap.h"

#include "base/hash.h"

void alea_pairmap_clear(alea_pairmap *map, alea_mem *mem) {
  alea_hash_map_clear(&map->map, mem);
  alea_vec_clear(mem, &map->pairs);
}

static uint64_t hash_pair(uint32_t a, uint32_t b) { return alea_hash_mix((uint64_t)a << 32 | b); }

static uint64_t hash_of(const void *pairs, uint32_t number) {
  const alea_pair *p = (const alea_pair *)pairs + number;
  return hash_pair(p->a, p->b);
}

/* The probe ends at the pair or where it belongs. */
static alea_hash_probe find(const alea_pairmap *map, uint32_t a, uint32_t b) {
  alea_hash_probe probe = alea_hash_map_probe(&map->map, hash_pair(a, b));
  while (alea_hash_map_next(&map->map, &probe)) {
    const alea_pair *p = &map->pairs.data[probe.id];
    if (p->a == a && p->b == b) break;
  }
  return probe;
}

uint32_t alea_pairmap_add(alea_pairmap *map, alea_mem *mem, uint32_t a, uint32_t b) {
  if (!alea_hash_map_reserve(&map->map, mem, hash_of, map->pairs.data)) return ALEA_NO_PAIR;
  alea_hash_probe probe = find(map, a, b);
  if (probe.id != ALEA_HASH_NONE) return probe.id;
  alea_pair pair = {a, b};
  if (!alea_vec_push(mem, &map->pairs, pair)) return ALEA_NO_PAIR;
  uint32_t number = (uint32_t)map->pairs.count - 1;
  alea_hash_map_put(&map->map, probe, number);
  return number;
}

uint32_t alea_pairmap_find(const alea_pairmap *map, uint32_t a, uint32_t b) {
  return find(map, a, b).id;
}
