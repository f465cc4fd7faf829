#ifndef ALEA_TESTS_MINIMAX_H
#define ALEA_TESTS_MINIMAX_H

/* The slow oracle of searches, for small games of two who move in turn. */

#include "base/rng.h"
#include "game/game.h"

enum { MINIMAX_PLIES = 16 };

/* Moves that lead to a position. */
typedef struct minimax_line {
  alea_move joints[MINIMAX_PLIES][2];
  uint32_t steps;
} minimax_line;

/* The goal of 'role' with best play from the cursor's position, which changes. */
int minimax_value(alea_cursor *cursor, uint32_t role);
/* Sets the cursor to the position behind the line. */
void minimax_replay(const minimax_line *line, alea_cursor *cursor);
/* 'steps' random moves after which the game is not over. */
void minimax_wander(minimax_line *line, alea_cursor *cursor, alea_rng *rng, uint32_t steps);

#endif
