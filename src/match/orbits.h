#ifndef ALEA_MATCH_ORBITS_H
#define ALEA_MATCH_ORBITS_H

/* What is alike in a position: fluents and moves that a symmetry of the game
 * which leaves the position as it is maps to each other. */

#include "match/open.h"

/* One thing that holds or may be done, and its class: equal numbers, from 0 in
 * order of first appearance, are alike. */
typedef struct alea_orbit_item {
  uint32_t number; /* of the fluent or move in the game */
  uint32_t class;
} alea_orbit_item;
typedef ALEA_VEC(alea_orbit_item) alea_orbit_items;

typedef struct alea_orbits {
  alea_mem *mem;
  double symmetries; /* of the game */
  uint32_t leaving;  /* how many leave the position as it is; 0 = too many to list */
  alea_orbit_items fluents;
  uint32_t role_count;
  alea_orbit_items *moves; /* per role */
} alea_orbits;

/* Finds them for the cursor's position.  ALEA_LIMIT: the symmetries of the game
 * cannot be found within 'seconds'.  ALEA_UNSUPPORTED: it has none that can be
 * found.  To be cleared in any case. */
alea_status alea_orbits_init(alea_orbits *orbits, const alea_opened *opened, alea_cursor *cursor,
                             double seconds, alea_mem *mem);
void alea_orbits_clear(alea_orbits *orbits);

/* Appends the symmetries and, line by line, what is alike. */
void alea_orbits_print(const alea_orbits *orbits, const alea_game *game, alea_text *out);

#endif
