/* Small random stochastic networks: the cached walk, the plain walk, the search
 * of [SCSP14 §5] and the enumeration of policies against a recursion by
 * definition. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/rng.h"
#include "scsp/scsp.h"

enum { ROUNDS = 3000, MAX_VARS = 6 };

typedef struct problem {
  alea_rng rng;
  alea_scsp *scsp;
  alea_csp *csp;
  uint32_t vars, sizes[MAX_VARS];
  double p[MAX_VARS][3 * 3]; /* row per value of the parent (variable - 1), if any */
  bool chance[MAX_VARS], parent[MAX_VARS];
  double pay[3][3]; /* of the last two variables */
} problem;

static uint32_t below(problem *m, uint32_t n) { return alea_rng_below(&m->rng, n); }

static void make_chance(problem *m, uint32_t v) {
  m->parent[v] = v > 0 && below(m, 2);
  uint32_t rows = m->parent[v] ? m->sizes[v - 1] : 1;
  for (uint32_t r = 0; r < rows; r++) {
    double total = 0, *row = &m->p[v][r * m->sizes[v]];
    for (uint32_t i = 0; i < m->sizes[v]; i++) total += row[i] = below(m, 4);
    for (uint32_t i = 0; i < m->sizes[v]; i++) row[i] = total > 0 ? row[i] / total : i == 0;
  }
  m->chance[v] = true;
  alea_csp_var before = v - 1;
  alea_scsp_chance(m->scsp, v, &before, m->parent[v], m->p[v]);
}

static void make_problem(problem *m) {
  m->vars = 2 + below(m, MAX_VARS - 1);
  for (uint32_t v = 0; v < m->vars; v++) {
    char name[16];
    snprintf(name, sizeof name, "v%u", v);
    m->sizes[v] = 1 + below(m, 3);
    alea_csp_range(m->csp, name, 0, (int32_t)m->sizes[v] - 1);
    if (below(m, 2)) make_chance(m, v);
  }
  for (uint32_t c = below(m, 4); c > 0; c--) {
    alea_csp_var a = below(m, m->vars), b = below(m, m->vars);
    int32_t rows[16];
    size_t count = 1 + below(m, 3);
    for (size_t i = 0; i < 2 * count; i++) rows[i] = (int32_t)below(m, 3);
    if (a != b) alea_csp_table(m->csp, (alea_csp_var[]){a, b}, 2, rows, count, below(m, 3) != 0);
  }
  int32_t tuples[18];
  double payments[9];
  for (int i = 0; i < 9; i++) {
    tuples[2 * i] = i / 3;
    tuples[2 * i + 1] = i % 3;
    payments[i] = m->pay[i / 3][i % 3] = below(m, 5) / 4.0;
  }
  alea_scsp_soft(m->scsp, (alea_csp_var[]){m->vars - 2, m->vars - 1}, 2, tuples, payments, 9);
}

/* By definition: the best value and the number of feasible policies; a value
 * of minus infinity means that there is none.  The depth is at most MAX_VARS. */
static double define(const problem *m, uint32_t at, int32_t *values, double sign,
                     double *policies) {
  if (at == m->vars || at == MAX_VARS) {
    *policies = alea_csp_check(m->csp, values);
    return *policies > 0 ? sign * m->pay[values[at - 2]][values[at - 1]] : -INFINITY;
  }
  double best = m->chance[at] ? 0 : -INFINITY, total = m->chance[at] ? 1 : 0, below_count;
  for (uint32_t i = 0; i < m->sizes[at]; i++) {
    values[at] = (int32_t)i;
    if (!m->chance[at]) {
      double value = define(m, at + 1, values, sign, &below_count);
      if (value > best) best = value;
      total += below_count;
      continue;
    }
    uint32_t row = m->parent[at] ? (uint32_t)values[at - 1] : 0;
    double p = m->p[at][row * m->sizes[at] + i];
    if (!(p > 0)) continue;
    double value = define(m, at + 1, values, sign, &below_count);
    best = isinf(value) ? -INFINITY : best + p * value;
    total *= below_count;
  }
  *policies = total;
  return total > 0 ? best : -INFINITY;
}

static void check_policies(const problem *m, double best, double policies) {
  alea_scsp_outcomes outcomes;
  alea_scsp_result result;
  assert_int_equal(alea_scsp_all(m->scsp, &(alea_scsp_options){0}, &outcomes, &result), ALEA_OK);
  double total = 0, top = -INFINITY;
  for (size_t i = 0; i < outcomes.count; i++) {
    total += (double)outcomes.policies[i];
    if (outcomes.payments[i] > top) top = outcomes.payments[i];
  }
  assert_true(fabs(total - policies) < 0.5);
  if (policies > 0) assert_true(fabs(top - best) < 1e-9);
  alea_scsp_outcomes_clear(m->scsp, &outcomes);
}

/* Raising the threshold finds the best value, and a policy that has it. */
static void check_search(const problem *m, alea_mem *mem, double best, double policies) {
  alea_policy policy;
  alea_scsp_result result;
  alea_policy_init(&policy, mem);
  alea_status status = alea_scsp_search(m->scsp, &(alea_scsp_options){0}, NULL, &policy, &result);
  assert_int_equal(status, policies > 0 ? ALEA_OK : ALEA_NO);
  if (policies > 0) {
    assert_true(fabs(result.value - best) < 1e-8);
    assert_true(fabs(policy.nodes.data[0].value - best) < 1e-8);
    for (size_t n = 0; n < policy.nodes.count; n++) { /* chance has every possible value */
      const alea_policy_node *node = &policy.nodes.data[n];
      double total = 0;
      for (uint32_t e = 0; e < node->edges; e++)
        total += policy.edges.data[node->first + e].probability;
      assert_true(node->var == ALEA_CSP_NONE || fabs(total - 1) < 1e-9);
    }
  }
  alea_policy_clear(&policy);
}

static void one_round(alea_mem *mem, uint64_t seed) {
  problem m = {.scsp = alea_scsp_new(mem, 1)};
  m.csp = alea_scsp_network(m.scsp);
  alea_rng_seed_stream(&m.rng, 23, seed);
  make_problem(&m);
  assert_int_equal(alea_scsp_state(m.scsp), ALEA_OK);
  int32_t values[MAX_VARS];
  double policies, best = define(&m, 0, values, 1, &policies);
  double worst = -define(&m, 0, values, -1, &policies);
  for (int way = 0; way < 4; way++) {
    alea_scsp_result result;
    bool low = way & 1;
    alea_scsp_options options = {.aim = low ? ALEA_SCSP_WORST : ALEA_SCSP_MAX, .no_cache = way & 2};
    alea_scsp_solve(m.scsp, &options, &result);
    assert_int_equal(result.status, policies > 0 ? ALEA_OK : ALEA_NO);
    if (policies > 0 && fabs(result.value - (low ? worst : best)) > 1e-9)
      fail_msg("seed %d way %d: %f, not %f", (int)seed, way, result.value, low ? worst : best);
  }
  if (policies < 1e6) check_policies(&m, best, policies);
  for (int t = 0; t <= 4; t++) {
    double theta = t / 4.0;
    alea_scsp_result found;
    bool reachable = policies > 0 && best >= theta - 1e-12;
    assert_int_equal(alea_scsp_search(m.scsp, &(alea_scsp_options){0}, &theta, NULL, &found),
                     reachable ? ALEA_OK : ALEA_NO);
  }
  check_search(&m, mem, best, policies);
  alea_scsp_free(m.scsp);
}

static void every_search_agrees_with_the_definition(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (uint64_t seed = 0; seed < ROUNDS; seed++) one_round(&mem, seed);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_search_agrees_with_the_definition)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
