/* What several others want: a search expects them to do what is best for themselves, evaluations
 * of all of them are read and learnt, and games of two have none. */
#define _DEFAULT_SOURCE /* mkstemp */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "learning/other_eval_learning.h"
#include "minimax/alpha_beta.h"
#include "minimax/eval_file.h"
#include "minimax/shipped_evals.h"
#include "propnet/propnet.h"
#include "support/match_run.h"

/* On the left b decides what a gets, and gets the same; on the right both have half. */
static const char crossing[] =
    "(role a) (role b) (role c) (init (at start))\n"
    "(<= (legal a left) (true (at start)))\n"
    "(<= (legal a right) (true (at start)))\n"
    "(<= (legal a noop) (not (true (at start))))\n"
    "(<= (legal b kind) (true (at bridge)))\n"
    "(<= (legal b mean) (true (at bridge)))\n"
    "(<= (legal b noop) (not (true (at bridge))))\n"
    "(legal c noop)\n"
    "(<= (next (at bridge)) (does a left))\n"
    "(<= (next (at meadow)) (does a right))\n"
    "(<= (next (at town)) (does b kind))\n"
    "(<= (next (at river)) (does b mean))\n"
    "(<= terminal (true (at meadow))) (<= terminal (true (at town)))\n"
    "(<= terminal (true (at river)))\n"
    "(<= (goal a 50) (true (at meadow))) (<= (goal b 50) (true (at meadow)))\n"
    "(<= (goal a 100) (true (at town))) (<= (goal b 100) (true (at town)))\n"
    "(<= (goal a 0) (true (at river))) (<= (goal b 0) (true (at river)))\n"
    "(<= (goal a 0) (true (at start))) (<= (goal b 0) (true (at start)))\n"
    "(<= (goal a 0) (true (at bridge))) (<= (goal b 0) (true (at bridge))) (goal c 50)\n";

typedef struct table {
  alea_opened opened;
  alea_mem mem;
  alea_player_setup setup;
  alea_cursor *cursor;
  alea_linear_eval eval;
  alea_other_evals others;
} table;

static void lay(table *t, uint32_t role) {
  alea_mem_init(&t->mem, 0);
  t->setup = (alea_player_setup){.game = t->opened.game, .role = role, .mem = &t->mem, .seed = 3};
  assert_int_equal(alea_cursor_new(t->opened.game, &t->mem, &t->cursor), ALEA_OK);
  assert_int_equal(alea_linear_eval_init(&t->eval, t->opened.game, role, &t->mem), ALEA_OK);
  assert_int_equal(alea_other_evals_init(&t->others, &t->setup), ALEA_OK);
}

static void clear(table *t) {
  alea_other_evals_clear(&t->others);
  alea_linear_eval_clear(&t->eval);
  alea_cursor_free(t->cursor);
  assert_int_equal(t->mem.used, 0);
  alea_opened_clear(&t->opened);
}

static void set_score(const table *t, alea_linear_eval *eval, const char *fluent, int32_t score) {
  uint32_t f = alea_net_find_fluent(alea_net_of_game(t->opened.game), fluent);
  assert_int_not_equal(f, ALEA_NO_FLUENT);
  eval->scores[f] = score;
}

/* The move of a, by a search of so many threads. */
static const char *choose(table *t, const alea_other_evals *others, uint32_t threads) {
  static char name[64];
  alea_alpha_beta *search;
  alea_alpha_beta_answer answer;
  size_t count;
  alea_budget budget = {.sims = 1000};
  assert_int_equal(alea_alpha_beta_new(&search, &t->setup, &t->eval, 1 << 16), ALEA_OK);
  if (threads > 1) assert_int_equal(alea_alpha_beta_set_threads(search, threads), ALEA_OK);
  if (others != NULL) alea_alpha_beta_set_others(search, others);
  assert_int_equal(alea_cursor_reset(t->cursor), ALEA_OK);
  const uint64_t *words = alea_cursor_state(t->cursor, &count);
  assert_int_equal(alea_alpha_beta_run(search, words, count, 4, &budget, &answer), ALEA_OK);
  alea_alpha_beta_free(search);
  alea_text text;
  alea_text_init(&text, &t->mem);
  alea_game_move_text(t->opened.game, 0, answer.move, false, &text);
  snprintf(name, sizeof name, "%s", alea_text_string(&text));
  alea_text_clear(&text);
  return name;
}

static void others_do_what_is_best_for_themselves(void **state) {
  (void)state;
  table t;
  open_sheet(&t.opened, crossing);
  lay(&t, 0);
  set_score(&t, &t.eval, "(at town)", 500);
  set_score(&t, &t.eval, "(at river)", -500);
  assert_string_equal(choose(&t, NULL, 1), "right"); /* who knows what b wants? */
  assert_string_equal(choose(&t, &t.others, 1), "right");
  set_score(&t, &t.others.evals[1], "(at town)", 500);
  set_score(&t, &t.others.evals[1], "(at river)", -500);
  t.others.known[1] = true;
  assert_string_equal(choose(&t, &t.others, 1), "left");
  assert_string_equal(choose(&t, &t.others, 2), "left");
  set_score(&t, &t.others.evals[1], "(at town)", -500);
  set_score(&t, &t.others.evals[1], "(at river)", 500);
  assert_string_equal(choose(&t, &t.others, 1), "right"); /* b is spiteful */
  clear(&t);
}

/* What was learnt of b is what is learnt where b is the player, from as many plays. */
static void each_of_the_others_is_learnt(void **state) {
  (void)state;
  table t;
  alea_rng rng, again;
  alea_linear_eval alone;
  alea_budget budget = {0};
  open_sheet(&t.opened, crossing);
  lay(&t, 0);
  alea_rng_seed_stream(&rng, 7, 0);
  again = rng;
  alea_eval_lessons lessons = {.plays = 2000, .budget = &budget, .rng = &rng};
  assert_int_equal(alea_other_evals_learn(&t.others, &t.eval, &t.setup, &lessons), ALEA_OK);
  assert_true(t.eval.plays > 0);
  assert_null(alea_other_evals_of(&t.others, 0));
  assert_non_null(alea_other_evals_of(&t.others, 2));
  const alea_linear_eval *b = alea_other_evals_of(&t.others, 1);
  assert_non_null(b);
  alea_player_setup theirs = t.setup;
  theirs.role = 1;
  lessons = (alea_eval_lessons){.plays = 1000, .budget = &budget, .rng = &again};
  assert_int_equal(alea_linear_eval_init(&alone, t.opened.game, 1, &t.mem), ALEA_OK);
  assert_int_equal(alea_eval_learn(&alone, &theirs, &lessons), ALEA_OK);
  assert_memory_equal(b->scores, alone.scores, 64 * alone.word_count * sizeof *alone.scores);
  alea_linear_eval_clear(&alone);
  clear(&t);
}

static void those_that_ship_are_found(void **state) {
  (void)state;
  table t;
  alea_linear_eval wanted;
  bool found;
  open_game(&t.opened, "chinese-checkers");
  lay(&t, 1);
  assert_int_equal(alea_other_evals_ship(&t.others), ALEA_OK);
  assert_null(alea_other_evals_of(&t.others, 1));
  for (uint32_t r = 0; r < 3; r += 2) {
    const alea_linear_eval *eval = alea_other_evals_of(&t.others, r);
    assert_non_null(eval);
    assert_int_equal(alea_linear_eval_init(&wanted, t.opened.game, r, &t.mem), ALEA_OK);
    assert_int_equal(alea_shipped_eval_read(&wanted, &found), ALEA_OK);
    assert_true(found);
    assert_memory_equal(eval->scores, wanted.scores, 64 * wanted.word_count * sizeof(int32_t));
    alea_linear_eval_clear(&wanted);
  }
  clear(&t);
}

/* A file may have what one of the others wants, and not what another does. */
static void a_file_tells_of_those_it_knows(void **state) {
  (void)state;
  table t;
  uint64_t fingerprint;
  char path[] = "/tmp/alea-others-XXXXXX";
  open_sheet(&t.opened, crossing);
  lay(&t, 0);
  set_score(&t, &t.others.evals[2], "(at meadow)", 123);
  alea_text text;
  alea_text_init(&text, &t.mem);
  assert_int_equal(alea_eval_fingerprint(t.opened.game, &t.mem, &fingerprint), ALEA_OK);
  alea_eval_file_begin(&text, fingerprint);
  alea_eval_file_add(&text, &t.others.evals[2]);
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, alea_text_string(&text), text.length), text.length);
  close(file);
  alea_text_clear(&text);
  set_score(&t, &t.others.evals[2], "(at meadow)", 0);
  assert_int_equal(alea_other_evals_read(&t.others, path), ALEA_OK);
  unlink(path);
  assert_null(alea_other_evals_of(&t.others, 1));
  const alea_linear_eval *eval = alea_other_evals_of(&t.others, 2);
  assert_non_null(eval);
  uint32_t f = alea_net_find_fluent(alea_net_of_game(t.opened.game), "(at meadow)");
  assert_int_equal(eval->scores[f], 123);
  clear(&t);
}

/* Few own moves are followed, and so further than all of them would be. */
static void a_race_is_seen_far_ahead(void **state) {
  (void)state;
  table t;
  int depths[2];
  bool found;
  open_game(&t.opened, "chinese-checkers");
  lay(&t, 0);
  assert_int_equal(alea_shipped_eval_read(&t.eval, &found), ALEA_OK);
  assert_true(found);
  assert_int_equal(alea_other_evals_ship(&t.others), ALEA_OK);
  for (int known = 0; known < 2; known++) {
    alea_alpha_beta *search;
    alea_alpha_beta_answer answer;
    size_t count;
    alea_budget budget = {.sims = 1000};
    assert_int_equal(alea_alpha_beta_new(&search, &t.setup, &t.eval, 1 << 20), ALEA_OK);
    alea_alpha_beta_set_others(search, known ? &t.others : NULL);
    const uint64_t *words = alea_cursor_state(t.cursor, &count);
    assert_int_equal(alea_alpha_beta_run(search, words, count, 0, &budget, &answer), ALEA_OK);
    depths[known] = answer.depth;
    alea_alpha_beta_free(search);
  }
  assert_true(depths[1] > depths[0]);
  clear(&t);
}

static void games_of_two_have_none(void **state) {
  (void)state;
  table t;
  static const char *const games[] = {"tictactoe", "kaseklau"}; /* the third there is chance */
  for (size_t i = 0; i < 2; i++) {
    open_game(&t.opened, games[i]);
    lay(&t, 0);
    assert_int_equal(alea_other_evals_ship(&t.others), ALEA_OK);
    assert_int_equal(alea_other_evals_read(&t.others, "/nowhere"), ALEA_OK);
    for (uint32_t r = 0; r < 2; r++) assert_null(alea_other_evals_of(&t.others, r));
    clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(others_do_what_is_best_for_themselves),
      cmocka_unit_test(each_of_the_others_is_learnt),
      cmocka_unit_test(those_that_ship_are_found),
      cmocka_unit_test(a_file_tells_of_those_it_knows),
      cmocka_unit_test(a_race_is_seen_far_ahead),
      cmocka_unit_test(games_of_two_have_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
