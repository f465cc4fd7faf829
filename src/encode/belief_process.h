#ifndef ALEA_ENCODE_BELIEF_PROCESS_H
#define ALEA_ENCODE_BELIEF_PROCESS_H

/* A game with percepts as a process: `sees` becomes chance (D54).
 *
 * A policy of a stochastic network knows the values of all earlier variables,
 * so a network of the game's own states would be solved by a clairvoyant.  The
 * state of this process is what those who decide know: a belief, the
 * probability of each position given all that was done and seen.  What is seen
 * next is a chance variable, its probabilities the sums over the hidden
 * positions and moves; the end of the game is seen, and so are the goals then.
 *
 * Variables of a stage:
 *   belief      0: the game has ended before; then one value per belief, and
 *               one per vector of goals with which the game can end,
 *   terminal    1: the belief is an end,
 *   does_ROLE   of each role that ever has a choice: 1 + the game's number of
 *               the move, 0 where it has none to know of,
 *   played      number of the belief and the moves together, 0 at an end,
 *   odds        number of the probabilities of what can be seen,
 *   sees        chance: which of the things that can be seen there, 0 at an end,
 *   belief_next.
 *
 * One belief serves all who decide, so they must see the same: then they also
 * know each other's moves, because policies are chosen jointly.  A game in which
 * they see different things has no such process. */

#include "base/clock.h"
#include "base/diag.h"
#include "game/game.h"
#include "scsp/scsp.h"

typedef struct alea_belief_options {
  int64_t horizon;      /* transitions that will be made; -1: to the end */
  uint64_t max_beliefs; /* 0: no limit */
  alea_deadline deadline;
  const char *label; /* of the game, for messages */
} alea_belief_options;

/* Whether the game needs a process of beliefs: chance takes part and players
 * learn by percepts alone.  Without chance a joint policy knows everything. */
bool alea_belief_needed(const alea_game *game);

/* Makes the process, which the caller frees; it keeps nothing of the game.
 * 'diag' gets a sentence for each of: ALEA_UNSUPPORTED: roles that decide see
 * different things, or a role cannot tell what moves it has; ALEA_INPUT: a role
 * has no legal move before the end; ALEA_LIMIT: beliefs, time or memory. */
alea_status alea_belief_process(alea_process **made, const alea_game *game,
                                const alea_belief_options *options, alea_mem *mem, alea_diag *diag);

#endif
