/* Chained hash indexes over rows of terms. */
#include "prover/relation.h"

#include <string.h>

#include "base/hash.h"

/* Below this, going through all rows is as fast as looking up. */
enum { SMALL = 8 };

struct alea_relation_index {
  alea_relation_index *older;
  alea_columns columns;
  uint64_t mask;
  uint32_t distinct; /* different keys */
  uint32_t *heads;   /* per hash: first row + 1, 0 when none */
  uint32_t *links;   /* per row: next row with that hash + 1 */
};

static uint64_t hash_key(const alea_term *row, uint32_t arity, alea_columns columns) {
  uint64_t hash = 0;
  for (uint32_t c = 0; c < arity; c++)
    if (columns & alea_column(c)) hash = alea_hash_join(hash, row[c]);
  return alea_hash_mix(hash);
}

static bool same_key(const alea_term *a, const alea_term *b, uint32_t arity, alea_columns columns) {
  for (uint32_t c = 0; c < arity; c++)
    if ((columns & alea_column(c)) && a[c] != b[c]) return false;
  return true;
}

static const alea_term *row_of(const alea_relation *relation, uint32_t row) {
  return relation->rows + (size_t)row * relation->arity;
}

/* Inserting from the last row to the first leaves each chain ascending. */
static void fill(const alea_relation *relation, alea_relation_index *index) {
  for (uint32_t row = relation->count; row-- > 0;) {
    const alea_term *terms = row_of(relation, row);
    uint32_t *head = &index->heads[hash_key(terms, relation->arity, index->columns) & index->mask];
    uint32_t other = *head;
    while (other != 0 &&
           !same_key(terms, row_of(relation, other - 1), relation->arity, index->columns))
      other = index->links[other - 1];
    if (other == 0) index->distinct++;
    index->links[row] = *head;
    *head = row + 1;
  }
}

static alea_relation_index *index_for(alea_relation *relation, alea_arena *arena,
                                      alea_columns columns) {
  alea_relation_index *index = relation->indexes;
  while (index != NULL && index->columns != columns) index = index->older;
  if (index != NULL) return index;
  size_t heads = 16;
  while (heads < relation->count) heads *= 2;
  index = alea_arena_alloc(arena, sizeof *index);
  uint32_t *words = alea_arena_alloc(arena, (heads + relation->count) * sizeof *words);
  if (index == NULL || words == NULL) return NULL;
  memset(words, 0, heads * sizeof *words);
  *index = (alea_relation_index){relation->indexes, columns, heads - 1, 0, words, words + heads};
  fill(relation, index);
  relation->indexes = index;
  return index;
}

bool alea_relation_find(alea_relation *relation, alea_arena *arena, alea_columns columns,
                        const alea_term *key, alea_relation_scan *scan) {
  *scan = (alea_relation_scan){relation->count > 0, NULL};
  if (columns == 0 || relation->count < SMALL) return true;
  const alea_relation_index *index = index_for(relation, arena, columns);
  if (index == NULL) return false;
  scan->at = index->heads[hash_key(key, relation->arity, columns) & index->mask];
  scan->links = index->links;
  return true;
}

double alea_relation_fanout(alea_relation *relation, alea_arena *arena, alea_columns columns) {
  if (columns == 0 || relation->count < 2) return relation->count;
  const alea_relation_index *index = index_for(relation, arena, columns);
  return index != NULL ? (double)relation->count / index->distinct : relation->count;
}
