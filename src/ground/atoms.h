#ifndef ALEA_GROUND_ATOMS_H
#define ALEA_GROUND_ATOMS_H

/* The atoms of a ground program in the order in which they are defined, and a
 * plain evaluation of them: what the encoders stand on.
 *
 * 'ground' is borrowed and must outlive the index. */

#include "base/rng.h"
#include "ground/ground.h"

typedef struct alea_atoms {
  const alea_ground *ground;
  alea_mem *mem;
  uint32_t *first_rule; /* per atom, and one more: rules are sorted by head */
  uint32_t *uses;       /* per atom: occurrences in bodies and as roots */
  uint32_t *part;       /* per atom: strongly connected part; inputs come earlier */
  uint32_t part_count;
  uint8_t *cyclic;    /* per part */
  uint8_t *moved;     /* per atom: depends on a move */
  alea_atom *ordered; /* derived atoms by part */
  uint32_t derived_count;
} alea_atoms;

alea_status alea_atoms_init(alea_atoms *atoms, const alea_ground *ground, alea_mem *mem);
void alea_atoms_clear(alea_atoms *atoms);

static inline uint32_t alea_atoms_first_derived(const alea_ground *g) {
  return 1 + g->fluent_count + g->move_count;
}
static inline bool alea_atoms_is_derived(const alea_ground *g, alea_atom atom) {
  return atom >= alea_atoms_first_derived(g);
}

/* Whether literal 'lit' holds in 'values', one byte per atom. */
static inline bool alea_atoms_holds(const uint8_t *values, alea_glit lit) {
  return values[lit >> 1] != (lit & 1);
}
/* Computes the derived atoms that depend on moves ('moved'), or the others,
 * from the leaves. */
void alea_atoms_evaluate(const alea_atoms *atoms, uint8_t *values, bool moved);

/* Random play on the ground rules. */
typedef struct alea_atom_walker {
  const alea_atoms *atoms;
  uint8_t *values; /* a state with its joint move, all atoms evaluated */
  uint8_t *after;  /* scratch */
  alea_rng rng;
  uint32_t steps;
  bool fresh;
  /* where a game plays instead: 'values' then hold fluents only */
  struct alea_cursor *cursor;
  struct alea_fluent_map *texts;
} alea_atom_walker;

bool alea_atom_walker_init(alea_atom_walker *walker, const alea_atoms *atoms, uint64_t seed);
/* From now on plays 'game', which is much faster; both are borrowed. */
void alea_atom_walker_use(alea_atom_walker *walker, struct alea_cursor *cursor,
                          struct alea_fluent_map *texts);
void alea_atom_walker_clear(alea_atom_walker *walker);
/* To the next position; 'values' then hold it and a random joint move there
 * (no move where the play ended: the next call begins another). */
void alea_atom_walker_step(alea_atom_walker *walker);

#endif
