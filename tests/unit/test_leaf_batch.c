/* A batch of leaves: the means are those of the sampler alone, and a batch can be
 * used again. */
#include "cmocka_all.h"
#include "play/leaf_batch.h"
#include "support/match_run.h"

enum { LEAVES = 3, ROLES = 2, PLAYOUTS = 40 };

static void means_are_the_samplers(void **state) {
  (void)state;
  alea_opened opened;
  alea_mem mem;
  alea_leaf_batch batch;
  alea_cursor *cursor;
  alea_sampler *sampler;
  alea_rng rng, same;
  size_t words;
  open_game(&opened, "tictactoe");
  alea_mem_init(&mem, 0);
  alea_rng_seed(&rng, 5);
  alea_rng_seed(&same, 5);
  alea_player_setup setup = {.game = opened.game, .mem = &mem};
  alea_leaf_batch_init(&batch, &setup);
  assert_int_equal(alea_leaf_batch_open(&batch, &setup, &rng), ALEA_OK);
  assert_false(batch.many);
  assert_int_equal(alea_leaf_batch_reserve(&batch, LEAVES), ALEA_OK);
  assert_int_equal(alea_sampler_new_plain(&sampler, opened.game, alea_rng_next(&same), &mem),
                   ALEA_OK);
  assert_int_equal(alea_cursor_new(opened.game, &mem, &cursor), ALEA_OK);
  const uint64_t *position = alea_cursor_state(cursor, &words);
  for (uint32_t round = 0; round < 2; round++) {
    alea_sample_request requests[LEAVES];
    double sums[LEAVES][ROLES], squares[LEAVES][ROLES];
    alea_sample_result results[LEAVES];
    alea_leaf_batch_begin(&batch);
    for (uint32_t i = 0; i < LEAVES; i++) {
      requests[i] = (alea_sample_request){position, words, PLAYOUTS + i};
      results[i] = (alea_sample_result){.sum = sums[i], .sum_squares = squares[i]};
      alea_leaf_batch_add(&batch, position, words, PLAYOUTS + i);
    }
    assert_int_equal(alea_leaf_batch_run(&batch, NULL), ALEA_OK);
    assert_int_equal(alea_sampler_run(sampler, requests, LEAVES, NULL, results), ALEA_OK);
    for (uint32_t i = 0; i < LEAVES; i++) {
      float rewards[ROLES];
      assert_int_equal(alea_leaf_batch_rewards(&batch, i, rewards), PLAYOUTS + i);
      for (uint32_t r = 0; r < ROLES; r++)
        assert_true(rewards[r] == (float)(sums[i][r] / (PLAYOUTS + i) / 100));
    }
  }
  alea_leaf_batch_begin(&batch);
  assert_int_equal(alea_leaf_batch_run(&batch, NULL), ALEA_OK); /* nothing waits */
  alea_sampler_free(sampler);
  alea_cursor_free(cursor);
  alea_leaf_batch_clear(&batch);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

/* A batch has no more playouts than are left, and small limits get small batches. */
static void sizes_fit(void **state) {
  (void)state;
  for (uint32_t leaves = 1; leaves <= 64; leaves *= 4)
    for (uint32_t playouts = 1; playouts <= 9; playouts += 4)
      for (uint64_t limit = 1; limit < 100000; limit = limit * 3 + 1) {
        alea_batch_size size =
            alea_leaf_batch_fit((alea_batch_size){leaves, playouts}, limit, limit);
        assert_in_range(size.leaves, 1, leaves);
        assert_in_range(size.playouts, 1, playouts);
        uint64_t all = (uint64_t)size.leaves * size.playouts;
        assert_true(size.leaves == 1 || all <= limit / 128);
        assert_true(all <= limit);
      }
  alea_batch_size full = alea_leaf_batch_fit((alea_batch_size){64, 4}, UINT64_MAX, UINT64_MAX);
  assert_int_equal(full.leaves, 64);
  assert_int_equal(full.playouts, 4);
  assert_int_equal(alea_leaf_batch_fit((alea_batch_size){64, 4}, 100000, 10).leaves, 2);
  alea_batch_size last = alea_leaf_batch_fit((alea_batch_size){64, 4}, 100000, 3);
  assert_int_equal(last.leaves, 1);
  assert_int_equal(last.playouts, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(means_are_the_samplers),
                                     cmocka_unit_test(sizes_fit)};
  return cmocka_run_group_tests_name("leaf_batch", tests, NULL, NULL);
}
