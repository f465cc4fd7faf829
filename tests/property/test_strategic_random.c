/* Small random quantified networks against definition 2 of [STRAT06 §4], in both
 * readings of D40, played out by brute force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "csp/strategic.h"

enum { ROUNDS = 20000, FULL_ROUNDS = 200000, MOST = 3, QUANTIFIED = 4, TABLES = 6 };

/* Variables 0 .. q-1 are quantified, the rest is the state. */
typedef struct game {
  alea_rng rng;
  uint32_t q, n, sizes[QUANTIFIED + MOST];
  bool universal[QUANTIFIED];
  uint32_t tables;
  struct table {
    uint32_t a, b;
    bool allowed[3][3];
  } table[TABLES];
} game;

static uint32_t below(game *g, uint32_t n) { return alea_rng_below(&g->rng, n); }

/* A random constraint: y=a <=> x=b, a difference, or any relation.  Differences
 * of the state are common, since three of them are more than arc consistency
 * sees. */
static void add_table(game *g, alea_csp *csp) {
  struct table *t = &g->table[g->tables];
  uint32_t kind = below(g, 4), x = below(g, 3), y = below(g, 3), first = 0;
  if (kind == 1 && g->n - g->q > 1) first = g->q;
  t->a = first + below(g, g->n - first);
  t->b = first + below(g, g->n - first);
  if (t->a == t->b) return;
  int32_t rows[18];
  size_t count = 0;
  for (uint32_t i = 0; i < 3; i++)
    for (uint32_t j = 0; j < 3; j++) {
      bool relation[4] = {(i == x) == (j == y), i != j, below(g, 3) != 0, below(g, 3) != 0};
      t->allowed[i][j] = relation[kind];
      if (!t->allowed[i][j]) continue;
      rows[2 * count] = (int32_t)i;
      rows[2 * count++ + 1] = (int32_t)j;
    }
  if (kind == 0)
    alea_csp_iff(csp, t->a, (int32_t)x, t->b, (int32_t)y);
  else
    alea_csp_table(csp, (alea_csp_var[]){t->a, t->b}, 2, rows, count, false);
  g->tables++;
}

static alea_strategic *make(game *g, alea_mem *mem) {
  alea_strategic *s = alea_strategic_new(mem);
  alea_csp *csp = alea_strategic_network(s);
  g->q = below(g, QUANTIFIED + 1);
  g->n = g->q + below(g, MOST + 1);
  if (g->n == 0) g->n = 1;
  for (uint32_t v = 0; v < g->n; v++) {
    char name[16];
    snprintf(name, sizeof name, "v%u", v);
    g->sizes[v] = 1 + below(g, 3);
    alea_csp_range(csp, name, 0, (int32_t)g->sizes[v] - 1);
  }
  for (uint32_t j = 0; j < g->q; j++) {
    g->universal[j] = below(g, 2);
    alea_strategic_quantify(s, j, g->universal[j]);
  }
  for (uint32_t c = below(g, TABLES + 1); c > 0; c--) add_table(g, csp);
  return s;
}

/* Is there a state that meets all constraints whose quantified variables are
 * among the first 'known'? */
static bool consistent(const game *g, uint32_t known, uint32_t *values) {
  uint32_t combinations = 1;
  for (uint32_t v = g->q; v < g->n; v++) combinations *= g->sizes[v];
  for (uint32_t k = 0; k < combinations; k++) {
    uint32_t rest = k;
    bool good = true;
    for (uint32_t v = g->q; v < g->n; v++) {
      values[v] = rest % g->sizes[v];
      rest /= g->sizes[v];
    }
    for (uint32_t t = 0; t < g->tables && good; t++) {
      const struct table *table = &g->table[t];
      bool inert = (table->a < g->q && table->a >= known) || (table->b < g->q && table->b >= known);
      good = inert || table->allowed[values[table->a]][values[table->b]];
    }
    if (good) return true;
  }
  return false;
}

typedef enum reading { DEFINITION, CONSISTENT, CLASSICAL, READINGS } reading;

/* The definition word by word; at most QUANTIFIED deep.  Only a universal value
 * must be consistent to count; by the text, an existential one too; in a QCSP
 * neither. */
static bool define(const game *g, uint32_t j, uint32_t *values, reading how) {
  if (j == g->q || j == QUANTIFIED) return consistent(g, j, values);
  bool asked = how == CONSISTENT || (how == DEFINITION && g->universal[j]);
  for (uint32_t i = 0; i < g->sizes[j]; i++) {
    values[j] = i;
    if (asked && !consistent(g, j + 1, values)) continue;
    bool truth = define(g, j + 1, values, how);
    if (truth != g->universal[j]) return truth;
  }
  return g->universal[j];
}

/* What the models of a run showed, so that the test is known to test. */
typedef struct tally {
  uint32_t readings_differ, propagation_wrong;
} tally;

static alea_strategic_result solve(alea_strategic *s, reading how, uint32_t bits) {
  alea_strategic_options options = {.one_way = bits & 1,
                                    .table = bits & 2,
                                    .order = bits & 4,
                                    .symmetry = bits & 8,
                                    .early = bits & 16,
                                    .classical = how == CLASSICAL,
                                    .table_bytes = 4096};
  alea_strategic_result result;
  alea_strategic_set_existential(
      s, how == CONSISTENT ? ALEA_STRATEGIC_CONSISTENT : ALEA_STRATEGIC_DEFINITION);
  alea_strategic_solve(s, &options, &result);
  return result;
}

/* A first value that is said to win does. */
static void check_first(const game *g, uint64_t seed, reading how, int32_t first) {
  uint32_t values[QUANTIFIED + MOST] = {(uint32_t)first};
  bool fits = how != CONSISTENT || consistent(g, 1, values);
  if (!fits || !define(g, 1, values, how))
    fail_msg("seed %d, reading %d: %d does not win", (int)seed, (int)how, (int)first);
}

static void one_round(alea_mem *mem, uint64_t seed, tally *seen) {
  game g = {0};
  alea_rng_seed_stream(&g.rng, 29, seed);
  alea_strategic *s = make(&g, mem);
  uint32_t values[QUANTIFIED + MOST] = {0};
  bool expected[READINGS];
  for (reading how = DEFINITION; how < READINGS; how++) {
    expected[how] = define(&g, 0, values, how);
    for (uint32_t bits = 0; bits < 32; bits++) {
      alea_strategic_result result = solve(s, how, bits);
      if ((result.status == ALEA_OK) != expected[how])
        fail_msg("seed %d, reading %d, options %d: %d", (int)seed, (int)how, (int)bits,
                 result.status);
      if (expected[how] && g.q > 0 && !g.universal[0] && consistent(&g, 0, values))
        check_first(&g, seed, how, result.first);
    }
  }
  alea_strategic_set_check(s, ALEA_STRATEGIC_AC);
  for (reading how = DEFINITION; how < CLASSICAL; how++)
    seen->propagation_wrong += (solve(s, how, 0).status == ALEA_OK) != expected[how];
  seen->readings_differ += expected[DEFINITION] != expected[CONSISTENT];
  alea_strategic_free(s);
}

static void the_solver_plays_by_the_definition(void **state) {
  (void)state;
  alea_mem mem;
  tally seen = {0};
  uint32_t rounds = getenv("ALEA_FULL") != NULL ? FULL_ROUNDS : ROUNDS;
  alea_mem_init(&mem, 0);
  for (uint64_t seed = 0; seed < rounds; seed++) one_round(&mem, seed, &seen);
  assert_int_equal(mem.used, 0);
  assert_true(seen.readings_differ > rounds / 100);
  assert_true(seen.propagation_wrong > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_solver_plays_by_the_definition)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
