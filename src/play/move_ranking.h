#ifndef ALEA_PLAY_MOVE_RANKING_H
#define ALEA_PLAY_MOVE_RANKING_H

/* What sampled games teach about moves, whatever the position: the mean reward
 * of each (role, move), as MAST keeps it (rollout.h), and from these a ranking
 * that makes further sampled games better than uniform (game/sampler.h).
 *
 * A move is good, or bad, if its mean is 'spread' standard deviations of the
 * means of the role's moves above, or below, the role's mean.
 *
 * Where a board is filled, as in Hex, good play is who makes a move first;
 * ranked play then makes all games alike and tells less than uniform play
 * does.  Where each move is made over and over, as in connect four, what it is
 * worth depends on when.  In both there is no ranking (bench/players.md). */

#include "game/sampler.h"
#include "play/node_store.h"

typedef struct alea_move_ranking {
  alea_mem *mem;
  const alea_game *game;
  double spread;
  uint32_t *counts; /* moves per role when the ranking began */
  uint32_t *first;  /* per role: index of its move 0 in 'moves' */
  alea_amaf *moves;
  uint8_t *ranks;
  const uint8_t **rows; /* into 'ranks', per role */
  alea_sample_guide guide;
  uint64_t games, ranked; /* games heard of, and at the last ranking */
  bool judged, vain;      /* whether it is known if a ranking is of use, and that it is not */
  bool repeats;           /* moves are made over and over: that a move was good says little */
} alea_move_ranking;

/* 'follow' as in alea_sample_guide. */
alea_status alea_move_ranking_init(alea_move_ranking *ranking, const alea_game *game,
                                   uint32_t follow, double spread, alea_mem *mem);
void alea_move_ranking_clear(alea_move_ranking *ranking);

/* Learns from a game. */
void alea_move_ranking_add(alea_move_ranking *ranking, const alea_played *moves, size_t count,
                           const float *rewards);
/* The guide as of now, or NULL while too little is known or it is of no use.
 * The position has 'legal' moves. */
const alea_sample_guide *alea_move_ranking_guide(alea_move_ranking *ranking, uint32_t legal);
/* Makes what was learned count for less, between moves of a match. */
void alea_move_ranking_fade(alea_move_ranking *ranking, float factor);

#endif
