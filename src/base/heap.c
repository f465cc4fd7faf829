/* Heaps of words. */
#include "base/heap.h"

static void heap_down(uint64_t *heap, size_t at, size_t count) {
  uint64_t x = heap[at];
  for (size_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && heap[child + 1] > heap[child]) child++;
    if (heap[child] <= x) break;
    heap[at] = heap[child];
  }
  heap[at] = x;
}

void alea_heap_make(alea_u64s *heap) {
  for (size_t i = heap->count / 2; i-- > 0;) heap_down(heap->data, i, heap->count);
}

void alea_heap_pop(alea_u64s *heap) {
  heap->data[0] = heap->data[--heap->count];
  if (heap->count > 0) heap_down(heap->data, 0, heap->count);
}

void alea_heap_lower_top(alea_u64s *heap, uint64_t word) {
  heap->data[0] = word;
  heap_down(heap->data, 0, heap->count);
}

bool alea_heap_push(alea_mem *mem, alea_u64s *heap, uint64_t word) {
  if (!alea_vec_push(mem, heap, word)) return false;
  size_t at = heap->count - 1;
  for (; at > 0 && heap->data[(at - 1) / 2] < word; at = (at - 1) / 2)
    heap->data[at] = heap->data[(at - 1) / 2];
  heap->data[at] = word;
  return true;
}
