/* Slots of the hash maps: how they are allocated and how they grow. */
#include "base/hash_map.h"

#include <string.h>

enum { FEWEST_SLOTS = 4, FIRST_SLOTS = 64, BLOCK = 32 };

/* A power of two, at least twice 'count'; 0 where a mask cannot hold it. */
static size_t slots_for(size_t count) {
  size_t slots = FEWEST_SLOTS;
  while (slots < 2 * count && slots <= UINT32_MAX / 2) slots *= 2;
  return slots >= 2 * count ? slots : 0;
}

/* What 'mask' grows to, 0 where it cannot. */
static size_t slots_after(uint32_t mask) {
  if (mask == 0) return FIRST_SLOTS;
  return mask <= UINT32_MAX / 2 ? 2 * ((size_t)mask + 1) : 0;
}

/* ---- ids ---- */

bool alea_hash_map_init(alea_hash_map *map, alea_mem *mem, size_t ids) {
  size_t count = slots_for(ids);
  *map =
      (alea_hash_map){.slots = count > 0 ? alea_mem_calloc(mem, count, sizeof *map->slots) : NULL};
  if (map->slots == NULL) return false;
  map->mask = (uint32_t)(count - 1);
  return true;
}

void alea_hash_map_clear(alea_hash_map *map, alea_mem *mem) {
  alea_mem_free(mem, map->slots, alea_hash_map_slots(map) * sizeof *map->slots);
  *map = (alea_hash_map){0};
}

void alea_hash_map_empty(alea_hash_map *map) {
  if (map->mask != 0) memset(map->slots, 0, alea_hash_map_slots(map) * sizeof *map->slots);
  map->count = 0;
}

/* Whether the ids are 'first', first + 1, ... without a gap. */
static bool ids_are_a_range(const alea_hash_map *map, uint32_t *first) {
  uint32_t least = ALEA_HASH_NONE, end = 0;
  for (size_t i = 0; i < alea_hash_map_slots(map); i++) {
    uint32_t id = map->slots[i] - 1; /* of an empty slot the largest number */
    least = id < least ? id : least;
    end = map->slots[i] > end ? map->slots[i] : end;
  }
  *first = least;
  return map->count > 0 && end - least == map->count;
}

/* Adds new ids.  All slots are asked for before the first is looked at, so
 * that what is not in the cache is waited for once. */
static void add_block(alea_hash_map *map, const uint32_t *ids, size_t count, alea_hash_of_id *hash,
                      const void *context) {
  uint64_t hashes[BLOCK];
  for (size_t i = 0; i < count; i++) {
    hashes[i] = hash(context, ids[i]);
    __builtin_prefetch(&map->slots[(uint32_t)hashes[i] & map->mask], 1);
  }
  for (size_t i = 0; i < count; i++) alea_hash_map_add(map, hashes[i], ids[i]);
}

/* Mostly the ids are a range and are moved in their order: the caller's array
 * is then read from one end to the other.  In the order of the slots, numbering
 * a million keys takes twice as long. */
void alea_hash_map_move(alea_hash_map *map, uint32_t *slots, size_t count, alea_hash_of_id *hash,
                        const void *context) {
  alea_hash_map to = {.slots = slots, .mask = (uint32_t)(count - 1)};
  uint32_t ids[BLOCK], first;
  bool range = ids_are_a_range(map, &first);
  size_t end = range ? map->count : alea_hash_map_slots(map);
  for (size_t i = 0; i < end;) {
    size_t n = 0;
    for (; n < BLOCK && i < end; i++) {
      ids[n] = range ? first + (uint32_t)i : map->slots[i] - 1;
      n += range || map->slots[i] != 0;
    }
    add_block(&to, ids, n, hash, context);
  }
  *map = to;
}

bool alea_hash_map_grow(alea_hash_map *map, alea_mem *mem, alea_hash_of_id *hash,
                        const void *context) {
  alea_hash_map old = *map;
  size_t count = slots_after(map->mask);
  uint32_t *slots = count > 0 ? alea_mem_calloc(mem, count, sizeof *slots) : NULL;
  if (slots == NULL) return false;
  alea_hash_map_move(map, slots, count, hash, context);
  alea_hash_map_clear(&old, mem);
  return true;
}

/* ---- words ---- */

bool alea_hash_words_init(alea_hash_words *words, alea_mem *mem, size_t count) {
  size_t slots = slots_for(count);
  *words = (alea_hash_words){.slots = slots > 0 ? alea_mem_calloc(mem, slots, sizeof *words->slots)
                                                : NULL};
  if (words->slots == NULL) return false;
  words->mask = (uint32_t)(slots - 1);
  return true;
}

void alea_hash_words_clear(alea_hash_words *words, alea_mem *mem) {
  alea_mem_free(mem, words->slots, alea_hash_words_slots(words) * sizeof *words->slots);
  *words = (alea_hash_words){0};
}

void alea_hash_words_empty(alea_hash_words *words) {
  if (words->mask != 0)
    memset(words->slots, 0, alea_hash_words_slots(words) * sizeof *words->slots);
  words->count = 0;
}

bool alea_hash_words_grow(alea_hash_words *words, alea_mem *mem, alea_hash_of_word *hash) {
  alea_hash_words old = *words;
  size_t count = slots_after(words->mask);
  uint64_t *slots = count > 0 ? alea_mem_calloc(mem, count, sizeof *slots) : NULL;
  if (slots == NULL) return false;
  *words = (alea_hash_words){.slots = slots, .mask = (uint32_t)(count - 1)};
  for (size_t i = 0; i < alea_hash_words_slots(&old); i++)
    if (old.slots[i] != 0) alea_hash_words_add(words, hash(old.slots[i]), old.slots[i]);
  alea_hash_words_clear(&old, mem);
  return true;
}
