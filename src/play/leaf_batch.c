/* Leaves that are played out together. */
#include "play/leaf_batch.h"

#include <assert.h>
#include <string.h>

enum { LEAST_ROUNDS = 128 }; /* batches, where playouts are limited */

void alea_leaf_batch_init(alea_leaf_batch *batch, const alea_player_setup *setup) {
  *batch = (alea_leaf_batch){.mem = setup->mem, .role_count = setup->game->role_count};
}

alea_status alea_leaf_batch_open(alea_leaf_batch *batch, const alea_player_setup *setup,
                                 alea_rng *rng) {
  uint64_t seed = alea_rng_next(rng);
  alea_status status =
      setup->sampler != NULL
          ? setup->sampler(setup->sampler_context, seed, batch->mem, &batch->sampler)
          : alea_sampler_new_plain(&batch->sampler, setup->game, seed, batch->mem);
  if (status == ALEA_OK) batch->many = strcmp(batch->sampler->class->engine, "plain") != 0;
  return status;
}

alea_status alea_leaf_batch_open_plain(alea_leaf_batch *batch, const alea_player_setup *setup,
                                       alea_rng *rng) {
  return alea_sampler_new_plain(&batch->sampler, setup->game, alea_rng_next(rng), batch->mem);
}

void alea_leaf_batch_share(alea_leaf_batch *batch, const alea_leaf_batch *other, uint32_t slot) {
  assert(other->slot == 0 && slot > 0 && slot < ALEA_SAMPLE_SLOTS);
  *batch = (alea_leaf_batch){.mem = other->mem, .role_count = other->role_count, .slot = slot};
  batch->sampler = other->sampler;
  batch->many = other->many;
}

alea_batch_size alea_leaf_batch_fit(alea_batch_size wanted, uint64_t limit, uint64_t left) {
  alea_batch_size size = wanted;
  uint64_t share = limit / LEAST_ROUNDS;
  if (share < (uint64_t)size.leaves * size.playouts) {
    while (size.playouts > 1 && (uint64_t)size.playouts * size.playouts > share) size.playouts /= 2;
    uint64_t leaves = share / size.playouts; /* more than fit where few playouts are left */
    if (leaves < size.leaves) size.leaves = (uint32_t)leaves;
  }
  if (left < size.playouts) size.playouts = left > 0 ? (uint32_t)left : 1;
  if (left / size.playouts < size.leaves) size.leaves = (uint32_t)(left / size.playouts);
  if (size.leaves == 0) size.leaves = 1;
  return size;
}

alea_status alea_leaf_batch_reserve(alea_leaf_batch *batch, uint32_t capacity) {
  uint32_t roles = batch->role_count;
  assert(batch->capacity == 0);
  batch->capacity = capacity;
  batch->requests = alea_mem_calloc(batch->mem, capacity, sizeof *batch->requests);
  batch->results = alea_mem_calloc(batch->mem, capacity, sizeof *batch->results);
  batch->sums = alea_mem_calloc(batch->mem, (size_t)capacity * 2 * roles, sizeof *batch->sums);
  if (batch->requests == NULL || batch->results == NULL || batch->sums == NULL)
    return alea_mem_lack(batch->mem);
  for (uint32_t i = 0; i < capacity; i++) {
    batch->results[i].sum = batch->sums + (size_t)i * 2 * roles;
    batch->results[i].sum_squares = batch->results[i].sum + roles;
  }
  return ALEA_OK;
}

void alea_leaf_batch_clear(alea_leaf_batch *batch) {
  if (batch->mem == NULL) return;
  size_t sums = (size_t)batch->capacity * 2 * batch->role_count;
  if (batch->slot == 0) alea_sampler_free(batch->sampler);
  alea_mem_free(batch->mem, batch->requests, batch->capacity * sizeof *batch->requests);
  alea_mem_free(batch->mem, batch->results, batch->capacity * sizeof *batch->results);
  alea_mem_free(batch->mem, batch->sums, sums * sizeof *batch->sums);
}

void alea_leaf_batch_add(alea_leaf_batch *batch, const uint64_t *words, size_t word_count,
                         uint32_t playouts) {
  assert(batch->count < batch->capacity);
  batch->requests[batch->count++] = (alea_sample_request){words, word_count, playouts};
}

alea_status alea_leaf_batch_run(alea_leaf_batch *batch, const alea_sample_options *options) {
  if (batch->count == 0) return ALEA_OK;
  return alea_sampler_run(batch->sampler, batch->requests, batch->count, options, batch->results);
}

alea_status alea_leaf_batch_start(alea_leaf_batch *batch, const alea_sample_options *options) {
  if (batch->count == 0) return ALEA_OK;
  return alea_sampler_start(batch->sampler, batch->slot, batch->requests, batch->count, options,
                            batch->results, &batch->in_flight);
}

alea_status alea_leaf_batch_finish(alea_leaf_batch *batch) {
  if (!batch->in_flight) return ALEA_OK;
  batch->in_flight = false;
  return alea_sampler_finish(batch->sampler, batch->slot);
}

uint64_t alea_leaf_batch_rewards(const alea_leaf_batch *batch, uint32_t leaf, float *rewards) {
  const alea_sample_result *result = &batch->results[leaf];
  uint64_t games = result->playouts + result->unfinished;
  for (uint32_t r = 0; r < batch->role_count; r++)
    rewards[r] = games > 0 ? (float)(result->sum[r] / (double)games / 100) : 0;
  return games;
}
