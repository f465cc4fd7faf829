#ifndef ALEA_DRAW_STRUCTURE_H
#define ALEA_DRAW_STRUCTURE_H

/* Drawings of relational structures: positions of rewriting games.
 *
 * A structure that the rulesheet draws as a board is drawn as a board; the
 * cells show the unary relations that hold of them.  Any other is drawn as a
 * graph: elements are nodes, in the plane if they have labels x and y and
 * otherwise on a circle, and binary relations are arrows.  A structure drawing
 * is made from the rulesheet and reads positions as fluents, like alea_drawing. */

#include "base/arena.h"
#include "base/vec.h"
#include "draw/draw.h"

struct alea_canvas;

typedef struct alea_structure_drawing alea_structure_drawing;

/* NULL if the text is no rulesheet, or if out of memory. */
alea_structure_drawing *alea_structure_drawing_new(const char *rulesheet, alea_mem *mem);
void alea_structure_drawing_free(alea_structure_drawing *drawing); /* NULL is a no-op. */

alea_status alea_structure_text(alea_structure_drawing *drawing, const char *const *fluents,
                                size_t count, bool ascii, alea_text *out);
/* Draws the graph on an empty canvas. */
alea_status alea_structure_svg(alea_structure_drawing *drawing, const char *const *fluents,
                               size_t count, struct alea_canvas *canvas);

/* Whether the rulesheet draws a board. */
bool alea_structure_has_board(const alea_structure_drawing *drawing);
/* A position of such a game as fluents of a board, so that pictures of both kinds
 * of game look alike: (cell a 1 white) for (w a1), (cell a 1 blank) for a cell
 * without marks, and what is no mark of a cell as it is. */
typedef struct alea_board_fluents {
  alea_arena arena;
  ALEA_VEC(const char *) texts;
  ALEA_VEC(const char *) originals; /* borrowed fluents, or NULL; one for each text */
} alea_board_fluents;
void alea_board_fluents_init(alea_board_fluents *fluents, alea_mem *mem);
void alea_board_fluents_clear(alea_board_fluents *fluents);
alea_status alea_board_fluents_read(alea_board_fluents *out, alea_structure_drawing *drawing,
                                    const char *const *fluents, size_t count);

/* Paths: the places of elements with labels x and y, position by position.
 * alea_paths_svg returns ALEA_NONE if no element has such labels. */
typedef struct alea_paths alea_paths;
alea_paths *alea_paths_new(alea_mem *mem); /* NULL if out of memory. */
void alea_paths_free(alea_paths *paths);
alea_status alea_paths_note(alea_paths *paths, const char *const *fluents, size_t count);
alea_status alea_paths_svg(const alea_paths *paths, const char *title, alea_theme theme,
                           alea_text *out);

#endif
