/* Boards as SVG: squares, hexagons, points, frames for discs, tiles, mazes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/picture.h"

enum { CELL = 40, COORDINATE = 12, EDGE = 7 };
static const double hex_row = 34.64; /* CELL * sqrt(3) / 2 */

/* Where the cells of a board are: the centre of column c, row r is at (x + c CELL + r lean,
 * y - r step); 'step' is negative on boards that are flipped. */
typedef struct board_frame {
  const alea_view *view;
  const alea_board *board;
  double x, y, step, lean;
  double left, top, right, bottom; /* around the cells */
  bool hex;
  bool inside;  /* the names of cells are written in them */
  double names; /* width of the names of rows */
} board_frame;

static size_t kind_index(const board_frame *f, uint32_t c, uint32_t r) {
  return (size_t)r * f->view->column_count + c;
}

static alea_cell_kind kind_at(const board_frame *f, uint32_t c, uint32_t r) {
  size_t index = kind_index(f, c, r);
  return index < f->board->kind_count ? (alea_cell_kind)f->board->kinds[index] : ALEA_CELL_INSIDE;
}

static bool is_shown(const board_frame *f, uint32_t c, uint32_t r) {
  alea_cell_kind kind = kind_at(f, c, r);
  return kind == ALEA_CELL_INSIDE || (kind == ALEA_CELL_WALL && !f->hex);
}

static double centre_x(const board_frame *f, uint32_t c, uint32_t r) {
  return f->x + (double)c * CELL + (double)r * f->lean;
}

static double centre_y(const board_frame *f, uint32_t r) { return f->y - (double)r * f->step; }

static double names_width(const alea_drawing *d, const alea_leaf *leaf) {
  double widest = 0;
  for (size_t i = 0; i < leaf->values.count; i++)
    widest = fmax(widest, alea_svg_words_width(alea_symbols_text(d->symbols, leaf->values.data[i]),
                                               COORDINATE));
  return fmin(widest, 60);
}

/* A board whose outermost cells are at 'left' and 'top'. */
static board_frame make_frame(const alea_svg_picture *p, const alea_view *view, double left,
                              double top) {
  const alea_board *board = view->board;
  board_frame f = {.view = view, .board = board, .step = CELL};
  f.hex = board->cells == ALEA_CELLS_HEX || board->cells == ALEA_CELLS_SLANTED;
  if (f.hex) f.step = hex_row;
  if (f.hex) f.lean = board->cells == ALEA_CELLS_HEX ? CELL / 2.0 : -CELL / 2.0;
  if (board->flip) f.step = -f.step;
  double low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY;
  for (uint32_t r = 0; r < view->row_count; r++) {
    for (uint32_t c = 0; c < view->column_count; c++) {
      if (!is_shown(&f, c, r)) continue;
      low_x = fmin(low_x, centre_x(&f, c, r)), high_x = fmax(high_x, centre_x(&f, c, r));
      low_y = fmin(low_y, centre_y(&f, r)), high_y = fmax(high_y, centre_y(&f, r));
    }
  }
  double half_height = f.hex ? 23.1 : CELL / 2.0;
  f.inside = f.hex && board->kind_count > 0 &&
             memchr(board->kinds, ALEA_CELL_OUTSIDE, board->kind_count) != NULL;
  f.names = f.inside ? 0 : ceil(names_width(p->drawing, view->rows));
  f.left = left + f.names + 2 * EDGE;
  f.top = top + EDGE;
  f.right = f.left + high_x - low_x + CELL;
  f.bottom = f.top + high_y - low_y + 2 * half_height;
  f.x = f.left + CELL / 2.0 - low_x;
  f.y = f.top + half_height - low_y;
  return f;
}

alea_svg_size alea_board_extent(const alea_svg_picture *p, const alea_view *view) {
  board_frame f = make_frame(p, view, 0, 0);
  double title = view->slices != NULL && !view->board->merge ? 20 : 0;
  return (alea_svg_size){f.right + EDGE, f.bottom + COORDINATE + EDGE + 4 + title};
}

/* ---- names of cells ---- */

/* The coordinates in the order of the relation's arguments. */
static const char *cell_name(alea_svg_picture *p, const board_frame *f, uint32_t c, uint32_t r) {
  alea_drawing *d = p->drawing;
  const alea_shape *shape = &d->shapes.data[f->board->shape];
  const char *column = alea_symbols_text(d->symbols, f->view->columns->values.data[c]);
  const char *row = alea_symbols_text(d->symbols, f->view->rows->values.data[r]);
  bool swapped = shape->row < shape->column;
  bool joined = alea_drawing_joins(d, shape);
  alea_text_truncate(&d->scratch, 0);
  alea_text_format(&d->scratch, joined ? "%s%s" : "%s %s", swapped ? row : column,
                   swapped ? column : row);
  return alea_text_string(&d->scratch);
}

/* What tells boards apart; NULL on the first. */
static const char *board_name(const alea_svg_picture *p, const alea_view *view, uint32_t slice) {
  const alea_drawing *d = p->drawing;
  if (view->slices != NULL && !view->board->merge)
    return alea_symbols_text(d->symbols, view->slices->values.data[slice]);
  if (view->board == d->boards.data) return NULL;
  return alea_symbols_text(d->symbols, d->shapes.data[view->board->shape].name);
}

/* A star or another figure of hexagons has no edge to write along: each cell has
 * its name in it. */
static void put_names_inside(alea_svg_picture *p, const board_frame *f) {
  const alea_drawing *d = p->drawing;
  for (uint32_t r = 0; r < f->view->row_count; r++) {
    for (uint32_t c = 0; c < f->view->column_count; c++) {
      if (!is_shown(f, c, r)) continue;
      char name[16];
      snprintf(name, sizeof name, "%.7s%.7s",
               alea_symbols_text(d->symbols, f->view->columns->values.data[c]),
               alea_symbols_text(d->symbols, f->view->rows->values.data[r]));
      alea_svg_words(&p->canvas->ground, "faint", centre_x(f, c, r), centre_y(f, r) + 3.5, 10,
                     ALEA_ANCHOR_MIDDLE, name);
    }
  }
}

static void put_coordinates(alea_svg_picture *p, const board_frame *f) {
  const alea_drawing *d = p->drawing;
  alea_text *out = &p->canvas->ground;
  if (f->inside) {
    put_names_inside(p, f);
    return;
  }
  for (uint32_t r = 0; r < f->view->row_count; r++) {
    uint32_t c = 0;
    while (c < f->view->column_count && !is_shown(f, c, r)) c++;
    if (c == f->view->column_count) continue;
    double x = f->hex ? centre_x(f, c, r) - CELL / 2.0 - EDGE : f->left - EDGE;
    alea_svg_words(out, "dim", x, centre_y(f, r) + COORDINATE * 0.35, COORDINATE, ALEA_ANCHOR_END,
                   alea_symbols_text(d->symbols, f->view->rows->values.data[r]));
  }
  for (uint32_t c = 0; c < f->view->column_count; c++) {
    uint32_t r = 0, last = f->view->row_count - 1;
    while (r < last && !is_shown(f, c, f->board->flip ? last - r : r)) r++;
    uint32_t lowest = f->board->flip ? last - r : r;
    double lean = f->lean == 0 ? 0 : (f->lean > 0) == !f->board->flip ? -13 : 13;
    double y = f->hex ? centre_y(f, lowest) + 32 : f->bottom + COORDINATE + 4;
    const char *name = alea_symbols_text(d->symbols, f->view->columns->values.data[c]);
    bool fits = alea_svg_words_width(name, COORDINATE) < CELL + 4;
    alea_svg_words(out, "dim", centre_x(f, c, lowest) + lean, y, fits ? COORDINATE : 8,
                   ALEA_ANCHOR_MIDDLE, name);
  }
}

/* ---- cells ---- */

/* Cells of one class of a symmetry. */
static const char *const tint_classes[] = {"t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"};

static const char *cell_class(const board_frame *f, uint32_t c, uint32_t r, size_t cell) {
  uint32_t tint = f->view->tints[cell];
  if (tint != 0) return tint_classes[(tint - 1) % 8];
  if (kind_at(f, c, r) == ALEA_CELL_WALL) return "wall";
  switch (f->board->cells) {
    case ALEA_CELLS_CHEQUERED: return (r + c) % 2 == 0 ? "shade" : "cell";
    case ALEA_CELLS_FLOOR: return "floor";
    case ALEA_CELLS_FELT: return "felt";
    case ALEA_CELLS_FRAME: return "hole";
    case ALEA_CELLS_POINTS: return "hit";
    default: return "cell";
  }
}

static void put_hexagon(alea_text *out, const char *class, double x, double y) {
  alea_text_format(out, "<path class=\"%s\" d=\"M", class);
  alea_svg_number(out, x);
  alea_text_char(out, ' ');
  alea_svg_number(out, y - 23.1);
  alea_text_put(out, "l20 11.5v23.1l-20 11.5l-20-11.5v-23.1z\"");
}

static void put_cell(alea_svg_picture *p, const board_frame *f, uint32_t c, uint32_t r, size_t cell,
                     const char *board) {
  alea_text *out = &p->canvas->ground;
  const char *class = cell_class(f, c, r, cell);
  double x = centre_x(f, c, r), y = centre_y(f, r);
  if (f->hex) {
    put_hexagon(out, class, x, y);
  } else if (f->board->cells == ALEA_CELLS_FRAME) {
    alea_svg_circle(out, class, x, y, 16);
  } else {
    alea_svg_rect(out, class, x - CELL / 2.0, y - CELL / 2.0, CELL, CELL);
  }
  bool inside = kind_at(f, c, r) == ALEA_CELL_INSIDE;
  if (inside) alea_svg_names(out, &(alea_names){cell_name(p, f, c, r), board, NULL});
  alea_svg_end(out);
}

/* Lines through the centres of the cells, and dots as on a board for Go. */
static void put_points(alea_svg_picture *p, const board_frame *f) {
  alea_text *out = &p->canvas->ground;
  uint32_t columns = f->view->column_count, rows = f->view->row_count;
  alea_svg_rect(out, "wood", f->left - 2, f->top - 2, f->right - f->left + 4,
                f->bottom - f->top + 4);
  alea_text_put(out, " rx=\"3\"");
  alea_svg_end(out);
  alea_text_put(out, "<path class=\"line\" d=\"");
  for (uint32_t r = 0; r < rows; r++)
    alea_text_format(out, "M%.0f %.0fh%d", centre_x(f, 0, r), centre_y(f, r),
                     (int)(columns - 1) * CELL);
  for (uint32_t c = 0; c < columns; c++)
    alea_text_format(out, "M%.0f %.0fv%d", centre_x(f, c, 0),
                     fmin(centre_y(f, 0), centre_y(f, rows - 1)), (int)(rows - 1) * CELL);
  alea_text_put(out, "\"/>\n");
  if (columns < 7 || rows < 7 || columns % 2 == 0 || rows % 2 == 0) return;
  uint32_t inset = columns < 12 ? 2 : 3;
  for (uint32_t i = 0; i < 5; i++) {
    uint32_t c = i == 4 ? columns / 2 : i % 2 == 0 ? inset : columns - 1 - inset;
    uint32_t r = i == 4 ? rows / 2 : i / 2 == 0 ? inset : rows - 1 - inset;
    alea_svg_circle(out, "spot", centre_x(f, c, r), centre_y(f, r), 3.5);
    alea_svg_end(out);
  }
}

/* What lies below the cells. */
static void put_base(alea_svg_picture *p, const board_frame *f) {
  alea_text *out = &p->canvas->ground;
  if (f->board->cells == ALEA_CELLS_POINTS) put_points(p, f);
  if (f->board->cells != ALEA_CELLS_FRAME) return;
  alea_svg_rect(out, "frame", f->left - 3, f->top - 3, f->right - f->left + 6,
                f->bottom - f->top + 6);
  alea_text_put(out, " rx=\"8\"");
  alea_svg_end(out);
}

/* The bold lines between the blocks of a sudoku. */
static void put_block_lines(alea_svg_picture *p, const board_frame *f) {
  if (f->board->cells != ALEA_CELLS_BLOCKS) return;
  double side = (double)f->board->block * CELL;
  alea_text_put(&p->canvas->ground, "<path class=\"bold\" d=\"");
  for (double at = f->left; at <= f->right + 1; at += side)
    alea_text_format(&p->canvas->ground, "M%.1f %.1fV%.1f", at, f->top - 1, f->bottom + 1);
  for (double at = f->top; at <= f->bottom + 1; at += side)
    alea_text_format(&p->canvas->ground, "M%.1f %.1fH%.1f", f->left - 1, at, f->right + 1);
  alea_text_put(&p->canvas->ground, "\"/>\n");
}

/* ---- what lies on the cells ---- */

static void put_marks(alea_svg_picture *p, const board_frame *f, uint32_t c, uint32_t r,
                      size_t cell) {
  alea_text *out = &p->canvas->body;
  double x = centre_x(f, c, r), y = centre_y(f, r);
  if ((f->view->marks[cell] & ALEA_MARK_LAST) != 0) {
    if (f->hex) {
      put_hexagon(out, "last", x, y);
    } else if (f->board->cells == ALEA_CELLS_FRAME) {
      alea_svg_circle(out, "last", x, y, 19);
    } else {
      double side = CELL - 3; /* its outline stays within the cell */
      alea_svg_rect(out, "last", x - side / 2, y - side / 2, side, side);
    }
    alea_svg_end(out);
  }
}

/* A dot, or a ring around what would be taken. */
static void put_legal(alea_svg_picture *p, const board_frame *f, uint32_t c, uint32_t r,
                      size_t cell) {
  if ((f->view->marks[cell] & ALEA_MARK_LEGAL) == 0) return;
  bool taken = f->view->cells[cell] != ALEA_NO_SYMBOL;
  alea_svg_circle(&p->canvas->body, taken ? "taken" : "legal", centre_x(f, c, r), centre_y(f, r),
                  taken ? 17.5 : 5.5);
  alea_text_put(&p->canvas->body, " pointer-events=\"none\"");
  alea_svg_end(&p->canvas->body);
}

/* A numbered tile of a sliding puzzle. */
static void put_tile(alea_svg_picture *p, const board_frame *f, double x, double y) {
  if (f->board->cells != ALEA_CELLS_TILES) return;
  alea_svg_rect(&p->canvas->body, "wood", x - 18, y - 18, 36, 36);
  alea_text_put(&p->canvas->body, " rx=\"4\"");
  alea_svg_end(&p->canvas->body);
}

/* Whether something placed belongs to a cell of this slice of the board, or of a
 * board that lies upon it. */
static bool is_here(const alea_svg_picture *p, const board_frame *f, const alea_placed *placed,
                    size_t cell) {
  const alea_board *boards = p->drawing->boards.data;
  uint32_t number = (uint32_t)(f->board - boards);
  size_t at = placed->cell;
  if (f->board->merge) at %= (size_t)f->view->row_count * f->view->column_count;
  return at == cell && (placed->board == number || boards[placed->board].below == number);
}

/* Below, in and above the middle of a cell; those in the middle share it. */
typedef enum board_level { LEVEL_GROUND, LEVEL_STANDING, LEVEL_ABOVE } board_level;

static board_level level_of(const alea_look *look) {
  if (look->quarto > 0) return LEVEL_STANDING;
  if (alea_glyph_is_ground(look->glyph)) return LEVEL_GROUND;
  return look->glyph == ALEA_GLYPH_SPLASH ? LEVEL_ABOVE : LEVEL_STANDING;
}

/* What something placed looks like on this board. */
static alea_look look_of(const alea_svg_picture *p, const board_frame *f,
                         const alea_placed *placed) {
  const alea_shape *shape = &p->drawing->shapes.data[placed->shape];
  alea_look look = alea_drawing_look_on(p->drawing, shape, placed->content);
  if (f->board->merge && f->view->slices != NULL) {
    size_t slice = placed->cell / ((size_t)f->view->row_count * f->view->column_count);
    alea_symbol owner = f->view->slices->values.data[slice];
    look.ink = alea_drawing_ink(p->drawing, owner, slice);
    if (look.glyph == ALEA_GLYPH_COUNT) look.glyph = ALEA_GLYPH_DISC;
  }
  if (look.glyph == ALEA_GLYPH_DISC && f->board->cells == ALEA_CELLS_POINTS)
    look.glyph = ALEA_GLYPH_STONE;
  return look;
}

static void put_one(alea_svg_picture *p, const board_frame *f, const alea_placed *placed,
                    const alea_look *look, const double at[3], const alea_names *names) {
  put_tile(p, f, at[0], at[1]);
  bool framed = look->glyph == ALEA_GLYPH_DISC && f->board->cells == ALEA_CELLS_FRAME;
  alea_piece_svg(p, placed->content, look, at[0], at[1], framed ? 1.1 * at[2] : at[2], names);
}

/* Puts the contents of one level; those that stand share the cell among 'sharing'. */
static size_t put_level(alea_svg_picture *p, const board_frame *f, uint32_t c, uint32_t r,
                        size_t cell, const char *board, board_level level, size_t sharing) {
  size_t number = 0;
  for (size_t i = 0; i < p->view->placed.count; i++) {
    const alea_placed *placed = &p->view->placed.data[i];
    if (!is_here(p, f, placed, cell)) continue;
    alea_look look = look_of(p, f, placed);
    if (level_of(&look) != level) continue;
    number++;
    if (sharing == 0) continue; /* they are counted */
    double dx = sharing == 1 ? 0 : number % 2 == 1 ? -9 : 9;
    double dy = sharing <= 2 ? dx * 0.7 : (number - 1) / 2 % 2 == 0 ? -9 : 9;
    double scale = sharing == 1 ? 1 : sharing == 2 ? 0.62 : 0.48;
    alea_names names = {cell_name(p, f, c, r), board, placed->fluent};
    put_one(p, f, placed, &look, (double[]){centre_x(f, c, r) + dx, centre_y(f, r) + dy, scale},
            &names);
  }
  return number;
}

static void put_contents(alea_svg_picture *p, const board_frame *f, uint32_t c, uint32_t r,
                         size_t cell, const char *board) {
  size_t standing = put_level(p, f, c, r, cell, board, LEVEL_STANDING, 0);
  put_level(p, f, c, r, cell, board, LEVEL_GROUND, 1);
  if (standing > 0) put_level(p, f, c, r, cell, board, LEVEL_STANDING, standing);
  put_level(p, f, c, r, cell, board, LEVEL_ABOVE, 1);
}

alea_status alea_board_svg(alea_svg_picture *p, uint32_t number, uint32_t slice, double x,
                           double y) {
  const alea_view *view = &p->view->boards.data[number];
  const char *board = board_name(p, view, slice);
  if (view->slices != NULL && !view->board->merge) {
    alea_svg_words(&p->canvas->ground, "dim", x + EDGE, y + 13, 13, ALEA_ANCHOR_START, board);
    y += 20;
  }
  board_frame f = make_frame(p, view, x, y);
  put_base(p, &f);
  for (uint32_t r = 0; r < view->row_count; r++) {
    for (uint32_t c = 0; c < view->column_count; c++) {
      if (!is_shown(&f, c, r)) continue;
      size_t cell = ((size_t)slice * view->row_count + r) * view->column_count + c;
      put_cell(p, &f, c, r, cell, board);
      put_marks(p, &f, c, r, cell);
      put_contents(p, &f, c, r, cell, board);
      put_legal(p, &f, c, r, cell);
    }
  }
  put_block_lines(p, &f);
  put_coordinates(p, &f);
  return p->canvas->body.failed || p->canvas->ground.failed ? ALEA_SYSTEM : ALEA_OK;
}
