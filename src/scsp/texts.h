#ifndef ALEA_SCSP_TEXTS_H
#define ALEA_SCSP_TEXTS_H

/* From the fluents of a game to those of a ground program, by their texts.
 * Both are borrowed; a map belongs to one thread. */

#include "game/game.h"
#include "ground/ground.h"

typedef struct scsp_texts {
  const alea_ground *ground;
  const alea_game *game;
  alea_mem *mem;
  alea_arena arena;
  char **texts;    /* per ground fluent */
  uint32_t *slots; /* hash table of ground fluents + 1 */
  uint32_t slot_count;
  uint32_t *known; /* per fluent of the game */
  uint32_t known_count;
  bool failed; /* memory was short: an answer may be wrong */
} scsp_texts;

bool scsp_texts_init(scsp_texts *texts, const alea_ground *ground, const alea_game *game,
                     alea_mem *mem);
void scsp_texts_clear(scsp_texts *texts);
/* The ground fluent of a fluent of the game; UINT32_MAX when it has none, and
 * nothing that matters depends on it.  Without memory 'failed' is set. */
uint32_t scsp_texts_fluent(scsp_texts *texts, uint32_t fluent);

#endif
