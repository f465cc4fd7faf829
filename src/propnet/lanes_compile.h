#ifndef ALEA_PROPNET_LANES_COMPILE_H
#define ALEA_PROPNET_LANES_COMPILE_H

/* What is compiled for a game: the inside of an alea_lanes. */

#include "propnet/lanes.h"
#include "propnet/lanes_clock.h"
#include "propnet/lanes_program.h"

struct alea_lanes {
  alea_mem *mem;
  const alea_net *net;
  uint32_t width; /* alea_lanes_width */
  alea_lanes_clock clock;
  alea_lanes_kept kept;
  alea_lanes_program ticks[ALEA_LANES_MAX_TICKS]; /* clock.ticks of them */
  alea_lanes_program general;       /* for positions at no tick, and games without a clock */
  alea_lanes_program goals;         /* from the fluents alone */
  uint32_t slot_count, group_count; /* the most of any program and role */
  uint32_t *goal_order;             /* indices of net->goals: by role, large values first */
  bool goals_deferred;
};

/* The programs that play from the initial position, one after the other and over again: those
 * of the ticks, or the one for all positions. */
static inline uint32_t alea_lanes_tick_count(const alea_lanes *lanes) {
  return lanes->clock.ticks > 0 ? lanes->clock.ticks : 1;
}
static inline const alea_lanes_program *alea_lanes_program_at(const alea_lanes *lanes,
                                                              uint32_t tick) {
  return lanes->clock.ticks > 0 ? &lanes->ticks[tick] : &lanes->general;
}

/* As alea_lanes_new with the width tuning->lanes. */
alea_status alea_lanes_new_tuned(alea_lanes **lanes, const alea_net *net,
                                 const alea_lanes_tuning *tuning, alea_mem *mem);

/* A sampler over 'lanes' of one width.  'own' is NULL or 'lanes', which the
 * sampler then frees; on failure it remains the caller's. */
typedef alea_status alea_lanes_sampler_maker(alea_sampler **sampler, const alea_lanes *lanes,
                                             alea_lanes *own, const alea_game *game, uint64_t seed,
                                             alea_mem *mem);
alea_lanes_sampler_maker alea_lanes128_sampler_new, alea_lanes512_sampler_new;

#endif
