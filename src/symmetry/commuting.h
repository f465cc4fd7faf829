#ifndef ALEA_SYMMETRY_COMMUTING_H
#define ALEA_SYMMETRY_COMMUTING_H

/* What a symmetry has to commute with: the roots of a network, each with its
 * image under a candidate, and a test of that in states of random play.
 *
 * Legal moves and successors matter where play goes on, goals where it has
 * ended; terminal matters everywhere.  The network must take nothing for granted
 * (plain, any_move), since images need not be reachable. */

#include "symmetry/candidates.h"
#include "symmetry/lane_walk.h"

typedef enum alea_root_kind {
  ALEA_ROOT_TERMINAL,
  ALEA_ROOT_LEGAL, /* where the state is not terminal */
  ALEA_ROOT_GOAL,  /* where it is */
  ALEA_ROOT_NEXT,  /* after legal moves, as are percepts */
  ALEA_ROOT_SEES
} alea_root_kind;

typedef struct alea_root {
  alea_root_kind kind;
  alea_lit lit;
} alea_root;

typedef struct alea_commuting {
  alea_mem *mem;
  const alea_net *net; /* borrowed */
  const alea_candidates *candidates;
  ALEA_VEC(alea_root) roots;
  uint32_t first_legal, first_goal, first_next, first_sees; /* terminal is root 0 */
  uint32_t *percept_root; /* per role and percept, or UINT32_MAX */
  uint64_t *values;       /* scratch, per node: of the image */
} alea_commuting;

/* 'net' has the numbers of the ground program of the candidates. */
alea_status alea_commuting_init(alea_commuting *c, const alea_net *net,
                                const alea_candidates *candidates, alea_mem *mem);
void alea_commuting_clear(alea_commuting *c); /* a zeroed one too */

/* The image of a root; UINT32_MAX: there is none, and the map is no symmetry. */
uint32_t alea_commuting_image(const alea_commuting *c, const uint32_t *map, uint32_t root);

/* Gives the values of the images of the states and moves of the walk to all
 * nodes, in c->values. */
void alea_commuting_evaluate(alea_commuting *c, const alea_lane_walk *walk, const uint32_t *map);
/* The same, and whether each root has the value of its image there. */
bool alea_commuting_test(alea_commuting *c, const alea_lane_walk *walk, const uint32_t *map);

#endif
