#ifndef ALEA_PROPNET_LANES_COMPILE_H
#define ALEA_PROPNET_LANES_COMPILE_H

/* What is compiled for a game: the inside of an alea_lanes. */

#include "propnet/lanes.h"
#include "propnet/lanes_clock.h"
#include "propnet/lanes_program.h"

struct alea_lanes {
  alea_mem *mem;
  const alea_net *net;
  alea_lanes_clock clock;
  alea_lanes_program ticks[ALEA_LANES_MAX_TICKS]; /* clock.ticks of them */
  alea_lanes_program general;       /* for positions at no tick, and games without a clock */
  alea_lanes_program goals;         /* from the fluents alone */
  uint32_t slot_count, group_count; /* the most of any program and role */
  uint32_t *goal_order;             /* indices of net->goals: by role, large values first */
  bool goals_deferred;
};

/* As alea_lanes_new, for tests. */
alea_status alea_lanes_new_tuned(alea_lanes **lanes, const alea_net *net,
                                 const alea_lanes_tuning *tuning, alea_mem *mem);

#endif
