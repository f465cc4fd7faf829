/* Rows for queries: gates that matter only where one selector holds.
 *
 * Of a row only the terms of that selector count.  So a class of terms is there if the query has
 * its terms of that selector, is left out if the query lacks them, and may be either if it has
 * none; a block that the query has nothing of is left out, of others as much as possible is kept.
 */
#include <string.h>

#include "base/hash.h"
#include "propnet/selectors.h"

enum { MAX_NODES = 64 /* of a row */ };

typedef struct selector_fit {
  alea_selectors *s;
  uint32_t *stamp;       /* per term: the last query that has it */
  uint32_t *has, *lacks; /* per class: the last query that has, or lacks, terms of it */
  uint32_t *used;        /* per block: the last query that has something of it */
  alea_u32s blocks;      /* of the query */
  uint8_t *whole;        /* see alea_selectors_add_nodes */
  alea_hash_map derived; /* rows by their nodes */
} selector_fit;

static void stamp_terms(selector_fit *f, const alea_selector_query *query, uint32_t stamp) {
  const alea_selectors *s = f->s;
  const uint32_t *terms = s->gate_terms.data + query->terms + 1;
  for (uint32_t i = 0; i < s->gate_terms.data[query->terms]; i++) {
    f->stamp[terms[i]] = stamp;
    for (uint32_t k = s->stronger_first.data[terms[i]]; k < s->stronger_first.data[terms[i] + 1];
         k++)
      f->stamp[s->stronger.data[k]] = stamp;
  }
}

/* The blocks of a query; '*fits' is false where it has only a part of a class. */
static bool find_blocks(selector_fit *f, uint32_t selector, uint32_t stamp, bool *fits) {
  const alea_selectors *s = f->s;
  f->blocks.count = 0;
  *fits = true;
  for (uint32_t i = s->of_selector.data[selector]; i < s->of_selector.data[selector + 1]; i++) {
    uint32_t term = s->term_at.data[i], class = s->class_of.data[term];
    uint32_t block = s->block_of.data[class];
    bool has = f->stamp[term] == stamp;
    (has ? f->has : f->lacks)[class] = stamp;
    if (f->has[class] == f->lacks[class]) *fits = false;
    if (!has || f->used[block] == stamp) continue;
    f->used[block] = stamp;
    if (!alea_vec_push(s->mem, &f->blocks, block)) return false;
  }
  alea_sort_u32(f->blocks.data, f->blocks.count);
  return true;
}

static bool find_nodes(selector_fit *f, uint32_t stamp, alea_selector_row *row) {
  alea_selectors *s = f->s;
  *row = (alea_selector_row){.first = (uint32_t)s->row_nodes.count};
  for (size_t i = 0; i < f->blocks.count; i++) {
    const alea_selector_block *b = &s->blocks.data[f->blocks.data[i]];
    for (uint32_t leaf = 0; leaf < b->count; leaf++)
      f->whole[b->leaves + leaf] = f->lacks[s->block_classes.data[b->first + leaf]] != stamp;
    if (!alea_selectors_add_nodes(s, f->blocks.data[i], f->whole)) return false;
    if (b->rank > row->rank) row->rank = b->rank;
  }
  row->count = (uint32_t)s->row_nodes.count - row->first;
  return true;
}

static uint64_t hash_nodes(const alea_selectors *s, const alea_selector_row *row) {
  return alea_hash_u32s(s->row_nodes.data + row->first, row->count);
}

static uint64_t hash_derived(const void *context, uint32_t id) {
  const alea_selectors *s = context;
  return hash_nodes(s, &s->rows.data[id]);
}

/* The number of a row whose nodes are the last, a new one or not; ALEA_HASH_NONE without memory. */
static uint32_t find_derived(selector_fit *f, const alea_selector_row *row) {
  alea_selectors *s = f->s;
  const uint32_t *nodes = s->row_nodes.data;
  if (!alea_hash_map_reserve(&f->derived, s->mem, hash_derived, s)) return ALEA_HASH_NONE;
  alea_hash_probe probe = alea_hash_map_probe(&f->derived, hash_nodes(s, row));
  while (alea_hash_map_next(&f->derived, &probe)) {
    const alea_selector_row *other = &s->rows.data[probe.id];
    if (other->count != row->count ||
        memcmp(nodes + other->first, nodes + row->first, row->count * sizeof *nodes) != 0)
      continue;
    s->row_nodes.count = row->first;
    return probe.id;
  }
  if (!alea_vec_push(s->mem, &s->rows, *row)) return ALEA_HASH_NONE;
  alea_hash_map_put(&f->derived, probe, (uint32_t)s->rows.count - 1);
  return (uint32_t)s->rows.count - 1;
}

static bool fit_query(selector_fit *f, uint32_t number) {
  alea_selectors *s = f->s;
  const alea_selector_query *query = &s->queries.data[number];
  alea_selector_row row;
  bool fits;
  stamp_terms(f, query, 1 + number);
  if (!find_blocks(f, query->selector, 1 + number, &fits)) return false;
  if (!fits) return true;
  if (!find_nodes(f, 1 + number, &row)) return false;
  if (row.count > MAX_NODES) return s->row_nodes.count = row.first, true;
  uint32_t found = find_derived(f, &row);
  if (found == ALEA_HASH_NONE) return false;
  s->row_of[query->gate] = 1 + found;
  s->beside[query->gate] = query->selector;
  return true;
}

bool alea_selectors_fit_queries(alea_selectors *s, const alea_deadline *deadline) {
  selector_fit f = {.s = s};
  size_t terms = 1 + (size_t)s->terms, nodes = 1 + s->node_block.count;
  f.stamp = alea_mem_calloc(s->mem, terms, sizeof *f.stamp);
  f.has = alea_mem_calloc(s->mem, terms, sizeof *f.has);
  f.lacks = alea_mem_calloc(s->mem, terms, sizeof *f.lacks);
  f.used = alea_mem_calloc(s->mem, terms, sizeof *f.used);
  f.whole = alea_mem_alloc(s->mem, nodes);
  bool ok =
      f.stamp != NULL && f.has != NULL && f.lacks != NULL && f.used != NULL && f.whole != NULL;
  for (uint32_t q = 0; ok && q < s->queries.count && !alea_deadline_passed(deadline); q++)
    ok = fit_query(&f, q);
  alea_mem_free(s->mem, f.stamp, terms * sizeof *f.stamp);
  alea_mem_free(s->mem, f.has, terms * sizeof *f.has);
  alea_mem_free(s->mem, f.lacks, terms * sizeof *f.lacks);
  alea_mem_free(s->mem, f.used, terms * sizeof *f.used);
  alea_mem_free(s->mem, f.whole, nodes);
  alea_vec_clear(s->mem, &f.blocks);
  alea_hash_map_clear(&f.derived, s->mem);
  return ok;
}
