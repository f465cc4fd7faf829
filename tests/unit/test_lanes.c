/* Lanes: choice of moves, batches, caps, expansion, memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "propnet/lanes.h"
#include "propnet/lanes_sampler.h"
#include "support/ground_maker.h"

enum { MAX_ROLES = 4 };

/* A game with its lanes, for one test. */
typedef struct fixture {
  alea_mem mem;
  alea_net *net;
  alea_game *game;
  alea_lanes *lanes;
  alea_sampler *sampler;
} fixture;

static void fixture_init(fixture *x, alea_ground *ground, uint64_t seed) {
  assert_int_equal(alea_net_new(&x->net, ground, NULL, &x->mem, NULL), ALEA_OK);
  alea_ground_free(ground);
  assert_int_equal(alea_net_game_new(&x->game, x->net, &x->mem), ALEA_OK);
  assert_int_equal(alea_lanes_new(&x->lanes, x->net, ALEA_LANES, &x->mem), ALEA_OK);
  assert_int_equal(alea_lanes_sampler_new_shared(&x->sampler, x->lanes, x->game, seed, &x->mem),
                   ALEA_OK);
}

static void fixture_text(fixture *x, const char *text, uint64_t seed) {
  alea_mem_init(&x->mem, 0);
  fixture_init(x, ground_from_text(text, &x->mem), seed);
}

/* False where the yardsticks are not there. */
static bool fixture_yardstick(fixture *x, const char *name, uint64_t seed) {
  char path[512];
  snprintf(path, sizeof path, "%s/yardsticks/%s.net", ALEA_SHARED_DIR, name);
  alea_mem_init(&x->mem, 0);
  alea_ground *ground = ground_from_net_file(path, &x->mem);
  if (ground != NULL) fixture_init(x, ground, seed);
  if (ground == NULL) print_message("skipped: no network at %s\n", path);
  return ground != NULL;
}

static void fixture_clear(fixture *x) {
  alea_sampler_free(x->sampler);
  alea_lanes_free(x->lanes);
  alea_game_free(x->game);
  assert_int_equal(x->mem.used, 0);
}

typedef struct outcome {
  alea_sample_result result;
  double sum[MAX_ROLES], squares[MAX_ROLES];
} outcome;

static void outcome_init(outcome *o) {
  o->result = (alea_sample_result){.sum = o->sum, .sum_squares = o->squares};
}

static void run_one(fixture *x, const uint64_t *words, uint32_t playouts, uint32_t cap,
                    outcome *o) {
  alea_sample_request request = {
      .words = words, .word_count = (x->net->fluent_count + 63) / 64, .playouts = playouts};
  alea_sample_options options = {.step_cap = cap};
  outcome_init(o);
  assert_int_equal(alea_sampler_run(x->sampler, &request, 1, &options, &o->result), ALEA_OK);
}

/* ---- choice ---- */

/* A role with 'count' moves; fluent k says that move k is legal, and becomes
 * whether it was played. */
static void fixture_switchboard(fixture *x, uint32_t count, uint64_t seed) {
  ground_maker maker;
  alea_mem_init(&x->mem, 0);
  ground_maker_begin(&maker, &x->mem, 1, count, &count, 0);
  for (uint32_t k = 0; k < count; k++) {
    maker.ground->legal[k] = 2 * (1 + k);
    maker.ground->next[k] = 2 * (1 + count + k);
  }
  fixture_init(x, ground_maker_end(&maker), seed);
}

/* Chooses 'rounds' times in all lanes where 'legal' says which moves are
 * legal, and returns chi square over them. */
static double chi_square(fixture *x, const uint64_t *legal, uint32_t moves, uint32_t rounds) {
  alea_lanes_sampler *s = (alea_lanes_sampler *)x->sampler;
  uint64_t *times = calloc(moves, sizeof *times);
  uint32_t options = 0;
  for (uint32_t i = 0; i < rounds; i++) {
    alea_lane_word *slots = s->slots.words, all = alea_lane_fill(true);
    ALEA_LANES_FN(load_one)(slots + 1, moves, legal, all);
    ALEA_LANES_FN(eval)(&x->lanes->general, ALEA_LANES_STATE, ALEA_LANES_ANEW, slots);
    alea_lane_word stuck = ALEA_LANES_FN(pick)(&s->picker, &x->lanes->general, 0, slots, all);
    assert_false(alea_lane_any(stuck));
    ALEA_LANES_FN(eval)(&x->lanes->general, ALEA_LANES_NEXT, ALEA_LANES_ANEW, slots);
    for (uint32_t m = 0; m < moves; m++) times[m] += alea_lane_count(slots[1 + m]);
  }
  uint64_t total = 0;
  for (uint32_t m = 0; m < moves; m++) options += (legal[m / 64] >> (m % 64) & 1) != 0;
  double expected = (double)rounds * ALEA_LANES / options, chi = 0;
  for (uint32_t m = 0; m < moves; m++) {
    total += times[m];
    if ((legal[m / 64] >> (m % 64) & 1) == 0)
      assert_int_equal(times[m], 0);
    else
      chi += ((double)times[m] - expected) * ((double)times[m] - expected) / expected;
  }
  assert_int_equal(total, (uint64_t)rounds * ALEA_LANES);
  free(times);
  return options > 1 ? (chi - (options - 1)) / sqrt(2.0 * (options - 1)) : 0;
}

static void choice_is_uniform(void **state) {
  (void)state;
  static const uint32_t sizes[] = {2, 3, 8, 9, 17, 64, 65, 100, 513, 700};
  alea_rng rng;
  alea_rng_seed(&rng, 1);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    fixture x;
    fixture_switchboard(&x, sizes[i], 5 + i);
    for (int density = 0; density < 4; density++) {
      uint64_t legal[16] = {0};
      for (uint32_t m = 0; m < sizes[i]; m++)
        if (density == 0 || alea_rng_below(&rng, 3u * (uint32_t)density) == 0)
          legal[m / 64] |= UINT64_C(1) << (m % 64);
      legal[0] |= 2; /* at least one */
      /* Standard deviations above what is expected; 5 happens once in a million. */
      assert_true(chi_square(&x, legal, sizes[i], 200) < 5);
    }
    fixture_clear(&x);
  }
}

static void lanes_choose_independently(void **state) {
  (void)state;
  fixture x;
  fixture_switchboard(&x, 8, 3);
  alea_lanes_sampler *s = (alea_lanes_sampler *)x.sampler;
  uint32_t same = 0, rounds = 400;
  for (uint32_t i = 0; i < rounds; i++) {
    alea_lane_word *slots = s->slots.words, all = alea_lane_fill(true);
    uint64_t legal = 0xff;
    ALEA_LANES_FN(load_one)(slots + 1, 8, &legal, all);
    ALEA_LANES_FN(eval)(&x.lanes->general, ALEA_LANES_STATE, ALEA_LANES_ANEW, slots);
    (void)ALEA_LANES_FN(pick)(&s->picker, &x.lanes->general, 0, slots, all);
    ALEA_LANES_FN(eval)(&x.lanes->general, ALEA_LANES_NEXT, ALEA_LANES_ANEW, slots);
    for (uint32_t m = 0; m < 8; m++)
      for (uint32_t lane = 0; lane < ALEA_LANES; lane += 2)
        same += alea_lane_get(&slots[1 + m], lane) && alea_lane_get(&slots[1 + m], lane + 1);
  }
  double trials = rounds * ALEA_LANES / 2.0, expected = trials / 8;
  assert_true(fabs(same - expected) < 5 * sqrt(trials / 8 * 7 / 8));
  fixture_clear(&x);
}

/* ---- batches ---- */

/* Two players in turn (a clock), five plies, white wins with a first move of b. */
static const char five_plies[] =
    "role white\nrole black\n"
    "fluent white_turn 1\nfluent black_turn 0\n"
    "fluent s0 1\nfluent s1 0\nfluent s2 0\nfluent s3 0\nfluent s4 0\nfluent s5 0\nfluent won 0\n"
    "move white a\nmove white b\nmove white c\nmove white noop\n"
    "move black a\nmove black noop\n"
    "rule first_b s0 white:b\n"
    "rule now_won won\nrule now_won first_b\n"
    "next white_turn black_turn\nnext black_turn white_turn\n"
    "next s1 s0\nnext s2 s1\nnext s3 s2\nnext s4 s3\nnext s5 s4\nnext won now_won\n"
    "legal white a white_turn\nlegal white b white_turn\nlegal white c white_turn\n"
    "legal white noop black_turn\nlegal black a black_turn\nlegal black noop white_turn\n"
    "terminal s5\ngoal white 90 won\ngoal white 10 ~won\ngoal black 0 won\ngoal black 100 ~won\n";

static void counts_are_exact(void **state) {
  (void)state;
  static const uint32_t playouts[] = {0, 1, 7, 511, 512, 513, 5000, 100001};
  fixture x;
  fixture_text(&x, five_plies, 11);
  alea_lanes_info info;
  alea_lanes_describe(x.lanes, &info);
  assert_int_equal(info.ticks, 2);
  for (size_t i = 0; i < sizeof playouts / sizeof *playouts; i++) {
    outcome o;
    run_one(&x, NULL, playouts[i], 0, &o);
    assert_int_equal(o.result.playouts, playouts[i]);
    assert_int_equal(o.result.unfinished, 0);
    assert_int_equal(o.result.states, 5 * (uint64_t)playouts[i]);
    double won = (o.sum[0] - 10.0 * playouts[i]) / 80;
    assert_true(won == floor(won));
    assert_true(o.squares[0] == 8100 * won + 100 * (playouts[i] - won));
    assert_true(o.sum[1] == 100 * (playouts[i] - won));
    assert_true(fabs(won - playouts[i] / 3.0) <= 5 * sqrt(playouts[i] * 2 / 9.0));
  }
  fixture_clear(&x);
}

static void the_cap_ends_games(void **state) {
  (void)state;
  fixture x;
  fixture_text(&x, five_plies, 11);
  for (uint32_t cap = 1; cap <= 6; cap++) {
    outcome o;
    run_one(&x, NULL, 3000, cap, &o);
    assert_int_equal(o.result.playouts, cap >= 5 ? 3000 : 0);
    assert_int_equal(o.result.unfinished, cap >= 5 ? 0 : 3000);
    assert_int_equal(o.result.states, 3000 * (cap < 5 ? cap : 5));
  }
  fixture_clear(&x);
}

/* Ends with one chance in four a step, so that lanes are refilled at all
 * times; a third of the ends are dead ends. */
static const char coins[] =
    "role white\nfluent over 0\nfluent stuck 0\n"
    "move white win\nmove white jam\nmove white on1\nmove white on2\nmove white on3\nmove white "
    "on4\n"
    "move white on5\nmove white on6\nmove white on7\nmove white on8\nmove white on9\nmove white "
    "off\n"
    "rule wins white:win\nrule wins white:off\nnext over wins\nnext stuck white:jam\n"
    "legal white win ~stuck\nlegal white jam ~stuck\nlegal white off ~stuck\n"
    "legal white on1 ~stuck\nlegal white on2 ~stuck\nlegal white on3 ~stuck\n"
    "legal white on4 ~stuck\nlegal white on5 ~stuck\nlegal white on6 ~stuck\n"
    "legal white on7 ~stuck\nlegal white on8 ~stuck\nlegal white on9 ~stuck\n"
    "terminal over\ngoal white 100 over\n";

static void dead_ends_and_refills(void **state) {
  (void)state;
  fixture x;
  fixture_text(&x, coins, 2);
  outcome o;
  run_one(&x, NULL, 90000, 0, &o);
  assert_int_equal(o.result.playouts + o.result.unfinished, 90000);
  assert_true(fabs((double)o.result.unfinished - 30000) < 5 * sqrt(20000));
  assert_true(o.sum[0] == 100.0 * (double)o.result.playouts);
  /* Geometric lengths: mean 4, variance 12. */
  assert_true(fabs((double)o.result.states - 360000) < 5 * sqrt(12 * 90000.0));
  run_one(&x, NULL, 90000, 2, &o); /* (3/4)^2 reach the cap */
  double capped = 90000 * 9 / 16.0, jammed = 90000 * 7 / 48.0;
  assert_true(fabs((double)o.result.unfinished - capped - jammed) < 5 * 150);
  fixture_clear(&x);
}

static void requests_are_kept_apart(void **state) {
  (void)state;
  fixture x;
  fixture_text(&x, five_plies, 4);
  /* Positions after 0 .. 4 plies. */
  enum { COUNT = 900 };
  uint64_t words[COUNT];
  static outcome outcomes[COUNT];
  static alea_sample_request requests[COUNT];
  static alea_sample_result results[COUNT];
  for (uint32_t i = 0; i < COUNT; i++) {
    uint32_t ply = i % 5;
    bool won = i % 3 == 0;
    words[i] = 1u << (ply % 2) | 1u << (2 + ply) | (uint64_t)won << 8;
    requests[i] = (alea_sample_request){.words = &words[i], .word_count = 1, .playouts = i % 40};
    outcome_init(&outcomes[i]);
    results[i] = outcomes[i].result;
  }
  assert_int_equal(alea_sampler_run(x.sampler, requests, COUNT, NULL, results), ALEA_OK);
  for (uint32_t i = 0; i < COUNT; i++) {
    uint64_t n = i % 40, ply = i % 5;
    bool won = i % 3 == 0;
    assert_int_equal(results[i].playouts, n);
    assert_int_equal(results[i].unfinished, 0);
    assert_int_equal(results[i].states, n * (5 - ply));
    if (ply == 0) continue;
    assert_true(results[i].sum[0] == (won ? 90.0 : 10.0) * (double)n);
    assert_true(results[i].sum_squares[1] == (won ? 0.0 : 10000.0) * (double)n);
  }
  alea_sample_request bad = {.words = words, .word_count = 2, .playouts = 1};
  assert_int_equal(alea_sampler_run(x.sampler, &bad, 1, NULL, results), ALEA_USAGE);
  fixture_clear(&x);
}

static void a_seed_gives_the_same_games(void **state) {
  (void)state;
  outcome o[3];
  for (int i = 0; i < 3; i++) {
    fixture x;
    fixture_text(&x, coins, i == 2 ? 8 : 7);
    run_one(&x, NULL, 2000, 0, &o[i]);
    fixture_clear(&x);
  }
  assert_int_equal(o[0].result.states, o[1].result.states);
  assert_int_equal(o[0].result.playouts, o[1].result.playouts);
  assert_int_not_equal(o[0].result.states, o[2].result.states);
}

/* ---- against the cursor ---- */

static void play_out(alea_cursor *cursor, alea_rng *rng, outcome *o) {
  bool terminal;
  assert_int_equal(alea_cursor_reset(cursor), ALEA_OK);
  for (;;) {
    assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
    if (terminal) break;
    alea_move joint[MAX_ROLES];
    for (uint32_t r = 0; r < cursor->game->role_count; r++) {
      alea_list list;
      assert_int_equal(alea_cursor_legal(cursor, r, &list), ALEA_OK);
      assert_true(list.count > 0);
      joint[r] = list.ids[alea_rng_below(rng, list.count)];
    }
    assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
    o->result.states++;
  }
  o->result.playouts++;
  for (uint32_t r = 0; r < cursor->game->role_count; r++) {
    int goal;
    assert_int_equal(alea_cursor_goal(cursor, r, &goal), ALEA_OK);
    o->sum[r] += goal;
    o->squares[r] += (double)goal * goal;
  }
}

static void means_agree(const fixture *x, uint32_t games, const outcome *lanes) {
  alea_cursor *cursor;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  assert_int_equal(alea_cursor_new(x->game, &mem, &cursor), ALEA_OK);
  alea_rng rng;
  alea_rng_seed(&rng, 99);
  outcome plain = {0};
  for (uint32_t i = 0; i < games; i++) play_out(cursor, &rng, &plain);
  alea_cursor_free(cursor);
  for (uint32_t r = 0; r < x->game->role_count; r++) {
    double n = (double)lanes->result.playouts, mean = lanes->sum[r] / n;
    double variance = lanes->squares[r] / n - mean * mean;
    double error = sqrt(variance * (1 / n + 1.0 / games));
    assert_true(fabs(mean - plain.sum[r] / games) < 4 * error);
  }
  double length = (double)lanes->result.states / (double)lanes->result.playouts;
  assert_true(fabs(length - (double)plain.result.states / games) < 0.02 * length);
}

static void means_agree_with_the_cursor(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint32_t games;
  } cases[] = {{"ticTacToe", 20000},
               {"connectFour", 8000},
               {"breakthrough", 1000},
               {"reversi", 1000},
               {"checkers", 400}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fixture x;
    if (!fixture_yardstick(&x, cases[i].name, 21)) skip();
    outcome o;
    run_one(&x, NULL, 40000, 0, &o);
    assert_int_equal(o.result.playouts, 40000);
    means_agree(&x, cases[i].games, &o);
    fixture_clear(&x);
  }
}

/* Compares the expansion of the cursor's position for 'role'. */
static void compare_expansion(fixture *x, alea_cursor *cursor, uint32_t role) {
  alea_list list;
  alea_move others[MAX_ROLES], moves[2048];
  bool terminal[2048];
  static int goals[2048 * MAX_ROLES];
  uint32_t roles = x->net->role_count;
  for (uint32_t r = 0; r < roles; r++) {
    assert_int_equal(alea_cursor_legal(cursor, r, &list), ALEA_OK);
    others[r] = list.ids[0];
  }
  assert_int_equal(alea_cursor_legal(cursor, role, &list), ALEA_OK);
  uint32_t count = list.count * 2; /* twice each */
  for (uint32_t i = 0; i < count; i++) moves[i] = list.ids[i / 2];
  size_t word_count;
  uint64_t words[64];
  const uint64_t *here = alea_cursor_state(cursor, &word_count);
  memcpy(words, here, word_count * sizeof *words);
  assert_int_equal(alea_sampler_expand(x->sampler, words, word_count, role, moves, count, others,
                                       terminal, goals),
                   ALEA_OK);
  for (uint32_t i = 0; i < count; i++) {
    bool ended;
    others[role] = moves[i];
    assert_int_equal(alea_cursor_play(cursor, others), ALEA_OK);
    assert_int_equal(alea_cursor_terminal(cursor, &ended), ALEA_OK);
    assert_int_equal(terminal[i], ended);
    for (uint32_t r = 0; r < roles; r++) {
      int goal;
      assert_int_equal(alea_cursor_goal(cursor, r, &goal), ALEA_OK);
      assert_int_equal(goals[i * roles + r], goal);
    }
    assert_int_equal(alea_cursor_load(cursor, words, word_count), ALEA_OK);
  }
}

static void expansions_agree(void **state) {
  (void)state;
  static const char *const names[] = {"ticTacToe", "connectFour", "reversi", "checkers"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    fixture x;
    if (!fixture_yardstick(&x, names[i], 1)) skip();
    alea_cursor *cursor;
    alea_rng rng;
    alea_rng_seed(&rng, i);
    assert_int_equal(alea_cursor_new(x.game, &x.mem, &cursor), ALEA_OK);
    for (int step = 0; step < 50; step++) {
      bool terminal;
      (void)alea_cursor_terminal(cursor, &terminal);
      if (terminal) (void)alea_cursor_reset(cursor);
      for (uint32_t r = 0; r < x.net->role_count; r++) compare_expansion(&x, cursor, r);
      alea_move joint[MAX_ROLES];
      for (uint32_t r = 0; r < x.net->role_count; r++) {
        alea_list list;
        (void)alea_cursor_legal(cursor, r, &list);
        joint[r] = list.ids[alea_rng_below(&rng, list.count)];
      }
      assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
    }
    alea_cursor_free(cursor);
    fixture_clear(&x);
  }
}

/* ---- choice ---- */

static void the_faster_sampler_is_chosen(void **state) {
  (void)state;
  fixture x;
  fixture_text(&x, five_plies, 1);
  alea_lanes_choice why;
  alea_sampler *sampler;
  assert_int_equal(alea_lanes_choose(&sampler, x.game, 1, 0.01, &why, &x.mem), ALEA_OK);
  assert_true(why.lanes > 0 && why.plain > 0);
  assert_int_equal(why.chosen, why.lanes > why.plain);
  assert_string_equal(sampler->class->engine, why.chosen ? "lanes" : "plain");
  alea_sampler_free(sampler);
  /* Too little memory for lanes: the plain sampler, without a measurement. */
  alea_mem small;
  alea_mem_init(&small, 0);
  assert_int_equal(alea_sampler_new_plain(&sampler, x.game, 1, &small), ALEA_OK);
  alea_sampler_free(sampler);
  small.limit = small.peak + 1000;
  assert_int_equal(alea_lanes_choose(&sampler, x.game, 1, 0.01, &why, &small), ALEA_OK);
  assert_false(why.chosen);
  alea_sampler_free(sampler);
  assert_int_equal(small.used, 0);
  fixture_clear(&x);
}

/* ---- watchers and tries ---- */

/* What is shown of games of five plies. */
typedef struct album {
  uint32_t steps[8], shown; /* of the game in progress: the steps of its positions */
  uint32_t expected;        /* positions of a game that are shown, the final one left out */
  uint32_t games;
} album;

/* White's turn is fluent 0, black's 1, step k is 2 + k, and that white has won is 8. */
static void look_at(void *context, const uint64_t *words, const uint8_t *goals, bool final) {
  album *a = context;
  uint32_t step = (uint32_t)__builtin_ctzll(words[0] >> 2);
  assert_int_equal(words[0] & 3, step % 2 == 0 ? 1 : 2);
  assert_int_equal(words[0] >> 8, step > 0 && goals[0] == 90);
  assert_int_equal(goals[1], goals[0] == 90 ? 0 : 100);
  a->steps[a->shown++] = step;
  if (!final) return;
  assert_int_equal(a->shown, a->expected + 1);
  assert_int_equal(step, 5);
  for (uint32_t i = 1; i < a->shown; i++) assert_true(a->steps[i] > a->steps[i - 1]);
  a->shown = 0;
  a->games++;
}

static void positions_are_shown(void **state) {
  (void)state;
  fixture x;
  fixture_text(&x, five_plies, 5);
  alea_sampler *samplers[2] = {x.sampler, NULL};
  assert_int_equal(alea_sampler_new_plain(&samplers[1], x.game, 5, &x.mem), ALEA_OK);
  static const struct {
    uint32_t every, per_game, expected;
  } cases[] = {{1, 8, 5}, {1, 2, 2}, {1, 1, 1}, {1, 0, 0}};
  for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
    album a = {.expected = cases[i / 2].expected};
    outcome o;
    outcome_init(&o);
    alea_sample_watcher watcher = {&a, cases[i / 2].every, cases[i / 2].per_game, look_at};
    alea_sample_options options = {.watcher = &watcher};
    alea_sample_request request = {.playouts = 3000};
    assert_int_equal(alea_sampler_run(samplers[i % 2], &request, 1, &options, &o.result), ALEA_OK);
    assert_int_equal(a.games, 3000);
  }
  alea_sampler_free(samplers[1]);
  fixture_clear(&x);
}

/* Plays with tries; '*share' of the games ended, and role 0 has '*goal' on average. */
static void try_moves(alea_sampler *sampler, const alea_sample_tries *tries, double *share,
                      double *goal) {
  outcome o;
  outcome_init(&o);
  alea_sample_options options = {.tries = tries};
  alea_sample_request request = {.playouts = 20000};
  assert_int_equal(alea_sampler_run(sampler, &request, 1, &options, &o.result), ALEA_OK);
  *share = (double)o.result.playouts / 20000;
  *goal = o.sum[0] / (double)o.result.playouts;
}

/* White's first move wins with one chance in three, so that the best of n does unless all are
 * others; it is the same whichever role the weights are for.  Where games end by a move, that
 * counts, without any weights. */
static void tries_take_the_best(void **state) {
  (void)state;
  for (int plain = 0; plain < 2; plain++) {
    for (uint32_t n = 2; n <= (plain ? 8 : ALEA_LANE_PARTS); n *= 2) {
      fixture x, y;
      fixture_text(&x, five_plies, 5);
      fixture_text(&y, coins, 5);
      alea_sampler *one = x.sampler, *two = y.sampler;
      if (plain) assert_int_equal(alea_sampler_new_plain(&one, x.game, 5, &x.mem), ALEA_OK);
      if (plain) assert_int_equal(alea_sampler_new_plain(&two, y.game, 5, &y.mem), ALEA_OK);
      double share, goal, wins = 1 - pow(2 / 3.0, n);
      for (uint32_t role = 0; role < 2; role++) {
        int16_t weights[9] = {[0] = 200, [3] = -77, [8] = role == 0 ? 3 : -255};
        try_moves(one, &(alea_sample_tries){weights, role, n, false}, &share, &goal);
        assert_true(fabs((goal - 10) / 80 - wins) < 5 * sqrt(wins * (1 - wins) / 20000));
      }
      /* who tries alone meets one who does not */
      int16_t lost[9] = {[8] = -255};
      try_moves(one, &(alea_sample_tries){lost, 1, n, true}, &share, &goal);
      assert_true(fabs((goal - 10) / 80 - 1 / 3.0) < 5 * sqrt(2 / 9.0 / 20000));
      try_moves(one, &(alea_sample_tries){(int16_t[9]){[8] = 9}, 0, n, true}, &share, &goal);
      assert_true(fabs((goal - 10) / 80 - wins) < 5 * sqrt(wins * (1 - wins) / 20000));
      int16_t none[2] = {0, 0};
      double misses = pow(10 / 12.0, n), jams = misses / 10,
             expected = (1 - misses) / (1 - misses + jams);
      try_moves(two, &(alea_sample_tries){none, 0, n, false}, &share, &goal);
      assert_true(fabs(share - expected) < 5 * sqrt(expected * (1 - expected) / 20000));
      if (plain) alea_sampler_free(one), alea_sampler_free(two);
      fixture_clear(&x);
      fixture_clear(&y);
    }
  }
}

/* ---- memory ---- */

static void failed_allocations_leave_nothing(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_ground *ground = ground_from_text(five_plies, &mem);
  alea_net *net;
  alea_game *game;
  assert_int_equal(alea_net_new(&net, ground, NULL, &mem, NULL), ALEA_OK);
  alea_ground_free(ground);
  assert_int_equal(alea_net_game_new(&game, net, &mem), ALEA_OK);
  alea_status status = ALEA_SYSTEM;
  uint64_t n = 1;
  for (; status != ALEA_OK; n++) {
    alea_mem own;
    alea_mem_init(&own, 0);
    own.fail_in = n;
    alea_sampler *sampler;
    status = alea_lanes_sampler_new(&sampler, game, 1, &own);
    outcome o;
    outcome_init(&o);
    alea_sample_request request = {.playouts = 10};
    album a = {.expected = 5};
    int16_t weights[9] = {[8] = 1};
    alea_sample_watcher watcher = {&a, 1, 8, look_at};
    alea_sample_tries tries = {weights, 0, 2, false};
    alea_sample_options options = {.watcher = &watcher, .tries = &tries};
    if (status == ALEA_OK) status = alea_sampler_run(sampler, &request, 1, &options, &o.result);
    assert_true(status == ALEA_OK || status == ALEA_SYSTEM);
    alea_sampler_free(sampler);
    assert_int_equal(own.used, 0);
  }
  assert_true(n > 50);
  alea_game_free(game);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(choice_is_uniform),
      cmocka_unit_test(lanes_choose_independently),
      cmocka_unit_test(counts_are_exact),
      cmocka_unit_test(the_cap_ends_games),
      cmocka_unit_test(dead_ends_and_refills),
      cmocka_unit_test(requests_are_kept_apart),
      cmocka_unit_test(a_seed_gives_the_same_games),
      cmocka_unit_test(means_agree_with_the_cursor),
      cmocka_unit_test(expansions_agree),
      cmocka_unit_test(the_faster_sampler_is_chosen),
      cmocka_unit_test(positions_are_shown),
      cmocka_unit_test(tries_take_the_best),
      cmocka_unit_test(failed_allocations_leave_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
