#ifndef ALEA_MINIMAX_FLUENT_SYMMETRY_H
#define ALEA_MINIMAX_FLUENT_SYMMETRY_H

/* Symmetries of a game as permutations of its fluents: generators of the group, some of which
 * may exchange roles. */

#include "base/vec.h"
#include "encode/services.h"
#include "game/game.h"

typedef struct alea_fluent_symmetry {
  alea_mem *mem;
  uint32_t fluent_count, count;
  alea_u32s images;         /* of each generator: the image of every fluent */
  ALEA_VEC(bool) exchanges; /* of each: some role becomes another */
} alea_fluent_symmetry;

/* Finds those that are proved within the deadline (NULL: within counts); ones that exchange
 * roles only with 'exchange'.  What cannot be found out is left out.  'game' is of the engine
 * `net`; without services there are none.  The caller clears it with any status. */
alea_status alea_fluent_symmetry_find(alea_fluent_symmetry *symmetry, const alea_game *game,
                                      alea_services *services, bool exchange,
                                      const alea_deadline *deadline, alea_mem *mem);
void alea_fluent_symmetry_clear(alea_fluent_symmetry *symmetry); /* a zeroed one too */

static inline const uint32_t *alea_fluent_symmetry_at(const alea_fluent_symmetry *s, uint32_t i) {
  return s->images.data + (size_t)i * s->fluent_count;
}
/* The first that exchanges roles, or NULL. */
const uint32_t *alea_fluent_symmetry_exchange(const alea_fluent_symmetry *symmetry);

#endif
