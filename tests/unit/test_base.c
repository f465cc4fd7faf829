/* The base layer: statuses, memory ledger, symbols, random numbers, text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/diag.h"
#include "base/rng.h"
#include "base/symbols.h"
#include "base/text.h"
#include "base/vec.h"

/* What is none or not supported is a "no" to the shell; the rest is itself. */
static void exit_statuses(void **state) {
  (void)state;
  for (alea_status status = ALEA_OK; status <= ALEA_SYSTEM; status++)
    assert_int_equal(alea_status_exit(status), status);
  assert_int_equal(alea_status_exit(ALEA_NONE), ALEA_NO);
  assert_int_equal(alea_status_exit(ALEA_UNSUPPORTED), ALEA_NO);
  for (alea_status status = ALEA_OK; status <= ALEA_UNSUPPORTED; status++)
    assert_string_not_equal(alea_status_text(status), "unknown");
}

static void mem_counts_and_limits(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 100);
  void *a = alea_mem_alloc(&mem, 60);
  assert_non_null(a);
  assert_null(alea_mem_alloc(&mem, 41));
  assert_true(mem.hit_limit);
  a = alea_mem_resize(&mem, a, 60, 100);
  assert_non_null(a);
  alea_mem_free(&mem, a, 100);
  assert_int_equal(mem.used, 0);
  assert_int_equal(mem.peak, 100);
}

static void mem_given_up_grows_no_more(void **state) {
  (void)state;
  alea_mem mem, other;
  atomic_bool given_up = false;
  alea_mem_init(&mem, 0);
  mem.given_up = &given_up;
  alea_mem_init_with(&other, 100, &mem);
  void *block = alea_mem_alloc(&other, 60);
  assert_non_null(block);
  atomic_store(&given_up, true);
  assert_true(alea_mem_given_up(&mem) && alea_mem_given_up(&other));
  assert_null(alea_mem_alloc(&mem, 1));
  assert_int_equal(alea_mem_lack(&mem), ALEA_LIMIT);
  assert_null(alea_mem_resize(&other, block, 60, 61));
  block = alea_mem_resize(&other, block, 60, 50); /* what shrinks is on its way out */
  assert_non_null(block);
  alea_mem_free(&other, block, 50);
  assert_int_equal(other.used, 0);
}

static void symbols_fold_case_and_keep_spelling(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_symbols *symbols = alea_symbols_new(&mem);
  alea_symbol first = alea_symbols_add(symbols, "xPlayer", 7);
  assert_int_equal(alea_symbols_add(symbols, "XPLAYER", 7), first);
  assert_string_equal(alea_symbols_text(symbols, first), "xplayer");
  assert_string_equal(alea_symbols_spelling(symbols, first), "xPlayer");
  char name[16];
  for (int i = 0; i < 10000; i++) {
    int length = snprintf(name, sizeof name, "s%d", i);
    alea_symbols_add(symbols, name, (size_t)length);
  }
  assert_int_equal(alea_symbols_count(symbols), 10001);
  assert_int_equal(alea_symbols_find(symbols, "S9999", 5), 10000);
  assert_int_equal(alea_symbols_find(symbols, "none", 4), ALEA_NO_SYMBOL);
  alea_symbols_free(symbols);
  assert_int_equal(mem.used, 0);
}

static void rng_below_is_uniform(void **state) {
  (void)state;
  alea_rng rng;
  alea_rng_seed(&rng, 1);
  uint32_t counts[7] = {0};
  for (int i = 0; i < 70000; i++) counts[alea_rng_below(&rng, 7)]++;
  double chi = 0;
  for (int i = 0; i < 7; i++) chi += (counts[i] - 10000.0) * (counts[i] - 10000.0) / 10000.0;
  assert_true(chi < 22.5); /* 6 degrees of freedom, p = 0.001 */
}

static void text_and_diag(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text text;
  alea_text_init(&text, &mem);
  alea_text_escape(&text, "a\033[2J\r\n\x7f \xc3\xa9 \xc2\x9b \xff \xe2\x82");
  assert_string_equal(alea_text_string(&text),
                      "a\\x1b[2J\\x0d\\x0a\\x7f \xc3\xa9 \\xc2\\x9b \\xff \\xe2\\x82");
  alea_text_truncate(&text, 0);
  for (int i = 0; i < 100; i++) alea_text_format(&text, "%d,", i);
  assert_int_equal(text.length, 290);
  alea_text_clear(&text);
  alea_diag diag;
  alea_diag_init(&diag, &mem);
  alea_diag_error(&diag, ((alea_place){"f.kif", 3, 4}), "some-code", "bad %s", "thing");
  assert_int_equal(diag.errors, 1);
  assert_string_equal(diag.entries.data[0].message, "bad thing");
  alea_diag_clear(&diag);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exit_statuses),
      cmocka_unit_test(mem_counts_and_limits),
      cmocka_unit_test(mem_given_up_grows_no_more),
      cmocka_unit_test(symbols_fold_case_and_keep_spelling),
      cmocka_unit_test(rng_below_is_uniform),
      cmocka_unit_test(text_and_diag),
  };
  return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
