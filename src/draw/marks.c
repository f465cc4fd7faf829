/* Marks on boards: what the last move changed, and where legal moves go. */
#include <string.h>

#include "draw/picture.h"

/* ---- the last move ---- */

static bool is_among(const alea_layout_view *view, const alea_placed *placed) {
  for (size_t i = 0; i < view->placed.count; i++) {
    const alea_placed *other = &view->placed.data[i];
    if (other->board == placed->board && other->cell == placed->cell &&
        other->shape == placed->shape && other->content == placed->content)
      return true;
  }
  return false;
}

/* Cells of what is in 'a' but not in 'b'. */
static void mark_missing(alea_svg_picture *p, const alea_layout_view *a,
                         const alea_layout_view *b) {
  for (size_t i = 0; i < a->placed.count; i++) {
    const alea_placed *placed = &a->placed.data[i];
    if (is_among(b, placed)) continue;
    uint32_t below = p->drawing->boards.data[placed->board].below;
    uint32_t board = below != ALEA_NO_INDEX ? below : placed->board;
    p->view->boards.data[board].marks[placed->cell] |= ALEA_MARK_LAST;
  }
}

static alea_status mark_last(alea_svg_picture *p) {
  alea_drawing *d = p->drawing;
  if (d->last_count == 0) return ALEA_OK;
  const uint32_t *tints = d->tints;
  d->tints = NULL; /* they belong to the fluents of the other position */
  alea_layout_view before;
  alea_status status = alea_view_init(&before, d, d->last, d->last_count);
  d->tints = tints;
  if (status == ALEA_OK) {
    mark_missing(p, p->view, &before);
    mark_missing(p, &before, p->view);
  }
  alea_view_clear(&before, d);
  return status;
}

/* ---- legal moves ---- */

static void mark_cell(alea_view *board, uint32_t slice, uint32_t row, uint32_t column) {
  size_t cell = ((size_t)slice * board->row_count + row) * board->column_count + column;
  board->marks[cell] |= ALEA_MARK_LEGAL;
}

/* The slice that a move names; the first if there is but one, or none is named. */
static uint32_t slice_of(const alea_view *board, const alea_flat *move) {
  for (uint32_t i = 0; board->slices != NULL && i < move->leaf_count; i++) {
    uint32_t slice = alea_leaf_index(board->slices, move->leaves[i]);
    if (slice != ALEA_NO_INDEX) return slice;
  }
  return 0;
}

/* The cell that two consecutive arguments of a move name. */
static bool is_cell(const alea_drawing *d, const alea_view *board, const alea_flat *move,
                    uint32_t first, uint32_t *column, uint32_t *row) {
  if (first + 1 >= move->leaf_count) return false;
  const alea_shape *shape = &d->shapes.data[board->board->shape];
  bool swapped = shape->row < shape->column;
  *column = alea_leaf_index(board->columns, move->leaves[first + swapped]);
  *row = alea_leaf_index(board->rows, move->leaves[first + !swapped]);
  return *column != ALEA_NO_INDEX && *row != ALEA_NO_INDEX;
}

/* Cells of a move follow each other, perhaps after other arguments; the last is its goal:
 * 1 2 of (fill 1 2 7), 3 4 of (move 1 2 3 4). */
static bool mark_goal(const alea_drawing *d, alea_view *board, const alea_flat *move) {
  uint32_t at = 0, column, row, goal_column = 0, goal_row = 0;
  while (at < move->leaf_count && !is_cell(d, board, move, at, &column, &row)) at++;
  if (at == move->leaf_count) return false;
  for (; is_cell(d, board, move, at, &column, &row); at += 2) {
    goal_column = column;
    goal_row = row;
  }
  mark_cell(board, slice_of(board, move), goal_row, goal_column);
  return true;
}

/* Cells of some boards have one name, `a1`. */
static bool mark_named(const alea_drawing *d, alea_view *board, const alea_flat *move) {
  for (uint32_t i = move->leaf_count; i-- > 0;) {
    const char *name = alea_symbols_text(d->symbols, move->leaves[i]);
    size_t letters = strcspn(name, "0123456789");
    alea_symbol first = alea_symbols_find(d->symbols, name, letters);
    alea_symbol second = alea_symbols_find(d->symbols, name + letters, strlen(name + letters));
    if (first == ALEA_NO_SYMBOL || second == ALEA_NO_SYMBOL) continue;
    uint32_t column = alea_leaf_index(board->columns, first);
    uint32_t row = alea_leaf_index(board->rows, second);
    if (column == ALEA_NO_INDEX || row == ALEA_NO_INDEX) continue;
    mark_cell(board, 0, row, column);
    return true;
  }
  return false;
}

/* A move with one coordinate drops into the column. */
static void mark_column(alea_view *board, const alea_flat *move) {
  uint32_t column = alea_leaf_index(board->columns, move->leaves[move->leaf_count - 1]);
  if (column == ALEA_NO_INDEX) return;
  uint32_t slice = slice_of(board, move);
  for (uint32_t r = 0; r < board->row_count; r++) {
    size_t cell = ((size_t)slice * board->row_count + r) * board->column_count + column;
    if (board->cells[cell] != ALEA_NO_SYMBOL) continue;
    mark_cell(board, slice, r, column);
    return;
  }
}

static alea_status mark_legal(alea_svg_picture *p) {
  alea_drawing *d = p->drawing;
  for (size_t i = 0; i < d->legal_count; i++) {
    alea_flat move;
    alea_status status = alea_drawing_flatten(d, d->legal[i], false, &move);
    if (status != ALEA_OK) return status;
    bool marked = false;
    for (size_t b = 0; b < p->view->boards.count && !marked; b++) {
      if (d->boards.data[b].below == ALEA_NO_INDEX)
        marked = alea_drawing_joins(d, &d->shapes.data[d->boards.data[b].shape])
                     ? mark_named(d, &p->view->boards.data[b], &move)
                     : mark_goal(d, &p->view->boards.data[b], &move);
    }
    if (marked || p->view->boards.count == 0 || move.leaf_count == 0 || move.leaf_count > 2)
      continue;
    if (d->boards.data[0].cells == ALEA_CELLS_FRAME) mark_column(&p->view->boards.data[0], &move);
  }
  return ALEA_OK;
}

alea_status alea_svg_picture_mark(alea_svg_picture *picture) {
  alea_status status = mark_last(picture);
  return status == ALEA_OK ? mark_legal(picture) : status;
}
