#ifndef ALEA_LEARNING_SELF_GAMES_H
#define ALEA_LEARNING_SELF_GAMES_H

/* Games of a shallow minimax search against itself (learning/self_play.h), some at a time on
 * several threads.  Each has a search and random numbers of its own, and what is told of them is in
 * the order of their numbers, so that the same seed tells the same whatever the number of
 * threads. */

#include "learning/eval_clock.h"
#include "learning/self_play.h"

enum { ALEA_SELF_GAMES_BATCH = 64 };

typedef struct alea_self_games {
  const alea_player_setup *setup; /* of the searches, whose evaluation is 'eval', */
  const alea_linear_eval *eval;   /* which may change between batches; all are borrowed */
  alea_eval_clock *clock;         /* where it is over games end, and no more are begun */
  uint64_t seed, sims;            /* 'sims': of a search */
  uint32_t threads;
  size_t table;           /* bytes, of a search */
  uint64_t games;         /* played so far */
  uint64_t calm, trades;  /* positions of theirs (learning/self_play.h) */
  alea_u64s words;        /* of the positions that the last batch told of */
  ALEA_VEC(double) value; /* of each */
} alea_self_games;

/* What is borrowed is to be set; the caller clears it with any status. */
void alea_self_games_clear(alea_self_games *games); /* a zeroed one too */

/* Plays the next ALEA_SELF_GAMES_BATCH games; those are left out that come after the first ones
 * which have told of 'most' positions. */
alea_status alea_self_games_next(alea_self_games *games, uint64_t most);

#endif
