/* The table of information sets: it finds what was added, and keeps its bound. */
#include "cmocka_all.h"
#include "play/infoset_table.h"

typedef struct test_infoset {
  alea_infoset_head head;
  uint32_t arms[];
} test_infoset;

enum { SETS = 5000, COLLIDING = 4096 };

/* Keys that share a slot until the table has grown several times. */
static uint64_t key_of(uint64_t i) { return i * COLLIDING; }

static void sets_are_found(void **state) {
  (void)state;
  alea_mem mem;
  alea_player_stats stats = {0};
  alea_infoset_table table;
  alea_mem_init(&mem, 0);
  assert_int_equal(alea_infoset_table_init(&table, sizeof(uint32_t), SIZE_MAX, &stats, &mem),
                   ALEA_OK);
  for (uint32_t i = 0; i < SETS; i++) {
    uint32_t arms = 1 + i % 7;
    assert_null(alea_infoset_table_find(&table, key_of(i)));
    test_infoset *set = alea_infoset_table_add(&table, key_of(i), arms);
    for (uint32_t a = 0; a < arms; a++) assert_int_equal(set->arms[a], 0);
    set->arms[arms - 1] = i;
  }
  for (uint32_t i = 0; i < SETS; i++) {
    const test_infoset *set = alea_infoset_table_find(&table, key_of(i));
    assert_int_equal(set->head.count, 1 + i % 7);
    assert_int_equal(set->arms[i % 7], i);
  }
  assert_null(alea_infoset_table_find(&table, 1));
  assert_int_equal(stats.nodes, SETS);
  assert_int_equal(stats.full, 0);
  assert_int_equal(table.used, mem.used);
  alea_infoset_table_clear(&table);
  assert_int_equal(mem.used, 0);
}

static void bound_is_kept(void **state) {
  (void)state;
  enum { LIMIT = 40000 };
  alea_mem mem;
  alea_player_stats stats = {0};
  alea_infoset_table table;
  alea_mem_init(&mem, 0);
  assert_int_equal(alea_infoset_table_init(&table, sizeof(uint32_t), LIMIT, &stats, &mem), ALEA_OK);
  uint64_t added = 0;
  while (alea_infoset_table_add(&table, key_of(added), 9) != NULL) {
    assert_true(table.used <= LIMIT);
    if (table.used <= LIMIT / 2) alea_infoset_table_make_room(&table); /* nothing to do yet */
    added++;
  }
  assert_int_equal(stats.full, 1);
  assert_int_equal(table.map.count, added);
  assert_non_null(alea_infoset_table_find(&table, key_of(0)));
  alea_infoset_table_make_room(&table);
  assert_null(alea_infoset_table_find(&table, key_of(0)));
  assert_non_null(alea_infoset_table_add(&table, key_of(added), 9));
  assert_int_equal(table.used, mem.used);
  alea_infoset_table_clear(&table);
  assert_int_equal(mem.used, 0);
}

static void no_memory_is_a_status(void **state) {
  (void)state;
  for (uint64_t n = 1; n < 4; n++) {
    alea_mem mem;
    alea_player_stats stats = {0};
    alea_infoset_table table;
    alea_mem_init(&mem, 0);
    mem.fail_in = n;
    alea_status status = alea_infoset_table_init(&table, 4, SIZE_MAX, &stats, &mem);
    assert_int_equal(status, n == 1 ? ALEA_SYSTEM : ALEA_OK);
    if (n == 2) assert_null(alea_infoset_table_add(&table, 1, 2));
    if (n == 3) assert_non_null(alea_infoset_table_add(&table, 1, 2));
    alea_infoset_table_clear(&table);
    assert_int_equal(mem.used, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_are_found),
      cmocka_unit_test(bound_is_kept),
      cmocka_unit_test(no_memory_is_a_status),
  };
  return cmocka_run_group_tests_name("infoset_table", tests, NULL, NULL);
}
