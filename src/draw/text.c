/* Draws a position in the terminal. */
#include <string.h>

#include "draw/core.h"
#include "draw/figure.h"
#include "draw/structure.h"

/* The characters of a board, in Unicode or ASCII. */
typedef struct charset {
  const char *horizontal, *vertical, *corners[4], *dot, *wall;
} charset;

static const charset box = {"─", "│", {"┌", "┐", "└", "┘"}, "·", "▒"};
static const charset plain = {"-", "|", {"+", "+", "+", "+"}, ".", "#"};

static void pad(alea_text *out, size_t count) {
  for (size_t i = 0; i < count; i++) alea_text_char(out, ' ');
}

static void right_aligned(alea_text *out, const char *text, size_t length, size_t width) {
  if (width > length) pad(out, width - length);
  alea_text_put(out, text);
}

static const char *name_of(const alea_drawing *d, alea_symbol symbol) {
  return alea_symbols_text(d->symbols, symbol);
}

static size_t widest_name(const alea_drawing *d, const alea_leaf *leaf) {
  size_t width = 0;
  for (size_t i = 0; i < leaf->values.count; i++) {
    size_t length = strlen(name_of(d, leaf->values.data[i]));
    if (length > width) width = length;
  }
  return width;
}

static bool is_hex(const alea_board *board) {
  return board->cells == ALEA_CELLS_HEX || board->cells == ALEA_CELLS_SLANTED;
}

/* The columns of a cell: those of its widest content, and of the columns' names where there is
 * room for them; 'more' columns stand beside the cells. */
static size_t cell_width(const alea_drawing *d, const alea_view *board, size_t more) {
  size_t names = widest_name(d, board->columns), width = 1;
  if (names > 4) names = 4;
  for (size_t i = 0; i < board->cell_count; i++) {
    if (board->cells[i] == ALEA_NO_SYMBOL) continue;
    size_t length = strlen(alea_drawing_label(d, board->cells[i]));
    if (length > width) width = length;
  }
  bool fits = more + board->column_count * (names + 1) <= d->width;
  return fits && names > width ? names : width;
}

static void frame(alea_text *out, const charset *set, size_t indent, size_t width, bool top) {
  pad(out, indent + 1);
  alea_text_put(out, set->corners[top ? 0 : 2]);
  for (size_t i = 0; i < width; i++) alea_text_put(out, set->horizontal);
  alea_text_put(out, set->corners[top ? 1 : 3]);
  alea_text_char(out, '\n');
}

/* What stands for a cell without contents; nothing outside the board. */
static const char *empty_cell(const alea_view *board, size_t index, const charset *set) {
  size_t cell = index % ((size_t)board->row_count * board->column_count);
  if (cell >= board->board->kind_count) return set->dot;
  switch ((alea_cell_kind)board->board->kinds[cell]) {
    case ALEA_CELL_OUTSIDE: return " ";
    case ALEA_CELL_WALL: return is_hex(board->board) ? " " : set->wall;
    case ALEA_CELL_INSIDE: break;
  }
  return set->dot;
}

/* What stands before the cell at 'index', or after the 'last' of a row, which is the one before
 * it: the mark of something else on a cell, or a bracket. */
static char between(const alea_drawing *d, const alea_view *board, size_t index, bool first,
                    bool last) {
  if (!first && board->marked[index - 1]) return '*';
  if (!last && d->brackets && board->tints[index] != 0) return '[';
  return !first && d->brackets && board->tints[index - 1] != 0 ? ']' : ' ';
}

/* A cell after what is between it and the one before. */
static void cell(alea_text *out, const alea_drawing *d, const alea_view *board, size_t index,
                 const charset *set, size_t width) {
  alea_text_char(out, between(d, board, index, index % board->column_count == 0, false));
  bool colour = d->colour && board->tints[index] != 0;
  if (colour) alea_text_put(out, "\033[1;33m");
  if (board->cells[index] == ALEA_NO_SYMBOL) {
    right_aligned(out, empty_cell(board, index, set), 1, width);
  } else {
    const char *label = alea_drawing_label(d, board->cells[index]);
    right_aligned(out, label, strlen(label), width);
  }
  if (colour) alea_text_put(out, "\033[0m");
}

/* The cells of a row, the rows of all slices being counted, and what stands after the last. */
static void row_cells(alea_text *out, const alea_drawing *d, const alea_view *board, uint32_t row,
                      const charset *set, size_t width) {
  size_t first = (size_t)row * board->column_count, end = first + board->column_count;
  for (size_t index = first; index < end; index++) cell(out, d, board, index, set, width);
  alea_text_char(out, between(d, board, end, false, true));
}

/* The names of the columns; of those that are too long the beginning, and of numbers the end. */
static void column_names(alea_text *out, const alea_drawing *d, const alea_view *board,
                         size_t width) {
  for (uint32_t j = 0; j < board->column_count; j++) {
    const char *name = name_of(d, board->columns->values.data[j]);
    size_t length = strlen(name), shown = length > width ? width : length;
    bool number = name[strspn(name, "0123456789")] == '\0';
    pad(out, 1 + width - shown);
    alea_text_add(out, number ? name + length - shown : name, shown);
  }
  alea_text_char(out, '\n');
}

/* Rows of hexagons, each half a cell beside the one below. */
static void draw_hexagons(alea_text *out, const alea_drawing *d, const alea_view *board,
                          uint32_t slice, const charset *set) {
  size_t indent = widest_name(d, board->rows);
  size_t width = cell_width(d, board, indent + board->row_count) | 1;
  size_t half = (width + 1) / 2;
  bool leans_right = board->board->cells == ALEA_CELLS_HEX;
  for (uint32_t i = board->row_count; i-- > 0;) {
    const char *name = name_of(d, board->rows->values.data[i]);
    right_aligned(out, name, strlen(name), indent);
    pad(out, (leans_right ? i : board->row_count - 1 - i) * half);
    row_cells(out, d, board, slice * board->row_count + i, set, width);
    while (out->length > 0 && out->data[out->length - 1] == ' ')
      alea_text_truncate(out, out->length - 1);
    alea_text_char(out, '\n');
  }
  pad(out, indent + (leans_right ? 0 : (board->row_count - 1) * half));
  column_names(out, d, board, width);
}

/* One slice, the first row at the bottom. */
static void draw_board(alea_text *out, const alea_drawing *d, const alea_view *board,
                       uint32_t slice, const charset *set) {
  enum { SIDES = 4 }; /* a space, both lines of the frame, and a space before the second */
  size_t indent = widest_name(d, board->rows), width = cell_width(d, board, indent + SIDES);
  size_t inner = board->column_count * (width + 1) + 1;
  if (board->slices != NULL) {
    alea_text_format(out, "%s %s\n", name_of(d, d->shapes.data[board->board->shape].name),
                     name_of(d, board->slices->values.data[slice]));
  }
  if (is_hex(board->board)) {
    draw_hexagons(out, d, board, slice, set);
    return;
  }
  frame(out, set, indent, inner, true);
  for (uint32_t i = board->row_count; i-- > 0;) {
    const char *name = name_of(d, board->rows->values.data[i]);
    right_aligned(out, name, strlen(name), indent);
    alea_text_format(out, " %s", set->vertical);
    row_cells(out, d, board, slice * board->row_count + i, set, width);
    alea_text_format(out, "%s\n", set->vertical);
  }
  frame(out, set, indent, inner, false);
  pad(out, indent + 2);
  column_names(out, d, board, width);
}

static bool is_shown(const alea_layout_view *view, alea_symbol content) {
  for (size_t b = 0; b < view->boards.count; b++) {
    const alea_view *board = &view->boards.data[b];
    for (size_t c = 0; c < board->cell_count; c++) {
      if (board->cells[c] == content) return true;
    }
  }
  return false;
}

static void explain(alea_text *out, const char *label, const char *content, size_t most,
                    size_t *column) {
  size_t length = strlen(label) + 1 + strlen(content);
  bool fits = *column + 3 + length <= most; /* with a comma before it, and one after it */
  if (*column > 0) alea_text_put(out, fits ? ", " : ",\n");
  *column = *column == 0 || !fits ? length : *column + 2 + length;
  alea_text_format(out, "%s %s", label, content);
}

/* Explains labels that are abbreviations of what is shown. */
static void draw_legend(alea_text *out, alea_drawing *d, const alea_layout_view *view,
                        alea_legend legend) {
  size_t column = 0;
  for (size_t i = 0; i < d->labels.count; i++) {
    alea_label *label = &d->labels.data[i];
    const char *content = name_of(d, label->content);
    bool known = label->explained && legend == ALEA_LEGEND_NEW;
    if (known || strcmp(content, label->text) == 0 || !is_shown(view, label->content)) continue;
    label->explained = true;
    explain(out, label->text, content, d->width, &column);
  }
  for (size_t i = 0; i < view->marks.count; i++) {
    explain(out, "*", name_of(d, view->marks.data[i]), d->width, &column);
  }
  if (column > 0) alea_text_char(out, '\n');
}

/* Appends `  a: 3` to a list, on a new line where it would be too wide. */
static void put_item(alea_text *out, const alea_drawing *d, const char *name, const char *content,
                     size_t *column) {
  size_t length = 4 + strlen(name) + strlen(content);
  if (*column + length > d->width) alea_text_char(out, '\n');
  *column = *column + length > d->width ? length : *column + length;
  alea_text_format(out, "  %s: %s", name, content);
}

/* Lists: one line for each shape, `heap  a: 1  b: 3`. */
static void draw_lists(alea_text *out, alea_drawing *d, const alea_layout_view *view) {
  for (uint32_t s = 0; s < d->shapes.count; s++) {
    const alea_shape *shape = &d->shapes.data[s];
    if (shape->layout != ALEA_LAYOUT_LIST) continue;
    const alea_leaf *leaf = &shape->leaves[shape->column];
    size_t column = strlen(name_of(d, shape->name));
    alea_text_put(out, name_of(d, shape->name));
    for (uint32_t v = 0; v < leaf->values.count; v++) {
      for (size_t i = 0; i < view->lists.count; i++) {
        const alea_flat *flat = &view->lists.data[i];
        if (flat->shape != s || flat->leaves[shape->column] != leaf->values.data[v]) continue;
        alea_symbol content = alea_drawing_content(d, shape, flat->leaves);
        put_item(out, d, name_of(d, leaf->values.data[v]),
                 content != ALEA_NO_SYMBOL ? name_of(d, content) : "?", &column);
      }
    }
    alea_text_char(out, '\n');
  }
}

static void draw_rest(alea_text *out, const alea_drawing *d, const alea_layout_view *view) {
  size_t column = 0;
  for (size_t i = 0; i < view->rest.count; i++) {
    size_t length = strlen(view->rest.data[i].fluent);
    if (column > 0 && column + 2 + length > d->width) {
      alea_text_char(out, '\n');
      column = 0;
    }
    alea_text_format(out, "%s%s", column > 0 ? "  " : "", view->rest.data[i].fluent);
    column += length + (column > 0 ? 2 : 0);
  }
  if (column > 0) alea_text_char(out, '\n');
}

/* How a position is written, and where. */
typedef struct text_page {
  bool ascii;
  alea_legend legend;
  alea_text *out;
} text_page;

static alea_status put_text(alea_drawing *d, const char *const *fluents, size_t count,
                            void *context) {
  const text_page *page = context;
  alea_text *out = page->out;
  alea_layout_view view;
  alea_status status = alea_view_init(&view, d, fluents, count);
  if (status == ALEA_OK) {
    for (size_t b = 0; b < view.boards.count; b++) {
      const alea_view *board = &view.boards.data[b];
      for (uint32_t slice = 0; slice < board->slice_count; slice++) {
        draw_board(out, d, board, slice, page->ascii ? &plain : &box);
      }
    }
    status = alea_figures_text(d, &view, page->ascii, out);
    draw_legend(out, d, &view, page->legend);
    draw_lists(out, d, &view);
    draw_rest(out, d, &view);
    if (out->failed) status = ALEA_SYSTEM;
  }
  alea_view_clear(&view, d);
  return status;
}

alea_status alea_drawing_text(alea_drawing *d, const char *const *fluents, size_t count, bool ascii,
                              alea_legend legend, alea_text *out) {
  text_page page = {ascii, legend, out};
  if (d->structure == NULL) return put_text(d, fluents, count, &page);
  if (alea_structure_has_board(d->structure))
    return alea_drawing_as_cells(d, fluents, count, put_text, &page);
  return alea_structure_text(d->structure, fluents, count, ascii, out);
}
