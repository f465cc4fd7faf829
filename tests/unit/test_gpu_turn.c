/* Turns on a device: one waits for the other, or until it is over; without a folder nobody does. */
#include "cmocka_all.h"
#include "gpu/turn.h"
#include "support/own_cache.h"

/* Over after so many looks. */
static bool is_over(void *context) {
  uint32_t *left = context;
  return (*left)-- == 0;
}

/* Ends the turn of another at the second look. */
static bool end_other(void *context) {
  static uint32_t looks;
  if (++looks == 2) alea_gpu_turn_end(context);
  assert_true(looks < 10);
  return false;
}

static void one_waits_for_another(void **state) {
  (void)state;
  alea_gpu_turn first, second, elsewhere;
  uint32_t looks = 3;
  alea_gpu_turn_take(&first, 0, own_cache, is_over, &looks);
  assert_true(first.file >= 0 && looks == 3);
  alea_gpu_turn_take(&elsewhere, 1, own_cache, is_over, &looks);
  assert_true(elsewhere.file >= 0 && looks == 3);
  alea_gpu_turn_take(&second, 0, own_cache, is_over, &looks);
  assert_true(second.file < 0);
  alea_gpu_turn_take(&second, 0, own_cache, end_other, &first);
  assert_true(second.file >= 0 && first.file < 0);
  alea_gpu_turn_end(&second);
  alea_gpu_turn_end(&second); /* there is none any more */
  alea_gpu_turn_end(&elsewhere);
}

static void without_a_folder_nobody_waits(void **state) {
  (void)state;
  alea_gpu_turn first, second;
  uint32_t looks = 0;
  alea_gpu_turn_take(&first, 0, NULL, is_over, &looks);
  alea_gpu_turn_take(&second, 0, NULL, is_over, &looks);
  assert_true(first.file < 0 && second.file < 0 && looks == 0);
  alea_gpu_turn_take(&first, 0, "/no/such/folder", is_over, &looks);
  assert_true(first.file < 0 && looks == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_waits_for_another),
      cmocka_unit_test(without_a_folder_nobody_waits),
  };
  return cmocka_run_group_tests(tests, make_own_cache, remove_own_cache);
}
