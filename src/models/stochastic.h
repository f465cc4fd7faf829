#ifndef ALEA_MODELS_STOCHASTIC_H
#define ALEA_MODELS_STOCHASTIC_H

/* The stochastic models of the papers, built from their definitions. */

#include "scsp/scsp.h"

/* Matching pennies, [MACUCB16 example 2], K5: two stages and players, theta 1/2. */
alea_scsp *alea_model_pennies(alea_mem *mem);
/* The example of [SCSP14 fig. 2], K5: x, y uniform, z over 0..2; x = z; pays 1
 * when x + y >= 1. */
alea_scsp *alea_model_p3(alea_mem *mem);
/* A one-stage network for [MACUCB16 example 3], K5. */
alea_scsp *alea_model_split(alea_mem *mem);

/* Orchard: 'trees' trees with 'fruits' each, a raven 'raven' steps away, a
 * die with one face per tree, one for the raven and one for the basket.  The
 * basket lets the player take two fruits (one, where only one is left).  The
 * trees being empty first pays 1.  With 'step' the basket's choice is a
 * transition of its own ([SCSP14 fig. 1]; K6). */
alea_process *alea_model_orchard(alea_mem *mem, uint32_t trees, uint32_t fruits, uint32_t raven,
                                 bool step);

#endif
