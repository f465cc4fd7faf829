#ifndef ALEA_MODELS_STOCHASTIC_H
#define ALEA_MODELS_STOCHASTIC_H

/* The stochastic models of the papers, built from their definitions. */

#include "scsp/scsp.h"

/* Matching pennies of SPEC section 2.3: two stages, two players, theta 1/2. */
alea_scsp *alea_model_pennies(alea_mem *mem);
/* P3's example: x, y uniform, z over 0..2; x = z; pays 1 when x + y >= 1. */
alea_scsp *alea_model_p3(alea_mem *mem);
/* The one-stage example of SPEC section 5.3. */
alea_scsp *alea_model_split(alea_mem *mem);

/* Orchard: 'trees' trees with 'fruits' each, a raven 'raven' steps away, a
 * die with one face per tree, one for the raven and one for the basket.  The
 * basket lets the player take two fruits (one, where only one is left).  The
 * trees being empty first pays 1.  With 'step' the basket's choice is a
 * transition of its own (P3 Fig. 1). */
alea_process *alea_model_orchard(alea_mem *mem, uint32_t trees, uint32_t fruits, uint32_t raven,
                                 bool step);

#endif
