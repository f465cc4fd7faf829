/* Logistic regression with two parameters and normal priors. */
#include "play/trial_evidence.h"

#include <math.h>
#include <stdbool.h>

enum { MOST_STEPS = 50 };
static const double LONGEST_STEP = 1, SMALLEST_STEP = 1e-9;

void alea_trial_evidence_add(alea_trial_evidence *evidence, double x, double score, double games) {
  uint32_t at = 0;
  while (at < evidence->count && fabs(evidence->scales[at].x - x) > 1e-9) at++;
  if (at == ALEA_TRIAL_SCALES) at--;
  if (at == evidence->count) evidence->scales[evidence->count++] = (alea_trial_scale){.x = x};
  evidence->scales[at].won += score;
  evidence->scales[at].lost += games - score;
}

/* Gradient of the log posterior at (a, b), and minus its second derivatives. */
typedef struct slope {
  double a, b, aa, ab, bb;
} slope;

static slope slope_at(const alea_trial_evidence *e, double a, double b) {
  double narrow = 1 / (ALEA_TRIAL_PRIOR_SPREAD * ALEA_TRIAL_PRIOR_SPREAD);
  double flat = 1 / (ALEA_TRIAL_GAIN_SPREAD * ALEA_TRIAL_GAIN_SPREAD);
  slope s = {
      .a = -narrow * (a - e->prior), .b = -flat * (b - ALEA_TRIAL_GAIN), .aa = narrow, .bb = flat};
  for (uint32_t i = 0; i < e->count; i++) {
    const alea_trial_scale *scale = &e->scales[i];
    double x = scale->x, games = scale->won + scale->lost;
    double p = 1 / (1 + exp(-(a + b * x)));
    double rest = scale->won - games * p, weight = games * p * (1 - p);
    s.a += rest, s.b += rest * x;
    s.aa += weight, s.ab += weight * x, s.bb += weight * x * x;
  }
  return s;
}

static double clip(double step) { return fmax(-LONGEST_STEP, fmin(LONGEST_STEP, step)); }

alea_trial_verdict alea_trial_evidence_judge(const alea_trial_evidence *evidence) {
  double a = evidence->prior, b = ALEA_TRIAL_GAIN;
  slope s = slope_at(evidence, a, b);
  for (int i = 0; i < MOST_STEPS; i++) {
    double determinant = s.aa * s.bb - s.ab * s.ab;
    double da = clip((s.bb * s.a - s.ab * s.b) / determinant);
    double db = clip((s.aa * s.b - s.ab * s.a) / determinant);
    a += da, b += db;
    s = slope_at(evidence, a, b);
    if (fabs(da) + fabs(db) < SMALLEST_STEP) break;
  }
  alea_trial_verdict verdict = {.mean = a};
  verdict.deviation = sqrt(s.bb / (s.aa * s.bb - s.ab * s.ab));
  verdict.better = 0.5 * erfc(-verdict.mean / verdict.deviation / sqrt(2));
  return verdict;
}

size_t alea_trial_verdicts_choose(const alea_trial_verdict *verdicts, const double *enough,
                                  size_t count) {
  size_t best = count;
  for (size_t i = 0; i < count; i++) {
    bool first = best == count;
    if (verdicts[i].better >= enough[i] && (first || verdicts[i].mean > verdicts[best].mean))
      best = i;
  }
  return best;
}
