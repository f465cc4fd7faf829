#ifndef ALEA_GPU_TD_TRAINER_H
#define ALEA_GPU_TD_TRAINER_H

/* Temporal differences on a device: thousands of games against itself at once, in which everybody
 * looks one move ahead, and the network that is fitted to them.  Positions, their values and the
 * network stay in the device's memory.
 *
 * Games are those of learning/td_games.h, and the network is that of learning/network_fit.h, with
 * its parameters in its order; random numbers and the sizes of steps are others.  A game goes on
 * from round to round, and at the end of a round what comes after a position is not known yet.
 * The same seed and the same device give the same numbers. */

#include "gpu/stepper.h"

typedef struct alea_gpu_td alea_gpu_td;

/* What is learnt; all arrays are borrowed until the trainer has been made. */
typedef struct alea_gpu_td_task {
  const alea_lanes
      *lanes; /* (alea_gpu_lanes_new) of a game of two without chance; must outlive it */
  uint32_t device_number;
  uint32_t role;            /* whose goal is expected */
  bool shares;              /* the same for both is even */
  uint32_t units;           /* of the network */
  float most_weight;        /* of those by fluent, */
  float most_worth;         /* and of those behind the units, where the scale is 1 */
  const int32_t *scores;    /* [fluent]: of the linear evaluation, in thousandths of a logit */
  int32_t base;             /* the score of a position without fluents */
  const uint32_t *maps;     /* [map][fluent]: images of fluents, the first of them the fluents */
  uint32_t map_count;       /* themselves */
  const uint32_t *exchange; /* [fluent]: its image for the other role; NULL: there is one view */
  const float *parameters;  /* [fluent][unit], biases, weights behind the units, scale and rest */
  uint64_t seed;
  uint32_t games; /* at once: a power of two, 32 or more; */
  uint32_t batch; /* so is this: examples for a step of Adam, all of a round at most */
} alea_gpu_td_task;

/* How many parameters a network has. */
size_t alea_gpu_td_parameters(uint32_t fluents, uint32_t units);

/* The caller owns the trainer.  ALEA_UNSUPPORTED: there is no device, or the network is not for
 * it; 'why' (ALEA_GPU_WHY bytes) says which. */
alea_status alea_gpu_td_new(alea_gpu_td **trainer, const alea_gpu_td_task *task, alea_mem *mem,
                            char *why);
void alea_gpu_td_free(alea_gpu_td *trainer); /* NULL is a no-op. */

/* Makes some moves in each game, and fits the network to the positions 'fits' times, with steps of
 * 'rate'; '*positions' becomes how many there were. */
alea_status alea_gpu_td_round(alea_gpu_td *trainer, float rate, uint32_t fits, uint64_t *positions);
alea_status alea_gpu_td_fetch(alea_gpu_td *trainer, float *parameters);
const char *alea_gpu_td_why(const alea_gpu_td *trainer);

/* The positions of the last round: example i has the words words[i * word_count] and so on, and is
 * worth targets[i], or none where that is below 0.  How many there are says _example_count. */
size_t alea_gpu_td_example_count(const alea_gpu_td *trainer);
alea_status alea_gpu_td_examples(alea_gpu_td *trainer, uint64_t *words, float *targets);

#endif
