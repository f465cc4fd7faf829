#ifndef ALEA_SYMMETRY_FIXPOINT_PROOF_H
#define ALEA_SYMMETRY_FIXPOINT_PROOF_H

/* Does a imply b, where a depends on a least fixpoint?
 *
 * "There is a chain from left to right" is followed from the left in one
 * network and from the right in its image.  Clauses bound a fixpoint by its
 * completion only, in which a ring of stones may support itself.  So the proof
 * goes by induction over how a comes about (Park): with b false, claims "where
 * this gate of the fixpoint of a holds, that literal holds" are assumed of all
 * gates, one step is taken, and claims that fail after it are dropped, until
 * none fails (Houdini).  They hold at the first step, where no gate does; what is
 * left holds in the fixpoint, and either refutes a or does not. */

#include "symmetry/equivalence.h"

/* A claim: where 'gate' holds (a node of kind CYCLE_OR under a) and b does not,
 * 'lit' holds. */
typedef struct alea_fixpoint_claim {
  uint32_t gate;
  uint32_t lit;
} alea_fixpoint_claim;

/* '*implied': proved.  The claims are tried; the more
 * of them are false, the longer it takes. */
alea_status alea_fixpoint_implies(alea_equivalence *e, uint32_t a, uint32_t b,
                                  const alea_fixpoint_claim *claims, size_t count, bool *implied);

/* Appends the gates of kind CYCLE_OR under 'lit', each once. */
alea_status alea_fixpoint_gates(const alea_circuit *circuit, uint32_t lit, alea_u32s *gates,
                                alea_mem *mem);

#endif
