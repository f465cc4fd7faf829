#ifndef ALEA_SYMMETRY_GENERATED_GROUP_H
#define ALEA_SYMMETRY_GENERATED_GROUP_H

/* A group that grows generator by generator, on the points and roles of a ground
 * program: permutations of fluents and moves, then the images of the roles. */

#include "symmetry/symmetry.h"

/* Orders of groups; 0 when not known. */
typedef struct alea_symmetry_orders {
  double rules;
  double start; /* of those that leave the initial state as it is; where roles are exchanged,
                   except for fluents that name a role and nothing else: whose turn it is */
} alea_symmetry_orders;

typedef struct alea_generated_group {
  const alea_ground *ground; /* borrowed */
  alea_symmetry group;       /* points of the program, then its roles */
  uint32_t points;           /* of the program */
  bool overflow;             /* too large to be listed */
} alea_generated_group;

void alea_generated_group_init(alea_generated_group *g, const alea_ground *ground, alea_mem *mem);
void alea_generated_group_clear(alea_generated_group *g); /* a zeroed one too */

/* Adds a generator, unless the group is listed and has it; '*added' (may be
 * NULL) says which.  'roles' NULL: roles stay. */
alea_status alea_generated_group_add(alea_generated_group *g, const uint32_t *points,
                                     const uint32_t *roles, bool *added);
/* Adds the generators of 'symmetry', which leave the roles as they are. */
alea_status alea_generated_group_add_all(alea_generated_group *g, const alea_symmetry *symmetry);
bool alea_generated_group_has(const alea_generated_group *g, const uint32_t *points,
                              const uint32_t *roles);
/* The orders; with 'keeping' only of what leaves the roles as they are. */
alea_symmetry_orders alea_generated_group_orders(const alea_generated_group *g, bool keeping);

static inline const uint32_t *alea_generated_group_element(const alea_generated_group *g,
                                                           uint32_t element) {
  return g->group.elements + (size_t)element * alea_symmetry_points(&g->group);
}
/* Whether an element or a generator leaves the roles as they are. */
bool alea_generated_group_keeps_roles(const alea_generated_group *g, const uint32_t *element);

#endif
