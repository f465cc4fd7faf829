#ifndef ALEA_UNROLL_HISTORY_H
#define ALEA_UNROLL_HISTORY_H

/* Complete histories of a game with `sees` that agree with all that one role
 * has done and seen (the model `csp` of D33).
 *
 * The history is unrolled (unroll/unroll.h) with the role's own moves and
 * percepts fixed; the moves of the others and of chance are open.  A sample is
 * drawn step by step on a cursor: joint moves in random order, the first that
 * shows the role what it saw.  That alone runs into dead ends, where nothing
 * that can happen fits what was seen later.  Then the solver names a step that
 * causes it, the draw goes back there, and from now on choices at the steps
 * up to the dead end are made only if the clauses have a model that completes
 * them.  What was learned stays for later draws.
 *
 * Every history that agrees can be drawn, for each step tries its joint moves
 * in random order.  How likely it is depends on the draw; its weight makes up
 * for that: the share of the joint moves that show the role what it saw, over
 * all steps where there are few enough to try them all.  Where nothing had to
 * be checked and moves are few, weighted samples are exactly what rejection
 * would give; dead ends shift the balance somewhat.  Each sample has been
 * played on a cursor with the role's percepts compared at every step. */

#include "base/vec.h"
#include "base/verdict.h"
#include "game/game.h"

typedef struct alea_history alea_history;

typedef struct alea_history_stats {
  uint64_t steps;     /* tried on the cursor */
  uint64_t questions; /* to the solver */
  uint64_t clauses;   /* of the unrolled history now */
} alea_history_stats;

/* An empty history, for 'role', within 'memory' bytes of clauses (0 = 1 GiB).
 * ALEA_UNSUPPORTED: the game is not played by a network. */
alea_status alea_history_new(alea_history **history, const alea_game *game, uint32_t role,
                             size_t memory, alea_mem *mem);
void alea_history_free(alea_history *history); /* NULL is a no-op. */

/* One more step: the role played 'own' and saw 'percepts'.  ALEA_LIMIT: no
 * memory for it; the history is of no use then. */
alea_status alea_history_add(alea_history *history, alea_move own, alea_list percepts);
uint32_t alea_history_steps(const alea_history *history);

/* Draws a history; with 'running', one that has not ended.  Proved: '*moves'
 * are its joint moves, role_count numbers for each step, until the next call,
 * and '*weight' (may be NULL) says what it counts for.
 * Refuted: there is none.  Nodes of the effort are steps on the cursor and
 * conflicts a limit for each question; its memory is not used. */
alea_status alea_history_draw(alea_history *history, bool running, alea_rng *rng,
                              const alea_effort *effort, alea_verdict *answer, alea_list *moves,
                              double *weight);

/* Keeps of 'fluents' those that surely hold now: in the last position of every
 * history that agrees and, with 'running', has not ended.  What the effort
 * (conflicts for each question) does not decide is not kept. */
alea_status alea_history_keep_sure(alea_history *history, bool running, alea_u32s *fluents,
                                   const alea_effort *effort);

/* Adds to 'fluents' all others that may hold now in the same sense; what is not
 * decided may. */
alea_status alea_history_add_possible(alea_history *history, bool running, alea_u32s *fluents,
                                      const alea_effort *effort);

alea_history_stats alea_history_statistics(const alea_history *history);

#endif
