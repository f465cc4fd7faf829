/* The GDL layer on real rulesheets: all games of the shared corpus, compared
 * with its manifest and with what the reference validator says of them. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "gdl/check.h"
#include "gdl/hrf.h"
#include "gdl/marks.h"
#include "gdl/program.h"
#include "support/least.h"
#include "support/load.h"

#define CORPUS ALEA_SHARED_DIR "/corpus/"
/* A misplaced parenthesis makes (true (turn ?c)) a fact. */
#define BROKEN "ConnectThreeDecompositionII"

typedef struct text_file {
  char *data;
  size_t length;
} text_file;

static void skip_corpus(void) {
  print_message("skipped: no corpus at %s\n", CORPUS);
  skip();
}

static text_file read_file(const char *folder, const char *name, const char *suffix) {
  text_file result = {NULL, 0};
  result.data = load_file(&result.length, "%s%s%s%s", CORPUS, folder, name, suffix);
  return result;
}

/* Cuts the next field off '*rest'; NULL at the end. */
static char *cut(char **rest, char separator) {
  char *field = *rest;
  if (field == NULL) return NULL;
  char *end = strchr(field, separator);
  if (end != NULL) *end = '\0';
  *rest = end != NULL ? end + 1 : NULL;
  return field;
}

/* One line of manifest.tsv. */
typedef struct game {
  char name[128];
  char roles[1024];
  bool has_random, has_sees;
} game;

/* Reads the next game off '*rest'; false at the end. */
static bool next_game(char **rest, game *g) {
  char *line = cut(rest, '\n');
  if (line == NULL || *line == '\0') return false;
  char *column[12] = {0};
  for (int i = 0; i < 12; i++) column[i] = cut(&line, '\t');
  assert_non_null(column[5]);
  snprintf(g->name, sizeof g->name, "%s", column[0]);
  snprintf(g->roles, sizeof g->roles, "%s", column[3]);
  g->has_random = strchr("yY1tT", column[4][0]) != NULL;
  g->has_sees = strchr("yY1tT", column[5][0]) != NULL;
  return true;
}

static void for_each_game(void (*visit)(const game *g, const text_file *rules)) {
  text_file manifest = read_file("", "manifest.tsv", "");
  if (manifest.data == NULL) skip_corpus();
  char *rest = manifest.data;
  cut(&rest, '\n'); /* the heading */
  game g;
  size_t count = 0;
  for (; next_game(&rest, &g); count++) {
    text_file rules = read_file("games/", g.name, ".kif");
    assert_non_null(rules.data);
    visit(&g, &rules);
    free(rules.data);
  }
  free(manifest.data);
  print_message("%zu games\n", count);
  expect_at_least(290, count, "games", NULL);
}

/* What the header promises of every rule. */
static void mark_variables(const alea_program *p, alea_rule_node_id node, alea_marks *marks) {
  const alea_rule_node *n = &p->nodes.data[node];
  if (n->kind == ALEA_NODE_VARIABLE) assert_true(alea_marks_set(marks, n->name, 1));
  for (uint32_t i = 0; i < n->arg_count; i++)
    mark_variables(p, alea_program_args(p, node)[i], marks); /* at most 256 deep */
}

static void check_rule(const alea_program *p, const alea_rule *rule, alea_marks *marks) {
  alea_marks_reset(marks);
  for (uint32_t i = 0; i < rule->literal_count; i++) {
    const alea_literal *l = &p->literals.data[rule->first_literal + i];
    if (l->kind == ALEA_LITERAL_TRUE) mark_variables(p, l->atom, marks);
    if (l->kind != ALEA_LITERAL_DISTINCT)
      assert_int_not_equal(p->nodes.data[l->atom].kind, ALEA_NODE_VARIABLE);
  }
  for (uint32_t v = 0; v < rule->variable_count; v++) assert_true(alea_marks_has(marks, v));
}

static void check_roles(const alea_program *p, const game *g) {
  char names[1024] = "";
  for (size_t i = 0; i < p->roles.count; i++) {
    size_t length = strlen(names);
    snprintf(names + length, sizeof names - length, "%s%s", i == 0 ? "" : ",",
             alea_symbols_text(p->symbols, p->roles.data[i]));
  }
  assert_string_equal(names, g->roles);
  assert_int_equal(p->random_role >= 0, g->has_random);
  assert_int_equal(p->has_sees, g->has_sees);
}

static void build_game(const game *g, const text_file *rules) {
  alea_mem mem;
  alea_diag diag;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  alea_program *p;
  alea_status status = alea_program_new(&p, rules->data, rules->length, g->name, NULL, &mem, &diag);
  if (strcmp(g->name, BROKEN) == 0) {
    assert_int_equal(status, ALEA_INPUT);
    assert_string_equal(diag.entries.data[0].code, "keyword-defined");
  } else {
    if (status != ALEA_OK) fail_msg("%s: %s", g->name, diag.entries.data[0].message);
    alea_marks marks;
    alea_marks_init(&marks, &mem);
    for (size_t i = 0; i < p->rules.count; i++) check_rule(p, &p->rules.data[i], &marks);
    alea_marks_clear(&marks);
    check_roles(p, g);
  }
  alea_program_free(p);
  alea_diag_clear(&diag);
  assert_int_equal(mem.used, 0);
}

static void all_games_are_read(void **state) {
  (void)state;
  for_each_game(build_game);
}

static void print_all(const char *text, size_t length, bool spelling, alea_text *out) {
  alea_mem *mem = out->mem;
  alea_symbols *symbols = alea_symbols_new(mem);
  alea_sexprs list = {.mem = mem};
  assert_int_equal(alea_gdl_read(&list, text, length, NULL, NULL, symbols, NULL), ALEA_OK);
  for (uint32_t i = 0; i < list.items.count; i = list.items.data[i].after) {
    alea_sexprs_print(&list, i, symbols, spelling, out);
    alea_text_char(out, '\n');
  }
  alea_sexprs_clear(&list);
  alea_symbols_free(symbols);
}

static void round_trip(const game *g, const text_file *rules) {
  (void)g;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text once, twice;
  alea_text_init(&once, &mem);
  alea_text_init(&twice, &mem);
  for (int spelling = 0; spelling < 2; spelling++) {
    alea_text_truncate(&once, 0);
    alea_text_truncate(&twice, 0);
    print_all(rules->data, rules->length, spelling != 0, &once);
    print_all(once.data, once.length, spelling != 0, &twice);
    assert_string_equal(once.data, twice.data);
  }
  alea_text_clear(&once);
  alea_text_clear(&twice);
  assert_int_equal(mem.used, 0);
}

static void printing_and_reading_agree(void **state) {
  (void)state;
  for_each_game(round_trip);
}

/* Errors that we see under strict rules and the reference does not: it does
 * not look for negation through recursion, and takes `and` for a relation. */
static bool is_ours_alone(const char *code) {
  return strcmp(code, "unstratified-negation") == 0 || strcmp(code, "and-in-body") == 0;
}

static void compare_with_reference(const char *name, bool reference_ok) {
  text_file rules = read_file("games/", name, ".kif");
  assert_non_null(rules.data);
  alea_mem mem;
  alea_diag diag;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  alea_status status = alea_check_text(rules.data, rules.length, name, true, &mem, &diag);
  size_t errors = 0;
  for (size_t i = 0; i < diag.entries.count; i++)
    if (diag.entries.data[i].severity == ALEA_ERROR && !is_ours_alone(diag.entries.data[i].code))
      errors++;
  if ((errors == 0) != reference_ok) fail_msg("%s: %zu errors", name, errors);
  assert_true((status == ALEA_OK) == (diag.errors == 0));
  alea_diag_clear(&diag);
  assert_int_equal(mem.used, 0);
  free(rules.data);
}

static void validity_is_that_of_the_reference(void **state) {
  (void)state;
  text_file lines = read_file("", "validation.jsonl", "");
  if (lines.data == NULL) skip_corpus();
  char *rest = lines.data;
  size_t games = 0;
  for (char *line = cut(&rest, '\n'); line && *line; line = cut(&rest, '\n'), games++) {
    json_t *record = json_loads(line, 0, NULL);
    assert_non_null(record);
    compare_with_reference(json_string_value(json_object_get(record, "name")),
                           json_array_size(json_object_get(record, "errors")) == 0);
    json_decref(record);
  }
  free(lines.data);
  expect_at_least(290, games, "games", NULL);
}

static void check_case(const char *rules_name, const char *expect) {
  text_file rules = read_file("conformance/kif/", rules_name, "");
  assert_non_null(rules.data);
  alea_mem mem;
  alea_diag diag;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  alea_status status = alea_check_text(rules.data, rules.length, rules_name, true, &mem, &diag);
  print_message("%s: %s\n", rules_name, expect);
  assert_int_equal(status, strcmp(expect, "error") == 0 ? ALEA_NO : ALEA_OK);
  if (strcmp(expect, "warnings") == 0) assert_true(diag.warnings > 0);
  alea_diag_clear(&diag);
  assert_int_equal(mem.used, 0);
  free(rules.data);
}

static void conformance_cases(void **state) {
  (void)state;
  text_file text = read_file("conformance/", "cases.json", "");
  if (text.data == NULL) skip_corpus();
  json_t *root = json_loads(text.data, 0, NULL);
  assert_non_null(root);
  size_t index, checked = 0;
  json_t *test;
  json_array_foreach(json_object_get(root, "cases"), index, test) {
    if (strcmp(json_string_value(json_object_get(test, "kind")), "validate") != 0) continue;
    check_case(json_string_value(json_object_get(test, "rules")),
               json_string_value(json_object_get(test, "expect")));
    checked++;
  }
  expect_at_least(5, checked, "cases", NULL);
  json_decref(root);
  free(text.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_games_are_read),
      cmocka_unit_test(printing_and_reading_agree),
      cmocka_unit_test(validity_is_that_of_the_reference),
      cmocka_unit_test(conformance_cases),
  };
  return cmocka_run_group_tests_name("gdl corpus", tests, NULL, NULL);
}
