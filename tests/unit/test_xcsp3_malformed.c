/* One malformed XCSP3 instance per complaint: tests/malformed/xcsp3/NAME.xml
 * opens with a comment that says which line and which words are expected. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csp/xcsp3/xcsp3.h"
#include "support/load.h"

static void check(const char *name) {
  char words[256];
  unsigned line;
  size_t length;
  char *text = load_file(&length, "%s/tests/malformed/xcsp3/%s", ALEA_SOURCE_DIR, name);
  assert_non_null(text);
  assert_int_equal(sscanf(text, "<!-- expect %u: %255[^\n]", &line, words), 2);
  char *end = strstr(words, " -->");
  assert_non_null(end);
  *end = '\0';
  alea_mem mem;
  alea_diag diag;
  alea_xcsp3 instance;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  if (alea_xcsp3_read(&instance, &mem, text, length, name, &diag) != ALEA_INPUT)
    fail_msg("%s was not refused", name);
  assert_int_equal(diag.entries.count, 1);
  const alea_diag_entry *entry = &diag.entries.data[0];
  if (entry->place.line != line || strstr(entry->message, words) == NULL)
    fail_msg("%s: line %u: %s\n instead of line %u: %s", name, entry->place.line, entry->message,
             line, words);
  alea_diag_clear(&diag);
  free(text);
  assert_int_equal(mem.used, 0);
}

static void every_mistake_is_named(void **state) {
  (void)state;
  DIR *folder = opendir(ALEA_SOURCE_DIR "/tests/malformed/xcsp3");
  assert_non_null(folder);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    size_t length = strlen(entry->d_name);
    if (length < 4 || strcmp(entry->d_name + length - 4, ".xml") != 0) continue;
    check(entry->d_name);
    count++;
  }
  closedir(folder);
  assert_true(count > 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_mistake_is_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
