#ifndef ALEA_PLAY_BELIEF_SEARCH_H
#define ALEA_PLAY_BELIEF_SEARCH_H

/* Search over beliefs, for a role that plays against chance alone and does not see
 * the position (a partially observable Markov decision process).
 *
 * The nodes are beliefs (play/belief_graph.h), so a choice is the same in all
 * positions that look alike, and a question is worth what its answers allow to do
 * better: the value of information, where a search of single positions would act
 * as if the answer were known before.  Trying all scenarios of a belief together is
 * what DESPOT does (Somani, Ye, Hsu, Lee 2013); from POMCP (Silver and Veness 2010)
 * are the choice of arms by upper confidence bounds and playouts as first values.
 *
 * Every value is that of a policy that the role can follow: uniform play, which
 * playouts estimate; or a move and behind each percept the best policy known there.
 * The best is the one whose value less its standard error is most, so that chance
 * in few playouts is not taken for merit.  Values of beliefs that are solved have no
 * error, and bounds prune what cannot be better.  Solved means for the scenarios:
 * they are drawn, so nothing is proved of the game.
 *
 * A simulation goes down to an arm that was not tried, tries it, and goes on from
 * there by what moves were worth elsewhere for a few beliefs more.  Steps of
 * scenarios and playouts count as simulations, so that a budget of these means the
 * same work as for other searches. */

#include "play/belief_graph.h"
#include "play/search.h"

/* What a move gained over uniform play where it was tried. */
typedef struct alea_belief_gain {
  float sum, count;
} alea_belief_gain;

typedef struct alea_belief_stop {
  alea_belief_id id;
  uint32_t arm;
} alea_belief_stop;

typedef struct alea_belief_search {
  alea_mem *mem;
  const alea_player_setup *setup;
  alea_player_stats *stats;
  double c;
  alea_rng rng;
  alea_belief_graph graph;
  alea_belief_id root;
  alea_rollout rollout;
  alea_leaf_batch leaves; /* its sampler looks one move ahead */
  alea_trace trace;       /* of a playout */
  float *rewards;
  ALEA_VEC(alea_belief_stop) path;
  alea_belief_gain *gains; /* by move of the role */
  uint32_t gain_count;
  alea_u32s moves;       /* scratch of a look: moves, */
  ALEA_VEC(int) goals;   /* goals behind them, */
  ALEA_VEC(bool) ends;   /* and whether the game is over there */
  ALEA_VEC(float) hopes; /* the same per arm: the mean of what ends */
  uint32_t stamp;
  alea_time_manager *time_manager; /* of the search that is on */
  ALEA_VEC(alea_choice) choices;
} alea_belief_search;

/* Whether a game is for this search: one role plays, with chance or alone, and learns by
 * percepts. */
bool alea_belief_search_fits(const alea_game *game);

/* 'setup' and 'stats' must outlive the search. */
alea_status alea_belief_search_init(alea_belief_search *search, const alea_player_setup *setup,
                                    const alea_search_options *options, alea_player_stats *stats);
void alea_belief_search_clear(alea_belief_search *search);
/* Makes the belief the root, and finds out by a few playouts what uniform play is worth
 * there; they are taken from the time manager's limit.  ALEA_LIMIT: no time, or no room. */
alea_status alea_belief_search_begin(alea_belief_search *search, const alea_belief *belief,
                                     alea_time_manager *time_manager);
/* That value, from 0 to 1. */
float alea_belief_search_uniform(const alea_belief_search *search);
/* Searches from the root until the time manager says so, the memory is full or the belief is
 * solved. */
alea_status alea_belief_search_run(alea_belief_search *search, alea_time_manager *time_manager);
/* The belief is another one: nothing is known of it. */
static inline void alea_belief_search_forget(alea_belief_search *search) { search->root = 0; }
/* The move of the best policy.  ALEA_NONE: nothing was found out. */
alea_status alea_belief_search_best(const alea_belief_search *search, alea_move *move);
void alea_belief_search_analyse(alea_belief_search *search, alea_analysis *analysis);

#endif
