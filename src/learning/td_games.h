#ifndef ALEA_LEARNING_TD_GAMES_H
#define ALEA_LEARNING_TD_GAMES_H

/* Games against itself in which everybody looks one move ahead, and what their positions are worth
 * by what came of them: TD(lambda) (Sutton 1988), as Tesauro (1995) let a network learn backgammon.
 *
 * A position is worth what the best move from it is, by the evaluation of the position behind that
 * move, and to a share what was found out on the way the game took.  A move that is worse than the
 * best, as are many of those that are made at random so that games differ, cuts that way off: what
 * came after it says nothing of the positions before.  Ends of the game are worth what was won. */

#include "base/rng.h"
#include "minimax/linear_eval.h"

enum { ALEA_TD_ROLES = 2 };

typedef struct alea_td_step {
  float value;  /* 0..1 for the evaluation's role: what the best move is worth */
  bool follows; /* what came after it counts */
  bool forced;  /* nobody chose: it is worth what came after it */
  bool shared;  /* both chose: it is not told of */
} alea_td_step;

typedef struct alea_td_games {
  const alea_linear_eval *eval; /* and its network, which may change between games; borrowed, */
  alea_cursor *cursor;          /* as these */
  alea_rng *rng;
  float scale; /* logit of how games end, by what the evaluation says */
  alea_status (*hear)(void *context, const uint64_t *words, float target);
  bool (*over)(void *context); /* asked before each step; true: no more */
  void *context;
  uint8_t *ends[ALEA_TD_ROLES]; /* moves that have ended a game: behind others no end is sought */
  alea_u64s words;              /* positions of a game, one behind the other */
  alea_u32s moves;              /* scratch: legal ones */
  ALEA_VEC(alea_td_step) steps;
} alea_td_games;

/* For games of two without chance.  What is borrowed is to be set before; the caller clears it with
 * any status. */
alea_status alea_td_games_init(alea_td_games *games);
void alea_td_games_clear(alea_td_games *games); /* a zeroed one too */

/* Plays a game from the first position, and tells of its positions. */
alea_status alea_td_games_play(alea_td_games *games);

#endif
