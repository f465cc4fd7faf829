/* Samplers that tell how their games went, and follow a guide: lanes against
 * the plain sampler, and both against the rules. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "game/sampler.h"
#include "propnet/lanes.h"
#include "support/make_engine.h"

enum { MAX_ROLES = 8, GAMES = 1000 };

typedef struct subject {
  alea_mem mem;
  alea_game *game;
  alea_cursor *cursor;
  alea_sampler *lanes, *plain;
} subject;

static void open_subject(subject *s, const char *name) {
  char path[512];
  snprintf(path, sizeof path, ALEA_SOURCE_DIR "/games/%s.kif", name);
  *s = (subject){0};
  alea_mem_init(&s->mem, 0);
  assert_int_equal(load_game(path, make_net, &s->mem, &s->game), ALEA_OK);
  assert_int_equal(alea_cursor_new(s->game, &s->mem, &s->cursor), ALEA_OK);
  assert_int_equal(alea_lanes_sampler_new(&s->lanes, s->game, 3, &s->mem), ALEA_OK);
  assert_int_equal(alea_sampler_new_plain(&s->plain, s->game, 4, &s->mem), ALEA_OK);
}

static void close_subject(subject *s) {
  alea_sampler_free(s->lanes);
  alea_sampler_free(s->plain);
  alea_cursor_free(s->cursor);
  alea_game_free(s->game);
  assert_int_equal(s->mem.used, 0);
}

/* ---- what is heard is what was played ---- */

typedef struct ear {
  subject *subject;
  uint64_t heard[2];        /* games of each request */
  double sum[2][MAX_ROLES]; /* of goals */
} ear;

/* The move of 'role' here: forced, or the next of the game's. */
static alea_move next_move(const subject *s, uint32_t role, const alea_played **at,
                           const alea_played *end) {
  alea_list legal;
  assert_int_equal(alea_cursor_legal(s->cursor, role, &legal), ALEA_OK);
  bool named = *at < end && (*at)->role == role;
  if (legal.count == 1) {
    if (named && (*at)->move == legal.ids[0]) ++*at;
    return legal.ids[0];
  }
  assert_true(named);
  alea_move move = (*at)++->move;
  for (uint32_t i = 0; i < legal.count; i++)
    if (legal.ids[i] == move) return move;
  fail_msg("a move that is not legal");
  return ALEA_NO_MOVE;
}

/* Plays the game again by the rules. */
static void replay(void *context, uint32_t request, const alea_played *moves, size_t count,
                   const uint8_t *goals) {
  ear *e = context;
  const subject *s = e->subject;
  const alea_played *at = moves, *end = moves + count;
  bool terminal = false;
  assert_int_equal(alea_cursor_reset(s->cursor), ALEA_OK);
  for (;;) {
    alea_move joint[MAX_ROLES];
    assert_int_equal(alea_cursor_terminal(s->cursor, &terminal), ALEA_OK);
    if (terminal) break;
    for (uint32_t r = 0; r < s->game->role_count; r++) joint[r] = next_move(s, r, &at, end);
    assert_int_equal(alea_cursor_play(s->cursor, joint), ALEA_OK);
  }
  assert_ptr_equal(at, end);
  for (uint32_t r = 0; r < s->game->role_count; r++) {
    int goal;
    assert_int_equal(alea_cursor_goal(s->cursor, r, &goal), ALEA_OK);
    assert_int_equal(goals[r], goal > 0 ? goal : 0);
    e->sum[request][r] += goals[r];
  }
  e->heard[request]++;
}

static void listen_to(subject *s, alea_sampler *sampler) {
  ear e = {.subject = s};
  alea_sample_listener listener = {.context = &e, .heard = replay};
  alea_sample_options options = {.listener = &listener};
  alea_sample_request requests[2] = {{.playouts = GAMES}, {.playouts = 7}};
  double sums[4][MAX_ROLES];
  alea_sample_result results[2] = {{.sum = sums[0], .sum_squares = sums[1]},
                                   {.sum = sums[2], .sum_squares = sums[3]}};
  assert_int_equal(alea_sampler_run(sampler, requests, 2, &options, results), ALEA_OK);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(e.heard[i], requests[i].playouts);
    assert_int_equal(results[i].playouts, requests[i].playouts);
    for (uint32_t r = 0; r < s->game->role_count; r++)
      assert_true(e.sum[i][r] == results[i].sum[r]);
  }
}

static const char *const games[] = {
    "tictactoe", "connect-four", "nim", "breakthrough", "connect-four-simultaneous", "kaseklau"};

static void games_can_be_replayed(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    subject s;
    open_subject(&s, games[i]);
    listen_to(&s, s.lanes);
    listen_to(&s, s.plain);
    close_subject(&s);
  }
}

/* ---- a guide ---- */

typedef struct tally {
  double playouts, states, sum[MAX_ROLES], squares[MAX_ROLES];
} tally;

static void sample(subject *s, alea_sampler *sampler, const alea_sample_guide *guide, tally *t) {
  alea_sample_options options = {.guide = guide};
  alea_sample_request request = {.playouts = 5000};
  alea_sample_result result = {.sum = t->sum, .sum_squares = t->squares};
  assert_int_equal(alea_sampler_run(sampler, &request, 1, &options, &result), ALEA_OK);
  t->playouts = (double)result.playouts;
  t->states = (double)result.states / t->playouts;
  (void)s;
}

/* Ranks that depend on the move's number, so that every rank is met. */
static void guides_agree(subject *s, uint32_t follow) {
  const alea_game *game = s->game;
  uint8_t ranks[MAX_ROLES][4096];
  const uint8_t *rows[MAX_ROLES] = {0};
  uint32_t counts[MAX_ROLES];
  for (uint32_t r = 0; r < game->role_count; r++) {
    counts[r] = alea_game_move_count(game, r);
    assert_true(counts[r] <= sizeof ranks[r]);
    for (uint32_t m = 0; m < counts[r]; m++)
      ranks[r][m] = (uint8_t)((m * 7 + r) % ALEA_SAMPLE_RANKS);
    if ((int)r != game->random_role) rows[r] = ranks[r];
  }
  alea_sample_guide guide = {.ranks = rows, .counts = counts, .follow = follow};
  tally a, b;
  sample(s, s->lanes, &guide, &a);
  sample(s, s->plain, &guide, &b);
  for (uint32_t r = 0; r < game->role_count; r++) {
    double mean_a = a.sum[r] / a.playouts, mean_b = b.sum[r] / b.playouts;
    double variance =
        a.squares[r] / a.playouts - mean_a * mean_a + b.squares[r] / b.playouts - mean_b * mean_b;
    assert_true(fabs(mean_a - mean_b) <= 5 * sqrt(variance / a.playouts) + 1e-9);
  }
  assert_true(fabs(a.states - b.states) < 0.03 * b.states + 0.05);
}

static void lanes_follow_as_plain_does(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    subject s;
    open_subject(&s, games[i]);
    for (uint32_t follow = 0; follow <= ALEA_SAMPLE_LOTS; follow += 4) guides_agree(&s, follow);
    guides_agree(&s, 3);
    close_subject(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(games_can_be_replayed),
      cmocka_unit_test(lanes_follow_as_plain_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
