#ifndef ALEA_SCSP_ATOMS_H
#define ALEA_SCSP_ATOMS_H

/* The atoms of a ground program in the order in which they are defined, and a
 * plain evaluation of them: what the encoders stand on.
 *
 * 'ground' is borrowed and must outlive the index. */

#include "base/rng.h"
#include "ground/ground.h"

typedef struct scsp_atoms {
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
} scsp_atoms;

alea_status scsp_atoms_init(scsp_atoms *atoms, const alea_ground *ground, alea_mem *mem);
void scsp_atoms_clear(scsp_atoms *atoms);

static inline uint32_t scsp_first_derived(const alea_ground *g) {
  return 1 + g->fluent_count + g->move_count;
}
static inline bool scsp_is_derived(const alea_ground *g, alea_atom atom) {
  return atom >= scsp_first_derived(g);
}

/* Whether literal 'lit' holds in 'values', one byte per atom. */
static inline bool scsp_holds(const uint8_t *values, alea_glit lit) {
  return values[lit >> 1] != (lit & 1);
}
/* Computes the derived atoms that depend on moves ('moved'), or the others,
 * from the leaves. */
void scsp_evaluate(const scsp_atoms *atoms, uint8_t *values, bool moved);

/* Random play on the ground rules. */
typedef struct scsp_walker {
  const scsp_atoms *atoms;
  uint8_t *values; /* a state with its joint move, all atoms evaluated */
  uint8_t *after;  /* scratch */
  alea_rng rng;
  uint32_t steps;
  bool fresh;
  /* where a game plays instead: 'values' then hold fluents only */
  struct alea_cursor *cursor;
  struct scsp_texts *texts;
} scsp_walker;

bool scsp_walker_init(scsp_walker *walker, const scsp_atoms *atoms, uint64_t seed);
/* From now on plays 'game', which is much faster; both are borrowed. */
void scsp_walker_use(scsp_walker *walker, struct alea_cursor *cursor, struct scsp_texts *texts);
void scsp_walker_clear(scsp_walker *walker);
/* To the next position; 'values' then hold it and a random joint move there
 * (no move where the play ended: the next call begins another). */
void scsp_walker_step(scsp_walker *walker);

#endif
