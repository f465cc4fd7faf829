/* What is told of games that minimax plays against itself. */
#include "cmocka_all.h"
#include "learning/self_play.h"
#include "minimax/piece_eval.h"
#include "support/match_run.h"

enum { GAMES = 12, TABLE = 1 << 16 };

typedef struct listener {
  alea_opened opened;
  alea_mem mem;
  alea_player_setup setup;
  alea_linear_eval eval;
  alea_alpha_beta *search;
  alea_cursor *cursor, *witness;
  alea_rng rng;
  alea_self_play play;
  uint64_t sum; /* of all that was told */
  uint32_t told, aside, asked, most;
} listener;

static bool is_enough(void *context) {
  listener *l = context;
  return l->asked++ >= l->most;
}

/* Somebody has a choice at each position, and its value is open. */
static alea_status hear(void *context, const alea_opinion *opinion) {
  listener *l = context;
  bool over;
  alea_list legal[2];
  assert_true(opinion->value > 0 && opinion->value < 100);
  assert_int_equal(alea_cursor_load(l->witness, opinion->words, l->eval.word_count), ALEA_OK);
  assert_int_equal(alea_cursor_terminal(l->witness, &over), ALEA_OK);
  for (uint32_t r = 0; r < 2; r++)
    assert_int_equal(alea_cursor_legal(l->witness, r, &legal[r]), ALEA_OK);
  assert_true(!over && (legal[0].count > 1 || legal[1].count > 1));
  l->told++;
  l->aside += opinion->aside;
  l->sum = l->sum * 31 + alea_cursor_hash(l->witness) + (uint64_t)(1e6 * opinion->value);
  return ALEA_OK;
}

static void begin(listener *l, const char *game, uint64_t seed) {
  *l = (listener){.most = UINT32_MAX};
  open_game(&l->opened, game);
  alea_mem_init(&l->mem, 0);
  l->setup = (alea_player_setup){
      .game = l->opened.game, .services = l->opened.services, .seed = seed, .mem = &l->mem};
  alea_rng_seed_stream(&l->rng, seed, 0);
  assert_int_equal(alea_cursor_new(l->opened.game, &l->mem, &l->cursor), ALEA_OK);
  assert_int_equal(alea_cursor_new(l->opened.game, &l->mem, &l->witness), ALEA_OK);
  assert_int_equal(alea_linear_eval_init(&l->eval, l->opened.game, 0, &l->mem), ALEA_OK);
  assert_int_equal(alea_piece_eval(&l->eval, l->cursor, &l->rng), ALEA_OK);
  assert_int_equal(alea_alpha_beta_new(&l->search, &l->setup, &l->eval, TABLE), ALEA_OK);
  l->play = (alea_self_play){.setup = &l->setup,
                             .search = l->search,
                             .eval = &l->eval,
                             .cursor = l->cursor,
                             .rng = &l->rng,
                             .sims = 10,
                             .hear = hear,
                             .over = is_enough,
                             .context = l};
}

static void end(listener *l) {
  alea_alpha_beta_free(l->search);
  alea_linear_eval_clear(&l->eval);
  alea_cursor_free(l->cursor);
  alea_cursor_free(l->witness);
  assert_int_equal(l->mem.used, 0);
  alea_opened_clear(&l->opened);
}

static void listen(listener *l, const char *game, uint64_t seed) {
  begin(l, game, seed);
  for (int i = 0; i < GAMES; i++) assert_int_equal(alea_self_play_game(&l->play), ALEA_OK);
  end(l);
}

/* About half of the positions are none of the game, and takes are found where there are some. */
static void open_positions_are_told(void **state) {
  (void)state;
  listener l;
  listen(&l, "breakthrough", 1);
  assert_true(l.told > 100);
  assert_true(4 * l.aside > l.told && 4 * l.aside < 3 * l.told);
  assert_true(l.play.trades > 0 && l.play.calm == l.told);
}

/* Where a stone is set every time, that is nothing unusual. */
static void nothing_is_unusual_where_all_moves_set_a_stone(void **state) {
  (void)state;
  listener l;
  listen(&l, "hex", 1);
  assert_true(l.told > 100 && l.play.calm == 0);
}

static void a_seed_gives_the_same_opinions(void **state) {
  (void)state;
  listener one, two, other;
  listen(&one, "breakthrough", 3);
  listen(&two, "breakthrough", 3);
  listen(&other, "breakthrough", 4);
  assert_true(one.told == two.told && one.sum == two.sum && one.sum != other.sum);
}

static void it_ends_when_it_is_over(void **state) {
  (void)state;
  listener l;
  begin(&l, "breakthrough", 1);
  l.most = 20;
  assert_int_equal(alea_self_play_game(&l.play), ALEA_OK);
  assert_int_equal(l.asked, 21);
  assert_true(l.told > 0 && l.told <= 20);
  end(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(open_positions_are_told),
      cmocka_unit_test(nothing_is_unusual_where_all_moves_set_a_stone),
      cmocka_unit_test(a_seed_gives_the_same_opinions),
      cmocka_unit_test(it_ends_when_it_is_over),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
