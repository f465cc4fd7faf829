/* Random plays in lanes. */
#include "learning/eval_plays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "propnet/lanes.h"

enum {
  LOOK_PLAYS = 512,  /* that tell how plays are */
  ROUND = 1 << 14,   /* plays between two questions whether it is over, at most */
  MOST_STEPS = 1000, /* of a play; what is not over by then teaches nothing */
  MEAN_WEIGHT = 24,  /* of a fluent in tries */
  SHOWN = 4,         /* positions of a play */
};

/* A sampler over the lanes that the services have, or its own. */
static alea_status make_lanes(alea_eval_plays *p, alea_services *services, uint64_t seed) {
  const alea_game *game = p->eval->game;
  alea_mem *mem = p->eval->mem;
  if (services == NULL) return alea_lanes_sampler_new(&p->sampler, game, seed, mem);
  const alea_lanes *lanes;
  alea_status status = alea_services_lanes(services, &lanes);
  return status == ALEA_OK ? alea_lanes_sampler_new_shared(&p->sampler, lanes, game, seed, mem)
                           : status;
}

alea_status alea_eval_plays_init(alea_eval_plays *p, alea_linear_eval *eval,
                                 alea_services *services, uint64_t seed) {
  *p = (alea_eval_plays){.eval = eval};
  p->sums = alea_mem_calloc(eval->mem, 2 * (size_t)eval->game->role_count, sizeof *p->sums);
  p->weights = alea_mem_calloc(eval->mem, eval->features.fluent_count, sizeof *p->weights);
  if (p->sums == NULL || p->weights == NULL) return alea_mem_lack(eval->mem);
  alea_status status = make_lanes(p, services, seed);
  if (status != ALEA_OK && status != ALEA_SYSTEM)
    status = alea_sampler_new_plain(&p->sampler, eval->game, seed, eval->mem);
  return status;
}

void alea_eval_plays_clear(alea_eval_plays *p) {
  if (p->eval == NULL) return;
  alea_sampler_free(p->sampler);
  alea_mem_free(p->eval->mem, p->sums, 2 * p->eval->game->role_count * sizeof *p->sums);
  alea_mem_free(p->eval->mem, p->weights, p->eval->features.fluent_count * sizeof *p->weights);
  *p = (alea_eval_plays){0};
}

static alea_status run(alea_eval_plays *p, uint32_t count, const alea_sample_watcher *watcher,
                       const alea_sample_tries *tries, alea_sample_result *result) {
  alea_sample_options options = {.step_cap = MOST_STEPS, .watcher = watcher};
  alea_sample_request request = {.playouts = count};
  *result =
      (alea_sample_result){.sum = p->sums, .sum_squares = p->sums + p->eval->game->role_count};
  options.tries = tries;
  options.over = p->over;
  options.over_context = p->over_context;
  p->status = ALEA_OK;
  alea_status status = alea_sampler_run(p->sampler, &request, 1, &options, result);
  return status == ALEA_OK ? p->status : status;
}

/* ---- how plays are ---- */

static void add_up(void *context, const uint64_t *words, const uint8_t *goals, bool final) {
  alea_eval_plays *p = context;
  (void)words, (void) final;
  if (goals[0] != goals[1]) p->decided = true;
  if (goals[0] + goals[1] == 100) return;
  p->alike = true;
  if (goals[0] != goals[1] || goals[0] > 50) p->eval->shares = false;
}

alea_status alea_eval_plays_look(alea_eval_plays *p) {
  alea_sample_watcher watcher = {.context = p, .every = 1, .per_game = 1, .saw = add_up};
  alea_sample_result result;
  bool two = p->eval->game->role_count == 2;
  p->eval->shares = two;
  p->decided = p->alike = false;
  alea_status status = run(p, LOOK_PLAYS, two ? &watcher : NULL, NULL, &result);
  if (status != ALEA_OK) return status;
  uint64_t games = result.playouts + result.unfinished;
  if (result.playouts == 0 || (p->alike && !p->decided)) p->eval->shares = false;
  p->length = games > 0 ? (double)result.states / (double)games : 0;
  return ALEA_OK;
}

/* ---- lessons ---- */

/* How a play ended for the role, 0..1. */
static float outcome(const alea_linear_eval *eval, const uint8_t *goals) {
  int other = eval->shares ? goals[1 - eval->role] : 0;
  return (float)alea_linear_eval_goal(eval, goals[eval->role], other) / 100;
}

static void fit(void *context, const uint64_t *words, const uint8_t *goals, bool final) {
  alea_eval_plays *p = context;
  (void) final;
  alea_status status = alea_linear_eval_fit(p->eval, words, outcome(p->eval, goals));
  if (p->status == ALEA_OK) p->status = status;
}

/* Odd, so that positions of all who take turns are seen. */
static uint32_t distance(const alea_eval_plays *p) {
  return (uint32_t)(2 * p->length / ALEA_SAMPLE_KEPT) | 1;
}

/* Makes weights of the scores: a usual one of them becomes MEAN_WEIGHT. */
static void make_weights(alea_eval_plays *p) {
  const int32_t *scores = p->eval->scores;
  uint32_t fluents = p->eval->features.fluent_count, seen = 0;
  double sum = 0;
  for (uint32_t f = 0; f < fluents; f++)
    if (scores[f] != 0) sum += abs(scores[f]), seen++;
  for (uint32_t f = 0; f < fluents; f++) {
    double weight = seen > 0 ? scores[f] * MEAN_WEIGHT * seen / sum : 0;
    p->weights[f] =
        (int16_t)lrint(fmax(-ALEA_SAMPLE_MOST_WEIGHT, fmin(ALEA_SAMPLE_MOST_WEIGHT, weight)));
  }
}

static alea_sample_tries tries_of(const alea_eval_plays *p, uint32_t tried) {
  return (alea_sample_tries){p->weights, p->eval->role, tried, !p->eval->shares};
}

alea_status alea_eval_plays_goal(alea_eval_plays *p, uint32_t count, uint32_t tried, double *mean) {
  alea_sample_tries tries = tries_of(p, tried);
  alea_sample_result result;
  make_weights(p);
  alea_status status = run(p, count, NULL, &tries, &result);
  *mean = result.playouts > 0 ? p->sums[p->eval->role] / (double)result.playouts : -1;
  return status;
}

alea_status alea_eval_plays_learn(alea_eval_plays *p, uint64_t count, uint32_t tried) {
  alea_sample_watcher watcher = {.context = p, .every = distance(p), .per_game = SHOWN, .saw = fit};
  alea_sample_tries tries = tries_of(p, tried);
  alea_status status = ALEA_OK;
  if (tried > 1) make_weights(p);
  while (status == ALEA_OK && count > 0 && !(p->over != NULL && p->over(p->over_context))) {
    uint32_t round = count < ROUND ? (uint32_t)count : ROUND;
    alea_sample_result result;
    status = run(p, round, &watcher, tried > 1 ? &tries : NULL, &result);
    p->eval->plays += result.playouts;
    count -= round;
  }
  return status;
}

/* ---- how well outcomes are foreseen ---- */

typedef struct foresight {
  const alea_linear_eval *eval;
  double loss, count;
} foresight;

static void foresee(void *context, const uint64_t *words, const uint8_t *goals, bool final) {
  foresight *f = context;
  if (final) return;
  double goal = outcome(f->eval, goals);
  double logit = (double)alea_linear_eval_score(f->eval, words) / ALEA_EVAL_UNIT;
  f->loss += log1p(exp(-fabs(logit))) + fmax(0, logit) - goal * logit;
  f->count += 1;
}

alea_status alea_eval_plays_foresee(alea_eval_plays *p, uint32_t count, double *loss) {
  foresight f = {.eval = p->eval};
  alea_sample_watcher watcher = {
      .context = &f, .every = distance(p), .per_game = SHOWN, .saw = foresee};
  alea_sample_result result;
  alea_status status = run(p, count, &watcher, NULL, &result);
  *loss = f.count > 0 ? f.loss / f.count : 0;
  return status;
}

/* ---- positions ---- */

typedef struct collection {
  alea_eval_plays *plays;
  alea_u64s *positions;
} collection;

static void collect(void *context, const uint64_t *words, const uint8_t *goals, bool final) {
  collection *c = context;
  size_t count = c->plays->eval->word_count;
  (void)goals;
  if (final) return;
  if (!alea_vec_reserve(c->plays->eval->mem, c->positions, count)) {
    c->plays->status = alea_mem_lack(c->plays->eval->mem);
    return;
  }
  memcpy(c->positions->data + c->positions->count, words, count * sizeof *words);
  c->positions->count += count;
}

alea_status alea_eval_plays_collect(alea_eval_plays *p, uint32_t count, alea_u64s *positions) {
  collection c = {p, positions};
  alea_sample_watcher watcher = {
      .context = &c, .every = distance(p), .per_game = SHOWN, .saw = collect};
  alea_sample_result result;
  return run(p, count, &watcher, NULL, &result);
}
