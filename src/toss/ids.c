/* Numbering of word sequences. */
#include "toss/ids.h"

#include <pthread.h>
#include <string.h>

#include "base/hash.h"
#include "base/hash_map.h"
#include "base/vec.h"

typedef struct toss_space {
  ALEA_VEC(uint32_t) words;
  ALEA_VEC(uint32_t) starts; /* of each key in 'words'; the next start is its end */
  alea_hash_map map;
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
  alea_mem_init_with(&ids->mem, mem->limit, mem);
  pthread_mutex_init(&ids->mutex, NULL);
  return ids;
}

void alea_toss_ids_free(alea_toss_ids *ids) {
  if (ids == NULL) return;
  for (uint32_t i = 0; i < ids->count; i++) {
    toss_space *s = &ids->spaces[i];
    alea_vec_clear(&ids->mem, &s->words);
    alea_vec_clear(&ids->mem, &s->starts);
    alea_hash_map_clear(&s->map, &ids->mem);
  }
  pthread_mutex_destroy(&ids->mutex);
  alea_mem_free(ids->outer, ids, sizeof *ids + ids->count * sizeof(toss_space));
}

static uint32_t end_of(const toss_space *s, uint32_t id) {
  return id + 1 < s->starts.count ? s->starts.data[id + 1] : (uint32_t)s->words.count;
}

static uint64_t hash_of(const void *space, uint32_t id) {
  const toss_space *s = space;
  uint32_t start = s->starts.data[id];
  return alea_hash_u32s(s->words.data + start, end_of(s, id) - start);
}

/* The probe ends at the key or where it belongs. */
static alea_hash_probe find(const toss_space *s, const uint32_t *key, uint32_t length) {
  alea_hash_probe probe = alea_hash_map_probe(&s->map, alea_hash_u32s(key, length));
  while (alea_hash_map_next(&s->map, &probe)) {
    uint32_t start = s->starts.data[probe.id];
    if (end_of(s, probe.id) - start == length &&
        memcmp(s->words.data + start, key, length * sizeof *key) == 0) {
      break;
    }
  }
  return probe;
}

static uint32_t add(toss_space *s, const uint32_t *key, uint32_t length, alea_mem *mem) {
  if (!alea_hash_map_reserve(&s->map, mem, hash_of, s)) return UINT32_MAX;
  alea_hash_probe probe = find(s, key, length);
  if (probe.id != ALEA_HASH_NONE) return probe.id;
  if (!alea_vec_reserve(mem, &s->words, length)) return UINT32_MAX;
  if (!alea_vec_push(mem, &s->starts, (uint32_t)s->words.count)) return UINT32_MAX;
  for (uint32_t i = 0; i < length; i++) s->words.data[s->words.count++] = key[i];
  uint32_t id = (uint32_t)s->starts.count - 1;
  alea_hash_map_put(&s->map, probe, id);
  return id;
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
  uint32_t id = find(s, key, length).id;
  pthread_mutex_unlock(&ids->mutex);
  return id;
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
