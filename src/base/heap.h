#ifndef ALEA_BASE_HEAP_H
#define ALEA_BASE_HEAP_H

/* Max-heaps: vectors of words, the largest at data[0]. */

#include "base/vec.h"

void alea_heap_make(alea_u64s *heap); /* from words in any order */
void alea_heap_pop(alea_u64s *heap);
void alea_heap_lower_top(alea_u64s *heap, uint64_t word); /* replaces the top by a smaller word */
bool alea_heap_push(alea_mem *mem, alea_u64s *heap, uint64_t word); /* false: out of memory */

#endif
