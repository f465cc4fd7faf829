/* Games on a device that is none (tests/fake_cuda), for the network of an evaluation: they teach
 * it, the same twice, and where there is no device nothing is changed and it is said why. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "learning/td_device.h"
#include "support/match_run.h"
#include "support/own_cache.h"

enum { POSITIONS = 10000 };

typedef struct desk {
  alea_opened opened;
  alea_mem mem;
  alea_rng rng;
  alea_linear_eval eval;
  alea_fluent_symmetry symmetry;
  alea_network_fit fit;
  float *before;
  atomic_bool stop;
  alea_budget budget;
  alea_eval_clock clock;
  alea_eval_device device;
  alea_td_device_games games;
} desk;

static void begin(desk *d, const char *game) {
  memset(d, 0, sizeof *d);
  open_game(&d->opened, game);
  alea_mem_init(&d->mem, 0);
  alea_rng_seed_stream(&d->rng, 3, 0);
  assert_int_equal(alea_linear_eval_init(&d->eval, d->opened.game, 0, &d->mem), ALEA_OK);
  d->eval.shares = true;
  assert_int_equal(alea_fluent_symmetry_find(&d->symmetry, d->opened.game, d->opened.services, true,
                                             NULL, &d->mem),
                   ALEA_OK);
  assert_int_equal(alea_network_fit_init(&d->fit, &d->symmetry, &d->rng, &d->mem), ALEA_OK);
  d->before = calloc(d->fit.parameter_count, sizeof *d->before);
  memcpy(d->before, d->fit.parameters, d->fit.parameter_count * sizeof *d->before);
  d->budget.stop = &d->stop;
  d->clock = (alea_eval_clock){.budget = &d->budget, .mem = &d->mem, .share = 1};
  d->games = (alea_td_device_games){.eval = &d->eval,
                                    .fit = &d->fit,
                                    .clock = &d->clock,
                                    .device = &d->device,
                                    .seed = 11,
                                    .positions = POSITIONS};
}

static void end(desk *d) {
  free(d->before);
  alea_network_fit_clear(&d->fit);
  alea_fluent_symmetry_clear(&d->symmetry);
  alea_linear_eval_clear(&d->eval);
  assert_int_equal(d->mem.used, 0);
  alea_opened_clear(&d->opened);
}

static bool is_unchanged(const desk *d) {
  size_t bytes = d->fit.parameter_count * sizeof *d->before;
  return memcmp(d->before, d->fit.parameters, bytes) == 0;
}

typedef struct told {
  size_t positions;
  bool good;
} told;

static alea_status hear(void *context, const uint64_t *words, float target) {
  told *t = context;
  int pieces = __builtin_popcountll(words[0]) + __builtin_popcountll(words[1]);
  t->positions++;
  t->good = t->good && target >= 0 && target <= 1 && pieces > 2 && pieces <= 33;
  return ALEA_OK;
}

static void teaches(void **state) {
  (void)state;
  desk d[2];
  for (int k = 0; k < 2; k++) {
    begin(&d[k], "breakthrough");
    assert_non_null(alea_fluent_symmetry_exchange(&d[k].symmetry));
    told heard = {.good = true};
    d[k].games.hear = hear;
    d[k].games.context = &heard;
    assert_int_equal(alea_td_device_learn(&d[k].games), ALEA_OK);
    assert_true(heard.good && heard.positions > 1000 && heard.positions <= 1 << 14);
    assert_string_equal(d[k].device.why, "");
    assert_true(d[k].games.positions >= POSITIONS);
    assert_false(is_unchanged(&d[k]));
    for (size_t i = 0; i < d[k].fit.parameter_count; i++)
      assert_true(isfinite(d[k].fit.parameters[i]));
  }
  assert_memory_equal(d[0].fit.parameters, d[1].fit.parameters,
                      d[0].fit.parameter_count * sizeof(float));
  for (int k = 0; k < 2; k++) end(&d[k]);
}

static void says_why_not(void **state) {
  (void)state;
  desk d;
  begin(&d, "breakthrough");
  setenv("FAKE_CUDA_FAILS", "init", 1);
  assert_int_equal(alea_td_device_learn(&d.games), ALEA_UNSUPPORTED);
  assert_true(d.device.why[0] != '\0' && is_unchanged(&d));
  setenv("FAKE_CUDA_FAILS", "launch", 1);
  assert_int_equal(alea_td_device_learn(&d.games), ALEA_SYSTEM);
  assert_true(d.device.why[0] != '\0' && is_unchanged(&d));
  unsetenv("FAKE_CUDA_FAILS");
  d.eval.patterns.live = true;
  assert_int_equal(alea_td_device_learn(&d.games), ALEA_UNSUPPORTED);
  assert_true(d.device.why[0] != '\0' && is_unchanged(&d));
  end(&d);
}

/* Who is told to stop has played nothing. */
static void stops(void **state) {
  (void)state;
  desk d;
  begin(&d, "breakthrough");
  atomic_store(&d.stop, true);
  assert_int_equal(alea_td_device_learn(&d.games), ALEA_OK);
  assert_int_equal(d.games.positions, 0);
  assert_true(is_unchanged(&d));
  end(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(teaches), cmocka_unit_test(says_why_not),
                                     cmocka_unit_test(stops)};
  return cmocka_run_group_tests(tests, make_own_cache, remove_own_cache);
}
