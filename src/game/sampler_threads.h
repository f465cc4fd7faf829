#ifndef ALEA_GAME_SAMPLER_THREADS_H
#define ALEA_GAME_SAMPLER_THREADS_H

/* Several samplers as one, a thread for each. */

#include "game/sampler.h"

/* A sampler that shares the games of every request out over 'count' samplers
 * of one game (at least one), which must not share an alea_mem with each other
 * or with anything that runs meanwhile.  The first of them works on the
 * caller's thread, the others on threads that live as long as the sampler.
 * The result depends on the requests, the samplers and their number only.
 *
 * Takes ownership of the samplers when it succeeds, but not of the array.
 * ALEA_SYSTEM: no memory, or no more threads. */
alea_status alea_sampler_new_threaded(alea_sampler **sampler, alea_sampler *const *parts,
                                      size_t count, alea_mem *mem);

#endif
