#ifndef ALEA_PLAN_FOLLOWER_BOUNDED_PLAN_H
#define ALEA_PLAN_FOLLOWER_BOUNDED_PLAN_H

/* Plans for one role by clauses: the unrolling of unroll/unroll.h, asked for an
 * end that is worth enough.
 *
 * A round first asks for such an end after any number of steps up to H, then
 * after exactly T steps for each T that is still open; H and the limit of
 * conflicts grow from round to round, so that a T that is hard to refute does
 * not hold up the next.  What was learned for one question serves the others.
 *
 * Refuted is only what was proved: no state at all is such an end, or every T
 * was refuted up to one beyond which no play goes. */

#include "base/verdict.h"
#include "game/game.h"

typedef struct alea_bounded_plan alea_bounded_plan;

typedef struct alea_bounded_plan_options {
  const alea_deadline *deadline; /* may be NULL */
  size_t memory;                 /* of the clauses, as estimated; 0 = 1 GiB */
  uint32_t first_stages;         /* H of the first round */
  uint32_t max_stages;           /* no longer play is looked for */
} alea_bounded_plan_options;

typedef struct alea_bounded_plan_stats {
  uint64_t questions, conflicts; /* conflicts: handed out */
  uint64_t variables, clauses;   /* at most at once */
  uint32_t stages;
} alea_bounded_plan_stats;

/* From the position 'words' of a game with one role that is played by a
 * network. */
alea_status alea_bounded_plan_new(alea_bounded_plan **horizons, const alea_game *game,
                                  const uint64_t *words, size_t word_count,
                                  const alea_bounded_plan_options *options, alea_mem *mem);
void alea_bounded_plan_free(alea_bounded_plan *horizons); /* NULL is a no-op. */

/* Begins to ask for ends worth at least 'goal', with so much memory (0 = 1
 * GiB). */
alea_status alea_bounded_plan_begin(alea_bounded_plan *horizons, int goal, size_t memory);
/* The next question.  Proved: alea_bounded_plan_moves leads to such an end.
 * Refuted: there is none.  Unknown: ask on, unless all is spent. */
alea_status alea_bounded_plan_ask(alea_bounded_plan *horizons, alea_verdict *answer);
alea_list alea_bounded_plan_moves(const alea_bounded_plan *horizons);
bool alea_bounded_plan_spent(const alea_bounded_plan *horizons); /* there are no more questions */
alea_bounded_plan_stats alea_bounded_plan_statistics(const alea_bounded_plan *horizons);

#endif
