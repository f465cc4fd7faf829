/* A position as SVG: squares, a coloured disc for each content, coordinates. */
#include <ctype.h>
#include <string.h>

#include "draw/core.h"
#include "draw/figure.h"
#include "draw/structure.h"

enum { CELL = 44, MARGIN = 34, GAP = 26, LINE = 20, TEXT_COLUMNS = 70 };

/* Colours for contents that name one; a palette for all others. */
typedef struct colour {
  const char *name, *fill;
} colour;

static const colour known[] = {
    {"white", "#fafafa"}, {"black", "#2b2b2b"},  {"red", "#d64545"},    {"blue", "#3f6fd1"},
    {"green", "#3f9b5a"}, {"yellow", "#f0c419"}, {"orange", "#ef8a33"}, {"x", "#d64545"},
    {"o", "#3f6fd1"},     {"w", "#fafafa"},      {"arrow", "#8d6e52"},  {"wall", "#6b6b6b"},
};
static const char *const palette[] = {"#8e63ce", "#20a39e", "#c65b9b", "#7a9a2e",
                                      "#b5713a", "#4f86a8", "#a34848", "#5d5db8"};

const char *alea_drawing_colour(const alea_drawing *d, alea_symbol content, size_t index) {
  const char *text = alea_symbols_text(d->symbols, content);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    size_t length = strlen(known[i].name);
    /* The first word decides: "white pawn". */
    if (strncmp(text, known[i].name, length) == 0 && (text[length] == '\0' || text[length] == ' '))
      return known[i].fill;
  }
  return palette[index % (sizeof palette / sizeof *palette)];
}

static bool is_dark(const char *fill) { return fill[1] < 'b' && fill[1] != 'f'; }

void alea_drawing_escape(alea_text *out, const char *text) {
  for (; *text != '\0'; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '<') {
      alea_text_put(out, "&lt;");
    } else if (c == '>') {
      alea_text_put(out, "&gt;");
    } else if (c == '&') {
      alea_text_put(out, "&amp;");
    } else if (c == '"') {
      alea_text_put(out, "&quot;");
    } else if (c < 0x20 || c >= 0x80) {
      alea_text_char(out, '?');
    } else {
      alea_text_char(out, (char)c);
    }
  }
}

static void write_text(alea_text *out, long x, long y, const char *attributes, const char *text) {
  alea_text_format(out, "<text x=\"%ld\" y=\"%ld\"%s>", x, y, attributes);
  alea_drawing_escape(out, text);
  alea_text_put(out, "</text>\n");
}

static const char middle[] = " text-anchor=\"middle\"";

static void piece(alea_text *out, const alea_drawing *d, const alea_view *board, size_t index,
                  long x, long y) {
  alea_symbol content = board->cells[index];
  size_t number = 0;
  while (number < d->labels.count && d->labels.data[number].content != content) number++;
  const char *fill = alea_drawing_colour(d, content, number);
  alea_text_format(out, "<circle cx=\"%ld\" cy=\"%ld\" r=\"%d\" fill=\"%s\" stroke=\"%s\"/>",
                   x + CELL / 2, y + CELL / 2, CELL * 2 / 5, fill,
                   board->marked[index] ? "#d4a017\" stroke-width=\"4" : "#444");
  const char *label = number < d->labels.count ? d->labels.data[number].text : "?";
  alea_text_format(out, "<text x=\"%ld\" y=\"%ld\" text-anchor=\"middle\" fill=\"%s\">",
                   x + CELL / 2, y + CELL / 2 + 5, is_dark(fill) ? "#fff" : "#222");
  alea_drawing_escape(out, label);
  alea_text_put(out, "</text><title>");
  alea_drawing_escape(out, alea_symbols_text(d->symbols, content));
  alea_text_put(out, "</title>\n");
}

/* Light colours for cells of one class. */
static const char *const tints[] = {"#cfe8ff", "#ffd9cc", "#d6f0c8", "#fff0b3",
                                    "#e5d5f5", "#c9efe9", "#f8d3e4", "#e2e2e2"};

static const char *cell_fill(const alea_view *board, size_t index, bool dark) {
  uint32_t tint = board->tints[index];
  if (tint != 0) return tints[(tint - 1) % (sizeof tints / sizeof *tints)];
  return dark ? "#e3d3b1" : "#f1e8d3";
}

/* Draws one slice with its upper left corner at 0, 'top'; returns its height. */
static long draw_slice(alea_text *out, const alea_drawing *d, const alea_view *board,
                       uint32_t slice, long top) {
  long bottom = top + (long)board->row_count * CELL;
  for (uint32_t row = 0; row < board->row_count; row++) {
    long y = bottom - (long)(row + 1) * CELL;
    write_text(out, MARGIN / 2, y + CELL / 2 + 5, middle,
               alea_symbols_text(d->symbols, board->rows->values.data[row]));
    for (uint32_t column = 0; column < board->column_count; column++) {
      long x = MARGIN + (long)column * CELL;
      size_t index = ((size_t)slice * board->row_count + row) * board->column_count + column;
      alea_text_format(out,
                       "<g><rect x=\"%ld\" y=\"%ld\" width=\"%d\" height=\"%d\" fill=\"%s\" "
                       "stroke=\"#b9a98a\"/>",
                       x, y, CELL, CELL, cell_fill(board, index, (row + column) % 2 == 0));
      if (board->cells[index] != ALEA_NO_SYMBOL) piece(out, d, board, index, x, y);
      alea_text_put(out, "</g>\n");
    }
  }
  for (uint32_t column = 0; column < board->column_count; column++) {
    write_text(out, MARGIN + (long)column * CELL + CELL / 2, bottom + 18, middle,
               alea_symbols_text(d->symbols, board->columns->values.data[column]));
  }
  return (long)board->row_count * CELL + GAP;
}

/* Writes lists and the rest as the terminal shows them, line by line. */
static alea_status draw_lines(alea_text *out, alea_drawing *d, const alea_layout_view *view,
                              long *top) {
  alea_text line;
  alea_text_init(&line, d->mem);
  for (size_t i = 0; i < view->lists.count + view->rest.count; i++) {
    size_t before = line.length;
    if (before > 0) alea_text_put(&line, "   ");
    if (i < view->lists.count) {
      const alea_flat *flat = &view->lists.data[i];
      const alea_shape *shape = &d->shapes.data[flat->shape];
      alea_symbol content = alea_drawing_content(d, shape, flat->leaves);
      alea_text_format(&line, "%s %s: %s", alea_symbols_text(d->symbols, shape->name),
                       alea_symbols_text(d->symbols, flat->leaves[shape->column]),
                       content != ALEA_NO_SYMBOL ? alea_symbols_text(d->symbols, content) : "?");
    } else {
      alea_text_put(&line, view->rest.data[i - view->lists.count]);
    }
    bool last = i + 1 == view->lists.count + view->rest.count;
    if (line.length < TEXT_COLUMNS && !last) continue;
    write_text(out, MARGIN, *top + 14, "", alea_text_string(&line));
    *top += LINE;
    alea_text_truncate(&line, 0);
  }
  bool failed = line.failed;
  alea_text_clear(&line);
  return failed ? ALEA_SYSTEM : ALEA_OK;
}

alea_status alea_drawing_svg(alea_drawing *d, const char *const *fluents, size_t count,
                             const char *title, alea_text *out) {
  if (d->structure != NULL) return alea_structure_svg(d->structure, fluents, count, title, out);
  alea_layout_view view;
  alea_status status = alea_view_init(&view, d, fluents, count);
  alea_text body;
  alea_text_init(&body, d->mem);
  long top = LINE + 12, width = MARGIN + 560;
  write_text(&body, MARGIN, LINE, " font-weight=\"bold\"", title);
  for (size_t b = 0; status == ALEA_OK && b < view.boards.count; b++) {
    const alea_view *board = &view.boards.data[b];
    long wanted = 2 * MARGIN + (long)board->column_count * CELL;
    if (wanted > width) width = wanted;
    for (uint32_t slice = 0; slice < board->slice_count; slice++) {
      if (board->slices != NULL) {
        write_text(&body, MARGIN, top + 14, "",
                   alea_symbols_text(d->symbols, board->slices->values.data[slice]));
        top += LINE;
      }
      top += draw_slice(&body, d, board, slice, top);
    }
  }
  if (status == ALEA_OK) status = alea_figures_svg(d, &view, &top, &width, &body);
  if (status == ALEA_OK) status = draw_lines(&body, d, &view, &top);
  if (body.failed) status = ALEA_SYSTEM;
  alea_text_format(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%ld\" height=\"%ld\" "
                   "viewBox=\"0 0 %ld %ld\" font-family=\"sans-serif\" font-size=\"14\">\n"
                   "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                   width, top + 12, width, top + 12);
  alea_text_put(out, alea_text_string(&body));
  alea_text_put(out, "</svg>\n");
  alea_text_clear(&body);
  alea_view_clear(&view, d);
  return out->failed ? ALEA_SYSTEM : status;
}
