#ifndef ALEA_PLAY_ROOT_PARALLEL_H
#define ALEA_PLAY_ROOT_PARALLEL_H

/* Several searches of one position, a thread for each (root parallelisation;
 * Chaslot, Winands, van den Herik 2008).
 *
 * The main search is the player's own, on the thread that calls; each worker has
 * a tree, cursor, sampler and random stream of its own, so that nothing is locked
 * while they search.  At the end the arms of all roots are added up, and what one
 * search has proved counts for all.  Threads live as long as the object.
 *
 * Simulations are shared out: the result then depends on the seed and the
 * number of workers alone.  So is CPU time: n threads get no more of it than one.
 * Wall-clock time runs for all at once; they stop when the main search does, or
 * when one of them has proved the root.  A worker that is not done when the time
 * is over is not waited for.
 *
 * A worker that cannot allocate is left out; the search goes on. */

#include "play/search.h"

typedef struct alea_root_parallel alea_root_parallel;

/* A search on 'threads' threads around 'main_search', which must outlive it; 'options' are
 * its own.  NULL: there is no worker, because one thread was asked for or no
 * more can be made. */
alea_root_parallel *alea_root_parallel_new(alea_search *main_search,
                                           const alea_search_options *options, uint32_t threads);
void alea_root_parallel_free(alea_root_parallel *parallel); /* NULL is a no-op, here and below. */

/* Sends the workers to search from 'position', which is copied.  The main search is
 * to search with '*own' and to stop when '*halt' is raised, where it is not
 * NULL. */
void alea_root_parallel_begin(alea_root_parallel *parallel, const alea_particle *position,
                              const alea_budget *budget, alea_budget *own,
                              const atomic_bool **halt);
/* The main search has searched: waits for the workers as long as there is time and
 * makes the verdict of all that of the main search (alea_search_best). */
void alea_root_parallel_end(alea_root_parallel *parallel);

/* The number of threads that the option value means: 0 is one per core. */
uint32_t alea_root_parallel_size(uint32_t asked);

#endif
