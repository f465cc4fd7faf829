/* Numbering of word sequences. */
#include "toss/ids.h"

#include <pthread.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"

enum { FIRST_SLOTS = 256 };

typedef struct toss_space {
  ALEA_VEC(uint32_t) words;
  ALEA_VEC(uint32_t) starts; /* of each key in 'words'; the next start is its end */
  uint32_t *slots;
  size_t slot_count;
} toss_space;

struct alea_toss_ids {
  alea_mem *outer;
  pthread_mutex_t mutex;
  alea_mem mem;
  uint32_t count;
  toss_space spaces[];
};

alea_toss_ids *alea_toss_ids_new(uint32_t spaces, alea_mem *mem) {
  alea_toss_ids *ids = alea_mem_zalloc(mem, sizeof *ids + spaces * sizeof(toss_space));
  if (ids == NULL) return NULL;
  ids->outer = mem;
  ids->count = spaces;
  alea_mem_init(&ids->mem, mem->limit);
  pthread_mutex_init(&ids->mutex, NULL);
  return ids;
}

void alea_toss_ids_free(alea_toss_ids *ids) {
  if (ids == NULL) return;
  for (uint32_t i = 0; i < ids->count; i++) {
    toss_space *s = &ids->spaces[i];
    alea_vec_clear(&ids->mem, &s->words);
    alea_vec_clear(&ids->mem, &s->starts);
    alea_mem_free(&ids->mem, s->slots, s->slot_count * sizeof *s->slots);
  }
  pthread_mutex_destroy(&ids->mutex);
  alea_mem_free(ids->outer, ids, sizeof *ids + ids->count * sizeof(toss_space));
}

static uint32_t end_of(const toss_space *s, uint32_t id) {
  return id + 1 < s->starts.count ? s->starts.data[id + 1] : (uint32_t)s->words.count;
}

static size_t slot_of(const toss_space *s, const uint32_t *key, uint32_t length) {
  size_t mask = s->slot_count - 1, at = alea_hash_u32s(key, length) & mask;
  for (; s->slots[at] != 0; at = (at + 1) & mask) {
    uint32_t id = s->slots[at] - 1, start = s->starts.data[id];
    if (end_of(s, id) - start == length &&
        memcmp(s->words.data + start, key, length * sizeof *key) == 0) {
      break;
    }
  }
  return at;
}

static bool grow(toss_space *s, alea_mem *mem) {
  if (s->starts.count * 2 < s->slot_count) return true;
  size_t count = s->slot_count != 0 ? s->slot_count * 2 : FIRST_SLOTS;
  uint32_t *slots = alea_mem_calloc(mem, count, sizeof *slots);
  if (slots == NULL) return false;
  alea_mem_free(mem, s->slots, s->slot_count * sizeof *slots);
  s->slots = slots;
  s->slot_count = count;
  for (uint32_t id = 0; id < s->starts.count; id++) {
    uint32_t start = s->starts.data[id];
    slots[slot_of(s, s->words.data + start, end_of(s, id) - start)] = id + 1;
  }
  return true;
}

static uint32_t add(toss_space *s, const uint32_t *key, uint32_t length, alea_mem *mem) {
  if (!grow(s, mem)) return UINT32_MAX;
  size_t at = slot_of(s, key, length);
  if (s->slots[at] != 0) return s->slots[at] - 1;
  if (!alea_vec_reserve(mem, &s->words, length)) return UINT32_MAX;
  if (!alea_vec_push(mem, &s->starts, (uint32_t)s->words.count)) return UINT32_MAX;
  for (uint32_t i = 0; i < length; i++) s->words.data[s->words.count++] = key[i];
  s->slots[at] = (uint32_t)s->starts.count;
  return (uint32_t)s->starts.count - 1;
}

uint32_t alea_toss_ids_add(alea_toss_ids *ids, uint32_t index, const uint32_t *key,
                           uint32_t length) {
  pthread_mutex_lock(&ids->mutex);
  uint32_t id = add(&ids->spaces[index], key, length, &ids->mem);
  pthread_mutex_unlock(&ids->mutex);
  return id;
}

uint32_t alea_toss_ids_find(alea_toss_ids *ids, uint32_t index, const uint32_t *key,
                            uint32_t length) {
  pthread_mutex_lock(&ids->mutex);
  const toss_space *s = &ids->spaces[index];
  uint32_t held = s->slot_count != 0 ? s->slots[slot_of(s, key, length)] : 0;
  pthread_mutex_unlock(&ids->mutex);
  return held != 0 ? held - 1 : UINT32_MAX;
}

uint32_t alea_toss_ids_count(alea_toss_ids *ids, uint32_t index) {
  pthread_mutex_lock(&ids->mutex);
  uint32_t count = (uint32_t)ids->spaces[index].starts.count;
  pthread_mutex_unlock(&ids->mutex);
  return count;
}

uint32_t alea_toss_ids_key(alea_toss_ids *ids, uint32_t index, uint32_t id, uint32_t *key,
                           uint32_t most) {
  pthread_mutex_lock(&ids->mutex);
  const toss_space *s = &ids->spaces[index];
  uint32_t length = 0;
  if (id < s->starts.count) {
    uint32_t start = s->starts.data[id];
    length = end_of(s, id) - start;
    if (length > most) length = 0;
    memcpy(key, s->words.data + start, length * sizeof *key);
  }
  pthread_mutex_unlock(&ids->mutex);
  return length;
}
