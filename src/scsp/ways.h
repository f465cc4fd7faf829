#ifndef ALEA_SCSP_WAYS_H
#define ALEA_SCSP_WAYS_H

/* How searches over positions remember the moves that led to each: the
 * position before and the move from there. */

#include "base/status.h"
#include "base/vec.h"
#include "game/game.h"

#define ALEA_NO_WAY UINT32_MAX

typedef struct alea_way {
  uint32_t parent; /* ALEA_NO_WAY at the start */
  alea_move move;
} alea_way;

typedef ALEA_VEC(alea_way) alea_ways;

/* The moves from the start to 'way', and then 'move', into 'moves'. */
alea_status alea_ways_path(const alea_ways *ways, uint32_t way, alea_move move, alea_u32s *moves,
                           alea_mem *mem);

#endif
