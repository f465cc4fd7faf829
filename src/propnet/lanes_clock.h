#ifndef ALEA_PROPNET_LANES_CLOCK_H
#define ALEA_PROPNET_LANES_CLOCK_H

/* The clock of a game: fluents that go through a short cycle of their own,
 * whatever is played.  Whose turn it is in most games is the example.
 *
 * Lanes that stand at the same tick of the clock can be evaluated by a
 * program that knows these fluents as constants: in a game of two players in
 * turn it needs neither the moves of the player who waits nor what they would
 * change, about half of everything.
 *
 * Some games count their steps by fluents that are no clock, such as who has moved and must
 * shoot now in Amazons: that somebody must is the clock, who it is is not.  So an OR of
 * fluents may belong to a clock too (lanes_phases.c).
 *
 * Three other parts follow fluents that go on by themselves, and cannot share
 * this search, since what they may rely on differs.  A clock here is proved for
 * any moves and must come back within a few steps.  planning/effects.h folds
 * the network for each move of one role, with what its being legal implies:
 * a counter that only legal moves keep going is a clock there, and needs no
 * cycle.  planning/forward_search.h takes what random plays agree on, since
 * its finds are played and its misses are searched again.  gdl/horizon.c reads
 * the rules before there is a network, and wants the end of the count. */

#include "propnet/propnet.h"

enum { ALEA_LANES_MAX_TICKS = 6 };

/* What is known of a fluent, a gate or a move. */
typedef enum alea_lanes_known {
  ALEA_LANES_FALSE,
  ALEA_LANES_TRUE,
  ALEA_LANES_FREE
} alea_lanes_known;

/* A gate of the net that belongs to the clock: an OR of fluents, or its complement. */
typedef struct alea_lanes_clock_gate {
  uint32_t node;
  uint32_t first, count; /* in 'lits': literals of fluents */
  bool complement;
} alea_lanes_clock_gate;

typedef struct alea_lanes_clock {
  alea_mem *mem;
  uint32_t fluent_count;
  uint32_t ticks;    /* length of the cycle; 0 when the game has no clock */
  alea_u32s fluents; /* that make it up */
  uint8_t *fixed;    /* [tick * fluent_count + fluent]: an alea_lanes_known */
  ALEA_VEC(alea_lanes_clock_gate) gates;
  alea_u32s lits;
  ALEA_VEC(uint8_t) gate_values; /* [tick * gates.count + gate]: true or false */
} alea_lanes_clock;

/* Finds the clock of 'net'; tick 0 is the initial position's. */
alea_status alea_lanes_clock_init(alea_lanes_clock *clock, const alea_net *net, alea_mem *mem);
void alea_lanes_clock_clear(alea_lanes_clock *clock);

/* The tick at which the position 'words' stands (fluent f is bit f % 64 of
 * word f / 64), or 'ticks' when it is on none. */
uint32_t alea_lanes_clock_tick(const alea_lanes_clock *clock, const uint64_t *words);

/* Finds a clock with gates in it where there is no other; used by the first of these. */
alea_status alea_lanes_find_phases(alea_lanes_clock *clock, const alea_net *net);

#endif
