/* Choosing actions: [TOSS10 §5], D46, K9. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "toss/regret.h"

/* Traveller's dilemma, claims 2..100 with bonus 2: only 97 survives. */
static void travellers_dilemma(void **state) {
  (void)state;
  enum { CLAIMS = 99 };
  static double payoffs[CLAIMS * CLAIMS * 2];
  for (int a = 0; a < CLAIMS; a++) {
    for (int b = 0; b < CLAIMS; b++) {
      int least = a < b ? a : b;
      double *out = payoffs + (a + CLAIMS * b) * 2;
      out[0] = least + 2 + (a < b ? 2 : a > b ? -2 : 0);
      out[1] = least + 2 + (b < a ? 2 : b > a ? -2 : 0);
    }
  }
  uint32_t actions[2] = {CLAIMS, CLAIMS};
  uint8_t first[CLAIMS], second[CLAIMS], *survivors[2] = {first, second};
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_toss_normal game = {2, actions, payoffs};
  assert_int_equal(alea_toss_minimise_regret(&game, survivors, &mem), ALEA_OK);
  for (int i = 0; i < CLAIMS; i++) {
    assert_int_equal(first[i], i + 2 == 97);
    assert_int_equal(second[i], i + 2 == 97);
  }
  assert_int_equal(mem.used, 0);
}

/* With one player who chooses, the best payoff; ties stay. */
static void turn_based(void **state) {
  (void)state;
  double payoffs[4 * 2] = {0, 9, 3, 1, 3, 4, 2, 2};
  uint32_t actions[2] = {4, 1};
  uint8_t first[4], second[1], *survivors[2] = {first, second};
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_toss_normal game = {2, actions, payoffs};
  assert_int_equal(alea_toss_minimise_regret(&game, survivors, &mem), ALEA_OK);
  assert_memory_equal(first, ((uint8_t[]){0, 1, 1, 0}), 4);
  assert_int_equal(second[0], 1);
}

/* Matching pennies: every action has the same regret. */
static void nothing_to_choose(void **state) {
  (void)state;
  double payoffs[4 * 2] = {1, -1, -1, 1, -1, 1, 1, -1};
  uint32_t actions[2] = {2, 2};
  uint8_t first[2], second[2], *survivors[2] = {first, second};
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_toss_normal game = {2, actions, payoffs};
  assert_int_equal(alea_toss_minimise_regret(&game, survivors, &mem), ALEA_OK);
  assert_int_equal(first[0] + first[1] + second[0] + second[1], 4);
}

static void ucb_tuned(void **state) {
  (void)state;
  alea_toss_bound_of b = {
      .mean = 0.5, .variance = 0.25, .parent_plays = 100, .plays = 10, .range = 1, .c = 1};
  double upper = 0.25 + sqrt(2 * log(100) / 10);
  assert_true(fabs(upper - 1.2097) < 5e-5);
  assert_true(fabs(alea_toss_ucb_tuned(&b) - 0.5 - 0.3393) < 5e-5);
  b.printed = true; /* the same at range 1 */
  assert_true(fabs(alea_toss_ucb_tuned(&b) - 0.5 - 0.3393) < 5e-5);
  /* scaling payoffs by 100 scales the bound */
  b = (alea_toss_bound_of){
      .mean = 50, .variance = 100, .parent_plays = 100, .plays = 80, .range = 100, .c = 1};
  alea_toss_bound_of unit = {
      .mean = 0.5, .variance = 0.01, .parent_plays = 100, .plays = 80, .range = 1, .c = 1};
  assert_true(fabs(alea_toss_ucb_tuned(&b) - 100 * alea_toss_ucb_tuned(&unit)) < 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(travellers_dilemma),
      cmocka_unit_test(turn_based),
      cmocka_unit_test(nothing_to_choose),
      cmocka_unit_test(ucb_tuned),
  };
  return cmocka_run_group_tests_name("toss play", tests, NULL, NULL);
}
