/* Interned names: open addressing over the texts. */
#include "toss/names.h"

#include <string.h>

#include "base/hash.h"

enum { FIRST_SLOTS = 64 };

void alea_toss_names_init(alea_toss_names *names, alea_mem *mem) {
  *names = (alea_toss_names){.mem = mem};
  alea_arena_init(&names->arena, mem);
}

void alea_toss_names_clear(alea_toss_names *names) {
  alea_vec_clear(names->mem, &names->texts);
  alea_mem_free(names->mem, names->slots, names->slot_count * sizeof *names->slots);
  alea_arena_clear(&names->arena);
  names->slots = NULL;
  names->slot_count = 0;
}

static size_t slot_of(const alea_toss_names *names, const char *text, size_t length) {
  size_t mask = names->slot_count - 1, at = alea_hash_bytes(text, length) & mask;
  for (;; at = (at + 1) & mask) {
    uint32_t held = names->slots[at];
    if (held == 0) return at;
    const char *known = names->texts.data[held - 1];
    if (strlen(known) == length && memcmp(known, text, length) == 0) return at;
  }
}

static bool grow(alea_toss_names *names) {
  if (names->texts.count * 2 < names->slot_count) return true;
  size_t count = names->slot_count != 0 ? names->slot_count * 2 : FIRST_SLOTS;
  uint32_t *slots = alea_mem_calloc(names->mem, count, sizeof *slots);
  if (slots == NULL) return false;
  alea_mem_free(names->mem, names->slots, names->slot_count * sizeof *slots);
  names->slots = slots;
  names->slot_count = count;
  for (uint32_t i = 0; i < names->texts.count; i++) {
    const char *text = names->texts.data[i];
    slots[slot_of(names, text, strlen(text))] = i + 1;
  }
  return true;
}

uint32_t alea_toss_names_find(const alea_toss_names *names, const char *text, size_t length) {
  if (names->slot_count == 0) return UINT32_MAX;
  uint32_t held = names->slots[slot_of(names, text, length)];
  return held != 0 ? held - 1 : UINT32_MAX;
}

uint32_t alea_toss_names_add(alea_toss_names *names, const char *text, size_t length) {
  uint32_t known = alea_toss_names_find(names, text, length);
  if (known != UINT32_MAX) return known;
  if (!grow(names)) return UINT32_MAX;
  const char *copy = alea_arena_strdup(&names->arena, text, length);
  if (copy == NULL || !alea_vec_push(names->mem, &names->texts, copy)) return UINT32_MAX;
  names->slots[slot_of(names, text, length)] = (uint32_t)names->texts.count;
  return (uint32_t)names->texts.count - 1;
}
