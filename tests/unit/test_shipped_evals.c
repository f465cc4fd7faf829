/* Evaluations that ship: each is for the game of its name, and other games have none. */
#include "cmocka_all.h"
#include "minimax/eval_file.h"
#include "minimax/shipped_evals.h"
#include "support/match_run.h"

/* Reads the evaluation of a role; whether there is one. */
static bool read_for(alea_linear_eval *eval, const alea_opened *opened, uint32_t role,
                     alea_mem *mem) {
  bool found;
  assert_int_equal(alea_linear_eval_init(eval, opened->game, role, mem), ALEA_OK);
  assert_int_equal(alea_shipped_eval_read(eval, &found), ALEA_OK);
  assert_int_equal(eval->role, role);
  return found;
}

/* Something is worth something, and what one of two gains the other loses. */
static void they_fit_their_games(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  assert_true(alea_shipped_eval_count > 0);
  for (size_t i = 0; i < alea_shipped_eval_count; i++) {
    alea_opened opened;
    alea_linear_eval evals[2];
    open_game(&opened, alea_shipped_evals[i].name);
    for (uint32_t r = 0; r < 2; r++) assert_true(read_for(&evals[r], &opened, r, &mem));
    size_t count, worth = 0;
    alea_cursor *cursor;
    assert_int_equal(alea_cursor_new(opened.game, &mem, &cursor), ALEA_OK);
    const uint64_t *words = alea_cursor_state(cursor, &count);
    bool two = opened.game->role_count == 2;
    if (two)
      assert_int_equal(alea_linear_eval_score(&evals[0], words),
                       -alea_linear_eval_score(&evals[1], words));
    alea_cursor_free(cursor);
    for (uint32_t f = 0; f < evals[0].features.fluent_count; f++) worth += evals[0].scores[f] != 0;
    assert_true(worth > 0 || evals[0].patterns.live);
    assert_true(evals[0].plays > 0 && evals[0].shares == two);
    for (uint32_t r = 0; r < 2; r++) alea_linear_eval_clear(&evals[r]);
    alea_opened_clear(&opened);
  }
  assert_int_equal(mem.used, 0);
}

static void other_games_have_none(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  static const char *const games[] = {"tictactoe", "pentago"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    alea_opened opened;
    alea_linear_eval eval;
    open_game(&opened, games[i]);
    assert_false(read_for(&eval, &opened, 0, &mem));
    alea_linear_eval_clear(&eval);
    alea_opened_clear(&opened);
  }
}

/* Rules that differ only in what is won are other rules. */
static void who_wins_is_part_of_the_rules(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  static const char *const games[] = {"breakthrough", "breakthrough-suicide"};
  uint64_t fingerprints[2];
  for (size_t i = 0; i < 2; i++) {
    alea_opened opened;
    open_game(&opened, games[i]);
    assert_int_equal(alea_eval_fingerprint(opened.game, &mem, &fingerprints[i]), ALEA_OK);
    alea_opened_clear(&opened);
  }
  assert_true(fingerprints[0] != fingerprints[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(they_fit_their_games),
      cmocka_unit_test(other_games_have_none),
      cmocka_unit_test(who_wins_is_part_of_the_rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
