/* What XCSP3 says beyond plain networks survives being written: quantifiers,
 * chances, stages, objectives, names. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "csp/json.h"
#include "models/stochastic.h"
#include "models/strategic.h"
#include "scsp/xcsp3.h"
#include "support/brute_force.h"

static void read_text(alea_xcsp3 *instance, alea_mem *mem, const char *text) {
  alea_diag diag;
  alea_diag_init(&diag, mem);
  alea_status status = alea_xcsp3_read(instance, mem, text, strlen(text), "text", &diag);
  if (status != ALEA_OK)
    fail_msg("%s\n%s", diag.entries.count ? diag.entries.data[0].message : "refused", text);
  alea_diag_clear(&diag);
}

static void same_strategic(alea_mem *mem, const alea_strategic *a, bool extras) {
  alea_text text;
  alea_xcsp3 instance;
  alea_text_init(&text, mem);
  assert_int_equal(alea_xcsp3_write_strategic(a, &text), ALEA_OK);
  read_text(&instance, mem, text.data);
  alea_strategic *b = alea_xcsp3_take_strategic(&instance, mem);
  assert_non_null(b);
  assert_int_equal(alea_strategic_count(a), alea_strategic_count(b));
  assert_int_equal(alea_strategic_classical(a), alea_strategic_classical(b));
  assert_int_equal(alea_strategic_get_check(a), alea_strategic_get_check(b));
  assert_int_equal(alea_strategic_get_existential(a), alea_strategic_get_existential(b));
  for (uint32_t i = 0; i < alea_strategic_count(a); i++) {
    bool ua, ub;
    alea_csp_var va = alea_strategic_var(a, i, &ua), vb = alea_strategic_var(b, i, &ub);
    assert_int_equal(va, vb);
    assert_int_equal(ua, ub);
  }
  alea_strategic_options options = {
      .one_way = extras, .table = extras, .symmetry = extras, .table_bytes = 1 << 20};
  alea_strategic_result x, y;
  alea_strategic_solve(a, &options, &x);
  alea_strategic_solve(b, &options, &y);
  assert_int_equal(x.status, y.status);
  alea_strategic_free(b);
  alea_xcsp3_clear(&instance, mem);
  alea_text_clear(&text);
}

static void quantifiers_survive(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_strategic *models[] = {
      alea_model_connect(&mem, 3, 3, 2),   alea_model_connect(&mem, 3, 3, 3),
      alea_model_tictactoe(&mem, 2, true), alea_model_tokens(&mem, 4),
      alea_model_tokens(&mem, 5),          alea_model_connect_printed(&mem, 3, 3, 3)};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    same_strategic(&mem, models[i], true);
    if (i != 2) same_strategic(&mem, models[i], false);
    alea_strategic_free(models[i]);
  }
  assert_int_equal(mem.used, 0);
}

/* For all y there is an x: y + x = 2; but x is 0 or 1, so y = 0 has none.  As
 * a strategic network y is 1 or 2, and the answer is yes. */
static void the_type_decides_what_universal_means(void **state) {
  (void)state;
  static const struct {
    const char *type;
    alea_status answer;
  } cases[] = {{"QCSP", ALEA_NO}, {"StrategicCSP", ALEA_OK}};
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (int i = 0; i < 2; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "<instance format=\"XCSP3\" type=\"%s\"><variables><var id=\"y\"> 0..2 </var>"
             "<var id=\"x\"> 0..1 </var></variables><constraints><intension> ge(y,1) </intension>"
             "<intension> eq(add(x,y),2) </intension></constraints><quantification><forall> y "
             "</forall><exists> x </exists></quantification></instance>",
             cases[i].type);
    alea_xcsp3 instance;
    read_text(&instance, &mem, text);
    alea_strategic *s = alea_xcsp3_take_strategic(&instance, &mem);
    alea_strategic_result result;
    alea_strategic_solve(s, &(alea_strategic_options){0}, &result);
    assert_int_equal(result.status, cases[i].answer);
    same_strategic(&mem, s, false);
    alea_strategic_free(s);
    alea_xcsp3_clear(&instance, &mem);
  }
  assert_int_equal(mem.used, 0);
}

static const char staged[] =
    "<instance format=\"XCSP3\" type=\"SCSP\"><variables><var id=\"x\"> 0..2 </var>"
    "<array id=\"y\" size=\"[2]\" type=\"stochastic\"> 0:1/3 1:2/3 </array><var id=\"z\"> 0..3 "
    "</var><var id=\"w\" type=\"stochastic\"> 0:0.1 5:0.9 </var></variables><constraints>"
    "<intension> ge(z,add(y[0],y[1])) </intension></constraints><stages><stage> x y[] </stage>"
    "<stage> z w </stage></stages></instance>";

static void chances_and_stages_survive(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_xcsp3 first, second;
  alea_text text;
  const char *why;
  alea_text_init(&text, &mem);
  read_text(&first, &mem, staged);
  assert_int_equal(first.chances.count, 3);
  alea_scsp *a = alea_xcsp3_take_scsp(&first, &mem);
  assert_int_equal(alea_xcsp3_write_scsp(a, &text, &why), ALEA_OK);
  read_text(&second, &mem, text.data);
  assert_int_equal(first.chances.count, second.chances.count);
  for (size_t i = 0; i < first.chances.count; i++) {
    assert_int_equal(first.chances.data[i].var, second.chances.data[i].var);
    for (int k = 0; k < 2; k++)
      assert_true(first.chances.data[i].probabilities[k] ==
                  second.chances.data[i].probabilities[k]);
  }
  assert_int_equal(first.staged.count, second.staged.count);
  for (size_t i = 0; i < first.staged.count; i++) {
    assert_int_equal(first.staged.data[i], second.staged.data[i]);
    assert_int_equal(first.stages.data[i], second.stages.data[i]);
  }
  alea_scsp *b = alea_xcsp3_take_scsp(&second, &mem);
  for (alea_csp_var v = 0; v < 5; v++)
    assert_string_equal(alea_csp_name(alea_scsp_network(a), v),
                        alea_csp_name(alea_scsp_network(b), v));
  uint64_t counts[2];
  const alea_scsp_options options = {0};
  const alea_scsp_scenario any = {0};
  alea_scsp_result result;
  assert_int_equal(alea_scsp_scenarios(a, &options, &any, &counts[0], &result), ALEA_OK);
  assert_int_equal(alea_scsp_scenarios(b, &options, &any, &counts[1], &result), ALEA_OK);
  assert_int_equal(counts[0], 3 * (4 + 3 + 3 + 2) * 2);
  assert_int_equal(counts[0], counts[1]);
  alea_scsp_free(a);
  alea_scsp_free(b);
  alea_xcsp3_clear(&first, &mem);
  alea_xcsp3_clear(&second, &mem);
  alea_text_clear(&text);
  assert_int_equal(mem.used, 0);
}

static void what_xcsp3_cannot_say_is_named(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_scsp *p3 = alea_model_p3(&mem);
  alea_text text;
  const char *why = NULL;
  alea_text_init(&text, &mem);
  assert_int_equal(alea_xcsp3_write_scsp(p3, &text, &why), ALEA_USAGE);
  assert_string_equal(why, "payments");
  assert_int_equal(text.length, 0);
  alea_text_clear(&text);
  alea_scsp_free(p3);
  assert_int_equal(mem.used, 0);
}

/* Arrays stay arrays; other names become identifiers, and none is lost. */
static void names_are_tamed(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_csp *csp = alea_csp_new(&mem);
  alea_csp_range(csp, "x[0][1]", 0, 1);
  alea_csp_range(csp, "x[1][0]", 0, 2);
  alea_csp_range(csp, "a.b", 0, 1);
  alea_csp_range(csp, "a_b", 0, 1);
  alea_csp_range(csp, "a b", 0, 1);
  alea_csp_range(csp, "y[1]", 0, 1); /* in two pieces */
  alea_csp_hide(csp, alea_csp_range(csp, "$7", 0, 1));
  alea_csp_range(csp, "y[0]", 0, 1);
  alea_csp_intension(csp, "eq(add(x[1][0],a_b),y[1])", (alea_place){0}, NULL);
  alea_text text;
  alea_text_init(&text, &mem);
  assert_int_equal(alea_xcsp3_write(csp, NULL, &text), ALEA_OK);
  alea_xcsp3 again;
  read_text(&again, &mem, text.data);
  static const char *const expected[] = {"x[0][1]", "x[1][0]", "a_b_1", "a_b",
                                         "a_b_2",   "y_1_",    "aux_7", "y_0_"};
  assert_int_equal(alea_csp_var_count(again.csp), 8);
  for (alea_csp_var v = 0; v < 8; v++) {
    assert_string_equal(alea_csp_name(again.csp, v), expected[v]);
    assert_int_equal(alea_csp_hidden(again.csp, v), alea_csp_hidden(csp, v));
    assert_int_equal(alea_csp_size(again.csp, v), alea_csp_size(csp, v));
  }
  assert_int_equal(brute_force_count(csp), brute_force_count(again.csp));
  alea_xcsp3_clear(&again, &mem);
  alea_text_clear(&text);
  alea_csp_free(csp);
  assert_int_equal(mem.used, 0);
}

/* Each objective with the best value worked out by hand, over x, y in 0..4
 * with x + y <= 5. */
static void objectives_mean_what_they_say(void **state) {
  (void)state;
  static const struct {
    const char *goal;
    int64_t best;
  } cases[] = {
      {"<maximize> sub(mul(x,2),y) </maximize>", 8},
      {"<maximize> y </maximize>", 4},
      {"<maximize type=\"sum\"><list> x y </list><coeffs> 2 3 </coeffs></maximize>", 14},
      {"<maximize type=\"sum\"><list> mul(x,y) x </list><coeffs> 1 x </coeffs></maximize>", 20},
      {"<maximize type=\"product\"><list> x y </list></maximize>", 6},
      {"<maximize type=\"minimum\"><list> x y </list></maximize>", 2},
      {"<minimize type=\"maximum\"><list> sub(4,x) y </list></minimize>", 0},
      {"<maximize type=\"minimum\"><list> x y </list><coeffs> 1 3 </coeffs></maximize>", 3},
      {"<minimize type=\"nValues\"><list> x y 3 </list></minimize>", 2},
      {"<maximize type=\"lex\"><list> x y </list></maximize>", 21},
  };
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "<instance format=\"XCSP3\" type=\"COP\"><variables><var id=\"x\"> 0..4 </var>"
             "<var id=\"y\"> 0..4 </var></variables><constraints><intension> le(add(x,y),5) "
             "</intension></constraints><objectives>%s</objectives></instance>",
             cases[i].goal);
    alea_xcsp3 instance;
    read_text(&instance, &mem, text);
    alea_csp_result result;
    alea_csp_solve(instance.csp, &(alea_csp_options){.goal = ALEA_CSP_BEST}, &result);
    if (result.best != cases[i].best) fail_msg("%s: %d", cases[i].goal, (int)result.best);
    alea_xcsp3_clear(&instance, &mem);
  }
  assert_int_equal(mem.used, 0);
}

static uint64_t count(const alea_csp *csp, alea_csp_options options) {
  alea_csp_result result;
  options.goal = ALEA_CSP_COUNT;
  alea_csp_solve(csp, &options, &result);
  return result.solutions;
}

/* What no constraint mentions is no part of the problem, and what is mentioned
 * is, even by a tautology; both survive being written. */
static void unmentioned_variables_do_not_count(void **state) {
  (void)state;
  static const char text[] =
      "<instance format=\"XCSP3\" type=\"CSP\"><variables><array id=\"x\" size=\"[9]\"> 0..9 "
      "</array><var id=\"free\"> 0..4 </var></variables><constraints> <allDifferent> x[2..4] "
      "</allDifferent> <intension> eq(free,free) </intension> <sum><list> x[7] </list><coeffs> 0 "
      "</coeffs><condition> (eq,0) </condition></sum></constraints></instance>";
  const uint64_t expected = 10 * 9 * 8 * 5 * 10;
  alea_mem mem;
  alea_xcsp3 instance, again;
  alea_text out;
  alea_mem_init(&mem, 0);
  read_text(&instance, &mem, text);
  assert_true(alea_csp_unused(instance.csp, 0));
  assert_false(alea_csp_unused(instance.csp, 2));
  assert_false(alea_csp_unused(instance.csp, 7));
  for (int method = ALEA_CSP_MAC; method <= ALEA_CSP_BACKTRACK; method++)
    assert_int_equal(count(instance.csp, (alea_csp_options){.method = (alea_csp_method)method}),
                     expected);
  assert_int_equal(count(instance.csp, (alea_csp_options){.simplify = true}), expected);
  alea_text_init(&out, &mem);
  assert_int_equal(alea_xcsp3_write(instance.csp, NULL, &out), ALEA_OK);
  read_text(&again, &mem, out.data);
  assert_int_equal(count(again.csp, (alea_csp_options){0}), expected);
  alea_text_clear(&out);
  alea_xcsp3_clear(&again, &mem);
  alea_status status;
  json_t *root = alea_csp_write_json(instance.csp);
  alea_csp *copy = alea_csp_read_json(&mem, root, "again", NULL, &status);
  json_decref(root);
  assert_int_equal(count(copy, (alea_csp_options){0}), expected);
  alea_csp_free(copy);
  alea_xcsp3_clear(&instance, &mem);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quantifiers_survive),
      cmocka_unit_test(the_type_decides_what_universal_means),
      cmocka_unit_test(chances_and_stages_survive),
      cmocka_unit_test(what_xcsp3_cannot_say_is_named),
      cmocka_unit_test(names_are_tamed),
      cmocka_unit_test(unmentioned_variables_do_not_count),
      cmocka_unit_test(objectives_mean_what_they_say),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
