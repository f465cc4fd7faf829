#ifndef ALEA_TESTS_NAIVE_MODEL_H
#define ALEA_TESTS_NAIVE_MODEL_H

/* The perfect model of a program, by brute force.
 *
 * Instantiates every rule over everything that might hold, puts the ground
 * atoms into strata, and iterates stratum by stratum.  No index, no join order,
 * no goal: the oracle of the prover, for small programs. */

#include "gdl/program.h"

typedef struct naive_atom {
  alea_term term; /* `(p t1 ...)`, or the constant `p` */
  uint32_t stratum;
  bool holds;
} naive_atom;

/* A ground rule; body literals are 2 * atom + negated. */
typedef struct naive_rule {
  uint32_t head;
  uint32_t first, count;
} naive_rule;

typedef struct naive_model {
  alea_mem *mem;
  alea_program *program; /* borrowed; its term table grows */
  ALEA_VEC(naive_atom) atoms;
  ALEA_VEC(naive_rule) rules;
  alea_u32s body;
  alea_u32s atom_of; /* per term: atom + 1, or 0 */
} naive_model;

typedef enum naive_result { NAIVE_DONE, NAIVE_UNSTRATIFIED, NAIVE_TOO_BIG } naive_result;

/* The model of 'program' together with the ground atoms 'facts'.  The caller
 * has zeroed 'model' except for 'mem' and 'program', and clears it. */
naive_result naive_model_make(naive_model *model, const alea_term *facts, size_t fact_count);
void naive_model_clear(naive_model *model);

#endif
