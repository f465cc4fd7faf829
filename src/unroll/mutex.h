#ifndef ALEA_UNROLL_MUTEX_H
#define ALEA_UNROLL_MUTEX_H

/* Fluents of which never two hold at once, in any state that can be reached:
 * the contents of a cell, the steps of a counter.
 *
 * Candidates are the fluents that differ in one argument, the last or the
 * first, and of which the initial state has at most one.  They are proved
 * together by induction, with clauses over one stage from an open state where
 * all of them are exclusive: a group that some legal move can break is
 * dropped, until none can. */

#include "base/vec.h"
#include "base/verdict.h"
#include "game/game.h"

typedef struct alea_mutex {
  alea_mem *mem;
  alea_u32s fluents; /* group after group */
  alea_u32s ends;    /* of each group in 'fluents' */
} alea_mutex;

/* Fills 'mutex' with the groups that were proved; none where the effort was
 * too small.  In any case the caller clears it.  ALEA_UNSUPPORTED: not played
 * by a network. */
alea_status alea_mutex_init(alea_mutex *mutex, const alea_game *game, const alea_effort *effort,
                            alea_mem *mem);
void alea_mutex_clear(alea_mutex *mutex);

#endif
