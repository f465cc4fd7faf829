/* Copies of positions. */
#include "game/position.h"

#include <string.h>

alea_status alea_position_copy(alea_u64s *position, const uint64_t *words, size_t count,
                               alea_mem *mem) {
  position->count = 0;
  if (!alea_vec_reserve(mem, position, count)) return alea_mem_lack(mem);
  if (count > 0) memcpy(position->data, words, count * sizeof *words);
  position->count = count;
  return ALEA_OK;
}

alea_status alea_position_keep(alea_u64s *position, alea_cursor *cursor, alea_mem *mem) {
  size_t count;
  const uint64_t *words = alea_cursor_state(cursor, &count);
  return alea_position_copy(position, words, count, mem);
}
