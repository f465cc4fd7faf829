#ifndef ALEA_PROVER_RELATION_H
#define ALEA_PROVER_RELATION_H

/* Rows of ground terms, looked up by the columns one knows.
 *
 * A lookup gives the rows that may match, in ascending order: all that agree
 * in the known columns, and perhaps a few that do not.  The caller compares.
 * An index for a set of columns is made when first asked for and lives in the
 * arena given then; the rows belong to the caller. */

#include "base/arena.h"
#include "base/terms.h"

typedef struct alea_relation_index alea_relation_index;

typedef struct alea_relation {
  alea_term *rows; /* count * arity terms; never changed here */
  uint32_t count;
  uint32_t arity;
  alea_relation_index *indexes; /* NULL when the rows have just changed */
} alea_relation;

/* Where a lookup stands.  'at' is the next row + 1, 0 at the end. */
typedef struct alea_relation_scan {
  uint32_t at;
  const uint32_t *links; /* per row: the next row + 1; NULL to go through all */
} alea_relation_scan;

/* Columns are bits of a word; those from 64 on are never indexed. */
typedef uint64_t alea_columns;
static inline alea_columns alea_column(uint32_t column) {
  return column < 64 ? (alea_columns)1 << column : 0;
}

/* Rows that agree with 'key' (an array of 'arity' terms) in 'columns'.  False
 * without memory. */
bool alea_relation_find(alea_relation *relation, alea_arena *arena, alea_columns columns,
                        const alea_term *key, alea_relation_scan *scan);

/* The next row number of a scan whose 'at' is not 0. */
static inline uint32_t alea_relation_next(const alea_relation *relation, alea_relation_scan *scan) {
  uint32_t row = scan->at - 1;
  if (scan->links != NULL) {
    scan->at = scan->links[row];
  } else {
    scan->at = scan->at < relation->count ? scan->at + 1 : 0;
  }
  return row;
}

/* About how many rows agree in 'columns', on average; makes the index. */
double alea_relation_fanout(alea_relation *relation, alea_arena *arena, alea_columns columns);

#endif
