/* Reads stacks, tracks and dots, and draws them in the terminal, with groups of
 * text. */
#include "draw/figure.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WIDTH = 30 };

/* Figures that are groups of text in the terminal. */
static bool is_group(const alea_shape *shape) {
  switch (shape->hint) {
    case ALEA_HINT_GROUP:
    case ALEA_HINT_DICE:
    case ALEA_HINT_TOKENS:
    case ALEA_HINT_CARDS: return shape->leaf_count >= 1;
    case ALEA_HINT_PEGS:
      return shape->column < shape->leaf_count && shape->row < shape->leaf_count &&
             shape->column != shape->row;
    default: return false;
  }
}

/* The leaf by which a shape is grouped. */
static uint32_t group_leaf(const alea_shape *shape) {
  switch (shape->hint) {
    case ALEA_HINT_DICE: return shape->slice;
    case ALEA_HINT_PEGS: return shape->row;
    default: return shape->column;
  }
}

bool alea_figure_takes(const alea_drawing *d, const alea_shape *shape) {
  if (is_group(shape)) return true;
  if (shape->hint == ALEA_HINT_STACKS || shape->hint == ALEA_HINT_TRACK) {
    return shape->leaf_count >= (shape->hint == ALEA_HINT_STACKS ? 2 : 1) &&
           shape->column < shape->leaf_count && shape->leaves[shape->column].is_range &&
           shape->width >= 1 && shape->width <= MOST_WIDTH &&
           shape->leaves[shape->column].values.count <= ALEA_MOST_PLACES;
  }
  if (shape->hint == ALEA_HINT_LINES) {
    return shape->leaf_count == 4 && shape->leaves[0].is_range && shape->leaves[1].is_range &&
           shape->leaves[0].values.count <= ALEA_MOST_DOTS &&
           shape->leaves[1].values.count <= ALEA_MOST_DOTS;
  }
  if (shape->hint != ALEA_HINT_BOXES || shape->leaf_count < 2) return false;
  for (size_t i = 0; i < d->shapes.count; i++) {
    const alea_shape *other = &d->shapes.data[i];
    if (other->hint == ALEA_HINT_LINES && alea_figure_takes(d, other)) return true;
  }
  return false;
}

static const char *name_of(const alea_drawing *d, alea_symbol symbol) {
  return alea_symbols_text(d->symbols, symbol);
}

static void pad(alea_text *out, size_t count) {
  for (size_t i = 0; i < count; i++) alea_text_char(out, ' ');
}

static void repeat(alea_text *out, const char *text, size_t count) {
  for (size_t i = 0; i < count; i++) alea_text_put(out, text);
}

/* ---- stacks ---- */

static void read_stack(const alea_drawing *d, alea_track *t, const alea_flat *flat) {
  uint32_t place = alea_leaf_index(t->places, flat->leaves[t->shape->column]);
  if (place == ALEA_NO_INDEX) return;
  alea_stack s = {t->shape->name, 1, flat->fluent};
  for (uint32_t i = 0; i < flat->leaf_count; i++) {
    if (i == t->shape->column) continue;
    char *end;
    unsigned long number = strtoul(name_of(d, flat->leaves[i]), &end, 10);
    if (*end != '\0') {
      s.man = flat->leaves[i];
    } else {
      s.height = number < 1000 ? (unsigned)number : 1000;
    }
  }
  if (s.height > 0) t->at[place] = s;
}

void alea_track_read(const alea_drawing *d, const alea_layout_view *view, uint32_t shape,
                     alea_track *t) {
  t->shape = &d->shapes.data[shape];
  t->places = &t->shape->leaves[t->shape->column];
  t->width = t->shape->width;
  t->rows = (t->places->values.count + t->width - 1) / t->width;
  for (size_t i = 0; i < ALEA_MOST_PLACES; i++) t->at[i] = (alea_stack){ALEA_NO_SYMBOL, 0, NULL};
  for (size_t i = 0; i < view->figures.count; i++) {
    if (view->figures.data[i].shape == shape) read_stack(d, t, &view->figures.data[i]);
  }
}

/* The place in a column of a row; SIZE_MAX beyond the end of the track. */
size_t alea_track_place(const alea_track *t, size_t row, size_t column) {
  size_t place = row * t->width + (row % 2 == 0 ? t->width - 1 - column : column);
  return place < t->places->values.count ? place : SIZE_MAX;
}

static bool gap_before(const alea_track *t, size_t column) {
  return t->shape->gap > 0 && column > 0 && column % t->shape->gap == 0;
}

static size_t inner_width(const alea_track *t) {
  size_t width = 3 * t->width + 1;
  for (size_t column = 0; column < t->width; column++) width += gap_before(t, column) ? 3 : 0;
  return width;
}

static void write_numbers(alea_text *out, const alea_drawing *d, const alea_track *t, size_t row) {
  pad(out, 2);
  for (size_t column = 0; column < t->width; column++) {
    size_t place = alea_track_place(t, row, column);
    const char *name = place != SIZE_MAX ? name_of(d, t->places->values.data[place]) : "";
    if (gap_before(t, column)) pad(out, 3);
    size_t length = strlen(name) < 3 ? strlen(name) : 3;
    pad(out, 3 - length);
    alea_text_add(out, name, length);
  }
  alea_text_char(out, '\n');
}

/* Writes one level of the stacks; 'level' counts from 1 at the edge of the
 * board. */
static void write_level(alea_text *out, const alea_drawing *d, const alea_track *t, size_t row,
                        unsigned level, bool ascii) {
  alea_text_put(out, ascii ? " |" : " │");
  for (size_t column = 0; column < t->width; column++) {
    size_t place = alea_track_place(t, row, column);
    if (gap_before(t, column)) alea_text_put(out, ascii ? "  |" : "  │");
    if (place == SIZE_MAX || t->at[place].height < level) {
      bool base = place != SIZE_MAX && level == 1;
      alea_text_format(out, "  %s", !base ? " " : ascii ? "." : "·");
    } else if (level == ALEA_TALLEST && t->at[place].height > ALEA_TALLEST) {
      alea_text_format(out, "%3u", t->at[place].height);
    } else {
      alea_text_format(out, "  %.1s", name_of(d, t->at[place].man));
    }
  }
  alea_text_put(out, ascii ? " |\n" : " │\n");
}

static void write_edge(alea_text *out, const alea_track *t, const char *left, const char *right,
                       bool ascii) {
  alea_text_format(out, " %s", left);
  repeat(out, ascii ? "-" : "─", inner_width(t));
  alea_text_format(out, "%s\n", right);
}

/* Writes what the letters stand for. */
static void write_men(alea_text *out, const alea_drawing *d, const alea_track *t) {
  size_t said = 0;
  for (size_t i = 0; i < t->places->values.count; i++) {
    bool known = t->at[i].man == ALEA_NO_SYMBOL;
    for (size_t j = 0; j < i && !known; j++) known = t->at[j].man == t->at[i].man;
    if (known) continue;
    const char *name = name_of(d, t->at[i].man);
    alea_text_format(out, "%s%.1s %s", said++ > 0 ? ", " : "", name, name);
  }
  if (said > 0) alea_text_char(out, '\n');
}

static void stacks_text(alea_text *out, const alea_drawing *d, const alea_track *t, bool ascii) {
  if (t->rows % 2 == 0) write_numbers(out, d, t, t->rows - 1);
  write_edge(out, t, ascii ? "+" : "┌", ascii ? "+" : "┐", ascii);
  for (size_t row = t->rows; row-- > 0;) {
    for (unsigned i = 1; i <= ALEA_TALLEST; i++) {
      write_level(out, d, t, row, row % 2 == 1 ? i : ALEA_TALLEST + 1 - i, ascii);
    }
    if (row == 0) break;
    write_edge(out, t, ascii ? "+" : "├", ascii ? "+" : "┤", ascii);
    /* Inner rows have no other place for their numbers. */
    if (row + 1 < t->rows || row % 2 == 0) write_numbers(out, d, t, row);
  }
  write_edge(out, t, ascii ? "+" : "└", ascii ? "+" : "┘", ascii);
  write_numbers(out, d, t, 0);
  write_men(out, d, t);
}

/* ---- tracks ---- */

bool alea_lane_has(const alea_drawing *d, uint32_t shape, const alea_lane *l) {
  const alea_shape *its = &d->shapes.data[shape];
  return its->hint == ALEA_HINT_TRACK && its->width == l->width && alea_figure_takes(d, its);
}

/* Appends up to 'most' letters; one column between neighbours stays free. */
static void add_some(char content[ALEA_LANE_CONTENT], const char *text, size_t most) {
  size_t used = strlen(content);
  for (size_t i = 0; i < most && text[i] != '\0' && used + 1 < ALEA_LANE_CONTENT; i++) {
    content[used++] = text[i];
  }
  content[used] = '\0';
}

/* Adds the other values of the fluent, or two letters of the relation's
 * name. */
static void note_content(const alea_drawing *d, alea_lane *l, const alea_flat *flat) {
  const alea_shape *shape = &d->shapes.data[flat->shape];
  uint32_t place = alea_leaf_index(l->places, flat->leaves[shape->column]);
  if (place == ALEA_NO_INDEX) return;
  if (flat->leaf_count == 1) add_some(l->at[place], name_of(d, shape->name), 2);
  for (uint32_t i = 0; i < flat->leaf_count; i++) {
    if (i != shape->column) add_some(l->at[place], name_of(d, flat->leaves[i]), ALEA_LANE_CONTENT);
  }
}

/* False if an earlier shape draws this lane. */
bool alea_lane_read(const alea_drawing *d, const alea_layout_view *view, uint32_t shape,
                    alea_lane *l) {
  memset(l, 0, sizeof *l);
  l->width = d->shapes.data[shape].width;
  for (uint32_t i = 0; i < d->shapes.count; i++) {
    if (!alea_lane_has(d, i, l)) continue;
    if (i < shape) return false;
    const alea_leaf *places = &d->shapes.data[i].leaves[d->shapes.data[i].column];
    if (l->places == NULL || places->values.count > l->places->values.count) l->places = places;
  }
  l->rows = (l->places->values.count + l->width - 1) / l->width;
  for (size_t i = 0; i < view->figures.count; i++) {
    if (alea_lane_has(d, view->figures.data[i].shape, l))
      note_content(d, l, &view->figures.data[i]);
  }
  return true;
}

size_t alea_lane_place(const alea_lane *l, size_t row, size_t column) {
  size_t place = row * l->width + (row % 2 == 1 ? l->width - 1 - column : column);
  return place < l->places->values.count ? place : SIZE_MAX;
}

/* The columns of a place: fewer where the terminal is narrow, and contents may then be cut. */
static size_t lane_cell(const alea_drawing *d, const alea_lane *l) {
  enum { SIDES = 4 };
  size_t widest = 1;
  if (ALEA_LANE_CONTENT * l->width + SIDES <= d->width) return ALEA_LANE_CONTENT;
  for (size_t i = 0; i < l->places->values.count; i++) {
    size_t name = strlen(name_of(d, l->places->values.data[i])), content = strlen(l->at[i]);
    if (name > widest) widest = name;
    if (content > widest) widest = content;
  }
  size_t room = d->width > SIDES ? (d->width - SIDES) / l->width : 0, least = 3;
  if (room < least) room = least;
  return widest + 1 < room ? widest + 1 : room;
}

static void lane_names(alea_text *out, const alea_drawing *d, const alea_lane *l, size_t row) {
  int cell = (int)lane_cell(d, l);
  pad(out, 2);
  for (size_t column = 0; column < l->width; column++) {
    size_t place = alea_lane_place(l, row, column);
    const char *name = place != SIZE_MAX ? name_of(d, l->places->values.data[place]) : "";
    alea_text_format(out, "%*.*s", cell, cell - 1, name);
  }
  alea_text_char(out, '\n');
}

static void lane_edge(alea_text *out, const alea_drawing *d, const alea_lane *l, const char *left,
                      const char *right, bool ascii) {
  alea_text_format(out, " %s", left);
  repeat(out, ascii ? "-" : "─", lane_cell(d, l) * l->width + 1);
  alea_text_format(out, "%s\n", right);
}

/* What the first letters of relations stand for, of those that are somewhere on the lane. */
static void lane_legend(alea_text *out, const alea_drawing *d, const alea_layout_view *view,
                        const alea_lane *l) {
  size_t said = 0;
  for (uint32_t i = 0; i < d->shapes.count; i++) {
    if (!alea_lane_has(d, i, l) || d->shapes.data[i].leaf_count != 1) continue;
    bool shown = false;
    for (size_t k = 0; k < view->figures.count && !shown; k++)
      shown = view->figures.data[k].shape == i;
    const char *name = name_of(d, d->shapes.data[i].name);
    if (shown) alea_text_format(out, "%s%.2s %s", said++ > 0 ? ", " : "", name, name);
  }
  if (said > 0) alea_text_char(out, '\n');
}

static void lane_text(alea_text *out, const alea_drawing *d, const alea_lane *l, bool ascii) {
  const char *side = ascii ? "|" : "│";
  size_t cell = lane_cell(d, l);
  if (l->rows == 2) lane_names(out, d, l, 1);
  lane_edge(out, d, l, ascii ? "+" : "┌", ascii ? "+" : "┐", ascii);
  for (size_t row = l->rows; row-- > 0;) {
    alea_text_format(out, " %s", side);
    for (size_t column = 0; column < l->width; column++) {
      size_t place = alea_lane_place(l, row, column);
      bool empty = place == SIZE_MAX || l->at[place][0] == '\0';
      const char *content = !empty ? l->at[place] : place == SIZE_MAX ? " " : ascii ? "." : "·";
      size_t length = empty ? 1 : strlen(content);
      pad(out, length < cell ? cell - length : 0);
      alea_text_add(out, content, empty || length < cell ? strlen(content) : cell);
    }
    alea_text_format(out, " %s\n", side);
  }
  lane_edge(out, d, l, ascii ? "+" : "└", ascii ? "+" : "┘", ascii);
  lane_names(out, d, l, 0);
}

/* ---- groups ---- */

static void group_text(alea_text *out, const char *text, size_t most) {
  size_t column = 0;
  for (const char *word = text; *word != '\0'; word += strspn(word, " ")) {
    size_t length = strcspn(word, " ");
    if (column > 0 && column + 1 + length > most) {
      alea_text_put(out, "\n  ");
      column = 2;
    } else if (column > 0) {
      alea_text_char(out, ' ');
      column++;
    }
    alea_text_add(out, word, length);
    column += length;
    word += length;
  }
  alea_text_char(out, '\n');
}

/* The text of each group of a shape: `open ann: x y`. */
static void groups_text(alea_drawing *d, const alea_layout_view *view, uint32_t shape,
                        alea_text *out) {
  const alea_shape *its = &d->shapes.data[shape];
  uint32_t by = group_leaf(its);
  bool split = by < its->leaf_count && its->leaf_count > 1;
  alea_text text;
  alea_text_init(&text, d->mem);
  for (size_t i = 0; i < view->figures.count; i++) {
    const alea_flat *first = &view->figures.data[i];
    bool fresh = first->shape == shape;
    for (size_t j = 0; j < i && fresh; j++) {
      const alea_flat *before = &view->figures.data[j];
      fresh = before->shape != shape || (split && before->leaves[by] != first->leaves[by]);
    }
    if (!fresh) continue;
    alea_text_truncate(&text, 0);
    alea_text_put(&text, name_of(d, its->name));
    if (split) alea_text_format(&text, " %s", name_of(d, first->leaves[by]));
    alea_text_char(&text, ':');
    for (size_t j = i; j < view->figures.count; j++) {
      const alea_flat *flat = &view->figures.data[j];
      if (flat->shape != shape) continue;
      if (split && flat->leaves[by] != first->leaves[by]) continue;
      char sign = ' ';
      for (uint32_t k = 0; k < flat->leaf_count; k++) {
        if (split && k == by) continue;
        alea_text_format(&text, "%c%s", sign, name_of(d, flat->leaves[k]));
        sign = '-';
      }
    }
    if (text.failed) out->failed = true;
    group_text(out, alea_text_string(&text), d->width);
  }
  alea_text_clear(&text);
}

/* ---- lines ---- */

static void read_line(alea_dots *g, const alea_flat *flat) {
  uint32_t x1 = alea_leaf_index(g->x, flat->leaves[0]), y1 = alea_leaf_index(g->y, flat->leaves[1]);
  uint32_t x2 = alea_leaf_index(g->x, flat->leaves[2]), y2 = alea_leaf_index(g->y, flat->leaves[3]);
  if (x1 == ALEA_NO_INDEX || y1 == ALEA_NO_INDEX || x2 == ALEA_NO_INDEX || y2 == ALEA_NO_INDEX)
    return;
  uint32_t x = x1 < x2 ? x1 : x2, y = y1 < y2 ? y1 : y2;
  if (y1 == y2 && x1 + x2 == 2 * x + 1) g->across[y][x] = true;
  if (x1 == x2 && y1 + y2 == 2 * y + 1) g->upward[y][x] = true;
}

void alea_dots_read(const alea_drawing *d, const alea_layout_view *view, uint32_t shape,
                    alea_dots *g) {
  memset(g, 0, sizeof *g);
  g->x = &d->shapes.data[shape].leaves[0];
  g->y = &d->shapes.data[shape].leaves[1];
  g->columns = g->x->values.count;
  g->rows = g->y->values.count;
  for (size_t i = 0; i < ALEA_MOST_DOTS * ALEA_MOST_DOTS; i++) {
    g->box[i / ALEA_MOST_DOTS][i % ALEA_MOST_DOTS] = ALEA_NO_SYMBOL;
  }
  for (size_t i = 0; i < view->figures.count; i++) {
    const alea_flat *flat = &view->figures.data[i];
    const alea_shape *its = &d->shapes.data[flat->shape];
    if (flat->shape == shape) read_line(g, flat);
    if (its->hint != ALEA_HINT_BOXES) continue;
    uint32_t x = alea_leaf_index(g->x, flat->leaves[0]), y = alea_leaf_index(g->y, flat->leaves[1]);
    if (x == ALEA_NO_INDEX || y == ALEA_NO_INDEX) continue;
    g->box[y][x] = flat->leaf_count > 2 ? flat->leaves[2] : its->name;
  }
}

static void lines_text(alea_text *out, const alea_drawing *d, const alea_dots *g, bool ascii) {
  for (size_t y = g->rows; y-- > 0;) {
    alea_text_format(out, "%3.3s ", name_of(d, g->y->values.data[y]));
    for (size_t x = 0; x < g->columns; x++) {
      alea_text_put(out, ascii ? "+" : "•");
      if (x + 1 == g->columns) break;
      alea_text_put(out, !g->across[y][x] ? "   " : ascii ? "---" : "───");
    }
    alea_text_char(out, '\n');
    if (y == 0) break;
    pad(out, 4);
    for (size_t x = 0; x < g->columns; x++) {
      alea_symbol box = g->box[y - 1][x];
      alea_text_put(out, !g->upward[y - 1][x] ? " " : ascii ? "|" : "│");
      if (x + 1 == g->columns) break;
      alea_text_format(out, " %.1s ", box != ALEA_NO_SYMBOL ? name_of(d, box) : " ");
    }
    alea_text_char(out, '\n');
  }
  pad(out, 4);
  for (size_t x = 0; x < g->columns; x++) {
    alea_text_format(out, x + 1 < g->columns ? "%-4.3s" : "%.3s", name_of(d, g->x->values.data[x]));
  }
  alea_text_char(out, '\n');
}

/* ---- all of them ---- */

alea_status alea_figures_text(alea_drawing *d, const alea_layout_view *view, bool ascii,
                              alea_text *out) {
  for (uint32_t i = 0; i < d->shapes.count; i++) {
    const alea_shape *shape = &d->shapes.data[i];
    if (!alea_figure_takes(d, shape)) continue;
    if (shape->hint == ALEA_HINT_STACKS) {
      alea_track t;
      alea_track_read(d, view, i, &t);
      stacks_text(out, d, &t, ascii);
    } else if (shape->hint == ALEA_HINT_TRACK) {
      alea_lane l;
      if (!alea_lane_read(d, view, i, &l)) continue;
      lane_text(out, d, &l, ascii);
      lane_legend(out, d, view, &l);
    } else if (is_group(shape)) {
      groups_text(d, view, i, out);
    } else if (shape->hint == ALEA_HINT_LINES) {
      alea_dots g;
      alea_dots_read(d, view, i, &g);
      lines_text(out, d, &g, ascii);
    }
  }
  return out->failed ? ALEA_SYSTEM : ALEA_OK;
}
