/* Structures: tables of tuples with lists per position and element. */
#include "toss/structure.h"

#include <string.h>

#include "base/hash.h"

enum { DENSE_LIMIT = 1 << 16, FIRST_BUCKETS = 64, FIRST_SLOTS = 16 };
#define NONE ALEA_TOSS_NO_SLOT

/* ---- one table ---- */

/* capacity^arity, or 0 if that exceeds the limit for dense tables. */
static size_t dense_size(uint32_t capacity, uint32_t arity) {
  size_t size = 1;
  for (uint32_t i = 0; i < arity; i++) {
    size *= capacity;
    if (size > DENSE_LIMIT) return 0;
  }
  return size;
}

static bool table_init(alea_toss_table *t, uint32_t arity, uint32_t capacity, alea_mem *mem) {
  *t = (alea_toss_table){.arity = arity, .free_slot = NONE};
  size_t size = dense_size(capacity, arity);
  t->dense = size != 0;
  t->bucket_count = t->dense ? size : FIRST_BUCKETS;
  size_t heads = (size_t)capacity * arity;
  t->heads = alea_mem_alloc(mem, heads * sizeof *t->heads);
  t->buckets = alea_mem_alloc(mem, t->bucket_count * sizeof *t->buckets);
  if (t->heads == NULL || t->buckets == NULL) return false;
  memset(t->heads, 0xff, heads * sizeof *t->heads);
  memset(t->buckets, 0xff, t->bucket_count * sizeof *t->buckets);
  return true;
}

static void free_slots(alea_toss_table *t, alea_mem *mem) {
  size_t n = t->slot_capacity;
  alea_mem_free(mem, t->tuples, n * (t->arity != 0 ? t->arity : 1) * sizeof *t->tuples);
  alea_mem_free(mem, t->links, n * t->arity * 2 * sizeof *t->links);
  alea_mem_free(mem, t->chains, n * sizeof *t->chains);
  alea_mem_free(mem, t->used, n);
}

static void table_clear(alea_toss_table *t, uint32_t capacity, alea_mem *mem) {
  free_slots(t, mem);
  if (t->heads != NULL) {
    alea_mem_free(mem, t->heads, (size_t)capacity * t->arity * sizeof *t->heads);
  }
  alea_mem_free(mem, t->buckets, t->buckets != NULL ? t->bucket_count * sizeof *t->buckets : 0);
}

static bool table_grow(alea_toss_table *t, alea_mem *mem) {
  alea_toss_table next = *t;
  size_t old = t->slot_capacity, n = old != 0 ? old * 2 : FIRST_SLOTS;
  size_t width = t->arity != 0 ? t->arity : 1;
  next.slot_capacity = (uint32_t)n;
  next.tuples = alea_mem_alloc(mem, n * width * sizeof *t->tuples);
  next.links = alea_mem_alloc(mem, n * t->arity * 2 * sizeof *t->links);
  next.chains = alea_mem_alloc(mem, n * sizeof *t->chains);
  next.used = alea_mem_zalloc(mem, n);
  if (next.tuples == NULL || next.links == NULL || next.chains == NULL || next.used == NULL) {
    free_slots(&next, mem);
    return false;
  }
  if (old != 0) {
    memcpy(next.tuples, t->tuples, old * width * sizeof *t->tuples);
    memcpy(next.links, t->links, old * t->arity * 2 * sizeof *t->links);
    memcpy(next.chains, t->chains, old * sizeof *t->chains);
    memcpy(next.used, t->used, old);
  }
  free_slots(t, mem);
  *t = next;
  return true;
}

static size_t bucket_of(const alea_toss_table *t, uint32_t capacity, const uint32_t *tuple) {
  if (!t->dense) return alea_hash_u32s(tuple, t->arity) & (t->bucket_count - 1);
  size_t code = 0;
  for (uint32_t i = 0; i < t->arity; i++) code = code * capacity + tuple[i];
  return code;
}

static bool same(const uint32_t *a, const uint32_t *b, uint32_t arity) {
  for (uint32_t i = 0; i < arity; i++) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

static uint32_t table_find(const alea_toss_table *t, uint32_t capacity, const uint32_t *tuple) {
  uint32_t slot = t->buckets[bucket_of(t, capacity, tuple)];
  if (t->dense) return slot;
  while (slot != NONE && !same(alea_toss_table_tuple(t, slot), tuple, t->arity)) {
    slot = t->chains[slot];
  }
  return slot;
}

/* Doubles the buckets if chains become long; a failure only makes it slow. */
static void rehash(alea_toss_table *t, alea_mem *mem) {
  if (t->dense || t->count < t->bucket_count) return;
  size_t count = t->bucket_count * 2;
  uint32_t *buckets = alea_mem_alloc(mem, count * sizeof *buckets);
  if (buckets == NULL) return;
  memset(buckets, 0xff, count * sizeof *buckets);
  for (uint32_t slot = 0; slot < t->slot_count; slot++) {
    if (!t->used[slot]) continue;
    size_t at = alea_hash_u32s(alea_toss_table_tuple(t, slot), t->arity) & (count - 1);
    t->chains[slot] = buckets[at];
    buckets[at] = slot;
  }
  alea_mem_free(mem, t->buckets, t->bucket_count * sizeof *buckets);
  t->buckets = buckets;
  t->bucket_count = count;
}

static uint32_t take_slot(alea_toss_table *t, alea_mem *mem) {
  if (t->free_slot != NONE) {
    uint32_t slot = t->free_slot;
    t->free_slot = t->chains[slot];
    return slot;
  }
  if (t->slot_count == t->slot_capacity && !table_grow(t, mem)) return NONE;
  return t->slot_count++;
}

static void link_slot(alea_toss_table *t, uint32_t capacity, uint32_t slot) {
  for (uint32_t i = 0; i < t->arity; i++) {
    size_t at = (size_t)slot * t->arity + i;
    uint32_t *head = &t->heads[(size_t)i * capacity + t->tuples[at]];
    t->links[at * 2] = *head;
    t->links[at * 2 + 1] = NONE;
    if (*head != NONE) t->links[((size_t)*head * t->arity + i) * 2 + 1] = slot;
    *head = slot;
  }
}

static void unlink_slot(alea_toss_table *t, uint32_t capacity, uint32_t slot) {
  for (uint32_t i = 0; i < t->arity; i++) {
    size_t at = (size_t)slot * t->arity + i;
    uint32_t next = t->links[at * 2], previous = t->links[at * 2 + 1];
    if (next != NONE) t->links[((size_t)next * t->arity + i) * 2 + 1] = previous;
    if (previous != NONE) {
      t->links[((size_t)previous * t->arity + i) * 2] = next;
    } else {
      t->heads[(size_t)i * capacity + t->tuples[at]] = next;
    }
  }
}

static bool table_add(alea_toss_table *t, uint32_t capacity, const uint32_t *tuple, alea_mem *mem) {
  if (table_find(t, capacity, tuple) != NONE) return true;
  uint32_t copy[16]; /* the tuple may be in the table that grows */
  memcpy(copy, tuple, t->arity * sizeof *copy);
  rehash(t, mem);
  uint32_t slot = take_slot(t, mem);
  if (slot == NONE) return false;
  memcpy(t->tuples + (size_t)slot * t->arity, copy, t->arity * sizeof *copy);
  t->used[slot] = 1;
  t->count++;
  size_t at = bucket_of(t, capacity, copy);
  t->chains[slot] = t->dense ? NONE : t->buckets[at];
  t->buckets[at] = slot;
  link_slot(t, capacity, slot);
  return true;
}

static void table_remove_slot(alea_toss_table *t, uint32_t capacity, uint32_t slot) {
  size_t at = bucket_of(t, capacity, alea_toss_table_tuple(t, slot));
  uint32_t *place = &t->buckets[at];
  while (*place != slot) place = &t->chains[*place];
  *place = t->dense ? NONE : t->chains[slot];
  unlink_slot(t, capacity, slot);
  t->used[slot] = 0;
  t->chains[slot] = t->free_slot;
  t->free_slot = slot;
  t->count--;
}

/* ---- structures ---- */

alea_toss_structure *alea_toss_structure_new(uint32_t capacity, uint32_t relation_count,
                                             const uint32_t *arities, uint32_t function_count,
                                             alea_mem *mem) {
  alea_toss_structure *s = alea_mem_zalloc(mem, sizeof *s);
  if (s == NULL) return NULL;
  s->mem = mem;
  s->capacity = capacity;
  s->relation_count = relation_count;
  s->function_count = function_count;
  s->alive = alea_mem_zalloc(mem, capacity);
  s->tables = alea_mem_calloc(mem, relation_count, sizeof *s->tables);
  s->values = alea_mem_calloc(mem, (size_t)function_count * capacity, sizeof *s->values);
  bool good = s->alive != NULL && s->tables != NULL && s->values != NULL;
  for (uint32_t i = 0; good && i < relation_count; i++) {
    good = table_init(&s->tables[i], arities[i], capacity, mem);
  }
  if (good) return s;
  alea_toss_structure_free(s);
  return NULL;
}

void alea_toss_structure_free(alea_toss_structure *s) {
  if (s == NULL) return;
  alea_mem *mem = s->mem;
  for (uint32_t i = 0; s->tables != NULL && i < s->relation_count; i++) {
    table_clear(&s->tables[i], s->capacity, mem);
  }
  alea_mem_free(mem, s->alive, s->capacity);
  alea_mem_free(mem, s->tables, s->relation_count * sizeof *s->tables);
  alea_mem_free(mem, s->values, (size_t)s->function_count * s->capacity * sizeof *s->values);
  alea_mem_free(mem, s, sizeof *s);
}

uint32_t alea_toss_structure_element(alea_toss_structure *s) {
  for (uint32_t i = 0; i < s->capacity; i++) {
    if (s->alive[i]) continue;
    s->alive[i] = 1;
    s->alive_count++;
    return i;
  }
  return NONE;
}

void alea_toss_structure_kill(alea_toss_structure *s, uint32_t element) {
  if (!s->alive[element]) return;
  for (uint32_t r = 0; r < s->relation_count; r++) {
    alea_toss_table *t = &s->tables[r];
    for (uint32_t i = 0; i < t->arity; i++) {
      uint32_t *head = &t->heads[(size_t)i * s->capacity + element];
      while (*head != NONE) table_remove_slot(t, s->capacity, *head);
    }
  }
  for (uint32_t f = 0; f < s->function_count; f++) {
    s->values[(size_t)f * s->capacity + element] = alea_interval_of(0);
  }
  s->alive[element] = 0;
  s->alive_count--;
}

uint32_t alea_toss_structure_find(const alea_toss_structure *s, uint32_t relation,
                                  const uint32_t *tuple) {
  return table_find(&s->tables[relation], s->capacity, tuple);
}

bool alea_toss_structure_add(alea_toss_structure *s, uint32_t relation, const uint32_t *tuple) {
  return table_add(&s->tables[relation], s->capacity, tuple, s->mem);
}

void alea_toss_structure_remove(alea_toss_structure *s, uint32_t relation, const uint32_t *tuple) {
  uint32_t slot = alea_toss_structure_find(s, relation, tuple);
  if (slot != NONE) table_remove_slot(&s->tables[relation], s->capacity, slot);
}

void alea_toss_structure_empty(alea_toss_structure *s, uint32_t relation) {
  alea_toss_table *t = &s->tables[relation];
  for (uint32_t slot = 0; slot < t->slot_count; slot++) {
    if (t->used[slot]) table_remove_slot(t, s->capacity, slot);
  }
  t->slot_count = 0;
  t->free_slot = NONE;
}

bool alea_toss_structure_copy(alea_toss_structure *to, const alea_toss_structure *from) {
  for (uint32_t r = 0; r < from->relation_count; r++) {
    const alea_toss_table *t = &from->tables[r];
    alea_toss_structure_empty(to, r);
    for (uint32_t slot = 0; slot < t->slot_count; slot++) {
      if (t->used[slot] && !alea_toss_structure_add(to, r, alea_toss_table_tuple(t, slot))) {
        return false;
      }
    }
  }
  memcpy(to->alive, from->alive, from->capacity);
  to->alive_count = from->alive_count;
  memcpy(to->values, from->values,
         (size_t)from->function_count * from->capacity * sizeof *from->values);
  return true;
}
