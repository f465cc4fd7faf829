/* Engines under lack of memory. */
#include "support/starve.h"

#include <string.h>

#include "cmocka_all.h"
#include "game/sampler.h"
#include "support/random_gdl.h"

/* Makes a game and plays some; whatever fails, nothing may leak or crash.  The
 * sum of all goals is stored in 'total'. */
static alea_status use_game(make_game *make, const alea_text *sheet, alea_mem *mem, double *total) {
  alea_program *program = NULL;
  alea_game *game = NULL;
  alea_sampler *sampler = NULL;
  double sum[4], squares[4];
  alea_sample_result result = {.sum = sum, .sum_squares = squares};
  alea_sample_request request = {.playouts = 10};
  alea_sample_options options = {.step_cap = 6};
  alea_status status =
      alea_program_new(&program, sheet->data, sheet->length, "sheet", NULL, mem, NULL);
  if (status == ALEA_OK) status = make(&game, program, mem, NULL);
  if (status == ALEA_OK) status = alea_sampler_new_plain(&sampler, game, 1, mem);
  if (status == ALEA_OK) status = alea_sampler_run(sampler, &request, 1, &options, &result);
  *total = (double)(status == ALEA_OK ? result.states : 0);
  for (uint32_t r = 0; status == ALEA_OK && r < game->role_count; r++) *total += sum[r];
  alea_sampler_free(sampler);
  alea_game_free(game);
  return status;
}

static void make_sheet(alea_text *sheet, alea_mem *mem, uint64_t seed) {
  alea_mem_init(mem, 0);
  alea_text_init(sheet, mem);
  random_gdl(sheet, seed, false);
}

void starve_every_allocation(make_game *make) {
  for (uint64_t seed = 1; seed <= 4; seed++) {
    alea_mem own, mem;
    alea_text sheet;
    make_sheet(&sheet, &own, seed);
    bool failed = true;
    double expected, total;
    alea_mem_init(&mem, 0);
    assert_int_equal(use_game(make, &sheet, &mem, &expected), ALEA_OK);
    for (uint64_t n = 1; failed; n++) {
      alea_mem_init(&mem, 0);
      mem.fail_in = n;
      alea_status status = use_game(make, &sheet, &mem, &total);
      assert_int_equal(mem.used, 0);
      failed = mem.fail_in == 0; /* otherwise there was no n-th allocation */
      assert_true(status == ALEA_OK || (failed && status == ALEA_SYSTEM));
      if (status == ALEA_OK) assert_true(total == expected); /* the failure was handled */
    }
    alea_text_clear(&sheet);
  }
}

void starve_by_limits(make_game *make) {
  alea_mem own, mem;
  alea_text sheet;
  double total;
  make_sheet(&sheet, &own, 5);
  for (size_t limit = 1000; limit < 4000000; limit += limit / 3) {
    alea_mem_init(&mem, limit);
    alea_status status = use_game(make, &sheet, &mem, &total);
    assert_int_equal(mem.used, 0);
    assert_true(mem.peak <= limit);
    assert_true(status == ALEA_OK || (status == ALEA_LIMIT && mem.hit_limit));
  }
  alea_text_clear(&sheet);
}
