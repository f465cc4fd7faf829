/* MAC-UCB and its relatives against known truths (docs/DECISIONS.md, K6 and
 * K7). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "support/match_run.h"

static const char *const all[] = {"mac-ucb", "mac-ucb-75", "mac-ucb-sym", "fc-ucb"};
enum { ALL = sizeof all / sizeof *all };

/* ---- one player at one position ---- */

typedef struct thinker {
  alea_opened opened;
  alea_mem mem;
  alea_text message;
  alea_player *player;
  alea_analysis analysis;
  alea_move move;
} thinker;

static alea_status sit_down(thinker *t, const char *text) {
  alea_mem_init(&t->mem, 0);
  alea_text_init(&t->message, &t->mem);
  alea_player_setup setup = {
      .game = t->opened.game, .role = 0, .seed = 1, .mem = &t->mem, .services = t->opened.services};
  return alea_player_new(&t->player, text, &setup, &t->message);
}

/* 'moves' are joint moves that are played first, role by role. */
static void think(thinker *t, const char *game, const char *text, const char *const *moves,
                  size_t count, uint64_t sims) {
  open_game(&t->opened, game);
  assert_int_equal(sit_down(t, text), ALEA_OK);
  uint32_t roles = t->opened.game->role_count;
  for (size_t i = 0; i < count; i += roles) {
    alea_move joint[8];
    for (uint32_t r = 0; r < roles; r++)
      joint[r] = alea_game_move_find(t->opened.game, r, moves[i + r]);
    alea_observation seen = {.own = joint[0], .joint = joint};
    assert_int_equal(alea_player_observe(t->player, &seen), ALEA_OK);
  }
  alea_budget budget = {.sims = sims};
  assert_int_equal(alea_player_select(t->player, &budget, &t->move), ALEA_OK);
  alea_player_analyse(t->player, &t->analysis);
}

static void stand_up(thinker *t) {
  alea_player_free(t->player);
  alea_text_clear(&t->message);
  assert_int_equal(t->mem.used, 0);
  alea_opened_clear(&t->opened);
}

/* The value that the analysis gives a move. */
static double value_of(const thinker *t, const char *move) {
  alea_move number = alea_game_move_find(t->opened.game, 0, move);
  for (size_t i = 0; i < t->analysis.count; i++)
    if (t->analysis.choices[i].move == number) return t->analysis.choices[i].value;
  fail_msg("no opinion on %s", move);
  return -1;
}

/* ---- the example of [SYM16 §4], K7 ---- */

static void two_by_two_is_exact(void **state) {
  (void)state;
  for (size_t i = 0; i < ALL; i++) {
    thinker t;
    think(&t, "tictactoe-2x2", all[i], NULL, 0, 5000);
    assert_int_equal(t.analysis.proof, ALEA_PROOF_EXACT);
    assert_true(fabs(t.analysis.value - 25) < 1e-3);
    assert_true(fabs(value_of(&t, "(mark 1 2)") - 25) < 1e-3);
    assert_true(fabs(value_of(&t, "(mark 2 1)") - 25) < 1e-3);
    if (strcmp(all[i], "mac-ucb-sym") == 0) {
      /* One of the two was answered from the store, never solved. */
      assert_true(t.player->stats.symmetry_hits > 0);
      assert_true(t.player->stats.solved <= 10);
    }
    stand_up(&t);
  }
  /* Without exact values every move is sampled on: after (mark 2 2) x completes
   * a row or a column whatever it does. */
  thinker t;
  think(&t, "tictactoe-2x2", "mac-ucb:theta=off,cache=off", NULL, 0, 20000);
  assert_true(fabs(value_of(&t, "(mark 1 2)") - 25) < 3);
  assert_true(value_of(&t, "(mark 2 2)") == 0);
  assert_true(fabs(value_of(&t, "(mark 2 1)") - 25) < 3);
  stand_up(&t);
}

/* A last fruit is won with 2/3: its tree and the basket win, the raven loses,
 * the empty tree rolls again.  So one fruit on each of two trees is worth
 * (2/3 + 2/3 + 1 + 0) / 4 = 7/12, and two on one (2/3 + 1) / 3 = 5/9, which is less. */
static void light_orchard_is_exact(void **state) {
  (void)state;
  static const char *const moves[] = {"noop", "(roll basket)"};
  for (size_t i = 0; i < ALL; i++) {
    thinker t;
    think(&t, "orchard-light", all[i], moves, 2, 20000);
    assert_int_equal(t.analysis.proof, ALEA_PROOF_EXACT);
    assert_int_equal(t.move, alea_game_move_find(t.opened.game, 0, "(take red green)"));
    assert_true(fabs(value_of(&t, "(take red green)") - 700.0 / 12) < 1e-3);
    /* The search ends when this is sure to be less, however little is known of it. */
    assert_true(value_of(&t, "(take red red)") < 700.0 / 12);
    stand_up(&t);
  }
}

/* ---- never lost ---- */

static uint64_t game_count(uint64_t few) { return getenv("ALEA_FULL") != NULL ? 200 : few; }

static void tictactoe_is_never_lost(void **state) {
  (void)state;
  static const char *const players[] = {"mac-ucb", "mac-ucb-75",          "mac-ucb-sym",
                                        "fc-ucb",  "mac-ucb:theta=sound", "sancho-like"};
  alea_opened opened;
  open_game(&opened, "tictactoe");
  for (size_t i = 0; i < sizeof players / sizeof *players; i++)
    for (uint64_t seed = 1; seed <= game_count(6); seed++)
      for (int against = 0; against < 2; against++) {
        int goals[2];
        uint32_t own = seed % 2;
        const char *opponent = against == 0 ? "uct" : "random", *seats[2] = {opponent, opponent};
        seats[own] = players[i];
        run_match(&opened, seats, 2, 20000, seed, goals, NULL);
        if (goals[own] < 50) fail_msg("%s lost to %s, seed %d", players[i], opponent, (int)seed);
      }
  alea_opened_clear(&opened);
}

/* ---- hidden things ---- */

static void chances_are_met(const char *game, double chance, uint64_t sims) {
  alea_opened opened;
  open_game(&opened, game);
  for (size_t i = 0; i < ALL; i++) {
    int plays = 400, wins = 0, goals[2];
    for (int seed = 0; seed < plays; seed++) {
      run_match(&opened, &all[i], 1, sims, (uint64_t)seed, goals, NULL);
      wins += goals[0] == 100;
    }
    double doubt = sqrt(chance * (1 - chance) * plays);
    if (fabs(wins - chance * plays) > 3 * doubt) fail_msg("%s won %d %s", all[i], wins, game);
  }
  alea_opened_clear(&opened);
}

static void monty_hall_is_two_thirds(void **state) {
  (void)state;
  chances_are_met("monty-hall", 2.0 / 3, 400);
}

static void a_die_is_guessed_once_in_six(void **state) {
  (void)state;
  chances_are_met("guess-dice", 1.0 / 6, 60);
}

/* ---- two ways to propagate ---- */

/* Both engines list the same arms in the same order, so the search is the same to
 * the last sample where what they cost does not matter. */
static void tables_and_network_agree(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"mac-ucb:rho=0,prop=net", "mac-ucb:rho=0,prop=table"},
      {"mac-ucb:rho=0,prop=net", "mac-ucb:rho=0"},
      {"fc-ucb:rho=0,prop=net", "fc-ucb:rho=0,prop=table"},
      {"mac-ucb-sym:rho=0,sym-share=1,prop=net", "mac-ucb-sym:rho=0,sym-share=1,prop=table"}};
  static const char *const games[] = {"tictactoe", "tictactoe-2x2", "matching-pennies", "kaseklau"};
  for (size_t g = 0; g < sizeof games / sizeof *games; g++)
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
      thinker net, table;
      think(&net, games[g], pairs[i][0], NULL, 0, 300);
      think(&table, games[g], pairs[i][1], NULL, 0, 300);
      assert_int_equal(net.move, table.move);
      assert_int_equal(net.analysis.count, table.analysis.count);
      for (size_t k = 0; k < net.analysis.count; k++) {
        assert_int_equal(net.analysis.choices[k].move, table.analysis.choices[k].move);
        assert_int_equal(net.analysis.choices[k].visits, table.analysis.choices[k].visits);
        assert_true(net.analysis.choices[k].value == table.analysis.choices[k].value);
      }
      assert_int_equal(net.player->stats.solved, table.player->stats.solved);
      assert_int_equal(net.player->stats.constrained, 0);
      assert_int_equal(table.player->stats.constrained, table.player->stats.solved);
      stand_up(&net);
      stand_up(&table);
    }
}

/* Without services there is no network of constraints: a player that was not
 * told to need one goes on without, and its counters say so. */
static void a_game_without_tables_is_played(void **state) {
  (void)state;
  thinker t;
  open_game(&t.opened, "tictactoe");
  struct alea_services *services = t.opened.services;
  t.opened.services = NULL;
  assert_int_equal(sit_down(&t, "mac-ucb:prop=table"), ALEA_USAGE);
  assert_non_null(strstr(alea_text_string(&t.message), "prop=net"));
  alea_text_clear(&t.message);
  assert_int_equal(sit_down(&t, "mac-ucb"), ALEA_OK);
  assert_int_equal(alea_player_select(t.player, &(alea_budget){.sims = 100}, &t.move), ALEA_OK);
  assert_true(t.player->stats.solved > 0);
  assert_int_equal(t.player->stats.constrained, 0);
  t.opened.services = services;
  stand_up(&t);
}

/* The lock opens into a position that the network was not made for
 * (tests/differential/lock.kif): the player notices and goes on without it. */
static void a_broken_network_is_left(void **state) {
  (void)state;
  static const char presses[] = "abcdddabcbcadac";
  char texts[sizeof presses][16];
  const char *moves[sizeof presses];
  for (size_t i = 0; i + 1 < sizeof presses; i++) {
    snprintf(texts[i], sizeof texts[i], "(press %c)", presses[i]);
    moves[i] = texts[i];
  }
  thinker t;
  think(&t, ALEA_SOURCE_DIR "/tests/differential/lock.kif", "mac-ucb", moves, sizeof presses - 1,
        300);
  assert_int_equal(t.analysis.proof, ALEA_PROOF_WIN);
  assert_int_equal(t.move, alea_game_move_find(t.opened.game, 0, "(press d)"));
  assert_true(t.player->stats.constrained > 0);
  assert_true(t.player->stats.constrained < t.player->stats.solved);
  stand_up(&t);
}

/* ---- thresholds ---- */

/* Rounds in a move, or 10 where the value is proved. */
static uint64_t count_rounds(const char *game, const alea_budget *budget) {
  thinker t;
  open_game(&t.opened, game);
  assert_int_equal(sit_down(&t, "mac-ucb"), ALEA_OK);
  assert_int_equal(alea_player_select(t.player, budget, &t.move), ALEA_OK);
  alea_player_analyse(t.player, &t.analysis);
  uint64_t rounds = t.analysis.proof == ALEA_PROOF_NONE ? t.player->stats.rounds : 10;
  stand_up(&t);
  return rounds;
}

/* D17: ten rounds in a move at a short clock, and by simulations; or the
 * position is proved. */
static void thresholds_rise_ten_times(void **state) {
  (void)state;
  static const char *const games[] = {"connect-four", "breakthrough", "hex"};
  static const alea_budget budgets[] = {{.seconds = 0.3, .clock = ALEA_CLOCK_CPU}, {.sims = 1000}};
  for (size_t g = 0; g < sizeof games / sizeof *games; g++)
    for (size_t b = 0; b < sizeof budgets / sizeof *budgets; b++) {
      uint64_t rounds = count_rounds(games[g], &budgets[b]);
      for (int more = 0; rounds < 10 && budgets[b].seconds > 0 && more < 4; more++)
        rounds = count_rounds(games[g], &budgets[b]); /* a host may stop the clock's core */
      if (rounds < 10) fail_msg("%s: %lu rounds", games[g], (unsigned long)rounds);
    }
}

/* A number of pulls that is asked for is what is done. */
static void pulls_are_literal(void **state) {
  (void)state;
  thinker t;
  think(&t, "connect-four", "mac-ucb:pulls=5000", NULL, 0, 1000);
  assert_int_equal(t.player->stats.rounds, 0);
  stand_up(&t);
  think(&t, "connect-four", "mac-ucb:pulls=100", NULL, 0, 1000);
  assert_in_range(t.player->stats.rounds, 5, 10);
  stand_up(&t);
}

/* ---- determinism ---- */

static void same_seed_same_bytes(void **state) {
  (void)state;
  static const char *const players[] = {"mac-ucb:descent=line,pulls=50", "mac-ucb:theta=sound",
                                        "mac-ucb:theta=off,cache=off",   "mac-ucb:select=maximin",
                                        "mac-ucb:select=coop",           "mac-ucb:select=joint-own",
                                        "mac-ucb-sym:sym=paper",         "mac-ucb-sym:images=4"};
  static const char *const games[] = {"tictactoe", "matching-pennies", "connect-four-simultaneous"};
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
    alea_opened opened;
    open_game(&opened, games[g]);
    for (size_t i = 0; i < sizeof players / sizeof *players; i++) {
      const char *seats[2] = {players[i], "random"};
      alea_text one, two;
      int goals[2];
      alea_text_init(&one, &mem);
      alea_text_init(&two, &mem);
      run_match(&opened, seats, 2, 300, 5, goals, &one);
      run_match(&opened, seats, 2, 300, 5, goals, &two);
      assert_string_equal(alea_text_string(&one), alea_text_string(&two));
      alea_text_clear(&one);
      alea_text_clear(&two);
    }
    alea_opened_clear(&opened);
  }
  assert_int_equal(mem.used, 0);
}

/* ---- the cache that is kept ---- */

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void turn_a_bit(const char *path, long at) {
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  fseek(file, at, SEEK_SET);
  int byte = fgetc(file);
  fseek(file, at, SEEK_SET);
  fputc(byte ^ 4, file);
  fclose(file);
}

/* A player that must be refused, with 'word' in the reason. */
static void is_refused(const char *game, const char *text, const char *word) {
  thinker t;
  open_game(&t.opened, game);
  assert_int_not_equal(sit_down(&t, text), ALEA_OK);
  if (strstr(alea_text_string(&t.message), word) == NULL)
    fail_msg("'%s' does not say %s", alea_text_string(&t.message), word);
  t.player = NULL;
  stand_up(&t);
}

static void what_is_kept_is_known(void **state) {
  (void)state;
  char path[] = "/tmp/alea-cache-XXXXXX", text[128];
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  remove(path);
  snprintf(text, sizeof text, "mac-ucb:cache=keep,cache-file=%s", path);
  thinker t;
  think(&t, "tictactoe", text, NULL, 0, 20000);
  assert_int_equal(t.player->stats.cache_hits, 0);
  assert_int_equal(t.analysis.proof, ALEA_PROOF_EXACT);
  uint64_t solved = t.player->stats.solved;
  stand_up(&t);
  /* Again: the same truth for a fraction of the work. */
  think(&t, "tictactoe", text, NULL, 0, 20000);
  assert_true(t.player->stats.cache_hits > 0);
  assert_true(t.player->stats.solved < solved / 10);
  assert_int_equal(t.analysis.proof, ALEA_PROOF_EXACT);
  assert_true(t.analysis.value == 50);
  stand_up(&t);
  is_refused("connect-four", text, "another game");
  turn_a_bit(path, 100);
  is_refused("tictactoe", text, "checksum");
  write_text(path, "no cache at all, but longer than a head of one would be");
  is_refused("tictactoe", text, "no cache file");
  write_text(path, "");
  is_refused("tictactoe", text, "no cache file");
  remove(path);
  is_refused("tictactoe", "mac-ucb:cache=keep", "cache-file");
  is_refused("tictactoe", "mac-ucb:cache=keep,cache-file=/no/such/folder/x", "cannot be written");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_by_two_is_exact),
      cmocka_unit_test(light_orchard_is_exact),
      cmocka_unit_test(tictactoe_is_never_lost),
      cmocka_unit_test(monty_hall_is_two_thirds),
      cmocka_unit_test(a_die_is_guessed_once_in_six),
      cmocka_unit_test(tables_and_network_agree),
      cmocka_unit_test(a_game_without_tables_is_played),
      cmocka_unit_test(a_broken_network_is_left),
      cmocka_unit_test(thresholds_rise_ten_times),
      cmocka_unit_test(pulls_are_literal),
      cmocka_unit_test(same_seed_same_bytes),
      cmocka_unit_test(what_is_kept_is_known),
  };
  return cmocka_run_group_tests_name("mac", tests, NULL, NULL);
}
