/* Reading and printing .toss files.
 *
 * Every file of tests/malformed_toss says on its first line what is wrong:
 * `// expect: 3:7 unknown-relation, ...`. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "support/load.h"
#include "toss/syntax.h"

#define MALFORMED ALEA_SOURCE_DIR "/tests/malformed_toss/"
#define GAMES ALEA_SOURCE_DIR "/games/"
#define CORPUS ALEA_SOURCE_DIR "/tests/fuzz/corpus/toss/"

static char *read_file(const char *folder, const char *name, size_t *length) {
  char *text = load_file(length, "%s%s", folder, name);
  assert_non_null(text);
  return text;
}

typedef void with_text(const char *name, const char *text, size_t length, alea_mem *mem);

static void each_file(const char *folder, const char *ending, with_text *check) {
  struct dirent **names;
  int count = scandir(folder, &names, NULL, alphasort);
  assert_true(count > 2);
  for (int i = 0; i < count; i++) {
    const char *name = names[i]->d_name;
    size_t length = strlen(name), end = strlen(ending);
    if (name[0] != '.' && length >= end && strcmp(name + length - end, ending) == 0) {
      alea_mem mem;
      alea_mem_init(&mem, 0);
      size_t size;
      char *text = read_file(folder, name, &size);
      check(name, text, size, &mem);
      free(text);
      assert_int_equal(mem.used, 0);
    }
    free(names[i]);
  }
  free(names);
}

static void expect_refusal(const char *name, const char *text, size_t length, alea_mem *mem) {
  alea_diag diag;
  alea_diag_init(&diag, mem);
  alea_text found;
  alea_text_init(&found, mem);
  alea_toss_file *file;
  alea_status status = alea_toss_read(&file, text, length, name, mem, &diag);
  assert_int_equal(status, ALEA_INPUT);
  assert_null(file);
  alea_text_put(&found, "// expect: ");
  for (size_t i = 0, shown = 0; i < diag.entries.count; i++) {
    const alea_diag_entry *e = &diag.entries.data[i];
    char one[128];
    snprintf(one, sizeof one, "%u:%u %s", e->place.line, e->place.column, e->code);
    if (strstr(alea_text_string(&found), one) != NULL) continue;
    alea_text_format(&found, "%s%s", shown++ == 0 ? "" : ", ", one);
    assert_true(strlen(e->message) > 10);
  }
  alea_text_char(&found, '\n');
  if (strncmp(text, found.data, found.length) != 0) fail_msg("%s: found %s", name, found.data);
  alea_text_clear(&found);
  alea_diag_clear(&diag);
}

static void malformed(void **state) {
  (void)state;
  each_file(MALFORMED, ".toss", expect_refusal);
}

static void expect_round_trip(const char *name, const char *text, size_t length, alea_mem *mem) {
  alea_text first, second;
  alea_text_init(&first, mem);
  alea_text_init(&second, mem);
  alea_toss_file *file, *again;
  if (alea_toss_read(&file, text, length, name, mem, NULL) != ALEA_OK) fail_msg("%s", name);
  alea_toss_print(file, &first);
  if (alea_toss_read(&again, first.data, first.length, name, mem, NULL) != ALEA_OK) {
    fail_msg("%s printed is refused: %s", name, first.data);
  }
  alea_toss_print(again, &second);
  assert_string_equal(first.data, second.data);
  alea_toss_free(file);
  alea_toss_free(again);
  alea_text_clear(&first);
  alea_text_clear(&second);
}

/* Inputs of the fuzzers, of which some are refused. */
static size_t inputs_read;

static void expect_round_trip_if_read(const char *name, const char *text, size_t length,
                                      alea_mem *mem) {
  alea_toss_file *file;
  if (alea_toss_read(&file, text, length, name, mem, NULL) != ALEA_OK) return;
  alea_toss_free(file);
  expect_round_trip(name, text, length, mem);
  inputs_read++;
}

static void round_trips(void **state) {
  (void)state;
  each_file(GAMES, ".toss", expect_round_trip);
  each_file(CORPUS, "", expect_round_trip_if_read);
  assert_true(inputs_read > 0);
}

/* What is as deep as the reader allows is printed with more parentheses than it
 * was written with, and read again. */
static void deep_round_trips(void **state) {
  (void)state;
  static const char *const units[] = {"P(x) -> ", "not ", "ex y ", "all :r, :s ",
                                      "not P(x) and not "};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_text text;
    alea_text_init(&text, &mem);
    alea_text_put(&text, "PLAYERS p LOC 0 { } START [a | P:1 {} | ] REL D(x) = ");
    for (int k = 0; k < 70; k++) alea_text_put(&text, units[i]);
    alea_text_put(&text, "P(x)");
    expect_round_trip(units[i], text.data, text.length, &mem);
    alea_text_clear(&text);
    assert_int_equal(mem.used, 0);
  }
}

/* The n-th allocation fails, for n = 1, 2, ...: a status, and nothing leaks. */
static void no_memory(void **state) {
  (void)state;
  size_t length;
  char *text = read_file(CORPUS, "everything", &length);
  alea_status status = ALEA_SYSTEM;
  for (uint64_t n = 1; status != ALEA_OK; n++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    mem.fail_in = n;
    alea_toss_file *file;
    status = alea_toss_read(&file, text, length, "x", &mem, NULL);
    alea_toss_free(file);
    assert_int_equal(mem.used, 0);
    assert_true(n < 5000);
  }
  free(text);
}

static void board(void **state) {
  (void)state;
  static const char text[] = "PLAYERS p LOC 0 { } START [ | P:1 {} | ] \"\n . P\n Q+P _\n\"";
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_toss_file *file;
  alea_text out;
  alea_text_init(&out, &mem);
  assert_int_equal(alea_toss_read(&file, text, sizeof text - 1, "x", &mem, NULL), ALEA_OK);
  alea_toss_print(file, &out);
  assert_non_null(strstr(
      out.data, "START [a2, b2, a1 | P:1 {}; P(b2); Q(a1); P(a1); C(a1, a2); R(a2, b2) | ]"));
  alea_toss_free(file);
  alea_text_clear(&out);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(malformed),
      cmocka_unit_test(round_trips),
      cmocka_unit_test(deep_round_trips),
      cmocka_unit_test(no_memory),
      cmocka_unit_test(board),
  };
  return cmocka_run_group_tests_name("toss syntax", tests, NULL, NULL);
}
