#ifndef ALEA_PLANNING_BOUNDED_PLAN_H
#define ALEA_PLANNING_BOUNDED_PLAN_H

/* Bounded SAT planning for one role: the unrolling of unroll/unroll.h is asked
 * for a terminal state that is worth enough.
 *
 * A round first asks for such a state after any number of steps up to H, then
 * after exactly T steps for each T that is still open.  H and the limit of
 * conflicts grow from round to round, so that a T that is hard to refute does
 * not delay the next.  What the solver learns for one question is kept for the
 * others.
 *
 * The answer is "refuted" only where that was proved: no state at all is such
 * a terminal state, or every T was refuted up to one beyond which the game
 * cannot go on. */

#include "base/verdict.h"
#include "game/game.h"

typedef struct alea_bounded_plan alea_bounded_plan;

typedef struct alea_bounded_plan_options {
  const alea_deadline *deadline; /* may be NULL */
  size_t memory;                 /* of the clauses, as estimated; 0 = 1 GiB */
  uint32_t first_stages;         /* H of the first round */
  uint32_t max_stages;           /* largest T */
} alea_bounded_plan_options;

typedef struct alea_bounded_plan_stats {
  uint64_t questions, conflicts; /* conflicts: allowed in all questions together */
  uint64_t variables, clauses;   /* of the largest unrolling */
  uint32_t stages;
} alea_bounded_plan_stats;

/* From the position 'words' of a game with one role that is played by a
 * network. */
alea_status alea_bounded_plan_new(alea_bounded_plan **plan, const alea_game *game,
                                  const uint64_t *words, size_t word_count,
                                  const alea_bounded_plan_options *options, alea_mem *mem);
void alea_bounded_plan_free(alea_bounded_plan *plan); /* NULL is a no-op. */

/* Begins to ask for terminal states worth at least 'goal', within 'memory' bytes
 * of clauses (0 = 1 GiB). */
alea_status alea_bounded_plan_begin(alea_bounded_plan *plan, int goal, size_t memory);
/* The next question.  Proved: alea_bounded_plan_moves leads to such a state.
 * Refuted: there is none.  Unknown: there may be more questions to ask. */
alea_status alea_bounded_plan_ask(alea_bounded_plan *plan, alea_verdict *answer);
alea_list alea_bounded_plan_moves(const alea_bounded_plan *plan);
bool alea_bounded_plan_spent(const alea_bounded_plan *plan); /* there are no more questions */
alea_bounded_plan_stats alea_bounded_plan_statistics(const alea_bounded_plan *plan);

#endif
