/* Moves that are said to change places do so in play. */
#include <string.h>

#include "cmocka_all.h"
#include "match/open.h"
#include "support/match_run.h"
#include "unroll/partial_order.h"

typedef struct subject {
  alea_mem mem;
  const alea_game *game;
  alea_partial_order *order;
  alea_cursor *cursor, *one, *other;
  alea_rng rng;
  uint64_t compared;
} subject;

static bool may_change(const alea_partial_order *c, alea_move a, alea_move b) {
  for (uint32_t i = c->run_first[a]; i < c->run_first[a + 1]; i++)
    if (b >= c->runs.data[i].first && b <= c->runs.data[i].last) return true;
  return false;
}

static void load(alea_cursor *to, alea_cursor *from) {
  size_t count;
  const uint64_t *words = alea_cursor_state(from, &count);
  assert_int_equal(alea_cursor_load(to, words, count), ALEA_OK);
}

/* Plays the move where it is legal and the game is not over. */
static bool try_move(alea_cursor *cursor, alea_move move) {
  bool terminal, found = false;
  alea_list legal;
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
  assert_int_equal(alea_cursor_legal(cursor, 0, &legal), ALEA_OK);
  for (uint32_t i = 0; i < legal.count; i++) found |= legal.ids[i] == move;
  if (terminal || !found) return false;
  assert_int_equal(alea_cursor_play(cursor, &move), ALEA_OK);
  return true;
}

/* Some pair of moves at the cursor's position. */
static void compare(subject *s) {
  alea_list legal;
  assert_int_equal(alea_cursor_legal(s->cursor, 0, &legal), ALEA_OK);
  alea_move a = legal.ids[alea_rng_below(&s->rng, legal.count)];
  load(s->one, s->cursor);
  if (!try_move(s->one, a)) return;
  assert_int_equal(alea_cursor_legal(s->one, 0, &legal), ALEA_OK);
  if (legal.count == 0) return;
  alea_move b = legal.ids[alea_rng_below(&s->rng, legal.count)];
  if (b >= a || !may_change(s->order, a, b) || !try_move(s->one, b)) return;
  load(s->other, s->cursor);
  assert_true(try_move(s->other, b));
  assert_true(try_move(s->other, a));
  size_t count, other_count;
  const uint64_t *words = alea_cursor_state(s->one, &count);
  const uint64_t *others = alea_cursor_state(s->other, &other_count);
  assert_int_equal(count, other_count);
  assert_memory_equal(words, others, count * sizeof *words);
  s->compared++;
}

static void run_game(const alea_game *game, bool some) {
  subject s = {.game = game};
  alea_mem_init(&s.mem, 0);
  alea_rng_seed(&s.rng, 5);
  alea_effort effort = {.conflicts = 2000};
  assert_int_equal(alea_partial_order_new(&s.order, game, &effort, &s.mem), ALEA_OK);
  assert_int_equal(alea_cursor_new(game, &s.mem, &s.cursor), ALEA_OK);
  assert_int_equal(alea_cursor_new(game, &s.mem, &s.one), ALEA_OK);
  assert_int_equal(alea_cursor_new(game, &s.mem, &s.other), ALEA_OK);
  for (int play = 0; s.order != NULL && play < 20; play++) {
    assert_int_equal(alea_cursor_reset(s.cursor), ALEA_OK);
    for (int step = 0; step < 60; step++) {
      bool terminal;
      alea_list legal;
      assert_int_equal(alea_cursor_terminal(s.cursor, &terminal), ALEA_OK);
      if (terminal) break;
      for (int i = 0; i < 20; i++) compare(&s);
      assert_int_equal(alea_cursor_legal(s.cursor, 0, &legal), ALEA_OK);
      if (legal.count == 0) break;
      assert_true(try_move(s.cursor, legal.ids[alea_rng_below(&s.rng, legal.count)]));
    }
  }
  if (some) assert_true(s.compared > 20);
  alea_cursor_free(s.cursor);
  alea_cursor_free(s.one);
  alea_cursor_free(s.other);
  alea_partial_order_free(s.order);
  assert_int_equal(s.mem.used, 0);
}

static void shipped_games(void **state) {
  (void)state;
  static const char *const games[] = {"hanoi", "lights-out", "eight-puzzle", "knights-tour"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    alea_opened opened;
    open_game(&opened, games[i]);
    run_game(opened.game, false);
    alea_opened_clear(&opened);
  }
}

/* Things are put on shelves, each once; a box is full after two and the order
 * of those two shows. */
static const char *const shelves =
    "(role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)"
    "(thing a) (thing b) (thing c) (thing d) (place shelf) (place box)"
    "(<= (legal r (put ?x ?p)) (thing ?x) (place ?p) (not (placed ?x)))"
    "(<= (legal r wait))"
    "(<= (placed ?x) (true (on ?x ?p ?k)))"
    "(<= (next (on ?x shelf 0)) (does r (put ?x shelf)))"
    "(<= (next (on ?x box 0)) (does r (put ?x box)) (not used))"
    "(<= (next (on ?x box 1)) (does r (put ?x box)) used)"
    "(<= used (true (on ?x box ?k)))"
    "(<= (next (on ?x ?p ?k)) (true (on ?x ?p ?k)))"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= terminal (true (step 6)))"
    "(goal r 100)";

static void order_that_shows_is_kept(void **state) {
  (void)state;
  alea_opened opened;
  open_sheet(&opened, shelves);
  run_game(opened.game, true);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_partial_order *order;
  alea_effort effort = {.conflicts = 2000};
  assert_int_equal(alea_partial_order_new(&order, opened.game, &effort, &mem), ALEA_OK);
  assert_non_null(order);
  alea_move a = alea_game_move_find(opened.game, 0, "(put a box)");
  alea_move b = alea_game_move_find(opened.game, 0, "(put b box)");
  alea_move c = alea_game_move_find(opened.game, 0, "(put c shelf)");
  assert_false(may_change(order, a > b ? a : b, a > b ? b : a));
  assert_true(may_change(order, a > c ? a : c, a > c ? c : a));
  alea_partial_order_free(order);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shipped_games),
                                     cmocka_unit_test(order_that_shows_is_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
