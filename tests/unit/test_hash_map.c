/* The hash maps against arrays that are searched from end to end. */
#include "base/hash_map.h"

#include "base/hash.h"
#include "base/rng.h"
#include "base/vec.h"
#include "cmocka_all.h"

/* Few hashes make long runs of slots, which go round the end of the array. */
static uint64_t few_hashes(uint64_t key) { return alea_hash_mix(key) % 7 + UINT64_MAX - 5; }
static uint64_t good_hashes(uint64_t key) { return alea_hash_mix(key); }

/* ---- ids ---- */

typedef struct numbering {
  alea_mem mem;
  alea_u64s keys; /* by id */
  uint64_t (*hash)(uint64_t key);
  alea_hash_map map;
} numbering;

static uint64_t hash_id(const void *context, uint32_t id) {
  const numbering *n = context;
  return n->hash(n->keys.data[id]);
}

static alea_hash_probe find(const numbering *n, uint64_t key) {
  alea_hash_probe probe = alea_hash_map_probe(&n->map, n->hash(key));
  while (alea_hash_map_next(&n->map, &probe))
    if (n->keys.data[probe.id] == key) break;
  return probe;
}

static uint32_t find_slowly(const numbering *n, uint64_t key) {
  for (size_t i = 0; i < n->keys.count; i++)
    if (n->keys.data[i] == key) return (uint32_t)i;
  return ALEA_HASH_NONE;
}

static void number(numbering *n, uint64_t key) {
  uint32_t expected = find_slowly(n, key);
  assert_int_equal(find(n, key).id, expected);
  assert_true(alea_hash_map_reserve(&n->map, &n->mem, hash_id, n));
  alea_hash_probe probe = find(n, key);
  assert_int_equal(probe.id, expected);
  if (expected != ALEA_HASH_NONE) return;
  assert_true(alea_vec_push(&n->mem, &n->keys, key));
  alea_hash_map_put(&n->map, probe, (uint32_t)n->keys.count - 1);
  assert_int_equal(find(n, key).id, n->keys.count - 1);
}

static void ids_agree_with_an_array(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    numbering n = {.hash = seed % 3 == 0 ? few_hashes : good_hashes};
    alea_rng rng;
    alea_mem_init(&n.mem, 0);
    alea_rng_seed(&rng, seed);
    if (seed % 2 == 0) assert_true(alea_hash_map_init(&n.map, &n.mem, seed));
    for (int i = 0; i < 1500; i++) {
      number(&n, alea_rng_below(&rng, (uint32_t)(1 + 20 * seed)));
      assert_int_equal(n.map.count, n.keys.count);
      assert_true(2 * n.keys.count <= alea_hash_map_slots(&n.map));
      if (alea_rng_below(&rng, 1000) != 0) continue;
      n.keys.count = 0;
      alea_hash_map_empty(&n.map);
    }
    for (uint32_t id = 0; id < n.keys.count; id++)
      assert_int_equal(find(&n, n.keys.data[id]).id, id);
    alea_vec_clear(&n.mem, &n.keys);
    alea_hash_map_clear(&n.map, &n.mem);
    assert_int_equal(n.mem.used, 0);
  }
}

/* Every third number is an id. */
static void ids_with_gaps(void **state) {
  (void)state;
  numbering n = {.hash = good_hashes};
  alea_mem_init(&n.mem, 0);
  for (uint64_t key = 0; key < 1000; key++) {
    assert_true(alea_vec_push(&n.mem, &n.keys, key));
    if (key % 3 != 2) continue;
    assert_true(alea_hash_map_reserve(&n.map, &n.mem, hash_id, &n));
    alea_hash_map_add(&n.map, n.hash(key), (uint32_t)key);
  }
  for (uint64_t key = 0; key < 1000; key++)
    assert_int_equal(find(&n, key).id, key % 3 == 2 ? key : ALEA_HASH_NONE);
  alea_vec_clear(&n.mem, &n.keys);
  alea_hash_map_clear(&n.map, &n.mem);
  assert_int_equal(n.mem.used, 0);
}

static void ids_move_to_slots_of_the_caller(void **state) {
  (void)state;
  static uint32_t slots[4096];
  numbering n = {.hash = good_hashes};
  alea_mem_init(&n.mem, 0);
  for (uint64_t key = 0; key < 100; key++) number(&n, 3 * key);
  alea_hash_map old = n.map;
  alea_hash_map_move(&n.map, slots, 4096, hash_id, &n);
  alea_hash_map_clear(&old, &n.mem);
  assert_ptr_equal(n.map.slots, slots);
  assert_int_equal(n.map.count, 100);
  for (uint64_t key = 0; key < 300; key++)
    assert_int_equal(find(&n, key).id, key % 3 == 0 ? key / 3 : ALEA_HASH_NONE);
  alea_vec_clear(&n.mem, &n.keys);
  assert_int_equal(n.mem.used, 0);
}

/* Without memory a map stays as it is, and goes on later. */
static void ids_survive_a_failure(void **state) {
  (void)state;
  numbering n = {.hash = few_hashes};
  alea_mem_init(&n.mem, 0);
  n.mem.fail_in = 1;
  assert_false(alea_hash_map_init(&n.map, &n.mem, 10));
  assert_int_equal(find(&n, 1).id, ALEA_HASH_NONE);
  for (uint64_t key = 0; key < 300; key++) {
    bool grows = 2 * (n.keys.count + 1) > alea_hash_map_slots(&n.map);
    size_t used = n.mem.used;
    n.mem.fail_in = grows ? 1 : 0;
    assert_int_equal(alea_hash_map_reserve(&n.map, &n.mem, hash_id, &n), !grows);
    assert_int_equal(n.mem.used, used);
    for (uint32_t id = 0; id < n.keys.count; id++)
      assert_int_equal(find(&n, n.keys.data[id]).id, id);
    number(&n, key);
  }
  alea_vec_clear(&n.mem, &n.keys);
  alea_hash_map_clear(&n.map, &n.mem);
  assert_int_equal(n.mem.used, 0);
}

/* Equal keys come in the order in which they were added. */
static void ids_of_equal_keys(void **state) {
  (void)state;
  alea_mem mem;
  alea_hash_map map;
  alea_mem_init(&mem, 0);
  assert_true(alea_hash_map_init(&map, &mem, 8));
  for (uint32_t id = 0; id < 8; id++) alea_hash_map_add(&map, 14, id);
  alea_hash_probe probe = alea_hash_map_probe(&map, 14);
  for (uint32_t id = 0; id < 8; id++) {
    assert_true(alea_hash_map_next(&map, &probe));
    assert_int_equal(probe.id, id);
  }
  assert_false(alea_hash_map_next(&map, &probe));
  alea_hash_map_clear(&map, &mem);
  assert_int_equal(mem.used, 0);
}

/* ---- words ---- */

static bool has_word(const alea_hash_words *words, uint64_t hash, uint64_t word) {
  alea_word_probe probe = alea_hash_words_probe(words, hash);
  while (alea_hash_words_next(words, &probe))
    if (probe.word == word) return true;
  assert_int_equal(probe.word, 0);
  return false;
}

static void words_agree_with_an_array(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    alea_hash_of_word *hash = seed % 3 == 0 ? few_hashes : good_hashes;
    bool known[1301] = {false};
    uint32_t count = 0;
    alea_mem mem;
    alea_rng rng;
    alea_hash_words words = {0};
    alea_mem_init(&mem, 0);
    alea_rng_seed(&rng, seed);
    if (seed % 2 == 0) assert_true(alea_hash_words_init(&words, &mem, seed));
    for (int i = 0; i < 1500; i++) {
      uint64_t word = 1 + alea_rng_below(&rng, (uint32_t)(20 * seed));
      assert_int_equal(has_word(&words, hash(word), word), known[word]);
      mem.fail_in = alea_rng_below(&rng, 2); /* the next allocation fails, or none */
      bool room = alea_hash_words_reserve(&words, &mem, hash);
      mem.fail_in = 0;
      if (known[word] || !room) continue;
      alea_hash_words_add(&words, hash(word), word);
      known[word] = true;
      assert_int_equal(words.count, ++count);
      assert_true(2 * (size_t)count <= alea_hash_words_slots(&words));
    }
    for (uint64_t word = 1; word <= 20 * seed; word++)
      assert_int_equal(has_word(&words, hash(word), word), known[word]);
    alea_hash_words_empty(&words);
    for (uint64_t word = 1; word <= 20 * seed; word++)
      assert_false(has_word(&words, hash(word), word));
    alea_hash_words_clear(&words, &mem);
    assert_int_equal(mem.used, 0);
  }
}

static void tags_hold_hash_and_id(void **state) {
  (void)state;
  uint64_t word = alea_hash_tag(0xfedcba98u, 0);
  assert_int_equal(alea_hash_of_tag(word), 0xfedcba98u);
  assert_int_equal(alea_hash_tag_id(word), 0);
  assert_int_equal(alea_hash_tag_id(alea_hash_tag(0, UINT32_MAX - 1)), UINT32_MAX - 1);
  assert_true(alea_hash_tag(0, 0) != 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ids_agree_with_an_array), cmocka_unit_test(ids_move_to_slots_of_the_caller),
      cmocka_unit_test(ids_survive_a_failure),   cmocka_unit_test(ids_with_gaps),
      cmocka_unit_test(ids_of_equal_keys),       cmocka_unit_test(words_agree_with_an_array),
      cmocka_unit_test(tags_hold_hash_and_id),
  };
  return cmocka_run_group_tests_name("hash maps", tests, NULL, NULL);
}
