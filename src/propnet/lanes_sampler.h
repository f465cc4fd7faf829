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

alea_status ALEA_LANES_FN(run)(alea_sampler *sampler, const alea_sample_request *requests,
                               size_t count, const alea_sample_options *options,
                               alea_sample_result *results);

#endif
