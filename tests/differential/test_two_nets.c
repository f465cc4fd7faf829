/* Cursors and lanes may play two networks of one game: positions as words and
 * moves as numbers must mean the same in both, for players hand them over. */
#include <string.h>

#include "cmocka_all.h"
#include "match/open.h"
#include "match/shipped.h"
#include "support/least.h"

enum { LEAST_GAMES = 10 };

/* Returns how many positions were compared. */
static unsigned compare(const alea_game *one, const alea_game *two, uint64_t seed) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_cursor *a, *b;
  alea_move joint[8];
  alea_rng rng;
  alea_rng_seed(&rng, seed);
  assert_int_equal(alea_cursor_new(one, &mem, &a), ALEA_OK);
  assert_int_equal(alea_cursor_new(two, &mem, &b), ALEA_OK);
  unsigned positions = 0;
  for (int step = 0; step < 60; step++) {
    size_t n, m;
    bool terminal;
    const uint64_t *x = alea_cursor_state(a, &n), *y = alea_cursor_state(b, &m);
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n * sizeof *x);
    positions++;
    assert_int_equal(alea_cursor_terminal(a, &terminal), ALEA_OK);
    if (terminal) break;
    for (uint32_t r = 0; r < one->role_count; r++) {
      alea_list legal;
      assert_int_equal(alea_game_move_count(one, r), alea_game_move_count(two, r));
      assert_int_equal(alea_cursor_legal(a, r, &legal), ALEA_OK);
      joint[r] = legal.ids[alea_rng_below(&rng, legal.count)];
    }
    assert_int_equal(alea_cursor_play(a, joint), ALEA_OK);
    assert_int_equal(alea_cursor_play(b, joint), ALEA_OK);
  }
  alea_cursor_free(a);
  alea_cursor_free(b);
  assert_int_equal(mem.used, 0);
  return positions;
}

static void two_networks_speak_alike(void **state) {
  (void)state;
  unsigned games = 0, positions = 0;
  for (size_t i = 0; i < alea_shipped_file_count; i++) {
    alea_opened opened;
    alea_open_options options = {.engine = ALEA_ENGINE_AUTO, .ground_seconds = 60};
    if (strstr(alea_shipped_files[i].file, ".kif") == NULL) continue;
    assert_int_equal(alea_open(&opened, alea_shipped_files[i].name, &options, NULL), ALEA_OK);
    games += opened.lanes_game != NULL;
    for (uint64_t seed = 1; opened.lanes_game != NULL && seed <= 3; seed++)
      positions += compare(opened.game, opened.lanes_game, seed);
    alea_opened_clear(&opened);
  }
  print_message("%u games with two networks, %u positions\n", games, positions);
  expect_at_least(LEAST_GAMES, games, "games", NULL);
  expect_at_least(10 * LEAST_GAMES, positions, "positions", NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_networks_speak_alike)};
  return cmocka_run_group_tests_name("two_nets", tests, NULL, NULL);
}
