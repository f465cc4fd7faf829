/* Posting tables: values become indexes, rows are sorted, and the propagator
 * is chosen by arity and sign. */
#include <assert.h>

#include "csp/constraints.h"

/* One pass of a stable counting sort by one column; CSP_ANY comes first. */
static bool sort_column(alea_mem *mem, const uint32_t *rows, const uint32_t *from, uint32_t *to,
                        size_t count, uint32_t arity, uint32_t column) {
  uint32_t largest = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t entry = rows[i * arity + column];
    if (entry != CSP_ANY && entry > largest) largest = entry;
  }
  size_t buckets = (size_t)largest + 3;
  size_t *first = alea_mem_calloc(mem, buckets, sizeof *first);
  if (first == NULL) return false;
  for (size_t i = 0; i < count; i++) first[(uint32_t)(rows[i * arity + column] + 1) + 1]++;
  for (size_t b = 1; b < buckets; b++) first[b] += first[b - 1];
  for (size_t i = 0; i < count; i++)
    to[first[(uint32_t)(rows[from[i] * (size_t)arity + column] + 1)]++] = from[i];
  alea_mem_free(mem, first, buckets * sizeof *first);
  return true;
}

/* Copies the rows in the given order, without repeats. */
static size_t gather(const uint32_t *rows, const uint32_t *order, uint32_t *out, size_t count,
                     uint32_t arity) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t *row = &rows[order[i] * (size_t)arity];
    if (kept > 0 && memcmp(row, &out[(kept - 1) * arity], arity * sizeof *row) == 0) continue;
    memcpy(&out[kept++ * arity], row, arity * sizeof *row);
  }
  return kept;
}

static bool is_sorted(const uint32_t *rows, size_t count, uint32_t arity) {
  for (size_t i = 1; i < count; i++) {
    const uint32_t *row = &rows[i * arity], *before = row - arity;
    uint32_t c = 0;
    while (c < arity && row[c] == before[c]) c++;
    if (c == arity || row[c] + 1 < before[c] + 1) return false;
  }
  return true;
}

size_t csp_rows_sort(alea_mem *mem, uint32_t *rows, size_t count, uint32_t arity) {
  if (is_sorted(rows, count, arity)) return count;
  if (count > UINT32_MAX) return SIZE_MAX;
  uint32_t *order = alea_mem_alloc(mem, 2 * count * sizeof *order);
  uint32_t *copy = alea_mem_alloc(mem, count * arity * sizeof *copy);
  size_t kept = SIZE_MAX;
  if (order != NULL && copy != NULL) {
    uint32_t *from = order, *to = order + count;
    bool done = true;
    for (size_t i = 0; i < count; i++) from[i] = (uint32_t)i;
    for (uint32_t c = arity; c-- > 0 && done;) {
      done = sort_column(mem, rows, from, to, count, arity, c);
      uint32_t *swap = from;
      from = to;
      to = swap;
    }
    if (done) {
      kept = gather(rows, from, copy, count, arity);
      memcpy(rows, copy, kept * arity * sizeof *rows);
    }
  }
  alea_mem_free(mem, order, 2 * count * sizeof *order);
  alea_mem_free(mem, copy, count * arity * sizeof *copy);
  return kept;
}

static bool row_matches(const uint32_t *row, const uint32_t *indexes, uint32_t arity) {
  for (uint32_t c = 0; c < arity; c++)
    if (row[c] != CSP_ANY && row[c] != indexes[c]) return false;
  return true;
}

bool csp_table_check(const alea_csp *csp, const csp_constraint *constraint, const int32_t *values) {
  const csp_table *table = constraint->data;
  uint32_t few[64], arity = table->arity;
  uint32_t *indexes = arity <= 64 ? few : alea_mem_alloc(csp->mem, arity * sizeof *indexes);
  if (indexes == NULL) return false;
  for (uint32_t c = 0; c < arity; c++)
    indexes[c] = csp_index(&csp->vars.data[constraint->scope[c]], values[c]);
  bool found = false;
  for (size_t i = 0; i < table->count && !found; i++)
    found = row_matches(&table->rows[i * arity], indexes, arity);
  if (indexes != few) alea_mem_free(csp->mem, indexes, arity * sizeof *indexes);
  return found != table->forbidden;
}

/* A forbidden row with stars is a clause: some entry differs. */
static alea_status post_short_forbidden(alea_csp *csp, const alea_csp_var *scope, uint32_t arity,
                                        const uint32_t *row) {
  alea_csp_lit *lits = csp_alloc(csp, arity, sizeof *lits);
  if (lits == NULL) return csp->state;
  size_t count = 0;
  for (uint32_t c = 0; c < arity; c++)
    if (row[c] != CSP_ANY)
      lits[count++] = (alea_csp_lit){scope[c], csp_value(&csp->vars.data[scope[c]], row[c]), true};
  return alea_csp_clause(csp, lits, count);
}

static const csp_type *choose(const alea_csp *csp, const csp_table *table,
                              const alea_csp_var *scope) {
  if (table->arity == 1) return &csp_unary_type;
  if (table->arity == 2 && !table->has_star && csp->vars.data[scope[0]].size <= 64 &&
      csp->vars.data[scope[1]].size <= 64)
    return &csp_binary_type;
  return table->forbidden ? &csp_negative_type : &csp_compact_type;
}

/* 'rows' belongs to the arena of the network and may be changed. */
static alea_status post_owned(alea_csp *csp, const alea_csp_var *scope, uint32_t arity,
                              uint32_t *rows, size_t count, bool forbidden) {
  csp_table *table = csp_alloc(csp, 1, sizeof *table);
  if (table == NULL) return csp->state;
  *table = (csp_table){.arity = arity, .rows = rows, .forbidden = forbidden};
  if (arity == 0) {
    csp->false_ = csp->false_ || (count == 0) != forbidden;
    return ALEA_OK;
  }
  table->count = csp_rows_sort(csp->mem, rows, count, arity);
  if (table->count == SIZE_MAX) return csp_fail(csp, ALEA_SYSTEM);
  for (size_t i = 0; i < table->count * arity; i++) table->has_star |= rows[i] == CSP_ANY;
  if (!table->has_star || !forbidden)
    return csp_post(csp, choose(csp, table, scope), scope, arity, table);
  for (size_t i = 0; i < table->count; i++)
    post_short_forbidden(csp, scope, arity, &rows[i * arity]);
  return csp->state;
}

/* Turns a row of values into indexes; false if it can never match, because a
 * value is outside its domain or a repeated variable has two values. */
static bool row_indexes(const alea_csp *csp, const alea_csp_var *scope, uint32_t arity,
                        const int32_t *row, uint32_t *out) {
  for (uint32_t c = 0; c < arity; c++) {
    out[c] = row[c] == ALEA_CSP_STAR ? CSP_ANY : csp_index(&csp->vars.data[scope[c]], row[c]);
    if (out[c] == CSP_ANY && row[c] != ALEA_CSP_STAR) return false;
  }
  return true;
}

/* Repeated variables: keeps the first column of each and the rows in which
 * the others agree with it.  Returns the new arity. */
static uint32_t drop_repeats(alea_csp_var *scope, uint32_t arity, uint32_t *rows, size_t *count) {
  uint32_t width = arity;
  for (uint32_t c = 1; c < width;) {
    uint32_t first = 0;
    while (scope[first] != scope[c]) first++;
    if (first == c) {
      c++;
      continue;
    }
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
      uint32_t *row = &rows[i * width], a = row[first], b = row[c];
      if (a != b && a != CSP_ANY && b != CSP_ANY) continue;
      row[first] = a == CSP_ANY ? b : a;
      uint32_t to = 0;
      for (uint32_t k = 0; k < width; k++)
        if (k != c) rows[kept * (width - 1) + to++] = row[k];
      kept++;
    }
    *count = kept;
    memmove(&scope[c], &scope[c + 1], (width - c - 1) * sizeof *scope);
    width--;
  }
  return width;
}

alea_status alea_csp_table(alea_csp *csp, const alea_csp_var *scope, uint32_t arity,
                           const int32_t *tuples, size_t count, bool forbidden) {
  if (csp->state != ALEA_OK) return csp->state;
  for (uint32_t i = 0; i < arity; i++)
    if (scope[i] >= csp->vars.count) return csp_fail(csp, ALEA_USAGE);
  uint32_t width = arity == 0 ? 1 : arity;
  if (count > SIZE_MAX / 8 / width) return csp_fail(csp, ALEA_LIMIT);
  uint32_t *rows = csp_alloc(csp, count * width, sizeof *rows);
  alea_csp_var *own = csp_copy(csp, scope, arity, sizeof *scope);
  if (rows == NULL || own == NULL) return csp->state;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    kept += row_indexes(csp, scope, arity, &tuples[i * arity], &rows[kept * arity]);
  arity = drop_repeats(own, arity, rows, &kept);
  return post_owned(csp, own, arity, rows, kept, forbidden);
}

alea_status csp_post_rows(alea_csp *csp, const alea_csp_var *scope, uint32_t arity,
                          const uint32_t *rows, size_t count, bool forbidden) {
  uint32_t *copy = csp_copy(csp, rows, count * arity, sizeof *rows);
  if (copy == NULL) return csp->state;
  return post_owned(csp, scope, arity, copy, count, forbidden);
}
