/* A tree that converges: no arm is left alone for good, and the share of moves
 * that keep the value of a position rises with simulations.  The oracle is plain
 * minimax. */
#include <math.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "play/pick.h"
#include "support/match_run.h"
#include "support/minimax.h"

/* A player of one role, and the ledger it lives on. */
typedef struct seat {
  alea_mem mem;
  alea_player_setup setup;
  alea_player *player;
} seat;

static void sit(seat *s, const alea_opened *opened, const char *text, uint32_t role,
                uint64_t seed) {
  alea_text message;
  alea_mem_init(&s->mem, 0);
  s->setup = (alea_player_setup){.game = opened->game,
                                 .role = role,
                                 .seed = seed,
                                 .mem = &s->mem,
                                 .services = opened->services};
  alea_text_init(&message, &s->mem);
  assert_int_equal(alea_player_new(&s->player, text, &s->setup, &message), ALEA_OK);
  alea_text_clear(&message);
}

static void rise(seat *s) {
  alea_player_free(s->player);
  assert_int_equal(s->mem.used, 0);
}

/* ---- visits ---- */

/* The least visits of a first move, in units of n^(3/4) / moves. */
static double least_share(const alea_opened *opened, const char *text, uint64_t sims) {
  seat s;
  alea_move move;
  alea_analysis analysis;
  double n = 0, least = INFINITY;
  sit(&s, opened, text, 0, 1);
  assert_int_equal(alea_player_select(s.player, &(alea_budget){.sims = sims}, &move), ALEA_OK);
  alea_player_analyse(s.player, &analysis);
  for (size_t i = 0; i < analysis.count; i++) {
    n += (double)analysis.choices[i].visits;
    least = fmin(least, (double)analysis.choices[i].visits);
  }
  double share = least * (double)analysis.count / pow(n, 0.75);
  rise(&s);
  return share;
}

/* GRAVE explores nothing by itself; with the floor it tries everything. */
static void no_arm_starves(void **state) {
  (void)state;
  static const char *const games[] = {"connect-four", "breakthrough"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    alea_opened opened;
    open_game(&opened, games[i]);
    const char *plain = "alea:pick=grave,playout=mast,sym=off,exact=off,endgame=0,look=0,floor=0";
    const char *fair = "alea:pick=grave,playout=mast,sym=off,exact=off,endgame=0,look=0,floor=0.5";
    assert_true(least_share(&opened, plain, 4000) < 0.25);
    assert_true(least_share(&opened, fair, 1000) > 0.45);
    assert_true(least_share(&opened, fair, 4000) > 0.45);
    alea_opened_clear(&opened);
  }
}

/* ---- halving ---- */

/* Arms of known chances: each round has the same part of the trials, shared out among half as
 * many arms as the round before. */
static void arms_are_halved(void **state) {
  (void)state;
  enum { ARMS = 8, TRIALS = 24000 };
  static const float chances[ARMS] = {0.10f, 0.90f, 0.14f, 0.40f, 0.70f, 0.12f, 0.42f, 0.16f};
  static const uint32_t wanted[ARMS] = {1000, 7000, 1000, 3000, 7000, 1000, 3000, 1000};
  alea_arm arms[ARMS] = {0};
  float lo[1] = {0};
  uint32_t firsts[2] = {0, ARMS};
  alea_node node = {.arms = arms, .firsts = firsts, .lo = lo, .choosers = 1};
  alea_pick pick = {.node = &node};
  alea_rng rng;
  alea_rng_seed_stream(&rng, 3, 0);
  for (uint32_t i = 0; i < ARMS; i++) arms[i].hi = 1;
  for (uint32_t i = 0; i < TRIALS; i++) {
    alea_arm *arm = &arms[alea_pick_halving(&pick, (double)i / TRIALS)];
    arm->visits++;
    arm->sum += alea_rng_unit(&rng) < (double)chances[arm - arms];
  }
  for (uint32_t i = 0; i < ARMS; i++) assert_in_range(arms[i].visits, wanted[i] - 8, wanted[i] + 8);
}

/* With patience the first moves are all known well; without, most trials are of one of them. */
static void patience_knows_all_moves(void **state) {
  (void)state;
  alea_opened opened;
  open_game(&opened, "connect-four");
  double fair = least_share(&opened, "alea:patience=10000,playout=batch", 20000);
  double plain = least_share(&opened, "alea:patience=0,playout=batch", 20000);
  assert_true(fair > 2 && fair > 3 * plain);
  alea_opened_clear(&opened);
}

/* The one first move that wins is found with a million simulations. */
static void the_middle_is_taken(void **state) {
  (void)state;
  alea_opened opened;
  alea_text text;
  alea_mem mem;
  if (getenv("ALEA_FULL") == NULL) skip();
  alea_mem_init(&mem, 0);
  open_game(&opened, "connect-four");
  for (uint64_t seed = 1; seed <= 4; seed++) {
    alea_move move;
    seat s;
    sit(&s, &opened, "alea:playout=batch", 0, seed);
    assert_int_equal(alea_player_select(s.player, &(alea_budget){.sims = 1000000}, &move), ALEA_OK);
    alea_text_init(&text, &mem);
    alea_game_move_text(opened.game, 0, move, true, &text);
    assert_string_equal(alea_text_string(&text), "(drop 4)");
    alea_text_clear(&text);
    rise(&s);
  }
  alea_opened_clear(&opened);
}

/* ---- values ---- */

typedef struct quiz {
  const alea_opened *opened;
  alea_cursor *cursor;
  minimax_line line;
} quiz;

/* The player's move at the line's end, and how often it tried its moves there. */
static alea_move ask(quiz *q, const char *text, uint64_t sims, uint64_t seed, uint64_t *visits) {
  seat s;
  uint32_t role = q->line.steps % 2;
  sit(&s, q->opened, text, role, seed);
  for (uint32_t i = 0; i < q->line.steps; i++) {
    alea_observation seen = {.own = q->line.joints[i][role], .joint = q->line.joints[i]};
    assert_int_equal(alea_player_observe(s.player, &seen), ALEA_OK);
  }
  alea_move move;
  alea_analysis analysis;
  alea_budget budget = {.sims = sims};
  assert_int_equal(alea_player_select(s.player, &budget, &move), ALEA_OK);
  alea_player_analyse(s.player, &analysis);
  *visits = 0;
  for (size_t i = 0; i < analysis.count; i++) *visits += analysis.choices[i].visits;
  rise(&s);
  return move;
}

/* Whether the player's move is worth what the position is. */
static bool keeps(quiz *q, const char *text, uint64_t sims, uint64_t seed) {
  uint32_t role = q->line.steps % 2;
  alea_list other;
  alea_move joint[2];
  uint64_t visits;
  joint[role] = ask(q, text, sims, seed, &visits);
  minimax_replay(&q->line, q->cursor);
  int best = minimax_value(q->cursor, role);
  minimax_replay(&q->line, q->cursor);
  assert_int_equal(alea_cursor_legal(q->cursor, 1 - role, &other), ALEA_OK);
  joint[1 - role] = other.ids[0];
  assert_int_equal(alea_cursor_play(q->cursor, joint), ALEA_OK);
  return minimax_value(q->cursor, role) == best;
}

static void values_are_kept_more_and_more(void **state) {
  (void)state;
  enum { POSITIONS = 60 };
  static const char *const text = "alea:exact=off,endgame=0,look=0,playout=mast";
  alea_opened opened;
  alea_mem mem;
  alea_rng rng;
  open_game(&opened, "tictactoe");
  alea_mem_init(&mem, 0);
  alea_rng_seed_stream(&rng, 7, 0);
  quiz q = {.opened = &opened};
  assert_int_equal(alea_cursor_new(opened.game, &mem, &q.cursor), ALEA_OK);
  int few = 0, many = 0;
  for (int i = 0; i < POSITIONS; i++) {
    minimax_wander(&q.line, q.cursor, &rng, 3 + (uint32_t)i % 3);
    few += keeps(&q, text, 10, (uint64_t)i);
    many += keeps(&q, text, 5000, (uint64_t)i);
  }
  assert_true(few < many);
  assert_int_equal(many, POSITIONS);
  alea_cursor_free(q.cursor);
  alea_opened_clear(&opened);
}

/* A simulation that proves a move lost is not counted above: at the root there are fewer
 * visits than where it is.  What is chosen in the end keeps the value. */
static void proofs_are_not_counted_above(void **state) {
  (void)state;
  enum { POSITIONS = 60, SIMS = 80 };
  static const char *const mute = "alea:endgame=0,playout=mast,floor=0,refute=on";
  static const char *const loud = "alea:endgame=0,playout=mast,floor=0,refute=off";
  alea_opened opened;
  alea_mem mem;
  alea_rng rng;
  open_game(&opened, "tictactoe");
  alea_mem_init(&mem, 0);
  alea_rng_seed_stream(&rng, 9, 0);
  quiz q = {.opened = &opened};
  assert_int_equal(alea_cursor_new(opened.game, &mem, &q.cursor), ALEA_OK);
  uint64_t fewer = 0, all = 0;
  for (int i = 0; i < POSITIONS; i++) {
    uint64_t visits;
    minimax_wander(&q.line, q.cursor, &rng, 2 + (uint32_t)i % 3);
    (void)ask(&q, mute, SIMS, (uint64_t)i, &visits);
    fewer += visits;
    (void)ask(&q, loud, SIMS, (uint64_t)i, &visits);
    all += visits;
    assert_true(keeps(&q, mute, 3000, (uint64_t)i));
  }
  assert_true(fewer < all);
  alea_cursor_free(q.cursor);
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_arm_starves),
                                     cmocka_unit_test(arms_are_halved),
                                     cmocka_unit_test(patience_knows_all_moves),
                                     cmocka_unit_test(the_middle_is_taken),
                                     cmocka_unit_test(values_are_kept_more_and_more),
                                     cmocka_unit_test(proofs_are_not_counted_above)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
