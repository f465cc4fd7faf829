/* Stochastic networks: the papers' examples and exact values (K5, K6). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "models/stochastic.h"

static void near(double value, double expected, double error) {
  if (fabs(value - expected) > error) fail_msg("%.12f instead of %.12f", value, expected);
}

static void pennies_are_worth_a_half(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_scsp *scsp = alea_model_pennies(&mem);
  alea_scsp_result result;
  assert_int_equal(alea_scsp_solve(scsp, &(alea_scsp_options){0}, &result), ALEA_OK);
  near(result.value, 0.5, 1e-12);
  assert_true(result.reaches);
  alea_scsp_outcomes outcomes;
  assert_int_equal(alea_scsp_all(scsp, &(alea_scsp_options){0}, &outcomes, &result), ALEA_OK);
  assert_int_equal(outcomes.count, 2); /* values 0 and 1/2 */
  assert_int_equal(outcomes.policies[0] + outcomes.policies[1], 4);
  assert_int_equal(alea_scsp_solutions(scsp, &outcomes), 2);
  alea_scsp_outcomes_clear(scsp, &outcomes);
  alea_scsp_free(scsp);
  assert_int_equal(mem.used, 0);
}

static void p3_example(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_scsp *scsp = alea_model_p3(&mem);
  alea_scsp_result best, worst;
  alea_scsp_solve(scsp, &(alea_scsp_options){0}, &best);
  alea_scsp_solve(scsp, &(alea_scsp_options){.aim = ALEA_SCSP_WORST}, &worst);
  near(best.value, 1, 1e-12);
  near(worst.value, 2.0 / 3, 1e-12); /* x = z = 0 */
  const alea_scsp_options options = {0};
  alea_scsp_result result;
  uint64_t count;
  alea_policy policy;
  alea_policy_init(&policy, &mem);
  assert_int_equal(alea_scsp_search(scsp, &options, &(double){0.5}, &policy, &result), ALEA_OK);
  near(result.value, 2.0 / 3, 1e-12); /* the first policy that reaches 1/2 */
  assert_int_equal(policy.nodes.count, 1 + 1 + 3 + 3);
  assert_int_equal(policy.edges.data[0].index, 0); /* x = 0 */
  near(policy.nodes.data[0].value, 2.0 / 3, 1e-12);
  alea_policy_clear(&policy);
  assert_int_equal(alea_scsp_search(scsp, &options, &(double){0.9}, NULL, &result), ALEA_OK);
  near(result.value, 1, 1e-12);
  assert_int_equal(alea_scsp_search(scsp, &options, NULL, NULL, &result), ALEA_OK);
  near(result.value, 1, 1e-12);
  alea_scsp_scenario wanted = {.theta = 1};
  assert_int_equal(alea_scsp_scenarios(scsp, &options, &wanted, &count, &result), ALEA_OK);
  assert_int_equal(count, 8);
  alea_policy_init(&policy, &mem);
  assert_int_equal(alea_scsp_policy(scsp, &options, &policy, &result), ALEA_OK);
  assert_int_equal(policy.nodes.count, 1 + 1 + 3 + 3);
  alea_text text;
  alea_text_init(&text, &mem);
  alea_policy_print(&policy, scsp, true, &text);
  assert_non_null(strstr(alea_text_string(&text), "x = 1"));
  alea_policy_svg(&policy, scsp, &text);
  assert_non_null(strstr(alea_text_string(&text), "</svg>"));
  alea_text_clear(&text);
  alea_policy_clear(&policy);
  alea_scsp_free(scsp);
  assert_int_equal(mem.used, 0);
}

/* Domains of many words, a table too sparse for a dense array, and rules: x picks
 * a multiple of 10, chance y, z follows from both by the table, w from z by rules. */
static void wide_domains(void **state) {
  (void)state;
  enum { VALUES = 3000, FACES = 10 };
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_scsp *scsp = alea_scsp_new(&mem, 1);
  alea_csp *csp = alea_scsp_network(scsp);
  alea_csp_var x = alea_csp_range(csp, "x", 0, VALUES - 1), y = alea_csp_range(csp, "y", 1, FACES);
  alea_csp_var z = alea_csp_range(csp, "z", 0, VALUES - 1), w = alea_csp_range(csp, "w", 0, 100);
  alea_scsp_uniform(scsp, y);
  static int32_t rows[VALUES / 10 * FACES * 3];
  alea_csp_rule rules[VALUES / 10];
  alea_csp_lit lits[VALUES / 10];
  size_t count = 0;
  double best = 0;
  for (int32_t a = 0; a < VALUES; a += 10) {
    double sum = 0;
    for (int32_t b = 1; b <= FACES; b++) {
      int32_t c = (a * b + 7 * a) % VALUES;
      memcpy(&rows[3 * count++], (int32_t[]){a, b, c}, 3 * sizeof *rows);
      sum += c % 100 / 100.0 / FACES; /* c is a multiple of 10 */
    }
    if (sum > best) best = sum;
    rules[a / 10] = (alea_csp_rule){0, a % 100, (uint32_t)a / 10, 1};
    lits[a / 10] = (alea_csp_lit){z, a, false};
  }
  alea_csp_table(csp, (alea_csp_var[]){x, y, z}, 3, rows, count, false);
  alea_csp_program(csp, &w, (int32_t[]){100}, 1, rules, VALUES / 10, lits, false);
  int32_t tuples[101];
  double payments[101];
  for (int32_t i = 0; i <= 100; i++) {
    tuples[i] = i;
    payments[i] = i / 100.0;
  }
  alea_scsp_soft(scsp, &w, 1, tuples, payments, 101);
  assert_int_equal(alea_scsp_state(scsp), ALEA_OK);
  alea_scsp_result result;
  uint64_t scenarios;
  const alea_scsp_options options = {0};
  assert_int_equal(alea_scsp_solve(scsp, &options, &result), ALEA_OK);
  near(result.value, best, 1e-12);
  assert_int_equal(alea_scsp_search(scsp, &options, NULL, NULL, &result), ALEA_OK);
  near(result.value, best, 1e-8);
  alea_scsp_scenarios(scsp, &options, &(alea_scsp_scenario){0}, &scenarios, &result);
  assert_int_equal(scenarios, VALUES / 10 * FACES);
  alea_scsp_free(scsp);
  assert_int_equal(mem.used, 0);
}

/* A limit is named: the time that has passed, the nodes, the memory. */
static void limits_have_names(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_process *process = alea_model_orchard(&mem, 4, 10, 9, false);
  alea_scsp_result result;
  alea_scsp_options nodes = {.max_nodes = 1000};
  assert_int_equal(alea_process_solve(process, -1, &nodes, &result), ALEA_LIMIT);
  assert_int_equal(result.limit, ALEA_SCSP_NODES);
  alea_scsp_options late = {.deadline = {.at = alea_clock_wall() - 1}};
  assert_int_equal(alea_process_solve(process, -1, &late, &result), ALEA_LIMIT);
  assert_int_equal(result.limit, ALEA_SCSP_TIME);
  mem.limit = mem.used + 100000;
  assert_int_equal(alea_process_solve(process, -1, &(alea_scsp_options){0}, &result), ALEA_LIMIT);
  assert_int_equal(result.limit, ALEA_SCSP_MEMORY);
  alea_process_free(process);
  assert_int_equal(mem.used, 0);
}

/* A solver that is stopped after any number of nodes knows a policy that there is, and never
 * a worse one after more nodes; the oracle enumerates all policies. */
static void best_so_far_is_a_policy(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_scsp *models[] = {alea_model_p3(&mem), alea_model_pennies(&mem)};
  uint32_t found = 0;
  for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
    alea_scsp_outcomes outcomes;
    alea_scsp_result result = {.status = ALEA_LIMIT};
    assert_int_equal(alea_scsp_all(models[m], &(alea_scsp_options){0}, &outcomes, &result),
                     ALEA_OK);
    double before = -INFINITY;
    result.status = ALEA_LIMIT;
    for (uint64_t nodes = 1; result.status == ALEA_LIMIT; nodes++) {
      alea_scsp_solve(models[m], &(alea_scsp_options){.max_nodes = nodes}, &result);
      if (result.status == ALEA_LIMIT && !result.found) continue;
      size_t i = 0;
      while (i < outcomes.count &&
             fabs(outcomes.payments[i * alea_scsp_players(models[m])] - result.value) > 1e-12)
        i++;
      assert_true(i < outcomes.count);
      assert_true(result.value >= before - 1e-12);
      before = result.value;
      found += result.found;
    }
    assert_int_equal(result.status, ALEA_OK);
    alea_scsp_outcomes_clear(models[m], &outcomes);
    alea_scsp_free(models[m]);
  }
  assert_true(found > 3);
  assert_int_equal(mem.used, 0);
}

/* Two decisions, a die and one more decision; what is paid depends on all of them, at random. */
enum { GAMBLE_VALUES = 3, GAMBLE_FACES = 4, GAMBLE_ROWS = 3 * 3 * 4 * 3 };

static alea_scsp *make_gamble(alea_mem *mem, double payments[GAMBLE_ROWS]) {
  alea_scsp *scsp = alea_scsp_new(mem, 1);
  alea_csp *csp = alea_scsp_network(scsp);
  int32_t tuples[4 * GAMBLE_ROWS];
  uint32_t noise = 7;
  alea_csp_var scope[4] = {alea_csp_range(csp, "x", 0, GAMBLE_VALUES - 1),
                           alea_csp_range(csp, "y", 0, GAMBLE_VALUES - 1),
                           alea_csp_range(csp, "die", 0, GAMBLE_FACES - 1),
                           alea_csp_range(csp, "z", 0, GAMBLE_VALUES - 1)};
  alea_scsp_uniform(scsp, scope[2]);
  for (int32_t i = 0; i < GAMBLE_ROWS; i++) {
    int32_t row[] = {i / 36, i / 12 % 3, i / 3 % 4, i % 3};
    memcpy(&tuples[4 * i], row, sizeof row);
    noise = noise * 1664525 + 1013904223;
    payments[i] = (noise >> 16) % 1000 / 1000.0;
  }
  alea_scsp_soft(scsp, scope, 4, tuples, payments, GAMBLE_ROWS);
  return scsp;
}

/* What a policy pays below a node, from the payments alone. */
static double pays(const alea_policy *policy, uint32_t at, uint32_t row, const double *payments) {
  static const uint32_t sizes[] = {GAMBLE_VALUES, GAMBLE_VALUES, GAMBLE_FACES, GAMBLE_VALUES};
  const alea_policy_node *node = &policy->nodes.data[at];
  double sum = 0;
  if (node->var == ALEA_CSP_NONE) return payments[row];
  for (uint32_t e = 0; e < node->edges; e++) {
    const alea_policy_edge *edge = &policy->edges.data[node->first + e];
    double below = pays(policy, edge->node, row * sizes[node->var] + edge->index, payments);
    near(edge->value, below, 1e-12);
    sum += edge->probability * below;
  }
  near(node->value, sum, 1e-12);
  return sum;
}

/* Stopped after any number of nodes, the policy that is kept pays what is said, whoever searched.
 */
static void what_is_kept_pays_what_is_said(void **state) {
  (void)state;
  alea_mem mem;
  double payments[GAMBLE_ROWS];
  alea_mem_init(&mem, 0);
  alea_scsp *scsp = make_gamble(&mem, payments);
  for (int exact = 0; exact < 2; exact++) {
    alea_scsp_result result = {.status = ALEA_LIMIT};
    uint32_t kept = 0;
    for (uint64_t nodes = 1; result.status == ALEA_LIMIT; nodes++) {
      alea_policy policy;
      alea_scsp_options options = {.max_nodes = nodes};
      alea_policy_init(&policy, &mem);
      if (exact)
        alea_scsp_policy(scsp, &options, &policy, &result);
      else
        alea_scsp_search(scsp, &options, NULL, &policy, &result);
      bool some = result.status == ALEA_OK || result.found;
      assert_int_equal(some, policy.nodes.count > 0);
      if (some) near(pays(&policy, 0, 0, payments), result.value, 1e-12);
      kept += result.status == ALEA_LIMIT && some;
      alea_policy_clear(&policy);
    }
    assert_int_equal(result.status, ALEA_OK);
    assert_true(kept > 10);
  }
  alea_scsp_free(scsp);
  assert_int_equal(mem.used, 0);
}

typedef struct seen_bounds {
  uint32_t count;
  double least, most, first_most;
} seen_bounds;

static void see_bounds(void *data, const alea_scsp_progress *progress) {
  seen_bounds *seen = data;
  assert_true(progress->least >= seen->least - 1e-12);
  assert_true(progress->most <= seen->most + 1e-12);
  if (seen->count++ == 0) seen->first_most = progress->most;
  seen->least = progress->least;
  seen->most = progress->most;
}

/* The value lies between the bounds at every look, and they only come closer. */
static void bounds_enclose_the_value(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_process *process = alea_model_orchard(&mem, 2, 2, 1, false);
  alea_scsp *scsp = alea_process_unroll(process, 7);
  alea_scsp_result exact, result;
  assert_int_equal(alea_scsp_solve(scsp, &(alea_scsp_options){0}, &exact), ALEA_OK);
  for (int plain = 0; plain < 2; plain++) {
    seen_bounds seen = {.least = -INFINITY, .most = INFINITY};
    alea_scsp_options options = {.no_cache = true, .on_progress = see_bounds, .data = &seen};
    if (plain)
      alea_scsp_solve(scsp, &options, &result);
    else
      alea_scsp_search(scsp, &options, NULL, NULL, &result);
    near(result.value, exact.value, 1e-9);
    assert_true(seen.count > 2);
    assert_true(seen.least <= exact.value + 1e-12 && exact.value <= seen.most + 1e-12);
    if (plain) assert_true(seen.most < seen.first_most);
  }
  alea_scsp_free(scsp);
  alea_process_free(process);
  assert_int_equal(mem.used, 0);
}

static void the_split_finds_the_feasible_tuples(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_scsp *scsp = alea_model_split(&mem);
  alea_csp_var scope[3];
  uint32_t arity;
  int32_t *tuples;
  size_t count;
  assert_int_equal(alea_scsp_feasible(scsp, 0.75, NULL, scope, &arity, &tuples, &count), ALEA_OK);
  assert_int_equal(arity, 2);
  assert_int_equal(count, 2);
  const int32_t expected[] = {2, 1, 2, 2};
  assert_memory_equal(tuples, expected, sizeof expected);
  alea_mem_free(&mem, tuples, count * arity * sizeof *tuples);
  alea_status status;
  alea_csp *plain = alea_scsp_decisions(scsp, 0.75, NULL, &status);
  alea_csp_result result;
  alea_csp_solve(plain, &(alea_csp_options){.goal = ALEA_CSP_COUNT}, &result);
  assert_int_equal(result.solutions, 1); /* (2,2) */
  alea_csp_free(plain);
  alea_scsp_free(scsp);
  assert_int_equal(mem.used, 0);
}

static double orchard(uint32_t trees, uint32_t fruits, uint32_t raven, bool step, int64_t horizon,
                      alea_scsp_aim aim) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_process *process = alea_model_orchard(&mem, trees, fruits, raven, step);
  alea_scsp_result result;
  assert_int_equal(alea_process_solve(process, horizon, &(alea_scsp_options){.aim = aim}, &result),
                   ALEA_OK);
  if (horizon >= 0 && horizon <= 6) { /* the T-stage network itself says the same */
    alea_scsp *flat = alea_process_unroll(process, (uint32_t)horizon);
    alea_scsp_result again;
    assert_int_equal(alea_scsp_solve(flat, &(alea_scsp_options){.aim = aim}, &again), ALEA_OK);
    near(again.value, result.value, 1e-12);
    alea_scsp_free(flat);
  }
  alea_process_free(process);
  assert_int_equal(mem.used, 0);
  return result.value;
}

static void light_orchard_has_its_fractions(void **state) {
  (void)state;
  static const double step[] = {0, 0, 0, 0, 27.0 / 128, 21.0 / 64, 737.0 / 2048};
  static const double same[] = {0, 0, 1.0 / 16, 1.0 / 4, 43.0 / 128, 185.0 / 512, 755.0 / 2048};
  for (int n = 1; n <= 6; n++) {
    near(orchard(2, 2, 1, true, n, ALEA_SCSP_MAX), step[n], 1e-15);
    near(orchard(2, 2, 1, false, n, ALEA_SCSP_MAX), same[n], 1e-15);
  }
  near(orchard(2, 2, 1, true, 8, ALEA_SCSP_MAX), 12147.0 / 32768, 1e-15);
  near(orchard(2, 2, 1, false, 8, ALEA_SCSP_MAX), 12167.0 / 32768, 1e-15);
  near(orchard(2, 2, 1, true, -1, ALEA_SCSP_MAX), 107.0 / 288, 1e-15);
  near(orchard(2, 2, 1, false, -1, ALEA_SCSP_MAX), 107.0 / 288, 1e-15);
}

static void full_orchard(void **state) {
  (void)state;
  near(orchard(4, 10, 9, false, -1, ALEA_SCSP_MAX), 0.6840474981, 5e-11);
  near(orchard(4, 10, 9, false, -1, ALEA_SCSP_WORST), 0.5323991422, 5e-11);
  near(orchard(4, 10, 10, false, -1, ALEA_SCSP_MAX), 0.78193, 5e-6);
  near(orchard(2, 4, 1, false, 12, ALEA_SCSP_MAX), 0.1569401, 5e-8);
  near(orchard(2, 6, 1, false, 20, ALEA_SCSP_MAX), 0.0670413, 5e-8);
  near(orchard(2, 10, 1, false, 30, ALEA_SCSP_MAX), 0.0122846, 5e-8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pennies_are_worth_a_half),
      cmocka_unit_test(p3_example),
      cmocka_unit_test(wide_domains),
      cmocka_unit_test(limits_have_names),
      cmocka_unit_test(best_so_far_is_a_policy),
      cmocka_unit_test(what_is_kept_pays_what_is_said),
      cmocka_unit_test(bounds_enclose_the_value),
      cmocka_unit_test(the_split_finds_the_feasible_tuples),
      cmocka_unit_test(light_orchard_has_its_fractions),
      cmocka_unit_test(full_orchard),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
