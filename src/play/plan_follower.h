#ifndef ALEA_PLAY_PLAN_FOLLOWER_H
#define ALEA_PLAY_PLAN_FOLLOWER_H

/* A plan that a player follows, in games with one role and without chance or
 * hidden information (planning/planner.h).
 *
 * The player gives a share of its clock to the planner until the best goal is
 * proved; then it follows the plan and thinks no more.  A plan that is merely
 * good is followed where the search promises less than it is worth.  With
 * a budget of simulations the planner's budget is counted too.  The best game
 * of all that the search has played is a plan as well. */

#include "game/sampler.h"
#include "planning/planner.h"
#include "play/player.h"

typedef struct alea_plan_follower {
  const alea_player_setup *setup; /* NULL: not for this game */
  double share;                   /* of the time, for the first plan; a third of it later */
  bool tried;
  size_t memory;
  alea_plan plan;
  size_t at; /* moves of the plan already made */
  alea_choice choice;
  alea_u32s heard; /* choices of the best game that was heard of from here ... */
  int heard_goal;  /* ... and how it ended; -1: of none */
} alea_plan_follower;

/* 'share' of the time, 0 for no planning; 'setup' must outlive it. */
void alea_plan_follower_init(alea_plan_follower *planning, const alea_player_setup *setup,
                             double share, size_t memory);
void alea_plan_follower_clear(alea_plan_follower *planning);

/* Plans from the position, unless the plan at hand is proved to be the best.
 * '*rest' is the budget that remains for thinking otherwise. */
alea_status alea_plan_follower_run(alea_plan_follower *planning, const uint64_t *words,
                                   size_t word_count, const alea_budget *budget, alea_budget *rest);
/* A game was played from the position: 'down' and then 'more' are its moves, or
 * those of them that were choices. */
void alea_plan_follower_hear(alea_plan_follower *planning, const alea_played *down,
                             size_t down_count, const alea_played *more, size_t more_count,
                             int goal);
/* Makes the best game that was heard of the plan, where it is better. */
alea_status alea_plan_follower_take(alea_plan_follower *planning, const uint64_t *words,
                                    size_t word_count);
/* Nothing better than the plan exists. */
bool alea_plan_follower_proved(const alea_plan_follower *planning);
/* The next move of the plan, ALEA_NO_MOVE without a plan that is worth more
 * than 'value' (0..100, or -1: any plan). */
alea_move alea_plan_follower_move(const alea_plan_follower *planning, double value);
/* The move of the plan after the moves 'before'; ALEA_NO_MOVE where these are not
 * the plan's. */
alea_move alea_plan_follower_after(const alea_plan_follower *planning, const alea_u32s *before);
/* A move was made; another than planned ends the plan. */
void alea_plan_follower_observe(alea_plan_follower *planning, alea_move own);
/* The opinion where the plan is proved. */
void alea_plan_follower_analyse(alea_plan_follower *planning, alea_analysis *analysis);

#endif
