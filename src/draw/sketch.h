#ifndef ALEA_DRAW_SKETCH_H
#define ALEA_DRAW_SKETCH_H

/* Makes a drawing that has learned from random plays of a game. */

#include "draw/draw.h"
#include "game/listing.h"
#include "gdl/program.h"
#include "propnet/propnet.h"

/* What is known about the game; everything is borrowed. */
typedef struct alea_sketch_subject {
  const char *source;          /* the rulesheet; its `draw` header gives hints */
  const alea_program *program; /* may be NULL */
  const alea_net *net;         /* may be NULL */
  const char *rewriting;       /* the rulesheet of a rewriting game, else NULL */
} alea_sketch_subject;

/* Makes a settled drawing of a game.  The cursor returns to the initial
 * position.  The same game always gives the same drawing. */
alea_status alea_sketch_new(alea_drawing **drawing, const alea_sketch_subject *subject,
                            alea_cursor *cursor, alea_mem *mem);

#endif
