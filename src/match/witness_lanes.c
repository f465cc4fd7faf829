/* Who wins in some random play: hundreds of plays at once tell soon, and the
 * clauses need not be asked.
 *
 * Lanes keep no record of plays that end without a result, so this search finds
 * no witnesses by itself. */
#include "match/witness_finder.h"
#include "propnet/lanes.h"

/* Long plays are left to the other searches. */
enum { STEP_CAP = 1000 };

static bool all_won(const witness_finder *f) {
  for (uint32_t role = 0; role < f->game->role_count; role++)
    if (witness_is_player(f, role) && !f->won[role]) return false;
  return true;
}

static void hear(void *context, uint32_t request, const alea_played *moves, size_t count,
                 const uint8_t *goals) {
  witness_finder *f = context;
  (void)request, (void)moves, (void)count;
  for (uint32_t role = 0; role < f->game->role_count; role++)
    if (goals[role] == 100) f->won[role] = true;
}

static bool is_over(void *context) {
  const witness_finder *f = context;
  return all_won(f) || alea_deadline_passed(f->limits->deadline);
}

alea_status witness_search_lanes(witness_finder *f) {
  if (f->net == NULL || f->limits->playouts == 0 || all_won(f)) return ALEA_OK;
  uint32_t roles = f->game->role_count;
  alea_sampler *sampler = NULL;
  double *sums = alea_mem_calloc(f->mem, 2 * (size_t)roles, sizeof *sums);
  alea_status status = sums != NULL
                           ? alea_lanes_sampler_new(&sampler, f->game, f->limits->seed, f->mem)
                           : ALEA_SYSTEM;
  alea_sample_request request = {.playouts = f->limits->playouts};
  alea_sample_listener listener = {f, hear};
  alea_sample_options options = {
      .step_cap = STEP_CAP, .listener = &listener, .over = is_over, .over_context = f};
  alea_sample_result result = {.sum = sums, .sum_squares = sums + roles};
  if (status == ALEA_OK) status = alea_sampler_run(sampler, &request, 1, &options, &result);
  alea_sampler_free(sampler);
  alea_mem_free(f->mem, sums, sums != NULL ? 2 * roles * sizeof *sums : 0);
  return status;
}
