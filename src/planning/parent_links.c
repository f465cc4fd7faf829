/* The path of a position: its parents up to the start, in reverse. */
#include "planning/parent_links.h"

static void reverse(alea_u32s *moves) {
  for (size_t i = 0, j = moves->count - 1; i < j; i++, j--) {
    uint32_t later = moves->data[i];
    moves->data[i] = moves->data[j];
    moves->data[j] = later;
  }
}

alea_status alea_parent_links_path(const alea_parent_links *links, uint32_t last, alea_move move,
                                   alea_u32s *moves, alea_mem *mem) {
  moves->count = 0;
  while (alea_vec_push(mem, moves, move)) {
    if (links->data[last].parent == ALEA_NO_PARENT) {
      reverse(moves);
      return ALEA_OK;
    }
    move = links->data[last].move;
    last = links->data[last].parent;
  }
  return alea_mem_lack(mem);
}
