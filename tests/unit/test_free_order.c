/* Games in which moves may be made in any order, and what the flagship makes of it. */
#include <string.h>

#include "cmocka_all.h"
#include "play/free_order.h"
#include "support/match_run.h"

enum { TRIES = 100 };

static bool is_free(const alea_opened *opened) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_cursor *cursor;
  alea_free_order order;
  assert_int_equal(alea_free_order_init(&order, opened->game, 3, 500, &mem), ALEA_OK);
  assert_int_equal(alea_cursor_new(opened->game, &mem, &cursor), ALEA_OK);
  size_t count;
  const uint64_t *words = alea_cursor_state(cursor, &count);
  uint64_t *start = alea_mem_calloc(&mem, count, sizeof *start);
  memcpy(start, words, count * sizeof *start);
  for (int i = 0; i < TRIES; i++)
    assert_int_equal(alea_free_order_try(&order, cursor, start, count, NULL), ALEA_OK);
  bool is = alea_free_order_is_shown(&order);
  alea_mem_free(&mem, start, count * sizeof *start);
  alea_cursor_free(cursor);
  alea_free_order_clear(&order);
  assert_int_equal(mem.used, 0);
  return is;
}

static void order_matters_or_not(void **state) {
  (void)state;
  static const struct {
    const char *game;
    bool is_free;
  } cases[] = {{"hex", true},
               {"majorities", true},
               {"gomoku", true},
               {"copolymer", false},
               {"dots-and-boxes-suicide", false},
               {"connect-four", false},
               {"reversi", false},
               {"breakthrough", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    alea_opened opened;
    open_game(&opened, cases[i].game);
    if (is_free(&opened) != cases[i].is_free) fail_msg("%s", cases[i].game);
    alea_opened_clear(&opened);
  }
}

/* The record of a match with 300 simulations a move. */
static void play(const alea_opened *opened, const char *player, alea_text *record) {
  const char *players[] = {player, "uct"};
  int goals[2];
  run_match(opened, players, 2, 300, 5, goals, record);
}

static bool same_positions(const alea_text *a, const alea_text *b) {
  const char *from[] = {strstr(alea_text_string(a), "\"states\""),
                        strstr(alea_text_string(b), "\"states\"")};
  assert_true(from[0] != NULL && from[1] != NULL);
  size_t length = strcspn(from[0], "]");
  return strcspn(from[1], "]") == length && memcmp(from[0], from[1], length) == 0;
}

/* The option says how arms are weighed where boards are filled in any order, and nowhere else. */
static void filled_counts_where_the_order_is_free(void **state) {
  (void)state;
  static const struct {
    const char *game;
    bool counts;
  } cases[] = {{"hex", true}, {"majorities", true}, {"breakthrough", false}, {"pentago", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    alea_opened opened;
    alea_mem mem;
    alea_mem_init(&mem, 0);
    open_game(&opened, cases[i].game);
    alea_text greedy, curious;
    alea_text_init(&greedy, &mem);
    alea_text_init(&curious, &mem);
    play(&opened, "alea:rival=off", &greedy);
    play(&opened, "alea:rival=off,filled=5", &curious);
    assert_int_equal(!same_positions(&greedy, &curious), cases[i].counts);
    alea_text_clear(&greedy);
    alea_text_clear(&curious);
    assert_int_equal(mem.used, 0);
    alea_opened_clear(&opened);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_matters_or_not),
      cmocka_unit_test(filled_counts_where_the_order_is_free),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
