#ifndef ALEA_BASE_HASH_MAP_H
#define ALEA_BASE_HASH_MAP_H

/* Hash maps: open addressing with linear probing over a power of two of slots.
 *
 * The keys stay in the caller's arrays: a map knows 32-bit ids and their
 * hashes, and the caller compares.  To find the id of a key, or to number a
 * new one:
 *
 *   if (!alea_hash_map_reserve(&map, mem, hash_of_id, keys)) ...no memory...
 *   alea_hash_probe probe = alea_hash_map_probe(&map, hash);
 *   while (alea_hash_map_next(&map, &probe))
 *     if (keys[probe.id] is the key) return probe.id;
 *   ...append the key to the array...
 *   alea_hash_map_put(&map, probe, id);
 *
 * A probe that has come to its end holds ALEA_HASH_NONE, and the place for
 * the new id until the map changes.  Ids are not removed one by one.
 *
 * alea_hash_words is the same over words of 64 bits, for keys that are words
 * themselves, ids with a part of their hash beside them, and pointers.
 *
 * A zeroed map is empty and owns nothing; nothing is ever found in it.  'mem'
 * must be the same in every call on one map. */

#include "base/mem.h"

#define ALEA_HASH_NONE UINT32_MAX /* is no id */

typedef struct alea_hash_map {
  uint32_t *slots; /* id + 1, or 0 */
  uint32_t mask;   /* number of slots - 1; 0 where there are none */
  uint32_t count;  /* ids */
} alea_hash_map;

typedef struct alea_hash_probe {
  uint32_t slot; /* the next to look at */
  uint32_t id;
} alea_hash_probe;

/* The hash under which 'id' was put. */
typedef uint64_t alea_hash_of_id(const void *context, uint32_t id);

/* Slots for so many ids at half load; false without memory. */
bool alea_hash_map_init(alea_hash_map *map, alea_mem *mem, size_t ids);
void alea_hash_map_clear(alea_hash_map *map, alea_mem *mem);
/* Forgets the ids and keeps the slots. */
void alea_hash_map_empty(alea_hash_map *map);
/* Doubles the slots; false without memory, and the map is as it was. */
bool alea_hash_map_grow(alea_hash_map *map, alea_mem *mem, alea_hash_of_id *hash,
                        const void *context);
/* The same into 'count' zeroed slots, a power of two and more than there are
 * ids; where those come from is the caller's, and so are the old ones. */
void alea_hash_map_move(alea_hash_map *map, uint32_t *slots, size_t count, alea_hash_of_id *hash,
                        const void *context);

static inline size_t alea_hash_map_slots(const alea_hash_map *map) {
  return map->mask == 0 ? 0 : (size_t)map->mask + 1;
}

/* Room for one more id at half load; false without memory. */
static inline bool alea_hash_map_reserve(alea_hash_map *map, alea_mem *mem, alea_hash_of_id *hash,
                                         const void *context) {
  return 2 * ((size_t)map->count + 1) <= (size_t)map->mask + 1 ||
         alea_hash_map_grow(map, mem, hash, context);
}

static inline alea_hash_probe alea_hash_map_probe(const alea_hash_map *map, uint64_t hash) {
  return (alea_hash_probe){(uint32_t)hash & map->mask, ALEA_HASH_NONE};
}

/* The next id whose hash may be the probe's; false at the end. */
static inline bool alea_hash_map_next(const alea_hash_map *map, alea_hash_probe *probe) {
  uint32_t held = map->mask != 0 ? map->slots[probe->slot] : 0;
  probe->id = held - 1;
  if (held == 0) return false;
  probe->slot = (probe->slot + 1) & map->mask;
  return true;
}

/* Enters an id where a probe for its hash has ended; there must be room. */
static inline void alea_hash_map_put(alea_hash_map *map, alea_hash_probe probe, uint32_t id) {
  map->slots[probe.slot] = id + 1;
  map->count++;
}

/* Enters an id that is new; there must be room. */
static inline void alea_hash_map_add(alea_hash_map *map, uint64_t hash, uint32_t id) {
  alea_hash_probe probe = alea_hash_map_probe(map, hash);
  while (alea_hash_map_next(map, &probe)) {
  }
  alea_hash_map_put(map, probe, id);
}

/* ---- words ---- */

typedef struct alea_hash_words {
  uint64_t *slots; /* words; 0 is an empty slot */
  uint32_t mask;
  uint32_t count;
} alea_hash_words;

typedef struct alea_word_probe {
  uint32_t slot;
  uint64_t word; /* 0 at the end */
} alea_word_probe;

typedef uint64_t alea_hash_of_word(uint64_t word);

bool alea_hash_words_init(alea_hash_words *words, alea_mem *mem, size_t count);
void alea_hash_words_clear(alea_hash_words *words, alea_mem *mem);
void alea_hash_words_empty(alea_hash_words *words);
bool alea_hash_words_grow(alea_hash_words *words, alea_mem *mem, alea_hash_of_word *hash);

static inline size_t alea_hash_words_slots(const alea_hash_words *words) {
  return words->mask == 0 ? 0 : (size_t)words->mask + 1;
}

static inline bool alea_hash_words_reserve(alea_hash_words *words, alea_mem *mem,
                                           alea_hash_of_word *hash) {
  return 2 * ((size_t)words->count + 1) <= (size_t)words->mask + 1 ||
         alea_hash_words_grow(words, mem, hash);
}

static inline alea_word_probe alea_hash_words_probe(const alea_hash_words *words, uint64_t hash) {
  return (alea_word_probe){(uint32_t)hash & words->mask, 0};
}

static inline bool alea_hash_words_next(const alea_hash_words *words, alea_word_probe *probe) {
  probe->word = words->mask != 0 ? words->slots[probe->slot] : 0;
  if (probe->word == 0) return false;
  probe->slot = (probe->slot + 1) & words->mask;
  return true;
}

static inline void alea_hash_words_put(alea_hash_words *words, alea_word_probe probe,
                                       uint64_t word) {
  words->slots[probe.slot] = word;
  words->count++;
}

static inline void alea_hash_words_add(alea_hash_words *words, uint64_t hash, uint64_t word) {
  alea_word_probe probe = alea_hash_words_probe(words, hash);
  while (alea_hash_words_next(words, &probe)) {
  }
  alea_hash_words_put(words, probe, word);
}

/* Ids whose hash is compared before their key is read: the upper half of the
 * word is the hash, the lower one the id + 1. */
static inline uint64_t alea_hash_tag(uint32_t hash, uint32_t id) {
  return (uint64_t)hash << 32 | (id + 1);
}
static inline uint32_t alea_hash_tag_id(uint64_t word) { return (uint32_t)word - 1; }
static inline uint64_t alea_hash_of_tag(uint64_t word) { return word >> 32; }

#endif
