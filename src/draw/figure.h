#ifndef ALEA_DRAW_FIGURE_H
#define ALEA_DRAW_FIGURE_H

/* Boards that are not a grid of cells, drawn where a rulesheet asks for it:
 *
 *   stacks   men in stacks along a track that goes back and forth in rows, as
 *            on a board for backgammon
 *   track    places along such a track, one content each
 *   group    text by groups
 *   lines    lines between the dots of a grid, and contents of the boxes
 *
 * Internal to src/draw. */

#include "draw/core.h"

/* Whether fluents of this shape belong to a figure and can be drawn. */
bool alea_figure_takes(const alea_drawing *d, const alea_shape *shape);

/* Append all figures of a position, in the terminal or as parts of an SVG
 * document; 'top' moves down and 'width' grows. */
alea_status alea_figures_text(alea_drawing *d, const alea_layout_view *view, bool ascii,
                              alea_text *out);
alea_status alea_figures_svg(alea_drawing *d, const alea_layout_view *view, long *top, long *width,
                             alea_text *out);

#endif
