/* Compiled rewriting games against the interpreter, position by position, and
 * rewriting games against the same games in GDL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "cmocka_all.h"
#include "game/playout.h"
#include "propnet/propnet.h"
#include "support/load.h"
#include "support/make_engine.h"
#include "toss/toss.h"

#define GAMES ALEA_SOURCE_DIR "/games/"

static alea_toss_file *read_toss(const char *name, alea_mem *mem) {
  size_t length;
  char *text = load_file(&length, GAMES "%s.toss", name);
  assert_non_null(text);
  alea_toss_file *file;
  assert_int_equal(alea_toss_read(&file, text, length, name, mem, NULL), ALEA_OK);
  free(text);
  return file;
}

static alea_game *interpreted(const char *name, alea_mem *mem) {
  alea_game *game;
  assert_int_equal(alea_toss_game_new(&game, read_toss(name, mem), NULL, mem, NULL), ALEA_OK);
  return game;
}

static alea_game *compiled(const char *name, alea_mem *mem) {
  alea_toss_file *file = read_toss(name, mem);
  alea_ground *ground;
  alea_net *net;
  alea_game *game;
  assert_int_equal(alea_toss_ground(&ground, file, mem, NULL), ALEA_OK);
  assert_int_equal(alea_net_new(&net, ground, NULL, mem, NULL), ALEA_OK);
  alea_net_check(net);
  assert_int_equal(alea_net_game_new(&game, net, mem), ALEA_OK);
  alea_ground_free(ground);
  alea_toss_free(file);
  return game;
}

/* Every fluent and every legal move of 'a' must be one of 'b', by name. */
static void compare_names(alea_cursor *a, alea_cursor *b, alea_mem *mem) {
  alea_list here, there;
  alea_text x, y;
  alea_text_init(&x, mem);
  alea_text_init(&y, mem);
  assert_int_equal(alea_cursor_fluents(a, &here), ALEA_OK);
  assert_int_equal(alea_cursor_fluents(b, &there), ALEA_OK);
  assert_int_equal(here.count, there.count);
  for (uint32_t i = 0; i < here.count; i++) {
    bool found = false;
    alea_text_truncate(&x, 0);
    alea_game_fluent_text(a->game, here.ids[i], false, &x);
    for (uint32_t j = 0; j < there.count && !found; j++) {
      alea_text_truncate(&y, 0);
      alea_game_fluent_text(b->game, there.ids[j], false, &y);
      found = strcmp(x.data, y.data) == 0;
    }
    if (!found) fail_msg("fluent %s", x.data);
  }
  alea_text_clear(&x);
  alea_text_clear(&y);
}

/* The move of 'b' with the name of a's. */
static alea_move translate(const alea_game *a, const alea_game *b, uint32_t role, alea_move move,
                           alea_mem *mem) {
  alea_text text;
  alea_text_init(&text, mem);
  alea_game_move_text(a, role, move, false, &text);
  alea_move found = alea_game_move_find(b, role, text.data);
  if (found == ALEA_NO_MOVE) fail_msg("no move %s", text.data);
  alea_text_clear(&text);
  return found;
}

static void compare_position(alea_cursor *a, alea_cursor *b, bool *terminal, alea_mem *mem) {
  bool other;
  assert_int_equal(alea_cursor_terminal(a, terminal), ALEA_OK);
  assert_int_equal(alea_cursor_terminal(b, &other), ALEA_OK);
  assert_int_equal(*terminal, other);
  compare_names(a, b, mem);
  for (uint32_t role = 0; role < a->game->role_count; role++) {
    int x, y;
    assert_int_equal(alea_cursor_goal(a, role, &x), ALEA_OK);
    assert_int_equal(alea_cursor_goal(b, role, &y), ALEA_OK);
    assert_int_equal(x, y);
    alea_list here, there;
    if (*terminal) continue;
    assert_int_equal(alea_cursor_legal(a, role, &here), ALEA_OK);
    assert_int_equal(alea_cursor_legal(b, role, &there), ALEA_OK);
    assert_int_equal(here.count, there.count);
    for (uint32_t i = 0; i < here.count; i++) {
      alea_move move = translate(a->game, b->game, role, here.ids[i], mem);
      bool found = false;
      for (uint32_t j = 0; j < there.count; j++) found |= there.ids[j] == move;
      assert_true(found);
    }
  }
}

static void lockstep(const char *name, int plays) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_game *a = interpreted(name, &mem), *b = compiled(name, &mem);
  alea_cursor *x, *y;
  assert_int_equal(a->role_count, b->role_count);
  assert_int_equal(a->random_role, b->random_role);
  assert_int_equal(alea_cursor_new(a, &mem, &x), ALEA_OK);
  assert_int_equal(alea_cursor_new(b, &mem, &y), ALEA_OK);
  alea_rng rng;
  alea_rng_seed(&rng, 7);
  for (int play = 0; play < plays; play++) {
    bool terminal = false;
    assert_int_equal(alea_cursor_reset(x), ALEA_OK);
    assert_int_equal(alea_cursor_reset(y), ALEA_OK);
    for (int step = 0; step < 400; step++) {
      compare_position(x, y, &terminal, &mem);
      if (terminal) break;
      alea_move ours[9], theirs[9];
      for (uint32_t role = 0; role < a->role_count; role++) {
        alea_list list;
        assert_int_equal(alea_cursor_legal(x, role, &list), ALEA_OK);
        ours[role] = list.ids[alea_rng_below(&rng, list.count)];
        theirs[role] = translate(a, b, role, ours[role], &mem);
      }
      assert_int_equal(alea_cursor_play(x, ours), ALEA_OK);
      assert_int_equal(alea_cursor_play(y, theirs), ALEA_OK);
      if (step % 7 == 3) { /* out of a position and back */
        size_t count;
        uint64_t words[256], hash = alea_cursor_hash(x);
        const uint64_t *state = alea_cursor_state(x, &count);
        assert_true(count <= 256);
        memcpy(words, state, count * sizeof *words);
        assert_int_equal(alea_cursor_reset(x), ALEA_OK);
        assert_int_equal(alea_cursor_load(x, words, count), ALEA_OK);
        assert_true(alea_cursor_hash(x) == hash);
      }
    }
  }
  alea_cursor_free(x);
  alea_cursor_free(y);
  alea_game_free(a);
  alea_game_free(b);
  assert_int_equal(mem.used, 0);
}

static void compiled_like_interpreted(void **state) {
  (void)state;
  lockstep("toss-tictactoe", 30);
  lockstep("toss-contest", 30);
  lockstep("toss-gale", 30);
  lockstep("toss-connect-four", 5);
  lockstep("toss-pawns", 3);
  lockstep("toss-breakthrough", 3);
  lockstep("toss-gomoku", 2);
}

/* ---- twins ---- */

static bool counts_of_gdl(const char *name, uint32_t depth, uint64_t *counts) {
  char path[512];
  snprintf(path, sizeof path, GAMES "%s.kif", name);
  if (access(path, R_OK) != 0) return false;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_game *game;
  alea_cursor *cursor;
  assert_int_equal(load_game(path, make_net, &mem, &game), ALEA_OK);
  assert_int_equal(alea_cursor_new(game, &mem, &cursor), ALEA_OK);
  assert_int_equal(alea_perft(cursor, depth, NULL, counts, &mem), ALEA_OK);
  alea_cursor_free(cursor);
  alea_game_free(game);
  return true;
}

static void twin(const char *toss, const char *gdl, uint32_t depth, bool interpret) {
  uint64_t expected[16], found[16];
  if (!counts_of_gdl(gdl, depth, expected)) {
    print_message("%s.kif is not there: skipped\n", gdl);
    return;
  }
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_game *game = interpret ? interpreted(toss, &mem) : compiled(toss, &mem);
  alea_cursor *cursor;
  assert_int_equal(alea_cursor_new(game, &mem, &cursor), ALEA_OK);
  assert_int_equal(alea_perft(cursor, depth, NULL, found, &mem), ALEA_OK);
  for (uint32_t i = 0; i < depth; i++) assert_true(expected[i] == found[i]);
  alea_cursor_free(cursor);
  alea_game_free(game);
  assert_int_equal(mem.used, 0);
}

static void twins(void **state) {
  (void)state;
  twin("toss-tictactoe", "tictactoe", 9, false);
  twin("toss-tictactoe", "tictactoe", 6, true);
  twin("toss-connect-four", "connect-four", 6, false);
  twin("toss-breakthrough", "breakthrough", 4, false);
  twin("toss-breakthrough", "breakthrough", 3, true);
  twin("toss-gomoku-15", "gomoku", 2, false);
}

/* These stay with the interpreter. */
static void refuses_what_is_not_discrete(void **state) {
  (void)state;
  static const char *const texts[] = {
      "PLAYERS p RULE M: [a | | ] -> [a, b | | ] LOC 0 { PLAYER p { MOVES [M -> 0] } } START [x | "
      "| ]",
      "PLAYERS p RULE M: [a | | ] -> [a | | ] LOC 0 { PLAYER p { MOVES [M * -> 0] } } START [x | | "
      "]",
      "PLAYERS p RULE M: [a | | ] -> [a | | ] LOC 0 { PLAYER p { MOVES [M -> 0] } } START [x | | v "
      "{x -> 1}]",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_toss_file *file;
    alea_ground *ground;
    assert_int_equal(alea_toss_read(&file, texts[i], strlen(texts[i]), "x", &mem, NULL), ALEA_OK);
    assert_int_equal(alea_toss_ground(&ground, file, &mem, NULL), ALEA_UNSUPPORTED);
    assert_null(ground);
    alea_toss_free(file);
    assert_int_equal(mem.used, 0);
  }
}

/* The n-th allocation fails: a status, and nothing leaks. */
static void no_memory(void **state) {
  (void)state;
  alea_status status = ALEA_SYSTEM;
  for (uint64_t n = 1; status != ALEA_OK; n += n < 200 ? 1 : 7) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_toss_file *file = read_toss("toss-gale", &mem);
    alea_ground *ground;
    mem.fail_in = n;
    status = alea_toss_ground(&ground, file, &mem, NULL);
    mem.fail_in = 0;
    alea_ground_free(ground);
    alea_toss_free(file);
    assert_int_equal(mem.used, 0);
    assert_true(n < 100000);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compiled_like_interpreted),
      cmocka_unit_test(twins),
      cmocka_unit_test(refuses_what_is_not_discrete),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests_name("toss games", tests, NULL, NULL);
}
