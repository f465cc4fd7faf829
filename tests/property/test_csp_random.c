/* Small random networks over every kind of constraint: each search must count
 * what trying every assignment counts, no propagator may remove a value that
 * brute force supports, clause learning and the linear relaxation must find the same optimum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/rng.h"
#include "csp/core.h"
#include "csp/csp.h"
#include "csp/learn.h"
#include "csp/relax.h"
#include "support/brute_force.h"

enum { ROUNDS = 6000, LEARNED = 4000, EXPRESSIONS = 100, KINDS = 19, MAX_VARS = 6 };

typedef struct maker {
  alea_rng rng;
  alea_csp *csp;
  uint32_t vars;
} maker;

static uint32_t below(maker *m, uint32_t n) { return alea_rng_below(&m->rng, n); }

static void make_vars(maker *m) {
  m->vars = 2 + below(m, MAX_VARS - 1);
  for (uint32_t v = 0; v < m->vars; v++) {
    char name[16];
    int32_t values[5];
    size_t count = 1 + below(m, 4);
    snprintf(name, sizeof name, "x%u", v);
    for (size_t i = 0; i < count; i++) values[i] = (int32_t)below(m, 7) - 2;
    if (below(m, 2))
      alea_csp_values(m->csp, name, values, count);
    else
      alea_csp_range(m->csp, name, 0, (int32_t)count);
  }
}

/* Distinct variables, 1 .. most of them. */
static uint32_t pick(maker *m, alea_csp_var *scope, uint32_t most) {
  uint32_t all[MAX_VARS], n = m->vars;
  for (uint32_t i = 0; i < n; i++) all[i] = i;
  uint32_t count = 1 + below(m, most < n ? most : n);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = i + below(m, n - i), swap = all[at];
    all[at] = all[i];
    scope[i] = all[i] = swap;
  }
  return count;
}

static int32_t any_value(maker *m) { return (int32_t)below(m, 7) - 2; }

static void make_table(maker *m, bool forbidden, bool stars) {
  alea_csp_var scope[MAX_VARS];
  int32_t tuples[4 * 60];
  uint32_t arity = pick(m, scope, 4);
  size_t rows = below(m, forbidden ? 20 : 60);
  if (below(m, 8) == 0 && arity > 1) scope[1] = scope[0];
  for (size_t i = 0; i < rows * arity; i++)
    tuples[i] = stars && below(m, 4) == 0 ? ALEA_CSP_STAR : any_value(m);
  alea_csp_table(m->csp, scope, arity, tuples, rows, forbidden);
}

static alea_csp_lit any_lit(maker *m) {
  return (alea_csp_lit){below(m, m->vars), any_value(m), below(m, 2) != 0};
}

static void make_logic(maker *m, bool rules) {
  alea_csp_lit lits[9];
  for (int i = 0; i < 9; i++) lits[i] = any_lit(m);
  if (!rules) {
    alea_csp_clause(m->csp, lits, 1 + below(m, 4));
    return;
  }
  uint32_t starts[4] = {0};
  uint32_t bodies = below(m, 4);
  for (uint32_t b = 0; b < bodies; b++) starts[b + 1] = starts[b] + below(m, 4);
  alea_csp_rules(m->csp, any_lit(m), lits, starts, bodies);
}

/* Rules for one to three heads; a head in a body is not negated. */
static void make_program(maker *m, bool choice) {
  alea_csp_var heads[MAX_VARS];
  int32_t defaults[MAX_VARS];
  alea_csp_rule rules[8];
  alea_csp_lit lits[32];
  uint32_t count = pick(m, heads, choice ? 1 : 3), used = 0;
  uint32_t rule_count = below(m, 9);
  for (uint32_t h = 0; h < count; h++)
    defaults[h] = alea_csp_value(m->csp, heads[h], below(m, alea_csp_size(m->csp, heads[h])));
  bool recursive = false;
  for (uint32_t r = 0; r < rule_count; r++) {
    rules[r] = (alea_csp_rule){below(m, count), any_value(m), used, below(m, 4)};
    for (uint32_t i = 0; i < rules[r].count; i++) {
      alea_csp_lit lit = any_lit(m);
      for (uint32_t h = 0; h < count && !choice; h++) {
        if (heads[h] != lit.var) continue;
        lit.negative = false;
        recursive = true;
      }
      lits[used++] = lit;
    }
  }
  if (choice)
    alea_csp_choice(m->csp, heads[0], rules, rule_count, lits);
  else
    alea_csp_program(m->csp, heads, defaults, count, rules, rule_count, lits,
                     count == 1 && !recursive && below(m, 3) == 0);
}

static void make_linear(maker *m) {
  alea_csp_var scope[MAX_VARS];
  int64_t coeffs[MAX_VARS];
  uint32_t count = pick(m, scope, MAX_VARS);
  for (uint32_t i = 0; i < count; i++) coeffs[i] = (int64_t)below(m, 7) - 3;
  if (below(m, 3) == 0) {
    coeffs[0] = 1;
    if (count > 1) coeffs[1] = -1;
  }
  alea_csp_linear(m->csp, scope, coeffs, count, (alea_op)below(m, 6), (int64_t)below(m, 9) - 4);
}

static void make_intension(maker *m) {
  static const char *const forms[] = {
      "or(eq(x0,x1),lt(add(x0,1),x1))", "ne(mul(x0,x1),2)",   "imp(gt(x0,0),in(x1,set(0,2,3)))",
      "eq(mod(add(x0,x1,4),3),1)",      "le(dist(x0,x1),1)",  "eq(abs(sub(x0,x1)),max(x0,1))",
      "iff(eq(x0,1),ge(x1,1))",         "xor(x0,x1)",         "ge(div(x0,x1),1)",
      "not(and(eq(x0,0),eq(x1,0)))",    "eq(if(x0,x1,3),2)",  "ge(add(mul(2,x0),neg(x1)),1)",
      "lt(pow(x0,2),sqr(x1))",          "notin(x0,set(1,2))", "gt(min(x0,x1,3),0)"};
  alea_csp_intension(m->csp, forms[below(m, sizeof forms / sizeof *forms)], (alea_place){0}, NULL);
}

static void make_regular(maker *m) {
  alea_csp_var scope[MAX_VARS];
  alea_csp_edge edges[20];
  bool final[4];
  uint32_t count = pick(m, scope, MAX_VARS);
  for (int s = 0; s < 4; s++) final[s] = below(m, 2) != 0;
  for (int e = 0; e < 20; e++) edges[e] = (alea_csp_edge){below(m, 4), any_value(m), below(m, 4)};
  alea_csp_regular(m->csp, scope, count, 4, below(m, 4), final, edges, 5 + below(m, 16));
}

/* Lists that differ and circuits, over variables that may repeat. */
static void make_lists(maker *m, const alea_csp_var *scope, uint32_t n) {
  alea_csp_var mixed[4];
  int32_t except[2] = {any_value(m), any_value(m)};
  for (int i = 0; i < 4; i++) mixed[i] = below(m, m->vars);
  if (below(m, 2))
    alea_csp_differ(m->csp, mixed, mixed + 2, 2, except, below(m, 2));
  else
    alea_csp_circuit(m->csp, scope, n, (int32_t)below(m, 2));
}

/* A variable that cannot be negative, or NONE. */
static alea_csp_var any_length(maker *m) {
  for (int tries = 0; tries < 20; tries++) {
    alea_csp_var var = below(m, m->vars);
    if (alea_csp_value(m->csp, var, 0) >= 0) return var;
  }
  return ALEA_CSP_NONE;
}

static void make_tasks(maker *m) {
  alea_csp_var origins[4], lengths[4], heights[2];
  for (int i = 0; i < 4; i++) {
    origins[i] = below(m, m->vars);
    lengths[i] = any_length(m);
    heights[i / 2] = any_length(m);
    if (lengths[i] == ALEA_CSP_NONE || heights[i / 2] == ALEA_CSP_NONE) return;
  }
  if (below(m, 2))
    alea_csp_cumulative(m->csp, origins, lengths, heights, 2, below(m, m->vars));
  else
    alea_csp_no_overlap(m->csp, origins, lengths, 2 + 2 * below(m, 2), 1, below(m, 2) != 0);
}

static void make_constraint(maker *m, uint32_t kind) {
  alea_csp_var scope[2 * MAX_VARS];
  int32_t values[2] = {any_value(m), any_value(m)};
  uint32_t n = pick(m, scope, MAX_VARS), half = n / 2;
  alea_csp_var a = below(m, m->vars), b = below(m, m->vars);
  switch (kind) {
    case 0: make_table(m, false, false); break;
    case 1: make_table(m, true, false); break;
    case 2: make_table(m, below(m, 2) != 0, true); break;
    case 3: make_logic(m, false); break;
    case 4: make_logic(m, true); break;
    case 5: make_linear(m); break;
    case 6: alea_csp_all_different(m->csp, scope, n, values, below(m, 3) == 0); break;
    case 7: alea_csp_element(m->csp, scope, n, (int32_t)below(m, 2), a, b); break;
    case 8: alea_csp_count(m->csp, scope, n, values, 1 + below(m, 2), a); break;
    case 9: alea_csp_maximum(m->csp, scope, n, a); break;
    case 10: alea_csp_minimum(m->csp, scope, n, a); break;
    case 11:
      if (half > 0) {
        if (below(m, 2))
          alea_csp_lex(m->csp, scope, scope + half, half, below(m, 2) != 0);
        else
          alea_csp_channel(m->csp, scope, half, 0, scope + half, half, (int32_t)below(m, 2));
      }
      break;
    case 12: make_regular(m); break;
    case 13: make_intension(m); break;
    case 14: make_lists(m, scope, n); break;
    case 15: make_tasks(m); break;
    case 16: make_program(m, false); break;
    case 17: make_program(m, true); break;
    default:
      if (below(m, 3) == 0)
        alea_csp_iff(m->csp, a, values[0], b, values[1]);
      else if (below(m, 2))
        alea_csp_not_both(m->csp, scope, n, values[0], values[1]);
      else
        alea_csp_parity_line(m->csp, scope, n, a);
  }
}

static uint64_t count_with(const alea_csp *csp, alea_csp_options options) {
  alea_csp_result result;
  options.goal = ALEA_CSP_COUNT;
  alea_csp_solve(csp, &options, &result);
  assert_true(result.status == ALEA_OK || result.status == ALEA_NO);
  assert_int_equal(result.self_check_errors, 0);
  return result.solutions;
}

static maker make_network(alea_mem *mem, uint64_t seed) {
  maker m = {.csp = alea_csp_new(mem)};
  alea_rng_seed_stream(&m.rng, 17, seed);
  make_vars(&m);
  uint32_t constraints = 1 + below(&m, 3);
  for (uint32_t i = 0; i < constraints; i++)
    make_constraint(&m, i == 0 ? (uint32_t)(seed % KINDS) : below(&m, KINDS));
  assert_int_equal(alea_csp_state(m.csp), ALEA_OK);
  return m;
}

static void one_round(alea_mem *mem, uint64_t seed) {
  maker m = make_network(mem, seed);
  uint64_t expected = brute_force_count(m.csp);
  const alea_csp_options ways[] = {
      {.self_check = true, .seed = 1},
      {.order = ALEA_CSP_INPUT, .values = ALEA_CSP_MAX},
      {.order = ALEA_CSP_DOM, .values = ALEA_CSP_RANDOM, .seed = seed},
      {.method = ALEA_CSP_FC},
      {.method = ALEA_CSP_BACKTRACK, .order = ALEA_CSP_INPUT},
      {.sac = true, .self_check = true},
      {.simplify = true},
      {.simplify = true, .method = ALEA_CSP_FC},
      {.restart = 1, .nogoods = true},
      {.order = ALEA_CSP_EITHER, .turn = 1},
  };
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
    uint64_t found = count_with(m.csp, ways[w]);
    if (found != expected)
      fail_msg("seed %d, way %d: %d solutions, not %d", (int)seed, (int)w, (int)found,
               (int)expected);
  }
  alea_csp_free(m.csp);
}

static void every_search_counts_alike(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (uint64_t seed = 0; seed < ROUNDS; seed++) one_round(&mem, seed);
  assert_int_equal(mem.used, 0);
}

/* The best value of the first variable, by the plain search from one bound to
 * the next; '*any': there is a solution. */
static int64_t plain_best(const alea_csp *csp, bool *any) {
  alea_csp_options options = alea_csp_defaults();
  alea_csp_result result;
  options.goal = ALEA_CSP_BEST;
  options.method = ALEA_CSP_BACKTRACK;
  options.order = ALEA_CSP_INPUT;
  *any = alea_csp_solve(csp, &options, &result) == ALEA_OK;
  return result.best;
}

/* The learner alone: improves until it refutes, and each of its solutions is
 * one by definition. */
static void learn_best(csp_engine *engine, const alea_csp *csp, uint64_t seed, bool any,
                       int64_t best) {
  alea_deadline never = {0};
  csp_learner *learner = csp_learner_new(engine, &never, 0);
  assert_non_null(learner);
  bool found = false;
  int64_t value = 0;
  alea_verdict verdict;
  while ((verdict = csp_learner_run(learner, 1000000)) == ALEA_VERDICT_PROVED) {
    int32_t values[64];
    assert_in_range(engine->var_count, 1, 64);
    for (uint32_t v = 0; v < engine->var_count; v++) values[v] = csp_min(csp_dom(engine, v));
    csp_pop_to(engine, 0);
    if (!alea_csp_check(csp, values)) fail_msg("seed %d: not a solution", (int)seed);
    found = true;
    value = values[csp->objective];
    csp_learner_bound(learner, value);
  }
  assert_int_equal(verdict, ALEA_VERDICT_REFUTED);
  if (found != any || (any && value != best))
    fail_msg("seed %d: learned %d %d, not %d %d", (int)seed, found, (int)value, any, (int)best);
  csp_learner_free(learner);
}

/* Whether a solution satisfies the constraint that adds up the linear
 * relaxation. */
typedef struct relaxed {
  const alea_csp *csp;
  const csp_constraint *sum;
  uint64_t violated;
} relaxed;

static bool note_violated(void *data, const int32_t *values) {
  relaxed *r = data;
  int32_t scope[64];
  assert_in_range(r->sum->arity, 1, 64);
  for (uint32_t i = 0; i < r->sum->arity; i++) scope[i] = values[r->sum->scope[i]];
  r->violated += !r->sum->type->check(r->csp, r->sum, scope);
  return true;
}

/* Every solution does; returns whether there was such a constraint. */
static bool relaxation_loses_nothing(const alea_csp *csp, uint64_t seed) {
  csp_engine *engine = csp_engine_new(csp, 0);
  assert_non_null(engine);
  csp_schedule_all(engine);
  relaxed r = {csp, NULL, 0};
  if (!csp->false_ && csp_propagate(engine)) r.sum = csp_relax(engine, &engine->arena);
  alea_csp_result result;
  alea_csp_options options = {.goal = ALEA_CSP_COUNT, .on_solution = note_violated, .data = &r};
  if (r.sum != NULL) alea_csp_solve(csp, &options, &result);
  if (r.violated > 0) fail_msg("seed %d: the relaxation loses solutions", (int)seed);
  csp_engine_free(engine);
  return r.sum != NULL;
}

static bool one_optimum(alea_mem *mem, uint64_t seed) {
  maker m = make_network(mem, seed);
  bool any;
  alea_csp_objective(m.csp, 0, seed % 2 != 0);
  int64_t best = plain_best(m.csp, &any);
  alea_csp_options options = alea_csp_defaults();
  options.goal = ALEA_CSP_BEST;
  options.restart = 1;
  options.nogoods = true;
  options.turn = 1;
  alea_csp_result result;
  for (int alone = 0; alone < 2; alone++) { /* without the learner: the relaxation is left */
    options.learning = alone ? ALEA_CSP_NO_LEARNING : ALEA_CSP_BESIDE;
    bool found = alea_csp_solve(m.csp, &options, &result) == ALEA_OK;
    if (found != any || (any && result.best != best))
      fail_msg("seed %d: best %d, not %d", (int)seed, (int)result.best, (int)best);
  }
  bool summed = relaxation_loses_nothing(m.csp, seed);
  csp_engine *engine = csp_engine_new(m.csp, 0);
  assert_non_null(engine);
  csp_schedule_all(engine);
  if (!m.csp->false_ && csp_propagate(engine))
    learn_best(engine, m.csp, seed, any, best);
  else
    assert_false(any);
  csp_engine_free(engine);
  alea_csp_free(m.csp);
  return summed;
}

/* An arithmetic part over three variables with many values. */
static void put_number(maker *m, alea_text *text, int depth) {
  static const char *const binary[] = {"add", "sub", "mul", "min", "max", "dist"};
  uint32_t kind = below(m, depth > 0 ? 9 : 2);
  if (kind == 0) {
    alea_text_format(text, "%d", (int)below(m, 9) - 3);
  } else if (kind < 3 || depth == 0) {
    alea_text_format(text, "x%u", below(m, 3));
  } else if (kind == 3) {
    alea_text_put(text, below(m, 2) ? "abs(" : "neg(");
    put_number(m, text, depth - 1);
    alea_text_char(text, ')');
  } else {
    alea_text_format(text, "%s(", binary[below(m, 6)]);
    put_number(m, text, depth - 1);
    alea_text_char(text, ',');
    put_number(m, text, 0);
    alea_text_char(text, ')');
  }
}

static void put_condition(maker *m, alea_text *text, int depth) {
  static const char *const relations[] = {"lt", "le", "ge", "gt", "eq", "ne"};
  static const char *const connectives[] = {"and", "or", "imp", "iff", "xor"};
  bool negated = below(m, 5) == 0, connected = depth > 0 && below(m, 3) != 0;
  if (negated) alea_text_put(text, "not(");
  alea_text_format(text, "%s(", connected ? connectives[below(m, 5)] : relations[below(m, 6)]);
  for (int i = 0; i < 2; i++) {
    if (connected)
      put_condition(m, text, depth - 1);
    else
      put_number(m, text, i == 0 ? 2 : 1);
    alea_text_char(text, i == 0 ? ',' : ')');
  }
  if (negated) alea_text_char(text, ')');
}

/* Expressions too large for a table: clause learning and plain search agree on
 * the best value of the first variable. */
static void one_expression(alea_mem *mem, uint64_t seed) {
  static const char *const names[] = {"x0", "x1", "x2"};
  maker m = {.csp = alea_csp_new(mem)};
  alea_text text;
  alea_diag diag;
  alea_rng_seed_stream(&m.rng, 18, seed);
  alea_diag_init(&diag, mem);
  for (int v = 0; v < 3; v++) alea_csp_range(m.csp, names[v], -3, 37 + (int32_t)below(&m, 3));
  for (uint32_t i = 0; i < 3; i++) {
    alea_text_init(&text, mem);
    put_condition(&m, &text, 2);
    assert_int_equal(alea_csp_intension(m.csp, alea_text_string(&text), (alea_place){0}, &diag),
                     ALEA_OK);
    alea_text_clear(&text);
  }
  alea_csp_objective(m.csp, 0, seed % 2 != 0);
  alea_csp_options options = alea_csp_defaults();
  alea_csp_result result;
  options.goal = ALEA_CSP_BEST;
  bool any = alea_csp_solve(m.csp, &options, &result) == ALEA_OK;
  csp_engine *engine = csp_engine_new(m.csp, 0);
  assert_non_null(engine);
  csp_schedule_all(engine);
  if (!m.csp->false_ && csp_propagate(engine))
    learn_best(engine, m.csp, seed, any, result.best);
  else
    assert_false(any);
  csp_engine_free(engine);
  alea_diag_clear(&diag);
  alea_csp_free(m.csp);
}

static void expressions_are_learned(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (uint64_t seed = 0; seed < EXPRESSIONS; seed++) one_expression(&mem, seed);
  assert_int_equal(mem.used, 0);
}

static void clause_learning_finds_the_best(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  uint64_t summed = 0;
  for (uint64_t seed = 0; seed < LEARNED; seed++) summed += one_optimum(&mem, seed);
  assert_true(summed > 100);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_search_counts_alike),
                                     cmocka_unit_test(clause_learning_finds_the_best),
                                     cmocka_unit_test(expressions_are_learned)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
