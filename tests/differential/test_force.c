/* What a role can force, against exhaustive search from random positions of
 * small games. */
#include <string.h>

#include "cmocka_all.h"
#include "match/open.h"
#include "scsp/force.h"
#include "support/match_run.h"

enum { MOST_ROLES = 8, MOST_MOVES = 400 };

typedef struct oracle {
  const alea_game *game;
  alea_mem *mem;
  uint32_t role;
  alea_force_kind kind;
} oracle;

static alea_cursor *copy_of(const oracle *o, alea_cursor *cursor) {
  alea_cursor *copy;
  size_t count;
  assert_int_equal(alea_cursor_new(o->game, o->mem, &copy), ALEA_OK);
  const uint64_t *words = alea_cursor_state(cursor, &count);
  assert_int_equal(alea_cursor_load(copy, words, count), ALEA_OK);
  return copy;
}

static bool good_end(const oracle *o, alea_cursor *cursor) {
  bool won = false;
  for (uint32_t r = 0; r < o->game->role_count; r++) {
    int goal;
    assert_int_equal(alea_cursor_goal(cursor, r, &goal), ALEA_OK);
    bool counts = (r == o->role) == (o->kind == ALEA_FORCE_WIN) && (int)r != o->game->random_role;
    won |= counts && goal == 100;
  }
  return won == (o->kind == ALEA_FORCE_WIN);
}

static bool can_force(const oracle *o, alea_cursor *cursor, uint32_t depth);

/* Whether 'own' does against all replies; roles from 'r' on are still open. */
static bool move_does(const oracle *o, alea_cursor *cursor, uint32_t depth, alea_move *joint,
                      uint32_t r, alea_move own) {
  if (r == o->game->role_count) {
    alea_cursor *next = copy_of(o, cursor);
    assert_int_equal(alea_cursor_play(next, joint), ALEA_OK);
    bool does = can_force(o, next, depth - 1);
    alea_cursor_free(next);
    return does;
  }
  if (r == o->role) {
    joint[r] = own;
    return move_does(o, cursor, depth, joint, r + 1, own);
  }
  alea_move moves[MOST_MOVES];
  alea_list legal;
  assert_int_equal(alea_cursor_legal(cursor, r, &legal), ALEA_OK);
  uint32_t count = legal.count;
  assert_true(count <= MOST_MOVES);
  memcpy(moves, legal.ids, count * sizeof *moves);
  for (uint32_t i = 0; i < count; i++) {
    joint[r] = moves[i];
    if (!move_does(o, cursor, depth, joint, r + 1, own)) return false;
  }
  return true;
}

static bool can_force(const oracle *o, alea_cursor *cursor, uint32_t depth) {
  bool terminal;
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
  if (terminal) return good_end(o, cursor);
  if (depth == 0) return o->kind == ALEA_FORCE_PREVENT;
  alea_move moves[MOST_MOVES], joint[MOST_ROLES];
  alea_list legal;
  assert_int_equal(alea_cursor_legal(cursor, o->role, &legal), ALEA_OK);
  uint32_t count = legal.count;
  memcpy(moves, legal.ids, count * sizeof *moves);
  for (uint32_t i = 0; i < count; i++)
    if (move_does(o, cursor, depth, joint, 0, moves[i])) return true;
  return false;
}

typedef struct tally {
  unsigned proved, refuted, relaxed;
} tally;

static void check(const oracle *o, alea_cursor *cursor, uint32_t depth, tally *t) {
  alea_force_result results[2];
  size_t count;
  const uint64_t *words = alea_cursor_state(cursor, &count);
  for (int plain = 0; plain < 2; plain++) {
    alea_force_options options = {.plain = plain};
    assert_int_equal(alea_force_run(&results[plain], o->game, words, count, o->role, o->kind, depth,
                                    &options, o->mem),
                     ALEA_OK);
  }
  alea_ruling expected = can_force(o, cursor, depth) ? ALEA_RULING_PROVED : ALEA_RULING_REFUTED;
  assert_int_equal(results[0].answer, expected);
  assert_int_equal(results[1].answer, expected);
  if (expected == ALEA_RULING_PROVED) {
    alea_move joint[MOST_ROLES];
    assert_true(move_does(o, cursor, depth, joint, 0, results[0].move));
  }
  t->proved += expected == ALEA_RULING_PROVED;
  t->refuted += expected == ALEA_RULING_REFUTED;
  t->relaxed += results[0].relaxed;
}

/* Plays at random, one joint move.  False at the end. */
static bool random_step(const alea_game *game, alea_cursor *cursor, alea_rng *rng) {
  alea_move joint[MOST_ROLES];
  bool terminal;
  for (uint32_t r = 0; r < game->role_count; r++) {
    alea_list legal;
    assert_int_equal(alea_cursor_legal(cursor, r, &legal), ALEA_OK);
    joint[r] = legal.ids[alea_rng_below(rng, legal.count)];
  }
  assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
  return !terminal;
}

static void run_game(const char *name, uint32_t plays, uint32_t deepest, tally *t) {
  alea_opened opened;
  open_game(&opened, name);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_cursor *cursor;
  alea_rng rng;
  alea_rng_seed(&rng, 11);
  assert_int_equal(alea_cursor_new(opened.game, &mem, &cursor), ALEA_OK);
  for (uint32_t i = 0; i < plays; i++) {
    assert_int_equal(alea_cursor_reset(cursor), ALEA_OK);
    uint32_t step = 0;
    do {
      oracle o = {.game = opened.game, .mem = &mem, .kind = (alea_force_kind)(i % 2)};
      o.role = alea_rng_below(&rng, opened.game->role_count);
      if ((int)o.role == opened.game->random_role) continue;
      check(&o, cursor, 1 + (i + step) % deepest, t);
    } while (++step < 12 && random_step(opened.game, cursor, &rng));
  }
  alea_cursor_free(cursor);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

static void agrees_with_exhaustive_search(void **state) {
  (void)state;
  tally t = {0};
  run_game("tictactoe", 12, 4, &t);
  run_game("tictactoe-2x2", 10, 4, &t);
  run_game("nim", 10, 4, &t);
  run_game("connect-four", 6, 3, &t);
  run_game("connect-four-simultaneous", 4, 2, &t);
  run_game("token-game", 6, 4, &t);
  run_game("rock-paper-scissors", 4, 2, &t);
  run_game("free-for-all", 3, 2, &t);
  run_game("orchard-light", 4, 3, &t);
  assert_true(t.proved > 20);
  assert_true(t.refuted > 20);
  assert_true(t.relaxed > 20);
}

/* A budget that is too small gives no wrong answer. */
static void small_budgets(void **state) {
  (void)state;
  alea_opened opened;
  open_game(&opened, "tictactoe");
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_ruling whole = ALEA_RULING_UNKNOWN;
  unsigned unknown = 0;
  for (uint64_t nodes = 1; nodes <= 1 << 20; nodes *= 4) {
    alea_force_options options = {.effort = {.nodes = nodes, .conflicts = 1}};
    alea_force_result result;
    assert_int_equal(
        alea_force_run(&result, opened.game, NULL, 0, 0, ALEA_FORCE_WIN, 9, &options, &mem),
        ALEA_OK);
    assert_int_not_equal(result.answer, ALEA_RULING_PROVED); /* it is a draw */
    assert_true(result.nodes <= nodes);
    unknown += result.answer == ALEA_RULING_UNKNOWN;
    whole = result.answer;
  }
  assert_int_equal(whole, ALEA_RULING_REFUTED);
  assert_true(unknown > 0);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

/* Every allocation may fail. */
static void no_memory(void **state) {
  (void)state;
  alea_opened opened;
  open_game(&opened, "tictactoe");
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_status status = ALEA_SYSTEM;
  for (uint64_t n = 1; status != ALEA_OK; n++) {
    alea_force_result result;
    mem.fail_in = n;
    status = alea_force_run(&result, opened.game, NULL, 0, 0, ALEA_FORCE_WIN, 2, NULL, &mem);
    assert_int_equal(mem.used, 0);
    assert_true(status == ALEA_OK || status == ALEA_SYSTEM);
  }
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_exhaustive_search),
                                     cmocka_unit_test(small_budgets), cmocka_unit_test(no_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
