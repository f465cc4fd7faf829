#ifndef ALEA_PLANNING_EXACT_COVER_CLAUSES_H
#define ALEA_PLANNING_EXACT_COVER_CLAUSES_H

/* Clauses that follow where a puzzle is solved by one stage of parallel moves
 * (planning/parallel_plan.h): moves that the goal excludes, and classes of moves
 * of an exact cover (planning/exact_cover.h) one of which must be made. */

#include "planning/exact_cover.h"
#include "unroll/unroll.h"

typedef struct alea_exact_cover_clauses {
  const alea_game *game;
  alea_unroll *unroll;
  alea_u32s moves;           /* of role 0 that may be made, */
  const alea_slit *literals; /* and their literals */
  uint8_t *exclusive;    /* i and j are not both made: exclusive[i * moves.count + j], symmetric */
  const alea_slit *ends; /* two literals: terminal, and the goal */
} alea_exact_cover_clauses;

/* Adds clauses that hold under 'guard', the ends, and these moves being the only
 * ones.  ALEA_LIMIT: the deadline of the unrolling. */
alea_status alea_exact_cover_clauses_add(const alea_exact_cover_clauses *input, alea_slit guard,
                                         alea_mem *mem);

#endif
