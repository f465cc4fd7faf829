/* Minimax with an evaluation: what it proves is what plain minimax finds, the
 * evaluation is the same step by step and as a whole, and every kind of game is
 * played to its end. */
#define _DEFAULT_SOURCE /* mkstemp */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "learning/eval_learning.h"
#include "learning/eval_plays.h"
#include "minimax/alpha_beta.h"
#include "minimax/eval_file.h"
#include "minimax/move_effects.h"
#include "minimax/piece_eval.h"
#include "propnet/propnet.h"
#include "support/match_run.h"
#include "support/minimax.h"

enum { POSITIONS = 40, PLAYS = 2000 };

typedef struct searcher {
  alea_opened opened;
  alea_mem mem;
  alea_player_setup setup;
  alea_cursor *cursor;
  alea_rng rng;
  alea_linear_eval eval;
  alea_alpha_beta *search;
} searcher;

/* Learns from random plays. */
static void teach(searcher *s, uint64_t count) {
  alea_eval_plays plays;
  assert_int_equal(alea_eval_plays_init(&plays, &s->eval, NULL, alea_rng_next(&s->rng)), ALEA_OK);
  assert_int_equal(alea_eval_plays_look(&plays), ALEA_OK);
  assert_int_equal(alea_eval_plays_learn(&plays, count, 1), ALEA_OK);
  alea_eval_plays_clear(&plays);
  assert_int_equal(alea_linear_eval_finish(&s->eval, s->cursor, &s->rng), ALEA_OK);
}

static void begin(searcher *s, const char *game, uint32_t role, int plays) {
  open_game(&s->opened, game);
  alea_mem_init(&s->mem, 0);
  alea_rng_seed_stream(&s->rng, 11, 0);
  s->setup = (alea_player_setup){.game = s->opened.game, .role = role, .mem = &s->mem};
  assert_int_equal(alea_cursor_new(s->opened.game, &s->mem, &s->cursor), ALEA_OK);
  assert_int_equal(alea_linear_eval_init(&s->eval, s->opened.game, role, &s->mem), ALEA_OK);
  teach(s, (uint64_t)plays);
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
    if (f >= s.eval.features.fluent_count) break;
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

/* What is read off without going there is what is there, and what is expected of moves
 * by experience is not exceeded but rarely. */
static void previews_are_what_comes(void **state) {
  (void)state;
  searcher s;
  begin(&s, "breakthrough", 0, 0);
  alea_budget budget = {0};
  alea_eval_lessons lessons = {.plays = PLAYS, .budget = &budget, .rng = &s.rng};
  assert_int_equal(alea_eval_learn(&s.eval, &s.setup, &lessons), ALEA_OK);
  alea_move_effects effects;
  assert_int_equal(alea_move_effects_init(&effects, &s.eval, &s.mem), ALEA_OK);
  uint64_t from[64], to[64];
  uint32_t bounded = 0, exceeded = 0;
  for (int play = 0; play < 200; play++) {
    bool over = false;
    assert_int_equal(alea_cursor_reset(s.cursor), ALEA_OK);
    while (!over) {
      size_t count;
      alea_move joint[2];
      const uint64_t *words = alea_cursor_state(s.cursor, &count);
      memcpy(from, words, count * sizeof *from);
      uint32_t chooser = 0;
      for (uint32_t r = 0; r < 2; r++) {
        alea_list legal;
        assert_int_equal(alea_cursor_legal(s.cursor, r, &legal), ALEA_OK);
        if (legal.count > 1) chooser = r;
        joint[r] = legal.ids[alea_rng_below(&s.rng, legal.count)];
      }
      memcpy(to, alea_net_preview(s.cursor, joint), count * sizeof *to);
      assert_memory_equal(alea_cursor_state(s.cursor, &count), from, count * sizeof *from);
      int32_t most, gain = alea_linear_eval_step(&s.eval, from, to);
      if (chooser != s.setup.role) gain = -gain;
      if (alea_move_effects_bound(&effects, chooser, joint[chooser], from, &most)) {
        bounded++;
        assert_true(most > -100 * ALEA_EVAL_UNIT); /* seen once at least */
        exceeded += gain > most && gain > s.eval.loud;
      }
      assert_true(alea_move_effects_note(&effects, chooser, joint[chooser], from, to, gain));
      assert_int_equal(alea_cursor_play(s.cursor, joint), ALEA_OK);
      assert_memory_equal(alea_cursor_state(s.cursor, &count), to, count * sizeof *to);
      assert_int_equal(alea_cursor_terminal(s.cursor, &over), ALEA_OK);
    }
  }
  assert_true(bounded > 1000 && exceeded * 100 < bounded);
  alea_move_effects_clear(&effects);
  end(&s);
}

/* The score that a fluent has, by its name. */
static int32_t score_of(searcher *s, const char *name) {
  uint32_t fluent = alea_net_find_fluent(alea_net_of_game(s->opened.game), name);
  assert_true(fluent < s->eval.features.fluent_count);
  return s->eval.scores[fluent];
}

/* Mirrored squares have equal scores, and those of the other role the opposite. */
static void symmetries_tie_scores(void **state) {
  (void)state;
  searcher s;
  begin(&s, "breakthrough", 0, 0);
  assert_true(s.eval.shares);
  assert_int_equal(alea_eval_features_tie(&s.eval.features, s.opened.services, true, NULL),
                   ALEA_OK);
  teach(&s, PLAYS);
  assert_int_not_equal(score_of(&s, "(cell 2 6 white)"), 0);
  assert_int_equal(score_of(&s, "(cell 2 6 white)"), score_of(&s, "(cell 7 6 white)"));
  assert_int_equal(score_of(&s, "(cell 2 6 white)"), -score_of(&s, "(cell 2 3 black)"));
  int32_t before = score_of(&s, "(cell 2 6 white)");
  alea_linear_eval_turn(&s.eval);
  assert_int_equal(s.eval.role, 1);
  assert_int_equal(score_of(&s, "(cell 2 6 white)"), -before);
  end(&s);
}

/* Of all fluents only pieces count, each as much. */
static void pieces_are_counted(void **state) {
  (void)state;
  searcher s;
  begin(&s, "english-draughts", 1, 0);
  assert_int_equal(alea_piece_eval(&s.eval, s.cursor, &s.rng), ALEA_OK);
  int32_t one = 0;
  for (uint32_t f = 0; f < s.eval.features.fluent_count; f++) {
    alea_text text;
    alea_text_init(&text, &s.mem);
    alea_game_fluent_text(s.opened.game, f, false, &text);
    const char *name = alea_text_string(&text);
    if (strstr(name, "control") != NULL) assert_int_equal(s.eval.scores[f], 0);
    if (strstr(name, "cell") != NULL && s.eval.scores[f] > one) one = s.eval.scores[f];
    alea_text_clear(&text);
  }
  assert_true(one > 0);
  for (uint32_t f = 0; f < s.eval.features.fluent_count; f++)
    assert_true(s.eval.scores[f] == 0 || abs(s.eval.scores[f]) == one);
  size_t count;
  assert_int_equal(alea_cursor_reset(s.cursor), ALEA_OK);
  const uint64_t *words = alea_cursor_state(s.cursor, &count);
  assert_int_equal(alea_linear_eval_score(&s.eval, words), 0);
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

/* ---- files ---- */

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fputs(text, file) < 0, 0);
  assert_int_equal(fclose(file), 0);
}

/* Reads 'text' as a file for the searcher's role; what is said goes to 'said'. */
static alea_status read_back(searcher *s, alea_linear_eval *eval, const char *text, char *said,
                             size_t size) {
  char path[] = "/tmp/alea_eval_XXXXXX";
  int handle = mkstemp(path);
  assert_true(handle >= 0);
  assert_int_equal(close(handle), 0);
  write_file(path, text);
  alea_text message;
  alea_text_init(&message, &s->mem);
  assert_int_equal(alea_linear_eval_init(eval, s->opened.game, s->setup.role, &s->mem), ALEA_OK);
  alea_status status = alea_eval_file_read(eval, path, &message);
  snprintf(said, size, "%s", alea_text_string(&message));
  alea_text_clear(&message);
  assert_int_equal(remove(path), 0);
  return status;
}

static void files_say_what_was_learnt(void **state) {
  (void)state;
  searcher s;
  alea_linear_eval eval;
  alea_text text;
  uint64_t fingerprint;
  char said[400];
  begin(&s, "tictactoe", 1, PLAYS);
  alea_text_init(&text, &s.mem);
  assert_int_equal(alea_eval_fingerprint(s.opened.game, &s.mem, &fingerprint), ALEA_OK);
  for (int form = 0; form < 3; form++) { /* long, short, and short for both roles */
    alea_text_truncate(&text, 0);
    if (form == 0) alea_eval_file_begin(&text, fingerprint);
    if (form == 0) alea_eval_file_add(&text, &s.eval);
    if (form == 2) alea_linear_eval_turn(&s.eval);
    if (form > 0) alea_eval_file_begin_short(&text, fingerprint, s.opened.game);
    if (form > 0) alea_eval_file_add_short(&text, &s.eval, form == 2);
    if (form == 2) alea_linear_eval_turn(&s.eval);
    assert_int_equal(read_back(&s, &eval, alea_text_string(&text), said, sizeof said), ALEA_OK);
    assert_int_equal(eval.role, s.eval.role);
    assert_int_equal(eval.base, s.eval.base);
    assert_int_equal(eval.loud, s.eval.loud);
    for (size_t f = 0; f < 64 * eval.word_count; f++)
      assert_int_equal(eval.scores[f], s.eval.scores[f]);
    for (size_t i = 0; i < eval.patterns.counts.count; i++)
      assert_int_equal(eval.patterns.counts.data[i].score, s.eval.patterns.counts.data[i].score);
    alea_linear_eval_clear(&eval);
    alea_eval_file_key key = alea_eval_file_key_of(alea_text_string(&text));
    assert_true(form == 0 || key.rules == fingerprint);
    assert_int_equal(key.fluents, form == 0 ? 0 : s.eval.features.fluent_count);
  }
  alea_text_clear(&text);
  end(&s);
}

static void bad_files_are_refused(void **state) {
  (void)state;
  static const char *const head = "alea-evaluation 1\nrules %016llx\n%s";
  static const struct {
    const char *rest, *why;
  } cases[] = {
      {"", "the role that is played is not there"},
      {"role 0 plays 1 games 1 base 1 loud 1\n", "the role that is played is not there"},
      {"role 9 plays 1 games 1 base 1 loud 1\n", "no such role"},
      {"role 1 plays 1 games 1 base 1 loud -1\n", "out of range"},
      {"role 1 plays x\n", "expected 'role"},
      {"role 1 plays 1 games 1 base 1 loud 1\nfluent 99999 1 (x)\n", "no such fluent"},
      {"role 1 plays 1 games 1 base 1 loud 1\nfluent 0 1 (x)\n", "another name"},
      {"role 1 plays 1 games 1 base 1 loud 1\nnonsense\n", "expected 'fluent"},
      {"role 1 plays 1 games 1 base 1 loud 1\nrole 1 plays 1 games 1 base 1 loud 1\n", "twice"},
      {"both 0 plays 1 games 1 base 1 loud 1\nrole 1 plays 1 games 1 base 1 loud 1\n", "twice"},
      {"both 2 plays 1 games 1 base 1 loud 1\n", "no such role"},
      {"both 0 plays 1 games 1 base 1 loud 1\nscores\n", "expected 'fluent"},
      {"both 0 plays 1 games 1 base 1 loud 1\nscores x\n", "expected 'scores"},
      {"both 0 plays 1 games 1 base 1 loud 1\nscores 0 1 x\n", "expected 'scores"},
      {"both 0 plays 1 games 1 base 1 loud 1\nscores 99999 1\n", "no such fluent"},
      {"both 0 plays 1 games 1 base 1 loud 1\nscores -1 1\n", "no such fluent"},
      {"both 0 plays 1 games 1 base 1 loud 1\nscores 0 1 1000001\n", "out of range"},
  };
  searcher s;
  alea_linear_eval eval;
  uint64_t fingerprint;
  char text[400], said[400];
  begin(&s, "tictactoe", 1, 1);
  assert_int_equal(alea_eval_fingerprint(s.opened.game, &s.mem, &fingerprint), ALEA_OK);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    snprintf(text, sizeof text, head, (unsigned long long)fingerprint, cases[i].rest);
    assert_int_equal(read_back(&s, &eval, text, said, sizeof said), ALEA_INPUT);
    assert_non_null(strstr(said, cases[i].why));
    alea_linear_eval_clear(&eval);
  }
  snprintf(text, sizeof text, head, (unsigned long long)fingerprint + 1, cases[1].rest);
  assert_int_equal(read_back(&s, &eval, text, said, sizeof said), ALEA_INPUT);
  assert_non_null(strstr(said, "other rules"));
  alea_linear_eval_clear(&eval);
  snprintf(text, sizeof text, "alea-evaluation 3\nrules %016llx\nfluents 7\n",
           (unsigned long long)fingerprint);
  assert_int_equal(read_back(&s, &eval, text, said, sizeof said), ALEA_INPUT);
  assert_non_null(strstr(said, "not so many fluents"));
  alea_linear_eval_clear(&eval);
  assert_int_equal(read_back(&s, &eval, "// something\n", said, sizeof said), ALEA_INPUT);
  assert_non_null(strstr(said, "no evaluation"));
  alea_linear_eval_clear(&eval);
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_those_of_minimax), cmocka_unit_test(steps_add_up),
      cmocka_unit_test(men_are_worth_something),     cmocka_unit_test(previews_are_what_comes),
      cmocka_unit_test(symmetries_tie_scores),       cmocka_unit_test(pieces_are_counted),
      cmocka_unit_test(all_games_are_played),        cmocka_unit_test(matches_repeat),
      cmocka_unit_test(files_say_what_was_learnt),   cmocka_unit_test(bad_files_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
