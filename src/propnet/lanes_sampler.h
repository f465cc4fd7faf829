#ifndef ALEA_PROPNET_LANES_SAMPLER_H
#define ALEA_PROPNET_LANES_SAMPLER_H

/* The inside of a sampler of lanes: what lasts from one call to the next. */

#include "propnet/lanes_album.h"
#include "propnet/lanes_compile.h"
#include "propnet/lanes_eval.h"
#include "propnet/lanes_load.h"
#include "propnet/lanes_log.h"
#include "propnet/lanes_pick.h"
#include "propnet/lanes_team.h"

typedef struct alea_lanes_sampler {
  alea_sampler base;
  alea_mem *mem;
  const alea_lanes *lanes;
  alea_lanes *own; /* NULL when shared */
  alea_lanes_picker picker;
  alea_lane_block slots;    /* of the programs that step */
  alea_lane_block finished; /* of the goals' program; its fluents are finished games */
  uint64_t *initial;        /* words of the initial position */
  size_t word_count;
  /* Kept only where a batch has several requests: */
  uint32_t owner[ALEA_LANES];           /* request */
  uint64_t started_at[ALEA_LANES];      /* step */
  const uint64_t *position[ALEA_LANES]; /* scratch of loading */
  /* Allocated for the first listener or watcher: */
  alea_lanes_log *log;
  alea_lanes_album *album;
  uint8_t *lane_goals; /* [lane * roles + role], of games that ended */
} alea_lanes_sampler;

/* One game from each of many positions, whose outcomes are wanted one by one.  What
 * belongs to requests, sums and counts for each, would cost more than short games. */
typedef struct alea_lanes_starts {
  const uint64_t *words; /* position i is at words[i * word_count of the sampler] */
  size_t count;
  const alea_lane_word *from; /* per ALEA_LANES positions: from which of them to play */
  const uint32_t *ticks;      /* the same: the tick at which these stand, or ALEA_LANES_NO_TICK */
  float *goals;               /* [position][role]: what came out; -1 where no game was finished */
  uint64_t states;            /* next-state computations; written */
} alea_lanes_starts;

/* Positions that stand at different ticks, or at none. */
#define ALEA_LANES_NO_TICK UINT32_MAX

/* Plays these games at random for every role.  step_cap 0 is 10,000. */
alea_status ALEA_LANES_FN(play_each)(alea_sampler *sampler, alea_lanes_starts *starts,
                                     uint32_t step_cap);

alea_status ALEA_LANES_FN(run)(alea_sampler *sampler, const alea_sample_request *requests,
                               size_t count, const alea_sample_options *options,
                               alea_sample_result *results);

#endif
