/* Boards that are not a grid, as SVG: points for backgammon, pits and tracks,
 * lines between dots. */
#include "draw/figure.h"

#include <math.h>
#include <string.h>

#include "draw/picture.h"

enum { POINT = 34, MAN = 14, RIM = 9, BAR = 22, NUMBERS = 16, PLACE = 58, GAP = 40 };
/* Of a row of points: five men, and room between the rows. */
static const double point_height = 2.0 * MAN * ALEA_TALLEST - 8;
static const double row_height = 2.0 * MAN * ALEA_TALLEST + 14;

static const char *name_of(const alea_svg_picture *p, alea_symbol symbol) {
  return alea_symbols_text(p->drawing->symbols, symbol);
}

static void put_number(alea_text *out, double x, double y, const char *name) {
  alea_svg_words(out, "dim", x, y, 11, ALEA_ANCHOR_MIDDLE, name);
}

/* ---- stacks ---- */

static double track_width(const alea_track *t) {
  size_t gaps = t->shape->gap > 0 ? (t->width - 1) / t->shape->gap : 0;
  return (double)t->width * POINT + (double)gaps * BAR + 2 * RIM;
}

static double track_height(const alea_track *t) {
  return (double)t->rows * row_height + 2 * RIM + 2 * NUMBERS;
}

static double track_x(const alea_track *t, size_t column) {
  size_t gaps = t->shape->gap > 0 ? column / t->shape->gap : 0;
  return RIM + ((double)column + 0.5) * POINT + (double)gaps * BAR;
}

static void put_point(alea_svg_picture *p, const alea_track *t, size_t place, size_t column,
                      double x, double edge, int way) {
  alea_text *ground = &p->canvas->ground;
  alea_text_format(ground, "<path class=\"%s\" d=\"M", column % 2 == 0 ? "pit" : "cell");
  alea_svg_number(ground, x - POINT / 2.0 + 1);
  alea_text_char(ground, ' ');
  alea_svg_number(ground, edge);
  alea_text_format(ground, "h%dl-%d ", POINT - 2, POINT / 2 - 1);
  alea_svg_number(ground, way * point_height);
  alea_text_put(ground, "z\"");
  alea_svg_attribute(ground, "data-cell", name_of(p, t->places->values.data[place]));
  alea_svg_end(ground);
  const alea_stack *stack = &t->at[place];
  if (stack->man == ALEA_NO_SYMBOL) return;
  alea_names names = {name_of(p, t->places->values.data[place]), NULL, stack->fluent};
  alea_ink ink = alea_drawing_ink(p->drawing, stack->man, stack->man);
  unsigned shown = stack->height < ALEA_TALLEST ? stack->height : ALEA_TALLEST;
  for (unsigned i = 0; i < shown; i++) {
    double y = edge + way * (2.0 * i + 1) * MAN;
    alea_glyph_use(p->canvas, &p->canvas->body, ALEA_GLYPH_DISC, ink, x, y, 1);
    alea_svg_names(&p->canvas->body, &names);
    alea_svg_end(&p->canvas->body);
    if (i + 1 < shown || stack->height <= ALEA_TALLEST) continue;
    alea_text_format(&p->canvas->body, "<g class=\"%s\">", alea_ink_name(ink));
    alea_text_put(&p->canvas->body,
                  "<text stroke=\"none\" text-anchor=\"middle\" "
                  "font-size=\"13\" style=\"fill:currentColor\"");
    alea_svg_length(&p->canvas->body, "x", x);
    alea_svg_length(&p->canvas->body, "y", y + 4.5);
    alea_text_format(&p->canvas->body, ">%u</text></g>\n", stack->height);
  }
}

static void put_track(alea_svg_picture *p, const alea_track *t, double x, double y) {
  alea_text *ground = &p->canvas->ground;
  double height = (double)t->rows * row_height + 2 * RIM, width = track_width(t);
  double top = y + NUMBERS;
  alea_svg_rect(ground, "wood", x, top, width, height);
  alea_text_put(ground, " rx=\"5\"");
  alea_svg_end(ground);
  alea_svg_rect(ground, "felt", x + RIM, top + RIM, width - 2 * RIM, height - 2 * RIM);
  alea_svg_end(ground);
  for (size_t c = t->shape->gap; t->shape->gap > 0 && c < t->width; c += t->shape->gap) {
    alea_svg_rect(ground, "wood", x + track_x(t, c) - POINT / 2.0 - BAR, top, BAR, height);
    alea_svg_end(ground);
  }
  for (size_t row = 0; row < t->rows; row++) {
    double above = top + RIM + (double)(t->rows - 1 - row) * row_height;
    bool hangs = row % 2 == 1;
    for (size_t column = 0; column < t->width; column++) {
      size_t place = alea_track_place(t, row, column);
      if (place == SIZE_MAX) continue;
      double centre = x + track_x(t, column);
      put_point(p, t, place, column, centre, hangs ? above : above + row_height, hangs ? 1 : -1);
      bool outside = (hangs && row + 1 == t->rows) || row == 0;
      double number = outside ? (hangs ? top - 4 : top + height + 12) : above + row_height / 2;
      put_number(ground, centre, number, name_of(p, t->places->values.data[place]));
    }
  }
}

/* ---- tracks ---- */

/* Seeds in rings around the middle of a pit. */
static void put_seeds(alea_svg_picture *p, unsigned count, double x, double y,
                      const alea_names *names) {
  enum { MOST = 19 };
  const char *class = alea_canvas_ink(p->canvas, ALEA_INK_WHITE);
  alea_text *out = &p->canvas->body;
  for (unsigned i = 0; i < count && i < MOST; i++) {
    unsigned ring = i == 0 ? 0 : i < 7 ? 1 : 2, first = ring == 1 ? 1 : 7;
    unsigned in_ring = ring == 1 ? 6 : 12,
             seats = count - first < in_ring ? count - first : in_ring;
    double angle = ring == 0 ? 0 : 6.283185 * (i - first) / seats + 0.5;
    double far = 7.2 * ring;
    alea_svg_circle(out, class, x + far * cos(angle), y + far * sin(angle), 3.4);
    alea_svg_names(out, names);
    alea_svg_end(out);
  }
}

static void put_place(alea_svg_picture *p, const alea_lane *l, size_t place, double x, double y) {
  const char *name = name_of(p, l->places->values.data[place]);
  double drop = 0;
  for (size_t i = 0; i < p->view->figures.count; i++) {
    const alea_flat *flat = &p->view->figures.data[i];
    const alea_shape *shape = &p->drawing->shapes.data[flat->shape];
    if (!alea_lane_has(p->drawing, flat->shape, l)) continue;
    if (alea_leaf_index(l->places, flat->leaves[shape->column]) != place) continue;
    alea_names names = {name, NULL, flat->fluent};
    unsigned count;
    alea_symbol value = flat->leaf_count > 1 ? flat->leaves[shape->column == 0] : shape->name;
    if (alea_drawing_number(p->drawing, value, &count)) {
      put_seeds(p, count, x, y, &names);
      char digits[8];
      alea_text *out = &p->canvas->body;
      strncpy(digits, name_of(p, value), sizeof digits - 1);
      digits[sizeof digits - 1] = '\0';
      alea_svg_words(out, "pip", x + 21, y - 17, 12, ALEA_ANCHOR_MIDDLE, digits);
    } else {
      alea_look look = alea_drawing_look_on(p->drawing, shape, value);
      alea_piece_svg(p, value, &look, x + drop, y + drop, drop == 0 ? 0.8 : 0.6, &names);
      drop += 8;
    }
  }
}

/* Whether the places hold numbers, as pits hold seeds. */
static bool holds_numbers(const alea_svg_picture *p, const alea_lane *l) {
  for (uint32_t i = 0; i < p->drawing->shapes.count; i++) {
    const alea_shape *shape = &p->drawing->shapes.data[i];
    unsigned count;
    if (!alea_lane_has(p->drawing, i, l) || shape->leaf_count < 2) continue;
    const alea_leaf *values = &shape->leaves[shape->column == 0];
    if (values->values.count > 0 && alea_drawing_number(p->drawing, values->values.data[0], &count))
      return true;
  }
  return false;
}

static void put_lane(alea_svg_picture *p, const alea_lane *l, double x, double y) {
  alea_text *ground = &p->canvas->ground;
  bool pits = holds_numbers(p, l);
  double width = (double)l->width * PLACE, height = (double)l->rows * PLACE;
  double top = y + (l->rows == 2 ? NUMBERS : 0);
  alea_svg_rect(ground, pits ? "wood" : "floor", x, top, width + 2 * RIM, height + 2 * RIM);
  alea_text_format(ground, " rx=\"%d\"", pits ? 24 : 6);
  alea_svg_end(ground);
  for (size_t row = 0; row < l->rows; row++) {
    double cy = top + RIM + ((double)(l->rows - 1 - row) + 0.5) * PLACE;
    for (size_t column = 0; column < l->width; column++) {
      size_t place = alea_lane_place(l, row, column);
      if (place == SIZE_MAX) continue;
      double cx = x + RIM + ((double)column + 0.5) * PLACE;
      if (pits) {
        alea_svg_circle(ground, "pit", cx, cy, 21);
      } else {
        alea_svg_rect(ground, "cell", cx - 22, cy - 22, 44, 44);
        alea_text_put(ground, " rx=\"6\"");
      }
      const char *name = name_of(p, l->places->values.data[place]);
      alea_svg_attribute(ground, "data-cell", name);
      alea_svg_end(ground);
      bool above = l->rows == 2 && row == 1;
      bool shown = above || row == 0;
      if (shown) put_number(ground, cx, above ? top - 5 : top + height + 2 * RIM + 13, name);
      put_place(p, l, place, cx, cy);
    }
  }
}

/* ---- lines ---- */

static void put_segment(alea_svg_picture *p, const alea_dots *g, const double at[4],
                        const size_t dots[4], bool drawn) {
  alea_text *out = drawn ? &p->canvas->body : &p->canvas->ground;
  alea_svg_line(out, drawn ? "drawn" : "edge", at[0], at[1], at[2], at[3]);
  alea_text_format(out, " data-cell=\"");
  for (size_t i = 0; i < 4; i++) {
    if (i > 0) alea_text_char(out, ' ');
    alea_svg_escape(out, name_of(p, (i % 2 == 0 ? g->x : g->y)->values.data[dots[i]]));
  }
  alea_text_char(out, '"');
  alea_svg_end(out);
}

static void put_box(alea_svg_picture *p, const alea_dots *g, size_t x, size_t y, double at_x,
                    double at_y) {
  alea_symbol owner = g->box[y][x];
  if (owner == ALEA_NO_SYMBOL) return;
  alea_ink ink = alea_drawing_ink(p->drawing, owner, owner);
  alea_svg_rect(&p->canvas->body, alea_canvas_ink(p->canvas, ink), at_x + 5, at_y - GAP + 5,
                GAP - 10, GAP - 10);
  alea_text_put(&p->canvas->body, " rx=\"3\"");
  alea_svg_end(&p->canvas->body);
}

static void put_dots(alea_svg_picture *p, const alea_dots *g, double left, double top) {
  double bottom = top + 6 + (double)(g->rows - 1) * GAP;
  for (size_t y = 0; y < g->rows; y++) {
    double at_y = bottom - (double)y * GAP;
    alea_svg_words(&p->canvas->ground, "dim", left + 10, at_y + 4, 11, ALEA_ANCHOR_END,
                   name_of(p, g->y->values.data[y]));
    for (size_t x = 0; x < g->columns; x++) {
      double at_x = left + 22 + (double)x * GAP;
      put_box(p, g, x, y, at_x, at_y);
      if (x + 1 < g->columns)
        put_segment(p, g, (double[]){at_x, at_y, at_x + GAP, at_y}, (size_t[]){x, y, x + 1, y},
                    g->across[y][x]);
      if (y + 1 < g->rows)
        put_segment(p, g, (double[]){at_x, at_y, at_x, at_y - GAP}, (size_t[]){x, y, x, y + 1},
                    g->upward[y][x]);
    }
  }
  for (size_t i = 0; i < g->rows * g->columns; i++) {
    alea_svg_circle(&p->canvas->body, "ink", left + 22 + (double)(i % g->columns) * GAP,
                    bottom - (double)(i / g->columns) * GAP, 4.5);
    alea_svg_end(&p->canvas->body);
  }
  for (size_t x = 0; x < g->columns; x++)
    put_number(&p->canvas->ground, left + 22 + (double)x * GAP, bottom + 22,
               name_of(p, g->x->values.data[x]));
}

/* ---- all of them ---- */

alea_svg_size alea_figure_extent(const alea_svg_picture *p, uint32_t index) {
  const alea_shape *shape = &p->drawing->shapes.data[index];
  if (!alea_figure_takes(p->drawing, shape)) return (alea_svg_size){0, 0};
  if (shape->hint == ALEA_HINT_STACKS) {
    alea_track t;
    alea_track_read(p->drawing, p->view, index, &t);
    return (alea_svg_size){track_width(&t), track_height(&t)};
  }
  if (shape->hint == ALEA_HINT_TRACK) {
    alea_lane l;
    if (!alea_lane_read(p->drawing, p->view, index, &l)) return (alea_svg_size){0, 0};
    double names = l.rows == 2 ? 2 * NUMBERS : NUMBERS;
    return (alea_svg_size){(double)l.width * PLACE + 2 * RIM,
                           (double)l.rows * PLACE + 2 * RIM + names};
  }
  if (shape->hint == ALEA_HINT_LINES) {
    alea_dots g;
    alea_dots_read(p->drawing, p->view, index, &g);
    return (alea_svg_size){30 + (double)(g.columns - 1) * GAP, 34 + (double)(g.rows - 1) * GAP};
  }
  return (alea_svg_size){0, 0};
}

void alea_figure_svg(alea_svg_picture *p, uint32_t index, double x, double y) {
  const alea_shape *shape = &p->drawing->shapes.data[index];
  if (shape->hint == ALEA_HINT_STACKS) {
    alea_track t;
    alea_track_read(p->drawing, p->view, index, &t);
    put_track(p, &t, x, y);
  } else if (shape->hint == ALEA_HINT_TRACK) {
    alea_lane l;
    if (alea_lane_read(p->drawing, p->view, index, &l)) put_lane(p, &l, x, y);
  } else if (shape->hint == ALEA_HINT_LINES) {
    alea_dots g;
    alea_dots_read(p->drawing, p->view, index, &g);
    put_dots(p, &g, x, y);
  }
}
