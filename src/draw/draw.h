#ifndef ALEA_DRAW_DRAW_H
#define ALEA_DRAW_DRAW_H

/* Draws positions of any game, without knowledge of it.
 *
 * A drawing first learns: it is shown a few positions and looks for fluents
 * that lie on a grid, i.e. have two arguments that are ranges (numbers,
 * letters, a successor chain of the rules) and at most one content in each cell
 * of each position; and for fluents that form a list, one range argument and a
 * value for it.  After alea_drawing_settle it draws: boards for the first,
 * tables for the second, and everything else as text.
 *
 * Fluents are given as canonical text (alea_listing).  A drawing belongs to one
 * thread and owns what it learned. */

#include "base/status.h"
#include "base/text.h"

struct alea_program;
typedef struct alea_drawing alea_drawing;

/* NULL if out of memory. */
alea_drawing *alea_drawing_new(alea_mem *mem);
void alea_drawing_free(alea_drawing *drawing); /* NULL is a no-op. */

/* From now on draws positions of the rewriting game with this rulesheet as
 * structures (draw/structure.h); no learning is needed. */
alea_status alea_drawing_use_structure(alea_drawing *drawing, const char *rulesheet);
/* Learns from one more position of the game. */
alea_status alea_drawing_learn(alea_drawing *drawing, const char *const *fluents, size_t count);
/* A fluent that may hold in some position: widens the ranges. */
alea_status alea_drawing_learn_possible(alea_drawing *drawing, const char *fluent);
/* Learns the order of names from the binary facts of a rulesheet, such as (succ
 * one two) (succ two three). */
alea_status alea_drawing_learn_order(alea_drawing *drawing, const struct alea_program *program);
/* Applies the hints of a rulesheet (`;; draw:` in its header), one per relation,
 * separated by commas:
 *
 *   hide held          is not shown
 *   text dice          is text even where it looks like a board
 *   grid at 2 3        is a board: columns are argument 2, rows argument 3
 *   grid peg 2 3 1     ... one board for each value of argument 1
 *   stacks men 1 12 6  stacks along a track: argument 1 is the place, 12 per row
 *                      with a gap after 6; a numeric argument is the height
 *   track seeds 1 6    places in rows of 6 from the lower left, back and forth, with
 *                      their contents; relations of one width share a track
 *   group open 1       text, grouped by argument 1: `open ann: x y`
 *   lines line box     (line x1 y1 x2 y2) is a line between dots, (box x y ...)
 *                      fills the box whose lower left dot is x y
 *
 * Malformed hints are ignored: a drawing is never an error. */
alea_status alea_drawing_hint(alea_drawing *drawing, const char *hints);
/* Ends the learning. */
alea_status alea_drawing_settle(alea_drawing *drawing);

/* Which abbreviations to explain below a board. */
typedef enum alea_legend {
  ALEA_LEGEND_ALL,
  ALEA_LEGEND_NEW, /* those that no drawing has explained yet */
} alea_legend;

/* Appends the position in box-drawing characters, or in plain ASCII. */
alea_status alea_drawing_text(alea_drawing *drawing, const char *const *fluents, size_t count,
                              bool ascii, alea_legend legend, alea_text *out);
/* Cells about which nothing is known but that one of these fluents may hold are
 * drawn with a question mark from now on.  Borrowed; a count of 0 ends it. */
void alea_drawing_possible(alea_drawing *drawing, const char *const *fluents, size_t count);
/* Text from now on: cells that have a tint are shown in bold colour, by the
 * escape sequences of terminals. */
void alea_drawing_colour_text(alea_drawing *drawing, bool colour);
/* Text from now on: lines of fluents and legends are broken at so many columns. */
void alea_drawing_width(alea_drawing *drawing, uint32_t columns);
/* Tints cells from now on: tints[i] is 1 + the class of fluent i of the drawn
 * position, 0: no tint.  Borrowed; NULL ends it. */
void alea_drawing_tint(alea_drawing *drawing, const uint32_t *tints);
/* Appends the position as an SVG document. */
alea_status alea_drawing_svg(alea_drawing *drawing, const char *const *fluents, size_t count,
                             const char *title, alea_text *out);

/* The number of boards found. */
size_t alea_drawing_boards(const alea_drawing *drawing);

#endif
