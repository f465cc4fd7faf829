#ifndef ALEA_PLAN_FOLLOWER_EXACT_COVER_CLAUSES_H
#define ALEA_PLAN_FOLLOWER_EXACT_COVER_CLAUSES_H

/* What follows where a puzzle is filled in by one set of moves (planning/parallel_plan.h):
 * moves that the end excludes, and classes of moves one of which must be made
 * (planning/exact_cover.h). */

#include "planning/exact_cover.h"
#include "unroll/unroll.h"

typedef struct alea_exact_cover_clauses {
  const alea_game *game;
  alea_unroll *unroll;
  alea_u32s moves;       /* of role 0 that may be made, */
  const alea_slit *made; /* and their literals */
  uint8_t *apart;        /* i and j are not both made: apart[i * moves.count + j], symmetric */
  const alea_slit *ends; /* two literals of the end that is wanted */
} alea_exact_cover_clauses;

/* Adds clauses that follow from 'guard', the ends and the moves being the only
 * ones.  ALEA_LIMIT: the deadline of the unrolling. */
alea_status alea_exact_cover_clauses_add(const alea_exact_cover_clauses *filling, alea_slit guard,
                                         alea_mem *mem);

#endif
