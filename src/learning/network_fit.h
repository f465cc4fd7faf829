#ifndef ALEA_LEARNING_NETWORK_FIT_H
#define ALEA_LEARNING_NETWORK_FIT_H

/* Fits a network beside a linear evaluation (minimax/eval_network.h) to examples, by Adam (Kingma
 * and Ba 2015) on the logistic loss.  The logit of an example is the score of the linear
 * evaluation, whose scale is fitted, too, since it need not be what games tell, and what the
 * network adds. Every example is seen as a random image under the symmetries that leave the roles
 * alone. */

#include "base/rng.h"
#include "base/vec.h"
#include "minimax/eval_network.h"
#include "minimax/fluent_symmetry.h"

typedef struct alea_network_example {
  float linear; /* logit by the linear evaluation */
  float target; /* 0..1 */
} alea_network_example;

typedef struct alea_network_examples {
  size_t word_count;
  alea_u64s words; /* of the positions */
  ALEA_VEC(alea_network_example) list;
} alea_network_examples;

typedef struct alea_network_fit {
  alea_mem *mem;
  const alea_fluent_symmetry *symmetry;
  uint32_t fluent_count;
  size_t parameter_count;
  float *parameters, *means, *squares, *gradients;
  uint64_t steps;
  alea_u32s order;   /* scratch: of the examples */
  alea_u32s fluents; /* scratch: of one position, in each view */
} alea_network_fit;

/* The symmetry must outlive it.  The caller clears it with any status. */
alea_status alea_network_fit_init(alea_network_fit *fit, const alea_fluent_symmetry *symmetry,
                                  alea_rng *rng, alea_mem *mem);
void alea_network_fit_clear(alea_network_fit *fit); /* a zeroed one too */

/* Goes through the examples once, in random order, with steps of this size. */
alea_status alea_network_fit_round(alea_network_fit *fit, const alea_network_examples *examples,
                                   float rate, alea_rng *rng);
/* The mean loss of some examples; '*linear' that of the linear evaluation with its scale alone. */
double alea_network_fit_loss(alea_network_fit *fit, const alea_network_examples *examples,
                             double *linear);
/* The scale of the linear evaluation: how games end by so much of its logit. */
float alea_network_fit_scale(const alea_network_fit *fit);
/* Begins with a network that was written, in the views of the symmetry; what steps have left behind
 * is forgotten, and so is the scale. */
void alea_network_fit_import(alea_network_fit *fit, const alea_eval_network *network);
/* Writes what was learnt to 'network', which was initialised; of what it says 'trust' (0..1)
 * counts. */
void alea_network_fit_export(const alea_network_fit *fit, float trust, alea_eval_network *network);

#endif
