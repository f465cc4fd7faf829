#ifndef ALEA_SCSP_DEGREE_H
#define ALEA_SCSP_DEGREE_H

/* How nearly a literal of a network holds in a position, from 0 to 1: what is
 * to be brought about is mostly a conjunction, and a position where eight of
 * its nine conjuncts hold is nearer than one with two.
 *
 * An AND has the mean of its inputs, an OR the largest of them; a conjunction
 * inside a conjunction counts as the conjuncts it has.  Negations are pushed to
 * the leaves.  Inputs that come later on a gate's own cycle are read as false.
 * Where there are no cycles, degree 1 is truth. */

#include "propnet/propnet.h"

typedef struct alea_degree alea_degree;

/* Of a literal that does not depend on moves. */
alea_status alea_degree_new(alea_degree **degree, const alea_net *net, alea_lit lit, alea_mem *mem);
void alea_degree_free(alea_degree *degree); /* NULL is a no-op. */
double alea_degree_at(alea_degree *degree, const uint64_t *words);

#endif
