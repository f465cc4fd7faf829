/* Growing of vectors, by doubling. */
#include "base/vec.h"

bool alea_vec_grow(alea_mem *mem, void **data, size_t *capacity, size_t count, size_t extra,
                   size_t element) {
  if (extra > SIZE_MAX / 2 - count) return false;
  size_t wanted = *capacity < 8 ? 8 : 2 * *capacity;
  if (wanted < count + extra) wanted = count + extra;
  if (wanted > SIZE_MAX / element) return false;
  void *moved = alea_mem_resize(mem, *data, *capacity * element, wanted * element);
  if (moved == NULL) return false;
  *data = moved;
  *capacity = wanted;
  return true;
}
