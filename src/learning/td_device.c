/* Temporal differences on a GPU. */
#include "learning/td_device.h"

#include <stdio.h>
#include <string.h>

#include "gpu/source.h"
#include "gpu/td_trainer.h"
#include "gpu/turn.h"
#include "propnet/propnet.h"

enum {
  GAMES = 1 << 15,      /* at once, at most, and */
  LEAST_GAMES = 1 << 8, /* at least; */
  STEPS = 1 << 12,      /* of each, or more, where that leaves enough games */
  BATCHES = 16,         /* of one position of each are fitted at once, and */
  LEAST_BATCH = 256,    /* at least so many positions; */
  FITS = 2,             /* each so often */
  MOST_MAPS = 16,       /* by which positions are seen */
  MOST_TOLD = 1 << 14,  /* of them, in the end */
};
static const uint64_t most_bytes = (uint64_t)1 << 31; /* of positions behind moves */
static const float RATE = 1e-2f, LAST_RATE = 1e-5f;

/* Images of the fluents under each choice of the symmetries that leave the roles alone. */
static alea_status make_maps(const alea_fluent_symmetry *s, alea_mem *mem, alea_u32s *maps,
                             uint32_t *count) {
  *count = 1;
  if (!alea_vec_reserve(mem, maps, (size_t)MOST_MAPS * s->fluent_count)) return alea_mem_lack(mem);
  for (uint32_t f = 0; f < s->fluent_count; f++) maps->data[f] = f;
  for (uint32_t i = 0; i < s->count && 2 * *count <= MOST_MAPS; i++) {
    if (s->exchanges.data[i]) continue;
    const uint32_t *image = alea_fluent_symmetry_at(s, i);
    size_t length = (size_t)*count * s->fluent_count;
    for (size_t k = 0; k < length; k++) maps->data[length + k] = image[maps->data[k]];
    *count *= 2;
  }
  return ALEA_OK;
}

/* As many games as the device should have room for, and as may be long enough. */
static uint32_t games_of(const alea_net *net, uint64_t positions) {
  uint64_t bytes = ((uint64_t)net->fluent_count + 2 * net->move_count) * sizeof(uint32_t);
  uint32_t games = GAMES;
  while (games > LEAST_GAMES && (games * bytes > most_bytes || positions / games < STEPS))
    games /= 2;
  return games;
}

static float rate_of(const alea_td_device_games *d, uint64_t played, double began) {
  double part = (double)played / (double)d->positions;
  if (d->clock->seconds > 0)
    part = fmax(part, 1 - alea_eval_clock_left(d->clock) / fmax(began, 1e-9));
  return RATE * (1 - (float)fmin(part, 1)) + LAST_RATE;
}

static alea_status play(alea_td_device_games *d, alea_gpu_td *trainer) {
  double began = alea_eval_clock_left(d->clock);
  uint64_t played = 0, more;
  alea_status status = ALEA_OK;
  while (status == ALEA_OK && played < d->positions && !alea_eval_clock_over(d->clock)) {
    status = alea_gpu_td_round(trainer, rate_of(d, played, began), FITS, &more);
    played += more;
  }
  d->positions = played;
  return status;
}

/* Tells of positions of the last round. */
static alea_status tell(const alea_td_device_games *d, alea_gpu_td *trainer) {
  alea_mem *mem = d->eval->mem;
  size_t count = alea_gpu_td_example_count(trainer), width = d->eval->word_count;
  size_t every = (count + MOST_TOLD - 1) / MOST_TOLD;
  uint64_t *words = alea_mem_calloc(mem, count * width, sizeof *words);
  float *targets = alea_mem_calloc(mem, count, sizeof *targets);
  alea_status status = words != NULL && targets != NULL ? ALEA_OK : alea_mem_lack(mem);
  if (status == ALEA_OK) status = alea_gpu_td_examples(trainer, words, targets);
  for (size_t i = 0; status == ALEA_OK && i < count; i += every)
    if (targets[i] >= 0) status = d->hear(d->context, words + i * width, targets[i]);
  alea_mem_free(mem, words, count * width * sizeof *words);
  alea_mem_free(mem, targets, count * sizeof *targets);
  return status;
}

static alea_status learn(alea_td_device_games *d, const alea_lanes *lanes, const alea_u32s *maps,
                         uint32_t map_count) {
  char why[ALEA_GPU_WHY] = "";
  alea_gpu_td *trainer;
  alea_gpu_td_task task = {.lanes = lanes,
                           .device_number = d->device->number,
                           .role = d->eval->role,
                           .shares = d->eval->shares,
                           .units = ALEA_NETWORK_UNITS,
                           .most_weight = (float)ALEA_NETWORK_MOST / ALEA_NETWORK_ONE,
                           .most_worth = (float)INT16_MAX / ALEA_EVAL_UNIT,
                           .scores = d->eval->scores,
                           .base = d->eval->base,
                           .maps = maps->data,
                           .map_count = map_count,
                           .exchange = alea_fluent_symmetry_exchange(d->fit->symmetry),
                           .parameters = d->fit->parameters,
                           .seed = d->seed,
                           .games = games_of(lanes->net, d->positions)};
  task.batch = task.games / BATCHES > LEAST_BATCH ? task.games / BATCHES : LEAST_BATCH;
  alea_status status = alea_gpu_td_new(&trainer, &task, d->eval->mem, why);
  if (status == ALEA_OK) {
    status = play(d, trainer);
    if (status == ALEA_OK && d->positions > 0 && d->hear != NULL) status = tell(d, trainer);
    if (status == ALEA_OK) status = alea_gpu_td_fetch(trainer, d->fit->parameters);
    snprintf(why, sizeof why, "%s", alea_gpu_td_why(trainer));
  }
  alea_gpu_td_free(trainer);
  if (status != ALEA_OK)
    snprintf(d->device->why, sizeof d->device->why, "%.*s", (int)sizeof d->device->why - 1, why);
  return status;
}

/* The same when it is this process's turn on the device. */
static alea_status learn_in_turn(alea_td_device_games *d, const alea_lanes *lanes,
                                 const alea_u32s *maps, uint32_t map_count) {
  char path[4096];
  alea_gpu_turn turn;
  alea_gpu_turn_take(&turn, d->device->number, alea_gpu_find_cache(path, sizeof path),
                     alea_eval_clock_over, d->clock);
  alea_status status = learn(d, lanes, maps, map_count);
  alea_gpu_turn_end(&turn);
  return status;
}

alea_status alea_td_device_learn(alea_td_device_games *d) {
  alea_mem *mem = d->eval->mem;
  alea_lanes *lanes = NULL;
  alea_u32s maps = {0};
  uint32_t map_count;
  d->device->why[0] = '\0';
  if (d->eval->patterns.live) {
    snprintf(d->device->why, sizeof d->device->why, "the evaluation counts patterns of the goals");
    return ALEA_UNSUPPORTED;
  }
  alea_status status = make_maps(d->fit->symmetry, mem, &maps, &map_count);
  if (status == ALEA_OK) status = alea_gpu_lanes_new(&lanes, alea_net_of_game(d->eval->game), mem);
  if (status == ALEA_OK) status = learn_in_turn(d, lanes, &maps, map_count);
  alea_lanes_free(lanes);
  alea_vec_clear(mem, &maps);
  return status;
}
