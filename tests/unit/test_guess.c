/* Guesses at legal moves: what was made a round ago. */
#include <string.h>

#include "cmocka_all.h"

#include "net/guess.h"

/* The guess after these moves, which are letters. */
static char guess(const char *made) {
  alea_slice moves[32] = {{0}};
  size_t count = strlen(made);
  for (size_t i = 0; i < count; i++) moves[i] = (alea_slice){made + i, 1};
  size_t again = alea_guess_again(moves, count);
  return again < count ? made[again] : '-';
}

static void repeats_rounds(void **state) {
  (void)state;
  assert_int_equal(guess(""), '-');
  assert_int_equal(guess("a"), 'a');
  assert_int_equal(guess("ab"), 'b');
  assert_int_equal(guess("nanan"), 'a');
  assert_int_equal(guess("nanbncnd"), 'n');
  assert_int_equal(guess("nnannbnnc"), 'n');
  assert_int_equal(guess("nnannbnncnn"), 'c');
  assert_int_equal(guess("aaaa"), 'a');
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(repeats_rounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
