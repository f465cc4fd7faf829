#ifndef ALEA_TESTS_LANE_CHECK_H
#define ALEA_TESTS_LANE_CHECK_H

/* Lanes against the engine `net`, state by state, lane by lane: lanes choose,
 * and the cursor plays what they chose. */

#include "propnet/lanes.h"

typedef struct lane_check {
  const alea_lanes *lanes;
  const alea_game *game; /* of engine net, over the net of 'lanes' */
  bool general;          /* use the program that knows no clock */
  uint32_t steps;        /* at most */
  uint32_t stride;       /* look at every stride-th lane */
  uint64_t seed;
  uint64_t states; /* out: compared */
} lane_check;

/* NULL when all agree, else what did not. */
const char *lane_check_run(lane_check *check, alea_mem *mem);

#endif
