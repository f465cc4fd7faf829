/* Counters that are changed and read 64 at a time: by the machine's widest instructions, by words,
 * and one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "propnet/wave_block.h"

enum { COUNTERS = 64, ROUNDS = 20000 };

static uint64_t one_by_one(uint8_t *counters, uint64_t plus, uint64_t minus, uint32_t weight) {
  uint64_t crossed = 0;
  for (int i = 0; i < COUNTERS; i++) {
    uint8_t before = counters[i];
    if ((plus >> i & 1) != 0) counters[i] = (uint8_t)(before + 2 * weight);
    if ((minus >> i & 1) != 0) counters[i] = (uint8_t)(before - 2 * weight);
    if ((before ^ counters[i]) >= 0x80) crossed |= UINT64_C(1) << i;
  }
  return crossed;
}

/* Few bits, many, or none. */
static uint64_t random_bits(alea_rng *rng) {
  uint64_t bits = alea_rng_next(rng);
  for (uint32_t n = alea_rng_below(rng, 5); n > 0; n--) bits &= alea_rng_next(rng);
  return bits;
}

static void all_ways_are_the_same(void **state) {
  (void)state;
  alea_rng rng;
  alea_rng_seed(&rng, 1);
  for (int round = 0; round < ROUNDS; round++) {
    uint8_t start[COUNTERS], slow[COUNTERS], words[COUNTERS], wide[COUNTERS];
    for (int i = 0; i < COUNTERS; i++) start[i] = (uint8_t)alea_rng_below(&rng, 256);
    uint64_t plus = random_bits(&rng), minus = random_bits(&rng) & ~plus;
    uint32_t weight = 1 + alea_rng_below(&rng, 8);
    memcpy(slow, start, COUNTERS);
    memcpy(words, start, COUNTERS);
    memcpy(wide, start, COUNTERS);
    uint64_t crossed = one_by_one(slow, plus, minus, weight);
    assert_true(alea_wave_add_words(words, plus, minus, weight) == crossed);
    assert_true(alea_wave_add(wide, plus, minus, weight) == crossed);
    assert_memory_equal(words, slow, COUNTERS);
    assert_memory_equal(wide, slow, COUNTERS);
    uint64_t tops = 0;
    for (int i = 0; i < COUNTERS; i++) tops |= (uint64_t)(slow[i] >> 7) << i;
    assert_true(alea_wave_tops_words(slow) == tops);
    assert_true(alea_wave_tops(slow) == tops);
  }
}

static void lowest_bit(void **state) {
  (void)state;
  assert_int_equal(alea_wave_lowest(0), 64);
  for (uint32_t i = 0; i < 64; i++) assert_int_equal(alea_wave_lowest(~UINT64_C(0) << i), i);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_ways_are_the_same),
                                     cmocka_unit_test(lowest_bit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
