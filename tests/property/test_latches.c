/* Goal latches: whatever is played, the reward at the end lies within what the
 * latches said on the way. */
#include <stdlib.h>

#include "cmocka_all.h"
#include "encode/services.h"
#include "ground/latches.h"
#include "support/match_run.h"

/* Tokens are picked up and never lost; how many decides. */
static const char collect[] =
    "(role a) (token 1) (token 2) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)\n"
    "(<= (legal a (take ?t)) (token ?t) (not (true (has ?t)))) (legal a pass)\n"
    "(<= (next (has ?t)) (true (has ?t))) (<= (next (has ?t)) (does a (take ?t)))\n"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 4)))\n"
    "(<= some (true (has ?t))) (<= both (true (has 1)) (true (has 2)))\n"
    "(<= (goal a 100) both) (<= (goal a 50) some (not both)) (<= (goal a 0) (not some))\n";

typedef struct tally {
  uint64_t narrowed; /* positions of which something was known before the end */
} tally;

/* One random play: bounds only tighten, and the end lies within. */
static void check_play(const alea_game *game, const alea_latches *latches, alea_cursor *cursor,
                       alea_rng *rng, tally *told) {
  int lo[64], hi[64];
  alea_move joint[64];
  bool terminal = false;
  for (uint32_t r = 0; r < game->role_count; r++) lo[r] = 0, hi[r] = 100;
  assert_int_equal(alea_cursor_reset(cursor), ALEA_OK);
  for (int step = 0; step < 200 && !terminal; step++) {
    assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
    for (uint32_t r = 0; r < game->role_count; r++) {
      int goal, low, high;
      assert_int_equal(alea_cursor_goal(cursor, r, &goal), ALEA_OK);
      if (terminal && (int)r != game->random_role)
        assert_true((goal < 0 ? 0 : goal) >= lo[r] && (goal < 0 ? 0 : goal) <= hi[r]);
      if (terminal) continue;
      told->narrowed += alea_latches_bounds(latches, r, goal, &low, &high);
      if (low > lo[r]) lo[r] = low;
      if (high < hi[r]) hi[r] = high;
      alea_list legal;
      assert_int_equal(alea_cursor_legal(cursor, r, &legal), ALEA_OK);
      if (legal.count == 0) return;
      joint[r] = legal.ids[alea_rng_below(rng, legal.count)];
    }
    if (!terminal) assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
  }
}

static void check_game(const alea_opened *opened, const alea_ground *ground, tally *told) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_latches latches;
  alea_cursor *cursor;
  alea_rng rng;
  alea_rng_seed(&rng, 11);
  assert_int_equal(alea_latches_init(&latches, ground, &mem), ALEA_OK);
  assert_int_equal(alea_cursor_new(opened->game, &mem, &cursor), ALEA_OK);
  for (int play = 0; play < 10; play++) check_play(opened->game, &latches, cursor, &rng, told);
  alea_cursor_free(cursor);
  alea_latches_clear(&latches);
  assert_int_equal(mem.used, 0);
}

static void shipped_games_keep_their_word(void **state) {
  (void)state;
  static const char *const games[] = {"tictactoe",  "connect-four", "breakthrough", "hex",
                                      "pacman",     "orchard",      "nim",          "kaseklau",
                                      "lights-out", "yahtzee",      "majorities",   "bomberman"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    alea_opened opened;
    const alea_ground *ground;
    tally told = {0};
    open_game(&opened, games[i]);
    assert_int_equal(alea_services_ground(opened.services, false, NULL, &ground), ALEA_OK);
    check_game(&opened, ground, &told);
    alea_opened_clear(&opened);
  }
}

static void what_is_held_stays(void **state) {
  (void)state;
  alea_opened opened;
  tally told = {0};
  open_sheet(&opened, collect);
  alea_ground *ground;
  assert_int_equal(alea_ground_new(&ground, opened.program, NULL, &opened.mem, NULL), ALEA_OK);
  check_game(&opened, ground, &told);
  assert_true(told.narrowed > 0);
  alea_latches latches;
  int lo, hi;
  assert_int_equal(alea_latches_init(&latches, ground, &opened.mem), ALEA_OK);
  assert_true(alea_latches_bounds(&latches, 0, 100, &lo, &hi));
  assert_int_equal(lo, 100); /* both: cannot be lost any more */
  assert_false(alea_latches_bounds(&latches, 0, 0, &lo, &hi));
  alea_latches_clear(&latches);
  alea_ground_free(ground);
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shipped_games_keep_their_word),
      cmocka_unit_test(what_is_held_stays),
  };
  return cmocka_run_group_tests_name("latches", tests, NULL, NULL);
}
