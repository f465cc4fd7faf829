/* The symmetry table: a hash table of positions up to symmetry. */
#include "symmetry/symmetry_table.h"

#include <string.h>

#include "base/hash.h"

enum {
  FIRST_ENTRIES = 128,
  MOST_DEPTH = 64, /* generators that lie between a position and its image */
};

alea_status alea_symmetry_table_init(alea_symmetry_table *table, const alea_game_symmetry *symmetry,
                                     uint32_t max_images, size_t limit, alea_mem *mem) {
  *table = (alea_symmetry_table){
      .mem = mem, .symmetry = symmetry, .max_images = max_images, .limit = limit};
  table->words = alea_mem_calloc(mem, 2 * symmetry->word_count, sizeof *table->words);
  if (alea_hash_map_init(&table->map, mem, FIRST_ENTRIES) && table->words != NULL) return ALEA_OK;
  return alea_mem_lack(mem);
}

void alea_symmetry_table_clear(alea_symmetry_table *table) {
  if (table->mem == NULL) return;
  alea_vec_clear(table->mem, &table->entries);
  alea_vec_clear(table->mem, &table->front);
  alea_hash_map_clear(&table->map, table->mem);
  alea_mem_free(table->mem, table->words, 2 * table->symmetry->word_count * sizeof *table->words);
  *table = (alea_symmetry_table){0};
}

void alea_symmetry_table_empty(alea_symmetry_table *table) {
  if (table->mem == NULL) return;
  table->entries.count = 0;
  alea_hash_map_empty(&table->map);
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

/* Whether the element that takes the position found to the one asked for is
 * used. */
static bool may_use(const alea_symmetry_table *s, uint32_t asked, uint32_t found) {
  const alea_game_symmetry *m = s->symmetry;
  const uint32_t *there = alea_game_symmetry_element(m, found);
  const uint32_t *back = alea_game_symmetry_element(m, m->inverse[asked]);
  uint32_t points = alea_symmetry_points(&m->group);
  for (uint32_t e = 0; e < m->group.element_count; e++) {
    const uint32_t *element = alea_game_symmetry_element(m, e);
    uint32_t p = 0;
    while (p < points && element[p] == back[there[p]]) p++;
    if (p == points) return !(s->excluded >> e & 1);
  }
  return false;
}

static uint32_t find_small(alea_symmetry_table *s, const uint64_t *words, uint32_t *mapping) {
  alea_symmetry_entry entry;
  uint32_t e = alea_game_symmetry_canonical(s->symmetry, words, s->words,
                                            s->words + s->symmetry->word_count);
  make_key(s, s->words, entry.key);
  uint32_t found = find_key(s, entry.key).id;
  if (found == ALEA_HASH_NONE) return 0;
  if (s->excluded != 0 && !may_use(s, e, s->entries.data[found].permutation)) return 0;
  *mapping = pack(e, s->entries.data[found].permutation);
  return s->entries.data[found].position;
}

static uint32_t add_small(alea_symmetry_table *s, const uint64_t *words, uint32_t position) {
  alea_symmetry_entry entry = {.position = position};
  entry.permutation = alea_game_symmetry_canonical(s->symmetry, words, s->words,
                                                   s->words + s->symmetry->word_count);
  make_key(s, s->words, entry.key);
  (void)enter(s, &entry);
  return s->symmetry->group.element_count;
}

static alea_move move_small(const alea_game_symmetry *m, uint32_t mapping, uint32_t role,
                            alea_move move) {
  move = alea_game_symmetry_move(m, alea_game_symmetry_element(m, mapping & 0xffff), role, move);
  return alea_game_symmetry_move(m, alea_game_symmetry_element(m, m->inverse[mapping >> 16]), role,
                                 move);
}

/* ---- large groups ---- */

static uint32_t find_large(alea_symmetry_table *s, const uint64_t *words, uint32_t *mapping) {
  uint64_t key[2];
  make_key(s, words, key);
  uint32_t found = find_key(s, key).id;
  if (found == ALEA_HASH_NONE) return 0;
  *mapping = s->entries.data[found].from != 0 ? found + 1 : 0;
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
  for (size_t i = 0; i < count && count < s->max_images; i++) {
    if (i == level_end) {
      level_end = count;
      if (++depth >= MOST_DEPTH) break;
    }
    for (uint32_t g = 0; g < m->group.generator_count && count < s->max_images; g++) {
      if (s->excluded != 0 && (g >= 64 || s->excluded >> g & 1)) continue;
      alea_game_symmetry_words(m, alea_game_symmetry_generator(m, g),
                               s->front.data + i * m->word_count, s->words);
      made++;
      make_key(s, s->words, entry.key);
      entry.from = first + (uint32_t)i;
      entry.permutation = g;
      if (enter(s, &entry) == 0) continue; /* seen, or no room */
      if (!push_front(s, s->words)) return made;
      count++;
    }
  }
  return made;
}

static alea_move move_large(const alea_symmetry_table *s, uint32_t mapping, uint32_t role,
                            alea_move move) {
  uint32_t chain[MOST_DEPTH + 2], length = 0;
  for (const alea_symmetry_entry *e = &s->entries.data[mapping - 1];
       e->from != 0 && length < MOST_DEPTH + 2; e = &s->entries.data[e->from - 1])
    chain[length++] = e->permutation;
  while (length-- > 0)
    move = alea_game_symmetry_move(
        s->symmetry, alea_game_symmetry_generator(s->symmetry, chain[length]), role, move);
  return move;
}

/* ---- the interface ---- */

uint32_t alea_symmetry_table_find(alea_symmetry_table *table, const uint64_t *words,
                                  uint32_t *mapping) {
  *mapping = 0;
  if (table->symmetry == NULL) return 0;
  return alea_game_symmetry_is_small(table->symmetry) ? find_small(table, words, mapping)
                                                      : find_large(table, words, mapping);
}

uint32_t alea_symmetry_table_add(alea_symmetry_table *table, const uint64_t *words,
                                 uint32_t position) {
  if (table->symmetry == NULL) return 0;
  return alea_game_symmetry_is_small(table->symmetry) ? add_small(table, words, position)
                                                      : add_large(table, words, position);
}

alea_move alea_symmetry_table_move(const alea_symmetry_table *table, uint32_t mapping,
                                   uint32_t role, alea_move move) {
  if (mapping == 0) return move;
  return alea_game_symmetry_is_small(table->symmetry)
             ? move_small(table->symmetry, mapping, role, move)
             : move_large(table, mapping, role, move);
}
