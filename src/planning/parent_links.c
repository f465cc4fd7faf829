/* The way back to the start, turned round. */
#include "planning/parent_links.h"

static void turn_round(alea_u32s *moves) {
  for (size_t i = 0, j = moves->count - 1; i < j; i++, j--) {
    uint32_t later = moves->data[i];
    moves->data[i] = moves->data[j];
    moves->data[j] = later;
  }
}

alea_status alea_parent_links_path(const alea_parent_links *ways, uint32_t way, alea_move move,
                                   alea_u32s *moves, alea_mem *mem) {
  moves->count = 0;
  while (alea_vec_push(mem, moves, move)) {
    if (ways->data[way].parent == ALEA_NO_PARENT) {
      turn_round(moves);
      return ALEA_OK;
    }
    move = ways->data[way].move;
    way = ways->data[way].parent;
  }
  return alea_mem_lack(mem);
}
