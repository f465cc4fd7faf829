/* The layout of a position: the content of each cell, and the rest. */
#include <string.h>

#include "draw/core.h"
#include "draw/figure.h"

static void clear_board(alea_view *board, alea_drawing *d) {
  alea_mem_free(d->mem, board->cells, board->cell_count * sizeof *board->cells);
  alea_mem_free(d->mem, board->marked, board->cell_count);
  alea_mem_free(d->mem, board->known, board->cell_count);
  alea_mem_free(d->mem, board->marks, board->cell_count);
  alea_mem_free(d->mem, board->tints, board->cell_count * sizeof *board->tints);
}

static alea_status add_board(alea_layout_view *view, alea_drawing *d, const alea_board *board) {
  const alea_shape *shape = &d->shapes.data[board->shape];
  alea_view fresh = {.board = board,
                     .columns = &shape->leaves[shape->column],
                     .rows = &shape->leaves[shape->row],
                     .slice_count = 1};
  if (shape->slice != ALEA_NO_INDEX) {
    fresh.slices = &shape->leaves[shape->slice];
    fresh.slice_count = (uint32_t)fresh.slices->values.count;
  }
  fresh.column_count = (uint32_t)fresh.columns->values.count;
  fresh.row_count = (uint32_t)fresh.rows->values.count;
  fresh.cell_count = (size_t)fresh.column_count * fresh.row_count * fresh.slice_count;
  fresh.cells = alea_mem_alloc(d->mem, fresh.cell_count * sizeof *fresh.cells);
  fresh.marked = alea_mem_zalloc(d->mem, fresh.cell_count);
  fresh.known = alea_mem_zalloc(d->mem, fresh.cell_count);
  fresh.marks = alea_mem_zalloc(d->mem, fresh.cell_count);
  fresh.tints = alea_mem_calloc(d->mem, fresh.cell_count, sizeof *fresh.tints);
  if (fresh.cells == NULL || fresh.marked == NULL || fresh.known == NULL || fresh.tints == NULL ||
      fresh.marks == NULL || !alea_vec_push(d->mem, &view->boards, fresh)) {
    clear_board(&fresh, d);
    return ALEA_SYSTEM;
  }
  for (size_t i = 0; i < fresh.cell_count; i++) fresh.cells[i] = ALEA_NO_SYMBOL;
  return ALEA_OK;
}

size_t alea_view_cell(const alea_view *board, const alea_shape *shape, const alea_flat *flat) {
  uint32_t column = alea_leaf_index(board->columns, flat->leaves[shape->column]);
  uint32_t row = alea_leaf_index(board->rows, flat->leaves[shape->row]);
  uint32_t slice = 0;
  if (shape->slice != ALEA_NO_INDEX) {
    slice = alea_leaf_index(board->slices, flat->leaves[shape->slice]);
  }
  if (column == ALEA_NO_INDEX || row == ALEA_NO_INDEX || slice == ALEA_NO_INDEX) return SIZE_MAX;
  return ((size_t)slice * board->row_count + row) * board->column_count + column;
}

/* Contents of the board's own shape are drawn; everything else marks the
 * cell. */
static bool put_on_board(alea_layout_view *view, alea_drawing *d, const alea_flat *flat,
                         uint32_t tint) {
  const alea_shape *shape = &d->shapes.data[flat->shape];
  alea_view *board = &view->boards.data[shape->board];
  size_t cell = alea_view_cell(board, shape, flat);
  if (cell == SIZE_MAX) return false;
  if (tint != 0) board->tints[cell] = tint;
  board->known[cell] = 1;
  alea_symbol content = alea_drawing_content(d, shape, flat->leaves);
  if (content == board->board->blank) return true;
  alea_placed placed = {shape->board, (uint32_t)cell, flat->shape, content, flat->fluent};
  if (!alea_vec_push(d->mem, &view->placed, placed)) return false;
  bool own = board->board->shape == flat->shape;
  if (board->cells[cell] == ALEA_NO_SYMBOL) {
    board->cells[cell] = content;
    return true;
  }
  board->marked[cell] = 1;
  if (own) {
    shape = NULL;
    for (size_t i = 0; i < d->shapes.count && shape == NULL; i++) {
      if (d->shapes.data[i].name == board->cells[cell]) shape = &d->shapes.data[i];
    }
    board->cells[cell] = content;
  }
  for (size_t i = 0; shape != NULL && i < view->marks.count; i++) {
    if (view->marks.data[i] == shape->name) return true;
  }
  return shape == NULL || alea_vec_push(d->mem, &view->marks, shape->name);
}

/* Something that the terminal shows as text lies on the first board. */
static alea_status place_on_first(alea_layout_view *view, alea_drawing *d, const alea_flat *flat) {
  const alea_shape *shape = &d->shapes.data[flat->shape];
  bool fits = view->boards.count > 0 && shape->column < flat->leaf_count &&
              shape->row < flat->leaf_count && shape->column != shape->row;
  if (!fits) return ALEA_OK;
  const alea_view *board = &view->boards.data[0];
  uint32_t column = alea_leaf_index(board->columns, flat->leaves[shape->column]);
  uint32_t row = alea_leaf_index(board->rows, flat->leaves[shape->row]);
  if (column == ALEA_NO_INDEX || row == ALEA_NO_INDEX) return ALEA_OK;
  alea_placed placed = {0, row * board->column_count + column, flat->shape, shape->name,
                        flat->fluent};
  return alea_vec_push(d->mem, &view->placed, placed) ? ALEA_OK : ALEA_SYSTEM;
}

static alea_status place(alea_layout_view *view, alea_drawing *d, const char *fluent,
                         const char *original, uint32_t tint) {
  alea_flat flat;
  alea_status status = alea_drawing_flatten(d, fluent, false, &flat);
  if (status != ALEA_OK) return status;
  flat.fluent = original;
  const alea_shape *shape = flat.shape != ALEA_NO_INDEX ? &d->shapes.data[flat.shape] : NULL;
  if (shape != NULL && shape->hint == ALEA_HINT_HIDE) return ALEA_OK;
  if (shape != NULL && shape->hint == ALEA_HINT_ON) {
    status = place_on_first(view, d, &flat);
    if (status != ALEA_OK) return status;
  }
  if (shape != NULL && alea_figure_takes(d, shape)) {
    return alea_vec_push(d->mem, &view->figures, flat) ? ALEA_OK : ALEA_SYSTEM;
  }
  if (shape != NULL && shape->layout == ALEA_LAYOUT_GRID && put_on_board(view, d, &flat, tint)) {
    return ALEA_OK;
  }
  if (original == NULL) return ALEA_OK; /* an empty cell of a structure, but no board */
  if (shape != NULL && shape->layout == ALEA_LAYOUT_LIST) {
    return alea_vec_push(d->mem, &view->lists, flat) ? ALEA_OK : ALEA_SYSTEM;
  }
  return alea_vec_push(d->mem, &view->rest, flat) ? ALEA_OK : ALEA_SYSTEM;
}

/* A question mark where nothing is known and something may be. */
static alea_status place_possible(alea_layout_view *view, alea_drawing *d, const char *fluent) {
  alea_flat flat;
  alea_status status = alea_drawing_flatten(d, fluent, false, &flat);
  if (status != ALEA_OK || flat.shape == ALEA_NO_INDEX) return status;
  const alea_shape *shape = &d->shapes.data[flat.shape];
  bool board_cell = shape->layout == ALEA_LAYOUT_GRID && shape->hint != ALEA_HINT_HIDE &&
                    !alea_figure_takes(d, shape);
  if (!board_cell) return ALEA_OK;
  alea_view *board = &view->boards.data[shape->board];
  size_t cell = alea_view_cell(board, shape, &flat);
  if (cell == SIZE_MAX || board->known[cell] || board->cells[cell] != ALEA_NO_SYMBOL)
    return ALEA_OK;
  board->cells[cell] = alea_symbols_add(d->symbols, "?", 1);
  alea_placed placed = {shape->board, (uint32_t)cell, flat.shape, board->cells[cell], NULL};
  bool good = board->cells[cell] != ALEA_NO_SYMBOL && alea_vec_push(d->mem, &view->placed, placed);
  return good ? ALEA_OK : ALEA_SYSTEM;
}

alea_status alea_view_init(alea_layout_view *view, alea_drawing *d, const char *const *fluents,
                           size_t count) {
  *view = (alea_layout_view){0};
  alea_status status = ALEA_OK;
  for (size_t i = 0; status == ALEA_OK && i < d->boards.count; i++) {
    status = add_board(view, d, &d->boards.data[i]);
  }
  for (size_t i = 0; status == ALEA_OK && i < count; i++) {
    const char *original = d->originals != NULL ? d->originals[i] : fluents[i];
    status = place(view, d, fluents[i], original, d->tints != NULL ? d->tints[i] : 0);
  }
  for (size_t i = 0; status == ALEA_OK && i < d->possible_count; i++)
    status = place_possible(view, d, d->possible[i]);
  return status;
}

void alea_view_clear(alea_layout_view *view, alea_drawing *d) {
  for (size_t i = 0; i < view->boards.count; i++) {
    clear_board(&view->boards.data[i], d);
  }
  alea_vec_clear(d->mem, &view->boards);
  alea_vec_clear(d->mem, &view->placed);
  alea_vec_clear(d->mem, &view->lists);
  alea_vec_clear(d->mem, &view->figures);
  alea_vec_clear(d->mem, &view->rest);
  alea_vec_clear(d->mem, &view->marks);
}
