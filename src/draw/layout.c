/* Finds which shapes are boards and which are lists: ranges, keys, scores. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "draw/core.h"
#include "game/rows.h"

/* ---- ranges ---- */

/* A value with the number by which it is ordered. */
typedef struct layout_ranked {
  alea_symbol value;
  int64_t order;
} layout_ranked;

static int by_order(const void *a, const void *b) {
  int64_t x = ((const layout_ranked *)a)->order, y = ((const layout_ranked *)b)->order;
  return (x > y) - (x < y);
}

/* The number at the end of `12`, `c12`, `row-12`, if the letters before it are
 * 'prefix_length' long; otherwise -1. */
static int64_t trailing_number(const char *text, size_t prefix_length) {
  size_t length = strlen(text);
  if (length <= prefix_length || length - prefix_length > 9) return -1;
  int64_t number = 0;
  for (const char *at = text + prefix_length; *at != '\0'; at++) {
    if (!isdigit((unsigned char)*at)) return -1;
    number = 10 * number + (*at - '0');
  }
  return number;
}

static bool order_by_number(const alea_drawing *d, const alea_leaf *leaf, layout_ranked *out) {
  const char *first = alea_symbols_text(d->symbols, leaf->values.data[0]);
  size_t prefix = strcspn(first, "0123456789");
  for (size_t i = 0; i < leaf->values.count; i++) {
    const char *text = alea_symbols_text(d->symbols, leaf->values.data[i]);
    int64_t number = trailing_number(text, prefix);
    if (number < 0 || strncmp(text, first, prefix) != 0) return false;
    out[i] = (layout_ranked){leaf->values.data[i], number};
  }
  return true;
}

static bool order_by_letter(const alea_drawing *d, const alea_leaf *leaf, layout_ranked *out) {
  for (size_t i = 0; i < leaf->values.count; i++) {
    const char *text = alea_symbols_text(d->symbols, leaf->values.data[i]);
    if (!isalpha((unsigned char)text[0]) || text[1] != '\0') return false;
    out[i] = (layout_ranked){leaf->values.data[i], text[0]};
  }
  return true;
}

static uint32_t lookup(const alea_u32s *map, uint32_t key) {
  return key < map->count ? map->data[key] : ALEA_NO_INDEX;
}

/* The order of a successor chain of the rules that contains all values. */
static bool order_by_chain(const alea_drawing *d, const alea_leaf *leaf, layout_ranked *out) {
  alea_symbol head = leaf->values.data[0];
  size_t steps = 0, most = alea_symbols_count(d->symbols);
  for (; lookup(&d->before, head) != ALEA_NO_INDEX && steps < most; steps++) {
    head = d->before.data[head];
  }
  if (steps == most) return false; /* a cycle */
  size_t found = 0;
  for (size_t i = 0; i < leaf->values.count; i++) out[i].order = -1;
  int64_t order = 0;
  for (uint32_t at = head; at != ALEA_NO_INDEX && order < (int64_t)most; order++) {
    uint32_t index = alea_leaf_index(leaf, at);
    if (index != ALEA_NO_INDEX) {
      out[index] = (layout_ranked){at, order};
      found++;
    }
    at = lookup(&d->after, at);
  }
  return found == leaf->values.count;
}

/* Ranges have few gaps. */
static bool dense(const layout_ranked *sorted, size_t count) {
  int64_t span = sorted[count - 1].order - sorted[0].order + 1;
  return (int64_t)(2 * count) >= span;
}

static alea_status find_range(alea_drawing *d, alea_leaf *leaf) {
  size_t count = leaf->values.count;
  if (count < 2) return ALEA_OK;
  layout_ranked *out = alea_mem_alloc(d->mem, count * sizeof *out);
  if (out == NULL) return ALEA_SYSTEM;
  bool (*const orders[])(const alea_drawing *, const alea_leaf *, layout_ranked *) = {
      order_by_number, order_by_letter, order_by_chain};
  for (size_t i = 0; i < 3 && !leaf->is_range; i++) {
    if (!orders[i](d, leaf, out)) continue;
    qsort(out, count, sizeof *out, by_order);
    leaf->is_range = dense(out, count);
  }
  if (leaf->is_range) {
    for (size_t i = 0; i < count; i++) {
      leaf->values.data[i] = out[i].value;
      leaf->rank.data[out[i].value] = (uint32_t)i;
    }
    leaf->letter = alea_symbols_text(d->symbols, out[0].value)[0];
  }
  alea_mem_free(d->mem, out, count * sizeof *out);
  return ALEA_OK;
}

/* ---- keys ---- */

/* The records of a shape as rows, their leaves as columns. */
typedef struct layout_records {
  alea_rows rows;
  uint32_t *group_of; /* scratch */
  uint32_t *order;    /* 0, 1, ... */
} layout_records;

/* Properties of a choice of key leaves for the records of a shape. */
typedef struct layout_keyed {
  bool functional; /* one record per key and position */
  size_t distinct; /* different keys in all records */
  size_t records;  /* in positions */
} layout_keyed;

static size_t record_width(const alea_shape *shape) { return 1 + (size_t)shape->leaf_count; }

static alea_status records_init(layout_records *r, alea_drawing *d, const alea_shape *shape) {
  *r = (layout_records){0};
  uint32_t count = (uint32_t)(shape->records.count / record_width(shape));
  alea_status status = alea_rows_init(&r->rows, count, shape->leaf_count, d->mem);
  r->group_of = alea_mem_calloc(d->mem, count, sizeof *r->group_of);
  r->order = alea_mem_calloc(d->mem, count, sizeof *r->order);
  if (status != ALEA_OK || r->group_of == NULL || r->order == NULL) return ALEA_SYSTEM;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t *record = shape->records.data + i * record_width(shape);
    memcpy(alea_rows_at(&r->rows, i), record + 1, shape->leaf_count * sizeof *record);
    r->order[i] = i;
  }
  return ALEA_OK;
}

static void records_clear(layout_records *r) {
  alea_mem *mem = r->rows.mem;
  alea_mem_free(mem, r->group_of, r->rows.count * sizeof *r->group_of);
  alea_mem_free(mem, r->order, r->rows.count * sizeof *r->order);
  alea_rows_clear(&r->rows);
}

/* Two records of one key within one position break the function; the records
 * of a position follow each other. */
static layout_keyed look_at_key(layout_records *r, const alea_shape *shape, uint32_t mask) {
  layout_keyed result = {.functional = true};
  result.distinct = alea_rows_group(&r->rows, mask, r->group_of);
  for (uint32_t first = 0, end; first < r->rows.count; first = end) {
    uint32_t position = shape->records.data[first * record_width(shape)];
    for (end = first + 1; end < r->rows.count; end++)
      if (shape->records.data[end * record_width(shape)] != position) break;
    if (position == ALEA_NO_INDEX) continue;
    result.records += end - first;
    if (result.functional)
      result.functional = alea_rows_differ(&r->rows, r->group_of, r->order + first, end - first);
  }
  return result;
}

/* ---- layouts ---- */

static void propose(alea_shape *shape, alea_layout layout, double score, uint32_t column,
                    uint32_t row, uint32_t slice) {
  if (score <= shape->score) return;
  shape->layout = layout;
  shape->score = score;
  shape->column = column;
  shape->row = row;
  shape->slice = slice;
}

/* The minimum share of cells that are ever used for a shape to be a grid. */
static const double least_fill = 0.3;
enum { MOST_CELLS = 10000, MOST_SLICES = 16 };

static void try_grid(layout_records *r, alea_shape *shape, uint32_t a, uint32_t b) {
  size_t columns = shape->leaves[a].values.count, rows = shape->leaves[b].values.count;
  if (columns * rows < 4 || columns * rows > MOST_CELLS) return;
  uint32_t key = 1u << a | 1u << b;
  layout_keyed result = look_at_key(r, shape, key);
  double fill = (double)result.distinct / (double)(columns * rows);
  if (fill < least_fill) return;
  if (result.functional) {
    propose(shape, ALEA_LAYOUT_GRID, 2 * fill * (double)(columns * rows), a, b, ALEA_NO_INDEX);
    return;
  }
  for (uint32_t c = 0; c < shape->leaf_count; c++) {
    if (c == a || c == b || shape->leaves[c].values.count > MOST_SLICES) continue;
    result = look_at_key(r, shape, key | 1u << c);
    /* Contents of a cell must not be taken for boards: some leaf is left, or
     * the boards form a range themselves. */
    if (!result.functional || (shape->leaf_count == 3 && !shape->leaves[c].is_range)) continue;
    propose(shape, ALEA_LAYOUT_GRID, fill * (double)(columns * rows), a, b, c);
  }
}

/* A list gives most names of its range a value in each position. */
static void try_list(const alea_drawing *d, layout_records *r, alea_shape *shape, uint32_t a) {
  size_t names = shape->leaves[a].values.count;
  layout_keyed result = look_at_key(r, shape, 1u << a);
  if (!result.functional || d->positions == 0) return;
  double share = (double)result.records / (double)(names * d->positions);
  if (share >= 0.6 && names <= 40) {
    propose(shape, ALEA_LAYOUT_LIST, 3 * share * (double)names, a, 0, ALEA_NO_INDEX);
  }
}

static bool same_values(const alea_leaf *a, const alea_leaf *b) {
  if (a->values.count != b->values.count) return false;
  for (size_t i = 0; i < a->values.count; i++) {
    if (alea_leaf_index(b, a->values.data[i]) == ALEA_NO_INDEX) return false;
  }
  return true;
}

/* (heap a 3) is a list although a and 3 are ranges; (queen 1 5) is a board
 * although each row has one queen: there both ranges are the same. */
static void try_layouts(const alea_drawing *d, layout_records *r, alea_shape *shape) {
  for (uint32_t a = 0; a < shape->leaf_count; a++) {
    if (!shape->leaves[a].is_range) continue;
    for (uint32_t b = a + 1; b < shape->leaf_count; b++) {
      if (shape->leaves[b].is_range) try_grid(r, shape, a, b);
    }
  }
  bool settled = shape->layout == ALEA_LAYOUT_GRID &&
                 (shape->leaf_count > 2 || same_values(&shape->leaves[0], &shape->leaves[1]));
  if (settled || shape->leaf_count < 2) return;
  if (shape->layout == ALEA_LAYOUT_GRID) shape->score = 0;
  alea_layout before = shape->layout;
  for (uint32_t a = 0; a < shape->leaf_count; a++) {
    if (shape->leaves[a].is_range) try_list(d, r, shape, a);
  }
  if (before == ALEA_LAYOUT_GRID && shape->layout == before) shape->score = 1;
}

static alea_status find_layout(alea_drawing *d, alea_shape *shape) {
  layout_records records;
  alea_status status = records_init(&records, d, shape);
  if (status == ALEA_OK) try_layouts(d, &records, shape);
  records_clear(&records);
  return status;
}

/* Letters and names like c1, x1, col1 are columns; r1, y1, row1 are rows. */
static bool is_row_name(char letter) { return letter == 'r' || letter == 'y'; }

static void choose_axes(alea_shape *shape) {
  char a = shape->leaves[shape->column].letter, b = shape->leaves[shape->row].letter;
  bool swap = isdigit((unsigned char)a) && isalpha((unsigned char)b) && !is_row_name(b);
  if (is_row_name(a) && !is_row_name(b)) swap = true;
  if (!swap) return;
  uint32_t kept = shape->column;
  shape->column = shape->row;
  shape->row = kept;
}

/* ---- boards ---- */

static bool within(const alea_leaf *small, const alea_leaf *large) {
  for (size_t i = 0; i < small->values.count; i++) {
    if (alea_leaf_index(large, small->values.data[i]) == ALEA_NO_INDEX) return false;
  }
  return small->values.count > 0;
}

/* A shape of just two coordinates that fit on a board is drawn on it; its
 * coordinates are in the same order as those of the board's own shape. */
static bool lies_on(const alea_drawing *d, const alea_shape *shape, const alea_board *board) {
  const alea_shape *owner = &d->shapes.data[board->shape];
  if (shape->leaf_count != 2 || owner->slice != ALEA_NO_INDEX) return false;
  if (shape->hint != ALEA_HINT_NONE && shape->hint != ALEA_HINT_GRID) return false;
  uint32_t first = owner->column < owner->row ? owner->column : owner->row;
  uint32_t second = owner->column < owner->row ? owner->row : owner->column;
  return within(&shape->leaves[0], &owner->leaves[first]) &&
         within(&shape->leaves[1], &owner->leaves[second]);
}

static const char *const blanks[] = {"b", "blank", "empty", "none", "nothing",
                                     "e", "free",  "off",   "-"};

/* Counts the contents of all cells of all positions, by symbol. */
static alea_status count_contents(alea_drawing *d, const alea_shape *shape, alea_u32s *counts,
                                  size_t *total) {
  size_t width = 1 + shape->leaf_count;
  for (size_t i = 0; i + width <= shape->records.count; i += width) {
    const uint32_t *record = shape->records.data + i;
    alea_symbol content = alea_drawing_content(d, shape, record + 1);
    if (content == ALEA_NO_SYMBOL) return ALEA_SYSTEM;
    while (counts->count <= content) {
      if (!alea_vec_push(d->mem, counts, 0)) return ALEA_SYSTEM;
    }
    if (record[0] == ALEA_NO_INDEX) continue;
    counts->data[content]++;
    ++*total;
  }
  return ALEA_OK;
}

/* The content that means "empty": a well-known name, or the most common content
 * of a board on which every cell always has one. */
static alea_status find_blank(alea_drawing *d, alea_board *board) {
  const alea_shape *shape = &d->shapes.data[board->shape];
  alea_u32s counts = {0};
  size_t total = 0;
  alea_status status = count_contents(d, shape, &counts, &total);
  size_t cells = shape->leaves[shape->column].values.count * shape->leaves[shape->row].values.count;
  uint32_t coordinates = shape->slice != ALEA_NO_INDEX ? 3 : 2;
  bool full = total >= cells * d->positions && shape->leaf_count > coordinates;
  size_t most = total / 3; /* an empty cell must be common */
  for (uint32_t symbol = 0; full && symbol < counts.count; symbol++) {
    if (counts.data[symbol] <= most) continue;
    most = counts.data[symbol];
    board->blank = symbol;
  }
  for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
    alea_symbol known = alea_symbols_find(d->symbols, blanks[i], strlen(blanks[i]));
    if (known >= counts.count || counts.data[known] == 0) continue;
    board->blank = known;
    break;
  }
  alea_vec_clear(d->mem, &counts);
  return status;
}

/* The best grid that has no board yet, or ALEA_NO_INDEX. */
static uint32_t best_grid(const alea_drawing *d) {
  uint32_t best = ALEA_NO_INDEX;
  for (uint32_t i = 0; i < d->shapes.count; i++) {
    const alea_shape *shape = &d->shapes.data[i];
    if (shape->layout != ALEA_LAYOUT_GRID || shape->board != ALEA_NO_INDEX) continue;
    if (best == ALEA_NO_INDEX || shape->score > d->shapes.data[best].score) best = i;
  }
  return best;
}

static alea_status make_boards(alea_drawing *d) {
  for (uint32_t index; (index = best_grid(d)) != ALEA_NO_INDEX;) {
    alea_board board = {.shape = index, .blank = ALEA_NO_SYMBOL, .below = ALEA_NO_INDEX};
    uint32_t number = (uint32_t)d->boards.count;
    alea_status status = find_blank(d, &board);
    if (status != ALEA_OK) return status;
    if (!alea_vec_push(d->mem, &d->boards, board)) return ALEA_SYSTEM;
    d->shapes.data[index].board = number;
    for (uint32_t i = 0; i < d->shapes.count; i++) {
      alea_shape *shape = &d->shapes.data[i];
      if (shape->board != ALEA_NO_INDEX || !lies_on(d, shape, &board)) continue;
      const alea_shape *owner = &d->shapes.data[index];
      shape->layout = ALEA_LAYOUT_GRID;
      shape->column = owner->column < owner->row ? 0 : 1;
      shape->row = 1 - shape->column;
      shape->board = number;
    }
  }
  return ALEA_OK;
}

/* Hints of the rulesheet take precedence over what was found. */
static bool follow_hint(const alea_drawing *d, alea_shape *shape) {
  for (size_t i = 0; i < d->hints.count; i++) {
    const alea_hint *hint = &d->hints.data[i];
    if (hint->name != shape->name || hint->kind == ALEA_HINT_NONE) continue;
    shape->hint = hint->kind;
    shape->column = hint->column;
    shape->width = hint->width;
    shape->gap = hint->gap;
    if (hint->kind != ALEA_HINT_GRID) {
      shape->row = hint->row;
      shape->slice = hint->slice;
      return hint->kind != ALEA_HINT_HEAPS && hint->kind != ALEA_HINT_TREES;
    }
    uint32_t leaves = shape->leaf_count;
    bool fits = hint->column < leaves && hint->row < leaves && hint->column != hint->row &&
                (hint->slice == ALEA_NO_INDEX || hint->slice < leaves);
    if (!fits || !shape->leaves[hint->column].is_range || !shape->leaves[hint->row].is_range)
      continue;
    propose(shape, ALEA_LAYOUT_GRID, 1e9 - (double)i, hint->column, hint->row, hint->slice);
    return true;
  }
  return false;
}

alea_status alea_drawing_find_layouts(alea_drawing *d) {
  for (size_t i = 0; i < d->shapes.count; i++) {
    alea_shape *shape = &d->shapes.data[i];
    alea_status status = ALEA_OK;
    for (uint32_t j = 0; status == ALEA_OK && j < shape->leaf_count; j++) {
      status = find_range(d, &shape->leaves[j]);
    }
    bool hinted = status == ALEA_OK && (follow_hint(d, shape) || alea_drawing_guess(d, shape));
    if (status == ALEA_OK && !hinted) status = find_layout(d, shape);
    if (status != ALEA_OK) return status;
    if (!hinted && shape->layout == ALEA_LAYOUT_GRID) choose_axes(shape);
  }
  return make_boards(d);
}
