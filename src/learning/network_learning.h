#ifndef ALEA_LEARNING_NETWORK_LEARNING_H
#define ALEA_LEARNING_NETWORK_LEARNING_H

/* How the network beside a linear evaluation is learnt (minimax/eval_network.h).
 *
 * First it plays millions of moves, looking one ahead, and learns by temporal differences
 * (learning/td_games.h, on a GPU learning/td_device.h); or, on demand, it learns what is proved of
 * positions (learning/proved_lines.h).  Then it learns from what searches think
 * (learning/self_play.h): the target is what the search thought, the network is fitted to all
 * examples so far, and the search goes on with it, so that what it sees ahead grows.  Games find
 * out what decides them, and searches what a position is worth before somebody takes something.
 *
 * Where values are proved, the searches are larger and their examples are made anew again and
 * again, since the network that they trust was learnt from those values and grows further from the
 * end each time.
 *
 * An evaluation that has a network already goes on with it: no games come first unless they are
 * asked for, and what is kept has to win against it.
 *
 * After the games, now and then while it learns from searches, and in the end, the network has to
 * win games against the best so far, with more positions for a move than it was learnt with, and
 * must not lose with many more.  The best so far is the linear evaluation alone at first, and then
 * the last network that won, which is kept. */

#include "game/player_setup.h"
#include "learning/eval_clock.h"
#include "learning/td_device.h"
#include "minimax/linear_eval.h"

typedef struct alea_network_lessons {
  alea_linear_eval *eval; /* which has learnt, and gets the network */
  const alea_player_setup *setup;
  alea_cursor *cursor;
  alea_rng *rng;
  alea_eval_clock *clock;
  uint64_t positions;   /* that searches value, at most */
  uint64_t differences; /* positions of games before them; 0: thirty times as many as those,
                           and on a device a thousand times */
  uint64_t proved;      /* and those before them whose values are proved, about */
  uint32_t threads;     /* for proofs, searches and trials; what is learnt does not depend on it */
  alea_eval_device *device; /* where the games are played, and learnt from; NULL: here */
} alea_network_lessons;

/* For games of two who share out 100, without chance; of others nothing is learnt. */
alea_status alea_network_learn(const alea_network_lessons *lessons);

#endif
