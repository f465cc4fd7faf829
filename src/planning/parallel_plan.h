#ifndef ALEA_PLAN_FOLLOWER_PARALLEL_PLAN_H
#define ALEA_PLAN_FOLLOWER_PARALLEL_PLAN_H

/* Plans for one role whose stages are sets of moves.
 *
 * A puzzle that is filled in, in whatever order, has a plan of fifty stages
 * when each stage is a move, and of one or two when a stage is any number of
 * moves that do not disturb each other.  As clauses the latter is as short as
 * the puzzle itself.
 *
 * Moves take part that always turn the same fluents on and off
 * (planning/effects.h).  In a stage, all moves are legal at its beginning, none
 * turns on what another turns off, and no move of a pair takes the other's
 * legality away: which pairs do is tried out at the first position, and learned
 * where a plan turns out not to be playable one move after the other.  What is
 * found is played on a cursor; what is not found may exist all the same. */

#include "base/verdict.h"
#include "game/game.h"

typedef struct alea_parallel_plan alea_parallel_plan;

typedef struct alea_parallel_plan_options {
  int goal;                      /* what an end is to be worth at least */
  uint32_t longest;              /* a guess at how many moves a play has */
  const alea_deadline *deadline; /* may be NULL */
  size_t memory;                 /* of the clauses, as estimated; 0 = 1 GiB */
} alea_parallel_plan_options;

/* From the position 'words' of a game with one role.  '*sets' is NULL, and the
 * status ALEA_OK, where no two moves can be made together or there is no time
 * to tell. */
alea_status alea_parallel_plan_new(alea_parallel_plan **sets, const alea_game *game,
                                   const uint64_t *words, size_t word_count,
                                   const alea_parallel_plan_options *options, alea_mem *mem);
void alea_parallel_plan_free(alea_parallel_plan *sets); /* NULL is a no-op. */

/* The next question: is there an end worth the goal after so many stages?  The
 * number of stages and the conflicts that are allowed grow from question to
 * question.  '*found' says that there is, and alea_parallel_plan_moves are a play with
 * that end. */
alea_status alea_parallel_plan_ask(alea_parallel_plan *sets, bool *found);
alea_list alea_parallel_plan_moves(const alea_parallel_plan *sets);
bool alea_parallel_plan_spent(const alea_parallel_plan *sets); /* there are no more questions */
uint64_t alea_parallel_plan_conflicts(const alea_parallel_plan *sets); /* handed out so far */

#endif
