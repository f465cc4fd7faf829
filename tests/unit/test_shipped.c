/* Finding shipped games: by name, by another name, and not at all. */
#include <string.h>

#include "cmocka_all.h"
#include "gdl/header_comment.h"
#include "match/shipped.h"

static void assert_found(const char *name, const char *file) {
  const alea_shipped_file *found = alea_shipped_find(name);
  assert_non_null(found);
  assert_string_equal(found->file, file);
}

static void found_by_name(void **state) {
  (void)state;
  assert_found("reversi", "reversi.kif");
  assert_found("othello", "reversi.kif");
  assert_found("oware", "awale.kif");
  assert_null(alea_shipped_find("othell"));
  assert_null(alea_shipped_find("also:"));
  assert_null(alea_shipped_find(""));
}

/* A name leads to one game, whichever kind of name it is. */
static void names_differ(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  size_t others = 0;
  for (size_t i = 0; i < alea_shipped_file_count; i++) {
    const alea_shipped_file *file = &alea_shipped_files[i];
    alea_text also;
    alea_text_init(&also, &mem);
    if (alea_header_comment((const char *)file->bytes, "also", &also)) {
      char names[256];
      assert_true(also.length < sizeof names);
      strcpy(names, alea_text_string(&also));
      for (char *name = strtok(names, ", "); name != NULL; name = strtok(NULL, ", ")) {
        assert_ptr_equal(alea_shipped_find(name), file);
        others++;
      }
    }
    alea_text_clear(&also);
  }
  assert_true(others > 0);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(found_by_name),
      cmocka_unit_test(names_differ),
  };
  return cmocka_run_group_tests_name("shipped", tests, NULL, NULL);
}
