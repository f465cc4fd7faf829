#ifndef ALEA_SYMMETRY_MERGE_H
#define ALEA_SYMMETRY_MERGE_H

/* Ground rules without repetition: derived atoms whose definitions are the
 * same are one atom, one that only names another literal is that literal, and
 * bodies that say the same are one body.  Short conjunctions that have a name
 * are written out.  A move that is never legal is never made.
 *
 * The graph of symmetry.h stands on these rules: copies could be swapped at
 * will, and the more of them there are, the longer nauty takes.  Atoms that
 * depend on each other in a cycle are left as they are.
 *
 * 'ground' is borrowed and must outlive the rules. */

#include "ground/ground.h"

typedef struct alea_merged_body {
  uint64_t hash;
  uint32_t first, count; /* lits.data[first ...], ascending; no literal twice */
} alea_merged_body;

typedef struct alea_merged_rules {
  const alea_ground *ground;
  alea_mem *mem;
  alea_glit *meaning;   /* per atom: the literal that stands for it; most stand for themselves */
  uint32_t *first_body; /* per atom that stands for itself: bodies.data[first_body ...] */
  uint32_t *body_count;
  ALEA_VEC(alea_merged_body) bodies;
  ALEA_VEC(alea_glit) lits; /* of atoms that stand for themselves */
  bool has_cycles;          /* so some atoms may be equal after all */
} alea_merged_rules;

alea_status alea_merged_rules_init(alea_merged_rules *merged, const alea_ground *ground,
                                   alea_mem *mem);
void alea_merged_rules_clear(alea_merged_rules *merged);

static inline alea_glit alea_merged_meaning(const alea_merged_rules *m, alea_glit lit) {
  return m->meaning[lit >> 1] ^ (lit & 1);
}

#endif
