#ifndef ALEA_TESTS_MAKE_ENGINE_H
#define ALEA_TESTS_MAKE_ENGINE_H

/* From a program to a game of a certain engine, for load.h. */

#include "support/load.h"

/* Grounds within 30 seconds and 2 GiB; past that the prover plays, as in the
 * program itself. */
alea_status make_net_or_prover(alea_game **game, alea_program *program, alea_mem *mem,
                               alea_diag *diag);
/* The interpreter of the rules. */
alea_status make_prover(alea_game **game, alea_program *program, alea_mem *mem, alea_diag *diag);
/* The network alone. */
alea_status make_net(alea_game **game, alea_program *program, alea_mem *mem, alea_diag *diag);

#endif
