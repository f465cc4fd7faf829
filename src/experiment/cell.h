#ifndef ALEA_EXPERIMENT_CELL_H
#define ALEA_EXPERIMENT_CELL_H

/* Cells of an experiment's tables: our score in one game, with its interval,
 * and means over games.
 *
 * A table is a group of the key `published` (matches.c).  Its rows are games;
 * `rows: TITLE` are those of the group with that title, so that players can be
 * compared under several settings beside the same published numbers. */

#include "experiment/experiment.h"

/* Which matches a cell counts. */
typedef struct alea_cell_query {
  const char *game, *budget, *first, *second; /* second NULL: 'first' alone */
  const alea_yaml *pool; /* names of players whose matches count as those of 'first'; or NULL */
  double role;           /* of 'first'; -1: any */
  double from, to;       /* part of the matches in their order, 0 to 1 is all of them */
  bool joint;            /* a match is won if every player has 100, and else lost */
} alea_cell_query;

/* Percent, of matches that were completed. */
typedef struct alea_cell {
  bool there; /* some were */
  uint64_t matches, wins, draws, losses;
  double percent;
  alea_bounds interval;
} alea_cell;

/* What a column counts in a row.  The row's `joint: true` is for games whose
 * players all get the same goal; where the column has a `budget` that the scale
 * does not have, the query's is NULL. */
alea_cell_query alea_cell_of(const alea_tournament_plan *plan, const alea_yaml *row,
                             const alea_yaml *column);
/* 'results' may be NULL; so may the query's budget: nothing was played. */
alea_cell alea_cell_find(const alea_results *results, const alea_cell_query *query);

/* Rows of a group, or of the group that it names; NULL if there is none. */
const alea_yaml *alea_cell_rows(const alea_yaml *groups, const alea_yaml *group);
/* The group with a title; NULL if there is none. */
const alea_yaml *alea_cell_group(const alea_yaml *groups, const char *title);
/* Element 'index' of a list; NULL if it has fewer, or if 'list' is NULL. */
const alea_yaml *alea_cell_element(const alea_yaml *list, size_t index);

#endif
