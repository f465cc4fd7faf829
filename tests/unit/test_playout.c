/* Playouts, perft and the plain sampler, on games of the prover. */
#include <string.h>

#include "cmocka_all.h"
#include "game/playout.h"
#include "game/sampler.h"
#include "support/load.h"
#include "support/make_engine.h"

/* Two players name a number at once, three times, and win if they ever agree. */
static const char guess[] =
    "(role a) (role b) (init (round 0))\n"
    "(after 0 1) (after 1 2) (after 2 3) (number 1) (number 2)\n"
    "(<= (legal ?r (name ?n)) (role ?r) (number ?n))\n"
    "(<= (next (round ?y)) (true (round ?x)) (after ?x ?y))\n"
    "(<= (next (agreed ?x)) (true (round ?x)) (does a (name ?n)) (does b (name ?n)))\n"
    "(<= (next (agreed ?x)) (true (agreed ?x)))\n"
    "(<= terminal (true (round 3)))\n"
    "(<= (goal ?r 100) (role ?r) (true (agreed ?x)))\n"
    "(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))\n";

static alea_game *load(const char *sheet, alea_mem *mem) {
  alea_game *game;
  alea_mem_init(mem, 0);
  assert_int_equal(load_text(sheet, strlen(sheet), "sheet", make_prover, mem, &game), ALEA_OK);
  return game;
}

static void counts_sequences(void **state) {
  (void)state;
  alea_mem mem;
  alea_game *game = load(guess, &mem);
  alea_cursor *cursor;
  assert_int_equal(alea_cursor_new(game, &mem, &cursor), ALEA_OK);
  uint64_t hash = alea_cursor_hash(cursor), counts[5];
  assert_int_equal(alea_perft(cursor, 5, NULL, counts, &mem), ALEA_OK);
  const uint64_t expected[5] = {4, 16, 64, 0, 0};
  for (int i = 0; i < 5; i++) assert_int_equal(counts[i], expected[i]);
  assert_int_equal(alea_cursor_hash(cursor), hash);
  atomic_bool stop = true;
  alea_deadline passed = {.stop = &stop};
  assert_int_equal(alea_perft(cursor, 3, &passed, counts, &mem), ALEA_LIMIT);
  assert_int_equal(alea_perft(cursor, 0, NULL, NULL, &mem), ALEA_OK);
  alea_cursor_free(cursor);
  alea_game_free(game);
  assert_int_equal(mem.used, 0);
}

static void plays_to_the_end_or_the_cap(void **state) {
  (void)state;
  alea_mem mem;
  alea_game *game = load(guess, &mem);
  alea_cursor *cursor;
  assert_int_equal(alea_cursor_new(game, &mem, &cursor), ALEA_OK);
  alea_rng rng;
  alea_rng_seed(&rng, 1);
  alea_playout result;
  assert_int_equal(alea_playout_run(cursor, &rng, 2, &result), ALEA_OK);
  assert_int_equal(result.steps, 2);
  assert_false(result.finished);
  assert_int_equal(alea_playout_run(cursor, &rng, 0, &result), ALEA_OK);
  assert_int_equal(result.steps, 1);
  assert_true(result.finished);
  alea_cursor_free(cursor);
  alea_game_free(game);

  game = load("(role a) (role b) (init f) (legal a x) (goal a 0)", &mem);
  assert_int_equal(alea_cursor_new(game, &mem, &cursor), ALEA_OK);
  assert_int_equal(alea_playout_run(cursor, &rng, 0, &result), ALEA_OK);
  assert_int_equal(result.steps, 0); /* b has no move */
  assert_false(result.finished);
  alea_cursor_free(cursor);
  alea_game_free(game);
  assert_int_equal(mem.used, 0);
}

static void samples_add_up(void **state) {
  (void)state;
  alea_mem mem;
  alea_game *game = load(guess, &mem);
  alea_sampler *sampler;
  assert_int_equal(alea_sampler_new_plain(&sampler, game, 7, &mem), ALEA_OK);
  double sum[2][2], squares[2][2];
  alea_sample_result results[2] = {{.sum = sum[0], .sum_squares = squares[0]},
                                   {.sum = sum[1], .sum_squares = squares[1]}};
  alea_sample_request requests[2] = {{.playouts = 2000}, {.playouts = 10}};
  assert_int_equal(alea_sampler_run(sampler, requests, 2, NULL, results), ALEA_OK);
  assert_int_equal(results[0].playouts, 2000);
  assert_int_equal(results[0].states, 6000);
  assert_int_equal(results[1].playouts, 10);
  /* Agreeing at least once in three rounds: 7 of 8; five standard deviations. */
  assert_true(sum[0][0] > 100 * (1750 - 75) && sum[0][0] < 100 * (1750 + 75));
  assert_true(sum[0][0] == sum[0][1] && squares[0][0] == 100 * sum[0][0]);
  alea_sample_options capped = {.step_cap = 2};
  assert_int_equal(alea_sampler_run(sampler, requests, 1, &capped, results), ALEA_OK);
  assert_int_equal(results[0].unfinished, 2000);
  assert_int_equal(results[0].playouts, 0);
  alea_sampler_free(sampler);
  alea_game_free(game);
  assert_int_equal(mem.used, 0);
}

static void expands_successors(void **state) {
  (void)state;
  alea_mem mem;
  alea_game *game = load(guess, &mem);
  alea_sampler *sampler;
  alea_cursor *cursor;
  assert_int_equal(alea_sampler_new_plain(&sampler, game, 7, &mem), ALEA_OK);
  assert_int_equal(alea_cursor_new(game, &mem, &cursor), ALEA_OK);
  alea_move one[2] = {alea_game_move_find(game, 0, "(name 1)"),
                      alea_game_move_find(game, 1, "(name 1)")};
  alea_move both[2] = {one[0], alea_game_move_find(game, 0, "(name 2)")};
  alea_move differ[2] = {both[1], one[1]};
  for (int i = 0; i < 2; i++) assert_int_equal(alea_cursor_play(cursor, differ), ALEA_OK);
  size_t count;
  const uint64_t *words = alea_cursor_state(cursor, &count);
  bool terminal[2];
  int goals[4];
  assert_int_equal(alea_sampler_expand(sampler, words, count, 0, both, 2, one, terminal, goals),
                   ALEA_OK);
  assert_true(terminal[0] && terminal[1]);
  assert_int_equal(goals[0], 100);
  assert_int_equal(goals[1], 100);
  assert_int_equal(goals[2], 0);
  alea_cursor_free(cursor);
  alea_sampler_free(sampler);
  alea_game_free(game);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_sequences),
      cmocka_unit_test(plays_to_the_end_or_the_cap),
      cmocka_unit_test(samples_add_up),
      cmocka_unit_test(expands_successors),
  };
  return cmocka_run_group_tests_name("playout", tests, NULL, NULL);
}
