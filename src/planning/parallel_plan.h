#ifndef ALEA_PLANNING_PARALLEL_PLAN_H
#define ALEA_PLANNING_PARALLEL_PLAN_H

/* Parallel plans: SAT planning for one role where a stage is any number of moves
 * that do not disturb each other.
 *
 * A puzzle whose moves can be made in any order has a plan of fifty stages with
 * one move in each, and of one or two with parallel moves.  In clauses the
 * latter is as short as the puzzle itself.
 *
 * Moves take part that always turn the same fluents on and off
 * (planning/effects.h).  In a stage, all moves are legal at its beginning, none
 * turns on what another turns off, and no move makes another one illegal.
 * Which pairs do so is tried at the first position, and learned where a plan
 * cannot be played move by move.  A plan that is found has been played on a
 * cursor; where none is found there may be one. */

#include "base/verdict.h"
#include "game/game.h"

typedef struct alea_parallel_plan alea_parallel_plan;

typedef struct alea_parallel_plan_options {
  int goal;                      /* least goal value of a plan */
  uint32_t longest;              /* estimated number of moves until the game ends */
  const alea_deadline *deadline; /* may be NULL */
  size_t memory;                 /* of the clauses, as estimated; 0 = 1 GiB */
} alea_parallel_plan_options;

/* From the position 'words' of a game with one role.  '*plan' is NULL, and the
 * status ALEA_OK, where no two moves can be made in one stage or there is no
 * time to tell. */
alea_status alea_parallel_plan_new(alea_parallel_plan **plan, const alea_game *game,
                                   const uint64_t *words, size_t word_count,
                                   const alea_parallel_plan_options *options, alea_mem *mem);
void alea_parallel_plan_free(alea_parallel_plan *plan); /* NULL is a no-op. */

/* The next question: is there a plan with so many stages?  The number of stages
 * and the conflicts that are allowed grow from question to question.  '*found'
 * says that there is, and alea_parallel_plan_moves are its moves. */
alea_status alea_parallel_plan_ask(alea_parallel_plan *plan, bool *found);
alea_list alea_parallel_plan_moves(const alea_parallel_plan *plan);
bool alea_parallel_plan_spent(const alea_parallel_plan *plan); /* there are no more questions */
uint64_t alea_parallel_plan_conflicts(const alea_parallel_plan *plan); /* allowed so far */

#endif
