#ifndef ALEA_TOSS_CIRCUIT_H
#define ALEA_TOSS_CIRCUIT_H

/* Circuits of and-gates over literals, with structural hashing.
 *
 * A literal is 2 * node + negated; literal 0 is true, 1 false.  The inputs of a
 * gate are sorted, distinct, at least two, and have smaller node numbers. */

#include "base/hash_map.h"
#include "base/vec.h"

typedef uint32_t alea_toss_lit;
#define ALEA_TOSS_LIT_TRUE 0u
#define ALEA_TOSS_LIT_FALSE 1u

typedef struct alea_toss_gate {
  uint32_t first, count; /* count 0: an input */
} alea_toss_gate;

typedef struct alea_toss_circuit {
  alea_mem *mem;
  ALEA_VEC(alea_toss_gate) gates; /* by node; node 0 is true */
  ALEA_VEC(alea_toss_lit) inputs;
  alea_hash_map map; /* nodes by their inputs */
  ALEA_VEC(alea_toss_lit) scratch;
  bool failed; /* out of memory; literals are meaningless from then on */
} alea_toss_circuit;

void alea_toss_circuit_init(alea_toss_circuit *c, alea_mem *mem);
void alea_toss_circuit_clear(alea_toss_circuit *c);
alea_toss_lit alea_toss_circuit_input(alea_toss_circuit *c);
alea_toss_lit alea_toss_circuit_and(alea_toss_circuit *c, const alea_toss_lit *lits, size_t count);
alea_toss_lit alea_toss_circuit_or(alea_toss_circuit *c, const alea_toss_lit *lits, size_t count);

static inline alea_toss_lit alea_toss_and2(alea_toss_circuit *c, alea_toss_lit a, alea_toss_lit b) {
  return alea_toss_circuit_and(c, (alea_toss_lit[2]){a, b}, 2);
}
static inline alea_toss_lit alea_toss_or2(alea_toss_circuit *c, alea_toss_lit a, alea_toss_lit b) {
  return alea_toss_circuit_or(c, (alea_toss_lit[2]){a, b}, 2);
}

#endif
