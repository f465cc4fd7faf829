/* Intervals and ratings against known values and a slow way to the same. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "cmocka_all.h"
#include "tournament/stats.h"

static void near(double found, double expected, double tolerance) {
  if (fabs(found - expected) > tolerance) fail_msg("%.9f instead of %.9f", found, expected);
}

/* Values from the formula of Wilson (1927), as tables of it print them. */
static void wilson(void **state) {
  (void)state;
  static const struct {
    double score, count, low, high;
  } rows[] = {
      {5, 10, 0.236593, 0.763407},   {8, 10, 0.490162, 0.943318},
      {0, 10, 0, 0.277533},          {10, 10, 0.722467, 1},
      {50, 100, 0.403832, 0.596168}, {81, 263, 0.255289, 0.366210},
      {1, 1, 0.206549, 1},           {0, 0, 0, 1},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    alea_bounds found = alea_wilson(rows[i].score, rows[i].count);
    near(found.low, rows[i].low, 2e-6);
    near(found.high, rows[i].high, 2e-6);
  }
}

/* The ends are where the observed share is 1.96 standard errors away. */
static void wilson_by_definition(void **state) {
  (void)state;
  for (double n = 1; n < 200; n += 7) {
    for (double k = 0.5; k < n; k += 1.5) {
      alea_bounds b = alea_wilson(k, n);
      near(fabs(k / n - b.low), 1.959963984540054 * sqrt(b.low * (1 - b.low) / n), 1e-9);
      near(fabs(k / n - b.high), 1.959963984540054 * sqrt(b.high * (1 - b.high) / n), 1e-9);
    }
  }
}

static void batches(void **state) {
  (void)state;
  double scores[] = {1, 1, 0, 0, 1, 0, 0.5, 0.5, 1};
  near(alea_batch_deviation(scores, 9, 2), sqrt(((0.5 * 0.5) + (0.5 * 0.5)) / 3), 1e-12);
  near(alea_batch_deviation(scores, 9, 5), -1, 0);
  near(alea_batch_deviation(scores, 8, 4), 0, 1e-12);
}

/* The rating of a player is where expected and real score agree; found by
 * moving one player at a time (the MM algorithm of Hunter 2004), with the
 * imagined draw as one more opponent of strength 1. */
static void slow_ratings(const alea_encounter *list, size_t count, size_t players, double *elo) {
  double strength[16], mean = 0;
  for (size_t i = 0; i < players; i++) strength[i] = 1;
  for (int round = 0; round < 200000; round++) {
    for (size_t i = 0; i < players; i++) {
      double wins = 0.5, sum = 1 / (strength[i] + 1);
      for (size_t k = 0; k < count; k++) {
        const alea_encounter *e = &list[k];
        if (e->first == e->second || (e->first != i && e->second != i)) continue;
        size_t other = e->first == i ? e->second : e->first;
        wins += e->first == i ? e->score : e->matches - e->score;
        sum += e->matches / (strength[i] + strength[other]);
      }
      strength[i] = wins / sum;
    }
  }
  for (size_t i = 0; i < players; i++) mean += log10(strength[i]) / (double)players;
  for (size_t i = 0; i < players; i++) elo[i] = 400 * (log10(strength[i]) - mean);
}

static void compare(const alea_encounter *list, size_t count, size_t players) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_rating ratings[16];
  double slow[16];
  assert_int_equal(alea_bradley_terry(list, count, players, ratings, &mem), ALEA_OK);
  slow_ratings(list, count, players, slow);
  for (size_t i = 0; i < players; i++) near(ratings[i].elo, slow[i], 0.01);
  assert_int_equal(mem.used, 0);
}

static void ratings(void **state) {
  (void)state;
  alea_encounter three[] = {{0, 1, 10, 7}, {1, 2, 8, 4.5}, {0, 2, 12, 9}};
  compare(three, 3, 3);
  alea_encounter perfect[] = {{0, 1, 5, 5}, {1, 2, 5, 5}};
  compare(perfect, 2, 3);
  alea_encounter itself[] = {{0, 0, 50, 20}, {0, 1, 4, 1}};
  compare(itself, 2, 2);
  compare(NULL, 0, 4);
  alea_rng rng;
  alea_rng_seed(&rng, 5);
  for (int round = 0; round < 5; round++) {
    alea_encounter list[12];
    for (size_t i = 0; i < 12; i++) {
      double matches = 1 + alea_rng_below(&rng, 30);
      list[i] = (alea_encounter){alea_rng_below(&rng, 6), alea_rng_below(&rng, 6), matches,
                                 0.5 * alea_rng_below(&rng, (uint32_t)(2 * matches) + 1)};
    }
    compare(list, 12, 6);
  }
}

/* Two players: the difference is that of the odds, and its error that of the
 * logarithm of odds, 1 / sqrt(n p q); each is half of it from the mean. */
static void two_players(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_rating r[2];
  alea_encounter one = {0, 1, 1000000, 640000};
  assert_int_equal(alea_bradley_terry(&one, 1, 2, r, &mem), ALEA_OK);
  double difference = 400 * log10(0.64 / 0.36);
  double error = 1.959963984540054 * 400 / log(10) / sqrt(1e6 * 0.64 * 0.36);
  near(r[0].elo - r[1].elo, difference, 0.01);
  near(r[0].error, error / 2, 1e-4);
  near(r[1].error, error / 2, 1e-4);
}

static void without_memory(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  mem.fail_in = 1;
  alea_rating r[2];
  alea_encounter one = {0, 1, 10, 5};
  assert_int_equal(alea_bradley_terry(&one, 1, 2, r, &mem), ALEA_SYSTEM);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wilson),      cmocka_unit_test(wilson_by_definition),
      cmocka_unit_test(batches),     cmocka_unit_test(ratings),
      cmocka_unit_test(two_players), cmocka_unit_test(without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
