/* Small random quantified networks against definition 2 of [STRAT06 §4]
 * as D40 reads it, played out by brute force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/rng.h"
#include "csp/strategic.h"

enum { ROUNDS = 3000, MOST = 3, QUANTIFIED = 4, TABLES = 5 };

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

static alea_strategic *make(game *g, alea_mem *mem) {
  alea_strategic *s = alea_strategic_new(mem);
  alea_csp *csp = alea_strategic_network(s);
  g->q = 1 + below(g, QUANTIFIED);
  g->n = g->q + below(g, MOST + 1);
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
  for (uint32_t c = below(g, TABLES + 1); c > 0; c--) {
    struct table *t = &g->table[g->tables];
    t->a = below(g, g->n);
    t->b = below(g, g->n);
    if (t->a == t->b) continue;
    bool iff = below(g, 3) == 0;
    uint32_t x = below(g, 3), y = below(g, 3);
    int32_t rows[18];
    size_t count = 0;
    for (uint32_t i = 0; i < 3; i++)
      for (uint32_t j = 0; j < 3; j++) {
        t->allowed[i][j] = iff ? (i == x) == (j == y) : below(g, 3) != 0;
        if (!t->allowed[i][j]) continue;
        rows[2 * count] = (int32_t)i;
        rows[2 * count++ + 1] = (int32_t)j;
      }
    if (iff)
      alea_csp_iff(csp, t->a, (int32_t)x, t->b, (int32_t)y);
    else
      alea_csp_table(csp, (alea_csp_var[]){t->a, t->b}, 2, rows, count, false);
    g->tables++;
  }
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

/* The definition; at most QUANTIFIED deep. */
static bool define(const game *g, uint32_t j, uint32_t *values, bool classical) {
  if (j == g->q || j == QUANTIFIED) return consistent(g, j, values);
  for (uint32_t i = 0; i < g->sizes[j]; i++) {
    values[j] = i;
    bool fits = consistent(g, j + 1, values);
    if (!fits && g->universal[j] && classical) return false;
    if (!fits) continue;
    bool truth = define(g, j + 1, values, classical);
    if (truth != g->universal[j]) return truth;
  }
  return g->universal[j];
}

static void one_round(alea_mem *mem, uint64_t seed) {
  game g = {0};
  alea_rng_seed_stream(&g.rng, 29, seed);
  alea_strategic *s = make(&g, mem);
  uint32_t values[QUANTIFIED + MOST] = {0};
  bool root = consistent(&g, 0, values);
  for (uint32_t bits = 0; bits < 32; bits++) {
    alea_strategic_options options = {.full_check = true,
                                      .one_way = bits & 1,
                                      .table = bits & 2,
                                      .order = bits & 4,
                                      .symmetry = bits & 8,
                                      .classical = bits & 16,
                                      .table_bytes = 4096};
    alea_strategic_result result;
    alea_strategic_solve(s, &options, &result);
    bool expected = define(&g, 0, values, options.classical);
    if (!root) continue; /* no state at all: refused before the first quantifier */
    if ((result.status == ALEA_OK) != expected)
      fail_msg("seed %d, options %d: %d", (int)seed, (int)bits, result.status);
  }
  alea_strategic_free(s);
}

static void the_solver_plays_by_the_definition(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (uint64_t seed = 0; seed < ROUNDS; seed++) one_round(&mem, seed);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_solver_plays_by_the_definition)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
