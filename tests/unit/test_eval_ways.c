/* Ways of pieces: places are raised to what the places that can be reached are worth, less the
 * steps there, and in a race the goal is felt from the first position on. */
#include <math.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "learning/eval_learning.h"
#include "learning/eval_plays.h"
#include "learning/eval_ways.h"
#include "support/match_run.h"

enum { PLAYS = 3000, FAR = 1000 };

typedef struct table {
  alea_opened opened;
  alea_mem mem;
  alea_player_setup setup;
  alea_cursor *cursor;
  alea_rng rng;
  alea_linear_eval eval;
} table;

static void begin(table *t) {
  open_game(&t->opened, "chinese-checkers");
  alea_mem_init(&t->mem, 0);
  alea_rng_seed_stream(&t->rng, 7, 0);
  t->setup = (alea_player_setup){.game = t->opened.game, .role = 0, .mem = &t->mem};
  assert_int_equal(alea_cursor_new(t->opened.game, &t->mem, &t->cursor), ALEA_OK);
  assert_int_equal(alea_linear_eval_init(&t->eval, t->opened.game, 0, &t->mem), ALEA_OK);
}

static void end(table *t) {
  alea_linear_eval_clear(&t->eval);
  alea_cursor_free(t->cursor);
  assert_int_equal(t->mem.used, 0);
  alea_opened_clear(&t->opened);
}

/* Steps from 'from' to all fluents, by a search that knows nothing of worth. */
static void measure(const alea_eval_ways *ways, uint32_t fluents, uint32_t from, int *steps) {
  for (uint32_t f = 0; f < fluents; f++) steps[f] = f == from ? 0 : FAR;
  for (int round = 0; round < FAR; round++) {
    bool changed = false;
    for (size_t i = 0; i < ways->list.count; i++) {
      alea_eval_way way = ways->list.data[i];
      if (steps[way.from] != round || steps[way.to] <= round + 1) continue;
      steps[way.to] = round + 1;
      changed = true;
    }
    if (!changed) break;
  }
}

/* The best of all places that can be reached, less the steps. */
static double oracle(const alea_eval_ways *ways, const double *worth, uint32_t fluents,
                     uint32_t from, double price) {
  int *steps = malloc(fluents * sizeof *steps);
  double best = worth[from];
  measure(ways, fluents, from, steps);
  for (uint32_t f = 0; f < fluents; f++)
    if (steps[f] < FAR) best = fmax(best, worth[f] - price * steps[f]);
  free(steps);
  return best;
}

static void places_are_worth_what_can_be_reached(void **state) {
  (void)state;
  table t;
  alea_eval_plays plays;
  alea_eval_ways ways;
  alea_u64s positions = {0};
  begin(&t);
  assert_int_equal(alea_eval_plays_init(&plays, &t.eval, NULL, 5), ALEA_OK);
  assert_int_equal(alea_eval_plays_look(&plays), ALEA_OK);
  assert_int_equal(alea_eval_plays_learn(&plays, PLAYS, 1), ALEA_OK);
  assert_int_equal(alea_eval_plays_collect(&plays, 256, &positions), ALEA_OK);
  assert_int_equal(alea_linear_eval_finish(&t.eval, t.cursor, &t.rng), ALEA_OK);
  assert_int_equal(alea_eval_ways_init(&ways, &t.eval, t.cursor, &positions, NULL, NULL), ALEA_OK);
  assert_true(ways.list.count > 200); /* of 73 holes with up to six neighbours */
  uint32_t fluents = t.eval.features.fluent_count;
  double *worth = malloc(fluents * sizeof *worth),
         price = alea_eval_ways_range(&ways, &t.eval) / 20;
  for (uint32_t f = 0; f < fluents; f++) worth[f] = (double)t.eval.scores[f] / ALEA_EVAL_UNIT;
  for (size_t i = 0; i < ways.list.count; i++) {
    alea_eval_way way = ways.list.data[i];
    assert_int_equal(t.eval.features.kind_of[way.from], t.eval.features.kind_of[way.to]);
    assert_int_equal(t.eval.features.kind_of[way.from], t.eval.features.kind_of[0]); /* red */
  }
  assert_int_equal(alea_eval_ways_raise(&ways, &t.eval, price), ALEA_OK);
  alea_linear_eval_settle(&t.eval, 1);
  uint32_t raised = 0;
  for (uint32_t f = 0; f < fluents; f++) {
    double wanted = oracle(&ways, worth, fluents, f, price);
    assert_true(fabs((double)t.eval.scores[f] / ALEA_EVAL_UNIT - wanted) < 0.002);
    raised += wanted > worth[f];
  }
  assert_true(raised > 50);
  free(worth);
  alea_vec_clear(&t.mem, &positions);
  alea_eval_ways_clear(&ways, &t.mem);
  alea_eval_plays_clear(&plays);
  end(&t);
}

/* Who takes the best of eight moves by what was learnt brings stones home; by random plays alone
 * the first of them does not leave its own point. */
static void a_race_is_run(void **state) {
  (void)state;
  table t;
  alea_eval_plays plays;
  double alone, learnt;
  alea_budget any = {.seconds = 0};
  begin(&t);
  assert_int_equal(alea_eval_plays_init(&plays, &t.eval, NULL, 5), ALEA_OK);
  assert_int_equal(alea_eval_plays_look(&plays), ALEA_OK);
  assert_int_equal(alea_eval_plays_learn(&plays, PLAYS, 1), ALEA_OK);
  alea_linear_eval_settle(&t.eval, 1);
  assert_int_equal(alea_eval_plays_goal(&plays, 256, 8, &alone), ALEA_OK);
  alea_eval_plays_clear(&plays);
  end(&t);
  begin(&t);
  alea_eval_lessons lessons = {.plays = PLAYS, .budget = &any, .rng = &t.rng};
  assert_int_equal(alea_eval_learn(&t.eval, &t.setup, &lessons), ALEA_OK);
  assert_int_equal(alea_eval_plays_init(&plays, &t.eval, NULL, 5), ALEA_OK);
  assert_int_equal(alea_eval_plays_goal(&plays, 256, 8, &learnt), ALEA_OK);
  assert_true(alone < 5 && learnt > 15);
  alea_eval_plays_clear(&plays);
  end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(places_are_worth_what_can_be_reached),
                                     cmocka_unit_test(a_race_is_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
