/* Players of rewriting games: what they refuse, that they repeat themselves,
 * that they play well, and that a learnt evaluation helps (E11 on small
 * boards). */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "play/toss.h"
#include "support/match_run.h"
#include "toss/learn.h"

static void write_file(char *path, int suffix, const char *text) {
  int fd = mkstemps(path, suffix);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
}

/* ---- refusing ---- */

static void refuse(const char *game, const char *player, const char *eval, alea_status expected,
                   const char *says) {
  alea_opened opened;
  open_game(&opened, game);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text message;
  alea_text_init(&message, &mem);
  alea_player_setup setup = {.game = opened.game,
                             .seed = 1,
                             .mem = &mem,
                             .rewriting = opened.rewriting,
                             .evaluation = eval};
  alea_player *made;
  assert_int_equal(alea_player_new(&made, player, &setup, &message), expected);
  assert_null(made);
  if (strstr(alea_text_string(&message), says) == NULL) fail_msg("%s", message.data);
  alea_text_clear(&message);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

static void refusals(void **state) {
  (void)state;
  char bad[] = "/tmp/alea-test-XXXXXX.eval";
  write_file(bad, 5, "// a comment\nEVAL 7 true => (1, 0) 1\n");
  refuse("tictactoe", "toss-uct", NULL, ALEA_USAGE, "rewriting games (.toss) only");
  refuse("tictactoe", "toss-mc", NULL, ALEA_USAGE, "rewriting games (.toss) only");
  refuse("toss-tictactoe", "toss-uct-eval", NULL, ALEA_USAGE, "needs an evaluation");
  refuse("toss-tictactoe", "toss-uct-eval", "/nowhere", ALEA_SYSTEM, "cannot be read");
  refuse("toss-tictactoe", "toss-uct-eval", bad, ALEA_INPUT, ":2: ");
  unlink(bad);
}

/* ---- playing ---- */

static void tictactoe_is_not_lost(void **state) {
  (void)state;
  alea_opened opened;
  open_game(&opened, "toss-tictactoe");
  for (uint64_t seed = 1; seed <= 6; seed++) {
    int goals[2];
    uint32_t own = seed % 2;
    const char *players[2] = {"uct", "uct"};
    players[own] = "toss-uct";
    run_match(&opened, players, 2, 5000, seed, goals, NULL);
    if (goals[own] < 50) fail_msg("lost with seed %d", (int)seed);
  }
  alea_opened_clear(&opened);
}

/* Alternating, simultaneous, with chance, continuous: no faults, and the same
 * bytes twice. */
static void same_bytes(void **state) {
  (void)state;
  static const char *const names[] = {"toss-connect-four", "toss-contest", "toss-gale",
                                      "toss-cat-and-mouse"};
  static const char *const players[] = {"toss-uct:ucb=printed,c=0.7", "toss-mc:k=15"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    alea_opened opened;
    open_game(&opened, names[i]);
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_text first, second;
    alea_text_init(&first, &mem);
    alea_text_init(&second, &mem);
    int goals[2];
    run_match(&opened, players, 2, 20, 5, goals, &first);
    run_match(&opened, players, 2, 20, 5, goals, &second);
    assert_string_equal(first.data, second.data);
    alea_text_clear(&first);
    alea_text_clear(&second);
    alea_opened_clear(&opened);
  }
}

/* A player that is told to stop answers all the same. */
static void stops(void **state) {
  (void)state;
  alea_opened opened;
  open_game(&opened, "toss-gomoku");
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text message;
  alea_text_init(&message, &mem);
  alea_player_setup setup = {
      .game = opened.game, .seed = 1, .mem = &mem, .rewriting = opened.rewriting};
  alea_player *player;
  assert_int_equal(alea_player_new(&player, "toss-uct", &setup, &message), ALEA_OK);
  atomic_bool stop = true;
  alea_budget budget = {.seconds = 1e6, .stop = &stop};
  alea_move move;
  assert_int_equal(alea_player_select(player, &budget, &move), ALEA_OK);
  assert_true(move != ALEA_NO_MOVE);
  budget = (alea_budget){.seconds = 0.05, .clock = ALEA_CLOCK_CPU};
  assert_int_equal(alea_player_select(player, &budget, &move), ALEA_OK);
  assert_true(player->stats.sims > 0);
  alea_player_free(player);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

/* ---- learning ---- */

static void learn(const alea_opened *opened, const alea_toss_learn_options *options,
                  alea_text *text, alea_mem *mem) {
  alea_toss_file *file;
  alea_game *game;
  assert_int_equal(
      alea_toss_read(&file, opened->rewriting, strlen(opened->rewriting), "x", mem, NULL), ALEA_OK);
  assert_int_equal(alea_toss_game_new(&game, file, NULL, mem, NULL), ALEA_OK);
  assert_int_equal(alea_toss_learn(game, options, text, mem), ALEA_OK);
  alea_game_free(game);
}

/* Goals of the player with the evaluation, on average over both colours. */
static double strength(const alea_opened *opened, const char *eval, uint64_t sims, int games) {
  char with[128];
  snprintf(with, sizeof with, "toss-uct-eval:e-n=0,eval=%s", eval);
  int sum = 0;
  for (int i = 0; i < games; i++) {
    int goals[2], own = i % 2;
    const char *players[2] = {"toss-uct", "toss-uct"};
    players[own] = with;
    run_match(opened, players, 2, sims, 100 + (uint64_t)i, goals, NULL);
    sum += goals[own];
  }
  return (double)sum / games;
}

/* Whether one of the alternatives, separated by |, is in the text. */
static bool is_said(const char *text, const char *alternatives) {
  char copy[256];
  snprintf(copy, sizeof copy, "%s", alternatives);
  for (char *at = strtok(copy, "|"); at != NULL; at = strtok(NULL, "|")) {
    if (strstr(text, at) != NULL) return true;
  }
  return false;
}

static void learnt(const char *game, const char *says, uint32_t plays) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text text;
  alea_text_init(&text, &mem);
  char sheet[] = "/tmp/alea-test-XXXXXX.toss", eval[] = "/tmp/alea-test-XXXXXX.eval";
  write_file(sheet, 5, game);
  alea_opened opened;
  open_game(&opened, sheet);
  alea_toss_learn_options options = {.rounds = 1,
                                     .plays = plays,
                                     .iterations = 150,
                                     .threshold = 3,
                                     .variables = 2,
                                     .literals = 4,
                                     .seed = 1,
                                     .build = alea_play_toss_network};
  learn(&opened, &options, &text, &mem);
  if (!is_said(text.data, says)) fail_msg("%s", text.data);
  assert_non_null(strstr(text.data, "// support "));
  write_file(eval, 5, text.data);
  double mean = strength(&opened, eval, 30, 20);
  print_message("%g with the evaluation\n", mean);
  assert_true(mean > 55);
  unlink(sheet);
  unlink(eval);
  alea_opened_clear(&opened);
  alea_text_clear(&text);
  assert_int_equal(mem.used, 0);
}

#define GRAPH(x, y)                                                                            \
  "LOC 0 { PLAYER first { PAYOFF :(" x ") - :(" y                                              \
  ") MOVES "                                                                                   \
  "[First as go -> 1]; [Second as beat -> 1] } PLAYER second { PAYOFF :(" y ") - :(" x         \
  ") } } "                                                                                     \
  "LOC 1 { PLAYER first { PAYOFF :(" x ") - :(" y ") } PLAYER second { PAYOFF :(" y ") - :(" x \
  ") MOVES [Third as go -> 0]; [Fourth as beat -> 0] } } "

/* Breakthrough on 5 by 5.  "Beat if you can": white stands where black stood. */
static void breakthrough(void **state) {
  (void)state;
  learnt(
      "PLAYERS first, second "
      "REL Up(x, y) = ex z (C(x, z) and (R(z, y) or R(y, z))) "
      "REL Down(x, y) = ex z (C(z, x) and (R(z, y) or R(y, z))) "
      "REL WinW() = ex x (W(x) and not ex y C(x, y)) or not ex x B(x) "
      "REL WinB() = ex x (B(x) and not ex y C(y, x)) or not ex x W(x) "
      "RULE First: [a, b | W(a); C(a, b) | ] -> [a, b | W(b) | ] emb W, B pre not WinB() "
      "RULE Second: [a, b | W(a); _opt_B(b); Up(a, b) | ] -> [a, b | W(b) | ] emb W, B "
      "pre not WinB() "
      "RULE Third: [a, b | B(a); C(b, a) | ] -> [a, b | B(b) | ] emb W, B pre not WinW() "
      "RULE Fourth: [a, b | B(a); _opt_W(b); Down(a, b) | ] -> [a, b | B(b) | ] emb W, B "
      "pre not WinW() " GRAPH(
          "WinW()",
          "WinB()") "START [ | | ] \"\nB B B B B\nB B B B B\n. . . . .\nW W W W W\nW W W W W\n\"",
      "W(x) and B_old(x)|B_old(x) and not B(x)|B_old(x) and W(x)", 20);
}

/* Four in a line on 5 by 6.  "Next to a stone": a new stone, another beside it. */
static void gomoku(void **state) {
  (void)state;
  learnt("PLAYERS first, second "
         "REL D1(x, y) = ex z (R(x, z) and C(z, y)) REL D2(x, y) = ex z (R(x, z) and C(y, z)) "
         "REL Next(x, y) = R(x, y) or R(y, x) or C(x, y) or C(y, x) or D1(x, y) or D1(y, x) or "
         "D2(x, y) or D2(y, x) "
         "REL Line(w, x, y, z) = (R(w, x) and R(x, y) and R(y, z)) or (C(w, x) and C(x, y) and "
         "C(y, z)) or (D1(w, x) and D1(x, y) and D1(y, z)) or (D2(w, x) and D2(x, y) and D2(y, z)) "
         "REL WinB() = ex w, x, y, z (Line(w, x, y, z) and B(w) and B(x) and B(y) and B(z)) "
         "REL WinW() = ex w, x, y, z (Line(w, x, y, z) and W(w) and W(x) and W(y) and W(z)) "
         "RULE First: [a | | ] -> [a | B(a) | ] emb B, W pre not WinW() "
         "RULE Second: [a | Never(a) | ] -> [a | B(a) | ] emb B, W "
         "RULE Third: [a | | ] -> [a | W(a) | ] emb B, W pre not WinB() "
         "RULE Fourth: [a | Never(a) | ] -> [a | W(a) | ] emb B, W " GRAPH("WinB()", "WinW()")
         "START [ | B:1 {}; W:1 {}; Never:1 {} | ] "
         "\"\n. . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .\n\"",
         "Next(x, y)", 60);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refusals),     cmocka_unit_test(tictactoe_is_not_lost),
      cmocka_unit_test(same_bytes),   cmocka_unit_test(stops),
      cmocka_unit_test(breakthrough), cmocka_unit_test(gomoku),
  };
  return cmocka_run_group_tests_name("toss players", tests, NULL, NULL);
}
