/* Batches of the public interface: a stepper over the lanes of the game. */
#include "alea/batch.h"

#include "api/core.h"
#include "propnet/lanes_stepper.h"

struct alea_batch {
  alea_mem mem;
  alea_ruleset *rules;
  const alea_net *net;
  size_t count;
  alea_stepper *stepper;
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

alea_status alea_batch_new(alea_batch **batch, alea_ruleset *rules, size_t count,
                           const alea_batch_options *options) {
  *batch = NULL;
  alea_batch_options own = {.size = sizeof own};
  alea_status status = alea_api_options(&own, sizeof own, options);
  if (status != ALEA_OK) return status;
  if (rules->opened.net == NULL) return ALEA_UNSUPPORTED;
  alea_batch *made = alea_api_new(sizeof *made, 0);
  if (made == NULL) return ALEA_SYSTEM;
  made->rules = alea_ruleset_share(rules);
  made->count = count;
  const alea_lanes *lanes;
  status = share_lanes(&lanes, rules);
  if (status == ALEA_OK) {
    made->net = alea_open_lanes_net(&rules->opened);
    status = alea_stepper_new(&made->stepper, lanes, count, &own, &made->mem);
  }
  if (status == ALEA_OK)
    *batch = made;
  else
    alea_batch_free(made);
  return status;
}

void alea_batch_free(alea_batch *batch) {
  if (batch == NULL) return;
  alea_stepper_free(batch->stepper);
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

alea_status alea_batch_step(alea_batch *batch, const int32_t *actions,
                            const alea_batch_arrays *out) {
  alea_batch_arrays own = {.size = sizeof own};
  alea_status status = alea_api_options(&own, sizeof own, out);
  return status == ALEA_OK ? alea_stepper_step(batch->stepper, actions, &own) : status;
}

alea_status alea_batch_look(alea_batch *batch, const alea_batch_arrays *out) {
  alea_batch_arrays own = {.size = sizeof own};
  alea_status status = alea_api_options(&own, sizeof own, out);
  if (status == ALEA_OK) alea_stepper_look(batch->stepper, &own);
  return status;
}

alea_status alea_batch_percepts(const alea_batch *batch, const uint64_t **first,
                                const uint32_t **percepts) {
  *first = NULL;
  *percepts = NULL;
  return alea_stepper_percepts(batch->stepper, first, percepts);
}

void alea_batch_reset(alea_batch *batch, const uint8_t *which) {
  alea_stepper_reset(batch->stepper, which);
}

alea_status alea_batch_playout(alea_batch *batch, float *goals, uint64_t *steps) {
  return alea_stepper_playout(batch->stepper, goals, steps);
}

size_t alea_batch_playing(const alea_batch *batch) { return alea_stepper_playing(batch->stepper); }

const uint64_t *alea_batch_planes(const alea_batch *batch) {
  return alea_stepper_planes(batch->stepper);
}

alea_status alea_batch_load(alea_batch *batch, size_t first, size_t count,
                            const uint64_t *fluent_bits) {
  return alea_stepper_load(batch->stepper, first, count, fluent_bits);
}
