#ifndef ALEA_GAME_ROWS_H
#define ALEA_GAME_ROWS_H

/* Candidates for groups of which no two members go together: the contents of
 * a cell, the steps of a counter, the moves that fill one cell.
 *
 * Fluents (or moves) are rows and their arguments are columns.  A key is a set
 * of columns; the rows that agree in all of them are a group.  Whoever needs
 * to know whether such a group is exclusive asks sampled states, which refute
 * (alea_rows_differ), or an induction, which proves (sat/induction.h).  The
 * keys that are tried differ: network variables want the smallest key that
 * play does not refute (encode/groups.h), the planner and the belief leave one
 * argument out (alea_groups_add), a board has two ranges as its key
 * (draw/layout.c), and an exact cover any (planning/exact_cover.h). */

#include "base/hash_map.h"
#include "base/terms.h"

typedef struct alea_rows {
  alea_mem *mem;
  uint32_t count, width;
  uint32_t *cells;   /* row after row; equal numbers are equal arguments */
  alea_hash_map map; /* scratch: groups by the key of their first rows */
  uint32_t *first;   /* scratch, per group: its first row */
  uint64_t *marked;  /* scratch, per group: the last list that had it */
  uint64_t lists;    /* that were looked at */
} alea_rows;

/* The caller fills the cells, which are 0, and clears the rows with any
 * status. */
alea_status alea_rows_init(alea_rows *rows, uint32_t count, uint32_t width, alea_mem *mem);
void alea_rows_clear(alea_rows *rows); /* a zeroed one too */
static inline uint32_t *alea_rows_at(const alea_rows *rows, uint32_t row) {
  return rows->cells + (size_t)row * rows->width;
}

/* Groups the rows by the columns whose bits are set in 'mask'; columns from 32
 * on belong to every key.  group_of[i] becomes the group of row i, where
 * groups are numbered in the order of their first rows.  Returns how many
 * there are. */
uint32_t alea_rows_group(alea_rows *rows, uint32_t mask, uint32_t *group_of);
/* Whether no two of the listed rows are of one group. */
bool alea_rows_differ(alea_rows *rows, const uint32_t *group_of, const uint32_t *list,
                      size_t count);

/* Disjoint lists of rows, fluents or moves. */
typedef struct alea_groups {
  alea_mem *mem;
  alea_u32s members; /* group after group */
  alea_u32s ends;    /* of each group in 'members' */
} alea_groups;

static inline uint32_t alea_groups_first(const alea_groups *groups, size_t group) {
  return group > 0 ? groups->ends.data[group - 1] : 0;
}
void alea_groups_clear(alea_groups *groups); /* a zeroed one too */

/* The groups of the rows that agree in 'mask', in the order of their first
 * rows, the rows ascending.  The caller clears them with any status. */
alea_status alea_groups_init(alea_groups *groups, alea_rows *rows, uint32_t mask, alea_mem *mem);

typedef enum alea_free_argument { ALEA_FIRST_ARGUMENT, ALEA_LAST_ARGUMENT } alea_free_argument;
/* Adds the groups of the listed terms that agree in all but their first or last
 * argument, as indexes of the list, ascending; a term without arguments is
 * alone.  Groups come in the order of the text of what their members share. */
alea_status alea_groups_add(alea_groups *groups, const alea_terms *terms, const alea_term *list,
                            uint32_t count, alea_free_argument free);

#endif
