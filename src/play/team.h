#ifndef ALEA_PLAY_TEAM_H
#define ALEA_PLAY_TEAM_H

/* Several searches of one position, a thread for each (root parallelisation;
 * Chaslot, Winands, van den Herik 2008).
 *
 * The captain is the player's own search, on the thread that calls; each mate
 * has a tree, cursor, sampler and random stream of its own, so that nothing is
 * locked while they search.  At the end the arms of all roots are added up, and
 * what one has proved is known to all.  Threads live as long as the team.
 *
 * Simulations are shared out: the result then depends on the seed and the
 * number of mates alone.  So is CPU time: n threads get no more of it than one.
 * Wall-clock time all have at once; they stop when the captain does, or when
 * one of them has proved the root.  A mate that is not done when the time is
 * over is not waited for.
 *
 * A mate that has no memory is missing, and nothing else. */

#include "play/search.h"

typedef struct alea_team alea_team;

/* A team of 'threads' around 'captain', which must outlive it; 'options' are
 * its own.  NULL: there is no mate, because one thread was asked for or more
 * cannot be had. */
alea_team *alea_team_new(alea_search *captain, const alea_search_options *options,
                         uint32_t threads);
void alea_team_free(alea_team *team); /* NULL is a no-op, here and below. */

/* Sends the mates to search from 'position', which is copied.  The captain is
 * to search with '*own' and to stop when '*halt' is raised, where it is not
 * NULL. */
void alea_team_begin(alea_team *team, const alea_particle *position, const alea_budget *budget,
                     alea_budget *own, const atomic_bool **halt);
/* The captain has searched: waits for the mates as long as there is time and
 * makes the verdict of all that of the captain (alea_search_best). */
void alea_team_end(alea_team *team);

/* The number of threads that the option value means: 0 is one per core. */
uint32_t alea_team_size(uint32_t asked);

#endif
