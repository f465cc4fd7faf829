#ifndef ALEA_BASE_MEM_H
#define ALEA_BASE_MEM_H

/* Accounted memory.
 *
 * Everything the library allocates goes through an alea_mem, and every free
 * states its size: 'used' is then exact, a leak is a number that is not zero,
 * and a memory limit is an ordinary failure (NULL) instead of a dead process.
 * An alea_mem is owned by its creator and used by one thread at a time; each
 * thread's objects get one of their own. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct alea_mem {
  size_t used;      /* bytes now allocated */
  size_t peak;      /* largest 'used' so far */
  size_t limit;     /* 'used' never exceeds this; 0 means no limit */
  uint64_t fail_in; /* tests: the fail_in-th allocation from now fails; 0 = never */
  bool hit_limit;   /* some allocation failed because of 'limit' */
} alea_mem;

void alea_mem_init(alea_mem *mem, size_t limit);

/* Uninitialised memory of 'size' bytes (never NULL for size 0), or NULL. */
void *alea_mem_alloc(alea_mem *mem, size_t size);
/* The same, filled with zeros. */
void *alea_mem_zalloc(alea_mem *mem, size_t size);
/* count*size zeroed bytes; NULL also where the product overflows. */
void *alea_mem_calloc(alea_mem *mem, size_t count, size_t size);
/* Grows or shrinks; on failure returns NULL and leaves 'block' as it was. */
void *alea_mem_resize(alea_mem *mem, void *block, size_t old_size, size_t new_size);
/* 'size' is what was asked for; NULL is a no-op. */
void alea_mem_free(alea_mem *mem, void *block, size_t size);

/* What to answer where an allocation has failed. */
static inline alea_status alea_mem_lack(const alea_mem *mem) {
  return mem->hit_limit ? ALEA_LIMIT : ALEA_SYSTEM;
}

#endif
