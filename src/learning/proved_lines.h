#ifndef ALEA_LEARNING_PROVED_LINES_H
#define ALEA_LEARNING_PROVED_LINES_H

/* Positions whose values are proved, for evaluations to learn from.  Where a board is filled, a
 * search sees the end of the game from afar, and how a game ends with best play says more of a
 * position than what a shallow search thinks of it: what decides there may be thirty steps ahead.
 *
 * Lines are random but for moves that lose at once, and end where the value is seen at a glance.
 * Then their positions are proved, from the last back to the first that is too far from the end
 * (minimax/endgame.h).  Lines are made on several threads, each with random numbers of its own, so
 * that the same seed gives the same positions whatever the number of threads. */

#include "base/rng.h"
#include "base/vec.h"
#include "game/player_setup.h"

typedef struct alea_proved_lines {
  const alea_player_setup *setup; /* must outlive it */
  uint64_t seed;
  uint32_t threads;
  const atomic_bool *stop; /* raised: no more lines; may be NULL */
  uint64_t lines;          /* made so far */
  size_t word_count;
  alea_u64s words;      /* of the positions of the last lines, one behind the other */
  ALEA_VEC(int) values; /* of each, for the setup's role */
} alea_proved_lines;

enum { ALEA_PROVED_LINES_BATCH = 64 };

/* The caller clears it with any status. */
alea_status alea_proved_lines_init(alea_proved_lines *lines, const alea_player_setup *setup,
                                   uint64_t seed, uint32_t threads);
void alea_proved_lines_clear(alea_proved_lines *lines); /* a zeroed one too */

/* Makes the next ALEA_PROVED_LINES_BATCH lines; what was proved before is forgotten.  Nothing is
 * proved in games that are not of two who share out 100 and choose one at a time. */
alea_status alea_proved_lines_next(alea_proved_lines *lines);

#endif
