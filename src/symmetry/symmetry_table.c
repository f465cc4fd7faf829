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
  if (!alea_hash_map_init(&table->map, mem, FIRST_ENTRIES) || table->words == NULL)
    return alea_mem_lack(mem);
  if (!alea_game_symmetry_is_small(symmetry)) alea_symmetry_table_use(table, symmetry);
  return ALEA_OK;
}

static uint32_t row_of(const alea_symmetry_table *table) {
  return alea_symmetry_points(&table->symmetry->group);
}

/* The number of a permutation among those of the table, where it is put if it is
 * new; UINT32_MAX: no memory. */
static uint32_t keep(alea_symmetry_table *table, const uint32_t *permutation) {
  uint32_t points = row_of(table);
  alea_u32s *all = &table->permutations;
  for (size_t at = 0; at < all->count; at += points)
    if (memcmp(all->data + at, permutation, points * sizeof *permutation) == 0)
      return (uint32_t)(at / points);
  if ((all->count + points) * sizeof *permutation > table->limit ||
      !alea_vec_reserve(table->mem, all, points))
    return UINT32_MAX;
  memcpy(all->data + all->count, permutation, points * sizeof *permutation);
  all->count += points;
  return (uint32_t)(all->count / points) - 1;
}

void alea_symmetry_table_use(alea_symmetry_table *table, const alea_game_symmetry *symmetry) {
  table->images = true;
  table->symmetry = symmetry;
  table->generators.count = 0;
  if (table->entries.count == 0) table->permutations.count = 0;
  for (uint32_t g = 0; g < symmetry->group.generator_count; g++) {
    uint32_t number = keep(table, alea_game_symmetry_generator(symmetry, g));
    if (number != UINT32_MAX) (void)alea_vec_push(table->mem, &table->generators, number);
  }
}

void alea_symmetry_table_clear(alea_symmetry_table *table) {
  if (table->mem == NULL) return;
  alea_vec_clear(table->mem, &table->entries);
  alea_vec_clear(table->mem, &table->front);
  alea_vec_clear(table->mem, &table->permutations);
  alea_vec_clear(table->mem, &table->generators);
  alea_hash_map_clear(&table->map, table->mem);
  alea_mem_free(table->mem, table->words, 2 * table->symmetry->word_count * sizeof *table->words);
  *table = (alea_symmetry_table){0};
}

void alea_symmetry_table_empty(alea_symmetry_table *table) {
  if (table->mem == NULL) return;
  table->entries.count = 0;
  alea_hash_map_empty(&table->map);
  if (table->images) alea_symmetry_table_use(table, table->symmetry);
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

/* ---- least images ---- */

/* Both elements in one number; 0 where they are the same. */
static uint32_t pack(uint32_t asked, uint32_t found) {
  return asked == found ? 0 : asked << 16 | found;
}

static uint32_t find_least(alea_symmetry_table *s, const uint64_t *words, uint32_t *mapping) {
  alea_symmetry_entry entry;
  uint32_t e = alea_game_symmetry_canonical(s->symmetry, words, s->words,
                                            s->words + s->symmetry->word_count);
  make_key(s, s->words, entry.key);
  uint32_t found = find_key(s, entry.key).id;
  if (found == ALEA_HASH_NONE) return 0;
  *mapping = pack(e, s->entries.data[found].permutation);
  return s->entries.data[found].position;
}

static uint32_t add_least(alea_symmetry_table *s, const uint64_t *words, uint32_t position) {
  alea_symmetry_entry entry = {.position = position};
  entry.permutation = alea_game_symmetry_canonical(s->symmetry, words, s->words,
                                                   s->words + s->symmetry->word_count);
  make_key(s, s->words, entry.key);
  (void)enter(s, &entry);
  return s->symmetry->group.element_count;
}

static alea_move move_by_least(const alea_game_symmetry *m, uint32_t mapping, uint32_t role,
                               alea_move move) {
  move = alea_game_symmetry_move(m, alea_game_symmetry_element(m, mapping & 0xffff), role, move);
  return alea_game_symmetry_move(m, alea_game_symmetry_element(m, m->inverse[mapping >> 16]), role,
                                 move);
}

/* ---- all images ---- */

static uint32_t find_image(alea_symmetry_table *s, const uint64_t *words, uint32_t *mapping) {
  uint64_t key[2];
  make_key(s, words, key);
  uint32_t found = find_key(s, key).id;
  if (found == ALEA_HASH_NONE) return 0;
  *mapping = s->entries.data[found].from != 0 ? found + 1 : 0;
  return s->entries.data[found].position;
}

static const uint32_t *permutation_of(const alea_symmetry_table *s, uint32_t number) {
  return s->permutations.data + (size_t)number * row_of(s);
}

static bool push_front(alea_symmetry_table *s, const uint64_t *words) {
  if (!alea_vec_reserve(s->mem, &s->front, s->symmetry->word_count)) return false;
  memcpy(s->front.data + s->front.count, words, s->symmetry->word_count * sizeof *words);
  s->front.count += s->symmetry->word_count;
  return true;
}

/* Images of the position at 'words', breadth first.  Entries of one position
 * lie one behind the other, so the i-th of the front is entry first + i. */
static uint32_t add_images(alea_symmetry_table *s, const uint64_t *words, uint32_t position) {
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
    for (size_t g = 0; g < s->generators.count && count < s->max_images; g++) {
      entry.permutation = s->generators.data[g];
      alea_game_symmetry_words(m, permutation_of(s, entry.permutation),
                               s->front.data + i * m->word_count, s->words);
      made++;
      make_key(s, s->words, entry.key);
      entry.from = first + (uint32_t)i;
      if (enter(s, &entry) == 0) continue; /* seen, or no room */
      if (!push_front(s, s->words)) return made;
      count++;
    }
  }
  return made;
}

static alea_move move_by_images(const alea_symmetry_table *s, uint32_t mapping, uint32_t role,
                                alea_move move) {
  uint32_t chain[MOST_DEPTH + 2], length = 0;
  for (const alea_symmetry_entry *e = &s->entries.data[mapping - 1];
       e->from != 0 && length < MOST_DEPTH + 2; e = &s->entries.data[e->from - 1])
    chain[length++] = e->permutation;
  while (length-- > 0)
    move = alea_game_symmetry_move(s->symmetry, permutation_of(s, chain[length]), role, move);
  return move;
}

/* ---- the interface ---- */

uint32_t alea_symmetry_table_find(alea_symmetry_table *table, const uint64_t *words,
                                  uint32_t *mapping) {
  *mapping = 0;
  if (table->symmetry == NULL) return 0;
  return !table->images ? find_least(table, words, mapping) : find_image(table, words, mapping);
}

uint32_t alea_symmetry_table_add(alea_symmetry_table *table, const uint64_t *words,
                                 uint32_t position) {
  if (table->symmetry == NULL) return 0;
  return !table->images ? add_least(table, words, position) : add_images(table, words, position);
}

alea_move alea_symmetry_table_move(const alea_symmetry_table *table, uint32_t mapping,
                                   uint32_t role, alea_move move) {
  if (mapping == 0) return move;
  return !table->images ? move_by_least(table->symmetry, mapping, role, move)
                        : move_by_images(table, mapping, role, move);
}
