/* Cells that have one name: `c4` is column c, row 4.
 *
 * Where the values of an argument are names of this form and fill a good part of a
 * board, the argument is taken for two.  Fluents are flattened accordingly from then on. */
#include <string.h>

#include "draw/core.h"

static bool is_cell_name(const char *text) {
  if (text[0] < 'a' || text[0] > 'z') return false;
  size_t digits = strspn(text + 1, "0123456789");
  return digits >= 1 && digits <= 2 && text[1 + digits] == '\0';
}

/* Enough columns and rows, and enough of their cells. */
static bool names_cells(const alea_drawing *d, const alea_leaf *leaf) {
  enum { LEAST_SIDE = 3, LETTERS = 26, NUMBERS = 100 };
  bool columns[LETTERS] = {false}, rows[NUMBERS] = {false};
  size_t width = 0, height = 0;
  for (size_t i = 0; i < leaf->values.count; i++) {
    const char *text = alea_symbols_text(d->symbols, leaf->values.data[i]);
    if (!is_cell_name(text)) return false;
    int number = text[1] - '0';
    if (text[2] != '\0') number = 10 * number + text[2] - '0';
    width += !columns[text[0] - 'a'];
    height += !rows[number];
    columns[text[0] - 'a'] = rows[number] = true;
  }
  return width >= LEAST_SIDE && height >= LEAST_SIDE && 3 * leaf->values.count >= width * height;
}

bool alea_leaves_split(alea_drawing *d, alea_symbol *leaves, uint32_t count, uint32_t at) {
  const char *text = alea_symbols_text(d->symbols, leaves[at]);
  if (!is_cell_name(text) || count == ALEA_MOST_LEAVES) return false;
  char column[2] = {text[0], '\0'}, row[3] = {text[1], text[2], '\0'};
  alea_symbol first = alea_symbols_add(d->symbols, column, 1);
  alea_symbol second = alea_symbols_add(d->symbols, row, strlen(row));
  if (first == ALEA_NO_SYMBOL || second == ALEA_NO_SYMBOL) return false;
  memmove(leaves + at + 2, leaves + at + 1, (count - at - 1) * sizeof *leaves);
  leaves[at] = first;
  leaves[at + 1] = second;
  return true;
}

/* Takes leaf 'at' of a shape for two, in what was learned too. */
static alea_status split_shape(alea_drawing *d, alea_shape *shape, uint32_t at) {
  alea_u32s old = shape->records;
  size_t width = 1 + (size_t)shape->leaf_count;
  alea_vec_clear(d->mem, &shape->leaves[at].values);
  alea_vec_clear(d->mem, &shape->leaves[at].rank);
  for (uint32_t i = shape->leaf_count; i > at + 1; i--) shape->leaves[i] = shape->leaves[i - 1];
  shape->leaves[at] = shape->leaves[at + 1] = (alea_leaf){0};
  shape->records = (alea_u32s){0};
  shape->split = at;
  shape->leaf_count++;
  bool good = true;
  for (size_t r = 0; good && r + width <= old.count; r += width) {
    alea_symbol leaves[ALEA_MOST_LEAVES];
    memcpy(leaves, old.data + r + 1, (width - 1) * sizeof *leaves);
    good = alea_leaves_split(d, leaves, (uint32_t)width - 1, at) &&
           alea_vec_push(d->mem, &shape->records, old.data[r]) &&
           alea_leaf_note(d, &shape->leaves[at], leaves[at]) &&
           alea_leaf_note(d, &shape->leaves[at + 1], leaves[at + 1]);
    for (size_t i = 0; good && i < width; i++)
      good = alea_vec_push(d->mem, &shape->records, leaves[i]);
  }
  alea_vec_clear(d->mem, &old);
  return good ? ALEA_OK : ALEA_SYSTEM;
}

bool alea_drawing_joins(const alea_drawing *d, const alea_shape *shape) {
  if (d->structure != NULL) return true;
  return shape->split != ALEA_NO_INDEX && shape->column + shape->row == 2 * shape->split + 1;
}

/* Hints number the arguments that the rulesheet has. */
static bool has_hint(const alea_drawing *d, const alea_shape *shape) {
  for (size_t i = 0; i < d->hints.count; i++) {
    if (d->hints.data[i].name == shape->name) return true;
  }
  return false;
}

alea_status alea_drawing_split_names(alea_drawing *d) {
  for (size_t s = 0; s < d->shapes.count; s++) {
    alea_shape *shape = &d->shapes.data[s];
    uint32_t at = 0;
    if (shape->leaf_count == ALEA_MOST_LEAVES || has_hint(d, shape)) continue;
    while (at < shape->leaf_count && !names_cells(d, &shape->leaves[at])) at++;
    if (at == shape->leaf_count) continue;
    alea_status status = split_shape(d, shape, at);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}
