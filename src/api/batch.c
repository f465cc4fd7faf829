/* Batches of the public interface: a stepper over the lanes of the game, here or on a device. */
#include "alea/batch.h"

#include <stdio.h>

#include "api/core.h"
#include "gpu/source.h"
#include "gpu/stepper.h"
#include "propnet/lanes_stepper.h"

struct alea_batch {
  alea_mem mem;
  alea_ruleset *rules;
  const alea_net *net;
  size_t count;
  alea_stepper *stepper;
  alea_gpu_stepper *there; /* not NULL: instead of 'stepper' */
  alea_status reset;       /* of a reset there, which cannot say so: the next call does */
};

/* The lanes of the game, which the first caller compiles. */
static alea_status share_lanes(const alea_lanes **lanes, alea_ruleset *rules) {
  alea_status status = ALEA_OK;
  pthread_mutex_lock(&rules->lock);
  if (rules->lanes == NULL)
    status = alea_stepper_compile(&rules->lanes, alea_open_lanes_net(&rules->opened), &rules->mem);
  *lanes = rules->lanes;
  pthread_mutex_unlock(&rules->lock);
  return status;
}

static alea_status share_gpu_lanes(const alea_lanes **lanes, alea_ruleset *rules) {
  alea_status status = ALEA_OK;
  pthread_mutex_lock(&rules->lock);
  if (rules->gpu_lanes == NULL)
    status =
        alea_gpu_lanes_new(&rules->gpu_lanes, alea_open_lanes_net(&rules->opened), &rules->mem);
  *lanes = rules->gpu_lanes;
  pthread_mutex_unlock(&rules->lock);
  return status;
}

static alea_status make_here(alea_batch *b, const alea_batch_options *options) {
  const alea_lanes *lanes;
  alea_status status = share_lanes(&lanes, b->rules);
  if (status == ALEA_OK) status = alea_stepper_new(&b->stepper, lanes, b->count, options, &b->mem);
  return status;
}

static alea_status make_there(alea_batch *b, const alea_batch_options *options, char *why) {
  const alea_lanes *lanes;
  alea_status status = share_gpu_lanes(&lanes, b->rules);
  if (status == ALEA_OK)
    status =
        alea_gpu_stepper_new(&b->there, lanes, b->count, options, ALEA_GPU_FORM_AUTO, &b->mem, why);
  return status;
}

static alea_status make(alea_batch **batch, alea_ruleset *rules, size_t count,
                        const alea_batch_options *options, char *why) {
  if (options->device > ALEA_BATCH_CUDA) return ALEA_USAGE;
  if (rules->opened.net == NULL) {
    snprintf(why, ALEA_GPU_WHY, "the game has no network");
    return ALEA_UNSUPPORTED;
  }
  alea_batch *made = alea_api_new(sizeof *made, 0);
  if (made == NULL) return ALEA_SYSTEM;
  made->rules = alea_ruleset_share(rules);
  made->count = count;
  made->net = alea_open_lanes_net(&rules->opened);
  alea_status status =
      options->device == ALEA_BATCH_CPU ? make_here(made, options) : make_there(made, options, why);
  if (status == ALEA_OK)
    *batch = made;
  else
    alea_batch_free(made);
  return status;
}

alea_status alea_batch_new(alea_batch **batch, alea_ruleset *rules, size_t count,
                           const alea_batch_options *options) {
  *batch = NULL;
  alea_batch_options own = {.size = sizeof own};
  char why[ALEA_GPU_WHY] = "";
  alea_status status = alea_api_options(&own, sizeof own, options);
  if (status != ALEA_OK) return status;
  status = make(batch, rules, count, &own, why);
  if (status != ALEA_OK && why[0] == '\0')
    snprintf(why, sizeof why, "%s", alea_status_text(status));
  if (own.why != NULL && own.why_size > 0)
    snprintf(own.why, own.why_size, "%s", status == ALEA_OK ? "" : why);
  return status;
}

void alea_batch_free(alea_batch *batch) {
  if (batch == NULL) return;
  alea_stepper_free(batch->stepper);
  alea_gpu_stepper_free(batch->there);
  alea_ruleset_free(batch->rules);
  alea_api_free(batch, sizeof *batch);
}

/* ---- sizes ---- */

size_t alea_batch_count(const alea_batch *batch) { return batch->count; }

uint32_t alea_batch_first_move(const alea_batch *batch, uint32_t role) {
  return batch->net->move_first[role < batch->net->role_count ? role : batch->net->role_count];
}

uint32_t alea_batch_move_width(const alea_batch *batch) { return batch->net->move_count; }

uint32_t alea_batch_fluent_width(const alea_batch *batch) { return batch->net->fluent_count; }

uint32_t alea_batch_move_words(const alea_batch *batch) {
  return (uint32_t)(((size_t)batch->net->move_count + 63) / 64);
}

uint32_t alea_batch_fluent_words(const alea_batch *batch) {
  return (uint32_t)(((size_t)batch->net->fluent_count + 63) / 64);
}

/* ---- playing ---- */

/* What is wrong since the last call. */
static alea_status owed(alea_batch *batch) {
  alea_status status = batch->reset;
  batch->reset = ALEA_OK;
  return status;
}

/* Copies the results; a step that refused some actions has made them. */
static alea_status fetch(alea_batch *batch, alea_status status, const alea_batch_arrays *out) {
  if (status != ALEA_OK && status != ALEA_INPUT) return status;
  alea_status fetched = alea_gpu_stepper_fetch(batch->there, out);
  return fetched == ALEA_OK ? status : fetched;
}

alea_status alea_batch_step(alea_batch *batch, const int32_t *actions,
                            const alea_batch_arrays *out) {
  alea_batch_arrays own = {.size = sizeof own};
  alea_status status = alea_api_options(&own, sizeof own, out);
  if (status == ALEA_OK) status = owed(batch);
  if (status != ALEA_OK) return status;
  if (batch->there == NULL) return alea_stepper_step(batch->stepper, actions, &own);
  status = alea_gpu_stepper_step_from(batch->there, actions);
  return out != NULL ? fetch(batch, status, &own) : status;
}

alea_status alea_batch_device_step(alea_batch *batch, const int32_t *actions) {
  if (batch->there == NULL) return ALEA_USAGE;
  alea_status status = owed(batch);
  return status == ALEA_OK ? alea_gpu_stepper_step(batch->there, actions) : status;
}

alea_status alea_batch_look(alea_batch *batch, const alea_batch_arrays *out) {
  alea_batch_arrays own = {.size = sizeof own};
  alea_status status = alea_api_options(&own, sizeof own, out);
  if (status == ALEA_OK) status = owed(batch);
  if (status != ALEA_OK) return status;
  if (batch->there != NULL) return fetch(batch, alea_gpu_stepper_judge(batch->there), &own);
  alea_stepper_look(batch->stepper, &own);
  return ALEA_OK;
}

alea_status alea_batch_device_array(alea_batch *batch, alea_batch_array array,
                                    const void **address) {
  *address = NULL;
  if (batch->there == NULL || array > ALEA_BATCH_ARRAY_REFUSED) return ALEA_USAGE;
  alea_status status = owed(batch);
  return status == ALEA_OK ? alea_gpu_stepper_array(batch->there, array, address) : status;
}

alea_status alea_batch_device_fetch(alea_batch *batch, const alea_batch_arrays *out) {
  if (batch->there == NULL) return ALEA_USAGE;
  alea_batch_arrays own = {.size = sizeof own};
  alea_status status = alea_api_options(&own, sizeof own, out);
  if (status == ALEA_OK) status = owed(batch);
  return status == ALEA_OK ? alea_gpu_stepper_fetch(batch->there, &own) : status;
}

const char *alea_batch_trouble(const alea_batch *batch) {
  return batch->there != NULL ? alea_gpu_stepper_why(batch->there) : "";
}

alea_status alea_batch_percepts(const alea_batch *batch, const uint64_t **first,
                                const uint32_t **percepts) {
  *first = NULL;
  *percepts = NULL;
  if (batch->there != NULL) return alea_gpu_stepper_percepts(batch->there, first, percepts);
  return alea_stepper_percepts(batch->stepper, first, percepts);
}

void alea_batch_reset(alea_batch *batch, const uint8_t *which) {
  if (batch->there != NULL)
    batch->reset = alea_gpu_stepper_reset(batch->there, which);
  else
    alea_stepper_reset(batch->stepper, which);
}

alea_status alea_batch_playout(alea_batch *batch, float *goals, uint64_t *steps) {
  alea_status status = owed(batch);
  if (status != ALEA_OK) return status;
  return batch->there != NULL ? alea_gpu_stepper_playout(batch->there, goals, steps)
                              : alea_stepper_playout(batch->stepper, goals, steps);
}

size_t alea_batch_playing(const alea_batch *batch) {
  return batch->there != NULL ? alea_gpu_stepper_playing(batch->there)
                              : alea_stepper_playing(batch->stepper);
}

const uint64_t *alea_batch_planes(const alea_batch *batch) {
  return batch->there != NULL ? NULL : alea_stepper_planes(batch->stepper);
}

alea_status alea_batch_load(alea_batch *batch, size_t first, size_t count,
                            const uint64_t *fluent_bits) {
  alea_status status = owed(batch);
  if (status != ALEA_OK) return status;
  return batch->there != NULL ? alea_gpu_stepper_load(batch->there, first, count, fluent_bits)
                              : alea_stepper_load(batch->stepper, first, count, fluent_bits);
}
