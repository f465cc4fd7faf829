/* Players of rewriting games: what they refuse, that they repeat themselves,
 * that they play well, and that a learnt evaluation helps (E11 on small
 * boards). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "play/toss.h"
#include "support/match_run.h"
#include "toss/learn.h"

#define GAMES ALEA_SOURCE_DIR "/games/"

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
    run_match(&opened, players, 2, 10000, seed, goals, NULL);
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

/* A shipped game on another board. */
static void write_small(char *path, const char *game, const char *board) {
  static char text[1 << 14];
  char file[512];
  snprintf(file, sizeof file, GAMES "%s.toss", game);
  FILE *f = fopen(file, "rb");
  assert_non_null(f);
  text[fread(text, 1, sizeof text / 2, f)] = '\0';
  fclose(f);
  char *start = strstr(text, "START");
  assert_non_null(start);
  strcpy(strchr(start, '"'), board);
  write_file(path, 5, text);
}

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

static void learnt(const char *game, const char *board, const char *says, uint32_t plays) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text text;
  alea_text_init(&text, &mem);
  char sheet[] = "/tmp/alea-test-XXXXXX.toss", eval[] = "/tmp/alea-test-XXXXXX.eval";
  write_small(sheet, game, board);
  alea_opened opened;
  open_game(&opened, sheet);
  alea_toss_learn_options options = {.rounds = 1,
                                     .plays = plays,
                                     .iterations = 200,
                                     .threshold = 3,
                                     .variables = 2,
                                     .literals = 4,
                                     .seed = 1,
                                     .build = alea_play_toss_network};
  learn(&opened, &options, &text, &mem);
  if (strstr(text.data, says) == NULL) fail_msg("%s", text.data);
  assert_non_null(strstr(text.data, "// support "));
  write_file(eval, 5, text.data);
  double mean = strength(&opened, eval, 40, 30);
  print_message("%s: %g with the evaluation\n", game, mean);
  assert_true(mean > 55);
  unlink(sheet);
  unlink(eval);
  alea_opened_clear(&opened);
  alea_text_clear(&text);
  assert_int_equal(mem.used, 0);
}

/* "Beat if you can": white stands where black stood. */
static void breakthrough(void **state) {
  (void)state;
  learnt("toss-breakthrough", "\"B B B B B\n B B B B B\n . . . . .\n W W W W W\n W W W W W\"\n",
         "W(x) and B_old(x)", 40);
}

/* "Next to a stone": a new stone, and another beside it. */
static void gomoku(void **state) {
  (void)state;
  learnt("toss-gomoku",
         "\". . . . . .\n . . . . . .\n . . . . . .\n . . . . . .\n . . . . . .\n . . . . . .\"\n",
         "Next(x, y)", 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refusals),   cmocka_unit_test(tictactoe_is_not_lost),
      cmocka_unit_test(same_bytes), cmocka_unit_test(stops),
      cmocka_unit_test(breakthrough), cmocka_unit_test(gomoku),
  };
  return cmocka_run_group_tests_name("toss players", tests, NULL, NULL);
}
