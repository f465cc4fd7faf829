/* Positions of the interpreter as words, which can be kept and loaded, and as
 * fluents, which can be printed. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "toss/cursor.h"

#define NONE ALEA_TOSS_NONE

static alea_status lack(const alea_toss_cursor *c) { return alea_mem_lack(c->mem); }

/* ---- positions as words ---- */

/* Only what changes is written: the location, the live elements if these
 * change, then per relation a count and its tuples in order, then the labels. */
static bool is_written(const alea_toss_cursor *c, uint32_t relation) {
  return c->game->rules->changing[relation] && c->game->file->relations.data[relation].body == NONE;
}

static uint32_t words_per_tuple(uint32_t arity) { return (arity + 3) / 4; }

static void pack(const uint32_t *tuple, uint32_t arity, uint64_t *words) {
  for (uint32_t i = 0; i < words_per_tuple(arity); i++) words[i] = 0;
  for (uint32_t i = 0; i < arity; i++) words[i / 4] |= (uint64_t)tuple[i] << (48 - i % 4 * 16);
}

static void unpack(const uint64_t *words, uint32_t arity, uint32_t *tuple) {
  for (uint32_t i = 0; i < arity; i++) {
    tuple[i] = (uint32_t)(words[i / 4] >> (48 - i % 4 * 16)) & 0xffff;
  }
}

static int compare_1(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static int compare_2(const void *a, const void *b) {
  int first = compare_1(a, b);
  return first != 0 ? first : compare_1((const uint64_t *)a + 1, (const uint64_t *)b + 1);
}

static bool write_relation(alea_toss_cursor *c, uint32_t relation) {
  const alea_toss_table *t = &c->structure->tables[relation];
  uint32_t width = words_per_tuple(t->arity);
  if (!alea_vec_push(c->mem, &c->words, t->count)) return false;
  if (!alea_vec_reserve(c->mem, &c->words, (size_t)t->count * width)) return false;
  uint64_t *first = c->words.data + c->words.count;
  for (uint32_t slot = 0; slot < t->slot_count; slot++) {
    if (!t->used[slot]) continue;
    pack(alea_toss_table_tuple(t, slot), t->arity, c->words.data + c->words.count);
    c->words.count += width;
  }
  if (width == 1 && t->count > 1) qsort(first, t->count, sizeof *first, compare_1);
  if (width == 2 && t->count > 1) qsort(first, t->count, 2 * sizeof *first, compare_2);
  return true;
}

static bool write_rest(alea_toss_cursor *c) {
  const alea_toss_structure *s = c->structure;
  bool good = true;
  if (s->capacity != c->game->file->start.elements.count) {
    uint64_t word = 0;
    for (uint32_t i = 0; i < s->capacity; i++) {
      word |= (uint64_t)s->alive[i] << (i % 64);
      if (i % 64 != 63 && i + 1 != s->capacity) continue;
      good = good && alea_vec_push(c->mem, &c->words, word);
      word = 0;
    }
  }
  size_t labels = (size_t)s->function_count * s->capacity;
  for (size_t i = 0; i < labels && good; i++) {
    uint64_t bits[2];
    alea_interval value = s->values[i];
    value.lo += 0.0, value.hi += 0.0; /* no negative zero */
    memcpy(bits, &value, sizeof bits);
    good = alea_vec_push(c->mem, &c->words, bits[0]) && alea_vec_push(c->mem, &c->words, bits[1]);
  }
  return good;
}

const uint64_t *alea_toss_cursor_state(alea_cursor *cursor, size_t *count) {
  alea_toss_cursor *c = alea_toss_cursor_of(cursor);
  c->words.count = 0;
  bool good = alea_vec_push(c->mem, &c->words, c->location);
  for (uint32_t r = 0; good && r < c->structure->relation_count; r++) {
    if (is_written(c, r)) good = write_relation(c, r);
  }
  good = good && write_rest(c);
  *count = good ? c->words.count : 0;
  return c->words.data;
}

static const uint64_t *read_relation(alea_toss_cursor *c, uint32_t relation, const uint64_t *words,
                                     const uint64_t *end) {
  uint32_t arity = c->structure->tables[relation].arity;
  if (words >= end) return NULL;
  uint64_t count = *words++;
  if (count > (uint64_t)(end - words)) return NULL;
  alea_toss_structure_empty(c->structure, relation);
  for (uint64_t i = 0; i < count; i++) {
    uint32_t tuple[ALEA_TOSS_MOST_ARITY];
    if ((uint64_t)(end - words) < words_per_tuple(arity)) return NULL;
    unpack(words, arity, tuple);
    for (uint32_t k = 0; k < arity; k++) {
      if (tuple[k] >= c->structure->capacity) return NULL;
    }
    if (!alea_toss_structure_add(c->structure, relation, tuple)) return NULL;
    words += words_per_tuple(arity);
  }
  return words;
}

static alea_status read_rest(alea_toss_cursor *c, const uint64_t *words, const uint64_t *end) {
  alea_toss_structure *s = c->structure;
  if (s->capacity != c->game->file->start.elements.count) {
    if ((size_t)(end - words) < (s->capacity + 63) / 64) return ALEA_INPUT;
    s->alive_count = 0;
    for (uint32_t i = 0; i < s->capacity; i++) {
      s->alive[i] = words[i / 64] >> (i % 64) & 1;
      s->alive_count += s->alive[i];
    }
    words += (s->capacity + 63) / 64;
  }
  size_t labels = (size_t)s->function_count * s->capacity;
  if ((size_t)(end - words) != labels * 2) return ALEA_INPUT;
  if (labels != 0) memcpy(s->values, words, labels * sizeof *s->values);
  return ALEA_OK;
}

alea_status alea_toss_cursor_load(alea_cursor *cursor, const uint64_t *words, size_t count) {
  alea_toss_cursor *c = alea_toss_cursor_of(cursor);
  const uint64_t *end = words + count;
  c->listed = c->chance_listed = false;
  if (count == 0 || words[0] >= c->game->file->locations.count) return ALEA_INPUT;
  c->location = (uint32_t)*words++;
  for (uint32_t r = 0; r < c->structure->relation_count; r++) {
    if (!is_written(c, r)) continue;
    words = read_relation(c, r, words, end);
    if (words == NULL) return ALEA_INPUT;
  }
  return read_rest(c, words, end);
}

uint64_t alea_toss_cursor_hash(alea_cursor *cursor) {
  size_t count;
  const uint64_t *words = alea_toss_cursor_state(cursor, &count);
  uint64_t result = 0;
  for (size_t i = 0; i < count; i++) result = alea_hash_join(result, words[i]);
  return alea_hash_mix(result);
}

/* ---- fluents ---- */

static alea_status add_fluent(alea_toss_cursor *c, const uint32_t *key, uint32_t length) {
  uint32_t id = alea_toss_ids_add(c->game->ids, 0, key, length);
  return id != UINT32_MAX && alea_vec_push(c->mem, &c->fluents, id) ? ALEA_OK : lack(c);
}

static alea_status add_tuples(alea_toss_cursor *c, uint32_t relation) {
  const alea_toss_table *t = &c->structure->tables[relation];
  alea_status status = ALEA_OK;
  for (uint32_t slot = 0; slot < t->slot_count && status == ALEA_OK; slot++) {
    uint32_t key[1 + ALEA_TOSS_MOST_ARITY] = {relation};
    if (!t->used[slot]) continue;
    memcpy(key + 1, alea_toss_table_tuple(t, slot), t->arity * sizeof *key);
    status = add_fluent(c, key, 1 + t->arity);
  }
  return status;
}

static alea_status add_labels(alea_toss_cursor *c, uint32_t function) {
  const alea_toss_structure *s = c->structure;
  alea_status status = ALEA_OK;
  for (uint32_t e = 0; e < s->capacity && status == ALEA_OK; e++) {
    if (!s->alive[e]) continue;
    alea_interval label = s->values[(size_t)function * s->capacity + e];
    double value = alea_interval_middle(label) + 0.0;
    if (label.lo < 0 && label.hi > 0 && label.hi - label.lo < 1e-6) value = 0; /* for readability */
    uint32_t key[4] = {ALEA_TOSS_KEY_FUNCTION + function, e};
    memcpy(key + 2, &value, sizeof value);
    status = add_fluent(c, key, 4);
  }
  return status;
}

/* Where elements come and go, which are there is part of the position. */
static alea_status add_elements(alea_toss_cursor *c) {
  const alea_toss_structure *s = c->structure;
  alea_status status = ALEA_OK;
  if (s->capacity == c->game->file->start.elements.count) return ALEA_OK;
  for (uint32_t e = 0; e < s->capacity && status == ALEA_OK; e++) {
    uint32_t key[2] = {ALEA_TOSS_KEY_ELEMENT, e};
    if (s->alive[e]) status = add_fluent(c, key, 2);
  }
  return status;
}

alea_status alea_toss_cursor_fluents(alea_cursor *cursor, alea_list *out) {
  alea_toss_cursor *c = alea_toss_cursor_of(cursor);
  uint32_t key[2] = {ALEA_TOSS_KEY_LOCATION, c->location};
  c->fluents.count = 0;
  alea_status status = add_fluent(c, key, 2);
  if (status == ALEA_OK) status = add_elements(c);
  for (uint32_t r = 0; r < c->structure->relation_count && status == ALEA_OK; r++) {
    if (is_written(c, r)) status = add_tuples(c, r);
  }
  for (uint32_t f = 0; f < c->structure->function_count && status == ALEA_OK; f++) {
    status = add_labels(c, f);
  }
  *out = (alea_list){c->fluents.data, (uint32_t)c->fluents.count};
  return status;
}
