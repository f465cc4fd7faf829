/* The plain sampler: one playout after the other with a cursor. */
#include "game/sampler.h"

#include <string.h>

#include "base/clock.h"
#include "game/playout.h"

typedef struct plain {
  alea_sampler sampler; /* first: a plain is an alea_sampler */
  alea_mem *mem;
  alea_cursor *cursor;
  alea_rng rng;
  alea_move *joint;
} plain;

static plain *plain_of(alea_sampler *sampler) { return (plain *)(void *)sampler; }

static void plain_free(alea_sampler *sampler) {
  plain *p = plain_of(sampler);
  alea_mem *mem = p->mem;
  alea_cursor_free(p->cursor);
  alea_mem_free(mem, p->joint, sampler->game->role_count * sizeof *p->joint);
  alea_mem_free(mem, p, sizeof *p);
}

static alea_status go_to(plain *p, const uint64_t *words, size_t count) {
  return words != NULL ? alea_cursor_load(p->cursor, words, count) : alea_cursor_reset(p->cursor);
}

static alea_status add_goals(plain *p, alea_sample_result *result) {
  for (uint32_t r = 0; r < p->sampler.game->role_count; r++) {
    int goal;
    alea_status status = alea_cursor_goal(p->cursor, r, &goal);
    if (status != ALEA_OK) return status;
    if (goal < 0) continue; /* no goal counts as 0 */
    result->sum[r] += goal;
    result->sum_squares[r] += (double)goal * goal;
  }
  return ALEA_OK;
}

static alea_status one_game(plain *p, const alea_sample_request *request, uint32_t step_cap,
                            alea_sample_result *result) {
  alea_playout playout;
  alea_status status = go_to(p, request->words, request->word_count);
  if (status == ALEA_OK) status = alea_playout_run(p->cursor, &p->rng, step_cap, &playout);
  if (status != ALEA_OK) return status;
  result->states += playout.steps;
  if (!playout.finished) {
    result->unfinished++;
    return ALEA_OK;
  }
  result->playouts++;
  return add_goals(p, result);
}

static alea_status plain_run(alea_sampler *sampler, const alea_sample_request *requests,
                             size_t count, const alea_sample_options *options,
                             alea_sample_result *results) {
  plain *p = plain_of(sampler);
  uint32_t step_cap = options != NULL ? options->step_cap : 0;
  double seconds = options != NULL ? options->seconds : 0;
  double start = alea_clock_thread();
  for (size_t i = 0; i < count; i++) {
    alea_sample_result *result = &results[i];
    *result = (alea_sample_result){.sum = result->sum, .sum_squares = result->sum_squares};
    memset(result->sum, 0, sampler->game->role_count * sizeof *result->sum);
    memset(result->sum_squares, 0, sampler->game->role_count * sizeof *result->sum_squares);
  }
  for (size_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < requests[i].playouts; k++) {
      if (seconds > 0 && alea_clock_thread() - start >= seconds) return ALEA_OK;
      alea_status status = one_game(p, &requests[i], step_cap, &results[i]);
      if (status != ALEA_OK) return status;
    }
  }
  return ALEA_OK;
}

static alea_status look(plain *p, bool *terminal, int *goals) {
  alea_status status = alea_cursor_terminal(p->cursor, terminal);
  for (uint32_t r = 0; r < p->sampler.game->role_count && status == ALEA_OK; r++)
    status = alea_cursor_goal(p->cursor, r, &goals[r]);
  return status;
}

static alea_status plain_expand(alea_sampler *sampler, const uint64_t *words, size_t word_count,
                                uint32_t role, const alea_move *moves, size_t move_count,
                                const alea_move *others, bool *terminal, int *goals) {
  plain *p = plain_of(sampler);
  uint32_t roles = sampler->game->role_count;
  for (uint32_t r = 0; r < roles; r++)
    if (r != role) p->joint[r] = others[r];
  for (size_t i = 0; i < move_count; i++) {
    alea_status status = go_to(p, words, word_count);
    p->joint[role] = moves[i];
    if (status == ALEA_OK) status = alea_cursor_play(p->cursor, p->joint);
    if (status == ALEA_OK) status = look(p, &terminal[i], goals + i * roles);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

static const alea_sampler_class plain_class = {
    .engine = "plain", .free = plain_free, .run = plain_run, .expand = plain_expand};

alea_status alea_sampler_new_plain(alea_sampler **sampler, const alea_game *game, uint64_t seed,
                                   alea_mem *mem) {
  *sampler = NULL;
  plain *p = alea_mem_zalloc(mem, sizeof *p);
  if (p == NULL) return mem->hit_limit ? ALEA_LIMIT : ALEA_SYSTEM;
  p->sampler = (alea_sampler){&plain_class, game};
  p->mem = mem;
  alea_rng_seed(&p->rng, seed);
  p->joint = alea_mem_calloc(mem, game->role_count, sizeof *p->joint);
  alea_status status = mem->hit_limit ? ALEA_LIMIT : ALEA_SYSTEM;
  if (p->joint != NULL) status = alea_cursor_new(game, mem, &p->cursor);
  if (status != ALEA_OK) {
    plain_free(&p->sampler);
    return status;
  }
  *sampler = &p->sampler;
  return ALEA_OK;
}
