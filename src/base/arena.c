/* Arena: a list of growing chunks. */
#include "base/arena.h"

#include <string.h>

struct alea_arena_chunk {
  struct alea_arena_chunk *older;
  size_t size; /* usable bytes in 'bytes' */
  _Alignas(16) unsigned char bytes[];
};

enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

void alea_arena_init(alea_arena *arena, alea_mem *mem) { *arena = (alea_arena){.mem = mem}; }

void alea_arena_clear(alea_arena *arena) {
  struct alea_arena_chunk *chunk = arena->chunk;
  while (chunk != NULL) {
    struct alea_arena_chunk *older = chunk->older;
    alea_mem_free(arena->mem, chunk, sizeof *chunk + chunk->size);
    chunk = older;
  }
  arena->chunk = NULL;
  arena->free = 0;
}

static bool grow(alea_arena *arena, size_t need) {
  size_t size = arena->chunk == NULL ? FIRST_CHUNK : 2 * arena->chunk->size;
  if (size > LARGEST_CHUNK) size = LARGEST_CHUNK;
  if (size < need) size = need;
  struct alea_arena_chunk *chunk = alea_mem_alloc(arena->mem, sizeof *chunk + size);
  if (chunk == NULL) return false;
  chunk->older = arena->chunk;
  chunk->size = size;
  arena->chunk = chunk;
  arena->free = size;
  return true;
}

void *alea_arena_alloc(alea_arena *arena, size_t size) {
  if (size > SIZE_MAX - 15 - sizeof(struct alea_arena_chunk)) return NULL;
  size_t need = (size + 15) & ~(size_t)15;
  if (need == 0) need = 16;
  if (need > arena->free && !grow(arena, need)) return NULL;
  void *block = arena->chunk->bytes + (arena->chunk->size - arena->free);
  arena->free -= need;
  return block;
}

char *alea_arena_strdup(alea_arena *arena, const char *text, size_t length) {
  char *copy = alea_arena_alloc(arena, length + 1);
  if (copy == NULL) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}
