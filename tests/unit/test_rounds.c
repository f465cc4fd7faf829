/* Pairings of events in rounds. */

#include "base/rng.h"
#include "cmocka_all.h"
#include "tournament/rounds.h"

enum { MOST = 9 };

typedef struct table {
  uint32_t count;
  bool met[MOST][MOST];
  alea_swiss_entrant entrants[MOST];
} table;

/* Whether the entrants that are not in 'used' can be paired without meeting
 * anybody again: all pairings are tried. */
static bool can_pair(const table *t, unsigned used) {
  uint32_t a = 0;
  while (a < t->count && (used >> a & 1) != 0) a++;
  if (a == t->count) return true;
  for (uint32_t b = a + 1; b < t->count; b++)
    if ((used >> b & 1) == 0 && !t->met[a][b] && can_pair(t, used | 1u << a | 1u << b)) return true;
  return false;
}

static void check_round(table *t, alea_mem *mem) {
  uint32_t opponents[MOST], byes = 0, bye = 0;
  for (uint32_t i = 0; i < t->count; i++) t->entrants[i].met = t->met[i];
  assert_int_equal(alea_swiss_pair(t->entrants, t->count, opponents, mem), ALEA_OK);
  bool again = false;
  for (uint32_t i = 0; i < t->count; i++) {
    if (opponents[i] == ALEA_TOURNAMENT_PLAN_NOBODY) {
      byes++;
      bye = i;
      continue;
    }
    assert_true(opponents[i] < t->count && opponents[i] != i);
    assert_int_equal(opponents[opponents[i]], i);
    again = again || t->met[i][opponents[i]];
  }
  assert_int_equal(byes, t->count % 2);
  /* The bye goes to the last that had none. */
  for (uint32_t i = 0; byes > 0 && i < t->count; i++) {
    bool later = t->entrants[i].points < t->entrants[bye].points ||
                 (t->entrants[i].points == t->entrants[bye].points && i > bye);
    if (later && !t->entrants[bye].had_bye) assert_true(t->entrants[i].had_bye);
  }
  assert_int_equal(again, !can_pair(t, byes > 0 ? 1u << bye : 0));
  for (uint32_t i = 0; i < t->count; i++) {
    if (opponents[i] == ALEA_TOURNAMENT_PLAN_NOBODY) {
      t->entrants[i].had_bye = true;
      t->entrants[i].points += 1;
    } else {
      t->met[i][opponents[i]] = true;
    }
  }
}

static void swiss_pairs(void **state) {
  (void)state;
  alea_mem mem;
  alea_rng rng;
  alea_mem_init(&mem, 0);
  alea_rng_seed(&rng, 5);
  for (int event = 0; event < 300; event++) {
    table t = {.count = 2 + alea_rng_below(&rng, MOST - 1)};
    for (int round = 0; round < 8; round++) {
      check_round(&t, &mem);
      for (uint32_t i = 0; i < t.count; i++) t.entrants[i].points += 0.5 * alea_rng_below(&rng, 3);
    }
  }
  assert_int_equal(mem.used, 0);
}

/* The best two of equal points meet first. */
static void swiss_pairs_equals(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  table t = {.count = 4};
  static const double points[] = {0, 2, 0.5, 2};
  uint32_t opponents[4];
  for (uint32_t i = 0; i < 4; i++) {
    t.entrants[i].points = points[i];
    t.entrants[i].met = t.met[i];
  }
  assert_int_equal(alea_swiss_pair(t.entrants, 4, opponents, &mem), ALEA_OK);
  assert_int_equal(opponents[1], 3);
  assert_int_equal(opponents[0], 2);
}

/* Of the seeds of a bracket the better half meets the worse, at every stage. */
static void brackets(void **state) {
  (void)state;
  for (uint32_t size = 1; size <= 64; size *= 2) {
    uint32_t alive[64];
    for (uint32_t i = 0; i < size; i++) alive[i] = alea_bracket_seed(i, size);
    for (uint32_t left = size; left > 1; left /= 2) {
      bool seen[64] = {false};
      for (uint32_t i = 0; i < left / 2; i++) {
        uint32_t a = alive[2 * i], b = alive[2 * i + 1];
        assert_int_equal(a + b, left - 1);
        seen[a] = seen[b] = true;
        alive[i] = a < b ? a : b;
      }
      for (uint32_t i = 0; i < left; i++) assert_true(seen[i]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(swiss_pairs),
      cmocka_unit_test(swiss_pairs_equals),
      cmocka_unit_test(brackets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
