#ifndef ALEA_PROPNET_LANES_PERCEPTS_H
#define ALEA_PROPNET_LANES_PERCEPTS_H

/* What a step tells the roles, in many states at once: percepts depend on the
 * position before the step and on the moves.
 *
 * The network's percepts are evaluated by a program of their own, since playouts do
 * without them; the lists that come out are those of alea_batch_percepts.  Percepts
 * belong to one thread. */

#include "propnet/lanes_compile.h"
#include "propnet/lanes_load.h"

typedef struct alea_lanes_percepts alea_lanes_percepts;

/* For 'count' states; the caller owns it.  'net' must outlive it. */
alea_status alea_lanes_percepts_new(alea_lanes_percepts **percepts, const alea_net *net,
                                    size_t count, alea_mem *mem);
void alea_lanes_percepts_free(alea_lanes_percepts *percepts); /* NULL is a no-op. */

/* A step begins: nothing has been told. */
void alea_lanes_percepts_begin(alea_lanes_percepts *percepts);
/* The next 'lanes' states, of which 'moved' have moved: from the position in 'fluents',
 * with the moves in 'moves' that 'program' chose, both words by number. */
void alea_lanes_percepts_note(alea_lanes_percepts *percepts, const alea_lanes_program *program,
                              const alea_lane_word *fluents, const alea_lane_word *moves,
                              alea_lane_word moved, size_t lanes);
/* What was noted: alea_batch_percepts.  The status of alea_mem_lack: memory did not suffice. */
alea_status alea_lanes_percepts_told(const alea_lanes_percepts *percepts, const uint64_t **first,
                                     const uint32_t **list);

#endif
