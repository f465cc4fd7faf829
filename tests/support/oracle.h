#ifndef ALEA_TESTS_ORACLE_H
#define ALEA_TESTS_ORACLE_H

/* Evaluates a ground program rule by rule on plain booleans: slow, short, and
 * independent of the network. */

#include "ground/ground.h"

typedef struct oracle {
  const alea_ground *ground;
  uint32_t *level; /* per atom: stratum */
  uint32_t levels;
  uint8_t *value; /* per atom */
  size_t atoms;
} oracle;

/* false: not stratified. */
bool oracle_init(oracle *o, const alea_ground *ground);
void oracle_clear(oracle *o);
/* Values of all atoms at 'state' (one byte per fluent) if each role r makes
 * moves[r] (number within the role); moves may be NULL. */
void oracle_evaluate(oracle *o, const uint8_t *state, const uint32_t *moves);
bool oracle_value(const oracle *o, alea_glit lit);

#endif
