#ifndef ALEA_ENCODE_STAGE_NUMBERS_H
#define ALEA_ENCODE_STAGE_NUMBERS_H

/* The game's numbers of fluents and moves, and those of its ground program:
 * what the engine `table` reads and writes are the former, its network has the
 * latter. */

#include "game/game.h"
#include "ground/fluent_map.h"
#include "ground/ground.h"

typedef struct encode_numbers {
  alea_mem *mem;
  const alea_ground *ground;
  const alea_game *game;
  bool bits; /* words of a position are bits of the game's fluents, numbered from 0 */
  uint32_t fluents;
  alea_fluent_map texts;
  uint32_t *game_fluent; /* per ground fluent, for bits; UINT32_MAX = none */
  alea_move *game_move;  /* per ground move, ALEA_NO_MOVE while it has none */
  alea_u32s
      *ground_move; /* per role: of a game's move 1 + the ground one's place in the role, or 0 */
} encode_numbers;

bool encode_numbers_init(encode_numbers *n, const alea_ground *ground, const alea_game *game,
                         alea_mem *mem); /* false without memory; to be cleared all the same */
void encode_numbers_clear(encode_numbers *n);
/* Moves of the game by their texts.  An engine that discovers moves knows them
 * once they were legal, so this is done again where one is missing. */
bool encode_numbers_map_moves(encode_numbers *n);
/* 1 + the place of a game's move among the ground moves of its role, or 0. */
static inline uint32_t encode_numbers_of_move(const encode_numbers *n, uint32_t role,
                                              alea_move move) {
  return move < n->ground_move[role].count ? n->ground_move[role].data[move] : 0;
}

#endif
