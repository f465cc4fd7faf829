#ifndef ALEA_MATCH_ORBITS_H
#define ALEA_MATCH_ORBITS_H

/* Orbits of a position: fluents and moves that are symmetric.
 *
 * Two are symmetric if a symmetry of the game which leaves the position
 * unchanged maps one to the other. */

#include "match/open.h"

/* A fluent or move, and its class: symmetric items have equal class numbers,
 * which count from 0 in order of first appearance. */
typedef struct alea_orbit_item {
  uint32_t number; /* of the fluent or move in the game */
  uint32_t class;
} alea_orbit_item;
typedef ALEA_VEC(alea_orbit_item) alea_orbit_items;

typedef struct alea_orbits {
  alea_mem *mem;
  double symmetries; /* of the game */
  uint32_t leaving;  /* how many leave the position unchanged; 0 = too many to list */
  alea_orbit_items fluents;
  uint32_t role_count;
  alea_orbit_items *moves; /* per role */
} alea_orbits;

/* Finds the orbits of the cursor's position.  ALEA_LIMIT: the symmetries of the
 * game cannot be found within 'seconds' (0: no clock runs, see encode/services.h).
 * ALEA_UNSUPPORTED: it has none that can be found.  Must be cleared in any case. */
alea_status alea_orbits_init(alea_orbits *orbits, const alea_opened *opened, alea_cursor *cursor,
                             double seconds, alea_mem *mem);
void alea_orbits_clear(alea_orbits *orbits);

/* Appends the number of symmetries and a line for each class. */
void alea_orbits_print(const alea_orbits *orbits, const alea_game *game, alea_text *out);

#endif
