/* The GDL layer on small texts: readers, printer, normal form, classes. */
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "gdl/classify.h"
#include "gdl/hrf.h"
#include "gdl/program.h"
#include "gdl/scc.h"

/* Prints all expressions of 'text', one per line, and compares. */
static void assert_reads_as(const char *text, const char *expected) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_symbols *symbols = alea_symbols_new(&mem);
#define ADD(name, word) alea_symbols_add(symbols, word, strlen(word));
  ALEA_GDL_WORDS(ADD)
#undef ADD
  alea_sexprs list = {.mem = &mem};
  alea_text out;
  alea_text_init(&out, &mem);
  assert_int_equal(alea_gdl_read(&list, text, strlen(text), "t", NULL, symbols, NULL), ALEA_OK);
  for (uint32_t i = 0; i < list.items.count; i = list.items.data[i].after) {
    alea_sexprs_print(&list, i, symbols, false, &out);
    alea_text_char(&out, '\n');
  }
  assert_string_equal(alea_text_string(&out), expected);
  alea_text_clear(&out);
  alea_sexprs_clear(&list);
  alea_symbols_free(symbols);
  assert_int_equal(mem.used, 0);
}

static void kif_is_read_and_printed(void **state) {
  (void)state;
  assert_reads_as("", "");
  assert_reads_as("; only a comment", "");
  assert_reads_as("(Role  X)\r\n;c\r(a\t(b c) () d);x\n(e)f", "(role x)\n(a (b c) () d)\n(e)\nf\n");
  assert_reads_as("\xef\xbb\xbf(p \xe9)", "(p \xe9)\n");
  assert_reads_as("(a;b\n c)", "(a c)\n");
  assert_reads_as("((()))", "((()))\n");
}

static void places_count_every_kind_of_line(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_symbols *symbols = alea_symbols_new(&mem);
  alea_sexprs list = {.mem = &mem};
  const char *text = "a\nb\rc\r\n d ;x\r\n;y\n  (e)";
  assert_int_equal(alea_sexprs_read(&list, text, strlen(text), NULL, NULL, symbols, NULL), ALEA_OK);
  static const uint32_t places[][2] = {{1, 1}, {2, 1}, {3, 1}, {4, 2}, {6, 3}, {6, 4}};
  assert_int_equal(list.items.count, 6);
  for (size_t i = 0; i < 6; i++) {
    assert_int_equal(list.items.data[i].line, places[i][0]);
    assert_int_equal(list.items.data[i].column, places[i][1]);
  }
  alea_sexprs_clear(&list);
  alea_symbols_free(symbols);
  assert_int_equal(mem.used, 0);
}

static void hrf_is_read_as_kif(void **state) {
  (void)state;
  assert_reads_as("role(white)\nrole(black).", "(role white)\n(role black)\n");
  assert_reads_as("% c\np(X) :- q(X,y) & ~r(X)", "(<= (p ?x) (q ?x y) (not (r ?x)))\n");
  assert_reads_as("terminal :- a | b & ~c | (d | e)\nq",
                  "(<= terminal (or a (and b (not c)) (or d e)))\nq\n");
  assert_reads_as("p :- (a | b), ~(c & d). q() r(f(g(1),h))",
                  "(<= p (or a b) (not (and c d)))\n(q)\n(r (f (g 1) h))\n");
  assert_reads_as("p(_) :- q(_,_x)", "(<= (p ?_,1) (q ?_,2 ?_x))\n");
  assert_reads_as("p(1.5,a.b).", "(p 1.5 a.b)\n");
}

static void hrf_is_recognised(void **state) {
  (void)state;
  static const char *const hrf[] = {"role(x)", "; c\n% d (\nrole(x)", "p q :- (r)", "p :- q"};
  static const char *const kif[] = {"(role x)", "p (role x)", "", "; role(x)\n(p)", ") p(x)"};
  for (size_t i = 0; i < sizeof hrf / sizeof *hrf; i++)
    assert_true(alea_hrf_detect(hrf[i], strlen(hrf[i])));
  for (size_t i = 0; i < sizeof kif / sizeof *kif; i++)
    assert_false(alea_hrf_detect(kif[i], strlen(kif[i])));
}

static void print_rule(const alea_program *program, uint32_t index, alea_text *out) {
  const alea_rule *rule = &program->rules.data[index];
  if (rule->literal_count == 0) {
    alea_program_print_node(program, rule->head, out);
    return;
  }
  alea_text_put(out, "(<= ");
  alea_program_print_node(program, rule->head, out);
  for (uint32_t i = 0; i < rule->literal_count; i++) {
    alea_text_char(out, ' ');
    alea_program_print_literal(program, rule->first_literal + i, out);
  }
  alea_text_char(out, ')');
}

static void print_rules(const alea_program *program, alea_text *out) {
  for (uint32_t i = 0; i < program->rules.count; i++) {
    print_rule(program, i, out);
    alea_text_char(out, '\n');
  }
}

/* Normal form of 'text' after the line "(role r)". */
static void assert_normal(const char *text, const char *expected) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text in, out;
  alea_text_init(&in, &mem);
  alea_text_init(&out, &mem);
  alea_text_format(&in, "(role r)\n%s", text);
  alea_program *program;
  assert_int_equal(alea_program_new(&program, in.data, in.length, "t", NULL, &mem, NULL), ALEA_OK);
  print_rules(program, &out);
  assert_int_equal(strncmp(out.data, "(role r)\n", 9), 0);
  assert_string_equal(out.data + 9, expected);
  alea_text_clear(&in);
  alea_text_clear(&out);
  alea_program_free(program);
  assert_int_equal(mem.used, 0);
}

static void connectives_are_expanded(void **state) {
  (void)state;
  assert_normal("(<= p)", "p\n");
  assert_normal("(<= (P) (q) R)", "(<= p q r)\n");
  assert_normal("(<= p (or a b) c)", "(<= p a c)\n(<= p b c)\n");
  assert_normal("(<= p (or a (and b (or c d))))", "(<= p a)\n(<= p b c)\n(<= p b d)\n");
  assert_normal("(<= p (not (or a b)))", "(<= p (not a) (not b))\n");
  assert_normal("(<= p (not (and a b)))", "(<= p (not a))\n(<= p (not b))\n");
  assert_normal("(<= p (not (not a)))", "(<= p a)\n");
  assert_normal("(<= p (not (or (not a) (and b c))))", "(<= p a (not b))\n(<= p a (not c))\n");
  assert_normal("(<= p (or))", "");
  assert_normal("(<= p (and))", "p\n");
  assert_normal("(<= p not q)", "(<= p not q)\n");
  assert_normal("(<= (p ?x) (q ?x) (or (distinct ?x a) (not (s ?x))))",
                "(<= (p ?v0) (q ?v0) (distinct ?v0 a))\n(<= (p ?v0) (q ?v0) (not (s ?v0)))\n");
}

static void negated_conjunctions_keep_their_scope(void **state) {
  (void)state;
  /* "No ?y is both", which is not "one of the two has no ?y". */
  assert_normal("(<= (p ?x) (q ?x) (not (and (s ?x ?y) (t ?y))))",
                "(<= (p ?v0) (q ?v0) (not (aux-1 ?v0)))\n"
                "(<= (aux-1 ?v0) (s ?v0 ?v1) (t ?v1))\n");
  /* Here ?x must be bound from outside. */
  assert_normal("(<= (p ?x) (q ?x) (not (and (s ?y) (distinct ?x ?y))))",
                "(<= (p ?v0) (q ?v0) (not (aux-1 ?v0)))\n"
                "(<= (aux-1 ?v0) (q ?v0) (s ?v1) (distinct ?v0 ?v1))\n");
}

static void equalities_are_substituted(void **state) {
  (void)state;
  assert_normal("(<= (p ?x ?y) (q ?x) (not (distinct ?y (f ?x))))",
                "(<= (p ?v0 (f ?v0)) (q ?v0))\n");
  assert_normal("(<= (p ?x) (q ?x ?y) (not (distinct ?x ?y)))", "(<= (p ?v0) (q ?v0 ?v0))\n");
  assert_normal("(<= (p ?x) (q ?x) (not (distinct a b)))", "");
  assert_normal("(<= (p ?x) (q ?x) (not (distinct (f) f)))", "");
  assert_normal("(<= (p ?x) (q ?x) (not (distinct ?x (f ?x))))", "");
  assert_normal("(<= (p ?x) (q ?x ?y) (not (distinct ?x (f ?y))) (not (distinct ?y (g ?x))))", "");
  assert_normal("(<= (p ?x) (not (distinct (f ?x b) (f a ?y))) (s ?y))", "(<= (p a) (s b))\n");
  assert_normal("(<= (p ?x) (q ?x ?y) (or (not (distinct ?x a)) (not (distinct ?x ?y))))",
                "(<= (p a) (q a ?v0))\n(<= (p ?v0) (q ?v0 ?v0))\n");
}

static void unsafe_variables_get_a_reading(void **state) {
  (void)state;
  assert_normal("(<= (legal ?p noop) (not (true (control ?p))))",
                "(<= (legal ?v0 noop) (not (true (control ?v0))) (role ?v0))\n");
  assert_normal("(<= p (not (q ?x)))", "(<= p (not aux-1))\n(<= aux-1 (q ?v0))\n");
  assert_normal("(<= (p ?x) (q ?x) (not (s ?x ?y)) (distinct ?z a))",
                "(<= (p ?v0) (q ?v0) (not (aux-1 ?v0)))\n(<= (aux-1 ?v0) (s ?v0 ?v1))\n");
  assert_normal("(legal r (roll ?d)) (<= (q ?d) (does r (roll ?d)) (die ?d)) (die 1) (die 2)",
                "(<= (legal r (roll ?v0)) (aux-1 ?v0))\n"
                "(<= (q ?v0) (does r (roll ?v0)) (die ?v0))\n(die 1)\n(die 2)\n"
                "(aux-1 1)\n(aux-1 2)\n");
  /* Terms with variables inside become rules of the domain. */
  assert_normal("(at ?x) (<= (at (f ?y)) (d ?y)) (d 1)",
                "(<= (at ?v0) (aux-1 ?v0))\n(<= (at (f ?v0)) (d ?v0))\n(d 1)\n"
                "(<= (aux-1 (f ?v0)) (aux-2 ?v0))\n(aux-2 1)\n");
}

static void aux_names_are_new(void **state) {
  (void)state;
  assert_normal("(AUX-1) (<= aux-2 (not (q ?x)))",
                "aux-1\n(<= aux-2 (not aux-3))\n(<= aux-3 (q ?v0))\n");
}

static void keywords_may_be_data(void **state) {
  (void)state;
  assert_normal(
      "(init (true (does a))) (<= (sees r (next ?x)) (true (does ?x)))"
      "(true a b) (<= terminal (next x)) (init (f)) (init f) (init not)",
      "(init (true (does a)))\n(<= (sees r (next ?v0)) (true (does ?v0)))\n"
      "(true a b)\n(<= terminal (next x))\n(init (f))\n(init f)\n(init not)\n");
}

/* An `or` of ten in each of three places would give a thousand rules. */
static void large_disjunctions_become_relations(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text text;
  alea_text_init(&text, &mem);
  alea_text_put(&text, "(role r) (<= (p ?x ?y ?z) (d ?x) (d ?y) (d ?z)");
  for (int k = 0; k < 3; k++) {
    alea_text_put(&text, " (or");
    for (int i = 0; i < 10; i++) alea_text_format(&text, " (distinct ?%c c%d)", "xyz"[k], i);
    alea_text_char(&text, ')');
  }
  alea_text_char(&text, ')');
  alea_program *program;
  assert_int_equal(alea_program_new(&program, text.data, text.length, "t", NULL, &mem, NULL),
                   ALEA_OK);
  /* One stays expanded (10 rules), two are hidden (10 each). */
  assert_int_equal(program->rules.count, 31);
  alea_text_truncate(&text, 0);
  print_rule(program, 11, &text);
  assert_string_equal(text.data, "(<= (aux-1 ?v0) (d ?v0) (distinct ?v0 c0))");
  alea_text_clear(&text);
  alea_program_free(program);
  assert_int_equal(mem.used, 0);
}

static void limits_are_statuses(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text text;
  alea_text_init(&text, &mem);
  alea_text_put(&text, "(role r) (<= (p ?x30) (q ?x0)");
  for (int i = 0; i < 30; i++)
    alea_text_format(&text, " (not (distinct ?x%d (f ?x%d ?x%d)))", i + 1, i, i);
  alea_text_char(&text, ')');
  alea_program *program;
  assert_int_equal(alea_program_new(&program, text.data, text.length, "t", NULL, &mem, NULL),
                   ALEA_LIMIT);
  assert_null(program);
  alea_program_options few = {.max_rules = 2};
  const char *three = "(role r) (p 1) (p 2)";
  assert_int_equal(alea_program_new(&program, three, strlen(three), "t", &few, &mem, NULL),
                   ALEA_LIMIT);
  alea_program_options shallow = {.max_depth = 3};
  const char *deep = "(role r) (p (f (g (h 1))))";
  assert_int_equal(alea_program_new(&program, deep, strlen(deep), "t", &shallow, &mem, NULL),
                   ALEA_LIMIT);
  alea_text_clear(&text);
  mem.limit = 4096;
  assert_int_equal(alea_program_new(&program, three, strlen(three), "t", NULL, &mem, NULL),
                   ALEA_LIMIT);
  assert_int_equal(mem.used, 0);
}

static void roles_keep_their_order(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  const char *text =
      "(role Blue) (<= (role ?x) (seat ?x ?n) (distinct ?x green) (not (out ?n)))"
      "(seat red 1) (seat green 2) (seat grey 3) (out 3) (role RANDOM) (role blue)";
  alea_program *p;
  assert_int_equal(alea_program_new(&p, text, strlen(text), "t", NULL, &mem, NULL), ALEA_OK);
  assert_int_equal(p->roles.count, 3);
  assert_string_equal(alea_symbols_text(p->symbols, p->roles.data[0]), "blue");
  assert_string_equal(alea_symbols_spelling(p->symbols, p->roles.data[0]), "Blue");
  assert_string_equal(alea_symbols_text(p->symbols, p->roles.data[1]), "red");
  assert_int_equal(p->roles.data[2], ALEA_SYM_RANDOM);
  assert_int_equal(p->random_role, 2);
  alea_program_free(p);
  assert_int_equal(mem.used, 0);
}

static void assert_class(const char *text, alea_information information, uint32_t horizon) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_program *p;
  assert_int_equal(alea_program_new(&p, text, strlen(text), "t", NULL, &mem, NULL), ALEA_OK);
  alea_class class;
  assert_int_equal(alea_classify(&class, p, &mem), ALEA_OK);
  assert_int_equal(class.information, information);
  assert_int_equal(class.horizon, horizon);
  assert_int_equal(class.has_random, strstr(text, "random") != NULL);
  alea_program_free(p);
  assert_int_equal(mem.used, 0);
}

#define TWO "(role a) (role b) "

static void information_is_classified(void **state) {
  (void)state;
  assert_class(TWO, ALEA_INFORMATION_COMPLETE, 0);
  assert_class(TWO "(role random) (sees random x)", ALEA_INFORMATION_SHARED, 0);
  assert_class(TWO "(<= (sees ?r ?m) (role ?r) (does b ?m))", ALEA_INFORMATION_SHARED, 0);
  assert_class(TWO "(role random) (<= (sees ?r ?m) (role ?r) (distinct ?r random) (does b ?m))",
               ALEA_INFORMATION_SHARED, 0);
  assert_class(TWO "(<= (sees ?r ?m) (does ?r ?m))", ALEA_INFORMATION_PRIVATE, 0);
  assert_class(TWO "(<= (sees ?r (i ?r)) (role ?r))", ALEA_INFORMATION_PRIVATE, 0);
  assert_class(TWO
               "(<= (sees a ?m) (does b ?m)) (<= (sees b ?x) (does b ?x)) (sees b k) (sees a k)",
               ALEA_INFORMATION_SHARED, 0);
  assert_class(TWO "(sees a k)", ALEA_INFORMATION_PRIVATE, 0);
  assert_class("(role a) (role random) (<= (sees a ?m) (does random ?m))", ALEA_INFORMATION_SHARED,
               0);
}

#define COUNTER "(role a) (init (step 1)) (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y)) "
#define CHAIN "(succ 1 2) (succ 2 3) (succ 3 4) "

static void horizon_is_proved_by_a_counter(void **state) {
  (void)state;
  alea_information complete = ALEA_INFORMATION_COMPLETE;
  assert_class(COUNTER CHAIN "(<= terminal (true (step 4)))", complete, 3);
  assert_class(COUNTER CHAIN "(<= terminal late) (<= late (true (step ?x)) (end ?x)) (end 3)",
               complete, 2);
  assert_class(COUNTER CHAIN "(<= terminal (true (step 4)) (true done))", complete, 0);
  assert_class(COUNTER CHAIN "(<= terminal (true (step 5)))", complete, 0);
  assert_class(COUNTER "(succ 1 2) (succ 2 1) (<= terminal (true (step 3)))", complete, 0);
  assert_class(
      "(role a) (init (s 1)) (<= (next (s 2)) (true (s 1)) (not terminal))"
      "(<= (next (s 3)) (true (s 2))) (<= terminal (true (s 3)))",
      complete, 2);
  assert_class(
      "(role a) (init (s 1)) (<= (next (s 2)) (true (s 1)) (does a go))"
      "(<= terminal (true (s 2)))",
      complete, 0);
  assert_class("(role a) (init (s 3)) (<= (next (s ?x)) (true (s ?y)) (succ ?x ?y))" CHAIN
               "(<= terminal (true (s 1)))",
               complete, 2);
}

static void components_of_a_graph(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_edge list[] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {4, 3}, {3, 5}, {5, 3}, {4, 4}};
  alea_edges edges = {list, sizeof list / sizeof *list, 0};
  uint32_t component[7];
  assert_true(alea_find_components(&edges, 7, component, &mem));
  assert_int_equal(component[0], component[1]);
  assert_int_equal(component[0], component[2]);
  assert_int_equal(component[3], component[5]);
  assert_true(component[0] > component[3] && component[4] > component[3]);
  assert_int_not_equal(component[0], component[4]);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kif_is_read_and_printed),
      cmocka_unit_test(places_count_every_kind_of_line),
      cmocka_unit_test(hrf_is_read_as_kif),
      cmocka_unit_test(hrf_is_recognised),
      cmocka_unit_test(connectives_are_expanded),
      cmocka_unit_test(negated_conjunctions_keep_their_scope),
      cmocka_unit_test(equalities_are_substituted),
      cmocka_unit_test(unsafe_variables_get_a_reading),
      cmocka_unit_test(aux_names_are_new),
      cmocka_unit_test(keywords_may_be_data),
      cmocka_unit_test(large_disjunctions_become_relations),
      cmocka_unit_test(limits_are_statuses),
      cmocka_unit_test(roles_keep_their_order),
      cmocka_unit_test(information_is_classified),
      cmocka_unit_test(horizon_is_proved_by_a_counter),
      cmocka_unit_test(components_of_a_graph),
  };
  return cmocka_run_group_tests_name("gdl", tests, NULL, NULL);
}
