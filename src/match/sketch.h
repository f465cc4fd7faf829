#ifndef ALEA_MATCH_SKETCH_H
#define ALEA_MATCH_SKETCH_H

/* A drawing that has learned from a game by playing a little at random. */

#include "match/draw.h"
#include "match/listing.h"
#include "match/open.h"

/* Makes a settled drawing of an open game.  The cursor comes back to the
 * initial position.  The same game always gives the same drawing. */
alea_status alea_sketch_new(alea_drawing **drawing, const alea_opened *opened, alea_cursor *cursor,
                            alea_mem *mem);

#endif
