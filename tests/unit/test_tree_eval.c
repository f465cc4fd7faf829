/* An evaluation in the tree: playouts that are cut are worth what the scores say of
 * where they stopped, hopes are minimax values, and what is learnt from playouts
 * predicts playouts.  The oracles look at all successors, one by one. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "play/tree_eval.h"
#include "support/match_run.h"

enum { PLAYOUTS = 20000 };

typedef struct table {
  alea_opened opened;
  alea_mem mem;
  alea_match_sampler maker;
  alea_player_setup setup;
  alea_cursor *cursor;
} table;

static void lay(table *t, const char *game, uint32_t role) {
  open_game(&t->opened, game);
  alea_mem_init(&t->mem, 0);
  alea_match_sampler_init(&t->maker, &t->opened, ALEA_ENGINE_AUTO, &t->mem);
  t->setup = (alea_player_setup){.game = t->opened.game,
                                 .role = role,
                                 .seed = 3,
                                 .mem = &t->mem,
                                 .sampler = alea_match_make_sampler,
                                 .sampler_context = &t->maker};
  assert_int_equal(alea_cursor_new(t->opened.game, &t->mem, &t->cursor), ALEA_OK);
}

static void clear(table *t) {
  alea_cursor_free(t->cursor);
  alea_match_sampler_clear(&t->maker);
  assert_int_equal(t->mem.used, 0);
  alea_opened_clear(&t->opened);
}

/* Scores that differ from fluent to fluent, so that any one that is left out shows. */
static void invent(alea_linear_eval *linear) {
  linear->base = 100;
  for (size_t f = 0; f < 64 * linear->word_count; f++)
    linear->scores[f] = (int32_t)(f * 7919 % 401) - 200;
}

/* The mean of the evaluation over all plays of so many random steps from here. */
static double expected(table *t, const alea_linear_eval *linear, uint32_t steps) {
  size_t count;
  uint64_t words[64];
  const uint64_t *here = alea_cursor_state(t->cursor, &count);
  if (steps == 0) return (double)alea_sample_share(alea_linear_eval_score(linear, here));
  assert_in_range(count, 1, 64);
  memcpy(words, here, count * sizeof *words);
  alea_move joint[2], moves[256];
  uint32_t chooser = 0, choices = 0;
  for (uint32_t r = 0; r < 2; r++) {
    alea_list legal;
    assert_int_equal(alea_cursor_legal(t->cursor, r, &legal), ALEA_OK);
    joint[r] = legal.ids[0];
    if (legal.count < 2) continue;
    assert_in_range(legal.count, 2, 256);
    chooser = r;
    choices = legal.count;
    memcpy(moves, legal.ids, choices * sizeof *moves);
  }
  double sum = 0;
  for (uint32_t i = 0; i < choices; i++) {
    joint[chooser] = moves[i];
    assert_int_equal(alea_cursor_load(t->cursor, words, count), ALEA_OK);
    assert_int_equal(alea_cursor_play(t->cursor, joint), ALEA_OK);
    sum += expected(t, linear, steps - 1);
  }
  assert_true(choices > 1);
  return sum / choices;
}

/* The same by a sampler, of whose games none has ended by then. */
static double sampled(alea_sampler *sampler, const alea_linear_eval *linear, uint32_t steps) {
  alea_sample_worth worth = {linear->scores, linear->base, linear->role};
  alea_sample_options options = {.step_cap = steps, .worth = &worth};
  alea_sample_request request = {.playouts = PLAYOUTS};
  double sum[2], squares[2];
  alea_sample_result result = {.sum = sum, .sum_squares = squares};
  assert_int_equal(alea_sampler_run(sampler, &request, 1, &options, &result), ALEA_OK);
  assert_int_equal(result.unfinished, PLAYOUTS);
  assert_true(fabs(sum[0] + sum[1] - 100.0 * PLAYOUTS) < 1);

  return sum[linear->role] / PLAYOUTS / 100;
}

static void cut_playouts_are_worth_where_they_stop(void **state) {
  (void)state;
  for (uint32_t role = 0; role < 2; role++) {
    table t;
    alea_linear_eval linear;
    alea_sampler *plain, *lanes;
    lay(&t, "breakthrough", role);
    assert_int_equal(alea_linear_eval_init(&linear, t.opened.game, role, &t.mem), ALEA_OK);
    invent(&linear);
    assert_int_equal(alea_sampler_new_plain(&plain, t.opened.game, 1, &t.mem), ALEA_OK);
    assert_int_equal(alea_match_make_sampler(&t.maker, 1, &t.mem, &lanes), ALEA_OK);
    assert_string_equal(lanes->class->engine, "lanes");
    for (uint32_t steps = 1; steps <= 2; steps++) {
      assert_int_equal(alea_cursor_reset(t.cursor), ALEA_OK);
      double truth = expected(&t, &linear, steps);
      assert_true(fabs(sampled(plain, &linear, steps) - truth) < 0.002);
      assert_true(fabs(sampled(lanes, &linear, steps) - truth) < 0.002);
    }
    alea_sampler_free(plain);
    alea_sampler_free(lanes);
    alea_linear_eval_clear(&linear);
    clear(&t);
  }
}

/* The best that the chooser at the cursor reaches in one step, for 'role'. */
static float best_step(table *t, const alea_tree_eval *eval, const alea_node *node) {
  uint32_t p = node->chooser;
  float best = p == eval->setup->role ? 0 : 1;
  alea_move joint[2] = {node->moves[node->firsts[0]], node->moves[node->firsts[1]]};
  for (uint32_t a = node->firsts[p]; a < node->firsts[p + 1]; a++) {
    size_t count;
    joint[p] = node->moves[a];
    assert_int_equal(alea_cursor_load(t->cursor, node->words, node->word_count), ALEA_OK);
    assert_int_equal(alea_cursor_play(t->cursor, joint), ALEA_OK);
    const uint64_t *words = alea_cursor_state(t->cursor, &count);
    float hope = alea_sample_share(alea_linear_eval_score(eval->linear, words));
    best = p == eval->setup->role ? fmaxf(best, hope) : fminf(best, hope);
  }
  return best;
}

static void hopes_are_minimax_values(void **state) {
  (void)state;
  for (uint32_t role = 0; role < 2; role++) {
    table t;
    alea_tree_eval eval;
    alea_node_store store;
    alea_node_id id;
    lay(&t, "breakthrough", role);
    alea_tree_eval_init(&eval, &t.setup);
    assert_non_null(eval.setup);
    assert_int_equal(alea_linear_eval_init(&eval.own, t.opened.game, role, &t.mem), ALEA_OK);
    invent(&eval.own);
    alea_tree_eval_adopt(&eval, &eval.own);
    assert_int_equal(alea_node_store_init(&store, t.opened.game, 1 << 20, false, &t.mem), ALEA_OK);
    store.with_hopes = true;
    assert_int_equal(alea_node_store_make(&store, t.cursor, &id), ALEA_OK);
    alea_node *node = alea_node_store_at(&store, id);
    alea_tree_eval_node(&eval, node);
    assert_int_equal(alea_tree_eval_arms(&eval, t.cursor, node), ALEA_OK);
    assert_true(fabsf(node->hope - best_step(&t, &eval, node)) < 1e-5f);
    /* all arms turn out to be bad for who chooses, but the last */
    uint32_t p = node->chooser, arms = node->firsts[p + 1] - node->firsts[p];
    for (uint32_t a = 0; a < arms; a++) {
      float good = a + 1 == arms ? 0.75f : 0.25f;
      alea_node child = {.hope = p == role ? good : 1 - good};
      alea_tree_eval_back_up(&eval, node, a, &child);
    }
    assert_true(fabsf(alea_tree_eval_hope(&eval, node, p) - 0.75f) < 1e-5f);
    /* what is proved is hoped for */
    node->lo[role] = node->hi[role] = 0.5f;
    alea_tree_eval_back_up(&eval, node, 0, &(alea_node){.hope = 1});
    assert_true(fabsf(node->hope - 0.5f) < 1e-5f);
    alea_node_store_clear(&store);
    alea_tree_eval_clear(&eval);
    clear(&t);
  }
}

/* Men tell who wins at draughts; where four in a row do, single discs tell less. */
static void skill_is_what_playouts_say(void **state) {
  (void)state;
  static const char *const games[] = {"english-draughts", "connect-four"};
  double skills[2];
  for (int i = 0; i < 2; i++) {
    table t;
    alea_tree_eval eval;
    alea_budget budget = {.seconds = 2, .clock = ALEA_CLOCK_CPU}, rest;
    lay(&t, games[i], 0);
    alea_tree_eval_init(&eval, &t.setup);
    eval.least = 0.6;
    assert_null(alea_tree_eval_note(&eval));
    assert_int_equal(alea_tree_eval_learn(&eval, &budget, &rest), ALEA_OK);
    assert_true(rest.seconds > 0.5 && rest.seconds < 2);
    assert_non_null(alea_tree_eval_note(&eval));
    skills[i] = eval.skill;
    assert_int_equal(eval.ready, eval.skill >= 0.6);
    alea_tree_eval_clear(&eval);
    clear(&t);
  }
  assert_true(skills[0] > 0.6);
  assert_true(skills[1] < skills[0]);
}

/* Nothing is learnt without a start clock, with chance or hidden information. */
static void other_games_are_left_alone(void **state) {
  (void)state;
  static const char *const games[] = {"backgammon", "kuhn-poker", "hanoi"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    table t;
    alea_tree_eval eval;
    alea_budget budget = {.seconds = 2, .clock = ALEA_CLOCK_CPU}, rest;
    lay(&t, games[i], 0);
    alea_tree_eval_init(&eval, &t.setup);
    assert_int_equal(alea_tree_eval_learn(&eval, &budget, &rest), ALEA_OK);
    assert_false(eval.ready);
    assert_true(rest.seconds == budget.seconds);
    clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cut_playouts_are_worth_where_they_stop),
      cmocka_unit_test(hopes_are_minimax_values),
      cmocka_unit_test(skill_is_what_playouts_say),
      cmocka_unit_test(other_games_are_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
