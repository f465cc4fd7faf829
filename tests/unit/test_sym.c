/* Automorphism groups of graphs that are known, and the time limit. */
#include "base/hash.h"
#include "cmocka_all.h"
#include "sym/sym.h"

static void count_generator(void *data, const uint32_t *image) {
  uint32_t *generators = data;
  (void)image;
  (*generators)++;
}

static double order_of(alea_sym_graph *graph) {
  uint32_t generators = 0;
  double order;
  assert_int_equal(alea_sym_automorphisms(graph, NULL, count_generator, &generators, &order),
                   ALEA_OK);
  assert_true((order > 1) == (generators > 0));
  return order;
}

static alea_sym_graph *cycle(alea_mem *mem, uint32_t vertices) {
  alea_sym_graph *graph = alea_sym_graph_new(mem, vertices);
  assert_non_null(graph);
  for (uint32_t v = 0; v < vertices; v++) alea_sym_graph_edge(graph, v, (v + 1) % vertices);
  return graph;
}

static void cycles_turn_and_flip(void **state) {
  (void)state;
  static const uint32_t sizes[] = {5, 50, 3000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_sym_graph *graph = cycle(&mem, sizes[i]);
    assert_true(order_of(graph) == 2 * sizes[i]);
    alea_sym_graph_colour(graph, 0, 1); /* one vertex stays: only the flip is left */
    assert_true(order_of(graph) == 2);
    alea_sym_graph_colour(graph, 1, 2);
    assert_true(order_of(graph) == 1);
    alea_sym_graph_free(graph);
    assert_int_equal(mem.used, 0);
  }
}

/* Many rings side by side: slow for nauty, which sees each of them through to
 * the last. */
static alea_sym_graph *rings(alea_mem *mem, uint32_t count) {
  alea_sym_graph *graph = alea_sym_graph_new(mem, 5 * count);
  assert_non_null(graph);
  for (uint32_t v = 0; v < 5 * count; v++)
    alea_sym_graph_edge(graph, v, v % 5 == 4 ? v - 4 : v + 1);
  return graph;
}

enum { AGAIN = 120 };

static void hash_generator(void *data, const uint32_t *image) {
  uint64_t *hash = data;
  *hash = alea_hash_join(*hash, alea_hash_u32s(image, 5 * AGAIN));
}

/* The same graph has the same generators, in the same order, whatever was asked
 * before. */
static void found_again(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_sym_graph *graph = rings(&mem, AGAIN), *other = cycle(&mem, 700);
  uint64_t first = 0;
  for (int i = 0; i < 4; i++) {
    uint64_t hash = 0;
    double order;
    assert_int_equal(alea_sym_automorphisms(graph, NULL, hash_generator, &hash, &order), ALEA_OK);
    if (i == 0) first = hash;
    assert_true(hash == first);
    for (int k = 0; k < i; k++) (void)order_of(other);
  }
  alea_sym_graph_free(graph);
  alea_sym_graph_free(other);
  assert_int_equal(mem.used, 0);
}

/* CPU time of the thread that asks: the watchdog's own is another. */
static void cpu_time_stops_it(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  uint32_t generators = 0;
  double order;
  alea_sym_graph *small = rings(&mem, 3);
  assert_true(order_of(small) == 10 * 10 * 10 * 6);
  alea_sym_graph_free(small);
  alea_sym_graph *graph = rings(&mem, 390);
  alea_deadline deadline = {.thread_at = alea_clock_thread() + 0.02};
  assert_int_equal(alea_sym_automorphisms(graph, &deadline, count_generator, &generators, &order),
                   ALEA_LIMIT);
  assert_true(order == 0);
  /* a deadline that has passed is noticed before anything is done */
  generators = 0;
  assert_int_equal(alea_sym_automorphisms(graph, &deadline, count_generator, &generators, &order),
                   ALEA_LIMIT);
  assert_int_equal(generators, 0);
  alea_sym_graph_free(graph);
  assert_int_equal(mem.used, 0);
}

/* Trees of 15 vertices that hang on three others: a board without what tells its
 * places apart. */
static alea_sym_graph *places(alea_mem *mem, uint32_t count) {
  enum { TREE = 15, COLOURS = 5, HUBS = 3 };
  alea_sym_graph *graph = alea_sym_graph_new(mem, HUBS + TREE * count);
  assert_non_null(graph);
  for (uint32_t h = 0; h < HUBS; h++) alea_sym_graph_colour(graph, h, COLOURS + h);
  for (uint32_t v = 0; v < TREE * count; v++) {
    uint32_t k = v % TREE, root = HUBS + v - k;
    alea_sym_graph_colour(graph, root + k, k % COLOURS);
    if (k > 0) alea_sym_graph_edge(graph, root + k, root + (k - 1) / 2);
    if (k % 4 == 0) alea_sym_graph_edge(graph, root + k, k / 4 % HUBS);
  }
  return graph;
}

/* A group of astronomic size: no step of the search may be long, since a match that
 * was aborted waits for it. */
static void stops_soon(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  uint32_t generators = 0;
  double order;
  alea_sym_graph *graph = places(&mem, 1000);
  alea_deadline deadline = {.thread_at = alea_clock_thread() + 0.05};
  assert_int_equal(alea_sym_automorphisms(graph, &deadline, count_generator, &generators, &order),
                   ALEA_LIMIT);
  assert_true(alea_clock_thread() - deadline.thread_at < 0.5);
  alea_sym_graph_free(graph);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cycles_turn_and_flip),
      cmocka_unit_test(found_again),
      cmocka_unit_test(cpu_time_stops_it),
      cmocka_unit_test(stops_soon),
  };
  return cmocka_run_group_tests_name("sym", tests, NULL, NULL);
}
