/* Tables of answers, and the stores that find them by subgoal. */
#include "prover/answer_table.h"

#include <string.h>

#include "base/hash.h"

/* Up to here answers are compared one by one; beyond, there is a hash table. */
enum { SMALL = 8, FIRST_SLOTS = 64 };

static uint64_t hash_terms(uint64_t seed, const alea_term *terms, uint32_t count) {
  uint64_t hash = seed;
  for (uint32_t i = 0; i < count; i++) hash = alea_hash_join(hash, terms[i]);
  return alea_hash_mix(hash);
}

static bool same_terms(const alea_term *a, const alea_term *b, uint32_t count) {
  return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

/* ---- stores ---- */

void alea_answer_table_store_init(alea_answer_table_store *store, alea_mem *mem) {
  *store = (alea_answer_table_store){.mem = mem};
  alea_arena_init(&store->arena, mem);
}

void alea_answer_table_store_clear(alea_answer_table_store *store) {
  alea_arena_clear(&store->arena);
  alea_hash_words_clear(&store->tables, store->mem);
}

static alea_answer_table *table_of(uint64_t word) { return (alea_answer_table *)(uintptr_t)word; }

static uint64_t hash_of_table(uint64_t word) { return table_of(word)->hash; }

alea_answer_table *alea_answer_table_store_find(const alea_answer_table_store *store,
                                                alea_pred pred, const alea_term *key,
                                                uint32_t arity) {
  uint64_t hash = hash_terms(pred, key, arity);
  alea_word_probe probe = alea_hash_words_probe(&store->tables, hash);
  while (alea_hash_words_next(&store->tables, &probe)) {
    alea_answer_table *t = table_of(probe.word);
    if (t->hash == hash && t->pred == pred && same_terms(t->key, key, arity)) return t;
  }
  return NULL;
}

alea_answer_table *alea_answer_table_store_add(alea_answer_table_store *store, alea_pred pred,
                                               const alea_term *key, uint32_t arity) {
  if (!alea_hash_words_reserve(&store->tables, store->mem, hash_of_table)) return NULL;
  alea_answer_table *t = alea_arena_alloc(&store->arena, sizeof *t);
  alea_term *copy = alea_arena_alloc(&store->arena, arity * sizeof *copy);
  if (t == NULL || copy == NULL) return NULL;
  *t = (alea_answer_table){.pred = pred, .arity = arity, .key = copy, .arena = &store->arena};
  t->hash = hash_terms(pred, key, arity);
  t->ground = true;
  for (uint32_t i = 0; i < arity; i++) {
    copy[i] = key[i];
    t->ground = t->ground && key[i] != ALEA_NO_TERM;
  }
  alea_hash_words_add(&store->tables, t->hash, (uintptr_t)t);
  return t;
}

/* ---- answers ---- */

static bool grow_rows(alea_answer_table *t) {
  /* The arena keeps the old rows until it is cleared: half is wasted. */
  uint32_t capacity = t->capacity == 0 ? (t->ground ? 1 : 4) : 2 * t->capacity;
  if (capacity < t->capacity) return false;
  alea_term *rows = alea_arena_alloc(t->arena, (size_t)capacity * t->arity * sizeof *rows);
  uint8_t *flags = alea_arena_alloc(t->arena, capacity);
  if (rows == NULL || flags == NULL) return false;
  if (t->count > 0) {
    memcpy(rows, t->rows, (size_t)t->count * t->arity * sizeof *rows);
    memcpy(flags, t->flags, t->count);
  }
  t->rows = rows;
  t->flags = flags;
  t->capacity = capacity;
  return true;
}

static uint64_t hash_of_row(const void *table, uint32_t answer) {
  const alea_answer_table *t = table;
  return hash_terms(0, alea_answer_table_row(t, answer), t->arity);
}

/* All answers are in the map afterwards. */
static bool grow_map(alea_answer_table *t) {
  size_t count = t->map.mask == 0 ? FIRST_SLOTS : 2 * ((size_t)t->map.mask + 1);
  uint32_t *slots = alea_arena_alloc(t->arena, count * sizeof *slots);
  if (count > UINT32_MAX || slots == NULL) return false;
  memset(slots, 0, count * sizeof *slots);
  alea_hash_map_move(&t->map, slots, count, hash_of_row, t);
  for (uint32_t i = t->map.count; i < t->count; i++)
    alea_hash_map_add(&t->map, hash_of_row(t, i), i);
  return true;
}

static uint32_t find_answer(const alea_answer_table *t, const alea_term *row) {
  if (t->map.mask != 0) {
    alea_hash_probe probe = alea_hash_map_probe(&t->map, hash_terms(0, row, t->arity));
    while (alea_hash_map_next(&t->map, &probe))
      if (same_terms(alea_answer_table_row(t, probe.id), row, t->arity)) return probe.id;
    return ALEA_NO_ANSWER;
  }
  for (uint32_t i = 0; i < t->count; i++)
    if (same_terms(alea_answer_table_row(t, i), row, t->arity)) return i;
  return ALEA_NO_ANSWER;
}

uint32_t alea_answer_table_add(alea_answer_table *t, const alea_term *row, bool *added) {
  *added = false;
  uint32_t known = find_answer(t, row);
  if (known != ALEA_NO_ANSWER) return known;
  if (t->count == t->capacity && !grow_rows(t)) return ALEA_NO_ANSWER;
  if (t->count >= SMALL && 2 * ((size_t)t->count + 1) > (size_t)t->map.mask + 1 && !grow_map(t))
    return ALEA_NO_ANSWER;
  if (t->arity > 0) memcpy(t->rows + (size_t)t->count * t->arity, row, t->arity * sizeof *row);
  t->flags[t->count++] = 0;
  if (t->map.mask != 0) alea_hash_map_add(&t->map, hash_terms(0, row, t->arity), t->count - 1);
  *added = true;
  return t->count - 1;
}

void alea_answer_table_keep(alea_answer_table *t, uint8_t keep) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    if ((t->flags[i] & keep) == 0) continue;
    if (t->arity > 0)
      memmove(t->rows + (size_t)kept * t->arity, alea_answer_table_row(t, i),
              t->arity * sizeof *t->rows);
    t->flags[kept++] = ALEA_ANSWER_PROVED;
  }
  t->count = kept;
  t->map = (alea_hash_map){0};
}
