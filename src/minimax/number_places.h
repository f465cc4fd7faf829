#ifndef ALEA_MINIMAX_NUMBER_PLACES_H
#define ALEA_MINIMAX_NUMBER_PLACES_H

/* Places that hold a number: fluents such as `(pieces red 7)`, of which another one begins
 * whenever one ends.  What stands on a board leaves its place, or is taken, without another one of
 * its own kind there. */

#include "game/game.h"

enum { ALEA_NO_PLACE = 0 };

/* Sets numbers[f] for each fluent whose place is one, as far as some random plays of 'game', of
 * the engine `net`, show it; always the same ones.  'places' has a key by fluent, equal where they
 * are at one place, and ALEA_NO_PLACE where nothing is asked. */
alea_status alea_number_places_find(const alea_game *game, const uint64_t *places, bool *numbers,
                                    alea_mem *mem);

#endif
