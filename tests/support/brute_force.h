#ifndef ALEA_TESTS_BRUTE_FORCE_H
#define ALEA_TESTS_BRUTE_FORCE_H

/* The oracle of the constraint solver. */

#include "csp/csp.h"

/* Counts the solutions by trying every assignment of the variables that are
 * part of the problem; only for networks with few. */
uint64_t brute_force_count(const alea_csp *csp);

#endif
