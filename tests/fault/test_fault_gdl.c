/* The N-th allocation fails, for every N until all succeed: the GDL layer
 * must report it, leak nothing and not crash. */
#include <string.h>

#include "cmocka_all.h"
#include "gdl/check.h"
#include "gdl/classify.h"

/* Every station has work to do: expansion, hidden disjunctions, equalities,
 * projected negations, domains with rules, role rules, counters. */
static const char kif[] =
    "(role random) (<= (role ?x) (seat ?x ?n) (distinct ?x green) (not (out ?n)))\n"
    "(seat red 1) (seat green 2) (out 3)\n"
    "(init (step 1)) (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))\n"
    "(succ 1 2) (succ 2 3) (<= terminal (true (step 3)))\n"
    "(<= (legal ?p noop) (not (true (control ?p ?q))))\n"
    "(legal random (roll ?d)) (<= (roll ?d) (does random (roll ?d)) (at (f ?d)))\n"
    "(at ?x) (<= (at (f ?y)) (succ ?y ?z)) (at (g (h 1)))\n"
    "(<= (goal red 100) (not (distinct (f ?x b) (f ?y ?z))) (seat ?y 1) (seat ?z 2))\n"
    "(<= (p ?x ?y) (succ ?x ?y) (not (and (seat ?z ?x) (seat ?z ?y)))\n"
    "  (or (distinct ?x 1) (distinct ?x 2) (distinct ?x 3) (not (p ?x 4)) (p ?y 5))\n"
    "  (or (distinct ?x 1) (distinct ?x 2) (distinct ?x 3) (distinct ?x 4) (p ?y 5))\n"
    "  (or (distinct ?y 1) (distinct ?y 2) (and (distinct ?y 3) (or (p ?x 1) (p ?y 2)))))\n"
    "(<= (sees red ?m) (does random ?m)) (<= (sees green ?m) (does random ?m))\n";

static const char hrf[] =
    "role(white) role(black)\n"
    "legal(W,mark(X,_)) :- true(cell(X,b)) & ~(busy(W) | ~free(X)) & (a | b(W))\n"
    "terminal :- line(x) | ~open & ~~p(VeryLongVariable)\n";

/* Something to report for every check of what the rules can mean. */
static const char slips[] =
    "(role red) (role blue) (init (count 0)) (init (contol red)) (succ 0 1) (succ 1 2)\n"
    "(<= (legal ?p (go ?x)) (true (count ?x)) (role ?p)) (<= (legal redd (go 1)) (true (contrl "
    "red)))\n"
    "(<= (next (count ?y)) (true (count ?x)) (succ ?x ?y) (not (does red (og ?x))))\n"
    "(<= terminal (or (true (count 2)) lost)) (<= lost (true (count O))) (<= (goal red 0) lost)\n"
    "(<= (goal ?p 100) (role ?p) (true (count 2)) (undefind ?p))\n";

/* Runs everything once; true when no allocation failed. */
static bool run_once(const char *text, uint64_t fail_in) {
  alea_mem mem;
  alea_diag diag;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  mem.fail_in = fail_in;
  alea_program *program = NULL;
  alea_class class;
  alea_status status = alea_program_new(&program, text, strlen(text), "t", NULL, &mem, &diag);
  assert_true((status == ALEA_OK) == (program != NULL));
  if (status == ALEA_OK) status = alea_classify(&class, program, &mem);
  if (status == ALEA_OK) status = alea_check_text(text, strlen(text), "t", false, &mem, &diag);
  assert_true(status == ALEA_OK || status == ALEA_SYSTEM);
  bool untouched = mem.fail_in != 0 || fail_in == 0;
  if (untouched) assert_int_equal(status, ALEA_OK);
  alea_program_free(program);
  alea_diag_clear(&diag);
  assert_int_equal(mem.used, 0);
  return untouched;
}

static void run_all(const char *text) {
  assert_true(run_once(text, 0));
  uint64_t n = 1;
  while (!run_once(text, n)) n++;
  print_message("%llu allocations\n", (unsigned long long)(n - 1));
  assert_true(n > 20);
}

static void kif_survives_every_failure(void **state) {
  (void)state;
  run_all(kif);
}

static void hrf_survives_every_failure(void **state) {
  (void)state;
  run_all(hrf);
}

static void slips_survive_every_failure(void **state) {
  (void)state;
  run_all(slips);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kif_survives_every_failure),
      cmocka_unit_test(hrf_survives_every_failure),
      cmocka_unit_test(slips_survive_every_failure),
  };
  return cmocka_run_group_tests_name("gdl faults", tests, NULL, NULL);
}
