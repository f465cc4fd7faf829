#ifndef ALEA_GPU_STEP_PERCEPTS_H
#define ALEA_GPU_STEP_PERCEPTS_H

/* What a step on a device tells the roles: found on this machine, from planes that are copied
 * here between the choice of the moves and the step (propnet/lanes_percepts.h). */

#include "propnet/lanes_percepts.h"

typedef struct alea_step_percepts alea_step_percepts;

/* For 'count' states in words with 'stride'; the caller owns it, and 'lanes' must outlive it. */
alea_status alea_step_percepts_new(alea_step_percepts **percepts, const alea_lanes *lanes,
                                   size_t count, size_t stride, alea_mem *mem);
void alea_step_percepts_free(alea_step_percepts *percepts); /* NULL is a no-op. */

/* Room for the planes of fluents, chosen moves, terminal and refused states (gpu/step.h). */
typedef struct alea_step_copies {
  uint32_t *planes, *chosen, *terminal, *refused;
} alea_step_copies;
const alea_step_copies *alea_step_percepts_room(const alea_step_percepts *percepts);

/* Notes what is in the room. */
void alea_step_percepts_note(alea_step_percepts *percepts);
/* What was noted last: alea_batch_percepts. */
alea_status alea_step_percepts_told(const alea_step_percepts *percepts, const uint64_t **first,
                                    const uint32_t **list);

#endif
