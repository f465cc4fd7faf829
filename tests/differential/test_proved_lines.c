/* Positions whose values are proved: the values are those of plain minimax, for either role, and
 * neither they nor their order depend on the number of threads. */
#include <string.h>

#include "cmocka_all.h"
#include "learning/proved_lines.h"
#include "support/match_run.h"
#include "support/minimax.h"

enum { FEW_MOVES = 6 }; /* from which on plain minimax is quick */

typedef struct quarry {
  alea_opened opened;
  alea_mem mem;
  alea_player_setup setup;
  alea_proved_lines lines;
} quarry;

/* Makes some lines. */
static void begin(quarry *q, const char *game, uint32_t role, uint64_t seed, uint32_t threads) {
  open_game(&q->opened, game);
  alea_mem_init(&q->mem, 0);
  q->setup = (alea_player_setup){.game = q->opened.game, .role = role, .mem = &q->mem};
  assert_int_equal(alea_proved_lines_init(&q->lines, &q->setup, seed, threads), ALEA_OK);
  assert_int_equal(alea_proved_lines_next(&q->lines), ALEA_OK);
}

static void end(quarry *q) {
  alea_proved_lines_clear(&q->lines);
  assert_int_equal(q->mem.used, 0);
  alea_opened_clear(&q->opened);
}

static uint32_t most_moves(alea_cursor *cursor) {
  uint32_t most = 0;
  for (uint32_t r = 0; r < 2; r++) {
    alea_list legal;
    assert_int_equal(alea_cursor_legal(cursor, r, &legal), ALEA_OK);
    if (legal.count > most) most = legal.count;
  }
  return most;
}

static void values_are_those_of_minimax(void **state) {
  (void)state;
  for (uint32_t role = 0; role < 2; role++) {
    quarry q;
    alea_cursor *cursor;
    size_t seen[101] = {0};
    begin(&q, "tictactoe", role, 1, 1);
    assert_int_equal(alea_cursor_new(q.opened.game, &q.mem, &cursor), ALEA_OK);
    for (size_t i = 0; i < q.lines.values.count; i++) {
      const uint64_t *words = q.lines.words.data + i * q.lines.word_count;
      assert_int_equal(alea_cursor_load(cursor, words, q.lines.word_count), ALEA_OK);
      if (most_moves(cursor) > FEW_MOVES) continue;
      assert_int_equal(minimax_value(cursor, role), q.lines.values.data[i]);
      seen[q.lines.values.data[i]]++;
    }
    assert_true(seen[0] > 0 && seen[50] > 0 && seen[100] > 0);
    alea_cursor_free(cursor);
    end(&q);
  }
}

/* The same lines on one thread and on several; further ones, and those of another seed, are
 * others. */
static void threads_change_nothing(void **state) {
  (void)state;
  quarry one, three, other;
  begin(&one, "connect-four", 0, 1, 1);
  begin(&three, "connect-four", 0, 1, 3);
  begin(&other, "connect-four", 0, 2, 1);
  const alea_proved_lines *a = &one.lines, *b = &three.lines;
  size_t bytes = a->words.count * sizeof(uint64_t);
  assert_true(a->values.count > ALEA_PROVED_LINES_BATCH);
  assert_int_equal(a->words.count, a->values.count * a->word_count);
  assert_int_equal(a->values.count, b->values.count);
  assert_memory_equal(a->words.data, b->words.data, bytes);
  assert_memory_equal(a->values.data, b->values.data, a->values.count * sizeof(int));
  bool same = other.lines.words.count == a->words.count;
  assert_false(same && memcmp(other.lines.words.data, a->words.data, bytes) == 0);
  assert_int_equal(alea_proved_lines_next(&three.lines), ALEA_OK);
  assert_int_equal(b->lines, 2 * ALEA_PROVED_LINES_BATCH);
  same = b->words.count == a->words.count;
  assert_false(same && memcmp(b->words.data, a->words.data, bytes) == 0);
  end(&one);
  end(&three);
  end(&other);
}

/* Nothing is proved by chance, or where both choose at once. */
static void other_games_prove_nothing(void **state) {
  (void)state;
  static const char *const games[] = {"backgammon", "rock-paper-scissors", "hanoi"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    quarry q;
    begin(&q, games[i], 0, 1, 2);
    assert_int_equal(q.lines.values.count, 0);
    end(&q);
  }
}

static void they_can_be_stopped(void **state) {
  (void)state;
  quarry q;
  atomic_bool stop;
  atomic_init(&stop, true);
  begin(&q, "tictactoe", 0, 1, 2);
  q.lines.stop = &stop;
  assert_int_equal(alea_proved_lines_next(&q.lines), ALEA_OK);
  assert_int_equal(q.lines.values.count, 0);
  atomic_store(&stop, false);
  assert_int_equal(alea_proved_lines_next(&q.lines), ALEA_OK);
  assert_true(q.lines.values.count > 0);
  end(&q);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_those_of_minimax),
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(other_games_prove_nothing),
      cmocka_unit_test(they_can_be_stopped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
