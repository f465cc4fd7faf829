/* Numbers for pairs: open addressing over an array. */
#include "prover/pairmap.h"

#include "base/hash.h"

enum { FIRST_SLOTS = 64 };

void alea_pairmap_clear(alea_pairmap *map, alea_mem *mem) {
  alea_mem_free(mem, map->slots, map->slot_count * sizeof *map->slots);
  map->slots = NULL;
  map->slot_count = 0;
  alea_vec_clear(mem, &map->pairs);
}

/* The slot of the pair, or the empty one where it belongs. */
static size_t find_slot(const alea_pairmap *map, uint32_t a, uint32_t b) {
  size_t mask = map->slot_count - 1;
  size_t i = alea_hash_mix((uint64_t)a << 32 | b) & mask;
  for (; map->slots[i] != 0; i = (i + 1) & mask) {
    const alea_pair *p = &map->pairs.data[map->slots[i] - 1];
    if (p->a == a && p->b == b) break;
  }
  return i;
}

static bool grow(alea_pairmap *map, alea_mem *mem) {
  alea_pairmap bigger = *map;
  bigger.slot_count = map->slot_count == 0 ? FIRST_SLOTS : 2 * map->slot_count;
  bigger.slots = alea_mem_calloc(mem, bigger.slot_count, sizeof *bigger.slots);
  if (bigger.slots == NULL) return false;
  for (size_t k = 0; k < map->pairs.count; k++) {
    const alea_pair *p = &map->pairs.data[k];
    bigger.slots[find_slot(&bigger, p->a, p->b)] = (uint32_t)k + 1;
  }
  alea_mem_free(mem, map->slots, map->slot_count * sizeof *map->slots);
  *map = bigger;
  return true;
}

uint32_t alea_pairmap_add(alea_pairmap *map, alea_mem *mem, uint32_t a, uint32_t b) {
  if (2 * (map->pairs.count + 1) > map->slot_count && !grow(map, mem)) return ALEA_NO_PAIR;
  size_t slot = find_slot(map, a, b);
  if (map->slots[slot] != 0) return map->slots[slot] - 1;
  alea_pair pair = {a, b};
  if (!alea_vec_push(mem, &map->pairs, pair)) return ALEA_NO_PAIR;
  map->slots[slot] = (uint32_t)map->pairs.count;
  return (uint32_t)map->pairs.count - 1;
}

uint32_t alea_pairmap_find(const alea_pairmap *map, uint32_t a, uint32_t b) {
  if (map->slot_count == 0) return ALEA_NO_PAIR;
  size_t slot = find_slot(map, a, b);
  return map->slots[slot] != 0 ? map->slots[slot] - 1 : ALEA_NO_PAIR;
}
