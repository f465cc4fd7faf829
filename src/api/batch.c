/* Batches of the public interface: a stepper over the lanes of the game. */
#include "alea/batch.h"

#include "api/core.h"
#include "propnet/lanes_stepper.h"

/* What playouts need, all of 'count' entries; kept from one call to the next, since
 * fresh pages cost as much as the games. */
typedef struct batch_playouts {
  uint8_t *flags;
  uint64_t *bits; /* fluent_words per state */
  alea_sample_request *requests;
  alea_sample_result *results;
  double *sums; /* 2 * role_count per state: sums, then squares */
} batch_playouts;

struct alea_batch {
  alea_mem mem;
  alea_ruleset *rules;
  const alea_net *net;
  size_t count;
  alea_batch_options options;
  alea_stepper *stepper;
  alea_sampler *sampler;   /* of playouts; made for the first of them, */
  batch_playouts playouts; /* and so are these */
};

/* The lanes of the game, which the first caller compiles. */
static alea_status share_lanes(const alea_lanes **lanes, alea_ruleset *rules) {
  alea_status status = ALEA_OK;
  pthread_mutex_lock(&rules->lock);
  if (rules->lanes == NULL)
    status = alea_lanes_new(&rules->lanes, alea_open_lanes_net(&rules->opened), ALEA_LANES_WIDE,
                            &rules->mem);
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
  made->options = own;
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

static void release(alea_batch *batch) {
  batch_playouts *p = &batch->playouts;
  size_t count = batch->count, roles = batch->net != NULL ? batch->net->role_count : 0;
  alea_mem_free(&batch->mem, p->flags, count);
  if (p->bits != NULL)
    alea_mem_free(&batch->mem, p->bits, count * alea_batch_fluent_words(batch) * sizeof *p->bits);
  alea_mem_free(&batch->mem, p->requests, count * sizeof *p->requests);
  alea_mem_free(&batch->mem, p->results, count * sizeof *p->results);
  alea_mem_free(&batch->mem, p->sums, count * 2 * roles * sizeof *p->sums);
  *p = (batch_playouts){0};
}

void alea_batch_free(alea_batch *batch) {
  if (batch == NULL) return;
  release(batch);
  alea_stepper_free(batch->stepper);
  alea_sampler_free(batch->sampler);
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

void alea_batch_reset(alea_batch *batch, const uint8_t *which) {
  alea_stepper_reset(batch->stepper, which);
}

size_t alea_batch_playing(const alea_batch *batch) { return alea_stepper_playing(batch->stepper); }

const uint64_t *alea_batch_planes(const alea_batch *batch) {
  return alea_stepper_planes(batch->stepper);
}

alea_status alea_batch_load(alea_batch *batch, size_t first, size_t count,
                            const uint64_t *fluent_bits) {
  return alea_stepper_load(batch->stepper, first, count, fluent_bits);
}

/* ---- playouts ---- */

static bool allocate(alea_batch *batch) {
  batch_playouts *p = &batch->playouts;
  size_t count = batch->count, roles = batch->net->role_count;
  p->flags = alea_mem_calloc(&batch->mem, count, 1);
  p->bits = alea_mem_calloc(&batch->mem, count, alea_batch_fluent_words(batch) * sizeof *p->bits);
  p->requests = alea_mem_calloc(&batch->mem, count, sizeof *p->requests);
  p->results = alea_mem_calloc(&batch->mem, count, sizeof *p->results);
  p->sums = alea_mem_calloc(&batch->mem, count, 2 * roles * sizeof *p->sums);
  return p->flags != NULL && p->bits != NULL && p->requests != NULL && p->results != NULL &&
         p->sums != NULL;
}

/* Buffers and sampler, for the first playouts. */
static alea_status make_playouts(alea_batch *batch) {
  batch_playouts *p = &batch->playouts;
  size_t words = alea_batch_fluent_words(batch), roles = batch->net->role_count;
  alea_status status = allocate(batch) ? ALEA_OK : alea_mem_lack(&batch->mem);
  if (status == ALEA_OK)
    status = alea_lanes_sampler_new_shared(&batch->sampler, batch->rules->lanes, NULL,
                                           ~batch->options.seed, &batch->mem);
  if (status != ALEA_OK) {
    release(batch);
    return status;
  }
  for (size_t i = 0; i < batch->count; i++) {
    p->requests[i] = (alea_sample_request){.words = p->bits + i * words, .word_count = words};
    p->results[i] = (alea_sample_result){.sum = p->sums + 2 * roles * i,
                                         .sum_squares = p->sums + 2 * roles * i + roles};
  }
  return ALEA_OK;
}

alea_status alea_batch_playout(alea_batch *batch, float *goals, uint64_t *steps) {
  const batch_playouts *p = &batch->playouts;
  size_t roles = batch->net->role_count;
  uint64_t made = 0;
  alea_sample_options options = {.step_cap = batch->options.steps};
  alea_status status = batch->sampler == NULL ? make_playouts(batch) : ALEA_OK;
  if (status == ALEA_OK) {
    alea_batch_arrays out = {.size = sizeof out, .flags = p->flags, .fluent_bits = p->bits};
    alea_stepper_look(batch->stepper, &out);
    for (size_t i = 0; i < batch->count; i++) p->requests[i].playouts = p->flags[i] == 0;
    status = alea_sampler_run(batch->sampler, p->requests, batch->count, &options, p->results);
  }
  for (size_t i = 0; status == ALEA_OK && i < batch->count; i++) {
    made += p->results[i].states;
    for (size_t r = 0; r < roles; r++)
      goals[i * roles + r] = p->results[i].playouts > 0 ? (float)p->results[i].sum[r] : -1;
  }
  if (steps != NULL) *steps = made;
  return status;
}
