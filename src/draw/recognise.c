/* What the boards of a game are made of, by the positions seen while learning
 * and by what may ever lie where. */
#include <string.h>

#include "draw/core.h"

/* A board and its size. */
typedef struct board_plan {
  alea_drawing *d;
  alea_board *board;
  const alea_shape *shape;
  uint32_t columns, rows;
} board_plan;

static const uint32_t *next_record(const alea_shape *shape, size_t *at) {
  size_t width = 1 + (size_t)shape->leaf_count;
  if (*at + width > shape->records.count) return NULL;
  const uint32_t *record = shape->records.data + *at;
  *at += width;
  return record;
}

/* The cell of a record within its slice; SIZE_MAX if it is outside. */
static size_t cell_of_record(const board_plan *p, const alea_shape *shape, const uint32_t *record) {
  uint32_t column = alea_leaf_index(&p->shape->leaves[p->shape->column], record[1 + shape->column]);
  uint32_t row = alea_leaf_index(&p->shape->leaves[p->shape->row], record[1 + shape->row]);
  if (column == ALEA_NO_INDEX || row == ALEA_NO_INDEX) return SIZE_MAX;
  return (size_t)row * p->columns + column;
}

/* ---- cells that exist ---- */

static void note_cells(const board_plan *p) {
  uint32_t number = (uint32_t)(p->board - p->d->boards.data);
  for (size_t i = 0; i < p->d->shapes.count; i++) {
    const alea_shape *shape = &p->d->shapes.data[i];
    if (shape->board != number || shape->layout != ALEA_LAYOUT_GRID) continue;
    const uint32_t *record;
    for (size_t at = 0; (record = next_record(shape, &at)) != NULL;) {
      size_t cell = cell_of_record(p, shape, record);
      if (cell != SIZE_MAX) p->board->kinds[cell] = ALEA_CELL_INSIDE;
    }
  }
}

/* Whether all cells inside have one colour of a chequered board. */
static bool one_colour(const board_plan *p) {
  bool seen[2] = {false, false};
  for (uint32_t r = 0; r < p->rows; r++) {
    for (uint32_t c = 0; c < p->columns; c++) {
      if (p->board->kinds[(size_t)r * p->columns + c] == ALEA_CELL_INSIDE) seen[(r + c) % 2] = true;
    }
  }
  return seen[0] != seen[1];
}

static bool is_outside(const board_plan *p, uint32_t c, uint32_t r) {
  if (c >= p->columns || r >= p->rows) return true; /* also -1 */
  return p->board->kinds[(size_t)r * p->columns + c] == ALEA_CELL_OUTSIDE;
}

/* Cells that do not exist are walls unless they are joined to the edge. */
static void find_walls(const board_plan *p) {
  uint8_t *kinds = p->board->kinds;
  for (size_t i = 0; i < p->board->kind_count; i++) {
    if (kinds[i] == ALEA_CELL_OUTSIDE) kinds[i] = ALEA_CELL_WALL;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t r = 0; r < p->rows; r++) {
      for (uint32_t c = 0; c < p->columns; c++) {
        uint8_t *kind = &kinds[(size_t)r * p->columns + c];
        bool joined = is_outside(p, c + 1, r) || is_outside(p, c - 1, r) ||
                      is_outside(p, c, r + 1) || is_outside(p, c, r - 1);
        if (*kind != ALEA_CELL_WALL || !joined) continue;
        *kind = ALEA_CELL_OUTSIDE;
        changed = true;
      }
    }
  }
}

static bool has_kind(const alea_board *board, alea_cell_kind kind) {
  return board->kind_count > 0 && memchr(board->kinds, (int)kind, board->kind_count) != NULL;
}

/* True if only one colour of its squares is in use, as in draughts. */
static alea_status find_cells(const board_plan *p, bool *half) {
  p->board->kind_count = (size_t)p->columns * p->rows;
  p->board->kinds = alea_mem_zalloc(p->d->mem, p->board->kind_count);
  if (p->board->kinds == NULL) {
    p->board->kind_count = 0;
    return ALEA_SYSTEM;
  }
  note_cells(p);
  *half = p->d->has_possible && p->board->kind_count >= 16 && one_colour(p);
  if (*half || !p->d->has_possible || !has_kind(p->board, ALEA_CELL_INSIDE))
    memset(p->board->kinds, ALEA_CELL_INSIDE, p->board->kind_count);
  find_walls(p);
  return ALEA_OK;
}

/* ---- how the contents behave ---- */

typedef struct board_facts {
  bool moves;   /* somewhere as many pieces stood elsewhere one step later */
  bool falls;   /* pieces always lie on others or on the first row */
  bool numbers; /* all contents are numbers */
  bool unique;  /* no content twice in a position */
  unsigned largest;
  size_t fullest, contents;
} board_facts;

/* A position of the learning, by columns and as a sum that tells positions apart. */
typedef struct board_tally {
  uint32_t position;
  size_t pieces;
  uint64_t sum;
  uint16_t filled[256], top[256];
} board_tally;

static void end_position(board_facts *f, const board_tally *now, const board_tally *before,
                         uint32_t columns) {
  if (now->pieces > 0 && now->pieces == before->pieces && now->sum != before->sum) f->moves = true;
  if (now->pieces > f->fullest) f->fullest = now->pieces;
  for (uint32_t c = 0; c < columns && c < 256; c++) {
    if (now->filled[c] != now->top[c]) f->falls = false;
  }
}

static void note_piece(board_tally *now, size_t cell, alea_symbol content, uint32_t columns) {
  uint64_t mixed = ((uint64_t)cell * 1000003 + content) * UINT64_C(0x9e3779b97f4a7c15);
  size_t c = cell % columns, height = cell / columns + 1;
  now->pieces++;
  now->sum += mixed ^ mixed >> 29;
  if (c >= 256) return;
  now->filled[c]++;
  if (height > now->top[c]) now->top[c] = (uint16_t)height;
}

/* Of several boards of one relation one is enough. */
static bool is_first_slice(const board_plan *p, const uint32_t *record) {
  if (p->shape->slice == ALEA_NO_INDEX) return true;
  return record[1 + p->shape->slice] == p->shape->leaves[p->shape->slice].values.data[0];
}

static alea_status look_at_play(const board_plan *p, board_facts *f) {
  board_tally now = {.position = ALEA_NO_INDEX}, before = {0};
  const uint32_t *record;
  f->falls = p->columns < 256;
  for (size_t at = 0; (record = next_record(p->shape, &at)) != NULL;) {
    if (record[0] == ALEA_NO_INDEX || !is_first_slice(p, record)) continue;
    if (record[0] != now.position) {
      end_position(f, &now, &before, p->columns);
      before = now;
      now = (board_tally){.position = record[0]};
    }
    alea_symbol content = alea_drawing_content(p->d, p->shape, record + 1);
    if (content == ALEA_NO_SYMBOL) return ALEA_SYSTEM;
    size_t cell = cell_of_record(p, p->shape, record);
    if (content != p->board->blank && cell != SIZE_MAX) note_piece(&now, cell, content, p->columns);
  }
  end_position(f, &now, &before, p->columns);
  return ALEA_OK;
}

static alea_status look_at_contents(const board_plan *p, board_facts *f) {
  f->numbers = true;
  const uint32_t *record;
  alea_u32s seen = {0};
  bool good = true;
  for (size_t at = 0; good && (record = next_record(p->shape, &at)) != NULL;) {
    alea_symbol content = alea_drawing_content(p->d, p->shape, record + 1);
    if (content == p->board->blank) continue;
    unsigned number = 0;
    bool known = false;
    if (!alea_drawing_number(p->d, content, &number)) f->numbers = false;
    if (number > f->largest) f->largest = number;
    for (size_t i = 0; i < seen.count && !known; i++) known = seen.data[i] == content;
    if (!known) good = alea_vec_push(p->d->mem, &seen, content);
    if (seen.count > 200) break;
  }
  f->contents = seen.count;
  f->unique = f->fullest == f->contents;
  alea_vec_clear(p->d->mem, &seen);
  return good ? ALEA_OK : ALEA_SYSTEM;
}

/* ---- the guess ---- */

static bool is_square_number(uint32_t n) { return n == 4 || n == 9 || n == 16 || n == 25; }

/* Whether creatures and things live on it rather than pieces. */
static bool has_things(const board_plan *p) {
  for (size_t i = 0; i < p->d->labels.count; i++) {
    alea_glyph glyph = p->d->labels.data[i].look.glyph;
    if (glyph >= ALEA_GLYPH_PELLET && glyph != ALEA_GLYPH_COUNT && glyph != ALEA_GLYPH_ARROW &&
        glyph != ALEA_GLYPH_SHEEP && glyph != ALEA_GLYPH_WOLF && glyph != ALEA_GLYPH_TRACE)
      return true;
  }
  return false;
}

static alea_cells guess(const board_plan *p, const board_facts *f, bool half) {
  enum { GO_SIZE = 13, FEW = 8 };
  bool square = p->columns == p->rows;
  if (half) return ALEA_CELLS_CHEQUERED;
  if (f->numbers && f->contents > 1) {
    if (square && is_square_number(p->columns) && f->largest == p->columns)
      return ALEA_CELLS_BLOCKS;
    return f->unique && f->fullest + 2 >= p->board->kind_count ? ALEA_CELLS_TILES
                                                               : ALEA_CELLS_PLAIN;
  }
  if (p->d->adjacent != ALEA_CELLS_GUESS && p->columns > 2 && p->rows > 2) return p->d->adjacent;
  if (has_kind(p->board, ALEA_CELL_WALL) || has_things(p)) return ALEA_CELLS_FLOOR;
  if (f->falls && f->fullest >= FEW && p->columns > 3 && f->contents > 1) return ALEA_CELLS_FRAME;
  if (!f->moves && square && p->columns >= GO_SIZE && f->contents == 2) return ALEA_CELLS_POINTS;
  return f->moves && p->columns > 3 && p->rows > 3 ? ALEA_CELLS_CHEQUERED : ALEA_CELLS_PLAIN;
}

static void follow_board_hints(const board_plan *p) {
  for (size_t i = 0; i < p->d->board_hints.count; i++) {
    const alea_board_hint *hint = &p->d->board_hints.data[i];
    if (hint->name != p->shape->name) continue;
    if (hint->cells != ALEA_CELLS_GUESS) p->board->cells = hint->cells;
    if (hint->block > 0) p->board->block = hint->block;
    p->board->flip |= hint->flip;
    p->board->merge |= hint->merge && p->shape->slice != ALEA_NO_INDEX;
  }
}

static alea_status recognise_board(alea_drawing *d, alea_board *board) {
  const alea_shape *shape = &d->shapes.data[board->shape];
  board_plan p = {d, board, shape, (uint32_t)shape->leaves[shape->column].values.count,
                  (uint32_t)shape->leaves[shape->row].values.count};
  board_facts facts = {0};
  bool half = false;
  alea_status status = find_cells(&p, &half);
  if (status == ALEA_OK) status = look_at_play(&p, &facts);
  if (status == ALEA_OK) status = look_at_contents(&p, &facts);
  if (status != ALEA_OK) return status;
  board->cells = guess(&p, &facts, half);
  while (board->block * board->block < p.columns) board->block++;
  follow_board_hints(&p);
  return ALEA_OK;
}

/* ---- boards on boards ---- */

static bool same_range(const alea_leaf *a, const alea_leaf *b) {
  if (a->values.count != b->values.count) return false;
  for (size_t i = 0; i < a->values.count; i++) {
    if (a->values.data[i] != b->values.data[i]) return false;
  }
  return true;
}

/* Whether the contents of a board are things rather than letters. */
static bool has_glyphs(const alea_drawing *d, const alea_board *board) {
  const alea_shape *shape = &d->shapes.data[board->shape];
  for (size_t i = 0; i < d->piece_hints.count; i++) {
    if (d->piece_hints.data[i].word == shape->name) return true;
  }
  for (size_t i = 0; i < d->labels.count; i++) {
    if (d->labels.data[i].look.glyph == ALEA_GLYPH_COUNT) return false;
  }
  return true;
}

/* Two relations with the same coordinates are one board in pictures, unless letters would
 * cover its pieces. */
static bool lies_upon(const alea_drawing *d, const alea_board *upper, const alea_board *lower) {
  const alea_shape *a = &d->shapes.data[upper->shape], *b = &d->shapes.data[lower->shape];
  if ((a->slice == ALEA_NO_INDEX) != (b->slice == ALEA_NO_INDEX) || !has_glyphs(d, upper))
    return false;
  if (a->slice != ALEA_NO_INDEX && !same_range(&a->leaves[a->slice], &b->leaves[b->slice]))
    return false;
  return same_range(&a->leaves[a->column], &b->leaves[b->column]) &&
         same_range(&a->leaves[a->row], &b->leaves[b->row]);
}

alea_status alea_drawing_recognise(alea_drawing *d) {
  for (size_t i = 0; i < d->boards.count; i++) {
    alea_status status = recognise_board(d, &d->boards.data[i]);
    if (status != ALEA_OK) return status;
    for (uint32_t j = 0; j < i && d->boards.data[i].below == ALEA_NO_INDEX; j++) {
      bool fits = d->boards.data[j].below == ALEA_NO_INDEX;
      if (fits && lies_upon(d, &d->boards.data[i], &d->boards.data[j])) d->boards.data[i].below = j;
    }
  }
  return ALEA_OK;
}
