#ifndef ALEA_SYMMETRY_CANDIDATES_H
#define ALEA_SYMMETRY_CANDIDATES_H

/* Candidates for symmetries: permutations of fluents, moves, percepts and roles
 * of a ground program, of which nothing is known yet.
 *
 * A map is one array: images of the fluents, then of the moves, of the percepts
 * and of the roles, each kind numbered from 0 except that moves are points as in
 * symmetry.h, so that the first part of a map is a permutation of the points. */

#include "base/clock.h"
#include "base/hash_map.h"
#include "gdl/program.h"
#include "ground/ground.h"
#include "symmetry/symmetry.h"

typedef struct alea_candidates {
  alea_mem *mem;
  const alea_ground *ground; /* borrowed */
  uint32_t points, percepts, roles;
  uint32_t size; /* of a map */
  uint32_t count;
  alea_u32s maps;      /* all different, and none the identity */
  alea_hash_map known; /* the maps */
} alea_candidates;

void alea_candidates_init(alea_candidates *candidates, const alea_ground *ground, alea_mem *mem);
void alea_candidates_clear(alea_candidates *candidates); /* a zeroed one too */

static inline uint32_t *alea_candidates_at(const alea_candidates *c, uint32_t i) {
  return c->maps.data + (size_t)i * c->size;
}
static inline const uint32_t *alea_candidates_percepts(const alea_candidates *c,
                                                       const uint32_t *map) {
  return map + c->points;
}
static inline const uint32_t *alea_candidates_roles(const alea_candidates *c, const uint32_t *map) {
  return map + c->points + c->percepts;
}
/* Whether some role becomes another. */
bool alea_candidates_exchanges(const alea_candidates *c, const uint32_t *map);

/* Adds what renames arguments: the constants of some sorts (argument_sorts.h) in
 * reverse order, two sorts with equally many constants exchanged (rows with
 * columns), two constants exchanged, two roles exchanged, and these together.
 * Maps under which some fluent or move has no image are left out.  ALEA_LIMIT:
 * the deadline (may be NULL) passed, or there are too many; those before it are
 * there. */
alea_status alea_candidates_add_renamings(alea_candidates *candidates, const alea_program *program,
                                          const alea_deadline *deadline);

/* Adds permutations of points, such as the automorphisms of a relaxed graph;
 * one that takes the moves of a role to those of several is left out.  Only for
 * programs without percepts. */
alea_status alea_candidates_add_points(alea_candidates *candidates, const uint32_t *permutation);

#endif
