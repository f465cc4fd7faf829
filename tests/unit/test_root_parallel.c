/* Searching on several threads, and pondering. */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "cmocka_all.h"
#include "play/ponder.h"
#include "support/match_run.h"

/* A player with everything a match gives it. */
typedef struct seated {
  alea_mem mem;
  alea_match_sampler sampler;
  alea_player *player;
} seated;

static alea_status sit(seated *s, const alea_opened *opened, const char *text, size_t limit) {
  alea_text message;
  *s = (seated){0};
  alea_mem_init(&s->mem, limit);
  alea_match_sampler_init(&s->sampler, opened, ALEA_ENGINE_AUTO, &s->mem);
  alea_player_setup setup = {.game = opened->game, .role = 0, .seed = 1, .mem = &s->mem};
  setup.sampler = alea_match_make_sampler;
  setup.sampler_context = &s->sampler;
  alea_text_init(&message, &s->mem);
  alea_status status = alea_player_new(&s->player, text, &setup, &message);
  alea_text_clear(&message);
  return status;
}

static void rise(seated *s) {
  alea_player_free(s->player);
  alea_match_sampler_clear(&s->sampler);
  assert_int_equal(s->mem.used, 0);
}

static void choose(seated *s, const alea_budget *budget, alea_move *move, alea_analysis *found) {
  assert_int_equal(alea_player_select(s->player, budget, move), ALEA_OK);
  alea_player_analyse(s->player, found);
}

/* ---- the same bytes ---- */

static void one_thread_is_none(void **state) {
  (void)state;
  static const char *const games[] = {"connect-four", "hex", "matching-pennies"};
  for (size_t g = 0; g < 3; g++) {
    alea_opened opened;
    seated a, b;
    alea_move left, right;
    alea_analysis one, two;
    alea_budget budget = {.sims = 700};
    open_game(&opened, games[g]);
    assert_int_equal(sit(&a, &opened, "alea", 0), ALEA_OK);
    assert_int_equal(sit(&b, &opened, "alea:threads=1", 0), ALEA_OK);
    choose(&a, &budget, &left, &one);
    choose(&b, &budget, &right, &two);
    assert_int_equal(left, right);
    assert_int_equal(one.count, two.count);
    assert_memory_equal(&a.player->stats, &b.player->stats, sizeof a.player->stats);
    for (size_t i = 0; i < one.count; i++) {
      assert_int_equal(one.choices[i].visits, two.choices[i].visits);
      assert_true(one.choices[i].value == two.choices[i].value);
    }
    rise(&a);
    rise(&b);
    alea_opened_clear(&opened);
  }
}

static void same_seed_same_bytes(void **state) {
  (void)state;
  static const char *const games[] = {"connect-four", "breakthrough", "matching-pennies",
                                      "orchard-light", "monty-hall"};
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (size_t g = 0; g < 5; g++) {
    alea_opened opened;
    open_game(&opened, games[g]);
    const char *players[2] = {"alea:threads=2", "alea:threads=5,playout=mast"};
    uint32_t seats = opened.game->role_count - (opened.game->random_role >= 0);
    alea_text one, two;
    int goals[2];
    alea_text_init(&one, &mem);
    alea_text_init(&two, &mem);
    run_match(&opened, players, seats, 123, 7, goals, &one);
    run_match(&opened, players, seats, 123, 7, goals, &two);
    assert_string_equal(alea_text_string(&one), alea_text_string(&two));
    alea_text_clear(&one);
    alea_text_clear(&two);
    alea_opened_clear(&opened);
  }
  assert_int_equal(mem.used, 0);
}

/* ---- adding up ---- */

/* The main_search of two with 2 N simulations does what one alone does with N:
 * what is more comes from the worker. */
static void roots_are_added_up(void **state) {
  (void)state;
  enum { SIMS = 500 };
  static const char *const pairs[][2] = {
      {"alea:endgame=0,floor=0,refute=off", "alea:endgame=0,floor=0,refute=off,threads=2"},
      {"alea:playout=mast,endgame=0,floor=0,refute=off",
       "alea:playout=mast,endgame=0,floor=0,refute=off,threads=2"}};
  for (size_t p = 0; p < 2; p++) {
    alea_opened opened;
    seated alone, both;
    alea_move move;
    alea_analysis one, two;
    alea_budget half = {.sims = SIMS}, whole = {.sims = 2 * SIMS};
    open_game(&opened, "connect-four");
    assert_int_equal(sit(&alone, &opened, pairs[p][0], 0), ALEA_OK);
    assert_int_equal(sit(&both, &opened, pairs[p][1], 0), ALEA_OK);
    choose(&alone, &half, &move, &one);
    choose(&both, &whole, &move, &two);
    uint64_t before = 0, after = 0, most = 0;
    assert_int_equal(one.count, two.count);
    for (size_t i = 0; i < one.count; i++) {
      assert_int_equal(one.choices[i].move, two.choices[i].move);
      assert_true(two.choices[i].visits > one.choices[i].visits);
      before += one.choices[i].visits;
      after += two.choices[i].visits;
      if (two.choices[i].visits > most) most = two.choices[i].visits;
    }
    assert_int_equal(after, 2 * before); /* nothing ends the game here */
    for (size_t i = 0; i < two.count; i++)
      if (two.choices[i].move == move) assert_int_equal(two.choices[i].visits, most);
    assert_int_equal(both.player->stats.sims, 2 * alone.player->stats.sims);
    rise(&alone);
    rise(&both);
    alea_opened_clear(&opened);
  }
}

static void proofs_are_shared(void **state) {
  (void)state;
  static const struct {
    const char *game;
    alea_proof proof;
    double value;
  } cases[] = {{"nim", ALEA_PROOF_LOSS, 0}, {"tictactoe", ALEA_PROOF_EXACT, 50}};
  static const alea_budget budgets[] = {{.sims = 120000}, {.seconds = 600}};
  for (size_t i = 0; i < 2; i++) {
    alea_opened opened;
    open_game(&opened, cases[i].game);
    for (size_t b = 0; b < 2; b++) { /* with the clock: long before it is over */
      seated s;
      alea_move move;
      alea_analysis found;
      assert_int_equal(sit(&s, &opened, "alea:endgame=0,threads=2", 0), ALEA_OK);
      choose(&s, &budgets[b], &move, &found);
      assert_int_equal(found.proof, cases[i].proof);
      assert_true(found.value == cases[i].value);
      rise(&s);
    }
    alea_opened_clear(&opened);
  }
}

/* ---- stopping, failing ---- */

/* Whatever the clock: workers that are late, or still at the last move, are
 * nobody's trouble. */
static void clocks_end_it(void **state) {
  (void)state;
  alea_opened opened;
  open_game(&opened, "breakthrough");
  const alea_budget budgets[] = {{.seconds = 0.001},
                                 {.seconds = 0.02},
                                 {.seconds = 0.02, .clock = ALEA_CLOCK_CPU},
                                 {.seconds = 0.01, .sims = 2},
                                 {.sims = 2}};
  seated s;
  assert_int_equal(sit(&s, &opened, "alea:threads=4,memory=1M", 0), ALEA_OK);
  for (int round = 0; round < 20; round++) {
    alea_move move;
    alea_analysis found;
    choose(&s, &budgets[round % 5], &move, &found);
    bool legal = false;
    for (size_t i = 0; i < found.count; i++) legal = legal || found.choices[i].move == move;
    assert_true(legal);
  }
  atomic_bool stop = true;
  alea_budget stopped = {.seconds = 600, .stop = &stop};
  alea_move move;
  alea_analysis found;
  choose(&s, &stopped, &move, &found);
  rise(&s);
  alea_opened_clear(&opened);
}

/* A limit that leaves the workers less than they need is no failure unless it
 * is one for the main_search. */
static void mates_may_fail(void **state) {
  (void)state;
  alea_opened opened;
  open_game(&opened, "tictactoe");
  unsigned good = 0, bad = 0;
  for (size_t limit = 40000; limit < 3000000; limit += limit / 8) {
    seated s;
    alea_budget budget = {.sims = 3000};
    alea_move move;
    alea_status status = sit(&s, &opened, "alea:threads=3,playout=mast,endgame=0", limit);
    if (status == ALEA_OK) status = alea_player_select(s.player, &budget, &move);
    assert_true(status == ALEA_OK || status == ALEA_LIMIT);
    good += status == ALEA_OK;
    bad += status != ALEA_OK;
    rise(&s);
  }
  assert_true(good > 0 && bad > 0);
  alea_opened_clear(&opened);
}

/* ---- games that are left undone ---- */

typedef struct asked {
  unsigned times, most;
} asked;

static bool has_asked_enough(void *context) {
  asked *a = context;
  return ++a->times > a->most;
}

/* Nothing is counted that was not finished, and the next run is as good as
 * any. */
static void samplers_stop(void **state) {
  (void)state;
  static const alea_engine engines[] = {ALEA_ENGINE_AUTO, ALEA_ENGINE_NET};
  alea_opened opened;
  open_game(&opened, "breakthrough");
  for (size_t i = 0; i < 2; i++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_match_sampler maker;
    alea_sampler *sampler;
    alea_match_sampler_init(&maker, &opened, engines[i], &mem);
    assert_int_equal(alea_match_make_sampler(&maker, 1, &mem, &sampler), ALEA_OK);
    assert_string_equal(sampler->class->engine, i == 0 ? "lanes" : "plain");
    for (unsigned most = 0; most < 12; most += 3) {
      asked counter = {.most = most};
      alea_sample_options options = {.over = has_asked_enough, .over_context = &counter};
      alea_sample_request requests[2] = {{.playouts = 9000}, {.playouts = 9000}};
      double sums[8];
      alea_sample_result results[2] = {{.sum = sums, .sum_squares = sums + 2},
                                       {.sum = sums + 4, .sum_squares = sums + 6}};
      assert_int_equal(alea_sampler_run(sampler, requests, 2, &options, results), ALEA_OK);
      assert_int_equal(counter.times, most + 1); /* not again after the answer */
      for (int r = 0; r < 2; r++) {
        assert_int_equal(results[r].unfinished, 0);
        assert_true(results[r].playouts < requests[r].playouts);
        assert_true(results[r].sum[0] + results[r].sum[1] == 100.0 * (double)results[r].playouts);
      }
      assert_true(i == 0 || results[0].playouts == most);
      requests[0].playouts = requests[1].playouts = 700;
      assert_int_equal(alea_sampler_run(sampler, requests, 2, NULL, results), ALEA_OK);
      for (int r = 0; r < 2; r++) assert_int_equal(results[r].playouts, 700);
      if (i == 1 && most > 0) break; /* one after the other takes its time */
    }
    alea_sampler_free(sampler);
    alea_match_sampler_clear(&maker);
    assert_int_equal(mem.used, 0);
  }
  alea_opened_clear(&opened);
}

/* ---- pondering ---- */

/* Small games are pondered to the end, after which nothing is left to do. */
static void pondering_helps(void **state) {
  (void)state;
  static const char *const players[] = {"alea:endgame=0", "alea:endgame=0,threads=2", "uct",
                                        "grave"};
  alea_opened opened;
  open_game(&opened, "nim");
  for (size_t i = 0; i < 4; i++) {
    seated s;
    alea_move move;
    alea_analysis found;
    alea_budget little = {.sims = 10};
    atomic_bool stop = true;
    assert_int_equal(sit(&s, &opened, players[i], 0), ALEA_OK);
    choose(&s, &little, &move, &found);
    assert_int_equal(found.proof, ALEA_PROOF_NONE);
    uint64_t before = s.player->stats.sims;
    assert_int_equal(alea_player_ponder(s.player, move, &stop), ALEA_OK);
    assert_int_equal(s.player->stats.sims, before);
    atomic_store(&stop, false);
    assert_int_equal(alea_player_ponder(s.player, ALEA_NO_MOVE, &stop), ALEA_OK);
    uint64_t after = s.player->stats.sims;
    assert_true(after > before);
    choose(&s, &little, &move, &found);
    assert_int_equal(found.proof, ALEA_PROOF_LOSS);
    assert_int_equal(s.player->stats.sims, after);
    rise(&s);
  }
  alea_opened_clear(&opened);
}

/* Minimax, the player and the flagship that has chosen it, finds what it has pondered in its
 * table: of tic-tac-toe all there is, of breakthrough what there was time for. */
static void minimax_ponders(void **state) {
  (void)state;
  alea_opened opened;
  seated s;
  alea_move move;
  alea_analysis found;
  alea_budget little = {.sims = 10};
  atomic_bool stop = false;
  open_game(&opened, "tictactoe");
  assert_int_equal(sit(&s, &opened, "ab:eval=pieces", 0), ALEA_OK);
  choose(&s, &little, &move, &found);
  assert_int_equal(found.proof, ALEA_PROOF_NONE);
  assert_int_equal(alea_player_ponder(s.player, ALEA_NO_MOVE, &stop), ALEA_OK);
  choose(&s, &little, &move, &found);
  assert_int_equal(found.proof, ALEA_PROOF_EXACT);
  rise(&s);
  alea_opened_clear(&opened);

  open_game(&opened, "breakthrough");
  alea_budget start = {.seconds = 100, .sims = 20, .clock = ALEA_CLOCK_CPU};
  alea_ponder ponder = {0};
  assert_int_equal(sit(&s, &opened, "alea", 0), ALEA_OK);
  alea_player_expect(s.player, 0, 20);
  assert_int_equal(alea_player_start(s.player, &start), ALEA_OK);
  choose(&s, &little, &move, &found);
  uint64_t before = s.player->stats.nodes;
  alea_ponder_start(&ponder, s.player, move);
  nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
  alea_ponder_stop(&ponder);
  assert_true(s.player->stats.nodes > before);
  rise(&s);
  alea_opened_clear(&opened);
}

/* A whole match in which one of the players ponders on a thread meanwhile. */
static void pondering_stops(void **state) {
  (void)state;
  alea_opened opened;
  open_game(&opened, "connect-four");
  seated s;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_cursor *cursor;
  alea_ponder ponder = {0};
  alea_budget budget = {.sims = 50};
  assert_int_equal(sit(&s, &opened, "alea:threads=2,memory=20M", 0), ALEA_OK);
  assert_int_equal(alea_cursor_new(opened.game, &mem, &cursor), ALEA_OK);
  for (bool over = false; !over;) {
    alea_move joint[2];
    alea_list legal;
    bool admitted;
    assert_int_equal(alea_cursor_legal(cursor, 1, &legal), ALEA_OK);
    joint[1] = legal.ids[legal.count / 2];
    assert_int_equal(alea_player_select(s.player, &budget, &joint[0]), ALEA_OK);
    assert_int_equal(alea_cursor_admits(cursor, 0, joint[0], &admitted), ALEA_OK);
    assert_true(admitted);
    alea_ponder_start(&ponder, s.player, joint[0]);
    assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
    assert_int_equal(alea_cursor_terminal(cursor, &over), ALEA_OK);
    alea_ponder_stop(&ponder);
    alea_observation seen = {.own = joint[0], .joint = joint};
    assert_int_equal(alea_player_observe(s.player, &seen), ALEA_OK);
  }
  alea_cursor_free(cursor);
  rise(&s);
  alea_opened_clear(&opened);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_thread_is_none), cmocka_unit_test(same_seed_same_bytes),
      cmocka_unit_test(roots_are_added_up), cmocka_unit_test(proofs_are_shared),
      cmocka_unit_test(clocks_end_it),      cmocka_unit_test(mates_may_fail),
      cmocka_unit_test(samplers_stop),      cmocka_unit_test(pondering_helps),
      cmocka_unit_test(minimax_ponders),    cmocka_unit_test(pondering_stops),
  };
  return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}
