/* Symmetries of a stage with its nogoods (sym=paper): what is pruned on one side
 * of the board only excludes what maps it to the other. */
#include "cmocka_all.h"
#include "encode/services.h"
#include "play/mac.h"
#include "support/match_run.h"

/* The counters after the first move of tic-tac-toe. */
static alea_player_stats stats_of(const char *text) {
  alea_opened opened;
  alea_mem mem;
  alea_text message;
  alea_player *player;
  alea_move move;
  open_game(&opened, "tictactoe");
  alea_mem_init(&mem, 0);
  alea_player_setup setup = {
      .game = opened.game, .seed = 1, .mem = &mem, .services = opened.services};
  alea_budget budget = {.sims = 3000};
  alea_text_init(&message, &mem);
  assert_int_equal(alea_player_new(&player, text, &setup, &message), ALEA_OK);
  assert_int_equal(alea_player_select(player, &budget, &move), ALEA_OK);
  alea_player_stats stats = player->stats;
  alea_player_free(player);
  alea_text_clear(&message);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
  return stats;
}

static void counted_as_printed(void **state) {
  (void)state;
  alea_player_stats paper = stats_of("mac-ucb-sym:sym=paper,pulls=100");
  alea_player_stats none = stats_of("mac-ucb-sym:sym=paper,pulls=100,theta=off");
  alea_player_stats game = stats_of("mac-ucb-sym:sym=game,pulls=100");
  assert_true(paper.pruned > 0 && paper.graphs > 0);
  assert_true(paper.nogoods >= paper.graphs);
  assert_in_range(paper.automorphisms, paper.graphs, 8 * paper.graphs); /* the identity stays */
  assert_true(paper.automorphisms < 8 * paper.graphs);
  assert_int_equal(none.graphs, 0); /* nothing is pruned, so there are no nogoods */
  assert_int_equal(game.graphs, 0);
}

/* A table whose group changes has the images by each group of what was entered
 * while it was used, and no others; moves go the same way. */
static void changing_group(void **state) {
  (void)state;
  alea_opened opened;
  alea_mem mem;
  alea_symmetry_table table;
  const alea_game_symmetry *all;
  alea_game_symmetry *one;
  uint64_t start[8] = {0}, image[8];
  uint32_t mapping;
  open_game(&opened, "tictactoe");
  alea_mem_init(&mem, 0);
  assert_int_equal(alea_services_game_symmetry(opened.services, ALEA_SYMMETRY_GAME, NULL, &all),
                   ALEA_OK);
  assert_int_equal(all->group.element_count, 8);
  assert_in_range(all->word_count, 1, 8);
  for (uint32_t f = 0; f < all->group.fluent_count; f += 5)
    start[f / 64] |= (uint64_t)1 << (f % 64);
  for (uint32_t g = 0; g < 8; g++) {
    assert_int_equal(alea_game_symmetry_of_generators(&one, opened.game,
                                                      alea_game_symmetry_element(all, g), 1, &mem),
                     ALEA_OK);
    uint32_t order = one->group.element_count, found = 0;
    assert_int_equal(alea_symmetry_table_init(&table, all, 64, 1 << 20, &mem), ALEA_OK);
    alea_symmetry_table_use(&table, one);
    alea_symmetry_table_add(&table, start, 7);
    alea_symmetry_table_use(&table, all); /* what was entered stays as it is */
    for (uint32_t e = 0; e < 8; e++) {
      const uint32_t *element = alea_game_symmetry_element(all, e);
      alea_game_symmetry_words(all, element, start, image);
      if (alea_symmetry_table_find(&table, image, &mapping) != 7) continue;
      found++;
      for (alea_move m = 0; m < 9; m++)
        assert_int_equal(alea_symmetry_table_move(&table, mapping, 0, m),
                         alea_game_symmetry_move(all, element, 0, m));
    }
    assert_int_equal(found, order);
    alea_symmetry_table_clear(&table);
    alea_game_symmetry_free(one);
  }
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counted_as_printed),
                                     cmocka_unit_test(changing_group)};
  return cmocka_run_group_tests_name("mac_nogoods", tests, NULL, NULL);
}
