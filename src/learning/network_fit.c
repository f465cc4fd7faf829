/* Fitting of a network beside a linear evaluation. */
#include "learning/network_fit.h"

#include <math.h>
#include <string.h>

#include "minimax/linear_eval.h"

enum {
  UNITS = ALEA_NETWORK_UNITS,
  BATCH = 256, /* examples for a step */
};
static const float MEAN_KEPT = 0.9f, SQUARE_KEPT = 0.999f, TINY = 1e-8f;
static const float DECAY = 2e-5f; /* of weights, in the gradient */
static const float SPREAD = 0.1f; /* of the first weights */
static const float FIRST_BIAS = 0.2f, FIRST_SCALE = 0.3f, LEAST_SCALE = 0.05f;
static const float MOST_WEIGHT = (float)ALEA_NETWORK_MOST / ALEA_NETWORK_ONE;
static const float MOST_WORTH =
    (float)INT16_MAX / ALEA_EVAL_UNIT; /* of a unit: more cannot be written */

/* Parameters lie one behind the other: weights by fluent and unit, biases, weights behind the
 * units, the scale of the linear evaluation, and the rest. */
static size_t bias_at(const alea_network_fit *f) { return (size_t)f->fluent_count * UNITS; }
static size_t out_at(const alea_network_fit *f) { return bias_at(f) + UNITS; }
static size_t scale_at(const alea_network_fit *f) { return out_at(f) + UNITS; }
static size_t rest_at(const alea_network_fit *f) { return scale_at(f) + 1; }

/* Normally distributed. */
static float draw(alea_rng *rng) {
  double a = alea_rng_unit(rng), b = alea_rng_unit(rng);
  return (float)(sqrt(-2 * log(1 - a)) * cos(6.283185307179586 * b));
}

alea_status alea_network_fit_init(alea_network_fit *f, const alea_fluent_symmetry *symmetry,
                                  alea_rng *rng, alea_mem *mem) {
  *f = (alea_network_fit){.mem = mem, .symmetry = symmetry, .fluent_count = symmetry->fluent_count};
  f->parameter_count = rest_at(f) + 1;
  f->parameters = alea_mem_calloc(mem, f->parameter_count, sizeof(float));
  f->means = alea_mem_calloc(mem, f->parameter_count, sizeof(float));
  f->squares = alea_mem_calloc(mem, f->parameter_count, sizeof(float));
  f->gradients = alea_mem_calloc(mem, f->parameter_count, sizeof(float));
  if (f->parameters == NULL || f->means == NULL || f->squares == NULL || f->gradients == NULL)
    return alea_mem_lack(mem);
  for (size_t i = 0; i < bias_at(f); i++) f->parameters[i] = SPREAD * draw(rng);
  for (size_t u = 0; u < UNITS; u++) {
    f->parameters[bias_at(f) + u] = FIRST_BIAS;
    f->parameters[out_at(f) + u] = SPREAD * draw(rng);
  }
  f->parameters[scale_at(f)] = FIRST_SCALE;
  return ALEA_OK;
}

void alea_network_fit_clear(alea_network_fit *f) {
  if (f->mem == NULL) return;
  size_t bytes = f->parameter_count * sizeof(float);
  alea_mem_free(f->mem, f->parameters, bytes);
  alea_mem_free(f->mem, f->means, bytes);
  alea_mem_free(f->mem, f->squares, bytes);
  alea_mem_free(f->mem, f->gradients, bytes);
  alea_vec_clear(f->mem, &f->order);
  alea_vec_clear(f->mem, &f->fluents);
  *f = (alea_network_fit){0};
}

/* ---- one example ---- */

/* One view of a position. */
typedef struct fit_view {
  const uint32_t *fluents;
  float sums[UNITS], units[UNITS];
} fit_view;

typedef struct fit_position {
  uint32_t count; /* of fluents */
  int views;
  fit_view view[ALEA_NETWORK_VIEWS];
} fit_position;

/* The image of a fluent under those symmetries that leave the roles alone and whose bits are
 * set, one after the other. */
static uint32_t image_of(const alea_fluent_symmetry *s, uint32_t fluent, uint64_t chosen) {
  for (uint32_t i = 0; i < s->count && i < 64; i++)
    if ((chosen >> i & 1) != 0 && !s->exchanges.data[i])
      fluent = alea_fluent_symmetry_at(s, i)[fluent];
  return fluent;
}

/* Lists the fluents of an example in each view, as an image under some symmetries. */
static bool list_fluents(alea_network_fit *f, const uint64_t *words, size_t word_count,
                         uint64_t chosen, fit_position *p) {
  const uint32_t *exchange = alea_fluent_symmetry_exchange(f->symmetry);
  p->views = exchange != NULL ? 2 : 1;
  p->count = 0;
  f->fluents.count = 0;
  if (!alea_vec_reserve(f->mem, &f->fluents, 2 * (size_t)f->fluent_count)) return false;
  uint32_t *first = f->fluents.data, *second = first + f->fluent_count;
  for (size_t w = 0; w < word_count; w++) {
    for (uint64_t bits = words[w]; bits != 0; bits &= bits - 1) {
      uint32_t fluent = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(bits);
      if (fluent >= f->fluent_count) continue;
      first[p->count] = fluent = image_of(f->symmetry, fluent, chosen);
      if (exchange != NULL) second[p->count] = exchange[fluent];
      p->count++;
    }
  }
  p->view[0].fluents = first;
  p->view[1].fluents = second;
  return true;
}

/* The logit of a position. */
static float forward(const alea_network_fit *f, fit_position *p, float linear) {
  const float *out = f->parameters + out_at(f);
  float logit = f->parameters[scale_at(f)] * linear + f->parameters[rest_at(f)];
  for (int v = 0; v < p->views; v++) {
    fit_view *view = &p->view[v];
    float sum = 0;
    memcpy(view->sums, f->parameters + bias_at(f), sizeof view->sums);
    for (uint32_t i = 0; i < p->count; i++) {
      const float *weights = f->parameters + (size_t)view->fluents[i] * UNITS;
      for (int u = 0; u < UNITS; u++) view->sums[u] += weights[u];
    }
    for (int u = 0; u < UNITS; u++) {
      view->units[u] = view->sums[u] < 0 ? 0 : view->sums[u] > 1 ? 1 : view->sums[u];
      sum += out[u] * view->units[u];
    }
    logit += v == 0 ? sum : -sum;
  }
  return logit;
}

/* Adds the gradient of an example whose logit is too large by 'error'. */
static void backward(alea_network_fit *f, const fit_position *p, float linear, float error) {
  const float *out = f->parameters + out_at(f);
  float *g = f->gradients;
  g[scale_at(f)] += error * linear;
  if (p->views == 1) g[rest_at(f)] += error; /* of a difference nothing is left */
  for (int v = 0; v < p->views; v++) {
    const fit_view *view = &p->view[v];
    float sign = v == 0 ? error : -error, back[UNITS];
    for (int u = 0; u < UNITS; u++) {
      bool live = view->sums[u] > 0 && view->sums[u] < 1;
      back[u] = live ? sign * out[u] : 0;
      g[out_at(f) + (size_t)u] += sign * view->units[u];
      g[bias_at(f) + (size_t)u] += back[u];
    }
    for (uint32_t i = 0; i < p->count; i++) {
      float *weights = g + (size_t)view->fluents[i] * UNITS;
      for (int u = 0; u < UNITS; u++) weights[u] += back[u];
    }
  }
}

/* ---- steps ---- */

/* Moves the parameters by the gradients, which are of so many examples. */
static void step(alea_network_fit *f, size_t count, float rate) {
  f->steps++;
  float kept = 1 - powf(MEAN_KEPT, (float)f->steps),
        squared = 1 - powf(SQUARE_KEPT, (float)f->steps);
  float share = 1 / (float)count, size = rate * sqrtf(squared) / kept;
  for (size_t i = 0; i < f->parameter_count; i++) {
    float decay = i < scale_at(f) ? DECAY * f->parameters[i] : 0;
    float gradient = share * f->gradients[i] + decay;
    f->means[i] += (1 - MEAN_KEPT) * (gradient - f->means[i]);
    f->squares[i] += (1 - SQUARE_KEPT) * (gradient * gradient - f->squares[i]);
    f->parameters[i] -= size * f->means[i] / (sqrtf(f->squares[i]) + TINY);
    f->gradients[i] = 0;
  }
  for (size_t i = 0; i < bias_at(f); i++)
    f->parameters[i] = fmaxf(-MOST_WEIGHT, fminf(MOST_WEIGHT, f->parameters[i]));
  if (f->parameters[scale_at(f)] < LEAST_SCALE) f->parameters[scale_at(f)] = LEAST_SCALE;
  float most = MOST_WORTH * f->parameters[scale_at(f)];
  for (size_t i = out_at(f); i < scale_at(f); i++)
    f->parameters[i] = fmaxf(-most, fminf(most, f->parameters[i]));
}

static float probability(float logit) { return 1 / (1 + expf(-logit)); }

static bool shuffle(alea_network_fit *f, size_t count, alea_rng *rng) {
  f->order.count = 0;
  if (!alea_vec_reserve(f->mem, &f->order, count)) return false;
  for (size_t i = 0; i < count; i++) {
    size_t other = alea_rng_below(rng, (uint32_t)i + 1);
    f->order.data[i] = f->order.data[other];
    f->order.data[other] = (uint32_t)i;
  }
  f->order.count = count;
  return true;
}

alea_status alea_network_fit_round(alea_network_fit *f, const alea_network_examples *examples,
                                   float rate, alea_rng *rng) {
  size_t count = examples->list.count, words = examples->word_count;
  if (!shuffle(f, count, rng)) return alea_mem_lack(f->mem);
  for (size_t i = 0; i < count; i++) {
    size_t at = f->order.data[i];
    const alea_network_example *it = &examples->list.data[at];
    fit_position p;
    if (!list_fluents(f, examples->words.data + at * words, words, alea_rng_next(rng), &p))
      return alea_mem_lack(f->mem);
    backward(f, &p, it->linear, probability(forward(f, &p, it->linear)) - it->target);
    if ((i + 1) % BATCH == 0 || i + 1 == count) step(f, i % BATCH + 1, rate);
  }
  return ALEA_OK;
}

static double loss_of(float logit, float target) {
  double p = fmin(fmax(1 / (1 + exp(-(double)logit)), 1e-7), 1 - 1e-7);
  return -target * log(p) - (1 - target) * log(1 - p);
}

double alea_network_fit_loss(alea_network_fit *f, const alea_network_examples *examples,
                             double *linear) {
  size_t count = examples->list.count, words = examples->word_count;
  double sum = 0;
  *linear = 0;
  for (size_t i = 0; i < count; i++) {
    const alea_network_example *it = &examples->list.data[i];
    fit_position p;
    if (!list_fluents(f, examples->words.data + i * words, words, 0, &p)) break;
    sum += loss_of(forward(f, &p, it->linear), it->target);
    *linear += loss_of(f->parameters[scale_at(f)] * it->linear, it->target);
  }
  if (count > 0) *linear /= (double)count;
  return count > 0 ? sum / (double)count : 0;
}

/* ---- what was learnt ---- */

static int16_t whole(float value, float most) {
  return (int16_t)lrintf(fmaxf(-most, fminf(most, value)));
}

float alea_network_fit_scale(const alea_network_fit *f) { return f->parameters[scale_at(f)]; }

void alea_network_fit_export(const alea_network_fit *f, float trust, alea_eval_network *network) {
  float scale = trust * ALEA_EVAL_UNIT / f->parameters[scale_at(f)];
  for (uint32_t i = 0; i < f->fluent_count; i++)
    for (size_t u = 0; u < UNITS; u++)
      network->weights[i][u] =
          whole(ALEA_NETWORK_ONE * f->parameters[(size_t)i * UNITS + u], ALEA_NETWORK_MOST);
  for (size_t u = 0; u < UNITS; u++) {
    network->bias[u] = whole(ALEA_NETWORK_ONE * f->parameters[bias_at(f) + u], INT16_MAX);
    network->out[u] = whole(scale * f->parameters[out_at(f) + u], INT16_MAX);
  }
  network->rest = (int32_t)lrintf(scale * f->parameters[rest_at(f)]);
}

void alea_network_fit_import(alea_network_fit *f, const alea_eval_network *network) {
  memset(f->means, 0, f->parameter_count * sizeof *f->means);
  memset(f->squares, 0, f->parameter_count * sizeof *f->squares);
  f->steps = 0;
  f->parameters[scale_at(f)] = FIRST_SCALE;
  float scale = f->parameters[scale_at(f)] / ALEA_EVAL_UNIT;
  for (uint32_t i = 0; i < f->fluent_count; i++)
    for (size_t u = 0; u < UNITS; u++)
      f->parameters[(size_t)i * UNITS + u] = (float)network->weights[i][u] / ALEA_NETWORK_ONE;
  for (size_t u = 0; u < UNITS; u++) {
    f->parameters[bias_at(f) + u] = (float)network->bias[u] / ALEA_NETWORK_ONE;
    f->parameters[out_at(f) + u] = scale * (float)network->out[u];
  }
  f->parameters[rest_at(f)] = scale * (float)network->rest;
}
