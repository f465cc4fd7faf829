#ifndef ALEA_LEARNING_SELF_PLAY_H
#define ALEA_LEARNING_SELF_PLAY_H

/* A shallow minimax search plays against itself, and tells what it thinks of positions, for
 * evaluations to learn from (bootstrapping from game tree search; Veness et al. 2009).
 *
 * Half of these positions are not of the game but some random moves off it: there one side is
 * behind without having got anything for it, which does not happen in good games, and a search
 * looks at such positions all the time.  Positions whose value is proved are left out, and so are
 * those in the midst of an exchange, of which a search asks nobody what they are worth. */

#include "base/rng.h"
#include "minimax/alpha_beta.h"

typedef struct alea_opinion {
  const uint64_t *words; /* of the position */
  double value;          /* above 0 and below 100, for the role of the search */
  bool aside;            /* it is no position of the game */
} alea_opinion;

typedef struct alea_self_play {
  const alea_player_setup *setup; /* of the search, whose evaluation is 'eval'; all are borrowed */
  alea_alpha_beta *search;
  const alea_linear_eval *eval;
  alea_cursor *cursor;
  alea_rng *rng;
  uint64_t sims; /* of a search */
  alea_status (*hear)(void *context, const alea_opinion *opinion);
  bool (*over)(void *context); /* asked before each step; true: no more */
  void *context;
  uint64_t calm, trades; /* positions whose best move trades nothing, and the others */
} alea_self_play;

enum { ALEA_SELF_PLAY_ROLES = 64 };

/* Plays a game from the first position, until it ends or its outcome is proved; where it has ended
 * the cursor stands at the end.  For games of ALEA_SELF_PLAY_ROLES at most. */
alea_status alea_self_play_game(alea_self_play *play);

#endif
