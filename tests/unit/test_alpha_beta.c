/* Minimax with an evaluation: what it proves is what plain minimax finds, the
 * evaluation is the same step by step and as a whole, and every kind of game is
 * played to its end. */
#include <string.h>

#include "cmocka_all.h"
#include "play/alpha_beta.h"
#include "support/match_run.h"
#include "support/minimax.h"

enum { POSITIONS = 40, PLAYS = 200 };

typedef struct searcher {
  alea_opened opened;
  alea_mem mem;
  alea_player_setup setup;
  alea_cursor *cursor;
  alea_rng rng;
  alea_linear_eval eval;
  alea_alpha_beta *search;
} searcher;

static void begin(searcher *s, const char *game, uint32_t role, int plays) {
  open_game(&s->opened, game);
  alea_mem_init(&s->mem, 0);
  alea_rng_seed_stream(&s->rng, 11, 0);
  s->setup = (alea_player_setup){.game = s->opened.game, .role = role, .mem = &s->mem};
  assert_int_equal(alea_cursor_new(s->opened.game, &s->mem, &s->cursor), ALEA_OK);
  assert_int_equal(alea_linear_eval_init(&s->eval, s->opened.game, role, &s->mem), ALEA_OK);
  for (int i = 0; i < plays; i++)
    assert_int_equal(alea_linear_eval_learn(&s->eval, s->cursor, &s->rng), ALEA_OK);
  assert_int_equal(alea_linear_eval_finish(&s->eval, s->cursor, &s->rng), ALEA_OK);
  assert_int_equal(alea_alpha_beta_new(&s->search, &s->setup, &s->eval, 1 << 16), ALEA_OK);
}

static void end(searcher *s) {
  alea_alpha_beta_free(s->search);
  alea_linear_eval_clear(&s->eval);
  alea_cursor_free(s->cursor);
  assert_int_equal(s->mem.used, 0);
  alea_opened_clear(&s->opened);
}

/* In a table that is too small for the game, for either role. */
static void values_are_those_of_minimax(void **state) {
  (void)state;
  for (uint32_t role = 0; role < 2; role++) {
    searcher s;
    begin(&s, "tictactoe", role, PLAYS);
    for (int i = 0; i < POSITIONS; i++) {
      minimax_line line;
      alea_alpha_beta_answer answer;
      size_t count;
      minimax_wander(&line, s.cursor, &s.rng, 2 + role + 2 * ((uint32_t)i % 2));
      alea_cursor *at;
      assert_int_equal(alea_cursor_new(s.opened.game, &s.mem, &at), ALEA_OK);
      minimax_replay(&line, at);
      const uint64_t *words = alea_cursor_state(at, &count);
      alea_budget budget = {.sims = 1000000};
      assert_int_equal(alea_alpha_beta_run(s.search, words, count, 0, &budget, &answer), ALEA_OK);
      int value = minimax_value(s.cursor, role);
      assert_int_equal(answer.proof, value == 100 ? ALEA_PROOF_WIN
                                     : value == 0 ? ALEA_PROOF_LOSS
                                                  : ALEA_PROOF_EXACT);
      alea_list other;
      alea_move joint[2];
      assert_int_equal(alea_cursor_legal(at, 1 - role, &other), ALEA_OK);
      joint[role] = answer.move;
      joint[1 - role] = other.ids[0];
      assert_int_equal(alea_cursor_play(at, joint), ALEA_OK);
      assert_int_equal(minimax_value(at, role), value);
      alea_cursor_free(at);
    }
    end(&s);
  }
}

static void steps_add_up(void **state) {
  (void)state;
  searcher s;
  begin(&s, "breakthrough", 1, PLAYS);
  uint64_t before[64];
  int32_t score = 0;
  assert_int_equal(alea_cursor_reset(s.cursor), ALEA_OK);
  for (int i = 0; i < 30; i++) {
    size_t count;
    const uint64_t *words = alea_cursor_state(s.cursor, &count);
    assert_true(count <= 64);
    int32_t whole = alea_linear_eval_score(&s.eval, words);
    if (i > 0) assert_int_equal(score + alea_linear_eval_step(&s.eval, before, words), whole);
    score = whole;
    for (size_t w = 0; w < count; w++) before[w] = words[w];
    alea_move joint[2];
    for (uint32_t r = 0; r < 2; r++) {
      alea_list legal;
      assert_int_equal(alea_cursor_legal(s.cursor, r, &legal), ALEA_OK);
      joint[r] = legal.ids[alea_rng_below(&s.rng, legal.count)];
    }
    assert_int_equal(alea_cursor_play(s.cursor, joint), ALEA_OK);
  }
  end(&s);
}

/* More men than the other's are worth more, and nobody said so. */
static void men_are_worth_something(void **state) {
  (void)state;
  searcher s;
  begin(&s, "breakthrough", 0, 2000);
  float white = 0, black = 0;
  for (size_t f = 0; f < 64 * s.eval.word_count; f++) {
    if (s.eval.kind_of[f] == 0) continue;
    alea_text text;
    alea_text_init(&text, &s.mem);
    alea_game_fluent_text(s.opened.game, (uint32_t)f, false, &text);
    const char *string = alea_text_string(&text);
    bool cell = strstr(string, "cell") != NULL;
    if (cell && strstr(string, "white") != NULL) white += (float)s.eval.scores[f];
    if (cell && strstr(string, "black") != NULL) black += (float)s.eval.scores[f];
    alea_text_clear(&text);
  }
  assert_true(white > black);
  end(&s);
}

/* Chance, simultaneous moves, three players, one player, hidden positions. */
static void all_games_are_played(void **state) {
  (void)state;
  static const char *const games[] = {"kaseklau", "connect-four-simultaneous", "chinese-checkers",
                                      "eight-puzzle", "monty-hall"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    alea_opened opened;
    int goals[2];
    const char *players[8];
    open_game(&opened, games[i]);
    size_t count = opened.game->role_count - (opened.game->random_role >= 0);
    for (size_t p = 0; p < count && p < 8; p++) players[p] = p == 0 ? "ab:plays=10" : "random";
    run_match(&opened, players, count, 20, 1, goals, NULL);
    alea_opened_clear(&opened);
  }
}

/* The same seed and budget are the same match. */
static void matches_repeat(void **state) {
  (void)state;
  static const char *const players[2] = {"ab:plays=50", "ab:plays=50,nodes=300"};
  alea_opened opened;
  alea_mem mem;
  alea_text json[2];
  int goals[2];
  alea_mem_init(&mem, 0);
  open_game(&opened, "connect-four");
  for (int i = 0; i < 2; i++) {
    alea_text_init(&json[i], &mem);
    run_match(&opened, players, 2, 50, 3, goals, &json[i]);
  }
  assert_string_equal(alea_text_string(&json[0]), alea_text_string(&json[1]));
  for (int i = 0; i < 2; i++) alea_text_clear(&json[i]);
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_those_of_minimax), cmocka_unit_test(steps_add_up),
      cmocka_unit_test(men_are_worth_something), cmocka_unit_test(all_games_are_played),
      cmocka_unit_test(matches_repeat)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
