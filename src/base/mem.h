#ifndef ALEA_BASE_MEM_H
#define ALEA_BASE_MEM_H

/* Accounted memory.
 *
 * Everything the library allocates goes through an alea_mem, and every free
 * states its size: 'used' is then exact, a leak is a nonzero number, and a
 * memory limit is an ordinary failure (NULL) instead of the end of the process.
 * An alea_mem is owned by its creator and used by one thread at a time; objects
 * of different threads need different ones.
 *
 * Time is counted in the same place: whoever sets a thread to work may put a
 * deadline into its alea_mem, and every loop whose length an input decides asks
 * alea_mem_late now and then and ends with ALEA_LIMIT.  So a clock or a
 * cancellation reaches the innermost loop without a parameter in each call on
 * the way.
 *
 * A deadline asks for the best result so far.  Work whose result nobody wants
 * any more is *given up*: from then on every allocation fails, which ends all
 * that grows, and long loops that allocate nothing ask alea_mem_given_up.  Work
 * that is worth nothing after a certain time may be given an *end*: it is given up
 * then, noticed by allocations. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/status.h"

typedef struct alea_mem {
  size_t used;                   /* bytes now allocated */
  size_t peak;                   /* largest 'used' so far */
  size_t limit;                  /* 'used' never exceeds this; 0 means no limit */
  uint64_t fail_in;              /* tests: the fail_in-th allocation from now fails; 0 = never */
  bool hit_limit;                /* some allocation failed because of 'limit' */
  const alea_deadline *deadline; /* of the work under way; NULL means never; borrowed */
  const atomic_bool *given_up;   /* raised: the work is given up; may be NULL; borrowed */
  const alea_deadline *end;      /* when it is given up by itself; NULL means never; borrowed */
  uint32_t asked;                /* allocations since there is an end: few of them look */
  bool over;                     /* the end has come */
} alea_mem;

void alea_mem_init(alea_mem *mem, size_t limit);
/* The same for work that is given up together with that of 'other'. */
void alea_mem_init_with(alea_mem *mem, size_t limit, const alea_mem *other);

/* Uninitialised memory of 'size' bytes (never NULL for size 0), or NULL. */
void *alea_mem_alloc(alea_mem *mem, size_t size);
/* The same, filled with zeros. */
void *alea_mem_zalloc(alea_mem *mem, size_t size);
/* count*size zeroed bytes; NULL also if the product overflows. */
void *alea_mem_calloc(alea_mem *mem, size_t count, size_t size);
/* Grows or shrinks a block; on failure returns NULL and leaves 'block'
 * unchanged. */
void *alea_mem_resize(alea_mem *mem, void *block, size_t old_size, size_t new_size);
/* 'size' is the size that was requested; NULL is a no-op. */
void alea_mem_free(alea_mem *mem, void *block, size_t size);

/* Gives memory that was freed back to the system, as far as the C library can.
 * For processes that run on after something large has ended. */
void alea_mem_give_back(void);

/* The status to return after a failed allocation. */
static inline alea_status alea_mem_lack(const alea_mem *mem) {
  return mem->hit_limit ? ALEA_LIMIT : ALEA_SYSTEM;
}

/* Has the deadline passed, or was the work cancelled? */
static inline bool alea_mem_late(const alea_mem *mem) {
  return alea_deadline_passed(mem->deadline);
}

/* The work of 'mem' ends at 'end' (NULL: never); what was over is not any more. */
static inline void alea_mem_set_end(alea_mem *mem, const alea_deadline *end) {
  mem->hit_limit &= !mem->over;
  mem->end = end;
  mem->asked = 0;
  mem->over = false;
}

/* Was the work given up?  Costs next to nothing. */
static inline bool alea_mem_given_up(const alea_mem *mem) {
  if (mem->over) return true;
  return mem->given_up != NULL && atomic_load_explicit(mem->given_up, memory_order_relaxed);
}

/* A deadline 'seconds' from now (0 or less: never) that also ends when the work
 * of 'mem' is cancelled. */
alea_deadline alea_mem_deadline_in(const alea_mem *mem, double seconds);

#endif
