/* Rows that agree, by hashing; and groups in the order of their texts. */
#include "game/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"

/* ---- rows ---- */

alea_status alea_rows_init(alea_rows *rows, uint32_t count, uint32_t width, alea_mem *mem) {
  *rows = (alea_rows){.mem = mem, .count = count, .width = width};
  rows->cells = alea_mem_calloc(mem, count, width * sizeof *rows->cells);
  bool room = alea_hash_map_init(&rows->map, mem, count);
  rows->first = alea_mem_calloc(mem, count, sizeof *rows->first);
  rows->marked = alea_mem_calloc(mem, count, sizeof *rows->marked);
  bool good = rows->cells != NULL && room && rows->first != NULL && rows->marked != NULL;
  return good ? ALEA_OK : alea_mem_lack(mem);
}

void alea_rows_clear(alea_rows *rows) {
  if (rows->mem == NULL) return;
  alea_mem_free(rows->mem, rows->cells, (size_t)rows->count * rows->width * sizeof *rows->cells);
  alea_hash_map_clear(&rows->map, rows->mem);
  alea_mem_free(rows->mem, rows->first, rows->count * sizeof *rows->first);
  alea_mem_free(rows->mem, rows->marked, rows->count * sizeof *rows->marked);
  *rows = (alea_rows){0};
}

static bool in_key(uint32_t mask, uint32_t column) { return column >= 32 || mask >> column & 1; }

static uint64_t hash_key(const alea_rows *rows, uint32_t mask, uint32_t row) {
  const uint32_t *cells = alea_rows_at(rows, row);
  uint64_t hash = 1;
  for (uint32_t k = 0; k < rows->width; k++)
    if (in_key(mask, k)) hash = alea_hash_join(hash, cells[k]);
  return hash;
}

static bool agree(const alea_rows *rows, uint32_t mask, uint32_t i, uint32_t j) {
  const uint32_t *a = alea_rows_at(rows, i), *b = alea_rows_at(rows, j);
  for (uint32_t k = 0; k < rows->width; k++)
    if (in_key(mask, k) && a[k] != b[k]) return false;
  return true;
}

uint32_t alea_rows_group(alea_rows *rows, uint32_t mask, uint32_t *group_of) {
  uint32_t groups = 0;
  alea_hash_map_empty(&rows->map);
  for (uint32_t i = 0; i < rows->count; i++) {
    alea_hash_probe probe = alea_hash_map_probe(&rows->map, hash_key(rows, mask, i));
    while (alea_hash_map_next(&rows->map, &probe))
      if (agree(rows, mask, i, rows->first[probe.id])) break;
    group_of[i] = probe.id;
    if (probe.id != ALEA_HASH_NONE) continue;
    alea_hash_map_put(&rows->map, probe, groups);
    rows->first[groups] = i;
    group_of[i] = groups++;
  }
  return groups;
}

bool alea_rows_differ(alea_rows *rows, const uint32_t *group_of, const uint32_t *list,
                      size_t count) {
  uint64_t mark = ++rows->lists;
  for (size_t i = 0; i < count; i++) {
    uint64_t *marked = &rows->marked[group_of[list[i]]];
    if (*marked == mark) return false;
    *marked = mark;
  }
  return true;
}

/* ---- groups ---- */

void alea_groups_clear(alea_groups *groups) {
  if (groups->mem == NULL) return;
  alea_vec_clear(groups->mem, &groups->members);
  alea_vec_clear(groups->mem, &groups->ends);
}

/* Adds the groups in the given order of their numbers. */
static bool add_groups(alea_groups *g, const uint32_t *group_of, uint32_t rows,
                       const uint32_t *order, uint32_t groups) {
  size_t base = g->members.count, ends = g->ends.count;
  if (!alea_vec_reserve(g->mem, &g->members, rows) || !alea_vec_reserve(g->mem, &g->ends, groups))
    return false;
  uint32_t *size = alea_mem_calloc(g->mem, groups, sizeof *size);
  if (size == NULL) return false;
  for (uint32_t i = 0; i < rows; i++) size[group_of[i]]++;
  for (uint32_t k = 0, at = (uint32_t)base; k < groups; k++) {
    uint32_t count = size[order[k]];
    size[order[k]] = at; /* from here on, where its next member goes */
    at += count;
    g->ends.data[ends + k] = at;
  }
  for (uint32_t i = 0; i < rows; i++) g->members.data[size[group_of[i]]++] = i;
  g->members.count += rows;
  g->ends.count += groups;
  alea_mem_free(g->mem, size, groups * sizeof *size);
  return true;
}

alea_status alea_groups_init(alea_groups *groups, alea_rows *rows, uint32_t mask, alea_mem *mem) {
  *groups = (alea_groups){.mem = mem};
  uint32_t *group_of = alea_mem_calloc(mem, rows->count, sizeof *group_of);
  uint32_t *order = alea_mem_calloc(mem, rows->count, sizeof *order);
  bool good = group_of != NULL && order != NULL;
  if (good) {
    uint32_t count = alea_rows_group(rows, mask, group_of);
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    good = add_groups(groups, group_of, rows->count, order, count);
  }
  alea_mem_free(mem, group_of, rows->count * sizeof *group_of);
  alea_mem_free(mem, order, rows->count * sizeof *order);
  return good ? ALEA_OK : alea_mem_lack(mem);
}

/* ---- one argument left out ---- */

typedef struct rows_key {
  const char *text;
  uint32_t group;
} rows_key;

static int by_text(const void *a, const void *b) {
  return strcmp(((const rows_key *)a)->text, ((const rows_key *)b)->text);
}

static uint32_t free_position(uint32_t arity, alea_free_argument free) {
  return free == ALEA_LAST_ARGUMENT ? arity - 1 : 0; /* none where there is no argument */
}

/* Functor, arity and the arguments that are left. */
static void fill_row(uint32_t *cells, const alea_terms *terms, alea_term term,
                     alea_free_argument free) {
  uint32_t arity = alea_terms_arity(terms, term), out = free_position(arity, free);
  *cells++ = alea_terms_name(terms, term);
  *cells++ = 2 * arity + alea_terms_is_list(terms, term);
  for (uint32_t k = 0; k < arity; k++)
    if (k != out) *cells++ = alea_terms_args(terms, term)[k];
}

static alea_status fill_rows(alea_rows *rows, const alea_terms *terms, const alea_term *list,
                             uint32_t count, alea_free_argument free, alea_mem *mem) {
  uint32_t width = 2;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t wanted = 1 + alea_terms_arity(terms, list[i]);
    if (wanted > width) width = wanted;
  }
  alea_status status = alea_rows_init(rows, count, width, mem);
  for (uint32_t i = 0; status == ALEA_OK && i < count; i++)
    fill_row(alea_rows_at(rows, i), terms, list[i], free);
  return status;
}

/* The text of what a group shares. */
static void print_key(const alea_terms *terms, alea_term term, alea_free_argument free,
                      alea_text *out) {
  uint32_t arity = alea_terms_arity(terms, term), position = free_position(arity, free);
  if (alea_terms_is_list(terms, term)) alea_text_char(out, '(');
  alea_text_put(out, alea_symbols_text(alea_terms_symbols(terms), alea_terms_name(terms, term)));
  for (uint32_t k = 0; k < arity; k++) {
    if (k == position) continue;
    alea_text_char(out, ' ');
    alea_terms_print(terms, alea_terms_args(terms, term)[k], false, out);
  }
}

/* Sorts the groups by what they share, in 'order'. */
static bool sort_groups(const alea_rows *rows, uint32_t groups, const alea_terms *terms,
                        const alea_term *list, alea_free_argument free, uint32_t *order) {
  rows_key *keys = alea_mem_calloc(rows->mem, groups, sizeof *keys);
  alea_arena arena;
  alea_text text;
  alea_arena_init(&arena, rows->mem);
  alea_text_init(&text, rows->mem);
  bool good = keys != NULL;
  for (uint32_t i = 0; good && i < groups; i++) {
    alea_text_truncate(&text, 0);
    print_key(terms, list[rows->first[i]], free, &text);
    keys[i] = (rows_key){alea_arena_strdup(&arena, alea_text_string(&text), text.length), i};
    good = !text.failed && keys[i].text != NULL;
  }
  if (good && groups > 0) qsort(keys, groups, sizeof *keys, by_text);
  for (uint32_t i = 0; good && i < groups; i++) order[i] = keys[i].group;
  alea_text_clear(&text);
  alea_arena_clear(&arena);
  alea_mem_free(rows->mem, keys, groups * sizeof *keys);
  return good;
}

alea_status alea_groups_add(alea_groups *groups, const alea_terms *terms, const alea_term *list,
                            uint32_t count, alea_free_argument free) {
  alea_mem *mem = groups->mem;
  alea_rows rows;
  alea_status status = fill_rows(&rows, terms, list, count, free, mem);
  uint32_t *group_of = alea_mem_calloc(mem, count, sizeof *group_of);
  uint32_t *order = alea_mem_calloc(mem, count, sizeof *order);
  bool good = status == ALEA_OK && group_of != NULL && order != NULL;
  if (good) {
    uint32_t found = alea_rows_group(&rows, UINT32_MAX, group_of);
    good = sort_groups(&rows, found, terms, list, free, order) &&
           add_groups(groups, group_of, count, order, found);
  }
  alea_mem_free(mem, group_of, count * sizeof *group_of);
  alea_mem_free(mem, order, count * sizeof *order);
  alea_rows_clear(&rows);
  return good ? ALEA_OK : alea_mem_lack(mem);
}
