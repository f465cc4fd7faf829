#ifndef ALEA_EQUILIBRIUM_VIEWS_H
#define ALEA_EQUILIBRIUM_VIEWS_H

/* Views: what a player knows of the play so far, as numbers.
 *
 * A view is the view of the step before and the items of one step: the
 * player's own move and its percepts, or, in games without `sees`, the moves
 * of all roles.  Equal knowledge is one number, compared item by item and not
 * by hash alone.  Nothing is ever forgotten, so players have perfect recall. */

#include "base/hash_map.h"
#include "base/vec.h"

#define ALEA_NO_VIEW UINT32_MAX

typedef struct alea_player_view {
  uint32_t before; /* ALEA_NO_VIEW at the start */
  uint32_t player; /* 0 or 1 */
  size_t first;    /* the items of the last step, in 'items' */
  uint32_t count;
} alea_player_view;

typedef struct alea_player_views {
  ALEA_VEC(alea_player_view) list;
  alea_u32s items;
  alea_hash_map map;
} alea_player_views;

/* A zeroed struct has no views. */
void alea_player_views_clear(alea_player_views *views, alea_mem *mem);
/* The number of the view, a new one where there was none.  False: no memory. */
bool alea_player_views_add(alea_player_views *views, uint32_t before, uint32_t player,
                           const uint32_t *items, uint32_t count, alea_mem *mem, uint32_t *view);
/* The views from the start (without the empty one) to 'view', in order, in
 * place of what 'path' held.  False: no memory. */
bool alea_player_views_path(const alea_player_views *views, uint32_t view, alea_mem *mem,
                            alea_u32s *path);

#endif
