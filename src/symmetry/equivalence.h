#ifndef ALEA_SYMMETRY_EQUIVALENCE_H
#define ALEA_SYMMETRY_EQUIVALENCE_H

/* Are two literals of a circuit equal, in all states?
 *
 * Decision diagrams are tried first, and settle what counts; then CaDiCaL is
 * asked for a difference, within a number of conflicts.  Parts with cycles are
 * bounded by their completion there, which allows more than their least
 * fixpoint: that is on the safe side.  "No" therefore means "not proved". */

#include "base/clock.h"
#include "sat/sat.h"
#include "symmetry/bdd.h"
#include "symmetry/circuit.h"

typedef struct alea_equivalence {
  alea_mem *mem;
  const alea_circuit *circuit;
  const alea_deadline *deadline; /* may be NULL */
  alea_bdd bdd;
  uint32_t *rank;  /* per leaf: its place in the order of variables, from 1 on; 0: none yet */
  uint32_t ranks;  /* given so far */
  alea_u32s edges; /* per node: its diagram, or ALEA_BDD_NO_EDGE, or none yet */
  alea_sat sat;
  ALEA_VEC(alea_slit) variables;              /* per node; 0 where there is none yet */
  ALEA_VEC(alea_slit) lits;                   /* scratch */
  alea_u32s todo;                             /* scratch */
  uint64_t by_diagram, by_clauses, undecided; /* questions */
} alea_equivalence;

/* Circuit and deadline are borrowed; the circuit may grow. */
alea_status alea_equivalence_init(alea_equivalence *e, const alea_circuit *circuit,
                                  const alea_deadline *deadline, alea_mem *mem);
void alea_equivalence_clear(alea_equivalence *e); /* a zeroed one too */

/* Orders the variables of the diagrams as the leaves are met on the way down
 * from these literals, the first first: what is counted one after the other is
 * best decided so.  Leaves that are not met are not decided by diagrams.  To be
 * called once. */
alea_status alea_equivalence_order(alea_equivalence *e, const uint32_t *lits, size_t count);

typedef struct alea_equivalence_limits {
  uint64_t conflicts;   /* of the solver */
  bool diagrams_decide; /* what they say differs is not asked of the solver, though it may be equal
                           where 'given' holds */
} alea_equivalence_limits;

/* Whether a and b are equal where 'given' holds, a literal of the solver. */
alea_status alea_equivalence_ask(alea_equivalence *e, uint32_t a, uint32_t b, alea_slit given,
                                 const alea_equivalence_limits *limits, bool *equal);
/* The literal in the solver; 0 without memory. */
alea_slit alea_equivalence_literal(alea_equivalence *e, uint32_t lit);

#endif
