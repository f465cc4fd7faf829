#ifndef ALEA_TESTS_COMPARE_GAMES_H
#define ALEA_TESTS_COMPARE_GAMES_H

/* Two engines on one game: the same random moves, everything compared. */

#include "game/game.h"

typedef struct comparison {
  unsigned positions;
  char message[512]; /* what differs first, "" when nothing does */
} comparison;

/* Plays up to 'plays' random games of at most 'steps' steps with 'oracle',
 * follows them with 'engine', and compares fluents, legal moves, ends, goals
 * and percepts by their texts, and that equal positions have equal hashes.
 * Stops after 'seconds' of wall-clock time (0 = never).  True when all agrees. */
bool compare_games(const alea_game *oracle, const alea_game *engine, uint64_t seed, unsigned plays,
                   unsigned steps, double seconds, comparison *result);

#endif
