#ifndef ALEA_TESTS_LANE_CHECK_H
#define ALEA_TESTS_LANE_CHECK_H

/* Compares lanes with the engine `net`, state by state, lane by lane: the lanes
 * choose moves, and the cursor plays them. */

#include "propnet/lanes.h"

typedef struct lane_check {
  const alea_lanes *lanes;
  const alea_game *game; /* of engine net, over the net of 'lanes' or another of the same game */
  bool general;          /* use the program without the clock */
  uint32_t steps;        /* at most */
  uint32_t stride;       /* compare every stride-th lane */
  uint64_t seed;
  uint64_t states; /* result: number compared */
} lane_check;

/* NULL if all agree, otherwise the difference. */
const char *lane_check_run(lane_check *check, alea_mem *mem);

#endif
