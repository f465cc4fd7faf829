#ifndef ALEA_SYMMETRY_CIRCUIT_H
#define ALEA_SYMMETRY_CIRCUIT_H

/* Circuits in which equal gates are one, to compare functions of the same
 * leaves: two networks side by side, or one with its image.
 *
 * A literal is 2 * node + negated; node 0 is true, then come the leaves, then
 * gates, all of them conjunctions.  A gate that was made before is not made
 * again, so functions that are written alike are one literal.
 *
 * The parts of a network with cycles, whose value is a least fixpoint, are
 * nodes too, with their definitions beside them; two parts whose definitions
 * correspond gate by gate are one. */

#include "propnet/propnet.h"

#define ALEA_NO_CIRCUIT_LIT UINT32_MAX

typedef enum alea_circuit_kind {
  ALEA_CIRCUIT_LEAF,
  ALEA_CIRCUIT_AND,
  ALEA_CIRCUIT_CYCLE_AND, /* of a part with cycles; inputs may come later */
  ALEA_CIRCUIT_CYCLE_OR
} alea_circuit_kind;

typedef struct alea_circuit_gate {
  alea_circuit_kind kind;
  uint32_t first, count; /* inputs.data[first ...], ascending, no two of one node */
} alea_circuit_gate;

typedef struct alea_circuit {
  alea_mem *mem;
  uint32_t leaves;                   /* nodes 1 .. leaves */
  ALEA_VEC(alea_circuit_gate) gates; /* per node */
  alea_u32s inputs;
  alea_hash_map map; /* conjunctions */
  alea_u64s shapes;  /* of the nodes with cycles: a hash of all that they unfold to */
  alea_u32s shaped;  /* the nodes that these belong to */
  alea_hash_map shape_map;
} alea_circuit;

alea_status alea_circuit_init(alea_circuit *circuit, uint32_t leaves, alea_mem *mem);
void alea_circuit_clear(alea_circuit *circuit); /* a zeroed one too */

/* The conjunction (or disjunction) of the literals, which are reordered.
 * ALEA_NO_CIRCUIT_LIT without memory. */
uint32_t alea_circuit_gate_of(alea_circuit *circuit, bool or, uint32_t *lits, uint32_t count);

/* The gates first .. last of 'net', one part with cycles, whose inputs from
 * outside have their literals in 'lits' (by node of the net); fills in theirs.
 * False without memory. */
bool alea_circuit_add_part(alea_circuit *circuit, const alea_net *net, alea_net_cycle part,
                           uint32_t *lits);

#endif
