#ifndef ALEA_MATCH_WHY_NOT_H
#define ALEA_MATCH_WHY_NOT_H

/* Why a move is not legal here, as far as play can tell.
 *
 * Random plays are made until positions were met where the move is legal; what
 * held in all of them and does not hold here is what it seems to need. */

#include "base/vec.h"
#include "game/game.h"

typedef struct alea_why_not {
  uint32_t met;      /* positions where the role had the move; 0: nothing can be told */
  alea_u32s missing; /* fluents that held in all of these and do not hold here */
} alea_why_not;

/* 'here' keeps its position.  Fills 'why', whose vector the caller clears. */
alea_status alea_why_not_legal(alea_why_not *why, alea_cursor *here, uint32_t role, alea_move move,
                               alea_mem *mem);

#endif
