/* Samplers of lanes of either width; and whether lanes are faster than the
 * plain sampler for a game: measured, not guessed. */
#include "base/clock.h"
#include "propnet/lanes_compile.h"

static alea_lanes_sampler_maker *maker_of(const alea_lanes *lanes) {
  return lanes->width == ALEA_LANES_NARROW ? alea_lanes128_sampler_new : alea_lanes512_sampler_new;
}

alea_status alea_lanes_sampler_new_shared(alea_sampler **sampler, const alea_lanes *lanes,
                                          const alea_game *game, uint64_t seed, alea_mem *mem) {
  return maker_of(lanes)(sampler, lanes, NULL, game, seed, mem);
}

alea_status alea_lanes_sampler_new(alea_sampler **sampler, const alea_game *game, uint64_t seed,
                                   alea_mem *mem) {
  *sampler = NULL;
  const alea_net *net = alea_net_of_game(game);
  if (net == NULL) return ALEA_USAGE;
  alea_lanes *lanes;
  alea_status status = alea_lanes_new(&lanes, net, ALEA_LANES_WIDE, mem);
  if (status != ALEA_OK) return status;
  status = maker_of(lanes)(sampler, lanes, lanes, game, seed, mem);
  if (status != ALEA_OK) alea_lanes_free(lanes);
  return status;
}

/* ---- which is faster ---- */

/* Games are cut after a few steps, more at each attempt: a single step of all
 * lanes may take milliseconds in a large game, a whole one seconds. */
enum { FIRST_CAP = 4, LAST_CAP = 1 << 14 };

/* States per CPU second of 'sampler', in about 'seconds'. */
static alea_status measure(alea_sampler *sampler, uint32_t playouts, double seconds, alea_mem *mem,
                           double *speed) {
  size_t roles = sampler->game->role_count;
  double *sums = alea_mem_calloc(mem, 2 * roles, sizeof *sums);
  if (sums == NULL) return alea_mem_lack(mem);
  alea_sample_request request = {.playouts = playouts};
  alea_sample_result result = {.sum = sums, .sum_squares = sums + roles};
  alea_status status = ALEA_OK;
  double start = alea_clock_thread(), begun = start, spent = 0;
  for (uint32_t cap = FIRST_CAP; status == ALEA_OK && cap <= LAST_CAP; cap *= 2) {
    alea_sample_options options = {.step_cap = cap};
    begun = alea_clock_thread();
    status = alea_sampler_run(sampler, &request, 1, &options, &result);
    spent = alea_clock_thread() - begun;
    *speed = spent > 0 ? (double)result.states / spent : 0;
    if (begun + 3 * spent > start + seconds) break; /* the next one takes twice as long */
  }
  alea_mem_free(mem, sums, 2 * roles * sizeof *sums);
  return status;
}

alea_status alea_lanes_choose(alea_sampler **sampler, const alea_game *game, uint64_t seed,
                              double seconds, alea_lanes_choice *why, alea_mem *mem) {
  alea_lanes_choice choice = {0};
  alea_sampler *lanes = NULL, *plain = NULL;
  alea_status status = alea_sampler_new_plain(&plain, game, seed, mem);
  if (status == ALEA_OK && alea_net_of_game(game) != NULL) {
    status = alea_lanes_sampler_new(&lanes, game, seed, mem);
    if (status == ALEA_LIMIT) status = ALEA_OK;
  }
  if (status == ALEA_OK && lanes != NULL) {
    status = measure(lanes, ALEA_LANES_WIDE, seconds / 2, mem, &choice.lanes);
    if (status == ALEA_OK) status = measure(plain, 1, seconds / 2, mem, &choice.plain);
    choice.chosen = choice.lanes > choice.plain;
  }
  alea_sampler *kept = status != ALEA_OK ? NULL : choice.chosen ? lanes : plain;
  if (kept != lanes) alea_sampler_free(lanes);
  if (kept != plain) alea_sampler_free(plain);
  *sampler = kept;
  if (why != NULL) *why = choice;
  return status;
}
