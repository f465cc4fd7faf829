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

#include "base/verdict.h"
#include "game/game.h"
#include "game/rows.h"

/* Fills 'mutex' with the groups of fluents that were proved; none where the
 * effort was too small.  In any case the caller clears it.  ALEA_UNSUPPORTED: not played
 * by a network. */
alea_status alea_mutex_find(alea_groups *mutex, const alea_game *game, const alea_effort *effort,
                            alea_mem *mem);

#endif
