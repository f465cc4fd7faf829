#ifndef ALEA_PROPNET_LANES_STEPPER_H
#define ALEA_PROPNET_LANES_STEPPER_H

/* Many states of one game, stepped with given moves: the inside of a batch
 * (alea/batch.h, whose contracts these are).
 *
 * Blocks of 512 states are kept as bit planes, one word of lanes per fluent, and
 * pass through one set of slots, one block after the other.  A state at a tick of
 * the game's clock is stepped by the program of that tick as long as all states
 * of its block stand at it; otherwise by the program for all positions.
 *
 * A stepper belongs to one thread. */

#include "alea/batch.h"
#include "propnet/lanes.h"

typedef struct alea_stepper alea_stepper;

/* As alea_lanes_new: the lanes that a stepper can use. */
alea_status alea_stepper_compile(alea_lanes **lanes, const alea_net *net, alea_mem *mem);

/* 'count' states at the initial position; 'lanes' must outlive the stepper, which the
 * caller owns. */
alea_status alea_stepper_new(alea_stepper **stepper, const alea_lanes *lanes, size_t count,
                             const alea_batch_options *options, alea_mem *mem);
void alea_stepper_free(alea_stepper *stepper); /* NULL is a no-op. */

alea_status alea_stepper_step(alea_stepper *stepper, const int32_t *actions,
                              const alea_batch_arrays *out);
alea_status alea_stepper_percepts(const alea_stepper *stepper, const uint64_t **first,
                                  const uint32_t **percepts);
void alea_stepper_look(alea_stepper *stepper, const alea_batch_arrays *out);
void alea_stepper_reset(alea_stepper *stepper, const uint8_t *which);
/* The first call makes what playouts need; the stepper keeps it. */
alea_status alea_stepper_playout(alea_stepper *stepper, float *goals, uint64_t *steps);
size_t alea_stepper_playing(const alea_stepper *stepper);
const uint64_t *alea_stepper_planes(const alea_stepper *stepper);
alea_status alea_stepper_load(alea_stepper *stepper, size_t first, size_t count,
                              const uint64_t *words);

#endif
