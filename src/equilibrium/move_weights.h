#ifndef ALEA_EQUILIBRIUM_MOVE_WEIGHTS_H
#define ALEA_EQUILIBRIUM_MOVE_WEIGHTS_H

/* A number for each place of a public graph (equilibrium/public_graph.h), in
 * double precision, or in single precision where memory is short: regrets, sums
 * of strategies, or a strategy itself. */

#include "base/mem.h"

typedef struct alea_move_weights {
  alea_mem *mem;
  uint64_t count;
  double *wide;  /* either this */
  float *narrow; /* or this */
} alea_move_weights;

/* All 0.  False: no memory.  The caller clears it in any case. */
bool alea_move_weights_init(alea_move_weights *weights, uint64_t count, bool single, alea_mem *mem);
void alea_move_weights_clear(alea_move_weights *weights); /* a zeroed one too */

static inline void alea_move_weights_load(const alea_move_weights *weights, uint64_t place,
                                          uint32_t count, double *to) {
  if (weights->wide != NULL)
    for (uint32_t i = 0; i < count; i++) to[i] = weights->wide[place + i];
  else
    for (uint32_t i = 0; i < count; i++) to[i] = (double)weights->narrow[place + i];
}

static inline void alea_move_weights_store(alea_move_weights *weights, uint64_t place,
                                           uint32_t count, const double *from) {
  if (weights->wide != NULL)
    for (uint32_t i = 0; i < count; i++) weights->wide[place + i] = from[i];
  else
    for (uint32_t i = 0; i < count; i++) weights->narrow[place + i] = (float)from[i];
}

#endif
