/* Accounted memory: malloc with accounting. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/mem.h"

#include <assert.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void alea_mem_init(alea_mem *mem, size_t limit) { *mem = (alea_mem){.limit = limit}; }

void alea_mem_init_with(alea_mem *mem, size_t limit, const alea_mem *other) {
  *mem = (alea_mem){.limit = limit, .given_up = other->given_up, .end = other->end};
}

/* Looks at the clock in one of 32 allocations, which then costs nothing to speak of. */
static void look_at_end(alea_mem *mem) {
  if (mem->end != NULL && !mem->over && mem->asked++ % 32 == 0)
    mem->over = alea_deadline_passed(mem->end);
}

/* Accounts for 'more' bytes instead of 'less'; false if the limit forbids it, or
 * the work was given up: that is a limit, too, of time. */
static bool book(alea_mem *mem, size_t less, size_t more) {
  if (mem->fail_in != 0 && --mem->fail_in == 0) return false;
  size_t used = mem->used - less;
  if (more > SIZE_MAX - used) return false;
  bool full = mem->limit != 0 && used + more > mem->limit;
  look_at_end(mem);
  if ((full || alea_mem_given_up(mem)) && more > less) {
    mem->hit_limit = true;
    return false;
  }
  mem->used = used + more;
  if (mem->used > mem->peak) mem->peak = mem->used;
  return true;
}

/* Large hash tables are read at random; with large pages the grounding of chess
 * is 10 % faster.  This is only a hint, so a failure is ignored. */
static void *advise(void *block, size_t size) {
#ifdef MADV_HUGEPAGE
  enum { LARGE = 4 << 20, PAGE = 1 << 16 };
  if (block != NULL && size >= LARGE) {
    uintptr_t first = ((uintptr_t)block + PAGE - 1) / PAGE * PAGE;
    (void)madvise((void *)first, size - (first - (uintptr_t)block), MADV_HUGEPAGE);
  }
#else
  (void)size;
#endif
  return block;
}

void *alea_mem_alloc(alea_mem *mem, size_t size) {
  if (!book(mem, 0, size)) return NULL;
  void *block = advise(malloc(size != 0 ? size : 1), size);
  if (block == NULL) mem->used -= size;
  return block;
}

void *alea_mem_zalloc(alea_mem *mem, size_t size) {
  if (!book(mem, 0, size)) return NULL;
  /* calloc, not memset: large blocks then cost nothing until used. */
  void *block = advise(calloc(1, size != 0 ? size : 1), size);
  if (block == NULL) mem->used -= size;
  return block;
}

void *alea_mem_calloc(alea_mem *mem, size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / size) return NULL;
  return alea_mem_zalloc(mem, count * size);
}

void *alea_mem_resize(alea_mem *mem, void *block, size_t old_size, size_t new_size) {
  assert(block != NULL || old_size == 0);
  if (!book(mem, old_size, new_size)) return NULL;
  void *moved = advise(realloc(block, new_size != 0 ? new_size : 1), new_size);
  if (moved == NULL) mem->used = mem->used - new_size + old_size;
  return moved;
}

void alea_mem_free(alea_mem *mem, void *block, size_t size) {
  if (block == NULL) return;
  assert(mem->used >= size);
  mem->used -= size;
  free(block);
}

void alea_mem_give_back(void) {
#ifdef __GLIBC__
  /* Threads have heaps of their own, which keep what they once needed. */
  (void)malloc_trim(0);
#endif
}

alea_deadline alea_mem_deadline_in(const alea_mem *mem, double seconds) {
  alea_deadline deadline = alea_deadline_in(seconds);
  if (mem->deadline != NULL) deadline.stop = mem->deadline->stop;
  return deadline;
}
