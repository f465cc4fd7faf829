#ifndef ALEA_MINIMAX_ENDGAME_H
#define ALEA_MINIMAX_ENDGAME_H

/* The exact value of a position in games of two, where one wins what the
 * other loses and only one chooses at a time: alpha-beta search with null
 * windows (Plaat et al. 1996) and a table of positions, deepened step by step
 * under a budget.
 *
 * A position is known by an interval that holds its value for the first role.
 * Intervals close from finished games upward only, and a line that repeats or
 * is too deep says nothing, so what is proved is proved for good and may be
 * kept from move to move.  Positions are told apart by their 64-bit hashes.
 *
 * Games where both choose at once, where goals do not add up to 100, with
 * chance or with hidden information are found out and left alone. */

#include "game/budget.h"
#include "game/player_setup.h"

typedef struct alea_endgame alea_endgame;

enum { ALEA_ENDGAME_PER_SIM = 10 }; /* positions that a simulation buys: a playout costs as much */
/* The simulations that buy so many positions. */
static inline uint64_t alea_endgame_sims(uint64_t positions) {
  return positions / ALEA_ENDGAME_PER_SIM + (positions % ALEA_ENDGAME_PER_SIM > 0);
}

/* What is known of the position that was asked for; goals of the role. */
typedef struct alea_endgame_answer {
  int lo, hi;     /* the value lies between */
  alea_move move; /* one that gets lo, where that is more than 0; else ALEA_NO_MOVE */
} alea_endgame_answer;

/* 'setup' must outlive it.  '*endgame' is NULL where the game is not such a
 * game as far as can be seen. */
alea_status alea_endgame_new(alea_endgame **endgame, const alea_player_setup *setup, size_t memory);
void alea_endgame_free(alea_endgame *endgame); /* NULL is a no-op. */

/* Searches on from the position until its value is known or the budget is
 * spent. */
alea_status alea_endgame_run(alea_endgame *endgame, const uint64_t *words, size_t word_count,
                             const alea_budget *budget, alea_endgame_answer *answer);
/* Whether the outcome at the cursor's position is proved, as far as 'chooser', who
 * alone has a choice there, is concerned: the value is known, or the chooser wins or
 * loses for certain.  '*move' then keeps it; ALEA_NO_MOVE: every move does, and none is
 * known to be tried first. */
bool alea_endgame_proves(const alea_endgame *endgame, alea_cursor *cursor, uint32_t chooser,
                         alea_move *move);
/* Positions met so far. */
uint64_t alea_endgame_positions(const alea_endgame *endgame);

#endif
