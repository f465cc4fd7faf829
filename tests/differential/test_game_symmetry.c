/* Mirrors: what a permutation does to positions and moves of a game commutes
 * with playing it; and the store of images finds what it should. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "encode/services.h"
#include "propnet/propnet.h"
#include "support/match_run.h"
#include "symmetry/symmetry_table.h"

typedef struct bed {
  alea_opened opened;
  const alea_game_symmetry *mirror;
  alea_mem mem;
  alea_game *game; /* over a network that takes nothing for granted: images need not be reachable */
  alea_cursor *plain, *mirrored;
  alea_rng rng;
  uint64_t image[1024], scratch[1024], third[1024];
} bed;

/* The same game with the same numbers, every rule as it is. */
static void open_plain(bed *b) {
  const alea_ground *ground;
  alea_net *net;
  alea_net_options options = {.plain = true, .any_move = true};
  assert_int_equal(alea_services_ground(b->opened.services, false, NULL, &ground), ALEA_OK);
  assert_int_equal(alea_net_new(&net, ground, &options, &b->mem, NULL), ALEA_OK);
  assert_int_equal(alea_net_game_new(&b->game, net, &b->mem), ALEA_OK);
}

static bed *open_bed(const char *game) {
  bed *b = calloc(1, sizeof *b);
  open_game(&b->opened, game);
  alea_mem_init(&b->mem, 0);
  alea_rng_seed(&b->rng, 3);
  alea_deadline deadline = alea_deadline_in(60);
  assert_int_equal(
      alea_services_game_symmetry(b->opened.services, ALEA_SYMMETRY_GAME, &deadline, &b->mirror),
      ALEA_OK);
  open_plain(b);
  assert_int_equal(alea_cursor_new(b->game, &b->mem, &b->plain), ALEA_OK);
  assert_int_equal(alea_cursor_new(b->game, &b->mem, &b->mirrored), ALEA_OK);
  assert_true(b->mirror->word_count <= 1024);
  return b;
}

static void close_bed(bed *b) {
  alea_cursor_free(b->plain);
  alea_cursor_free(b->mirrored);
  alea_game_free(b->game);
  assert_int_equal(b->mem.used, 0);
  alea_opened_clear(&b->opened);
  free(b);
}

static bool is_legal(alea_cursor *cursor, uint32_t role, alea_move move) {
  alea_list list;
  assert_int_equal(alea_cursor_legal(cursor, role, &list), ALEA_OK);
  for (uint32_t i = 0; i < list.count; i++)
    if (list.ids[i] == move) return true;
  return false;
}

/* The cursors stand at a position and its image.  Compares, and plays a random
 * joint move and its image; false at the end. */
static bool check_step(bed *b, const uint32_t *p) {
  alea_move joint[64], image[64];
  bool end, other;
  assert_int_equal(alea_cursor_terminal(b->plain, &end), ALEA_OK);
  assert_int_equal(alea_cursor_terminal(b->mirrored, &other), ALEA_OK);
  assert_true(end == other);
  for (uint32_t r = 0; r < b->opened.game->role_count; r++) {
    int goal, again;
    assert_int_equal(alea_cursor_goal(b->plain, r, &goal), ALEA_OK);
    assert_int_equal(alea_cursor_goal(b->mirrored, r, &again), ALEA_OK);
    assert_int_equal(goal, again);
    if (end) continue;
    alea_list list, mirrored;
    assert_int_equal(alea_cursor_legal(b->mirrored, r, &mirrored), ALEA_OK);
    assert_int_equal(alea_cursor_legal(b->plain, r, &list), ALEA_OK);
    assert_int_equal(list.count, mirrored.count);
    if (list.count == 0) return false;
    for (uint32_t i = 0; i < list.count; i++)
      assert_true(is_legal(b->mirrored, r, alea_game_symmetry_move(b->mirror, p, r, list.ids[i])));
    joint[r] = list.ids[alea_rng_below(&b->rng, list.count)];
    image[r] = alea_game_symmetry_move(b->mirror, p, r, joint[r]);
  }
  if (end) return false;
  assert_int_equal(alea_cursor_play(b->plain, joint), ALEA_OK);
  assert_int_equal(alea_cursor_play(b->mirrored, image), ALEA_OK);
  return true;
}

static const uint64_t *words_of(alea_cursor *cursor) {
  size_t count;
  return alea_cursor_state(cursor, &count);
}

static void check_permutation(bed *b, const uint32_t *p) {
  size_t count = b->mirror->word_count;
  assert_int_equal(alea_cursor_reset(b->plain), ALEA_OK);
  alea_game_symmetry_words(b->mirror, p, words_of(b->plain), b->image);
  assert_int_equal(alea_cursor_load(b->mirrored, b->image, count), ALEA_OK);
  for (int step = 0; step < 40; step++) {
    alea_game_symmetry_words(b->mirror, p, words_of(b->plain), b->image);
    assert_memory_equal(b->image, words_of(b->mirrored), count * sizeof *b->image);
    if (alea_game_symmetry_is_small(b->mirror)) { /* both have one least image */
      (void)alea_game_symmetry_canonical(b->mirror, words_of(b->plain), b->image, b->third);
      (void)alea_game_symmetry_canonical(b->mirror, words_of(b->mirrored), b->scratch, b->third);
      assert_memory_equal(b->image, b->scratch, count * sizeof *b->image);
    }
    if (!check_step(b, p)) return;
  }
}

static void permutations_commute(void **state) {
  (void)state;
  static const struct {
    const char *game;
    double order;
  } games[] = {{"tictactoe", 8}, {"tictactoe-2x2", 2},    {"connect-four", 2}, {"orchard", 24},
               {"hex", 0},       {"breakthrough", 0},     {"knights-tour", 0}, {"lights-out", 0},
               {"nim", 0},       {"matching-pennies", 0}, {"majorities", 0},   {"quarto", 0},
               {"pentago", 0}};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    bed *b = open_bed(games[i].game);
    if (games[i].order > 0) {
      assert_true(b->mirror->group.order == games[i].order);
      assert_true(b->mirror->group.element_count == games[i].order);
    }
    for (uint32_t g = 0; g < b->mirror->group.generator_count; g++)
      check_permutation(b, alea_game_symmetry_generator(b->mirror, g));
    for (uint32_t e = 0; e < b->mirror->group.element_count && e < 8; e++)
      check_permutation(b, alea_game_symmetry_element(b->mirror, e));
    close_bed(b);
  }
}

/* Every shipped game, where there is time for it. */
static void shipped_games_commute(void **state) {
  (void)state;
  if (getenv("ALEA_FULL") == NULL) skip();
  static const char *const games[] = {"amazons",          "awale",
                                      "backgammon",       "battlebrushes",
                                      "checkers",         "chess",
                                      "chinese-checkers", "connect-four-20x20",
                                      "copolymer",        "dots-and-boxes-suicide",
                                      "english-draughts", "free-for-all",
                                      "gomoku",           "kaseklau",
                                      "knight-through",   "pickomino",
                                      "reversi",          "shmup",
                                      "skirmish",         "sudoku",
                                      "token-game",       "ttcc4",
                                      "yahtzee",          "cant-stop"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    bed *b = open_bed(games[i]);
    printf("%s: order %g\n", games[i], b->mirror->group.order);
    for (uint32_t g = 0; g < b->mirror->group.generator_count && g < 8; g++)
      check_permutation(b, alea_game_symmetry_generator(b->mirror, g));
    close_bed(b);
  }
}

/* ---- orbits ---- */

static void first_marks_are_three(void **state) {
  (void)state;
  bed *b = open_bed("tictactoe");
  alea_list legal;
  uint32_t classes[9], different = 0;
  assert_int_equal(alea_cursor_legal(b->plain, 0, &legal), ALEA_OK);
  assert_int_equal(legal.count, 9);
  alea_game_symmetry_orbits(b->mirror, words_of(b->plain), b->scratch, 0, legal.ids, 9, classes);
  for (uint32_t i = 0; i < 9; i++) {
    assert_true(classes[i] <= i && classes[classes[i]] == classes[i]);
    different += classes[i] == i;
  }
  assert_int_equal(different, 3); /* corner, edge, centre */
  close_bed(b);
}

/* ---- the store ---- */

/* Enters a position; all its images must be found, and lie to it as told. */
static void check_store(bed *b, const alea_game_symmetry *mirror, uint32_t plies) {
  alea_symmetry_table images;
  assert_int_equal(alea_symmetry_table_init(&images, mirror, 512, 1 << 20, &b->mem), ALEA_OK);
  assert_int_equal(alea_cursor_reset(b->plain), ALEA_OK);
  for (uint32_t step = 0; step < plies; step++) {
    alea_move joint[64];
    for (uint32_t r = 0; r < b->opened.game->role_count; r++) {
      alea_list list;
      assert_int_equal(alea_cursor_legal(b->plain, r, &list), ALEA_OK);
      joint[r] = list.ids[alea_rng_below(&b->rng, list.count)];
    }
    assert_int_equal(alea_cursor_play(b->plain, joint), ALEA_OK);
  }
  uint32_t how;
  assert_int_equal(alea_symmetry_table_find(&images, words_of(b->plain), &how), 0);
  assert_true(alea_symmetry_table_add(&images, words_of(b->plain), 77) > 0);
  assert_int_equal(alea_symmetry_table_find(&images, words_of(b->plain), &how), 77);
  assert_int_equal(how, 0);
  for (uint32_t e = 0; e < b->mirror->group.element_count; e++) {
    alea_game_symmetry_words(b->mirror, alea_game_symmetry_element(b->mirror, e),
                             words_of(b->plain), b->image);
    assert_int_equal(alea_symmetry_table_find(&images, b->image, &how), 77);
    assert_int_equal(alea_cursor_load(b->mirrored, b->image, b->mirror->word_count), ALEA_OK);
    /* Legal moves of the position go to legal moves of the image. */
    for (uint32_t r = 0; r < b->opened.game->role_count; r++) {
      alea_list list;
      assert_int_equal(alea_cursor_legal(b->plain, r, &list), ALEA_OK);
      for (uint32_t i = 0; i < list.count; i++)
        assert_true(
            is_legal(b->mirrored, r, alea_symmetry_table_move(&images, how, r, list.ids[i])));
    }
  }
  alea_symmetry_table_empty(&images);
  assert_int_equal(alea_symmetry_table_find(&images, words_of(b->plain), &how), 0);
  alea_symmetry_table_clear(&images);
}

static void images_are_found(void **state) {
  (void)state;
  static const char *const games[] = {"tictactoe", "orchard", "connect-four", "tictactoe-2x2"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    bed *b = open_bed(games[i]);
    /* The same group, treated as a large one: images by generators. */
    alea_game_symmetry large = *b->mirror;
    large.group.element_count = 0;
    for (uint32_t plies = 0; plies < 3; plies++) {
      check_store(b, b->mirror, plies);
      check_store(b, &large, plies);
    }
    close_bed(b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(permutations_commute),
      cmocka_unit_test(shipped_games_commute),
      cmocka_unit_test(first_marks_are_three),
      cmocka_unit_test(images_are_found),
  };
  return cmocka_run_group_tests_name("mirror", tests, NULL, NULL);
}
