/* Players without memory: every failing allocation, and bounds. */
#include <string.h>

#include "cmocka_all.h"
#include "play/tree.h"
#include "support/match_run.h"

/* One select and observe with every player's own memory under 'mem'. */
static alea_status use_player(const alea_opened *opened, const char *text, alea_mem *mem,
                              uint64_t sims, alea_player_stats *stats) {
  alea_player *player = NULL;
  alea_cursor *cursor = NULL;
  alea_mem own;
  alea_mem_init(&own, 0);
  alea_player_setup setup = {.game = opened->game, .role = 0, .seed = 1, .mem = mem};
  setup.services = opened->services;
  alea_text message;
  alea_text_init(&message, &own);
  alea_budget budget = {.sims = sims};
  alea_move joint[3] = {0};
  alea_status status = alea_player_new(&player, text, &setup, &message);
  assert_int_equal(alea_cursor_new(opened->game, &own, &cursor), ALEA_OK);
  for (int step = 0; status == ALEA_OK && step < 2; step++) {
    for (uint32_t r = 0; r < opened->game->role_count; r++) {
      alea_list legal;
      assert_int_equal(alea_cursor_legal(cursor, r, &legal), ALEA_OK);
      joint[r] = legal.ids[0];
    }
    status = alea_player_select(player, &budget, &joint[0]);
    if (status != ALEA_OK) break;
    assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
    alea_observation seen = {.own = joint[0], .joint = opened->game->has_sees ? NULL : joint};
    if (opened->game->has_sees)
      assert_int_equal(alea_cursor_percepts(cursor, 0, &seen.percepts), ALEA_OK);
    status = alea_player_observe(player, &seen);
  }
  if (stats != NULL && player != NULL) *stats = player->stats;
  alea_player_free(player);
  alea_cursor_free(cursor);
  alea_text_clear(&message);
  assert_int_equal(own.used, 0);
  return status;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  static const char *const players[] = {"random",
                                        "legal",
                                        "mc:particles=4",
                                        "uct:playouts=2,particles=4",
                                        "uct:belief=csp,particles=4",
                                        "uct:belief=paper,particles=4",
                                        "grave:ref=1,particles=4",
                                        "grave:ref=1,playouts=2,batch=2,particles=4",
                                        "cfr:particles=4",
                                        "cfr:small=5",
                                        "alea:playout=nst,pick=mixed,ref=2,particles=4",
                                        "alea:hidden=beliefs,particles=4",
                                        "alea:playout=batch,batch=4",
                                        "alea:playout=batch,batch=4,threads=3",
                                        "mac-ucb:batch=4,particles=4",
                                        "mac-ucb:descent=line,batch=2,particles=4",
                                        "mac-ucb-sym:batch=4,images=8,particles=4",
                                        "fc-ucb:batch=4,particles=4",
                                        "ab:plays=4,particles=4,memory=64K",
                                        "sancho-like:plays=4,particles=4",
                                        "sancho-like:plays=4,batch=2,particles=4"};
  static const char *const games[] = {"tictactoe", "monty-hall", "lights-out"};
  for (size_t g = 0; g < 3; g++) {
    alea_opened opened;
    open_game(&opened, games[g]);
    for (size_t i = 0; i < sizeof players / sizeof *players; i++) {
      /* In a game of one role it is the planner that matters. */
      if (g == 2 && strcmp(players[i], "alea:playout=batch,batch=4") != 0) continue;
      bool failed = true;
      /* All of the first, then ever fewer: there are thousands. */
      for (uint64_t n = 1; failed; n += 1 + n / (g == 2 ? 3 : 40)) {
        alea_mem mem;
        alea_mem_init(&mem, 0);
        mem.fail_in = n;
        alea_status status = use_player(&opened, players[i], &mem, g == 2 ? 2 : 20, NULL);
        assert_int_equal(mem.used, 0);
        failed = mem.fail_in == 0;
        assert_true(status == ALEA_OK || (failed && status == ALEA_SYSTEM));
      }
    }
    alea_opened_clear(&opened);
  }
}

/* With little memory a search goes on with what fits. */
static void bounds_are_kept(void **state) {
  (void)state;
  static const char *const players[] = {
      "uct:memory=100K",          "grave:memory=100K",          "alea:memory=100K",
      "cfr:memory=100K,small=10", "alea:memory=100K,threads=2", "mac-ucb:memory=100K",
      "mac-ucb-sym:memory=100K"};
  static const char *const games[] = {"breakthrough", "monty-hall"};
  for (size_t g = 0; g < 2; g++) {
    alea_opened opened;
    open_game(&opened, games[g]);
    for (size_t i = 0; i < sizeof players / sizeof *players; i++) {
      alea_mem mem;
      alea_player_stats stats;
      alea_mem_init(&mem, 0);
      assert_int_equal(use_player(&opened, players[i], &mem, 3000, &stats), ALEA_OK);
      assert_int_equal(mem.used, 0);
      if (g == 0) assert_true(stats.full > 0);
      /* Cursors, samplers, tables of moves and the stack of one simulation
       * come on top of the tree's own bytes. */
      assert_true(mem.peak < 3 << 20);
      assert_true(stats.sims >= 3000);
    }
    alea_opened_clear(&opened);
  }
}

/* A search that fails keeps no pointer to the time manager of its caller, and
 * the player chooses a move once there is memory again.  Says whether it
 * failed. */
static bool fail_and_go_on(const alea_opened *opened, const char *text, uint64_t n) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text message;
  alea_text_init(&message, &mem);
  alea_player_setup setup = {.game = opened->game, .role = 0, .seed = 1, .mem = &mem};
  alea_player *player = NULL;
  assert_int_equal(alea_player_new(&player, text, &setup, &message), ALEA_OK);
  const alea_tree *tree = (const alea_tree *)(const void *)player;
  alea_budget budget = {.sims = 40};
  alea_move move = ALEA_NO_MOVE;
  mem.fail_in = n;
  alea_status status = alea_player_select(player, &budget, &move);
  bool failed = mem.fail_in == 0;
  assert_true(status == ALEA_OK || (failed && status == ALEA_SYSTEM));
  mem.fail_in = 0;
  assert_null(tree->search.time_manager);
  assert_null(tree->search.rollout.time_manager);
  assert_null(tree->sets.rollout.time_manager);
  uint64_t before = player->stats.sims;
  assert_int_equal(alea_player_select(player, &budget, &move), ALEA_OK);
  assert_true(move != ALEA_NO_MOVE && player->stats.sims > before);
  alea_player_free(player);
  alea_text_clear(&message);
  assert_int_equal(mem.used, 0);
  return failed;
}

static void failed_searches_go_on(void **state) {
  (void)state;
  static const char *const players[] = {"uct:particles=4", "uct:playouts=4,batch=4,particles=4",
                                        "alea:playout=batch,batch=4,endgame=0,particles=4"};
  static const char *const games[] = {"tictactoe", "blind-tictactoe"};
  for (size_t g = 0; g < 2; g++) {
    alea_opened opened;
    open_game(&opened, games[g]);
    for (size_t i = 0; i < sizeof players / sizeof *players; i++)
      for (uint64_t n = 1; fail_and_go_on(&opened, players[i], n); n += 1 + n / 40) continue;
    alea_opened_clear(&opened);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(bounds_are_kept),
      cmocka_unit_test(failed_searches_go_on),
  };
  return cmocka_run_group_tests_name("play_memory", tests, NULL, NULL);
}
