/* Games against itself and trials on several threads, against the same one after the other by
 * hand. */
#include <string.h>

#include "base/hash.h"
#include "cmocka_all.h"
#include "learning/self_games.h"
#include "learning/trial_pairs.h"
#include "minimax/piece_eval.h"
#include "support/match_run.h"

enum { SEED = 5, SIMS = 10, TABLE = 1 << 16, MOST_TOLD = 1 << 14, WORDS = 4 };

typedef struct desk {
  alea_opened opened;
  alea_mem mem;
  alea_player_setup setup;
  alea_cursor *cursor;
  alea_rng rng;
  alea_linear_eval eval, plain;
  atomic_bool stop;
  alea_budget budget;
  alea_eval_clock clock;
  alea_self_games games;
} desk;

static void begin(desk *d, const char *game) {
  memset(d, 0, sizeof *d);
  open_game(&d->opened, game);
  alea_mem_init(&d->mem, 0);
  alea_rng_seed(&d->rng, 3);
  d->setup =
      (alea_player_setup){.game = d->opened.game, .services = d->opened.services, .mem = &d->mem};
  assert_int_equal(alea_cursor_new(d->opened.game, &d->mem, &d->cursor), ALEA_OK);
  assert_int_equal(alea_linear_eval_init(&d->eval, d->opened.game, 0, &d->mem), ALEA_OK);
  assert_int_equal(alea_linear_eval_init(&d->plain, d->opened.game, 0, &d->mem), ALEA_OK);
  assert_int_equal(alea_piece_eval(&d->eval, d->cursor, &d->rng), ALEA_OK);
  assert_int_equal(alea_linear_eval_finish(&d->plain, d->cursor, &d->rng), ALEA_OK);
  d->eval.shares = d->plain.shares = true;
  assert_true(d->eval.word_count <= WORDS);
  d->budget.stop = &d->stop;
  d->clock = (alea_eval_clock){.budget = &d->budget, .mem = &d->mem, .share = 1};
  d->games = (alea_self_games){.setup = &d->setup,
                               .eval = &d->eval,
                               .clock = &d->clock,
                               .seed = SEED,
                               .sims = SIMS,
                               .table = TABLE};
}

static void end(desk *d) {
  alea_self_games_clear(&d->games);
  alea_linear_eval_clear(&d->eval);
  alea_linear_eval_clear(&d->plain);
  alea_cursor_free(d->cursor);
  assert_int_equal(d->mem.used, 0);
  alea_opened_clear(&d->opened);
}

/* ---- games ---- */

typedef struct told {
  size_t words, count; /* of a position, and positions */
  uint64_t word[MOST_TOLD * WORDS];
  double value[MOST_TOLD];
} told;

static alea_status hear(void *context, const alea_opinion *opinion) {
  told *t = context;
  assert_true(t->count < MOST_TOLD);
  memcpy(t->word + t->count * t->words, opinion->words, t->words * sizeof *t->word);
  t->value[t->count++] = opinion->value;
  return ALEA_OK;
}

static bool never(void *context) {
  (void)context;
  return false;
}

/* What a batch tells, game by game, until there is enough. */
static void tell_by_hand(desk *d, uint64_t first, uint64_t most, uint64_t *calm, uint64_t *trades,
                         told *t) {
  uint64_t calm_before = *calm, trades_before = *trades;
  t->words = d->eval.word_count;
  t->count = 0;
  for (uint64_t i = first; i < first + ALEA_SELF_GAMES_BATCH && t->count < most; i++) {
    alea_rng rng;
    alea_rng_seed(&rng, alea_hash_mix(SEED ^ alea_hash_mix(i)));
    alea_self_play play = {.setup = &d->setup,
                           .eval = &d->eval,
                           .cursor = d->cursor,
                           .rng = &rng,
                           .sims = SIMS,
                           .hear = hear,
                           .over = never,
                           .context = t,
                           .calm = calm_before,
                           .trades = trades_before};
    assert_int_equal(alea_alpha_beta_new(&play.search, &d->setup, &d->eval, TABLE), ALEA_OK);
    assert_int_equal(alea_self_play_game(&play), ALEA_OK);
    alea_alpha_beta_free(play.search);
    *calm += play.calm - calm_before;
    *trades += play.trades - trades_before;
  }
}

static told by_hand;

static void games_are_told_in_order(void **state) {
  (void)state;
  static const char *const games[] = {"breakthrough", "hex"};
  for (size_t k = 0; k < 2; k++) {
    for (uint32_t threads = 1; threads <= 5; threads += 2) {
      desk d;
      begin(&d, games[k]);
      d.games.threads = threads;
      uint64_t calm = 0, trades = 0;
      for (uint64_t batch = 0; batch < 2; batch++) {
        uint64_t most = batch == 0 ? UINT64_MAX : 100;
        assert_int_equal(alea_self_games_next(&d.games, most), ALEA_OK);
        tell_by_hand(&d, batch * ALEA_SELF_GAMES_BATCH, most, &calm, &trades, &by_hand);
        assert_true(by_hand.count >= 100);
        assert_int_equal(d.games.value.count, by_hand.count);
        assert_int_equal(d.games.words.count, by_hand.count * by_hand.words);
        assert_memory_equal(d.games.value.data, by_hand.value, by_hand.count * sizeof(double));
        assert_memory_equal(d.games.words.data, by_hand.word,
                            by_hand.count * by_hand.words * sizeof(uint64_t));
        assert_true(d.games.calm == calm && d.games.trades == trades);
      }
      end(&d);
    }
  }
}

static void no_game_is_begun_when_it_is_over(void **state) {
  (void)state;
  desk d;
  begin(&d, "breakthrough");
  d.games.threads = 2;
  atomic_store(&d.stop, true);
  assert_int_equal(alea_self_games_next(&d.games, 100), ALEA_OK);
  assert_int_equal(d.games.value.count, 0);
  end(&d);
}

/* ---- trials ---- */

enum { PAIRS = 6, PAIR_SEED = 9 };

static alea_eval_trial new_trial(desk *d, alea_rng *rng) {
  return (alea_eval_trial){.setup = &d->setup,
                           .evals = {&d->eval, &d->plain},
                           .pairs = PAIRS,
                           .sims = SIMS,
                           .least = SIMS,
                           .positions = UINT64_MAX,
                           .rng = rng};
}

/* A pair by itself. */
static alea_eval_trial pair_by_hand(desk *d, uint32_t index) {
  alea_rng rng;
  alea_rng_seed(&rng, alea_hash_mix(PAIR_SEED ^ alea_hash_mix(index)));
  alea_eval_trial trial = new_trial(d, &rng);
  trial.pairs = 1;
  assert_int_equal(alea_eval_trial_run(&trial), ALEA_OK);
  return trial;
}

/* Those count that begin while there are positions left. */
static void pairs_are_added_up(void **state) {
  (void)state;
  desk d;
  begin(&d, "english-draughts");
  double won[PAIRS + 1] = {0};
  uint64_t met[PAIRS + 1] = {0};
  for (uint32_t i = 0; i < PAIRS; i++) {
    alea_eval_trial one = pair_by_hand(&d, i);
    assert_int_equal(one.games, 2);
    assert_true(one.met > 0);
    won[i + 1] = won[i] + one.won;
    met[i + 1] = met[i] + one.met;
  }
  for (uint32_t threads = 1; threads <= 4; threads += 3) {
    alea_eval_trial trial = new_trial(&d, NULL);
    assert_int_equal(alea_trial_pairs_run(&trial, PAIR_SEED, threads), ALEA_OK);
    assert_int_equal(trial.games, 2 * PAIRS);
    assert_true(trial.won == won[PAIRS] && trial.met == met[PAIRS]);
    trial.positions = met[4] - 1; /* enough for each pair, and for the first four */
    assert_int_equal(alea_trial_pairs_run(&trial, PAIR_SEED, threads), ALEA_OK);
    assert_int_equal(trial.games, 8);
    assert_true(trial.won == won[4]);
  }
  end(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(games_are_told_in_order),
      cmocka_unit_test(no_game_is_begun_when_it_is_over),
      cmocka_unit_test(pairs_are_added_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
