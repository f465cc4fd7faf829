/* The grounder: splitting, demand, ranges, folding, limits. */
#include <string.h>

#include "cmocka_all.h"
#include "gdl/program.h"
#include "ground/ground.h"

typedef struct grounded {
  alea_mem mem;
  alea_diag diag;
  alea_ground *ground;
  alea_status status;
} grounded;

static void ground_text(grounded *g, const char *text, const alea_ground_options *options) {
  alea_mem_init(&g->mem, 0);
  alea_diag_init(&g->diag, &g->mem);
  alea_program *program;
  assert_int_equal(
      alea_program_new(&program, text, strlen(text), "test.kif", NULL, &g->mem, &g->diag), ALEA_OK);
  g->status = alea_ground_new(&g->ground, program, options, &g->mem, &g->diag);
  alea_program_free(program);
}

static void done(grounded *g) {
  alea_ground_free(g->ground);
  alea_diag_clear(&g->diag);
  assert_int_equal(g->mem.used, 0);
}

/* The ground program as text contains 'part'. */
static bool says(grounded *g, const char *part) {
  alea_text text;
  alea_text_init(&text, &g->mem);
  alea_ground_print(g->ground, &text);
  bool found = strstr(alea_text_string(&text), part) != NULL;
  alea_text_clear(&text);
  return found;
}

static void static_rules_vanish(void **state) {
  (void)state;
  grounded g;
  ground_text(&g,
              "(role a) (succ 1 2) (succ 2 3)"
              "(<= (less ?x ?y) (succ ?x ?y))"
              "(<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))"
              "(<= (top ?x) (succ ?y ?x) (not (low ?x))) (<= (low ?x) (succ ?x ?y))"
              "(init (at 1)) (legal a go)"
              "(<= (next (at ?y)) (true (at ?x)) (less ?x ?y))"
              "(<= terminal (true (at ?x)) (top ?x)) (goal a 50)",
              NULL);
  assert_int_equal(g.status, ALEA_OK);
  assert_int_equal(g.ground->fluent_count, 3);
  assert_int_equal(g.ground->legal[0], ALEA_GLIT_TRUE);
  assert_true(says(&g, "(<= (terminal) (true (at 3)))"));
  assert_false(says(&g, "less"));
  done(&g);
}

/* Four variables of the move are projected away: a product of 8^4 * 8^2
 * instances would be 262,144. */
static void bodies_are_split(void **state) {
  (void)state;
  grounded g;
  ground_text(&g,
              "(role a)"
              "(n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8)"
              "(<= (init (cell ?x ?y)) (n ?x) (n ?y))"
              "(<= (legal a (move ?u ?v ?x ?y)) (n ?u) (n ?v) (n ?x) (n ?y))"
              "(<= (next (cell ?x ?y)) (true (cell ?x ?y))"
              "    (does a (move ?u ?v ?s ?t)) (distinct ?x ?u) (distinct ?y ?t))"
              "(<= terminal (not (true (cell 1 1)))) (goal a 0)",
              NULL);
  assert_int_equal(g.status, ALEA_OK);
  assert_int_equal(g.ground->move_count, 4096);
  assert_true(g.ground->rules.count < 10000);
  done(&g);
}

/* `far` has 9^6 instances; the legal moves ask for nine of them. */
static void wide_predicates_are_demanded(void **state) {
  (void)state;
  grounded g;
  ground_text(&g,
              "(role a) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9)"
              "(<= (init (on ?x)) (n ?x))"
              "(<= (far ?a ?b ?c ?d ?e ?f) (true (on ?a)) (true (on ?b)) (true (on ?c))"
              "    (true (on ?d)) (true (on ?e)) (true (on ?f)))"
              "(<= (legal a (go ?x)) (n ?x) (not (far ?x ?x ?x 1 2 3))) (legal a stay)"
              "(<= (next (on ?x)) (true (on ?x)) (not (does a (go ?x))))"
              "(<= terminal (not (true (on 1)))) (goal a 100)",
              NULL);
  assert_int_equal(g.status, ALEA_OK);
  assert_true(says(&g, "(far 9 9 9 1 2 3)"));
  assert_false(says(&g, "(far 9 8 9 1 2 3)"));
  assert_true(g.ground->rules.count < 200);
  done(&g);
}

/* The same name through positive recursion and ground-stratified negation. */
static void init_may_need_the_ground_strata(void **state) {
  (void)state;
  grounded g;
  ground_text(&g,
              "(role a) (succ 0 1) (succ 1 2) (succ 2 3)"
              "(<= (odd ?x) (succ ?y ?x) (not (odd ?y)))"
              "(<= (init (at ?x)) (odd ?x))"
              "(legal a go) (<= (next (at ?x)) (true (at ?x))) (<= terminal (true (at 9)))",
              NULL);
  assert_int_equal(g.status, ALEA_OK);
  unsigned held = 0;
  for (uint32_t i = 0; i < g.ground->fluent_count; i++) held += g.ground->init[i];
  assert_int_equal(held, 2);
  assert_true(says(&g, "(init (at 1))"));
  assert_true(says(&g, "(init (at 3))"));
  assert_int_equal(g.ground->terminal, ALEA_GLIT_FALSE);
  done(&g);
}

static const char *last_code(const grounded *g) {
  return g->diag.entries.count == 0 ? "" : g->diag.entries.data[g->diag.entries.count - 1].code;
}

static void limits_are_statuses(void **state) {
  (void)state;
  const char *growing =
      "(role a) (init (m x)) (legal a go) (<= (next (m (ack ?x))) (true (m ?x)))"
      "(<= terminal (true (m done)))";
  grounded g;
  ground_text(&g, growing, NULL);
  assert_int_equal(g.status, ALEA_LIMIT);
  assert_string_equal(last_code(&g), "term-depth");
  done(&g);
  alea_ground_options few = {.max_instances = 10};
  ground_text(&g, growing, &few);
  assert_int_equal(g.status, ALEA_LIMIT);
  assert_string_equal(last_code(&g), "instance-limit");
  done(&g);
}

/* A term that doubles at every step has 2^48 names before it is too deep;
 * walked as a tree it would never end. */
static void shared_terms_have_a_size(void **state) {
  (void)state;
  grounded g;
  ground_text(&g,
              "(role a) (init (n 0)) (<= (next (n (p ?x ?x))) (true (n ?x)))"
              "(legal a m) (goal a 5) (<= terminal (true x))",
              NULL);
  assert_int_equal(g.status, ALEA_LIMIT);
  assert_string_equal(last_code(&g), "term-size");
  done(&g);
}

static void depth_and_size_saturate(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_terms *terms = alea_terms_new(NULL, &mem);
  alea_term term = alea_terms_parse(terms, "(f a (g b) c)", NULL);
  assert_int_equal(alea_terms_depth(terms, term), 2);
  assert_int_equal(alea_terms_size(terms, term), 5);
  assert_int_equal(alea_terms_depth(terms, alea_terms_args(terms, term)[0]), 0);
  alea_symbol p = alea_symbols_add(alea_terms_symbols(terms), "p", 1);
  for (int i = 0; i < 300; i++) {
    alea_term args[2] = {term, term};
    term = alea_terms_list(terms, p, args, 2);
  }
  assert_int_equal(alea_terms_depth(terms, term), ALEA_TERM_MOST_DEPTH);
  assert_int_equal(alea_terms_size(terms, term), ALEA_TERM_MOST_SIZE);
  alea_terms_free(terms);
  assert_int_equal(mem.used, 0);
}

/* Neither time nor memory may grow with relations times constants: 20,000 of
 * each would take more than a gigabyte. */
static void many_relations_cost_their_number(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, (size_t)200 << 20);
  alea_text text;
  alea_text_init(&text, &mem);
  alea_text_put(&text, "(role a) (init (n 0)) (goal a 5) (<= terminal (true (n 1)))");
  for (int i = 0; i < 20000; i++)
    alea_text_format(&text, "(r%d c%d) (<= (legal a m%d) (r%d ?x) (true (n 0)))", i, i, i % 10, i);
  alea_program *program;
  alea_ground *ground;
  assert_int_equal(alea_program_new(&program, text.data, text.length, "test.kif", NULL, &mem, NULL),
                   ALEA_OK);
  assert_int_equal(alea_ground_new(&ground, program, NULL, &mem, NULL), ALEA_OK);
  assert_int_equal(ground->move_count, 10);
  alea_program_free(program);
  alea_ground_free(ground);
  alea_text_clear(&text);
  assert_int_equal(mem.used, 0);
}

/* A deadline that has passed ends every stage, however the rules look. */
static void a_deadline_is_seen_at_once(void **state) {
  (void)state;
  atomic_bool stop = true;
  alea_deadline late = {.stop = &stop};
  alea_ground_options options = {.deadline = &late};
  grounded g;
  ground_text(&g, "(role a) (init (n 0)) (legal a m) (goal a 5) (<= terminal (true (n 0)))",
              &options);
  assert_int_equal(g.status, ALEA_LIMIT);
  assert_string_equal(last_code(&g), "time-limit");
  done(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(static_rules_vanish),
      cmocka_unit_test(bodies_are_split),
      cmocka_unit_test(wide_predicates_are_demanded),
      cmocka_unit_test(init_may_need_the_ground_strata),
      cmocka_unit_test(limits_are_statuses),
      cmocka_unit_test(shared_terms_have_a_size),
      cmocka_unit_test(depth_and_size_saturate),
      cmocka_unit_test(many_relations_cost_their_number),
      cmocka_unit_test(a_deadline_is_seen_at_once),
  };
  return cmocka_run_group_tests_name("ground", tests, NULL, NULL);
}
