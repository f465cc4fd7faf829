/* Games between evaluations: who counts pieces beats who counts nothing, and where a clock runs
 * enough games fit into it, however large the searches may be. */
#include "cmocka_all.h"
#include "learning/eval_trial.h"
#include "minimax/alpha_beta.h"
#include "minimax/piece_eval.h"
#include "support/match_run.h"

typedef struct table {
  alea_opened opened;
  alea_mem mem;
  alea_rng rng;
  alea_cursor *cursor;
  alea_player_setup setup;
  alea_linear_eval counting, plain;
  alea_budget budget;
  alea_eval_clock clock;
} table;

static void lay(table *t, const char *game) {
  open_game(&t->opened, game);
  alea_mem_init(&t->mem, 0);
  alea_rng_seed(&t->rng, 7);
  t->setup = (alea_player_setup){.game = t->opened.game, .mem = &t->mem, .seed = 3};
  assert_int_equal(alea_cursor_new(t->opened.game, &t->mem, &t->cursor), ALEA_OK);
  assert_int_equal(alea_linear_eval_init(&t->counting, t->opened.game, 0, &t->mem), ALEA_OK);
  assert_int_equal(alea_linear_eval_init(&t->plain, t->opened.game, 0, &t->mem), ALEA_OK);
  t->counting.shares = t->plain.shares = true;
  assert_int_equal(alea_piece_eval(&t->counting, t->cursor, &t->rng), ALEA_OK);
  assert_int_equal(alea_linear_eval_finish(&t->plain, t->cursor, &t->rng), ALEA_OK);
}

static void clear(table *t) {
  alea_linear_eval_clear(&t->counting);
  alea_linear_eval_clear(&t->plain);
  alea_cursor_free(t->cursor);
  assert_int_equal(t->mem.used, 0);
  alea_opened_clear(&t->opened);
}

static alea_eval_trial new_trial(table *t, uint32_t pairs, uint32_t sims) {
  return (alea_eval_trial){.setup = &t->setup,
                           .evals = {&t->counting, &t->plain},
                           .pairs = pairs,
                           .sims = sims,
                           .least = 4,
                           .positions = UINT64_MAX,
                           .rng = &t->rng};
}

static void pieces_win(void **state) {
  (void)state;
  table t;
  lay(&t, "english-draughts");
  alea_eval_trial trial = new_trial(&t, 6, 20);
  assert_int_equal(alea_eval_trial_run(&trial), ALEA_OK);
  assert_int_equal(trial.games, 12);
  assert_true(alea_eval_trial_won(&trial));
  assert_false(alea_eval_trial_lost(&trial));
  clear(&t);
}

/* A single move of so many positions would take longer. */
static void games_fit_into_the_time(void **state) {
  (void)state;
  table t;
  lay(&t, "breakthrough");
  t.budget = (alea_budget){.clock = ALEA_CLOCK_CPU, .seconds = 2};
  t.clock = (alea_eval_clock){.budget = &t.budget, .mem = &t.mem, .seconds = 2, .share = 1};
  t.clock.start = alea_budget_now(&t.budget);
  alea_eval_trial trial = new_trial(&t, 1000, 1000000);
  trial.clock = &t.clock;
  assert_int_equal(alea_eval_trial_run(&trial), ALEA_OK);
  assert_true(trial.games >= 4);
  assert_true(alea_eval_clock_over(&t.clock));
  clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_win),
      cmocka_unit_test(games_fit_into_the_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
