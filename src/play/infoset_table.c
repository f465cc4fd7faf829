/* Information sets by key. */
#include "play/infoset_table.h"

enum { FIRST_SETS = 512 };

static alea_infoset_head *set_at(uint64_t word) { return (alea_infoset_head *)(uintptr_t)word; }

static uint64_t hash_set(uint64_t word) { return set_at(word)->key; }

static size_t set_bytes(const alea_infoset_table *t, uint32_t arms) {
  return sizeof(alea_infoset_head) + arms * t->arm_bytes;
}

static size_t map_bytes(const alea_infoset_table *t) {
  return alea_hash_words_slots(&t->map) * sizeof *t->map.slots;
}

alea_status alea_infoset_table_init(alea_infoset_table *table, size_t arm_bytes, size_t limit,
                                    alea_player_stats *stats, alea_mem *mem) {
  *table = (alea_infoset_table){.mem = mem, .stats = stats, .arm_bytes = arm_bytes, .limit = limit};
  if (!alea_hash_words_init(&table->map, mem, FIRST_SETS)) return alea_mem_lack(mem);
  table->used = map_bytes(table);
  return ALEA_OK;
}

void alea_infoset_table_empty(alea_infoset_table *t) {
  for (size_t i = 0; i < alea_hash_words_slots(&t->map); i++) {
    if (t->map.slots[i] == 0) continue;
    alea_infoset_head *set = set_at(t->map.slots[i]);
    size_t bytes = set_bytes(t, set->count);
    t->used -= bytes;
    alea_mem_free(t->mem, set, bytes);
  }
  alea_hash_words_empty(&t->map);
}

void alea_infoset_table_clear(alea_infoset_table *table) {
  if (table->mem == NULL) return;
  alea_infoset_table_empty(table);
  alea_hash_words_clear(&table->map, table->mem);
}

void alea_infoset_table_make_room(alea_infoset_table *table) {
  if (table->used > table->limit / 2) alea_infoset_table_empty(table);
}

void *alea_infoset_table_find(const alea_infoset_table *table, uint64_t key) {
  alea_word_probe probe = alea_hash_words_probe(&table->map, key);
  while (alea_hash_words_next(&table->map, &probe))
    if (set_at(probe.word)->key == key) return set_at(probe.word);
  return NULL;
}

/* Makes a slot for one more set; a table is at most three quarters full. */
static bool grow(alea_infoset_table *t) {
  if (((size_t)t->map.count + 1) * 4 < alea_hash_words_slots(&t->map) * 3) return true;
  size_t bytes = map_bytes(t);
  if (t->used + bytes > t->limit || !alea_hash_words_grow(&t->map, t->mem, hash_set)) return false;
  t->used += bytes;
  return true;
}

void *alea_infoset_table_add(alea_infoset_table *table, uint64_t key, uint32_t arms) {
  size_t bytes = set_bytes(table, arms);
  if (!grow(table) || table->used + bytes > table->limit) {
    table->stats->full++;
    return NULL;
  }
  alea_infoset_head *set = alea_mem_zalloc(table->mem, bytes);
  if (set == NULL) return NULL;
  set->key = key;
  set->count = arms;
  alea_hash_words_add(&table->map, key, (uintptr_t)set);
  table->used += bytes;
  table->stats->nodes++;
  return set;
}
