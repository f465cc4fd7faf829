/* Evaluation games, the search that uses them and how they are learnt:
 * [TOSS10 §5, §6]. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "propnet/propnet.h"
#include "support/load.h"
#include "support/rewriting.h"
#include "toss/learn.h"

static void play(alea_cursor *cursor, const char *first, const char *second) {
  alea_move joint[2] = {alea_game_move_find(cursor->game, 0, first),
                        alea_game_move_find(cursor->game, 1, second)};
  assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
}

/* The evaluation game of the paper's figure 3: the middle is good. */
static const char middle[] =
    "// figure 3\n"
    "EVAL 0 ex x (X(x) and not X_old(x) and ex y C(x, y) and ex y C(y, x) and ex y R(x, y) and "
    "ex y R(y, x)) => (1, 0) 0.7; (0, 1) 0.1; (0.5, 0.5) 0.2\n"
    "EVAL 0 true => (1, 0) 0.4; (0, 1) 0.2; (0.5, 0.5) 0.4\n";

/* The payoffs that an evaluation foretells of the first move, its value; 4000
 * plays must come to the same. */
static void assess(const char *text, const char *move, double *mean) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_game *game = open_rewriting_game("toss-tictactoe", &mem);
  alea_toss_evaluation *e;
  assert_int_equal(alea_toss_evaluation_new(&e, game, text, &mem, NULL), ALEA_OK);
  alea_cursor *before, *after;
  assert_int_equal(alea_cursor_new(game, &mem, &before), ALEA_OK);
  assert_int_equal(alea_cursor_new(game, &mem, &after), ALEA_OK);
  play(after, move, "noop");
  alea_toss_stage stage;
  uint32_t location;
  alea_toss_transition made = {alea_toss_cursor_structure(before, &location),
                               alea_toss_cursor_structure(after, &location), NULL};
  assert_int_equal(alea_toss_stage_init(&stage, e, &mem), ALEA_OK);
  assert_int_equal(alea_toss_stage_set(&stage, e, &made, location), ALEA_OK);
  uint32_t verdict = alea_toss_evaluation_verdict(e, &stage, 0);
  alea_rng rng;
  alea_rng_seed(&rng, 3);
  double squares[2], sampled[2];
  assert_int_equal(alea_toss_verdict_assess(e, &stage, verdict, 0, &rng, mean, squares), ALEA_OK);
  assert_int_equal(alea_toss_verdict_assess(e, &stage, verdict, 4000, &rng, sampled, squares),
                   ALEA_OK);
  assert_true(fabs(sampled[0] - mean[0]) < 0.03);
  alea_toss_stage_clear(&stage);
  alea_cursor_free(before);
  alea_cursor_free(after);
  alea_toss_evaluation_free(e);
  alea_game_free(game);
  assert_int_equal(mem.used, 0);
}

static void figure_three(void **state) {
  (void)state;
  double mean[2];
  assess(middle, "(mark b2)", mean);
  assert_true(fabs(mean[0] - 0.8) < 1e-9 && fabs(mean[1] - 0.2) < 1e-9);
  assess(middle, "(mark a1)", mean);
  assert_true(fabs(mean[0] - 0.6) < 1e-9 && fabs(mean[1] - 0.4) < 1e-9);
}

/* A game without choices; one with a choice, where players see ahead; and one
 * where both choose at once: b is what regret leaves of it. */
static const char forced[] =
    "GAME 0\n"
    "RULE All: [a | | ] -> [a | | ]\n"
    "LOC 0 { PLAYER xplayer { MOVES [All all -> 1 : 1/4, 2 : 3/4] } }\n"
    "LOC 1 { PLAYER xplayer { PAYOFF 1 } PLAYER oplayer { PAYOFF -1 } }\n"
    "LOC 2 { PLAYER xplayer { PAYOFF 0.5 } PLAYER oplayer { PAYOFF -0.5 } }\n"
    "END\n";
static const char chosen[] =
    "GAME 0 // o may take the middle back, then pays for it or not by chance\n"
    "RULE Back: [a | X(a) | ] -> [a | O(a) | ] emb X, O pre (ex y C(a, y)) and (ex y C(y, a))\n"
    "RULE Stay: [a | | ] -> [a | | ]\n"
    "LOC 0 { PLAYER oplayer { MOVES [Back -> 1 : 1/2, 2 : 1/2]; [Stay all -> 2] } }\n"
    "LOC 1 { PLAYER xplayer { PAYOFF 1 } PLAYER oplayer { PAYOFF -1 } }\n"
    "LOC 2 { PLAYER xplayer { PAYOFF Sum (x | X(x) : 1) - Sum (x | O(x) : 1) }\n"
    "        PLAYER oplayer { PAYOFF 0 - Sum (x | X(x) : 0.5) } }\n"
    "END\n";
static const char at_once[] =
    "GAME 0\n"
    "RANGE 0 -- 4\n"
    "RULE A: [a | | ] -> [a | | ]\n"
    "LOC 0 { PLAYER xplayer { MOVES [A as a all]; [A as b all] }\n"
    "        PLAYER oplayer { MOVES [A as c all]; [A as d all] }\n"
    "        EDGE [a, c] -> 1 EDGE [a, d] -> 2 EDGE [b, c] -> 3 EDGE [b, d] -> 4 }\n"
    "LOC 1 { PLAYER xplayer { PAYOFF 0 } PLAYER oplayer { PAYOFF 4 } }\n"
    "LOC 2 { PLAYER xplayer { PAYOFF 4 } PLAYER oplayer { PAYOFF 0 } }\n"
    "LOC 3 { PLAYER xplayer { PAYOFF 3 } PLAYER oplayer { PAYOFF 2 } }\n"
    "LOC 4 { PLAYER xplayer { PAYOFF 3 } PLAYER oplayer { PAYOFF 1 } }\n"
    "END\n";

static void games(void **state) {
  (void)state;
  double mean[2];
  assess(forced, "(mark b2)", mean); /* payoffs 1 and 0.5 of -1 -- 1 are 1 and 0.75 */
  assert_true(fabs(mean[0] - 0.8125) < 1e-9 && fabs(mean[1] - 0.1875) < 1e-9);
  /* Staying gives o -0.5, going back -1 or 0: both -0.5, so each half the time.
   * x gets 1, or 1 and -1: goals 1 and (1 + 0) / 2. */
  assess(chosen, "(mark b2)", mean);
  assert_true(fabs(mean[0] - 0.75) < 1e-9 && fabs(mean[1] - 0.25) < 1e-9);
  assess(chosen, "(mark b1)", mean); /* no way back from the edge */
  assert_true(fabs(mean[0] - 1) < 1e-9 && fabs(mean[1] - 0.25) < 1e-9);
  /* Regrets of x: 3 for a against c, 1 for b against d; c never loses to d. */
  assess(at_once, "(mark b2)", mean);
  assert_true(fabs(mean[0] - 0.75) < 1e-9 && fabs(mean[1] - 0.5) < 1e-9);
}

/* The game itself: uniform plays from after the move. */
static void game_itself(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_game *game = open_rewriting_game("toss-tictactoe", &mem);
  alea_toss_evaluation *e;
  assert_int_equal(alea_toss_evaluation_new(&e, game, "SELF 0, 1\n", &mem, NULL), ALEA_OK);
  alea_toss_arena arena;
  assert_int_equal(alea_toss_arena_open(&arena, game, e, NULL, &mem), ALEA_OK);
  alea_toss_joints j;
  static uint32_t verdicts[9];
  double values[18], squares[18];
  alea_rng rng;
  alea_rng_seed(&rng, 1);
  assert_int_equal(alea_toss_arena_joints(&arena, &j), ALEA_OK);
  assert_int_equal(alea_toss_arena_judge(&arena, &j, 400, &rng, verdicts, values, squares),
                   ALEA_OK);
  /* Random play after the middle is won 0.66, drawn 0.10; after an edge 0.53 and 0.13. */
  alea_move joint[2];
  for (uint32_t i = 0; i < j.total; i++) {
    alea_text text;
    alea_text_init(&text, &mem);
    assert_int_equal(alea_toss_arena_moves(&arena, &j, i, joint), ALEA_OK);
    alea_game_move_text(game, 0, joint[0], false, &text);
    double mean = values[2 * i];
    if (strcmp(text.data, "(mark b2)") == 0) assert_true(fabs(mean - 0.74) < 0.08);
    if (strcmp(text.data, "(mark b1)") == 0) assert_true(fabs(mean - 0.60) < 0.08);
    assert_true(fabs(mean + values[2 * i + 1] - 1) < 1e-9);
    alea_text_clear(&text);
  }
  alea_toss_arena_close(&arena);
  alea_toss_evaluation_free(e);
  alea_game_free(game);
  assert_int_equal(mem.used, 0);
}

/* What is no evaluation, and the line at which that shows. */
static void refuses(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint32_t line;
  } cases[] = {
      {"EVAL 0 true\n", 1},
      {"\nEVAL 9 true => (1, 0) 1\n", 2},
      {"EVAL 0 true => (1, 0) 0.5\n", 1},
      {"EVAL 0 true => (1, 0) 0.5; (2, 0) 0.5\n", 1},
      {"EVAL 0 true => (1, 0) 1 and more\n", 1},
      {"EVAL 0 true => (1) 1\n", 1},
      {"EVAL 0 true => value 1\n", 1},
      {"EVAL 0 true => value 1; 0; 1\n", 1},
      {"EVAL 0 true => (1, 0) 1\n// x\nEVAL 0 ex x Zzz(x) => (1, 0) 1\n", 3},
      {"EVAL 0 true => value 1; :(X(q))\nEVAL 1 true => (1, 0) 1\n", 1},
      {"EVAL true => (1, 0) 1\n", 1},
      {"// nothing\n", 2},
      {"", 1},
      {"PLAYERS x, o\n", 1},
      {"EVALUATE 0\n", 1},
      {"GAME 0\nLOC 0 { }\n", 1},
      {"GAME 0 random\nLOC 0 { }\nEND\n", 1},
      {"GAME 0\n\nLOC 0 { PLAYER zzz { } }\nEND\n", 3},
      {"GAME 0\nEND\n", 2},
      {"SELF 0 1\n", 1},
      {"SELF\n", 1},
  };
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_game *game = open_rewriting_game("toss-tictactoe", &mem);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    alea_toss_evaluation *e;
    alea_diag diag;
    alea_diag_init(&diag, &mem);
    assert_int_equal(alea_toss_evaluation_new(&e, game, cases[i].text, &mem, &diag), ALEA_INPUT);
    assert_int_equal(diag.errors, 1);
    if (diag.entries.data[0].place.line != cases[i].line) {
      fail_msg("%s%u: %s", cases[i].text, diag.entries.data[0].place.line,
               diag.entries.data[0].message);
    }
    alea_diag_clear(&diag);
  }
  alea_game_free(game);
  assert_int_equal(mem.used, 0);
}

static void expect_move(alea_toss_arena *arena, uint32_t role, const char *expected,
                        alea_mem *mem) {
  alea_rng rng;
  alea_rng_seed(&rng, 1);
  alea_move joint[ALEA_TOSS_MOST_PLAYERS + 1];
  uint64_t hash = alea_cursor_hash(arena->cursor);
  alea_toss_uct_options options = {.plays = 1};
  alea_toss_uct *uct = alea_toss_uct_new(arena, &options, &rng, mem);
  assert_non_null(uct);
  assert_int_equal(alea_toss_uct_start(uct), ALEA_OK);
  for (int i = 0; i < 600; i++) assert_int_equal(alea_toss_uct_iterate(uct), ALEA_OK);
  assert_int_equal(alea_toss_uct_choose(uct, joint), ALEA_OK);
  assert_true(alea_cursor_hash(arena->cursor) == hash);
  alea_text text;
  alea_text_init(&text, mem);
  alea_game_move_text(&arena->source->game, role, alea_toss_arena_export(arena, role, joint[role]),
                      false, &text);
  assert_string_equal(text.data, expected);
  alea_text_clear(&text);
  alea_toss_uct_free(uct);
}

static void follow(alea_toss_arena *arena, const char *first, const char *second) {
  const alea_game *game = &arena->source->game;
  alea_move joint[2] = {alea_game_move_find(game, 0, first), alea_game_move_find(game, 1, second)};
  assert_int_equal(alea_toss_arena_follow(arena, joint), ALEA_OK);
}

static alea_status build(alea_game **game, const alea_ground *ground, alea_mem *mem) {
  alea_net *net = NULL;
  alea_status status = alea_net_new(&net, ground, NULL, mem, NULL);
  return status == ALEA_OK ? alea_net_game_new(game, net, mem) : status;
}

/* Wins where it can, and stops the other from winning; with an evaluation and
 * without, in the network and in the interpreter. */
static void search(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_game *game = open_rewriting_game("toss-tictactoe", &mem);
  alea_toss_evaluation *e;
  assert_int_equal(alea_toss_evaluation_new(&e, game, middle, &mem, NULL), ALEA_OK);
  for (int with = 0; with < 4; with++) {
    alea_toss_arena arena;
    assert_int_equal(
        alea_toss_arena_open(&arena, game, with & 1 ? e : NULL, with & 2 ? build : NULL, &mem),
        ALEA_OK);
    assert_int_equal(arena.network != NULL, (with & 2) != 0);
    follow(&arena, "(mark a1)", "noop");
    follow(&arena, "noop", "(mark c3)");
    follow(&arena, "(mark b1)", "noop");
    expect_move(&arena, 1, "(mark c1)", &mem);
    follow(&arena, "noop", "(mark a3)");
    expect_move(&arena, 0, "(mark c1)", &mem);
    alea_toss_arena_close(&arena);
  }
  alea_toss_evaluation_free(e);
  alea_game_free(game);
  assert_int_equal(mem.used, 0);
}

/* Simultaneous moves and chance go through the same tree. */
static void search_concurrent(void **state) {
  (void)state;
  static const char *const names[] = {"toss-contest", "toss-gale"};
  for (int i = 0; i < 4; i++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_game *game = open_rewriting_game(names[i / 2], &mem);
    alea_rng rng;
    alea_rng_seed(&rng, 1);
    alea_toss_arena arena;
    assert_int_equal(alea_toss_arena_open(&arena, game, NULL, i % 2 != 0 ? build : NULL, &mem),
                     ALEA_OK);
    alea_move joint[3];
    alea_toss_uct_options options = {.flat = i == 1};
    alea_toss_uct *uct = alea_toss_uct_new(&arena, &options, &rng, &mem);
    assert_int_equal(alea_toss_uct_start(uct), ALEA_OK);
    for (int k = 0; k < 50; k++) assert_int_equal(alea_toss_uct_iterate(uct), ALEA_OK);
    assert_int_equal(alea_toss_uct_choose(uct, joint), ALEA_OK);
    assert_int_equal(alea_cursor_play(arena.cursor, joint), ALEA_OK);
    alea_toss_uct_free(uct);
    alea_toss_arena_close(&arena);
    alea_game_free(game);
    assert_int_equal(mem.used, 0);
  }
}

static void compare_verdicts(alea_toss_arena *fast, alea_toss_arena *slow) {
  static uint32_t a[ALEA_TOSS_MOST_JOINTS], b[ALEA_TOSS_MOST_JOINTS];
  static double values[ALEA_TOSS_MOST_JOINTS * 2], squares[ALEA_TOSS_MOST_JOINTS * 2];
  alea_rng rng;
  alea_rng_seed(&rng, 11);
  for (int step = 0; step < 60; step++) {
    bool over;
    assert_int_equal(alea_cursor_terminal(slow->cursor, &over), ALEA_OK);
    if (over) return;
    alea_toss_joints x, y;
    assert_int_equal(alea_toss_arena_joints(fast, &x), ALEA_OK);
    assert_int_equal(alea_toss_arena_joints(slow, &y), ALEA_OK);
    assert_int_equal(x.total, y.total);
    assert_int_equal(alea_toss_arena_judge(fast, &x, 0, NULL, a, values, squares), ALEA_OK);
    assert_int_equal(alea_toss_arena_judge(slow, &y, 0, NULL, b, values, squares), ALEA_OK);
    alea_list theirs;
    alea_move joint[3];
    for (uint32_t i = 0; i < x.total; i++) { /* the same move in both */
      assert_int_equal(alea_toss_arena_moves(fast, &x, i, joint), ALEA_OK);
      uint32_t move = alea_toss_arena_export(fast, x.mover, joint[x.mover]), at = 0;
      assert_int_equal(alea_cursor_legal(slow->cursor, x.mover, &theirs), ALEA_OK);
      while (at < theirs.count && theirs.ids[at] != move) at++;
      assert_true(at < theirs.count);
      assert_int_equal(a[i], b[at]);
    }
    uint32_t code = alea_rng_below(&rng, y.total);
    assert_int_equal(alea_toss_arena_moves(slow, &y, code, joint), ALEA_OK);
    assert_int_equal(alea_toss_arena_follow(fast, joint), ALEA_OK);
    assert_int_equal(alea_toss_arena_follow(slow, joint), ALEA_OK);
  }
}

/* What the judged network says of moves is what trying them says. */
static void judged_like_tried(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"toss-breakthrough",
       "EVAL 0 ex x (B_old(x) and W(x)) => (1, 0) 1\n"
       "EVAL 0 ex x, y (W(x) and not W_old(x) and C(x, y) and B(y)) => (1, 0) 0.5; (0, 1) 0.5\n"
       "EVAL 1 ex x (W_old(x) and not W(x)) => (1, 0) 1\n"
       "EVAL 1 all x (not B(x) or ex y (C(x, y) and B_old(y))) => (1, 0) 1\n"
       "EVAL 1 true => (1, 0) 1\n"},
      {"toss-gomoku",
       "EVAL 0 ex x, y (B(x) and not B_old(x) and R(x, y) and W(y)) => (1, 0) 1\n"
       "EVAL 1 ex x, y (W(x) and not W_old(x) and D1(x, y) and B_old(y)) => (1, 0) 1\n"},
      {"toss-gale", "EVAL 0 true => (1, 0) 1\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_game *game = open_rewriting_game(cases[i][0], &mem);
    alea_toss_evaluation *e;
    assert_int_equal(alea_toss_evaluation_new(&e, game, cases[i][1], &mem, NULL), ALEA_OK);
    alea_toss_arena fast, slow;
    assert_int_equal(alea_toss_arena_open(&fast, game, e, build, &mem), ALEA_OK);
    assert_int_equal(alea_toss_arena_open(&slow, game, e, NULL, &mem), ALEA_OK);
    assert_non_null(fast.network);
    compare_verdicts(&fast, &slow);
    alea_toss_arena_close(&fast);
    alea_toss_arena_close(&slow);
    alea_toss_evaluation_free(e);
    alea_game_free(game);
    assert_int_equal(mem.used, 0);
  }
}

/* Whoever takes more gems has won: learning must find out what gems are for. */
static const char gems[] =
    "PLAYERS p, q RANGE 0 -- 4 "
    "RULE P: [a | | ] -> [a | P(a) | ] emb P, Q "
    "RULE Q: [a | | ] -> [a | Q(a) | ] emb P, Q "
    "LOC 0 { PLAYER p { PAYOFF Sum (x | P(x) and Gem(x) : 1) MOVES [P as take -> 1] } "
    "PLAYER q { PAYOFF Sum (x | Q(x) and Gem(x) : 1) } } "
    "LOC 1 { PLAYER p { PAYOFF Sum (x | P(x) and Gem(x) : 1) } "
    "PLAYER q { PAYOFF Sum (x | Q(x) and Gem(x) : 1) MOVES [Q as take -> 0] } } "
    "START [a, b, c, d, e, f, g, h | P:1 {}; Q:1 {}; Gem {b; d; f; h} | ]";

static void learning(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_game *game = open_rewriting_text(gems, &mem);
  alea_text text;
  alea_text_init(&text, &mem);
  alea_toss_learn_options options = {.rounds = 2,
                                     .plays = 6,
                                     .iterations = 120,
                                     .threshold = 2,
                                     .variables = 1,
                                     .literals = 3,
                                     .seed = 5};
  assert_int_equal(alea_toss_learn(game, &options, &text, &mem), ALEA_OK);
  assert_non_null(strstr(text.data, "Gem("));
  /* what was learnt can be read, and says that the gem is worth having */
  alea_toss_evaluation *e;
  assert_int_equal(alea_toss_evaluation_new(&e, game, text.data, &mem, NULL), ALEA_OK);
  assert_true(e->verdicts.count >= 2);
  alea_toss_evaluation_free(e);
  /* the same seed, the same bytes */
  alea_text again;
  alea_text_init(&again, &mem);
  assert_int_equal(alea_toss_learn(game, &options, &again, &mem), ALEA_OK);
  assert_string_equal(text.data, again.data);
  alea_text_clear(&again);
  alea_text_clear(&text);
  alea_game_free(game);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_three),
      cmocka_unit_test(games),
      cmocka_unit_test(game_itself),
      cmocka_unit_test(refuses),
      cmocka_unit_test(search),
      cmocka_unit_test(search_concurrent),
      cmocka_unit_test(judged_like_tried),
      cmocka_unit_test(learning),
  };
  return cmocka_run_group_tests_name("toss learn", tests, NULL, NULL);
}
