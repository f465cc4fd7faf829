/* Players of the MAC-UCB family propagate constraints by default, in every game
 * of which a network can be made; where none can, the analysis says so.
 *
 * Environment: ALEA_FULL=1 tries all games that ship. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "encode/services.h"
#include "play/player.h"
#include "support/match_run.h"

/* A move by few simulations: the counters, and what the analysis notes. */
static alea_player_stats move_once(const alea_opened *opened, struct alea_services *services,
                                   const char *text, const char **note) {
  alea_mem mem;
  alea_text message;
  alea_player *player;
  alea_move move;
  alea_analysis analysis;
  alea_mem_init(&mem, 0);
  alea_text_init(&message, &mem);
  uint32_t role = opened->game->random_role == 0;
  alea_player_setup setup = {
      .game = opened->game, .role = role, .seed = 1, .mem = &mem, .services = services};
  assert_int_equal(alea_player_new(&player, text, &setup, &message), ALEA_OK);
  alea_budget budget = {.sims = 16};
  assert_int_equal(alea_player_select(player, &budget, &move), ALEA_OK);
  alea_player_analyse(player, &analysis);
  *note = analysis.note;
  alea_player_stats stats = player->stats;
  alea_player_free(player);
  alea_text_clear(&message);
  assert_int_equal(mem.used, 0);
  return stats;
}

static void check_game(const char *name) {
  alea_opened opened;
  const char *note;
  const alea_template *t;
  open_game(&opened, name);
  bool has = opened.services != NULL &&
             alea_services_template(opened.services, ALEA_ENCODER_GROUND, NULL, &t) == ALEA_OK;
  alea_player_stats stats = move_once(&opened, opened.services, "mac-ucb", &note);
  print_message("%s: %llu stages, %llu by constraints%s%s\n", name,
                (unsigned long long)stats.solved, (unsigned long long)stats.constrained,
                note != NULL ? ": " : "", note != NULL ? note : "");
  /* nothing to decide, nothing solved */
  assert_true(stats.solved == stats.constrained || note != NULL);
  assert_true(has || note != NULL || stats.solved == 0);
  if (has && note != NULL) assert_non_null(strstr(note, "did not fit"));
  alea_opened_clear(&opened);
}

static void used_by_default(void **state) {
  (void)state;
  static const char *const few[] = {"tictactoe", "connect-four", "breakthrough", "blind-tictactoe",
                                    "rock-paper-scissors"};
  if (getenv("ALEA_FULL") == NULL) {
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) check_game(few[i]);
    return;
  }
  glob_t all;
  assert_int_equal(glob(ALEA_SOURCE_DIR "/games/*.kif", 0, NULL, &all), 0);
  assert_true(all.gl_pathc > 60);
  for (size_t i = 0; i < all.gl_pathc; i++) check_game(all.gl_pathv[i]);
  globfree(&all);
}

static void fallback_is_said(void **state) {
  (void)state;
  alea_opened opened;
  const char *note;
  open_game(&opened, "tictactoe");
  alea_player_stats stats = move_once(&opened, NULL, "mac-ucb", &note);
  assert_true(stats.solved > 0 && stats.constrained == 0);
  assert_non_null(note);
  assert_non_null(strstr(note, "no ground rules"));
  stats = move_once(&opened, opened.services, "mac-ucb:prop=net", &note);
  assert_true(stats.solved > 0 && stats.constrained == 0);
  assert_null(note); /* as asked for */
  stats = move_once(&opened, opened.services, "mac-ucb", &note);
  assert_true(stats.solved > 0 && stats.constrained == stats.solved);
  assert_null(note);
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(used_by_default),
                                     cmocka_unit_test(fallback_is_said)};
  return cmocka_run_group_tests_name("mac_constraints", tests, NULL, NULL);
}
