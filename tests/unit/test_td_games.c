/* Games for temporal differences: what is told of positions follows from what came after them,
 * and a network that hears enough of it plays a game as well as it can be played. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "learning/network_fit.h"
#include "learning/td_games.h"
#include "support/match_run.h"

enum { MOST_TOLD = 64, CHUNK = 1024, CHUNKS = 150, MOST_MOVES = 16 };

typedef struct told {
  uint64_t words[2];
  float target;
} told;

typedef struct table {
  alea_opened opened;
  alea_mem mem;
  alea_rng rng;
  alea_cursor *cursor;
  alea_linear_eval eval;
  alea_td_games games;
  told told[MOST_TOLD];
  size_t count;
  alea_network_examples examples;
} table;

static bool never(void *context) {
  (void)context;
  return false;
}

static alea_status hear(void *context, const uint64_t *words, float target) {
  table *t = context;
  assert_true(t->count < MOST_TOLD && target >= 0 && target <= 1);
  told *it = &t->told[t->count++];
  memcpy(it->words, words, t->eval.word_count * sizeof *words);
  it->target = target;
  return ALEA_OK;
}

/* An evaluation that knows nothing, with a network that says nothing. */
static void begin(table *t, const char *game, uint32_t role) {
  *t = (table){0};
  open_game(&t->opened, game);
  alea_mem_init(&t->mem, 0);
  alea_rng_seed_stream(&t->rng, 7, 0);
  assert_int_equal(alea_cursor_new(t->opened.game, &t->mem, &t->cursor), ALEA_OK);
  assert_int_equal(alea_linear_eval_init(&t->eval, t->opened.game, role, &t->mem), ALEA_OK);
  assert_true(t->eval.word_count <= 2);
  t->eval.shares = true;
  assert_int_equal(
      alea_eval_network_init(&t->eval.network, t->eval.features.fluent_count, NULL, &t->mem),
      ALEA_OK);
  t->games = (alea_td_games){.eval = &t->eval,
                             .cursor = t->cursor,
                             .rng = &t->rng,
                             .scale = 1,
                             .hear = hear,
                             .over = never,
                             .context = t};
  assert_int_equal(alea_td_games_init(&t->games), ALEA_OK);
}

static void end(table *t) {
  alea_td_games_clear(&t->games);
  alea_linear_eval_clear(&t->eval);
  alea_cursor_free(t->cursor);
  alea_vec_clear(&t->mem, &t->examples.words);
  alea_vec_clear(&t->mem, &t->examples.list);
  assert_int_equal(t->mem.used, 0);
  alea_opened_clear(&t->opened);
}

/* ---- what is told ---- */

/* Who knows nothing thinks that all is even but for ends that were seen before, and follows what
 * came after: from the last position of the first game back each is worth four fifths of that, and
 * a half of the fifth. The last move of tictactoe is forced, where it comes to that. */
static void values_follow_the_end(void **state) {
  (void)state;
  int ends[3] = {0};
  for (uint32_t seed = 0; seed < 60; seed++) {
    table t;
    begin(&t, "tictactoe", 0);
    alea_rng_seed_stream(&t.rng, seed, 0);
    assert_int_equal(alea_td_games_play(&t.games), ALEA_OK);
    int goal;
    assert_int_equal(alea_cursor_goal(t.cursor, 0, &goal), ALEA_OK);
    assert_true(t.count >= 5 && t.count <= 9);
    float worth = goal == 100 ? 1 : goal == 0 ? 0 : 0.5f;
    for (size_t i = 0; i < t.count; i++) {
      bool forced = i == 0 && t.count == 9;
      if (!forced) worth = 0.8f * worth + 0.2f * 0.5f;
      assert_true(fabsf(t.told[i].target - worth) < 1e-4f);
      int differ = 0;
      for (size_t w = 0; i > 0 && w < t.eval.word_count; w++)
        differ += __builtin_popcountll(t.told[i].words[w] ^ t.told[i - 1].words[w]);
      assert_true(i == 0 || differ == 4); /* a stone, which was no stone, and whose turn it is */
    }
    ends[goal / 50]++;
    end(&t);
  }
  assert_true(ends[0] > 0 && ends[1] > 0 && ends[2] > 0);
}

/* ---- what is learnt ---- */

static alea_status gather(void *context, const uint64_t *words, float target) {
  table *t = context;
  alea_network_example example = {
      .linear = (float)alea_linear_eval_score(&t->eval, words) / ALEA_EVAL_UNIT, .target = target};
  assert_true(alea_vec_reserve(&t->mem, &t->examples.words, t->eval.word_count));
  for (size_t w = 0; w < t->eval.word_count; w++)
    t->examples.words.data[t->examples.words.count++] = words[w];
  assert_true(alea_vec_push(&t->mem, &t->examples.list, example));
  return ALEA_OK;
}

/* Plays, and fits the network to what is told, over and over. */
static void learn(table *t) {
  alea_fluent_symmetry symmetry;
  alea_network_fit fit;
  assert_int_equal(alea_fluent_symmetry_find(&symmetry, t->opened.game, t->opened.services, false,
                                             NULL, &t->mem),
                   ALEA_OK);
  assert_int_equal(alea_network_fit_init(&fit, &symmetry, &t->rng, &t->mem), ALEA_OK);
  t->examples.word_count = t->eval.word_count;
  t->games.hear = gather;
  for (int i = 0; i < CHUNKS; i++) {
    while (t->examples.list.count < CHUNK) assert_int_equal(alea_td_games_play(&t->games), ALEA_OK);
    float rate = 0.01f * (float)(CHUNKS - i) / CHUNKS;
    assert_int_equal(alea_network_fit_round(&fit, &t->examples, rate, &t->rng), ALEA_OK);
    alea_network_fit_export(&fit, 1, &t->eval.network);
    t->games.scale = alea_network_fit_scale(&fit);
    t->examples.list.count = t->examples.words.count = 0;
  }
  alea_network_fit_clear(&fit);
  alea_fluent_symmetry_clear(&symmetry);
}

typedef struct tally {
  int positions, kept; /* where something is to be lost, and where nothing was */
  double kept_by_chance;
} tally;

/* What the first role gets where both play as well as they can; positions where a move may lose
 * something are counted, and whether the evaluation's move does. */
static int solve(table *t, tally *all) {
  alea_list legal[2];
  alea_move moves[MOST_MOVES], joint[2];
  uint64_t here[2];
  size_t count;
  bool over;
  int goal, best = -1, worst = 101, chosen = 0, right = 0;
  double most = -INFINITY;
  assert_int_equal(alea_cursor_terminal(t->cursor, &over), ALEA_OK);
  assert_int_equal(alea_cursor_goal(t->cursor, 0, &goal), ALEA_OK);
  if (over) return goal;
  memcpy(here, alea_cursor_state(t->cursor, &count), t->eval.word_count * sizeof *here);
  for (uint32_t r = 0; r < 2; r++)
    assert_int_equal(alea_cursor_legal(t->cursor, r, &legal[r]), ALEA_OK);
  uint32_t chooser = legal[0].count > 1 || legal[1].count == 1 ? 0 : 1, many = legal[chooser].count;
  assert_true(many <= MOST_MOVES);
  memcpy(moves, legal[chooser].ids, many * sizeof *moves);
  joint[1 - chooser] = legal[1 - chooser].ids[0];
  int values[MOST_MOVES];
  for (uint32_t i = 0; i < many; i++) {
    joint[chooser] = moves[i];
    assert_int_equal(alea_cursor_load(t->cursor, here, count), ALEA_OK);
    assert_int_equal(alea_cursor_play(t->cursor, joint), ALEA_OK);
    assert_int_equal(alea_cursor_terminal(t->cursor, &over), ALEA_OK);
    alea_network_sums sums;
    alea_eval_network_begin(&t->eval.network, alea_cursor_state(t->cursor, &count), count, &sums);
    double said = alea_eval_network_value(&t->eval.network, &sums);
    int value = solve(t, all);
    if (over) said = 1e6 * (value - 50);
    if (chooser != 0) said = -said, value = 100 - value;
    values[i] = value;
    if (said > most) most = said, chosen = value;
    if (value > best) best = value;
    if (value < worst) worst = value;
  }
  for (uint32_t i = 0; i < many; i++) right += values[i] == best;
  if (worst < best) {
    all->positions++;
    all->kept += chosen == best;
    all->kept_by_chance += (double)right / many;
  }
  return chooser == 0 ? best : 100 - best;
}

/* In all positions of tictactoe, however badly they came about. */
static void learns_a_game(void **state) {
  (void)state;
  table t;
  tally all = {0};
  begin(&t, "tictactoe", 0);
  learn(&t);
  assert_int_equal(alea_cursor_reset(t.cursor), ALEA_OK);
  assert_int_equal(solve(&t, &all), 50);
  assert_true(all.positions > 10000);
  assert_true(all.kept > 0.8 * all.positions);
  assert_true(all.kept_by_chance < 0.5 * all.positions);
  end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_follow_the_end),
      cmocka_unit_test(learns_a_game),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
