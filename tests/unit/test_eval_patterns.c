/* Patterns of the goals: what they are in games that people know, and that scores follow steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "minimax/eval_file.h"
#include "minimax/linear_eval.h"
#include "propnet/propnet.h"
#include "support/match_run.h"

typedef struct pattern_case {
  const char *game;
  uint32_t patterns; /* of either role */
  uint32_t length, blockers;
} pattern_case;

static const pattern_case cases[] = {
    {"tictactoe", 8, 3, 3},     /* rows, columns, diagonals */
    {"gomoku", 572, 5, 5},      /* 2 * 11 * 15 + 2 * 11 * 11 */
    {"connect-four", 69, 4, 4}, /* 24 + 21 + 12 + 12 */
    {"breakthrough", 0, 0, 0},  /* one man suffices */
    {"chess", 0, 0, 0},
    {"skirmish", 0, 0, 0}, /* who has more pieces wins: numbers are compared */
};

typedef struct watched {
  alea_linear_eval *eval;
  uint64_t steps;
} watched;

/* A step's score is the difference of those of its ends. */
static alea_status compare_step(void *context, const alea_eval_step *step) {
  watched *w = context;
  int32_t from = alea_linear_eval_score(w->eval, step->from);
  int32_t to = alea_linear_eval_score(w->eval, step->to);
  assert_int_equal(alea_linear_eval_step(w->eval, step->from, step->to), to - from);
  w->steps++;
  return ALEA_OK;
}

static void patterns_are_found(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    alea_opened opened;
    alea_mem mem;
    alea_eval_patterns patterns;
    open_game(&opened, cases[i].game);
    alea_mem_init(&mem, 0);
    assert_int_equal(alea_eval_patterns_init(&patterns, opened.game, &mem), ALEA_OK);
    assert_int_equal(patterns.list.count, 2 * cases[i].patterns);
    for (size_t k = 0; k < patterns.list.count; k++) {
      assert_int_equal(patterns.list.data[k].length, cases[i].length);
      assert_int_equal(patterns.list.data[k].blockers, cases[i].blockers);
    }
    alea_eval_patterns_clear(&patterns);
    assert_int_equal(mem.used, 0);
    alea_opened_clear(&opened);
  }
}

/* Marks without a board: the owner and a number say all, and nothing that was marked ends. */
static const char marks[] =
    "(role x) (role o) (init (control x)) (number 1) (number 2) (number 3) (number 4)\n"
    "(<= (taken ?n) (true (mark ?r ?n)))\n"
    "(<= (legal ?r (take ?n)) (true (control ?r)) (number ?n) (not (taken ?n)))\n"
    "(<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))\n"
    "(<= (next (mark ?r ?n)) (true (mark ?r ?n))) (<= (next (mark ?r ?n)) (does ?r (take ?n)))\n"
    "(<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))\n"
    "(<= (pair ?r) (true (mark ?r 1)) (true (mark ?r 2)))\n"
    "(<= (pair ?r) (true (mark ?r 3)) (true (mark ?r 4)))\n"
    "(<= open (number ?n) (not (taken ?n)))\n"
    "(<= terminal (role ?r) (pair ?r)) (<= terminal (not open))\n"
    "(<= (goal ?r 100) (role ?r) (pair ?r)) (<= (goal ?r 0) (role ?r) (not (pair ?r)))\n";

static void marks_are_no_numbers(void **state) {
  (void)state;
  alea_opened opened;
  alea_mem mem;
  alea_eval_patterns patterns;
  open_sheet(&opened, marks);
  alea_mem_init(&mem, 0);
  assert_int_equal(alea_eval_patterns_init(&patterns, opened.game, &mem), ALEA_OK);
  assert_int_equal(patterns.list.count, 4);
  alea_eval_patterns_clear(&patterns);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

/* Along random plays, what a step adds is what the positions differ by. */
static void scores_follow_steps(void **state) {
  (void)state;
  static const char *const games[] = {"tictactoe", "connect-four", "gomoku"};
  for (size_t i = 0; i < 3; i++) {
    alea_opened opened;
    alea_mem mem;
    alea_linear_eval eval;
    alea_cursor *cursor;
    alea_rng rng;
    open_game(&opened, games[i]);
    alea_mem_init(&mem, 0);
    alea_rng_seed_stream(&rng, 5, 0);
    assert_int_equal(alea_linear_eval_init(&eval, opened.game, 0, &mem), ALEA_OK);
    assert_int_equal(alea_cursor_new(opened.game, &mem, &cursor), ALEA_OK);
    alea_eval_patterns_begin(&eval.patterns, 0);
    eval.patterns.live = true;
    alea_linear_eval_settle(&eval, 1);
    watched w = {.eval = &eval};
    for (int k = 0; k < 5; k++)
      assert_int_equal(alea_linear_eval_watch(&eval, cursor, &rng, compare_step, &w), ALEA_OK);
    assert_true(w.steps > 20);
    alea_cursor_free(cursor);
    alea_linear_eval_clear(&eval);
    assert_int_equal(mem.used, 0);
    alea_opened_clear(&opened);
  }
}

/* Reads a text as the evaluation of a role. */
static alea_status read_text(alea_linear_eval *eval, const char *text, alea_text *message) {
  char path[] = "/tmp/alea-eval-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), strlen(text));
  close(file);
  alea_text_truncate(message, 0);
  alea_status status = alea_eval_file_read(eval, path, message);
  unlink(path);
  return status;
}

static void files_keep_patterns(void **state) {
  (void)state;
  static const struct {
    const char *line, *problem; /* NULL: none */
  } lines[] = {{"pattern 0 3 2 77", NULL},
               {"pattern 0 4 2 77", "no such pattern"},
               {"pattern 2 3 2 77", "no such pattern"},
               {"pattern 0 3 0 77", "no such pattern"},
               {"pattern 0 3 4 77", "no such pattern"},
               {"pattern 0 3 2 77 8", "expected 'pattern"},
               {"pattern 0 3", "expected 'pattern"},
               {"pattern 0 3 2 1999999999", "out of range"}};
  alea_opened opened;
  alea_mem mem;
  alea_linear_eval eval, again;
  alea_text file, message;
  uint64_t fingerprint;
  open_game(&opened, "tictactoe");
  alea_mem_init(&mem, 0);
  alea_text_init(&file, &mem);
  alea_text_init(&message, &mem);
  assert_int_equal(alea_linear_eval_init(&eval, opened.game, 0, &mem), ALEA_OK);
  assert_int_equal(alea_linear_eval_init(&again, opened.game, 0, &mem), ALEA_OK);
  alea_eval_patterns_begin(&eval.patterns, 0);
  eval.patterns.live = true;
  alea_linear_eval_settle(&eval, 1);
  assert_int_equal(alea_eval_fingerprint(opened.game, &mem, &fingerprint), ALEA_OK);
  alea_eval_file_begin(&file, fingerprint);
  alea_eval_file_add(&file, &eval);
  assert_int_equal(read_text(&again, alea_text_string(&file), &message), ALEA_OK);
  assert_true(again.patterns.live);
  for (size_t i = 0; i < eval.patterns.counts.count; i++)
    assert_int_equal(again.patterns.counts.data[i].score, eval.patterns.counts.data[i].score);
  size_t length = file.length;
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    alea_text_truncate(&file, length);
    alea_text_format(&file, "%s\n", lines[i].line);
    alea_status status = read_text(&again, alea_text_string(&file), &message);
    assert_int_equal(status, lines[i].problem == NULL ? ALEA_OK : ALEA_INPUT);
    if (lines[i].problem != NULL)
      assert_non_null(strstr(alea_text_string(&message), lines[i].problem));
  }
  alea_text_clear(&file);
  alea_text_clear(&message);
  alea_linear_eval_clear(&eval);
  alea_linear_eval_clear(&again);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

/* A file of the first version, which knows no patterns. */
static void older_files_are_read(void **state) {
  (void)state;
  alea_opened opened;
  alea_mem mem;
  alea_linear_eval eval;
  alea_text file, message;
  uint64_t fingerprint;
  open_game(&opened, "tictactoe");
  alea_mem_init(&mem, 0);
  alea_text_init(&file, &mem);
  alea_text_init(&message, &mem);
  assert_int_equal(alea_linear_eval_init(&eval, opened.game, 0, &mem), ALEA_OK);
  assert_int_equal(alea_eval_fingerprint(opened.game, &mem, &fingerprint), ALEA_OK);
  alea_text_format(&file, "alea-evaluation 1\nrules %016llx\n", (unsigned long long)fingerprint);
  alea_text_put(&file, "role 0 plays 5 games 0 base 7 loud 9\n");
  assert_int_equal(read_text(&eval, alea_text_string(&file), &message), ALEA_OK);
  assert_int_equal(eval.base, 7);
  assert_false(eval.patterns.live);
  alea_text_truncate(&file, 0);
  alea_text_format(&file, "alea-evaluation 3\nrules %016llx\n", (unsigned long long)fingerprint);
  assert_int_equal(read_text(&eval, alea_text_string(&file), &message), ALEA_INPUT);
  alea_text_clear(&file);
  alea_text_clear(&message);
  alea_linear_eval_clear(&eval);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

/* Whether all fluents of one of the role's patterns hold. */
static bool is_complete(const alea_eval_patterns *p, uint32_t role, const uint64_t *words) {
  for (size_t i = 0; i < p->list.count; i++) {
    const alea_eval_pattern *it = &p->list.data[i];
    uint32_t held = 0;
    size_t class = 0;
    while (p->classes.data[class].first_count != it->first_count) class ++;
    if (p->classes.data[class].role != role) continue;
    for (uint32_t k = 0; k < it->length; k++) {
      uint32_t fluent = p->fluents.data[it->first + k];
      held += words[fluent >> 6] >> (fluent & 63) & 1;
    }
    if (held == it->length) return true;
  }
  return false;
}

static void complete_patterns_win(void **state) {
  (void)state;
  static const char *const games[] = {"tictactoe", "connect-four"};
  for (size_t i = 0; i < 2; i++) {
    alea_opened opened;
    alea_mem mem;
    alea_eval_patterns patterns;
    alea_cursor *cursor;
    alea_rng rng;
    uint32_t won = 0;
    open_game(&opened, games[i]);
    alea_mem_init(&mem, 0);
    alea_rng_seed_stream(&rng, 9, 0);
    assert_int_equal(alea_eval_patterns_init(&patterns, opened.game, &mem), ALEA_OK);
    assert_int_equal(alea_cursor_new(opened.game, &mem, &cursor), ALEA_OK);
    for (int play = 0; play < 200; play++) {
      assert_int_equal(alea_cursor_reset(cursor), ALEA_OK);
      for (bool over = false; !over;) {
        alea_move joint[2];
        size_t count;
        for (uint32_t r = 0; r < 2; r++) {
          alea_list legal;
          assert_int_equal(alea_cursor_legal(cursor, r, &legal), ALEA_OK);
          joint[r] = legal.ids[alea_rng_below(&rng, legal.count)];
        }
        assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
        for (uint32_t r = 0; r < 2; r++) {
          int goal;
          bool complete = is_complete(&patterns, r, alea_cursor_state(cursor, &count));
          assert_int_equal(alea_cursor_goal(cursor, r, &goal), ALEA_OK);
          assert_true(complete == (goal == 100));
          won += complete;
        }
        assert_int_equal(alea_cursor_terminal(cursor, &over), ALEA_OK);
      }
    }
    assert_true(won > 20);
    alea_cursor_free(cursor);
    alea_eval_patterns_clear(&patterns);
    assert_int_equal(mem.used, 0);
    alea_opened_clear(&opened);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patterns_are_found),  cmocka_unit_test(marks_are_no_numbers),
      cmocka_unit_test(scores_follow_steps), cmocka_unit_test(complete_patterns_win),
      cmocka_unit_test(files_keep_patterns), cmocka_unit_test(older_files_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
