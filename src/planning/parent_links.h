#ifndef ALEA_PLANNING_PARENT_LINKS_H
#define ALEA_PLANNING_PARENT_LINKS_H

/* Parent links: how a search over positions remembers the moves that led to
 * each, by the position before it and the move from there. */

#include "base/status.h"
#include "base/vec.h"
#include "game/game.h"

#define ALEA_NO_PARENT UINT32_MAX

typedef struct alea_parent_link {
  uint32_t parent; /* ALEA_NO_PARENT at the start */
  alea_move move;
} alea_parent_link;

typedef ALEA_VEC(alea_parent_link) alea_parent_links;

/* The moves from the start to the position of the link 'last', and then 'move',
 * into 'moves'. */
alea_status alea_parent_links_path(const alea_parent_links *links, uint32_t last, alea_move move,
                                   alea_u32s *moves, alea_mem *mem);

#endif
