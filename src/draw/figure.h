#ifndef ALEA_DRAW_FIGURE_H
#define ALEA_DRAW_FIGURE_H

/* Boards that are not a grid of cells, drawn where a rulesheet asks for it:
 *
 *   stacks   men in stacks along a track that goes back and forth in rows, as
 *            on a board for backgammon
 *   track    places along such a track, one content each
 *   group    text by groups; so are dice, cards and discs on pegs in the terminal
 *   lines    lines between the dots of a grid, and contents of the boxes
 *
 * Internal to src/draw. */

#include "draw/core.h"

enum { ALEA_MOST_PLACES = 120, ALEA_MOST_DOTS = 24, ALEA_TALLEST = 5, ALEA_LANE_CONTENT = 5 };

/* Whether fluents of this shape belong to a figure and can be drawn. */
bool alea_figure_takes(const alea_drawing *d, const alea_shape *shape);

typedef struct alea_stack {
  alea_symbol man; /* ALEA_NO_SYMBOL: empty */
  unsigned height;
  const char *fluent;
} alea_stack;

/* The stacks of a shape, one for each place.  The track begins at the lower
 * right, as in backgammon for the player at the lower side. */
typedef struct alea_track {
  const alea_shape *shape;
  const alea_leaf *places;
  alea_stack at[ALEA_MOST_PLACES];
  size_t rows, width;
} alea_track;

void alea_track_read(const alea_drawing *d, const alea_layout_view *view, uint32_t shape,
                     alea_track *t);
/* The place in a column of a row; SIZE_MAX beyond the end of the track. */
size_t alea_track_place(const alea_track *t, size_t row, size_t column);

/* The contents of the places, of all relations of one width. */
typedef struct alea_lane {
  const alea_leaf *places;
  char at[ALEA_MOST_PLACES][ALEA_LANE_CONTENT];
  size_t rows, width;
} alea_lane;

/* False if an earlier shape draws this lane. */
bool alea_lane_read(const alea_drawing *d, const alea_layout_view *view, uint32_t shape,
                    alea_lane *l);
/* Whether the fluents of a shape belong to the lane. */
bool alea_lane_has(const alea_drawing *d, uint32_t shape, const alea_lane *l);
size_t alea_lane_place(const alea_lane *l, size_t row, size_t column);

typedef struct alea_dots {
  const alea_leaf *x, *y;
  size_t columns, rows;
  bool across[ALEA_MOST_DOTS][ALEA_MOST_DOTS]; /* [row][column]: from this dot to the right */
  bool upward[ALEA_MOST_DOTS][ALEA_MOST_DOTS];
  alea_symbol box[ALEA_MOST_DOTS][ALEA_MOST_DOTS];
} alea_dots;

void alea_dots_read(const alea_drawing *d, const alea_layout_view *view, uint32_t shape,
                    alea_dots *g);

/* Append all figures of a position in the terminal. */
alea_status alea_figures_text(alea_drawing *d, const alea_layout_view *view, bool ascii,
                              alea_text *out);

#endif
