/* The constraint library on instances with known answers (../shared/cp), on
 * its errors, and on single propagators. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "csp/xcsp3/xcsp3.h"
#include "support/brute_force.h"
#include "support/load.h"

typedef struct known_answer {
  const char *name;
  uint64_t solutions;       /* of the variables that a constraint mentions */
  uint64_t nodes, failures; /* of the static order; 0: not recorded */
  uint64_t root;            /* domain values after the first propagation; 0: not recorded */
} known_answer;

static const known_answer instances[] = {
    {"queens10", 724, 8047, 3300, 100},
    {"pigeons10", 0, 725759, 362880, 0},
    {"rd2_n40_d10_e205_t65_s1_f", 243, 404107, 201811, 0},
    {"rd2_n40_d10_e210_t65_s2", 0, 4321, 2161, 0},
    {"rd3_n90_d5_e158_t50_s3_f", 2784, 0, 0, 0},
    {"rd4_n80_d4_e80_t64_s1_f", 144, 0, 0, 0},
    {"rd5_n30_d6_e25_t900_s1_f", 9, 0, 0, 0},
    {"renault60", 3, 0, 0, 66},
    {"chain8_s40_a4_r2", 411, 0, 0, 219},
};

static alea_csp_result solve(const alea_csp *csp, alea_csp_options options) {
  alea_csp_result result;
  alea_csp_solve(csp, &options, &result);
  return result;
}

static void check_instance(const known_answer *known) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  size_t length;
  char *text = load_file(&length, "%s/cp/%s.xml", ALEA_SHARED_DIR, known->name);
  if (text == NULL) {
    print_message("skipped: %s/cp is not there\n", ALEA_SHARED_DIR);
    skip();
  }
  alea_xcsp3 instance;
  assert_int_equal(alea_xcsp3_read(&instance, &mem, text, length, known->name, NULL), ALEA_OK);
  alea_csp_result all = solve(instance.csp, (alea_csp_options){.goal = ALEA_CSP_COUNT});
  assert_int_equal(all.solutions, known->solutions);
  assert_int_equal(all.status, known->solutions != 0 ? ALEA_OK : ALEA_NO);
  assert_true(all.complete);
  if (known->root != 0) assert_int_equal(all.root_values, known->root);
  if (known->nodes != 0) {
    alea_csp_result fixed =
        solve(instance.csp, (alea_csp_options){.goal = ALEA_CSP_COUNT, .order = ALEA_CSP_INPUT});
    assert_int_equal(fixed.solutions, known->solutions);
    assert_int_equal(fixed.nodes, known->nodes);
    assert_int_equal(fixed.failures, known->failures);
  }
  alea_csp_result first = solve(instance.csp, (alea_csp_options){.goal = ALEA_CSP_FIRST});
  assert_int_equal(first.status, known->solutions != 0 ? ALEA_OK : ALEA_NO);
  alea_xcsp3_clear(&instance, &mem);
  free(text);
  assert_int_equal(mem.used, 0);
}

static void instances_have_their_counts(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof instances / sizeof *instances; i++) check_instance(&instances[i]);
}

/* Written and read again, an instance keeps its solutions. */
static void xcsp3_survives_a_round_trip(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_csp *csp = alea_csp_new(&mem);
  alea_csp_var x[6];
  for (int i = 0; i < 6; i++) {
    char name[16];
    snprintf(name, sizeof name, "x%d", i);
    x[i] = i % 2 ? alea_csp_values(csp, name, (int32_t[]){-1, 1, 3, 4}, 4)
                 : alea_csp_range(csp, name, 0, 3);
  }
  alea_csp_table(csp, x, 2, (int32_t[]){0, 1, 1, 3, ALEA_CSP_STAR, 4}, 3, false);
  alea_csp_table(csp, x + 1, 2, (int32_t[]){1, 1, 3, 0}, 2, true);
  alea_csp_clause(csp, (alea_csp_lit[]){{x[0], 1, false}, {x[3], 4, true}}, 2);
  alea_csp_rules(csp, (alea_csp_lit){x[4], 2, false},
                 (alea_csp_lit[]){{x[0], 0, false}, {x[1], 4, false}, {x[5], 1, true}},
                 (uint32_t[]){0, 2, 3}, 2);
  alea_csp_linear(csp, x, (int64_t[]){1, 2, -1, 1, 1, 1}, 6, ALEA_LE, 11);
  alea_csp_maximum(csp, x, 3, x[5]);
  alea_csp_count(csp, x, 4, (int32_t[]){1, 3}, 2, x[4]);
  alea_csp_not_both(csp, x, 6, 0, 3);
  uint64_t expected = brute_force_count(csp);
  assert_true(expected > 0);
  alea_text text;
  alea_text_init(&text, &mem);
  assert_int_equal(alea_xcsp3_write(csp, NULL, &text), ALEA_OK);
  alea_xcsp3 again;
  assert_int_equal(alea_xcsp3_read(&again, &mem, text.data, text.length, "again", NULL), ALEA_OK);
  assert_int_equal(solve(again.csp, (alea_csp_options){.goal = ALEA_CSP_COUNT}).solutions,
                   expected);
  alea_xcsp3_clear(&again, &mem);
  alea_text_clear(&text);
  alea_csp_free(csp);
  assert_int_equal(mem.used, 0);
}

/* The constraints of XCSP3-core, each against a count worked out by hand. */
static void xcsp3_core_is_understood(void **state) {
  (void)state;
  static const struct {
    const char *constraints;
    uint64_t solutions; /* over those of x[0..3] in 0..3 that are mentioned */
  } cases[] = {
      {"<allDifferent> x[] </allDifferent>", 24},
      {"<allDifferent><list> x[] </list><except> 0 </except></allDifferent>", 73},
      {"<allEqual> x[] </allEqual>", 4},
      {"<ordered><list> x[] </list><operator> lt </operator></ordered>", 1},
      {"<ordered><list> x[] </list><operator> le </operator></ordered>", 35},
      {"<sum><list> x[] </list><condition> (eq,12) </condition></sum>", 1},
      {"<sum><list> x[] </list><coeffs> 1 1 1 -1 </coeffs><condition> (in,{0,1}) "
       "</condition></sum>",
       0},
      {"<count><list> x[] </list><values> 1 </values><condition> (ge,3) </condition></count>", 13},
      {"<nValues><list> x[] </list><condition> (eq,1) </condition></nValues>", 4},
      {"<cardinality><list> x[] </list><values> 0 1 </values><occurs> 2 2 </occurs></cardinality>",
       6},
      {"<minimum><list> x[] </list><condition> (eq,3) </condition></minimum>", 1},
      {"<maximum><list> x[] </list><condition> (le,1) </condition></maximum>", 16},
      {"<element><list> x[0] x[1] x[2] </list><index> x[3] </index><value> 2 </value></element>",
       48},
      {"<channel><list> x[] </list></channel>", 10},
      {"<instantiation><list> x[0] x[1] </list><values> 1 2 </values></instantiation>", 1},
      {"<lex><list> x[0] x[1] </list><list> x[2] x[3] </list><operator> lt </operator></lex>", 120},
      {"<regular><list> x[] </list><transitions> (a,0,a)(a,1,b)(b,0,b) </transitions>"
       "<start> a </start><final> b </final></regular>",
       4},
      {"<mdd><list> x[0] x[1] </list><transitions> (r,0,n)(r,1,n)(n,3,t) </transitions></mdd>", 2},
      {"<group><intension> lt(%0,%1) </intension><args> x[0] x[1] </args><args> x[1] 2 "
       "</args></group>",
       1},
      {"<clause> b[0] not(b[1]) b[2] </clause>", 7},
      {"<clause><list> b[0..1] not(b[0]) </list></clause>", 4},
      {"<clause> not(b[]) not(eq(x[0],x[1])) </clause>", 124},
      {"<group><clause> %0 not(%1) </clause><args> b[0] b[1] </args><args> b[1] b[2] "
       "</args></group>",
       4},
      {"<allDifferent> s[] </allDifferent>", 6},
      {"<allEqual> s[] </allEqual>", 3},
      {"<intension> and(ne(s[0],s[1]),in(s[1],set(red,blue)),lt(x[0],2)) </intension>", 8},
      {"<intension> eq(s[0],1) </intension><intension> eq(s[1],s[1]) </intension>", 0},
      {"<extension><list> s[0] s[1] x[0] </list><supports> (red,*,1)(!=green,blue,{2,3}) "
       "</supports></extension>",
       7},
      {"<extension><list> s[1] </list><conflicts> green red </conflicts></extension>", 1},
      {"<instantiation><list> s[0] s[2] </list><values> blue red </values></instantiation>", 1},
      {"<count><list> s[] </list><values> red </values><condition> (ge,2) </condition></count>", 7},
      {"<nValues><list> s[] </list><condition> (eq,2) </condition></nValues>", 18},
      {"<cardinality><list> s[] </list><values> red blue </values><occurs> 1 2 "
       "</occurs></cardinality>",
       3},
      {"<regular><list> s[0] s[1] </list><transitions> (a,red,b)(b,red,a)(b,blue,b) </transitions>"
       "<start> a </start><final> b </final></regular>",
       1},
      {"<group><extension><list> %0 x[0] </list><supports> (red,0)(blue,3) "
       "</supports></extension><args> s[0] </args><args> s[1] </args></group>",
       2},
      {"<block><block><intension> eq(x[0],3) </intension></block></block>", 1},
      {"<extension><list> x[0] x[1] </list><conflicts> (0,*)(*,0) </conflicts></extension>", 9},
  };
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    alea_text text;
    alea_text_init(&text, &mem);
    alea_text_format(
        &text,
        "<instance format=\"XCSP3\" type=\"CSP\"><variables><array id=\"x\" size=\"[4]\">"
        " 0..3 </array><array id=\"b\" size=\"[3]\"> 0 1 "
        "</array><array id=\"s\" size=\"[3]\" type=\"symbolic\"> red green blue "
        "</array></variables><constraints>%s</constraints></instance>",
        cases[i].constraints);
    alea_xcsp3 instance;
    assert_int_equal(alea_xcsp3_read(&instance, &mem, text.data, text.length, "case", NULL),
                     ALEA_OK);
    uint64_t found = solve(instance.csp, (alea_csp_options){.goal = ALEA_CSP_COUNT}).solutions;
    if (cases[i].solutions != 0) assert_int_equal(found, cases[i].solutions);
    assert_int_equal(found, brute_force_count(instance.csp));
    alea_xcsp3_clear(&instance, &mem);
    alea_text_clear(&text);
  }
  assert_int_equal(mem.used, 0);
}

static void best_is_optimal(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  static const char text[] =
      "<instance format=\"XCSP3\" type=\"COP\"><variables><array id=\"x\" size=\"[5]\"> 0..9 "
      "</array></variables><constraints><allDifferent> x[] </allDifferent><sum><list> x[] </list>"
      "<condition> (le,20) </condition></sum></constraints><objectives><maximize type=\"sum\">"
      "<list> x[] </list><coeffs> 5 4 3 2 1 </coeffs></maximize></objectives></instance>";
  alea_xcsp3 instance;
  assert_int_equal(alea_xcsp3_read(&instance, &mem, text, sizeof text - 1, "best", NULL), ALEA_OK);
  alea_csp_result best = solve(instance.csp, (alea_csp_options){.goal = ALEA_CSP_BEST});
  alea_csp_result restarted =
      solve(instance.csp, (alea_csp_options){.goal = ALEA_CSP_BEST, .restart = 5, .nogoods = true});
  assert_int_equal(best.best, 85); /* 9 8 2 1 0 */
  assert_int_equal(restarted.best, best.best);
  alea_xcsp3_clear(&instance, &mem);
  assert_int_equal(mem.used, 0);
}

/* Whoever stops a search waits for few nodes where these take long. */
static void many_variables_look_at_the_clock(void **state) {
  (void)state;
  enum { MANY = 20000 };
  atomic_bool stop = true;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_csp *csp = alea_csp_new(&mem);
  for (int i = 0; i < MANY; i++) {
    char name[16];
    snprintf(name, sizeof name, "x%d", i);
    assert_true(alea_csp_range(csp, name, 0, 3) != ALEA_CSP_NONE);
  }
  alea_csp_result result = solve(csp, (alea_csp_options){.deadline = {.stop = &stop}});
  assert_int_equal(result.status, ALEA_LIMIT);
  assert_true(result.nodes < 10);
  alea_csp_free(csp);
}

/* A failing allocation is a status, and nothing leaks. */
static void no_memory_is_a_status(void **state) {
  (void)state;
  for (uint64_t n = 1; n < 400; n++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    mem.fail_in = n;
    alea_csp *csp = alea_csp_new(&mem);
    if (csp != NULL) {
      alea_csp_var x[5];
      for (int i = 0; i < 5; i++) x[i] = alea_csp_range(csp, "x", 0, 4);
      alea_csp_all_different(csp, x, 5, NULL, 0);
      alea_csp_table(csp, x, 3, (int32_t[]){0, 1, 2, 3, 2, 1, 1, 0, 4}, 3, false);
      alea_csp_result result = solve(csp, (alea_csp_options){.goal = ALEA_CSP_COUNT});
      assert_true(result.status == ALEA_SYSTEM || result.solutions == 6);
    }
    alea_csp_free(csp);
    assert_int_equal(mem.used, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instances_have_their_counts),
      cmocka_unit_test(xcsp3_survives_a_round_trip),
      cmocka_unit_test(xcsp3_core_is_understood),
      cmocka_unit_test(best_is_optimal),
      cmocka_unit_test(many_variables_look_at_the_clock),
      cmocka_unit_test(no_memory_is_a_status),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
