#ifndef ALEA_TOURNAMENT_STATS_H
#define ALEA_TOURNAMENT_STATS_H

/* Statistics of results. */

#include <stddef.h>

#include "base/mem.h"
#include "base/status.h"

typedef struct alea_bounds {
  double low, high;
} alea_bounds;

/* Wilson's 95 % interval of a proportion: 'score' of 'count'.  Draws are half a
 * point each; the interval is then conservative.  0 to 1 if 'count' is 0. */
alea_bounds alea_wilson(double score, double count);

/* A sum of independent values, each times a weight, with its interval: the
 * method of variance estimates recovery, which needs the values' intervals alone
 * and keeps their asymmetry ([MOVER08]).  Starts as {0}. */
typedef struct alea_linear {
  double value;
  double below, above; /* squares of the distances to the ends of the interval */
} alea_linear;

void alea_linear_add(alea_linear *sum, double weight, double value, alea_bounds interval);
alea_bounds alea_linear_interval(const alea_linear *sum);

/* Standard deviation of the means of consecutive batches of 'size' scores;
 * -1 with fewer than two whole batches. */
double alea_batch_deviation(const double *scores, size_t count, size_t size);

/* ---- Bradley-Terry ratings on the Elo scale ---- */

/* Results between two players; draws are half a point each. */
typedef struct alea_encounter {
  size_t first, second;
  double matches, score; /* score: of the first */
} alea_encounter;

typedef struct alea_rating {
  double elo;   /* 400 points are odds of ten to one; the mean is 0 */
  double error; /* half of the 95 % interval; from the curvature at the maximum */
} alea_rating;

/* Maximum-likelihood ratings of 'players' players.  Each player also has one
 * virtual draw against the same virtual opponent, so that ratings exist even if
 * a player lost all matches, or some players never met.  'ratings' has room for
 * all. */
alea_status alea_bradley_terry(const alea_encounter *encounters, size_t count, size_t players,
                               alea_rating *ratings, alea_mem *mem);

#endif
