#ifndef ALEA_SYMMETRY_POINT_MAP_H
#define ALEA_SYMMETRY_POINT_MAP_H

/* Point map: which points (fluents, then moves role by role) of a ground program
 * and of a game over a network are the same, by their texts.  A network leaves
 * out what play never changes, so either side may have points that the other has
 * not. */

#include "game/game.h"
#include "ground/ground.h"

typedef struct alea_point_map {
  alea_mem *mem;
  uint32_t ground_count, game_count; /* points */
  uint32_t *to_game, *to_ground;     /* UINT32_MAX where there is none */
} alea_point_map;

/* Keeps nothing of either.  ALEA_UNSUPPORTED: the game is not played by a
 * network. */
alea_status alea_point_map_init(alea_point_map *map, const alea_game *game,
                                const alea_ground *ground, alea_mem *mem);
void alea_point_map_clear(alea_point_map *map); /* a zeroed one too */

/* A permutation of the ground program's points as one of the game's; false where
 * it leads to something that the game has no number for. */
bool alea_point_map_translate(const alea_point_map *map, const uint32_t *from, uint32_t *to);

#endif
