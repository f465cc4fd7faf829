/* Intervals and ratings. */
#include "tournament/stats.h"

#include <math.h>
#include <string.h>

static const double z95 = 1.959963984540054;

alea_bounds alea_wilson(double score, double count) {
  if (count <= 0) return (alea_bounds){0, 1};
  double p = score / count, z2 = z95 * z95;
  double middle = (p + z2 / (2 * count)) / (1 + z2 / count);
  double half = z95 / (1 + z2 / count) * sqrt(p * (1 - p) / count + z2 / (4 * count * count));
  alea_bounds interval = {middle - half, middle + half};
  if (interval.low < 0 || score <= 0) interval.low = 0;
  if (interval.high > 1 || score >= count) interval.high = 1;
  return interval;
}

void alea_linear_add(alea_linear *sum, double weight, double value, alea_bounds interval) {
  double below = weight * (value - interval.low), above = weight * (interval.high - value);
  sum->value += weight * value;
  /* A negative weight exchanges the ends. */
  sum->below += weight < 0 ? above * above : below * below;
  sum->above += weight < 0 ? below * below : above * above;
}

alea_bounds alea_linear_interval(const alea_linear *sum) {
  return (alea_bounds){sum->value - sqrt(sum->below), sum->value + sqrt(sum->above)};
}

double alea_batch_deviation(const double *scores, size_t count, size_t size) {
  size_t batches = count / size;
  if (batches < 2) return -1;
  double sum = 0, squares = 0;
  for (size_t b = 0; b < batches; b++) {
    double mean = 0;
    for (size_t i = 0; i < size; i++) mean += scores[b * size + i];
    mean /= (double)size;
    sum += mean;
    squares += mean * mean;
  }
  double n = (double)batches, variance = (squares - sum * sum / n) / (n - 1);
  return sqrt(variance > 0 ? variance : 0);
}

/* ---- Bradley-Terry: Newton's method on a concave likelihood ---- */

typedef struct problem {
  const alea_encounter *encounters;
  size_t count, players;
  double *at, *gradient, *step, *hessian; /* hessian: of minus the likelihood */
} problem;

static double expected(double difference) { return 1 / (1 + exp(-difference)); }

/* log of expected(), without overflow. */
static double log_expected(double difference) {
  return difference > 0 ? -log1p(exp(-difference)) : difference - log1p(exp(difference));
}

static double likelihood(const problem *p, const double *at) {
  double sum = 0;
  for (size_t i = 0; i < p->players; i++)
    sum += 0.5 * (log_expected(at[i]) + log_expected(-at[i])); /* the virtual draw */
  for (size_t i = 0; i < p->count; i++) {
    const alea_encounter *e = &p->encounters[i];
    double difference = at[e->first] - at[e->second];
    sum += e->score * log_expected(difference);
    sum += (e->matches - e->score) * log_expected(-difference);
  }
  return sum;
}

static void differentiate(const problem *p) {
  size_t n = p->players;
  memset(p->hessian, 0, n * n * sizeof *p->hessian);
  for (size_t i = 0; i < n; i++) {
    double q = expected(p->at[i]);
    p->gradient[i] = 0.5 - q;
    p->hessian[i * n + i] = q * (1 - q);
  }
  for (size_t i = 0; i < p->count; i++) {
    const alea_encounter *e = &p->encounters[i];
    size_t a = e->first, b = e->second;
    if (a == b) continue; /* a player against itself carries no information */
    double q = expected(p->at[a] - p->at[b]), weight = e->matches * q * (1 - q);
    double surplus = e->score - e->matches * q;
    p->gradient[a] += surplus;
    p->gradient[b] -= surplus;
    p->hessian[a * n + a] += weight;
    p->hessian[b * n + b] += weight;
    p->hessian[a * n + b] -= weight;
    p->hessian[b * n + a] -= weight;
  }
}

/* Cholesky in place: the lower triangle becomes L with L L' = H, which is
 * positive definite because of the virtual draws. */
static void factor(double *h, size_t n) {
  for (size_t j = 0; j < n; j++) {
    for (size_t i = j; i < n; i++) {
      double sum = h[i * n + j];
      for (size_t k = 0; k < j; k++) sum -= h[i * n + k] * h[j * n + k];
      h[i * n + j] = i == j ? sqrt(sum > 1e-300 ? sum : 1e-300) : sum / h[j * n + j];
    }
  }
}

/* Solves L L' x = x in place. */
static void substitute(const double *l, size_t n, double *x) {
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < i; k++) x[i] -= l[i * n + k] * x[k];
    x[i] /= l[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; k++) x[i] -= l[k * n + i] * x[k];
    x[i] /= l[i * n + i];
  }
}

/* One Newton step, halved until it increases the likelihood; false if no step
 * does. */
static bool climb(const problem *p) {
  size_t n = p->players;
  double before = likelihood(p, p->at), length = 0;
  differentiate(p);
  factor(p->hessian, n);
  memcpy(p->step, p->gradient, n * sizeof *p->step);
  substitute(p->hessian, n, p->step);
  for (size_t i = 0; i < n; i++) length = fmax(length, fabs(p->step[i]));
  if (length < 1e-10) return false;
  for (int halvings = 0; halvings < 60; halvings++) {
    for (size_t i = 0; i < n; i++) p->at[i] += p->step[i];
    if (likelihood(p, p->at) >= before) return true;
    for (size_t i = 0; i < n; i++) {
      p->at[i] -= p->step[i];
      p->step[i] /= 2;
    }
  }
  return false;
}

/* Ratings relative to their mean: the common offset is unknown and must not
 * widen the intervals.  With C the inverse of the Hessian the variance of x_i -
 * mean x is C_ii - 2/n sum_j C_ij + 1/n^2 sum_jk C_jk. */
static void read_off(const problem *p, alea_rating *ratings) {
  const double scale = 400 / log(10);
  size_t n = p->players;
  double mean = 0, all = 0;
  differentiate(p);
  factor(p->hessian, n);
  for (size_t i = 0; i < n; i++) {
    double column = 0;
    memset(p->step, 0, n * sizeof *p->step);
    p->step[i] = 1;
    substitute(p->hessian, n, p->step);
    for (size_t j = 0; j < n; j++) column += p->step[j];
    mean += p->at[i] / (double)n;
    all += column;
    ratings[i].error = p->step[i] - 2 * column / (double)n;
  }
  for (size_t i = 0; i < n; i++) {
    double variance = ratings[i].error + all / ((double)n * (double)n);
    ratings[i].elo = (p->at[i] - mean) * scale;
    ratings[i].error = z95 * sqrt(variance > 0 ? variance : 0) * scale;
  }
}

alea_status alea_bradley_terry(const alea_encounter *encounters, size_t count, size_t players,
                               alea_rating *ratings, alea_mem *mem) {
  size_t cells = 3 * players + players * players;
  double *space = alea_mem_calloc(mem, cells, sizeof *space);
  if (space == NULL) return alea_mem_lack(mem);
  problem p = {.encounters = encounters,
               .count = count,
               .players = players,
               .at = space,
               .gradient = space + players,
               .step = space + 2 * players,
               .hessian = space + 3 * players};
  enum { MOST_STEPS = 200 };
  for (int i = 0; i < MOST_STEPS && climb(&p); i++) continue;
  read_off(&p, ratings);
  alea_mem_free(mem, space, cells * sizeof *space);
  return ALEA_OK;
}
