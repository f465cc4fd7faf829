#ifndef ALEA_GAME_POSITION_H
#define ALEA_GAME_POSITION_H

/* Positions that are kept while a cursor moves on: the words of a state
 * (alea_cursor_state), copied into a vector that grows as it must. */

#include "base/vec.h"
#include "game/game.h"

/* Both replace what the vector held; without memory it is empty. */
alea_status alea_position_copy(alea_u64s *position, const uint64_t *words, size_t count,
                               alea_mem *mem);
/* The position where the cursor is now. */
alea_status alea_position_keep(alea_u64s *position, alea_cursor *cursor, alea_mem *mem);

#endif
