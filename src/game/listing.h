#ifndef ALEA_GAME_LISTING_H
#define ALEA_GAME_LISTING_H

/* What holds in a position as sorted lists of canonical text: lower case,
 * ascending by bytes, without duplicates; or as the rules spell it. */

#include "base/arena.h"
#include "base/vec.h"
#include "game/game.h"

/* Filled anew by each call below; the texts live until the next. */
typedef struct alea_listing {
  alea_arena arena;
  ALEA_VEC(const char *) items;
  bool spelling; /* as the rules spell it; false after alea_listing_init */
} alea_listing;

void alea_listing_init(alea_listing *listing, alea_mem *mem);
void alea_listing_clear(alea_listing *listing);
/* The same texts, in the memory of 'to'. */
alea_status alea_listing_copy(alea_listing *to, const alea_listing *from);

alea_status alea_listing_fluents(alea_listing *listing, alea_cursor *cursor);
/* The given fluents. */
alea_status alea_listing_of_fluents(alea_listing *listing, const alea_game *game,
                                    alea_list fluents);
alea_status alea_listing_legal(alea_listing *listing, alea_cursor *cursor, uint32_t role);
alea_status alea_listing_percepts(alea_listing *listing, alea_cursor *cursor, uint32_t role);

#endif
