/* The stage engine `net` against a cursor that lists and plays by itself. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "encode/stage.h"
#include "support/match_run.h"

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* The domains of all roles at the cursor, sorted; returns the number of arms. */
static uint64_t check_domains(const alea_game *game, alea_cursor *cursor,
                              const alea_stage_solution *solution) {
  uint64_t arms = 1;
  for (uint32_t r = 0; r < game->role_count; r++) {
    alea_list legal;
    uint32_t sorted[4096], first = solution->firsts[r], count = solution->firsts[r + 1] - first;
    assert_int_equal(alea_cursor_legal(cursor, r, &legal), ALEA_OK);
    assert_int_equal(legal.count, count);
    assert_true(count <= 4096);
    memcpy(sorted, legal.ids, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_number);
    assert_memory_equal(sorted, solution->moves + first, count * sizeof *sorted);
    if ((int)r != game->random_role) arms *= count;
  }
  return arms;
}

/* Arm i by plain counting, the last role turning fastest. */
static void spell_arm(const alea_game *game, const alea_stage_solution *s, uint64_t i,
                      alea_move *arm) {
  for (uint32_t r = game->role_count; r-- > 0;) {
    arm[r] = ALEA_NO_MOVE;
    if ((int)r == game->random_role) continue;
    uint32_t count = s->firsts[r + 1] - s->firsts[r];
    arm[r] = s->moves[s->firsts[r] + i % count];
    i /= count;
  }
}

static void check_arms(const alea_game *game, const alea_stage_solution *s, uint32_t most) {
  if (s->arm_count > most) {
    assert_null(s->arms);
    return;
  }
  for (uint64_t i = 0; i < s->arm_count; i++) {
    alea_move arm[64];
    spell_arm(game, s, i, arm);
    assert_memory_equal(arm, s->arms + i * game->role_count, game->role_count * sizeof *arm);
  }
}

typedef struct bed {
  const alea_game *game;
  alea_cursor *cursor, *other;
  alea_stage *stage;
  alea_rng rng;
} bed;

static void check_goals(const bed *b, const alea_stage_solution *s) {
  for (uint32_t r = 0; r < b->game->role_count; r++) {
    int goal;
    assert_int_equal(alea_cursor_goal(b->cursor, r, &goal), ALEA_OK);
    assert_int_equal(goal, s->goals[r]);
  }
}

/* A successor by the stage is the one that the cursor plays to. */
static void check_next(bed *b, const alea_stage_solution *s, alea_move *joint) {
  const uint64_t *words;
  size_t count, own;
  for (uint32_t r = 0; r < b->game->role_count; r++) {
    uint32_t moves = s->firsts[r + 1] - s->firsts[r];
    joint[r] = s->moves[s->firsts[r] + alea_rng_below(&b->rng, moves)];
  }
  const uint64_t *here = alea_cursor_state(b->cursor, &own);
  assert_int_equal(alea_cursor_load(b->other, here, own), ALEA_OK);
  assert_int_equal(alea_cursor_play(b->other, joint), ALEA_OK);
  assert_int_equal(alea_stage_next(b->stage, joint, &words, &count), ALEA_OK);
  const uint64_t *there = alea_cursor_state(b->other, &own);
  assert_int_equal(own, count);
  if (count > 0) assert_memory_equal(there, words, count * sizeof *words);
}

/* One position; false at the end. */
static bool check_position(bed *b) {
  alea_stage_solution s;
  alea_move joint[64];
  size_t count;
  bool terminal;
  const uint64_t *words = alea_cursor_state(b->cursor, &count);
  assert_int_equal(alea_stage_solve(b->stage, words, count, &s), ALEA_OK);
  assert_int_equal(alea_cursor_terminal(b->cursor, &terminal), ALEA_OK);
  assert_true(s.terminal == terminal);
  check_goals(b, &s);
  if (terminal) {
    assert_int_equal(s.arm_count, 0);
    return false;
  }
  assert_int_equal(check_domains(b->game, b->cursor, &s), s.arm_count);
  if (s.arm_count == 0) return false;
  check_arms(b->game, &s, b->stage->options.max_arms);
  check_next(b, &s, joint);
  check_next(b, &s, joint);
  assert_int_equal(alea_cursor_play(b->cursor, joint), ALEA_OK);
  return true;
}

static void check_game(const char *name, alea_stage_method method, uint32_t max_arms) {
  alea_opened opened;
  open_game(&opened, name);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  bed b = {.game = opened.game};
  alea_stage_options options = {.method = method, .max_arms = max_arms};
  assert_int_equal(alea_stage_new_net(&b.stage, b.game, &options, &mem), ALEA_OK);
  assert_int_equal(alea_cursor_new(b.game, &mem, &b.cursor), ALEA_OK);
  assert_int_equal(alea_cursor_new(b.game, &mem, &b.other), ALEA_OK);
  alea_rng_seed(&b.rng, 7);
  for (int play = 0; play < 3; play++) {
    assert_int_equal(alea_cursor_reset(b.cursor), ALEA_OK);
    for (int step = 0; step < 25 && check_position(&b); step++) {
    }
  }
  assert_true(b.stage->stats.solved > 0);
  alea_stage_free(b.stage);
  alea_cursor_free(b.cursor);
  alea_cursor_free(b.other);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

static void stages_are_positions(void **state) {
  (void)state;
  static const char *const games[] = {"tictactoe",        "connect-four",
                                      "breakthrough",     "backgammon",
                                      "matching-pennies", "connect-four-simultaneous",
                                      "orchard",          "yahtzee",
                                      "battlebrushes",    "chinese-checkers"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    check_game(games[i], ALEA_STAGE_MAC, 0);
    check_game(games[i], ALEA_STAGE_FC, 50);
  }
}

/* Every allocation of a stage may fail. */
static void memory_may_fail(void **state) {
  (void)state;
  alea_opened opened;
  open_game(&opened, "tictactoe");
  bool failed = true;
  for (uint64_t n = 1; failed; n++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    mem.fail_in = n;
    alea_stage *stage = NULL;
    alea_cursor *cursor = NULL;
    alea_status status = alea_cursor_new(opened.game, &opened.mem, &cursor);
    assert_int_equal(status, ALEA_OK);
    size_t count;
    const uint64_t *words = alea_cursor_state(cursor, &count);
    status = alea_stage_new_net(&stage, opened.game, NULL, &mem);
    alea_stage_solution s;
    if (status == ALEA_OK) status = alea_stage_solve(stage, words, count, &s);
    alea_stage_free(stage);
    alea_cursor_free(cursor);
    assert_int_equal(mem.used, 0);
    failed = mem.fail_in == 0;
    assert_int_equal(status, failed ? ALEA_SYSTEM : ALEA_OK);
  }
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stages_are_positions),
      cmocka_unit_test(memory_may_fail),
  };
  return cmocka_run_group_tests_name("stage_net", tests, NULL, NULL);
}
