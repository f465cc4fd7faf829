#ifndef ALEA_DRAW_STRUCTURE_H
#define ALEA_DRAW_STRUCTURE_H

/* Drawings of relational structures: positions of rewriting games.
 *
 * A structure that the rulesheet draws as a board is drawn as a board; the
 * cells show the unary relations that hold of them.  Any other is drawn as a
 * graph: elements are nodes, in the plane if they have labels x and y and
 * otherwise on a circle, and binary relations are arrows.  A structure drawing
 * is made from the rulesheet and reads positions as fluents, like alea_drawing. */

#include "base/status.h"
#include "base/text.h"

typedef struct alea_structure_drawing alea_structure_drawing;

/* NULL if the text is no rulesheet, or if out of memory. */
alea_structure_drawing *alea_structure_drawing_new(const char *rulesheet, alea_mem *mem);
void alea_structure_drawing_free(alea_structure_drawing *drawing); /* NULL is a no-op. */

alea_status alea_structure_text(alea_structure_drawing *drawing, const char *const *fluents,
                                size_t count, bool ascii, alea_text *out);
alea_status alea_structure_svg(alea_structure_drawing *drawing, const char *const *fluents,
                               size_t count, const char *title, alea_text *out);

/* Paths: the places of elements with labels x and y, position by position.
 * alea_paths_svg returns ALEA_NONE if no element has such labels. */
typedef struct alea_paths alea_paths;
alea_paths *alea_paths_new(alea_mem *mem); /* NULL if out of memory. */
void alea_paths_free(alea_paths *paths);
alea_status alea_paths_note(alea_paths *paths, const char *const *fluents, size_t count);
alea_status alea_paths_svg(const alea_paths *paths, const char *title, alea_text *out);

#endif
