/* Every file of tests/malformed says on its first line what is wrong with it:
 *
 *     ; expect: 3:7 error unsafe-variable, 4:1 warning unused-relation
 *
 * with the severities for play; under strict rules the same must be reported
 * with those of the table in gdl/report.h.  A second line `; max-bytes: N`
 * reads the file under that limit. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "gdl/check.h"
#include "gdl/program.h"
#include "gdl/report.h"
#include "support/least.h"
#include "support/load.h"

#define FOLDER ALEA_SOURCE_DIR "/tests/malformed/"

static bool covered[ALEA_CODE_COUNT];

static alea_code find_code(const char *text) {
  for (int i = 0; i < ALEA_CODE_COUNT; i++)
    if (strcmp(alea_code_text((alea_code)i), text) == 0) return (alea_code)i;
  fail_msg("'%s' is not in the table of codes", text);
  return ALEA_CODE_COUNT;
}

/* What was reported, in the words of an `expect` line. */
static void print_entries(const alea_diag *diag, alea_text *out) {
  for (size_t i = 0; i < diag->entries.count; i++) {
    const alea_diag_entry *e = &diag->entries.data[i];
    alea_text_format(out, "%s%u:%u %s %s", i == 0 ? "" : ", ", (unsigned)e->place.line,
                     (unsigned)e->place.column, e->severity == ALEA_ERROR ? "error" : "warning",
                     e->code);
    covered[find_code(e->code)] = true;
  }
}

/* The same line as it must read under strict rules. */
static void make_strict(const char *expected, alea_text *out) {
  char copy[2048];
  snprintf(copy, sizeof copy, "%s", expected);
  char *rest = NULL;
  for (char *part = strtok_r(copy, ",", &rest); part; part = strtok_r(NULL, ",", &rest)) {
    char place[32], severity[16], code[64];
    assert_int_equal(sscanf(part, "%31s %15s %63s", place, severity, code), 3);
    bool error = alea_code_severity(find_code(code), true) == ALEA_ERROR;
    alea_text_format(out, "%s%s %s %s", out->length == 0 ? "" : ", ", place,
                     error ? "error" : "warning", code);
  }
}

static void run_check(const char *name, const char *text, size_t length, bool strict,
                      size_t max_bytes, const char *expected) {
  alea_mem mem;
  alea_diag diag;
  alea_text found;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  alea_text_init(&found, &mem);
  alea_program *program = NULL;
  alea_status status;
  if (max_bytes > 0) {
    alea_program_options options = {.max_bytes = max_bytes, .strict = strict};
    status = alea_program_new(&program, text, length, name, &options, &mem, &diag);
  } else {
    status = alea_check_text(text, length, name, strict, &mem, &diag);
  }
  print_entries(&diag, &found);
  assert_string_equal(alea_text_string(&found), expected);
  assert_true((status == ALEA_OK) == (diag.errors == 0));
  alea_program_free(program);
  alea_text_clear(&found);
  alea_diag_clear(&diag);
  assert_int_equal(mem.used, 0);
}

/* What may not be played must be refused, and only that. */
static void run_program(const char *name, const char *text, size_t length, bool refused) {
  alea_mem mem;
  alea_program *program;
  alea_mem_init(&mem, 0);
  alea_status status = alea_program_new(&program, text, length, name, NULL, &mem, NULL);
  if ((status != ALEA_OK) != refused) fail_msg("%s: status %d", name, (int)status);
  alea_program_free(program);
  assert_int_equal(mem.used, 0);
}

static void check_file(const char *name) {
  static const char prefix[] = "; expect: ";
  char expected[2048];
  size_t length;
  char *text = load_file(&length, "%s%s", FOLDER, name);
  assert_non_null(text);
  print_message("%s\n", name);
  assert_int_equal(strncmp(text, prefix, sizeof prefix - 1), 0);
  size_t end = strcspn(text, "\n");
  snprintf(expected, sizeof expected, "%.*s", (int)(end - sizeof prefix + 1),
           text + sizeof prefix - 1);
  unsigned long max_bytes = 0;
  if (sscanf(text + end, "\n; max-bytes: %lu", &max_bytes) != 1) max_bytes = 0;
  run_check(name, text, length, false, max_bytes, expected);
  alea_mem mem;
  alea_text strict;
  alea_mem_init(&mem, 0);
  alea_text_init(&strict, &mem);
  make_strict(expected, &strict);
  run_check(name, text, length, true, max_bytes, alea_text_string(&strict));
  alea_text_clear(&strict);
  if (max_bytes == 0) run_program(name, text, length, strstr(expected, "error") != NULL);
  free(text);
}

/* Hidden files and the folders of other formats are not for this test. */
static int skip_hidden(const struct dirent *entry) {
  return entry->d_name[0] != '.' && strchr(entry->d_name, '.') != NULL;
}

static void all_files(void **state) {
  (void)state;
  struct dirent **names;
  int count = scandir(FOLDER, &names, skip_hidden, alphasort);
  expect_at_least(50, (unsigned long)(count < 0 ? 0 : count), "files", NULL);
  for (int i = 0; i < count; i++) {
    check_file(names[i]->d_name);
    free(names[i]);
  }
  free(names);
}

static void all_codes_have_a_file(void **state) {
  (void)state;
  for (int i = 0; i < ALEA_CODE_COUNT; i++)
    if (!covered[i])
      fail_msg("no file in tests/malformed expects '%s'", alea_code_text((alea_code)i));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_files),
      cmocka_unit_test(all_codes_have_a_file),
  };
  return cmocka_run_group_tests_name("malformed", tests, NULL, NULL);
}
