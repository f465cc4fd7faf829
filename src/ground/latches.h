#ifndef ALEA_GROUND_LATCHES_H
#define ALEA_GROUND_LATCHES_H

/* Goal latches: goals that, once they hold or once they do not, stay so.
 *
 * A fluent is latched on when it follows from itself alone, and latched off
 * when every rule for it needs it; a derived atom is latched when all it is
 * made of is.  What this finds is right for every play, whatever the moves;
 * what only holds because some moves are not legal it does not find.
 *
 * Latches are immutable and own their arrays. */

#include "ground/ground.h"

/* A goal value of a role. */
typedef struct alea_latch {
  uint32_t role;
  int value;
  bool stays;     /* once it holds it holds to the end */
  bool stays_off; /* once it does not hold it never will */
} alea_latch;

typedef struct alea_latches {
  alea_mem *mem;
  ALEA_VEC(alea_latch) goals;
} alea_latches;

alea_status alea_latches_init(alea_latches *latches, const alea_ground *ground, alea_mem *mem);
void alea_latches_clear(alea_latches *latches);

/* Where the goal of 'role' is 'goal' at a position (-1: none), within what
 * 0..100 its reward at the end lies.  True when that is less than everything. */
bool alea_latches_bounds(const alea_latches *latches, uint32_t role, int goal, int *lo, int *hi);

#endif
