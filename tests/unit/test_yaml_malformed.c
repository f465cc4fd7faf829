/* Every file of tests/malformed_yaml says on its first line what is wrong:
 *
 *     # expect: 3:7 beginning of the message */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "support/load.h"
#include "tournament/plan.h"

#define FOLDER ALEA_SOURCE_DIR "/tests/malformed_yaml/"

static void check_file(const char *name) {
  size_t length;
  char *text = load_file(&length, "%s%s", FOLDER, name);
  assert_non_null(text);
  unsigned line, column;
  int used = 0;
  assert_int_equal(sscanf(text, "# expect: %u:%u %n", &line, &column, &used), 2);
  char expected[256];
  snprintf(expected, sizeof expected, "%.*s", (int)strcspn(text + used, "\n"), text + used);
  alea_mem mem;
  alea_diag diag;
  alea_yaml_file file;
  alea_tournament_plan plan;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  alea_tournament_plan_options options = {.seats = 2, .seed = -1};
  alea_status status = alea_yaml_read(&file, text, length, name, &mem, &diag);
  if (status == ALEA_OK) {
    status = alea_tournament_plan_new(&plan, &file, file.root, &options, &mem);
    alea_tournament_plan_clear(&plan);
  }
  if (status == ALEA_OK || diag.entries.count == 0) fail_msg("%s: nothing was reported", name);
  const alea_diag_entry *entry = &diag.entries.data[0];
  if (entry->place.line != line || entry->place.column != column ||
      strncmp(entry->message, expected, strlen(expected)) != 0)
    fail_msg("%s: reported %u:%u %s", name, entry->place.line, entry->place.column, entry->message);
  assert_string_equal(entry->place.file, name);
  alea_yaml_clear(&file);
  free(text);
  alea_diag_clear(&diag);
  assert_int_equal(mem.used, 0);
}

static void every_file(void **state) {
  (void)state;
  DIR *folder = opendir(FOLDER);
  assert_non_null(folder);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    check_file(entry->d_name);
    count++;
  }
  closedir(folder);
  assert_true(count >= 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_file)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
