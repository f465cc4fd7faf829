#ifndef ALEA_GROUND_FLUENT_MAP_H
#define ALEA_GROUND_FLUENT_MAP_H

/* From the fluents of a game to those of a ground program, by their terms.
 * Both are borrowed; a map belongs to one thread. */

#include "game/game.h"
#include "ground/ground.h"

typedef struct alea_fluent_map {
  const alea_game *game;
  alea_mem *mem;
  alea_terms *terms; /* of both */
  alea_u32s of_term; /* per term: ground fluent, or UINT32_MAX */
  alea_u32s known;   /* per fluent of the game that was asked for */
  bool failed;       /* memory was short: an answer may be wrong */
} alea_fluent_map;

bool alea_fluent_map_init(alea_fluent_map *map, const alea_ground *ground, const alea_game *game,
                          alea_mem *mem);
void alea_fluent_map_clear(alea_fluent_map *map);
/* The ground fluent of a fluent of the game; UINT32_MAX when it has none, and
 * nothing that matters depends on it.  Without memory 'failed' is set. */
uint32_t alea_fluent_map_find(alea_fluent_map *map, uint32_t fluent);

#endif
