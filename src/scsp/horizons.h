#ifndef ALEA_SCSP_HORIZONS_H
#define ALEA_SCSP_HORIZONS_H

/* Plans for one role by clauses: the unrolling of scsp/unroll.h, asked for an
 * end that is worth enough.
 *
 * A round first asks for such an end after any number of steps up to H, then
 * after exactly T steps for each T that is still open; H and the limit of
 * conflicts grow from round to round, so that a T that is hard to refute does
 * not hold up the next.  What was learned for one question serves the others.
 *
 * Refuted is only what was proved: no state at all is such an end, or every T
 * was refuted up to one beyond which no play goes. */

#include "game/game.h"
#include "scsp/ruling.h"

typedef struct alea_horizons alea_horizons;

typedef struct alea_horizons_options {
  const alea_deadline *deadline; /* may be NULL */
  size_t memory;                 /* of the clauses, as estimated; 0 = 1 GiB */
  uint32_t first_stages;         /* H of the first round */
  uint32_t max_stages;           /* no longer play is looked for */
} alea_horizons_options;

typedef struct alea_horizons_stats {
  uint64_t questions, conflicts; /* conflicts: handed out */
  uint64_t variables, clauses;   /* at most at once */
  uint32_t stages;
} alea_horizons_stats;

/* From the position 'words' of a game with one role that is played by a
 * network. */
alea_status alea_horizons_new(alea_horizons **horizons, const alea_game *game,
                              const uint64_t *words, size_t word_count,
                              const alea_horizons_options *options, alea_mem *mem);
void alea_horizons_free(alea_horizons *horizons); /* NULL is a no-op. */

/* Begins to ask for ends worth at least 'goal', with so much memory (0 = 1
 * GiB). */
alea_status alea_horizons_begin(alea_horizons *horizons, int goal, size_t memory);
/* The next question.  Proved: alea_horizons_moves leads to such an end.
 * Refuted: there is none.  Unknown: ask on, unless all is spent. */
alea_status alea_horizons_ask(alea_horizons *horizons, alea_ruling *answer);
alea_list alea_horizons_moves(const alea_horizons *horizons);
bool alea_horizons_spent(const alea_horizons *horizons); /* there are no more questions */
alea_horizons_stats alea_horizons_statistics(const alea_horizons *horizons);

#endif
