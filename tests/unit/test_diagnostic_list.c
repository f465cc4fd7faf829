/* The list of diagnostics in docs/FIRST-GAME.md: one row for each code of the
 * tables in gdl/report.h and match/witness.h, with its severity and meaning, an
 * example and a cure, and no other rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "gdl/report.h"
#include "match/witness.h"
#include "support/load.h"

enum { COUNT = ALEA_CODE_COUNT + ALEA_WITNESS_KIND_COUNT };

/* How the row of code number i begins. */
static void make_start(int i, char *out, size_t size) {
  alea_code code = (alea_code)i;
  if (i < ALEA_CODE_COUNT) {
    const char *severity = alea_code_severity(code, true) == ALEA_ERROR ? "error" : "warning";
    (void)snprintf(out, size, "| `%s` | %s | %s | ", alea_code_text(code), severity,
                   alea_code_meaning(code));
  } else {
    alea_witness_kind kind = (alea_witness_kind)(i - ALEA_CODE_COUNT);
    (void)snprintf(out, size, "| `%s` | play | %s | ", alea_witness_code(kind),
                   alea_witness_meaning(kind));
  }
}

/* The rest of a row holds an example and a cure, neither of them empty. */
static void check_rest(const char *rest, const char *start) {
  size_t length = strcspn(rest, "\n");
  const char *bar = strstr(rest, " | ");
  if (bar == NULL || bar == rest || bar + 5 >= rest + length || rest[length - 1] != '|')
    fail_msg("the row `%s` lacks an example or a cure", start);
}

static void all_codes_are_listed(void **state) {
  (void)state;
  size_t length;
  char *text = load_file(&length, "%s/docs/FIRST-GAME.md", ALEA_SOURCE_DIR);
  assert_non_null(text);
  char *list = strstr(text, "## Everything that check says");
  assert_non_null(list);
  for (int i = 0; i < COUNT; i++) {
    char start[512];
    make_start(i, start, sizeof start);
    const char *row = strstr(list, start);
    if (row == NULL) fail_msg("docs/FIRST-GAME.md has no row `%s`", start);
    check_rest(row + strlen(start), start);
  }
  int rows = 0;
  for (const char *row = list; (row = strstr(row, "\n| `")) != NULL; row++) rows++;
  assert_int_equal(rows, COUNT);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_codes_are_listed)};
  return cmocka_run_group_tests_name("diagnostic_list", tests, NULL, NULL);
}
