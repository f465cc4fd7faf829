/* MAC-UCB where things are hidden: nobody is clairvoyant, and stages, symmetries,
 * thresholds and shares of effort are at work (D52). */
#include <stdlib.h>

#include "cmocka_all.h"
#include "support/match_run.h"

/* Thinks for role 0 after so many steps, in which all others play at random. */
static void think(const char *game, const char *text, uint32_t steps, uint64_t sims,
                  alea_player_stats *stats, double *value) {
  alea_opened opened;
  alea_mem mem;
  alea_text message;
  alea_player *player;
  alea_cursor *cursor;
  alea_rng rng;
  alea_analysis analysis;
  alea_move joint[8];
  open_game(&opened, game);
  alea_mem_init(&mem, 0);
  alea_text_init(&message, &mem);
  alea_rng_seed(&rng, 3);
  alea_player_setup setup = {
      .game = opened.game, .seed = 1, .mem = &mem, .services = opened.services};
  assert_int_equal(alea_player_new(&player, text, &setup, &message), ALEA_OK);
  assert_int_equal(alea_cursor_new(opened.game, &mem, &cursor), ALEA_OK);
  for (uint32_t step = 0;; step++) {
    alea_budget budget = {.sims = step == steps ? sims : 1};
    assert_int_equal(alea_player_select(player, &budget, &joint[0]), ALEA_OK);
    if (step == steps) break;
    alea_list list;
    for (uint32_t r = 1; r < opened.game->role_count; r++) {
      assert_int_equal(alea_cursor_legal(cursor, r, &list), ALEA_OK);
      joint[r] = list.ids[alea_rng_below(&rng, list.count)];
    }
    assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
    assert_int_equal(alea_cursor_percepts(cursor, 0, &list), ALEA_OK);
    alea_observation seen = {.own = joint[0], .percepts = list};
    assert_int_equal(alea_player_observe(player, &seen), ALEA_OK);
  }
  alea_player_analyse(player, &analysis);
  *value = analysis.value;
  *stats = player->stats;
  alea_player_free(player);
  alea_cursor_free(cursor);
  alea_text_clear(&message);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

/* One who saw the die would say 100, one who does not 100 / 6; 300 particles
 * leave a few percent of doubt. */
static void nobody_sees_the_die(void **state) {
  (void)state;
  static const char *const players[] = {"mac-ucb",
                                        "mac-ucb-75",
                                        "mac-ucb-sym",
                                        "fc-ucb",
                                        "mac-ucb:descent=line,pulls=50",
                                        "mac-ucb:cache=off",
                                        "mac-ucb:batch=8,playouts=2",
                                        "uct",
                                        "grave",
                                        "sancho-like"};
  for (size_t i = 0; i < sizeof players / sizeof *players; i++) {
    alea_player_stats stats;
    double value;
    think("guess-dice", players[i], 1, 3000, &stats, &value);
    if (value < 12 || value > 28) fail_msg("%s: %.1f", players[i], value);
  }
}

static alea_player_stats stats_of(const char *game, const char *text, uint32_t steps,
                                  uint64_t sims) {
  alea_player_stats stats;
  double value;
  think(game, text, steps, sims, &stats, &value);
  return stats;
}

static void stages_are_shared(void **state) {
  (void)state;
  alea_player_stats with = stats_of("mastermind", "mac-ucb-sym", 1, 500);
  alea_player_stats without = stats_of("mastermind", "mac-ucb-sym:sym=off", 1, 500);
  assert_true(with.symmetry_hits > 0);
  assert_int_equal(without.symmetry_hits, 0);
  assert_true(with.solved < without.solved);
}

static void thresholds_prune(void **state) {
  (void)state;
  assert_true(stats_of("mastermind", "mac-ucb:pulls=100", 3, 2000).pruned > 0);
  assert_int_equal(stats_of("mastermind", "mac-ucb:pulls=100,theta=off", 3, 2000).pruned, 0);
}

/* Of a game too large to be solved, solving gets its share, in thousandths. */
static void effort_is_shared(void **state) {
  (void)state;
  static const struct {
    const char *player;
    int share;
  } cases[] = {{"mac-ucb", 900}, {"mac-ucb-75", 750}, {"fc-ucb", 900}, {"mac-ucb:rho=0.2", 200}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int share = (int)stats_of("latent-tictactoe", cases[i].player, 0, 300).solving;
    if (abs(share - cases[i].share) > 40) fail_msg("%s: %d", cases[i].player, share);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nobody_sees_the_die), cmocka_unit_test(stages_are_shared),
      cmocka_unit_test(thresholds_prune), cmocka_unit_test(effort_is_shared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
