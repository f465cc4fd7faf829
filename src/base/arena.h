#ifndef ALEA_BASE_ARENA_H
#define ALEA_BASE_ARENA_H

/* An arena: many small allocations with one lifetime, freed together.
 * Blocks are 16-byte aligned and never move. */

#include "base/mem.h"

typedef struct alea_arena {
  alea_mem *mem;
  struct alea_arena_chunk *chunk; /* newest first */
  size_t free;                    /* bytes left in the newest chunk */
} alea_arena;

void alea_arena_init(alea_arena *arena, alea_mem *mem);
void alea_arena_clear(alea_arena *arena);               /* frees everything; usable again */
void *alea_arena_alloc(alea_arena *arena, size_t size); /* uninitialised, or NULL */
char *alea_arena_strdup(alea_arena *arena, const char *text, size_t length);

#endif
