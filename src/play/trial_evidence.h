#ifndef ALEA_PLAY_TRIAL_EVIDENCE_H
#define ALEA_PLAY_TRIAL_EVIDENCE_H

/* What trial games with little time say of a match with more.
 *
 * The logit of a challenger's score is taken to be a + b x, where x is the logarithm to
 * base 4 of the time for a move, relative to the match: a is what is asked for, b how
 * much the challenger gains when both have four times as long.  Both have normal priors;
 * that of a is the caller's, that of b says that nobody gains much, and the tree a little.
 * So a few games far below the match's clock decide little, however they end, and games at
 * two clocks tell more than twice as many at one. */

#include <stddef.h>
#include <stdint.h>

enum { ALEA_TRIAL_SCALES = 4 };

typedef struct alea_trial_scale {
  double x;         /* 0: the match's clock, -1: a quarter of it */
  double won, lost; /* games, a draw half of each */
} alea_trial_scale;

typedef struct alea_trial_evidence {
  alea_trial_scale scales[ALEA_TRIAL_SCALES];
  uint32_t count;
  double prior; /* mean of a before any game */
} alea_trial_evidence;

/* The posterior of a, as a normal distribution. */
typedef struct alea_trial_verdict {
  double mean, deviation;
  double better; /* the probability that a is above 0: that the challenger scores more than half */
} alea_trial_verdict;

/* Standard deviations of the priors, and the mean of that of b. */
#define ALEA_TRIAL_PRIOR_SPREAD 1.5
#define ALEA_TRIAL_GAIN (-0.1)
#define ALEA_TRIAL_GAIN_SPREAD 0.5

/* Adds 'score' points of 'games' at the scale x, which is found or made; games at more
 * scales than there is room for count at the last. */
void alea_trial_evidence_add(alea_trial_evidence *evidence, double x, double score, double games);
/* Laplace's approximation at the mode, which Newton's method finds: the density is
 * log-concave. */
alea_trial_verdict alea_trial_evidence_judge(const alea_trial_evidence *evidence);
/* Who of so many challengers plays: one that is better with the probability that is enough for it,
 * and of several of these the one that wins more.  'count': none is. */
size_t alea_trial_verdicts_choose(const alea_trial_verdict *verdicts, const double *enough,
                                  size_t count);

#endif
