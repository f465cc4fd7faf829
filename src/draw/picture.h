#ifndef ALEA_DRAW_PICTURE_H
#define ALEA_DRAW_PICTURE_H

/* The parts of SVG pictures: each can tell its size and be drawn at a place.
 * Internal to src/draw. */

#include "draw/core.h"

/* A position that is being drawn. */
typedef struct alea_svg_picture {
  alea_drawing *drawing;
  alea_layout_view *view;
  alea_canvas *canvas;
} alea_svg_picture;

typedef struct alea_svg_size {
  double width, height;
} alea_svg_size;

/* Draws a position on an empty canvas, whatever the kind of game (draw/svg.c). */
alea_status alea_drawing_put(alea_drawing *d, const char *const *fluents, size_t count,
                             alea_canvas *canvas);

/* Marks of cells (alea_view.marks), by bit. */
enum { ALEA_MARK_LAST = 1, ALEA_MARK_LEGAL = 2 };
/* Marks what changed since the last position and where legal moves go
 * (draw/marks.c). */
alea_status alea_svg_picture_mark(alea_svg_picture *picture);

/* One slice of a board (draw/board_svg.c). */
alea_svg_size alea_board_extent(const alea_svg_picture *picture, const alea_view *board);
alea_status alea_board_svg(alea_svg_picture *picture, uint32_t board, uint32_t slice, double x,
                           double y);

/* The names that a piece carries as attributes; each may be NULL. */
typedef struct alea_names {
  const char *cell, *board, *fluent;
} alea_names;

/* Draws a content around (x, y), scaled (draw/piece_svg.c). */
void alea_piece_svg(alea_svg_picture *picture, alea_symbol content, const alea_look *look, double x,
                    double y, double scale, const alea_names *names);
/* Appends the attributes data-cell, data-board and data-fluent. */
void alea_svg_names(alea_text *out, const alea_names *names);

/* A figure of a shape outside the boards, or a list drawn as things
 * (draw/figure_svg.c, draw/things_svg.c).  A width of 0: there is nothing to
 * draw. */
alea_svg_size alea_figure_extent(const alea_svg_picture *picture, uint32_t shape);
void alea_figure_svg(alea_svg_picture *picture, uint32_t shape, double x, double y);
alea_svg_size alea_things_extent(const alea_svg_picture *picture, uint32_t shape);
void alea_things_svg(alea_svg_picture *picture, uint32_t shape, double x, double y);
/* Whether fluents of this shape are drawn as dice, cards, heaps, pegs, or chips
 * rather than as words. */
bool alea_things_take(const alea_svg_picture *picture, const alea_shape *shape);

#endif
