/* The store of positions up to symmetry. */
#include "symmetry/symmetry_table.h"

#include <string.h>

#include "base/hash.h"

enum {
  FIRST_TABLE = 256,
  MOST_DEPTH = 64, /* generators that lie between a position and its image */
};

alea_status alea_symmetry_table_init(alea_symmetry_table *images,
                                     const alea_game_symmetry *symmetry, uint32_t most,
                                     size_t limit, alea_mem *mem) {
  *images = (alea_symmetry_table){.mem = mem, .symmetry = symmetry, .most = most, .limit = limit};
  images->table_size = FIRST_TABLE;
  images->table = alea_mem_calloc(mem, FIRST_TABLE, sizeof *images->table);
  images->words = alea_mem_calloc(mem, 2 * symmetry->word_count, sizeof *images->words);
  if (images->table != NULL && images->words != NULL) return ALEA_OK;
  return alea_mem_lack(mem);
}

void alea_symmetry_table_clear(alea_symmetry_table *images) {
  if (images->mem == NULL) return;
  alea_vec_clear(images->mem, &images->entries);
  alea_vec_clear(images->mem, &images->front);
  alea_mem_free(images->mem, images->table, images->table_size * sizeof *images->table);
  alea_mem_free(images->mem, images->words,
                2 * images->symmetry->word_count * sizeof *images->words);
  *images = (alea_symmetry_table){0};
}

void alea_symmetry_table_empty(alea_symmetry_table *images) {
  if (images->mem == NULL) return;
  images->entries.count = 0;
  memset(images->table, 0, images->table_size * sizeof *images->table);
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

/* Where the key is or would be. */
static size_t slot_of(const alea_symmetry_table *s, const uint64_t key[2]) {
  size_t mask = s->table_size - 1, at = (key[0] ^ key[0] >> 32) & mask;
  while (s->table[at] != 0) {
    const alea_symmetry_entry *entry = &s->entries.data[s->table[at] - 1];
    if (entry->key[0] == key[0] && entry->key[1] == key[1]) break;
    at = (at + 1) & mask;
  }
  return at;
}

static bool grow(alea_symmetry_table *s) {
  if ((s->entries.count + 1) * 4 < s->table_size * 3) return true;
  size_t bytes = s->table_size * sizeof *s->table;
  size_t all = 2 * bytes + 2 * s->entries.capacity * sizeof *s->entries.data;
  if (all > s->limit || s->entries.count >= UINT32_MAX / 2) return false;
  uint32_t *table = alea_mem_zalloc(s->mem, 2 * bytes);
  if (table == NULL) return false;
  alea_mem_free(s->mem, s->table, bytes);
  s->table = table;
  s->table_size *= 2;
  for (size_t i = 0; i < s->entries.count; i++)
    s->table[slot_of(s, s->entries.data[i].key)] = (uint32_t)i + 1;
  return true;
}

/* Enters a key that is new; the number of the entry plus 1, or 0. */
static uint32_t enter(alea_symmetry_table *s, const alea_symmetry_entry *entry) {
  if (!grow(s)) return 0;
  size_t slot = slot_of(s, entry->key);
  if (s->table[slot] != 0 || !alea_vec_push(s->mem, &s->entries, *entry)) return 0;
  return s->table[slot] = (uint32_t)s->entries.count;
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
  uint32_t found = s->table[slot_of(s, entry.key)];
  if (found == 0) return 0;
  *how = pack(e, s->entries.data[found - 1].by);
  return s->entries.data[found - 1].position;
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
  uint32_t found = s->table[slot_of(s, key)];
  if (found == 0) return 0;
  *how = s->entries.data[found - 1].from != 0 ? found : 0;
  return s->entries.data[found - 1].position;
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
