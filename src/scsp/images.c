/* The store of positions up to symmetry. */
#include "scsp/images.h"

#include <string.h>

#include "base/hash.h"

enum {
  FIRST_TABLE = 256,
  MOST_DEPTH = 64, /* generators that lie between a position and its image */
};

alea_status alea_images_init(alea_images *images, const alea_mirror *mirror, uint32_t most,
                             size_t limit, alea_mem *mem) {
  *images = (alea_images){.mem = mem, .mirror = mirror, .most = most, .limit = limit};
  images->table_size = FIRST_TABLE;
  images->table = alea_mem_calloc(mem, FIRST_TABLE, sizeof *images->table);
  images->words = alea_mem_calloc(mem, 2 * mirror->word_count, sizeof *images->words);
  if (images->table != NULL && images->words != NULL) return ALEA_OK;
  return alea_mem_lack(mem);
}

void alea_images_clear(alea_images *images) {
  if (images->mem == NULL) return;
  alea_vec_clear(images->mem, &images->entries);
  alea_vec_clear(images->mem, &images->front);
  alea_mem_free(images->mem, images->table, images->table_size * sizeof *images->table);
  alea_mem_free(images->mem, images->words, 2 * images->mirror->word_count * sizeof *images->words);
  *images = (alea_images){0};
}

void alea_images_empty(alea_images *images) {
  if (images->mem == NULL) return;
  images->entries.count = 0;
  memset(images->table, 0, images->table_size * sizeof *images->table);
}

/* ---- the table ---- */

static void make_key(const alea_images *s, const uint64_t *words, uint64_t key[2]) {
  key[0] = 0x243f6a8885a308d3u;
  key[1] = 0x13198a2e03707344u;
  for (size_t w = 0; w < s->mirror->word_count; w++) {
    key[0] = alea_hash_join(key[0], words[w]);
    key[1] = alea_hash_join(key[1], words[w] ^ key[0]);
  }
}

/* Where the key is or would be. */
static size_t slot_of(const alea_images *s, const uint64_t key[2]) {
  size_t mask = s->table_size - 1, at = (key[0] ^ key[0] >> 32) & mask;
  while (s->table[at] != 0) {
    const alea_image_entry *entry = &s->entries.data[s->table[at] - 1];
    if (entry->key[0] == key[0] && entry->key[1] == key[1]) break;
    at = (at + 1) & mask;
  }
  return at;
}

static bool grow(alea_images *s) {
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
static uint32_t enter(alea_images *s, const alea_image_entry *entry) {
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

static uint32_t find_small(alea_images *s, const uint64_t *words, uint32_t *how) {
  alea_image_entry entry;
  uint32_t e = alea_mirror_canonical(s->mirror, words, s->words, s->words + s->mirror->word_count);
  make_key(s, s->words, entry.key);
  uint32_t found = s->table[slot_of(s, entry.key)];
  if (found == 0) return 0;
  *how = pack(e, s->entries.data[found - 1].by);
  return s->entries.data[found - 1].position;
}

static uint32_t add_small(alea_images *s, const uint64_t *words, uint32_t position) {
  alea_image_entry entry = {.position = position};
  entry.by = alea_mirror_canonical(s->mirror, words, s->words, s->words + s->mirror->word_count);
  make_key(s, s->words, entry.key);
  (void)enter(s, &entry);
  return s->mirror->group.element_count;
}

static alea_move move_small(const alea_mirror *m, uint32_t how, uint32_t role, alea_move move) {
  move = alea_mirror_move(m, alea_mirror_element(m, how & 0xffff), role, move);
  return alea_mirror_move(m, alea_mirror_element(m, m->inverse[how >> 16]), role, move);
}

/* ---- large groups ---- */

static uint32_t find_large(alea_images *s, const uint64_t *words, uint32_t *how) {
  uint64_t key[2];
  make_key(s, words, key);
  uint32_t found = s->table[slot_of(s, key)];
  if (found == 0) return 0;
  *how = s->entries.data[found - 1].from != 0 ? found : 0;
  return s->entries.data[found - 1].position;
}

static bool push_front(alea_images *s, const uint64_t *words) {
  if (!alea_vec_reserve(s->mem, &s->front, s->mirror->word_count)) return false;
  memcpy(s->front.data + s->front.count, words, s->mirror->word_count * sizeof *words);
  s->front.count += s->mirror->word_count;
  return true;
}

/* Images of the position at 'words', breadth first.  Entries of one position
 * lie one behind the other, so the i-th of the front is entry first + i. */
static uint32_t add_large(alea_images *s, const uint64_t *words, uint32_t position) {
  const alea_mirror *m = s->mirror;
  alea_image_entry entry = {.position = position};
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
      alea_mirror_words(m, alea_mirror_generator(m, g), s->front.data + i * m->word_count,
                        s->words);
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

static alea_move move_large(const alea_images *s, uint32_t how, uint32_t role, alea_move move) {
  uint32_t chain[MOST_DEPTH + 2], length = 0;
  for (const alea_image_entry *e = &s->entries.data[how - 1];
       e->from != 0 && length < MOST_DEPTH + 2; e = &s->entries.data[e->from - 1])
    chain[length++] = e->by;
  while (length-- > 0)
    move = alea_mirror_move(s->mirror, alea_mirror_generator(s->mirror, chain[length]), role, move);
  return move;
}

/* ---- the interface ---- */

uint32_t alea_images_find(alea_images *images, const uint64_t *words, uint32_t *how) {
  *how = 0;
  if (images->mirror == NULL) return 0;
  return alea_mirror_is_small(images->mirror) ? find_small(images, words, how)
                                              : find_large(images, words, how);
}

uint32_t alea_images_add(alea_images *images, const uint64_t *words, uint32_t position) {
  if (images->mirror == NULL) return 0;
  return alea_mirror_is_small(images->mirror) ? add_small(images, words, position)
                                              : add_large(images, words, position);
}

alea_move alea_images_move(const alea_images *images, uint32_t how, uint32_t role, alea_move move) {
  if (how == 0) return move;
  return alea_mirror_is_small(images->mirror) ? move_small(images->mirror, how, role, move)
                                              : move_large(images, how, role, move);
}
