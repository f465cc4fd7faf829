/* Matching and rewriting, clause by clause of [TOSS10 §1, §3], each
 * on a small structure drawn in the test. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "toss/rules.h"

typedef struct bench {
  alea_mem mem;
  alea_toss_file *file;
  alea_toss_rules *rules;
  alea_toss_structure *structure;
  alea_toss_env env;
  alea_toss_matches matches;
} bench;

/* One rule called Rule, and a start. */
static void open(bench *b, const char *rule, const char *start) {
  char text[4096];
  snprintf(text, sizeof text,
           "PLAYERS p RULE Rule: %s LOC 0 { PLAYER p { MOVES [Rule -> 0] } } START %s", rule,
           start);
  memset(b, 0, sizeof *b);
  alea_mem_init(&b->mem, 0);
  alea_diag diag;
  alea_diag_init(&diag, &b->mem);
  if (alea_toss_read(&b->file, text, strlen(text), "test", &b->mem, &diag) != ALEA_OK) {
    fail_msg("%s: %s", text, diag.entries.data[0].message);
  }
  alea_diag_clear(&diag);
  assert_int_equal(alea_toss_rules_new(&b->rules, b->file, 8, false, &b->mem, NULL), ALEA_OK);
  b->structure = alea_toss_rules_structure(b->rules, &b->mem);
  assert_non_null(b->structure);
  assert_true(alea_toss_structure_copy(b->structure, b->rules->start));
  assert_int_equal(alea_toss_env_init(&b->env, &b->rules->logic, b->structure, &b->mem), ALEA_OK);
  assert_int_equal(alea_toss_match(b->rules, 0, &b->env, &b->matches), ALEA_OK);
}

static void close(bench *b) {
  alea_toss_env_clear(&b->env);
  alea_vec_clear(&b->mem, &b->matches);
  alea_toss_structure_free(b->structure);
  alea_toss_rules_free(b->rules);
  alea_toss_free(b->file);
  assert_int_equal(b->mem.used, 0);
}

static const char *element(const bench *b, uint32_t e, char *buffer) {
  if (e < b->file->start.elements.count) {
    return alea_toss_text(b->file, b->file->start.elements.data[e]);
  }
  sprintf(buffer, "n%u", e);
  return buffer;
}

static int compare(const void *a, const void *b) { return strcmp(a, b); }

/* The structure as text: live elements, then tuples in order. */
static void draw(const bench *b, char *out) {
  static char tuples[64][64];
  size_t count = 0;
  char name[16];
  *out = '\0';
  for (uint32_t e = 0; e < b->structure->capacity; e++) {
    if (!b->structure->alive[e]) continue;
    if (*out != '\0') strcat(out, " ");
    strcat(out, element(b, e, name));
  }
  for (uint32_t r = 0; r < b->structure->relation_count; r++) {
    const alea_toss_table *t = &b->structure->tables[r];
    for (uint32_t slot = 0; slot < t->slot_count; slot++) {
      if (!t->used[slot]) continue;
      char *text = tuples[count++];
      sprintf(text, " %s(", alea_toss_text(b->file, b->file->relations.data[r].name));
      for (uint32_t i = 0; i < t->arity; i++) {
        if (i > 0) strcat(text, ",");
        strcat(text, element(b, alea_toss_table_tuple(t, slot)[i], name));
      }
      strcat(text, ")");
    }
  }
  qsort(tuples, count, sizeof *tuples, compare);
  strcat(out, " |");
  for (size_t i = 0; i < count; i++) strcat(out, tuples[i]);
}

/* The matches as text: `a,b; b,c`. */
static void expect_matches(const char *rule, const char *start, const char *expected) {
  bench b;
  open(&b, rule, start);
  char found[1024] = "", name[16];
  uint32_t width = b.rules->patterns[0].left_count;
  for (size_t i = 0; i < b.matches.count; i++) {
    if (i > 0) strcat(found, i % width == 0 ? "; " : ",");
    strcat(found, element(&b, b.matches.data[i], name));
  }
  assert_string_equal(found, expected);
  close(&b);
}

/* Rewrites at the first match. */
static void expect_result(const char *rule, const char *start, const char *expected) {
  bench b;
  open(&b, rule, start);
  assert_true(b.matches.count != 0);
  uint32_t images[ALEA_TOSS_MOST_SIDE], match[ALEA_TOSS_MOST_SIDE];
  memcpy(match, b.matches.data, b.rules->patterns[0].left_count * sizeof *match);
  assert_int_equal(alea_toss_rewrite(b.rules, 0, &b.env, b.structure, match, images), ALEA_OK);
  char found[4096];
  draw(&b, found);
  assert_string_equal(found, expected);
  close(&b);
}

/* a -> b -> c, with P on a */
#define CHAIN "[a, b, c | P(a); E(a, b); E(b, c) | ]"

static void matching(void **state) {
  (void)state;
  expect_matches("[x, y | E(x, y) | ] -> [x, y | | ]", CHAIN, "a,b; b,c");
  /* injective: no element twice */
  expect_matches("[x, y | E(x, y) | ] -> [x, y | | ]", "[a | E(a, a) | ]", "");
  /* positive: more may hold than is drawn */
  expect_matches("[x | | ] -> [x | P(x) | ]", CHAIN, "a; b; c");
  /* exact: what is not drawn must not hold */
  expect_matches("[x | | ] -> [x | P(x) | ] emb P", CHAIN, "b; c");
  expect_matches("[x | P(x) | ] -> [x | | ] emb P", CHAIN, "a");
  /* exact for pairs: in both directions, and loops */
  expect_matches("[x, y | E(x, y) | ] -> [x, y | | ] emb E",
                 "[a, b, c | E {(a, b); (b, a); (b, c)} | ]", "b,c");
  expect_matches("[x, y | | ] -> [x, y | | ] emb E", CHAIN, "a,c; c,a");
  /* optional tuples may hold or not */
  expect_matches("[x, y | E(x, y); _opt_P(x) | ] -> [x, y | | ] emb P", CHAIN, "a,b; b,c");
  expect_matches("[x, y | E(x, y) | ] -> [x, y | | ] emb P", CHAIN, "b,c");
  /* the precondition knows the left elements */
  expect_matches("[x | | ] -> [x | | ] pre ex y E(y, x)", CHAIN, "b; c");
}

static void rewriting(void **state) {
  (void)state;
  /* a tic-tac-toe move changes only P; rows and columns stay */
  expect_result("[x | | ] -> [x | P(x) | ] emb P, Q", "[a, b | R(a, b); P:1 {}; Q:1 {} | ]",
                "a b | P(a) R(a,b)");
  /* moving a piece */
  expect_result("[x, y | P(x); E(x, y) | ] -> [x, y | P(y) | ] emb P", CHAIN,
                "a b c | E(a,b) E(b,c) P(b)");
  /* inside the match: exact relations are as drawn, others keep their tuples */
  expect_result("[x, y | E(x, y) | ] -> [x, y | E(y, x) | ] emb E", CHAIN,
                "a b c | E(b,a) E(b,c) P(a)");
  expect_result("[x, y | E(x, y) | ] -> [x, y | E(y, x) | ]", CHAIN,
                "a b c | E(a,b) E(b,a) E(b,c) P(a)");
  /* deletion takes the dangling tuples along */
  expect_result("[x, y | E(x, y); P(x) | ] -> [x | | ]", CHAIN, "a c | P(a)");
  /* a new element is unconnected */
  expect_result("[x | P(x) | ] -> [x, z | | ]", CHAIN, "a b c n3 | E(a,b) E(b,c) P(a)");
  expect_result("[x | P(x) | ] -> [z | | ]", CHAIN, "b c n3 | E(b,c)");
  expect_result("[x | P(x) | ] -> [z | | ] with [z <- x]", CHAIN, "a b c | E(a,b) E(b,c) P(a)");
}

static void copying(void **state) {
  (void)state;
  /* both copies inherit the connections to the context */
  expect_result("[x | P(x) | ] -> [y, z | | ] with [y <- x, z <- x] emb P",
                "[a, b | P(a); E {(a, b); (b, a)} | ]", "a b n2 | E(a,b) E(b,a) E(b,n2) E(n2,b)");
  /* positive relations also inherit a loop, in all ways */
  expect_result("[x | P(x) | ] -> [y, z | | ] with [y <- x, z <- x] emb P",
                "[a | P(a); E(a, a) | ]", "a n1 | E(a,a) E(a,n1) E(n1,a) E(n1,n1)");
  /* exact ones do not: no element of the tuple survives from outside */
  expect_result("[x | P(x); E(x, x) | ] -> [y, z | | ] with [y <- x, z <- x] emb P, E",
                "[a, b | P(a); E {(a, a); (a, b)} | ]", "a b n2 | E(a,b) E(n2,b)");
}

static void labels(void **state) {
  (void)state;
  bench b;
  open(&b, "[x, y | E(x, y) | ] -> [x, y, z | | ] update :v(x) = :v(y) + 1; :v(z) = 2 * :v(x)",
       "[a, b | E(a, b) | v {a -> 3, b -> 5}]");
  uint32_t images[ALEA_TOSS_MOST_SIDE], match[2] = {0, 1};
  assert_int_equal(alea_toss_rewrite(b.rules, 0, &b.env, b.structure, match, images), ALEA_OK);
  assert_true(b.structure->values[images[0]].lo == 6 && b.structure->values[images[0]].hi == 6);
  assert_true(b.structure->values[images[1]].lo == 5); /* kept */
  assert_true(b.structure->values[images[2]].lo == 6); /* from the old values */
  close(&b);
}

/* The post-condition speaks of the right elements. */
static void post(void **state) {
  (void)state;
  bench b;
  open(&b, "[x | | ] -> [x, z | E(x, z) | ] post ex u (E(u, z) and u = x)", "[a | E:2 {} | ]");
  uint32_t images[ALEA_TOSS_MOST_SIDE], match[1] = {0};
  assert_int_equal(alea_toss_rewrite(b.rules, 0, &b.env, b.structure, match, images), ALEA_OK);
  assert_true(alea_toss_post_holds(b.rules, 0, &b.env, images));
  uint32_t tuple[2] = {images[0], images[1]};
  alea_toss_structure_remove(b.structure, 0, tuple);
  assert_false(alea_toss_post_holds(b.rules, 0, &b.env, images));
  close(&b);
}

static void too_many_elements(void **state) {
  (void)state;
  bench b;
  open(&b, "[x | | ] -> [x, z | | ]", "[a | | ]");
  uint32_t images[ALEA_TOSS_MOST_SIDE], match[1] = {0};
  alea_status status = ALEA_OK;
  for (int i = 0; i < 9; i++) {
    status = alea_toss_rewrite(b.rules, 0, &b.env, b.structure, match, images);
  }
  assert_int_equal(status, ALEA_LIMIT);
  close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matching), cmocka_unit_test(rewriting), cmocka_unit_test(copying),
      cmocka_unit_test(labels),   cmocka_unit_test(post),      cmocka_unit_test(too_many_elements),
  };
  return cmocka_run_group_tests_name("toss rewriting", tests, NULL, NULL);
}
