#ifndef ALEA_TESTS_MAKE_ENGINE_H
#define ALEA_TESTS_MAKE_ENGINE_H

/* Makes games of a certain engine, for load.h. */

#include "support/load.h"

/* Grounds within 30 seconds and 2 GiB; beyond that uses the prover, as the
 * program does. */
alea_status make_net_or_prover(alea_game **game, alea_program *program, alea_mem *mem,
                               alea_diag *diag);
/* The prover. */
alea_status make_prover(alea_game **game, alea_program *program, alea_mem *mem, alea_diag *diag);
/* The network without fallback. */
alea_status make_net(alea_game **game, alea_program *program, alea_mem *mem, alea_diag *diag);

#endif
