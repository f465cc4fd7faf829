/* Players against known truths: solved games, exact chances, the same bytes
 * for the same seed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "support/match_run.h"

/* ---- never lost ---- */

static void never_lose(const char *player, uint64_t sims, uint64_t games, const char *opponent) {
  alea_opened opened;
  open_game(&opened, "tictactoe");
  for (uint64_t seed = 1; seed <= games; seed++) {
    int goals[2];
    uint32_t own = seed % 2;
    const char *players[2] = {opponent, opponent};
    players[own] = player;
    run_match(&opened, players, 2, sims, seed, goals, NULL);
    if (goals[own] < 50) fail_msg("%s lost with seed %d", player, (int)seed);
  }
  alea_opened_clear(&opened);
  assert_int_equal(opened.mem.used, 0);
}

static void tictactoe_is_never_lost(void **state) {
  (void)state;
  static const char *const players[] = {"uct", "grave", "cfr", "alea"};
  for (size_t i = 0; i < sizeof players / sizeof *players; i++) {
    never_lose(players[i], 20000, 6, "uct");
    never_lose(players[i], 20000, 6, "random");
  }
}

/* ---- proofs ---- */

/* What 'player' says of the position after 'sims' simulations, for role 0. */
static alea_proof proof_of(const alea_opened *opened, const char *text, uint64_t sims,
                           double *value) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_player *player;
  alea_player_setup setup = {.game = opened->game, .role = 0, .seed = 1, .mem = &mem};
  alea_text message;
  alea_text_init(&message, &mem);
  assert_int_equal(alea_player_new(&player, text, &setup, &message), ALEA_OK);
  alea_budget budget = {.sims = sims};
  alea_move move;
  alea_analysis analysis;
  assert_int_equal(alea_player_select(player, &budget, &move), ALEA_OK);
  alea_player_analyse(player, &analysis);
  alea_proof proof = analysis.proof;
  *value = analysis.value;
  alea_player_free(player);
  alea_text_clear(&message);
  assert_int_equal(mem.used, 0);
  return proof;
}

/* Batches whose playouts are cut down have no more nodes than there is room for. */
static void small_budgets_fit_small_batches(void **state) {
  (void)state;
  alea_opened opened;
  open_game(&opened, "connect-four");
  for (int playouts = 2; playouts <= 6; playouts++) {
    for (uint64_t sims = 100; sims <= 1500; sims += 100) {
      char player[64];
      double value;
      snprintf(player, sizeof player, "uct:playouts=%d,batch=%d", playouts, playouts % 3 + 1);
      proof_of(&opened, player, sims, &value);
      snprintf(player, sizeof player, "uct:playouts=%d", playouts);
      proof_of(&opened, player, sims, &value);
    }
  }
  alea_opened_clear(&opened);
}

static void nim_is_solved(void **state) {
  (void)state;
  static const char *const players[] = {"uct", "grave", "alea"};
  alea_opened opened;
  open_game(&opened, "nim");
  for (size_t i = 0; i < sizeof players / sizeof *players; i++) {
    double value;
    /* 1 xor 3 xor 5 xor 7 is 0: the first player loses. */
    assert_int_equal(proof_of(&opened, players[i], 20000, &value), ALEA_PROOF_LOSS);
    assert_true(value == 0);
  }
  alea_opened_clear(&opened);
}

static void tictactoe_is_a_draw(void **state) {
  (void)state;
  alea_opened opened;
  double value;
  open_game(&opened, "tictactoe");
  assert_int_equal(proof_of(&opened, "alea", 40000, &value), ALEA_PROOF_EXACT);
  assert_true(value == 50);
  alea_opened_clear(&opened);
}

/* Replaces every 'from' by 'to' of at most its length. */
static void replace(char *text, const char *from, const char *to) {
  size_t length = strlen(from);
  for (char *at = text; (at = strstr(at, from)) != NULL; at += length) {
    memset(at, ' ', length);
    memcpy(at, to, strlen(to));
  }
}

/* Connect Four on a board of 4 x 4: a draw (K8). */
static void small_connect_four_is_a_draw(void **state) {
  (void)state;
  alea_opened shipped, opened;
  double value;
  open_game(&shipped, "connect-four");
  size_t length = shipped.source.length;
  char *text = calloc(1, length + 1);
  memcpy(text, alea_text_string(&shipped.source), length);
  alea_opened_clear(&shipped);
  replace(text, "(column 5) (column 6) (column 7)", "");
  replace(text, "(row 5) (row 6)", "");
  replace(text, "(succ 4 5) (succ 5 6) (succ 6 7)", "");
  replace(text, "(cell ?x 6 b)", "(cell ?x 4 b)");
  open_sheet(&opened, text);
  assert_int_equal(proof_of(&opened, "alea", 400000, &value), ALEA_PROOF_EXACT);
  assert_true(value == 50);
  alea_opened_clear(&opened);
  free(text);
}

/* ---- chance and hidden things ---- */

/* Switching wins two times out of three; 500 plays, three deviations. */
static void monty_hall_is_two_thirds(void **state) {
  (void)state;
  static const char *const players[] = {"uct", "alea", "cfr"};
  alea_opened opened;
  open_game(&opened, "monty-hall");
  for (size_t i = 0; i < sizeof players / sizeof *players; i++) {
    int wins = 0, goals[2];
    for (uint64_t seed = 0; seed < 500; seed++) {
      run_match(&opened, &players[i], 1, 400, seed, goals, NULL);
      wins += goals[0] == 100;
    }
    if (wins < 333 - 32 || wins > 333 + 32) fail_msg("%s won %d of 500", players[i], wins);
  }
  alea_opened_clear(&opened);
}

/* Chance draws one of three balls unseen; the guesser is told nothing.  Who
 * could look at the manager's position would win always. */
static const char unseen[] =
    "(role guesser) (role random) (ball a) (ball b) (ball c) (init (step 1))\n"
    "(<= (legal random (draw ?b)) (true (step 1)) (ball ?b))\n"
    "(<= (legal random wait) (true (step 2)))\n"
    "(<= (legal guesser wait) (true (step 1)))\n"
    "(<= (legal guesser (guess ?b)) (true (step 2)) (ball ?b))\n"
    "(<= (next (drawn ?b)) (does random (draw ?b)))\n"
    "(<= (next (drawn ?b)) (true (drawn ?b)))\n"
    "(<= (next (guessed ?b)) (does guesser (guess ?b)))\n"
    "(<= (next (step 2)) (true (step 1)))\n"
    "(<= (next (step 3)) (true (step 2)))\n"
    "(<= (sees guesser (said ?b)) (does guesser (guess ?b)))\n"
    "(<= hit (true (drawn ?b)) (true (guessed ?b)))\n"
    "(<= terminal (true (step 3)))\n"
    "(<= (goal guesser 100) hit) (<= (goal guesser 0) (not hit)) (goal random 0)\n";

static void hidden_things_stay_hidden(void **state) {
  (void)state;
  static const char *const players[] = {"random", "mc",   "uct",     "grave",
                                        "cfr",    "alea", "mac-ucb", "sancho-like"};
  alea_opened opened;
  open_sheet(&opened, unseen);
  for (size_t i = 0; i < sizeof players / sizeof *players; i++) {
    int wins = 0, goals[2];
    for (uint64_t seed = 0; seed < 300; seed++) {
      run_match(&opened, &players[i], 1, 60, seed, goals, NULL);
      wins += goals[0] == 100;
    }
    /* One of three; four deviations. */
    if (wins < 100 - 33 || wins > 100 + 33) fail_msg("%s won %d of 300", players[i], wins);
  }
  alea_opened_clear(&opened);
}

/* ---- determinism ---- */

static void same_seed_same_bytes(void **state) {
  (void)state;
  static const char *const games[] = {"tictactoe", "breakthrough", "matching-pennies",
                                      "monty-hall"};
  size_t count;
  const alea_player_class *const *classes = alea_player_classes(&count);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (size_t g = 0; g < 4; g++) {
    alea_opened opened;
    open_game(&opened, games[g]);
    uint32_t seats = opened.game->role_count - (opened.game->random_role >= 0);
    for (size_t i = 0; i < count; i++) {
      if (strncmp(classes[i]->name, "toss-", 5) == 0) continue; /* golden/test_toss_players */
      const char *players[2] = {classes[i]->name, "random"};
      alea_text one, two;
      int goals[2];
      alea_text_init(&one, &mem);
      alea_text_init(&two, &mem);
      run_match(&opened, players, seats, 60, 5, goals, &one);
      run_match(&opened, players, seats, 60, 5, goals, &two);
      assert_string_equal(alea_text_string(&one), alea_text_string(&two));
      alea_text_clear(&one);
      alea_text_clear(&two);
    }
    alea_opened_clear(&opened);
  }
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tictactoe_is_never_lost),
      cmocka_unit_test(small_budgets_fit_small_batches),
      cmocka_unit_test(nim_is_solved),
      cmocka_unit_test(tictactoe_is_a_draw),
      cmocka_unit_test(small_connect_four_is_a_draw),
      cmocka_unit_test(monty_hall_is_two_thirds),
      cmocka_unit_test(hidden_things_stay_hidden),
      cmocka_unit_test(same_seed_same_bytes),
  };
  return cmocka_run_group_tests_name("players", tests, NULL, NULL);
}
