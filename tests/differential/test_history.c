/* Histories drawn by constraints reproduce what was seen: random plays of
 * every shipped game with `sees`, and of the corpus', seen by each role. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "match/open.h"
#include "unroll/history.h"

enum { MOST_ROLES = 8, DRAWS = 3 };

typedef struct play {
  alea_mem mem;
  const alea_game *game;
  uint32_t role;
  alea_history *history;
  alea_cursor *cursor, *other;
  alea_rng rng;
  alea_u32s own;   /* per step */
  alea_u32s sight; /* per step: count, then percepts */
  unsigned drawn, unknown;
} play;

/* Plays a joint move at random.  False at the end of the game. */
static bool random_step(play *p) {
  alea_move joint[MOST_ROLES];
  bool terminal;
  assert_int_equal(alea_cursor_terminal(p->cursor, &terminal), ALEA_OK);
  if (terminal) return false;
  for (uint32_t r = 0; r < p->game->role_count; r++) {
    alea_list legal;
    assert_int_equal(alea_cursor_legal(p->cursor, r, &legal), ALEA_OK);
    if (legal.count == 0) return false;
    joint[r] = legal.ids[alea_rng_below(&p->rng, legal.count)];
  }
  alea_list percepts;
  assert_int_equal(alea_cursor_play(p->cursor, joint), ALEA_OK);
  assert_int_equal(alea_cursor_percepts(p->cursor, p->role, &percepts), ALEA_OK);
  assert_int_equal(alea_history_add(p->history, joint[p->role], percepts), ALEA_OK);
  assert_true(alea_vec_push(&p->mem, &p->own, joint[p->role]));
  assert_true(alea_vec_push(&p->mem, &p->sight, percepts.count));
  for (uint32_t i = 0; i < percepts.count; i++)
    assert_true(alea_vec_push(&p->mem, &p->sight, percepts.ids[i]));
  return true;
}

static bool contains(alea_list list, uint32_t id) {
  for (uint32_t i = 0; i < list.count; i++)
    if (list.ids[i] == id) return true;
  return false;
}

/* Replays the drawn moves with a cursor of our own. */
static void check_sample(play *p, alea_list moves) {
  uint32_t roles = p->game->role_count;
  size_t at = 0;
  assert_int_equal(moves.count, p->own.count * roles);
  assert_int_equal(alea_cursor_reset(p->other), ALEA_OK);
  for (size_t t = 0; t < p->own.count; t++) {
    const alea_move *joint = moves.ids + t * roles;
    bool terminal;
    assert_int_equal(alea_cursor_terminal(p->other, &terminal), ALEA_OK);
    assert_false(terminal);
    assert_int_equal(joint[p->role], p->own.data[t]);
    alea_list list;
    for (uint32_t r = 0; r < roles; r++) {
      assert_int_equal(alea_cursor_legal(p->other, r, &list), ALEA_OK);
      assert_true(contains(list, joint[r]));
    }
    assert_int_equal(alea_cursor_play(p->other, joint), ALEA_OK);
    assert_int_equal(alea_cursor_percepts(p->other, p->role, &list), ALEA_OK);
    assert_int_equal(list.count, p->sight.data[at++]);
    for (uint32_t i = 0; i < list.count; i++) assert_true(contains(list, p->sight.data[at++]));
  }
}

static void check_draws(play *p) {
  alea_effort effort = {.conflicts = 2000, .nodes = 20000};
  for (int i = 0; i < DRAWS; i++) {
    alea_verdict answer;
    alea_list moves;
    assert_int_equal(alea_history_draw(p->history, false, &p->rng, &effort, &answer, &moves, NULL),
                     ALEA_OK);
    assert_int_not_equal(answer, ALEA_VERDICT_REFUTED); /* it did happen */
    if (answer == ALEA_VERDICT_PROVED) check_sample(p, moves);
    p->drawn += answer == ALEA_VERDICT_PROVED;
    p->unknown += answer == ALEA_VERDICT_UNKNOWN;
  }
}

static void run_role(const alea_game *game, uint32_t role, uint32_t depth, unsigned *drawn,
                     unsigned *unknown) {
  play p = {.game = game, .role = role};
  alea_mem_init(&p.mem, 0);
  alea_rng_seed(&p.rng, 7 + role);
  assert_int_equal(alea_cursor_new(game, &p.mem, &p.cursor), ALEA_OK);
  assert_int_equal(alea_cursor_new(game, &p.mem, &p.other), ALEA_OK);
  assert_int_equal(alea_history_new(&p.history, game, role, 0, &p.mem), ALEA_OK);
  for (uint32_t t = 0; t < depth && random_step(&p); t++) {
    if (t < 2 || t % 4 == 3) check_draws(&p);
  }
  *drawn += p.drawn;
  *unknown += p.unknown;
  alea_history_free(p.history);
  alea_cursor_free(p.cursor);
  alea_cursor_free(p.other);
  alea_vec_clear(&p.mem, &p.own);
  alea_vec_clear(&p.mem, &p.sight);
  assert_int_equal(p.mem.used, 0);
}

/* False where the game has no `sees` or no network. */
static bool run_game(const char *name, double seconds) {
  alea_opened opened;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_diag diag;
  alea_diag_init(&diag, &mem);
  alea_open_options options = {
      .engine = ALEA_ENGINE_AUTO, .ground_seconds = seconds, .memory = (size_t)2 << 30};
  alea_status status = alea_open(&opened, name, &options, &diag);
  bool fits = status == ALEA_OK && opened.game->has_sees && opened.net != NULL;
  unsigned drawn = 0, unknown = 0;
  double began = alea_clock_thread();
  bool full = getenv("ALEA_FULL") != NULL;
  for (uint32_t r = 0; fits && r < opened.game->role_count; r++)
    if ((int)r != opened.game->random_role)
      run_role(opened.game, r, full ? 40 : 10, &drawn, &unknown);
  if (fits && full)
    fprintf(stderr, "%s: %u drawn, %u unknown, %.2f s\n", name, drawn, unknown,
            alea_clock_thread() - began);
  if (fits) assert_true(drawn > 0);
  alea_diag_clear(&diag);
  alea_opened_clear(&opened);
  return fits;
}

static void shipped_games(void **state) {
  (void)state;
  static const char *const games[] = {
      "battleship",    "blind-tictactoe", "guess-dice",     "kuhn-poker", "latent-tictactoe",
      "leduc-poker",   "liars-dice",      "mastermind",     "monty-hall", "pacman-shared",
      "schnappt-hubi", "sheep-and-wolf",  "vacuum-cleaner", "war",        "wumpus"};
  unsigned count = 0;
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) count += run_game(games[i], 20);
  assert_true(count >= 10);
}

static void corpus_games(void **state) {
  (void)state;
  static const char *const games[] = {"backgammon",
                                      "BankerAndThief",
                                      "blindtictactoe",
                                      "blindtictactoeXbias",
                                      "kriegTTT_5x5",
                                      "mastermind",
                                      "mastermind448",
                                      "meier",
                                      "minesweeper",
                                      "montyhall",
                                      "MontyHall2",
                                      "MontyHall_unsw",
                                      "numberguessing",
                                      "pennies",
                                      "small_dominion",
                                      "stratego",
                                      "twogenerals",
                                      "vis_pacman3p",
                                      "HoldYourCourseII",
                                      "BattleshipsFog",
                                      "ConnectThreeDecompositionII"};
  DIR *folder = opendir(ALEA_SHARED_DIR "/corpus/games");
  if (folder == NULL) {
    fprintf(stderr, "skipped: no corpus beside the sources\n");
    skip();
  }
  closedir(folder);
  unsigned count = 0;
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/corpus/games/%s.kif", ALEA_SHARED_DIR, games[i]);
    /* What takes long to ground is left to the full run. */
    count += run_game(path, getenv("ALEA_FULL") != NULL ? 60 : 1);
  }
  assert_true(count >= 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shipped_games),
                                     cmocka_unit_test(corpus_games)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
