#ifndef ALEA_PLANNING_EFFECTS_H
#define ALEA_PLANNING_EFFECTS_H

/* What the moves of one role do, read off the network: a move is plain when it
 * turns the same fluents on and off wherever it is legal, and leaves all others
 * as they are.  Fluents that go on by themselves, whatever the move, are clocks
 * (propnet/lanes_clock.h says how other clocks differ).
 *
 * For each move, the part of the network behind it is simplified under the
 * assumption that it is made, is legal and no other move is made.  A move with
 * a fluent that does not become a constant or itself is not plain.
 *
 * Effects are immutable and own their arrays. */

#include "base/clock.h"
#include "base/vec.h"
#include "propnet/propnet.h"

typedef struct alea_effects {
  alea_mem *mem;
  uint32_t move_count, fluent_count;
  uint8_t *plain;    /* per move */
  uint32_t *first;   /* of move m: changes.data[first[m]] .. changes.data[first[m + 1] - 1] */
  alea_u32s changes; /* fluents, as literals of the network: negated are turned off */
  alea_lit *clock;   /* per fluent: what it becomes, perhaps constant; ALEA_NO_CLOCK = no clock */
} alea_effects;

#define ALEA_NO_CLOCK UINT32_MAX

/* For a network with one role.  ALEA_LIMIT: the deadline (may be NULL) passed.
 * With any status the caller clears it. */
alea_status alea_effects_init(alea_effects *effects, const alea_net *net,
                              const alea_deadline *deadline, alea_mem *mem);
void alea_effects_clear(alea_effects *effects);

#endif
