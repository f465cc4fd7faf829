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
  alea_mem_free(store->mem, store->slots, store->slot_count * sizeof *store->slots);
  store->slots = NULL;
  store->slot_count = store->count = 0;
}

static size_t store_slot(const alea_answer_table_store *store, alea_pred pred, const alea_term *key,
                         uint32_t arity, uint64_t hash) {
  size_t mask = store->slot_count - 1;
  size_t i = hash & mask;
  for (; store->slots[i] != NULL; i = (i + 1) & mask) {
    const alea_answer_table *t = store->slots[i];
    if (t->hash == hash && t->pred == pred && same_terms(t->key, key, arity)) break;
  }
  return i;
}

alea_answer_table *alea_answer_table_store_find(const alea_answer_table_store *store,
                                                alea_pred pred, const alea_term *key,
                                                uint32_t arity) {
  if (store->slot_count == 0) return NULL;
  return store->slots[store_slot(store, pred, key, arity, hash_terms(pred, key, arity))];
}

static bool store_grow(alea_answer_table_store *store) {
  size_t count = store->slot_count == 0 ? FIRST_SLOTS : 2 * store->slot_count;
  alea_answer_table **slots = alea_mem_calloc(store->mem, count, sizeof(alea_answer_table *));
  if (slots == NULL) return false;
  for (size_t k = 0; k < store->slot_count; k++) {
    if (store->slots[k] == NULL) continue;
    size_t i = store->slots[k]->hash & (count - 1);
    while (slots[i] != NULL) i = (i + 1) & (count - 1);
    slots[i] = store->slots[k];
  }
  alea_mem_free(store->mem, store->slots, store->slot_count * sizeof *slots);
  store->slots = slots;
  store->slot_count = count;
  return true;
}

alea_answer_table *alea_answer_table_store_add(alea_answer_table_store *store, alea_pred pred,
                                               const alea_term *key, uint32_t arity) {
  if (2 * (store->count + 1) > store->slot_count && !store_grow(store)) return NULL;
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
  store->slots[store_slot(store, pred, key, arity, t->hash)] = t;
  store->count++;
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

static uint32_t *answer_slot(const alea_answer_table *t, const alea_term *row) {
  uint32_t mask = t->slot_count - 1;
  uint32_t i = (uint32_t)hash_terms(0, row, t->arity) & mask;
  while (t->slots[i] != 0 && !same_terms(alea_answer_table_row(t, t->slots[i] - 1), row, t->arity))
    i = (i + 1) & mask;
  return &t->slots[i];
}

static bool grow_slots(alea_answer_table *t) {
  uint32_t count = t->slot_count == 0 ? FIRST_SLOTS : 2 * t->slot_count;
  uint32_t *slots = alea_arena_alloc(t->arena, count * sizeof *slots);
  if (count < t->slot_count || slots == NULL) return false;
  t->slots = slots;
  t->slot_count = count;
  memset(slots, 0, count * sizeof *slots);
  for (uint32_t i = 0; i < t->count; i++) *answer_slot(t, alea_answer_table_row(t, i)) = i + 1;
  return true;
}

static uint32_t find_answer(const alea_answer_table *t, const alea_term *row) {
  if (t->slot_count > 0) {
    uint32_t slot = *answer_slot(t, row);
    return slot != 0 ? slot - 1 : ALEA_NO_ANSWER;
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
  if (t->count >= SMALL && 2 * (t->count + 1) > t->slot_count && !grow_slots(t))
    return ALEA_NO_ANSWER;
  if (t->arity > 0) memcpy(t->rows + (size_t)t->count * t->arity, row, t->arity * sizeof *row);
  t->flags[t->count++] = 0;
  if (t->slot_count > 0) *answer_slot(t, row) = t->count;
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
  t->slots = NULL;
  t->slot_count = 0;
}
