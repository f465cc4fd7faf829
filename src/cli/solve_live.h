#ifndef ALEA_CLI_SOLVE_LIVE_H
#define ALEA_CLI_SOLVE_LIVE_H

/* alea solve --live: what is known while the search runs, as lines of JSON.
 *
 *   {"type":"live","seconds":1.5,"nodes":12000,"depth":17,"bounds":[[0.2,60],[1.1,55]],
 *    "limits":[[0.2,80]]}
 *
 * Every line has all better values so far, each with the second at which it was found
 * (the last ALEA_SOLVE_LIVE_MOST of them), so that a reader who misses lines, or comes
 * late, misses nothing.  So it has the limits, values that no solution exceeds, where the
 * search knows any. */

#include "base/status.h"
#include "base/text.h"

enum { ALEA_SOLVE_LIVE_MOST = 200 };

/* A value that gets better, and since when. */
typedef struct alea_solve_course {
  struct {
    double seconds, value;
  } points[ALEA_SOLVE_LIVE_MOST];
  size_t count;
} alea_solve_course;

typedef struct alea_solve_live {
  bool wanted;
  double started, shown; /* wall clock */
  uint64_t nodes;
  uint32_t depth;
  bool news; /* something has not been shown yet */
  alea_solve_course bounds, limits;
} alea_solve_live;

/* A value that was found; nothing where it is the last one again. */
void alea_solve_live_bound(alea_solve_live *live, double value, alea_mem *mem);
/* A value that no solution exceeds. */
void alea_solve_live_limit(alea_solve_live *live, double value, alea_mem *mem);
/* How far the search is. */
void alea_solve_live_progress(alea_solve_live *live, uint64_t nodes, uint32_t depth, alea_mem *mem);
/* The last line, if there is something that was not shown. */
void alea_solve_live_end(alea_solve_live *live, alea_mem *mem);

#endif
