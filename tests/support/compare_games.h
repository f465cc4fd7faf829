#ifndef ALEA_TESTS_COMPARE_GAMES_H
#define ALEA_TESTS_COMPARE_GAMES_H

/* Compares two engines on one game: the same random moves, and everything they
 * answer. */

#include "game/game.h"

typedef struct comparison {
  unsigned positions;
  char message[512]; /* the first difference, "" if there is none */
} comparison;

/* Plays up to 'plays' random games of at most 'steps' steps with 'oracle',
 * follows them with 'engine', and compares fluents, legal moves, terminal
 * positions, goals and percepts by their texts, and that equal positions have
 * equal hashes.  Stops after 'seconds' of wall-clock time (0 = never).  True if
 * all agree. */
bool compare_games(const alea_game *oracle, const alea_game *engine, uint64_t seed, unsigned plays,
                   unsigned steps, double seconds, comparison *result);

#endif
