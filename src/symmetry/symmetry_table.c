/* The store of positions up to symmetry. */
#include "symmetry/symmetry_table.h"

#include <string.h>

#include "base/hash.h"

enum {
  FIRST_ENTRIES = 128,
  MOST_DEPTH = 64, /* generators that lie between a position and its image */
};

alea_status alea_symmetry_table_init(alea_symmetry_table *images,
                                     const alea_game_symmetry *symmetry, uint32_t most,
                                     size_t limit, alea_mem *mem) {
  *images = (alea_symmetry_table){.mem = mem, .symmetry = symmetry, .most = most, .limit = limit};
  images->words = alea_mem_calloc(mem, 2 * symmetry->word_count, sizeof *images->words);
  if (alea_hash_map_init(&images->map, mem, FIRST_ENTRIES) && images->words != NULL) return ALEA_OK;
  return alea_mem_lack(mem);
}

void alea_symmetry_table_clear(alea_symmetry_table *images) {
  if (images->mem == NULL) return;
  alea_vec_clear(images->mem, &images->entries);
  alea_vec_clear(images->mem, &images->front);
  alea_hash_map_clear(&images->map, images->mem);
  alea_mem_free(images->mem, images->words,
                2 * images->symmetry->word_count * sizeof *images->words);
  *images = (alea_symmetry_table){0};
}

void alea_symmetry_table_empty(alea_symmetry_table *images) {
  if (images->mem == NULL) return;
  images->entries.count = 0;
  alea_hash_map_empty(&images->map);
}

/* ---- the table ---- */

static void make_key(const alea_symmetry_table *s, const uint64_t *words, uint64_t key[2]) {
  key[0] = 0x243f6a8885a308d3u;
  key[1] = 0x13198a2e03707344u;
  for (size_t w = 0; w < s->symmetry->word_count; w++) {
    key[0] = alea_hash_join(key[0], words[w]);
    key[1] = alea_hash_join(key[1], words[w] ^ key[0]);
  }
}

static uint64_t hash_key(const uint64_t key[2]) { return key[0] ^ key[0] >> 32; }

static uint64_t hash_entry(const void *entries, uint32_t id) {
  return hash_key(((const alea_symmetry_entry *)entries)[id].key);
}

/* The probe ends at the key or where it belongs. */
static alea_hash_probe find_key(const alea_symmetry_table *s, const uint64_t key[2]) {
  alea_hash_probe probe = alea_hash_map_probe(&s->map, hash_key(key));
  while (alea_hash_map_next(&s->map, &probe)) {
    const alea_symmetry_entry *entry = &s->entries.data[probe.id];
    if (entry->key[0] == key[0] && entry->key[1] == key[1]) break;
  }
  return probe;
}

static bool grow(alea_symmetry_table *s) {
  size_t slots = alea_hash_map_slots(&s->map);
  if ((s->entries.count + 1) * 4 < slots * 3) return true;
  size_t all = 2 * slots * sizeof *s->map.slots + 2 * s->entries.capacity * sizeof *s->entries.data;
  if (all > s->limit || s->entries.count >= UINT32_MAX / 2) return false;
  return alea_hash_map_grow(&s->map, s->mem, hash_entry, s->entries.data);
}

/* Enters a key that is new; the number of the entry plus 1, or 0. */
static uint32_t enter(alea_symmetry_table *s, const alea_symmetry_entry *entry) {
  if (!grow(s)) return 0;
  alea_hash_probe probe = find_key(s, entry->key);
  if (probe.id != ALEA_HASH_NONE || !alea_vec_push(s->mem, &s->entries, *entry)) return 0;
  alea_hash_map_put(&s->map, probe, (uint32_t)s->entries.count - 1);
  return (uint32_t)s->entries.count;
}

/* ---- small groups ---- */

/* Both elements in one number; 0 where they are the same. */
static uint32_t pack(uint32_t asked, uint32_t found) {
  return asked == found ? 0 : asked << 16 | found;
}

static uint32_t find_small(alea_symmetry_table *s, const uint64_t *words, uint32_t *how) {
  alea_symmetry_entry entry;
  uint32_t e = alea_game_symmetry_canonical(s->symmetry, words, s->words,
                                            s->words + s->symmetry->word_count);
  make_key(s, s->words, entry.key);
  uint32_t found = find_key(s, entry.key).id;
  if (found == ALEA_HASH_NONE) return 0;
  *how = pack(e, s->entries.data[found].by);
  return s->entries.data[found].position;
}

static uint32_t add_small(alea_symmetry_table *s, const uint64_t *words, uint32_t position) {
  alea_symmetry_entry entry = {.position = position};
  entry.by = alea_game_symmetry_canonical(s->symmetry, words, s->words,
                                          s->words + s->symmetry->word_count);
  make_key(s, s->words, entry.key);
  (void)enter(s, &entry);
  return s->symmetry->group.element_count;
}

static alea_move move_small(const alea_game_symmetry *m, uint32_t how, uint32_t role,
                            alea_move move) {
  move = alea_game_symmetry_move(m, alea_game_symmetry_element(m, how & 0xffff), role, move);
  return alea_game_symmetry_move(m, alea_game_symmetry_element(m, m->inverse[how >> 16]), role,
                                 move);
}

/* ---- large groups ---- */

static uint32_t find_large(alea_symmetry_table *s, const uint64_t *words, uint32_t *how) {
  uint64_t key[2];
  make_key(s, words, key);
  uint32_t found = find_key(s, key).id;
  if (found == ALEA_HASH_NONE) return 0;
  *how = s->entries.data[found].from != 0 ? found + 1 : 0;
  return s->entries.data[found].position;
}

static bool push_front(alea_symmetry_table *s, const uint64_t *words) {
  if (!alea_vec_reserve(s->mem, &s->front, s->symmetry->word_count)) return false;
  memcpy(s->front.data + s->front.count, words, s->symmetry->word_count * sizeof *words);
  s->front.count += s->symmetry->word_count;
  return true;
}

/* Images of the position at 'words', breadth first.  Entries of one position
 * lie one behind the other, so the i-th of the front is entry first + i. */
static uint32_t add_large(alea_symmetry_table *s, const uint64_t *words, uint32_t position) {
  const alea_game_symmetry *m = s->symmetry;
  alea_symmetry_entry entry = {.position = position};
  uint32_t made = 0, depth = 0;
  make_key(s, words, entry.key);
  uint32_t first = enter(s, &entry);
  s->front.count = 0;
  if (first == 0 || !push_front(s, words)) return 0;
  size_t level_end = 1, count = 1;
  for (size_t i = 0; i < count && count < s->most; i++) {
    if (i == level_end) {
      level_end = count;
      if (++depth >= MOST_DEPTH) break;
    }
    for (uint32_t g = 0; g < m->group.generator_count && count < s->most; g++) {
      alea_game_symmetry_words(m, alea_game_symmetry_generator(m, g),
                               s->front.data + i * m->word_count, s->words);
      made++;
      make_key(s, s->words, entry.key);
      entry.from = first + (uint32_t)i;
      entry.by = g;
      if (enter(s, &entry) == 0) continue; /* seen, or no room */
      if (!push_front(s, s->words)) return made;
      count++;
    }
  }
  return made;
}

static alea_move move_large(const alea_symmetry_table *s, uint32_t how, uint32_t role,
                            alea_move move) {
  uint32_t chain[MOST_DEPTH + 2], length = 0;
  for (const alea_symmetry_entry *e = &s->entries.data[how - 1];
       e->from != 0 && length < MOST_DEPTH + 2; e = &s->entries.data[e->from - 1])
    chain[length++] = e->by;
  while (length-- > 0)
    move = alea_game_symmetry_move(
        s->symmetry, alea_game_symmetry_generator(s->symmetry, chain[length]), role, move);
  return move;
}

/* ---- the interface ---- */

uint32_t alea_symmetry_table_find(alea_symmetry_table *images, const uint64_t *words,
                                  uint32_t *how) {
  *how = 0;
  if (images->symmetry == NULL) return 0;
  return alea_game_symmetry_is_small(images->symmetry) ? find_small(images, words, how)
                                                       : find_large(images, words, how);
}

uint32_t alea_symmetry_table_add(alea_symmetry_table *images, const uint64_t *words,
                                 uint32_t position) {
  if (images->symmetry == NULL) return 0;
  return alea_game_symmetry_is_small(images->symmetry) ? add_small(images, words, position)
                                                       : add_large(images, words, position);
}

alea_move alea_symmetry_table_move(const alea_symmetry_table *images, uint32_t how, uint32_t role,
                                   alea_move move) {
  if (how == 0) return move;
  return alea_game_symmetry_is_small(images->symmetry)
             ? move_small(images->symmetry, how, role, move)
             : move_large(images, how, role, move);
}
