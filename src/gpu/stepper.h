#ifndef ALEA_GPU_STEPPER_H
#define ALEA_GPU_STEPPER_H

/* Many states of one game on a device: the inside of a batch there (alea/batch.h, whose contracts
 * these are).
 *
 * States, legal moves and all arrays lie in the device's memory and stay there.  Networks that take
 * long to compile are performed from tables (gpu/step.h) until their own code is ready, which is
 * made beside, and large ones for good; nobody can tell but by the clock.
 *
 * Every call waits for all that the process has started on the device, and has finished when it
 * returns: arrays may be read and written by others in between, on any stream.
 *
 * Random moves depend on the seed, the number of steps before, and the number of the state
 * divided by 32; not on the device.
 *
 * ALEA_LIMIT: the memory there does not suffice.  ALEA_SYSTEM: the device failed; from then on
 * every call fails.  alea_gpu_stepper_why has the words.  A stepper belongs to one thread at a
 * time. */

#include "alea/batch.h"
#include "gpu/device.h"
#include "gpu/step.h"

typedef struct alea_gpu_stepper alea_gpu_stepper;

typedef enum alea_gpu_form {
  ALEA_GPU_FORM_AUTO,
  ALEA_GPU_FORM_OWN,   /* the game's own code, and no other */
  ALEA_GPU_FORM_TABLES /* tables for good */
} alea_gpu_form;

enum {
  ALEA_GPU_STEP_QUICK = 1 << 10, /* statements: longer code is compiled beside, */
  ALEA_GPU_STEP_MOST = 10000,    /* and this is the longest that is compiled at all */
};

/* 'count' states at the initial position, of options->seed, auto_reset, steps, percepts and
 * device_number;
 * 'lanes' (alea_gpu_lanes_new) must outlive the stepper, which the caller owns.
 * ALEA_UNSUPPORTED: there is no device; 'why' (ALEA_GPU_WHY bytes) says what fails, here and
 * always. */
alea_status alea_gpu_stepper_new(alea_gpu_stepper **stepper, const alea_lanes *lanes, size_t count,
                                 const alea_batch_options *options, alea_gpu_form form,
                                 alea_mem *mem, char *why);
void alea_gpu_stepper_free(alea_gpu_stepper *stepper); /* NULL is a no-op. */
const char *alea_gpu_stepper_why(const alea_gpu_stepper *stepper);
/* Waits for the game's own code, if it is being made. */
void alea_gpu_stepper_finish(alea_gpu_stepper *stepper);

/* 'actions' lie on the device, or are NULL. */
alea_status alea_gpu_stepper_step(alea_gpu_stepper *stepper, const int32_t *actions);
/* The same with actions on this machine. */
alea_status alea_gpu_stepper_step_from(alea_gpu_stepper *stepper, const int32_t *actions);
/* An array as it is now, on the device; lent until the stepper is freed. */
alea_status alea_gpu_stepper_array(alea_gpu_stepper *stepper, alea_batch_array array,
                                   const void **at);
/* All arrays that are wanted, copied to this machine. */
alea_status alea_gpu_stepper_fetch(alea_gpu_stepper *stepper, const alea_batch_arrays *out);
/* Rewards are 0 and nobody has refused, as in alea_batch_look. */
alea_status alea_gpu_stepper_judge(alea_gpu_stepper *stepper);
alea_status alea_gpu_stepper_reset(alea_gpu_stepper *stepper, const uint8_t *which);
alea_status alea_gpu_stepper_load(alea_gpu_stepper *stepper, size_t first, size_t count,
                                  const uint64_t *words);
alea_status alea_gpu_stepper_playout(alea_gpu_stepper *stepper, float *goals, uint64_t *steps);
/* Found on this machine: a step with the option 'percepts' copies planes here. */
alea_status alea_gpu_stepper_percepts(const alea_gpu_stepper *stepper, const uint64_t **first,
                                      const uint32_t **percepts);
size_t alea_gpu_stepper_playing(const alea_gpu_stepper *stepper);

/* ---- for code on the device that works with the states ---- */

/* Where the states lie (gpu/step.h); lent until the stepper is freed. */
const alea_step_arguments *alea_gpu_stepper_places(const alea_gpu_stepper *stepper);
/* Makes the moves that are chosen there (alea_step_arguments), in all states that are neither
 * terminal nor refused; rewards are written for those that end.  It does not wait for the end. */
alea_status alea_gpu_stepper_advance(alea_gpu_stepper *stepper);

#endif
