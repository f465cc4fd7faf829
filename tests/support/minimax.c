#include "support/minimax.h"

#include "cmocka_all.h"

int minimax_value(alea_cursor *cursor, uint32_t role) {
  bool terminal;
  int goal, best = -1;
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
  assert_int_equal(alea_cursor_goal(cursor, role, &goal), ALEA_OK);
  if (terminal) return goal;
  uint64_t words[8];
  size_t count;
  const uint64_t *now = alea_cursor_state(cursor, &count);
  assert_true(count <= 8);
  for (size_t i = 0; i < count; i++) words[i] = now[i];
  alea_list lists[2];
  alea_move moves[16], joint[2];
  for (uint32_t r = 0; r < 2; r++) {
    assert_int_equal(alea_cursor_legal(cursor, r, &lists[r]), ALEA_OK);
    joint[r] = lists[r].ids[0];
  }
  uint32_t chooser = lists[1].count > 1, legal = lists[chooser].count;
  for (uint32_t i = 0; i < legal; i++) moves[i] = lists[chooser].ids[i];
  for (uint32_t i = 0; i < legal; i++) {
    assert_int_equal(alea_cursor_load(cursor, words, count), ALEA_OK);
    joint[chooser] = moves[i];
    assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
    int value = minimax_value(cursor, role);
    if (best < 0 || (chooser == role ? value > best : value < best)) best = value;
  }
  return best;
}

void minimax_replay(const minimax_line *line, alea_cursor *cursor) {
  assert_int_equal(alea_cursor_reset(cursor), ALEA_OK);
  for (uint32_t i = 0; i < line->steps; i++)
    assert_int_equal(alea_cursor_play(cursor, line->joints[i]), ALEA_OK);
}

void minimax_wander(minimax_line *line, alea_cursor *cursor, alea_rng *rng, uint32_t steps) {
  bool terminal = true;
  while (terminal) {
    line->steps = 0;
    minimax_replay(line, cursor);
    for (terminal = false; line->steps < steps && !terminal; line->steps++) {
      for (uint32_t r = 0; r < 2; r++) {
        alea_list list;
        assert_int_equal(alea_cursor_legal(cursor, r, &list), ALEA_OK);
        line->joints[line->steps][r] = list.ids[alea_rng_below(rng, list.count)];
      }
      assert_int_equal(alea_cursor_play(cursor, line->joints[line->steps]), ALEA_OK);
      assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
    }
  }
}
