/* Interned names. */
#include "toss/names.h"

#include <string.h>

#include "base/hash.h"

void alea_toss_names_init(alea_toss_names *names, alea_mem *mem) {
  *names = (alea_toss_names){.mem = mem};
  alea_arena_init(&names->arena, mem);
}

void alea_toss_names_clear(alea_toss_names *names) {
  alea_vec_clear(names->mem, &names->texts);
  alea_hash_map_clear(&names->map, names->mem);
  alea_arena_clear(&names->arena);
}

static uint64_t hash_of(const void *texts, uint32_t name) {
  const char *text = ((const char *const *)texts)[name];
  return alea_hash_bytes(text, strlen(text));
}

uint32_t alea_toss_names_find(const alea_toss_names *names, const char *text, size_t length) {
  alea_hash_probe probe = alea_hash_map_probe(&names->map, alea_hash_bytes(text, length));
  while (alea_hash_map_next(&names->map, &probe)) {
    const char *known = names->texts.data[probe.id];
    if (strlen(known) == length && memcmp(known, text, length) == 0) return probe.id;
  }
  return UINT32_MAX;
}

uint32_t alea_toss_names_add(alea_toss_names *names, const char *text, size_t length) {
  uint32_t known = alea_toss_names_find(names, text, length);
  if (known != UINT32_MAX) return known;
  if (!alea_hash_map_reserve(&names->map, names->mem, hash_of, names->texts.data))
    return UINT32_MAX;
  const char *copy = alea_arena_strdup(&names->arena, text, length);
  if (copy == NULL || !alea_vec_push(names->mem, &names->texts, copy)) return UINT32_MAX;
  uint32_t name = (uint32_t)names->texts.count - 1;
  alea_hash_map_add(&names->map, alea_hash_bytes(text, length), name);
  return name;
}
