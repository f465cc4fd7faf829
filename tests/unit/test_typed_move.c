/* Moves as people type them. */
#include <stdio.h>

#include "cmocka_all.h"
#include "match/open.h"
#include "match/typed_move.h"

typedef struct example {
  const char *game, *line;
  const char *move; /* what it means; NULL: nothing, or several */
  uint32_t fitting; /* how many it may mean */
} example;

static const example examples[] = {
    {"connect-four", "(drop 3)", "(drop 3)", 1},
    {"connect-four", "drop 3", "(drop 3)", 1},
    {"connect-four", "  DROP,3 ", "(drop 3)", 1},
    {"connect-four", "d3", "(drop 3)", 1},
    {"connect-four", "3", "(drop 3)", 1},
    {"connect-four", "drop", NULL, 7},
    {"connect-four", "8", NULL, 0},
    {"connect-four", "", NULL, 0},
    {"connect-four", "lift 3", NULL, 0},
    {"tictactoe", "2 3", "(mark 2 3)", 1},
    {"tictactoe", "23", "(mark 2 3)", 1},
    {"tictactoe", "b3", "(mark 2 3)", 1},
    {"tictactoe", "mark 2", NULL, 3},
    {"tictactoe", "m 2 3", "(mark 2 3)", 1},
    {"tictactoe", "d1", NULL, 0},
    {"chess", "e2e4", "(move e 2 e 4)", 1},
    {"chess", "E2 e4", "(move e 2 e 4)", 1},
    {"chess", "move e2 e4", "(move e 2 e 4)", 1},
    {"chess", "mo b1", NULL, 2},
    {"chess", "e2e5", NULL, 0},
    {"chess", "99999999999999999999", NULL, 0},
    {"breakthrough", "a2b3", "(move 1 2 2 3)", 1},
};

static void check_example(const alea_game *game, const example *e) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_cursor *cursor;
  alea_list legal;
  alea_typed_moves typed;
  alea_typed_moves_init(&typed, &mem);
  assert_int_equal(alea_cursor_new(game, &mem, &cursor), ALEA_OK);
  assert_int_equal(alea_cursor_legal(cursor, 0, &legal), ALEA_OK);
  assert_int_equal(alea_typed_moves_read(&typed, game, 0, legal, true, e->line), ALEA_OK);
  if (typed.fitting.count != e->fitting) print_message("%s: '%s'\n", e->game, e->line);
  assert_int_equal(typed.fitting.count, e->fitting);
  if (e->move != NULL)
    assert_int_equal(typed.fitting.data[0], alea_game_move_find(game, 0, e->move));
  alea_typed_moves_clear(&typed);
  alea_cursor_free(cursor);
  assert_int_equal(mem.used, 0);
}

static void reads_what_people_type(void **state) {
  (void)state;
  size_t count = sizeof examples / sizeof *examples;
  for (size_t i = 0; i < count;) {
    alea_opened opened;
    alea_open_options options = {.ground_seconds = 60};
    const char *game = examples[i].game;
    assert_int_equal(alea_open(&opened, game, &options, NULL), ALEA_OK);
    for (; i < count && examples[i].game == game; i++) check_example(opened.game, &examples[i]);
    alea_opened_clear(&opened);
  }
}

/* A number is one of the list only where that is asked for. */
static void numbers_only_if_asked_for(void **state) {
  (void)state;
  alea_opened opened;
  alea_open_options options = {.ground_seconds = 60};
  alea_mem mem;
  alea_mem_init(&mem, 0);
  assert_int_equal(alea_open(&opened, "tictactoe", &options, NULL), ALEA_OK);
  alea_cursor *cursor;
  alea_list legal;
  alea_typed_moves typed;
  alea_typed_moves_init(&typed, &mem);
  assert_int_equal(alea_cursor_new(opened.game, &mem, &cursor), ALEA_OK);
  assert_int_equal(alea_cursor_legal(cursor, 0, &legal), ALEA_OK);
  for (int asked = 0; asked < 2; asked++) {
    static const char *const lines[] = {"7", "#7"};
    for (int i = 0; i < 2; i++) {
      assert_int_equal(alea_typed_moves_read(&typed, opened.game, 0, legal, asked, lines[i]),
                       ALEA_OK);
      assert_int_equal(typed.fitting.count, asked);
    }
  }
  alea_typed_moves_clear(&typed);
  alea_cursor_free(cursor);
  alea_opened_clear(&opened);
}

/* Every legal move is found by its own text, by its number with `#`, and by its
 * names alone. */
static void finds_every_move(void **state) {
  (void)state;
  static const char *const games[] = {"chess", "reversi", "nim", "amazons", "backgammon"};
  for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
    alea_opened opened;
    alea_open_options options = {.ground_seconds = 60};
    alea_mem mem;
    alea_mem_init(&mem, 0);
    assert_int_equal(alea_open(&opened, games[g], &options, NULL), ALEA_OK);
    alea_cursor *cursor;
    alea_list legal;
    alea_text text;
    alea_typed_moves typed;
    alea_typed_moves_init(&typed, &mem);
    alea_text_init(&text, &mem);
    assert_int_equal(alea_cursor_new(opened.game, &mem, &cursor), ALEA_OK);
    assert_int_equal(alea_cursor_legal(cursor, 0, &legal), ALEA_OK);
    for (uint32_t i = 0; i < legal.count && i < 100; i++) {
      alea_text_truncate(&text, 0);
      alea_text_format(&text, "#%u", i + 1);
      for (int way = 0; way < 2; way++) {
        assert_int_equal(
            alea_typed_moves_read(&typed, opened.game, 0, legal, true, alea_text_string(&text)),
            ALEA_OK);
        assert_int_equal(typed.fitting.count, 1);
        assert_int_equal(typed.fitting.data[0], legal.ids[i]);
        alea_text_truncate(&text, 0);
        alea_game_move_text(opened.game, 0, legal.ids[i], true, &text);
      }
    }
    alea_text_clear(&text);
    alea_typed_moves_clear(&typed);
    alea_cursor_free(cursor);
    alea_opened_clear(&opened);
    assert_int_equal(mem.used, 0);
  }
}

/* Lists hold the legal moves, each once, in the order of words and numbers. */
static void lists_are_in_order(void **state) {
  (void)state;
  alea_opened opened;
  alea_open_options options = {.engine = ALEA_ENGINE_NET};
  assert_int_equal(alea_open(&opened, "connect-four-20x20", &options, NULL), ALEA_OK);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_cursor *cursor;
  alea_list legal, sorted;
  alea_typed_moves typed;
  alea_typed_moves_init(&typed, &mem);
  assert_int_equal(alea_cursor_new(opened.game, &mem, &cursor), ALEA_OK);
  assert_int_equal(alea_cursor_legal(cursor, 0, &legal), ALEA_OK);
  assert_int_equal(alea_typed_moves_legal(&typed, cursor, 0, &sorted), ALEA_OK);
  assert_int_equal(sorted.count, legal.count);
  assert_int_equal(sorted.count, 20);
  for (uint32_t i = 0; i < sorted.count; i++) {
    assert_true(alea_list_has(legal, sorted.ids[i]));
    char text[32];
    (void)snprintf(text, sizeof text, "(drop %u)", i + 1); /* 2 comes before 10 */
    assert_int_equal(sorted.ids[i], alea_game_move_find(opened.game, 0, text));
  }
  alea_typed_moves_clear(&typed);
  alea_cursor_free(cursor);
  alea_opened_clear(&opened);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_what_people_type),
      cmocka_unit_test(numbers_only_if_asked_for),
      cmocka_unit_test(finds_every_move),
      cmocka_unit_test(lists_are_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
